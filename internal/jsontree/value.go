package jsontree

import (
	"strconv"
	"strings"
)

// Kind says what a Value is.
type Kind uint8

// The kinds of a Value. Absent is the zero Value: nothing was given, which is
// not the same as Null (rule D-2).
const (
	Absent Kind = iota
	Null
	Bool
	Number
	String
	List
	Object
)

var kindNames = [...]string{"nothing", "null", "boolean", "number", "string", "list", "object"}

// String returns the word a caller reads for the kind.
func (k Kind) String() string { return kindNames[k] }

// A Value is one JSON value. Which fields mean something depends on Kind.
type Value struct {
	Kind Kind
	// True is the value of a Bool.
	True bool
	// Loose marks a String bound from a text call, where every value is
	// written as text and the JSON type therefore says nothing of intent.
	Loose bool
	// Settled marks a String that was normalized before, in an earlier turn of
	// a conversation: its references are not decoded again.
	Settled bool
	// Raw is the exact text of the value in its document; empty for a value
	// that was made or changed after reading.
	Raw string
	// Text is the decoded text of a String or the literal of a Number.
	Text string
	// Items are the elements of a List.
	Items []Value
	// Members are the members of an Object, in document order.
	Members []Member
}

// A Member is one name and value of an Object.
type Member struct {
	Name  string
	Value Value
}

// Text returns a String value that did not come from a document.
func Text(s string) Value { return Value{Kind: String, Text: s} }

// Digits returns a Number value with the given literal, which must be a JSON
// number.
func Digits(literal string) Value { return Value{Kind: Number, Text: literal} }

// Get returns the value of the named member, or nil.
func (v *Value) Get(name string) *Value {
	for i := range v.Members {
		if v.Members[i].Name == name {
			return &v.Members[i].Value
		}
	}
	return nil
}

// Append appends the value as compact JSON. Untouched parts are appended as
// they were written, so numbers and nested text keep their bytes (rule N-2).
func (v *Value) Append(dst []byte) []byte {
	if v.Raw != "" {
		return append(dst, v.Raw...)
	}
	switch v.Kind {
	case Bool:
		return strconv.AppendBool(dst, v.True)
	case Number:
		return append(dst, v.Text...)
	case String:
		return AppendString(dst, v.Text)
	case List:
		dst = append(dst, '[')
		for i := range v.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = v.Items[i].Append(dst)
		}
		return append(dst, ']')
	case Object:
		dst = append(dst, '{')
		for i := range v.Members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendString(dst, v.Members[i].Name)
			dst = append(dst, ':')
			dst = v.Members[i].Value.Append(dst)
		}
		return append(dst, '}')
	default:
		return append(dst, "null"...)
	}
}

// JSON returns the value as compact JSON text.
func (v *Value) JSON() string {
	if v.Raw != "" {
		return v.Raw
	}
	return string(v.Append(nil))
}

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string with the fewest escapes: quotes,
// backslashes and control characters, those with a short form by it. Markup
// characters stay readable.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// MemberPath extends a field path by a member name: size.w, or size["odd
// name"] where the name is not a plain word.
func MemberPath(path, name string) string {
	plain := name != ""
	for i := 0; i < len(name) && plain; i++ {
		c := name[i]
		plain = c == '_' || c == '-' || c == '$' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80
	}
	switch {
	case path == "":
		return name
	case plain:
		return path + "." + name
	default:
		return path + "[" + strconv.Quote(name) + "]"
	}
}

// ItemPath extends a field path by a list index, counted from zero.
func ItemPath(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

func joinPath(steps []step) string {
	path := ""
	for i := len(steps) - 1; i >= 0; i-- {
		if steps[i].item {
			path = ItemPath(path, steps[i].index)
		} else {
			path = MemberPath(path, strings.ToValidUTF8(steps[i].name, "\ufffd"))
		}
	}
	return path
}
