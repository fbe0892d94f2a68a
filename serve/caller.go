package serve

import (
	"errors"
	"time"
)

// A Caller is who a server found to be on the other side, from a token.
type Caller struct {
	// Channel is the id of the caller's session; it is never empty.
	Channel string
	// User is who speaks on the channel, "" if the token does not say.
	User string
	// Operator may review and approve what others propose.
	Operator bool
	// Expires is when the token ends.
	Expires time.Time
}

// ErrToken is found in what a Verifier returns for a token that is not
// accepted. The text around it is fit for the caller.
var ErrToken = errors.New("the token is not accepted")

// A Verifier tells who a bearer token belongs to. The error says what is
// wrong with the token, without repeating it.
type Verifier func(bearer string) (Caller, error)
