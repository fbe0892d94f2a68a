package splash

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// tokens is a source cut up, ending in a tEnd token.
type tokens struct {
	list  []token
	texts []string // values of string tokens, escapes decoded
}

// Character classes, one bit each.
const (
	cBlank  = 1 << iota // SL-2
	cLetter             // starts a name, SL-4
	cDigit
	cOperator // SL-7
)

var class = func() (t [256]uint8) {
	for _, c := range []byte(" \t\f") {
		t[c] |= cBlank
	}
	for c := 'a'; c <= 'z'; c++ {
		t[c] |= cLetter
		t[c-'a'+'A'] |= cLetter
	}
	t['_'] |= cLetter
	for c := '0'; c <= '9'; c++ {
		t[c] |= cDigit
	}
	for _, c := range []byte("!^&*+-|?:=@><./~%") {
		t[c] |= cOperator
	}
	return t
}()

type lexer struct {
	reporter
	tokens
	pos  int
	max  int
	full bool // the token limit was passed and reported
}

// lex cuts a source into tokens. When it reports anything the tokens are of no use: the parser does not run (WD-12).
func lex(source string, limits Limits) (tokens, Report) {
	x := lexer{reporter: reporter{source: source, max: limits.Diagnostics}, max: limits.Tokens}
	x.list = make([]token, 0, min(len(source)/4+2, limits.Tokens+1))
	for x.pos < len(source) && !x.full {
		x.next()
	}
	x.list = append(x.list, token{kind: tEnd, pos: int32(len(source)), end: int32(len(source))})
	return x.tokens, x.done()
}

func (x *lexer) add(k kind, start int) {
	if len(x.list) >= x.max {
		x.full = true
		x.report(start, fmt.Sprintf(msgTokens, x.max))
		return
	}
	x.list = append(x.list, token{kind: k, pos: int32(start), end: int32(x.pos)})
}

// at returns the byte at an offset, 0 past the end.
func (x *lexer) at(i int) byte {
	if i < len(x.source) {
		return x.source[i]
	}
	return 0
}

func (x *lexer) next() {
	c := x.source[x.pos]
	start := x.pos
	switch {
	case class[c]&cBlank != 0:
		x.pos++
	case class[c]&cLetter != 0:
		x.skip(cLetter | cDigit)
		x.add(word(x.source[start:x.pos]), start)
	case class[c]&cDigit != 0:
		x.number()
	case c == '\n':
		x.pos++
		x.add(tNewline, start)
	case c == '\r':
		if x.at(x.pos+1) == '\n' {
			x.pos += 2
			x.add(tNewline, start)
			return
		}
		x.pos++
		x.report(start, msgCarriageReturn)
	case c == '"':
		x.str()
	case c == '/' && x.at(x.pos+1) == '/':
		x.lineComment()
	case c == '/' && x.at(x.pos+1) == '*':
		x.blockComment()
	case class[c]&cOperator != 0:
		x.skip(cOperator)
		run := x.source[start:x.pos]
		if k, ok := operator(run); ok {
			x.add(k, start)
		} else {
			x.report(start, fmt.Sprintf(msgOperator, quoteShort(run)))
		}
	case c == '\'':
		x.singleQuoted()
	default:
		x.single(c)
	}
}

func (x *lexer) skip(classes uint8) {
	for x.pos < len(x.source) && class[x.source[x.pos]]&classes != 0 {
		x.pos++
	}
}

func (x *lexer) single(c byte) {
	start := x.pos
	k := tEnd
	switch c {
	case '{':
		k = tBraceL
	case '}':
		k = tBraceR
	case '(':
		k = tParenL
	case ')':
		k = tParenR
	case '[':
		k = tBracketL
	case ']':
		k = tBracketR
	case ',':
		k = tComma
	case ';':
		k = tSemicolon
	default:
		r, size := utf8.DecodeRuneInString(x.source[x.pos:])
		x.pos += size
		if r == utf8.RuneError && size == 1 {
			x.report(start, msgNotUTF8)
		} else {
			x.report(start, fmt.Sprintf(msgCharacter, quoteShort(string(r))))
		}
		return
	}
	x.pos++
	x.add(k, start)
}

// number reads SL-5. The value is worked out by the parser; here only the shape counts. A bad decimal point is not
// consumed, so that `1..5` is reported for the point and for the operator.
func (x *lexer) number() {
	start := x.pos
	x.skip(cDigit)
	if x.at(x.pos) == '.' {
		if class[x.at(x.pos+1)]&cDigit == 0 {
			x.report(x.pos, msgDecimalPoint)
			x.add(tNumber, start)
			return
		}
		x.pos++
		x.skip(cDigit)
	}
	if c := x.at(x.pos); c == 'e' || c == 'E' {
		exponent := x.pos
		x.pos++
		if c := x.at(x.pos); c == '+' || c == '-' {
			x.pos++
		}
		if class[x.at(x.pos)]&cDigit == 0 {
			x.skip(cLetter | cDigit)
			x.report(exponent, msgExponent)
			return
		}
		x.skip(cDigit)
	}
	if suffix := x.pos; class[x.at(x.pos)]&cLetter != 0 {
		x.skip(cLetter | cDigit)
		x.report(suffix, msgNumberSuffix)
		return
	}
	x.add(tNumber, start)
}

