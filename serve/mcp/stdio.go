package mcp

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
)

// ServeStdio serves one client with a message a line, until in ends, ctx does
// or the client is gone, none of which is an error; in and out nil are the
// process's own. Calls that run when in ends are still answered, those that run
// when ctx ends are cancelled. The client has one session of the workflow, which
// ends with it. A line that is no message is answered with an error, and the
// next one is read.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	if in == nil {
		in = os.Stdin
	}
	if out == nil {
		out = os.Stdout
	}
	id := "mcp-" + rand.Text()
	e := &endpoint{Server: s, local: true, ended: ctx, sessionOf: func(sdk.Request) string { return id }}
	server := e.serverOf()
	to := newLineWriter(out)
	from := newLineReader(in, to, s.dispatcher.MaxBytes()+room)
	defer s.forget(id)
	err := server.Run(ctx, &sdk.IOTransport{Reader: from, Writer: to, MaxLineLength: -1})
	s.lists.leave(id)
	for _, gone := range []error{io.EOF, io.ErrClosedPipe, syscall.EPIPE} {
		if errors.Is(err, gone) {
			return nil
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// lineWriter writes whole lines, from the SDK and from the lineReader, and
// notes what they answer and ask.
type lineWriter struct {
	mu sync.Mutex
	w  io.Writer
	// calls are the ids of requests that are not answered, asked those of
	// questions to the client that are not.
	calls, asked map[string]bool
	changed      chan struct{}
}

func newLineWriter(w io.Writer) *lineWriter {
	return &lineWriter{w: w, calls: map[string]bool{}, asked: map[string]bool{}, changed: make(chan struct{}, 1)}
}

func (l *lineWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, err := l.w.Write(p)
	switch id, call := written(p); {
	case call:
		l.asked[id] = true
	case id != "":
		delete(l.calls, id)
	}
	l.note()
	return n, err
}

// written reads the id at the head of a message of the SDK, and whether it is
// one that the client is to answer.
func written(line []byte) (id string, call bool) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"jsonrpc":"2.0","id":`))
	if !ok {
		return "", false
	}
	var raw json.RawMessage
	head := json.NewDecoder(bytes.NewReader(rest))
	if err := head.Decode(&raw); err != nil {
		return "", false
	}
	doc, fault := jsontree.Parse(string(raw), jsontree.Limits{}, nil)
	if fault != nil {
		return "", false
	}
	id, _ = idOf(&doc.Root) // as the reader has it, however the SDK writes it
	return id, bytes.HasPrefix(rest[head.InputOffset():], []byte(`,"method":`))
}

// read notes a message from the client.
func (l *lineWriter) read(m message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case m.cancels != "":
		delete(l.calls, m.cancels)
	case m.id != "" && m.method != "":
		l.calls[m.id] = true
	case m.id != "":
		delete(l.asked, m.id)
	}
}

func (l *lineWriter) note() {
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

// settled reports whether no call runs but those that wait for the client.
func (l *lineWriter) settled() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.calls) <= len(l.asked)
}

func (l *lineWriter) Close() error { return nil }

// lastAnswers is how long calls may take that run when the input ends, and the
// Store when the server does.
const lastAnswers = 10 * time.Second

// lineReader hands on the lines that are messages, and answers the others.
type lineReader struct {
	in     io.Reader
	lines  *bufio.Reader
	to     *lineWriter
	most   int
	rest   []byte
	once   sync.Once
	closed chan struct{}
}

func newLineReader(in io.Reader, to *lineWriter, most int) *lineReader {
	return &lineReader{in: in, lines: bufio.NewReaderSize(in, 64<<10), to: to, most: most, closed: make(chan struct{})}
}

// Close closes what is read from, if that can be, so that a Read that waits
// ends.
func (l *lineReader) Close() error {
	l.once.Do(func() { close(l.closed) })
	if c, ok := l.in.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Read reads from the next line that is a message.
func (l *lineReader) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, r, err := l.line()
		if err != nil {
			l.settle()
			return 0, err
		}
		line = bytes.TrimSpace(line)
		if r == nil && len(line) == 0 {
			continue
		}
		var m message
		if r == nil {
			m, r = inspectLine(line)
		}
		if r != nil {
			if _, err := l.to.Write(append(r.response(), '\n')); err != nil {
				return 0, err
			}
			continue
		}
		l.to.read(m)
		l.rest = append(line, '\n')
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// settle waits for the answers to what was read: the SDK drops them once it
// knows that the input has ended.
func (l *lineReader) settle() {
	wait := time.NewTimer(lastAnswers)
	defer wait.Stop()
	for !l.to.settled() {
		select {
		case <-l.to.changed:
		case <-wait.C:
			return
		case <-l.closed:
			return
		}
	}
}

func inspectLine(line []byte) (message, *refused) {
	if line[0] == '[' {
		return message{}, &refused{jsonrpc.CodeInvalidRequest, "Batches are not taken here: send each message on a line of its own.", ""}
	}
	return inspect(line)
}

// line reads one line. One that is too long is read to its end and refused.
func (l *lineReader) line() ([]byte, *refused, error) {
	var line, tail []byte
	long := false
	for {
		part, err := l.lines.ReadSlice('\n')
		switch {
		case long:
			tail = append(tail, part...)
			tail = tail[max(0, len(tail)-256):]
		case len(line)+len(part) > l.most:
			long = true
			tail = append([]byte(nil), part[max(0, len(part)-256):]...)
			line = append(line, part...)[:256]
		default:
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err != nil && len(line) == 0:
			return nil, nil, err
		case long:
			return nil, &refused{jsonrpc.CodeInvalidRequest, "The message is longer than " + quote.Count(l.most) + " bytes.", idAtAnEnd(line, tail)}, nil
		}
		// The last line may lack its end; reading again says so.
		return line, nil, nil
	}
}
