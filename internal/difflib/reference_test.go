package difflib

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// plainRatio says what the ratio is, with nothing saved: common runs by looking
// at every pair of positions.
func plainRatio(a, b string) float64 {
	x, y := []rune(a), []rune(b)
	if len(x)+len(y) == 0 {
		return 1
	}
	popular := map[rune]bool{}
	if len(y) >= 200 {
		count := map[rune]int{}
		for _, r := range y {
			count[r]++
		}
		for r, c := range count {
			popular[r] = c > len(y)/100+1
		}
	}
	var matches func(alo, ahi, blo, bhi int) int
	matches = func(alo, ahi, blo, bhi int) int {
		bi, bj, bk := alo, blo, 0
		for i := alo; i < ahi; i++ {
			for j := blo; j < bhi; j++ {
				k := 0
				for i+k < ahi && j+k < bhi && x[i+k] == y[j+k] && !popular[y[j+k]] {
					k++
				}
				if k > bk {
					bi, bj, bk = i, j, k
				}
			}
		}
		for bi > alo && bj > blo && x[bi-1] == y[bj-1] {
			bi, bj, bk = bi-1, bj-1, bk+1
		}
		for bi+bk < ahi && bj+bk < bhi && x[bi+bk] == y[bj+bk] {
			bk++
		}
		if bk == 0 {
			return 0
		}
		return bk + matches(alo, bi, blo, bj) + matches(bi+bk, ahi, bj+bk, bhi)
	}
	return 2 * float64(matches(0, len(x), 0, len(y))) / float64(len(x)+len(y))
}

func plainCloseMatches(word string, possibilities []string, n int, cutoff float64) []string {
	var all []scored
	for _, p := range possibilities {
		if r := plainRatio(p, word); r >= cutoff {
			all = append(all, scored{r, p})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int {
		switch {
		case a.before(b):
			return -1
		case b.before(a):
			return 1
		}
		return 0
	})
	var out []string
	for _, s := range all[:min(n, len(all))] {
		out = append(out, s.text)
	}
	return out
}

// text draws from few letters, so that runs repeat, and now and then a text
// long enough for popular runes.
func text() *rapid.Generator[string] {
	short := rapid.StringOfN(rapid.SampledFrom([]rune("abcab éß日\U0001F600")), 0, 12, -1)
	long := rapid.Custom(func(t *rapid.T) string {
		part := rapid.StringOfN(rapid.SampledFrom([]rune("abcdefghijklmnopqrstuvwxyzé")), 1, 40, -1)
		return strings.Repeat(part.Draw(t, "part"), rapid.IntRange(1, 12).Draw(t, "times"))
	})
	return rapid.OneOf(short, short, short, long, rapid.String())
}

func TestRatioEqualsThePlainOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := text().Draw(t, "a"), text().Draw(t, "b")
		if got, want := Ratio(a, b), plainRatio(a, b); got != want {
			t.Fatalf("Ratio(%q, %q) = %v, want %v", a, b, got, want)
		}
	})
}

func TestCloseMatchesEqualThePlainOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := text().Draw(t, "word")
		all := rapid.SliceOfN(text(), 0, 12).Draw(t, "possibilities")
		n := rapid.IntRange(1, 4).Draw(t, "n")
		cutoff := rapid.SampledFrom([]float64{0, 0.2, 0.5, 0.6, 1}).Draw(t, "cutoff")
		want, got := plainCloseMatches(word, all, n, cutoff), CloseMatches(word, all, n, cutoff)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-plain +ours):\n%s", diff)
		}
	})
}

// In a text of 200 runes, a rune is popular from its fourth occurrence.
func TestPopularRunesStartNoRun(t *testing.T) {
	for times, want := range []float64{3: 2 * 2.0 / 202, 4: 0} {
		query := ""
		for i := range 200 - times {
			query += string(rune(0x4e00 + i))
		}
		query += strings.Repeat("x", times)
		if got := Ratio("xx", query); times > 2 && got != want {
			t.Errorf("%d times: got %v, want %v", times, got, want)
		}
	}
}

func TestBrokenTextIsComparedNotRefused(t *testing.T) {
	if got := Ratio("a\xffb", "a\xfeb"); got != 1 {
		t.Errorf("broken bytes are one unknown rune each: got %v", got)
	}
}

func TestNothingAskedForIsNothingFound(t *testing.T) {
	if got := CloseMatches("a", []string{"a"}, 0, 0); got != nil {
		t.Errorf("n = 0: got %q", got)
	}
}

func TestRunsDoNotReachAcrossStampOverflow(t *testing.T) {
	m := NewMatcher("abcd")
	want := m.Ratio("xabyabcd")
	for left := range int32(12) {
		m.stamp = math.MaxInt32 - left
		if got := m.Ratio("xabyabcd"); got != want {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

func BenchmarkCloseMatches(b *testing.B) {
	first := []string{"Aaron", "Beatrice", "Carlos", "Dana", "Emeka", "Fatima", "Gustav", "Hanna"}
	last := []string{"Garrison", "Jones", "Okafor", "Lindqvist", "Moreau", "Nakamura", "Osei", "Petrov"}
	var keys []string
	for i := range 1000 {
		keys = append(keys, strings.ToLower(fmt.Sprintf("%s %s %d", first[i%8], last[i/8%8], i)))
	}
	b.ReportAllocs()
	for b.Loop() {
		CloseMatches("carols lindkvist", keys, 3, 0.2)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(keys)), "ns/key")
}
