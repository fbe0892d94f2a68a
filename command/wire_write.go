package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fwgo/fwgo/internal/guard"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
)

// writeWire writes a value of the wire. Whatever it writes is one line of JSON
// that ReadJSON accepts, its length apart; what cannot be written so is an
// error (FW-226).
func writeWire(v wireValue, relay bool) ([]byte, error) {
	w := wireWriter{relay: relay}
	w.value(v)
	if w.err != nil {
		return nil, w.err
	}
	return w.out, nil
}

// wireWriter appends members until the first error.
type wireWriter struct {
	out   []byte
	relay bool
	path  wirePath
	known []string // the members of the object being written
	err   error
	arena jsontree.Arena
}

func (w *wireWriter) value(v wireValue) {
	known := w.known
	w.known = nil
	w.out = append(w.out, '{')
	v.members(w)
	w.out = append(w.out, '}')
	w.known = known
}

func (w *wireWriter) name(name string) {
	w.known = append(w.known, name)
	w.begin(name)
}

// freeName begins a member whose name is not ours.
func (w *wireWriter) freeName(name string) {
	if !utf8.ValidString(name) {
		w.fail(name, errors.New("the name is not UTF-8 text"))
	}
	w.begin(name)
}

func (w *wireWriter) begin(name string) {
	if w.out[len(w.out)-1] != '{' {
		w.out = append(w.out, ',')
	}
	w.string(name)
	w.out = append(w.out, ':')
}

// string appends a text. Bytes that are not UTF-8 become U+FFFD, as with
// encoding/json: an answer is worth more than its broken bytes.
func (w *wireWriter) string(s string) {
	w.out = jsontree.AppendString(w.out, strings.ToValidUTF8(s, "\ufffd"))
}

func (w *wireWriter) null() { w.out = append(w.out, "null"...) }

// fail records an error at the member of the name.
func (w *wireWriter) fail(name string, err error) {
	if w.err != nil {
		return
	}
	w.path.push(name)
	w.err = fmt.Errorf("command: %s cannot be written as JSON: %w", quote.Bare(w.path.String(), longestReadPath), err)
	w.path.pop()
}

func (w *wireWriter) text(name string, at *string, _ need) {
	w.name(name)
	w.string(*at)
}

func (w *wireWriter) textOrNull(name string, at **string) {
	w.name(name)
	if *at == nil {
		w.null()
		return
	}
	w.string(**at)
}

func (w *wireWriter) textIfSet(name string, at **string) {
	if *at == nil {
		w.known = append(w.known, name)
		return
	}
	w.textOrNull(name, at)
}

func (w *wireWriter) word(name string, at *string, words []string) {
	w.name(name)
	w.string(*at)
	for _, word := range words {
		if *at == word {
			return
		}
	}
	w.fail(name, fmt.Errorf("%q is not one of %s", *at, strings.Join(words, ", ")))
}

func (w *wireWriter) flag(name string, at *bool, _ bool) {
	w.name(name)
	w.out = strconv.AppendBool(w.out, *at)
}

func (w *wireWriter) flagOrNull(name string, at **bool) {
	w.name(name)
	if *at == nil {
		w.null()
		return
	}
	w.out = strconv.AppendBool(w.out, **at)
}

func (w *wireWriter) int64(name string, at *int64) {
	w.name(name)
	w.out = strconv.AppendInt(w.out, *at, 10)
}

func (w *wireWriter) int64OrNull(name string, at **int64) {
	w.name(name)
	if *at == nil {
		w.null()
		return
	}
	w.out = strconv.AppendInt(w.out, **at, 10)
}

func (w *wireWriter) wholeOrNull(name string, at *json.Number) {
	w.name(name)
	if *at == "" {
		w.null()
		return
	}
	v := jsontree.Value{Kind: jsontree.String, Text: string(*at)}
	digits, ok := laxWhole(&v)
	if !ok {
		w.fail(name, fmt.Errorf("%q is not a whole number", quote.Bare(string(*at), longestReadGot)))
		return
	}
	w.out = append(w.out, digits...)
}

func (w *wireWriter) timeOrNull(name string, at **Timestamp) {
	w.name(name)
	if *at == nil {
		w.null()
		return
	}
	text, err := (*at).MarshalJSON()
	if err != nil {
		w.fail(name, err)
		return
	}
	w.out = append(w.out, text...)
}

