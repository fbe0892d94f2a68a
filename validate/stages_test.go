package validate_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/signature"
	"github.com/fwgo/fwgo/validate"
)

// A statement is one sentence about the product: what becomes of arguments.
type statement struct {
	says      string
	field     string // the schema of the one required field f
	arguments string // the value of f, as JSON
	want      string // the value a body sees, "" if the call is refused
	kinds     string // the problems, "kind field", if it is refused
}

// hold checks statements about a required field f.
func hold(t *testing.T, statements []statement) {
	t.Helper()
	for _, s := range statements {
		c := make1(t, withField(s.field), validate.Options{})
		judge(t, s, c.call(t, `{"f":`+s.arguments+`}`))
	}
}

// holdText is hold for values that come as text from a text call.
func holdText(t *testing.T, statements []statement) {
	t.Helper()
	for _, s := range statements {
		c := make1(t, withField(s.field), validate.Options{})
		judge(t, s, c.text(t, `{"f":`+s.arguments+`}`))
	}
}

// holdOptional is hold for an optional field f; want "unset" if a body sees
// no value.
func holdOptional(t *testing.T, statements []statement) {
	t.Helper()
	for _, s := range statements {
		c := make1(t, withOptional(s.field), validate.Options{})
		a := c.call(t, `{"f":`+s.arguments+`}`)
		if s.want == "unset" {
			if a.values != "{}" {
				t.Errorf("%s: f %s with %s is %s %s, want no value", s.says, s.field, s.arguments, a.values, a.kinds())
			}
			continue
		}
		judge(t, s, a)
	}
}

func judge(t *testing.T, s statement, a answer) {
	t.Helper()
	switch {
	case s.want == "" && (a.OK() || a.kinds() != s.kinds):
		t.Errorf("%s: f %s with %.80s is %.200s %s, want %s", s.says, s.field, s.arguments, a.values, a.kinds(), s.kinds)
	case s.want != "" && a.values != `{"f":`+s.want+`}`:
		t.Errorf("%s: f %s with %.80s is %.200s %s, want %s", s.says, s.field, s.arguments, a.values, a.kinds(), s.want)
	}
}

const (
	aText    = `{"type":"string"}`
	anInt    = `{"type":"integer"}`
	aNumber  = `{"type":"number"}`
	aBool    = `{"type":"boolean"}`
	colors   = `{"enum":["red","sea green","Blue"]}`
	texts    = `{"type":"array","items":{"type":"string"}}`
	integers = `{"type":"array","items":{"type":"integer"}}`
	numbers  = `{"type":"array","items":{"type":"number"}}`
	aMap     = `{"type":"object","additionalProperties":true}`
	aSize    = `{"type":"object","properties":{"w":{"type":"integer"},"h":{"type":"integer"},"unit":{"type":"string","default":"cm"}},"required":["w","h"],"additionalProperties":false}`
)

// ---- D-1: the stages

// staged is a command with something to find for every stage.
func staged(t *testing.T, collect bool, hooks *int) *command {
	return make1(t, `{"type":"object","properties":{
		"n":{"type":"integer"},"m":{"type":"integer"},
		"a":{"type":"string"},"b":{"type":"string"},
		"who":{"type":"string","db_lookup":true,"x-keys":["Bob","Alice"]},
		"whom":{"type":"string","db_lookup":true,"x-keys":["Bob","Alice"]}},
		"required":["n","m","a","b","who","whom"]}`,
		validate.Options{Collect: collect, Hook: func(context.Context, any) (bool, string) {
			*hooks++
			return false, "n: too many for one order"
		}})
}

func TestTheFirstStageWithProblemsEndsTheCall(t *testing.T) {
	tests := []struct {
		arguments string
		stage     validate.Stage
		kinds     string
	}{
		// A stage runs over all fields and reports all its problems together.
		{`{"n":"x","m":"y","who":"zz"}`, validate.StageCoerce, "wrong_type n, wrong_type m"},
		{`{"n":1,"m":2,"who":"zz"}`, validate.StageRequire, "missing a, missing b, missing whom"},
		{`{"n":1,"m":2,"a":"a","b":"b","who":"zz","whom":"qq"}`, validate.StageLookup, "not_found who, not_found whom"},
		{`{"n":1,"m":2,"a":"a","b":"b","who":"Bob","whom":"alice"}`, validate.StageHook, "hook_refused n"},
	}
	for _, tt := range tests {
		hooks := 0
		a := staged(t, false, &hooks).call(t, tt.arguments)
		if a.Stage != tt.stage || a.kinds() != tt.kinds {
			t.Errorf("%s ends in stage %q with %s, want %q with %s", tt.arguments, a.Stage, a.kinds(), tt.stage, tt.kinds)
		}
		if ran := hooks == 1; ran != (tt.stage == validate.StageHook) {
			t.Errorf("%s: the hook ran %d times", tt.arguments, hooks)
		}
	}
}

func TestCollectReportsThreeStagesInOneMessage(t *testing.T) {
	hooks := 0
	a := staged(t, true, &hooks).call(t, `{"n":"x","m":2,"a":"a","who":"zz","whom":"Bob"}`)
	if want := "wrong_type n, missing b, not_found who"; a.kinds() != want || a.Stage != validate.StageCoerce || hooks != 0 {
		t.Errorf("stage %q, problems %s, hook ran %d times", a.Stage, a.kinds(), hooks)
	}
	a = staged(t, true, &hooks).call(t, `{"n":1,"m":2,"a":"a","b":"b","who":"Bob","whom":"Bob"}`)
	if a.Stage != validate.StageHook || hooks != 1 {
		t.Errorf("stage %q, problems %s, hook ran %d times", a.Stage, a.kinds(), hooks)
	}
}

// Stage 3 never sees a value that a stage before it found at fault (FW-214).
func TestAValueAtFaultIsNotLookedUp(t *testing.T) {
	asked := []string{}
	c := make1(t, `{"type":"object","properties":{"n":{"type":"integer","db_lookup":true},"m":{"type":"integer","db_lookup":true}},"required":["n","m"]}`,
		validate.Options{Collect: true, Resolvers: map[string]lookup.Resolver{"n": noting(&asked), "m": noting(&asked)}})
	if a := c.call(t, `{"n":"x","m":7}`); a.kinds() != "wrong_type n" || fmt.Sprint(asked) != "[7]" {
		t.Errorf("problems %s, looked up %v", a.kinds(), asked)
	}
}

func noting(asked *[]string) lookup.Resolver {
	return lookup.ResolverFunc(func(_ context.Context, value string) (lookup.Result, error) {
		*asked = append(*asked, value)
		return lookup.Result{Verdict: lookup.Declined}, nil
	})
}

// ---- D-2: not set, null, or a value

func TestAFieldIsNotSetOrNullOrAValue(t *testing.T) {
	c := make1(t, `{"type":"object","properties":{
		"text":{"type":"string"},"n":{"type":"integer"},"yes":{"type":"boolean"},
		"note":{"anyOf":[{"type":"string"},{"type":"null"}]},
		"list":{"type":"array","items":{"type":"string"}}}}`, validate.Options{})
	tests := []struct{ says, arguments, want string }{
		{"what is left out is not set", `{}`, `{}`},
		{"zero, false and empty text are values", `{"text":"","n":0,"yes":false,"note":""}`, `{"text":"","n":0,"yes":false,"note":""}`},
		{"null is a value where the type admits it", `{"note":null}`, `{"note":null}`},
		{"null is no value where it does not", `{"text":null,"n":null,"yes":null,"list":null}`, `{}`},
		{"an empty list is a value of an optional field", `{"list":[]}`, `{"list":[]}`},
	}
	for _, tt := range tests {
		if a := c.call(t, tt.arguments); a.values != tt.want {
			t.Errorf("%s: %s runs with %s %s, want %s", tt.says, tt.arguments, a.values, a.kinds(), tt.want)
		}
	}
	record := c.call(t, `{"note":null,"n":0}`).input.(*signature.Record)
	if _, set := record.Get("text"); set {
		t.Error("a body sees a field that was not set")
	}
	if v, set := record.Get("note"); !set || v != nil {
		t.Errorf("a body sees null as %v, %v", v, set)
	}
	if v, set := record.Get("n"); !set || v != json.Number("0") {
		t.Errorf("a body sees zero as %v, %v", v, set)
	}
}

type parcel struct {
	ID     int64    `json:"id"`
	Weight *float64 `json:"weight"`
	Note   *string  `json:"note"`
	Tags   []string `json:"tags"`
	Count  *int8    `json:"count"`
}

