package signature

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"github.com/go-playground/validator/v10"
)

func TestValidateTagsBecomeConstraints(t *testing.T) {
	for _, c := range []struct {
		typ  reflect.Type
		tag  string
		want string
	}{
		{stringType, "min=2,max=5", `"maxLength":5,"minLength":2,"title":"F","type":"string"`},
		{stringType, "gt=2,lt=5", `"maxLength":4,"minLength":3,"title":"F","type":"string"`},
		{stringType, "len=4", `"maxLength":4,"minLength":4,"title":"F","type":"string"`},
		{stringType, "eq=on", `"const":"on","title":"F","type":"string"`},
		{stringType, "oneof=red 'dark green'", `"enum":["red","dark green"],"title":"F","type":"string"`},
		{stringType, "oneof=a0x2Cb c0x7Cd", `"enum":["a,b","c|d"],"title":"F","type":"string"`},
		{stringType, "required,email", `"format":"email","title":"F","type":"string"`},
		{stringType, "uri", `"format":"uri","title":"F","type":"string"`},
		{stringType, "uuid", `"format":"uuid","title":"F","type":"string"`},
		{stringType, "ipv4", `"format":"ipv4","title":"F","type":"string"`},
		{stringType, "ipv6", `"format":"ipv6","title":"F","type":"string"`},
		{stringType, "hostname_rfc1123", `"format":"hostname","title":"F","type":"string"`},
		{stringType, "datetime=2006-01-02", `"format":"date","title":"F","type":"string"`},
		{stringType, "datetime=2006-01-02T15:04:05Z07:00", `"format":"date-time","title":"F","type":"string"`},
		{intType, "gte=1,lte=5", `"maximum":5,"minimum":1,"title":"F","type":"integer"`},
		{intType, "min=1,max=5", `"maximum":5,"minimum":1,"title":"F","type":"integer"`},
		{intType, "oneof=1 2 3", `"enum":[1,2,3],"title":"F","type":"integer"`},
		{intType, "eq=3", `"const":3,"title":"F","type":"integer"`},
		{floatType, "gt=0,lt=0.5", `"exclusiveMaximum":0.5,"exclusiveMinimum":0,"title":"F","type":"number"`},
		{boolType, "eq=true", `"const":true,"title":"F","type":"boolean"`},
		{textsType, "min=1,max=3,unique,dive,alpha,len=2", `"items":{"maxLength":2,"minLength":2,"type":"string"},"maxItems":3,"minItems":1,"title":"F","type":"array","uniqueItems":true`},
		{reflect.TypeFor[[][]int](), "dive,min=1,dive,oneof=1 2", `"items":{"items":{"enum":[1,2],"type":"integer"},"minItems":1,"type":"array"},"title":"F","type":"array"`},
		{reflect.TypeFor[map[string]int](), "min=1,dive,keys,alpha,endkeys,max=9", `"additionalProperties":{"maximum":9,"type":"integer"},"minProperties":1,"title":"F","type":"object"`},
		{reflect.TypeFor[*int](), "omitempty,min=1", `"anyOf":[{"minimum":1,"type":"integer"},{"type":"null"}],"title":"F"`},
		{reflect.TypeFor[Color](), "oneof=blue red", ``},
		{intType, "-", `"title":"F","type":"integer"`},
	} {
		t.Run(c.typ.String()+" "+c.tag, func(t *testing.T) {
			got, _ := property(t, c.typ, tagged("json", "f", "validate", c.tag))
			if c.want != "" && got != "{"+c.want+"}" {
				t.Errorf("is\n %s\nwant\n {%s}", got, c.want)
			}
		})
	}
}

