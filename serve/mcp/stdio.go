package mcp

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/internal/quote"
)

// ServeStdio serves one client with a message a line, until in ends or ctx
// does; in and out nil are the process's own. The client has one session of
// the workflow, which ends with it. A line that is no message is answered with
// an error, and the next one is read.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	if in == nil {
		in = os.Stdin
	}
	if out == nil {
		out = os.Stdout
	}
	id := "mcp-" + rand.Text()
	e := &endpoint{Server: s, local: true, sessionOf: func(sdk.Request) string { return id }}
	server := e.serverOf()
	to := &lineWriter{w: out}
	from := newLineReader(in, to, s.dispatcher.MaxBytes()+room)
	defer s.forget(id)
	err := server.Run(ctx, &sdk.IOTransport{Reader: from, Writer: to, MaxLineLength: -1})
	s.lists.leave(id)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return err
}

// lineWriter writes whole lines, from the SDK and from the lineReader.
type lineWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lineWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

func (l *lineWriter) Close() error { return nil }

// lineReader hands on the lines that are messages, and answers the others.
type lineReader struct {
	in    io.Reader
	lines *bufio.Reader
	to    *lineWriter
	most  int
	rest  []byte
}

func newLineReader(in io.Reader, to *lineWriter, most int) *lineReader {
	return &lineReader{in: in, lines: bufio.NewReaderSize(in, 64<<10), to: to, most: most}
}

// Close closes what is read from, if that can be, so that a Read that waits
// ends.
func (l *lineReader) Close() error {
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
			return 0, err
		}
		if r == nil && len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if r == nil {
			r = inspectLine(line)
		}
		if r != nil {
			if _, err := l.to.Write(append(r.response(), '\n')); err != nil {
				return 0, err
			}
			continue
		}
		l.rest = append(bytes.TrimSpace(line), '\n')
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

func inspectLine(line []byte) *refused {
	if text := bytes.TrimSpace(line); text[0] == '[' {
		return &refused{jsonrpc.CodeInvalidRequest, "Batches are not taken here: send each message on a line of its own.", ""}
	}
	_, r := inspect(line)
	return r
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
			return nil, &refused{jsonrpc.CodeInvalidRequest, "The message is longer than " + quote.Count(l.most) + " bytes.", idOf(line, tail)}, nil
		}
		// The last line may lack its end; reading again says so.
		return line, nil, nil
	}
}