// forGo makes a validator for a Go type.
func forGo[In any](t testing.TB, o validate.Options) *command {
	t.Helper()
	sig, err := signature.For[In](signature.TypeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	o.Logger = silent
	v, err := validate.New(sig, o)
	if err != nil {
		t.Fatal(err)
	}
	judge, err := newOracle(sig.Schema())
	if err != nil {
		t.Fatal(err)
	}
	return &command{v, judge}
}

func TestAGoStructHoldsTheThreeValues(t *testing.T) {
	c := forGo[parcel](t, validate.Options{})
	p := c.call(t, `{"id":"9007199254740993","weight":0,"tags":"a, b"}`).input.(*parcel)
	if p.ID != 9007199254740993 || p.Weight == nil || *p.Weight != 0 || p.Note != nil || fmt.Sprint(p.Tags) != "[a b]" || p.Count != nil {
		t.Errorf("the body reads %+v", p)
	}
	p = c.call(t, `{"id":1,"tags":["x"],"note":""}`).input.(*parcel)
	if p.Note == nil || *p.Note != "" || p.Weight != nil {
		t.Errorf("the body reads %+v", p)
	}
	// The range of the Go type is the range of the field: never wrapped.
	if a := c.call(t, `{"id":9223372036854775808,"tags":["x"],"count":128}`); a.kinds() != "out_of_range id, out_of_range count" {
		t.Errorf("numbers beyond the Go types: %s %s", a.values, a.kinds())
	}
}

// ---- D-3: exact

func TestNumbersKeepEveryDigit(t *testing.T) {
	hold(t, []statement{
		{"an int beyond the exact floats", anInt, "9007199254740993", "9007199254740993", ""},
		{"as text", anInt, `"9007199254740993"`, "9007199254740993", ""},
		{"with a fraction of zeros", anInt, "9007199254740993.0", "9007199254740993", ""},
		{"a bignum", anInt, "123456789012345678901234567890", "123456789012345678901234567890", ""},
		{"a number keeps how it was written", aNumber, "1.10", "1.10", ""},
		{"text of a number keeps its digits", aNumber, `"0.10000000000000000000000001"`, "0.10000000000000000000000001", ""},
		{"nested in an untyped value", `{}`, `{"a":[9007199254740993,1e400,-0.0]}`, `{"a":[9007199254740993,1e400,-0.0]}`, ""},
		{"nested in a map", aMap, `{"id":123456789012345678901234567890.5}`, `{"id":123456789012345678901234567890.5}`, ""},
		{"inside the text of a list", integers, `"[9007199254740993, 9007199254740992]"`, "[9007199254740993, 9007199254740992]", ""},
		{"inside the text of an object", aMap, `"{\"id\":9007199254740993}"`, `{"id":9007199254740993}`, ""},
		{"a number as a text is its digits as sent", aText, "1.50", `"1.50"`, ""},
		{"bounds are exact", `{"type":"integer","maximum":9007199254740992}`, "9007199254740993", "", "out_of_range f"},
		{"bounds are exact for numbers", `{"type":"number","exclusiveMaximum":0.3}`, "0.30000000000000000000001", "", "out_of_range f"},
		{"multiples are exact", `{"type":"number","multipleOf":0.1}`, "0.3", "0.3", ""},
		{"multiples of large numbers", `{"type":"integer","multipleOf":3}`, "9007199254740994", "", "out_of_range f"},
		{"beyond every float", aNumber, "1e400", "", "out_of_range f"},
		{"a huge exponent costs nothing", anInt, "1e999999999", "", "wrong_type f"},
		{"a huge exponent costs nothing, as a number", aNumber, "1e999999999", "", "out_of_range f"},
		{"a tiny number", aNumber, "1e-999999999", "1e-999999999", ""},
		{"a fraction is no int", anInt, "9007199254740993.5", "", "wrong_type f"},
	})
}

// ---- D-5: coercion, clause by clause

func TestWholeNumbersAreIntsHoweverWritten(t *testing.T) {
	hold(t, []statement{
		{"with a fraction of zeros", anInt, "5.0", "5", ""},
		{"as text", anInt, `"5.0"`, "5", ""},
		{"with an exponent", anInt, "5e2", "500", ""},
		{"with a negative exponent", anInt, "500e-2", "5", ""},
		{"negative", anInt, "-5.00", "-5", ""},
		{"minus zero", anInt, "-0.0", "0", ""},
		{"a fraction is refused", anInt, "5.5", "", "wrong_type f"},
		{"text of a fraction is refused", anInt, `"5.5"`, "", "wrong_type f"},
		{"text with an exponent is refused, as in Python", anInt, `"5e2"`, "", "wrong_type f"},
		{"a boolean is no int", anInt, "true", "", "wrong_type f"},
		{"words are no int", anInt, `"five"`, "", "wrong_type f"},
		{"hexadecimal is refused", anInt, `"0x10"`, "", "wrong_type f"},
		{"Python's spellings", anInt, `" +1_000 "`, "1000", ""},
		{"digits of other scripts", anInt, `"٣٤"`, "34", ""},
		{"two signs", anInt, `"--5"`, "", "wrong_type f"},
		{"a comma between digits is in doubt", anInt, `"1,000"`, "", "wrong_type f"},
		{"a unit is refused", anInt, `"5 kg"`, "", "wrong_type f"},
	})
}

func TestNumbers(t *testing.T) {
	hold(t, []statement{
		{"text", aNumber, `"1.5"`, "1.5", ""},
		{"an int as text", aNumber, `" 5 "`, "5", ""},
		{"without a leading zero", aNumber, `".5"`, "0.5", ""},
		{"without a fraction", aNumber, `"5."`, "5", ""},
		{"with an exponent", aNumber, `"1e3"`, "1e3", ""},
		{"not a number", aNumber, `"nan"`, "", "wrong_type f"},
		{"infinity", aNumber, `"-Infinity"`, "", "wrong_type f"},
		{"text that overflows", aNumber, `"1e400"`, "", "wrong_type f"},
		{"a boolean", aNumber, "true", "", "wrong_type f"},
		{"blank text", aNumber, `" "`, "", "wrong_type f"},
	})
}

func TestBooleanWords(t *testing.T) {
	for word, want := range map[string]string{
		"true": "true", "TRUE": "true", " True ": "true", "1": "true", "yes": "true", "On": "true",
		"false": "false", "False": "false", "0": "false", "no": "false", "OFF": "false",
	} {
		hold(t, []statement{{"a word", aBool, quoted(word), want, ""}})
	}
	hold(t, []statement{
		{"one and zero", aBool, "1", "true", ""},
		{"zero", aBool, "0", "false", ""},
		{"other ints", aBool, "2", "", "wrong_type f"},
		{"other words", aBool, `"y"`, "", "wrong_type f"},
		{"other words", aBool, `"enabled"`, "", "wrong_type f"},
		{"nothing", aBool, `""`, "", "wrong_type f"},
	})
}

func TestVocabulariesFoldWhatCannotMatter(t *testing.T) {
	hold(t, []statement{
		{"exact", colors, `"sea green"`, `"sea green"`, ""},
		{"case", colors, `"RED"`, `"red"`, ""},
		{"a hyphen for a blank", colors, `"Sea-Green"`, `"sea green"`, ""},
		{"an underscore for a blank", colors, `"SEA_GREEN"`, `"sea green"`, ""},
		{"no blank at all", colors, `"seagreen"`, `"sea green"`, ""},
		{"blanks around", colors, `" blue\n"`, `"Blue"`, ""},
		{"no member", colors, `"green"`, "", "not_a_member f"},
		{"half a member", colors, `"re"`, "", "not_a_member f"},
		{"two members fold to one word", `{"enum":["in stock","in-stock","out"]}`, `"IN_STOCK"`, "", "not_a_member f"},
		{"one of them exactly", `{"enum":["in stock","in-stock","out"]}`, `"in-stock"`, `"in-stock"`, ""},
		{"the name of a member", `{"enum":["r","b"],"x-enum-varnames":["RED","BLUE"]}`, `"blue"`, `"b"`, ""},
		{"a value is itself before it is a name", `{"enum":["a","b"],"x-enum-varnames":["b","a"]}`, `"a"`, `"a"`, ""},
		{"a number", `{"enum":[1,2]}`, "2", "2", ""},
		{"a number however written", `{"enum":[1,2]}`, "2.0", "2", ""},
		{"a number as text", `{"enum":[1,2]}`, `"2"`, "2", ""},
		{"a number is equal however the schema writes it", `{"enum":[0.5,2.0]}`, "2", "2.0", ""},
		{"a number for a text", `{"enum":["1","2"]}`, "2", `"2"`, ""},
		{"a text and a number are two members", `{"enum":["1",1]}`, "1", "1", ""},
		{"a text and a number are two members", `{"enum":["1",1]}`, `"1"`, `"1"`, ""},
		{"a sign is no hyphen", `{"enum":[-1,0]}`, "1", "", "not_a_member f"},
		{"a sign is no hyphen in text", `{"enum":[-1,0]}`, `"1"`, "", "not_a_member f"},
		{"a sign is no hyphen of a text", `{"enum":["1","2"]}`, "-1", "", "not_a_member f"},
		{"a sign is no hyphen of a text, in text", `{"enum":["1","2"]}`, `"-1"`, "", "not_a_member f"},
		{"a sign is no hyphen of an offset", `{"enum":["05:00","-03:00"]}`, `"-05:00"`, "", "not_a_member f"},
		{"a hyphen between digits is no blank space", `{"enum":["11","2"]}`, `"1-1"`, "", "not_a_member f"},
		{"a negative number", `{"enum":[-1,0]}`, `"-1"`, "-1", ""},
		{"a constant", `{"const":"only"}`, `"ONLY"`, `"only"`, ""},
		{"a boolean", `{"enum":[true,"auto"]}`, `"TRUE"`, "true", ""},
		{"null among the members", `{"enum":["a",null]}`, "null", "null", ""},
	})
}

func TestTextIsTrimmedOnlyToBeReadable(t *testing.T) {
	hold(t, []statement{
		{"free text keeps its blanks", aText, `"  a \n"`, `"  a \n"`, ""},
		{"blanks that the pattern refuses", `{"type":"string","pattern":"[a-z]+"}`, `" abc\n"`, `"abc"`, ""},
		{"blanks that the pattern takes", `{"type":"string","pattern":"[a-z ]+"}`, `" abc"`, `" abc"`, ""},
		{"blanks inside", `{"type":"string","pattern":"[a-z]+"}`, `"a b"`, "", "no_match f"},
		{"blanks that the length refuses", `{"type":"string","maxLength":3}`, `"abc "`, `"abc"`, ""},
		{"blanks around a date", `{"type":"string","format":"date"}`, `" 2026-01-31 "`, `"2026-01-31"`, ""},
		{"empty text is a text", aText, `""`, `""`, ""},
		{"a boolean is its word", aText, "true", `"true"`, ""},
		{"a list is no text", aText, `["a","b"]`, "", "wrong_type f"},
		{"an object is no text", aText, `{"a":1}`, "", "wrong_type f"},
		{"text that looks like JSON is text", aText, `"{\"a\":1}"`, `"{\"a\":1}"`, ""},
		{"the word null is a text", aText, `"null"`, `"null"`, ""},
	})
}

func TestNothingMeantIsNotSet(t *testing.T) {
	optional := func(schema string) string { return `{"anyOf":[` + schema + `,{"type":"null"}]}` }
	for _, schema := range []string{anInt, aNumber, aBool, colors, integers, aSize, aMap, `{"type":"string","format":"date"}`} {
		for _, nothing := range []string{`""`, `"  "`, `"null"`, `"NULL"`, `"None"`} {
			holdOptional(t, []statement{
				{"a word for nothing", schema, nothing, "unset", ""},
				{"a word for nothing, where null is admitted", optional(schema), nothing, "unset", ""},
			})
		}
	}
	holdOptional(t, []statement{
		{"empty text is a value of a text", aText, `""`, `""`, ""},
		{"the word null is a value of a text", optional(aText), `"null"`, `"null"`, ""},
		{"other words are refused", anInt, `"nothing"`, "", "wrong_type f"},
		{"the default stands", `{"type":"integer","default":3}`, `""`, "3", ""},
		{"a member of that name", `{"enum":["none","all"]}`, `"None"`, `"none"`, ""},
		{"a member of that name in a list", `{"type":"array","items":{"enum":["none","all"]}}`, `"None"`, `["none"]`, ""},
	})
	hold(t, []statement{
		{"a required field is not left without a value", anInt, `""`, "", "wrong_type f"},
		{"a required field is not left without a value", integers, `"null"`, "", "wrong_type f[0]"},
	})
	// One level down as well.
	hold(t, []statement{
		{"nested", `{"type":"object","properties":{"n":{"type":"integer"}}}`, `{"n":""}`, `{}`, ""},
		{"nested null", `{"type":"object","properties":{"n":{"type":"integer"}}}`, `{"n":null}`, `{}`, ""},
		{"nested default", `{"type":"object","properties":{"n":{"type":"integer","default":2}}}`, `{"n":"null"}`, `{"n":2}`, ""},
	})
}

func TestAOneElementListIsItsElementForAScalar(t *testing.T) {
	hold(t, []statement{
		{"text", aText, `["a"]`, `"a"`, ""},
		{"int", anInt, `["5"]`, "5", ""},
		{"number", aNumber, `[1.5]`, "1.5", ""},
		{"boolean", aBool, `["yes"]`, "true", ""},
		{"vocabulary", colors, `["RED"]`, `"red"`, ""},
		{"two elements", anInt, `[5,6]`, "", "wrong_type f"},
		{"none", anInt, `[]`, "", "wrong_type f"},
		{"a list in a list", anInt, `[[5]]`, "", "wrong_type f"},
	})
}

func TestListsAreReadInFourWays(t *testing.T) {
	hold(t, []statement{
		{"JSON", texts, `["a","b"]`, `["a","b"]`, ""},
		{"text of JSON", texts, `" [\"a\", \"b\"] "`, `["a", "b"]`, ""},
		{"a Python list", texts, `"['a', \"b\",]"`, `["a","b"]`, ""},
		{"commas", texts, `"a, \"b\" ,'c'"`, `["a","b","c"]`, ""},
		{"nothing between commas", texts, `"a,,b"`, "", "wrong_type f"},
		{"a last comma ends the last item", texts, `"a, b,"`, `["a","b"]`, ""},
		{"nothing but commas", texts, `","`, "", "wrong_type f"},
		{"quoted nothing", texts, `"a,''"`, `["a",""]`, ""},
		{"an apostrophe is no quote", texts, `"90s, '80s"`, `["90s","'80s"]`, ""},
		{"nor is it alone", texts, `"'tis late"`, `["'tis late"]`, ""},
		{"two of them may be", texts, `"'80s, '90s"`, "", "wrong_type f"},
		{"a comma between curly quotes", texts, `"“a, b”, c"`, "", "wrong_type f"},
		{"brackets around the whole", texts, `"(a, b)"`, "", "wrong_type f"},
		{"numbers", numbers, `"1.5, 2"`, "[1.5,2]", ""},
		{"numbers of three digits", numbers, `"100,200"`, "[100,200]", ""},
		{"one number in groups", numbers, `"1,234.50"`, "", "wrong_type f"},
		{"one number in groups, elsewhere", numbers, `"1.234,50"`, "", "wrong_type f"},
		{"one grouped number among others", numbers, `"1,234.56, 7"`, "", "wrong_type f"},
		{"round numbers", integers, `"1,000, 2,000"`, "", "wrong_type f"},
		{"a round number with a blank", integers, `"1, 000"`, "", "wrong_type f"},
		{"groups of two", integers, `"1,00,000"`, "", "wrong_type f"},
		{"numbers that all begin with a zero", integers, `"01, 02"`, "[1,2]", ""},
		{"zeros", integers, `"1, 0, 0"`, "[1,0,0]", ""},
		{"a comma in brackets", texts, `"f(x, y), g"`, "", "wrong_type f"},
		{"a comma in other quotes", texts, `"«a, b», c"`, "", "wrong_type f"},
		{"a comma in quotes inside", texts, `"a \"b, c\" d"`, "", "wrong_type f"},
		{"brackets inside an item", texts, `"a (b), c"`, `["a (b)","c"]`, ""},
		{"inches", texts, `"5\" pipe, 6\" pipe"`, `["5\" pipe","6\" pipe"]`, ""},
		{"one round number", numbers, `"1,000.00"`, "", "wrong_type f"},
		{"one item", texts, `"a b"`, `["a b"]`, ""},
		{"one item in quotes", texts, `"\"a\""`, `["a"]`, ""},
		{"blanks between ints", integers, `"1 2  3"`, `[1,2,3]`, ""},
		{"blanks between members", `{"type":"array","items":` + colors + `}`, `"red blue"`, `["red","Blue"]`, ""},
		{"one member with a blank", `{"type":"array","items":` + colors + `}`, `"sea green"`, `["sea green"]`, ""},
		{"ints with commas", integers, `"1, 2,3"`, `[1,2,3]`, ""},
		{"one number", integers, "5", "[5]", ""},
		{"one boolean", `{"type":"array","items":{"type":"boolean"}}`, "true", "[true]", ""},
		{"an object is no list", texts, `{"a":1}`, "", "wrong_type f"},
		{"half a list", texts, `"[\"a\", \"b\""`, "", "wrong_type f"},
		{"the other half", texts, `"\"a\", \"b\"]"`, "", "wrong_type f"},
		{"what looks like an object", texts, `"{\"a\": 1}"`, "", "wrong_type f"},
		{"a list without quotes", texts, `"[a, b]"`, "", "wrong_type f"},
		{"text after the list", texts, `"[\"a\"] and more"`, "", "wrong_type f"},
		{"a list written as text twice", texts, `"\"[\\\"a\\\"]\""`, "", "wrong_type f"},
		{"a Python set is no list", texts, `"{'a', 'b'}"`, "", "wrong_type f"},
		{"empty text", texts, `""`, "", "wrong_type f"},
		{"a bad item is named by its place", integers, `[1,"x",3,"y"]`, "", "wrong_type f[1], wrong_type f[3]"},
		{"a bad item in text", integers, `"1,x"`, "", "wrong_type f[1]"},
		{"an item that is null", texts, `["a",null]`, "", "wrong_type f[1]"},
		{"nested lists are JSON only", `{"type":"array","items":` + integers + `}`, `"1,2"`, "", "wrong_type f"},
		{"nested lists are JSON only", `{"type":"array","items":` + integers + `}`, "5", "", "wrong_type f"},
		{"nested lists", `{"type":"array","items":` + integers + `}`, `"[[1],[2,3]]"`, "[[1],[2,3]]", ""},
		{"a row that came apart", `{"type":"array","items":` + texts + `}`, `["a","b"]`, "", "wrong_type f[0], wrong_type f[1]"},
		{"a comma between quotes", texts, `"\"a,b\",c"`, "", "wrong_type f"},
		{"two quoted items without a comma", texts, `"\"a\" \"b\""`, "", "wrong_type f"},
		{"a Python list with a comma lost", texts, `"['a' 'b', 'c']"`, "", "wrong_type f"},
		{"a tuple", texts, `"('a', 'b')"`, "", "wrong_type f"},
		{"a fence", texts, "\"```\\n[\\\"a\\\"]\\n```\"", "", "wrong_type f"},
		{"a mark nobody sees before a list", texts, `"\ufeff[\"a\"]"`, "", "wrong_type f"},
		{"items in tags", texts, `"<item>a</item><item>b</item>"`, "", "wrong_type f"},
		{"a name before the list", texts, `"tags: [\"a\", \"b\"]"`, "", "wrong_type f"},
		{"round bullets", texts, `"• a\n• b"`, "", "wrong_type f"},
		{"the word null is no item", texts, `"null"`, "", "wrong_type f"},
		{"the groups of a number", integers, `"1,000,000"`, "", "wrong_type f"},
		{"the groups of a number, in brackets", integers, `"[1,000]"`, "", "wrong_type f"},
		{"the groups of a number, by blanks", integers, `"1 000"`, "", "wrong_type f"},
		{"lists of objects are JSON only", `{"type":"array","items":` + aSize + `}`, `"w=1"`, "", "wrong_type f"},
		{"a name twice inside the text of a list", `{"type":"array","items":` + aMap + `}`, `"[{\"a\":1,\"a\":2}]"`, "", "wrong_type f"},
	})
}

func TestACommaOfAKeyPartsNothing(t *testing.T) {
	names := `{"type":"array","items":{"type":"string"},"db_lookup":true,"x-keys":["Smith, John","Lee, Ann"]}`
	hold(t, []statement{
		{"a key as it is", names, `"Smith, John"`, `["Smith, John"]`, ""},
		{"a key in other case", names, `"smith, john"`, `["Smith, John"]`, ""},
		{"which comma parts is a guess", names, `"Smith, John, Lee, Ann"`, "", "wrong_type f"},
		{"a part of a key", names, `"Smith, J"`, "", "wrong_type f"},
		{"a list has its own commas", names, `["Smith, John","Lee, Ann"]`, `["Smith, John","Lee, Ann"]`, ""},
	})
}

func TestFormatsAreEnforced(t *testing.T) {
	good := map[string]string{
		"date": "2026-02-28", "date-time": "2026-02-28T10:20:30Z", "time": "10:20:30", "duration": "P1DT2H", "email": "a@example.com",
		"uri": "https://example.com/a?b=c", "uuid": "123e4567-e89b-12d3-a456-426614174000", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "hostname": "example.com",
	}
	bad := map[string]string{
		"date": "2026-02-30", "date-time": "2026-02-28 10:20", "time": "25:00:00", "duration": "two days", "email": "a.example.com",
		"uri": "not a uri", "uuid": "123e4567", "ipv4": "192.0.2.256", "ipv6": "2001:db8::g", "hostname": "-example-.com",
	}
	for format, text := range good {
		schema := `{"type":"string","format":"` + format + `"}`
		hold(t, []statement{
			{"of the format", schema, quoted(text), quoted(text), ""},
			{"not of the format", schema, quoted(bad[format]), "", "wrong_format f"},
		})
	}
	hold(t, []statement{
		{"a URI without its scheme", `{"type":"string","format":"uri"}`, `"/path"`, "", "wrong_format f"},
		{"a comma in a fraction of a second", `{"type":"string","format":"date-time"}`, `"2026-01-31T10:20:30,5Z"`, "", "wrong_format f"},
		{"an accent may be a character of its own", `{"enum":["caf\u00e9","tea"]}`, `"cafe\u0301"`, `"caf\u00e9"`, ""},
	})
	// A word that no checker knows is a note for readers (JSON Schema).
	hold(t, []statement{{"a format nobody knows", `{"type":"string","format":"order-number"}`, `"x"`, `"x"`, ""}})
}

func TestConstraintsAreEnforced(t *testing.T) {
	hold(t, []statement{
		{"too short", `{"type":"string","minLength":2}`, `"a"`, "", "wrong_length f"},
		{"characters, not bytes", `{"type":"string","maxLength":2}`, `"éé"`, `"éé"`, ""},
		{"the whole text must match", `{"type":"string","pattern":"#W\\d+"}`, `"x#W1"`, "", "no_match f"},
		{"a lower bound", `{"type":"integer","minimum":1}`, "0", "", "out_of_range f"},
		{"an open bound", `{"type":"number","exclusiveMinimum":0}`, "0.0", "", "out_of_range f"},
		{"the bounds hold for text", `{"type":"integer","maximum":5}`, `"6"`, "", "out_of_range f"},
		{"too many items", `{"type":"array","items":{"type":"string"},"maxItems":1}`, `["a","b"]`, "", "wrong_length f"},
		{"too few items", `{"type":"array","items":{"type":"string"},"minItems":2}`, `"a"`, "", "wrong_length f"},
		{"too few members", `{"type":"object","additionalProperties":true,"minProperties":1}`, `{}`, "", "wrong_length f"},
		{"the pattern holds for items", `{"type":"array","items":{"type":"string","pattern":"[a-z]"}}`, `["a","1"]`, "", "no_match f[1]"},
	})
}

func TestItemsThatMayNotRepeat(t *testing.T) {
	unique := func(items string) string { return `{"type":"array","uniqueItems":true,"items":` + items + `}` }
	hold(t, []statement{
		{"equal texts", unique(aText), `["a","b","a"]`, "", "not_unique f"},
		{"equal however they are written", unique(aText), `["a","\u0061"]`, "", "not_unique f"},
		{"equal after coercion", unique(anInt), `[1,"1"]`, "", "not_unique f"},
		{"equal numbers", unique(aNumber), `[1.0,1]`, "", "not_unique f"},
		{"equal numbers with exponents", unique(aNumber), `[100,1e2]`, "", "not_unique f"},
		{"different by the last digit", unique(aNumber), `[9007199254740993,9007199254740992]`, `[9007199254740993,9007199254740992]`, ""},
		{"equal objects in another order", unique(`{}`), `[{"a":1,"b":[2.0]},{"b":[2],"a":1}]`, "", "not_unique f"},
		{"a number is not its text", unique(`{}`), `[1,"1",true,null,[1]]`, `[1,"1",true,null,[1]]`, ""},
	})
}

// ---- structures

func TestObjects(t *testing.T) {
	hold(t, []statement{
		{"members are coerced, defaults set", aSize, `{"w":"1","h":2.0}`, `{"w":1,"h":2,"unit":"cm"}`, ""},
		{"text of JSON", aSize, `"{\"w\": 1, \"h\": 2}"`, `{"w":1,"h":2,"unit":"cm"}`, ""},
		{"a Python dict", aSize, `"{'w': 1, 'h': 2, 'unit': 'm'}"`, `{"w":1,"h":2,"unit":"m"}`, ""},
		{"a bad member is named by its path", aSize, `{"w":"x","h":2}`, "", "wrong_type f.w"},
		{"a missing member is a problem of stage 2", aSize, `{"w":1}`, "", "missing f.h"},
		{"an unknown member is refused by name", aSize, `{"w":1,"h":2,"hight":3}`, "", "unknown_name f.hight"},
		{"a list is no object", aSize, `[1,2]`, "", "wrong_type f"},
		{"words are no object", aSize, `"1 by 2"`, "", "wrong_type f"},
		{"half an object", aSize, `"{\"w\": 1"`, "", "wrong_type f"},
		{"a name twice in text", aMap, `"{\"a\":1,\"a\":2}"`, "", "wrong_type f"},
		{"a name twice in a dict", aMap, `"{'a':1,'a':2}"`, "", "wrong_type f"},
		{"a map of ints", `{"type":"object","additionalProperties":{"type":"integer"}}`, `{"a":"1","b":2.0}`, `{"a":1,"b":2}`, ""},
		{"a bad value of a map", `{"type":"object","additionalProperties":{"type":"integer"}}`, `{"a":"x","b c":"y"}`, "", `wrong_type f.a, wrong_type f["b c"]`},
		{"nothing is dropped from an open map", aMap, `{"a":{"b":[null,1]},"":0}`, `{"a":{"b":[null,1]},"":0}`, ""},
		{"nested deeper", `{"type":"object","properties":{"sizes":{"type":"array","items":` + aSize + `}},"required":["sizes"]}`,
			`{"sizes":[{"w":1,"h":2},{"w":"x","h":2,"depht":1}]}`, "", "wrong_type f.sizes[1].w, unknown_name f.sizes[1].depht"},
		{"nested deeper, missing", `{"type":"object","properties":{"sizes":{"type":"array","items":` + aSize + `}},"required":["sizes"]}`,
			`{"sizes":[{"w":1,"h":2},{"h":2}]}`, "", "missing f.sizes[1].w"},
		{"an alias", `{"type":"object","properties":{"w":{"type":"integer","aliases":["width"]}}}`, `{"width":"1"}`, `{"w":1}`, ""},
		{"an alias together with its name", `{"type":"object","properties":{"w":{"type":"integer","aliases":["width"]}}}`, `{"w":1,"width":1}`, "", "given_twice f.w"},
	})
	// A missing member is reported with the other missing fields (D-1).
	c := make1(t, `{"type":"object","properties":{"a":{"type":"string"},"f":`+aSize+`},"required":["a","f"]}`, validate.Options{})
	if a := c.call(t, `{"f":{"h":1}}`); a.Stage != validate.StageRequire || a.kinds() != "missing a, missing f.w" {
		t.Errorf("stage %s: %s", a.Stage, a.kinds())
	}
	// The nearest declared name is offered, one level down as well.
	a := c.call(t, `{"a":"x","f":{"w":1,"h":1,"units":"m"}}`)
	if text := a.message(); !strings.Contains(text, "Did you mean unit?") {
		t.Errorf("the message is\n%s", text)
	}
}

func TestTuples(t *testing.T) {
	const point = `{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"minItems":2,"maxItems":2}`
	hold(t, []statement{
		{"each item by its own type", point, `["1",2]`, `[1,"2"]`, ""},
		{"text of JSON", point, `"[1, \"a\"]"`, `[1, "a"]`, ""},
		{"too short", point, `[1]`, "", "wrong_length f"},
		{"too long", point, `[1,"a",2]`, "", "wrong_length f"},
		{"a bad item", point, `["x","a"]`, "", "wrong_type f[0]"},
		{"commas are no tuple", point, `"1,a"`, "", "wrong_type f"},
	})
}

func TestUnionsKeepWhatAMemberTakesAsItIs(t *testing.T) {
	intOrText := `{"anyOf":[{"type":"integer"},{"type":"string"}]}`
	textOrInt := `{"anyOf":[{"type":"string"},{"type":"integer"}]}`
	textOrList := `{"anyOf":[{"type":"string"},` + integers + `]}`
	shapes := `{"anyOf":[` + aSize + `,{"type":"array","items":{"type":"integer"}},{"type":"boolean"}]}`
	json := []statement{
		{"a text stays a text", intOrText, `"5"`, `"5"`, ""},
		{"a number stays a number", textOrInt, "5", "5", ""},
		{"text is not decoded where one member is a text (N-4)", textOrList, `"[1]"`, `"[1]"`, ""},
		{"a list stays a list", textOrList, `["1"]`, "[1]", ""},
		{"the first that accepts", `{"anyOf":[{"type":"integer"},{"type":"boolean"}]}`, `"1"`, "1", ""},
		{"an object", shapes, `{"w":1,"h":"2"}`, `{"w":1,"h":2,"unit":"cm"}`, ""},
		{"a boolean", shapes, `"off"`, "false", ""},
		{"no member accepts", shapes, `"x"`, "", "wrong_type f"},
		{"a member that lacks something is no member", shapes, `{"w":1}`, "", "wrong_type f"},
		{"types as words", `{"type":["integer","boolean"]}`, `"yes"`, "true", ""},
		{"null among them", `{"anyOf":[{"type":"integer"},{"type":"string"},{"type":"null"}]}`, "null", "null", ""},
		{"limits beside the members", `{"anyOf":[{"type":"integer"},{"type":"number"}],"maximum":5}`, "5.5", "", "out_of_range f"},
		{"limits of text beside the members", `{"anyOf":[{"type":"integer"},{"type":"string"}],"pattern":"[a-z]+"}`, `"A"`, "", "no_match f"},
		{"oneOf is read as anyOf", `{"oneOf":[{"type":"integer"},{"type":"boolean"}]}`, "true", "true", ""},
	}
	hold(t, json)
	// In a text call all is text: declared order alone decides (FW-56).
	holdText(t, []statement{
		{"the first in order", intOrText, `"5"`, "5", ""},
		{"the first in order", textOrInt, `"5"`, `"5"`, ""},
		{"a list where text comes later", `{"anyOf":[` + integers + `,{"type":"string"}]}`, `"[1, 2]"`, "[1, 2]", ""},
		{"a list where text comes first", textOrList, `"[1, 2]"`, `"[1, 2]"`, ""},
	})
}

func TestNullable(t *testing.T) {
	const maybe = `{"anyOf":[{"type":"integer"},{"type":"null"}]}`
	hold(t, []statement{
		{"null", maybe, "null", "null", ""},
		{"a value", maybe, `"5"`, "5", ""},
		{"a word in a list of types", `{"type":["integer","null"]}`, "null", "null", ""},
	})
	// Published as required, yet never missing (FW-69, FW-183): null stands in.
	c := make1(t, withField(maybe), validate.Options{})
	for _, arguments := range []string{`{}`, `{"f":null}`, `{"f":"NOT_FOUND"}`, `{"f":""}`} {
		if a := c.call(t, arguments); a.values != `{"f":null}` {
			t.Errorf("%s runs with %s %s", arguments, a.values, a.kinds())
		}
	}
}

// ---- stage 2

func TestWhatIsMissing(t *testing.T) {
	tests := []struct{ says, schema, arguments, want, kinds string }{
		{"a required field", withField(aText), `{}`, "", "missing f"},
		{"null for a required field", withField(aText), `{"f":null}`, "", "missing f"},
		{"the word for nothing found", withField(aText), `{"f":"NOT_FOUND"}`, "", "missing f"},
		{"the int for nothing found", withField(anInt), `{"f":-9223372036854775807}`, "", "missing f"},
		{"the float for nothing found", withField(aNumber), `{"f":-1.7976931348623157e308}`, "", "missing f"},
		{"whatever the field's type", withField(aText), `{"f":-9223372036854775807}`, "", "missing f"},
		{"whatever the field's type", withField(anInt), `{"f":-1.7976931348623157e+308}`, "", "missing f"},
		{"an empty list for a required list", withField(texts), `{"f":[]}`, "", "missing f"},
		{"an empty list written as text", withField(texts), `{"f":"[]"}`, "", "missing f"},
		{"null where any value goes", withField(`{}`), `{"f":null}`, `{"f":null}`, ""},
		{"null where one of several is any value", withField(`{"anyOf":[{"type":"integer"},{}]}`), `{"f":null}`, `{"f":null}`, ""},
		{"nothing where any value goes", withField(`{}`), `{}`, "", "missing f"},
		{"an empty list where any value goes", withField(`{}`), `{"f":[]}`, `{"f":[]}`, ""},
		{"empty text is a value", withField(aText), `{"f":""}`, `{"f":""}`, ""},
		{"zero is a value", withField(anInt), `{"f":0}`, `{"f":0}`, ""},
		{"false is a value", withField(aBool), `{"f":false}`, `{"f":false}`, ""},
		{"an empty object is a value", withField(aMap), `{"f":{}}`, `{"f":{}}`, ""},
		{"an optional field", withOptional(aText), `{}`, `{}`, ""},
		{"the word for nothing found in an optional field", withOptional(aText), `{"f":"NOT_FOUND"}`, `{}`, ""},
		{"an ordinary default", withField(`{"type":"integer","default":3}`), `{}`, `{"f":3}`, ""},
		{"a default of zero", withOptional(`{"type":"integer","default":0}`), `{"f":null}`, `{"f":0}`, ""},
		{"the default NOT_FOUND marks a required field (FW-14)", withOptional(`{"type":"string","default":"NOT_FOUND"}`), `{}`, "", "missing f"},
		{"no parameters at all", `{"type":"object","properties":{}}`, `{}`, `{}`, ""},
	}
	for _, tt := range tests {
		a := make1(t, tt.schema, validate.Options{}).call(t, tt.arguments)
		if a.values != tt.want || a.kinds() != tt.kinds {
			t.Errorf("%s: %s with %s runs with %q, problems %q; want %q, %q", tt.says, tt.schema, tt.arguments, a.values, a.kinds(), tt.want, tt.kinds)
		}
		if tt.kinds != "" && a.Stage != validate.StageRequire {
			t.Errorf("%s: stage %q", tt.says, a.Stage)
		}
	}
}

// ---- D-4: names

func TestUnknownNamesAreRefusedByName(t *testing.T) {
	const schema = `{"type":"object","properties":{"city":{"type":"string","aliases":["town"]},"days":{"type":"integer"}}}`
	tests := []struct{ arguments, want, kinds string }{
		{`{"city":"Bonn"}`, `{"city":"Bonn"}`, ""},
		{`{"town":"Bonn"}`, `{"city":"Bonn"}`, ""},
		{`{"citi":"Bonn"}`, "", "unknown_name citi"},
		{`{"City":"Bonn"}`, "", "unknown_name City"},
		{`{"city":"Bonn","zip":"53111","":1}`, "", "unknown_name zip, unknown_name"},
		{`{"parameters":{"city":"Bonn"}}`, "", "unknown_name parameters"}, // never unwrapped
		{`{"city":"Bonn","town":"Bonn"}`, "", "given_twice city"},         // even if both say the same
		{`{"town":null,"city":"Bonn"}`, `{"city":"Bonn"}`, ""},            // null gives nothing
		{`{"city":"Bonn","town":null}`, `{"city":"Bonn"}`, ""},
		{`{"city":"Bonn","_meta":{"id":1},"token":"x"}`, `{"city":"Bonn"}`, ""}, // what the workflow ignores
	}
	for _, tt := range tests {
		c := make1(t, schema, validate.Options{Ignore: []string{"_meta", "token"}})
		if a := c.call(t, tt.arguments); a.values != tt.want || a.kinds() != tt.kinds {
			t.Errorf("%s runs with %q, problems %q; want %q, %q", tt.arguments, a.values, a.kinds(), tt.want, tt.kinds)
		}
	}
	text := make1(t, schema, validate.Options{}).call(t, `{"citi":"Bonn"}`).message()
	if !strings.Contains(text, "citi: there is no parameter of this name. The parameters are city and days. Did you mean city?") {
		t.Errorf("the message is\n%s", text)
	}
}

// Where the schema takes further members, they reach the body like any other:
// coerced if it says how, refused by name if they are wrong.
func TestFurtherMembersOfAnOpenSchema(t *testing.T) {
	c := make1(t, `{"type":"object","properties":{"f":{"type":"string"}},"additionalProperties":true}`, validate.Options{})
	a := c.call(t, `{"z":[9007199254740993],"f":"a","y":null}`)
	if a.values != `{"f":"a","z":[9007199254740993],"y":null}` {
		t.Errorf("runs with %s %s", a.values, a.kinds())
	}
	if v, set := a.input.(*signature.Record).Get("z"); !set || fmt.Sprint(v) != "[9007199254740993]" {
		t.Errorf("the body sees z as %v, %v", v, set)
	}
	c = make1(t, `{"type":"object","properties":{"f":{"type":"string"}},"additionalProperties":{"type":"array","items":{"type":"integer"}}}`, validate.Options{})
	if a := c.call(t, `{"z":"1,2","y":3}`); a.values != `{"z":[1,2],"y":[3]}` {
		t.Errorf("runs with %s %s", a.values, a.kinds())
	}
	if a := c.call(t, `{"z":[1,"x"],"y y":{}}`); a.kinds() != "wrong_type z[1], wrong_type y y" {
		t.Errorf("problems %s", a.kinds())
	}
}

func TestMarkupThatSwallowedAParameterIsRefused(t *testing.T) {
	const schema = `{"type":"object","properties":{"body":{"type":"string"},"title":{"type":"string"}}}`
	c := make1(t, schema, validate.Options{})
	tests := []struct{ body, kinds string }{
		{`Hello</body><title>x</title>`, "swallowed_markup body"},
		{`Hello</parameter>\n<parameter name=\"title\">x`, "swallowed_markup body"},
		{`Hello</parameter><parameter=title>x`, "swallowed_markup body"},
		{`<b>bold</b> and <i>italic</i>`, ""},
		{`1 </ 2`, ""},
		{`<title>a page</title>`, ""},
	}
	for _, tt := range tests {
		if a := c.call(t, `{"body":"`+tt.body+`"}`); a.kinds() != tt.kinds {
			t.Errorf("%s: problems %q, want %q", tt.body, a.kinds(), tt.kinds)
		}
	}
	if a := c.call(t, `{"body":["Hello</body><title>x"]}`); a.kinds() != "swallowed_markup body" {
		t.Errorf("in a list of one: problems %q", a.kinds())
	}
	// Given otherwise, the parameter was not swallowed.
	if a := c.call(t, `{"body":"Hello</body><title>x</title>","title":"y"}`); !a.OK() {
		t.Errorf("problems %s", a.kinds())
	}
}

// ---- stage 3

// whoField is a command whose field who is looked up by a resolver.
func whoField(t testing.TB, r lookup.ResolverFunc, o validate.Options) *command {
	t.Helper()
	o.Resolvers = map[string]lookup.Resolver{"who": r}
	return make1(t, `{"type":"object","properties":{"who":{"type":"string","db_lookup":true},"note":{"type":"string"}},"required":["who"]}`, o)
}

func TestAResolverAppliesRejectsOrDeclines(t *testing.T) {
	answers := map[string]lookup.Result{
		"bob":  {Verdict: lookup.Applied, Match: "Bob Smith"},
		"same": {Verdict: lookup.Applied, Match: "same"},
		"smi":  {Verdict: lookup.Rejected, Suggestions: []string{"Bob Smith", "Al Smith"}},
		"zz":   {Verdict: lookup.Rejected},
		"new":  {Verdict: lookup.Declined},
	}
	c := whoField(t, func(_ context.Context, value string) (lookup.Result, error) { return answers[value], nil }, validate.Options{})
	tests := []struct{ arguments, want, kinds string }{
		{`{"who":"bob"}`, `{"who":"Bob Smith"}`, ""},
		{`{"who":"same"}`, `{"who":"same"}`, ""},
		{`{"who":"new"}`, `{"who":"new"}`, ""},
		{`{"who":"smi"}`, "", "not_found who"},
		{`{"who":"zz"}`, "", "not_found who"},
	}
	for _, tt := range tests {
		a := c.call(t, tt.arguments)
		if a.values != tt.want || a.kinds() != tt.kinds {
			t.Errorf("%s runs with %q, problems %q; want %q, %q", tt.arguments, a.values, a.kinds(), tt.want, tt.kinds)
		}
		if a.OK() {
			have, err := json.Marshal(a.input)
			if err != nil || string(have) != a.values {
				t.Errorf("%s: the body sees %s, %v", tt.arguments, have, err)
			}
		}
	}
	// The trace says what each lookup made of the value (FW-98).
	trace, err := json.Marshal(c.call(t, `{"who":"bob"}`).trace.DBLookup)
	if want := `[{"field":"who","input_value":"bob","outcome":"applied","corrected_value":"Bob Smith","corrected":true,"suggestions":[]}]`; err != nil || string(trace) != want {
		t.Errorf("the trace is %s, %v", trace, err)
	}
}

func TestAListIsLookedUpItemByItem(t *testing.T) {
	c := make1(t, `{"type":"object","properties":{"who":{"type":"array","items":{"type":"string"},"uniqueItems":true,"db_lookup":true,"x-keys":["Bob Smith","Alice Jones"]}},"required":["who"]}`, validate.Options{})
	tests := []struct{ arguments, want, kinds string }{
		{`{"who":["bob smith","ALICE JONES"]}`, `{"who":["Bob Smith","Alice Jones"]}`, ""},
		{`{"who":["bob smith","Zacharias"]}`, "", "not_found who[1]"},
		// Two spellings of one key are one item twice.
		{`{"who":["bob smith","Bob Smith"]}`, "", "not_unique who"},
	}
	for _, tt := range tests {
		if a := c.call(t, tt.arguments); a.values != tt.want || a.kinds() != tt.kinds {
			t.Errorf("%s runs with %q, problems %q; want %q, %q", tt.arguments, a.values, a.kinds(), tt.want, tt.kinds)
		}
	}
}

// A name that only live data knows may have a comma in it, and both halves
// find it.
func TestANameThatWasPartedIsNotTwoItems(t *testing.T) {
	schema := withField(`{"type":"array","items":{"type":"string"},"db_lookup":true}`)
	c := make1(t, schema, validate.Options{Resolvers: map[string]lookup.Resolver{"f": lookup.From(lookup.Static("people", "Smith, John", "Ann Lee"), lookup.Options{})}})
	for arguments, want := range map[string]string{
		`{"f":"Smith, John"}`:           "wrong_type f",
		`{"f":["Smith, John"]}`:         "",
		`{"f":"Ann Lee, Smith"}`:        "",
		`{"f":"ann lee, ann lee"}`:      "",
		`{"f":["Smith","smith, john"]}`: "",
	} {
		if a := c.call(t, arguments); a.kinds() != want {
			t.Errorf("%s runs with %q, problems %q; want %q", arguments, a.values, a.kinds(), want)
		}
	}
}

func TestAMemberOfAnObjectIsLookedUp(t *testing.T) {
	ship := `{"type":"object","properties":{"city":{"type":"string","x-keys":["New York","Boston"]},"zip":{"type":"string"}},"required":["city"]}`
	c := make1(t, `{"type":"object","properties":{"to":`+ship+`,"stops":{"type":"array","items":`+ship+`}},"required":["to"]}`, validate.Options{})
	tests := []struct{ arguments, want, kinds string }{
		{`{"to":{"city":"new york","zip":"10001"}}`, `{"to":{"city":"New York","zip":"10001"}}`, ""},
		{`{"to":"{\"city\": \"boston\"}"}`, `{"to":{"city":"Boston"}}`, ""},
		{`{"to":{"city":"Zanzibar"}}`, "", "not_found to.city"},
		{`{"to":{"city":"Boston"},"stops":[{"city":"Boston"},{"city":"boston","zip":"1"}]}`, `{"to":{"city":"Boston"},"stops":[{"city":"Boston"},{"city":"Boston","zip":"1"}]}`, ""},
		{`{"to":{"city":"Boston"},"stops":[{"city":"Boston"},{"city":"Zanzibar"}]}`, "", "not_found stops[1].city"},
	}
	for _, tt := range tests {
		if a := c.call(t, tt.arguments); a.values != tt.want || a.kinds() != tt.kinds {
			t.Errorf("%s runs with %q, problems %q; want %q, %q", tt.arguments, a.values, a.kinds(), tt.want, tt.kinds)
		}
	}
	live := strings.ReplaceAll(ship, `"x-keys":["New York","Boston"]`, `"db_lookup":true`)
	one := withField(live)
	for says, o := range map[string]validate.Options{
		"a member without a resolver":                   {},
		"a resolver for the object and not the member":  {Resolvers: map[string]lookup.Resolver{"f": noting(new([]string))}},
		"a resolver for a member that is not looked up": {Resolvers: map[string]lookup.Resolver{"f.city": noting(new([]string)), "f.zip": noting(new([]string))}},
	} {
		if _, err := try(one, o); err == nil {
			t.Errorf("%s is registered", says)
		}
	}
	asked := []string{}
	c = make1(t, one, validate.Options{Resolvers: map[string]lookup.Resolver{"f.city": noting(&asked)}})
	if a := c.call(t, `{"f":{"city":"Paris"}}`); !a.OK() || fmt.Sprint(asked) != "[Paris]" {
		t.Errorf("problems %s, looked up %v", a.kinds(), asked)
	}
	for _, hidden := range []string{
		`{"type":"object","additionalProperties":` + live + `}`,
		`{"anyOf":[` + live + `,{"type":"integer"}]}`,
	} {
		if _, err := try(withField(hidden), validate.Options{}); err == nil {
			t.Errorf("%s is registered, though nothing would be looked up", hidden)
		}
	}
}

// A key with a comma in it is one item of a list, not two.
func TestAKeyWithACommaIsOneItem(t *testing.T) {
	c := make1(t, `{"type":"object","properties":{"who":{"type":"array","items":{"type":"string"},"db_lookup":true,"x-keys":["Smith, Bob","Al"]}}}`, validate.Options{})
	for arguments, want := range map[string]string{
		`{"who":"Smith, Bob"}`:        `{"who":["Smith, Bob"]}`,
		`{"who":["smith, bob","al"]}`: `{"who":["Smith, Bob","Al"]}`,
		`{"who":"al"}`:                `{"who":["Al"]}`,
	} {
		if a := c.call(t, arguments); a.values != want {
			t.Errorf("%s runs with %s %s, want %s", arguments, a.values, a.kinds(), want)
		}
	}
}

// A value that is near no key is refused with a sample of the keys, which is
// not said to be what was meant.
func TestKeysThatAreNotNearAreASample(t *testing.T) {
	c := make1(t, `{"type":"object","properties":{"who":{"type":"string","db_lookup":true,"x-keys":["Bob Smith","Alice Jones"]}}}`, validate.Options{})
	text := c.call(t, `{"who":"xyzzy"}`).message()
	if strings.Contains(text, "Did you mean") || !strings.Contains(text, `for instance: "Bob Smith", "Alice Jones"`) {
		t.Errorf("the message is\n%s", text)
	}
}

// A resolver that fails is a problem of its own, in the log and not in the
// message, and never a pass (FW-74).
func TestAResolverThatFailsIsNeverAPass(t *testing.T) {
	tests := map[string]struct {
		resolver lookup.ResolverFunc
		logged   string
	}{
		"an error": {func(context.Context, string) (lookup.Result, error) {
			return lookup.Result{Verdict: lookup.Applied, Match: "x"}, errBackend
		}, "connection refused"},
		"a panic":          {func(context.Context, string) (lookup.Result, error) { panic("index out of range [3]") }, "index out of range [3]"},
		"a panic with nil": {func(context.Context, string) (lookup.Result, error) { panic(error(nil)) }, "resolver panicked"},
		"nothing":          {func(context.Context, string) (lookup.Result, error) { return lookup.Result{}, nil }, "neither applied"},
		"applied, but to what": {func(context.Context, string) (lookup.Result, error) {
			return lookup.Result{Verdict: lookup.Applied}, nil
		}, "its Match is empty"},
		"a verdict of its own": {func(context.Context, string) (lookup.Result, error) { return lookup.Result{Verdict: 99}, nil }, "neither applied"},
	}
	for name, tt := range tests {
		for _, end := range []bool{false, true} {
			ctx := context.Background()
			if end {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, time.Minute)
				defer cancel()
			}
			var log bytes.Buffer
			c := whoField(t, tt.resolver, validate.Options{Command: "greet", Logger: slog.New(slog.NewTextHandler(&log, nil)),
				Hook: func(context.Context, any) (bool, string) { t.Errorf("%s: the hook runs", name); return true, "" }})
			a := c.run(t, ctx, tree(t, `{"who":"Bob"}`, false))
			if a.Stage != validate.StageLookup || a.kinds() != "lookup_unavailable who" {
				t.Errorf("%s: stage %q, problems %q", name, a.Stage, a.kinds())
			}
			if !strings.Contains(log.String(), tt.logged) || !strings.Contains(log.String(), "command=greet") || !strings.Contains(log.String(), "field=who") {
				t.Errorf("%s: the log is %s", name, log.String())
			}
			checkSafe(t, name, "", a.message())
		}
	}
}

