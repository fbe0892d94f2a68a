package signature

import (
	"encoding/json"
	"errors"
	"go/token"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"text/scanner"
	"time"

	"github.com/invopop/jsonschema"
	santhosh "github.com/santhosh-tekuri/jsonschema/v6"
)

// compiled checks that a document is a good schema and returns it to validate
// with, formats included.
func compiled(t *testing.T, schema []byte) *santhosh.Schema {
	t.Helper()
	doc, err := santhosh.UnmarshalJSON(strings.NewReader(string(schema)))
	if err != nil {
		t.Fatalf("%s is not JSON: %v", schema, err)
	}
	c := santhosh.NewCompiler()
	c.DefaultDraft(santhosh.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("input.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("input.json")
	if err != nil {
		t.Fatalf("%s does not compile: %v", schema, err)
	}
	return s
}

func valid(s *santhosh.Schema, instance string) bool {
	v, err := santhosh.UnmarshalJSON(strings.NewReader(instance))
	return err == nil && s.Validate(v) == nil
}

// published reflects a type, checks that the result is a good schema and
// compares it with the wanted text.
func published(t *testing.T, typ reflect.Type, o TypeOptions, want string) {
	t.Helper()
	got, _, err := reflectSchema(typ, o)
	if err != nil {
		t.Fatal(err)
	}
	compiled(t, got)
	if string(got) != want {
		t.Errorf("is\n %s\nwant\n %s", got, want)
	}
}

func TestEveryKindOfParameter(t *testing.T) {
	type texts []string
	type counts map[string]int
	type name string
	for _, c := range []struct {
		typ  reflect.Type
		want string
	}{
		{stringType, `"type":"string"`},
		{boolType, `"type":"boolean"`},
		{intType, `"type":"integer"`},
		{reflect.TypeFor[int64](), `"type":"integer"`},
		{reflect.TypeFor[int32](), `"maximum":2147483647,"minimum":-2147483648,"title":"F","type":"integer"`},
		{reflect.TypeFor[int8](), `"maximum":127,"minimum":-128,"title":"F","type":"integer"`},
		{reflect.TypeFor[uint](), `"minimum":0,"title":"F","type":"integer"`},
		{reflect.TypeFor[uint64](), `"minimum":0,"title":"F","type":"integer"`},
		{reflect.TypeFor[uint16](), `"maximum":65535,"minimum":0,"title":"F","type":"integer"`},
		{reflect.TypeFor[float32](), `"type":"number"`},
		{floatType, `"type":"number"`},
		{reflect.TypeFor[json.Number](), `"type":"number"`},
		{reflect.TypeFor[any](), `"title":"F"`},
		{reflect.TypeFor[json.RawMessage](), `"title":"F"`},
		{timeType, `"format":"date-time","title":"F","type":"string"`},
		{reflect.TypeFor[netip.Addr](), `"title":"F","type":"string"`},
		{textsType, `"items":{"type":"string"},"title":"F","type":"array"`},
		{reflect.TypeFor[texts](), `"items":{"type":"string"},"title":"F","type":"array"`},
		{reflect.TypeFor[[]any](), `"items":{},"title":"F","type":"array"`},
		{reflect.TypeFor[[2]float64](), `"items":{"type":"number"},"maxItems":2,"minItems":2,"title":"F","type":"array"`},
		{reflect.TypeFor[map[string]any](), `"additionalProperties":true,"title":"F","type":"object"`},
		{reflect.TypeFor[counts](), `"additionalProperties":{"type":"integer"},"title":"F","type":"object"`},
		{reflect.TypeFor[map[name]*time.Time](), `"additionalProperties":{"anyOf":[{"format":"date-time","type":"string"},{"type":"null"}]},"title":"F","type":"object"`},
		{reflect.TypeFor[struct{ A int }](), `"properties":{"A":{"title":"A","type":"integer"}},"required":["A"],"title":"F","type":"object"`},
		{reflect.TypeFor[*struct{ A int }](), `"anyOf":[{"properties":{"A":{"title":"A","type":"integer"}},"required":["A"],"type":"object"},{"type":"null"}],"title":"F"`},
	} {
		t.Run(c.typ.String(), func(t *testing.T) {
			want := c.want
			if !strings.Contains(want, `"title"`) {
				want = `"title":"F",` + want
			}
			typ := oneField(c.typ, `json:"f"`)
			published(t, typ, TypeOptions{}, `{"properties":{"f":{`+want+`}},"required":["f"],"title":"Input","type":"object"}`)
			if _, err := FromType(typ, TypeOptions{}); err != nil {
				t.Errorf("what is published cannot be filled: %v", err)
			}
		})
	}
}

type base struct {
	ID   string `json:"id"`
	Kind int    `json:"kind" jsonschema:"default=7"`
}

type Early struct {
	Kind string `json:"kind"`
}

type Late struct {
	Kind string `json:"kind"`
	Note string `json:"note,omitempty"`
}

func TestEmbeddedStructsAreFlattened(t *testing.T) {
	// The embedded kind comes first, the outer one hides it (a trap of the
	// library, which takes the last) and stands where it is declared.
	type input struct {
		base
		Kind  bool `json:"kind"`
		Named Late `json:"named"`
	}
	published(t, reflect.TypeFor[input](), TypeOptions{},
		`{"$defs":{"Late":{"properties":{"kind":{"title":"Kind","type":"string"},"note":{"title":"Note","type":"string"}},"required":["kind"],"title":"Late","type":"object"}},`+
			`"properties":{"id":{"title":"Id","type":"string"},"kind":{"title":"Kind","type":"boolean"},"named":{"$ref":"#/$defs/Late"}},`+
			`"required":["id","kind","named"],"title":"input","type":"object"}`)

	type outerFirst struct {
		Kind bool `json:"kind,omitempty"`
		Late
	}
	published(t, reflect.TypeFor[outerFirst](), TypeOptions{Title: "Outer"},
		`{"properties":{"kind":{"title":"Kind","type":"boolean"},"note":{"title":"Note","type":"string"}},"title":"Outer","type":"object"}`)
}

func TestEmbeddingsThatHideParameters(t *testing.T) {
	type pointer struct {
		*Late
	}
	refuses(t, reflect.TypeFor[pointer](), "embedded", "a pointer cannot be embedded")
	type unexported struct {
		*base
	}
	refuses(t, reflect.TypeFor[unexported](), "embedded", "a pointer cannot be embedded")
	type moment struct {
		time.Time
		A int `json:"a"`
	}
	type holder struct {
		M moment `json:"m"`
	}
	_, _, err := reflectSchema(reflect.TypeFor[moment](), TypeOptions{})
	if err == nil || !strings.Contains(err.Error(), "is text, and an Input must be a struct") {
		t.Errorf("a struct that embeds a time is read as text, and the error is %v", err)
	}
	rivals := reflect.StructOf([]reflect.StructField{
		{Name: "Early", Type: reflect.TypeFor[Early](), Anonymous: true}, {Name: "Late", Type: reflect.TypeFor[Late](), Anonymous: true},
	})
	refuses(t, rivals, "json", `the name "kind" is already that of Kind; encoding/json would drop both`)
	refuses(t, reflect.TypeFor[holder](), "embedded", "would read the whole struct as one text")
}

func TestFieldsThatAreNoParameters(t *testing.T) {
	type input struct {
		A      int `json:"a"`
		Hidden int `json:"-" validate:"min=1"`
		inside int
	}
	published(t, reflect.TypeFor[input](), TypeOptions{}, `{"properties":{"a":{"title":"A","type":"integer"}},"required":["a"],"title":"input","type":"object"}`)
	_ = input{inside: 1}
}

type Page[T any] struct {
	Items []T `json:"items"`
}

func TestDefinitionsOfOneNameDoNotFallTogether(t *testing.T) {
	type input struct {
		Token   token.Position   `json:"token"`
		Scanner scanner.Position `json:"scanner"`
		Page    Page[Late]       `json:"page"`
	}
	got, _, err := reflectSchema(reflect.TypeFor[input](), TypeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	compiled(t, got)
	var doc struct {
		Defs       map[string]struct{ Title string } `json:"$defs"`
		Properties map[string]map[string]string      `json:"properties"`
	}
	if err := json.Unmarshal(got, &doc); err != nil {
		t.Fatal(err)
	}
	for field, key := range map[string]string{"token": "go_token__Position", "scanner": "text_scanner__Position", "page": "Page_Late_"} {
		if doc.Properties[field]["$ref"] != "#/$defs/"+key || doc.Defs[key].Title == "" {
			t.Errorf("%s refers to %s, want %s, and the definitions are %v", field, doc.Properties[field]["$ref"], key, doc.Defs)
		}
	}
	if title := doc.Defs["Page_Late_"].Title; title != "Page[Late]" {
		t.Errorf("a generic type is titled %s", title)
	}
}

func TestLocalTypesOfOneNameDoNotFallTogether(t *testing.T) {
	first := func() reflect.Type {
		type local struct{ A int }
		return reflect.TypeFor[local]()
	}
	second := func() reflect.Type {
		type local struct{ B int }
		return reflect.TypeFor[local]()
	}
	typ := reflect.StructOf([]reflect.StructField{{Name: "A", Type: first()}, {Name: "B", Type: second()}})
	got, _, err := reflectSchema(typ, TypeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const path = "github__com_fwgo_fwgo_signature__local"
	for _, ref := range []string{`"A":{"$ref":"#/$defs/` + path + `"}`, `"B":{"$ref":"#/$defs/` + path + `__2"}`} {
		if !strings.Contains(string(got), ref) {
			t.Errorf("%s is not in %s", ref, got)
		}
	}
	compiled(t, got)
}

// An Input that is named like a type it holds is not a definition itself.
func TestTheRootIsNoDefinition(t *testing.T) {
	type Late struct {
		L lateAlias `json:"l"`
	}
	got, _, err := reflectSchema(reflect.TypeFor[Late](), TypeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(got), `"l":{"$ref":"#/$defs/Late"}`) {
		t.Errorf("%s does not refer to the other Late", got)
	}
	compiled(t, got)
}

type lateAlias = Late

type documented struct {
	A int `json:"a"`
}

func (documented) SchemaOptions() TypeOptions {
	return TypeOptions{Title: "Titled", Description: "First.\n\n\t\tSecond.\n\t", Unknown: "forbid",
		Extra: map[string]any{"x-order": []string{"b", "a"}, "examples": []any{map[string]int{"z": 1, "a": 2}}}}
}

func TestTypeOptions(t *testing.T) {
	published(t, reflect.TypeFor[documented](), TypeOptions{},
		`{"additionalProperties":false,"description":"First.\n\nSecond.","examples":[{"a":2,"z":1}],"properties":{"a":{"title":"A","type":"integer"}},"required":["a"],"title":"Titled","type":"object","x-order":["b","a"]}`)
	// What is given with the root wins over its method, word by word.
	published(t, reflect.TypeFor[documented](), TypeOptions{Description: "Given.", Extra: map[string]any{"description": "From extra."}},
		`{"additionalProperties":false,"description":"From extra.","properties":{"a":{"title":"A","type":"integer"}},"required":["a"],"title":"Titled","type":"object"}`)
	type holder struct {
		D *documented `json:"d" jsonschema:"description=own"`
	}
	got, _, err := reflectSchema(reflect.TypeFor[*holder](), TypeOptions{})
	if err != nil || !strings.Contains(string(got), `"$defs":{"documented":{"additionalProperties":false,"description":"First.\n\nSecond."`) {
		t.Errorf("a nested type's options are lost: %s, %v", got, err)
	}
}

type panicky string

func (panicky) EnumValues() []any { panic("no values today") }

type wrongKind int

func (wrongKind) EnumValues() []any { return []any{1, "two"} }

type tooLarge int8

func (tooLarge) EnumValues() []any { return []any{1, 300} }

type twice string

func (twice) EnumValues() []any { return []any{"a", "a"} }

type empty string

func (empty) EnumValues() []any { return nil }

type membered string

func (membered) EnumValues() []any { return []any{"a"} }

func (membered) SchemaOptions() TypeOptions { return TypeOptions{Unknown: "allow"} }

type level3 int

var levelNames = []string{"low", "high"}

func (level3) EnumValues() []any { return []any{level3(0), "high"} }

func (l level3) MarshalText() ([]byte, error) { return []byte(levelNames[l]), nil }

func (l *level3) UnmarshalText(text []byte) error {
	for i, name := range levelNames {
		if name == string(text) {
			*l = level3(i)
			return nil
		}
	}
	return errors.New("no level")
}

type flag bool

func (flag) EnumValues() []any { return []any{true, flag(false)} }

type port uint16

func (*port) EnumValues() []any { return []any{80, uint(443), port(8080)} }

type ratio float32

func (ratio) EnumValues() []any { return []any{1, 0.25} }

type mapped map[string]int

func (mapped) SchemaOptions() TypeOptions { panic("not asked") }

type upset struct{ A int }

func (*upset) SchemaOptions() TypeOptions { panic("no options today") }

type unreadable string

func (unreadable) EnumValues() []any { return []any{"a"} }

func (*unreadable) UnmarshalText([]byte) error { return errors.New("never") }

func TestEnumTypes(t *testing.T) {
	for _, c := range []struct {
		typ    reflect.Type
		rule   string
		detail string
	}{
		{reflect.TypeFor[panicky](), "EnumValues", "panics on the zero value: no values today"},
		{reflect.TypeFor[wrongKind](), "EnumValues", "gives two (string), which is not a value of signature.wrongKind"},
		{reflect.TypeFor[tooLarge](), "EnumValues", "does not fit signature.tooLarge"},
		{reflect.TypeFor[twice](), "EnumValues", `gives "a" twice`},
		{reflect.TypeFor[empty](), "EnumValues", "gives no value"},
		{reflect.TypeFor[membered](), "Unknown", "an enum has no members"},
		{reflect.TypeFor[unreadable](), "EnumValues", "refuses"},
	} {
		t.Run(c.typ.String(), func(t *testing.T) { refuses(t, oneField(c.typ, `json:"f"`), c.rule, c.detail) })
	}
	refuses(t, reflect.TypeFor[upset](), "SchemaOptions", "panics on the zero value: no options today")
	for _, c := range []struct {
		typ  reflect.Type
		want string
	}{
		{reflect.TypeFor[flag](), `"flag":{"enum":[true,false],"title":"flag","type":"boolean"}`},
		{reflect.TypeFor[port](), `"port":{"enum":[80,443,8080],"title":"port","type":"integer"}`},
		{reflect.TypeFor[ratio](), `"ratio":{"enum":[1,0.25],"title":"ratio","type":"number"}`},
	} {
		published(t, oneField(c.typ, `json:"f"`), TypeOptions{},
			`{"$defs":{`+c.want+`},"properties":{"f":{"$ref":"#/$defs/`+c.typ.Name()+`"}},"required":["f"],"title":"Input","type":"object"}`)
	}
	published(t, oneField(reflect.TypeFor[mapped](), `json:"f"`), TypeOptions{},
		`{"properties":{"f":{"additionalProperties":{"type":"integer"},"title":"F","type":"object"}},"required":["f"],"title":"Input","type":"object"}`)
	// A type that reads text has texts on the wire, whatever its kind.
	published(t, oneField(reflect.TypeFor[[]level3](), `json:"f" jsonschema:"default=low"`), TypeOptions{},
		`{"$defs":{"level3":{"enum":["low","high"],"title":"level3","type":"string"}},"properties":{"f":{"default":["low"],"items":{"$ref":"#/$defs/level3"},"title":"F","type":"array"}},"title":"Input","type":"object"}`)
}

func TestOptionsThatContradictTheType(t *testing.T) {
	for _, c := range []struct {
		o      TypeOptions
		rule   string
		detail string
	}{
		{TypeOptions{Unknown: "ignore"}, "Unknown", "never dropped (D-4)"},
		{TypeOptions{Unknown: "forbidden"}, "Unknown", "did you mean forbid?"},
		{TypeOptions{Extra: map[string]any{"properties": 1}}, "Extra", "comes from the type itself"},
		{TypeOptions{Extra: map[string]any{"oneOf": 1}}, "Extra", "comes from the type itself"},
		{TypeOptions{Extra: map[string]any{"x": func() {}}}, "Extra", "cannot be written as JSON"},
	} {
		_, _, err := reflectSchema(oneField(intType, ``), c.o)
		list := authorErrors(t, err)
		if len(list) != 1 || list[0].Rule != c.rule || !strings.Contains(list[0].Detail, c.detail) {
			t.Errorf("%+v is answered with %v, want %s and %q", c.o, err, c.rule, c.detail)
		}
	}
}

type hooked struct{ A int }

func (hooked) JSONSchema() *jsonschema.Schema { return &jsonschema.Schema{Type: "string"} }

func TestMethodsOfTheLibraryAreNotObeyed(t *testing.T) {
	refuses(t, oneField(reflect.TypeFor[hooked](), `json:"f"`), "JSONSchema", "need not be what the field accepts")
}

func TestInputsMustBeStructs(t *testing.T) {
	for _, typ := range []reflect.Type{stringType, textsType, timeType, reflect.TypeFor[map[string]int](), reflect.TypeFor[any](), reflect.TypeFor[Color]()} {
		if _, _, err := reflectSchema(typ, TypeOptions{}); err == nil || !strings.Contains(err.Error(), "an Input must be a struct") {
			t.Errorf("%s is answered with %v", typ, err)
		}
	}
	if _, _, err := reflectSchema(reflect.TypeFor[chan int](), TypeOptions{}); err == nil {
		t.Error("a channel is an Input")
	}
}

func TestAnAuthorErrorNamesTypeFieldAndRule(t *testing.T) {
	type Order struct {
		Items []struct {
			Count int `json:"count" jsonschema:"minimum=few"`
		} `json:"items"`
	}
	_, _, err := reflectSchema(reflect.TypeFor[Order](), TypeOptions{})
	const want = `signature.Order.Items.Count: minimum: must be a number, not "few"`
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

func TestPythonTitles(t *testing.T) {
	for name, want := range map[string]string{
		"order_id": "Order Id", "user_id2fa": "User Id2Fa", "userID2fa_x": "Userid2Fa X", "aName": "Aname", "trailing_": "Trailing",
		"_private": "Private", "a__b": "A  B", "müll_état": "Müll État", "straße": "Straße", "ßa": "Ssa", "ὈΔΥΣΣΕΎΣ": "Ὀδυσσεύς",
		"ǆ": "ǅ", "a1b": "A1B", "x.y": "X.Y", "": "",
	} {
		if got := pythonTitle(name); got != want {
			t.Errorf("%q is titled %q, want %q", name, got, want)
		}
	}
}

func TestCleanDoc(t *testing.T) {
	for doc, want := range map[string]string{
		"":                               "",
		"One line.":                      "One line.",
		"  Lead.\n    a\n      b\n   c":  "Lead.\n a\n   b\nc",
		"\n\n  Body.\n\n  ":              "Body.",
		"Tab.\n\tone\n        two":       "Tab.\none\ntwo",
		"Does one thing.\n\n    Second.": "Does one thing.\n\nSecond.",
	} {
		if got := cleanDoc(doc); got != want {
			t.Errorf("%q is cleaned to %q, want %q", doc, got, want)
		}
	}
}

// The schema that is published is what a signature is then made from.
func TestReflectedSchemasAreReadBack(t *testing.T) {
	for _, row := range pydanticRows(t) {
		typ, o, err := inputOf(&row)
		if err != nil {
			continue
		}
		schema, _, err := reflectSchema(typ, o)
		if err != nil {
			continue
		}
		compiled(t, schema)
		s, err := FromSchema(schema)
		if err != nil {
			t.Errorf("%s: %v", row.Get("name").Text, err)
			continue
		}
		if len(s.Fields()) != typ.NumField() {
			t.Errorf("%s has %d fields, want %d", row.Get("name").Text, len(s.Fields()), typ.NumField())
		}
	}
}

func BenchmarkReflect(b *testing.B) {
	type input struct {
		ID    string   `json:"id" jsonschema:"pattern=^#W[0-9]+$,description=The order"`
		Items []string `json:"items" validate:"min=1,unique"`
		To    Addr     `json:"to"`
		Color *Color   `json:"color,omitempty"`
		From  int      `json:"from"`
		Till  int      `json:"till" validate:"gtfield=From"`
	}
	for b.Loop() {
		if _, _, err := reflectSchema(reflect.TypeFor[input](), TypeOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
