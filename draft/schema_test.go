package draft

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/fwgo/fwgo/internal/jsontree"
)

func mustSchema(t *testing.T, text string) *schema {
	t.Helper()
	s, _, err := compileSchema([]byte(text))
	if err != nil {
		t.Fatalf("%.200s: %v", text, err)
	}
	return s
}

func TestSchemasOutsideOfTheSubsetAreRefusedByName(t *testing.T) {
	within := func(levels int) string {
		return strings.Repeat(`{"items":`, levels) + "{}" + strings.Repeat("}", levels)
	}
	properties := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`"p%d":{}`, i))
		}
		return `{"properties":{` + strings.Join(list, ",") + "}}"
	}
	enum := func(n int) string { return `{"enum":[` + strings.TrimSuffix(strings.Repeat("1,", n), ",") + "]}" }
	described := func(size int) string {
		return `{"description":"` + strings.Repeat("x", size-len(`{"description":""}`)) + `"}`
	}
	for _, tt := range []struct {
		text string
		want SchemaError // Reason aside
	}{
		{"{", SchemaError{Code: SchemaInvalidEncoding, Path: "$"}},
		{`{"type":"string","type":"integer"}`, SchemaError{Code: SchemaInvalidEncoding, Path: "$"}},
		{described(MaxSchemaBytes), SchemaError{}},
		{described(MaxSchemaBytes + 1), SchemaError{Code: SchemaTooLarge, Path: "$", Maximum: MaxSchemaBytes}},
		{described(MaxSchemaBytes) + strings.Repeat(" ", 100_000), SchemaError{}},
		{within(MaxSchemaDepth), SchemaError{}},
		{within(MaxSchemaDepth + 1), SchemaError{Code: SchemaTooDeep, Path: "$" + strings.Repeat(".items", MaxSchemaDepth+1), Maximum: MaxSchemaDepth}},
		{properties(MaxSchemaProperties), SchemaError{}},
		{properties(MaxSchemaProperties + 1), SchemaError{Code: SchemaTooManyProperties, Path: "$", Maximum: MaxSchemaProperties}},
		{enum(MaxSchemaEnum), SchemaError{}},
		{enum(MaxSchemaEnum + 1), SchemaError{Code: SchemaTooManyEnumValues, Path: "$", Maximum: MaxSchemaEnum}},
		{`{"properties":{"a\n":{"items":{"const":1}}}}`, SchemaError{Code: SchemaUnsupportedKeyword, Path: `$["a\n"].items`, Keyword: "const"}},
		{`{"oneOf":[]}`, SchemaError{Code: SchemaUnsupportedKeyword, Path: "$", Keyword: "oneOf"}},
		{`{"type":"integer","minimum":1e999999}`, SchemaError{}},
		{`{"type":"integer","minimum":1e9999999999999999999999}`, SchemaError{Code: SchemaInvalidKeyword, Path: "$", Keyword: "minimum"}},
		{`{"type":"integer","maximum":null}`, SchemaError{Code: SchemaInvalidKeyword, Path: "$", Keyword: "maximum"}},
		{`{"minItems":"1"}`, SchemaError{Code: SchemaInvalidKeyword, Path: "$", Keyword: "minItems"}},
		{`{"minItems":18446744073709551616}`, SchemaError{Code: SchemaInvalidKeyword, Path: "$", Keyword: "minItems"}},
		{`{"minItems":2,"maxItems":1}`, SchemaError{Code: SchemaInvalidKeyword, Path: "$", Keyword: "minItems"}},
		{`{"type":"string","minLength":1e0}`, SchemaError{Code: SchemaInvalidKeyword, Path: "$", Keyword: "minLength"}},
		{`{"type":"string","minLength":2,"maxLength":1}`, SchemaError{Code: SchemaInvalidKeyword, Path: "$", Keyword: "minLength"}},
		{`{"type":"boolean","minLength":2}`, SchemaError{Code: SchemaInvalidKeyword, Path: "$", Keyword: "minLength"}},
		{`{"type":"array","required":[]}`, SchemaError{Code: SchemaInvalidKeyword, Path: "$", Keyword: "required"}},
		{`{"type":"number","minimum":1.5,"maximum":15e-1}`, SchemaError{}},
		{`{"type":"number","minimum":1.5,"maximum":1.4999999999999999999}`, SchemaError{Code: SchemaInvalidKeyword, Path: "$", Keyword: "minimum"}},
		{`{"type":"number","minimum":"1"}`, SchemaError{Code: SchemaInvalidKeyword, Path: "$", Keyword: "minimum"}},
		{`{"minimum":1}`, SchemaError{Code: SchemaInvalidKeyword, Path: "$", Keyword: "minimum"}},
		{`{"items":{},"properties":{}}`, SchemaError{Code: SchemaInvalidKeyword, Path: "$", Keyword: "type"}},
		{`{"items":[]}`, SchemaError{Code: SchemaNotObject, Path: "$.items"}},
		{`{"properties":[]}`, SchemaError{Code: SchemaInvalidKeyword, Path: "$", Keyword: "properties"}},
		{`{"type":["string"]}`, SchemaError{Code: SchemaInvalidKeyword, Path: "$", Keyword: "type"}},
		{`{"type":"text"}`, SchemaError{Code: SchemaInvalidKeyword, Path: "$", Keyword: "type"}},
		{`{"enum":{}}`, SchemaError{Code: SchemaInvalidKeyword, Path: "$", Keyword: "enum"}},
		{`{"required":"a"}`, SchemaError{Code: SchemaInvalidKeyword, Path: "$", Keyword: "required"}},
		{`{"required":[1]}`, SchemaError{Code: SchemaInvalidKeyword, Path: "$", Keyword: "required"}},
		{`{"required":["b","a","b"]}`, SchemaError{Code: SchemaInvalidKeyword, Path: "$", Keyword: "required"}},
		{`{"required":["b","a"],"title":1,"description":[],"default":{},"examples":null,"$schema":5,"$id":true}`, SchemaError{}},
		{`true`, SchemaError{Code: SchemaNotObject, Path: "$"}},
		{`{"additionalProperties":{}}`, SchemaError{Code: SchemaInvalidKeyword, Path: "$", Keyword: "additionalProperties"}},
		{`{"additionalProperties":null}`, SchemaError{Code: SchemaInvalidKeyword, Path: "$", Keyword: "additionalProperties"}},
	} {
		_, _, err := compileSchema([]byte(tt.text))
		var got SchemaError
		if e := (*SchemaError)(nil); errors.As(err, &e) {
			got = *e
			got.Reason = ""
		}
		if got != tt.want {
			t.Errorf("%.100s: %+v, want %+v", tt.text, got, tt.want)
		}
	}
}

