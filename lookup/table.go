package lookup

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// A table is keys sorted by their folds, prepared to be searched by the million.
// It never changes.
type table struct {
	texts
	keys  []string // in their order, those that fit in no table too
	items []uint32 // by position, which of them

	longest int // bytes of a key
	blanks  int // the most runes that a key has and its text has not

	again   []uint64 // keys that occur before; nil if none does
	foreign []uint64 // keys that are not ASCII; nil if all are
	words   *vocabulary

	python func() pythonTable
	made   atomic.Pointer[pythonTable] // what python made, if it was asked
}

// pythonTable is the foreign keys of a table as FW-78 has them. For ASCII keys that
// is their fold.
type pythonTable struct {
	*table
	place []uint32 // by position, the position in the other table, of the same keys
	rest  []uint32 // positions in the other table of those that fit in none
}

// newTable makes a table of these keys, and gives those that fit in none.
func newTable(keys []string) (t *table, rest []uint32) {
	words := make(chan *wordsRead)
	go func() { words <- readWords(keys) }()
	texts, sorted, rest := newTexts(len(keys), func(i int) string { return fold(keys[i]) }, true)
	t = &table{texts: *texts, keys: keys, items: sorted}
	for _, c := range t.classes {
		for i := c.first; i < c.end; i++ {
			key := t.key(i)
			t.longest = max(t.longest, len(key))
			if ascii(key) {
				t.blanks = max(t.blanks, len(key)-c.length)
			} else {
				t.foreign = mark(t.foreign, i, len(sorted)) // see pythonTable
			}
		}
	}
	t.findAgain()
	t.words = (<-words).vocabulary(sorted)
	t.python = sync.OnceValue(t.newPythonTable)
	return t, rest
}

// key is the key at a position.
func (t *table) key(i int) string { return t.keys[t.items[i]] }

func (t *table) findAgain() {
	for _, c := range t.classes {
		for i := c.first; i < c.end; {
			end := i + 1
			for end < c.end && string(t.of(c, end)) == string(t.of(c, i)) {
				end++
			}
			if end-i > 1 {
				seen := make(map[string]bool, end-i)
				for ; i < end; i++ {
					if seen[t.key(i)] {
						t.again = mark(t.again, i, len(t.items))
					}
					seen[t.key(i)] = true
				}
			}
			i = end
		}
	}
}

func (t *table) newPythonTable() pythonTable {
	var p pythonTable
	var places []uint32
	for i := range t.items {
		if marked(t.foreign, i) {
			places = append(places, uint32(i))
		}
	}
	texts, sorted, rest := newTexts(len(places), func(i int) string { return pythonNorm(lower(t.key(int(places[i])))) }, true)
	p.table = &table{texts: *texts, keys: t.keys, items: make([]uint32, len(sorted))}
	p.place = make([]uint32, len(sorted))
	for position, i := range sorted {
		p.place[position], p.items[position] = places[i], t.items[places[i]]
	}
	for _, c := range p.classes {
		for i := c.first; i < c.end; i++ {
			p.blanks = max(p.blanks, utf8.RuneCountInString(lower(p.key(i)))-c.length)
		}
	}
	for _, i := range rest {
		p.rest = append(p.rest, places[i])
	}
	t.made.Store(&p)
	return p
}

// bytes is the memory that the table takes.
func (t *table) bytes() int {
	n := t.texts.bytes() + 16*cap(t.keys) + 4*cap(t.items) + 8*cap(t.again) + 8*cap(t.foreign)
	if t.words != nil {
		n += t.words.bytes()
	}
	if p := t.made.Load(); p != nil {
		n += p.texts.bytes() + 4*cap(p.items) + 4*cap(p.place) + 4*cap(p.rest)
	}
	return n
}

// positions visits the positions of a key.
func (t *table) positions(key string, visit func(i int)) {
	if len(key) > t.longest {
		return // which saves folding a long one
	}
	code, _ := t.appendCodes(nil, fold(key), false)
	for i, end := t.find(code); i < end; i++ {
		if t.key(i) == key {
			visit(i)
		}
	}
}

// wholeWords visits the keys with the value's words in them, together and whole.
func (v *view) wholeWords(q *query, visit func(i int, same bool)) {
	if len(q.each) == 0 {
		return
	}
	rarest := v.words.with(q.each[0].text)
	for _, w := range q.each[1:] {
		if keys := v.words.with(w.text); len(keys) < len(rarest) {
			rarest = keys
		}
	}
	var words []byte
	run := []byte(q.words)
	for _, key := range rarest {
		i := int(key)
		switch {
		case v.hides(i):
		case q.count == 1:
			visit(i, v.words.count[i] == 1)
		default:
			if words, _ = appendWords(words[:0], v.key(i)); bytes.Contains(words, run) {
				visit(i, len(words) == len(run))
			}
		}
	}
}

