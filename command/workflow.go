package command

import (
	"errors"
	"fmt"
	"log/slog"
	"sort"
	"strings"
	"time"

	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/validate"
)

// Options are what holds for every command of a workflow. The zero value of
// each is its default.
type Options struct {
	// Name is the workflow's name, which its answers carry.
	Name string
	// Collect reports the problems of stages 1 to 3 in one message, rather
	// than those of the first stage that has any (D-1).
	Collect bool
	// IgnoreNames are parameter names that a client adds to every call and
	// that are dropped without a word (D-4).
	IgnoreNames []string
	// MaxBytes is the longest call, 0 for 16 MiB.
	MaxBytes int
	// MaxDepth is the deepest nesting of arguments, 0 for 512.
	MaxDepth int
	// Timeout ends a call's context, 0 for none beside the caller's own.
	Timeout time.Duration
	// Logger receives what authors must know: panics at validate.LevelCritical,
	// failed bodies and resolvers. nil means slog.Default().
	Logger *slog.Logger
}

// DefaultMaxBytes is the longest call accepted when Options say nothing.
const DefaultMaxBytes = 16 << 20

// A Workflow is a set of commands. It is immutable and safe to share.
type Workflow struct {
	options  Options
	commands []*entry
	byName   map[string]*entry // qualified and unambiguous simple names, lower case
	names    []string
}

// entry is a command as one workflow runs it.
type entry struct {
	*Command
	validator *validate.Validator
}

// New joins commands to a workflow. The error names every author mistake in
// them at once, with command, field and rule.
func New(o Options, commands ...*Command) (*Workflow, error) {
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	w := &Workflow{options: o, byName: map[string]*entry{}}
	var errs []error
	simple := map[string][]*entry{}
	for _, c := range commands {
		fail := func(err error) { errs = append(errs, fmt.Errorf("command %s: %w", c.name, err)) }
		if c.err != nil {
			fail(c.err)
			continue
		}
		v, err := c.validator(o)
		if err != nil {
			fail(err)
			continue
		}
		e := &entry{Command: c, validator: v}
		key := strings.ToLower(c.name)
		if _, taken := w.byName[key]; taken {
			fail(errors.New("the name is taken by another command of the workflow; names differ in more than case"))
			continue
		}
		w.byName[key] = e
		w.commands = append(w.commands, e)
		if c.context != "" {
			simple[strings.ToLower(c.simple)] = append(simple[strings.ToLower(c.simple)], e)
		}
	}
	for name, owners := range simple {
		if _, taken := w.byName[name]; !taken && len(owners) == 1 {
			w.byName[name] = owners[0]
		}
	}
	sort.Slice(w.commands, func(i, j int) bool { return w.commands[i].name < w.commands[j].name })
	for _, e := range w.commands {
		w.names = append(w.names, e.name)
		for _, f := range e.sig.Fields() {
			for _, producer := range f.AvailableFrom {
				if _, ok := w.byName[strings.ToLower(producer)]; !ok && e.sig.GoType() != nil {
					errs = append(errs, fmt.Errorf("command %s: field %s: available_from names %q, which is no command of this workflow", e.name, f.Name, producer))
				}
			}
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return w, nil
}

// MustNew is New for programs whose commands are fixed: it panics with the
// author mistakes, before any call is served.
func MustNew(o Options, commands ...*Command) *Workflow {
	w, err := New(o, commands...)
	if err != nil {
		panic("command: " + err.Error())
	}
	return w
}

// Name returns the workflow's name.
func (w *Workflow) Name() string { return w.options.Name }

// Commands returns the commands sorted by qualified name.
func (w *Workflow) Commands() []*Command {
	out := make([]*Command, len(w.commands))
	for i, e := range w.commands {
		out[i] = e.Command
	}
	return out
}

// Command returns the command of the qualified name, or of the simple name
// where that is unambiguous, case ignored; nil if there is none.
func (w *Workflow) Command(name string) *Command {
	if e := w.find(name); e != nil {
		return e.Command
	}
	return nil
}

func (w *Workflow) find(name string) *entry {
	if e, ok := w.byName[name]; ok {
		return e
	}
	if len(name) > 200 {
		return nil
	}
	return w.byName[strings.ToLower(name)]
}

// nearest offers the names nearest to one that no command has.
func (w *Workflow) nearest(name string) []string {
	r := lookup.Match(name, w.names, lookup.Options{Open: true, SuggestThreshold: new(0.4)})
	if r.Verdict == lookup.Applied {
		return []string{r.Match}
	}
	return r.Suggestions[:min(len(r.Suggestions), 3)]
}
