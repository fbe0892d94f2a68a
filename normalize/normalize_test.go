package normalize

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fwgo/fwgo/internal/jsontree"
)

func compile(t testing.TB, schema string, o Options) *Normalizer {
	t.Helper()
	n, err := Compile([]byte(schema), o)
	if err != nil {
		t.Fatalf("schema %s: %v", schema, err)
	}
	return n
}

func run(t testing.TB, n *Normalizer, arguments string) Result {
	t.Helper()
	result, err := n.Arguments([]byte(arguments))
	if err != nil {
		t.Fatalf("%s: %v", arguments, err)
	}
	return result
}

func TestRecordedOutcomes(t *testing.T) {
	f, err := os.Open("testdata/rt_tool_8.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	lines.Scan()
	var head struct{ Schema json.RawMessage }
	if err := json.Unmarshal(lines.Bytes(), &head); err != nil {
		t.Fatal(err)
	}
	n := compile(t, string(head.Schema), Options{})
	cases := 0
	for lines.Scan() {
		cases++
		var c struct{ Args, Want json.RawMessage }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		result := run(t, n, string(c.Args))
		if !sameValue(read(t, result.Arguments), read(t, c.Want)) {
			t.Errorf("%s becomes %s, want %s", c.Args, result.Arguments, c.Want)
		}
	}
	if lines.Err() != nil || cases != 672 {
		t.Errorf("%d cases, %v", cases, lines.Err())
	}
}

// What was repaired, in which way, and the bytes of the rest.
func TestRepairsAreReportedAndTheRestKeepsItsBytes(t *testing.T) {
	const schema = `{"type":"object","properties":{
		"title":{"type":"string"}, "ops":{"type":"array"}, "cfg":{"type":"object"},
		"code":{"type":"string","references":"raw"}, "page":{"type":"object","references":"once"}}}`
	n := compile(t, schema, Options{})
	tests := []struct {
		in, want string
		repairs  []Repair
	}{
		{
			`{"title": "Ember &amp;amp; Oak", "n": 1.0e2}`, `{"title":"Ember & Oak","n":1.0e2}`,
			[]Repair{{"title", RepairReferences, 2}},
		},
		{
			`{"ops": "[1, 2.0,{\"a\":  12345678901234567890}]", "cfg": {"x" : [ 1e400 ] }}`,
			`{"ops":[1,2.0,{"a":  12345678901234567890}],"cfg":{"x" : [ 1e400 ] }}`,
			[]Repair{{"ops", RepairJSON, 0}},
		},
		{
			`{"cfg":"{\"a b\":[\"x\",\"&lt;\"]}","ops":[["&amp;lt;"]]}`, `{"cfg":{"a b":["x","<"]},"ops":[["<"]]}`,
			[]Repair{{"cfg", RepairJSON, 0}, {`cfg["a b"][1]`, RepairReferences, 1}, {"ops[0][0]", RepairReferences, 2}},
		},
		{ // The & is written as an escape inside the text: no '&' in the document as read.
			`{"ops":"[\"\\u0026lt;\"]"}`, `{"ops":["<"]}`,
			[]Repair{{"ops", RepairJSON, 0}, {"ops[0]", RepairReferences, 1}},
		},
		{ // No second attempt at repair 1 (N-14).
			`{"ops":"[&quot;a&quot;]"}`, `{"ops":"[\"a\"]"}`,
			[]Repair{{"ops", RepairReferences, 1}},
		},
		{ // Policies hold for all of a parameter, also for what its text held (N-15).
			`{"code":"&amp;lt;","page":"{\"p\":[\"&amp;lt;\"]}","other":"&amp;lt;"}`, `{"code":"&amp;lt;","page":{"p":["&lt;"]},"other":"<"}`,
			[]Repair{{"page", RepairJSON, 0}, {"page.p[0]", RepairReferences, 1}, {"other", RepairReferences, 2}},
		},
		{ // Unknown parameters have their strings decoded too; names never are (N-11).
			`{"R&amp;D":{"&lt;":"&lt;"}}`, `{"R&amp;D":{"&lt;":"<"}}`,
			[]Repair{{`R&amp;D["&lt;"]`, RepairReferences, 1}},
		},
		{ // Decoded text is written as JSON again.
			`{"title":"&quot;&#92;&#10;&#1;\u00e9"}`, `{"title":"\"\\\n\u0001é"}`,
			[]Repair{{"title", RepairReferences, 1}},
		},
	}
	for _, tt := range tests {
		result := run(t, n, tt.in)
		if string(result.Arguments) != tt.want {
			t.Errorf("%s\nbecomes %s\nwant    %s", tt.in, result.Arguments, tt.want)
		}
		if diff := cmp.Diff(tt.repairs, result.Repairs); diff != "" {
			t.Errorf("%s: repairs (-want +got)\n%s", tt.in, diff)
		}
	}
}

func TestNothingToRepairIsHandedThrough(t *testing.T) {
	n := compile(t, `{"type":"object","properties":{"ops":{"type":"array"},"s":{"type":"string"}}}`, Options{})
	for _, in := range []string{
		`{}`, ` { "a" : 1.0 , "b":"\u0026" } `, `{"ops":[1, "2"],"s":"[1]"}`, `{"ops":"{\"op\":\"add\"}"}`, `{"s":"a && b; &copy=1"}`,
		`{"ops":"[1,"}`, `{"ops":"[1]]"}`, `{"ops":"` + "```json\\n[1]\\n```" + `"}`, `{"ops":"[{\"a\":1,\"a\":2}]"}`, `{"ops":"[\"\\ud800\"]"}`,
		`{"ops":"\ufeff[1]"}`, `{"ops":"[1]\u00a0"}`, `{"ops":"['a']"}`, `{"ops":"[01]"}`, `{"ops":"[\"a\nb\"]"}`, `{"ops":"[1] // one"}`, `{"ops":"["}`, `{"ops":" "}`,
		`{"ops":"\"[1]\""}`, `{"ops":null}`, `{"OPS":"[1]"}`,
	} {
		raw := []byte(in)
		result, err := n.Arguments(raw)
		if err != nil || len(result.Repairs) > 0 || string(result.Arguments) != in || &result.Arguments[0] != &raw[0] {
			t.Errorf("%s becomes %s %v %v", in, result.Arguments, result.Repairs, err)
		}
	}
}

func TestNestedReachesWhatTheSchemaDeclaresInside(t *testing.T) {
	const schema = `{"type":"object",
		"$defs":{"Node":{"type":"object","properties":{"label":{"type":"string"},"tags":{"type":"array"},
			"next":{"anyOf":[{"$ref":"#/$defs/Node"},{"type":"null"}]}}}},
		"properties":{
			"calls":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"args":{"type":"object","additionalProperties":true}}}},
			"map":{"type":"object","additionalProperties":{"type":"array"}},
			"pair":{"type":"array","prefixItems":[{"type":"string"},{"type":"array"}],"items":{"type":"object"}},
			"old":{"type":"array","items":[{"type":"string"},{"type":"array"}],"additionalItems":{"type":"object"}},
			"node":{"$ref":"#/$defs/Node"},
			"pets":{"type":"array","items":{"anyOf":[
				{"type":"object","properties":{"kind":{"const":"cat"},"toys":{"type":"array"},"name":{"type":"string"}}},
				{"type":"object","properties":{"kind":{"const":"dog"},"toys":{"type":["array","null"]},"name":{"type":"array"},"tricks":{"type":"array"}}}]}},
			"page":{"type":"object","references":"once","properties":{"html":{"type":"string","references":"raw"},"alt":{"references":"decode"}}},
			"code":{"type":"object","references":"raw","properties":{"title":{"references":"decode"}}},
			"either":{"type":"array","items":{"anyOf":[{"type":"object","properties":{"x":{"references":"raw"}}},{"type":"object","properties":{"x":{"references":"once"}}}]}},
			"other":{}}}`
	nested, flat := compile(t, schema, Options{Nested: true}), compile(t, schema, Options{})
	tests := []struct {
		in, want, flat string
	}{
		{`{"calls":"[{\"name\":\"{}\",\"args\":\"{\\\"h\\\":\\\"[1]\\\"}\"}]"}`, `{"calls":[{"name":"{}","args":{"h":"[1]"}}]}`, `{"calls":[{"name":"{}","args":"{\"h\":\"[1]\"}"}]}`},
		{`{"map":{"a":"[1]","b":"{}"}}`, `{"map":{"a":[1],"b":"{}"}}`, ""},
		{`{"pair":["[1]","[1]","{}","[]"]}`, `{"pair":["[1]",[1],{},"[]"]}`, ""},
		{`{"old":["[1]","[1]","{}","[]"]}`, `{"old":["[1]",[1],{},"[]"]}`, ""},
		{`{"node":{"next":{"next":"{\"tags\":\"[1]\"}","label":"[1]"}}}`, `{"node":{"next":{"next":{"tags":[1]},"label":"[1]"}}}`, ""},
		// Both kinds of pet declare toys a list; one has a name that is a
		// string, and one may have any tricks.
		{`{"pets":[{"toys":"[1]","name":"[1]","tricks":"[1]"}]}`, `{"pets":[{"toys":[1],"name":"[1]","tricks":"[1]"}]}`, ""},
		{`{"page":{"html":"&amp;lt;","alt":["&amp;lt;"],"p":"&amp;lt;"}}`, `{"page":{"html":"&amp;lt;","alt":["<"],"p":"&lt;"}}`, `{"page":{"html":"&lt;","alt":["&lt;"],"p":"&lt;"}}`},
		{`{"code":{"title":"&lt;","text":"&lt;"}}`, `{"code":{"title":"<","text":"&lt;"}}`, ""},
		{`{"either":[{"x":"&lt;"}]}`, `{"either":[{"x":"&lt;"}]}`, `{"either":[{"x":"<"}]}`},
		{`{"other":{"calls":"[1]"},"unknown":{"calls":"[1]"}}`, "", ""},
	}
	for _, tt := range tests {
		if tt.want == "" {
			tt.want = tt.in
		}
		if tt.flat == "" {
			tt.flat = tt.in
		}
		if got := run(t, nested, tt.in).Arguments; string(got) != tt.want {
			t.Errorf("%s\nbecomes %s\nwant    %s", tt.in, got, tt.want)
		}
		if got := run(t, flat, tt.in).Arguments; string(got) != tt.flat {
			t.Errorf("not nested: %s\nbecomes %s\nwant    %s", tt.in, got, tt.flat)
		}
	}
}

func TestKeepNonCharacters(t *testing.T) {
	const in, lost = `{"note":"bad &#xD800; and &#55296; and &#0; end &lt;"}`, "bad \ufffd and \ufffd and \ufffd end <"
	if got := run(t, compile(t, `{}`, Options{}), in).Arguments; string(got) != `{"note":"`+lost+`"}` {
		t.Errorf("decoded to %s", got)
	}
	if got, want := run(t, compile(t, `{}`, Options{KeepNonCharacters: true}), in).Arguments, `{"note":"bad &#xD800; and &#55296; and &#0; end <"}`; string(got) != want {
		t.Errorf("kept as %s", got)
	}
}

// Whatever can be wrong with arguments has a kind of its own and a place (N-17).
func TestBadInputIsAnsweredWithItsKindAndPlace(t *testing.T) {
	n := compile(t, `{"type":"object","properties":{"a":{"type":"array"}}}`, Options{MaxBytes: 1 << 20})
	tests := []struct {
		name, in string
		want     Error
	}{
		{"nothing", "", Error{Kind: Empty}},
		{"white space", " \r\n\t", Error{Kind: Empty, Offset: 4}},
		{"a list", " [1]", Error{Kind: NotObject, Offset: 1, Expected: "an object"}},
		{"null", "null", Error{Kind: NotObject, Expected: "an object"}},
		{"a text that holds an object", `"{\"a\":1}"`, Error{Kind: NotObject, Expected: "an object"}},
		{"a bare text", "cd app && ls", Error{Kind: Malformed, Expected: "a value"}},
		{"cut off in a string", `{"a":"x`, Error{Kind: CutOff, Offset: 7, Path: "a", Expected: "the closing quote of a string"}},
		{"cut off after a value", `{"a":[1`, Error{Kind: CutOff, Offset: 7, Path: "a", Expected: "a comma or ]"}},
		{"two objects", `{"a":1}{"a":2}`, Error{Kind: Trailing, Offset: 7, Expected: "the end"}},
		{"a fence", "```json\n{}\n```", Error{Kind: Malformed, Expected: "a value"}},
		{"a trailing comma", `{"a":1,}`, Error{Kind: Malformed, Offset: 7, Expected: "a member name in double quotes"}},
		{"a repeated name", `{"a":1,"b":{"c":1,"\u0063":2}}`, Error{Kind: Repeated, Offset: 18, Path: "b", Name: "c"}},
		{"bytes that are no UTF-8", "{\"a\":\"x\xff\"}", Error{Kind: BadUTF8, Offset: 6, Path: "a"}},
		{"half a surrogate pair", `{"a":"\ud800"}`, Error{Kind: BadUTF8, Offset: 6, Path: "a", Expected: `four hexadecimal digits after \u`}},
		{"a line break in a string", "{\"a\":\"x\ny\"}", Error{Kind: Control, Offset: 7, Path: "a", Expected: "no raw control character inside a string"}},
		{"a line break in a string with quotes", "{\"a\":\"\\\"x\ny\"}", Error{Kind: Control, Offset: 9, Path: "a", Expected: "no raw control character inside a string"}},
		{"a NUL in a name", "{\"a\x00\":1}", Error{Kind: Control, Offset: 3, Expected: "no raw control character inside a string"}},
		{"a NUL for a value", "{\"a\":\x00}", Error{Kind: Control, Offset: 5, Path: "a", Expected: "a value"}},
		{"a line break in a number", "{\"a\":1.\n2}", Error{Kind: Malformed, Offset: 7, Path: "a", Expected: "a digit"}},
		{"100,000 levels", strings.Repeat(`{"a":`, 100_000), Error{Kind: TooDeep, Offset: 5 * 512, Path: "a" + strings.Repeat(".a", 15), Limit: 512}},
		{"10 MB", `{"a":"` + strings.Repeat("x", 10<<20) + `"}`, Error{Kind: TooLong, Offset: 1 << 20, Limit: 1 << 20}},
	}
	for _, tt := range tests {
		raw := []byte(tt.in)
		result, err := n.Arguments(raw)
		var got *Error
		if !errors.As(err, &got) {
			t.Errorf("%s: %s %v", tt.name, result.Arguments, err)
			continue
		}
		tt.want.Document = "arguments"
		if diff := cmp.Diff(tt.want, *got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, diff)
		}
		if len(err.Error()) > 400 || !strings.Contains(err.Error(), string(tt.want.Kind)) {
			t.Errorf("%s: error text %q", tt.name, err)
		}
		if string(raw) != tt.in || result.Arguments != nil || result.Repairs != nil {
			t.Errorf("%s: changed its input or gave a result", tt.name)
		}
	}
}

