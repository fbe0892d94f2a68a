package normalize

import (
	"html"
	"strings"
	"unicode/utf8"
)

// longestName is the length of CounterClockwiseContourIntegral, the longest
// name in the HTML Standard's table. Longer ones need not be looked up.
const longestName = 31

// character returns what the reference &name; stands for: one code point, or
// for a few names two; second is 0 otherwise, which no name stands for. With
// keep, a number that names no character is text, else it is U+FFFD (rule
// N-12).
func character[T string | []byte](name T, keep bool) (first, second rune, ok bool) {
	if len(name) < 2 {
		return 0, 0, false // the shortest names have two letters
	}
	if name[0] == '#' {
		first, ok = numbered(name[1:], keep)
		return first, 0, ok
	}
	if len(name) > longestName {
		return 0, 0, false
	}
	switch string(name) {
	case "amp":
		return '&', 0, true
	case "lt":
		return '<', 0, true
	case "gt":
		return '>', 0, true
	case "quot":
		return '"', 0, true
	case "apos":
		return '\'', 0, true
	case "semi":
		return ';', 0, true
	// The html package leaves out the two that are longer than their names.
	case "nLt":
		return 0x226A, 0x20D2, true
	case "nGt":
		return 0x226B, 0x20D2, true
	}
	for i := range len(name) {
		if c := name[i]; (c|0x20 < 'a' || 'z' < c|0x20) && (c < '0' || '9' < c) {
			return 0, 0, false
		}
	}
	return named(string(name))
}

// named looks a name up in the Standard's table, which the html package keeps
// to itself. Given "&notit;" the package decodes the "&not" it starts with and
// leaves the rest with its semicolon; only &semi; decodes to a text that ends
// in one. So a text that still ends in a semicolon was no reference.
func named(name string) (first, second rune, ok bool) {
	text := html.UnescapeString("&" + name + ";")
	if strings.HasSuffix(text, ";") {
		return 0, 0, false
	}
	first, size := utf8.DecodeRuneInString(text)
	if size < len(text) {
		second, _ = utf8.DecodeRuneInString(text[size:])
	}
	return first, second, true
}

// windows1252 is what the Standard reads the codes 80 to 9F as, the C1
// controls that no one means.
var windows1252 = [32]rune{
	0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
	0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
}

// numbered reads what follows &# up to the semicolon. The html package is no
// help: it lets large numbers wrap around and takes "&#x;" for a reference.
func numbered[T string | []byte](digits T, keep bool) (rune, bool) {
	base, i := rune(10), 0
	if digits[0]|0x20 == 'x' {
		base, i = 16, 1
	}
	if i == len(digits) {
		return 0, false
	}
	code := rune(0)
	for ; i < len(digits); i++ {
		digit := rune(99)
		switch c := digits[i]; {
		case '0' <= c && c <= '9':
			digit = rune(c - '0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			digit = rune(c|0x20-'a') + 10
		}
		if digit >= base {
			return 0, false
		}
		code = min(code*base+digit, utf8.MaxRune+1)
	}
	switch {
	case code == 0 || !utf8.ValidRune(code):
		return utf8.RuneError, !keep
	case 0x80 <= code && code <= 0x9F:
		return windows1252[code-0x80], true
	}
	return code, true
}
