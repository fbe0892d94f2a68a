package jsontree

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestEveryFaultHasItsOwnKindAndPlace(t *testing.T) {
	tests := []struct {
		text     string
		kind     FaultKind
		path     string
		expected string
	}{
		{"", Empty, "", ""},
		{" \n", Empty, "", ""},
		{`{"a":1`, Cut, "", "a comma or }"},
		{`{"a":`, Cut, "a", "a value"},
		{`{"a":tr`, Cut, "a", "true"},
		{`{"a":"x`, Cut, "a", "the closing quote of a string"},
		{`{"a":"x\`, Cut, "a", "the rest of an escape"},
		{`{"a":"\u00`, Cut, "a", `four hexadecimal digits after \u`},
		{`{"a":"\ud83d\u`, Cut, "a", `four hexadecimal digits after \u`},
		{`{"a":-`, Cut, "a", "a digit"},
		{`{"a":1.`, Cut, "a", "a digit"},
		{`{"a":[1,{"b c":[0,`, Cut, `a[1]["b c"][1]`, "a value"},
		{`{`, Cut, "", "a member name in double quotes"},
		{`{"a"`, Cut, "", "a colon"},
		{`{"a":1}{"a":2}`, Trailing, "", "the end"},
		{"```json\n{}\n```", Malformed, "", "a value"},
		{`{'a':1}`, Malformed, "", "a member name in double quotes"},
		{`{"a":1,}`, Malformed, "", "a member name in double quotes"},
		{`[1,]`, Malformed, "[1]", "a value"},
		{`{"a":NaN}`, Malformed, "a", "a value"},
		{`{"a":01}`, Malformed, "", "a comma or }"},
		{`{"a":"b` + "\n" + `c"}`, Malformed, "a", "no raw control character inside a string"},
		{`{"a":"\x"}`, Malformed, "a", `an escape such as \n, \" or \u0041`},
		{`{"a":1,"b":{"c":1,"c":2}}`, Repeated, "b", ""},
		{`{"a":1,"\u0061":2}`, Repeated, "", ""},
		{"{\"a\":\"\xff\"}", BadUTF8, "a", ""},
		{`{"a":"\ud800"}`, BadUTF8, "a", `four hexadecimal digits after \u`},
		{`{"a":"\ud800\u0041"}`, BadUTF8, "a", `four hexadecimal digits after \u`},
		{strings.Repeat("[", 513), TooDeep, strings.Repeat("[0]", 16), ""},
		{strings.Repeat(`{"a":`, 100_000), TooDeep, strings.TrimSuffix(strings.Repeat("a.", 16), "."), ""},
		{strings.Repeat(" ", 1<<20+1), TooLong, "", ""},
	}
	for _, tt := range tests {
		_, fault := Parse(tt.text, Limits{Bytes: 1 << 20}, nil)
		if fault == nil {
			t.Errorf("%.40q is accepted", tt.text)
			continue
		}
		if fault.Kind != tt.kind || fault.Path != tt.path || fault.Expected != tt.expected {
			t.Errorf("%.40q: kind %d path %q expected %q, want %d %q %q", tt.text, fault.Kind, fault.Path, fault.Expected, tt.kind, tt.path, tt.expected)
		}
	}
}

func TestManyMembersFindTheirRepeatedName(t *testing.T) {
	var b strings.Builder
	b.WriteString("{")
	for i := range 10_000 {
		b.WriteString(`"k` + strings.Repeat("x", i%7) + string(AppendString(nil, string(rune(0x100+i))))[1:] + `:0,`)
	}
	ok := b.String() + `"last":1}`
	if _, fault := Parse(ok, Limits{}, nil); fault != nil {
		t.Fatal(fault)
	}
	twice := b.String() + `"kĀ":1}`
	if _, fault := Parse(twice, Limits{}, nil); fault == nil || fault.Kind != Repeated || fault.Name != "kĀ" {
		t.Fatalf("fault %v, want the repeated name", fault)
	}
}

func TestNumbersAndUntouchedTextKeepTheirBytes(t *testing.T) {
	const text = `{"id": 9007199254740993, "r": [1.10, 1E+2], "s": "a\/b"}`
	doc, fault := Parse(text, Limits{}, nil)
	if fault != nil {
		t.Fatal(fault)
	}
	if got := doc.Root.JSON(); got != text {
		t.Errorf("document is %s", got)
	}
	doc.Root.Raw = ""
	doc.Root.Get("s").Raw = ""
	if got, want := doc.Root.JSON(), `{"id":9007199254740993,"r":[1.10, 1E+2],"s":"a/b"}`; got != want {
		t.Errorf("changed document is %s, want %s", got, want)
	}
}

func TestAnArenaIsReusedWithoutMixingDocuments(t *testing.T) {
	arena := new(Arena)
	first, _ := Parse(`{"a":["x",{"b":"y"}],"c":{}}`, Limits{}, arena)
	if got := first.Root.Get("a").Items[1].Get("b").Text; got != "y" {
		t.Fatalf("got %q", got)
	}
	arena.Reset()
	if allocs := testing.AllocsPerRun(100, func() {
		arena.Reset()
		Parse(`{"a":["x",{"b":"y"}],"c":{}}`, Limits{}, arena)
	}); allocs != 0 {
		t.Errorf("reading with an arena allocates %v times", allocs)
	}
}

// plain turns a tree into what encoding/json makes of the same text.
func plain(v *Value) any {
	switch v.Kind {
	case Bool:
		return v.True
	case Number:
		return json.Number(v.Text)
	case String:
		return v.Text
	case List:
		out := []any{}
		for i := range v.Items {
			out = append(out, plain(&v.Items[i]))
		}
		return out
	case Object:
		out := map[string]any{}
		for i := range v.Members {
			out[v.Members[i].Name] = plain(&v.Members[i].Value)
		}
		return out
	}
	return nil
}

func agreesWithStandardLibrary(t interface{ Fatalf(string, ...any) }, text string) {
	doc, fault := Parse(text, Limits{Depth: 10_000}, nil)
	valid := json.Valid([]byte(text))
	if fault != nil {
		stricter := fault.Kind == Repeated || fault.Kind == BadUTF8
		if valid && !stricter {
			t.Fatalf("%q is refused: %v", text, fault)
		}
		return
	}
	if !valid {
		t.Fatalf("%q is accepted and is not JSON", text)
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var want any
	if err := dec.Decode(&want); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if got := plain(&doc.Root); !reflect.DeepEqual(got, want) {
		t.Fatalf("%q reads as %v, want %v", text, got, want)
	}
	doc.Root.Raw = ""
	again, fault := Parse(doc.Root.JSON(), Limits{Depth: 10_000}, nil)
	if fault != nil || !reflect.DeepEqual(plain(&again.Root), want) {
		t.Fatalf("%q does not survive writing: %v", text, fault)
	}
}

func TestAgreesWithTheStandardLibrary(t *testing.T) {
	token := rapid.SampledFrom([]string{"{", "}", "[", "]", ",", ":", `"a"`, `"b"`, `""`, `"\u00e9"`, `"é"`, "1", "-0.5e3", "true", "null", " ", `"\ud83d\ude00"`, `"&amp;"`, "\"\x00\"", "0", "x"})
	rapid.Check(t, func(t *rapid.T) {
		agreesWithStandardLibrary(t, strings.Join(rapid.SliceOfN(token, 0, 12).Draw(t, "tokens"), ""))
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e3,"x\n\u00e9",null,true]}`, `{"a":1,"a":2}`, `["\ud83d\ude00"]`, `{"a":"&amp;"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { agreesWithStandardLibrary(t, text) })
}

func BenchmarkParse(b *testing.B) {
	const text = `{"order_id":"ORD-123456","note":"please leave at the door","qty":3,"price":19.99,"status":"pending","tags":["gift","fragile","express"]}`
	arena := new(Arena)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		arena.Reset()
		if _, fault := Parse(text, Limits{}, arena); fault != nil {
			b.Fatal(fault)
		}
	}
}