// Both families set one and the same constraint (D-5).
func TestTagFamiliesMustAgree(t *testing.T) {
	both := func(schema, validate string) string {
		return tagged("json", "f", "jsonschema", schema, "validate", validate)
	}
	for _, c := range []struct {
		typ              reflect.Type
		schema, validate string
	}{
		{intType, "minimum=1", "min=1"},
		{floatType, "minimum=1.0", "min=1"},
		{intType, "minimum=1", "gt=0"}, // the same whole numbers
		{intType, "exclusiveMaximum=5", "max=4"},
		{stringType, "enum=a,enum=b", "oneof=b a"},
		{stringType, "minLength=3", "max=5"},
		{stringType, "format=email", "email"},
		{textsType, "pattern=^a$,minItems=1", "min=1,dive,max=3"},
		{reflect.TypeFor[[2]int](), "title=T", "len=2"},
	} {
		if _, _, err := reflectSchema(oneField(c.typ, both(c.schema, c.validate)), TypeOptions{}); err != nil {
			t.Errorf("%s and %s agree, and are refused: %v", c.schema, c.validate, err)
		}
	}
	for _, c := range []struct {
		typ                      reflect.Type
		schema, validate, detail string
	}{
		{intType, "minimum=1", "min=2", "jsonschema minimum=1 and validate min=2 disagree"},
		{floatType, "minimum=1", "gt=0", "jsonschema minimum=1 and validate gt=0 set the same end"},
		{stringType, "maxLength=3", "len=4", "jsonschema maxLength=3 and validate len=4 disagree"},
		{stringType, "enum=a,enum=b", "oneof=a c", `jsonschema enum ("a", "b") and validate oneof=a c disagree`},
		{stringType, "format=uri", "email", "jsonschema format=uri and validate email disagree"},
		{intType, "maximum=3", "min=5", "no value is within validate min=5 and jsonschema maximum=3"},
		{stringType, "default=ab", "min=3", "breaks the field's own minLength"},
		{reflect.TypeFor[[2]int](), "title=T", "len=3", "disagree"},
		{reflect.TypeFor[Color](), "title=T", "oneof=red", `EnumValues ("red", "blue") and validate oneof=red disagree`},
	} {
		_, _, err := reflectSchema(oneField(c.typ, both(c.schema, c.validate)), TypeOptions{})
		if err == nil || !strings.Contains(err.Error(), c.detail) {
			t.Errorf("%s and %s are answered with %v, want %q", c.schema, c.validate, err, c.detail)
		}
	}
}

