package signature

import (
	"slices"
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// The extras that mean something to the pipeline (FW-12, D-4, N-15). All
// other keys are published as they are: a string, true or false, and a list
// of strings where the key is repeated. Numbers stay strings: the tag cannot
// say which was meant.
var extraWords = []string{"db_lookup", "positional", "available_from", "used_by", "alias", "references", "enum", "x-keys"}

// listExtras are lists even with one value, as pydantic keeps them.
var listExtras = map[string]bool{"available_from": true, "used_by": true, "x-keys": true}

var flagExtras = map[string]bool{"db_lookup": true, "positional": true}

var referencePolicies = []string{"decode", "once", "raw"}

// structureWords are keywords whose place is the Go type or another tag; as
// an extra they would stand twice in one object.
var structureWords = []string{"type", "properties", "items", "prefixItems", "additionalProperties", "patternProperties", "propertyNames",
	"anyOf", "oneOf", "allOf", "not", "if", "then", "else", "const", "examples", "$ref", "$defs", "$id", "$schema", "$anchor"}

func isExtra(word string) bool {
	return slices.Contains(extraWords, word) || strings.HasPrefix(word, "x-")
}

// extrasTag reads jsonschema_extras.
func (r *tagReader) extrasTag(tag string) {
	given := map[string][]string{}
	var order []string
	for _, text := range splitWords(tag) {
		key, value, hasValue := strings.Cut(text, "=")
		if !r.knownExtra(key, hasValue, text) {
			continue
		}
		if !hasValue {
			value = "true"
		}
		if given[key] == nil {
			order = append(order, key)
		}
		given[key] = append(given[key], value)
	}
	for _, key := range order {
		r.extra(key, given[key])
	}
}

func (r *tagReader) knownExtra(key string, hasValue bool, text string) bool {
	switch {
	case isExtra(key) && (hasValue || flagExtras[key]):
		return true
	case !hasValue:
		r.fail("jsonschema_extras", `%q has no value; a comma inside a value is written \\,%s`, text, meant(key, extraWords))
	case key == "" || strings.TrimSpace(key) != key:
		r.fail("jsonschema_extras", "%q has a blank around its key", text)
	case key == "aliases":
		r.fail(key, "write alias=, once for each name")
	case slices.Contains(structureWords, key):
		r.fail(key, "cannot be an extra: it comes from the Go type or the tag jsonschema")
	case slices.Contains(schemaWords, key):
		r.fail(key, "cannot be an extra: write it in the tag jsonschema")
	default:
		// Any key may be an author's own, so only a slip of the pen is one.
		if near := nearestWithin(key, slices.Concat(extraWords, schemaWords), max(1, len(key)/4)); near != "" {
			r.fail("jsonschema_extras", "%q is no known extra; did you mean %s? An extra of your own needs another name, such as x-%s", key, near, key)
			return false
		}
		return true
	}
	return false
}

func (r *tagReader) extra(key string, values []string) {
	switch {
	case flagExtras[key]:
		r.flagExtra(key, values)
	case key == "alias":
		r.aliases(values)
	case key == "enum":
		r.extraEnums = values
	case key == "references":
		if len(values) > 1 || !slices.Contains(referencePolicies, values[0]) {
			r.fail(key, "must be one of %s, not %q%s", strings.Join(referencePolicies, ", "), strings.Join(values, ","), meant(values[0], referencePolicies))
			return
		}
		r.addExtra(key, jsontree.Text(values[0]))
	case listExtras[key] || len(values) > 1:
		r.listExtra(key, values)
	default:
		r.addExtra(key, extraValue(values[0]))
	}
}

func (r *tagReader) addExtra(key string, v jsontree.Value) {
	r.spec.extras = append(r.spec.extras, jsontree.Member{Name: key, Value: v})
}

func (r *tagReader) flagExtra(key string, values []string) {
	if len(values) > 1 || values[0] != "true" && values[0] != "false" {
		r.fail(key, "must be true or false, once, not %q", strings.Join(values, ","))
		return
	}
	if key == "positional" {
		r.spec.positional = values[0] == "true"
	}
	r.addExtra(key, extraValue(values[0]))
}

func (r *tagReader) aliases(values []string) {
	for _, alias := range values {
		switch {
		case alias == "" || !usableName(alias):
			r.fail("alias", "%q cannot be a parameter's name", alias)
			continue
		case slices.Contains(r.spec.aliases, alias):
			r.fail("alias", "%q is given twice", alias)
			continue
		}
		r.spec.aliases = append(r.spec.aliases, alias)
	}
	if len(r.spec.aliases) > 0 {
		r.listExtra("aliases", r.spec.aliases)
	}
}

func (r *tagReader) listExtra(key string, values []string) {
	list := jsontree.Value{Kind: jsontree.List}
	for _, value := range values {
		if listExtras[key] && value == "" {
			r.fail(key, "names nothing")
			continue
		}
		list.Items = append(list.Items, jsontree.Text(value))
	}
	r.addExtra(key, list)
}

func extraValue(text string) jsontree.Value {
	switch text {
	case "true", "false":
		return jsontree.Value{Kind: jsontree.Bool, True: text == "true"}
	}
	return jsontree.Text(text)
}
