package store_test

import (
	"strings"
	"testing"

	"github.com/fwgo/fwgo/store"
)

// An author reads these, in a log: each names the bound and what crossed it.
func TestErrorsNameTheBound(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{store.CheckKey("", "a"), "not a valid use of the store: a kind has 1 to 64 bytes, this one 0"},
		{store.CheckKey("Session", "a"), `not a valid use of the store: the kind "Session"; a kind is lower-case letters, digits, "_" and "-", the first a letter`},
		{store.CheckKey("session", ""), "not a valid use of the store: the id of a session is empty"},
		{store.CheckKey("session", strings.Repeat("x", 513)), "not a valid use of the store: the id has 513 bytes, at most 512 are taken"},
		{store.CheckKey("session", "a\xff"), "not a valid use of the store: the id is not UTF-8"},
		{store.CheckKey("session", "a\u0085"), "not a valid use of the store: the id holds the control character U+0085"},
		{store.CheckDelete("session", "a", -3), "not a valid use of the store: the version -3 is negative"},
		{store.CheckSave(nil, 0), "not a valid use of the store: the record is nil"},
	} {
		if test.err == nil || test.err.Error() != test.want {
			t.Errorf("got  %v\nwant %s", test.err, test.want)
		}
	}
	_, err := store.CheckQuery(store.Query{Kind: "session", Limit: 1001})
	if want := "not a valid use of the store: a limit of 1001, accepted are 1 to 1000, and 0 for 100"; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// An id may come from outside; in a log it must neither be long nor move the
// terminal's text around.
func TestNamesAreSafeToPrint(t *testing.T) {
	for id, want := range map[string]string{
		"ada":                    `session "ada"`,
		"a\u202eb\u200b":         `session "a\u202eb\u200b"`,
		strings.Repeat("é", 100): `session "` + strings.Repeat("é", 60) + `"...`,
	} {
		if got := store.Name("session", id); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
