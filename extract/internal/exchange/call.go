package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/fwgo/fwgo/extract"
	"github.com/fwgo/fwgo/internal/quote"
)

// A Call is one extraction on the wire: up to a few requests, one after the
// other.
type Call struct {
	ctx     context.Context // with the extractor's timeout
	redact  func(string) string
	started time.Time

	requests int
	// Of the last request:
	status   int           // 0 while there is no answer
	wait     time.Duration // that the endpoint asked for, if it was too long
	head     []byte        // the beginning of the body
	tooLarge bool
	broken   error // of reading the body
}

type callKey struct{}

// Begin starts a call that ends after timeout. The context is for the SDK; the
// function releases it. redact takes secrets out of texts.
func Begin(ctx context.Context, timeout time.Duration, redact func(string) string) (*Call, context.Context, context.CancelFunc) {
	c := &Call{redact: redact, started: time.Now()}
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, callKey{}, c), timeout)
	c.ctx = ctx
	return c, ctx, cancel
}

func callOf(ctx context.Context) *Call {
	c, _ := ctx.Value(callKey{}).(*Call)
	return c
}

// begin begins a further request.
func (c *Call) begin() {
	c.requests++
	c.status, c.wait, c.head, c.tooLarge, c.broken = 0, 0, nil, false, nil
}

func (c *Call) keep(p []byte) {
	c.head = append(c.head, p[:min(len(p), mostKept-len(c.head))]...)
}

// Failure says why a call ended without an answer. err is what the SDK makes
// of it, which is not passed on: it may hold the request with its key.
func (c *Call) Failure(err error) *extract.Error {
	cause := c.ctx.Err()
	timedOut, ok := errors.AsType[net.Error](err)
	switch {
	case errors.Is(cause, context.Canceled):
		return &extract.Error{Kind: extract.Cancelled, Detail: c.after("no answer"), Err: cause}
	case c.status >= 300:
		// Also when the time ran out while waiting to ask again: it is this
		// status that there was no time to outlast.
		return &extract.Error{Kind: kindOf(c.status), Detail: c.refusal(), Err: cause}
	case c.requests == 0 && cause == nil:
		return &extract.Error{Kind: extract.Rejected, Detail: c.after(c.shown(err))}
	case cause != nil:
		return &extract.Error{Kind: extract.Timeout, Detail: c.after("no answer"), Err: cause}
	case c.tooLarge:
		return &extract.Error{Kind: extract.TooLarge, Detail: "more than " + strconv.Itoa(MaxAnswer>>20) + " MiB"}
	case ok && timedOut.Timeout():
		return &extract.Error{Kind: extract.Timeout, Detail: c.after("no answer"), Err: context.DeadlineExceeded}
	case c.broken != nil:
		return &extract.Error{Kind: extract.Unreachable, Detail: c.after("the connection broke: " + c.shown(c.broken)), Err: c.broken}
	case c.status != 0:
		return &extract.Error{Kind: extract.Malformed, Detail: "the endpoint's answer is not of the documented form: " + c.text(string(c.head), 60)}
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // its text holds the URL
	}
	return &extract.Error{Kind: extract.Unreachable, Detail: c.after(c.shown(err)), Err: err}
}

func kindOf(status int) extract.ErrorKind {
	switch {
	case status == 401 || status == 403:
		return extract.Unauthorized
	case status == 429:
		return extract.RateLimited
	case status >= 500 || status == 408 || status == 409:
		return extract.Unavailable
	}
	return extract.Rejected
}

// refusal describes an answer with a bad status.
func (c *Call) refusal() string {
	text := c.after("status " + strconv.Itoa(c.status))
	switch {
	case c.status < 400:
		text += ", a redirect, which is not followed"
	case c.wait > 0:
		text += ", and it asks to wait " + c.wait.Round(time.Millisecond).String()
	case c.ctx.Err() != nil:
		text += ", and no time is left"
	}
	if said := c.Said(); said != "" {
		text += ": " + said
	}
	return text
}

// Said is what the endpoint itself says of a failure, "" if it says nothing
// that can be read. The message of status 401 is left out: vendors quote the
// key in it.
func (c *Call) Said() string {
	var doc struct {
		Error any `json:"error"`
	}
	if json.Unmarshal(c.head, &doc) != nil {
		return ""
	}
	object, _ := doc.Error.(map[string]any)
	member := func(name string) string {
		text, _ := object[name].(string)
		return text
	}
	message, _ := doc.Error.(string)
	if message == "" {
		message = member("message")
	}
	var parts []string
	for _, word := range []string{member("type"), member("code")} {
		if word != "" && (len(parts) == 0 || parts[0] != word) {
			parts = append(parts, quote.Bare(c.redact(word), 60))
		}
	}
	if message != "" && c.status != 401 {
		parts = append(parts, c.text(message, 200))
	}
	return strings.Join(parts, ", ")
}

func (c *Call) text(s string, most int) string { return quote.Text(c.redact(s), most) }

func (c *Call) shown(err error) string { return quote.Bare(c.redact(err.Error()), 200) }

// after says how many requests a fact took.
func (c *Call) after(fact string) string {
	switch c.requests {
	case 0:
		return fact + ", nothing was sent"
	case 1:
		return fact + " after 1 request"
	}
	return fact + " after " + strconv.Itoa(c.requests) + " requests"
}

// address is a URL with what may stand in it.
var address = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s"'<>]+`)

// Redactor returns a function that takes a key and all URLs out of texts.
func Redactor(key string) func(string) string {
	return func(s string) string {
		if key != "" {
			s = strings.ReplaceAll(s, key, "[key]")
		}
		return address.ReplaceAllString(s, "[URL]")
	}
}
