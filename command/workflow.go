package command

import (
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"sort"
	"strings"
	"time"

	"github.com/fwgo/fwgo/signature"
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
	// Contexts are the contexts that commands named "Context/..." belong to
	// (section 6). One that only commands name needs no declaration, but then
	// no object can be in it.
	Contexts []*Context
	// Inheritance adds bases to contexts, as ReadInheritance reads them from
	// context_inheritance_model.json.
	Inheritance map[string][]string
	// Router chooses commands for messages that begin with no command's name.
	Router Router
	// Extractor reads the parameters out of texts that cannot be bound beyond
	// doubt; without one such a text is answered with how to write the call.
	Extractor Extractor
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
	byName   map[string]*entry // qualified names, lower case
	rooms    map[string]*room  // contexts by name; "*" is the global one
	global   *room
	byType   map[reflect.Type]*room
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
	if o.MaxBytes < 0 || o.MaxDepth < 0 {
		errs = append(errs, fmt.Errorf("options: MaxBytes %d and MaxDepth %d: a bound below 0 would refuse every call; 0 is the default", o.MaxBytes, o.MaxDepth))
	}
	for i, c := range commands {
		if c == nil {
			errs = append(errs, fmt.Errorf("command %d of the list is nil", i+1))
			continue
		}
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
	}
	sort.Slice(w.commands, func(i, j int) bool { return w.commands[i].name < w.commands[j].name })
	errs = append(errs, w.house(o)...)
	for _, e := range w.commands {
		if e.sig.GoType() != nil {
			errs = append(errs, w.producers(e.name, "", e.sig.Root())...)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return w, nil
}

// producers returns the mistakes in the available_from of a type's fields, and
// of those below them.
func (w *Workflow) producers(command, path string, t *signature.Type) (errs []error) {
	if t == nil {
		return nil
	}
	for _, f := range t.Fields {
		at := path + f.Name
		for _, producer := range f.AvailableFrom {
			if !w.has(producer) {
				errs = append(errs, fmt.Errorf("command %s: field %s: available_from names %q, which is no command of this workflow", command, at, producer))
			}
		}
		errs = append(errs, w.producers(command, at+".", f.Type)...)
	}
	errs = append(errs, w.producers(command, path, t.Items)...)
	errs = append(errs, w.producers(command, path, t.Rest)...)
	for _, member := range t.Members {
		errs = append(errs, w.producers(command, path, member)...)
	}
	return errs
}

// has reports whether a command of the workflow, or a built-in one, has a name
// that an author wrote in a hint.
func (w *Workflow) has(name string) bool { return w.Command(name) != nil || core[name] != nil }

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
	name = strings.ToLower(name)
	if e := w.byName[name]; e != nil {
		return e.Command
	}
	name = strings.ReplaceAll(name, "__", "/")
	if e := w.byName[name]; e != nil {
		return e.Command
	}
	var found *Command
	for _, e := range w.commands {
		if strings.ToLower(e.simple) == name {
			if found != nil {
				return nil
			}
			found = e.Command
		}
	}
	return found
}
