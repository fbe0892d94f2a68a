package splash

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// JSONReason says why a value has no JSON form (WD-46).
type JSONReason string

// The reasons of WD-46.
const (
	JSONHandle    JSONReason = "handle"     // a function, a promise or a module
	JSONCycle     JSONReason = "cycle"      // a value that contains itself
	JSONNotFinite JSONReason = "not finite" // NaN or an infinity
	JSONTooLong   JSONReason = "too long"   // more than Limits.JSONBytes
	JSONTooDeep   JSONReason = "too deep"   // more than Limits.JSONDepth
)

// JSONError says that a value cannot leave the program as JSON. It names no value.
type JSONError struct {
	Reason  JSONReason
	Message string
}

func (e *JSONError) Error() string { return "splash: " + e.Message }

// JSON returns the value as compact JSON, within Limits.JSONBytes and Limits.JSONDepth (WD-45): nil is null, a byte
// array is an array of numbers, record fields keep their order, and negative zero is 0. A shared value is written out
// each time. The error is a *JSONError (WD-46).
func (v Value) JSON(limits Limits) ([]byte, error) {
	limits = limits.filled()
	w := jsonWriter{maxBytes: limits.JSONBytes, maxDepth: limits.JSONDepth, output: true}
	if err := w.write(v, 0); err != nil {
		return nil, err
	}
	return w.b, nil
}

// String returns the JSON form if there is one, and else the kind in angle brackets. It is for logs and tests.
func (v Value) String() string {
	b, err := v.JSON(Limits{})
	if err != nil {
		return "<" + string(v.Kind()) + ">"
	}
	return string(b)
}

// jsonWriter recurses at most maxDepth deep, which Limits keeps small.
type jsonWriter struct {
	b        []byte
	path     []any // the containers around the place being written
	maxBytes int
	maxDepth int
	output   bool // a step output, where negative zero is 0 (SL-36)
}

// appendJSON is the writer of SL-35 for use inside the program, with its work paid in steps.
func (m *machine) appendJSON(v Value) ([]byte, error) {
	w := jsonWriter{maxBytes: m.limits.JSONBytes, maxDepth: m.limits.JSONDepth}
	err := w.write(v, 0)
	if err := m.work(len(w.b)/16 + 1); err != nil {
		return nil, err
	}
	if err != nil {
		e := fail(Unexpected, "%s", err.(*JSONError).Message)
		e.Err = err
		return nil, e
	}
	return w.b, nil
}

func (w *jsonWriter) write(v Value, depth int) error {
	switch o := v.ref.(type) {
	case nil:
		w.b = append(w.b, "null"...)
	case boolTag:
		w.b = strconv.AppendBool(w.b, v.num != 0)
	case numberTag:
		if math.IsNaN(v.num) || math.IsInf(v.num, 0) {
			return &JSONError{Reason: JSONNotFinite, Message: msgJSONNotFinite}
		}
		f := v.num
		if w.output && f == 0 {
			f = 0 // negative zero too
		}
		w.b = appendJSONNumber(w.b, f)
	case *text:
		if len(o.s) <= w.maxBytes { // a longer one fails below, and is not worth copying
			w.b = appendJSONString(w.b, o.s)
		} else {
			return w.tooLong()
		}
	case *array, *byteArray:
		return w.container(o, depth+1)
	case *record:
		if o.frozen {
			return w.handle(v)
		}
		return w.container(o, depth+1)
	default:
		return w.handle(v)
	}
	return w.check()
}

func (w *jsonWriter) handle(v Value) error {
	return &JSONError{Reason: JSONHandle, Message: fmt.Sprintf(msgJSONHandle, v.article())}
}

func (w *jsonWriter) check() error {
	if len(w.b) > w.maxBytes {
		return w.tooLong()
	}
	return nil
}

func (w *jsonWriter) tooLong() error {
	return &JSONError{Reason: JSONTooLong, Message: fmt.Sprintf(msgJSONTooLong, w.maxBytes)}
}

func (w *jsonWriter) container(o any, depth int) error {
	for _, p := range w.path {
		if p == o {
			return &JSONError{Reason: JSONCycle, Message: msgJSONCycle}
		}
	}
	if depth > w.maxDepth {
		return &JSONError{Reason: JSONTooDeep, Message: fmt.Sprintf(msgJSONTooDeep, w.maxDepth)}
	}
	w.path = append(w.path, o)
	defer func() { w.path = w.path[:len(w.path)-1] }()
	switch o := o.(type) {
	case *array:
		w.b = append(w.b, '[')
		for i, v := range o.items {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			if err := w.write(v, depth); err != nil {
				return err
			}
		}
		w.b = append(w.b, ']')
	case *byteArray:
		w.b = append(w.b, '[')
		for i, c := range o.b {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			w.b = strconv.AppendUint(w.b, uint64(c), 10)
			if err := w.check(); err != nil {
				return err
			}
		}
		w.b = append(w.b, ']')
	case *record:
		w.b = append(w.b, '{')
		for i, v := range o.vals {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			if len(o.keys[i].s) > w.maxBytes {
				return w.tooLong()
			}
			w.b = appendJSONString(w.b, o.keys[i].s)
			w.b = append(w.b, ':')
			if err := w.write(v, depth); err != nil {
				return err
			}
		}
		w.b = append(w.b, '}')
	}
	return w.check()
}

const hexDigits = "0123456789abcdef"

// appendJSONString escapes what WD-49 has escaped and nothing else.
func appendJSONString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
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
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

// jsonText reports whether s holds only characters, which JSON text must.
func jsonText(s string) bool { return utf8.ValidString(s) }
