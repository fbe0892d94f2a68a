package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/extract"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/validate"
)

// Key is the key that the adapters under test are given. No error may hold it.
const Key = "sk-test-0123456789"

// Setup is what a test wants of an adapter, beside Key.
type Setup struct {
	URL     string
	Timeout time.Duration
	Retries int
	Client  *http.Client
	NoKey   bool
}

// Make makes the adapter under test.
type Make func(t *testing.T, s Setup) command.ProfiledExtractor

// Question is what the recorded requests ask.
func Question(profile string) *command.Extraction {
	r := &command.Extraction{
		Command:      "Order/cancel",
		Statement:    `two of the red "ones" <b>from</b> 9007199254740993 & co`,
		Instructions: "Read the parameters of the command Order/cancel out of a statement.\n\n- order_id: The order.",
		Attempt:      1,
	}
	switch profile {
	case "openai-strict":
		r.Schema = json.RawMessage(`{"additionalProperties":false,"properties":{"order_id":{"description":"The order","pattern":"^#?[0-9]+$","type":"string"},"count":{"anyOf":[{"type":"integer"},{"type":"null"}]}},"required":["order_id","count"],"title":"Cancel","type":"object"}`)
	case "anthropic":
		r.Schema = json.RawMessage(`{"additionalProperties":false,"properties":{"order_id":{"description":"The order. The whole text must match ^#?[0-9]+$.","type":"string"},"count":{"anyOf":[{"type":"integer"},{"type":"null"}],"default":null}},"required":["order_id"],"title":"Cancel","type":"object"}`)
	}
	return r
}

// An Outcome is what is to become of a recording.
type Outcome struct {
	File     string
	Values   string            // of a success
	Kind     extract.ErrorKind // of a failure
	Detail   []string          // what its text must say
	Requests int               // 0 for 1
}

// Check replays a recording and compares what becomes of it.
func (want Outcome) Check(t *testing.T, x func(url string) command.ProfiledExtractor) {
	t.Helper()
	server := Start(t, "testdata/"+want.File)
	adapter := x(server.URL)
	values, err := adapter.Extract(t.Context(), Question(adapter.Profile()))
	Failed(t, want.Kind, values, err, want.Detail...)
	var compact bytes.Buffer
	if want.Kind == "" && (json.Compact(&compact, values) != nil || compact.String() != want.Values) {
		t.Errorf("got %s, want %s", values, want.Values)
	}
	if n := len(server.Requests()); n != max(1, want.Requests) {
		t.Errorf("%d requests were sent, want %d", n, max(1, want.Requests))
	}
}

// Failed compares a failure; kind "" is none. Its text must be short, on one
// line and without secrets.
func Failed(t *testing.T, kind extract.ErrorKind, values json.RawMessage, err error, details ...string) {
	t.Helper()
	if kind == "" {
		if err != nil {
			t.Errorf("failed: %v", err)
		}
		return
	}
	failure, ok := err.(*extract.Error)
	if !ok || values != nil {
		t.Fatalf("got %s and the error %#v, want %s", values, err, kind)
	}
	text := failure.Error()
	if failure.Kind != kind {
		t.Errorf("got the kind %s, want %s: %s", failure.Kind, kind, text)
	}
	for _, detail := range details {
		if !strings.Contains(text, detail) {
			t.Errorf("%q is not said in %q", detail, text)
		}
	}
	for _, secret := range []string{Key, Key[len(Key)-4:], "\n", "://"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q holds %q", text, secret)
		}
	}
	if len(text) > 500 {
		t.Errorf("the text is %d bytes long: %s", len(text), text)
	}
}