// A resolver that outlives its context is left behind; nothing it writes
// later is read, no further lookup begins, and whoever holds the session can
// wait for it.
func TestAResolverThatHangsIsLeftBehind(t *testing.T) {
	release := make(chan struct{})
	var begun atomic.Int32
	hang := lookup.ResolverFunc(func(context.Context, string) (lookup.Result, error) {
		begun.Add(1)
		<-release
		return lookup.Result{Verdict: lookup.Applied, Match: "late"}, errBackend
	})
	c := make1(t, `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"},"db_lookup":true},"b":{"type":"string","db_lookup":true}},"required":["a","b"]}`,
		validate.Options{Resolvers: map[string]lookup.Resolver{"a": hang, "b": hang}})
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	v := c.Begin()
	v.Load(tree(t, `{"a":["x","y","z"],"b":"w"}`, false))
	start := time.Now()
	r := v.Run(ctx)
	if r.Stage != validate.StageLookup || r.Problems[0].Kind != validate.LookupUnavailable || len(r.Problems) != 1 {
		t.Errorf("stage %q, problems %+v", r.Stage, r.Problems)
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("the call took %v", took)
	}
	if begun.Load() != 1 {
		t.Errorf("%d lookups began", begun.Load())
	}
	finished := v.Overtime()
	if finished == nil {
		t.Fatal("nobody is told that the resolver still runs")
	}
	select {
	case <-finished:
		t.Error("the resolver is said to have ended while it runs")
	default:
	}
	v.Release()
	close(release)
	<-finished
}

