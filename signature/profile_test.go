package signature

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/internal/jsontree"
)

func profiled(t *testing.T, schema, profile string) string {
	t.Helper()
	out, err := applyProfile([]byte(schema), profile)
	if err != nil {
		t.Fatalf("%s: %v", profile, err)
	}
	return string(out)
}

func TestProfileNames(t *testing.T) {
	if got := strings.Join(Profiles(), " "); got != "pydantic mcp openapi openai-strict anthropic" {
		t.Errorf("the profiles are %s", got)
	}
	const schema = `{ "type":"object", "db_lookup":true }`
	for _, name := range []string{"", "pydantic"} {
		if got := profiled(t, schema, name); got != schema {
			t.Errorf("the published schema is changed to %s", got)
		}
	}
	_, err := applyProfile([]byte(schema), "openai")
	if err == nil || !strings.Contains(err.Error(), `there is no profile "openai"; did you mean openapi?; the profiles are pydantic, mcp, openapi, openai-strict, anthropic`) {
		t.Errorf("an unknown profile is answered with %v", err)
	}
	if _, err := applyProfile([]byte(`{"a":`), "mcp"); err == nil {
		t.Error("half a schema has a profile")
	}
}

// everySchema walks a schema with all schemas inside it.
func everySchema(v *jsontree.Value, visit func(*jsontree.Value)) {
	if v.Kind != jsontree.Object {
		return
	}
	visit(v)
	for i := range v.Members {
		m := &v.Members[i]
		switch m.Name {
		case "properties", "$defs":
			for j := range m.Value.Members {
				everySchema(&m.Value.Members[j].Value, visit)
			}
		case "anyOf", "prefixItems":
			for j := range m.Value.Items {
				everySchema(&m.Value.Items[j], visit)
			}
		case "items", "additionalProperties":
			everySchema(&m.Value, visit)
		}
	}
}

// unusable are recorded schemas that no validator compiles.
var unusable = []string{
	"extras", // type "weird"
	"others", // a pattern with lookahead
}

func TestProfilesKeepTheVendorsRules(t *testing.T) {
	for _, row := range pydanticRows(t) {
		name, schema := row.Get("name").Text, row.Get("schema").JSON()
		for _, v := range vendors {
			out := profiled(t, schema, v.name)
			if !slices.Contains(unusable, name) {
				compiled(t, []byte(out))
			}
			doc, _ := parseJSON(out)
			if wordAt(&doc, "type") != "object" || doc.Get("properties") == nil {
				t.Errorf("%s, %s: the root is no plain object: %s", name, v.name, out)
			}
			everySchema(&doc, func(s *jsontree.Value) { keepsRules(t, v, name, s) })
			if again := profiled(t, out, v.name); again != out && v.name != "openai-strict" {
				t.Errorf("%s, %s: applied twice it is\n %s\nnot\n %s", name, v.name, again, out)
			}
		}
	}
}

func keepsRules(t *testing.T, v *vendor, row string, s *jsontree.Value) {
	for _, m := range s.Members {
		if pipelineExtra(m.Name) {
			t.Errorf("%s, %s: the extra %s is left in %s", row, v.name, m.Name, s.JSON())
		}
		if v.keeps != nil && !v.keeps[m.Name] {
			t.Errorf("%s, %s: the keyword %s is left in %s", row, v.name, m.Name, s.JSON())
		}
	}
	if v.inline && (s.Get("$ref") != nil || s.Get("$defs") != nil) {
		t.Errorf("%s, %s: a reference is left in %s", row, v.name, s.JSON())
	}
	if s.Get("$ref") != nil && len(s.Members) > 1 && v.inlineBeside {
		t.Errorf("%s, %s: a reference has siblings in %s", row, v.name, s.JSON())
	}
	if f := wordAt(s, "format"); f != "" && v.formats != nil && !v.formats[f] {
		t.Errorf("%s, %s: the format %s is left", row, v.name, f)
	}
	if n := s.Get("minItems"); n != nil && v.name == "anthropic" && n.Text != "0" && n.Text != "1" {
		t.Errorf("%s: minItems %s is left", row, n.Text)
	}
	if !v.plain {
		return
	}
	if s.Get("type") != nil && s.Get("type").Kind != jsontree.String {
		t.Errorf("%s, %s: several types in %s", row, v.name, s.JSON())
	}
	properties := s.Get("properties")
	if properties == nil {
		return
	}
	if rest := s.Get("additionalProperties"); rest == nil || rest.True && v.strict {
		t.Errorf("%s, %s: the object %s is open", row, v.name, s.JSON())
	}
	if v.strict && len(wordsAt(s, "required")) != len(properties.Members) {
		t.Errorf("%s: not every property is required in %s", row, s.JSON())
	}
}

