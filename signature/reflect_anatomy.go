package signature

import (
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// An anatomy is what there is to say about a root type: every struct and enum
// that it leads to, each looked at once.
type anatomy struct {
	m       *mistakes
	root    reflect.Type
	structs map[reflect.Type]*goStruct
	enums   map[reflect.Type]*goEnum
	order   []reflect.Type // named structs and enums in the order they are met
	active  []reflect.Type // being visited, outermost first
	defs    map[reflect.Type]string
}

type goStruct struct {
	fields  []*goField
	options TypeOptions
}

type goEnum struct {
	values  []jsontree.Value
	options TypeOptions
}

func newAnatomy(m *mistakes) *anatomy {
	return &anatomy{m: m, structs: map[reflect.Type]*goStruct{}, enums: map[reflect.Type]*goEnum{}, defs: map[reflect.Type]string{}}
}

// visit looks at a type and all it leads to. at is the field that has it.
func (a *anatomy) visit(t reflect.Type, at place) {
	t, _ = without(t)
	s, problem := shapeOf(t)
	a.noHooks(t, s, at)
	switch s {
	case shapeNone:
		a.m.add(at, "type", "%s", problem)
	case shapeText:
		a.noPromotedReader(t, at)
	case shapeEnum:
		a.visitEnum(t, at)
	case shapeList, shapeMap, shapeStruct:
		if slices.Contains(a.active, t) {
			a.m.add(at, "recursive type", "%s contains itself (%s), and a caller could not be told what it is in finite words", t, a.cycle(t))
			return
		}
		if len(a.active) >= deepestSchema {
			a.m.add(at, "type", "is nested deeper than %d", deepestSchema)
			return
		}
		a.active = append(a.active, t)
		if s == shapeStruct {
			a.visitStruct(t, at)
		} else {
			a.visit(t.Elem(), at)
		}
		a.active = a.active[:len(a.active)-1]
	}
}

// noPromotedReader notes a struct that is read as one text because it embeds
// a type with an UnmarshalText, while it has fields of its own to be read.
func (a *anatomy) noPromotedReader(t reflect.Type, at place) {
	if t.Kind() != reflect.Struct {
		return
	}
	reader, others := "", false
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case f.Anonymous && has(f.Type, textReadType):
			reader = f.Type.String()
		case f.IsExported() && f.Tag.Get("json") != "-":
			others = true
		}
	}
	if reader != "" && others {
		a.m.add(at, "embedded", "%s embeds %s, whose UnmarshalText would read the whole struct as one text; give the embedded field a name", t, reader)
	}
}

func (a *anatomy) cycle(t reflect.Type) string {
	var names []string
	for _, active := range a.active[slices.Index(a.active, t):] {
		names = append(names, active.String())
	}
	return strings.Join(append(names, t.String()), " > ")
}

func (a *anatomy) visitEnum(t reflect.Type, at place) {
	if a.enums[t] != nil {
		return
	}
	here := place{typ: typeLabel(t, at)}
	values, problem := enumValues(t)
	if problem != "" {
		a.m.add(here, "EnumValues", "%s", problem)
	}
	e := &goEnum{values: values, options: optionsOf(t, here, a.m)}
	if e.options.Unknown != "" {
		a.m.add(here, "Unknown", "an enum has no members to be unknown")
	}
	checkOptions(&e.options, here, a.m)
	a.enums[t] = e
	a.order = append(a.order, t)
}

func (a *anatomy) visitStruct(t reflect.Type, at place) {
	if a.structs[t] != nil {
		return
	}
	here := place{typ: typeLabel(t, at)}
	s := &goStruct{fields: jsonFields(t, here, a.m), options: optionsOf(t, here, a.m)}
	checkOptions(&s.options, here, a.m)
	a.structs[t] = s
	if t.Name() != "" {
		a.order = append(a.order, t)
	}
	for _, f := range s.fields {
		field := place{here.typ, f.goName}
		a.visit(f.typ, field)
		f.spec = readSpec(f, field, a.m)
	}
	a.names(s, here)
}

// names looks at what fields say of each other: one positional field, and
// aliases that are nobody's name.
func (a *anatomy) names(s *goStruct, here place) {
	positional := ""
	owner := map[string]string{}
	for _, f := range s.fields {
		owner[f.name] = f.goName
	}
	for _, f := range s.fields {
		at := place{here.typ, f.goName}
		if f.spec.positional {
			if positional != "" {
				a.m.add(at, "positional", "%s is positional already; a call has one bare value (FW-12)", positional)
			}
			positional = f.goName
		}
		for _, alias := range f.spec.aliases {
			if other, taken := owner[alias]; taken {
				a.m.add(at, "alias", "%q already names %s", alias, other)
				continue
			}
			owner[alias] = f.goName
		}
	}
}

// override lets the options given with the root win over its method.
func (a *anatomy) override(t reflect.Type, o TypeOptions) {
	s := a.structs[t]
	if s == nil {
		return
	}
	checkOptions(&o, place{typ: typeLabel(t, place{})}, a.m)
	if o.Title != "" {
		s.options.Title = o.Title
	}
	if o.Description != "" {
		s.options.Description = o.Description
	}
	if o.Unknown != "" {
		s.options.Unknown = o.Unknown
	}
	if o.Extra != nil {
		s.options.Extra = o.Extra
	}
}

var packagePaths = regexp.MustCompile(`[\w./~%-]*[./]`)

// shortName is a type's name without packages: Page[Status] for
// Page[example.com/x/b.Status], as pydantic titles a generic class.
func shortName(t reflect.Type) string { return packagePaths.ReplaceAllString(t.Name(), "") }

var notInKeys = regexp.MustCompile(`[^a-zA-Z0-9.\-_]`)

// nameDefinitions gives every named type its key under $defs: the short name,
// as in pydantic, and the package path before it where two types share one.
// Keys hold no character that a JSON pointer or a URI would have to escape.
func (a *anatomy) nameDefinitions() {
	key := func(name string) string {
		return strings.ReplaceAll(notInKeys.ReplaceAllString(name, "_"), ".", "__")
	}
	shared := map[string]int{}
	for _, t := range a.order {
		if t != a.root {
			shared[key(shortName(t))]++
		}
	}
	taken := map[string]int{}
	for _, t := range a.order {
		if t == a.root {
			continue
		}
		name := key(shortName(t))
		if shared[name] > 1 {
			name = key(t.PkgPath() + "." + t.Name())
		}
		// Two types declared inside functions may share package and name.
		taken[name]++
		if n := taken[name]; n > 1 {
			name += "__" + strconv.Itoa(n)
		}
		a.defs[t] = name
	}
}

// rules lists the residual rules below a type with their whole paths.
func (a *anatomy) rules(t reflect.Type, path []int, name string) []fieldRule {
	t, _ = without(t)
	s, _ := shapeOf(t)
	switch s {
	case shapeList, shapeMap:
		return a.rules(t.Elem(), append(slices.Clone(path), eachItem), name+"[]")
	case shapeStruct:
	default:
		return nil
	}
	var rules []fieldRule
	for _, f := range a.structs[t].fields {
		at := append(slices.Clone(path), f.index...)
		fieldName := jsontree.MemberPath(name, f.name)
		for _, r := range f.spec.residual {
			rules = append(rules, fieldRule{
				Path: append(slices.Clone(at), r.steps...),
				Name: fieldName + strings.Repeat("[]", len(r.steps)),
				Tag:  r.tag,
			})
		}
		rules = append(rules, a.rules(f.typ, at, fieldName)...)
	}
	return rules
}
