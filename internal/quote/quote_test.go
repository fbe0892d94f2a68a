package quote

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestWhatCannotBeSeenIsWrittenAsACodePoint(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                `"plain"`,
		"say \"hi\"":           `"say \"hi\""`,
		"a\nb\tc":              `"a\nb\tc"`,
		"\x1b[31mred\a":        `"\u001b[31mred\u0007"`,
		"\u202egnp.txt":        `"\u202egnp.txt"`,
		"zero\u200bwidth":      `"zero\u200bwidth"`,
		"nb\u00a0sp":           `"nb\u00a0sp"`,
		"\U000e0041":           `"\U000e0041"`,
		"bad\xff":              `"bad\xff"`,
		"Zoë 日本":               `"Zoë 日本"`,
		"cat a.txt > b.txt":    `"cat a.txt > b.txt"`,
		strings.Repeat("é", 9): `"éééééééé…"`,
	} {
		if got := Text(in, max(8, min(len(in), 40))); in[0] != 0xc3 && got != want {
			t.Errorf("%q is shown as %s, want %s", in, got, want)
		}
	}
	if got := Text(strings.Repeat("é", 9), 8); got != `"éééééééé…"` {
		t.Errorf("cut at 8 characters: %s", got)
	}
	if got := Bare("^[a-z]\"$", 40); got != `^[a-z]"$` {
		t.Errorf("bare text: %s", got)
	}
	if got := List([]string{"a", "b", "c"}, 2, 10); got != `"a", "b" and 1 more` {
		t.Errorf("list: %s", got)
	}
	if got := Count(1234567); got != "1,234,567" {
		t.Errorf("count: %s", got)
	}
}

func TestNothingHiddenEverPasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		got := Text(s, 60)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > 60*10+3 {
			t.Fatalf("%q is shown as %q", s, got)
		}
		for _, r := range got {
			if unicode.Is(unicode.C, r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Fatalf("%q shows %U", s, r)
			}
		}
	})
}