func TestTheFirstViolationIsFoundInOrder(t *testing.T) {
	order := `{"properties":{"id":{"type":"string","minLength":2},"lines":{"items":{"type":"integer","minimum":1},"maxItems":3}},
		"required":["lines","id"],"additionalProperties":false,"enum":[{"id":"é€","lines":[1.0]},{"id":"ok","lines":[]}]}`
	for _, tt := range []struct {
		schema, value string
		want          Violation
	}{
		{order, `{"id":"é€","lines":[1]}`, Violation{}},
		{order, `{"lines":[0]}`, Violation{"$", ViolationRequired, "id"}},
		{order, `{}`, Violation{"$", ViolationRequired, "id"}},
		{order, `{"lines":[0],"id":"x"}`, Violation{`$["id"]`, ViolationMinLength, ""}},
		{order, `{"lines":[0,"1"],"id":"ok"}`, Violation{`$["lines"][0]`, ViolationMinimum, ""}},
		{order, `{"lines":[1,"1"],"id":"ok","a":1}`, Violation{"$", ViolationAdditional, "a"}},
		{order, `{"lines":[1,"1"],"id":"ok","z":1}`, Violation{`$["lines"][1]`, ViolationType, "integer"}},
		{order, `{"lines":["1",1,1,1],"id":"ok"}`, Violation{`$["lines"]`, ViolationMaxItems, ""}},
		{order, `{"lines":[1],"id":"ok"}`, Violation{"$", ViolationEnum, ""}},
		{`{"type":"integer"}`, `1e-99999999999999999999`, Violation{"$", ViolationType, "integer"}},
		{`{"type":"integer"}`, `0e-99999999999999999999`, Violation{}},
		{`{"type":"integer","maximum":1e999}`, `1e99999999999999999999`, Violation{"$", ViolationMaximum, ""}},
		{`{"type":"number","minimum":-1e999}`, `-1e99999999999999999999`, Violation{"$", ViolationMinimum, ""}},
		{`{"type":"number","minimum":-0.0,"maximum":0}`, `-0`, Violation{}},
		{`{"type":"number","maximum":9007199254740992}`, `9007199254740993`, Violation{"$", ViolationMaximum, ""}},
		{`{"enum":[1e99999999999999999999]}`, `1e99999999999999999999`, Violation{}},
		{`{"enum":[1e99999999999999999999]}`, `1e99999999999999999998`, Violation{"$", ViolationEnum, ""}},
		{`{"enum":[[1,{"a":100}]]}`, `[1.0,{"a":1e2}]`, Violation{}},
		{`{"enum":[1]}`, `-1`, Violation{"$", ViolationEnum, ""}},
		{`{"enum":["1e0"]}`, `1`, Violation{"$", ViolationEnum, ""}},
		{`{"enum":[0]}`, `-0.00e5`, Violation{}},
		{`{"enum":[[1]]}`, `[1,1]`, Violation{"$", ViolationEnum, ""}},
		{`{"enum":["1",true,false]}`, `1`, Violation{"$", ViolationEnum, ""}},
		{`{"enum":[{"a":1}]}`, `{"b":1}`, Violation{"$", ViolationEnum, ""}},
		{`{"type":"string","maxLength":1}`, `"😀"`, Violation{}},
		{`{"type":"null","enum":[]}`, `null`, Violation{"$", ViolationEnum, ""}},
	} {
		err := mustSchema(t, tt.schema).validateText([]byte(tt.value))
		var got Violation
		if v := (*Violation)(nil); errors.As(err, &v) {
			got = *v
		} else if err != nil {
			t.Fatal(err)
		}
		if got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.value, got, tt.want)
		}
	}
}

