package python

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
)

// Both the files recorded with the other implementations and those of generate.py are answers of CPython 3.11.

func TestNumbersReadAsInCPython(t *testing.T) {
	type result struct {
		OK    bool
		Value json.RawMessage
	}
	for _, file := range []string{"python_numbers.jsonl", "more_numbers.jsonl"} {
		eachRow(t, file, func(t *testing.T, row struct {
			In               string
			Int, Float, Bool result
		}) {
			digits, ok := Int(row.In)
			if ok != row.Int.OK || ok && digits != unquote(row.Int.Value) {
				t.Errorf("Int(%q) = %q, %v; CPython says %v %s", row.In, digits, ok, row.Int.OK, row.Int.Value)
			}
			f, ok := Float(row.In)
			if ok != row.Float.OK || ok && FloatRepr(f) != unquote(row.Float.Value) {
				t.Errorf("Float(%q) = %v, %v; CPython says %v %s", row.In, f, ok, row.Float.OK, row.Float.Value)
			}
			b, ok := Bool(row.In)
			if ok != row.Bool.OK || ok && strconv.FormatBool(b) != string(row.Bool.Value) {
				t.Errorf("Bool(%q) = %v, %v; CPython says %v %s", row.In, b, ok, row.Bool.OK, row.Bool.Value)
			}
		})
	}
}

func TestLiteralsReadAsInCPython(t *testing.T) {
	for _, file := range []string{"python_literals.jsonl", "more_literals.jsonl"} {
		eachRow(t, file, checkLiteral)
	}
}

type literalRow struct {
	In     string
	OK     bool
	IsList bool `json:"is_list"`
	Value  json.RawMessage
	Str    []json.RawMessage
	Repr   json.RawMessage
}

func checkLiteral(t *testing.T, row literalRow) {
	got, err := Literal(row.In)
	if (err == nil) != row.OK {
		t.Errorf("Literal(%q) = %v, %v; CPython accepts: %v", row.In, Repr(got), err, row.OK)
	}
	if err != nil || !row.OK {
		return
	}
	want := untag(t, row.Value)
	if !same(want, got) {
		t.Errorf("Literal(%q) = %s; CPython says %s", row.In, Repr(got), Repr(want))
	}
	if row.IsList != (got.Kind == KindList) {
		t.Errorf("Literal(%q) is a %v; CPython says it is a list: %v", row.In, got.Kind, row.IsList)
	}
	for i, text := range row.Str {
		if i < len(got.Items) && Str(got.Items[i]) != unquote(text) {
			t.Errorf("Str of item %d of %q = %q, CPython says %s", i, row.In, Str(got.Items[i]), text)
		}
	}
	if len(row.Repr) > 0 && string(row.Repr) != "null" && Repr(got) != unquote(row.Repr) {
		t.Errorf("Repr of %q = %q, CPython says %s", row.In, Repr(got), row.Repr)
	}
}

// same compares values, sets without regard to order, which in Python is that of the hashes. (cmp.Diff would take a time that
// doubles with every bracket.)
func same(a, b Value) bool {
	if a.Kind == KindSet {
		a.Items, b.Items = sorted(a.Items), sorted(b.Items)
	}
	return a.Kind == b.Kind && a.Text == b.Text && slices.EqualFunc(a.Items, b.Items, same) && slices.EqualFunc(a.Keys, b.Keys, same)
}

func sorted(set []Value) []Value {
	return slices.SortedFunc(slices.Values(set), func(a, b Value) int { return strings.Compare(Repr(a), Repr(b)) })
}

func eachRow[Row any](t *testing.T, file string, check func(*testing.T, Row)) {
	t.Helper()
	in, err := os.Open(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<22)
	n := 0
	for ; lines.Scan(); n++ {
		var row Row
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%s:%d: %v", file, n+1, err)
		}
		check(t, row)
	}
	if lines.Err() != nil || n == 0 {
		t.Fatalf("%s: %d rows, %v", file, n, lines.Err())
	}
}

// untag turns the tagged JSON of the recorded files into a Value.
func untag(t *testing.T, raw json.RawMessage) Value {
	t.Helper()
	decode := func(into any) {
		if err := json.Unmarshal(raw, into); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
	}
	list := func(kind Kind, raws []json.RawMessage) Value {
		v := Value{Kind: kind}
		for _, item := range raws {
			v.Items = append(v.Items, untag(t, item))
		}
		return v
	}
	switch raw[0] {
	case 'n':
		return Value{}
	case 't', 'f':
		return BoolValue(raw[0] == 't')
	case '"':
		return Value{Kind: KindString, Text: unquote(raw)}
	case '[':
		var items []json.RawMessage
		decode(&items)
		return list(KindList, items)
	}
	var tag struct {
		Int      *string              `json:"$int"`
		Float    *string              `json:"$float"`
		Complex  *string              `json:"$complex"`
		Bytes    *string              `json:"$bytes"`
		Ellipsis bool                 `json:"$ellipsis"`
		Tuple    []json.RawMessage    `json:"$tuple"`
		Set      []json.RawMessage    `json:"$set"`
		Dict     [][2]json.RawMessage `json:"$dict"`
	}
	decode(&tag)
	switch {
	case tag.Int != nil:
		return Value{Kind: KindInt, Text: *tag.Int}
	case tag.Float != nil:
		return Value{Kind: KindFloat, Text: *tag.Float}
	case tag.Complex != nil:
		return Value{Kind: KindComplex, Text: *tag.Complex}
	case tag.Bytes != nil:
		content, err := hex.DecodeString(*tag.Bytes)
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		return Value{Kind: KindBytes, Text: string(content)}
	case tag.Ellipsis:
		return Value{Kind: KindEllipsis}
	case tag.Tuple != nil:
		return list(KindTuple, tag.Tuple)
	case tag.Set != nil:
		return list(KindSet, tag.Set)
	case tag.Dict != nil:
		v := Value{Kind: KindDict}
		for _, pair := range tag.Dict {
			v.Keys = append(v.Keys, untag(t, pair[0]))
			v.Items = append(v.Items, untag(t, pair[1]))
		}
		return v
	}
	t.Fatalf("unknown tag: %s", raw)
	return Value{}
}

// unquote reads a JSON string and, unlike encoding/json, keeps lone surrogates.
func unquote(raw json.RawMessage) string {
	body := raw[1 : len(raw)-1]
	var out []byte
	for len(body) > 0 {
		if body[0] != '\\' {
			out = append(out, body[0])
			body = body[1:]
			continue
		}
		if body[1] != 'u' {
			out = append(out, map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}[body[1]])
			body = body[2:]
			continue
		}
		r := hexRune(body)
		body = body[6:]
		if low := hexRune(body); utf16.IsSurrogate(r) && utf16.DecodeRune(r, low) != '\uFFFD' {
			r = utf16.DecodeRune(r, low)
			body = body[6:]
		}
		out = appendRune(out, r)
	}
	return string(out)
}

func hexRune(escape []byte) rune {
	if len(escape) < 6 || escape[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(escape[2:6]), 16, 32)
	if err != nil {
		return -1
	}
	return rune(n)
}
