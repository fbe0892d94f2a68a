package python

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestSpaceIsThatOfGoPlusInformationSeparators(t *testing.T) {
	for r := rune(-1); r <= unicode.MaxRune; r++ {
		want := unicode.IsSpace(r) || 0x1C <= r && r <= 0x1F
		if IsSpace(r) != want {
			t.Errorf("IsSpace(%U) = %v", r, !want)
		}
	}
}

func TestTrimSpaceKeepsWhatOnlyLooksBlank(t *testing.T) {
	for in, want := range map[string]string{
		"":                               "",
		" \t\r\n\v\f\x1c\x1f":            "",
		"\u0085\u00a0\u2003a b\u3000 ":   "a b",
		"\u200ba\ufeff":                  "\u200ba\ufeff",
		"\x00 ":                          "\x00",
		"\xa0a\x85":                      "\xa0a\x85",
		" \u180ea ":                      "\u180ea",
		"\u2028\u2029\u202f\u205f\u1680": "",
	} {
		if got := TrimSpace(in); got != want {
			t.Errorf("TrimSpace(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestTrimSpaceTrimsBothEndsAndNothingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.StringOf(rapid.RuneFrom([]rune(" \t\n\x1d\u0085\u00a0\u2009\u3000ab\u200b"))).Draw(t, "in")
		if got, want := TrimSpace(in), strings.TrimFunc(in, IsSpace); got != want {
			t.Errorf("TrimSpace(%q) = %q, want %q", in, got, want)
		}
	})
}
