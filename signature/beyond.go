package signature

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
)

// beyondWords are the keywords of JSON Schema that the model has no place for.
// A schema that uses one, from elsewhere mostly, is checked as a whole by a
// validator after stage 1, so that nothing it refuses ever runs.
var beyondWords = []string{
	"not", "if", "patternProperties", "propertyNames", "dependentRequired", "dependentSchemas", "dependencies",
	"contains", "minContains", "maxContains", "unevaluatedProperties", "unevaluatedItems", "minProperties", "maxProperties",
}

// limitWords only narrow a type that is named; without one the model drops
// them.
var limitWords = []string{"minLength", "maxLength", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
	"multipleOf", "minItems", "maxItems", "uniqueItems", "required"}

func hasAny(s *jsontree.Value, words ...string) bool {
	for _, word := range words {
		if s.Get(word) != nil {
			return true
		}
	}
	return false
}

// isBeyond reports whether a schema says more than the Type made of it.
func isBeyond(s *jsontree.Value, t *Type) bool {
	switch {
	case hasAny(s, beyondWords...),
		t.Kind == Union && hasAny(s, limitWords...),
		t.Kind == Any && hasAny(s, limitWords...),
		s.Get("type") != nil && hasAny(s, "anyOf", "oneOf"),
		s.Get("$ref") != nil && hasAny(s, limitWords...),
		s.Get("minimum") != nil && s.Get("exclusiveMinimum") != nil,
		s.Get("maximum") != nil && s.Get("exclusiveMaximum") != nil,
		hasAny(s, "enum", "const") && hasAny(s, limitWords...):
		return true
	}
	if one := s.Get("oneOf"); one != nil && len(one.Items) > 2 {
		return true
	} else if one != nil && len(one.Items) == 2 && wordAt(&one.Items[0], "type") != "null" && wordAt(&one.Items[1], "type") != "null" {
		return true
	}
	if items := s.Get("items"); items != nil && (items.Kind == jsontree.Bool || s.Get("prefixItems") != nil) {
		return true
	}
	if e := s.Get("enum"); e != nil && t.Kind == List && !allScalars(e.Items) {
		return true
	}
	if t.Kind == Object {
		for _, name := range wordsAt(s, "required") {
			if t.Field(name) < 0 {
				return true
			}
		}
	}
	return wordAt(s, "type") == "null"
}

// compileWhole compiles the schema as a whole.
func compileWhole(schema []byte) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, fmt.Errorf("signature: the schema cannot be read: %w", err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	assertFormats(c)
	c.UseRegexpEngine(func(source string) (jsonschema.Regexp, error) { return regexp.Compile(translated(source)) })
	const name = "schema.json"
	if err := c.AddResource(name, doc); err != nil {
		return nil, fmt.Errorf("signature: the schema cannot be compiled: %w", err)
	}
	whole, err := c.Compile(name)
	if err != nil {
		return nil, fmt.Errorf("signature: the schema cannot be compiled: %w", err)
	}
	return whole, nil
}

// assertFormats has the formats of stage 1 hold here too, as stage 1 reads
// them, and all others be notes, as they are there.
func assertFormats(c *jsonschema.Compiler) {
	c.AssertFormat()
	for _, note := range []string{"json-pointer", "relative-json-pointer", "period", "iri", "uri-reference", "iri-reference", "uri-template", "semver"} {
		c.RegisterFormat(&jsonschema.Format{Name: note, Validate: func(any) error { return nil }})
	}
	for name, format := range formats {
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(v any) error {
			if text, isText := v.(string); isText && !format.Match(text) {
				return fmt.Errorf("not %s", format.Words)
			}
			return nil
		}})
	}
}

// A Breach is a rule of the schema that the model has no place for and that
// arguments break: where, and the rule as the schema has it.
type Breach struct {
	// Field is the path of the value, "" for the arguments as a whole.
	Field string
	// Rule is the keyword and its value.
	Rule string
	// Value is what is there, as JSON.
	Value string
	// Missing are the members that are required there and not given.
	Missing []string
	// Unknown are the members that must not be there.
	Unknown []string
}

// ChecksWhole reports whether Breach has anything to check.
func (s *Signature) ChecksWhole() bool { return s.whole != nil }

// Breach checks coerced arguments, as one JSON object, against the schema as a
// whole; nil if they satisfy it.
func (s *Signature) Breach(arguments []byte) *Breach {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(arguments))
	if err != nil {
		return &Breach{Rule: "a JSON object"}
	}
	err = s.whole.Validate(value)
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return &Breach{Rule: "the schema"}
	}
	// The outermost rule of the first branch that is one of a schema's own
	// keywords: what is inside an anyOf is only one way to satisfy it.
	at := invalid
	for len(at.Causes) > 0 && len(at.ErrorKind.KeywordPath()) == 0 {
		at = at.Causes[0]
	}
	keywords := at.ErrorKind.KeywordPath()
	if _, negated := at.ErrorKind.(*kind.Not); negated {
		keywords = []string{"not"}
	}
	b := &Breach{Rule: strings.Join(keywords, " ")}
	place := at.InstanceLocation
	switch broken := at.ErrorKind.(type) {
	case *kind.Required:
		b.Missing = broken.Missing
	case *kind.AdditionalProperties:
		b.Unknown = broken.Properties
	case *kind.FalseSchema: // nothing may be there, so it is the whole around it that is wrong
		if len(place) > 0 {
			b.Rule = "that nothing is at " + place[len(place)-1]
			place = place[:len(place)-1]
		}
	}
	for _, step := range place {
		switch within := value.(type) {
		case map[string]any:
			b.Field, value = jsontree.MemberPath(b.Field, step), within[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(within) {
				return b
			}
			b.Field, value = jsontree.ItemPath(b.Field, i), within[i]
		}
	}
	if text, err := json.Marshal(value); err == nil {
		b.Value = string(text)
	}
	if rule := s.ruleText(at, keywords); rule != "" {
		b.Rule += " " + rule
	}
	return b
}

// longestRule bounds how much of a schema's rule a message shows.
const longestRule = 200

// ruleText finds the value of the keyword that an error is about.
func (s *Signature) ruleText(e *jsonschema.ValidationError, keywords []string) string {
	_, pointer, found := strings.Cut(e.SchemaURL, "#")
	if !found || len(keywords) == 0 {
		return ""
	}
	doc, fault := jsontree.Parse(string(s.schema), jsontree.Limits{}, nil)
	if fault != nil {
		return ""
	}
	at := (&schemaReader{root: &doc.Root}).resolve("#" + pointer)
	if at == nil || at.Get(keywords[0]) == nil {
		return ""
	}
	return quote.Bare(at.Get(keywords[0]).JSON(), longestRule)
}
