package signature

import (
	"reflect"
	"slices"
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// compileRule resolves the place and the references of a rule.
func compileRule(t reflect.Type, rule fieldRule, m *mistakes) *compiledRule {
	c := &compiledRule{tag: rule.Tag}
	objects, ok := c.follow(t, rule)
	if !ok {
		m.add(place{typ: typeLabel(t, place{})}, "validate "+rule.Tag, "%s is not in the type", rule.Name)
		return nil
	}
	object := objects[len(objects)-1]
	name, param, _ := strings.Cut(rule.Tag, "=")
	c.name, c.param = name, strings.NewReplacer("0x2C", ",", "0x7C", "|").Replace(param)
	if strings.Contains(rule.Tag, "|") {
		c.name, c.param = rule.Tag, ""
		return c
	}
	last := c.hops[len(c.hops)-1]
	scalar := last.field != nil && scalarKind(indirectType(last.field.typ).Kind())
	switch {
	case conditional(name):
		c.conditions(t, object, m)
	case slices.Contains(fieldRules, name), name == "unique" && param != "" && scalar:
		from, root := object, strings.Contains(name, "csfield")
		if root {
			from = t
		}
		if ref, ok := c.reference(from, param, m); ok {
			ref.root = root
			c.refs = []reference{ref}
			c.param = ref.path()
			if !strings.HasPrefix(name, "field") && name != "postcode_iso3166_alpha2_field" {
				c.comparable(ref, m)
			}
		}
	}
	return c
}

// follow turns a path of indexes into hops and lists the struct types on it.
func (c *compiledRule) follow(t reflect.Type, rule fieldRule) (objects []reflect.Type, ok bool) {
	for path := rule.Path; len(path) > 0; {
		t = indirectType(t)
		if path[0] < 0 {
			if k := t.Kind(); k != reflect.Slice && k != reflect.Array && k != reflect.Map {
				return nil, false
			}
			c.hops = append(c.hops, hop{each: path[0]})
			if path[0] == eachKey {
				t = t.Key()
			} else {
				t = t.Elem()
			}
			path = path[1:]
			continue
		}
		f := fieldAtIndex(t, path)
		if f == nil {
			return nil, false
		}
		c.nested = len(objects) > 0
		objects = append(objects, t)
		c.hops = append(c.hops, hop{field: f})
		c.at = place{typeLabel(t, c.at), f.goName}
		t, path = f.typ, path[len(f.index):]
	}
	return objects, len(objects) > 0
}

func fieldAtIndex(t reflect.Type, path []int) *goField {
	if t.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range jsonFields(t, place{}, new(mistakes)) {
		if len(f.index) <= len(path) && slices.Equal(f.index, path[:len(f.index)]) {
			return f
		}
	}
	return nil
}

func indirectType(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// conditions reads the parameter of a required_ or excluded_ rule.
func (c *compiledRule) conditions(root, object reflect.Type, m *mistakes) {
	words := splitParam(c.param)
	var names []string
	if !strings.HasSuffix(c.name, "_if") && !strings.HasSuffix(c.name, "_unless") {
		for _, word := range words {
			if ref, ok := c.reference(object, word, m); ok {
				c.refs = append(c.refs, ref)
				names = append(names, ref.path())
			}
		}
		c.param = strings.Join(names, " ")
		return
	}
	if len(words)%2 != 0 {
		m.add(c.at, "validate "+c.name, "needs pairs of a field and a value, as in %s=Kind gift; a value with blanks stands in single quotes", c.name)
		return
	}
	for i := 0; i < len(words); i += 2 {
		ref, ok := c.reference(object, words[i], m)
		if !ok {
			continue
		}
		value := words[i+1]
		if strings.Contains(value, " ") || value == "" {
			value = "'" + value + "'"
		}
		probe := "required_if=" + words[i] + " " + strings.NewReplacer(",", "0x2C", "|", "0x7C").Replace(value)
		c.pairs = append(c.pairs, pair{ref, probe})
		names = append(names, ref.path(), value)
	}
	c.param = strings.Join(names, " ")
}

// reference resolves a Go field name, or a chain of them with dots.
func (c *compiledRule) reference(t reflect.Type, name string, m *mistakes) (reference, bool) {
	var ref reference
	for _, part := range strings.Split(name, ".") {
		t = indirectType(t)
		var found *goField
		var goNames []string
		if t.Kind() == reflect.Struct {
			for _, f := range jsonFields(t, place{}, new(mistakes)) {
				goNames = append(goNames, f.goName)
				if f.goName == part {
					found = f
				} else if f.name == part {
					m.add(c.at, "validate "+c.name, "%s is the JSON name; the validator knows the Go name %s", part, f.goName)
					return ref, false
				}
			}
		}
		if found == nil {
			m.add(c.at, "validate "+c.name, "%s is no parameter of %s%s", part, t, meant(part, goNames))
			return ref, false
		}
		ref.chain = append(ref.chain, found)
		t = found.typ
	}
	return ref, true
}

func (ref reference) path() string {
	path := ""
	for _, f := range ref.chain {
		path = jsontree.MemberPath(path, f.name)
	}
	return path
}

// comparable notes a comparison that never holds because the kinds differ.
func (c *compiledRule) comparable(ref reference, m *mistakes) {
	last := c.hops[len(c.hops)-1]
	if last.field == nil {
		return // an element: the probing run sees it
	}
	mine, other := indirectType(last.field.typ), indirectType(ref.chain[len(ref.chain)-1].typ)
	if mine.Kind() != other.Kind() && mine.Kind() != reflect.Interface && other.Kind() != reflect.Interface {
		m.add(c.at, "validate "+c.name, "compares %s with %s, which never holds; give both fields one type", mine, other)
	}
}
