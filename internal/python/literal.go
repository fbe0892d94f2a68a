package python

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxDepth is how many brackets Literal follows into each other. It is CPython's own bound.
const MaxDepth = 200

// The two reasons to refuse a literal. They are for logs and tests, not for callers: where a Python literal was one of
// several possible readings, its error says nothing about the others.
var (
	ErrLiteral = errors.New("python: not a literal")
	ErrDepth   = errors.New("python: literal nested too deeply")
)

// Literal reads text as ast.literal_eval does: one literal, with blank lines and comments around it. It accepts strings with
// every prefix but f, bytes, numbers, None, True, False, Ellipsis, and lists, tuples, sets and dicts of these. Names, calls
// other than set(), and operators other than a sign and the sum that makes a complex number are refused.
//
// Strings without escapes and plain whole numbers in the result are parts of text. The error is ErrLiteral or ErrDepth.
func Literal(text string) (Value, error) {
	if strings.IndexByte(text, 0) >= 0 || !utf8.ValidString(text) {
		return Value{}, ErrLiteral
	}
	if strings.IndexByte(text, '\r') >= 0 {
		text = newlines.Replace(text)
	}
	p := parser{src: strings.TrimLeft(text, " \t")}
	return p.document()
}

// Python's lexer never sees a carriage return, not even inside a string.
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// form tells apart the values to which Python's grammar allows an operator.
type form uint8

const (
	closed form = iota // no operator may follow or precede
	number             // a number without sign
	signed             // a number with a sign: no second one, but it may open a complex number
)

// parser reads from src, which is valid UTF-8 without NUL and carriage return.
type parser struct {
	src   string
	pos   int
	depth int // brackets open
}

// peek returns the next byte, 0 at the end.
func (p *parser) peek() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

// skip passes over what may stand between two tokens. Outside brackets that is neither a line end nor a comment.
func (p *parser) skip() {
	for {
		switch c := p.peek(); {
		case c == ' ', c == '\t', c == '\f':
			p.pos++
		case c == '\n' && p.depth > 0:
			p.pos++
		case c == '#' && p.depth > 0:
			p.comment()
		case c == '\\' && p.joinsLines():
			p.pos += 2
		default:
			return
		}
	}
}

// joinsLines reports whether the backslash ahead continues the line. One at the very end does not.
func (p *parser) joinsLines() bool {
	return p.pos+2 < len(p.src) && p.src[p.pos+1] == '\n'
}

// comment moves to the line end that ends a comment.
func (p *parser) comment() {
	if n := strings.IndexByte(p.src[p.pos:], '\n'); n >= 0 {
		p.pos += n
	} else {
		p.pos = len(p.src)
	}
}

// blankLines passes over lines without tokens. It reports false if the line it stops at is indented, which Python refuses
// even when nothing but the end of the text follows.
func (p *parser) blankLines() bool {
	indented := false
	for {
		switch c := p.peek(); {
		case c == ' ', c == '\t':
			indented = true
			p.pos++
		case c == '\f':
			indented = false
			p.pos++
		case c == '\n':
			indented = false
			p.pos++
		case c == '#':
			indented = false
			p.comment()
		case c == '\\' && p.joinsLines():
			p.pos += 2
		default:
			return !indented
		}
	}
}

// document reads the whole text. Commas outside brackets make a tuple.
func (p *parser) document() (Value, error) {
	if !p.blankLines() {
		return Value{}, ErrLiteral
	}
	v, _, err := p.expression()
	if err != nil {
		return Value{}, err
	}
	p.skip()
	if p.peek() == ',' {
		if v, err = p.openTuple(v); err != nil {
			return Value{}, err
		}
	}
	if p.peek() == '#' {
		p.comment()
	}
	if p.peek() == '\n' && !p.blankLines() || p.pos < len(p.src) {
		return Value{}, ErrLiteral
	}
	return v, nil
}

// openTuple reads the rest of a tuple without brackets, from its first comma to the end of the line.
func (p *parser) openTuple(first Value) (Value, error) {
	items := []Value{first}
	for p.peek() == ',' {
		p.pos++
		p.skip()
		if c := p.peek(); c == 0 || c == '\n' || c == '#' {
			break
		}
		v, _, err := p.expression()
		if err != nil {
			return Value{}, err
		}
		items = append(items, v)
		p.skip()
	}
	return Value{Kind: KindTuple, Items: items}, nil
}

