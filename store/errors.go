package store

import "errors"

// What a Store returns, for errors.Is. The error itself says more: the kind and
// the id, or which bound was crossed.
var (
	// ErrNotFound says that there is no such record.
	ErrNotFound = errors.New("not in the store")

	// ErrConflict says that the record is not at the version that the change was
	// made for. Nothing was changed: load it and decide again.
	ErrConflict = errors.New("changed in the store meanwhile")

	// ErrInvalid says that a kind, id, version or query is out of bounds. It is a
	// mistake of the caller's program, or an id that came from outside unchecked.
	ErrInvalid = errors.New("not a valid use of the store")

	// ErrTooLarge says that the data is larger than the store takes.
	ErrTooLarge = errors.New("too large for the store")

	// ErrClosed says that the store was closed.
	ErrClosed = errors.New("the store is closed")

	// ErrUnavailable says that the store cannot be reached now, for a reason that
	// may pass: try again later.
	ErrUnavailable = errors.New("the store cannot be reached")
)
