package rest

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/fwgo/fwgo/serve"
)

// The forms of a stream (FW-168).
const (
	streamNDJSON = "ndjson"
	streamSSE    = "sse"
)

// A stream writes events as they come.
type stream struct {
	w   http.ResponseWriter
	sse bool
}

func newStream(w http.ResponseWriter, format string) *stream {
	s := &stream{w: w, sse: format == streamSSE}
	w.Header().Set("Content-Type", map[bool]string{false: "application/x-ndjson", true: "text/event-stream"}[s.sse])
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
	s.flush() // whoever waits for it learns at once that the turn runs
	return s
}

func (s *stream) event(kind string, data json.RawMessage) {
	if s.sse {
		fmt.Fprintf(s.w, "event: %s\ndata: %s\n\n", kind, data)
	} else {
		fmt.Fprintf(s.w, "{\"type\":%q,\"data\":%s}\n", kind, data)
	}
	s.flush()
}

func (s *stream) flush() { _ = http.NewResponseController(s.w).Flush() }

func (s *stream) failure(text string) {
	data, _ := json.Marshal(detail{text})
	s.event("error", data)
}

// streamTurn runs a request as a turn and streams what becomes of it: traces,
// then one output, or an error (FW-168).
func (s *Service) streamTurn(w http.ResponseWriter, r *http.Request, c *channel, kind string, call serve.Request, seconds int64) {
	key, ok := idempotencyKey(w, r)
	if !ok {
		return
	}
	call.ID = requestID(r)
	t, err := s.begin(r.Context(), c, kind, key, call)
	if err != nil {
		s.notBegun(w, r, c, err)
		return
	}
	c.mu.Lock()
	format := c.state.StreamFormat
	c.mu.Unlock()
	out := newStream(w, format)
	if !c.wait(r.Context(), t, secondsOf(seconds)) {
		out.failure(fmt.Sprintf("Command execution timed out after %d seconds", seconds))
		return
	}
	if t.err != nil {
		_, text := s.failure(c.id, t.err)
		out.failure(text)
		return
	}
	for i := range t.traces {
		if data, err := t.traces[i].RelayJSON(); err == nil {
			out.event("trace", data)
		}
	}
	if data, err := t.output.RelayJSON(); err == nil { // see relayable
		out.event("output", data)
	}
}
