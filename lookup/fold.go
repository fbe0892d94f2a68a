package lookup

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// fold is the part of a text that makes it the same name as another: case, white
// space, "_", "@", accents and characters that nobody sees are gone (D-7).
// Bytes that are not UTF-8 stay as they are.
func fold(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || 'A' <= s[i] && s[i] <= 'Z' || separatesASCII(s[i]) {
			return string(appendFold(make([]byte, 0, len(s)), s))
		}
	}
	return s
}

func appendFold(dst []byte, s string) []byte {
	start := len(dst)
	for i := range len(s) {
		b := s[i]
		switch {
		case b >= utf8.RuneSelf:
			return appendFoldUnicode(dst[:start], s)
		case separatesASCII(b):
		case 'A' <= b && b <= 'Z':
			dst = append(dst, b+('a'-'A'))
		default:
			dst = append(dst, b)
		}
	}
	return dst
}

func appendFoldUnicode(dst []byte, s string) []byte {
	s = norm.NFD.String(s)
	bare := make([]byte, 0, len(s))
	onLetter := false
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case separates(r) || invisible(r):
		case accent(r) && onLetter:
		default:
			// A stroke through "=" is no accent: it makes another sign.
			onLetter = unicode.IsLetter(r)
			bare = append(bare, s[i:i+size]...)
		}
		i += size
	}
	folded := cases.Fold().String(string(bare))
	for i := 0; i < len(folded); {
		r, size := utf8.DecodeRuneInString(folded[i:])
		if r == utf8.RuneError && size == 1 {
			dst = append(dst, folded[i])
		} else {
			// cases.Fold swaps the cases of Cherokee instead of folding them.
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
		i += size
	}
	return dst
}

// foldIs reports fold(key) == folded without building the fold of an ASCII key.
func foldIs(key, folded string) bool {
	n := 0
	for i := range len(key) {
		b := key[i]
		switch {
		case b >= utf8.RuneSelf:
			return fold(key) == folded
		case separatesASCII(b):
			continue
		case 'A' <= b && b <= 'Z':
			b += 'a' - 'A'
		}
		if n == len(folded) || folded[n] != b {
			// What follows may still turn out not to be ASCII, but in NFD a
			// later rune never changes an earlier letter.
			return false
		}
		n++
	}
	return n == len(folded)
}

func separatesASCII(b byte) bool {
	return b == ' ' || b == '_' || b == '@' || '\t' <= b && b <= '\r' || 0x1c <= b && b <= 0x1f
}

// separates reports what FW-78 deletes: white space as Python sees it, "_", "@".
func separates(r rune) bool {
	return blank(r) || r == '_' || r == '@'
}

// blank is white space; Python counts U+001C to U+001F, Go does not.
func blank(r rune) bool {
	return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f || r == zeroWidthSpace
}

const zeroWidthSpace = '\u200b'

// invisible reports format characters: joiners, marks of direction, soft
// hyphens, byte order marks. Tags are kept: they tell one flag from another.
func invisible(r rune) bool {
	return r >= 0xad && unicode.Is(unicode.Cf, r) && (r < 0xe0000 || r > 0xe007f)
}

// accent reports marks that two spellings of one name may differ by. In other
// scripts a mark of the same class is a vowel or makes another consonant:
// dropping it would make another word.
func accent(r rune) bool {
	return r >= 0x300 && unicode.Is(unicode.Mn, r) && r != 0x3099 && r != 0x309a &&
		unicode.In(r, unicode.Inherited, unicode.Greek, unicode.Cyrillic, unicode.Hebrew, unicode.Arabic)
}

// lower is Python's str.lower.
func lower(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return cases.Lower(language.Und).String(s)
		}
	}
	return strings.ToLower(s)
}
