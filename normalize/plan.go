package normalize

import (
	"slices"
	"strings"
)

// A place is what the schema says of the values at one place of the
// arguments. A nil place says nothing.
type place struct {
	shapes  types  // what a string here may be decoded to
	policy  policy // of this value and what it holds
	members map[string]*place
	others  *place
	prefix  []*place
	items   *place
	deep    bool // some place below says something
}

func (p *place) member(name string) *place {
	if p == nil {
		return nil
	}
	if m, ok := p.members[name]; ok {
		return m
	}
	return p.others
}

func (p *place) item(i int) *place {
	if p == nil {
		return nil
	}
	if i < len(p.prefix) {
		return p.prefix[i]
	}
	return p.items
}

// mostPlaces bounds the plan of a recursive schema that is slow to come back
// to the same place. What lies beyond says nothing.
const mostPlaces = 1 << 16

// A planner makes the plan. Schemas that apply together, or of which one
// applies, make one place; the same ones make the same place, which is how
// the plan of a recursive schema ends.
type planner struct {
	looker
	nested bool
	places map[string]*place
	order  []*place // as they were made: mostly from the top down
}

func plan(root *schema, nested bool) *place {
	p := planner{looker: looker{work: mostWork}, nested: nested, places: map[string]*place{}}
	made := p.made()
	p.members(made, p.through(root))
	p.deepen()
	return made
}

func (p *planner) made() *place {
	made := new(place)
	p.order = append(p.order, made)
	return made
}

// place returns the place of values that follow one of the choices.
func (p *planner) place(choices []reading) *place {
	if !slices.ContainsFunc(choices, func(c reading) bool { return len(c) > 0 }) {
		return nil
	}
	key := ""
	for _, c := range choices {
		key += c.key() + "|"
	}
	if made := p.places[key]; made != nil {
		return made
	}
	if len(p.places) >= mostPlaces {
		return nil
	}
	made := p.made()
	p.places[key] = made
	admits := types(0)
	for _, c := range choices {
		admits |= c.admits()
		for _, s := range c {
			made.policy = max(made.policy, s.policy)
		}
	}
	made.shapes = admits.shapes()
	if p.nested {
		var readings []reading
		for _, c := range choices {
			readings = append(readings, p.throughAll(c)...)
		}
		readings = distinct(readings)
		p.members(made, readings)
		p.items(made, readings)
	}
	return made
}

// members makes the places of the members that the readings declare.
func (p *planner) members(at *place, readings []reading) {
	others := func(s *schema) *schema { return s.others }
	objects := p.admitting(readings, object, func(s *schema) int { return len(s.names) })
	for _, r := range objects {
		for _, s := range r {
			for _, name := range s.names {
				if _, ok := at.members[name]; ok {
					continue
				}
				if at.members == nil {
					at.members = map[string]*place{}
				}
				named := func(s *schema) *schema { return s.members[name] }
				at.members[name] = p.place(choices(objects, named, others))
			}
		}
	}
	at.others = p.place(choices(objects, none, others))
}

// items makes the places of the items that the readings declare.
func (p *planner) items(at *place, readings []reading) {
	others := func(s *schema) *schema { return s.items }
	arrays := p.admitting(readings, array, func(s *schema) int { return len(s.prefix) })
	longest := 0
	for _, r := range arrays {
		for _, s := range r {
			longest = max(longest, len(s.prefix))
		}
	}
	for i := range longest {
		at.prefix = append(at.prefix, p.place(choices(arrays, func(s *schema) *schema {
			if i < len(s.prefix) {
				return s.prefix[i]
			}
			return nil
		}, others)))
	}
	at.items = p.place(choices(arrays, none, others))
}

func none(*schema) *schema { return nil }

// admitting returns the readings of a list or an object. If going through
// them once for each part is more than there is time for, it is what they
// have in common.
func (p *planner) admitting(readings []reading, shape types, parts func(*schema) int) []reading {
	var found []reading
	count := 1
	for _, r := range readings {
		if r.declared()&shape == 0 {
			continue
		}
		found = append(found, r)
		for _, s := range r {
			count += parts(s)
		}
	}
	if len(found) > 1 && p.work < count*len(found) {
		return []reading{common(found)}
	}
	p.work -= count * len(found)
	return found
}

// choices returns what the readings say of one member or item: the schemas
// that declare it, and those for all others. A reading that only forbids it
// cannot be meant where it is given, so it has no say.
func choices(readings []reading, declared, others func(*schema) *schema) []reading {
	said := make([]reading, 0, len(readings))
	for _, r := range readings {
		var c reading
		forbidden := false
		for _, s := range r {
			part := declared(s)
			if part == nil {
				part = others(s)
			}
			switch {
			case part == never:
				forbidden = true
			case part != nil:
				c = append(c, part)
			}
		}
		if len(c) > 0 || !forbidden {
			said = append(said, c.join(nil))
		}
	}
	said = distinct(said)
	slices.SortFunc(said, func(a, b reading) int { return strings.Compare(a.key(), b.key()) })
	return said
}

// deepen marks the places above one that says something, so that a call
// leaves out the others.
func (p *planner) deepen() {
	for changed := true; changed; {
		changed = false
		for _, at := range slices.Backward(p.order) {
			if !at.deep && at.anyBelow(func(b *place) bool { return b.deep || b.shapes != 0 || b.policy != inherit }) {
				at.deep, changed = true, true
			}
		}
	}
}

func (p *place) anyBelow(says func(*place) bool) bool {
	said := func(b *place) bool { return b != nil && says(b) }
	for _, m := range p.members {
		if said(m) {
			return true
		}
	}
	return said(p.others) || said(p.items) || slices.ContainsFunc(p.prefix, said)
}