// heard visits the keys in which the value's words stand with a slip in one, some
// more than once, until visit has enough.
func (v *view) heard(q *query, visit func(i int) bool) {
	value := strings.Fields(q.words)
	more := true
	check := func(keys []uint32) bool {
		for _, key := range keys {
			i := int(key)
			if v.hides(i) {
				continue
			}
			if len(value) > 1 {
				if words, _ := appendWords(nil, v.key(i)); !heardAs(value, string(words)) {
					continue
				}
			}
			if more = visit(i); !more {
				return false
			}
		}
		return true
	}
	for odd, word := range value {
		var rarest []uint32 // of the words that must be there as they are
		for i, w := range value {
			if keys := v.words.with(w); i != odd && (rarest == nil || len(keys) < len(rarest)) {
				if rarest = keys; len(keys) == 0 {
					break
				}
			}
		}
		if len(value) > 1 && len(rarest) == 0 {
			continue
		}
		var lists [][]uint32
		all := 0
		v.words.near(word, func(keys []uint32) bool {
			lists = append(lists, keys)
			all += len(keys)
			return true
		})
		switch {
		case all == 0:
		case len(value) > 1 && len(rarest) < all:
			check(rarest)
		default:
			for _, keys := range lists {
				if !check(keys) {
					return
				}
			}
		}
		if !more {
			return
		}
	}
}

// sharing visits the keys that scan.sharing does.
func (v *view) sharing(q *query, each []queryWord, visit func(i int, distance float64)) {
	type wordKeys struct {
		keys  []uint32
		least int // words of a key that has the word
	}
	var words []wordKeys
	for _, w := range each {
		if number, ok := v.words.number(w.text); ok {
			words = append(words, wordKeys{v.words.having(number), int(v.words.least[number])})
		}
	}
	slices.SortFunc(words, func(a, b wordKeys) int { return len(b.keys) - len(a.keys) })
	// A key that shares only some of the most common of these words is not worth offering,
	// and does not stand in the value, if it has enough others (see shares). Such keys are
	// passed over, but for the odd ones: only rarer words lead to a key.
	common, least := 0, longestText
	for i, w := range words {
		if least = min(least, w.least); least > i+1 && 4*(i+1) <= len(each)+least {
			common = i + 1
		}
	}
	lists, many := make([][]uint32, 0, len(words)), make([][]uint32, 0, common)
	for i, w := range words {
		if i < common {
			many = append(many, w.keys)
		} else if len(w.keys) > 0 {
			lists = append(lists, w.keys)
		}
	}
	var odd []uint32
	if common > 0 {
		odd = v.words.odd
	}
	for len(lists)+len(odd) > 0 {
		next := uint32(math.MaxUint32)
		if len(odd) > 0 {
			next = odd[0]
		}
		for _, list := range lists {
			next = min(next, list[0])
		}
		if len(odd) > 0 && odd[0] == next {
			odd = odd[1:]
		}
		shared := 0
		for i, keys := range many {
			at, ok := slices.BinarySearch(keys, next)
			if many[i] = keys[at:]; ok {
				shared++
			}
		}
		for i := 0; i < len(lists); {
			if lists[i][0] == next {
				shared++
				if lists[i] = lists[i][1:]; len(lists[i]) == 0 {
					lists = slices.Delete(lists, i, i+1)
					continue
				}
			}
			i++
		}
		key, count, spaced := int(next), int(v.words.count[next]), ""
		if v.hides(key) {
			continue
		}
		if v.words.mayStandIn(key, shared) {
			all, _ := appendWords(nil, v.key(key))
			spaced = string(all)
		}
		if distance, ok := q.shares(len(each), spaced, count, shared); ok {
			visit(key, distance)
		}
	}
}

// hasWord reports that another key than key has a word.
func (v *view) hasWord(word, key string) bool {
	return slices.ContainsFunc(v.words.with(word), func(i uint32) bool { return !v.hides(int(i)) && v.key(int(i)) != key })
}

func mark(bits []uint64, i, n int) []uint64 {
	if bits == nil {
		bits = make([]uint64, (n+63)/64)
	}
	bits[i/64] |= 1 << (i % 64)
	return bits
}

func marked(bits []uint64, i int) bool { return bits != nil && bits[i/64]>>(i%64)&1 != 0 }

// either gives the marks of both.
func either(a, b []uint64) []uint64 {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	out := slices.Clone(a)
	for i := range out {
		out[i] |= b[i]
	}
	return out
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
