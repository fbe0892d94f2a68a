package validate_test

import (
	"context"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/signature"
	"github.com/fwgo/fwgo/validate"
)

// Schemas from elsewhere say more than the model holds. Whatever they refuse
// must not run, and what they accept must.
func TestRulesThatTheModelHasNoPlaceForAreHeld(t *testing.T) {
	for _, tt := range []struct {
		schema    string
		runs      []string
		refused   []string
		mentioned string
	}{
		{`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`,
			[]string{`{"a":"x"}`, `{"b":"x"}`}, []string{`{}`}, "anyOf"},
		{`{"type":"object","properties":{"a":{"not":{"enum":["x"]}}}}`, []string{`{"a":"y"}`, `{"a":1}`}, []string{`{"a":"x"}`}, `the schema's rule not {"enum":["x"]}`},
		{`{"type":"object","properties":{},"additionalProperties":true,"required":["a"]}`, []string{`{"a":1}`}, []string{`{}`}, "a: missing; a value is needed"},
		{`{"type":"object","properties":{"a":{"oneOf":[{"type":"string","format":"date"},{"type":"string","format":"email"}]}}}`,
			[]string{`{"a":"2026-01-31"}`, `{"a":"a@example.com"}`}, []string{`{"a":"x"}`}, "a"},
		{`{"type":"object","properties":{"alpha":{"type":"string"}},"patternProperties":{"^x-":{"type":"integer"}},"additionalProperties":false}`,
			[]string{`{"alpha":"a","x-n":5}`}, []string{`{"alpah":"a"}`}, "alpah: there is no parameter of this name. The parameters are alpha. Did you mean alpha?"},
		{`{"type":"object","properties":{"t":{"type":"array","prefixItems":[{"type":"integer"}],"items":false}}}`,
			[]string{`{"t":[1]}`}, []string{`{"t":[1,2]}`}, "t: got [1,2], but it must satisfy the schema's rule that nothing is at 1"},
		{`{"type":"object","properties":{"at":{"type":"string","format":"time"},"n":{"not":{"const":1}}}}`,
			[]string{`{"at":"10:00"}`}, []string{`{"at":"x"}`, `{"n":1}`}, ""},
		{`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"dependentRequired":{"a":["b"]}}`,
			[]string{`{"b":1}`, `{"a":"x","b":1}`}, []string{`{"a":"x"}`}, "b"},
		{`{"type":"object","properties":{"m":{"type":"object","patternProperties":{"^x":{"type":"integer"}},"additionalProperties":false}}}`,
			[]string{`{"m":{}}`, `{"m":{"x1":2}}`}, []string{`{"m":{"y":1}}`, `{"m":{"x1":"a"}}`}, "m"},
		{`{"type":"object","properties":{"l":{"type":"array","contains":{"const":7}}}}`, []string{`{"l":[1,7]}`}, []string{`{"l":[1,2]}`}, "l"},
		{`{"type":"object","properties":{"a":{"minLength":2}}}`, []string{`{"a":"xy"}`, `{"a":1}`}, []string{`{"a":"x"}`}, "a"},
		{`{"type":"object","properties":{"a":{"type":"null"}}}`, []string{`{}`, `{"a":null}`}, []string{`{"a":1}`}, "a"},
		{`{"type":"object","properties":{"n":{"type":"integer","minimum":5,"exclusiveMinimum":0}}}`, []string{`{"n":5}`}, []string{`{"n":1}`}, "n"},
		{`{"type":"object","properties":{"u":{"type":["string","array"],"maxItems":1}}}`, []string{`{"u":"aa"}`, `{"u":["a"]}`}, []string{`{"u":["a","b"]}`}, "u"},
		{`{"type":"object","properties":{"t":{"type":"array","prefixItems":[{"type":"integer"}],"items":{"type":"string"}}}}`,
			[]string{`{"t":[1,"a","b"]}`, `{"t":["1"]}`}, []string{`{"t":["x"]}`}, "t"},
		{`{"type":"object","properties":{"p":{"type":"string","pattern":"^[\\u4e00-\\u9fff]+$"}}}`, []string{`{"p":"日本"}`}, []string{`{"p":"ab"}`}, "p"},
	} {
		sig, err := signature.FromSchema([]byte(tt.schema))
		if err != nil {
			t.Errorf("%s: %v", tt.schema, err)
			continue
		}
		v, err := validate.New(sig, validate.Options{})
		if err != nil {
			t.Errorf("%s: %v", tt.schema, err)
			continue
		}
		report := func(arguments string) validate.Report {
			c := v.Begin()
			defer c.Release()
			doc, fault := jsontree.Parse(arguments, jsontree.Limits{}, c.Arena())
			if fault != nil {
				t.Fatal(fault)
			}
			c.Load(&doc.Root)
			return c.Run(context.Background())
		}
		for _, arguments := range tt.runs {
			if r := report(arguments); !r.OK() {
				t.Errorf("%s\nrefuses %s: %+v", tt.schema, arguments, r.Problems)
			}
		}
		for _, arguments := range tt.refused {
			r := report(arguments)
			if r.OK() {
				t.Errorf("%s\nruns %s", tt.schema, arguments)
				continue
			}
			if text := validate.Message("c", r.Problems, validate.Wording{}); !strings.Contains(text, tt.mentioned) {
				t.Errorf("%s\nanswers %s with\n%s", tt.schema, arguments, text)
			}
		}
	}
}