// moved are the keywords that a vendor may have in words only, so that its
// schema takes more than the published one does.
var moved = []string{"minLength", "maxLength", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
	"minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "prefixItems", "additionalProperties"}

// Every recorded payload is held against every profile: what the published
// schema accepts is accepted, and what it refuses is refused unless the
// profile says a constraint in words.
func TestProfilesAcceptWhatTheSchemaAccepts(t *testing.T) {
	counted := map[string]int{}
	for _, row := range pydanticRows(t) {
		name, schema := row.Get("name").Text, row.Get("schema")
		if slices.Contains(unusable, name) {
			continue
		}
		plain := compiled(t, []byte(schema.JSON()))
		for _, v := range vendors {
			s := compiled(t, []byte(profiled(t, schema.JSON(), v.name)))
			for _, p := range row.Get("payloads").Items {
				payload := *p.Get("payload")
				want := valid(plain, payload.JSON())
				if v.strict {
					payload = strictly(schema, schema, payload)
				}
				got := valid(s, payload.JSON())
				counted[v.name]++
				switch {
				case v.closed && namesUnknown(schema, &payload), v.asked && leavesAsked(schema, &payload):
					if got {
						t.Errorf("%s, %s: %s is accepted", name, v.name, payload.JSON())
					}
				case got == want:
				case got && v.strict && givesNull(p.Get("payload")): // null leaves a parameter out
				case want && v.strict && schema.Get("additionalProperties") != nil: // strict objects are closed
				case got && says(schema, moved) && v.keeps != nil:
				case want && v.strict && anyHoldsMore(schema):
				default:
					t.Errorf("%s, %s: %s is %v, and %v by the published schema", name, v.name, payload.JSON(), got, want)
				}
			}
		}
	}
	t.Logf("payloads held against: %v", counted)
}

func namesUnknown(schema, payload *jsontree.Value) bool {
	for _, m := range payload.Members {
		if schema.Get("properties").Get(m.Name) == nil {
			return schema.Get("additionalProperties") == nil || !schema.Get("additionalProperties").True
		}
	}
	return false
}

func leavesAsked(schema, payload *jsontree.Value) bool {
	for i := range schema.Get("properties").Members {
		m := &schema.Get("properties").Members[i]
		if asked(&m.Value) && payload.Get(m.Name) == nil {
			return true
		}
	}
	return false
}

func givesNull(payload *jsontree.Value) bool {
	for _, m := range payload.Members {
		if m.Value.Kind == jsontree.Null {
			return true
		}
	}
	return false
}

func says(schema *jsontree.Value, words []string) bool {
	found := false
	everySchema(schema, func(s *jsontree.Value) {
		for _, word := range words {
			found = found || s.Get(word) != nil
		}
	})
	return found
}

// anyHoldsMore reports whether a value of any type is a list or an object,
// which strict calling cannot give.
func anyHoldsMore(schema *jsontree.Value) bool {
	text := schema.JSON()
	return strings.Contains(text, `"items":{}`) || strings.Contains(text, `"anyOf":[{},`) || strings.Contains(text, `{"title":"A Field"}`)
}

// strictly writes a payload as strict calling does: null for what is left
// out, maps as text.
func strictly(root, s *jsontree.Value, v jsontree.Value) jsontree.Value {
	for _, branch := range append([]jsontree.Value{*s}, branchesOf(s)...) {
		if ref := wordAt(&branch, "$ref"); ref != "" {
			branch = *(&schemaReader{root: root}).resolve(ref)
		}
		rest := branch.Get("additionalProperties")
		switch {
		case v.Kind == jsontree.Object && branch.Get("properties") != nil:
			return strictObject(root, &branch, v)
		case v.Kind == jsontree.Object && rest != nil:
			return jsontree.Text(v.JSON())
		case v.Kind == jsontree.List && branch.Get("items") != nil:
			out := list()
			for _, item := range v.Items {
				out.Items = append(out.Items, strictly(root, branch.Get("items"), item))
			}
			return out
		}
	}
	return v
}

func branchesOf(s *jsontree.Value) []jsontree.Value {
	if any := s.Get("anyOf"); any != nil {
		return any.Items
	}
	return nil
}

func strictObject(root, s *jsontree.Value, v jsontree.Value) jsontree.Value {
	var o object
	for _, m := range v.Members {
		value := m.Value
		if p := s.Get("properties").Get(m.Name); p != nil {
			value = strictly(root, p, value)
		}
		o.set(m.Name, value)
	}
	for i := range s.Get("properties").Members {
		m := &s.Get("properties").Members[i]
		if v.Get(m.Name) == nil && !slices.Contains(wordsAt(s, "required"), m.Name) && !asked(&m.Value) {
			o.set(m.Name, null())
		}
	}
	return o.value()
}

func TestProfilesSayInWordsWhatTheyLeaveAway(t *testing.T) {
	const schema = `{"type":"object","title":"T","description":"Cancels","properties":{
		"id":{"type":"string","description":"The order","available_from":["list_orders"],"db_lookup":true,"positional":true,"aliases":["order"],"default":"NOT_FOUND","pattern":"^#W\\d+$","title":"Id"},
		"n":{"anyOf":[{"type":"integer","minimum":1,"maximum":5},{"type":"null"}],"default":null,"examples":[2,3],"title":"N","x-unit":"boxes"},
		"site":{"type":"string","format":"uri","x-keys":["a","b"],"references":"raw","title":"Site"},
		"tags":{"type":"array","items":{"type":"string","minLength":2},"minItems":2,"uniqueItems":true,"title":"Tags","deprecated":true}
	},"required":["site"]}`
	for profile, want := range map[string]string{
		"mcp": `{"description":"Cancels","properties":{"id":{"default":"NOT_FOUND","description":"The order. Get it from list_orders.","pattern":"^#W\\d+$","title":"Id","type":"string"},` +
			`"n":{"anyOf":[{"maximum":5,"minimum":1,"type":"integer"},{"type":"null"}],"default":null,"examples":[2,3],"title":"N","x-unit":"boxes"},` +
			`"site":{"description":"Known values: \"a\", \"b\".","format":"uri","title":"Site","type":"string"},` +
			`"tags":{"deprecated":true,"items":{"minLength":2,"type":"string"},"minItems":2,"title":"Tags","type":"array","uniqueItems":true}},"required":["site"],"title":"T","type":"object"}`,
		"openai-strict": `{"additionalProperties":false,"description":"Cancels","properties":{"id":{"description":"The order. Get it from list_orders.","pattern":"^#W\\d+$","title":"Id","type":"string"},` +
			`"n":{"anyOf":[{"maximum":5,"minimum":1,"type":"integer"},{"type":"null"}],"description":"Examples: 2, 3. Give null to leave it out.","title":"N"},` +
			`"site":{"description":"Format: uri. Known values: \"a\", \"b\".","title":"Site","type":"string"},` +
			`"tags":{"anyOf":[{"items":{"description":"At least 2 characters.","type":"string"},"minItems":2,"type":"array"},{"type":"null"}],"description":"No item twice. Deprecated. Give null to leave it out.","title":"Tags"}},` +
			`"required":["id","n","site","tags"],"title":"T","type":"object"}`,
		"anthropic": `{"additionalProperties":false,"description":"Cancels","properties":{"id":{"description":"The order. Get it from list_orders. The whole text must match ^#W\\d+$.","title":"Id","type":"string"},` +
			`"n":{"anyOf":[{"type":"integer"},{"type":"null"}],"default":null,"description":"At least 1. At most 5. Examples: 2, 3.","title":"N"},` +
			`"site":{"description":"Known values: \"a\", \"b\".","format":"uri","title":"Site","type":"string"},` +
			`"tags":{"description":"At least 2 items. No item twice. Deprecated.","items":{"description":"At least 2 characters.","type":"string"},"title":"Tags","type":"array"}},"required":["id","site"],"title":"T","type":"object"}`,
	} {
		if got := profiled(t, schema, profile); got != want {
			t.Errorf("%s is\n %s\nwant\n %s", profile, got, want)
		}
	}
}

// Schemas of other hands: what pydantic never prints but a registry may hold.
func TestProfilesOfForeignSchemas(t *testing.T) {
	for _, c := range []struct{ name, profile, schema, want string }{
		{"types in a list", "openai-strict", `{"type":"object","properties":{"a":{"type":["string","integer","null"],"minLength":2,"minimum":3,"title":"A"}},"required":["a"]}`,
			`{"additionalProperties":false,"properties":{"a":{"anyOf":[{"description":"At least 2 characters.","type":"string"},{"minimum":3,"type":"integer"},{"type":"null"}],"title":"A"}},"required":["a"],"type":"object"}`},
		{"a list of one type", "anthropic", `{"type":"object","properties":{"a":{"type":["string"]}}}`,
			`{"additionalProperties":false,"properties":{"a":{"type":"string"}},"type":"object"}`},
		{"oneOf", "anthropic", `{"type":"object","properties":{"a":{"oneOf":[{"type":"string"},{"const":3}]}}}`,
			`{"additionalProperties":false,"properties":{"a":{"anyOf":[{"type":"string"},{"const":3,"type":"integer"}]}},"type":"object"}`},
		{"allOf around a reference", "anthropic", `{"type":"object","$defs":{"C":{"enum":["a"],"type":"string"}},"properties":{"a":{"allOf":[{"$ref":"#/$defs/C"}],"default":"a"}}}`,
			`{"additionalProperties":false,"properties":{"a":{"default":"a","enum":["a"],"type":"string"}},"type":"object"}`},
		{"older definitions", "openai-strict", `{"type":"object","definitions":{"C":{"enum":["a"]},"unused":{}},"properties":{"a":{"$ref":"#/definitions/C"}},"required":["a"]}`,
			`{"additionalProperties":false,"definitions":{"C":{"enum":["a"],"type":"string"}},"properties":{"a":{"$ref":"#/definitions/C"}},"required":["a"],"type":"object"}`},
		{"definition names with a slash", "openapi", `{"type":"object","$defs":{"a/b c":{"type":"string"}},"properties":{"a":{"$ref":"#/$defs/a~1b%20c"}}}`,
			`{"properties":{"a":{"type":"string"}},"type":"object"}`},
		{"a reference at the root", "mcp", `{"$defs":{"In":{"type":"object","properties":{"next":{"$ref":"#/$defs/In"}}}},"$ref":"#/$defs/In"}`,
			`{"$defs":{"In":{"properties":{"next":{"$ref":"#/$defs/In"}},"type":"object"}},"properties":{"next":{"$ref":"#/$defs/In"}},"type":"object"}`},
		{"no parameters", "openai-strict", `{"type":"object"}`, `{"additionalProperties":false,"properties":{},"type":"object"}`},
		{"nothing at all", "mcp", `{}`, `{"properties":{},"type":"object"}`},
		{"true", "openai-strict", `{"type":"object","properties":{"a":true},"required":["a"]}`,
			`{"additionalProperties":false,"properties":{"a":{"anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"null"}],"description":"Text, a number, true, false or null."}},"required":["a"],"type":"object"}`},
		{"list without items", "openai-strict", `{"type":"object","properties":{"a":{"type":"array"}},"required":["a"]}`,
			`{"additionalProperties":false,"properties":{"a":{"items":{"anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"null"}],"description":"Text, a number, true, false or null."},"type":"array"}},"required":["a"],"type":"object"}`},
		{"enum beside null", "anthropic", `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}],"enum":["x"]}}}`,
			`{"additionalProperties":false,"properties":{"a":{"anyOf":[{"enum":["x"],"type":"string"},{"type":"null"}]}},"type":"object"}`},
		{"enum beside items", "mcp", `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"},"enum":["x"]}}}`,
			`{"properties":{"a":{"items":{"enum":["x"],"type":"string"},"type":"array"}},"type":"object"}`},
		{"rare keywords", "anthropic", `{"$schema":"s","$id":"i","type":"object","properties":{"a":{"type":"string","contentEncoding":"base64","not":{"const":"x"}}},"dependentRequired":{"a":["b"]}}`,
			`{"additionalProperties":false,"description":"JSON Schema dependentRequired: {\"a\":[\"b\"]}.","properties":{"a":{"description":"JSON Schema contentEncoding: \"base64\". JSON Schema not: {\"const\":\"x\"}.","type":"string"}},"type":"object"}`},
		{"many known values", "mcp", `{"type":"object","properties":{"a":{"type":"integer","x-keys":[1,2,3,4,5,6,7,8,9,10,11,12],"available_from":["b","c","d"]}}}`,
			`{"properties":{"a":{"description":"Known values: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 2 more. Get it from b, c or d.","type":"integer"}},"type":"object"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := profiled(t, c.schema, c.profile); got != c.want {
				t.Errorf("%s is\n %s\nwant\n %s", c.profile, got, c.want)
			}
		})
	}
}

func TestProfilesRefuseWhatAVendorWouldDrop(t *testing.T) {
	doubling := map[string]any{"L0": map[string]any{"type": "string"}}
	names := []string{"L0", "L1", "L2", "L3", "L4", "L5", "L6", "L7", "L8", "L9", "L10", "L11", "L12", "L13"}
	for i := 1; i < len(names); i++ {
		ref := map[string]any{"$ref": "#/$defs/" + names[i-1]}
		doubling[names[i]] = map[string]any{"type": "object", "properties": map[string]any{"a": ref, "b": ref}}
	}
	large, err := json.Marshal(map[string]any{"type": "object", "$defs": doubling, "properties": map[string]any{"a": map[string]any{"$ref": "#/$defs/L13"}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, profile, schema, want string }{
		{"choice at the root", "mcp", `{"type":"object","properties":{},"oneOf":[{"required":["a"]}]}`, "oneOf beside the parameters is dropped by hosts"},
		{"root that is no object", "mcp", `{"type":"string"}`, `the type must be object, not "string"`},
		{"root without type", "mcp", `{"items":{}}`, `the type must be object, not nothing`},
		{"recursion without references", "anthropic", `{"type":"object","$defs":{"N":{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}}}},"properties":{"n":{"$ref":"#/$defs/N"}}}`, "n.n: #/$defs/N refers to itself"},
		{"a reference to nothing", "openapi", `{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}}}`, "n: the reference #/$defs/N leads nowhere"},
		{"allOf of several", "anthropic", `{"type":"object","properties":{"a":{"allOf":[{"type":"string"},{"minLength":1}]}}}`, "a: allOf with several schemas"},
		{"false", "openai-strict", `{"type":"object","properties":{"a":false}}`, "a: a schema that nothing fits"},
		{"doubling", "openapi", string(large), "too large without references"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := applyProfile([]byte(c.schema), c.profile)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "profile "+c.profile) {
				t.Errorf("is answered with %v, want %q", err, c.want)
			}
		})
	}
}

func TestProfilesOfASignature(t *testing.T) {
	type input struct {
		OrderID string            `json:"order_id" jsonschema:"default=NOT_FOUND" jsonschema_extras:"db_lookup=true,available_from=list_orders"`
		Color   *Color            `json:"color,omitempty"`
		Counts  map[string]int    `json:"counts,omitempty"`
		To      Addr              `json:"to"`
		Notes   map[string]string `json:"notes,omitempty"`
	}
	s, err := For[input](TypeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Profiles() {
		out, err := s.Profile(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		compiled(t, out)
	}
}
