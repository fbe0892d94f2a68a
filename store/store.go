package store

import (
	"context"
	"time"
)

// A Record is what a Store keeps under a kind and an id.
type Record struct {
	// Kind says what the record is, such as "session", "draft" or "token": 1 to
	// MaxKind lower-case ASCII letters, digits, "_" and "-", the first a letter.
	Kind string

	// ID names the record among those of its kind: 1 to MaxID bytes of UTF-8
	// without control characters. Ids are compared byte by byte; "a" and "A" are
	// two ids, and so are two ways to compose an accent. Errors and logs may name
	// ids: for what is secret in itself, such as a token, use a digest of it.
	ID string

	// Version is 0 for a record that is not stored yet, and otherwise what Load,
	// List or the last Save set. It grows with every change.
	Version int64

	// Data is the content, in whatever form its owner writes. Nil and empty are
	// the same.
	Data []byte

	// Updated is when the record was last saved, by the clock of the store, in
	// UTC and to the microsecond. Save ignores what it holds and sets it.
	Updated time.Time
}

// A Store keeps records. Its methods may be called from any number of
// goroutines at once.
//
// Data is copied on its way in and out: neither side sees what the other does to
// its bytes afterwards. The end of ctx ends the wait for an answer, and errors.Is
// finds ctx's error in what is returned. A method returns one of the errors of
// this package where one fits; any other error is the store's own.
//
// After an error of Save or Delete that is none of ErrNotFound, ErrConflict,
// ErrInvalid, ErrTooLarge and ErrClosed, the change may have been stored or not,
// as when the connection broke before the answer came. Load tells which; the
// version makes it safe to try again.
type Store interface {
	// Load returns the record, or ErrNotFound.
	Load(ctx context.Context, kind, id string) (Record, error)

	// Save stores r, durably once it returns nil, and sets r.Version and
	// r.Updated. If r.Version is 0 there must be no such record; otherwise the
	// record must stand at that version. If that is not so, because it was
	// changed, made or deleted meanwhile, Save returns ErrConflict. On any error
	// r is as it was.
	Save(ctx context.Context, r *Record) error

	// Delete removes the record, durably once it returns nil. It returns
	// ErrNotFound if there is none, and ErrConflict if version is not 0 and the
	// record stands at another.
	Delete(ctx context.Context, kind, id string, version int64) error

	// List returns the records that q asks for, ascending by the bytes of their
	// ids, without their Data. None is no error.
	List(ctx context.Context, q Query) ([]Record, error)
}

// A Query asks List for records of one kind. To see all of them, ask again with
// After set to the last id of the answer until an answer is empty; records that
// come and go meanwhile may or may not be seen, all others are seen once.
type Query struct {
	// Kind is the kind of the records.
	Kind string

	// Prefix, if not empty, is what the ids begin with. It is bounded like an id.
	Prefix string

	// After, if not empty, is an id, and only greater ids are listed. There need
	// be no record of that id.
	After string

	// Limit is how many records are returned at most: 1 to MaxLimit; 0 is
	// DefaultLimit.
	Limit int
}
