package python

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFloatReprIsThatOfPython(t *testing.T) {
	for want, f := range map[string]float64{
		"0.0": 0, "-0.0": math.Copysign(0, -1), "1.0": 1, "-2.5": -2.5, "0.1": 0.1, "100000.0": 1e5,
		"1000000000000000.0": 1e15, "9999999999999998.0": 9999999999999998, "1e+16": 1e16, "1.2345678901234568e+29": 123456789012345678901234567890,
		"0.0001": 1e-4, "9.999999999999999e-05": 9.999999999999999e-05, "1e-05": 1e-5, "5e-324": 5e-324, "1.7976931348623157e+308": math.MaxFloat64,
		"inf": math.Inf(1), "-inf": math.Inf(-1), "nan": math.NaN(),
	} {
		if got := FloatRepr(f); got != want {
			t.Errorf("FloatRepr(%g) = %s, want %s", f, got, want)
		}
	}
}

func TestFloatReprReadsBackAsTheSameFloat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Draw(t, "f")
		if got, ok := Float(FloatRepr(f)); !ok || math.Float64bits(got) != math.Float64bits(f) {
			t.Errorf("%v is written %s and read %v", f, FloatRepr(f), got)
		}
	})
}

func TestStrRendersAStringAsItselfAndAllElseAsRepr(t *testing.T) {
	text := func(s string) Value { return Value{Kind: KindString, Text: s} }
	number := Value{Kind: KindInt, Text: "5"}
	for _, c := range []struct {
		v         Value
		str, repr string
	}{
		{text("it's"), "it's", `"it's"`},
		{text(`it's "x"`), `it's "x"`, `'it\'s "x"'`},
		{text("a\n\t\r\\\x00\x7f\u0085\u00ad"), "a\n\t\r\\\x00\x7f\u0085\u00ad", `'a\n\t\r\\\x00\x7f\x85\xad'`},
		{text("é中😀\u2028\U000e0001"), "é中😀\u2028\U000e0001", `'é中😀\u2028\U000e0001'`},
		{Value{}, "None", "None"},
		{BoolValue(true), "True", "True"},
		{BoolValue(false), "False", "False"},
		{number, "5", "5"},
		{Value{Kind: KindFloat, Text: FloatRepr(1)}, "1.0", "1.0"},
		{Value{Kind: KindEllipsis}, "Ellipsis", "Ellipsis"},
		{Value{Kind: KindBytes, Text: "y\xff'"}, `b"y\xff'"`, `b"y\xff'"`},
		{Value{Kind: KindList, Items: []Value{text("a"), text("b")}}, "['a', 'b']", "['a', 'b']"},
		{Value{Kind: KindTuple}, "()", "()"},
		{Value{Kind: KindTuple, Items: []Value{number}}, "(5,)", "(5,)"},
		{Value{Kind: KindSet}, "set()", "set()"},
		{Value{Kind: KindSet, Items: []Value{number, text("x")}}, "{5, 'x'}", "{5, 'x'}"},
		{Value{Kind: KindDict}, "{}", "{}"},
		{Value{Kind: KindDict, Keys: []Value{text("k"), number}, Items: []Value{number, {}}}, "{'k': 5, 5: None}", "{'k': 5, 5: None}"},
	} {
		if got := Str(c.v); got != c.str {
			t.Errorf("Str = %q, want %q", got, c.str)
		}
		if got := Repr(c.v); got != c.repr {
			t.Errorf("Repr = %q, want %q", got, c.repr)
		}
	}
}

// A string made in Go can hold what no Python source can; rendering it must not fail.
func TestReprWritesStrayBytesAsSurrogateEscapes(t *testing.T) {
	if got, want := Repr(Value{Kind: KindString, Text: "a\xff\xed\xa0\xe2\x82"}), `'a\udcff\udced\udca0\udce2\udc82'`; got != want {
		t.Errorf("Repr = %s, want %s", got, want)
	}
}

func TestReprOfValuesNestedBeyondReasonEnds(t *testing.T) {
	v := Value{Kind: KindList}
	for range 1_000_000 {
		v = Value{Kind: KindList, Items: []Value{v}}
	}
	if got := Repr(v); !strings.Contains(got, "[...]") || len(got) > 3*maxReprDepth {
		t.Errorf("%d bytes", len(got))
	}
}

func TestLiteralReadsBackWhatReprWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyValue(3).Draw(t, "value")
		got, err := Literal(Repr(v))
		if err != nil || !same(v, got) {
			t.Errorf("%s is read as %s, %v", Repr(v), Repr(got), err)
		}
	})
}

// anyValue draws values of every kind that has a literal.
func anyValue(depth int) *rapid.Generator[Value] {
	kinds := []*rapid.Generator[Value]{anyAtom()}
	if depth > 0 {
		kinds = append(kinds, anyContainer(depth))
	}
	return rapid.OneOf(kinds...)
}

func anyAtom() *rapid.Generator[Value] {
	return rapid.Custom(func(t *rapid.T) Value {
		switch kind := Kind(rapid.IntRange(int(KindNone), int(KindBytes)).Draw(t, "kind")); kind {
		case KindBool:
			return BoolValue(rapid.Bool().Draw(t, "bool"))
		case KindInt:
			digits, _ := Int(rapid.StringMatching(`-?[0-9]{1,30}`).Draw(t, "int"))
			return Value{Kind: kind, Text: digits}
		case KindFloat:
			return Value{Kind: kind, Text: FloatRepr(rapid.Float64().Draw(t, "float"))}
		case KindComplex:
			return Value{Kind: kind, Text: complexRepr(rapid.Float64().Draw(t, "re")+0, rapid.Float64Range(1e-9, 1e9).Draw(t, "im"))}
		case KindString:
			return Value{Kind: kind, Text: rapid.String().Draw(t, "string")}
		case KindBytes:
			return Value{Kind: kind, Text: string(rapid.SliceOfN(rapid.Byte(), 0, 8).Draw(t, "bytes"))}
		}
		return Value{}
	})
}

func anyContainer(depth int) *rapid.Generator[Value] {
	return rapid.Custom(func(t *rapid.T) Value {
		kind := Kind(rapid.IntRange(int(KindList), int(KindDict)).Draw(t, "kind"))
		v := Value{Kind: kind}
		if kind == KindSet {
			v.Items = rapid.SliceOfN(anyAtom(), 0, 4).Draw(t, "items")
		} else {
			v.Items = rapid.SliceOfN(anyValue(depth-1), 0, 4).Draw(t, "items")
		}
		if kind == KindDict {
			v.Keys = rapid.SliceOfN(anyAtom(), len(v.Items), len(v.Items)).Draw(t, "keys")
		}
		if kind == KindSet || kind == KindDict {
			v.dropDuplicates()
		}
		return v
	})
}
