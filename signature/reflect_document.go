package signature

import (
	"reflect"
	"sort"

	"github.com/invopop/jsonschema"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// A writer writes the document over the library's skeleton: the one fix-up
// pass that makes it pydantic's.
type writer struct {
	a     *anatomy
	bones jsonschema.Definitions
	used  map[reflect.Type]*jsonschema.Schema // what a $ref leads to
	queue []reflect.Type
}

// object builds a JSON object member by member.
type object struct{ members []jsontree.Member }

func (o *object) set(name string, v jsontree.Value) {
	for i := range o.members {
		if o.members[i].Name == name {
			o.members[i].Value = v
			return
		}
	}
	o.members = append(o.members, jsontree.Member{Name: name, Value: v})
}

func (o *object) text(name, s string) {
	if s != "" {
		o.set(name, jsontree.Text(s))
	}
}

func (o *object) value() jsontree.Value {
	return jsontree.Value{Kind: jsontree.Object, Members: o.members}
}

func list(items ...jsontree.Value) jsontree.Value {
	return jsontree.Value{Kind: jsontree.List, Items: items}
}

func null() jsontree.Value { return jsontree.Value{Kind: jsontree.Null} }

func truth() jsontree.Value { return jsontree.Value{Kind: jsontree.Bool, True: true} }

// document writes the whole schema.
func (a *anatomy) document(bones *jsonschema.Schema) jsontree.Value {
	w := &writer{a: a, bones: bones.Definitions, used: map[reflect.Type]*jsonschema.Schema{}}
	root := w.structSchema(a.root, bones)
	title := a.structs[a.root].options.Title
	if title == "" {
		title = shortName(a.root)
	}
	if title == "" {
		title = "Input"
	}
	root.text("title", title)
	w.options(&root, a.structs[a.root].options)
	defs := object{}
	for len(w.queue) > 0 {
		t := w.queue[0]
		w.queue = w.queue[1:]
		defs.set(a.defs[t], w.definition(t))
	}
	if len(defs.members) > 0 {
		root.set("$defs", defs.value())
	}
	return sortKeys(root.value(), "")
}

// refer returns a reference to a named type and sees to its definition.
func (w *writer) refer(t reflect.Type, s *jsonschema.Schema) object {
	if _, seen := w.used[t]; !seen {
		w.used[t] = s
		w.queue = append(w.queue, t)
	}
	var o object
	o.text("$ref", "#/$defs/"+w.a.defs[t])
	return o
}

func (w *writer) definition(t reflect.Type) jsontree.Value {
	var o object
	var options TypeOptions
	if e := w.a.enums[t]; e != nil {
		o.set("enum", list(e.values...))
		o.text("type", kindWord(t))
		options = e.options
	} else {
		o = w.structSchema(t, w.used[t])
		options = w.a.structs[t].options
	}
	title := options.Title
	if title == "" {
		title = shortName(t)
	}
	o.text("title", title)
	w.options(&o, options)
	return o.value()
}

// options writes what the type says of itself beside its fields (FW-182).
func (w *writer) options(o *object, options TypeOptions) {
	o.text("description", cleanDoc(options.Description))
	for _, key := range sortedKeys(options.Extra) {
		v, _ := jsonTree(options.Extra[key])
		o.set(key, v)
	}
}

// structSchema writes an object schema without its title.
func (w *writer) structSchema(t reflect.Type, s *jsonschema.Schema) object {
	var o, properties object
	var required []jsontree.Value
	info := w.a.structs[t]
	for _, f := range info.fields {
		bones, _ := s.Properties.Get(f.name)
		properties.set(f.name, w.property(f, bones))
		if !f.maybe && f.spec.fallback.Kind == jsontree.Absent {
			required = append(required, jsontree.Text(f.name))
		}
	}
	o.text("type", s.Type)
	o.set("properties", properties.value())
	if len(required) > 0 {
		o.set("required", list(required...))
	}
	if info.options.Unknown != "" {
		o.set("additionalProperties", jsontree.Value{Kind: jsontree.Bool, True: info.options.Unknown == "allow"})
	}
	return o
}

// property writes one field. What names and explains the field stands beside
// anyOf where it is nullable; what narrows its value stands inside (FW-186).
func (w *writer) property(f *goField, s *jsonschema.Schema) jsontree.Value {
	spec := f.spec
	o := w.schema(spec.levels, spec.union, s)
	untitled := bareReference(&o)
	for i := range spec.levels {
		if spec.levels[i].enumBare {
			o.set("enum", list(spec.levels[i].enum...))
		}
	}
	switch {
	case spec.fallback.Kind != jsontree.Absent:
		o.set("default", spec.fallback)
	case f.maybe && spec.levels[0].nullable:
		o.set("default", null())
	}
	switch {
	case spec.title != "":
		o.text("title", spec.title)
	case !untitled:
		o.text("title", pythonTitle(f.name))
	}
	o.text("description", spec.description)
	if len(spec.examples) > 0 {
		o.set("examples", list(spec.examples...))
	}
	if spec.deprecated {
		o.set("deprecated", truth())
	}
	for _, extra := range spec.extras {
		o.set(extra.Name, extra.Value)
	}
	return o.value()
}

// bareReference reports whether a schema is a reference, or a reference or
// null: its title is that of the definition (FW-185).
func bareReference(o *object) bool {
	v := o.value()
	if any := v.Get("anyOf"); any != nil {
		return len(any.Items) == 2 && any.Items[0].Get("$ref") != nil
	}
	return v.Get("$ref") != nil
}

// schema writes the type of a value and of what it contains.
func (w *writer) schema(levels []level, union []string, s *jsonschema.Schema) object {
	at := &levels[0]
	if at.shape == shapeAny && len(union) > 0 {
		return unionSchema(at, union)
	}
	o := w.plain(levels, union, s)
	if !at.nullable {
		return o
	}
	var either object
	either.set("anyOf", list(o.value(), typeSchema("null")))
	return either
}

func typeSchema(word string) jsontree.Value {
	var o object
	o.text("type", word)
	return o.value()
}

// unionSchema is one flat list of types, null the last of them (FW-186).
func unionSchema(at *level, union []string) object {
	var types []jsontree.Value
	for _, word := range union {
		types = append(types, typeSchema(word))
	}
	if at.nullable {
		types = append(types, typeSchema("null"))
	}
	var o object
	o.set("anyOf", list(types...))
	return o
}

// plain writes a type without its null.
func (w *writer) plain(levels []level, union []string, s *jsonschema.Schema) object {
	at := &levels[0]
	s = w.resolve(s)
	var o object
	switch at.shape {
	case shapeEnum:
		return w.refer(at.typ, s)
	case shapeStruct:
		if at.typ.Name() != "" {
			return w.refer(at.typ, s)
		}
		return w.structSchema(at.typ, s)
	case shapeList:
		// The library takes the type off a list whose items have several.
		o.text("type", "array")
		items := w.schema(levels[1:], union, s.Items)
		o.set("items", items.value())
	case shapeMap:
		o.text("type", s.Type)
		w.mapValues(&o, levels[1:], union, s)
	default:
		o.text("type", s.Type)
		if at.shape == shapeTime {
			o.text("format", s.Format)
		}
	}
	constrain(&o, at)
	return o
}

// mapValues writes additionalProperties; for any value pydantic says true.
func (w *writer) mapValues(o *object, levels []level, union []string, s *jsonschema.Schema) {
	values := w.schema(levels, union, s.AdditionalProperties)
	if len(values.members) == 0 {
		o.set("additionalProperties", truth())
		return
	}
	o.set("additionalProperties", values.value())
}

// resolve follows the library's own references: named lists and maps are
// definitions to it, and plain types in Python.
func (w *writer) resolve(s *jsonschema.Schema) *jsonschema.Schema {
	const prefix = "#/$defs/"
	for s != nil && len(s.Ref) > len(prefix) {
		s = w.bones[s.Ref[len(prefix):]]
	}
	if s == nil {
		return &jsonschema.Schema{}
	}
	return s
}

// constrain writes the constraints of a level. One value is a const where the
// tag lists values, as for a Literal (FW-186).
func constrain(o *object, at *level) {
	for _, word := range sortedKeys(at.limits) {
		o.set(word, at.limits[word].value)
	}
	if len(at.enum) == 0 || at.enumBare {
		return
	}
	if at.shape == shapeAny {
		o.text("type", enumType(at.enum))
	}
	if len(at.enum) == 1 {
		o.set("const", at.enum[0])
		return
	}
	o.set("enum", list(at.enum...))
}

// sortKeys puts the members of every object in alphabetical order, except
// those of the value under properties or default (FW-181): objects inside it
// are sorted again, and a list there keeps its elements' order too.
func sortKeys(v jsontree.Value, parent string) jsontree.Value {
	switch v.Kind {
	case jsontree.List:
		items := make([]jsontree.Value, len(v.Items))
		for i := range v.Items {
			items[i] = sortKeys(v.Items[i], parent)
		}
		return list(items...)
	case jsontree.Object:
		members := make([]jsontree.Member, len(v.Members))
		for i, m := range v.Members {
			members[i] = jsontree.Member{Name: m.Name, Value: sortKeys(m.Value, m.Name)}
		}
		if parent != "properties" && parent != "default" {
			sort.SliceStable(members, func(i, j int) bool { return members[i].Name < members[j].Name })
		}
		return jsontree.Value{Kind: jsontree.Object, Members: members}
	}
	return v
}
