package lookup

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// A scan compares a value with every key: with keys that are used for one call, with
// few, and with those that fit in no table. What it answers is what a table must.
type scan struct {
	keys  []string
	order []uint32 // the keys' places among those they came with; nil if there are no others
	begin uint32   // the place of the first of those among all

	// single says that this is for one call: to build the index would cost more
	// than the scan it saves, and so may the words of every key.
	single bool

	distinct func() bool // no key occurs twice, if that is known
	index    func() index
	forms    func() []form
	words    func() []keyWords
	lowered  func() []string
	python   func() []form
}

// index finds keys by fold: the first with it, then by next the others, then -1.
type index struct {
	first map[string]int32
	next  []int32
}

// form is what default matching compares instead of the key itself.
type form struct {
	fold    string // fold of the key
	runes   int32  // in fold
	letters uint64 // in fold; words have no others
}

// newScan prepares each part when it is first needed.
func newScan(keys []string, order []uint32) *scan {
	s := &scan{keys: keys, order: order}
	s.forms = sync.OnceValue(func() []form { return formsOf(keys, appendFold) })
	s.words = sync.OnceValue(func() []keyWords { return wordsOfAll(keys) })
	s.distinct = sync.OnceValue(func() bool { return !s.single && distinct(keys) })
	s.index = sync.OnceValue(func() index { return indexOf(s.forms()) })
	s.lowered = sync.OnceValue(func() []string {
		lowered := make([]string, len(keys))
		pack(keys, appendLower, func(i int, text string) { lowered[i] = text })
		return lowered
	})
	s.python = sync.OnceValue(func() []form { return formsOf(s.lowered(), appendPythonNorm) })
	return s
}

func (s *scan) ref(i int) ref {
	order := uint32(i)
	if s.order != nil {
		order = s.order[i]
	}
	order += s.begin
	return ref{key: s.keys[i], order: order, at: order, once: s.distinct()}
}

// from is s with its first key at a place among all.
func (s *scan) from(begin uint32) *scan {
	if s.begin == begin {
		return s
	}
	at := *s // what is prepared is the same
	at.begin = begin
	return &at
}

func distinct(keys []string) bool {
	seen := make(map[string]struct{}, len(keys))
	for _, key := range keys {
		seen[key] = struct{}{}
	}
	return len(seen) == len(keys)
}

func indexOf(forms []form) index {
	x := index{make(map[string]int32, len(forms)), make([]int32, len(forms))}
	for i := len(forms) - 1; i >= 0; i-- {
		x.next[i] = -1
		if later, ok := x.first[forms[i].fold]; ok {
			x.next[i] = later
		}
		x.first[forms[i].fold] = int32(i)
	}
	return x
}

func formsOf(keys []string, appendText func(dst []byte, key string) []byte) []form {
	forms := make([]form, len(keys))
	pack(keys, appendText, func(i int, text string) {
		forms[i] = form{fold: text, runes: int32(utf8.RuneCountInString(text)), letters: letters(text)}
	})
	return forms
}

// keyWords are the words of a key as appendWords has them, and how many.
type keyWords struct {
	text  string
	count int
}

func wordsOfAll(keys []string) []keyWords {
	words, at := make([]keyWords, len(keys)), 0
	pack(keys, func(dst []byte, key string) []byte {
		dst, words[at].count = appendWords(dst, key)
		at++
		return dst
	}, func(i int, text string) { words[i].text = text })
	return words
}

// pack makes a text of each key. It lays them into one string, so that a scan over them
// runs through memory in order.
func pack(keys []string, appendText func(dst []byte, key string) []byte, visit func(i int, text string)) {
	size := 0
	for _, key := range keys {
		size += len(key) + 4
	}
	all, ends := make([]byte, 0, size), make([]int, len(keys))
	for i, key := range keys {
		all = appendText(all, key)
		ends[i] = len(all)
	}
	texts, at := string(all), 0
	for i, end := range ends {
		visit(i, texts[at:end])
		at = end
	}
}

// wordsAt gives the words of one key, where those of all are not needed.
func (s *scan) wordsAt(i int) string {
	if !s.single {
		return s.words()[i].text
	}
	words, _ := appendWords(nil, s.keys[i])
	return string(words)
}

// equal visits the keys whose fold is folded, in their order.
func (s *scan) equal(folded []byte, visit func(i int)) {
	if s.single {
		for i, key := range s.keys {
			if foldIs(key, folded) {
				visit(i)
			}
		}
		return
	}
	x := s.index()
	i, ok := x.first[string(folded)]
	for ; ok && i >= 0; i = x.next[i] {
		visit(int(i))
	}
}

