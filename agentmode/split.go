package agentmode

import (
	"strings"
	"unicode/utf8"

	"github.com/fwgo/fwgo/internal/python"
)

// Split cuts a trimmed message after its leading token, the part up to white
// space or "(" that may name a command (FW-24). A "<" or "{" ends it too: no
// name holds one, and cancel_order<order_id>W1</order_id> names its command
// beyond doubt. A ":" after a name is part of the token. The rest begins with
// whatever ended the token.
func Split(text string) (token, rest string) {
	text = python.TrimSpace(text)
	for i := 0; i < len(text); {
		c := text[i]
		if c == '(' || c == '<' || c == '{' || (c <= ' ' || c >= utf8.RuneSelf) && spaceAt(text, i) > 0 {
			return text[:i], text[i:]
		}
		i++
	}
	return text, ""
}

// Remainder strips a leading token that equals one of the names, ignoring
// case, from a message: the command's simple and its qualified name. One ":"
// after the token goes with it, and parentheses that open right after it and
// close at the end of the message, which parenthesized reports. Nothing is
// removed anywhere else (FW-24, FW-200). If the token is none of the names, ok
// is false and rest is the message, trimmed.
func Remainder(text string, names ...string) (rest string, parenthesized, ok bool) {
	rest, parens, ok := remainder(text, names)
	return rest, parens == wrapped, ok
}

// parentheses says what becomes of a "(" right after the command's name.
type parentheses uint8

const (
	noParens  parentheses = iota
	wrapped               // they held the whole rest and are stripped
	unmatched             // they do not close at its end: no call that can be read
)

func remainder(text string, names []string) (rest string, parens parentheses, ok bool) {
	token, rest := Split(text)
	if !named(token, names) {
		bare, colon := strings.CutSuffix(token, ":")
		if !colon || !named(bare, names) {
			return python.TrimSpace(text), noParens, false
		}
	}
	switch {
	case rest == "" || rest[0] != '(':
		return python.TrimSpace(rest), noParens, true
	case closing(rest, 0) != len(rest):
		return rest, unmatched, true
	}
	return python.TrimSpace(rest[1 : len(rest)-1]), wrapped, true
}

func named(token string, names []string) bool {
	for _, name := range names {
		if strings.EqualFold(token, name) {
			return token != ""
		}
	}
	return false
}

// spaceAt returns the size of the white space character at i, 0 if there is
// none. White space is what Python's str.strip removes (FW-27).
func spaceAt(text string, i int) int {
	if c := text[i]; c < utf8.RuneSelf {
		if python.IsSpace(rune(c)) {
			return 1
		}
		return 0
	}
	if r, size := utf8.DecodeRuneInString(text[i:]); python.IsSpace(r) {
		return size
	}
	return 0
}

// skipSpace returns the first position from i on that is not white space.
func skipSpace(text string, i int) int {
	for i < len(text) {
		size := spaceAt(text, i)
		if size == 0 {
			break
		}
		i += size
	}
	return i
}

// wordEnd returns the end of the run without white space that begins at i.
func wordEnd(text string, i int) int {
	for i < len(text) && spaceAt(text, i) == 0 {
		i++
	}
	return i
}