// The work of a check grows with the value, not with the value times the schema.
func TestAHostileValueIsJudgedInTimeOfItsSize(t *testing.T) {
	var enum []string
	for i := range MaxSchemaEnum {
		enum = append(enum, fmt.Sprintf("[%d%s]", i+1, strings.Repeat("7", 200)))
	}
	s := mustSchema(t, `{"items":{"enum":[[0],`+strings.Join(enum[1:], ",")+`]}}`)
	value := []byte("[" + strings.Repeat("[0],", 16_000) + "[0]]")
	start := time.Now()
	if err := s.validateText(value); err != nil {
		t.Fatal(err)
	}
	// The bound only tells work of the value's size from work without bound.
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestErrorsShowNamesWithoutWhatDisturbsAReader(t *testing.T) {
	err := mustSchema(t, `{"additionalProperties":false}`).validateText([]byte(`{"\u202e\u001b[2J` + strings.Repeat("x", 1000) + `":1}`))
	if text := err.Error(); strings.ContainsAny(text, "\u202e\x1b") || len(text) > 200 {
		t.Errorf("%q", text)
	}
}

func TestDecimalsCompareLikeRationals(t *testing.T) {
	number := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom([]string{"", "-"}).Draw(t, "sign") +
			rapid.StringMatching(`(0|[1-9][0-9]{0,4})(\.[0-9]{1,4})?([eE][+-]?0?[0-9]{1,2})?`).Draw(t, "number")
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := number.Draw(t, "a"), number.Draw(t, "b")
		x, _ := new(big.Rat).SetString(a)
		y, _ := new(big.Rat).SetString(b)
		p, q := parseDecimal(a), parseDecimal(b)
		if got, want := p.compare(q), x.Cmp(y); got != want || (string(p.appendKey(nil)) == string(q.appendKey(nil))) != (want == 0) {
			t.Fatalf("%s and %s: %d, want %d; keys %s and %s", a, b, got, want, p.appendKey(nil), q.appendKey(nil))
		}
		if p.whole() != x.IsInt() {
			t.Fatalf("%s whole: %v", a, p.whole())
		}
	})
}

