package signature

import (
	"slices"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// normal takes the detours out of a schema that say nothing of their own: a
// lone allOf, the enum of a list that means its items, and for vendors that
// want one type a schema also lists of types and enums without type.
func (p *profiler) normal(v jsontree.Value, path string) jsontree.Value {
	for range deepestSchema {
		all := v.Get("allOf")
		if all == nil || len(all.Items) != 1 {
			break
		}
		v = merge(all.Items[0], unlike(v, "allOf"))
		if ref := v.Get("$ref"); ref != nil && p.vendor.plain {
			if target := p.resolve(ref.Text, path); target != nil {
				v = merge(*target, v, "$ref")
			}
		}
	}
	if enum, items := v.Get("enum"), v.Get("items"); enum != nil && items != nil && items.Kind == jsontree.Object && allScalars(enum.Items) {
		// pydantic prints an enum extra of a list beside its items.
		v = with(unlike(v, "enum"), "items", with(*items, "enum", *enum))
	}
	v = enumInside(v)
	if !p.vendor.plain {
		return v
	}
	if one := v.Get("oneOf"); one != nil && v.Get("anyOf") == nil {
		v = enumInside(with(unlike(v, "oneOf"), "anyOf", *one))
	}
	if all := v.Get("allOf"); all != nil {
		p.fail(path, "allOf with several schemas cannot be said; write one schema")
		v = unlike(v, "allOf")
	}
	if types := v.Get("type"); types != nil && types.Kind == jsontree.List {
		v = byType(v, wordsAt(&v, "type"))
	}
	return typedEnum(v)
}

// enumInside moves an enum beside anyOf into the one branch that is no null.
func enumInside(v jsontree.Value) jsontree.Value {
	enum, branches := v.Get("enum"), v.Get("anyOf")
	if enum == nil || branches == nil {
		return v
	}
	moved := make([]jsontree.Value, 0, len(branches.Items))
	others := 0
	for _, b := range branches.Items {
		if !isNull(&b) {
			others++
			b = with(b, "enum", *enum)
		}
		moved = append(moved, b)
	}
	if others != 1 {
		return v
	}
	return with(unlike(v, "enum"), "anyOf", list(moved...))
}

func isNull(v *jsontree.Value) bool { return wordAt(v, "type") == "null" }

// annotations explain a schema and stay beside anyOf.
var annotations = []string{"title", "description", "default", "examples", "deprecated", "$defs", "definitions"}

// annotation says whether a keyword explains rather than narrows.
func annotation(key string) bool {
	return slices.Contains(annotations, key) || isExtra(key) && key != "enum" || key == "aliases"
}

// byType splits a schema with a list of types into one schema a type.
func byType(v jsontree.Value, types []string) jsontree.Value {
	if len(types) == 1 {
		return with(v, "type", jsontree.Text(types[0]))
	}
	var outer object
	var branches []jsontree.Value
	for _, word := range types {
		var inner object
		for _, m := range v.Members {
			if !annotation(m.Name) && m.Name != "type" && speaksOf(m.Name, word) {
				inner.set(m.Name, m.Value)
			}
		}
		inner.text("type", word)
		branches = append(branches, inner.value())
	}
	for _, m := range v.Members {
		if annotation(m.Name) {
			outer.set(m.Name, m.Value)
		}
	}
	outer.set("anyOf", list(branches...))
	return outer.value()
}

// typeKeywords are the keywords that narrow one type only.
var typeKeywords = map[string][]string{
	"string": {"minLength", "maxLength", "pattern", "format"},
	"number": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
	"array":  {"items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"},
	"object": {"properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties", "maxProperties"},
}

// speaksOf reports whether a keyword says something about a type.
func speaksOf(keyword, word string) bool {
	if word == "null" {
		return false
	}
	if word == "integer" {
		word = "number"
	}
	for of, words := range typeKeywords {
		if slices.Contains(words, keyword) {
			return of == word
		}
	}
	return true
}

// typedEnum gives an enum or const without type the type of its values, and
// anyOf where they have several.
func typedEnum(v jsontree.Value) jsontree.Value {
	if v.Get("type") != nil || v.Get("anyOf") != nil || v.Get("$ref") != nil {
		return v
	}
	if c := v.Get("const"); c != nil {
		if word := enumType([]jsontree.Value{*c}); word != "" {
			return with(v, "type", jsontree.Text(word))
		}
		return v
	}
	enum := v.Get("enum")
	if enum == nil {
		return v
	}
	var words []string
	groups := map[string][]jsontree.Value{}
	for _, item := range enum.Items {
		word := jsonWord(&item)
		if word == "number" && wholeLiteral(item.Text) {
			word = "integer"
		}
		if groups[word] == nil {
			words = append(words, word)
		}
		groups[word] = append(groups[word], item)
	}
	if len(words) == 1 {
		return with(v, "type", jsontree.Text(words[0]))
	}
	var branches []jsontree.Value
	for _, word := range words {
		branch := typeSchema(word)
		if word != "null" {
			branch = with(branch, "enum", list(groups[word]...))
		}
		branches = append(branches, branch)
	}
	return with(unlike(v, "enum"), "anyOf", list(branches...))
}
