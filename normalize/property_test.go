package normalize

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// schemas draws schemas that use everything rule N-5 looks through, cycles,
// contradictions and nonsense among it.
type schemas struct{ policies bool }

func (g schemas) root() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		parts := []string{`"properties":` + g.members(t, "pqrs", 2)}
		if rapid.IntRange(0, 3).Draw(t, "keywords") == 0 {
			parts = append(parts, g.keywords(t, 1)...)
		}
		parts = append(parts, `"$defs":`+g.members(t, "ABC", 1))
		return joinParts(parts)
	})
}

// joinParts makes an object and leaves out repeated keywords, the later ones.
func joinParts(parts []string) string {
	seen := map[string]bool{}
	parts = slices.DeleteFunc(parts, func(p string) bool {
		word, _, _ := strings.Cut(p, ":")
		again := seen[word]
		seen[word] = true
		return again
	})
	return "{" + strings.Join(parts, ",") + "}"
}

func (g schemas) members(t *rapid.T, names string, depth int) string {
	var parts []string
	for _, name := range names {
		parts = append(parts, strconv.Quote(string(name))+":"+g.schema(t, depth))
	}
	return joinParts(parts)
}

func (g schemas) schema(t *rapid.T, depth int) string {
	switch rapid.IntRange(0, 19).Draw(t, "schema") {
	case 17:
		return "true"
	case 18:
		return "false"
	case 19:
		return "{}"
	}
	return joinParts(g.keywords(t, depth))
}

func (g schemas) keywords(t *rapid.T, depth int) []string {
	var parts []string
	for range rapid.SampledFrom([]int{2, 1, 3, 4}).Draw(t, "keywords") {
		parts = append(parts, g.keyword(t, depth))
	}
	return parts
}

var typeWords = []string{`"array"`, `"object"`, `["object","array"]`, `["array","null"]`, `"string"`, `["array","string"]`, `"integer"`, `"null"`, `"any"`, `[]`, `["array",5]`}

var refWords = []string{"#/$defs/A", "#/$defs/B", "#/$defs/C", "#/properties/q", "#", "#/properties/p/anyOf/0", "#/$defs/Z", "A"}

func (g schemas) keyword(t *rapid.T, depth int) string {
	word := func(label string, words ...string) string { return rapid.SampledFrom(words).Draw(t, label) }
	choices := []string{"type", "properties", "anyOf", "items", "$ref", "additionalProperties", "type", "references", "allOf", "oneOf", "anyOf null", "prefixItems", "properties",
		"additionalProperties false", "allOf two", "items list", "patternProperties", "additionalItems"}
	if depth == 0 {
		choices = []string{"type", "$ref", "references", "type"}
	}
	below := func() string { return g.schema(t, depth-1) }
	switch choice := word("keyword", choices...); choice {
	case "type":
		return `"type":` + word("type", typeWords...)
	case "$ref":
		return `"$ref":"` + word("ref", refWords...) + `"`
	case "references":
		if g.policies {
			return `"references":"` + word("references", "raw", "decode", "once", "Raw") + `"`
		}
		return `"description":"x"`
	case "anyOf", "oneOf":
		return `"` + choice + `":[` + below() + `,` + below() + `]`
	case "anyOf null":
		return `"anyOf":[` + below() + `,{"type":"null"}]`
	case "allOf two":
		return `"allOf":[` + below() + `,` + below() + `]`
	case "allOf", "prefixItems":
		return `"` + choice + `":[` + below() + `]`
	case "items list":
		return `"items":[` + below() + `]`
	case "properties":
		return `"properties":` + g.members(t, word("names", "pa", "p", "a"), depth-1)
	case "patternProperties":
		return `"patternProperties":{"x":` + below() + `}`
	case "additionalProperties false":
		return `"additionalProperties":false`
	default:
		return `"` + choice + `":` + below()
	}
}

// documents draws the text of JSON documents: valid at the top, while strings
// in them may hold other documents, valid or not, and references.
func documents() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return documentObject(t, "pqrstu", 3)
	})
}

func documentObject(t *rapid.T, names string, depth int) string {
	var parts []string
	for _, name := range names {
		if rapid.IntRange(0, 3).Draw(t, "given") < 3 {
			parts = append(parts, strconv.Quote(string(name))+space(t)+":"+space(t)+documentValue(t, depth-1))
		}
	}
	if rapid.IntRange(0, 4).Draw(t, "odd name") == 0 {
		parts = append(parts, `"&lt;k":`+documentValue(t, depth-1))
	}
	return "{" + space(t) + strings.Join(parts, ",") + "}"
}