// expression reads a literal or the sum of a real and an imaginary number.
func (p *parser) expression() (Value, form, error) {
	left, f, err := p.operand()
	if err != nil {
		return Value{}, closed, err
	}
	p.skip()
	op := p.peek()
	if op != '+' && op != '-' {
		return left, f, nil
	}
	if f == closed || left.Kind == KindComplex {
		return Value{}, closed, ErrLiteral
	}
	p.pos++
	right, f, err := p.atom()
	if err != nil {
		return Value{}, closed, err
	}
	if f != number || right.Kind != KindComplex {
		return Value{}, closed, ErrLiteral
	}
	v, err := sum(left, op, right)
	return v, closed, err
}

// sum makes a complex number the way CPython does it: the real number is made complex first, so that signed zeros come out
// of an addition of parts.
func sum(left Value, op byte, right Value) (Value, error) {
	re, _ := Float(left.Text)
	if left.Kind == KindInt && math.IsInf(re, 0) {
		return Value{}, ErrLiteral
	}
	im := imag(complexParts(right.Text))
	if op == '-' {
		return Value{Kind: KindComplex, Text: complexRepr(re-0, 0-im)}, nil
	}
	return Value{Kind: KindComplex, Text: complexRepr(re+0, 0+im)}, nil
}

// operand reads a literal that may have a sign if it is a number.
func (p *parser) operand() (Value, form, error) {
	p.skip()
	sign, at := p.peek(), p.pos
	if sign != '+' && sign != '-' {
		return p.atom()
	}
	p.pos++
	v, f, err := p.atom()
	if err != nil {
		return Value{}, closed, err
	}
	if f != number {
		return Value{}, closed, ErrLiteral
	}
	if sign == '-' {
		v.Text = negate(v, p.src[at:p.pos])
	}
	return v, signed, nil
}

// negate returns the text of -v. The source of the whole operand is returned where it is that text already.
func negate(v Value, source string) string {
	switch {
	case v.Kind == KindInt && v.Text == "0":
		return "0"
	case v.Kind == KindComplex:
		return "(-0-" + v.Text + ")"
	case source[1:] == v.Text:
		return source
	}
	return "-" + v.Text
}

// atom reads a literal without sign.
func (p *parser) atom() (Value, form, error) {
	p.skip()
	switch c := p.peek(); {
	case c == '[':
		items, _, _, err := p.items(']')
		return Value{Kind: KindList, Items: items}, closed, err
	case c == '(':
		return p.parentheses()
	case c == '{':
		v, err := p.braces()
		return v, closed, err
	case strings.HasPrefix(p.src[p.pos:], "..."):
		p.pos += len("...")
		return Value{Kind: KindEllipsis}, closed, nil
	case isDigit(c), c == '.':
		v, err := p.number()
		return v, number, err
	case p.atString():
		v, err := p.stringLiterals()
		return v, closed, err
	}
	v, err := p.name()
	return v, closed, err
}

// open enters the bracket ahead.
func (p *parser) open() error {
	if p.depth == MaxDepth {
		return ErrDepth
	}
	p.depth++
	p.pos++
	return nil
}

// closes leaves the current bracket if closer is ahead.
func (p *parser) closes(closer byte) bool {
	if p.peek() != closer {
		return false
	}
	p.depth--
	p.pos++
	return true
}

// items reads literals between commas up to closer. It returns the form of the last one, and whether a comma followed it.
func (p *parser) items(closer byte) (items []Value, f form, comma bool, err error) {
	if err := p.open(); err != nil {
		return nil, closed, false, err
	}
	for {
		p.skip()
		if p.closes(closer) {
			return items, f, comma, nil
		}
		if len(items) > 0 && !comma {
			return nil, closed, false, ErrLiteral
		}
		var v Value
		if v, f, err = p.expression(); err != nil {
			return nil, closed, false, err
		}
		items = append(items, v)
		comma = p.comma()
	}
}

// comma passes over a comma, if one is ahead.
func (p *parser) comma() bool {
	p.skip()
	if p.peek() != ',' {
		return false
	}
	p.pos++
	return true
}

// parentheses reads a tuple, or one literal in parentheses, which stays what it is.
func (p *parser) parentheses() (Value, form, error) {
	items, f, comma, err := p.items(')')
	if err != nil {
		return Value{}, closed, err
	}
	if len(items) == 1 && !comma {
		return items[0], f, nil
	}
	return Value{Kind: KindTuple, Items: items}, closed, nil
}

