package signature

import (
	"encoding/json"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
)

// oneField is a struct with one field whose tag is given as text, so that
// broken tags can be tried without being broken tags of this file.
func oneField(t reflect.Type, tag string) reflect.Type {
	return reflect.StructOf([]reflect.StructField{{Name: "F", Type: t, Tag: reflect.StructTag(tag)}})
}

// tagged joins the parts of a tag with their values quoted.
func tagged(pairs ...string) string {
	var parts []string
	for i := 0; i < len(pairs); i += 2 {
		parts = append(parts, pairs[i]+":"+strconv.Quote(pairs[i+1]))
	}
	return strings.Join(parts, " ")
}

// authorErrors takes a joined error apart.
func authorErrors(t *testing.T, err error) []*AuthorError {
	t.Helper()
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		t.Fatalf("%T is not a joined error", err)
	}
	var out []*AuthorError
	for _, e := range joined.Unwrap() {
		var a *AuthorError
		if !errors.As(e, &a) {
			t.Fatalf("%T (%v) is not an AuthorError", e, e)
		}
		out = append(out, a)
	}
	return out
}

// refuses holds one mistake against a type: rule and a part of the detail.
func refuses(t *testing.T, typ reflect.Type, rule, detail string) {
	t.Helper()
	_, _, err := reflectSchema(typ, TypeOptions{})
	list := authorErrors(t, err)
	if len(list) == 0 {
		t.Fatal("is accepted")
	}
	if len(list) > 1 {
		t.Errorf("one mistake is reported %d times: %v", len(list), err)
	}
	e := list[0]
	if e.Rule != rule || !strings.Contains(e.Detail, detail) {
		t.Errorf("is refused with\n %s\nwant rule %q and %q", e, rule, detail)
	}
	if e.Type == "" || !strings.HasPrefix(e.Error(), e.Type) {
		t.Errorf("%q does not name the type", e)
	}
}

var (
	stringType = reflect.TypeFor[string]()
	intType    = reflect.TypeFor[int]()
	floatType  = reflect.TypeFor[float64]()
	boolType   = reflect.TypeFor[bool]()
	textsType  = reflect.TypeFor[[]string]()
)