// Transport checks what every adapter does when the wire fails, whatever the
// vendor's form of an answer.
func Transport(t *testing.T, make Make) {
	serve := func(t *testing.T, h http.HandlerFunc) (url string, requests *atomic.Int32) {
		requests = new(atomic.Int32)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			requests.Add(1)
			io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json")
			h(w, r)
		}))
		t.Cleanup(server.Close)
		return server.URL, requests
	}
	extracted := func(t *testing.T, ctx context.Context, s Setup) (json.RawMessage, error) {
		x := make(t, s)
		return x.Extract(ctx, Question(x.Profile()))
	}
	hang := func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	status := func(code int, headers ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			for i := 0; i < len(headers); i += 2 {
				w.Header().Set(headers[i], headers[i+1])
			}
			w.WriteHeader(code)
			io.WriteString(w, `{"error":{"message":"busy"}}`)
		}
	}

	t.Run("timeout", func(t *testing.T) {
		url, _ := serve(t, hang)
		values, err := extracted(t, t.Context(), Setup{URL: url, Timeout: 50 * time.Millisecond})
		Failed(t, extract.Timeout, values, err, "no answer after 1 request")
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v is no exceeded deadline", err)
		}
	})
	t.Run("timeout in the middle of an answer", func(t *testing.T) {
		url, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, `{"id":`)
			w.(http.Flusher).Flush()
			hang(w, r)
		})
		values, err := extracted(t, t.Context(), Setup{URL: url, Timeout: 100 * time.Millisecond})
		Failed(t, extract.Timeout, values, err)
	})
	t.Run("the caller's deadline", func(t *testing.T) {
		url, _ := serve(t, hang)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		values, err := extracted(t, ctx, Setup{URL: url})
		Failed(t, extract.Timeout, values, err)
	})
	t.Run("the client's own timeout", func(t *testing.T) {
		url, requests := serve(t, hang)
		values, err := extracted(t, t.Context(), Setup{URL: url, Retries: -1, Client: &http.Client{Timeout: 50 * time.Millisecond}})
		Failed(t, extract.Timeout, values, err)
		if n := requests.Load(); n != 1 {
			t.Errorf("%d requests", n)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		url, requests := serve(t, func(w http.ResponseWriter, r *http.Request) { cancel(); hang(w, r) })
		values, err := extracted(t, ctx, Setup{URL: url})
		Failed(t, extract.Cancelled, values, err, "no answer after 1 request")
		if !errors.Is(err, context.Canceled) || requests.Load() != 1 {
			t.Errorf("%v after %d requests", err, requests.Load())
		}
	})
	t.Run("cancelled before", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		url, requests := serve(t, hang)
		values, err := extracted(t, ctx, Setup{URL: url})
		Failed(t, extract.Cancelled, values, err)
		if n := requests.Load(); n != 0 {
			t.Errorf("%d requests", n)
		}
	})
	t.Run("cancelled while waiting to ask again", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		url, requests := serve(t, status(503, "Retry-After", "15"))
		time.AfterFunc(100*time.Millisecond, cancel)
		values, err := extracted(t, ctx, Setup{URL: url})
		Failed(t, extract.Cancelled, values, err)
		if n := requests.Load(); n != 1 {
			t.Errorf("%d requests", n)
		}
	})
	t.Run("no endpoint", func(t *testing.T) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		url := "http://" + l.Addr().String()
		l.Close()
		values, err := extracted(t, t.Context(), Setup{URL: url, Retries: -1})
		Failed(t, extract.Unreachable, values, err, "connection refused after 1 request")
	})
	t.Run("the connection breaks in the middle", func(t *testing.T) {
		url, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, `{"id":`)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		})
		values, err := extracted(t, t.Context(), Setup{URL: url, Retries: -1})
		Failed(t, extract.Unreachable, values, err, "the connection broke")
	})
	t.Run("a proxy that fails", func(t *testing.T) {
		client := &http.Client{Transport: failing{errors.New("no route for https://proxy.example/?key=" + Key)}}
		values, err := extracted(t, t.Context(), Setup{URL: "http://127.0.0.1:1", Retries: -1, Client: client})
		Failed(t, extract.Unreachable, values, err, "no route for [URL] after 1 request")
	})
	t.Run("too large", func(t *testing.T) {
		url, requests := serve(t, func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, `{"id":"`)
			w.Write(bytes.Repeat([]byte("x"), 5<<20))
			io.WriteString(w, `"}`)
		})
		values, err := extracted(t, t.Context(), Setup{URL: url})
		Failed(t, extract.TooLarge, values, err, "more than 4 MiB")
		if n := requests.Load(); n != 1 {
			t.Errorf("%d requests", n)
		}
	})
	for _, code := range []int{408, 409, 500, 503, 529} {
		t.Run(http.StatusText(code), func(t *testing.T) {
			url, requests := serve(t, status(code, "Retry-After-Ms", "1"))
			values, err := extracted(t, t.Context(), Setup{URL: url})
			Failed(t, extract.Unavailable, values, err, "after 3 requests", `"busy"`)
			if n := requests.Load(); n != 3 {
				t.Errorf("%d requests", n)
			}
		})
	}
	for _, row := range []struct {
		name    string
		headers []string
		detail  string
	}{
		{"an hour", []string{"Retry-After", "3600"}, "it asks to wait 1h0m0s"},
		{"an hour, and it insists", []string{"Retry-After", "3600", "x-should-retry", "true"}, "it asks to wait 1h0m0s"},
		{"next year", []string{"Retry-After", time.Now().AddDate(1, 0, 0).UTC().Format(http.TimeFormat)}, "it asks to wait 87"},
		{"for ever", []string{"Retry-After", "1e300"}, "it asks to wait"},
		{"longer than there is time", []string{"Retry-After", "12"}, "it asks to wait 12s"},
	} {
		t.Run("told to wait "+row.name, func(t *testing.T) {
			url, requests := serve(t, status(429, row.headers...))
			values, err := extracted(t, t.Context(), Setup{URL: url, Timeout: 10 * time.Second})
			Failed(t, extract.RateLimited, values, err, "status 429 after 1 request", row.detail)
			if n := requests.Load(); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
	t.Run("waits as long as told", func(t *testing.T) {
		var times []time.Time
		url, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			times = append(times, time.Now())
			status(429, "Retry-After", "0.2")(w, r)
		})
		values, err := extracted(t, t.Context(), Setup{URL: url, Retries: 1})
		Failed(t, extract.RateLimited, values, err, "after 2 requests")
		if len(times) != 2 || times[1].Sub(times[0]) < 200*time.Millisecond {
			t.Errorf("asked again too early: %v", times)
		}
	})
	t.Run("no time left to ask again", func(t *testing.T) {
		url, _ := serve(t, status(429))
		values, err := extracted(t, t.Context(), Setup{URL: url, Timeout: 200 * time.Millisecond})
		Failed(t, extract.RateLimited, values, err, "status 429 after 1 request, and no time is left")
	})
	t.Run("retries", func(t *testing.T) {
		for retries, want := range map[int]int32{-1: 1, 0: 3, 4: 5} {
			url, requests := serve(t, status(500, "Retry-After-Ms", "1"))
			values, err := extracted(t, t.Context(), Setup{URL: url, Retries: retries})
			Failed(t, extract.Unavailable, values, err)
			if n := requests.Load(); n != want {
				t.Errorf("MaxRetries %d sent %d requests, want %d", retries, n, want)
			}
		}
	})
	t.Run("redirect", func(t *testing.T) {
		other, reached := serve(t, status(200))
		url, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other, 307) })
		values, err := extracted(t, t.Context(), Setup{URL: url, Client: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return nil }}})
		Failed(t, extract.Rejected, values, err, "status 307 after 1 request, a redirect, which is not followed")
		if reached.Load() != 0 {
			t.Error("the key was sent elsewhere")
		}
	})
	t.Run("the endpoint echoes the key", func(t *testing.T) {
		url, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(400)
			io.WriteString(w, `{"error":{"type":"invalid_request_error","message":"header Bearer `+Key+` is odd\nvery odd"}}`)
		})
		values, err := extracted(t, t.Context(), Setup{URL: url})
		Failed(t, extract.Rejected, values, err, `status 400 after 1 request: invalid_request_error, "header Bearer [key] is odd\nvery odd"`)
	})
	t.Run("no key", func(t *testing.T) {
		url, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if got := r.Header.Get("Authorization") + r.Header.Get("X-Api-Key"); got != "" {
				t.Errorf("the key is %q", got)
			}
			status(400)(w, r)
		})
		values, err := extracted(t, t.Context(), Setup{URL: url, NoKey: true})
		Failed(t, extract.Rejected, values, err)
	})
}

