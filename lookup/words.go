package lookup

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// nextWord finds the first word of s at or after from: letters, digits, the
// marks on them, and an apostrophe between letters. Everything else parts words.
func nextWord(s string, from int) (start, end int, ok bool) {
	start = -1
	for i := from; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case r < utf8.RuneSelf && asciiWord[r] != 0, r >= utf8.RuneSelf && alnum(r):
			if start < 0 {
				start = i
			}
			end = i + size
		case start < 0:
		case unicode.IsMark(r):
			end = i + size
		case apostrophe(r) && letterAt(s, i+size):
		case invisible(r) && r != zeroWidthSpace:
		default:
			return start, end, true
		}
		i += size
	}
	return start, end, start >= 0
}

func apostrophe(r rune) bool { return r == '\'' || r == '’' || r == '‘' }

func letterAt(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsLetter(r)
}

// appendWord appends one word folded. Its apostrophes go: Kimmy's is Kimmys.
func appendWord(dst []byte, word string) []byte {
	start := len(dst)
	dst = appendFold(dst, word)
	for i := start; i < len(dst); i++ {
		if b := dst[i]; b == '\'' || b >= utf8.RuneSelf {
			bare := strings.Map(func(r rune) rune {
				if apostrophe(r) {
					return -1
				}
				return r
			}, string(dst[start:]))
			return append(dst[:start], bare...)
		}
	}
	return dst
}

// appendWords appends the words of s, each folded, with a space before, between
// and after: one text contains another's words, together and whole, if and only
// if that is so of these strings. No words, nothing.
func appendWords(dst []byte, s string) ([]byte, int) {
	n, start, open := 0, len(dst), false
	for i := range len(s) {
		b := s[i]
		if b >= utf8.RuneSelf {
			return appendWordsUnicode(dst[:start], s)
		}
		switch w := asciiWord[b]; {
		case w != 0:
			if !open {
				dst = append(dst, ' ')
				open = true
				n++
			}
			dst = append(dst, w)
		case b == '\'' && letterAt(s, i+1):
		default:
			open = false
		}
	}
	if n > 0 {
		dst = append(dst, ' ')
	}
	return dst, n
}

func appendWordsUnicode(dst []byte, s string) ([]byte, int) {
	n := 0
	for at := 0; ; {
		start, end, ok := nextWord(s, at)
		if !ok {
			break
		}
		at = end
		dst = appendWord(append(dst, ' '), s[start:end])
		n++
	}
	if n > 0 {
		dst = append(dst, ' ')
	}
	return dst, n
}

// bareLen is the number of runes in the words of a string from appendWords.
func bareLen(words string) int {
	return utf8.RuneCountInString(words) - strings.Count(words, " ")
}

// A word is a word of a text, and where it stands there.
type word struct {
	text       string // folded
	start, end int
}

// appendSpelled appends the words of s as a person would tell them apart: like
// appendWords, but capitals that end a word are a word of their own if they are
// one or two. SectionA and SectionB differ by a word, not by a slip.
func appendSpelled(dst []word, s string) []word {
	for at := 0; ; {
		start, end, ok := nextWord(s, at)
		if !ok {
			return dst
		}
		at = end
		if tail := capitalTail(s[start:end]); tail > 0 {
			dst = append(dst, wordAt(s, start, start+tail))
			start += tail
		}
		dst = append(dst, wordAt(s, start, end))
	}
}

// wordAt is the word at a place of s.
func wordAt(s string, start, end int) word {
	text := s[start:end]
	for i := range len(text) {
		if b := text[i]; b >= utf8.RuneSelf || asciiWord[b] != b {
			return word{string(appendWord(nil, text)), start, end}
		}
	}
	return word{text, start, end} // which is folded
}

// capitalTail is where one or two capitals after a small letter end the word, or 0.
func capitalTail(word string) int {
	i, capitals := len(word), 0
	for i > 0 {
		r, size := utf8.DecodeLastRuneInString(word[:i])
		if !unicode.IsUpper(r) {
			if (capitals == 1 || capitals == 2) && unicode.IsLower(r) {
				return i
			}
			return 0
		}
		capitals++
		i -= size
	}
	return 0
}

// pointing words say which or how many, and name nothing. The record that has
// one in its name is not what a caller means by the word alone.
var pointing = set("all any both each every other others none the this that these those it " +
	"first last latest newest oldest next previous current new old same and for")

// negating words turn what follows them, or the whole name, into its opposite,
// or say that the record is another's stand-in. Folded: without accents.
var negating = set("no not non never none nothing without except excluding cannot cant dont doesnt " +
	"didnt isnt arent wasnt wont shouldnt mustnt anti un dis off but minus free zero ex former " +
	"deleted void copy duplicate backup archived deprecated closed cancelled canceled inactive disabled " +
	"expired old draft test fake dummy sample decaf " +
	"kein keine nicht ohne sans sauf pas sin salvo senza tranne sem nao ikke inte niet geen zonder " +
	"не нет без кроме khong")

func set(words string) map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
