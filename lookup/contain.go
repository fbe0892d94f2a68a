package lookup

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// leastContained is the number of letters and digits a value must have to be
// taken for the key that contains it (D-7, FW-85), or that it is a slip for.
const leastContained = 3

// mayNameWhole reports that a value of these words may stand for a key that has
// more words than it: one word at least is more than pointing.
func mayNameWhole(words string) bool {
	for w := range strings.FieldsSeq(words) {
		if !pointing[w] {
			return true
		}
	}
	return false
}

// containedPlainly reports that key says nothing that value leaves out at its
// peril. The words of value are known to stand together in key.
func containedPlainly(value, key string) bool {
	v, k := textsOf(plainWords(value)), plainWords(key)
	at := indexRun(textsOf(k), v)
	if at < 0 {
		return false
	}
	for i, w := range k {
		if at <= i && i < at+len(v) {
			continue
		}
		undoes := w.text == "de" && strings.HasPrefix(key[w.end:], "-")
		if undoes || negating[w.text] || strings.ContainsFunc(w.text, unicode.IsNumber) {
			return false
		}
	}
	return sameMarks(value, key[marksBefore(key, k[at].start):marksAfter(key, k[at+len(v)-1].end)])
}

// plainWords gives the words that appendWords gives, with their places.
func plainWords(s string) []word {
	var out []word
	for at := 0; ; {
		start, end, ok := nextWord(s, at)
		if !ok {
			return out
		}
		at = end
		out = append(out, wordAt(s, start, end))
	}
}

func textsOf(words []word) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.text
	}
	return out
}

func indexRun(in, run []string) int {
search:
	for i := 0; i+len(run) <= len(in); i++ {
		for j, w := range run {
			if in[i+j] != w {
				continue search
			}
		}
		return i
	}
	return -1
}

// marksBefore and marksAfter widen a stretch of s over the marks that touch it.
func marksBefore(s string, i int) int {
	for i > 0 {
		r, size := utf8.DecodeLastRuneInString(s[:i])
		if blank(r) || alnum(r) {
			break
		}
		i -= size
	}
	return i
}

func marksAfter(s string, i int) int {
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if blank(r) || alnum(r) {
			break
		}
		i += size
	}
	return i
}

// heardAs reports that a run of the words of key is value with a slip in one of
// them, judged generously: Jon Smith is found by Jon, and so may be John Doe.
func heardAs(value []string, keyWords string) bool {
	k := strings.Fields(keyWords)
	for i := 0; i+len(value) <= len(k); i++ {
		odd := 0
		for j, w := range value {
			if w == k[i+j] {
				continue
			}
			if !heardFor([]rune(w), []rune(k[i+j])) {
				odd = 2
				break
			}
			odd++
		}
		if odd == 1 {
			return true
		}
	}
	return false
}

// heardFor reports that one word may be heard for another.
func heardFor(a, b []rune) bool {
	return a[0] == b[0] && spellsByLetters(a) && spellsByLetters(b) && nearly(a, b)
}

// mostHeard bounds the edits that heardAs puts up with: one, or wordDistance of a
// word, which may be longer in the key.
func mostHeard(value []string) int {
	longest := 0
	for _, w := range value {
		longest = max(longest, len(w))
	}
	return max(1, longest/4)
}
