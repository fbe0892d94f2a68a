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
	case 0:
		return "true"
	case 1:
		return "false"
	case 2:
		return "{}"
	}
	return joinParts(g.keywords(t, depth))
}

func (g schemas) keywords(t *rapid.T, depth int) []string {
	var parts []string
	for range rapid.IntRange(1, 3).Draw(t, "keywords") {
		parts = append(parts, g.keyword(t, depth))
	}
	return parts
}

func (g schemas) keyword(t *rapid.T, depth int) string {
	word := func(label string, words ...string) string { return rapid.SampledFrom(words).Draw(t, label) }
	choice := rapid.IntRange(0, 17).Draw(t, "keyword")
	if depth == 0 {
		choice %= 6
	}
	below := func() string { return g.schema(t, depth-1) }
	switch choice {
	case 0, 1, 2:
		return `"type":` + word("type", `"array"`, `"object"`, `"array"`, `"object"`, `["array","null"]`, `["object","array"]`, `"string"`, `["array","string"]`,
			`"integer"`, `"null"`, `"any"`, `[]`, `["array",5]`)
	case 3, 4:
		return `"$ref":"` + word("ref", "#/$defs/A", "#/$defs/B", "#/$defs/C", "#/$defs/A", "#/$defs/B", "#/properties/q", "#", "#/$defs/Z", "#/properties/p/anyOf/0", "A") + `"`
	case 5:
		if g.policies {
			return `"references":"` + word("references", "decode", "once", "raw", "Raw") + `"`
		}
		return `"description":"x"`
	case 6, 7:
		return `"` + word("branches", "anyOf", "oneOf") + `":[` + below() + `,` + below() + `]`
	case 8:
		return `"anyOf":[` + below() + `,{"type":"null"}]`
	case 9:
		return `"allOf":[` + below() + `]`
	case 10:
		return `"allOf":[` + below() + `,` + below() + `]`
	case 11, 12:
		return `"properties":` + g.members(t, "pa", depth-1)
	case 13:
		return `"additionalProperties":` + below()
	case 14:
		return `"items":` + below()
	case 15:
		return word("list", `"prefixItems"`, `"items"`) + `:[` + below() + `]`
	case 16:
		return `"additionalItems":` + below()
	default:
		return `"patternProperties":{"x":` + below() + `}`
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
		if rapid.Bool().Draw(t, "given") {
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
	choice := rapid.IntRange(0, 11).Draw(t, "value")
	if depth <= 0 {
		choice %= 6
	}
	switch choice {
	case 0:
		return rapid.SampledFrom([]string{"0", "-1.50", "1e2", "12345678901234567890", "1E-400"}).Draw(t, "number")
	case 1:
		return rapid.SampledFrom([]string{"true", "false", "null"}).Draw(t, "word")
	case 2, 3:
		return quoted(t, adversarial().Draw(t, "text"))
	case 4:
		return quoted(t, rapid.SampledFrom([]string{"[1]", "{}", "[]", `{"p":"[1]"}`, `["{\"a\":1}"]`, `["&amp;lt;","\u0026lt;"]`, "[1", `{"a":1,"a":2}`, `["\ud800"]`,
			" [1]\n", "[1] x", "\ufeff[]", "[1\x00]", "'[]'", "null", "[[[[[1]]]]]", `{"p":{"p":"{\"p\":\"[1]\"}"}}`}).Draw(t, "held"))
	case 5, 6:
		return quoted(t, documentValue(t, depth-1)) // a text that holds a document
	case 7:
		return quoted(t, documentObject(t, "pqa", depth))
	case 8, 9:
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
	untouched(t, n, document, result.Repairs)
}

// untouched checks that what was not repaired keeps its bytes, and that what
// was, and only that, has lost its Raw text.
func untouched(t interface{ Errorf(string, ...any) }, n *Normalizer, document string, repairs []Repair) {
	before, _ := jsontree.Parse(document, jsontree.Limits{}, nil)
	after, _ := jsontree.Parse(document, jsontree.Limits{}, nil)
	n.Tree(&after, nil)
	var compare func(b, a *jsontree.Value, path string)
	compare = func(b, a *jsontree.Value, path string) {
		repaired := slices.ContainsFunc(repairs, func(r Repair) bool {
			return path == "" || r.Path == path || strings.HasPrefix(r.Path, path+".") || strings.HasPrefix(r.Path, path+"[")
		})
		if repaired != (a.Raw == "") || !repaired && a.Raw != b.Raw {
			t.Errorf("%s: %q repaired: %v, text %q, was %q", document, path, repaired, a.Raw, b.Raw)
		}
		if a.Kind != b.Kind {
			return // repair 1
		}
		for i := range b.Items {
			compare(&b.Items[i], &a.Items[i], jsontree.ItemPath(path, i))
		}
		for i := range b.Members {
			if a.Members[i].Name != b.Members[i].Name {
				t.Errorf("%s: name %q became %q", document, b.Members[i].Name, a.Members[i].Name)
			}
			compare(&b.Members[i].Value, &a.Members[i].Value, jsontree.MemberPath(path, b.Members[i].Name))
		}
	}
	if len(repairs) == 0 {
		if after.Root.Raw != before.Root.Raw {
			t.Errorf("%s: nothing repaired, but its text is gone", document)
		}
		return
	}
	compare(&before.Root, &after.Root, "")
}

func TestAgreesWithTheRulesAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Options{
			Nested:            rapid.Bool().Draw(t, "nested"),
			KeepNonCharacters: rapid.Bool().Draw(t, "keep"),
			MaxDepth:          rapid.SampledFrom([]int{0, 0, 3, 5, 6}).Draw(t, "depth"),
		}
		schema := schemas{policies: true}.root().Draw(t, "schema")
		for range 4 {
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
			t.Skip() // the naive reading takes its time
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
