package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sort"
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// globalName is the name of the global context in files; people are shown
// globalLabel (FW-136).
const (
	globalName  = "*"
	globalLabel = "global"
)

// A ContextSpec declares a context: the objects of one Go type, on which the
// commands named "Name/..." run. T is that type, mostly a pointer to a struct.
type ContextSpec[T any] struct {
	// Name is the context's name, as in "ChatRoom/add_user".
	Name string
	// Bases are the contexts whose commands it inherits, in order; "*" is the
	// global one. Its own commands win, then those of earlier bases (FW-142).
	Bases []string
	// Parent returns the object above one, nil for none. A command that a
	// context does not have is looked for in its parents (FW-129).
	Parent func(object T) any
	// DisplayName is what people are shown of an object; its context's name if
	// nil.
	DisplayName func(object T) string
	// EnteredBy are the commands that lead into the context, for hints
	// (FW-120).
	EnteredBy []string
	// Save and Restore keep an object with a stored session: Save writes it as
	// JSON, Restore finds or makes it again. Without them a session that holds
	// such an object cannot be stored.
	Save    func(object T) (json.RawMessage, error)
	Restore func(ctx context.Context, s *Session, state json.RawMessage) (T, error)
}

// A Context is a declared context. It is immutable and safe to share.
type Context struct {
	name      string
	bases     []string
	enteredBy []string
	goType    reflect.Type
	parent    func(any) any
	display   func(any) string
	save      func(any) (json.RawMessage, error)
	restore   func(context.Context, *Session, json.RawMessage) (any, error)
}

// DefineContext declares a context. Mistakes in it are reported by New.
func DefineContext[T any](spec ContextSpec[T]) *Context {
	c := &Context{name: spec.Name, bases: spec.Bases, enteredBy: spec.EnteredBy, goType: reflect.TypeFor[T]()}
	if spec.Parent != nil {
		c.parent = func(o any) any { return spec.Parent(o.(T)) }
	}
	if spec.DisplayName != nil {
		c.display = func(o any) string { return spec.DisplayName(o.(T)) }
	}
	if spec.Save != nil {
		c.save = func(o any) (json.RawMessage, error) { return spec.Save(o.(T)) }
	}
	if spec.Restore != nil {
		c.restore = func(ctx context.Context, s *Session, state json.RawMessage) (any, error) {
			return spec.Restore(ctx, s, state)
		}
	}
	return c
}

// room is a context as a workflow knows it: what can be called in it.
type room struct {
	*Context                   // nil for the global context and for one that only commands name
	name     string            // "*" for the global context
	commands map[string]*entry // by simple name, lower case; inherited ones included
	sorted   []*entry          // by simple name
}

func (r *room) label() string {
	if r.name == globalName {
		return globalLabel
	}
	return r.name
}

// ReadInheritance reads context_inheritance_model.json: for each context the
// bases whose commands it inherits (FW-140). The error names what is wrong
// (FW-141).
func ReadInheritance(text []byte) (map[string][]string, error) {
	doc, fault := jsontree.Parse(string(text), jsontree.Limits{}, nil)
	if fault != nil {
		return nil, fmt.Errorf("command: the inheritance model cannot be read: %w", fault)
	}
	if doc.Root.Kind != jsontree.Object {
		return nil, errors.New("command: the inheritance model must be an object")
	}
	model := map[string][]string{}
	for i := range doc.Root.Members {
		m := &doc.Root.Members[i]
		if m.Value.Kind != jsontree.Object {
			return nil, fmt.Errorf("command: inheritance of %s: the value must be an object with a list under base", m.Name)
		}
		if m.Value.Get("/") != nil {
			return nil, fmt.Errorf("command: inheritance of %s: the key / is not allowed; list the bases under base", m.Name)
		}
		base := m.Value.Get("base")
		if base == nil || base.Kind != jsontree.List {
			return nil, fmt.Errorf("command: inheritance of %s: base must be a list of names", m.Name)
		}
		bases := []string{}
		for k := range base.Items {
			if base.Items[k].Kind != jsontree.String {
				return nil, fmt.Errorf("command: inheritance of %s: base must be a list of names", m.Name)
			}
			bases = append(bases, base.Items[k].Text)
		}
		model[m.Name] = bases
	}
	return model, nil
}

