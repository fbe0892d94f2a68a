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
	c := m.Closest(n, cutoff)
	for _, text := range possibilities {
		c.Try(text)
	}
	return c.Texts()
}

// Closest is CloseMatches for possibilities that come one by one, in any order. It
// uses its matcher, and no more than one goroutine may use it.
type Closest struct {
	m      *Matcher
	n      int
	cutoff float64
	best   []scored
}

// Closest begins with no possibilities. n must be at least 1.
func (m *Matcher) Closest(n int, cutoff float64) *Closest {
	return &Closest{m: m, n: n, cutoff: cutoff}
}

// Floor is the least ratio that a text must have to be among the best. Once n are
// found, it is that of the last: with a tie a text may still win by its spelling.
func (c *Closest) Floor() float64 {
	if c.Full() {
		return max(c.cutoff, c.best[c.n-1].ratio)
	}
	return c.cutoff
}

// Full reports that n are found.
func (c *Closest) Full() bool { return len(c.best) == c.n }

// Has reports that a text is among the best so far.
func (c *Closest) Has(text string) bool {
	return slices.ContainsFunc(c.best, func(s scored) bool { return s.text == text })
}

// Try is for one more possibility.
func (c *Closest) Try(text string) {
	ratio, ok := c.m.reaches(text, c.Floor())
	if !ok {
		return
	}
	s := scored{ratio, text}
	at := len(c.best)
	for at > 0 && s.before(c.best[at-1]) {
		at--
	}
	if at == c.n {
		return
	}
	if c.Full() {
		c.best = c.best[:c.n-1]
	}
	c.best = slices.Insert(c.best, at, s)
}

// Texts are the best so far, best first; nil for none.
func (c *Closest) Texts() []string {
	if len(c.best) == 0 {
		return nil
	}
	out := make([]string, len(c.best))
	for i, s := range c.best {
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
