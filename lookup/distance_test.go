package lookup

import (
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/lithammer/fuzzysearch/fuzzy"
	"pgregory.net/rapid"
)

// The value's length decides which of two algorithms measures it, so lengths
// around 64 runes matter, and letters few enough that texts are near.
func TestDistancesAreLevenshteins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.StringOfN(rapid.SampledFrom([]rune("abcé日")), 1, 9, -1)
		text := rapid.Custom(func(t *rapid.T) string {
			return strings.Repeat(part.Draw(t, "part"), rapid.IntRange(0, 14).Draw(t, "times")) + part.Draw(t, "end")
		})
		value, key := text.Draw(t, "value"), text.Draw(t, "key")
		if rapid.Bool().Draw(t, "near") {
			key = slipGen(t, value) + part.Draw(t, "tail")
		}
		n, k := runeLength(value), runeLength(key)
		most := rapid.IntRange(-1, n).Draw(t, "most")
		p := newPattern(value)
		if got, want := p.whole(key, k, most), min(fuzzy.LevenshteinDistance(value, key), most+1); got != want {
			t.Fatalf("whole(%q, %q, %d) = %d, want %d", value, key, most, got, want)
		}
		window := int(windowDistance(value, key)*float64(n) + 0.5)
		if got, want := p.window(key, k, most), min(window, most+1); got != want {
			t.Fatalf("window(%q, %q, %d) = %d, want %d", value, key, most, got, want)
		}
	})
}

func TestMostEditsAgreesWithTheDivision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 400).Draw(t, "n")
		limit := rapid.OneOf(
			rapid.Float64Range(-0.5, 1.5),
			rapid.Map(rapid.IntRange(0, 400), func(e int) float64 { return float64(e) / float64(max(n, 1)) }),
		).Draw(t, "limit")
		limit = math.Nextafter(limit, limit+float64(rapid.IntRange(-1, 1).Draw(t, "beside")))
		most := mostEdits(n, limit)
		if most >= 0 && float64(most)/float64(n) > limit {
			t.Fatalf("%d edits of %d are more than %v", most, n, limit)
		}
		if n > 0 && most < n && float64(most+1)/float64(n) <= limit {
			t.Fatalf("%d edits of %d are within %v too", most+1, n, limit)
		}
	})
}

func TestFoldIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(textGen(), rapid.String()).Draw(t, "s")
		f := fold(s)
		if again := fold(f); again != f {
			t.Fatalf("fold(%q) = %q, and of that %q", s, f, again)
		}
		if !foldIs(s, []byte(f)) {
			t.Fatalf("foldIs(%q, %q) is false", s, f)
		}
		other := textGen().Draw(t, "other")
		if got := foldIs(other, []byte(f)); got != (fold(other) == f) {
			t.Fatalf("foldIs(%q, %q) is %v", other, f, got)
		}
	})
}

// A word is never empty: what starts it is a letter or a digit, and those remain.
func TestNoLetterFoldsToNothing(t *testing.T) {
	for r := range unicode.MaxRune {
		if !alnum(r) {
			continue
		}
		if w := appendWord(nil, string(r)); len(w) == 0 {
			t.Errorf("%U folds to nothing", r)
		}
		if fast, slow := asciiWordOf(r), string(appendWord(nil, string(r))); r < utf8.RuneSelf && fast != slow {
			t.Errorf("%q is %q in ASCII and %q in Unicode", r, fast, slow)
		}
	}
}

func asciiWordOf(r rune) string {
	if r < utf8.RuneSelf {
		return string(rune(asciiWord[r]))
	}
	return ""
}

// Adding a letter outside ASCII sends a text the slow way. The rest of it must come
// out the same.
func TestASCIIIsFoldedTheSameEitherWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.RuneFrom(nil, &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0, Hi: 127, Stride: 1}}})).Draw(t, "s")
		if fast, slow := fold(s)+"ж", fold(s+"ж"); fast != slow {
			t.Fatalf("%q folds to %q and %q", s, fast, slow)
		}
		fast, n := appendWords(nil, s+" ж")
		if want, m := appendWords(nil, s); string(fast) != strings.TrimSuffix(string(want), " ")+" ж " || n != m+1 {
			t.Fatalf("%q has the words %q and %q", s, want, fast)
		}
	})
}
