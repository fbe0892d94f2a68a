// Package replay serves recorded exchanges to the tests of the adapters: a
// file holds the request that is expected and the answers to it, in the form
// that the vendor documents.
package replay

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
)

// A Recording is the content of one file.
type Recording struct {
	// Request is what must arrive each time; without it anything may.
	Request *struct {
		Path    string            `json:"path"`
		Headers map[string]string `json:"headers"`
		Body    json.RawMessage   `json:"body"`
	} `json:"request"`
	// Responses are the answers, one a request.
	Responses []struct {
		Status  int               `json:"status"`
		Headers map[string]string `json:"headers"`
		// Body is a JSON document, Text a body of any other kind.
		Body json.RawMessage `json:"body"`
		Text string          `json:"text"`
	} `json:"responses"`
}

// A Server answers from a Recording on the loopback interface.
type Server struct {
	URL string

	mu     sync.Mutex
	bodies []json.RawMessage
}

// Start serves the recording of a file until the test ends.
func Start(t *testing.T, file string) *Server {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r Recording
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	s := &Server{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return // the caller has gone
		}
		s.mu.Lock()
		n := len(s.bodies)
		s.bodies = append(s.bodies, body)
		s.mu.Unlock()
		if n >= len(r.Responses) {
			t.Errorf("%s: request %d has no answer", file, n+1)
			w.WriteHeader(http.StatusTeapot)
			return
		}
		r.check(t, file, req, body)
		res := r.Responses[n]
		if res.Body != nil {
			w.Header().Set("Content-Type", "application/json")
		}
		for name, value := range res.Headers {
			w.Header().Set(name, value)
		}
		w.WriteHeader(res.Status)
		w.Write(append([]byte(res.Text), res.Body...))
	}))
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

func (r *Recording) check(t *testing.T, file string, req *http.Request, body []byte) {
	if r.Request == nil {
		return
	}
	if req.Method != "POST" || req.URL.RequestURI() != r.Request.Path {
		t.Errorf("%s: got %s %s, want POST %s", file, req.Method, req.URL.RequestURI(), r.Request.Path)
	}
	for name, want := range r.Request.Headers {
		if got := strings.Join(req.Header.Values(name), "; "); got != want {
			t.Errorf("%s: header %s is %q, want %q", file, name, got, want)
		}
	}
	if !Equal(t, body, r.Request.Body) {
		t.Errorf("%s: the request is\n%s\nwant\n%s", file, body, r.Request.Body)
	}
}

// Requests returns the bodies that arrived so far.
func (s *Server) Requests() []json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]json.RawMessage(nil), s.bodies...)
}

// Equal reports whether two JSON documents hold the same values, to the last
// digit.
func Equal(t *testing.T, a, b []byte) bool {
	t.Helper()
	return reflect.DeepEqual(read(t, a), read(t, b))
}

func read(t *testing.T, text []byte) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Errorf("%v in %s", err, text)
	}
	return v
}
