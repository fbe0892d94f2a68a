package lookup

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// gone stands for no character in asciiFold.
const gone = 0xff

// asciiFold is what fold makes of an ASCII character: itself, its small letter, or
// gone. asciiWord is the same for words: 0 for what is neither a letter nor a
// digit.
var asciiFold, asciiWord = func() (fold, word [utf8.RuneSelf]byte) {
	for b := range byte(utf8.RuneSelf) {
		fold[b] = gone
		if !separates(rune(b)) {
			fold[b] = byte(unicode.ToLower(rune(b)))
		}
		if unicode.IsLetter(rune(b)) || unicode.IsNumber(rune(b)) {
			word[b] = fold[b]
		}
	}
	return fold, word
}()

// fold is the part of a text that makes it the same name as another: case, white
// space, "_", "@", accents and characters that nobody sees are gone (D-7).
// Bytes that are not UTF-8 stay as they are.
func fold(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || asciiFold[s[i]] != s[i] {
			return string(appendFold(make([]byte, 0, len(s)), s))
		}
	}
	return s
}

func appendFold(dst []byte, s string) []byte {
	start := len(dst)
	for i := range len(s) {
		b := s[i]
		if b >= utf8.RuneSelf {
			return appendFoldUnicode(dst[:start], s)
		}
		if f := asciiFold[b]; f != gone {
			dst = append(dst, f)
		}
	}
	return dst
}

func appendFoldUnicode(dst []byte, s string) []byte {
	s = norm.NFD.String(s)
	bare := make([]byte, 0, len(s))
	onSign := false // a stroke through "=" is no accent: it makes another sign
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case separates(r):
			onSign = false
		case invisible(r):
		case accent(r) && !onSign:
		default:
			onSign = !unicode.IsLetter(r)
			bare = append(bare, s[i:i+size]...)
		}
		i += size
	}
	// What is left may put marks side by side that were not, in another order.
	folded := norm.NFD.String(cases.Fold().String(string(bare)))
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
func foldIs(key string, folded []byte) bool {
	n := 0
	for i := range len(key) {
		b := key[i]
		if b >= utf8.RuneSelf {
			return fold(key) == string(folded)
		}
		f := asciiFold[b]
		if f == gone {
			continue
		}
		if n == len(folded) || folded[n] != f {
			// Whatever follows, it cannot change the letters up to here: marks
			// come after their letter, and go.
			return false
		}
		n++
	}
	return n == len(folded)
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
	if ascii(s) {
		return strings.ToLower(s)
	}
	return cases.Lower(language.Und).String(s)
}

func appendLower(dst []byte, s string) []byte {
	start := len(dst)
	for i := range len(s) {
		b := s[i]
		if b >= utf8.RuneSelf {
			return append(dst[:start], lower(s)...)
		}
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		dst = append(dst, b)
	}
	return dst
}
