package validate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/normalize"
	"github.com/fwgo/fwgo/signature"
	"github.com/fwgo/fwgo/validate"
)

// kindsOfFields are what commands of the comparison are made of: Go types and
// tags, with and without a direct way.
var kindsOfFields = []reflect.StructField{
	field[string](``),
	field[string](`jsonschema:"pattern=^ORD-[0-9]{3}$"`),
	field[string](`jsonschema:"pattern=(a|bc)*"`),
	field[string](`jsonschema:"minLength=1,maxLength=4"`),
	field[string](`jsonschema:"format=date"`),
	field[string](`jsonschema:"enum=pending,enum=sea green,enum=1"`),
	field[string](`jsonschema:"default=none"`),
	field[string](`jsonschema:"default=NOT_FOUND"`),
	field[*string](``),
	field[string](`jsonschema_extras:"db_lookup=true"`),
	field[string](`jsonschema_extras:"db_lookup=true"`),
	field[string](`jsonschema:"default=abx" jsonschema_extras:"db_lookup=true"`),
	field[*int](`jsonschema_extras:"db_lookup=true"`),
	field[float64](`jsonschema_extras:"db_lookup=true"`),
	field[[]string](`jsonschema_extras:"db_lookup=true"`),
	field[int](``),
	field[int](`jsonschema:"minimum=1,maximum=100"`),
	field[int8](``),
	field[uint64](`jsonschema:"multipleOf=3"`),
	field[*int](`jsonschema:"default=7"`),
	field[float64](`jsonschema:"exclusiveMinimum=0,maximum=19.99"`),
	field[float32](``),
	field[bool](``),
	field[*bool](``),
	field[json.Number](``),
	field[[]string](``),
	field[[]string](`jsonschema:"minItems=2,maxItems=3"`),
	field[[]string](`jsonschema:"uniqueItems=true"`),
	field[[]int16](``),
	field[[]float64](``),
	field[[]bool](``),
	field[[]shade](``),
	field[*[]string](``),
	field[shade](``),
	field[level](``),
	field[code](``),
	field[any](``),
	field[json.RawMessage](``),
	field[inner](``),
	field[map[string]int](``),
	field[[]*string](``),
	field[*json.Number](``),
	field[[]json.Number](``),
	field[string](`jsonschema_extras:"alias=other"`),
	field[string](`jsonschema:"pattern=(?i)[a-z]+"`),
	field[int](`jsonschema:"exclusiveMinimum=1,exclusiveMaximum=100"`),
	field[string](`validate:"ne=abc"`),
	field[[]string](`validate:"dive,min=2"`),
}

func field[T any](tag string) reflect.StructField {
	return reflect.StructField{Type: reflect.TypeFor[T](), Tag: reflect.StructTag(tag)}
}

// literals are what their arguments are made of.
var literals = []string{
	`""`, `"a"`, `"abc"`, `"ORD-123"`, `"ORD-12"`, `"pending"`, `"Pending"`, `"sea green"`, `"sea_green"`, `"red"`, `"2026-01-31"`, `"AB"`,
	`"é"`, `"日本語日本"`, `" padded "`, `"a&amp;b"`, `"a&b"`, `"a < b"`, `"</f0><f1>x"`, `"say \"hi\""`, `"line\nbreak"`, `"\u0041"`, `"\ud83d"`,
	"\"bad\xff\"", "\"tab\tin\"", `"NOT_FOUND"`, `"null"`, `"None"`, `"[1,2]"`, `"[\"a\",\"b\"]"`, `"{\"w\":1}"`, `"5"`, `"true"`, `"a,b"`, `"[x"`,
	`0`, `-0`, `1`, `3`, `5.0`, `7`, `99`, `100`, `101`, `127`, `128`, `-1`, `-129`, `01`, `1.`, `.5`, `1e2`, `1E400`, `-1.5`, `0.001`, `-0.0`,
	`19.99`, `19.990`, `19.991`, `123456789012345678`, `1234567890123456789`, `9223372036854775808`, `-9223372036854775807`, `0.1234567890123456`,
	`-1.7976931348623157e308`, `1.123456789012345`, `true`, `false`, `tru`, `null`, `nul`,
	`[]`, `["a"]`, `["a","b"]`, `[ "a" , "b" , "a" ]`, `["red","sea green"]`, `["RED"]`, `[1,2]`, `[1,2.0]`, `[1.5,-2]`, `[true,false]`, `[true,1]`,
	`[null]`, `["a",null]`, `[["a"]]`, `["a",]`, `["a"`, `[40000]`, `["NOT_FOUND"]`, `["x & y"]`, `["["]`, `["a"] x`, `[true] [false]`, `{}`, `{"w":1}`, `{"w":1,"unit":"in"}`, `{"a":1}`,
}

