package validate

import (
	"strings"
	"unicode/utf8"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// A plain literal is one whose value is the very bytes that it is written as,
// and in which no stage has anything to look for: a text without an escape, a
// character reference, markup or the beginning of a list or map, a number of
// few digits without an exponent, a boolean. Whatever else JSON has, and
// whatever is no JSON, is not plain and for the stages to read.

// The characters of a text: those that may stand in a plain one, those that
// may not, and those that only form a text together.
const (
	anyText uint8 = iota
	notPlain
	multibyte
)

var textBytes = func() (class [256]uint8) {
	for c := range class {
		switch {
		case c < ' ', c == '"', c == '\\',
			c == '&', // may begin a reference (N-10)
			c == '<': // may begin a tag that a value swallowed
			class[c] = notPlain
		case c >= utf8.RuneSelf:
			class[c] = multibyte
		}
	}
	return class
}()

// plainText reads the plain text that begins with the quote at pos.
func plainText(text string, pos int) (value string, next int, ok bool) {
	if pos >= len(text) || text[pos] != '"' {
		return "", pos, false
	}
	start, seen := pos+1, anyText
	i := start
	for i < len(text) {
		class := textBytes[text[i]]
		if class == notPlain {
			break
		}
		seen |= class
		i++
	}
	if i == len(text) || text[i] != '"' {
		return "", pos, false
	}
	value = text[start:i]
	if seen != anyText && !utf8.ValidString(value) || mayHoldMore(value) {
		return "", pos, false
	}
	return value, i + 1, true
}

// mayHoldMore reports whether a text begins as one does that holds a list or a
// map (N-3).
func mayHoldMore(value string) bool {
	return value != "" && (value[0] == '[' || value[0] == '{' || value[0] <= ' ')
}

// The longest plain numbers: of 18 digits every whole one fits an int64, and
// of 15 characters every one is told apart as a float64.
const (
	longestWhole = 18
	longestFloat = 15
)

// plainNumber reads the plain number at pos; whole says that it may have no
// fraction. What follows it must be checked to end it.
func plainNumber(text string, pos int, whole bool) (literal string, next int, ok bool) {
	i := pos
	if i < len(text) && text[i] == '-' {
		i++
	}
	first := i
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	digits := i - first
	if digits == 0 || text[first] == '0' && (digits > 1 || whole && first > pos) || digits > longestWhole {
		return "", pos, false // no number of JSON, or a whole zero with a sign
	}
	if !whole {
		if i < len(text) && text[i] == '.' {
			point := i
			for i++; i < len(text) && isDigit(text[i]); i++ {
			}
			if i == point+1 {
				return "", pos, false
			}
		}
		if i-pos > longestFloat {
			return "", pos, false
		}
	}
	return text[pos:i], i, true
}

// skipBlanks returns the first position from pos on that holds no white space
// of JSON.
func skipBlanks(text string, pos int) int {
	for pos < len(text) {
		switch text[pos] {
		case ' ', '\t', '\n', '\r':
			pos++
		default:
			return pos
		}
	}
	return pos
}

// literal reads the plain literal at pos into v.
func (k plainKind) literal(text string, pos int, v *jsontree.Value) (next int, ok bool) {
	switch k {
	case plainString, plainWord:
		v.Kind = jsontree.String
		v.Text, next, ok = plainText(text, pos)
	case plainInteger, plainFloat:
		v.Kind = jsontree.Number
		v.Text, next, ok = plainNumber(text, pos, k == plainInteger)
	case plainBoolean:
		v.Kind = jsontree.Bool
		switch {
		case strings.HasPrefix(text[pos:], "true"):
			v.True, next, ok = true, pos+len("true"), true
		case strings.HasPrefix(text[pos:], "false"):
			v.True, next, ok = false, pos+len("false"), true
		}
	}
	return next, ok
}

// spells reads a text of a text call as literal does. There a text is itself,
// whatever it would need in JSON, and everything else is the text of it.
func (k plainKind) spells(text string, v *jsontree.Value) bool {
	switch k {
	case plainString, plainWord:
		v.Kind, v.Text = jsontree.String, text
		return strings.IndexByte(text, '&') < 0 && strings.IndexByte(text, '<') < 0 && !mayHoldMore(text)
	case plainInteger, plainFloat, plainBoolean:
		next, ok := k.literal(text, 0, v)
		return ok && next == len(text)
	}
	return false
}