func TestAResolverThatHeedsItsContextGivesItsOwnError(t *testing.T) {
	c := whoField(t, func(ctx context.Context, _ string) (lookup.Result, error) {
		<-ctx.Done()
		return lookup.Result{}, ctx.Err()
	}, validate.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if a := c.run(t, ctx, tree(t, `{"who":"Bob"}`, false)); a.kinds() != "lookup_unavailable who" {
		t.Errorf("problems %s", a.kinds())
	}
}

type appointment struct {
	At time.Time `json:"at" jsonschema_extras:"db_lookup=true"`
}

// An answer that the field cannot hold is the resolver's fault, not the
// caller's.
func TestAnAnswerThatDoesNotFitIsNotTheCallersFault(t *testing.T) {
	odd := lookup.ResolverFunc(func(context.Context, string) (lookup.Result, error) {
		return lookup.Result{Verdict: lookup.Applied, Match: "six"}, nil
	})
	c := make1(t, `{"type":"object","properties":{"n":{"type":"integer","db_lookup":true}},"required":["n"]}`, validate.Options{Resolvers: map[string]lookup.Resolver{"n": odd}})
	if a := c.call(t, `{"n":5}`); a.kinds() != "lookup_unavailable n" || a.Problems[0].Got != "5" {
		t.Errorf("problems %+v", a.Problems)
	}
	g := forGo[appointment](t, validate.Options{Resolvers: map[string]lookup.Resolver{"at": odd}})
	if a := g.call(t, `{"at":"2026-01-31T10:20:30Z"}`); a.kinds() != "lookup_unavailable at" {
		t.Errorf("problems %+v", a.Problems)
	}
	fits := lookup.ResolverFunc(func(context.Context, string) (lookup.Result, error) {
		return lookup.Result{Verdict: lookup.Applied, Match: "6"}, nil
	})
	c = make1(t, `{"type":"object","properties":{"n":{"type":"integer","db_lookup":true}},"required":["n"]}`, validate.Options{Resolvers: map[string]lookup.Resolver{"n": fits}})
	if a := c.call(t, `{"n":5}`); a.values != `{"n":6}` {
		t.Errorf("runs with %s %s", a.values, a.kinds())
	}
}

// ---- D-9: the hook

func TestWhatAHookWritesIsWhatTheBodyReads(t *testing.T) {
	c := make1(t, `{"type":"object","properties":{"code":{"type":"string"}},"required":["code"]}`, validate.Options{
		Hook: func(_ context.Context, input any) (bool, string) {
			record := input.(*signature.Record)
			code, _ := record.Get("code")
			record.Set("code", strings.ToUpper(code.(string)))
			record.Set("checked", true)
			return true, "the message of a success is not shown"
		}})
	a := c.call(t, `{"code":"ab"}`)
	have, err := json.Marshal(a.input)
	if err != nil || string(have) != `{"code":"AB","checked":true}` {
		t.Errorf("the body reads %s, %v", have, err)
	}
	g := forGo[parcel](t, validate.Options{Hook: func(_ context.Context, input any) (bool, string) {
		input.(*parcel).Tags = append(input.(*parcel).Tags, "checked")
		return true, ""
	}})
	if p := g.call(t, `{"id":1,"tags":["a"]}`).input.(*parcel); fmt.Sprint(p.Tags) != "[a checked]" {
		t.Errorf("the body reads %+v", p)
	}
}

func TestAHookMayNameFields(t *testing.T) {
	schema := `{"type":"object","properties":{"begin_date":{"type":"string"},"end_date":{"type":"string"},"n":{"type":"integer"}}}`
	tests := []struct {
		message string
		field   string
		fields  string
	}{
		{"end_date: it must not be before the begin", "end_date", "[end_date]"},
		{"begin_date, end_date: they are in the wrong order", "", "[begin_date end_date]"},
		{"begin_date and end_date: they are in the wrong order\nn: at most 3", "", "[begin_date end_date n]"},
		{"note: this names no parameter", "", "[]"},
		{"nothing is available then", "", "[]"},
	}
	for _, tt := range tests {
		c := make1(t, schema, validate.Options{Hook: func(context.Context, any) (bool, string) { return false, tt.message }})
		a := c.call(t, `{}`)
		if a.Stage != validate.StageHook || len(a.Problems) != 1 || a.Problems[0].Kind != validate.HookRefused {
			t.Fatalf("%q: stage %q, problems %+v", tt.message, a.Stage, a.Problems)
		}
		p := a.Problems[0]
		if p.Text != tt.message || p.Field != tt.field || fmt.Sprint(p.Fields) != tt.fields {
			t.Errorf("%q: %+v", tt.message, p)
		}
		if !strings.Contains(a.message(), tt.message) {
			t.Errorf("%q: the message is\n%s", tt.message, a.message())
		}
	}
	// A long report is cut by lines, and says so.
	long := make1(t, schema, validate.Options{Hook: func(context.Context, any) (bool, string) { return false, strings.Repeat("n: too many\n", 50) }})
	if text := long.call(t, `{}`).message(); strings.Count(text, "n: too many") != 20 || !strings.Contains(text, "... and 30 more lines.") {
		t.Errorf("the message is\n%s", text)
	}
	// A refusal without a reason still says that it is one (FW-91).
	c := make1(t, schema, validate.Options{Hook: func(context.Context, any) (bool, string) { return false, "  " }})
	if text := c.call(t, `{}`).message(); !strings.Contains(text, "the parameters do not fit together") {
		t.Errorf("the message is\n%s", text)
	}
}

func TestAHookThatPanicsFailsTheCallAndIsLoggedAsCritical(t *testing.T) {
	for name, hook := range map[string]validate.Hook{
		"a text":     func(context.Context, any) (bool, string) { panic("boom") },
		"an error":   func(context.Context, any) (bool, string) { panic(errBackend) },
		"nil map":    func(context.Context, any) (bool, string) { var m map[string]int; m["a"] = 1; return true, "" },
		"wrong type": func(_ context.Context, input any) (bool, string) { return input.(*parcel) != nil, "" },
	} {
		var log bytes.Buffer
		c := make1(t, withField(aText), validate.Options{Hook: hook, Command: "book", Logger: slog.New(slog.NewTextHandler(&log, nil))})
		a := c.call(t, `{"f":"x"}`)
		if a.Stage != validate.StageHook || a.kinds() != "hook_failed" {
			t.Errorf("%s: stage %q, problems %q", name, a.Stage, a.kinds())
		}
		checkSafe(t, name, "", a.message())
		if !strings.Contains(log.String(), "level=ERROR+4") || !strings.Contains(log.String(), "command=book") || !strings.Contains(log.String(), "stages_test.go") {
			t.Errorf("%s: the log is %s", name, log.String())
		}
		if a.trace.ValidationHook == nil || a.trace.ValidationHook.Raised == "" || a.trace.ParametersValid {
			t.Errorf("%s: the trace is %+v", name, a.trace.ValidationHook)
		}
	}
}

func TestAHookThatHangsPastItsContextIsLeftBehind(t *testing.T) {
	release := make(chan struct{})
	c := make1(t, withField(aText), validate.Options{Hook: func(_ context.Context, input any) (bool, string) {
		<-release
		input.(*signature.Record).Set("f", "late")
		return true, ""
	}})
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	v := c.Begin()
	v.Load(tree(t, `{"f":"x"}`, false))
	r := v.Run(ctx)
	if r.Stage != validate.StageHook || r.Problems[0].Kind != validate.HookFailed {
		t.Errorf("stage %q, problems %+v", r.Stage, r.Problems)
	}
	if text := validate.Message("book", r.Problems, validate.Wording{}); !strings.Contains(text, "did not end in time") || !strings.Contains(text, "'book'") {
		t.Errorf("the message is\n%s", text)
	}
	finished := v.Overtime()
	v.Release()
	close(release)
	<-finished
}

func TestAHookSeesTheContextOfTheCall(t *testing.T) {
	type key struct{}
	c := make1(t, withField(aText), validate.Options{Hook: func(ctx context.Context, _ any) (bool, string) {
		return ctx.Value(key{}) == "session 7", "f: no session"
	}})
	ctx, cancel := context.WithTimeout(context.WithValue(context.Background(), key{}, "session 7"), time.Minute)
	defer cancel()
	if a := c.run(t, ctx, tree(t, `{"f":"x"}`, false)); !a.OK() {
		t.Errorf("problems %s", a.kinds())
	}
}

// ---- registration

func TestAuthorsMistakesAreFoundAtRegistration(t *testing.T) {
	looked := `{"type":"object","properties":{"who":{"type":"string","db_lookup":true},"n":{"type":"integer","aliases":["count"]}}}`
	some := map[string]lookup.Resolver{"who": declines}
	tests := []struct {
		says, schema string
		options      validate.Options
		words        []string
	}{
		{"a lookup without a resolver", looked, validate.Options{}, []string{"who", "no resolver"}},
		{"a resolver without a lookup", looked, validate.Options{Resolvers: map[string]lookup.Resolver{"who": declines, "n": declines}}, []string{"n", "db_lookup"}},
		{"a resolver for no field", looked, validate.Options{Resolvers: map[string]lookup.Resolver{"who": declines, "whom": declines}}, []string{"whom", "no field"}},
		{"a resolver under an alias", looked, validate.Options{Resolvers: map[string]lookup.Resolver{"who": declines, "count": declines}}, []string{"count", "no field"}},
		{"a declared name that is ignored", looked, validate.Options{Resolvers: some, Ignore: []string{"n"}}, []string{"n", "D-4"}},
		{"a default of another type", withField(`{"type":"integer","default":"x"}`), validate.Options{}, []string{"f", `"x"`, "whole number", "D-10"}},
		{"a default that would be read as another value", withField(`{"type":"integer","default":"7"}`), validate.Options{}, []string{"f", `"7"`}},
		{"a default that fails its own pattern", withField(`{"type":"string","pattern":"[a-z]+","default":"A"}`), validate.Options{}, []string{"f", `"A"`, "[a-z]+"}},
		{"a default that is no member", withField(`{"enum":["a","b"],"default":"c"}`), validate.Options{}, []string{"f", `"c"`}},
		{"a default one level down", withField(`{"type":"object","properties":{"n":{"type":"integer","default":-1,"minimum":0}}}`), validate.Options{}, []string{"f.n", "-1"}},
		{"a default inside a list", withField(`{"type":"array","items":{"type":"object","properties":{"n":{"type":"integer","default":"x"}}}}`), validate.Options{}, []string{"n", `"x"`}},
	}
	for _, tt := range tests {
		_, err := try(tt.schema, tt.options)
		if err == nil {
			t.Errorf("%s is registered", tt.says)
			continue
		}
		for _, word := range tt.words {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%s: the error does not say %q: %v", tt.says, word, err)
			}
		}
	}
	// What is no mistake.
	for _, schema := range []string{
		withField(`{"type":"string","default":"NOT_FOUND","pattern":"#W\\d+|NOT_FOUND"}`),
		withOptional(`{"type":"string","default":null}`),
		withOptional(`{"type":"number","default":2}`),
		withOptional(`{"type":"integer","default":2.0}`),
		withOptional(`{"type":"object","default":{"z":1,"a":[2]}}`),
	} {
		if _, err := try(schema, validate.Options{}); err != nil {
			t.Errorf("%s is refused: %v", schema, err)
		}
	}
}

