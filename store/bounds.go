package store

import (
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// The bounds of every Store.
const (
	MaxKind        = 64       // bytes of a kind
	MaxID          = 512      // bytes of an id or a prefix
	DefaultMaxData = 16 << 20 // bytes of a record's data, unless the store was opened with another limit
	DefaultLimit   = 100      // records of one List
	MaxLimit       = 1000     // records of one List, at most
)

// CheckKey returns ErrInvalid, with the reason, if kind or id is out of bounds.
// It is for those who implement a Store.
func CheckKey(kind, id string) error {
	if err := checkKind(kind); err != nil {
		return err
	}
	if id == "" {
		return fmt.Errorf("%w: the id of a %s is empty", ErrInvalid, kind)
	}
	return checkText("id", id)
}

// CheckSave returns ErrInvalid or ErrTooLarge, with the reason, if r is out of
// bounds. A maxData of 0 or less is DefaultMaxData. It is for those who
// implement a Store.
func CheckSave(r *Record, maxData int) error {
	if r == nil {
		return fmt.Errorf("%w: the record is nil", ErrInvalid)
	}
	if err := CheckKey(r.Kind, r.ID); err != nil {
		return err
	}
	if err := checkVersion(r.Version); err != nil {
		return err
	}
	if maxData <= 0 {
		maxData = DefaultMaxData
	}
	if len(r.Data) > maxData {
		return fmt.Errorf("%w: %s holds %d bytes, at most %d are taken", ErrTooLarge, Name(r.Kind, r.ID), len(r.Data), maxData)
	}
	return nil
}

// CheckDelete returns ErrInvalid, with the reason, if an argument of Delete is
// out of bounds. It is for those who implement a Store.
func CheckDelete(kind, id string, version int64) error {
	if err := CheckKey(kind, id); err != nil {
		return err
	}
	return checkVersion(version)
}

// CheckQuery returns q with its Limit filled in, or ErrInvalid with the reason.
// It is for those who implement a Store.
func CheckQuery(q Query) (Query, error) {
	if err := checkKind(q.Kind); err != nil {
		return q, err
	}
	if err := checkText("prefix", q.Prefix); err != nil {
		return q, err
	}
	if err := checkText("id to list after", q.After); err != nil {
		return q, err
	}
	if q.Limit < 0 || q.Limit > MaxLimit {
		return q, fmt.Errorf("%w: a limit of %d, accepted are 1 to %d, and 0 for %d", ErrInvalid, q.Limit, MaxLimit, DefaultLimit)
	}
	if q.Limit == 0 {
		q.Limit = DefaultLimit
	}
	return q, nil
}

// Name is how errors name a record: its kind and its quoted id, which is cut
// after 60 characters.
func Name(kind, id string) string {
	short := []rune(id)
	if len(short) > 60 {
		return kind + " " + strconv.Quote(string(short[:60])) + "..."
	}
	return kind + " " + strconv.Quote(id)
}

func checkKind(kind string) error {
	if kind == "" || len(kind) > MaxKind {
		return fmt.Errorf("%w: a kind has 1 to %d bytes, this one %d", ErrInvalid, MaxKind, len(kind))
	}
	for i, c := range []byte(kind) {
		letter := 'a' <= c && c <= 'z'
		if !letter && (i == 0 || !('0' <= c && c <= '9' || c == '_' || c == '-')) {
			return fmt.Errorf("%w: the kind %q; a kind is lower-case letters, digits, \"_\" and \"-\", the first a letter", ErrInvalid, kind)
		}
	}
	return nil
}

func checkText(what, text string) error {
	if len(text) > MaxID {
		return fmt.Errorf("%w: the %s has %d bytes, at most %d are taken", ErrInvalid, what, len(text), MaxID)
	}
	if !utf8.ValidString(text) {
		return fmt.Errorf("%w: the %s is not UTF-8", ErrInvalid, what)
	}
	for _, c := range text {
		if unicode.IsControl(c) {
			return fmt.Errorf("%w: the %s holds the control character %U", ErrInvalid, what, c)
		}
	}
	return nil
}

func checkVersion(version int64) error {
	if version < 0 {
		return fmt.Errorf("%w: the version %d is negative", ErrInvalid, version)
	}
	return nil
}
