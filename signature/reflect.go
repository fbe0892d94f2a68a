package signature

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// Enumerated is implemented by a named string, number or boolean type that
// has a closed vocabulary, as a Python Enum has. The type becomes a
// definition of its own in the schema, named after the Go type. EnumValues is
// called once, on the zero value, at registration.
//
//	type Color string
//
//	func (Color) EnumValues() []any { return []any{"red", "blue"} }
type Enumerated interface {
	EnumValues() []any
}

// TypeOptions say about a struct type what no field tag can: what a docstring
// and a model configuration say in Python. A struct type, nested ones
// included, and an Enumerated type may have a method
//
//	SchemaOptions() TypeOptions
//
// on the value or the pointer; it is called once, on the zero value, at
// registration. As everywhere in Go, a method of an embedded struct counts.
type TypeOptions struct {
	// Title is the schema's title; "" means the name of the Go type.
	Title string
	// Description is the class's documentation. Its indentation and the blank
	// lines at its ends are removed as Python's inspect.cleandoc does.
	Description string
	// Unknown says what the published schema tells of members that no field
	// declares: "" nothing, "forbid" additionalProperties false, "allow"
	// additionalProperties true. A call's unknown names are refused whatever
	// it says (D-4), and a command's Input cannot allow them at all: a struct
	// has no room for them.
	Unknown string
	// Extra are further members of the schema object. They must be
	// marshalable as JSON, and cannot replace what the type says.
	Extra map[string]any
}

type schemaOptioner interface {
	SchemaOptions() TypeOptions
}

// reflectSchema makes the JSON schema of a Go struct, deeply equal to what
// pydantic v2 prints for the same class (D-10, FW-181 to FW-191), and the
// validator rules that the schema has no words for. The error joins every
// author mistake found.
//
// The library reflects the type once; what it gets right is the skeleton:
// types, formats, items and properties. One pass over the skeleton and the Go
// type side by side then writes the document.
func reflectSchema(t reflect.Type, o TypeOptions) (schema []byte, rules []fieldRule, err error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	at := place{typ: typeLabel(t, place{})}
	m := new(mistakes)
	if s, problem := shapeOf(t); s != shapeStruct {
		if problem == "" {
			problem = fmt.Sprintf("is %s, and an Input must be a struct whose fields are the parameters", s)
		}
		m.add(at, "Input", "%s", problem)
		return nil, nil, m.err()
	}
	a := newAnatomy(m)
	a.visit(t, at)
	a.override(t, o)
	a.root = t
	if len(m.list) > 0 {
		return nil, nil, m.err()
	}
	a.nameDefinitions()
	doc := a.document(skeleton(a, t))
	rules = a.rules(t, nil, "")
	if _, err := newRules(t, rules); err != nil {
		return nil, nil, err
	}
	return doc.Append(nil), rules, nil
}

// optionsOf asks a type for its options, "" and nil if it has none.
func optionsOf(t reflect.Type, at place, m *mistakes) (o TypeOptions) {
	if !has(t, schemaOptionType) {
		return o
	}
	defer func() {
		if p := recover(); p != nil {
			m.add(at, "SchemaOptions", "panics on the zero value: %v", p)
		}
	}()
	return reflect.New(t).Interface().(schemaOptioner).SchemaOptions()
}

// checkOptions looks for options that contradict what the type itself says.
func checkOptions(o *TypeOptions, at place, m *mistakes) {
	switch o.Unknown {
	case "", "forbid", "allow":
	case "ignore":
		m.add(at, "Unknown", `"ignore" is refused: an unknown name is never dropped (D-4); leave it empty or write "forbid"`)
	default:
		m.add(at, "Unknown", `%q is neither "forbid" nor "allow"%s`, o.Unknown, meant(o.Unknown, []string{"forbid", "allow"}))
	}
	for _, key := range sortedKeys(o.Extra) {
		if key == "title" || key == "required" || key != "examples" && slices.Contains(structureWords, key) {
			m.add(at, "Extra", "%q comes from the type itself", key)
			continue
		}
		if _, err := jsonTree(o.Extra[key]); err != nil {
			m.add(at, "Extra", "%q cannot be written as JSON: %v", key, err)
		}
	}
	for _, text := range []string{o.Title, o.Description} {
		if !validText(text) {
			m.add(at, "SchemaOptions", "%q holds bytes that are not UTF-8", text)
		}
	}
}

// jsonTree turns a Go value into the tree that is published.
func jsonTree(v any) (jsontree.Value, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return jsontree.Value{}, err
	}
	doc, fault := jsontree.Parse(buf.String(), jsontree.Limits{}, nil)
	if fault != nil {
		return jsontree.Value{}, fault
	}
	return doc.Root, nil
}
