package signature

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// A Signature is what one command's Input is. It is made at registration by
// For, FromType or FromSchema, never changes, and is safe to share.
type Signature struct {
	title       string
	description string
	schema      []byte
	root        *Type
	positional  int
	whole       *jsonschema.Schema // for what the model cannot hold, else nil

	goType reflect.Type // nil for a Signature made from a schema
	sets   []fieldSetter
	rules  *rules
}

// For makes the Signature of the Go struct In. Every author mistake is
// reported at once, each with the type, the field and the rule.
func For[In any](o TypeOptions) (*Signature, error) {
	return FromType(reflect.TypeFor[In](), o)
}

// FromType is For for a type known only at run time.
func FromType(t reflect.Type, o TypeOptions) (*Signature, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("signature: an Input must be a struct, not %s", t)
	}
	schema, residual, err := reflectSchema(t, o)
	if err != nil {
		return nil, err
	}
	s, err := FromSchema(schema)
	if err != nil {
		return nil, fmt.Errorf("signature: Go type %s: %w", t, err)
	}
	if s.sets, err = bindFields(s.root, t); err != nil {
		return nil, fmt.Errorf("signature: Go type %s: %w", t, err)
	}
	if s.rules, err = newRules(t, residual); err != nil {
		return nil, err
	}
	s.root.describe(map[*Type]bool{}) // anew: binding may have narrowed a range
	s.goType = t
	return s, nil
}

// Title returns the schema's title.
func (s *Signature) Title() string { return s.title }

// Description returns the schema's description.
func (s *Signature) Description() string { return s.description }

// Fields returns the parameters in declaration order. The slice and what it
// points to must not be changed.
func (s *Signature) Fields() []*Field { return s.root.Fields }

// Root returns the type of the whole Input, an Object.
func (s *Signature) Root() *Type { return s.root }

// Positional returns the index of the field marked positional, or -1.
func (s *Signature) Positional() int { return s.positional }

// Schema returns the JSON schema that is published: for a Go type, deeply
// equal to what pydantic v2 prints for the same class (D-10); for a Signature
// made from a schema, that schema. The bytes must not be changed.
func (s *Signature) Schema() []byte { return s.schema }

// Profile returns the schema in the form that a vendor accepts; see Profiles
// for the names. The error names an unknown profile.
func (s *Signature) Profile(name string) ([]byte, error) { return applyProfile(s.schema, name) }

// GoType returns the Input's struct type, nil if the Signature was made from
// a schema.
func (s *Signature) GoType() reflect.Type { return s.goType }

// An Input is one call's parameters while the stages fill them: the struct
// that the body will read, or a *Record.
type Input struct {
	sig    *Signature
	value  any
	at     unsafe.Pointer
	record *Record
}

// New returns an empty Input.
func (s *Signature) New() Input {
	if s.goType == nil {
		n := min(len(s.root.Fields), fewNames) // most calls set most of a few parameters
		r := &Record{names: make([]string, 0, n), values: make([]any, 0, n)}
		return Input{sig: s, value: r, record: r}
	}
	fresh := reflect.New(s.goType)
	return Input{sig: s, value: fresh.Interface(), at: fresh.UnsafePointer()}
}

// Reset makes an Input empty again whose Value nobody has seen.
func (in *Input) Reset() {
	if in.record != nil {
		*in.record = Record{}
		return
	}
	reflect.NewAt(in.sig.goType, in.at).Elem().SetZero()
}

// Value returns the pointer that hook and body receive: *In or *Record.
func (in *Input) Value() any { return in.value }

// Set stores the coerced value of field i. An error means that the Go type of
// the field has a reader of its own which refused the text.
func (in *Input) Set(i int, v *jsontree.Value) error {
	if in.record != nil {
		in.record.Set(in.sig.root.Fields[i].Name, GoValue(v))
		return nil
	}
	f := &in.sig.sets[i]
	return f.set(unsafe.Add(in.at, f.offset), v)
}

// Plain reports whether the Go type of field i is one of Go's own scalars, or a
// pointer to one or a slice of them. Storing such a value runs no code of an
// author's and needs no more of it than its kind, its text and its items; in a
// Signature made from a schema no field is plain.
func (s *Signature) Plain(i int) bool { return i < len(s.sets) && s.sets[i].plain }

// HoldsTexts reports whether SetTexts can store values of field i.
func (s *Signature) HoldsTexts(i int) bool { return i < len(s.sets) && s.sets[i].texts }

// SetTexts is Set for the items of a list, of which it keeps a copy, in a plain
// field whose Go type is a slice of strings.
func (in *Input) SetTexts(i int, items []string) {
	*(*[]string)(unsafe.Add(in.at, in.sig.sets[i].offset)) = append(make([]string, 0, len(items)), items...)
}

// SetExtra stores a member that an open schema allows. Only a Record has room
// for it; a Go struct with an open schema is refused at registration.
func (in *Input) SetExtra(name string, v *jsontree.Value) {
	if in.record != nil {
		in.record.Set(name, GoValue(v))
	}
}

// A Violation is a constraint between fields, or one that JSON Schema has no
// word for, that a filled Input breaks: the data, never a text.
type Violation struct {
	// Field is the path of the field that carries the rule.
	Field string
	// Rule and Param are the tag's words, such as gtfield and StartDate.
	Rule, Param string
}

// HasRules reports whether there is anything for Violations to check.
func (s *Signature) HasRules() bool { return s.rules != nil }

// Violations checks the validator tags that the schema cannot express on a
// filled Input; set says which fields were given.
func (s *Signature) Violations(in *Input, set func(field string) bool) []Violation {
	if s.rules == nil {
		return nil
	}
	var out []Violation
	for _, v := range s.rules.check(in.value, set) {
		out = append(out, Violation{Field: v.Field, Rule: v.Tag, Param: v.Param})
	}
	return out
}
