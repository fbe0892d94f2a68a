package splash

import (
	"errors"
	"fmt"
)

// ErrorKind sorts the errors that end a program or are caught by its try (SL-32).
type ErrorKind string

// The kinds of SL-32. A program cannot see them; hosts and tests can.
const (
	NotFound      ErrorKind = "NotFound"      // a name, field, method or module that is not there
	TypeMismatch  ErrorKind = "TypeMismatch"  // an operand or argument of the wrong kind
	WrongValue    ErrorKind = "WrongValue"    // access to a value that has no fields or items
	OutOfBounds   ErrorKind = "OutOfBounds"   // an index outside of an array
	Immutable     ErrorKind = "Immutable"     // writing into a module, or to what is no place
	InvalidArgs   ErrorKind = "InvalidArgs"   // arguments of the right kind that make no sense
	NotAllowed    ErrorKind = "NotAllowed"    // a tool call that was denied or failed
	Unexpected    ErrorKind = "Unexpected"    // a JSON text or value that is none
	AssertFailure ErrorKind = "AssertFailure" // std.assert
	LimitExceeded ErrorKind = "LimitExceeded" // the caps of 4,096 items in std
)

// Error is an error of a running program. A try catches it (SL-31); uncaught, the first one ends the program (SL-13,
// Q1). Err is what the host answered when the error is that of a tool call, so errors.As reaches it.
type Error struct {
	Kind    ErrorKind
	Line    int // 1-based
	Column  int // in Unicode scalars, 1-based
	Message string
	Err     error

	fatal bool // break and continue outside of a loop: not for a try to catch (Q22)
}

func (e *Error) Error() string {
	return fmt.Sprintf("splash: %d:%d: %s", e.Line, e.Column, e.Message)
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// ErrWaiting is the error of [Program.Eval] when the program waits for a promise that only the host can settle.
// [Program.Begin] is for such programs.
var ErrWaiting = errors.New("splash: the program waits for a promise that nothing here can settle")

func fail(kind ErrorKind, format string, args ...any) *Error {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	return &Error{Kind: kind, Message: format}
}