func TestMistakesInTheValidateTag(t *testing.T) {
	for _, c := range []struct {
		name   string
		typ    reflect.Type
		tag    string
		rule   string
		detail string
	}{
		{"unknown rule", stringType, "emial", "validate emial", "did you mean email?"},
		{"rule that is nothing", stringType, "zzzzz", "validate zzzzz", "is no rule of the validator"},
		{"a regexp rule", stringType, "regexp=^a$", "validate regexp", "is no rule"},
		{"comma in oneof", stringType, "oneof=red,green", "validate oneof=red", "separated by blanks"},
		{"pipe in a value", stringType, "startswith=a|zz", "validate startswith=a|zz", "written 0x7C"},
		{"bound that is no number", intType, "min=x", "validate min", `must be a number, not "x"`},
		{"half bound of an int", intType, "min=0.5", "validate min", "whole number"},
		{"length that is no number", stringType, "min=x", "validate min", "whole number"},
		{"length below zero", stringType, "lt=0", "validate lt", "length can meet"},
		{"bound without value", intType, "min", "validate min", "needs a value"},
		{"dive on a string", stringType, "dive,min=1", "validate dive", "neither a list nor a map"},
		{"keys on a list", textsType, "dive,keys,alpha,endkeys", "validate keys", "must follow dive on a map"},
		{"endkeys alone", stringType, "endkeys", "validate endkeys", "needs keys before it"},
		{"oneof on a float", floatType, "oneof=1 2", "validate oneof", "can never hold for a number (float64)"},
		{"oneof of texts on an int", intType, "oneof=a b", "validate oneof", `"a" is not a whole number`},
		{"email on an int", intType, "email", "validate email", "can never hold for a whole number (int)"},
		{"email on a list", textsType, "email", "validate email", "can never hold for a list"},
		{"min on a bool", boolType, "min=1", "validate min", "can never hold for a boolean"},
		{"min on a struct", reflect.TypeFor[Pt](), "min=1", "validate min", "can never hold for an object"},
		{"min on an enum", reflect.TypeFor[Color](), "min=1", "validate min", "already listed by EnumValues"},
		{"min on a type that reads text", reflect.TypeFor[netip.Addr](), "min=1", "validate min", "can never hold for text (netip.Addr)"},
		{"min of any type", reflect.TypeFor[any](), "min=1", "validate min", "would measure a number as text"},
		{"unique on a string", stringType, "unique", "validate unique", "can never hold"},
		{"bound of a time", timeType, "gt=2026-01-01", "validate gt", "compares a time with the present moment"},
		{"datetime of a time", timeType, "datetime=2006-01-02", "validate datetime", "can never hold for a time"},
		{"switch", stringType, "skip_unless=F a,alpha", "validate skip_unless", "switches other rules off"},
		{"structonly", reflect.TypeFor[Pt](), "structonly", "validate structonly", "has no meaning"},
		{"isdefault", stringType, "isdefault", "validate isdefault", `write json:"-"`},
		{"required with a value", stringType, "required=true", "validate required", "takes no value"},
		{"comparison of texts", stringType, "gtfield=F", "validate gtfield", "would compare lengths"},
		{"comparison of lists", textsType, "eqfield=F", "validate eqfield", "would compare lengths"},
		{"comparison with nothing", intType, "gtfield=G", "validate gtfield", "G is no parameter of"},
		{"condition on nothing", intType, "required_if=G 1", "validate required_if", "G is no parameter of"},
		{"condition without value", intType, "required_if=F", "validate required_if", "needs pairs"},
		{"condition that is no number", intType, "required_if=F x", "validate required_if", "cannot run on this type"},
		{"reference by JSON name", intType, "gtfield=f", "validate gtfield", "f is the JSON name; the validator knows the Go name F"},
		{"function that is not there", intType, "validateFn=Nope", "validate validateFn", "int has no method Nope"},
		{"rule that panics on numbers", floatType, "luhn_checksum", "validate luhn_checksum", "cannot run on this type: Bad field type float64"},
	} {
		t.Run(c.name, func(t *testing.T) {
			refuses(t, oneField(c.typ, tagged("json", "f", "validate", c.tag)), c.rule, c.detail)
		})
	}
}

// A derived constraint accepts what the rule itself accepts.
func TestConstraintsMeanWhatTheRuleMeans(t *testing.T) {
	v := validator.New()
	for _, c := range []struct {
		typ    reflect.Type
		rules  []string
		values []any
	}{
		{stringType, []string{"min=2", "max=2", "gt=2", "lt=2", "gte=2", "lte=2", "len=2", "eq=ab", "oneof=ab 'c d'", "email", "ipv4", "ipv6", "uuid", "datetime=2006-01-02"},
			[]any{"", "a", "ab", "éß", "abc", "c d", "a@example.com", "10.0.0.1", "::1", "123e4567-e89b-12d3-a456-426614174000", "2026-02-30", "2026-02-28"}},
		{intType, []string{"min=2", "max=2", "gt=2", "lt=2", "len=2", "eq=2", "oneof=2 3"}, []any{1, 2, 3, -2}},
		{floatType, []string{"min=0.5", "max=0.5", "gt=0.5", "lt=0.5", "eq=0.5"}, []any{0.25, 0.5, 0.75}},
		{textsType, []string{"min=2", "max=2", "gt=2", "lt=2", "len=2", "unique", "dive,min=2", "max=2,dive,oneof=a b"},
			[]any{[]string{}, []string{"a"}, []string{"a", "a"}, []string{"a", "bb"}, []string{"aa", "bb", "cc"}}},
		{reflect.TypeFor[map[string]int](), []string{"min=1", "max=1", "len=1", "dive,gt=3"}, []any{map[string]int{}, map[string]int{"a": 3}, map[string]int{"a": 4, "b": 5}}},
		{boolType, []string{"eq=true"}, []any{true, false}},
	} {
		for _, rule := range c.rules {
			schema, _, err := reflectSchema(oneField(c.typ, tagged("json", "f", "validate", rule)), TypeOptions{})
			if err != nil {
				t.Errorf("%s: %v", rule, err)
				continue
			}
			s := compiled(t, schema)
			for _, value := range c.values {
				input, err := json.Marshal(map[string]any{"f": value})
				if err != nil {
					t.Fatal(err)
				}
				if got, want := valid(s, string(input)), v.Var(value, rule) == nil; got != want {
					t.Errorf("%s: the schema says %v of %s, and the validator %v", rule, got, input, want)
				}
			}
		}
	}
}