// structs makes a struct of some fields called F0, F1 ... with JSON names in
// which one letter needs an escape now and then.
func structs(t *rapid.T) reflect.Type {
	n := rapid.SampledFrom([]int{0, 1, 1, 1, 2, 2, 3, 6}).Draw(t, "fields")
	fields := make([]reflect.StructField, n)
	for i := range fields {
		fields[i] = rapid.SampledFrom(kindsOfFields).Draw(t, "kind")
		name := fmt.Sprintf("f%d", i)
		if rapid.IntRange(0, 19).Draw(t, "odd") == 0 {
			name = fmt.Sprintf("ä&%d", i)
		}
		if rapid.Bool().Draw(t, "omitempty") && fields[i].Tag.Get("jsonschema") == "" {
			name += ",omitempty"
		}
		fields[i].Name, fields[i].Tag = fmt.Sprintf("F%d", i), reflect.StructTag(fmt.Sprintf(`json:"%s" %s`, name, fields[i].Tag))
	}
	return reflect.StructOf(fields)
}

// fitting are literals that are likely to be plain values of a type.
func fitting(t reflect.StructField) []string {
	rt := t.Type
	if rt.Kind() == reflect.Pointer {
		rt = rt.Elem()
	}
	switch rt.Kind() {
	case reflect.String:
		return []string{`"ORD-123"`, `"abc"`, `"pending"`, `"red"`, `"2026-01-31"`, `"é"`, `""`}
	case reflect.Int, reflect.Int8, reflect.Uint64:
		return []string{`3`, `7`, `99`, `2`, `-3`, `1`}
	case reflect.Float32, reflect.Float64:
		return []string{`3`, `19.99`, `0.001`, `-1.5`}
	case reflect.Bool:
		return []string{`true`, `false`}
	case reflect.Slice:
		return []string{`["a","b"]`, `["red","red"]`, `[1,2]`, `[1.5,-2]`, `[true,false]`, `["sea green" ]`}
	}
	return literals
}

// drawArguments draws an object for a struct: mostly all of its fields with fitting
// values, sometimes with others, in another order, twice, broken.
func drawArguments(t *rapid.T, rt reflect.Type) string {
	var members []string
	for i := range rt.NumField() {
		f := rt.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		for range rapid.SampledFrom([]int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 2}).Draw(t, "times") {
			from := fitting(f)
			if rapid.IntRange(0, 5).Draw(t, "odd") == 0 {
				from = literals
			}
			blank := rapid.SampledFrom([]string{"", "", "", " ", "\n\t", "\r"}).Draw(t, "blank")
			members = append(members, blank+`"`+name+`"`+blank+":"+blank+rapid.SampledFrom(from).Draw(t, "value")+blank)
		}
	}
	if rapid.IntRange(0, 9).Draw(t, "stranger") == 0 {
		members = append(members, `"other":1`)
	}
	if rapid.IntRange(0, 3).Draw(t, "order") == 0 {
		members = rapid.Permutation(members).Draw(t, "permutation")
	}
	text := "{" + strings.Join(members, ",") + "}"
	switch rapid.IntRange(0, 19).Draw(t, "damage") {
	case 0:
		text = text[:rapid.IntRange(0, len(text)).Draw(t, "cut")]
	case 1:
		text += rapid.SampledFrom([]string{" ", "x", "}", `{"f0":1}`}).Draw(t, "more")
	case 2:
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		text = text[:at] + string(rapid.Byte().Draw(t, "byte")) + text[at+1:]
	}
	return text
}

