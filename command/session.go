package command

import (
	"context"
	"encoding/json"
	"sync"
)

// A Session is one caller's conversation with a workflow: values that hooks
// and bodies share from call to call. Calls on one session run one after the
// other, in the order they arrived; different sessions run side by side.
type Session struct {
	workflow *Workflow
	human    bool
	turn     chan struct{} // holds one token while no call runs

	mu     sync.RWMutex
	values map[string]any

	root, current any // context objects; nil is the global context
	object        any // what the command in hand runs on
	talk          talk
	failed        fingerprint // the last call, if it failed
	spare         *call       // working memory for the next call
}

// SessionOptions say who is on the other side.
type SessionOptions struct {
	// Human addresses messages to a person rather than an agent (D-8).
	Human bool
}

// NewSession starts a session. It holds no resource that needs closing.
func (w *Workflow) NewSession(o ...SessionOptions) *Session {
	s := &Session{workflow: w, turn: make(chan struct{}, 1), values: map[string]any{}}
	for _, option := range o {
		s.human = s.human || option.Human
	}
	s.turn <- struct{}{}
	return s
}

// Workflow returns the workflow of the session.
func (s *Session) Workflow() *Workflow { return s.workflow }

// Set stores a value under a key; nil removes it.
func (s *Session) Set(key string, value any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if value == nil {
		delete(s.values, key)
		return
	}
	s.values[key] = value
}

// Value returns the session's value under a key, if there is one of type T.
// In a session that was restored, a value is read from its JSON when it is
// first asked for.
func Value[T any](s *Session, key string) (T, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.values[key].(T)
	if ok {
		return v, true
	}
	stored, ok := s.values[key].(json.RawMessage)
	if !ok {
		return v, false
	}
	if err := json.Unmarshal(stored, &v); err != nil {
		var none T
		return none, false
	}
	s.values[key] = v
	return v, true
}

// Cancel drops what the session has asked a person for and not yet been told,
// as the message "abort" does, and reports whether there was anything.
func (s *Session) Cancel(ctx context.Context) (cleared bool) {
	if !s.begin(ctx) {
		return false
	}
	defer s.end(nil)
	cleared = s.talk.Stage != stageIntent
	s.talk = talk{}
	return cleared
}

type sessionKey struct{}

// SessionFrom returns the session of the call that ctx belongs to, for
// resolvers; nil outside of one.
func SessionFrom(ctx context.Context) *Session {
	s, _ := ctx.Value(sessionKey{}).(*Session)
	return s
}

// begin waits for the calls before this one. It reports false if ctx ends
// first.
func (s *Session) begin(ctx context.Context) bool {
	select {
	case <-s.turn:
		return true
	default:
	}
	select {
	case <-s.turn:
		return true
	case <-ctx.Done():
		return false
	}
}

// idle reports whether no call, and nothing that a call left behind, has the
// session.
func (s *Session) idle() bool {
	select {
	case <-s.turn:
		s.turn <- struct{}{}
		return true
	default:
		return false
	}
}

// end lets the next call in. Code of an author that did not return in time
// may still use the session, so the next call waits until it has.
func (s *Session) end(finished <-chan struct{}) {
	if finished == nil {
		s.turn <- struct{}{}
		return
	}
	go func() {
		<-finished
		s.turn <- struct{}{}
	}()
}