type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

type cancelling struct {
	OrderID string   `json:"order_id" jsonschema_description:"The order" jsonschema_extras:"db_lookup=true"`
	Count   int      `json:"count" jsonschema:"minimum=1,maximum=5"`
	Note    *string  `json:"note,omitempty" jsonschema:"example=for Ada"`
	Tags    []string `json:"tags,omitempty"`
	Place   string   `json:"place,omitempty" jsonschema:"default=the shop"`
}

// EndToEnd checks that a text which cannot be bound is extracted and passes
// the whole pipeline: coercion, what is missing, look-ups and the hook. wrap
// puts the model's values into an answer of the vendor's, and read gets the
// schema and the two messages out of a request.
func EndToEnd(t *testing.T, make Make, wrap func(values string) string, read func(t *testing.T, request json.RawMessage) (schema json.RawMessage, system, user string)) {
	var ran []cancelling
	define := command.Define(command.Spec[cancelling]{
		Name:      "cancel",
		Resolvers: map[string]lookup.Resolver{"order_id": lookup.From(lookup.Static("orders", "#W1001", "#W2002"), lookup.Options{})},
		ValidateExtractedParameters: func(ctx context.Context, s *command.Session, name string, in *cancelling) (bool, string) {
			return in.Count < 4, "count: at most 3 at once"
		},
		Run: func(ctx context.Context, s *command.Session, in *cancelling) (command.Response, error) {
			ran = append(ran, *in)
			return command.Say("done"), nil
		},
	})
	const statement = "two of the ones from monday"
	for _, row := range []struct {
		name    string
		answers []string // the bodies, the status being 200; none is status 429
		ran     string   // the order of the body that ran
		kind    validate.Kind
	}{
		{"coerced and looked up", []string{wrap(`{"order_id":"w1001","count":"2","note":null,"tags":null,"place":null}`)}, "#W1001", ""},
		{"not found", []string{wrap(`{"order_id":"NOT_FOUND","count":2,"note":null,"tags":null}`)}, "", validate.Missing},
		{"null", []string{wrap(`{"order_id":"#W1001","count":null,"note":null,"tags":null}`)}, "", validate.Missing},
		{"out of range", []string{wrap(`{"order_id":"#W1001","count":9}`)}, "", validate.OutOfRange},
		{"no such order", []string{wrap(`{"order_id":"#W9999","count":2}`)}, "", validate.NotFound},
		{"the hook", []string{wrap(`{"order_id":"#W1001","count":4}`)}, "", validate.HookRefused},
		{"an invented name", []string{wrap(`{"order_id":"#W1001","count":2,"size":"L"}`)}, "", validate.UnknownName},
		{"parroted, then read", []string{wrap(`{"order_id":"#W1001","count":2,"note":"for Ada"}`), wrap(`{"order_id":"#W2002","count":2}`)}, "#W2002", ""},
		{"no JSON", []string{wrap(`I could not find an order.`)}, "", validate.ExtractionFailed},
		{"limited", nil, "", validate.ExtractionFailed},
	} {
		t.Run(row.name, func(t *testing.T) {
			ran = nil
			var requests []json.RawMessage
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				requests = append(requests, body)
				w.Header().Set("Content-Type", "application/json")
				if len(requests) > len(row.answers) {
					w.WriteHeader(429)
					return
				}
				io.WriteString(w, row.answers[len(requests)-1])
			}))
			defer server.Close()
			x := make(t, Setup{URL: server.URL, Retries: -1})
			w, err := command.New(command.Options{Name: "orders", Extractor: x, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))}, define)
			if err != nil {
				t.Fatal(err)
			}
			o := w.NewSession().Call(t.Context(), "cancel "+statement)
			switch {
			case row.ran != "" && (!o.Ran() || len(ran) != 1 || ran[0].OrderID != row.ran || ran[0].Count != 2 || ran[0].Note != nil || ran[0].Tags != nil || ran[0].Place != "the shop"):
				t.Errorf("ran with %+v: %s", ran, o.Text())
			case row.ran == "" && (o.Ran() || len(ran) > 0 || len(o.Problems) == 0 || o.Problems[0].Kind != row.kind):
				t.Errorf("ran with %+v: %v, %s", ran, o.Problems, o.Text())
			}
			if len(requests) != max(1, len(row.answers)) {
				t.Fatalf("%d requests", len(requests))
			}
			for i, request := range requests {
				schema, system, user := read(t, request)
				profile, err := define.Signature().Profile(x.Profile())
				if err != nil {
					t.Fatal(err)
				}
				if string(schema) != string(profile) && !Equal(t, schema, profile) {
					t.Errorf("the schema is %s, want %s", schema, profile)
				}
				if names(schema) != names(profile) {
					t.Errorf("the members are in another order in %s than in %s", schema, profile)
				}
				if user != statement {
					t.Errorf("the user says %q", user)
				}
				if !strings.HasPrefix(system, "Read the parameters of the command cancel out of a statement.") || strings.Contains(system, statement) ||
					strings.Contains(system, "An earlier answer") != (i > 0) {
					t.Errorf("the system says %q", system)
				}
			}
		})
	}
}

// names lists the members of a schema's properties in order.
func names(schema json.RawMessage) string {
	var doc struct {
		Properties json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(schema, &doc) != nil {
		return "no schema"
	}
	var out []string
	depth := 0
	for dec := json.NewDecoder(bytes.NewReader(doc.Properties)); ; {
		token, err := dec.Token()
		if err != nil {
			return strings.Join(out, " ")
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		default:
			if text, ok := token.(string); ok && depth == 1 {
				out = append(out, text)
			}
		}
	}
}
