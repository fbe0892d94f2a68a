package validate_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fwgo/fwgo/validate"
)

type shade string

func (shade) EnumValues() []any { return []any{"red", "sea green"} }

type level int

func (level) EnumValues() []any { return []any{1, 2, -3} }

// code reads itself: two capital letters.
type code struct{ letters string }

func (c *code) UnmarshalText(text []byte) error {
	if len(text) != 2 || strings.ToUpper(string(text)) != string(text) {
		return fmt.Errorf("strconv.ParseCode: parsing %q", text)
	}
	c.letters = string(text)
	return nil
}

func (c code) MarshalText() ([]byte, error) { return []byte(c.letters), nil }

type inner struct {
	W    int     `json:"w"`
	Unit string  `json:"unit" jsonschema:"default=cm"`
	Deep *inner2 `json:"deep,omitempty"`
}

type inner2 struct {
	Tags map[string][]int8 `json:"tags"`
}

type embedded struct {
	Shared string `json:"shared"`
}

// wide has a field of every shape that a command's Input can have.
type wide struct {
	embedded
	Text    string           `json:"text"`
	Flag    bool             `json:"flag"`
	I8      int8             `json:"i8"`
	I64     int64            `json:"i64"`
	U16     uint16           `json:"u16"`
	U64     uint64           `json:"u64"`
	F32     float32          `json:"f32"`
	F64     float64          `json:"f64"`
	Exact   json.Number      `json:"exact"`
	When    time.Time        `json:"when"`
	Shade   shade            `json:"shade"`
	Level   level            `json:"level"`
	Code    code             `json:"code"`
	Any     any              `json:"any"`
	Raw     json.RawMessage  `json:"raw"`
	Texts   []string         `json:"texts"`
	Shades  []shade          `json:"shades"`
	Matrix  [][]int          `json:"matrix"`
	Pair    [2]int16         `json:"pair"`
	Map     map[string]uint8 `json:"map"`
	Inner   inner            `json:"inner"`
	Inners  []*inner         `json:"inners"`
	Maybe   *int             `json:"maybe"`
	MaybeIn *inner           `json:"maybe_in"`
	MaybeTx *[]string        `json:"maybe_tx"`
	Codes   map[string]code  `json:"codes"`
	Times   []time.Time      `json:"times"`
	Free    map[string]any   `json:"free"`
}

const wideArguments = `{"shared":"s","text":"t","flag":"yes","i8":"-128","i64":"9223372036854775807","u16":65535.0,"u64":18446744073709551615,
	"f32":0.5,"f64":"1e3","exact":"9007199254740993.5","when":"2026-01-31T10:20:30+02:00","shade":"SEA_GREEN","level":"-3","code":"AB","any":{"b":[9007199254740993],"a":null},
	"raw":{"z":1,"a":[1.50]},"texts":"a, b","shades":["RED"],"matrix":[[1],[],["2","3"]],"pair":[1,-2],"map":{"x":255},"inner":{"w":"1"},
	"inners":[{"w":2,"unit":"m","deep":{"tags":{"k":[1,"2"]}}}],"maybe":0,"maybe_in":{"w":3},"maybe_tx":[],"codes":{"a":"CD"},"times":["2026-01-31T08:00:00Z"],
	"free":{"n":123456789012345678901234567890}}`

// What a call runs with is what its Go struct holds, in every shape.
func TestAGoStructHoldsWhatTheCallRunsWith(t *testing.T) {
	c := forGo[wide](t, validate.Options{})
	a := c.call(t, wideArguments)
	if !a.OK() {
		t.Fatalf("problems %+v", a.Problems)
	}
	have, err := json.Marshal(a.input)
	if err != nil {
		t.Fatal(err)
	}
	if !sameJSON(t, string(have), a.values) {
		t.Errorf("the body reads\n%s\nand the call runs with\n%s", have, a.values)
	}
	want := `{"shared":"s","text":"t","flag":true,"i8":-128,"i64":9223372036854775807,"u16":65535,"u64":18446744073709551615,
		"f32":0.5,"f64":1000,"exact":9007199254740993.5,"when":"2026-01-31T10:20:30+02:00","shade":"sea green","level":-3,"code":"AB","any":{"b":[9007199254740993],"a":null},
		"raw":{"z":1,"a":[1.50]},"texts":["a","b"],"shades":["red"],"matrix":[[1],[],[2,3]],"pair":[1,-2],"map":{"x":255},"inner":{"w":1,"unit":"cm"},
		"inners":[{"w":2,"unit":"m","deep":{"tags":{"k":[1,2]}}}],"maybe":0,"maybe_in":{"w":3,"unit":"cm"},"maybe_tx":[],"codes":{"a":"CD"},"times":["2026-01-31T08:00:00Z"],
		"free":{"n":123456789012345678901234567890}}`
	if !sameJSON(t, a.values, want) {
		t.Errorf("the call runs with\n%s\nwant\n%s", a.values, want)
	}
}

