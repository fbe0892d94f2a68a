package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// stateVersion is written with every stored session.
const stateVersion = 1

// sessionState is a session as data.
type sessionState struct {
	Version int                        `json:"version"`
	Human   bool                       `json:"human,omitempty"`
	Values  map[string]json.RawMessage `json:"values,omitempty"`
	Root    *objectState               `json:"root,omitempty"`
	// Current is absent where the current context is the root.
	Current *objectState `json:"current,omitempty"`
	Talk    *talk        `json:"talk,omitempty"`
}

type objectState struct {
	Context string          `json:"context"`
	State   json.RawMessage `json:"state"`
}

// State writes all that a later process needs to go on with the session:
// its values, its context objects and where its conversation stands. Values
// are written as JSON; a context object by its ContextSpec.Save. Call it
// between calls. The error names the value or context that cannot be written.
func (s *Session) State() ([]byte, error) {
	state := sessionState{Version: stateVersion, Human: s.human}
	s.mu.RLock()
	defer s.mu.RUnlock()
	for key, value := range s.values {
		text, err := jsontree.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("command: the session's value %q cannot be stored: %w", key, err)
		}
		if state.Values == nil {
			state.Values = map[string]json.RawMessage{}
		}
		state.Values[key] = text
	}
	var err error
	if s.root != nil {
		if state.Root, err = s.saveObject(s.root); err != nil {
			return nil, err
		}
	}
	if s.current != nil && !same(s.current, s.root) {
		if state.Current, err = s.saveObject(s.current); err != nil {
			return nil, err
		}
	}
	if s.talk.Stage != stageIntent {
		talk := s.talk
		state.Talk = &talk
	}
	return jsontree.Marshal(state)
}

func (s *Session) saveObject(object any) (*objectState, error) {
	r := s.workflow.roomOf(object)
	if r == nil || r.Context == nil || r.save == nil {
		return nil, fmt.Errorf("command: the session holds an object of type %T, whose context has no Save; it cannot be stored", object)
	}
	text, err := r.save(object)
	if err != nil {
		return nil, fmt.Errorf("command: context %s: saving its object: %w", r.name, err)
	}
	if !json.Valid(text) {
		return nil, fmt.Errorf("command: context %s: its Save returned what is no JSON", r.name)
	}
	return &objectState{Context: r.name, State: text}, nil
}

// RestoreSession makes a session from what State wrote, in this or an earlier
// process. Context objects come back through their ContextSpec.Restore, the
// root first, so that another may be found in it.
func (w *Workflow) RestoreSession(ctx context.Context, text []byte) (*Session, error) {
	var state sessionState
	if err := json.Unmarshal(text, &state); err != nil {
		return nil, fmt.Errorf("command: the stored session cannot be read: %w", err)
	}
	if state.Version != stateVersion {
		return nil, fmt.Errorf("command: the stored session has version %d; this program reads version %d", state.Version, stateVersion)
	}
	s := w.NewSession(SessionOptions{Human: state.Human})
	for key, value := range state.Values {
		s.values[key] = value
	}
	if state.Talk != nil {
		s.talk = *state.Talk
	}
	if state.Root != nil {
		object, err := s.restoreObject(ctx, state.Root)
		if err != nil {
			return nil, err
		}
		if err := s.SetRoot(object); err != nil {
			return nil, err
		}
	}
	if state.Current != nil {
		object, err := s.restoreObject(ctx, state.Current)
		if err != nil {
			return nil, err
		}
		if err := s.SetContext(object); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *Session) restoreObject(ctx context.Context, o *objectState) (any, error) {
	r := s.workflow.rooms[o.Context]
	if r == nil || r.Context == nil || r.restore == nil {
		return nil, fmt.Errorf("command: the stored session holds an object of the context %q, which this workflow cannot restore", o.Context)
	}
	object, err := r.restore(ctx, s, o.State)
	if err != nil {
		return nil, fmt.Errorf("command: context %s: restoring its object: %w", o.Context, err)
	}
	if isNil(object) {
		return nil, errors.New("command: context " + o.Context + ": its Restore returned no object")
	}
	return object, nil
}
