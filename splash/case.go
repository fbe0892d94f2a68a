package splash

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Full case mapping (SL-40): package strings maps one character to one, which loses ß, ŉ and İ. Each character is
// mapped by itself, so a sigma at the end of a word becomes σ, as it was measured, and not ς as SL-40 says.

func upper(s string) string {
	if isASCII(s) {
		return strings.ToUpper(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		if many, ok := upperMany[r]; ok {
			b.WriteString(many)
		} else {
			b.WriteRune(unicode.ToUpper(r))
		}
	}
	return b.String()
}

func lower(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		if r == 'İ' {
			b.WriteString("i\u0307")
		} else {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
