package signature

import (
	"math/big"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// Kind is what a Type accepts, in the words of JSON Schema.
type Kind uint8

// The kinds of a Type. Any accepts every JSON value; Union accepts what one
// of its members accepts.
const (
	Any Kind = iota
	String
	Integer
	Number
	Boolean
	List
	Object
	Union
)

var kindWords = [...]string{"any value", "string", "integer", "number", "boolean", "list", "object", "union"}

// String returns the JSON Schema word for the kind, except that an array is
// called a list, the word callers know.
func (k Kind) String() string { return kindWords[k] }

// A Field is one parameter of a command, or one property of an object.
// Fields are made at registration and never change.
type Field struct {
	// Name is the parameter's name on every wire.
	Name string
	// Description says what the parameter is for.
	Description string
	// Type is what it accepts.
	Type *Type
	// Required is the published schema's required-ness (FW-183): no default.
	Required bool
	// Optional says that leaving the field out is never "missing" (FW-67,
	// D-2): it admits null, or is not required and has no NOT_FOUND default.
	Optional bool
	// Aliases are further names a caller may use for the field (D-4).
	Aliases []string
	// Examples are the declared example values as compact JSON.
	Examples []string
	// AvailableFrom names the commands that supply a value.
	AvailableFrom []string
	// DBLookup says that stage 3 resolves the value against live data.
	DBLookup bool
	// Keys is the key set declared in a schema itself (x-keys).
	Keys []string
	// Positional marks the one field that takes a text call's bare value.
	Positional bool

	fallback    jsontree.Value // the default; Absent if there is none
	placeholder bool           // the default is NOT_FOUND: required after all (FW-14)
	example     string
}

// HasDefault reports whether the field has a default that a call may rely
// on. The convention of a NOT_FOUND default marks a required field instead
// (FW-14) and is no default in this sense.
func (f *Field) HasDefault() bool {
	return f.fallback.Kind != jsontree.Absent && f.fallback.Kind != jsontree.Null && !f.placeholder
}

// Default returns the default as compact JSON, "" if there is none.
func (f *Field) Default() string {
	if f.fallback.Kind == jsontree.Absent {
		return ""
	}
	return f.fallback.JSON()
}

// DefaultValue returns the default for the stages; its Kind is Absent where
// HasDefault is false.
func (f *Field) DefaultValue() jsontree.Value {
	if !f.HasDefault() {
		return jsontree.Value{}
	}
	return f.fallback
}

// Example returns one example value as a caller would write it, "" if the
// author gave none.
func (f *Field) Example() string { return f.example }

// A Type is what a value must be. It is made at registration and never
// changes; patterns, vocabularies and bounds are compiled.
type Type struct {
	// Kind is the JSON shape.
	Kind Kind
	// Name is the title of a named definition, "" for an unnamed type.
	Name string
	// Nullable says that null is a value of the type.
	Nullable bool
	// Enum is the closed vocabulary, nil if the type is open.
	Enum *Enum
	// Pattern must match the whole text of a string (FW-60).
	Pattern *Pattern
	// Format is the checked format of a string, nil for none.
	Format *Format
	// Length bounds the characters of a string, the items of a list or the
	// members of an object.
	Length Count
	// Minimum, Maximum and MultipleOf bound a number; nil means unbounded.
	Minimum, Maximum *Bound
	MultipleOf       *Bound
	// Unique says that the items of a list must differ.
	Unique bool
	// Items is the element type of a List, nil for any.
	Items *Type
	// Prefix are the element types of a fixed-length list.
	Prefix []*Type
	// Fields are the properties of an Object, in declaration order.
	Fields []*Field
	// Rest is the type of an Object's further members; nil refuses them
	// unless Open.
	Rest *Type
	// Open says that an Object takes members of any name.
	Open bool
	// Members are the alternatives of a Union, in declaration order.
	Members []*Type

	index  map[string]int
	shared bool // made from a $ref that several fields may use

	words, wordsOfRange string // Accepted and AcceptedRange
}

// fewFields is where looking through the fields costs more than a map.
const fewFields = 8

// Field returns the position of the property with the name or alias, or -1.
func (t *Type) Field(name string) int {
	if len(t.Fields) <= fewFields {
		for i, f := range t.Fields {
			if f.Name == name {
				return i
			}
		}
		if len(t.index) == len(t.Fields) {
			return -1 // there are no aliases
		}
	}
	if i, ok := t.index[name]; ok {
		return i
	}
	return -1
}

// Count bounds a number of things, both ends inclusive. Max is -1 for no
// bound.
type Count struct{ Min, Max int }

// Bounded reports whether there is anything to check.
func (c Count) Bounded() bool { return c.Min > 0 || c.Max >= 0 }

// A Bound is one end of a numeric range, exact.
type Bound struct {
	// Text is the bound as the author wrote it.
	Text string
	// Exclusive says that the bound itself is out of range.
	Exclusive bool

	// implied says that no author wrote the bound: it is the range of the Go
	// type or format, which a caller need only hear of who is beyond it.
	implied bool
	exact   *big.Rat
	integer int64
	small   bool // integer holds the bound exactly
	float   float64
}