// The validator has no list of its rules, so the one here is asked of it.
func TestKnownRulesAreTheValidators(t *testing.T) {
	v := validator.New()
	known := func(rule string) (known bool) {
		defer func() {
			if p := recover(); p != nil {
				known = !strings.Contains(p.(string), "Undefined validation function")
			}
		}()
		_ = v.Var("x", rule)
		return true
	}
	for _, rule := range knownRules {
		if !known(rule + "=1") {
			t.Errorf("%s is no rule of the validator", rule)
		}
	}
	for rule := range needsParam {
		if !known(rule + "=1") {
			t.Errorf("%s is no rule of the validator", rule)
		}
	}
}

func TestComparisonsThatNeverHold(t *testing.T) {
	typ := reflect.StructOf([]reflect.StructField{
		{Name: "A", Type: intType, Tag: `json:"a"`},
		{Name: "B", Type: reflect.TypeFor[*float64](), Tag: `json:"b" validate:"gtfield=A"`},
	})
	refuses(t, typ, "validate gtfield", "compares float64 with int, which never holds")
}

func residuals(t *testing.T, typ reflect.Type) []fieldRule {
	t.Helper()
	_, rules, err := reflectSchema(typ, TypeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

type stay struct {
	From  int      `json:"from"`
	Till  int      `json:"till" validate:"min=1,gtfield=From"`
	Codes []string `json:"codes" validate:"dive,alphanum,startswith=A"`
	Rooms []room   `json:"rooms,omitempty"`
	base
	Tags map[string]*room `json:"tags,omitempty" validate:"dive,keys,lowercase,endkeys"`
}

type room struct {
	Low  *int `json:"low,omitempty"`
	High int  `json:"high" validate:"gtefield=Low"`
}

func TestResidualRulesKnowTheirPlace(t *testing.T) {
	got := residuals(t, reflect.TypeFor[stay]())
	want := []fieldRule{
		{[]int{1}, "till", "gtfield=From"},
		{[]int{2, eachItem}, "codes[]", "alphanum"},
		{[]int{2, eachItem}, "codes[]", "startswith=A"},
		{[]int{3, eachItem, 1}, "rooms[].high", "gtefield=Low"},
		{[]int{5, eachKey}, "tags[]", "lowercase"},
		{[]int{5, eachItem, 1}, "tags[].high", "gtefield=Low"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the rules are\n %v\nwant\n %v", got, want)
	}
}

func TestWhatAFormatSaysInPartIsCheckedInFull(t *testing.T) {
	for tag, rule := range map[string]string{"url": "url", "http_url": "http_url", "uuid4": "uuid4", "fqdn": "fqdn", "hostname": "hostname", "datetime=15:04:05": "datetime=15:04:05"} {
		rules := residuals(t, oneField(stringType, tagged("json", "f", "validate", tag)))
		if len(rules) != 1 || rules[0].Tag != rule {
			t.Errorf("%s leaves %v", tag, rules)
		}
	}
}

func checked(t *testing.T, input any, given ...string) []violation {
	t.Helper()
	typ := reflect.TypeOf(input).Elem()
	_, list, err := reflectSchema(typ, TypeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := newRules(typ, list)
	if err != nil {
		t.Fatal(err)
	}
	set := map[string]bool{}
	for _, name := range given {
		set[name] = true
	}
	return r.check(input, func(name string) bool { return set[name] })
}

func expect(t *testing.T, got []violation, want ...violation) {
	t.Helper()
	if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
		t.Errorf("breaks %+v, want %+v", got, want)
	}
}

func ptr[T any](v T) *T { return &v }

func TestRulesAcrossFields(t *testing.T) {
	all := []string{"from", "till", "codes", "rooms", "tags"}
	expect(t, checked(t, &stay{From: 1, Till: 2, Codes: []string{"A1"}}, all...))
	expect(t, checked(t, &stay{From: 2, Till: 2, Codes: []string{"A1", "b-2", "B3"}}, all...),
		violation{"till", "gtfield", "from"}, violation{"codes[1]", "alphanum", ""}, violation{"codes[1]", "startswith", "A"}, violation{"codes[2]", "startswith", "A"})
	expect(t, checked(t, &stay{From: 1, Till: 2, Rooms: []room{{Low: ptr(3), High: 2}, {High: 0}, {Low: ptr(0), High: 0}}}, all...), violation{"rooms[0].high", "gtefield", "low"})
	expect(t, checked(t, &stay{From: 1, Till: 2, Tags: map[string]*room{"b": nil, "a": {Low: ptr(3), High: 2}, "B": nil}}, all...),
		violation{"tags.B", "lowercase", ""}, violation{"tags.a.high", "gtefield", "low"})
}

func TestRulesPassOverWhatWasNotGiven(t *testing.T) {
	// from was not given and has no default: there is nothing to compare with.
	expect(t, checked(t, &stay{Till: -1}, "till"))
	// A given zero is a value.
	expect(t, checked(t, &stay{From: 0, Till: -1}, "from", "till"), violation{"till", "gtfield", "from"})
	// A default that was filled in is a value too.
	expect(t, checked(t, &stay{From: 5, Till: 1}, "till"), violation{"till", "gtfield", "from"})
	expect(t, checked(t, &stay{From: 5}, "from"))
}

type gift struct {
	Kind  string  `json:"kind" jsonschema:"default=plain"`
	Count int     `json:"count,omitempty"`
	Card  string  `json:"card,omitempty" validate:"required_if=Kind gift"`
	Note  *string `json:"note,omitempty" validate:"excluded_with=Card Count"`
	Wrap  bool    `json:"wrap,omitempty" validate:"required_with=Count"`
	Bow   int     `json:"bow,omitempty" validate:"required_unless=Kind 'plain box' Count 0"`
	Last  string  `json:"last,omitempty" validate:"excluded_without_all=Card Wrap"`
}

func TestPresenceRulesGoByWhatWasGiven(t *testing.T) {
	unless := violation{"bow", "required_unless", "kind 'plain box' count 0"}
	expect(t, checked(t, &gift{Kind: "plain", Bow: 1}, "bow"))
	expect(t, checked(t, &gift{Kind: "gift", Bow: 1}, "kind", "bow"), violation{"card", "required_if", "kind gift"})
	// "" and 0 and false are given: the validator itself would call them missing.
	expect(t, checked(t, &gift{Kind: "gift"}, "kind", "card", "bow"))
	expect(t, checked(t, &gift{Kind: "plain", Count: 0}, "kind", "count", "wrap"))
	expect(t, checked(t, &gift{Kind: "plain", Count: 0}, "kind", "count"), violation{"wrap", "required_with", "count"})
	expect(t, checked(t, &gift{Kind: "plain"}, "kind"), unless)
	expect(t, checked(t, &gift{Kind: "plain box"}, "kind"))
	expect(t, checked(t, &gift{Kind: "plain box", Count: 3, Note: ptr("n")}, "kind", "note", "count", "wrap"), violation{"note", "excluded_with", "card count"})
	expect(t, checked(t, &gift{Kind: "plain box", Last: "l"}, "last"), violation{"last", "excluded_without_all", "card wrap"})
	expect(t, checked(t, &gift{Kind: "plain box", Last: "l"}, "last", "wrap"))
}

type deep struct {
	Low   int    `json:"low"`
	Inner inner  `json:"inner"`
	Extra *inner `json:"extra,omitempty" validate:"excluded_if=Low 3"`
}

type inner struct {
	High int    `json:"high" validate:"gtcsfield=Low"`
	A    string `json:"a,omitempty"`
	B    string `json:"b,omitempty" validate:"unique=A"`
}

func TestRulesInsideObjects(t *testing.T) {
	expect(t, checked(t, &deep{Low: 1, Inner: inner{High: 2, A: "x", B: "y"}}, "low", "inner"))
	expect(t, checked(t, &deep{Low: 3, Inner: inner{High: 2, A: "x", B: "x"}}, "low", "inner"),
		violation{"inner.high", "gtcsfield", "low"}, violation{"inner.b", "unique", "a"})
	expect(t, checked(t, &deep{Low: 3, Inner: inner{High: 4}, Extra: &inner{High: 9}}, "low", "inner", "extra"), violation{"extra", "excluded_if", "low 3"})
}

type flexible struct {
	Any any    `json:"any" validate:"timezone"`
	Or  string `json:"or" validate:"email|e164"`
	Fn  code   `json:"fn" validate:"validateFn"`
}

type code string

func (c *code) Validate() error {
	if *c == "bad" {
		return errNever
	}
	return nil
}

type constError string

func (e constError) Error() string { return string(e) }

const errNever = constError("never shown to a caller")

func TestRulesAreDataAndFailClosed(t *testing.T) {
	all := []string{"any", "or", "fn"}
	expect(t, checked(t, &flexible{Any: "UTC", Or: "+4930123456", Fn: "good"}, all...))
	expect(t, checked(t, &flexible{Any: nil, Or: "a@example.com", Fn: "good"}, all...))
	// A boolean makes the validator panic: the value does not pass.
	expect(t, checked(t, &flexible{Any: true, Or: "neither", Fn: "bad"}, all...),
		violation{"any", "timezone", ""}, violation{"or", "email|e164", ""}, violation{"fn", "validateFn", ""})
}

func TestNoRulesCheckNothing(t *testing.T) {
	r, err := newRules(reflect.TypeFor[Pt](), nil)
	if r != nil || err != nil {
		t.Errorf("no rules make %v, %v", r, err)
	}
	if got := r.check(&Pt{}, nil); got != nil {
		t.Errorf("no rules find %v", got)
	}
}

// One validator serves every call (run with -race).
func TestRulesMayRunAtOnce(t *testing.T) {
	typ := reflect.TypeFor[stay]()
	r, err := newRules(typ, residuals(t, typ))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan int)
	for range 8 {
		go func() {
			n := 0
			for range 50 {
				n += len(r.check(&stay{From: 2, Till: 1, Codes: []string{"a-"}}, func(string) bool { return true }))
			}
			done <- n
		}()
	}
	for range 8 {
		if n := <-done; n != 150 {
			t.Errorf("found %d, want 150", n)
		}
	}
}

func BenchmarkRules(b *testing.B) {
	typ := reflect.TypeFor[stay]()
	_, list, _ := reflectSchema(typ, TypeOptions{})
	r, err := newRules(typ, list)
	if err != nil {
		b.Fatal(err)
	}
	in := &stay{From: 1, Till: 2, Codes: []string{"A1"}}
	b.ReportAllocs()
	for b.Loop() {
		r.check(in, func(string) bool { return true })
	}
}
