package recorded

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/extract"
)

// An Exchange is one question with its replies.
type Exchange struct {
	// Command is the qualified name of the command.
	Command string `json:"command"`
	// Statement is the text that is read, without the command's name; white
	// space around it does not count. "*" stands for any statement that has
	// no exchange of its own.
	Statement string `json:"statement"`
	// Replies are given to the attempts 1, 2, 3 of each extraction in turn;
	// the last one also to all further attempts.
	Replies []Reply `json:"replies"`
}

// A Reply is one answer: exactly one of Values, Text, Fail and Hang.
type Reply struct {
	// Values is the JSON object of the values that were found.
	Values json.RawMessage `json:"values,omitempty"`
	// Text is handed on as it is, be it JSON or not. The extractors that ask
	// a model never do that: theirs is Fail with extract.Malformed.
	Text string `json:"text,omitempty"`
	// Fail is the kind of an *extract.Error, Detail its text.
	Fail   extract.ErrorKind `json:"fail,omitempty"`
	Detail string            `json:"detail,omitempty"`
	// Hang waits until the context of the call ends, by its deadline or by
	// command.Options.Timeout, and then fails like a model that did not answer
	// in time.
	Hang bool `json:"hang,omitempty"`
}

// Values is a reply with a JSON object.
func Values(object string) Reply { return Reply{Values: json.RawMessage(object)} }

// Text is a reply with any text, such as broken JSON.
func Text(text string) Reply { return Reply{Text: text} }

// Fail is a failure of the extraction.
func Fail(kind extract.ErrorKind, detail string) Reply { return Reply{Fail: kind, Detail: detail} }

// Hang is no answer until the context of the call ends.
func Hang() Reply { return Reply{Hang: true} }

func (r *Reply) check() error {
	n := 0
	for _, given := range []bool{r.Values != nil, r.Text != "", r.Fail != "", r.Hang} {
		if given {
			n++
		}
	}
	switch {
	case n != 1:
		return fmt.Errorf("has %d of values, text, fail and hang, and must have one", n)
	case r.Values != nil && (!json.Valid(r.Values) || bytes.TrimSpace(r.Values)[0] != '{'):
		return errors.New("the values are not a JSON object; any other text is given as text")
	case r.Fail != "" && !slices.Contains(extract.Kinds(), r.Fail):
		return fmt.Errorf("no kind of failure is named %q; the kinds are %v", r.Fail, extract.Kinds())
	case r.Detail != "" && r.Fail == "":
		return errors.New("has a detail but no fail")
	}
	return nil
}

type question struct{ command, statement string }

func (q question) String() string {
	return fmt.Sprintf("command %q, statement %q", q.command, q.statement)
}

// anything is the statement that stands for all others.
const anything = "*"

// An Extractor answers from a recording. It is safe to share.
type Extractor struct {
	replies map[question][]Reply

	mu    sync.Mutex
	asked []command.Extraction
}

var _ command.Extractor = (*Extractor)(nil)

// New makes an Extractor of exchanges. The error names every mistake in them
// at once.
func New(exchanges ...Exchange) (*Extractor, error) {
	x := &Extractor{replies: map[question][]Reply{}}
	var errs []error
	for i := range exchanges {
		if err := x.add(exchanges[i]); err != nil {
			errs = append(errs, fmt.Errorf("recorded: exchange %d: %w", i+1, err))
		}
	}
	return x.unless(errs)
}

// unless returns x, or what is wrong with it.
func (x *Extractor) unless(errs []error) (*Extractor, error) {
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return x, nil
}

func (x *Extractor) add(e Exchange) error {
	q := question{e.Command, strings.TrimSpace(e.Statement)}
	_, twice := x.replies[q]
	switch {
	case e.Command == "":
		return errors.New("has no command")
	case len(e.Replies) == 0:
		return fmt.Errorf("%v: has no replies", q)
	case twice:
		return fmt.Errorf("%v: is recorded twice", q)
	}
	for i := range e.Replies {
		if err := e.Replies[i].check(); err != nil {
			return fmt.Errorf("%v: reply %d: %w", q, i+1, err)
		}
	}
	x.replies[q] = slices.Clone(e.Replies)
	return nil
}

// Read makes an Extractor of a recording with one Exchange a line as a JSON
// object, such as
//
//	{"command": "cancel_order", "statement": "the red one, it was a mistake", "replies": [{"values": {"order_id": "#W1"}}]}
//	{"command": "cancel_order", "statement": "*", "replies": [{"fail": "rate_limited"}]}
//
// Empty lines are skipped. The error names every mistake by its line.
func Read(r io.Reader) (*Extractor, error) {
	x := &Extractor{replies: map[question][]Reply{}}
	var errs []error
	lines := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if err := x.line(line); err != nil {
				errs = append(errs, fmt.Errorf("recorded: line %d: %w", n, err))
			}
		}
		if err == io.EOF {
			return x.unless(errs)
		}
		if err != nil {
			return x.unless(append(errs, fmt.Errorf("recorded: line %d: %w", n, err)))
		}
	}
}

func (x *Extractor) line(line []byte) error {
	var e Exchange
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil {
		return err
	}
	if dec.More() {
		return errors.New("goes on after one JSON object")
	}
	return x.add(e)
}

// Extract answers from the recording.
func (x *Extractor) Extract(ctx context.Context, r *command.Extraction) (json.RawMessage, error) {
	x.mu.Lock()
	x.asked = append(x.asked, *r)
	x.mu.Unlock()
	q := question{r.Command, strings.TrimSpace(r.Statement)}
	replies, ok := x.replies[q]
	if !ok {
		replies, ok = x.replies[question{r.Command, anything}]
	}
	if !ok {
		return nil, fmt.Errorf("recorded: nothing is recorded for %v", q)
	}
	reply := replies[min(max(r.Attempt, 1), len(replies))-1]
	switch {
	case reply.Hang:
		if ctx.Done() == nil {
			return nil, fmt.Errorf("recorded: %v: the reply hangs until the call's context ends, and this one never does", q)
		}
		<-ctx.Done()
		kind := extract.Timeout
		if errors.Is(ctx.Err(), context.Canceled) {
			kind = extract.Cancelled
		}
		return nil, &extract.Error{Kind: kind, Detail: "recorded", Err: ctx.Err()}
	case reply.Fail != "":
		return nil, &extract.Error{Kind: reply.Fail, Detail: reply.Detail}
	case reply.Values != nil:
		return bytes.Clone(reply.Values), nil
	}
	return json.RawMessage(reply.Text), nil
}

// Asked returns the questions so far, in order, further attempts included.
func (x *Extractor) Asked() []command.Extraction {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.asked)
}