// house makes the rooms of a workflow: contexts with their effective commands.
func (w *Workflow) house(o Options) []error {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	w.global = &room{name: globalName}
	w.rooms = map[string]*room{globalName: w.global}
	w.byType = map[reflect.Type]*room{}
	for i, c := range o.Contexts {
		switch {
		case c == nil:
			fail("context %d of the list is nil", i+1)
			continue
		case !validWord(c.name):
			fail("context %q: the name is not letters, digits, _, - and . (FW-1)", c.name)
			continue
		case w.rooms[c.name] != nil:
			fail("context %s: it is declared twice", c.name)
			continue
		case w.byType[c.goType] != nil:
			fail("context %s: objects of type %s are already in the context %s", c.name, c.goType, w.byType[c.goType].name)
			continue
		}
		for _, name := range c.enteredBy {
			if !w.has(name) {
				fail("context %s: EnteredBy names %q, which is no command of this workflow", c.name, name)
			}
		}
		r := &room{Context: c, name: c.name}
		w.rooms[c.name], w.byType[c.goType] = r, r
	}
	own := map[string][]*entry{}
	for _, e := range w.commands {
		name := e.context
		if name == "" {
			name = globalName
		}
		if w.rooms[name] == nil {
			w.rooms[name] = &room{name: name}
		}
		own[name] = append(own[name], e)
	}
	bases := map[string][]string{}
	for name, r := range w.rooms {
		if r.Context != nil {
			bases[name] = r.bases
		}
	}
	for name, list := range o.Inheritance {
		if w.rooms[name] == nil {
			w.rooms[name] = &room{name: name}
		}
		bases[name] = append(append([]string(nil), bases[name]...), list...)
	}
	for _, name := range sortedKeys(bases) {
		for _, base := range bases[name] {
			if w.rooms[base] == nil {
				fail("context %s: its base %q is no context (FW-141)", name, base)
			}
		}
	}
	if cycle := findCycle(bases); cycle != nil {
		fail("Inheritance cycle detected: %s", strings.Join(cycle, " -> "))
		return errs
	}
	for _, name := range sortedKeys(w.rooms) {
		r := w.rooms[name]
		r.commands = map[string]*entry{}
		collect(r, name, own, bases)
		if len(r.commands) == 0 && name != globalName {
			fail("context %s: it has neither commands nor bases with commands (FW-141)", name)
		}
		for simple := range r.commands {
			if core[simple] != nil {
				fail("command %s: the name belongs to a built-in command (FW-146)", r.commands[simple].name)
			}
		}
		for _, simple := range sortedKeys(r.commands) {
			r.sorted = append(r.sorted, r.commands[simple])
		}
	}
	return errs
}

// collect adds the commands of a context and then those of its bases, depth
// first; a simple name that is there already is not replaced (FW-142).
func collect(r *room, name string, own map[string][]*entry, bases map[string][]string) {
	for _, e := range own[name] {
		key := strings.ToLower(e.simple)
		if _, have := r.commands[key]; !have {
			r.commands[key] = e
		}
	}
	for _, base := range bases[name] {
		collect(r, base, own, bases)
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

// findCycle returns a path of names that leads back to its start.
func findCycle(next map[string][]string) []string {
	const visiting, done = 1, 2
	state := map[string]int{}
	var path []string
	var walk func(name string) []string
	walk = func(name string) []string {
		switch state[name] {
		case done:
			return nil
		case visiting:
			for i, p := range path {
				if p == name {
					return append(append([]string(nil), path[i:]...), name)
				}
			}
		}
		state[name] = visiting
		path = append(path, name)
		for _, n := range next[name] {
			if cycle := walk(n); cycle != nil {
				return cycle
			}
		}
		path = path[:len(path)-1]
		state[name] = done
		return nil
	}
	for _, name := range sortedKeys(next) {
		if cycle := walk(name); cycle != nil {
			return cycle
		}
	}
	return nil
}

// Storable reports, as an error that names them, contexts whose objects cannot
// be kept with a session: a session that holds one cannot be stored.
func (w *Workflow) Storable() error {
	var names []string
	for _, name := range sortedKeys(w.rooms) {
		if c := w.rooms[name].Context; c != nil && (c.save == nil || c.restore == nil) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return fmt.Errorf("command: sessions cannot be stored while they hold an object of the context %s: its ContextSpec needs Save and Restore", strings.Join(names, ", "))
}

// roomOf returns the room of an object; nil objects are in the global one.
func (w *Workflow) roomOf(object any) *room {
	if object == nil {
		return w.global
	}
	return w.byType[reflect.TypeOf(object)]
}

// displayOf is what people are shown of an object (FW-138).
func (w *Workflow) displayOf(object any) string {
	r := w.roomOf(object)
	if r.Context != nil && r.display != nil {
		return r.display(object)
	}
	return r.label()
}

// mostParents bounds the walk to parents (FW-130).
const mostParents = 64

// place is an object on the way from the current one to the root, with its
// room. A nil object is the global context.
type place struct {
	object any
	room   *room
}

// chain lists the places whose commands a call may mean: the current object,
// its parent, and so on. It ends at the root object, where there is one, and
// at the global context otherwise; a walk that comes back to an object it has
// seen ends too (FW-129, FW-130).
func (s *Session) chain() []place {
	w := s.workflow
	var places []place
	object := s.current
	for range mostParents {
		r := w.roomOf(object)
		if r == nil || seen(places, object) {
			return places
		}
		places = append(places, place{object, r})
		if object == nil || s.root != nil && same(object, s.root) {
			return places
		}
		var above any
		if r.Context != nil && r.parent != nil {
			above = r.parent(object)
		}
		if isNil(above) {
			above = nil
		}
		object = above
	}
	return places
}

func seen(places []place, object any) bool {
	for _, p := range places {
		if same(p.object, object) {
			return true
		}
	}
	return false
}

// same compares objects where Go can compare them.
func same(a, b any) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	ta := reflect.TypeOf(a)
	return ta == reflect.TypeOf(b) && ta.Comparable() && a == b
}

func isNil(v any) bool {
	if v == nil {
		return true
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface, reflect.Func, reflect.Chan:
		return r.IsNil()
	}
	return false
}
