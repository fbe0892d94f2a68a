package lookup

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lithammer/fuzzysearch/fuzzy"
)

// shortWord is the length up to which a word is never corrected: most words of
// four letters are one letter away from another.
const shortWord = 4

// oddWord compares the words of value and key. If they are the same but for
// punctuation, it gives "" and true; if one word of the value is a slip for its
// counterpart in the key, that word and true.
//
// Words may be joined or parted differently, as long as the one difference in
// letters lies within one word of both.
func oddWord(value, key string) (odd string, ok bool) {
	odd, ok = oddIn(value, key)
	return odd, ok && (odd == "" || !address(key))
}

// address reports an "@" between two letters or digits: one letter more or less,
// and it is somebody else's.
func address(s string) bool {
	before := ' '
	for i, r := range s {
		if r == '@' && alnum(before) && i+1 < len(s) && alnum(rune(s[i+1])) {
			return true
		}
		before = r
	}
	return false
}

func oddIn(value, key string) (odd string, ok bool) {
	var few [2][4]word
	v, k := appendSpelled(few[0][:0], value), appendSpelled(few[1][:0], key)
	if len(v) != len(k) {
		return oddStretch(v, k)
	}
	for i := range v {
		if v[i].text == k[i].text {
			continue
		}
		if odd != "" || !slip(v[i].text, k[i].text) {
			return "", false
		}
		odd = v[i].text
	}
	return odd, true
}

// oddStretch is oddWord for texts that part their words differently.
func oddStretch(v, k []word) (string, bool) {
	vr, vof := joined(v)
	kr, kof := joined(k)
	if slices.Equal(vr, kr) {
		return "", true
	}
	from, to, ok := oneEdit(vr, kr)
	if !ok {
		return "", false
	}
	// The difference starts at from at the earliest and at to at the latest; all
	// of that, and the rune before it, must lie within one word on either side.
	kw, inKey := within(kof, from, to)
	vw, inValue := within(vof, from, to)
	if !inKey || !inValue || utf8.RuneCountInString(v[vw].text) < shortWord {
		return "", false
	}
	start, end := slices.Index(kof, kw), len(kof)
	if kw+1 < len(k) {
		end = slices.Index(kof, kw+1)
	}
	end += len(vr) - len(kr)
	if stretch := string(vr[start:end]); slip(stretch, k[kw].text) {
		return v[vw].text, true
	}
	return "", false
}

// joined gives the runes of all words, and for each the word it is of.
func joined(words []word) (runes []rune, of []int) {
	for i, w := range words {
		for _, r := range w.text {
			runes = append(runes, r)
			of = append(of, i)
		}
	}
	return runes, of
}

// within gives the word that the runes from-1 to to are all of.
func within(of []int, from, to int) (int, bool) {
	if from < 1 || to >= len(of) {
		return 0, false
	}
	return of[to], of[from-1] == of[to]
}

// slip reports that value is key with a slip of the hand in it: one letter
// dropped, added or replaced, or two neighbours swapped; in words of ten letters
// and more, two such. Never the first letter, which a hand seldom gets wrong and
// which makes another word (lock, clock; typical, atypical); never in a word with
// a digit in it, which is an identifier.
func slip(value, key string) bool {
	v, k := []rune(value), []rune(key)
	return len(k) > shortWord && v[0] == k[0] && spellsByLetters(v) && spellsByLetters(k) &&
		nearly(v, k) && !contrast(value, key) && !ending(v, k)
}

// ending reports two words that differ by nothing but a vowel at the end, one
// more or another: Robert and Roberta, Mario and Maria.
func ending(v, k []rune) bool {
	if len(v) > len(k) {
		v, k = k, v
	}
	vowel := func(r rune) bool { return strings.ContainsRune("aeiou", r) }
	last := len(k) - 1
	if len(v) == last {
		return slices.Equal(v, k[:last]) && vowel(k[last])
	}
	return len(v) == len(k) && slices.Equal(v[:last], k[:last]) && v[last] != k[last] && vowel(v[last]) && vowel(k[last])
}

// nearly reports that two words are one slip apart, or within wordDistance.
func nearly(v, k []rune) bool {
	if slices.Equal(v, k) {
		return true
	}
	if _, _, ok := oneEdit(v, k); ok {
		return true
	}
	most := mostEdits(max(len(v), len(k)), wordDistance)
	if most < 2 || len(v)-len(k) > most || len(k)-len(v) > most {
		return false
	}
	return fuzzy.LevenshteinDistance(string(v), string(k)) <= most
}