func TestDiagnosticsNameTheFields(t *testing.T) {
	hooks := 0
	a := staged(t, true, &hooks).call(t, `{"n":"x","m":2,"a":"a","who":"zz","whom":"bob","zip":1}`)
	have, err := json.Marshal(a.trace)
	want := `{"extraction_method":"json","retry_round":false,"parameters_valid":false,"missing_fields":["b"],"invalid_fields":["zip","n","who"],` +
		`"db_lookup":[{"field":"who","input_value":"zz","outcome":"rejected","corrected_value":null,"corrected":false,"suggestions":["\"Bob\"","\"Alice\""]},` +
		`{"field":"whom","input_value":"bob","outcome":"applied","corrected_value":"Bob","corrected":true,"suggestions":[]}]}`
	if err != nil || string(have) != want {
		t.Errorf("the trace is\n%s, %v, want\n%s", have, err, want)
	}
}

// What the caller gave stays at hand as it was sent.
func TestWhatWasGivenIsKeptAsItWasSent(t *testing.T) {
	c := make1(t, `{"type":"object","properties":{"n":{"type":"integer","aliases":["count"]},"list":`+integers+`,"note":{"type":"string","default":"none"}}}`, validate.Options{})
	v := c.Begin()
	defer v.Release()
	v.Load(tree(t, `{"count":" 5 ","list":["1", 2.0]}`, false))
	if r := v.Run(context.Background()); !r.OK() {
		t.Fatalf("problems %+v", r.Problems)
	}
	for field, want := range map[string]string{"n": `" 5 "`, "count": `" 5 "`, "list": `["1", 2.0]`} {
		if given, ok := v.Given(field); !ok || given.JSON() != want {
			t.Errorf("%s was given as %v, %v", field, given, ok)
		}
	}
	for _, field := range []string{"note", "nothing"} {
		if given, ok := v.Given(field); ok {
			t.Errorf("%s was given as %v", field, given)
		}
	}
	if have, want := string(v.AppendJSON(nil)), `{"n":5,"list":[1,2],"note":"none"}`; have != want {
		t.Errorf("the call runs with %s, want %s", have, want)
	}
}

