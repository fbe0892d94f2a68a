package python

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// atString reports whether a string literal, with or without prefix, is ahead.
func (p *parser) atString() bool {
	for i := p.pos; i < len(p.src) && i <= p.pos+2; i++ {
		switch c := p.src[i]; {
		case c == '\'', c == '"':
			return true
		case !isWordByte(c):
			return false
		}
	}
	return false
}

// stringLiterals reads adjacent string literals, which are one string. Bytes and text do not mix.
func (p *parser) stringLiterals() (Value, error) {
	v, err := p.stringLiteral()
	if err != nil {
		return Value{}, err
	}
	var joined []byte
	for {
		p.skip()
		if !p.atString() {
			break
		}
		next, err := p.stringLiteral()
		if err != nil {
			return Value{}, err
		}
		if next.Kind != v.Kind {
			return Value{}, ErrLiteral
		}
		if joined == nil {
			joined = append(joined, v.Text...)
		}
		joined = append(joined, next.Text...)
	}
	if joined != nil {
		v.Text, v.Joined = string(joined), true
	}
	if v.Kind == KindString && !utf8.ValidString(v.Text) {
		v.Text = joinSurrogates(v.Text)
	}
	return v, nil
}

// stringLiteral reads one string literal.
func (p *parser) stringLiteral() (Value, error) {
	kind, raw := KindString, false
	switch prefix := p.word(); {
	case prefix == "", isWord(prefix, "u"):
	case isWord(prefix, "r"):
		raw = true
	case isWord(prefix, "b"):
		kind = KindBytes
	case isWord(prefix, "br"), isWord(prefix, "rb"):
		kind, raw = KindBytes, true
	default:
		// An f-string is a program, not a literal.
		return Value{}, ErrLiteral
	}
	body, ok := p.quoted()
	if !ok || kind == KindBytes && !isASCII(body) {
		return Value{}, ErrLiteral
	}
	if !raw && strings.IndexByte(body, '\\') >= 0 {
		if body, ok = unescape(body, kind); !ok {
			return Value{}, ErrLiteral
		}
	}
	return Value{Kind: kind, Text: body}, nil
}

// quoted returns what stands between the quotes ahead, as written. A backslash keeps the quote after it from closing, in raw
// strings too.
func (p *parser) quoted() (string, bool) {
	quote := p.src[p.pos : p.pos+1]
	if rest := p.src[p.pos:]; len(rest) >= 3 && rest[1] == rest[0] && rest[2] == rest[0] {
		quote = rest[:3]
	}
	start := p.pos + len(quote)
	for i := start; i < len(p.src); i++ {
		switch c := p.src[i]; {
		case c == '\\':
			i++
		case c == '\n' && len(quote) == 1:
			return "", false
		case c == quote[0] && strings.HasPrefix(p.src[i:], quote):
			p.pos = i + len(quote)
			return p.src[start:i], true
		}
	}
	return "", false
}

// unescape resolves the backslashes of a string that is not raw. body does not end in the middle of a pair.
func unescape(body string, kind Kind) (string, bool) {
	out := make([]byte, 0, len(body))
	for {
		plain, rest, found := strings.Cut(body, `\`)
		out = append(out, plain...)
		if !found {
			return string(out), true
		}
		var size int
		if out, size = appendEscape(out, rest, kind); size < 0 {
			return "", false
		}
		body = rest[size:]
	}
}

// appendEscape appends what the escape means of which text holds everything after the backslash. It returns how much of text
// belongs to the escape, or -1 if it is cut off or names no character. An escape that Python does not know is no escape:
// the backslash stays.
func appendEscape(dst []byte, text string, kind Kind) ([]byte, int) {
	switch c := text[0]; c {
	case '\n':
		return dst, 1
	case '\\', '\'', '"':
		return append(dst, c), 1
	case 'a':
		return append(dst, '\a'), 1
	case 'b':
		return append(dst, '\b'), 1
	case 'f':
		return append(dst, '\f'), 1
	case 'n':
		return append(dst, '\n'), 1
	case 'r':
		return append(dst, '\r'), 1
	case 't':
		return append(dst, '\t'), 1
	case 'v':
		return append(dst, '\v'), 1
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return appendOctal(dst, text, kind)
	case 'x':
		return appendCodePoint(dst, text, 2, kind)
	case 'u':
		if kind == KindString {
			return appendCodePoint(dst, text, 4, kind)
		}
	case 'U':
		if kind == KindString {
			return appendCodePoint(dst, text, 8, kind)
		}
	case 'N':
		if kind == KindString {
			return appendNamed(dst, text)
		}
	}
	return append(dst, '\\'), 0
}

// appendOctal reads up to three octal digits. Three of them can exceed a byte, of which bytes keep the low eight bits.
func appendOctal(dst []byte, text string, kind Kind) ([]byte, int) {
	n, value := 0, rune(0)
	for n < 3 && n < len(text) && '0' <= text[n] && text[n] <= '7' {
		value = value*8 + rune(text[n]-'0')
		n++
	}
	return appendCharacter(dst, value, kind), n
}

// appendCodePoint reads exactly width hexadecimal digits after the letter of the escape.
func appendCodePoint(dst []byte, text string, width int, kind Kind) ([]byte, int) {
	if len(text) < 1+width {
		return dst, -1
	}
	value, err := strconv.ParseUint(text[1:1+width], 16, 32)
	if err != nil || value > utf8.MaxRune {
		return dst, -1
	}
	return appendCharacter(dst, rune(value), kind), 1 + width
}

func appendCharacter(dst []byte, r rune, kind Kind) []byte {
	if kind == KindBytes {
		return append(dst, byte(r))
	}
	return appendRune(dst, r)
}

// appendNamed reads a character's name in braces.
func appendNamed(dst []byte, text string) ([]byte, int) {
	if len(text) < 2 || text[1] != '{' {
		return dst, -1
	}
	end := strings.IndexByte(text, '}')
	if end < 0 {
		return dst, -1
	}
	r, ok := characterNamed(text[2:end])
	if !ok {
		return dst, -1
	}
	return appendRune(dst, r), end + 1
}

// joinSurrogates replaces each pair of surrogates with the character that it encodes. CPython keeps the two apart, and then
// cannot write the string anywhere; models that write the escapes of JSON in Python's quotes mean the character.
func joinSurrogates(text string) string {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		r, size := decodeRune(text[i:])
		if utf16.IsSurrogate(r) && i+size < len(text) {
			low, more := decodeRune(text[i+size:])
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				r, size = pair, size+more
			}
		}
		out = appendRune(out, r)
		i += size
	}
	return string(out)
}
