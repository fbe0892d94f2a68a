package signature

import (
	"reflect"
	"slices"
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// The jsonschema tag is read here and not by the library whose language it
// is, because the library drops what it does not understand without a word:
// misspelt keywords, bad numbers, defaults of numbers in lists, an example on
// a boolean, everything behind an unescaped comma.

// A fieldSpec is what the tags of one field say.
type fieldSpec struct {
	title       string
	description string
	deprecated  bool
	fallback    jsontree.Value // the default; Absent if there is none
	examples    []jsontree.Value
	union       []string // the types of anyof_type
	levels      []level
	extras      []jsontree.Member
	aliases     []string
	positional  bool
	residual    []residual
}

// A level is one step into a field's value: the value itself, then the items
// of the list or the values of the map that it is, and so on down.
type level struct {
	typ      reflect.Type // without pointer
	shape    shape
	nullable bool
	limits   map[string]limit // by JSON Schema keyword
	enum     []jsontree.Value
	enumBy   string
	enumBare bool // an extra: published beside the type, as pydantic does
}

// A limit is one constraint and the tag word it comes from.
type limit struct {
	value jsontree.Value
	by    string
}

// levelsOf opens up lists and maps; it ends at what has no elements, and at
// what cannot be a parameter.
func levelsOf(t reflect.Type) []level {
	var levels []level
	for {
		elem, nullable := without(t)
		s, _ := shapeOf(elem)
		levels = append(levels, level{typ: elem, shape: s, nullable: nullable, limits: map[string]limit{}})
		if s != shapeList && s != shapeMap {
			return levels
		}
		if len(levels) > deepestSchema {
			return levels
		}
		t = elem.Elem()
	}
}

// The words of a jsonschema tag.
var schemaWords = []string{"title", "description", "default", "example", "enum", "pattern", "format", "minLength", "maxLength",
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems",
	"minProperties", "maxProperties", "deprecated", "required", "anyof_type"}

// refusedWords are keywords of the library that cannot mean what they say
// here, each with what to do instead.
var refusedWords = map[string]string{
	"oneof_required": "puts oneOf at the root, and vendors drop such a command without a word; check the choice in the validation hook",
	"anyof_required": "puts anyOf at the root, and vendors drop such a command without a word; check the choice in the validation hook",
	"oneof_type":     "write anyof_type: a value of two types is never refused for fitting both",
	"oneof_ref":      "a reference comes from a Go type; use a struct or a type with EnumValues",
	"anyof_ref":      "a reference comes from a Go type; use a struct or a type with EnumValues",
	"nullable":       "make the field a pointer",
	"type":           "the type comes from the Go type",
	"anchor":         "anchors are not published",
	"readOnly":       `an Input is only written; hide the field with json:"-"`,
	"writeOnly":      "an Input is only written",
	"const":          "write enum with one value",
}

// flagWords need no value.
var flagWords = map[string]bool{"deprecated": true, "uniqueItems": true, "required": true}

// textWords take free text, in which an unescaped comma is the usual slip.
var textWords = map[string]bool{"title": true, "description": true, "pattern": true, "default": true, "example": true, "enum": true}

// repeatedWords may stand more than once.
var repeatedWords = map[string]bool{"default": true, "example": true, "enum": true}

// splitWords splits a tag at commas; a comma behind a backslash stays, as the
// library has it.
func splitWords(tag string) []string {
	if tag == "" {
		return nil
	}
	parts := strings.Split(tag, ",")
	words := parts[:1:1]
	for _, part := range parts[1:] {
		last := &words[len(words)-1]
		if kept, escaped := strings.CutSuffix(*last, `\`); escaped {
			*last = kept + "," + part
			continue
		}
		words = append(words, part)
	}
	return words
}

// A tagReader reads the tags of one field.
type tagReader struct {
	m    *mistakes
	at   place
	spec *fieldSpec

	defaults, examples []string
	enums, extraEnums  []string
	required           bool
	seen               map[string]bool
}

// readSpec reads all tags of a field. Constraints of both tag families are
// one set (D-5), so they are read before the default is held against them.
func readSpec(f *goField, at place, m *mistakes) *fieldSpec {
	r := &tagReader{m: m, at: at, spec: &fieldSpec{levels: levelsOf(f.typ)}, seen: map[string]bool{}}
	r.schemaTag(f.tags["jsonschema"])
	if text, ok := f.tags["jsonschema_description"]; ok {
		if r.spec.description != "" && r.spec.description != text {
			r.fail("description", "jsonschema and jsonschema_description both describe the field, differently")
		}
		r.spec.description = text
	}
	r.extrasTag(f.tags["jsonschema_extras"])
	r.readUnion()
	r.readEnum(r.enums, "jsonschema enum")
	r.readEnum(r.extraEnums, "jsonschema_extras enum")
	r.arrayLimits()
	r.validateTag(f.tags["validate"])
	r.integerLimits()
	r.agree()
	r.readExamples()
	r.readDefault()
	if r.required && (f.maybe || r.spec.fallback.Kind != jsontree.Absent) {
		r.fail("required", "the field has omitempty, omitzero or a default, and that makes it optional; remove one of the two")
	}
	return r.spec
}

func (r *tagReader) fail(rule, format string, args ...any) { r.m.add(r.at, rule, format, args...) }

func (r *tagReader) schemaTag(tag string) {
	if tag == "-" {
		return // a mistake that is noted already
	}
	before := ""
	for _, text := range splitWords(tag) {
		word, value, hasValue := strings.Cut(text, "=")
		if !r.knownWord(word, hasValue, text, before) {
			continue
		}
		before = word
		if r.seen[word] && !repeatedWords[word] {
			r.fail(word, "is given twice")
			continue
		}
		r.seen[word] = true
		r.schemaWord(word, value, hasValue)
	}
}

func (r *tagReader) knownWord(word string, hasValue bool, text, before string) bool {
	known := slices.Contains(schemaWords, word)
	switch why, refused := refusedWords[word]; {
	case refused:
		r.fail(word, "%s", why)
		return false
	case known && (hasValue || flagWords[word]):
		return true
	case known && !textWords[before]:
		r.fail(word, "needs a value: %s=...", word)
	case textWords[before] && (!hasValue || nearest(word, schemaWords) == ""):
		// What follows a free text and is no keyword is the rest of that text.
		r.fail(before, `the text ends at the comma before %q, and the rest would be lost; write the comma as \\, %s`, text, elsewhere(before))
	case strings.TrimSpace(word) != word:
		r.fail("jsonschema", "%q has a blank around it; keywords are separated by a comma alone%s", word, meant(word, schemaWords))
	case isExtra(word):
		r.fail("jsonschema", "%s belongs in the tag jsonschema_extras", word)
	default:
		r.fail("jsonschema", "%q is no keyword%s", word, meant(word, schemaWords))
	}
	return false
}

func elsewhere(word string) string {
	switch {
	case word == "description":
		return "or use the tag jsonschema_description, which takes commas as they are"
	case repeatedWords[word]:
		return "or repeat the keyword: " + word + "=a," + word + "=b"
	}
	return "inside the tag"
}

func (r *tagReader) schemaWord(word, value string, hasValue bool) {
	switch word {
	case "title":
		r.spec.title = value
	case "description":
		r.spec.description = value
	case "default":
		r.defaults = append(r.defaults, value)
	case "example":
		r.examples = append(r.examples, value)
	case "enum":
		r.enums = append(r.enums, value)
	case "deprecated":
		r.spec.deprecated = r.flag(word, value, hasValue)
	case "required":
		r.required = r.flag(word, value, hasValue)
	case "anyof_type":
		r.spec.union = strings.Split(value, ";")
	default:
		r.constraint(word, value, hasValue)
	}
}

func (r *tagReader) flag(word, value string, hasValue bool) bool {
	switch {
	case !hasValue || value == "true":
		return true
	case value != "false":
		r.fail(word, "must be true or false, not %q", value)
	}
	return false
}

// constraintShapes says which shapes a constraint keyword narrows.
var constraintShapes = map[string][]shape{
	"pattern": {shapeString, shapeText}, "format": {shapeString, shapeText, shapeTime},
	"minLength": {shapeString, shapeText}, "maxLength": {shapeString, shapeText},
	"minimum": {shapeInteger, shapeNumber}, "maximum": {shapeInteger, shapeNumber}, "multipleOf": {shapeInteger, shapeNumber},
	"exclusiveMinimum": {shapeInteger, shapeNumber}, "exclusiveMaximum": {shapeInteger, shapeNumber},
	"minItems": {shapeList}, "maxItems": {shapeList}, "uniqueItems": {shapeList},
	"minProperties": {shapeMap}, "maxProperties": {shapeMap},
}

// narrows reports whether the keyword says something about the shape.
func narrows(keyword string, s shape) bool {
	return slices.Contains(constraintShapes[keyword], s)
}

// constraint stores a keyword that narrows the value. On a list the keywords
// of lists narrow the list and all others its items, however deep they are.
func (r *tagReader) constraint(word, text string, hasValue bool) {
	at := &r.spec.levels[0]
	if !narrows(word, at.shape) {
		at = r.valueLevel()
	}
	if at.shape == shapeNone {
		return // a mistake that is noted already
	}
	if !narrows(word, at.shape) {
		r.fail(word, "says nothing about %s (%s)", at.shape, at.typ)
		return
	}
	value, problem := limitValue(word, text, hasValue, at)
	if problem != "" {
		r.fail(word, "%s", problem)
		return
	}
	at.limits[word] = limit{value, "jsonschema " + word + "=" + text}
}

// formatWords are the formats of JSON Schema and those that pydantic prints.
var formatWords = []string{"date", "date-time", "time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6",
	"uri", "uri-reference", "iri", "iri-reference", "uri-template", "url", "uuid", "json-pointer", "relative-json-pointer", "regex",
	"binary", "path", "file-path", "directory-path", "password", "byte", "base64", "json-string"}

// limitValue reads the value of a constraint keyword, or says what is wrong.
func limitValue(word, text string, hasValue bool, at *level) (value jsontree.Value, problem string) {
	switch word {
	case "pattern":
		if _, err := newPattern(text); err != nil {
			return value, err.Error()
		}
		return jsontree.Text(text), ""
	case "format":
		return formatValue(text, at)
	case "uniqueItems":
		if hasValue && text != "true" {
			return value, "must be true, not " + text
		}
		return jsontree.Value{Kind: jsontree.Bool, True: true}, ""
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		return countValue(word, text, at)
	}
	return boundValue(word, text, at)
}

func formatValue(text string, at *level) (value jsontree.Value, problem string) {
	if at.shape == shapeTime && text != "date-time" {
		return value, "a time.Time is always read as date-time; use a string for the format " + text
	}
	if slices.Contains(formatWords, text) {
		return jsontree.Text(text), ""
	}
	if text == "" || strings.TrimSpace(text) != text {
		return value, "needs a format word"
	}
	if near := nearest(text, formatWords); near != "" {
		return value, "the format " + text + " is unknown; did you mean " + near + "?"
	}
	return jsontree.Text(text), "" // an author's own format is a note for readers
}