func TestTooManyValuesHaveAKindOfTheirOwn(t *testing.T) {
	const text = `{"a":[1,2],"b":"[1,2,3]"}`
	_, fault := jsontree.Parse(text, jsontree.Limits{}, &jsontree.Arena{Most: 3})
	if fault == nil {
		t.Fatal("no fault")
	}
	want := Error{Document: "arguments", Kind: TooMany, Offset: 8, Path: "a[1]", Limit: 3}
	if diff := cmp.Diff(want, *faultError("arguments", text, fault)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	// What a text holds counts as well; too much of it stays text.
	n := compile(t, `{"properties":{"b":{"type":"array"}}}`, Options{})
	for most, want := range map[int]string{9: `{"a":[1,2],"b":[1,2,3]}`, 8: text} {
		arena := &jsontree.Arena{Most: most}
		doc := parse(t, text, arena)
		n.Tree(&doc, arena)
		if got := doc.Root.JSON(); got != want {
			t.Errorf("with %d values: %s, want %s", most, got, want)
		}
	}
}

func TestBadSchemasAreTheOnlyOnesRefused(t *testing.T) {
	for in, kind := range map[string]ErrorKind{
		``: Empty, `true`: NotObject, `[]`: NotObject, `"{}"`: NotObject, `{"type":`: CutOff, `{"type":"a","type":"b"}`: Repeated,
		`{'type':1}`: Malformed, "{\"a\":\"\xff\"}": BadUTF8, `{} {}`: Trailing, strings.Repeat("[", 100_000): TooDeep,
	} {
		_, err := Compile([]byte(in), Options{})
		var got *Error
		if !errors.As(err, &got) || got.Kind != kind || got.Document != "schema" {
			t.Errorf("schema %.40s: %v, want %s", in, err, kind)
		}
	}
	for _, schema := range []string{
		`{}`, `{"properties":[]}`, `{"properties":{"a":5,"b":[],"c":null,"d":true,"e":false,"f":"array"}}`, `{"type":{}}`, `{"properties":{"a":{"type":5}}}`,
		`{"properties":{"a":{"anyOf":{},"oneOf":5,"allOf":"x","$ref":1,"items":3,"prefixItems":{},"patternProperties":1,"additionalProperties":"no"}}}`,
		`{"$ref":"#"}`, `{"$ref":"#/a/b/c"}`, `{"properties":{"a":{"references":"rawr"},"b":{"references":[]}}}`,
		strings.Repeat(`{"properties":{"a":`, 4_000) + `{}` + strings.Repeat(`}}`, 4_000),
	} {
		for _, nested := range []bool{false, true} {
			n := compile(t, schema, Options{Nested: nested})
			const in = `{"a":"[1]","b":"{}","c":{"a":"[1]"},"d":["[1]"],"e":"{}","f":"[]"}`
			if got := run(t, n, in).Arguments; string(got) != in {
				t.Errorf("%.100s declares nothing, but %s becomes %s", schema, in, got)
			}
		}
	}
}

// 10 MB in one call, when the caller has set no bound.
func TestLargeArgumentsArriveWhole(t *testing.T) {
	n := compile(t, `{"properties":{"rows":{"type":"array"},"text":{"type":"string"}}}`, Options{})
	rows := "[" + strings.Repeat(`{"id":12345678901234567890,"s":"a &lt; b"},`, 250_000) + "0]"
	text := "&" + strings.Repeat("amp;", 1<<18)
	in := append([]byte(`{"rows":`), jsontree.AppendString(nil, rows)...)
	in = append(append(in, `,"text":`...), jsontree.AppendString(nil, text)...)
	in = append(in, '}')
	before := bytes.Clone(in)
	result, err := n.Arguments(in)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"rows":` + strings.ReplaceAll(rows, "&lt;", "<") + `,"text":"&"}`
	if string(result.Arguments) != want {
		t.Errorf("the result is wrong (%d bytes, want %d)", len(result.Arguments), len(want))
	}
	if !bytes.Equal(in, before) {
		t.Error("the input was changed")
	}
}

// A report may not grow with the product of its names and its strings.
func TestTheReportIsBounded(t *testing.T) {
	name := strings.Repeat("x", 1<<17)
	n := compile(t, `{"properties":{"rows":{"type":"array"}}}`, Options{})
	in := `{"first":"&lt;","rows":"[\"&amp;lt;\"]","` + name + `":{"` + name + `":[` + strings.Repeat(`"&lt;",`, 1000) + `"&amp;lt;"]},"last":["&lt;"]}`
	repairs := run(t, n, in).Repairs
	if len(repairs) > 10 {
		t.Fatalf("%d repairs", len(repairs))
	}
	last, merged := repairs[len(repairs)-1], repairs[len(repairs)-2]
	if last != (Repair{"last", RepairReferences, 1}) || merged != (Repair{name, RepairReferences, 2}) {
		t.Errorf("the last repair is of %.10q and the one before of %.10q, in %d passes", last.Path, merged.Path, merged.Passes)
	}
	if repairs[0].Path != "first" || repairs[1].Path != "rows" || repairs[2].Path != "rows[0]" {
		t.Errorf("the first repairs are of %q, %q and %q", repairs[0].Path, repairs[1].Path, repairs[2].Path)
	}
}
