package command

import (
	"errors"
	"fmt"
)

// SetRoot makes an object the root of the session and its current context. It
// can be done once (FW-137). Its type must be that of a declared context.
func (s *Session) SetRoot(object any) error {
	if s.root != nil {
		return errors.New("command: the root context of a session can only be set once")
	}
	if err := s.SetContext(object); err != nil {
		return err
	}
	s.root = s.current
	return nil
}

// SetContext makes an object the current context: what the next call is
// looked for in first. nil means the root, or the global context if there is
// none. Its type must be that of a declared context.
func (s *Session) SetContext(object any) error {
	if isNil(object) {
		s.current = s.root
		return nil
	}
	if s.workflow.roomOf(object) == nil {
		return fmt.Errorf("command: objects of type %T are in no declared context", object)
	}
	s.current = object
	return nil
}

// Context returns the current object, nil for the global context.
func (s *Session) Context() any { return s.current }

// Root returns the root object, nil if there is none.
func (s *Session) Root() any { return s.root }

// Object returns the object that the command in hand runs on, if it is a T:
// the current one or one of its parents (FW-129). Hooks, resolvers and bodies
// use it.
func Object[T any](s *Session) (T, bool) {
	object, ok := s.object.(T)
	return object, ok
}
