package command

import (
	"context"
	"strings"

	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/validate"
)

// A Router chooses commands for a message that begins with no command's name:
// an intent model of the workflow's own. Without one such a message is
// answered with the names there are.
type Router interface {
	// Route returns the names among the candidates that the message may mean:
	// one to run it, several to ask which, none if it means none of them.
	Route(ctx context.Context, message string, candidates []string) (names []string, err error)
}

// target is what a name means for a session: a command and the object that it
// runs on, or where else commands of the name live.
type target struct {
	entry     *entry
	object    any
	elsewhere []*entry
}

// longestName bounds what is looked up as a name.
const longestName = 200

// find looks a name up, simple or qualified, case ignored, in the current
// context and then in its parents (FW-116, FW-120, FW-121, FW-129). The
// qualified name of a global command is that of its context as any other's:
// "*/name" is never a context's own command of the name.
func (s *Session) find(name string) target {
	if len(name) > longestName {
		return target{}
	}
	w := s.workflow
	if s.current == nil {
		if e := w.global.commands[name]; e != nil && !strings.Contains(name, "__") {
			return target{entry: e}
		}
	}
	name = strings.ToLower(name)
	if tool := strings.ReplaceAll(name, "__", "/"); tool != name { // the form that tool names have (FW-162)
		// A command whose own name has __ is not to be hidden by that.
		if t := s.named(name); t.entry != nil {
			return t
		}
		name = tool
	}
	return s.named(name)
}

// named is find for a name in lower case with / after its context.
func (s *Session) named(name string) target {
	w := s.workflow
	_, simple := splitName(name)
	qualified := simple != name
	for _, p := range s.chain() {
		if e := p.room.commands[simple]; e != nil && (!qualified || e.isNamed(name)) {
			return target{entry: e, object: p.object}
		}
	}
	if qualified {
		if e := w.byName[strings.TrimPrefix(name, globalName+"/")]; e != nil && e.isNamed(name) {
			return target{elsewhere: []*entry{e}}
		}
		return target{}
	}
	var t target
	for _, key := range sortedKeys(w.rooms) {
		if e := w.rooms[key].commands[simple]; e != nil && !contains(t.elsewhere, e) {
			t.elsewhere = append(t.elsewhere, e)
		}
	}
	return t
}

// isNamed reports whether a qualified name in lower case is the command's.
func (e *entry) isNamed(name string) bool {
	if global, ok := strings.CutPrefix(name, globalName+"/"); ok {
		return e.context == "" && strings.ToLower(e.name) == global
	}
	return strings.ToLower(e.name) == name
}

func contains(list []*entry, e *entry) bool {
	for _, have := range list {
		if have == e {
			return true
		}
	}
	return false
}

// callable lists the commands that the session can call now, nearest context
// first, each simple name once.
func (s *Session) callable() []*entry {
	var list []*entry
	have := map[string]bool{}
	for _, p := range s.chain() {
		for _, e := range p.room.sorted {
			if key := strings.ToLower(e.simple); !have[key] {
				have[key] = true
				list = append(list, e)
			}
		}
	}
	return list
}

// Callable returns the commands that the session can call now, nearest context
// first, each simple name once. Built-in commands are not among them.
func (s *Session) Callable() []*Command {
	var list []*Command
	for _, e := range s.callable() {
		list = append(list, e.Command)
	}
	return list
}

// unknown refuses a name that means nothing here: with where it lives, if some
// other context has it, else with the nearest names.
func (c *call) unknown(name string, elsewhere []*entry) (nearest []string) {
	s := c.session
	if len(elsewhere) > 0 {
		c.stop(validate.StageBind, c.notHere(name, elsewhere))
		return nil
	}
	var names []string
	for _, e := range s.callable() {
		names = append(names, e.simple)
	}
	r := lookup.Match(name, names, lookup.Options{Open: true, SuggestThreshold: new(0.4)})
	nearest = r.Suggestions[:min(len(r.Suggestions), 3)]
	if r.Verdict == lookup.Applied {
		nearest = []string{r.Match}
	}
	c.stop(validate.StageBind, validate.Problem{Kind: validate.UnknownCommand, Got: quote.Text(name, 60), Nearest: nearest, Accepted: validate.Names(names)})
	return nearest
}

// notHere says where a command lives that cannot be called from the current
// context, and how to get there (FW-120).
func (c *call) notHere(name string, elsewhere []*entry) validate.Problem {
	w := c.session.workflow
	p := validate.Problem{Kind: validate.NotCallableHere, Got: quote.Text(name, 60)}
	var owners []string
	for _, e := range elsewhere {
		owner := e.context
		if owner == "" {
			owner = globalName
		}
		r := w.rooms[owner]
		owners = append(owners, r.label())
		if r.Context != nil {
			p.AvailableFrom = append(p.AvailableFrom, r.enteredBy...)
		}
	}
	p.Accepted = validate.Names(owners)
	p.Text = w.displayOf(c.session.current)
	return p
}
