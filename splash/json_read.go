package splash

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonReader reads one strict JSON document into values (SL-35, Q4): white space around it, nothing else; the last of
// repeated keys wins and the first keeps its place; numbers become doubles, 1e400 infinity. It recurses at most as
// deep as Limits.JSONDepth.
type jsonReader struct {
	m    *machine
	s    string
	i    int
	keys map[string]*text // lists of records repeat their keys
}

// parseJSON makes a value of a JSON text. Its errors are of kind Unexpected, or *LimitError.
func (m *machine) parseJSON(s string) (Value, error) {
	if len(s) > m.limits.JSONBytes {
		return Value{}, fail(Unexpected, msgJSONTooLong, m.limits.JSONBytes)
	}
	if err := m.work(len(s)/8 + 1); err != nil {
		return Value{}, err
	}
	if !jsonText(s) {
		return Value{}, fail(Unexpected, msgJSONNotUTF8)
	}
	r := jsonReader{m: m, s: s}
	v, err := r.value(0)
	if err != nil {
		return Value{}, err
	}
	r.space()
	if r.i < len(s) {
		return Value{}, fail(Unexpected, msgJSONTrailing, r.i)
	}
	return v, nil
}

func (r *jsonReader) wrong() error {
	if r.i >= len(r.s) {
		return fail(Unexpected, msgJSONEnd)
	}
	return fail(Unexpected, msgJSONUnexpected, r.i)
}

func (r *jsonReader) space() {
	for r.i < len(r.s) {
		switch r.s[r.i] {
		case ' ', '\t', '\n', '\r':
			r.i++
		default:
			return
		}
	}
}

// peek skips blanks and returns the byte after them, 0 at the end.
func (r *jsonReader) peek() byte {
	r.space()
	if r.i < len(r.s) {
		return r.s[r.i]
	}
	return 0
}

func (r *jsonReader) value(depth int) (Value, error) {
	switch c := r.peek(); {
	case c == '{':
		return r.object(depth + 1)
	case c == '[':
		return r.array(depth + 1)
	case c == '"':
		s, err := r.str()
		if err != nil {
			return Value{}, err
		}
		return r.m.newText(strings.Clone(s)) // not a piece that keeps the whole document
	case c == '-' || c >= '0' && c <= '9':
		return r.number()
	case strings.HasPrefix(r.s[r.i:], "true"):
		r.i += 4
		return valTrue, nil
	case strings.HasPrefix(r.s[r.i:], "false"):
		r.i += 5
		return valFalse, nil
	case strings.HasPrefix(r.s[r.i:], "null"):
		r.i += 4
		return Value{}, nil
	}
	return Value{}, r.wrong()
}

func (r *jsonReader) deep(depth int) error {
	if depth > r.m.limits.JSONDepth {
		return fail(Unexpected, msgJSONTooDeep, r.m.limits.JSONDepth)
	}
	return nil
}

func (r *jsonReader) array(depth int) (Value, error) {
	if err := r.deep(depth); err != nil {
		return Value{}, err
	}
	a, err := r.m.newArray(0)
	if err != nil {
		return Value{}, err
	}
	r.i++
	if r.peek() == ']' {
		r.i++
		return Value{ref: a}, nil
	}
	for {
		v, err := r.value(depth)
		if err != nil {
			return Value{}, err
		}
		if err := r.m.push(a, v); err != nil {
			return Value{}, err
		}
		switch r.peek() {
		case ',':
			r.i++
		case ']':
			r.i++
			return Value{ref: a}, nil
		default:
			return Value{}, r.wrong()
		}
	}
}

func (r *jsonReader) object(depth int) (Value, error) {
	if err := r.deep(depth); err != nil {
		return Value{}, err
	}
	o, err := r.m.newRecord(0)
	if err != nil {
		return Value{}, err
	}
	r.i++
	if r.peek() == '}' {
		r.i++
		return Value{ref: o}, nil
	}
	for {
		if r.peek() != '"' {
			return Value{}, r.wrong()
		}
		key, err := r.key()
		if err != nil {
			return Value{}, err
		}
		if r.peek() != ':' {
			return Value{}, r.wrong()
		}
		r.i++
		v, err := r.value(depth)
		if err != nil {
			return Value{}, err
		}
		if err := r.m.setField(o, key, v); err != nil {
			return Value{}, err
		}
		switch r.peek() {
		case ',':
			r.i++
		case '}':
			r.i++
			return Value{ref: o}, nil
		default:
			return Value{}, r.wrong()
		}
	}
}

