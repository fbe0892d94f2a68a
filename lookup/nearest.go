package lookup

import (
	"iter"
	"math"
	"sync"
	"unicode/utf8"
)

// candidates are the keys that a value may be applied to, and those that stand
// in the way.
type candidates struct {
	close      []closeKey // within AutoApplyThreshold of the whole key
	containing keySet     // with the value in them as it is
	sameWords  keySet     // with the same words
	wholeWords keySet     // with the value's words in them, together and whole
}

type closeKey struct {
	ref
	edits, length int
}

func (c closeKey) nearer(d closeKey) bool { return c.edits*d.length < d.edits*c.length }

// A search is for what is near one value, which equals no key. Its memory goes to a
// later one.
type search struct {
	candidates
	k      *Keys
	q      query
	o      Options
	probes []*probe

	limits  limits
	scanned int // of close, how many are of scans
	reach   int // the edits up to which close is complete

	near windowSearch
	list shortlist
}

var searches = sync.Pool{New: func() any { return new(search) }}

// allEdits is a reach that the limit alone bounds.
const allEdits = math.MaxInt

func newSearch(k *Keys, value string, folded []byte, o Options) *search {
	s := searches.Get().(*search)
	s.k, s.o, s.reach = k, o, allEdits
	s.limits.set(o.autoApply())
	s.q.set(value, folded)
	q := &s.q
	for _, scan := range k.plain.scans {
		scan.candidates(q, &s.limits, &s.candidates)
	}
	s.scanned = len(s.close)
	for i := range k.plain.tables {
		v := &k.plain.tables[i]
		p := newProbe(v, q.fold, &q.pattern)
		s.probes = append(s.probes, p)
		v.wholeWords(q, func(at int, same bool) {
			s.wholeWords.add(i, at)
			if same {
				s.sameWords.add(i, at)
			}
		})
		if utf8.ValidString(q.fold) { // half a rune is contained in nothing
			p.containing(func(word int, keys uint64) { s.containing.addAll(i, word, keys) })
		}
		s.reach = -1
	}
	return s
}

// mostKept bounds the memory of one list that is kept for the next search, in items.
const mostKept = 1 << 10

// release gives the memory back. Nothing of the search may be used after it, and
// nothing of the keys and the value is kept.
func (s *search) release() {
	s.close = emptied(s.close)
	s.containing.forget()
	s.sameWords.forget()
	s.wholeWords.forget()
	s.q.value, s.q.words, s.q.form, s.q.each = "", "", form{}, emptied(s.q.each)
	s.q.pattern.text, s.q.pattern.other, s.q.pattern.long = "", nil, nil
	s.q.pattern.key = emptied(s.q.pattern.key)
	s.probes = emptied(s.probes)
	s.k, s.o = nil, Options{}
	s.near = windowSearch{scanned: emptied(s.near.scanned), found: emptied(s.near.found)}
	s.list.forget()
	searches.Put(s)
}

// emptied is the memory of a list, unless that is much.
func emptied[T any](list []T) []T {
	if cap(list) > mostKept {
		return nil
	}
	clear(list[:cap(list)])
	return list[:0]
}

// complete sees to it that close has all keys within so many edits.
func (s *search) complete(edits int) {
	if s.reach >= edits {
		return
	}
	s.close = s.close[:s.scanned]
	cut := false
	for _, p := range s.probes {
		also := p.within(&s.limits, edits, func(i, edits, length int) {
			s.close = append(s.close, closeKey{p.ref(i), edits, length})
		})
		cut = cut || also
	}
	if s.reach = allEdits; cut {
		s.reach = edits
	}
}

// nearest corrects the value if there is no doubt (see the package comment), and else offers what is near.
func (s *search) nearest() Result {
	if key, ok := s.byContainment(); ok {
		return applied(key)
	}
	if key, ok := s.bySlip(); ok {
		return applied(key)
	}
	return s.suggest()
}

