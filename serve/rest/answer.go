package rest

import (
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/validate"
)

// shown is how a text that a caller sent appears in an answer.
func shown(text string) string { return quote.Bare(text, 60) }

// answer writes a value as JSON.
func answer(w http.ResponseWriter, status int, value any) {
	text, err := jsontree.Marshal(value)
	if err != nil {
		// Only what a command put into its artifacts can have no form in JSON.
		status, text = http.StatusOK, []byte(`{"detail":"The call ran, but its answer has no form in JSON."}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

// detail is the body of every refusal (FW-167).
type detail struct {
	Detail any `json:"detail"`
}

func refuse(w http.ResponseWriter, status int, text string) {
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "2")
	}
	answer(w, status, detail{text})
}

func unauthorized(w http.ResponseWriter, text string) {
	w.Header().Set("WWW-Authenticate", "Bearer")
	refuse(w, http.StatusUnauthorized, text)
}

// failed answers a request whose call has no outcome.
func (s *Service) failed(w http.ResponseWriter, r *http.Request, channel string, err error) {
	status, text := s.failure(channel, err)
	if status == http.StatusInternalServerError {
		s.dispatcher.Logger().ErrorContext(r.Context(), "request failed", "request", requestID(r), "error", err)
	}
	refuse(w, status, text)
}

func (s *Service) failure(channel string, err error) (status int, text string) {
	switch {
	case errors.Is(err, serve.ErrBusy), errors.Is(err, serve.ErrSessionBusy), errors.Is(err, serve.ErrDraining):
		return http.StatusServiceUnavailable, serve.Message(err)
	case errors.Is(err, serve.ErrTooLong):
		return http.StatusRequestEntityTooLarge, serve.Message(err)
	default:
		return http.StatusInternalServerError, fmt.Sprintf("Internal error executing turn for channel_id %s: %s", shown(channel), serve.Message(err))
	}
}

// fault is one line of a validation list, in the shape that clients of the
// Python service know.
type fault struct {
	Type string `json:"type"`
	Loc  []any  `json:"loc"`
	Msg  string `json:"msg"`
}

func unprocessable(w http.ResponseWriter, problems []validate.Problem) {
	list := make([]fault, 0, len(problems))
	for i := range problems {
		p := &problems[i]
		loc := []any{"body"}
		if p.Field != "" {
			loc = append(loc, p.Field)
		}
		list = append(list, fault{Type: string(p.Kind), Loc: loc, Msg: strings.TrimSpace(validate.Line(p))})
	}
	answer(w, http.StatusUnprocessableEntity, detail{list})
}

const requestIDHeader = "X-Request-Id"

// framed gives every request an id, every handler's panic an answer, and every
// body a bound.
func (s *Service) framed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(requestIDHeader)
		if !plainID(id) {
			id = serve.NewRequestID()
			r.Header.Set(requestIDHeader, id)
		}
		w.Header().Set(requestIDHeader, id)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			if v == http.ErrAbortHandler {
				panic(v)
			}
			s.dispatcher.Logger().Log(r.Context(), validate.LevelCritical, "request panicked", "request", id, "panic", v, "stack", string(debug.Stack()))
			refuse(w, http.StatusInternalServerError, "Internal error; the request is "+id+" in the log.")
		}()
		next.ServeHTTP(&muxed{ResponseWriter: w}, r)
	})
}

func requestID(r *http.Request) string { return r.Header.Get(requestIDHeader) }

func plainID(id string) bool {
	if id == "" || len(id) > 128 {
		return false
	}
	for _, c := range []byte(id) {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return true
}

// muxed gives the refusals of the ServeMux, which are text, the JSON body that
// all others have.
type muxed struct {
	http.ResponseWriter
	replaced bool
}

func (m *muxed) WriteHeader(status int) {
	plain := strings.HasPrefix(m.Header().Get("Content-Type"), "text/plain")
	if plain && (status == http.StatusNotFound || status == http.StatusMethodNotAllowed) {
		m.replaced = true
		refuse(m.ResponseWriter, status, http.StatusText(status))
		return
	}
	m.ResponseWriter.WriteHeader(status)
}

func (m *muxed) Write(p []byte) (int, error) {
	if m.replaced {
		return len(p), nil
	}
	return m.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController find the connection.
func (m *muxed) Unwrap() http.ResponseWriter { return m.ResponseWriter }

// bearer returns the token of the Authorization header.
func bearer(r *http.Request) (string, bool) {
	scheme, rest, found := strings.Cut(r.Header.Get("Authorization"), " ")
	if !found || !strings.EqualFold(scheme, "bearer") {
		return "", false
	}
	rest = strings.TrimSpace(rest)
	return rest, rest != ""
}