func (r *jsonReader) key() (*text, error) {
	s, err := r.str()
	if err != nil {
		return nil, err
	}
	if k := r.keys[s]; k != nil {
		return k, nil
	}
	v, err := r.m.newText(strings.Clone(s))
	if err != nil {
		return nil, err
	}
	k := v.ref.(*text)
	if r.keys == nil {
		r.keys = map[string]*text{}
	}
	if len(r.keys) < 256 {
		r.keys[k.s] = k
	}
	return k, nil
}

// str reads a string at its opening quote. What it returns may be a piece of the document.
func (r *jsonReader) str() (string, error) {
	r.i++
	from := r.i
	for r.i < len(r.s) {
		switch c := r.s[r.i]; {
		case c == '"':
			s := r.s[from:r.i]
			r.i++
			return s, nil
		case c == '\\':
			return r.escaped(from)
		case c < 0x20:
			return "", r.wrong()
		}
		r.i++
	}
	return "", r.wrong()
}

func (r *jsonReader) escaped(from int) (string, error) {
	b := []byte(r.s[from:r.i])
	for r.i < len(r.s) {
		c := r.s[r.i]
		switch {
		case c == '"':
			r.i++
			return string(b), nil
		case c < 0x20:
			return "", r.wrong()
		case c != '\\':
			b = append(b, c)
			r.i++
			continue
		}
		r.i++
		if r.i >= len(r.s) {
			return "", r.wrong()
		}
		switch c := r.s[r.i]; c {
		case '"', '\\', '/':
			b = append(b, c)
		case 'b':
			b = append(b, '\b')
		case 'f':
			b = append(b, '\f')
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		case 't':
			b = append(b, '\t')
		case 'u':
			c, ok := r.unicode()
			if !ok {
				return "", r.wrong()
			}
			b = utf8.AppendRune(b, c)
			continue
		default:
			return "", r.wrong()
		}
		r.i++
	}
	return "", r.wrong()
}

// unicode reads \uHHHH at its u, and the second half of a surrogate pair. A lone surrogate is no character.
func (r *jsonReader) unicode() (rune, bool) {
	c, ok := r.hex4()
	if !ok || !utf16.IsSurrogate(c) {
		return c, ok
	}
	if !strings.HasPrefix(r.s[r.i:], `\u`) {
		return 0, false
	}
	r.i++
	low, ok := r.hex4()
	if !ok {
		return 0, false
	}
	c = utf16.DecodeRune(c, low)
	return c, c != utf8.RuneError
}

func (r *jsonReader) hex4() (rune, bool) {
	if r.i+5 > len(r.s) {
		return 0, false
	}
	var c rune
	for _, d := range []byte(r.s[r.i+1 : r.i+5]) {
		h := hexDigit(d)
		if h < 0 {
			return 0, false
		}
		c = c<<4 | rune(h)
	}
	r.i += 5
	return c, true
}

func (r *jsonReader) digits() bool {
	from := r.i
	for r.i < len(r.s) && r.s[r.i] >= '0' && r.s[r.i] <= '9' {
		r.i++
	}
	return r.i > from
}

func (r *jsonReader) byteIs(set string) bool {
	return r.i < len(r.s) && strings.IndexByte(set, r.s[r.i]) >= 0
}

func (r *jsonReader) number() (Value, error) {
	from := r.i
	if r.byteIs("-") {
		r.i++
	}
	if r.byteIs("0") {
		r.i++
	} else if !r.digits() {
		return Value{}, r.wrong()
	}
	if r.byteIs(".") {
		r.i++
		if !r.digits() {
			return Value{}, r.wrong()
		}
	}
	if r.byteIs("eE") {
		r.i++
		if r.byteIs("+-") {
			r.i++
		}
		if !r.digits() {
			return Value{}, r.wrong()
		}
	}
	f, _ := strconv.ParseFloat(r.s[from:r.i], 64) // out of range gives the infinity that SL-35 asks for
	return number(f), nil
}

// globalJSON makes the value of a host's global.
func (m *machine) globalJSON(name string, doc []byte) (Value, error) {
	v, err := m.parseJSON(string(doc))
	if e, ok := err.(*Error); ok {
		return Value{}, fmt.Errorf("splash: global %s: %s", name, e.Message)
	}
	return v, err
}