func contractCode(err error) ContractCode {
	var e *ContractError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func TestContractsRefuseWhatTheyCannotMean(t *testing.T) {
	large := []byte(`{"description":"` + strings.Repeat("x", 32_700) + `"}`)
	var many []OutputSchema
	for i := range 8 {
		many = append(many, OutputSchema{fmt.Sprint(i), large})
	}
	for _, tt := range []struct {
		input   string
		outputs []OutputSchema
		code    ContractCode
	}{
		{`{}`, many[:7], ""},
		{string(large), many, ContractTooLarge},
		{`true`, nil, ContractInputSchema},
		{`{}`, []OutputSchema{{"a", []byte(`{"$ref":"#"}`)}}, ContractOutputSchema},
		{`{}`, []OutputSchema{{"A", []byte(`{}`)}}, ContractInvalidStepID},
		{`{}`, []OutputSchema{{"a", []byte(`{}`)}, {"a", []byte(`{}`)}}, ContractDuplicateStepID},
	} {
		_, err := NewContract([]byte(tt.input), tt.outputs...)
		if contractCode(err) != tt.code {
			t.Errorf("%v, want %q", err, tt.code)
		}
	}
}

func TestAContractIsCheckedInOrder(t *testing.T) {
	c, err := NewContract([]byte(`{"type":"integer"}`), OutputSchema{"a", []byte(`{"type":"string"}`)}, OutputSchema{"b", []byte(`{"type":"null"}`)})
	if err != nil {
		t.Fatal(err)
	}
	steps := []string{"a", "b"}
	good := mustData(t, "1")
	if err := good.insert("a", []byte(`"x"`)); err != nil {
		t.Fatal(err)
	}
	bad := mustData(t, "1.5")
	wrong := mustData(t, "1")
	if err := wrong.insert("a", []byte("1")); err != nil {
		t.Fatal(err)
	}
	other := mustData(t, "1.5")
	if err := other.stamp(someDigest); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		steps     []string
		completed int
		data      *Data
		code      ContractCode
		stepID    string
	}{
		{steps, 0, good, "", ""},
		{steps, 1, good, "", ""},
		{steps, 2, good, ContractMissingOutput, "b"},
		{steps, 3, good, ContractCompletedCount, ""},
		{steps, -1, good, ContractCompletedCount, ""},
		{steps[:1], 0, other, ContractOutputCount, ""},
		{[]string{"a", "c"}, 0, other, ContractStepMismatch, "c"},
		{steps, 0, other, ContractMismatch, ""},
		{steps, 0, bad, ContractInput, ""},
		{steps, 1, wrong, ContractOutput, "a"},
	} {
		err := c.Validate(tt.steps, tt.completed, tt.data)
		var e *ContractError
		if contractCode(err) != tt.code || errors.As(err, &e) && e.StepID != tt.stepID {
			t.Errorf("%v %d: %v, want %q", tt.steps, tt.completed, err, tt.code)
		}
	}
	var v *Violation
	if err := c.Validate(steps, 0, bad); !errors.As(err, &v) || *v != (Violation{"$", ViolationType, "integer"}) {
		t.Errorf("violation %v", v)
	}
	if err := c.checkOutput(1, []byte("1")); contractCode(err) != ContractOutput || !errors.As(err, &v) || v.Name != "null" {
		t.Errorf("output %v", err)
	}
	if err := c.checkOutput(0, []byte(`"x"`)); err != nil {
		t.Error(err)
	}
	if err := c.checkOutput(0, []byte(`"x`)); dataCode(err) != DataInvalidEncoding {
		t.Errorf("output %v", err)
	}
	if err := c.stamp(good); err != nil || good.ContractFingerprint() != c.Fingerprint() || c.Validate(steps, 1, good) != nil {
		t.Errorf("stamp: %v", err)
	}
	if err := c.stamp(other); contractCode(err) != ContractMismatch {
		t.Errorf("stamp over another: %v", err)
	}
}