// ---- concurrency

// One Validator serves any number of calls at once, and the Values of one
// call never show in another.
func TestAValidatorIsSharedByManyCalls(t *testing.T) {
	set := lookup.Static("people", "Bob Smith", "Alice Jones")
	c := make1(t, `{"type":"object","properties":{
		"id":{"type":"integer"},"who":{"type":"string","db_lookup":true},"tags":{"type":"array","items":{"type":"string"}},
		"size":`+aSize+`,"either":{"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"integer"}}]},
		"color":`+colors+`},"required":["id","who"],"additionalProperties":{"type":"integer"}}`,
		validate.Options{Resolvers: map[string]lookup.Resolver{"who": lookup.From(set, lookup.Options{})}, Hook: func(_ context.Context, input any) (bool, string) {
			id, _ := input.(*signature.Record).Get("id")
			n, err := id.(json.Number).Int64()
			return err == nil && n%5 != 0, "id: not a multiple of 5"
		}})
	var group sync.WaitGroup
	for g := range 64 {
		group.Go(func() {
			for i := range 50 {
				n := g*50 + i
				ctx, cancel := context.Background(), func() {}
				if i%2 == 0 {
					ctx, cancel = context.WithTimeout(ctx, time.Minute)
				}
				v := c.Begin()
				who := `"bob smith"`
				if n%7 == 0 {
					who = `"nobody at all"`
				}
				v.Load(tree(t, fmt.Sprintf(`{"id":"%d","who":%s,"tags":"a%d, b","size":"{'w':%d,'h':2}","either":"[%d]","color":"SEA_GREEN","more":%d}`, n, who, n, n, n, n), false))
				r := v.Run(ctx)
				cancel()
				switch {
				case n%7 == 0:
					if r.Stage != validate.StageLookup || len(r.Problems) != 1 || r.Problems[0].Field != "who" {
						t.Errorf("call %d: %+v", n, r)
					}
				case n%5 == 0:
					if r.Stage != validate.StageHook {
						t.Errorf("call %d: %+v", n, r)
					}
				default:
					want := fmt.Sprintf(`{"id":%d,"who":"Bob Smith","tags":["a%d","b"],"size":{"w":%d,"h":2,"unit":"cm"},"either":[%d],"color":"sea green","more":%d}`, n, n, n, n, n)
					if have := string(v.AppendJSON(nil)); have != want {
						t.Errorf("call %d runs with %s, want %s", n, have, want)
					}
				}
				validate.Message("cmd", r.Problems, validate.Wording{})
				v.Release()
			}
		})
	}
	group.Wait()
}

// What a call made is still right after its Values went on to another call.
func TestTheInputOutlivesItsValues(t *testing.T) {
	c := make1(t, withField(`{"type":"array","items":`+aSize+`}`), validate.Options{})
	first := c.call(t, `{"f":"[{'w':1,'h':2}]"}`).input
	for range 10 {
		c.call(t, `{"f":"[{'w':8,'h':9},{'w':8,'h':9}]"}`)
	}
	if have, err := json.Marshal(first); err != nil || string(have) != `{"f":[{"w":1,"h":2,"unit":"cm"}]}` {
		t.Errorf("the first call's input is now %s, %v", have, err)
	}
}
