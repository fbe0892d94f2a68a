package draft

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner reads JSON forward over a text that is UTF-8. Its methods report false for what is not JSON there. Nothing
// recurses, and what is passed over is not kept.
type scanner struct {
	text []byte
	pos  int
	open bits // what skip is inside of
}

// peek skips white space and returns the byte after it, 0 at the end.
func (s *scanner) peek() byte {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; c {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

// take skips white space and the byte c after it.
func (s *scanner) take(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.pos++
	return true
}

// end reports whether only white space is left.
func (s *scanner) end() bool {
	s.peek()
	return s.pos == len(s.text)
}

// string reads a string.
func (s *scanner) string() (string, bool) {
	if s.peek() != '"' {
		return "", false
	}
	start := s.pos + 1
	decoded, ok := s.skipString()
	if !ok {
		return "", false
	}
	raw := s.text[start : s.pos-1]
	if decoded == len(raw) {
		return string(raw), true // every escape is longer than what it stands for
	}
	var b strings.Builder
	b.Grow(decoded)
	for i := 0; i < len(raw); i++ {
		switch {
		case raw[i] != '\\':
			b.WriteByte(raw[i])
		case raw[i+1] == 'u':
			r, width := escapedRune(raw[i:])
			b.WriteRune(r)
			i += width - 1
		default:
			i++
			b.WriteByte(plainEscapes[raw[i]])
		}
	}
	return b.String(), true
}

// plainEscapes are the characters after a backslash, and what they stand for.
var plainEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// skipString passes over a string at its opening quote and returns how many bytes it stands for.
func (s *scanner) skipString() (decoded int, ok bool) {
	s.pos++
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '"':
			s.pos++
			return decoded, true
		case c < ' ':
			return 0, false
		case c != '\\':
			s.pos++
			decoded++
		default:
			r, width := escapedRune(s.text[s.pos:])
			if width == 0 {
				return 0, false
			}
			s.pos += width
			decoded += utf8.RuneLen(r)
		}
	}
	return 0, false
}

// escapedRune reads an escape at its backslash, both halves of a surrogate pair as one. The width is 0 for what is no
// escape, half a pair included.
func escapedRune(b []byte) (r rune, width int) {
	if len(b) < 2 {
		return 0, 0
	}
	if b[1] != 'u' {
		if c := plainEscapes[b[1]]; c != 0 {
			return rune(c), 2
		}
		return 0, 0
	}
	r, ok := hex4(b)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if len(b) < 12 || b[6] != '\\' || b[7] != 'u' {
		return 0, 0
	}
	low, ok := hex4(b[6:])
	if r = utf16.DecodeRune(r, low); !ok || r == utf8.RuneError {
		return 0, 0
	}
	return r, 12
}

// hex4 reads \uHHHH.
func hex4(b []byte) (rune, bool) {
	if len(b) < 6 {
		return 0, false
	}
	var r rune
	for _, c := range b[2:6] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// number reads a number and returns its text.
func (s *scanner) number() (string, bool) {
	s.peek()
	start := s.pos
	if !s.skipNumber() {
		return "", false
	}
	return string(s.text[start:s.pos]), true
}

func (s *scanner) skipNumber() bool {
	s.one("-")
	if !s.one("0") && !s.digits() {
		return false
	}
	if s.one(".") && !s.digits() {
		return false
	}
	if s.one("eE") {
		s.one("+-")
		return s.digits()
	}
	return true
}

// one skips a byte of the set.
func (s *scanner) one(set string) bool {
	if s.pos < len(s.text) && strings.IndexByte(set, s.text[s.pos]) >= 0 {
		s.pos++
		return true
	}
	return false
}

func (s *scanner) digits() bool {
	start := s.pos
	for s.pos < len(s.text) && '0' <= s.text[s.pos] && s.text[s.pos] <= '9' {
		s.pos++
	}
	return s.pos > start
}

// skip passes over one value of any shape and depth. What it must remember of a depth is one bit: whether it is an
// object (WD-5).
func (s *scanner) skip() bool {
	for {
		switch c := s.peek(); {
		case c == '{' || c == '[':
			s.pos++
			closing := c + 2 // '}' is '{' + 2, ']' is '[' + 2
			if s.take(closing) {
				break
			}
			s.open.push(c == '{')
			if c == '{' && !s.skipName() {
				return false
			}
			continue
		case !s.skipScalar(c):
			return false
		}
		for { // after a value
			object, any := s.open.top()
			switch {
			case !any:
				return true
			case s.take(','):
				if object && !s.skipName() {
					return false
				}
			case object && s.take('}'), !object && s.take(']'):
				s.open.pop()
				continue
			default:
				return false
			}
			break
		}
	}
}

// skipName passes over the name of a member and its colon.
func (s *scanner) skipName() bool {
	if s.peek() != '"' {
		return false
	}
	_, ok := s.skipString()
	return ok && s.take(':')
}

// skipScalar passes over a value that begins with c and holds no others.
func (s *scanner) skipScalar(c byte) bool {
	switch c {
	case '"':
		_, ok := s.skipString()
		return ok
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	}
	return s.skipNumber()
}

func (s *scanner) word(w string) bool {
	if len(s.text)-s.pos < len(w) || string(s.text[s.pos:s.pos+len(w)]) != w {
		return false
	}
	s.pos += len(w)
	return true
}

// bits is a stack of booleans.
type bits struct {
	words []uint64
	n     int
}

func (b *bits) push(v bool) {
	if b.n == 64*len(b.words) {
		b.words = append(b.words, 0)
	}
	word, bit := &b.words[b.n/64], uint64(1)<<(b.n%64)
	*word &^= bit
	if v {
		*word |= bit
	}
	b.n++
}

func (b *bits) pop() { b.n-- }

func (b *bits) top() (v, any bool) {
	if b.n == 0 {
		return false, false
	}
	return b.words[(b.n-1)/64]>>((b.n-1)%64)&1 == 1, true
}