// FuzzSchema holds that no schema and no value makes a check panic, that a schema's canonical text compiles to the same
// answer, and that values equal as JSON are judged alike.
func FuzzSchema(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"type":"object","properties":{"a":{"type":"integer","minimum":1,"maximum":2.5e1}},"required":["a"],"additionalProperties":false}`, `{"a":1.0}`},
		{`{"items":{"type":"string","minLength":1,"maxLength":2},"minItems":1,"maxItems":2,"enum":[["a"]]}`, `["é"]`},
		{`{"title":1,"enum":[null,1e400,{"x":[-0.0]}]}`, `{"x":[0]}`},
		{`{"$ref":"#"}`, `[`},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, text, value []byte) {
		s, canonical, err := compileSchema(text)
		if err != nil {
			if e := (*SchemaError)(nil); !errors.As(err, &e) || e.Error() == "" {
				t.Fatal(err)
			}
			return
		}
		again, same, err := compileSchema([]byte(canonical))
		if err != nil || same != canonical {
			t.Fatalf("%s compiles as %s: %v", canonical, same, err)
		}
		_, settled, err := readDatum(value)
		if err != nil || len(settled.json) > MaxDataBytes {
			return
		}
		first, second := s.validateText(value), again.validateText([]byte(settled.json))
		if (first == nil) != (second == nil) || first != nil && first.Error() != second.Error() {
			t.Fatalf("%s is judged %v and then %v", settled.json, first, second)
		}
	})
}

// FuzzDecimal holds that every JSON number has a place among the others.
func FuzzDecimal(f *testing.F) {
	f.Add("1e5", "-0.0")
	f.Add("1e-99999999999999999999", "123.4500E+0000000000000000000001")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, s := range []string{a, b} {
			doc, fault := jsontree.Parse(s, jsontree.Limits{Bytes: 1000}, nil)
			if fault != nil || doc.Root.Kind != jsontree.Number || doc.Root.Text != s {
				return
			}
		}
		x, y := parseDecimal(a), parseDecimal(b)
		if x.compare(y) != -y.compare(x) || x.compare(x) != 0 || x == y && x.compare(y) != 0 {
			t.Fatalf("%s and %s: %d and %d", a, b, x.compare(y), y.compare(x))
		}
	})
}

// TestExponentsOfAnyLengthAreJudged holds that no exponent is too long to say on which side of a bound a number lies, and
// that one which fits 64 bits by its digits alone is not taken for another by running over.
func TestExponentsOfAnyLengthAreJudged(t *testing.T) {
	s, _, err := compileSchema([]byte(`{"type":"number","minimum":-5,"maximum":5}`))
	if err != nil {
		t.Fatal(err)
	}
	whole, _, err := compileSchema([]byte(`{"type":"integer"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, exponent := range []string{"999999999999999999", "1000000000000000000", "9223372036854775807", "9223372036854775808", "9999999999999999999", strings.Repeat("9", 1000)} {
		for text, want := range map[string]ViolationKind{"1e" + exponent: ViolationMaximum, "-1e" + exponent: ViolationMinimum,
			"1e-" + exponent: "", "-1e-" + exponent: "", "0e" + exponent: "", "0e-" + exponent: "", "1e+000" + exponent: ViolationMaximum} {
			got := ViolationKind("")
			if v, ok := s.validateText([]byte(text)).(*Violation); ok {
				got = v.Kind
			}
			if got != want {
				t.Errorf("%.40s: %q, want %q", text, got, want)
			}
			integer := want != "" || text[0] == '0'
			if err := whole.validateText([]byte(text)); (err == nil) != integer {
				t.Errorf("%.40s as an integer: %v", text, err)
			}
		}
	}
}

// TestAContractIsBoundedWithItsIDs holds the bound of WD-51 to the byte: schemas and ids together, and nothing between.
func TestAContractIsBoundedWithItsIDs(t *testing.T) {
	schema := func(n int) json.RawMessage {
		return json.RawMessage(`{"title":"` + strings.Repeat("x", n-len(`{"title":""}`)) + `"}`)
	}
	var outputs []OutputSchema
	for i := range 7 {
		outputs = append(outputs, OutputSchema{"s" + strconv.Itoa(i), schema(MaxSchemaBytes)})
	}
	outputs = append(outputs, OutputSchema{"last", schema(MaxSchemaBytes - 7*2 - len("last") - len(`{}`))})
	if _, err := NewContract(json.RawMessage(`{}`), outputs...); err != nil {
		t.Error(err)
	}
	outputs[7].StepID = "last1"
	_, err := NewContract(json.RawMessage(`{}`), outputs...)
	var wrong *ContractError
	if !errors.As(err, &wrong) || wrong.Code != ContractTooLarge || wrong.Actual != MaxContractBytes+1 {
		t.Error(err)
	}
}
