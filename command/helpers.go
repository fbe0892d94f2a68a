package command

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/fwgo/fwgo/internal/quote"
)

// Report is what a hook returns: it drops empty problems and joins the rest,
// one a line. (true, "") if there are none (FW-94).
//
//	return command.Report(
//		command.InOrder("begin", in.Begin, "end", in.End),
//		problem)
func Report(problems ...string) (ok bool, message string) {
	var kept []string
	for _, p := range problems {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return len(kept) == 0, strings.Join(kept, "\n")
}

// OneOf reads a value as one of a fixed vocabulary, in any case and with any
// of blank, hyphen and underscore between words. It returns the vocabulary's
// own spelling, or the value and a problem that lists the vocabulary (FW-94).
func OneOf(field, value string, vocabulary ...string) (normalized, problem string) {
	fold := func(s string) string {
		return strings.NewReplacer(" ", "", "-", "", "_", "").Replace(strings.ToLower(s))
	}
	found := -1
	for i, word := range vocabulary {
		if word == value {
			return word, ""
		}
		if fold(word) == fold(value) {
			if found >= 0 {
				found = -2
				break
			}
			found = i
		}
	}
	if found >= 0 {
		return vocabulary[found], ""
	}
	return value, fmt.Sprintf("%s: got %s, but the accepted values are %s.", field, quote.Text(value, 60), quote.List(vocabulary, 20, 60))
}

// InOrder checks that the value of one field does not come after that of
// another; it returns a problem that names both, or "" (FW-94). Dates as text
// in the form 2026-01-31 compare as they should.
func InOrder[T cmp.Ordered](first string, a T, second string, b T) (problem string) {
	if a <= b {
		return ""
	}
	return outOfOrder(first, fmt.Sprint(a), second, fmt.Sprint(b))
}

// InTimeOrder is InOrder for moments.
func InTimeOrder(first string, a time.Time, second string, b time.Time) (problem string) {
	if !a.After(b) {
		return ""
	}
	return outOfOrder(first, a.Format(time.RFC3339), second, b.Format(time.RFC3339))
}

func outOfOrder(first, a, second, b string) string {
	return fmt.Sprintf("%s, %s: %s %s comes after %s %s; send them in order.", first, second, first, quote.Text(a, 60), second, quote.Text(b, 60))
}

// Normalize applies steps to a value in place, for the spellings that can
// mean only one thing: an id without its prefix, a code in lower case (FW-89).
//
//	command.Normalize(&in.Country, strings.TrimSpace, strings.ToUpper)
func Normalize(value *string, steps ...func(string) string) {
	for _, step := range steps {
		*value = step(*value)
	}
}

// Prefixed returns a step for Normalize that puts a prefix before a value
// which lacks it.
func Prefixed(prefix string) func(string) string {
	return func(value string) string {
		if strings.HasPrefix(value, prefix) {
			return value
		}
		return prefix + value
	}
}
