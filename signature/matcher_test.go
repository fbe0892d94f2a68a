package signature

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPatternsOfIdentifiersAreMatchedAsARow(t *testing.T) {
	for _, source := range []string{
		`^ORD-[0-9]{6}$`, `ORD-\d{6}`, `[A-Z]{3}[0-9]*`, `^#?W[0-9]{7}$`, `(INV)-(\d{4})-([0-9]+)`, `[a-z0-9_]{1,32}`, `\w+@x`, `^$`, ``, `^a\.b$`,
	} {
		p, err := newPattern(source)
		if err != nil {
			t.Fatal(err)
		}
		if p.row == nil && source != `` && source != `^$` {
			t.Errorf("%q is left to regexp", source)
		}
	}
}

func TestPatternsThatAreNoRowAreLeftToRegexp(t *testing.T) {
	for _, source := range []string{
		`a|bc`, `(?i)abc`, `.*`, `[^x]+`, `\S+`, `é`, `[a-z]*[a-f]`, `a?b?a`, `(ab){2}`, `\bword\b`, `(?m)^a$`, `x{2,3}x`, `a$b`, `a^b`, `\pL+`,
	} {
		p, err := newPattern(source)
		if err != nil {
			t.Fatal(err)
		}
		if p.row != nil {
			t.Errorf("%q is matched as a row", source)
		}
	}
}

// partsOfPatterns are what patterns and texts of the comparison are made of.
var partsOfPatterns = []string{
	`a`, `b`, `AB`, `-`, `\.`, `[0-9]`, `[a-c]`, `[ab_]`, `\d`, `\w`, `[^a]`, `.`, `é`, `(a)`, `(?:ab)`, `^`, `$`, `(?i)k`, `\s`, `a|b`, ``,
}

func drawPattern(t *rapid.T) string {
	var b strings.Builder
	for range rapid.IntRange(0, 6).Draw(t, "parts") {
		b.WriteString(rapid.SampledFrom(partsOfPatterns).Draw(t, "part"))
		b.WriteString(rapid.SampledFrom([]string{"", "", "", "?", "*", "+", "{2}", "{0,2}", "{1,}", "+?"}).Draw(t, "count"))
	}
	return b.String()
}

func TestARowMatchesWhatRegexpMatches(t *testing.T) {
	rows := 0
	rapid.Check(t, func(t *rapid.T) {
		source := drawPattern(t)
		if _, err := regexp.Compile(source); err != nil {
			return
		}
		p, err := newPattern(source)
		if err != nil || p.row == nil {
			return
		}
		rows++
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "AB", "-", ".", "0", "9", "_", "é", "\xff", "k", "K", " ", "\n", "ab"}), 0, 8).Draw(t, "text"), "")
		if row, whole := p.row.match(text), p.whole.MatchString(text); row != whole {
			t.Fatalf("%q and %q: the row says %v, regexp %v", source, text, row, whole)
		}
	})
	if rows == 0 {
		t.Error("no pattern was compared")
	}
}

func FuzzARowMatchesWhatRegexpMatches(f *testing.F) {
	f.Add(`^ORD-[0-9]{6}$`, "ORD-123456")
	f.Add(`[a-c]+-?\d{2,3}`, "abc-12")
	f.Add(`(x)*y`, "xxy\xff")
	f.Fuzz(func(t *testing.T, source, text string) {
		p, err := newPattern(source)
		if err != nil || p.row == nil {
			return
		}
		if row, whole := p.row.match(text), p.whole.MatchString(text); row != whole {
			t.Fatalf("%q and %q: the row says %v, regexp %v", source, text, row, whole)
		}
	})
}
