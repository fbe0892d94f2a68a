package serve

import "errors"

// Why a call did not run. Anything else that Do returns is about the session's
// storage; command.ErrNotStored says that the call has run all the same.
var (
	ErrBusy        = errors.New("serve: too many calls are running")
	ErrSessionBusy = errors.New("serve: an earlier call of the session has not ended")
	ErrDraining    = errors.New("serve: the server is shutting down")
	ErrTooLong     = errors.New("serve: the call is too long")
)

// DidNotRun reports that an error of a Dispatcher is one after which the call did not
// run, so that it can be sent again.
func DidNotRun(err error) bool {
	return errors.Is(err, ErrBusy) || errors.Is(err, ErrSessionBusy) || errors.Is(err, ErrDraining) || errors.Is(err, ErrTooLong)
}

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
	case errors.Is(err, ErrSessionBusy):
		return "An earlier call of this session has not ended. This one did not run; send it again later."
	default:
		return "The session could not be read or stored, so the call is not acknowledged. Ask for the state of what it concerns before you send it again."
	}
}
