package serve

import (
	"context"
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
	// Bearer is the token itself, for commands that call other services on the
	// caller's behalf (FW-170). It is in no log and no Store.
	Bearer string
}

// ErrToken is found in what a Verifier returns for a token that is not
// accepted. The text around it is fit for the caller.
var ErrToken = errors.New("the token is not accepted")

// A Verifier tells who a bearer token belongs to. The error says what is
// wrong with the token, without repeating it.
type Verifier func(bearer string) (Caller, error)

type callerKey struct{}

// WithCaller returns a context that says who calls. Servers set it; resolvers,
// hooks and bodies read it with CallerFrom.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerFrom returns who calls, if a server found out.
func CallerFrom(ctx context.Context) (Caller, bool) {
	c, ok := ctx.Value(callerKey{}).(Caller)
	return c, ok
}
