package normalize

import "slices"

// silent is the schema that says nothing.
var silent = &schema{id: -2, declared: anything, admits: anything, readings: []reading{nil}}

// settle works out for every schema what it admits and which policy it
// carries, looking through references and branches (rule N-5). A schema that
// looking through leads back to itself is on a cycle: there it says nothing.
// So what a schema says does not depend on where one came from, and each need
// be looked at only once.
func settle(schemas []*schema) {
	w := settling{number: make([]int, len(schemas)), low: make([]int, len(schemas)), done: make([]bool, len(schemas))}
	for _, s := range schemas {
		if w.number[s.id] == 0 {
			w.visit(s)
		}
	}
}

// settling finds the strongly connected components in Tarjan's way, which
// ends with each one after all that it leads to.
type settling struct {
	number, low []int
	done        []bool
	count       int
	open        []*schema
}

func (w *settling) visit(s *schema) {
	w.count++
	w.number[s.id], w.low[s.id] = w.count, w.count
	first := len(w.open)
	w.open = append(w.open, s)
	for part := range s.parts {
		switch {
		case part == never:
		case w.number[part.id] == 0:
			w.visit(part)
			w.low[s.id] = min(w.low[s.id], w.low[part.id])
		case !w.done[part.id]:
			w.low[s.id] = min(w.low[s.id], w.number[part.id])
		}
	}
	if w.low[s.id] < w.number[s.id] {
		return
	}
	ring := slices.Clone(w.open[first:])
	w.open = w.open[:first]
	for _, member := range ring {
		member.cut(func(part *schema) bool { return part != never && !w.done[part.id] })
	}
	for _, member := range ring {
		w.done[member.id] = true
		member.conclude()
	}
}

// parts yields the schemas that a schema is looked through to.
func (s *schema) parts(yield func(*schema) bool) {
	for _, part := range s.all {
		if !yield(part) {
			return
		}
	}
	for _, branches := range s.any {
		for _, branch := range branches {
			if !yield(branch) {
				return
			}
		}
	}
}

// cut makes the parts that lead back say nothing.
func (s *schema) cut(back func(*schema) bool) {
	s.all = slices.DeleteFunc(s.all, back)
	for _, branches := range s.any {
		for i := range branches {
			if back(branches[i]) {
				branches[i] = silent
			}
		}
	}
}

// conclude fills in what follows from the parts, which are concluded.
func (s *schema) conclude() {
	s.admits = s.declared
	for _, part := range s.all {
		s.admits = s.admits.and(part.admits)
	}
	for _, branches := range s.any {
		either := types(0)
		for _, branch := range branches {
			either |= branch.admits
		}
		s.admits = s.admits.and(either)
	}
	if s.policy == inherit {
		for part := range s.parts {
			s.policy = max(s.policy, part.policy)
		}
	}
}