type stay struct {
	From   int    `json:"from"`
	Till   int    `json:"till" validate:"gtfield=From"`
	Code   string `json:"code,omitempty" validate:"omitempty,alphanum"`
	Guest  string `json:"guest,omitempty"`
	Phone  string `json:"phone,omitempty" validate:"required_with=Guest"`
	Nights int    `json:"nights,omitempty" jsonschema:"default=3" validate:"omitempty,ltfield=Till"`
}

// The rules between fields are part of stage 1; the text names the other
// field as callers know it, and what is not there is said to be nothing.
func TestRulesBetweenFields(t *testing.T) {
	c := forGo[stay](t, validate.Options{})
	tests := []struct{ arguments, kinds, says string }{
		{`{"from":1,"till":9,"nights":2}`, "", ""},
		{`{"from":5,"till":5,"nights":1}`, "rule_broken till", "till: got 5, but it must be greater than from."},
		{`{"from":5,"till":"4","nights":1}`, "rule_broken till", "till: got \"4\", but it must be greater than from."},
		{`{"from":1,"till":9,"code":"a-b"}`, "rule_broken code", "only letters and digits are accepted"},
		{`{"from":1,"till":9,"guest":"Bob"}`, "rule_broken phone", "phone: got nothing, but it is needed together with guest."},
		{`{"from":1,"till":2}`, "rule_broken nights", "nights: got 3, but it must be less than till."},
		// A value of the wrong type is reported alone: no rule can hold for it.
		{`{"from":"x","till":2,"nights":1}`, "wrong_type from", "whole number"},
		// What is missing is a problem of stage 2, not of a rule.
		{`{"till":2,"nights":1}`, "missing from", "missing"},
	}
	for _, tt := range tests {
		a := c.call(t, tt.arguments)
		if a.kinds() != tt.kinds || !strings.Contains(a.message(), tt.says) {
			t.Errorf("%s: problems %q, want %q with %q:\n%s", tt.arguments, a.kinds(), tt.kinds, tt.says, a.message())
		}
	}
}

// A value that the Go type cannot hold is refused by name, never wrapped,
// rounded to another or answered with an error of a library.
func TestAGoTypeRefusesWhatItCannotHold(t *testing.T) {
	c := forGo[wide](t, validate.Options{})
	tests := []struct{ field, value, kinds string }{
		{"i8", "128", "out_of_range i8"},
		{"i8", "-129", "out_of_range i8"},
		{"u16", "-1", "out_of_range u16"},
		{"u64", "18446744073709551616", "out_of_range u64"},
		{"i64", "1e30", "out_of_range i64"},
		{"f32", "1e39", "out_of_range f32"},
		{"f32", `"-1e39"`, "out_of_range f32"},
		{"f64", "1e309", "out_of_range f64"},
		{"map", `{"x":256}`, "out_of_range map.x"},
		{"pair", `[1,40000]`, "out_of_range pair[1]"},
		{"pair", `[1]`, "wrong_length pair"},
		{"pair", `[1,2,3]`, "wrong_length pair"},
		{"when", `"2026-01-31"`, "wrong_format when"},
		{"when", `"2026-02-30T00:00:00Z"`, "wrong_format when"},
		{"code", `"abc"`, "wrong_format code"},
		{"codes", `{"a":"AB","b":"abc"}`, "wrong_format codes"},
		{"level", "3", "not_a_member level"},
		{"level", "5", "not_a_member level"},
		{"shade", `"blue"`, "not_a_member shade"},
		{"inners", `[{"w":1,"deep":{"tags":{"k":[300]}}}]`, "out_of_range inners[0].deep.tags.k[0]"},
		{"inner", `{"w":1,"widht":2}`, "unknown_name inner.widht"},
		{"any", `null`, ""},
	}
	for _, tt := range tests {
		arguments := tree(t, wideArguments, false)
		arguments.Get(tt.field).Raw, arguments.Raw = "", ""
		*arguments.Get(tt.field) = *tree(t, tt.value, false)
		a := c.call(t, string(arguments.Append(nil)))
		if a.kinds() != tt.kinds {
			t.Errorf("%s = %s: problems %q, want %q", tt.field, tt.value, a.kinds(), tt.kinds)
		}
		if !a.OK() {
			checkSafe(t, tt.field, tt.value, a.message())
			checkData(t, tt.field, a.Problems)
		}
	}
}

// Blanks around a text that its Go type refuses are dropped, and what is still
// refused is not answered with what it was already.
func TestATextThatItsGoTypeReads(t *testing.T) {
	type labelled struct {
		Code code `json:"code"`
	}
	c := forGo[labelled](t, validate.Options{})
	if a := c.call(t, `{"code":" AB "}`); a.values != `{"code":"AB"}` {
		t.Errorf("runs with %q, problems %s", a.values, a.kinds())
	}
	a := c.call(t, `{"code":"abc"}`)
	if text := a.message(); !strings.Contains(text, `code: got "abc", but text in the form that the parameter's description gives is accepted`) {
		t.Errorf("the message is\n%s", text)
	}
}
