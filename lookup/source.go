package lookup

import "context"

// A Source is a named key set that changes from time to time: a table, a listing,
// a snapshot. Its version lets a [Resolver] keep what it prepared.
type Source interface {
	// Name says what the keys are, in messages and logs.
	Name() string

	// Load works like a conditional GET: have is the version the caller has
	// kept, "" for none. If that still stands, Load returns it and may leave
	// keys nil. Otherwise it returns all keys, which it must not change
	// afterwards, and their version. A version of "" means that the keys are for
	// this one call.
	//
	// A key set that cannot be had is an error, not an empty set. One that is
	// merely partial goes with Options.Open.
	Load(ctx context.Context, have string) (keys []string, version string, err error)
}
