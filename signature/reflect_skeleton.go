package signature

import (
	"reflect"
	"strconv"

	"github.com/invopop/jsonschema"
)

// skeleton reflects a type with the library. Definitions are keyed by number,
// since bare type names of two packages would fall together, and the numbers
// are never published. The type must be free of cycles: on one the library
// overflows the stack, which no recover can catch.
func skeleton(a *anatomy, t reflect.Type) *jsonschema.Schema {
	keys := map[reflect.Type]string{}
	r := jsonschema.Reflector{
		Anonymous:                 true,
		ExpandedStruct:            true,
		AllowAdditionalProperties: true,
		Namer: func(t reflect.Type) string {
			if t.Name() == "" {
				return ""
			}
			if keys[t] == "" {
				keys[t] = "T" + strconv.Itoa(len(keys))
			}
			return keys[t]
		},
		Mapper: func(t reflect.Type) *jsonschema.Schema {
			switch s, _ := shapeOf(t); s {
			case shapeEnum:
				return &jsonschema.Schema{Type: kindWord(t)}
			case shapeText:
				return &jsonschema.Schema{Type: "string"}
			case shapeNumber:
				return &jsonschema.Schema{Type: "number"}
			}
			return nil
		},
		AdditionalFields: func(t reflect.Type) []reflect.StructField { return hiding(a.structs[t]) },
	}
	return r.ReflectFromType(t)
}

// hiding lists the fields that hide an embedded one. The library takes the
// last of a name instead of the outermost, so they are shown to it again.
func hiding(s *goStruct) []reflect.StructField {
	if s == nil {
		return nil
	}
	var again []reflect.StructField
	for _, f := range s.fields {
		if f.hides {
			again = append(again, reflect.StructField{Name: f.goName, Type: f.typ, Tag: reflect.StructTag(`json:"` + f.name + `"`)})
		}
	}
	return again
}

// libraryHooks are methods by which a type speaks to the library itself. What
// they answer need not be what the Input is read by, so they are mistakes.
var libraryHooks = []struct {
	method string
	iface  reflect.Type
}{
	{"JSONSchema", reflect.TypeFor[interface{ JSONSchema() *jsonschema.Schema }]()},
	{"JSONSchemaExtend", reflect.TypeFor[interface{ JSONSchemaExtend(*jsonschema.Schema) }]()},
	{"JSONSchemaAlias", reflect.TypeFor[interface{ JSONSchemaAlias() any }]()},
	{"JSONSchemaProperty", reflect.TypeFor[interface{ JSONSchemaProperty(string) any }]()},
	{"GetFieldDocString", reflect.TypeFor[interface{ GetFieldDocString(string) string }]()},
	{"EnumDescriptor", reflect.TypeFor[interface{ EnumDescriptor() ([]byte, []int) }]()},
}

// noHooks notes the library's methods on a type.
func (a *anatomy) noHooks(t reflect.Type, s shape, at place) {
	if s == shapeEnum || t.Kind() == reflect.Interface {
		return
	}
	for _, hook := range libraryHooks {
		if has(t, hook.iface) {
			a.m.add(at, hook.method, "%s has this method, and what it says need not be what the field accepts; use SchemaOptions, EnumValues or UnmarshalText", t)
		}
	}
}
