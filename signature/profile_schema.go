package signature

import (
	"slices"
	"strconv"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// schema rewrites one schema. The words are what the result no longer says;
// whoever holds its description adds them.
func (p *profiler) schema(v *jsontree.Value, path string) (jsontree.Value, []string) {
	if v.Kind == jsontree.Bool {
		return p.boolean(v, path)
	}
	if len(p.active) > deepestSchema {
		p.fail(path, "is nested deeper than %d", deepestSchema)
		return null(), nil
	}
	if ref := v.Get("$ref"); ref != nil && (p.vendor.inline || p.vendor.inlineBeside && len(v.Members) > 1) {
		return p.inlined(v, ref.Text, path)
	}
	in := p.normal(*v, path)
	var out object
	var words []string
	for _, m := range in.Members {
		w := p.keyword(&out, &in, m, path)
		words = append(words, w...)
	}
	result := out.value()
	if in.Get("properties") != nil || wordAt(&in, "type") == "object" {
		result = p.object(result, &in, path)
	}
	if p.vendor.plain {
		var more []string
		result, more = p.onlyPlain(result)
		words = append(words, more...)
	}
	return result, words
}

func (p *profiler) boolean(v *jsontree.Value, path string) (jsontree.Value, []string) {
	if v.True {
		if p.vendor.strict {
			return anyScalar(), []string{scalarsOnly}
		}
		return jsontree.Value{Kind: jsontree.Object}, nil
	}
	if p.vendor.plain {
		p.fail(path, "a schema that nothing fits cannot be said")
	}
	return *v, nil
}

// mostInlinings bounds a schema in which every type is used twice by the next,
// which doubles with each.
const mostInlinings = 2000

// inlined puts what a reference leads to in its place. What stands beside the
// reference wins, as a field's own description does over that of its type.
func (p *profiler) inlined(v *jsontree.Value, ref, path string) (jsontree.Value, []string) {
	if slices.Contains(p.active, ref) {
		p.fail(path, "%s refers to itself, and without references it has no end", ref)
		return null(), nil
	}
	target := p.resolve(ref, path)
	if target == nil {
		return null(), nil
	}
	if p.inlinings++; p.inlinings > mostInlinings {
		if p.inlinings == mostInlinings+1 {
			p.fail(path, "the schema is too large without references: more than %d of them", mostInlinings)
		}
		return null(), nil
	}
	p.active = append(p.active, ref)
	defer func() { p.active = p.active[:len(p.active)-1] }()
	merged := merge(*target, *v, "$ref")
	return p.schema(&merged, path)
}

// keyword rewrites one keyword into out and returns the words for what it
// leaves away.
func (p *profiler) keyword(out *object, in *jsontree.Value, m jsontree.Member, path string) []string {
	switch m.Name {
	case "properties":
		out.set(m.Name, p.properties(in, &m.Value, path))
		return nil
	case "$defs", "definitions":
		if p.vendor.inline {
			return nil
		}
		out.set(m.Name, p.definitions(&m.Value))
		return nil
	case "anyOf", "oneOf", "allOf":
		branches, words := p.branches(&m.Value, path)
		out.set(m.Name, branches)
		return words
	case "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames":
		if m.Value.Kind == jsontree.Object && (p.vendor.keeps == nil || p.vendor.keeps[m.Name]) {
			inner, words := p.schema(&m.Value, path+"[]")
			out.set(m.Name, describe(inner, words))
			return nil
		}
	case "prefixItems":
		return p.prefix(out, in, &m.Value, path)
	}
	return p.leaf(out, m)
}

// leaf keeps a keyword without schemas inside, or puts it into words.
func (p *profiler) leaf(out *object, m jsontree.Member) []string {
	v := p.vendor
	switch {
	case pipelineExtra(m.Name):
		return sentence(m.Name, &m.Value)
	case !schemaKeyword(m.Name):
		if v.extras(m.Name) {
			out.set(m.Name, m.Value)
		}
		return nil
	case m.Name == "default" && v.asked && m.Value.Kind == jsontree.String && m.Value.Text == placeholder:
		return nil
	case m.Name == "$schema" || m.Name == "$id" || m.Name == "$comment" || m.Name == "$anchor":
		if v.keeps == nil && !v.inline {
			out.set(m.Name, m.Value)
		}
		return nil
	case v.keeps != nil && !v.keeps[m.Name]:
		return sentence(m.Name, &m.Value)
	case m.Name == "format" && v.formats != nil && !v.formats[m.Value.Text]:
		return sentence(m.Name, &m.Value)
	case m.Name == "minItems" && v.keeps != nil && !v.keeps["maxItems"] && m.Value.Text != "0" && m.Value.Text != "1":
		return sentence(m.Name, &m.Value)
	}
	out.set(m.Name, m.Value)
	return nil
}

func (p *profiler) properties(in, properties *jsontree.Value, path string) jsontree.Value {
	required := wordsAt(in, "required")
	var out object
	for i := range properties.Members {
		m := &properties.Members[i]
		inner, words := p.schema(&m.Value, jsontree.MemberPath(path, m.Name))
		inner = describe(inner, words)
		if p.vendor.strict && !slices.Contains(required, m.Name) && !asked(&m.Value) {
			inner = describe(nullable(inner), []string{"Give null to leave it out."})
		}
		out.set(m.Name, inner)
	}
	return out.value()
}

// asked reports whether a property has the default that marks it as required
// after all (FW-14).
func asked(v *jsontree.Value) bool { return wordAt(v, "default") == placeholder }

// nullable lets a schema admit null, as what cannot be left out must.
func nullable(v jsontree.Value) jsontree.Value {
	if branches := v.Get("anyOf"); branches != nil {
		for i := range branches.Items {
			if isNull(&branches.Items[i]) {
				return v
			}
		}
		return with(v, "anyOf", list(append(slices.Clone(branches.Items), typeSchema("null"))...))
	}
	if isNull(&v) {
		return v
	}
	var outer, inner object
	for _, m := range v.Members {
		if annotation(m.Name) {
			outer.set(m.Name, m.Value)
		} else {
			inner.set(m.Name, m.Value)
		}
	}
	outer.set("anyOf", list(inner.value(), typeSchema("null")))
	return outer.value()
}

func (p *profiler) definitions(defs *jsontree.Value) jsontree.Value {
	var out object
	for i := range defs.Members {
		m := &defs.Members[i]
		inner, words := p.schema(&m.Value, m.Name)
		out.set(m.Name, describe(inner, words))
	}
	return out.value()
}

// branches rewrites the members of a choice. Where the only choice is null,
// the words of the other branch belong to the whole.
func (p *profiler) branches(choice *jsontree.Value, path string) (jsontree.Value, []string) {
	var out []jsontree.Value
	var kept []string
	others := 0
	for i := range choice.Items {
		if !isNull(&choice.Items[i]) {
			others++
		}
	}
	for i := range choice.Items {
		b, words := p.schema(&choice.Items[i], path)
		if others == 1 {
			kept = append(kept, words...)
		} else {
			b = describe(b, words)
		}
		out = appendBranch(out, b)
	}
	return list(out...), kept
}

// appendBranch appends a branch, or those of one that is a choice itself.
func appendBranch(out []jsontree.Value, b jsontree.Value) []jsontree.Value {
	inner := b.Get("anyOf")
	if inner == nil || len(b.Members) > 1 {
		if isNull(&b) && contains(out, &b) {
			return out
		}
		return append(out, b)
	}
	for _, branch := range inner.Items {
		out = appendBranch(out, branch)
	}
	return out
}

// prefix rewrites the types of a fixed list. A vendor without prefixItems
// gets one type for all items that takes each of them.
func (p *profiler) prefix(out *object, in, prefix *jsontree.Value, path string) []string {
	var types []jsontree.Value
	for i := range prefix.Items {
		t, words := p.schema(&prefix.Items[i], jsontree.ItemPath(path, i))
		types = append(types, describe(t, words))
	}
	if !p.vendor.plain {
		out.set("prefixItems", list(types...))
		return nil
	}
	var distinct []jsontree.Value
	for i := range types {
		if !contains(distinct, &types[i]) {
			distinct = append(distinct, types[i])
		}
	}
	switch {
	case len(distinct) == 1:
		out.set("items", distinct[0])
	case len(distinct) > 1:
		var either object
		either.set("anyOf", list(distinct...))
		out.set("items", either.value())
	}
	words := sentence("prefixItems", prefix)
	n := strconv.Itoa(len(types))
	for _, key := range []string{"minItems", "maxItems"} {
		if in.Get(key) == nil && p.vendor.keeps[key] && p.vendor.strict {
			out.set(key, jsontree.Digits(n))
		}
	}
	return words
}

// object sees to the members of an object that nothing declares, and to what
// is required.
func (p *profiler) object(v jsontree.Value, in *jsontree.Value, path string) jsontree.Value {
	properties, rest := v.Get("properties"), v.Get("additionalProperties")
	if p.vendor.strict && path != "" && (properties == nil || len(properties.Members) == 0) && (rest == nil || rest.Kind == jsontree.Object || rest.True) {
		return mapAsText(v, rest)
	}
	if properties == nil {
		return v
	}
	if p.vendor.closed && (p.vendor.strict || rest == nil) {
		v = with(v, "additionalProperties", jsontree.Value{Kind: jsontree.Bool})
	}
	var required []jsontree.Value
	declared := wordsAt(in, "required")
	for _, m := range in.Get("properties").Members {
		if p.vendor.strict || slices.Contains(declared, m.Name) || p.vendor.asked && asked(&m.Value) {
			required = append(required, jsontree.Text(m.Name))
		}
	}
	if len(required) == 0 {
		return unlike(v, "required")
	}
	return with(v, "required", list(required...))
}

// mapAsText writes a map as the text of a JSON object, which strict calling
// can say and coercion reads (FW-57).
func mapAsText(v jsontree.Value, rest *jsontree.Value) jsontree.Value {
	out := typeSchema("string")
	for _, m := range v.Members {
		if annotation(m.Name) {
			out = with(out, m.Name, m.Value)
		}
	}
	what := "A JSON object, written as text."
	if rest != nil && wordAt(rest, "type") != "" {
		what = "A JSON object, written as text, whose values are of type " + wordAt(rest, "type") + "."
	}
	return describe(out, []string{what})
}

const scalarsOnly = "Text, a number, true, false or null."

// anyScalar is the nearest that strict calling has to any value.
func anyScalar() jsontree.Value {
	var o object
	o.set("anyOf", list(typeSchema("string"), typeSchema("number"), typeSchema("boolean"), typeSchema("null")))
	return o.value()
}

// onlyPlain gives strict calling a type where a schema has none.
func (p *profiler) onlyPlain(v jsontree.Value) (jsontree.Value, []string) {
	if !p.vendor.strict {
		return v, nil
	}
	if wordAt(&v, "type") == "array" && v.Get("items") == nil {
		return with(v, "items", describe(anyScalar(), []string{scalarsOnly})), nil
	}
	for _, word := range []string{"type", "anyOf", "$ref", "enum", "const"} {
		if v.Get(word) != nil {
			return v, nil
		}
	}
	return merge(v, anyScalar()), []string{scalarsOnly}
}