func TestMistakesInTheJsonschemaTag(t *testing.T) {
	for _, c := range []struct {
		name   string
		typ    reflect.Type
		tag    string
		rule   string
		detail string
	}{
		{"misspelt keyword", stringType, "patern=^a$", "jsonschema", `"patern" is no keyword; did you mean pattern?`},
		{"keyword in the wrong case", stringType, "minlength=3", "jsonschema", "did you mean minLength?"},
		{"plural of example", stringType, "examples=a", "jsonschema", "did you mean example?"},
		{"keyword that is nothing", stringType, "colour=red", "jsonschema", `"colour" is no keyword`},
		{"blank before a keyword", stringType, "title=A, description=B", "jsonschema", "has a blank around it"},
		{"extra in the wrong tag", stringType, "db_lookup=true", "jsonschema", "belongs in the tag jsonschema_extras"},
		{"description cut at a comma", stringType, "description=one, two", "description", "or use the tag jsonschema_description"},
		{"description cut before an equals sign", stringType, "description=a list, x=1 for all", "description", "the rest would be lost"},
		{"description cut before a keyword's name", stringType, "description=give id,title", "description", "the rest would be lost"},
		{"pattern cut at a comma", stringType, "pattern=^a{1,3}$", "pattern", `write the comma as \\,`},
		{"values of enum in one word", stringType, "enum=a,b", "enum", "repeat the keyword: enum=a,enum=b"},
		{"keyword without value", stringType, "title", "title", "needs a value"},
		{"keyword twice", intType, "minimum=1,minimum=2", "minimum", "is given twice"},
		{"bound that is no number", intType, "minimum=abc", "minimum", `must be a number, not "abc"`},
		{"bound in Go's notation", intType, "minimum=0x10", "minimum", "must be a number"},
		{"bound with a plus", floatType, "minimum=+1", "minimum", "must be a number"},
		{"bound too large", floatType, "maximum=1e999999999", "maximum", "too large"},
		{"half a bound of an int", intType, "minimum=0.5", "minimum", "write a whole number"},
		{"bound outside the Go type", reflect.TypeFor[int8](), "maximum=300", "maximum", "jsonschema maximum=300: 300 does not fit int8"},
		{"multiple of nothing", intType, "multipleOf=0", "multipleOf", "must be above 0"},
		{"length that is no count", stringType, "minLength=-1", "minLength", "whole number of at least 0"},
		{"length with a point", stringType, "maxLength=1.5", "maxLength", "whole number"},
		{"length of a number", intType, "minLength=3", "minLength", "says nothing about a whole number (int)"},
		{"bound of a text", stringType, "minimum=3", "minimum", "says nothing about text (string)"},
		{"pattern on a number", intType, "pattern=^a$", "pattern", "says nothing about"},
		{"pattern on a map", reflect.TypeFor[map[string]string](), "pattern=^a$", "pattern", "says nothing about a map"},
		{"items of a text", stringType, "minItems=1", "minItems", "says nothing about text"},
		{"items of an array", reflect.TypeFor[[2]int](), "minItems=1", "minItems", "already has exactly 2 items"},
		{"enum on a list of structs", reflect.TypeFor[[]Pt](), "enum=a", "enum", "says nothing about an object"},
		{"enum on an enum", reflect.TypeFor[Color](), "enum=red", "enum", "has its values from EnumValues"},
		{"enum of the wrong type", intType, "enum=1,enum=two", "enum", `"two" is not a whole number`},
		{"enum with one value twice", floatType, "enum=1,enum=1.0", "enum", "given twice"},
		{"pattern RE2 cannot read", stringType, `pattern=^(?=a)$`, "pattern", "no lookaround"},
		{"pattern of Python only", stringType, `pattern=^a\Z`, "pattern", "RE2"},
		{"format nearly known", stringType, "format=datetime", "format", "did you mean date-time?"},
		{"format of a time", timeType, "format=date", "format", "always read as date-time"},
		{"flag that is no flag", stringType, "deprecated=yes", "deprecated", "must be true or false"},
		{"root choice", stringType, "oneof_required=a", "oneof_required", "vendors drop"},
		{"root choice of any", stringType, "anyof_required=a", "anyof_required", "vendors drop"},
		{"nullable", stringType, "nullable", "nullable", "make the field a pointer"},
		{"type", stringType, "type=integer", "type", "comes from the Go type"},
		{"oneof_type", reflect.TypeFor[any](), "oneof_type=string;integer", "oneof_type", "write anyof_type"},
		{"anyof_type on a string", stringType, "anyof_type=string;integer", "anyof_type", "needs a field of type any"},
		{"anyof_type of a list", reflect.TypeFor[any](), "anyof_type=string;array", "anyof_type", `"array" is not one of string, integer, number, boolean`},
		{"anyof_type of one", reflect.TypeFor[any](), "anyof_type=string", "anyof_type", "at least two types"},
		{"default of an int", intType, "default=x", "default", `"x" is not a whole number`},
		{"default with a point for an int", intType, "default=1.5", "default", "1.5 is not a whole number"},
		{"default beyond the Go type", reflect.TypeFor[uint8](), "default=300", "default", "300 does not fit uint8"},
		{"default of a bool", boolType, "default=yes", "default", `"yes" is not a boolean`},
		{"default infinity", floatType, "default=inf", "default", "cannot be written as JSON (FW-189)"},
		{"default nan", floatType, "default=NaN", "default", "cannot be written as JSON (FW-189)"},
		{"default beyond float64", floatType, "default=1e400", "default", "does not fit float64"},
		{"default null of a string", stringType, "default=null", "default", "null fits a pointer only"},
		{"default twice", stringType, "default=a,default=b", "default", "given 2 times"},
		{"default of a list of ints", reflect.TypeFor[[]int](), "default=1,default=x", "default", `"x" is not a whole number`},
		{"default of a list half written", textsType, "default=[a", "default", `"[a" is not the JSON of a list`},
		{"default of an array too short", reflect.TypeFor[[2]int](), "default=1", "default", "has 1 items"},
		{"default of a map", reflect.TypeFor[map[string]int](), `default={"a":"b"}`, "default", `a: "b" is not a whole number`},
		{"default of a struct with an unknown member", reflect.TypeFor[Pt](), `default={"z":1}`, "default", "has no field z"},
		{"default of a struct without a member", reflect.TypeFor[Pt](), `default={"y":1}`, "default", "lacks x, which signature.Pt requires"},
		{"default outside the enum type", reflect.TypeFor[Color](), "default=green", "default", `is not one of the values of signature.Color: "red", "blue"`},
		{"default of a time without offset", timeType, "default=2026-01-31T10:20:30", "default", "with an offset"},
		{"default that the reader refuses", reflect.TypeFor[net.IP](), "default=300.1.1.1", "default", "UnmarshalText of net.IP refuses"},
		{"default against its pattern", stringType, "default=A,pattern=^[a-z]+$", "default", `breaks the field's own pattern "^[a-z]+$"`},
		{"default with more than its pattern", stringType, "default=abc1,pattern=[a-z]+", "default", "breaks the field's own pattern"},
		{"default against its enum", stringType, "default=c,enum=a,enum=b", "default", `"c" is not one of "a", "b"`},
		{"default against its bound", intType, "default=0,minimum=1", "default", "breaks the field's own minimum 1"},
		{"default against its exclusive bound", floatType, "default=1,exclusiveMaximum=1", "default", "breaks the field's own exclusiveMaximum"},
		{"default against multipleOf", intType, "default=3,multipleOf=2", "default", "breaks the field's own multipleOf"},
		{"default too short in characters", stringType, "default=é,minLength=2", "default", "breaks the field's own minLength"},
		{"default against its format", stringType, "default=x,format=email", "default", "breaks the field's own format"},
		{"default list too long", textsType, "default=a,default=b,maxItems=1", "default", "breaks the field's own maxItems"},
		{"default list with a repeated item", textsType, "default=a,default=a,uniqueItems", "default", "uniqueItems"},
		{"default item against its pattern", textsType, "default=a,pattern=^b$", "default", "item 0"},
		{"example of the wrong type", intType, "example=one", "example", `"one" is not a whole number`},
		{"example of a bool", boolType, "example=1", "example", "1 is not a boolean"},
		{"range without a value", intType, "minimum=5,maximum=1", "minimum", "no value is within"},
		{"exclusive range without a value", floatType, "exclusiveMinimum=1,maximum=1", "exclusiveMinimum", "no value is within"},
		{"length range without a value", stringType, "minLength=5,maxLength=1", "minLength", "no value is within"},
		{"two lower ends", floatType, "minimum=1,exclusiveMinimum=1", "minimum", "keep one"},
		{"enum value against its bound", intType, "enum=1,enum=9,maximum=5", "enum", "9 breaks"},
		{"required and a default", stringType, "required,default=a", "required", "remove one of the two"},
		{"hidden from the schema only", stringType, "-", "jsonschema", `write json:"-"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			refuses(t, oneField(c.typ, tagged("json", "f", "jsonschema", c.tag)), c.rule, c.detail)
		})
	}
}

func TestMistakesInOtherTags(t *testing.T) {
	for _, c := range []struct {
		name   string
		typ    reflect.Type
		tag    string
		rule   string
		detail string
	}{
		{"backslash not doubled", stringType, `json:"f" jsonschema:"pattern=^\d+$"`, "jsonschema", "every backslash is doubled"},
		{"backslash not doubled in extras", stringType, `json:"f" jsonschema_extras:"x-a=\d"`, "jsonschema_extras", "every backslash is doubled"},
		{"quote missing", stringType, `json:"f" jsonschema:"title=A`, "jsonschema", "closing quote is missing"},
		{"no quotes", stringType, `json:"f" jsonschema:title`, "struct tag", `write key:"value" pairs`},
		{"tag twice", stringType, `validate:"alpha" validate:"alphanum"`, "validate", "given twice"},
		{"misspelt tag", stringType, `json:"f" jsonshema:"title=A"`, "jsonshema", "did you mean jsonschema?"},
		{"misspelt extras tag", stringType, `json:"f" jsonschema_extra:"db_lookup=true"`, "jsonschema_extra", "did you mean jsonschema_extras?"},
		{"misspelt validate", stringType, `json:"f" validator:"alpha"`, "validator", "did you mean validate?"},
		{"not UTF-8", stringType, "json:\"f\" jsonschema:\"title=\xff\"", "jsonschema", "not UTF-8"},
		{"described twice", stringType, tagged("json", "f", "jsonschema", "description=a", "jsonschema_description", "b"), "description", "differently"},
		{"json option string", intType, `json:"f,string"`, "json", "the option string is refused"},
		{"json option misspelt", intType, `json:"f,omitemtpy"`, "json", "did you mean omitempty?"},
		{"json option inline", reflect.TypeFor[Pt](), `json:",inline"`, "json", `the option "inline" is unknown`},
		{"json name of a hyphen", stringType, `json:"-,"`, "json", `the name "-" cannot be a parameter's name`},
		{"json name with a quote", stringType, `json:"a'b"`, "json", "cannot be a parameter's name"},
		{"hidden and described", stringType, `json:"-" jsonschema:"title=A"`, "json", "hides the field"},
		{"required and omitempty", stringType, `json:"f,omitempty" jsonschema:"required"`, "required", "remove one of the two"},

		{"misspelt extra", stringType, tagged("json", "f", "jsonschema_extras", "db_lokup=true"), "jsonschema_extras", "did you mean db_lookup?"},
		{"misspelt positional", stringType, tagged("json", "f", "jsonschema_extras", "positonal"), "jsonschema_extras", "did you mean positional?"},
		{"aliases for alias", stringType, tagged("json", "f", "jsonschema_extras", "aliases=a"), "aliases", "write alias=, once for each name"},
		{"extra without value", stringType, tagged("json", "f", "jsonschema_extras", "x-a"), "jsonschema_extras", "has no value"},
		{"extra cut at a comma", stringType, tagged("json", "f", "jsonschema_extras", "x-a=one, two"), "jsonschema_extras", `a comma inside a value is written \\,`},
		{"keyword as an extra", stringType, tagged("json", "f", "jsonschema_extras", "description=two"), "description", "write it in the tag jsonschema"},
		{"bound as an extra", intType, tagged("json", "f", "jsonschema_extras", "minimum=2"), "minimum", "write it in the tag jsonschema"},
		{"type as an extra", stringType, tagged("json", "f", "jsonschema_extras", "type=integer"), "type", "cannot be an extra"},
		{"flag that is no flag", stringType, tagged("json", "f", "jsonschema_extras", "db_lookup=yes"), "db_lookup", "must be true or false"},
		{"references", stringType, tagged("json", "f", "jsonschema_extras", "references=twice"), "references", "must be one of decode, once, raw"},
		{"alias that is no name", stringType, tagged("json", "f", "jsonschema_extras", "alias="), "alias", "cannot be a parameter's name"},
		{"alias of the field itself", stringType, tagged("json", "f", "jsonschema_extras", "alias=f"), "alias", "already names F"},
		{"available from nothing", stringType, tagged("json", "f", "jsonschema_extras", "available_from="), "available_from", "names nothing"},
		{"enum twice", stringType, tagged("json", "f", "jsonschema", "enum=a", "jsonschema_extras", "enum=a"), "enum", "keep one"},
		{"enum beside null", reflect.TypeFor[*string](), tagged("json", "f", "jsonschema_extras", "enum=a"), "enum", "would refuse null"},
		{"default outside an extra enum", stringType, tagged("json", "f", "jsonschema", "default=c", "jsonschema_extras", "enum=a,enum=b"), "default", `"c" is not one of "a", "b"`},
	} {
		t.Run(c.name, func(t *testing.T) { refuses(t, oneField(c.typ, c.tag), c.rule, c.detail) })
	}
}

type mute interface{ Speak() }

type ownReader struct{ A string }

func (*ownReader) UnmarshalJSON([]byte) error { return nil }

func TestTypesThatCannotBeParameters(t *testing.T) {
	for _, c := range []struct {
		typ    reflect.Type
		detail string
	}{
		{reflect.TypeFor[chan int](), "cannot be a parameter"},
		{reflect.TypeFor[func()](), "cannot be a parameter"},
		{reflect.TypeFor[complex128](), "cannot be a parameter"},
		{reflect.TypeFor[uintptr](), "cannot be a parameter"},
		{reflect.TypeFor[map[int]string](), "keys of a map must be plain strings"},
		{reflect.TypeFor[map[Color]string](), "keys of a map must be plain strings"},
		{reflect.TypeFor[map[netip.Addr]string](), "keys of a map must be plain strings"},
		{reflect.TypeFor[map[string]chan int](), "cannot be a parameter"},
		{reflect.TypeFor[[]func()](), "cannot be a parameter"},
		{reflect.TypeFor[[]byte](), "use a string with format=binary"},
		{reflect.TypeFor[**int](), "a pointer to a pointer"},
		{reflect.TypeFor[mute](), "of the interfaces only any"},
		{reflect.TypeFor[ownReader](), "has an UnmarshalJSON"},
		{reflect.TypeFor[time.Duration](), "nanoseconds"},
		{reflect.TypeFor[url.URL](), "use a string with format=uri"},
	} {
		t.Run(c.typ.String(), func(t *testing.T) { refuses(t, oneField(c.typ, `json:"f"`), "type", c.detail) })
	}
}

type recursive struct {
	Children []recursive `json:"children,omitempty"`
}

type ping struct {
	Pong *pong `json:"pong"`
}

type pong struct {
	Pings map[string][]ping `json:"pings"`
}

type listOfItself []listOfItself

// The library overflows the stack on such a type, which ends the process.
func TestRecursiveTypesAreFoundBeforeTheLibrarySeesThem(t *testing.T) {
	refuses(t, reflect.TypeFor[recursive](), "recursive type", "signature.recursive > []signature.recursive > signature.recursive")
	refuses(t, reflect.TypeFor[ping](), "recursive type", "signature.ping contains itself")
	refuses(t, oneField(reflect.TypeFor[listOfItself](), `json:"f"`), "recursive type", "contains itself")
}

func TestAllMistakesAreReportedAtOnce(t *testing.T) {
	typ := reflect.StructOf([]reflect.StructField{
		{Name: "A", Type: stringType, Tag: `json:"a" jsonschema:"patern=x,minimum=1,title=A"`},
		{Name: "B", Type: intType, Tag: `json:"a" validate:"nosuch"`},
		{Name: "C", Type: reflect.TypeFor[chan int](), Tag: `json:"c"`},
	})
	_, _, err := reflectSchema(typ, TypeOptions{Unknown: "forbidden"})
	var got []string
	for _, e := range authorErrors(t, err) {
		got = append(got, e.Field+" "+e.Rule)
	}
	want := []string{"B json", "A jsonschema", "A minimum", "C type", " Unknown"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

func TestNamesAreOneFieldEach(t *testing.T) {
	two := func(a, b string) reflect.Type {
		return reflect.StructOf([]reflect.StructField{
			{Name: "A", Type: stringType, Tag: reflect.StructTag(a)}, {Name: "B", Type: stringType, Tag: reflect.StructTag(b)},
		})
	}
	refuses(t, two(`json:"x"`, `json:"x"`), "json", `the name "x" is already that of A`)
	refuses(t, two(`json:"B"`, ``), "json", `the name "B" is already that of A`)
	refuses(t, two(`json:"x"`, `json:"y" jsonschema_extras:"alias=x"`), "alias", `"x" already names A`)
	refuses(t, two(`json:"x" jsonschema_extras:"alias=z"`, `json:"y" jsonschema_extras:"alias=z"`), "alias", `"z" already names A`)
	refuses(t, two(`json:"x" jsonschema_extras:"positional=true"`, `json:"y" jsonschema_extras:"positional"`), "positional", "A is positional already")
}

// property reflects a one-field struct and returns the field's schema and
// whether it is required.
func property(t *testing.T, typ reflect.Type, tag string) (schema string, required bool) {
	t.Helper()
	out, _, err := reflectSchema(oneField(typ, tag), TypeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
	}
	if err := json.Unmarshal(out, &doc); err != nil {
		t.Fatal(err)
	}
	for _, p := range doc.Properties {
		schema = string(p)
	}
	return schema, len(doc.Required) > 0
}

// The traps of the reflection library: each line was wrong, lost or a string
// when the library read the tag (deps, section 1).
func TestTagsSayWhatTheirAuthorMeant(t *testing.T) {
	for _, c := range []struct {
		name     string
		typ      reflect.Type
		tag      string
		want     string
		required bool
	}{
		{"one available_from is a list", stringType, tagged("json", "f", "jsonschema_extras", "available_from=a"),
			`{"available_from":["a"],"title":"F","type":"string"}`, true},
		{"several are one list", stringType, tagged("json", "f", "jsonschema_extras", "available_from=a,available_from=b/c"),
			`{"available_from":["a","b/c"],"title":"F","type":"string"}`, true},
		{"aliases", stringType, tagged("json", "f", "jsonschema_extras", "alias=g"), `{"aliases":["g"],"title":"F","type":"string"}`, true},
		{"a key set", stringType, tagged("json", "f", "jsonschema_extras", "x-keys=one"), `{"title":"F","type":"string","x-keys":["one"]}`, true},
		{"flags with and without true", stringType, tagged("json", "f", "jsonschema_extras", "db_lookup,positional=true"),
			`{"db_lookup":true,"positional":true,"title":"F","type":"string"}`, true},
		{"extras of the author's own", stringType, tagged("json", "f", "jsonschema_extras", "x-n=3,x-on=true,x-off=false,hint=a,hint=b,file=c"),
			`{"file":"c","hint":["a","b"],"title":"F","type":"string","x-n":"3","x-off":false,"x-on":true}`, true},
		{"a comma in an extra", stringType, tagged("json", "f", "jsonschema_extras", `x-list=[1\,2]`), `{"title":"F","type":"string","x-list":"[1,2]"}`, true},
		{"an enum extra keeps its list", stringType, tagged("json", "f", "jsonschema_extras", "enum=a"), `{"enum":["a"],"title":"F","type":"string"}`, true},
		{"reference policy", stringType, tagged("json", "f", "jsonschema_extras", "references=raw"), `{"references":"raw","title":"F","type":"string"}`, true},
		{"a comma in a description", stringType, tagged("json", "f", "jsonschema", `description=one\, two`), `{"description":"one, two","title":"F","type":"string"}`, true},
		{"a description of its own tag", stringType, tagged("json", "f", "jsonschema_description", "one, two = <3>\nnext"),
			`{"description":"one, two = <3>\nnext","title":"F","type":"string"}`, true},
		{"comma and backslash in a pattern", stringType, tagged("json", "f", "jsonschema", `pattern=^[a-z]{1\,3}_\d+$`),
			`{"pattern":"^[a-z]{1,3}_\\d+$","title":"F","type":"string"}`, true},
		{"pattern of a list's items", textsType, tagged("json", "f", "jsonschema", "pattern=^x=y$"),
			`{"items":{"pattern":"^x=y$","type":"string"},"title":"F","type":"array"}`, true},
		{"pattern of the items of lists in a list", reflect.TypeFor[[][]string](), tagged("json", "f", "jsonschema", "pattern=^a$,minItems=1"),
			`{"items":{"items":{"pattern":"^a$","type":"string"},"type":"array"},"minItems":1,"title":"F","type":"array"}`, true},
		{"default of a list of numbers", reflect.TypeFor[[]int](), tagged("json", "f", "jsonschema", "default=1,default=2"),
			`{"default":[1,2],"items":{"type":"integer"},"title":"F","type":"array"}`, false},
		{"default of an empty list", reflect.TypeFor[[]int](), tagged("json", "f", "jsonschema", "default=[]"),
			`{"default":[],"items":{"type":"integer"},"title":"F","type":"array"}`, false},
		{"default list as JSON", textsType, tagged("json", "f", "jsonschema", `default=["a"\,"b\,c"]`),
			`{"default":["a","b,c"],"items":{"type":"string"},"title":"F","type":"array"}`, false},
		{"example of a bool", boolType, tagged("json", "f", "jsonschema", "example=true,example=false"),
			`{"examples":[true,false],"title":"F","type":"boolean"}`, true},
		{"examples of a list are lists", textsType, tagged("json", "f", "jsonschema", `example=a,example=["b"\,"c"]`),
			`{"examples":[["a"],["b","c"]],"items":{"type":"string"},"title":"F","type":"array"}`, true},
		{"default null of a pointer", reflect.TypeFor[*string](), tagged("json", "f", "jsonschema", "default=null"),
			`{"anyOf":[{"type":"string"},{"type":"null"}],"default":null,"title":"F"}`, false},
		{"pointer that must be given", reflect.TypeFor[*string](), tagged("json", "f"), `{"anyOf":[{"type":"string"},{"type":"null"}],"title":"F"}`, true},
		{"pointer that may be left out", reflect.TypeFor[*string](), tagged("json", "f,omitempty"),
			`{"anyOf":[{"type":"string"},{"type":"null"}],"default":null,"title":"F"}`, false},
		{"omitzero", reflect.TypeFor[*int](), tagged("json", "f,omitzero"), `{"anyOf":[{"type":"integer"},{"type":"null"}],"default":null,"title":"F"}`, false},
		{"factory", textsType, tagged("json", "f,omitempty"), `{"items":{"type":"string"},"title":"F","type":"array"}`, false},
		{"what explains stands beside anyOf", reflect.TypeFor[*float64](),
			tagged("json", "f", "jsonschema", "title=T,description=D,default=1.5,example=2,minimum=0,deprecated", "jsonschema_extras", "available_from=a"),
			`{"anyOf":[{"minimum":0,"type":"number"},{"type":"null"}],"available_from":["a"],"default":1.5,"deprecated":true,"description":"D","examples":[2],"title":"T"}`, false},
		{"NOT_FOUND need not match", stringType, tagged("json", "f", "jsonschema", "default=NOT_FOUND,pattern=^#W$,enum=#W"),
			`{"const":"#W","default":"NOT_FOUND","pattern":"^#W$","title":"F","type":"string"}`, false},
		{"one value is a const", intType, tagged("json", "f", "jsonschema", "enum=3"), `{"const":3,"title":"F","type":"integer"}`, true},
		{"null items", reflect.TypeFor[[]*string](), tagged("json", "f", "jsonschema", "enum=a,enum=b"),
			`{"items":{"anyOf":[{"enum":["a","b"],"type":"string"},{"type":"null"}]},"title":"F","type":"array"}`, true},
		{"bounds keep their text", floatType, tagged("json", "f", "jsonschema", "minimum=0.50,maximum=1e3"), `{"maximum":1e3,"minimum":0.50,"title":"F","type":"number"}`, true},
		{"a large integer keeps its digits", reflect.TypeFor[int64](), tagged("json", "f", "jsonschema", "default=9007199254740993"),
			`{"default":9007199254740993,"title":"F","type":"integer"}`, false},
		{"markup stays readable", stringType, tagged("json", "f", "jsonschema", "pattern=^<a&b>$"), `{"pattern":"^<a&b>$","title":"F","type":"string"}`, true},
		{"an equals sign in a default", stringType, tagged("json", "f", "jsonschema", "default=a=b"), `{"default":"a=b","title":"F","type":"string"}`, false},
		{"a default of no characters", stringType, tagged("json", "f", "jsonschema", "default="), `{"default":"","title":"F","type":"string"}`, false},
		{"union", reflect.TypeFor[any](), tagged("json", "f", "jsonschema", "anyof_type=integer;string,default=x"),
			`{"anyOf":[{"type":"integer"},{"type":"string"}],"default":"x","title":"F"}`, false},
		{"union takes the first type that fits", reflect.TypeFor[*any](), tagged("json", "f", "jsonschema", "anyof_type=integer;string,default=1"),
			`{"anyOf":[{"type":"integer"},{"type":"string"},{"type":"null"}],"default":1,"title":"F"}`, false},
		{"required stays required", stringType, tagged("json", "f", "jsonschema", "required"), `{"title":"F","type":"string"}`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, required := property(t, c.typ, c.tag)
			if strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(c.want, " ", "") {
				t.Errorf("is\n %s\nwant\n %s", got, c.want)
			}
			if required != c.required {
				t.Errorf("required is %v", required)
			}
		})
	}
}
