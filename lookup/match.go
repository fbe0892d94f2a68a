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
	k := once(keys)
	if !o.Python && k.has(value) {
		return applied(value)
	}
	return k.Match(value, o)
}

// Match finds the key that value stands for (D-7; FW-76 to FW-84 if o.Python).
func (k *Keys) Match(value string, o Options) Result {
	if o.Python {
		return k.matchPython(value, o)
	}
	if tooLong(value) {
		if k.has(value) {
			return applied(value)
		}
		return k.nothing(o)
	}
	var text [2 * longest]byte
	var few [8]ref
	folded := appendFold(text[:0], value)
	same := k.equal(few[:0], folded)
	for _, r := range same {
		if r.key == value {
			return applied(value)
		}
	}
	if len(folded) == 0 || value == notFound {
		return k.nothing(o)
	}
	if len(same) > 0 {
		return applyOrOffer(value, same)
	}
	s := newSearch(k, value, folded, o)
	defer s.release()
	return s.nearest()
}

// equal appends the keys whose fold is folded, in their order.
func (k *Keys) equal(out []ref, folded []byte) []ref {
	for _, s := range k.plain.scans {
		s.equal(folded, func(i int) { out = append(out, s.ref(i)) })
	}
	if len(k.plain.tables) == 0 || !utf8.Valid(folded) {
		return out // half a rune is in no table
	}
	for i := range k.plain.tables {
		v := &k.plain.tables[i]
		var text [longestText]byte
		code := folded
		if !v.verbatim(folded) {
			code, _ = v.appendCodes(text[:0], string(folded), false)
		}
		for i, end := v.find(code); i < end; i++ {
			if !v.hides(i) {
				out = append(out, v.ref(i))
			}
		}
	}
	if len(out) > 1 {
		slices.SortFunc(out, byOrder)
	}
	return out
}

func tooLong(value string) bool {
	return len(value) > longest && utf8.RuneCountInString(value) > longest
}

// applyOrOffer applies the one key among candidates, or offers all.
func applyOrOffer(value string, candidates []ref) Result {
	if same := butForCase(value, candidates); len(same) > 0 {
		candidates = same
	}
	key := candidates[0].key
	if !others(candidates, key) && wellFormed(value, key) {
		return applied(key)
	}
	return offer(candidates)
}

// butForCase gives the candidates that differ from value in nothing but case,
// which says more than one that differs in its accents or blanks.
func butForCase(value string, candidates []ref) []ref {
	if len(candidates) == 1 {
		return nil
	}
	var same []ref
	for _, r := range candidates {
		if strings.EqualFold(r.key, value) {
			same = append(same, r)
		}
	}
	return same
}

// wellFormed reports that both texts are UTF-8. Where one is not, what it was
// meant to be is a guess.
func wellFormed(value, key string) bool { return utf8.ValidString(value) && utf8.ValidString(key) }

// others reports a candidate that is another key than key.
func others(candidates []ref, key string) bool {
	return slices.ContainsFunc(candidates, func(r ref) bool { return r.key != key })
}

// A query is a value and what is compared of it.
type query struct {
	value string
	form
	words       string      // as appendWords has them
	count       int         // of words
	each        []queryWord // the words, repeated ones once
	wordLetters uint64      // in words only
	pattern     pattern
}

// queryWord is a word, also with the space before and after, and its letters.
type queryWord struct {
	text, spaced string
	letters      uint64
}

// named are the words that may name something: "for Ada" names Ada.
func (q *query) named() []queryWord {
	return slices.DeleteFunc(slices.Clone(q.each), func(w queryWord) bool { return pointing[w.text] })
}

// set makes it the query for a value, and keeps no more than memory of the one before.
func (q *query) set(value string, folded []byte) {
	n := len(folded)
	all, count := appendWords(folded, value)
	text := string(all)
	q.value = value
	q.pattern.set(text[:n])
	q.words, q.count = text[n:], count
	q.form = form{fold: text[:n], runes: int32(q.pattern.n), letters: letters(text[:n])}
	q.wordLetters = letters(q.words)
	q.each = q.each[:0]
	for at := 0; at+1 < len(q.words); {
		end := at + 1 + strings.IndexByte(q.words[at+1:], ' ')
		w := queryWord{text: q.words[at+1 : end], spaced: q.words[at : end+1]}
		if !slices.ContainsFunc(q.each, func(have queryWord) bool { return have.text == w.text }) {
			w.letters = letters(w.text)
			q.each = append(q.each, w)
		}
		at = end
	}
}