// keyed answers for the values that are looked up: with the key, another, a
// number that fits no text, or none.
var keyed = lookup.From(lookup.Static("keys", "abc", "abcd-1", "ORD-123", "ORD-124", "3", "7", "19.99", "pending", "é"), lookup.Options{})

// A pair of ways reads the same arguments.
type pairOfWays struct {
	*validate.Validator
	normalizer *normalize.Normalizer
}

func newPairOfWays(rt reflect.Type, o validate.Options) (*pairOfWays, error) {
	sig, err := signature.FromType(rt, signature.TypeOptions{})
	if err != nil {
		return nil, err
	}
	return pairOf(sig, o)
}

func pairOf(sig *signature.Signature, o validate.Options) (*pairOfWays, error) {
	o.Logger = silent
	o.Resolvers = map[string]lookup.Resolver{}
	for _, f := range sig.Fields() {
		if f.DBLookup {
			o.Resolvers[f.Name] = keyed
		}
	}
	v, err := validate.New(sig, o)
	if err != nil {
		return nil, err
	}
	n, err := normalize.Compile(sig.Schema(), normalize.Options{Nested: true, KeepNonCharacters: true})
	return &pairOfWays{v, n}, err
}

// What the stages make of arguments, for comparison.
type madeOf struct {
	Fault  string
	Report validate.Report
	Input  any
	Trace  validate.Diagnostics
	Repair int
}

// byStages takes values through the stages.
func (p *pairOfWays) byStages(c *validate.Values, text string, limits jsontree.Limits) madeOf {
	doc, fault := jsontree.Parse(text, limits, c.Arena())
	if fault != nil {
		return madeOf{Fault: fault.Error()}
	}
	if doc.Root.Kind != jsontree.Object {
		return madeOf{Fault: "no object"}
	}
	m := madeOf{Repair: len(p.normalizer.Tree(&doc, c.Arena()))}
	c.Load(&doc.Root)
	m.Report = c.Run(context.Background())
	m.Input, m.Trace = c.Input(), c.Diagnose("none", &m.Report)
	return m
}

// compare reads arguments both ways. Whether the direct way was taken is
// returned.
func (p *pairOfWays) compare(t interface {
	Helper()
	Fatalf(string, ...any)
}, text string, limits jsontree.Limits) bool {
	t.Helper()
	plain := p.Begin()
	want := p.byStages(plain, text, limits)
	defer plain.Release()
	c := p.Begin()
	defer c.Release()
	taken := c.Direct(text, limits)
	var have madeOf
	if taken {
		have.Report = c.Run(context.Background())
		have.Input, have.Trace = c.Input(), c.Diagnose("none", &have.Report)
		if s := want.Report.Stage; s != "" && s != validate.StageLookup && s != validate.StageHook {
			t.Fatalf("%s: the direct way accepts what stage %s refuses: %+v", text, want.Report.Stage, want.Report.Problems)
		}
	} else {
		have = p.byStages(c, text, limits)
	}
	if _, isRecord := want.Input.(*signature.Record); isRecord {
		have.Input, want.Input = shownInput(have.Input), shownInput(want.Input) // not how much room it has
	}
	if !reflect.DeepEqual(have, want) {
		t.Fatalf("%s: taken %v\n have %+v %+v\n want %+v %+v", text, taken, have, shownInput(have.Input), want, shownInput(want.Input))
	}
	return taken
}

