// Package exchange is what the adapters for the vendors' SDKs have in common
// on the wire: a bound on the answer and on waits, no redirects, and the
// reason for a failure as an extract.Error, whatever the SDK makes of it.
package exchange

import (
	"errors"
	"io"
	"math"
	"net/http"
	"strconv"
	"time"
)

// MaxAnswer is the longest body that is read, in bytes.
const MaxAnswer = 4 << 20

// MaxWait is the longest wait for which an endpoint is asked again.
const MaxWait = 20 * time.Second

// mostKept is how much of a body is kept to say what the endpoint answered.
const mostKept = 16 << 10

// retryOrder is the header by which both SDKs let a server decide on retries.
const retryOrder = "X-Should-Retry"

var errTooLarge = errors.New("the body is longer than is read")

// Client returns a client like base, nil for the default, whose requests tell
// their Call what became of them. It follows no redirect: an endpoint has no
// reason to send a key elsewhere.
func Client(base *http.Client) *http.Client {
	var c http.Client
	if base != nil {
		c = *base
	}
	if c.Transport == nil {
		c.Transport = http.DefaultTransport
	}
	c.Transport = transport{c.Transport}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &c
}

type transport struct{ next http.RoundTripper }

// RoundTrip sends one request of a Call.
func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	call := callOf(req.Context())
	if call == nil {
		return nil, errors.New("exchange: a request outside of a call")
	}
	call.begin()
	res, err := t.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	call.status = res.StatusCode
	call.pace(req, res)
	res.Body = &body{ReadCloser: res.Body, call: call, header: res.Header, left: MaxAnswer}
	return res, nil
}

// pace settles whether an SDK asks again after res, and when. The SDKs differ
// in how long a Retry-After they obey, one of them without any bound.
func (c *Call) pace(req *http.Request, res *http.Response) {
	wait, told := retryAfter(res.Header)
	res.Header.Del("Retry-After")
	res.Header.Del("Retry-After-Ms")
	deadline, bounded := req.Context().Deadline()
	switch {
	case res.StatusCode < 400:
		res.Header.Del(retryOrder) // an answer is an answer
	case !told:
	case wait > MaxWait || bounded && wait >= time.Until(deadline):
		c.wait = wait
		res.Header.Set(retryOrder, "false")
	default:
		res.Header.Set("Retry-After-Ms", strconv.FormatInt(wait.Milliseconds(), 10))
	}
}

// retryAfter reads how long a server wants its client to wait.
func retryAfter(h http.Header) (time.Duration, bool) {
	for _, of := range []struct {
		header string
		unit   time.Duration
	}{{"Retry-After-Ms", time.Millisecond}, {"Retry-After", time.Second}} {
		text := h.Get(of.header)
		if n, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(n) {
			return time.Duration(min(max(n, 0), (365*24*time.Hour).Seconds()) * float64(of.unit)), true
		}
		if at, err := http.ParseTime(text); err == nil {
			return max(0, time.Until(at)), true
		}
	}
	return 0, false
}

// body is an answer that is read up to MaxAnswer.
type body struct {
	io.ReadCloser
	call   *Call
	header http.Header
	left   int
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.call.keep(p[:n])
	if b.left -= n; b.left < 0 {
		b.call.tooLarge = true
		b.header.Set(retryOrder, "false") // it would be as large again
		return 0, errTooLarge
	}
	if err != nil && err != io.EOF {
		b.call.broken = err
	}
	return n, err
}
