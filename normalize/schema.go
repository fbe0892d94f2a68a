package normalize

import "github.com/fwgo/fwgo/internal/jsontree"

// A schema is what one schema object says by itself about the shape of a
// value, with its references resolved. It may be part of a cycle.
type schema struct {
	id       int
	declared types       // by `type`; anything if it has none
	all      []*schema   // hold as well: the target of $ref, the one element of allOf
	any      [][]*schema // of each, one holds: anyOf, oneOf
	members  map[string]*schema
	names    []string // of members, in order
	others   *schema  // members not named; nil says nothing, never forbids them
	prefix   []*schema
	items    *schema // items after prefix
	admits   types   // by everything it is looked through to
	policy   policy  // likewise
	readings []reading
}

// bare reports whether the schema says nothing by itself.
func (s *schema) bare() bool {
	return s.declared == anything && s.members == nil && s.others == nil && s.prefix == nil && s.items == nil
}

// never is the schema `false`.
var never = &schema{id: -1}

// A reader turns schema objects into schemas, each once.
type reader struct {
	pointers
	made    map[*jsontree.Value]*schema
	schemas []*schema
}

func readSchema(root *jsontree.Value) *schema {
	r := reader{pointers: pointers{map[*jsontree.Value]map[string]*jsontree.Value{}}, made: map[*jsontree.Value]*schema{}}
	s := r.read(located{root, root})
	settle(r.schemas)
	return s
}

// read returns the schema at a place. What is no schema says nothing.
func (r *reader) read(at located) *schema {
	v := at.value
	if v.Kind == jsontree.Bool && !v.True {
		return never
	}
	if s := r.made[v]; s != nil {
		return s
	}
	s := &schema{id: len(r.schemas), declared: anything}
	r.made[v] = s
	r.schemas = append(r.schemas, s)
	if v.Kind != jsontree.Object {
		return s
	}
	s.declared = typesOf(v.Get("type"))
	s.policy = policyWord(v.Get("references"))
	if ref := v.Get("$ref"); ref != nil && ref.Kind == jsontree.String {
		if target, ok := r.follow(at, ref.Text); ok {
			s.all = append(s.all, r.read(target))
		}
	}
	if all := r.list(at, "allOf"); len(all) == 1 {
		s.all = append(s.all, all[0])
	}
	for _, word := range [...]string{"anyOf", "oneOf"} {
		if branches := r.list(at, word); len(branches) > 0 {
			s.any = append(s.any, branches)
		}
	}
	r.object(s, at)
	r.array(s, at)
	return s
}

func (r *reader) object(s *schema, at located) {
	if p := at.value.Get("properties"); p != nil && p.Kind == jsontree.Object {
		s.members = make(map[string]*schema, len(p.Members))
		for i := range p.Members {
			s.members[p.Members[i].Name] = r.read(r.enter(at, &p.Members[i].Value))
			s.names = append(s.names, p.Members[i].Name)
		}
	}
	// With patternProperties it takes an ECMAScript pattern to tell which
	// names are the others, so nothing is said of them.
	if p := at.value.Get("patternProperties"); p == nil || len(p.Members) == 0 {
		s.others = r.part(at, "additionalProperties")
	}
}

// array reads both ways of saying it: prefixItems and items, and the older
// list of items with additionalItems.
func (r *reader) array(s *schema, at located) {
	s.prefix = r.list(at, "prefixItems")
	if items := at.value.Get("items"); items != nil && items.Kind == jsontree.List {
		s.prefix = r.list(at, "items")
		s.items = r.part(at, "additionalItems")
		return
	}
	s.items = r.part(at, "items")
}

func (r *reader) part(at located, word string) *schema {
	if v := at.value.Get(word); v != nil {
		return r.read(r.enter(at, v))
	}
	return nil
}

func (r *reader) list(at located, word string) []*schema {
	v := at.value.Get(word)
	if v == nil || v.Kind != jsontree.List {
		return nil
	}
	schemas := make([]*schema, 0, len(v.Items))
	for i := range v.Items {
		schemas = append(schemas, r.read(r.enter(at, &v.Items[i])))
	}
	return schemas
}
