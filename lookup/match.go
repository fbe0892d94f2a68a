package lookup

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// notFound is fastWorkflow's word for a value that was not given (FW-71).
const notFound = "NOT_FOUND"

// longest is the number of runes beyond which a value is compared only by
// equality. Distances take time with the product of both lengths, and the value is
// the caller's.
const longest = 256

// Match finds the key that value stands for, among keys that are used for this
// one call. For keys that are used again, prepare them once with [NewKeys], or
// give them a name with [Static].
func Match(value string, keys []string, o Options) Result {
	k := lazily(keys)
	k.single = true
	return k.Match(value, o)
}

// Match finds the key that value stands for (D-7; FW-76 to FW-84 if o.Python).
func (k *Keys) Match(value string, o Options) Result {
	if o.Python {
		return k.matchPython(value, o)
	}
	long := tooLong(value)
	if (long || k.single) && k.has(value) {
		return applied(value)
	}
	if long {
		return k.nothing(o)
	}
	var text [2 * longest]byte
	var few [8]int
	folded := appendFold(text[:0], value)
	same := k.equal(few[:0], folded)
	for _, i := range same {
		if k.keys[i] == value {
			return applied(value)
		}
	}
	if len(folded) == 0 || value == notFound {
		return k.nothing(o)
	}
	if len(same) > 0 {
		return k.applyOrOffer(value, same)
	}
	return k.nearest(newQuery(value, string(folded)), o)
}

func tooLong(value string) bool {
	return len(value) > longest && utf8.RuneCountInString(value) > longest
}

// applyOrOffer applies the one key among candidates, or offers all.
func (k *Keys) applyOrOffer(value string, candidates []int) Result {
	if same := k.butForCase(value, candidates); len(same) > 0 {
		candidates = same
	}
	key := k.keys[candidates[0]]
	if k.others(candidates, key) == 0 && wellFormed(value, key) {
		return applied(key)
	}
	return k.offer(candidates)
}

// butForCase gives the candidates that differ from value in nothing but case,
// which says more than one that differs in its accents or blanks.
func (k *Keys) butForCase(value string, candidates []int) []int {
	if len(candidates) == 1 {
		return nil
	}
	var same []int
	for _, i := range candidates {
		if strings.EqualFold(k.keys[i], value) {
			same = append(same, i)
		}
	}
	return same
}

// wellFormed reports that both texts are UTF-8. Where one is not, what it was
// meant to be is a guess.
func wellFormed(value, key string) bool { return utf8.ValidString(value) && utf8.ValidString(key) }

// others counts the candidates that are other keys than key.
func (k *Keys) others(candidates []int, key string) int {
	n := 0
	for _, i := range candidates {
		if k.keys[i] != key {
			n++
		}
	}
	return n
}

// A query is a value and what is compared of it.
type query struct {
	value string
	form
	each        []string // its words, repeated ones once
	wordLetters uint64   // in words only
	pattern     *pattern
}

func newQuery(value, folded string) *query {
	words, n := appendWords(nil, value)
	q := &query{value: value, pattern: newPattern(folded)}
	q.form = form{
		fold:    folded,
		words:   string(words),
		runes:   int32(q.pattern.n),
		count:   int32(n),
		letters: letters(folded),
	}
	q.wordLetters = letters(q.words)
	q.each = distinctOf(strings.Fields(q.words))
	return q
}