func (w *wireWriter) object(name string, at *json.RawMessage) {
	w.name(name)
	if len(*at) == 0 {
		w.out = append(w.out, "{}"...)
		return
	}
	if kind := w.raw(name, *at, deepestValue); w.err == nil && kind != jsontree.Object {
		w.fail(name, errors.New("it is "+kind.String()+", and must be an object"))
	}
}

// raw appends JSON text without the blanks between its parts, after checking
// that it will be read again. All else keeps its bytes.
func (w *wireWriter) raw(name string, text []byte, depth int) jsontree.Kind {
	if w.err != nil {
		return jsontree.Absent
	}
	w.arena.Reset()
	doc, fault := jsontree.Parse(string(text), jsontree.Limits{Depth: depth}, &w.arena)
	if fault != nil {
		w.fail(name, fault)
		return jsontree.Absent
	}
	compact := bytes.NewBuffer(w.out)
	if err := json.Compact(compact, text); err != nil {
		w.fail(name, err)
	}
	w.out = compact.Bytes()
	return doc.Root.Kind
}

func (w *wireWriter) any(name string, at *any) {
	w.name(name)
	w.anything(name, *at, deepestValue)
}

// anything appends a value of an author's program.
func (w *wireWriter) anything(name string, v any, depth int) {
	if w.err != nil {
		return
	}
	if raw, ok := v.(json.RawMessage); ok && len(raw) > 0 {
		w.raw(name, raw, depth)
		return
	}
	text, err := encode(v)
	if err != nil {
		w.fail(name, err)
		return
	}
	w.raw(name, text, depth)
}

// encode is encoding/json without HTML escapes, and without the panics of
// authors' MarshalJSON methods.
func encode(v any) (text []byte, err error) {
	var buf bytes.Buffer
	o := guard.Run(context.Background(), func() {
		e := json.NewEncoder(&buf)
		e.SetEscapeHTML(false)
		err = e.Encode(v)
	})
	if !o.OK() {
		err = errors.New("its MarshalJSON panicked: " + o.Panic)
	}
	return buf.Bytes(), err
}

func (w *wireWriter) values(name string, at *map[string]any, order *[]string) {
	w.name(name)
	w.out = append(w.out, '{')
	w.path.push(name)
	for _, key := range orderedKeys(*at, *order) {
		w.freeName(key)
		w.anything(key, (*at)[key], deepestValue-1)
	}
	w.path.pop()
	w.out = append(w.out, '}')
}

// orderedKeys returns the keys of m: those in order first, then the others by
// name.
func orderedKeys(m map[string]any, order []string) []string {
	keys := make([]string, 0, len(m))
	listed := make(map[string]bool, len(order))
	for _, key := range order {
		if _, ok := m[key]; ok {
			keys = append(keys, key)
			listed[key] = true
		}
	}
	rest := len(keys)
	for key := range m {
		if !listed[key] {
			keys = append(keys, key)
		}
	}
	sort.Strings(keys[rest:])
	return keys
}

func (w *wireWriter) one(name, former string, at wireValue) {
	w.name(name)
	w.known = append(w.known, former)
	w.path.push(name)
	w.value(at)
	w.path.pop()
}

func (w *wireWriter) list(name string, items wireList, _ need) {
	w.name(name)
	w.out = append(w.out, '[')
	w.path.push(name)
	for i := range items.len() {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.path.pushItem(i)
		w.value(items.at(i))
		w.path.pop()
	}
	w.path.pop()
	w.out = append(w.out, ']')
}

func (w *wireWriter) computed(name string, value func() bool) {
	w.name(name)
	w.out = strconv.AppendBool(w.out, value())
}

func (w *wireWriter) rest(at *[]WireMember) {
	if !w.relay {
		return
	}
	taken := make(map[string]bool, len(w.known)+len(*at))
	for _, name := range w.known {
		taken[name] = true
	}
	for _, m := range *at {
		if taken[m.Name] {
			w.fail(m.Name, errors.New("another member has the name"))
			return
		}
		taken[m.Name] = true
		w.freeName(m.Name)
		if len(m.Value) == 0 {
			w.null()
			continue
		}
		w.raw(m.Name, m.Value, deepestValue)
	}
}