// byContainment gives the only key that has the value's words in it.
func (s *search) byContainment() (string, bool) {
	q := &s.q
	if s.wholeWords.empty() || !(s.o.autoApply() >= 0) || bareLen(q.words) < leastContained {
		return "", false
	}
	if !s.sameWords.empty() {
		// As good as equal: other keys do not count.
		return only(s.sameWords.all(&s.k.plain), func(key string) bool {
			return wellFormed(q.value, key) && sameMarks(q.value, key)
		})
	}
	key, ok := only(s.wholeWords.all(&s.k.plain), nil)
	if !ok || s.othersContain(key) || !mayNameWhole(q.words) ||
		!wellFormed(q.value, key) || !containedPlainly(q.value, key) {
		return "", false
	}
	if s.rivalled(key, 0) || s.heardElsewhere(key) {
		return "", false
	}
	return key, true
}

// rivalled reports that another key than key, which is some edits away, is as
// likely to be meant: it is one edit farther at most, and could be a slip too.
func (s *search) rivalled(key string, edits int) bool {
	s.complete(edits + 1)
	for _, n := range s.close {
		if n.edits <= edits+1 && n.key != key && rival(s.q.value, n.key) {
			return true
		}
	}
	return false
}

// othersContain reports that another key than key has the value in it.
func (s *search) othersContain(key string) bool {
	for r := range s.containing.all(&s.k.plain) {
		if r.key != key {
			return true
		}
	}
	return false
}

// only gives the one key among candidates that passes.
func only(candidates iter.Seq[ref], passes func(string) bool) (string, bool) {
	found, ok := "", false
	for r := range candidates {
		if ok && r.key == found || passes != nil && !passes(r.key) {
			continue
		}
		if ok {
			return "", false
		}
		found, ok = r.key, true
	}
	return found, ok
}

// heard visits the keys in which the value's words stand with a slip in one, until
// visit has enough.
func (s *search) heard(visit func(r ref) bool) {
	more := true
	for _, scan := range s.k.plain.scans {
		scan.heard(&s.q, func(i int) bool { more = visit(scan.ref(i)); return more })
	}
	for _, p := range s.probes {
		if more {
			p.heard(&s.q, func(i int) bool { more = visit(p.ref(i)); return more })
		}
	}
}

// heardElsewhere reports that the words may be heard in another key than key.
func (s *search) heardElsewhere(key string) (found bool) {
	s.heard(func(r ref) bool { found = found || r.key != key; return !found })
	return found
}

// bySlip gives the key that the value is a slip of the hand away from.
func (s *search) bySlip() (string, bool) {
	q := &s.q
	if bareLen(q.words) < leastContained {
		return "", false
	}
	best, ok := s.best()
	if !ok {
		return "", false
	}
	key := best.key
	if s.othersContain(key) || !wellFormed(q.value, key) || !sameMarks(q.value, key) {
		return "", false
	}
	odd, ok := oddWord(q.value, key)
	if !ok || odd != "" && s.hasWord(odd, key) {
		return "", false
	}
	for _, n := range s.close {
		if !best.nearer(n) && n.key != key {
			return "", false
		}
	}
	if s.rivalled(key, best.edits) {
		return "", false
	}
	return key, true
}

// best is a close key such that none is nearer. All that are as near are then in
// close.
func (s *search) best() (best closeKey, ok bool) {
	// Most slips are one edit, and what is farther than two does not matter then:
	// e edits of a value of n runes are at least e/(n+e) of the longer text.
	s.complete(2)
	nearest := func() {
		for _, n := range s.close {
			if !ok || n.nearer(best) {
				best, ok = n, true
			}
		}
	}
	if nearest(); !ok || best.edits*(int(s.q.runes)+s.reachBeyond()) >= s.reachBeyond()*best.length {
		s.complete(allEdits)
		nearest()
	}
	return best, ok
}

// reachBeyond is the least number of edits of a key that may be missing in close.
func (s *search) reachBeyond() int { return min(s.reach, math.MaxInt32) + 1 }

// hasWord reports that another key than key has the word: then it was meant as it
// is written.
func (s *search) hasWord(word, key string) bool {
	for _, scan := range s.k.plain.scans {
		if scan.hasWord(word, key) {
			return true
		}
	}
	for _, p := range s.probes {
		if p.hasWord(word, key) {
			return true
		}
	}
	return false
}