func distinctOf(words []string) []string {
	var out []string
	for _, w := range words {
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// candidates are the keys that a value may be applied to, and those that stand
// in the way.
type candidates struct {
	close      []closeKey // within AutoApplyThreshold of the whole key
	containing []int      // with the value in them as it is
	sameWords  []int      // with the same words
	wholeWords []int      // with the value's words in them, together and whole
}

type closeKey struct{ index, edits, length int }

func (c closeKey) nearer(d closeKey) bool { return c.edits*d.length < d.edits*c.length }

func (k *Keys) candidates(q *query, limit float64) candidates {
	var c candidates
	forms, within := k.forms(), limits{limit: limit}
	whole := utf8.ValidString(q.fold) // half a rune is contained in nothing
	for i := range forms {
		f := &forms[i]
		if q.words != "" && lacking(f.letters, q.wordLetters) == 0 && strings.Contains(f.words, q.words) {
			c.wholeWords = append(c.wholeWords, i)
			if f.words == q.words {
				c.sameWords = append(c.sameWords, i)
			}
		}
		lacks := lacking(f.letters, q.letters)
		if whole && lacks == 0 && strings.Contains(f.fold, q.fold) {
			c.containing = append(c.containing, i)
		}
		n, m := int(q.runes), int(f.runes)
		most := within.of(max(n, m))
		if n-m > most || m-n > most || lacks > most || lacking(q.letters, f.letters) > most {
			continue
		}
		if e := q.pattern.whole(f.fold, m, most); e <= most {
			c.close = append(c.close, closeKey{i, e, max(n, m)})
		}
	}
	return c
}

// nearest corrects the value if there is no doubt (see the package comment), and else offers what is near.
func (k *Keys) nearest(q *query, o Options) Result {
	c := k.candidates(q, o.autoApply())
	if key, ok := k.byContainment(q, c, o); ok {
		return applied(key)
	}
	if key, ok := k.bySlip(q, c); ok {
		return applied(key)
	}
	return k.suggest(q, c, o)
}

// byContainment gives the only key that has the value's words in it.
func (k *Keys) byContainment(q *query, c candidates, o Options) (string, bool) {
	if len(c.wholeWords) == 0 || !(o.autoApply() >= 0) || bareLen(q.words) < leastContained {
		return "", false
	}
	if len(c.sameWords) > 0 {
		// As good as equal: other keys do not count.
		return k.only(c.sameWords, func(key string) bool {
			return wellFormed(q.value, key) && sameMarks(q.value, key)
		})
	}
	key, ok := k.only(c.wholeWords, nil)
	if !ok || k.others(c.containing, key) > 0 || !mayNameWhole(q.words) ||
		!wellFormed(q.value, key) || !containedPlainly(q.value, key) {
		return "", false
	}
	if k.rivalled(q, c, key, 0) || k.others(k.heard(q), key) > 0 {
		return "", false
	}
	return key, true
}

// rivalled reports that another key than key, which is some edits away, is as
// likely to be meant: it is one edit farther at most, and could be a slip too.
func (k *Keys) rivalled(q *query, c candidates, key string, edits int) bool {
	for _, n := range c.close {
		if other := k.keys[n.index]; n.edits <= edits+1 && other != key && rival(q.value, other) {
			return true
		}
	}
	return false
}

// only gives the one key among candidates that passes.
func (k *Keys) only(candidates []int, passes func(string) bool) (string, bool) {
	found, ok := "", false
	for _, i := range candidates {
		key := k.keys[i]
		if ok && key == found || passes != nil && !passes(key) {
			continue
		}
		if ok {
			return "", false
		}
		found, ok = key, true
	}
	return found, ok
}

// heard gives the keys in which the value's words stand with a slip in one.
func (k *Keys) heard(q *query) []int {
	var out []int
	value := strings.Fields(q.words)
	most := mostHeard(value)
	for i, f := range k.forms() {
		if lacking(f.letters, q.wordLetters) <= most && heardAs(value, f.words) {
			out = append(out, i)
		}
	}
	return out
}

// bySlip gives the key that the value is a slip of the hand away from.
func (k *Keys) bySlip(q *query, c candidates) (string, bool) {
	if len(c.close) == 0 || bareLen(q.words) < leastContained {
		return "", false
	}
	best := c.close[0]
	for _, n := range c.close[1:] {
		if n.nearer(best) {
			best = n
		}
	}
	key := k.keys[best.index]
	if k.others(c.containing, key) > 0 || !wellFormed(q.value, key) || !sameMarks(q.value, key) {
		return "", false
	}
	odd, ok := oddWord(q.value, key)
	if !ok || odd != "" && k.hasWord(odd, key) {
		return "", false
	}
	for _, n := range c.close {
		if !best.nearer(n) && k.keys[n.index] != key {
			return "", false
		}
	}
	if k.rivalled(q, c, key, best.edits) {
		return "", false
	}
	return key, true
}

// hasWord reports that another key than key has the word: then it was meant as it
// is written.
func (k *Keys) hasWord(word, key string) bool {
	spaced, marks := " "+word+" ", letters(word)
	for i, f := range k.forms() {
		if lacking(f.letters, marks) == 0 && strings.Contains(f.words, spaced) && k.keys[i] != key {
			return true
		}
	}
	return false
}
