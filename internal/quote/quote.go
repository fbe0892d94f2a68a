// Package quote shows untrusted text in a message: in double quotes, with
// everything that could disturb a terminal, a log line or a reader's eye
// written as a code point, and never longer than asked (rule D-8).
package quote

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns s in double quotes, cut after max characters.
func Text(s string, max int) string {
	var few [256]byte
	return string(Append(few[:0], s, max))
}

// Append appends what Text returns.
func Append(dst []byte, s string, max int) []byte {
	dst = append(dst, '"')
	if len(s) <= max && plain(s) && strings.IndexByte(s, '"') < 0 {
		return append(append(dst, s...), '"')
	}
	dst, cut := escape(dst, s, max, true)
	if cut {
		dst = append(dst, "…"...)
	}
	return append(dst, '"')
}

// Bare returns s without quotes, cut after max characters, with the same
// escapes except that quotes stay as they are.
func Bare(s string, max int) string {
	if len(s) <= max && plain(s) {
		return s
	}
	var few [256]byte
	out, cut := escape(few[:0], s, max, false)
	if cut {
		out = append(out, "…"...)
	}
	return string(out)
}

func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

const hexDigits = "0123456789abcdef"

func escape(out []byte, s string, max int, quoted bool) ([]byte, bool) {
	n := 0
	for i := 0; i < len(s); {
		if n == max {
			return out, true
		}
		n++
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			out = append(out, '\\', 'x', hexDigits[s[i]>>4], hexDigits[s[i]&15])
		case quoted && r == '"':
			out = append(out, '\\', '"')
		case r == '\n':
			out = append(out, '\\', 'n')
		case r == '\r':
			out = append(out, '\\', 'r')
		case r == '\t':
			out = append(out, '\\', 't')
		case hidden(r):
			out = codePoint(out, r)
		default:
			out = append(out, s[i:i+size]...)
		}
		i += size
	}
	return out, false
}

func codePoint(out []byte, r rune) []byte {
	width := 4
	out = append(out, '\\', 'u')
	if r > 0xffff {
		width = 8
		out[len(out)-1] = 'U'
	}
	for shift := 4 * (width - 1); shift >= 0; shift -= 4 {
		out = append(out, hexDigits[r>>shift&15])
	}
	return out
}

// hidden reports whether a rune is drawn as nothing, moves or colours what is
// around it, or only looks like a blank. Everything unicode.IsPrint does not
// count as graphic is hidden, plus the few that it does.
func hidden(r rune) bool {
	if r < 0x7f {
		return r < ' '
	}
	switch {
	case r == '\u00ad', r == '\u034f', r == '\u061c', r == '\u115f', r == '\u1160', r == '\u3164', r == '\uffa0',
		r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return !unicode.IsPrint(r)
}

// List returns the words, each quoted and cut, joined by ", "; past most
// words it counts the rest.
func List(words []string, most, max int) string {
	var b strings.Builder
	for i, word := range words {
		if i == most {
			b.WriteString(" and ")
			b.WriteString(Count(len(words) - most))
			b.WriteString(" more")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(Text(word, max))
	}
	return b.String()
}

// Count writes a count with thousands apart, so that a long one is readable.
func Count(n int) string {
	var few [32]byte
	digits := few[:0]
	for i := 0; n > 0 || i == 0; i++ {
		if i > 0 && i%3 == 0 {
			digits = append(digits, ',')
		}
		digits = append(digits, byte('0'+n%10))
		n /= 10
	}
	for i, j := 0, len(digits)-1; i < j; i, j = i+1, j-1 {
		digits[i], digits[j] = digits[j], digits[i]
	}
	return string(digits)
}