// candidates adds the keys that q may be applied to, and those that stand in the way.
func (s *scan) candidates(q *query, limits *limits, c *candidates) {
	forms := s.forms()
	whole := utf8.ValidString(q.fold) // half a rune is contained in nothing
	for i := range forms {
		f := &forms[i]
		if q.words != "" && lacking(f.letters, q.wordLetters) == 0 {
			if words := s.wordsAt(i); strings.Contains(words, q.words) {
				c.wholeWords.addRef(s.ref(i))
				if words == q.words {
					c.sameWords.addRef(s.ref(i))
				}
			}
		}
		lacks := lacking(f.letters, q.letters)
		if whole && lacks == 0 && strings.Contains(f.fold, q.fold) {
			c.containing.addRef(s.ref(i))
		}
		n, m := int(q.runes), int(f.runes)
		most := limits.of(max(n, m))
		if n-m > most || m-n > most || lacks > most || lacking(q.letters, f.letters) > most {
			continue
		}
		if e := q.pattern.whole(f.fold, m, most); e <= most {
			c.close = append(c.close, closeKey{s.ref(i), e, max(n, m)})
		}
	}
}

// heard visits the keys in which the value's words stand with a slip in one.
func (s *scan) heard(q *query, visit func(i int) bool) {
	value := strings.Fields(q.words)
	most := mostHeard(value)
	for i, f := range s.forms() {
		if lacking(f.letters, q.wordLetters) > most {
			continue
		}
		if words := s.wordsAt(i); heardAs(value, words) && !visit(i) {
			return
		}
	}
}

// hasWord reports that another key than key has a word.
func (s *scan) hasWord(word, key string) bool {
	spaced, marks := " "+word+" ", letters(word)
	for i, f := range s.forms() {
		if lacking(f.letters, marks) > 0 || s.keys[i] == key {
			continue
		}
		if words := s.wordsAt(i); strings.Contains(words, spaced) {
			return true
		}
	}
	return false
}

// windows visits the keys of which a window (FW-80) is within most edits, with the
// edits of the best. visit gives the most that is of interest from there on.
func (s *scan) windows(forms []form, p *pattern, marks uint64, most int, visit func(i, edits int) int) {
	for i := range forms {
		f := &forms[i]
		if p.n-int(f.runes) > most || lacking(f.letters, marks) > most {
			continue
		}
		if e := p.window(f.fold, int(f.runes), most); e <= most {
			most = visit(i, e)
		}
	}
}

func (s *scan) plainForms() []form  { return s.forms() }
func (s *scan) pythonForms() []form { return s.python() }

// sharing visits the keys that have most of their words, and of some of the value's, in
// common with it, in whatever order, and those that the value contains as whole
// words. Their distance is the part they do not share.
func (s *scan) sharing(q *query, each []queryWord, visit func(i int, distance float64)) {
	if len(each) == 0 {
		return
	}
	forms, all := s.forms(), s.words()
	for i := range forms {
		f := &forms[i]
		words, count := all[i].text, all[i].count
		shared := 0
		if 4*min(len(each), count) > len(each)+count {
			for j := range each {
				if w := &each[j]; lacking(f.letters, w.letters) == 0 && strings.Contains(words, w.spaced) {
					shared++
				}
			}
		}
		if distance, ok := q.shares(len(each), words, count, shared); ok {
			visit(i, distance)
		}
	}
}

// shares reports that a key of count words, of which shared are among so many of the
// value's, is worth offering for them, and how much of the two is not shared. words are
// the key's, or "" if there is one that the value has not.
func (q *query) shares(of int, words string, count, shared int) (distance float64, ok bool) {
	if count == 0 {
		return 0, false
	}
	all := of + count
	inside := of == len(q.each) && words != "" && len(words) < len(q.words) && strings.Contains(q.words, words) && bareLen(words) >= leastContained
	if inside {
		shared = count
	}
	return max(0, 1-2*float64(shared)/float64(all)), inside || 4*shared > all
}

// without is the scan without some keys, or s itself if it has none of them.
func (s *scan) without(gone map[string]struct{}) *scan {
	out := func(key string) bool { _, ok := gone[key]; return ok }
	if !slices.ContainsFunc(s.keys, out) {
		return s
	}
	var keys []string
	var order []uint32
	for i, key := range s.keys {
		if !out(key) {
			keys = append(keys, key)
			if s.order != nil {
				order = append(order, s.order[i])
			}
		}
	}
	return newScan(keys, order)
}

func (s *scan) bytes() int {
	n := 20 * len(s.keys)
	if len(s.keys) > 0 && !s.single {
		words := s.words()
		for i, f := range s.forms() {
			n += len(f.fold) + len(words[i].text) + 24 + 24 + 40 // the index
		}
	}
	return n
}