func space(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "", "", " ", "\n\t"}).Draw(t, "space")
}

func documentValue(t *rapid.T, depth int) string {
	choices := []string{"list", "map", "text", "held", "text", "number", "word", "odd"}
	if depth > 0 {
		choices = slices.Concat([]string{"object", "items", "held document", "held object"}, choices)
	}
	word := func(label string, words ...string) string { return rapid.SampledFrom(words).Draw(t, label) }
	switch word("value", choices...) {
	case "list":
		return quoted(t, "[1]")
	case "map":
		return quoted(t, `{"p":"[1]"}`)
	case "number":
		return word("number", "0", "-1.50", "1e2", "12345678901234567890", "1E-400")
	case "word":
		return word("word", "true", "false", "null")
	case "text":
		return quoted(t, word("reference", "&amp;lt;", "", "&lt;")+adversarial().Draw(t, "text"))
	case "held":
		return quoted(t, word("held", "{}", "[]", `["{\"a\":1}"]`, `["&amp;lt;","\u0026lt;"]`, " [1]\n", "[[[[[1]]]]]", `{"p":{"p":"{\"p\":\"[1]\"}"}}`))
	case "odd":
		return quoted(t, word("odd", "[1", `{"a":1,"a":2}`, `["\ud800"]`, "[1] x", "\ufeff[]", "[1\x00]", "'[]'", "null"))
	case "held document":
		return quoted(t, documentValue(t, depth-1))
	case "held object":
		return quoted(t, documentObject(t, "pqa", depth))
	case "items":
		var items []string
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			items = append(items, documentValue(t, depth-1))
		}
		return "[" + space(t) + strings.Join(items, ",") + "]"
	default:
		return documentObject(t, "pqa", depth)
	}
}

// quoted writes a JSON string, with few or with many escapes.
func quoted(t *rapid.T, s string) string {
	if rapid.Bool().Draw(t, "escapes") {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	return string(jsontree.AppendString(nil, s))
}

// agree is what must hold for any schema and any document.
func agree(t interface {
	Fatalf(string, ...any)
	Errorf(string, ...any)
}, schema, document string, o Options) {
	n, err := Compile([]byte(schema), o)
	if err != nil {
		t.Fatalf("schema %s: %v", schema, err)
	}
	raw := []byte(document)
	result, err := n.Arguments(raw)
	if string(raw) != document {
		t.Fatalf("%s was changed to %s", document, raw)
	}
	reference := newNaive(t, schema, o)
	want, repairs, wantErr := reference.arguments(document)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%s: error %v, want %v", document, err, wantErr)
	}
	if err != nil {
		return
	}
	if got := read(t, result.Arguments); !sameValue(got, want) {
		t.Errorf("schema %s\noptions %+v\n%s\nbecomes %s\nwant %v", schema, o, document, result.Arguments, want)
	}
	if diff := cmp.Diff(repairs, result.Repairs); diff != "" {
		t.Errorf("schema %s\noptions %+v\n%s: repairs (-want +got)\n%s", schema, o, document, diff)
	}
	if len(result.Repairs) == 0 && &result.Arguments[0] != &raw[0] {
		t.Errorf("%s has nothing to repair and was copied", document)
	}
	untouched(t, n, document)
}

// untouched checks that what was not repaired keeps its bytes and its names,
// and that what was, and only that with all around it, has lost its Raw text.
func untouched(t interface{ Errorf(string, ...any) }, n *Normalizer, document string) {
	before, _ := jsontree.Parse(document, jsontree.Limits{}, nil)
	after, _ := jsontree.Parse(document, jsontree.Limits{}, nil)
	n.Tree(&after, nil)
	var changed func(b, a *jsontree.Value) bool
	changed = func(b, a *jsontree.Value) bool {
		is := a.Kind != b.Kind || a.Text != b.Text
		if a.Kind == b.Kind {
			for i := range b.Items {
				is = changed(&b.Items[i], &a.Items[i]) || is
			}
			for i := range b.Members {
				if a.Members[i].Name != b.Members[i].Name {
					t.Errorf("%s: name %q became %q", document, b.Members[i].Name, a.Members[i].Name)
				}
				is = changed(&b.Members[i].Value, &a.Members[i].Value) || is
			}
		}
		if is != (a.Raw == "") || !is && a.Raw != b.Raw {
			t.Errorf("%s: %s changed: %v, but its text is %q", document, b.Raw, is, a.Raw)
		}
		return is
	}
	changed(&before.Root, &after.Root)
}

func TestAgreesWithTheRulesAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Options{
			Nested:            rapid.Bool().Draw(t, "nested"),
			KeepNonCharacters: rapid.Bool().Draw(t, "keep"),
			MaxDepth:          rapid.SampledFrom([]int{0, 0, 3, 5, 6}).Draw(t, "depth"),
		}
		schema := schemas{policies: true}.root().Draw(t, "schema")
		for range 8 {
			agree(t, schema, documents().Draw(t, "document"), o)
		}
	})
}

// Repair 2 is done after once, whatever the schema. Repair 1 is tried once
// only, so a text that repair 2 turned into JSON is for a later stage (N-14).
func TestNothingIsLeftToDecode(t *testing.T) {
	silent := compile(t, `{}`, Options{})
	rapid.Check(t, func(t *rapid.T) {
		n, err := Compile([]byte(schemas{}.root().Draw(t, "schema")), Options{Nested: rapid.Bool().Draw(t, "nested")})
		if err != nil {
			t.Fatal(err)
		}
		document := documents().Draw(t, "document")
		first, err := n.Arguments([]byte(document))
		if err != nil {
			t.Fatalf("%s: %v", document, err)
		}
		second, err := silent.Arguments(first.Arguments)
		if err != nil || len(second.Repairs) > 0 || !bytes.Equal(first.Arguments, second.Arguments) {
			t.Errorf("%s becomes %s, then %s (%v %v)", document, first.Arguments, second.Arguments, second.Repairs, err)
		}
		third, err := n.Arguments(first.Arguments)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range third.Repairs {
			if r.Kind == RepairReferences && !slices.ContainsFunc(third.Repairs[:i], func(r Repair) bool { return r.Kind == RepairJSON }) {
				t.Errorf("%s becomes %s, where %v", document, first.Arguments, r)
			}
		}
	})
}

func FuzzArguments(f *testing.F) {
	for _, seed := range []struct{ schema, document string }{
		{`{"properties":{"a":{"type":"array"}}}`, `{"a":"[1, 2.0, \"&amp;lt;\"]","b":"&lt;"}`},
		{`{"properties":{"a":{"$ref":"#/$defs/L"}},"$defs":{"L":{"anyOf":[{"type":"object"},{"type":"null"}]}}}`, `{"a":"{\"b\":1}"}`},
		{`{"properties":{"a":{"type":"object","additionalProperties":{"type":"array"},"references":"once"}}}`, `{"a":{"b":"[1]","c":"&amp;lt;"}}`},
		{`{"properties":{"a":{"oneOf":[{"type":"array"},{"$ref":"#"}]}}}`, `{"a":"[1]","a":2}`},
		{`true`, "{\"a\":\"x\ny\"}"},
		{`{}`, `{"a":[[[["&#x80;"]]]]`},
		{`{"properties":{"a":{"type":"array","items":{"type":"object"}}}}`, `{"a":["{}","\ud800"]}`},
	} {
		f.Add(seed.schema, seed.document, true, false)
		f.Add(seed.schema, seed.document, false, true)
	}
	f.Fuzz(func(t *testing.T, schema, document string, nested, keep bool) {
		if len(schema) > 400 || len(document) > 2000 {
			t.Skip("too long for the naive reading")
		}
		o := Options{Nested: nested, KeepNonCharacters: keep, MaxDepth: 64}
		n, err := Compile([]byte(schema), o)
		if err != nil {
			return
		}
		raw := []byte(document)
		result, err := n.Arguments(raw)
		if string(raw) != document {
			t.Fatalf("%q was changed", document)
		}
		if err != nil {
			return
		}
		if !json.Valid(result.Arguments) || !utf8.Valid(result.Arguments) {
			t.Fatalf("%q becomes %q", document, result.Arguments)
		}
		if strings.Contains(document, "\ufffd") || strings.Contains(strings.ToLower(document), "fffd") || strings.Contains(schema, "$id") {
			return // what the naive reading does not tell apart
		}
		agree(t, schema, document, o)
	})
}
