package lookup

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Most punctuation may come and go between a value and a key: quotes, dots,
// hyphens, brackets. What may not is gathered here, to be compared.

// numerals gives the numbers of s with what gives them their value: a sign or a
// point in front, whatever stands between two digits. Digits are never corrected,
// and 1.5 is not 15, nor is -5 the same as 5.
func numerals(s string) string {
	var out []byte
	before, earlier := ' ', ' ' // the rune before r, and the one before that
	for i, r := range s {
		next, _ := utf8.DecodeRuneInString(s[i+runeLen(s[i:]):])
		switch {
		case unicode.IsNumber(r):
			if !unicode.IsNumber(before) && !unicode.IsNumber(earlier) && !leads(before, earlier) {
				out = append(out, ' ')
			}
			out = utf8.AppendRune(out, r)
		case unicode.IsNumber(next) && leads(r, before):
			out = utf8.AppendRune(append(out, ' '), r)
		case unicode.IsNumber(next) && unicode.IsNumber(before):
			if unicode.IsLetter(r) || blank(r) {
				r = ' '
			}
			out = utf8.AppendRune(out, r)
		}
		before, earlier = r, before
	}
	return string(out)
}

// leads reports a sign or point that stands in front of a word.
func leads(r, before rune) bool {
	switch r {
	case '-', '+', '.', '−', '±':
		return !unicode.IsLetter(before) && !unicode.IsNumber(before)
	}
	return false
}

func runeLen(s string) int {
	_, size := utf8.DecodeRuneInString(s)
	return size
}

// signs gives the characters of s that are part of a name: C++ is not C, 10% not
// 10, !x not x. Backquotes are quotes.
func signs(s string) string {
	var out []byte
	before := ' '
	for i, r := range s {
		next, _ := utf8.DecodeRuneInString(s[i+runeLen(s[i:]):])
		switch {
		case r == '`' || r == '´':
		case r == '%' || r == '‰' || r == '*' || unicode.In(r, unicode.Sm, unicode.Sc, unicode.Sk),
			r == '!' && alnum(next) && !alnum(before),
			r == '#' && alnum(before) && !alnum(next):
			out = utf8.AppendRune(out, r)
		}
		before = r
	}
	return string(out)
}

// pictures gives the emoji and other symbols of s. A text may do without, but two
// that have some must have the same.
func pictures(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.So, r) {
			return r
		}
		return -1
	}, s)
}

func alnum(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// sameMarks reports that nothing but harmless punctuation differs between value
// and key, letters aside.
func sameMarks(value, key string) bool {
	if numerals(value) != numerals(key) || signs(value) != signs(key) {
		return false
	}
	v, k := pictures(value), pictures(key)
	return v == k || v == "" || k == ""
}
