package draft

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/splash"
)

// newModule checks a module against the tools there are (WD-43).
func newModule(m Module, state *catalogState) (Module, error) {
	methods := 0
	for _, other := range state.modules {
		methods += len(other.Methods)
	}
	wrong := func(code CatalogCode, method Method, reason string) (Module, error) {
		return Module{}, &CatalogError{Code: code, Module: m.Name, Method: method.Name, Tool: method.Tool, Reason: reason}
	}
	_, exists := state.modules[m.Name]
	switch {
	case exists:
		return wrong(CatalogInvalidModule, Method{}, "there is one of this name already")
	case len(m.Name) > maxModuleName:
		return wrong(CatalogInvalidModule, Method{}, "the name has more than 64 bytes")
	case len(m.Description) > MaxDescriptionBytes:
		return wrong(CatalogInvalidModule, Method{}, "the description is too long")
	case len(m.Methods) == 0:
		return wrong(CatalogInvalidModule, Method{}, "it has no methods")
	case len(state.modules) == MaxModules || len(m.Methods) > MaxModuleMethods || methods+len(m.Methods) > MaxMethods:
		return wrong(CatalogInvalidModule, Method{}, "there are too many modules or methods")
	}
	for i, method := range m.Methods {
		t := state.tools[method.Tool]
		switch {
		case slices.ContainsFunc(m.Methods[:i], func(other Method) bool { return other.Name == method.Name }):
			return wrong(CatalogInvalidModule, method, "the module has a method of this name already")
		case len(method.Name) > maxModuleName:
			return wrong(CatalogInvalidModule, method, "the name has more than 64 bytes")
		case t == nil:
			return wrong(CatalogUnknownTool, method, "")
		case t.Format != JSON || !t.contract():
			return wrong(CatalogInvalidModule, method, "its tool must be a JSON tool with an input schema")
		case t.Dispatch == External && !method.Deferred:
			return wrong(CatalogInvalidModule, method, "an external tool can only be deferred")
		}
		if err := offered(Module{Name: "m", Methods: []Method{method}}); err != nil {
			return wrong(CatalogInvalidModule, method, err.Error())
		}
	}
	if err := offered(m); err != nil {
		return wrong(CatalogInvalidModule, Method{}, err.Error())
	}
	m.Methods = slices.SortedFunc(slices.Values(m.Methods), func(a, b Method) int { return strings.Compare(a.Name, b.Name) })
	return m, nil
}

const maxModuleName = 64

// offered lets the language judge the names of a module.
func offered(m Module) error {
	empty, err := splash.Parse("", splash.Limits{})
	if err == nil {
		_, err = empty.Begin(splash.Config{Modules: scriptModules(map[string]Module{m.Name: m})})
	}
	return err
}

func scriptModules(modules map[string]Module) []splash.Module {
	scripts := make([]splash.Module, 0, len(modules))
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		m := splash.Module{Name: name}
		for _, method := range modules[name].Methods {
			m.Methods = append(m.Methods, splash.Method{Name: method.Name, Tool: method.Tool, Deferred: method.Deferred})
		}
		scripts = append(scripts, m)
	}
	return scripts
}

// modulesJSON writes the modules: as a listing with sorted members (WD-67), or as the map of WD-43 that is part of the
// fingerprint and has an order of its own.
func (s *catalogState) modulesJSON(listing bool) []byte {
	open, shut := byte('{'), byte('}')
	if listing {
		open, shut = '[', ']'
	}
	b := []byte{open}
	for i, name := range slices.Sorted(maps.Keys(s.modules)) {
		m := s.modules[name]
		if i > 0 {
			b = append(b, ',')
		}
		if !listing {
			b = append(jsontree.AppendString(b, name), ':')
		}
		methods := []byte{'['}
		for j, method := range m.Methods {
			if j > 0 {
				methods = append(methods, ',')
			}
			methods = appendMembers(methods, listing, s.methodMembers(method, listing))
		}
		methods = append(methods, ']')
		b = appendMembers(b, listing, []jsonMember{
			{"name", jsontree.AppendString(nil, name)},
			{"description", jsontree.AppendString(nil, strings.ToValidUTF8(m.Description, "\uFFFD"))},
			{"methods", methods},
		})
	}
	return append(b, shut)
}

type jsonMember struct {
	name  string
	value []byte
}

func appendMembers(b []byte, sorted bool, members []jsonMember) []byte {
	if sorted {
		slices.SortFunc(members, func(a, b jsonMember) int { return strings.Compare(a.name, b.name) })
	}
	b = append(b, '{')
	for i, m := range members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(jsontree.AppendString(b, m.name), ':')
		b = append(b, m.value...)
	}
	return append(b, '}')
}

func (s *catalogState) methodMembers(method Method, listing bool) []jsonMember {
	t := s.tools[method.Tool]
	mode := splash.Synchronous
	if method.Deferred {
		mode = splash.Deferred
	}
	members := []jsonMember{
		{"name", jsontree.AppendString(nil, method.Name)},
		{"tool", jsontree.AppendString(nil, method.Tool)},
		{"description", jsontree.AppendString(nil, strings.ToValidUTF8(t.Description, "\uFFFD"))},
		{"mode", jsontree.AppendString(nil, string(mode))},
		{"call_shape", []byte(`"single_json"`)},
	}
	if fields := schemaFields(t.InputSchema, listing); fields != nil {
		members = append(members, jsonMember{"inputFields", fields})
	}
	if fields := schemaFields(t.OutputSchema, listing); fields != nil {
		members = append(members, jsonMember{"outputFields", fields})
	}
	return members
}

// schemaFields lists the properties of an object schema, or nothing when it does not name any. A property whose type is
// not one plain word is of type any.
func schemaFields(schema []byte, listing bool) []byte {
	doc, fault := jsontree.Parse(string(schema), jsontree.Limits{}, nil)
	if fault != nil {
		return nil
	}
	properties := doc.Root.Get("properties")
	if properties == nil || properties.Kind != jsontree.Object {
		return nil
	}
	required := map[string]bool{}
	if list := doc.Root.Get("required"); list != nil {
		for _, name := range list.Items {
			required[name.Text] = true
		}
	}
	b := []byte{'['}
	for i, property := range properties.Members {
		if i > 0 {
			b = append(b, ',')
		}
		kind := "any"
		if v := property.Value.Get("type"); v != nil && v.Kind == jsontree.String {
			kind = v.Text
		}
		b = appendMembers(b, listing, []jsonMember{
			{"name", jsontree.AppendString(nil, property.Name)},
			{"type", jsontree.AppendString(nil, kind)},
			{"required", appendBool(nil, required[property.Name])},
		})
	}
	return append(b, ']')
}

func appendBool(b []byte, v bool) []byte { return strconv.AppendBool(b, v) }

func appendCount(b []byte, head string, n int) []byte {
	return strconv.AppendInt(append(b, head...), int64(n), 10)
}