// braces reads a set or a dict; the first member says which.
func (p *parser) braces() (Value, error) {
	if err := p.open(); err != nil {
		return Value{}, err
	}
	v := Value{Kind: KindDict}
	for comma := true; ; comma = p.comma() {
		p.skip()
		if p.closes('}') {
			break
		}
		if !comma {
			return Value{}, ErrLiteral
		}
		item, _, err := p.expression()
		if err != nil {
			return Value{}, err
		}
		p.skip()
		pair := p.peek() == ':'
		if len(v.Items) == 0 && !pair {
			v.Kind = KindSet
		}
		if pair != (v.Kind == KindDict) {
			return Value{}, ErrLiteral
		}
		if pair {
			p.pos++
			v.Keys = append(v.Keys, item)
			if item, _, err = p.expression(); err != nil {
				return Value{}, err
			}
		}
		v.Items = append(v.Items, item)
	}
	if !v.dropDuplicates() {
		return Value{}, ErrLiteral
	}
	return v, nil
}

// name reads one of the words that are literals, or the empty set, which has no literal and is written as a call.
func (p *parser) name() (Value, error) {
	switch word := p.word(); word {
	case "None":
		return Value{}, nil
	case "True", "False":
		return Value{Kind: KindBool, Text: word}, nil
	case "set":
		p.skip()
		if p.peek() != '(' {
			return Value{}, ErrLiteral
		}
		items, _, _, err := p.items(')')
		if err != nil {
			return Value{}, err
		}
		if len(items) > 0 {
			return Value{}, ErrLiteral
		}
		return Value{Kind: KindSet}, nil
	}
	return Value{}, ErrLiteral
}

// word reads ASCII letters, digits and underscores. What Python allows in a name beyond these is in no literal.
func (p *parser) word() string {
	start := p.pos
	for isWordByte(p.peek()) {
		p.pos++
	}
	return p.src[start:p.pos]
}

func isWordByte(c byte) bool {
	return isDigit(c) || c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// number reads an unsigned whole, fractional or imaginary number.
func (p *parser) number() (Value, error) {
	rest := p.src[p.pos:]
	if len(rest) > 1 && rest[0] == '0' {
		switch rest[1] | 0x20 {
		case 'x':
			return p.radix(16)
		case 'o':
			return p.radix(8)
		case 'b':
			return p.radix(2)
		}
	}
	n, whole := scanDecimal(rest)
	if n == 0 {
		return Value{}, ErrLiteral
	}
	p.pos += n
	text := stripUnderscores(rest[:n])
	imaginary := p.peek()|0x20 == 'j'
	if imaginary {
		p.pos++
	}
	switch {
	case isWordByte(p.peek()):
		return Value{}, ErrLiteral
	case imaginary:
		return Value{Kind: KindComplex, Text: complexRepr(0, parseDecimal(text))}, nil
	case whole:
		return wholeNumber(text)
	}
	return Value{Kind: KindFloat, Text: floatText(text)}, nil
}

// wholeNumber refuses leading zeros, as Python does because they once meant base eight. Zero itself may be written with many.
func wholeNumber(digits string) (Value, error) {
	trimmed := trimZeros(digits)
	if len(trimmed) != len(digits) && trimmed != "0" || len(trimmed) > MaxIntDigits {
		return Value{}, ErrLiteral
	}
	return Value{Kind: KindInt, Text: trimmed}, nil
}

// floatText returns the repr of the float that text stands for, which is often text itself.
func floatText(text string) string {
	var room [32]byte
	repr := appendFloat(room[:0], parseDecimal(text))
	if string(repr) == text {
		return text
	}
	return string(repr)
}

// radix reads a whole number after 0x, 0o or 0b.
func (p *parser) radix(base int) (Value, error) {
	p.pos += 2
	word := p.word()
	digits := strings.TrimLeft(stripUnderscores(word), "0")
	for i := range len(word) {
		if word[i] == '_' && (i+1 == len(word) || word[i+1] == '_') {
			return Value{}, ErrLiteral
		}
	}
	switch {
	case word == "":
		return Value{}, ErrLiteral
	case digits == "":
		return Value{Kind: KindInt, Text: "0"}, nil
	case len(digits) <= 15:
		n, err := strconv.ParseUint(digits, base, 64)
		if err != nil {
			return Value{}, ErrLiteral
		}
		return Value{Kind: KindInt, Text: strconv.FormatUint(n, 10)}, nil
	// Even base two needs fewer than four digits for one of base ten. This bounds the work; the check of the result below
	// sets the limit.
	case len(digits) > 4*MaxIntDigits:
		return Value{}, ErrLiteral
	}
	n, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return Value{}, ErrLiteral
	}
	text := n.String()
	if len(text) > MaxIntDigits {
		return Value{}, ErrLiteral
	}
	return Value{Kind: KindInt, Text: text}, nil
}