// wordDistance is the distance within which a word must be to its counterpart,
// so that a long key does not excuse another word in it.
const wordDistance = 0.2

// oneEdit reports that v and k differ by one rune dropped, added or replaced or by
// two neighbours swapped, and where: the difference starts at from at the
// earliest and at to at the latest. ("aab" and "ab": 0 and 1.)
func oneEdit(v, k []rune) (from, to int, ok bool) {
	n, m := len(v), len(k)
	if n-m > 1 || m-n > 1 {
		return 0, 0, false
	}
	prefix := 0
	for prefix < min(n, m) && v[prefix] == k[prefix] {
		prefix++
	}
	suffix := 0
	for suffix < min(n, m) && v[n-1-suffix] == k[m-1-suffix] {
		suffix++
	}
	switch {
	case n != m:
		return min(n, m) - suffix, prefix, prefix+suffix >= min(n, m)
	case prefix+suffix == n-1:
		return prefix, prefix, true
	case prefix+suffix == n-2 && v[prefix] == k[prefix+1] && v[prefix+1] == k[prefix]:
		return prefix, prefix + 1, true
	}
	return 0, 0, false
}

// spellsByLetters reports a script in which one letter more or less is likely to
// be a slip. Where a character is a syllable, a word or a root, it is another word.
func spellsByLetters(word []rune) bool {
	plain := true
	for _, r := range word {
		if 'a' <= r && r <= 'z' {
			continue
		}
		plain = false
		if !unicode.IsLetter(r) || !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic,
			unicode.Armenian, unicode.Georgian) {
			return false
		}
	}
	// A Cyrillic letter that looks like a Latin one is no slip of the hand.
	return plain || !mixed(word)
}

func mixed(word []rune) bool {
	for _, script := range []*unicode.RangeTable{unicode.Latin, unicode.Greek, unicode.Cyrillic} {
		in := 0
		for _, r := range word {
			if unicode.Is(script, r) {
				in++
			}
		}
		if in > 0 && in < len(word) {
			return true
		}
	}
	return false
}

// contrast reports two words that differ by nothing but a pair of affixes which
// set words apart: employer and employee, macros and micros.
func contrast(a, b string) bool {
	return contrastOf(a, b) || contrastOf(b, a) || twins[a] == b && b != "" || twins[b] == a && a != ""
}

// twins are words and names that are each another's slip, and both in use.
var twins = map[string]string{
	"ireland": "iceland", "austria": "australia", "slovenia": "slovakia", "mali": "malawi", "gambia": "zambia",
	"frances": "francis", "marion": "marian", "johan": "johann", "stephan": "stephen", "kristen": "kirsten", "brain": "brian",
	"dairy": "diary", "casual": "causal", "untied": "united", "trail": "trial", "angel": "angle", "martial": "marital",
	"quiet": "quite", "desert": "dessert", "stationary": "stationery", "principal": "principle", "complement": "compliment",
	"personal": "personnel", "prescribe": "proscribe", "salvation": "salivation", "except": "expect", "county": "country",
	"alter": "altar", "board": "broad", "cloth": "clothe", "conversation": "conservation", "window": "widow",
}

func contrastOf(a, b string) bool {
	for _, p := range [...][2]string{{"macro", "micro"}, {"hyper", "hypo"}, {"inter", "intra"}, {"pre", "pro"}} {
		x, ok := strings.CutPrefix(a, p[0])
		y, also := strings.CutPrefix(b, p[1])
		if ok && also && x == y {
			return true
		}
	}
	for _, p := range [...][2]string{{"er", "ee"}, {"or", "ee"}} {
		x, ok := strings.CutSuffix(strings.TrimSuffix(a, "s"), p[0])
		y, also := strings.CutSuffix(strings.TrimSuffix(b, "s"), p[1])
		if ok && also && x == y {
			return true
		}
	}
	return false
}

// rival reports that value may as well be a slip for key, judged generously: a
// word may be short, every word may be odd.
func rival(value, key string) bool {
	if !sameNumerals(value, key) {
		return false // digits are not corrected, so this key is not meant
	}
	var few [2][4]word
	v, k := appendSpelled(few[0][:0], value), appendSpelled(few[1][:0], key)
	if len(v) != len(k) {
		vr, _ := joined(v)
		kr, _ := joined(k)
		return nearly(vr, kr)
	}
	for i := range v {
		if !nearly([]rune(v[i].text), []rune(k[i].text)) {
			return false
		}
	}
	return true
}
