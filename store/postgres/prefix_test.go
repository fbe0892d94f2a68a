package postgres_test

import (
	"testing"

	"github.com/fwgo/fwgo/store/postgres"
)

func TestPrefixEnd(t *testing.T) {
	for prefix, want := range map[string]string{
		"":                      "",
		"a":                     "b",
		"ada/":                  "ada0",
		"a\u007f":               "a\u0080",
		"é":                     "ê",
		"\ud7ff":                "\ue000",
		"a\uffff":               "a\U00010000",
		"a\U0010ffff":           "b",
		"\U0010ffff\U0010ffff":  "",
		"a\U0010ffff\U0010ffff": "b",
		"\ud7ff\U0010ffff":      "\ue000",
		"%":                     "&",
		"_":                     "`",
	} {
		if got := postgres.PrefixEnd(prefix); got != want {
			t.Errorf("after everything that begins with %q comes %q, want %q", prefix, got, want)
		}
	}
}