func (x *lexer) lineComment() {
	end := strings.IndexByte(x.source[x.pos:], '\n')
	if end < 0 {
		end = len(x.source) - x.pos
	} else if x.source[x.pos+end-1] == '\r' {
		end-- // the newline token is the pair
	}
	x.utf8(x.pos, x.pos+end)
	x.pos += end
}

// blockComment keeps the oddity of SL-3: a star that does not close the comment swallows the character after it.
func (x *lexer) blockComment() {
	start := x.pos
	x.pos += 2
	for x.pos < len(x.source) {
		c := x.source[x.pos]
		switch {
		case c == '*' && x.at(x.pos+1) == '/':
			x.pos += 2
			x.utf8(start, x.pos)
			return
		case c == '*':
			_, size := utf8.DecodeRuneInString(x.source[x.pos+1:])
			x.pos += 1 + size
		case c == '\n':
			x.pos++
			x.add(tNewline, x.pos-1)
			if x.full {
				return
			}
		default:
			x.pos++
		}
	}
	x.report(start, msgComment)
}

// utf8 reports the first byte of a stretch that is not UTF-8 text. Comments and strings may hold any character, but
// must hold characters (SL-1).
func (x *lexer) utf8(from, to int) {
	s := x.source[from:to]
	if utf8.ValidString(s) {
		return
	}
	for i, r := range s {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				x.report(from+i, msgNotUTF8)
				return
			}
		}
	}
}

func (x *lexer) singleQuoted() {
	start := x.pos
	x.pos++
	for x.pos < len(x.source) {
		switch x.source[x.pos] {
		case '\n':
			x.report(start, msgSingleQuote)
			return
		case '\\':
			if n := x.at(x.pos + 1); n != '\n' && n != 0 {
				x.pos++
			}
		case '\'':
			x.pos++
			x.report(start, msgSingleQuote)
			return
		}
		x.pos++
	}
	x.report(start, msgSingleQuote)
}

// str reads SL-6.
func (x *lexer) str() {
	start := x.pos
	x.pos++
	from := x.pos
	for x.pos < len(x.source) {
		switch x.source[x.pos] {
		case '"':
			value := x.source[from:x.pos]
			x.pos++
			x.addString(start, value)
			return
		case '\n', '\r':
			x.report(start, msgString)
			return
		case '\\':
			x.escaped(start, from)
			return
		}
		x.pos++
	}
	x.report(start, msgString)
}

// escaped goes on with a string from its first backslash.
func (x *lexer) escaped(start, from int) {
	value := []byte(x.source[from:x.pos])
	for x.pos < len(x.source) {
		c := x.source[x.pos]
		switch c {
		case '"':
			x.pos++
			x.addString(start, string(value))
			return
		case '\n', '\r':
			x.report(start, msgString)
			return
		case '\\':
			value = x.escape(start, value)
		default:
			value = append(value, c)
			x.pos++
		}
	}
	x.report(start, msgString)
}

func (x *lexer) addString(start int, value string) {
	x.utf8(start, x.pos)
	x.add(tString, start)
	if !x.full {
		x.list[len(x.list)-1].text = int32(len(x.texts))
		x.texts = append(x.texts, value)
	}
}

// escape reads one escape, at its backslash. A bad letter is reported at the letter, a bad \u at the string's start.
func (x *lexer) escape(start int, value []byte) []byte {
	x.pos++
	if x.pos == len(x.source) {
		x.report(start, msgString)
		return value
	}
	c := x.source[x.pos]
	switch c {
	case '"', '\\':
		value = append(value, c)
	case 'n':
		value = append(value, '\n')
	case 'r':
		value = append(value, '\r')
	case 't':
		value = append(value, '\t')
	case 'u':
		x.pos++
		return x.unicodeEscape(start, value)
	case '\n', '\r':
		x.report(x.pos, msgEscape)
		return value // left for the caller, to whom the string is unterminated
	default:
		x.report(x.pos, msgEscape)
		_, size := utf8.DecodeRuneInString(x.source[x.pos:])
		x.pos += size
		return value
	}
	x.pos++
	return value
}

func (x *lexer) unicodeEscape(start int, value []byte) []byte {
	var code, digits int
	braced := x.at(x.pos) == '{'
	most := 4
	if braced {
		x.pos++
		most = 6
	}
	for digits < most {
		d := hexDigit(x.at(x.pos))
		if d < 0 {
			break
		}
		code = code<<4 | d
		digits++
		x.pos++
	}
	if braced {
		if digits == 0 || x.at(x.pos) != '}' {
			x.report(start, msgUnicodeForm)
			return value
		}
		x.pos++
	} else if digits < 4 {
		x.report(start, msgUnicodeForm)
		return value
	}
	if !utf8.ValidRune(rune(code)) {
		x.report(start, msgUnicodeScalar)
		return value
	}
	return utf8.AppendRune(value, rune(code))
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
