package lookup

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Most punctuation may come and go between a value and a key: quotes, dots,
// hyphens, brackets. What may not is gathered here, to be compared.

// appendNumerals appends the numbers of s with what gives them their value: a sign or
// a point in front, whatever stands between two digits. Digits are never corrected,
// and 1.5 is not 15, nor is -5 the same as 5.
func appendNumerals(out []byte, s string) []byte {
	before, earlier := ' ', ' ' // the rune before r, and the one before that
	for i, r := range s {
		switch {
		case isNumber(r):
			if !isNumber(before) && !isNumber(earlier) && !leads(before, earlier) {
				out = append(out, ' ')
			}
			out = utf8.AppendRune(out, r)
		case leads(r, before) && isNumber(nextRune(s, i)):
			out = utf8.AppendRune(append(out, ' '), r)
		case isNumber(before) && isNumber(nextRune(s, i)):
			if unicode.IsLetter(r) || blank(r) {
				r = ' '
			}
			out = utf8.AppendRune(out, r)
		}
		before, earlier = r, before
	}
	return out
}

func sameNumerals(value, key string) bool {
	var few [2][64]byte
	return bytes.Equal(appendNumerals(few[0][:0], value), appendNumerals(few[1][:0], key))
}

func isNumber(r rune) bool {
	if r < utf8.RuneSelf {
		return '0' <= r && r <= '9'
	}
	return unicode.IsNumber(r)
}

// leads reports a sign or point that stands in front of a word.
func leads(r, before rune) bool {
	switch r {
	case '-', '+', '.', '−', '±':
		return !unicode.IsLetter(before) && !unicode.IsNumber(before)
	}
	return false
}

// nextRune is the rune after the one at i.
func nextRune(s string, i int) rune {
	_, size := utf8.DecodeRuneInString(s[i:])
	r, _ := utf8.DecodeRuneInString(s[i+size:])
	return r
}

// appendSigns appends the characters of s that are part of a name: C++ is not C, 10%
// not 10, !x not x. Backquotes are quotes.
func appendSigns(out []byte, s string) []byte {
	before := ' '
	for i, r := range s {
		switch {
		case r < utf8.RuneSelf && asciiWord[r] != 0:
		case r == '`' || r == '´':
		case r == '%' || r == '‰' || r == '*' || unicode.In(r, unicode.Sm, unicode.Sc, unicode.Sk),
			r == '!' && alnum(nextRune(s, i)) && !alnum(before),
			r == '#' && alnum(before) && !alnum(nextRune(s, i)):
			out = utf8.AppendRune(out, r)
		}
		before = r
	}
	return out
}

func sameSigns(value, key string) bool {
	var few [2][64]byte
	return bytes.Equal(appendSigns(few[0][:0], value), appendSigns(few[1][:0], key))
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
	if !sameNumerals(value, key) || !sameSigns(value, key) {
		return false
	}
	if ascii(value) || ascii(key) {
		return true // no pictures
	}
	v, k := pictures(value), pictures(key)
	return v == k || v == "" || k == ""
}