// A givenText is one value of a text call.
type givenText struct{ field, text string }

// drawTexts draws the values of a text call, mostly fitting ones.
func drawTexts(t *rapid.T, rt reflect.Type) []givenText {
	var given []givenText
	for i := range rt.NumField() {
		f := rt.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		from := fitting(f)
		if rapid.IntRange(0, 5).Draw(t, "odd") == 0 {
			from = literals
		}
		literal := rapid.SampledFrom(from).Draw(t, "text")
		if text := ""; json.Unmarshal([]byte(literal), &text) == nil {
			literal = text
		}
		if rapid.IntRange(0, 9).Draw(t, "left out") > 0 {
			given = append(given, givenText{name, literal})
			if rapid.IntRange(0, 19).Draw(t, "again") == 0 {
				given = append(given, givenText{name, literal})
			}
		}
	}
	if rapid.IntRange(0, 3).Draw(t, "order") == 0 {
		given = rapid.Permutation(given).Draw(t, "permutation")
	}
	return given
}

// textsByStages takes the values of a text call through the stages.
func (p *pairOfWays) textsByStages(c *validate.Values, given []givenText) madeOf {
	doc := jsontree.Doc{Root: c.Arena().Object(len(given))}
	for i, g := range given {
		doc.Root.Members[i] = jsontree.Member{Name: g.field, Value: jsontree.Value{Kind: jsontree.String, Text: g.text, Loose: true}}
		doc.Ampersand = doc.Ampersand || strings.Contains(g.text, "&")
	}
	m := madeOf{Repair: len(p.normalizer.Tree(&doc, c.Arena()))}
	c.Load(&doc.Root)
	m.Report = c.Run(context.Background())
	m.Input, m.Trace = c.Input(), c.Diagnose("xml_regex", &m.Report)
	return m
}

// compareTexts is compare for a text call.
func (p *pairOfWays) compareTexts(t interface {
	Helper()
	Fatalf(string, ...any)
}, given []givenText) bool {
	t.Helper()
	plain, c := p.Begin(), p.Begin()
	defer plain.Release()
	defer c.Release()
	want := p.textsByStages(plain, given)
	taken := c.DirectTexts(len(given), func(i int) (string, string, bool) { return given[i].field, given[i].text, true })
	var have madeOf
	if taken {
		have.Report = c.Run(context.Background())
		have.Input, have.Trace = c.Input(), c.Diagnose("xml_regex", &have.Report)
		for _, g := range given {
			if strings.HasPrefix(g.text, "[") {
				have.Repair++ // only lists begin so, and normalization reads them
			}
		}
	} else {
		have = p.textsByStages(c, given)
	}
	if !reflect.DeepEqual(have, want) {
		t.Fatalf("%+v: taken %v\n have %+v %+v\n want %+v %+v", given, taken, have, shownInput(have.Input), want, shownInput(want.Input))
	}
	return taken
}

// Each kind of field alone, with each of the literals in each place.
func TestTheDirectWayIsTheStagesForEveryKindOfFieldAndLiteral(t *testing.T) {
	taken := 0
	for _, kind := range kindsOfFields {
		for _, name := range []string{"f0", "f0,omitempty"} {
			f := kind
			f.Name, f.Tag = "F0", reflect.StructTag(`json:"`+name+`" `+string(f.Tag))
			p, err := newPairOfWays(reflect.StructOf([]reflect.StructField{f}), validate.Options{})
			if err != nil {
				continue // an author's mistake
			}
			for _, literal := range literals {
				for _, text := range []string{`{"f0":` + literal + `}`, "\n{ \"f0\"\t:\r" + literal + " } ", `{"other":` + literal + `}`, `{"F0":` + literal + `}`,
					`{"f0":` + literal + `,"f0":` + literal + `}`, `{"f0":` + literal + `}}`, `{"f0":` + literal} {
					if p.compare(t, text, jsontree.Limits{}) {
						taken++
					}
				}
				text := literal
				if in := ""; json.Unmarshal([]byte(literal), &in) == nil {
					text = in
				}
				p.compareTexts(t, []givenText{{"f0", text}})
				p.compareTexts(t, []givenText{{"f0", text}, {"f0", text}})
			}
		}
	}
	if taken < 1000 {
		t.Errorf("%d calls went the direct way", taken)
	}
}

