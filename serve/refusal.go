package serve

import (
	"context"
	"errors"
)

// Why a call has no Outcome. Anything else that Do returns is about the
// session's storage.
var (
	ErrBusy     = errors.New("serve: too many calls are running")
	ErrDraining = errors.New("serve: the server is shutting down")
	ErrTooLong  = errors.New("serve: the call is too long")
)

// Message words an error of a Dispatcher for a caller. It tells nothing of
// what is behind the server.
func Message(err error) string {
	switch {
	case errors.Is(err, ErrBusy):
		return "The server is busy. The call did not run; send it again in a few seconds."
	case errors.Is(err, ErrDraining):
		return "Server is shutting down" // FW-167
	case errors.Is(err, ErrTooLong):
		return "The call is too long for this server. It did not run."
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return "An earlier call of this session has not ended. This one did not run; send it again later."
	default:
		return "The session could not be read or stored, so the call is not acknowledged. Ask for the state of what it concerns before you send it again."
	}
}
