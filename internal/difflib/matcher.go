package difflib

import (
	"math"
	"unicode/utf8"
)

// A Matcher compares any number of texts with one query. What depends on the
// query alone is computed once, and the working memory is kept between
// comparisons, so a Matcher must not be used by two goroutines at a time.
//
// The query is the second sequence of Python's SequenceMatcher, the text that
// is compared with it the first. The ratio is not symmetric, so this matters.
type Matcher struct {
	ascii [utf8.RuneSelf]int32 // rune -> id; 0 is "not in the query"
	other map[rune]int32       // the same for the rest, nil while there is none

	query []int32 // the query as ids, which start at 1
	count []int32 // id -> occurrences in the query

	// Where each id occurs, popular ones left out: the positions of id are
	// place[from[id]:from[id+1]]. Built when a comparison first needs it; most
	// texts are told apart by their letters alone.
	from, place []int32

	text  []int32 // the text under comparison, as ids
	spare []int32 // count, minus what the text has used so far
	row   [2][]cell
	stamp int32
	todo  []span
}

// cell is the length of the common run that ends at one position of the query.
// It holds only for the text position whose stamp it carries, which saves
// clearing a row for every rune of the text.
type cell struct{ stamp, length int32 }

// span is a pair of ranges still to be searched for common runs.
type span struct{ alo, ahi, blo, bhi int32 }

func (s span) atMost() int32 { return min(s.ahi-s.alo, s.bhi-s.blo) }

// NewMatcher prepares query.
func NewMatcher(query string) *Matcher {
	m := &Matcher{
		query: make([]int32, 0, len(query)),
		count: make([]int32, 1, 32),
	}
	for _, r := range query {
		id := m.id(r)
		if id == 0 {
			id = int32(len(m.count))
			m.count = append(m.count, 0)
			if r < utf8.RuneSelf {
				m.ascii[r] = id
			} else {
				if m.other == nil {
					m.other = make(map[rune]int32)
				}
				m.other[r] = id
			}
		}
		m.count[id]++
		m.query = append(m.query, id)
	}
	return m
}

func (m *Matcher) id(r rune) int32 {
	if r < utf8.RuneSelf {
		return m.ascii[r]
	}
	return m.other[r]
}

// Ratio is SequenceMatcher(None, text, query).ratio().
func (m *Matcher) Ratio(text string) float64 {
	m.read(text)
	r, _ := m.ratioAtLeast(-1)
	return r
}

func (m *Matcher) read(text string) {
	m.text = m.text[:0]
	for _, r := range text {
		m.text = append(m.text, m.id(r))
	}
}

// similarity is 2*matches/total in Python's order of operations. Two empty
// texts are equal.
func similarity(matches, total int) float64 {
	if total == 0 {
		return 1
	}
	return 2 * float64(matches) / float64(total)
}

// shared counts the runes that text and query have in common, wherever they
// stand: no ratio can be above what that gives (quick_ratio).
func (m *Matcher) shared() int {
	m.spare = append(m.spare[:0], m.count...)
	n := 0
	for _, id := range m.text {
		if m.spare[id] > 0 {
			m.spare[id]--
			n++
		}
	}
	return n
}

// ratioAtLeast is the ratio of the text last read. It gives up, with false,
// as soon as the ratio cannot reach floor.
func (m *Matcher) ratioAtLeast(floor float64) (float64, bool) {
	m.prepare()
	total := len(m.text) + len(m.query)
	whole := span{0, int32(len(m.text)), 0, int32(len(m.query))}
	m.todo = append(m.todo[:0], whole)
	matched, open := int32(0), whole.atMost()
	for len(m.todo) > 0 {
		if similarity(int(matched+open), total) < floor {
			return 0, false
		}
		s := m.todo[len(m.todo)-1]
		m.todo = m.todo[:len(m.todo)-1]
		open -= s.atMost()
		i, j, k := m.longest(s)
		if k == 0 {
			continue
		}
		matched += k
		for _, rest := range [2]span{{s.alo, i, s.blo, j}, {i + k, s.ahi, j + k, s.bhi}} {
			if most := rest.atMost(); most > 0 {
				open += most
				m.todo = append(m.todo, rest)
			}
		}
	}
	r := similarity(int(matched), total)
	return r, r >= floor
}

// autojunk is the length from which a query has "popular" runes.
const autojunk = 200

func (m *Matcher) prepare() {
	if m.from != nil {
		return
	}
	n := len(m.query)
	popular := int32(n)
	if n >= autojunk {
		popular = int32(n/100 + 1)
	}
	m.from = make([]int32, len(m.count)+1)
	for id, c := range m.count {
		if c > popular {
			c = 0
		}
		m.from[id+1] = m.from[id] + c
	}
	m.place = make([]int32, m.from[len(m.count)])
	next := append([]int32(nil), m.from...)
	for j, id := range m.query {
		if m.count[id] <= popular {
			m.place[next[id]] = int32(j)
			next[id]++
		}
	}
	m.row[0] = make([]cell, n+1)
	m.row[1] = make([]cell, n+1)
}

// longest is find_longest_match: the earliest of the longest common runs that
// no popular rune takes part in, then widened on both sides over popular ones.
func (m *Matcher) longest(s span) (besti, bestj, best int32) {
	besti, bestj = s.alo, s.blo
	most := s.atMost()
	if m.stamp > math.MaxInt32-2-(s.ahi-s.alo) {
		clear(m.row[0])
		clear(m.row[1])
		m.stamp = 0
	}
	m.stamp++ // so that no run reaches across the start of the range
	for i := s.alo; i < s.ahi && best < most; i++ {
		m.stamp++
		id := m.text[i]
		before, now := m.row[(m.stamp-1)&1], m.row[m.stamp&1]
		for _, j := range m.place[m.from[id]:m.from[id+1]] {
			if j < s.blo {
				continue
			}
			if j >= s.bhi {
				break
			}
			k := int32(1)
			if c := before[j]; c.stamp == m.stamp-1 {
				k = c.length + 1
			}
			now[j+1] = cell{m.stamp, k}
			if k > best {
				besti, bestj, best = i-k+1, j-k+1, k
			}
		}
	}
	// Id 0 on the text's side stands for many runes, but never occurs in the query.
	for besti > s.alo && bestj > s.blo && m.text[besti-1] == m.query[bestj-1] {
		besti, bestj, best = besti-1, bestj-1, best+1
	}
	for besti+best < s.ahi && bestj+best < s.bhi && m.text[besti+best] == m.query[bestj+best] {
		best++
	}
	return besti, bestj, best
}