// Rules on the whole of the arguments hold where no value is given as well.
func TestTheDirectWayLeavesRulesOnTheWholeToTheStages(t *testing.T) {
	for _, schema := range []string{
		`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`,
		`{"type":"object","properties":{"a":{"type":"string"}},"minProperties":1}`,
		`{"type":"object","properties":{"a":{"type":"string"}}}`,
		`{"type":"object","properties":{"a":{"type":"string","default":"x"}},"additionalProperties":{"type":"integer"}}`,
	} {
		sig, err := signature.FromSchema([]byte(schema))
		if err != nil {
			t.Fatal(err)
		}
		p, err := pairOf(sig, validate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{`{}`, ` { } `, `{"a":"x"}`, `{"b":"x"}`, `{"c":1}`, `{"c":"x"}`} {
			p.compare(t, text, jsontree.Limits{})
		}
	}
}

func TestTheDirectWayHasTheLimitOnValues(t *testing.T) {
	p, err := newPairOfWays(reflect.TypeFor[struct {
		A []bool `json:"a"`
		B []bool `json:"b"`
	}](), validate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	taken := map[int]bool{}
	for _, most := range []int{-4, -3, 0} {
		half := jsontree.DefaultValues / 2
		a, b := "["+strings.Repeat("true,", half-1)+"true]", "["+strings.Repeat("true,", half+most-1)+"true]"
		taken[most] = p.compare(t, `{"a":`+a+`,"b":`+b+`}`, jsontree.Limits{})
	}
	if !taken[-4] || taken[0] {
		t.Errorf("taken: %v", taken)
	}
}

func shownInput(in any) string {
	text, err := json.Marshal(in)
	return fmt.Sprintf("%s %v", text, err)
}

func TestTheDirectWayIsTheStages(t *testing.T) {
	var taken, not, textsTaken, textsNot int
	rapid.Check(t, func(t *rapid.T) {
		rt := structs(t)
		o := validate.Options{Collect: rapid.Bool().Draw(t, "collect")}
		if rapid.IntRange(0, 3).Draw(t, "hook") == 0 {
			o.Hook = func(_ context.Context, input any) (bool, string) {
				return len(shownInput(input))%2 == 0, "f0: " + shownInput(input)
			}
		}
		p, err := newPairOfWays(rt, o)
		if err != nil {
			return // an author's mistake
		}
		limits := jsontree.Limits{Depth: rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(t, "depth"), Bytes: rapid.SampledFrom([]int{0, 0, 0, 40}).Draw(t, "bytes")}
		for range 30 {
			if p.compare(t, drawArguments(t, rt), limits) {
				taken++
			} else {
				not++
			}
			if p.compareTexts(t, drawTexts(t, rt)) {
				textsTaken++
			} else {
				textsNot++
			}
		}
	})
	t.Logf("the direct way was gone by %d calls as JSON and %d as text, and not by %d and %d", taken, textsTaken, not, textsNot)
	if min(taken, not, textsTaken, textsNot) < (taken+not)/50 {
		t.Error("one of the ways was hardly tried")
	}
}

// ordinary is a command as they mostly are.
type ordinary struct {
	OrderID string   `json:"order_id" jsonschema:"pattern=^ORD-[0-9]{6}$"`
	Note    string   `json:"note" jsonschema:"maxLength=20,default=none"`
	Qty     int      `json:"qty" jsonschema:"minimum=1,maximum=100"`
	Price   float64  `json:"price" jsonschema:"minimum=0"`
	Gift    *bool    `json:"gift,omitempty"`
	Status  string   `json:"status" jsonschema:"enum=pending,enum=shipped"`
	Tags    []string `json:"tags"`
	Counts  []int8   `json:"counts,omitempty"`
}

func TestOrdinaryCallsGoTheDirectWay(t *testing.T) {
	p, err := newPairOfWays(reflect.TypeFor[ordinary](), validate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		`{"order_id":"ORD-123456","note":"leave it","qty":3,"price":19.99,"gift":true,"status":"pending","tags":["a","b"],"counts":[1,-2]}`,
		"{ \"tags\" : [ \"a\" ] ,\n\t\"status\":\"shipped\",\"price\":0,\"qty\":100,\"order_id\":\"ORD-000000\" }\n",
		`{"order_id":"ORD-123456","note":"für Zoë, 日本","qty":1,"price":1,"status":"pending","tags":["ü"]}`,
	} {
		if !p.compare(t, text, jsontree.Limits{}) {
			t.Errorf("%s is left to the stages", text)
		}
	}
}

// What only the stages can tell is left to them, also where the arguments look
// as if they needed nothing.
func TestTheDirectWayLeavesWhatIsNotItsOwn(t *testing.T) {
	type two struct {
		A string   `json:"a"`
		B string   `json:"b,omitempty"`
		L []string `json:"l,omitempty" jsonschema:"uniqueItems=true"`
	}
	p, err := newPairOfWays(reflect.TypeFor[two](), validate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		`{"a":"x</a><b>y"}`,
		`{"a":"x","l":["y","y"]}`,
		`{"a":"NOT_FOUND"}`,
		`{"a":"x","a":"y"}`,
		`{"a":"x","b":null}`,
		`{"a":"x &lt; y"}`,
		`{"b":"x"}`,
		`{"a":"x","l":[]}`,
		`{"a":"x"}{"a":"x"}`,
	} {
		if p.compare(t, text, jsontree.Limits{}) {
			t.Errorf("%s went the direct way", text)
		}
	}
	c := p.Begin()
	defer c.Release()
	if c.DirectTexts(1, func(int) (string, string, bool) { return "a", "x</a><b>y", true }) {
		t.Error("a text that swallowed another went the direct way")
	}
}

func TestValuesOfTheDirectWayAreGoneWithTheCall(t *testing.T) {
	p, err := newPairOfWays(reflect.TypeFor[ordinary](), validate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		`{"order_id":"ORD-123456","qty":3,"price":1,"gift":true,"status":"pending","tags":["a","b"],"counts":[1,-2]}`,
		`{"order_id":"ORD-123456","qty":3,"price":1,"status":"pending","tags":["c"]}`,
		`{"order_id":"ORD-123456","qty":3,"price":1,"gift":false,"counts":[4],"status":"pending","tags":["d","e","f",3]}`,
		`{"order_id":"ORD-123456","qty":300,"price":1,"status":"pending","tags":["c"]}`,
		`{"order_id":"ORD-123456","qty":3,"price":1,"status":"pending","tags":["c"]}`,
	} {
		p.compare(t, text, jsontree.Limits{})
	}
}

func FuzzTheDirectWayIsTheStages(f *testing.F) {
	p, err := newPairOfWays(reflect.TypeFor[ordinary](), validate.Options{})
	if err != nil {
		f.Fatal(err)
	}
	for _, value := range literals {
		f.Add(`{"order_id":"ORD-123456","note":` + value + `,"qty":3,"price":19.99,"gift":true,"status":"pending","tags":["a","b"],"counts":[1,-2]}`)
		f.Add(`{"order_id":"ORD-123456","note":"n","qty":` + value + `,"price":` + value + `,"status":"pending","tags":[` + value + `]}`)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p.compare(t, text, jsontree.Limits{})
	})
}
