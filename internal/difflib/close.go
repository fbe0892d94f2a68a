package difflib

import (
	"slices"
	"unicode/utf8"
)

// Ratio is Python's difflib.SequenceMatcher(None, a, b).ratio(): 2*M/T, with T
// the length of both texts and M the runes in common runs.
func Ratio(a, b string) float64 { return NewMatcher(b).Ratio(a) }

// CloseMatches is Python's difflib.get_close_matches: of the possibilities
// whose ratio to word is at least cutoff, the best n, best first. Equal ratios
// go by descending string. A possibility that occurs twice may be found twice.
//
// Python raises for an n below 1 and a cutoff outside 0 to 1; here the first
// finds nothing and the second is taken as it is.
func CloseMatches(word string, possibilities []string, n int, cutoff float64) []string {
	return NewMatcher(word).CloseMatches(possibilities, n, cutoff)
}

type scored struct {
	ratio float64
	text  string
}

// before is the order of heapq.nlargest over pairs (ratio, text).
func (s scored) before(o scored) bool {
	return s.ratio > o.ratio || s.ratio == o.ratio && s.text > o.text
}

// CloseMatches is the function of that name with the matcher's query as the word.
func (m *Matcher) CloseMatches(possibilities []string, n int, cutoff float64) []string {
	if n < 1 {
		return nil
	}
	var best []scored
	for _, text := range possibilities {
		// Once n are found, a text must reach the last of them: with a tie it
		// may still win by its spelling.
		floor := cutoff
		if len(best) == n {
			floor = max(floor, best[n-1].ratio)
		}
		ratio, ok := m.reaches(text, floor)
		if !ok {
			continue
		}
		s := scored{ratio, text}
		at := len(best)
		for at > 0 && s.before(best[at-1]) {
			at--
		}
		if at == n {
			continue
		}
		if len(best) == n {
			best = best[:n-1]
		}
		best = slices.Insert(best, at, s)
	}
	if len(best) == 0 {
		return nil
	}
	out := make([]string, len(best))
	for i, s := range best {
		out[i] = s.text
	}
	return out
}

// reaches is the ratio of text if that is at least floor. Two upper bounds come
// first, as in Python (real_quick_ratio and quick_ratio); they cost little and
// settle most comparisons.
func (m *Matcher) reaches(text string, floor float64) (float64, bool) {
	n := utf8.RuneCountInString(text)
	if !(similarity(min(n, len(m.query)), n+len(m.query)) >= floor) {
		return 0, false
	}
	m.read(text)
	if !(similarity(m.shared(), n+len(m.query)) >= floor) {
		return 0, false
	}
	return m.ratioAtLeast(floor)
}
