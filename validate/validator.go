package validate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/signature"
)

// Hook is stage 4: the rules that only the whole call can tell. It receives a
// pointer to the command's struct, or a *signature.Record, may write to it,
// and returns (true, anything) to proceed or (false, message). A line of the
// message that begins with names of parameters and a colon ("begin_date,
// end_date: ...") names the parameters that are wrong.
type Hook func(ctx context.Context, input any) (ok bool, message string)

// Options are what a command adds to its Signature.
type Options struct {
	// Collect runs stages 1 to 3 whatever they find and reports all of it in
	// one message, as the Python does; by default the first stage with
	// problems ends the call (D-1).
	Collect bool
	// Ignore are names that a client adds to every call and that are dropped
	// without a word; every other unknown name is refused (D-4).
	Ignore []string
	// Resolvers answer for the fields that declare db_lookup, by name; for a
	// member of an object, or of the objects in a list, by its path: "to.city".
	// A field with x-keys needs none.
	Resolvers map[string]lookup.Resolver
	// Hook is stage 4, nil for none.
	Hook Hook
	// Command is the command's name, for the log.
	Command string
	// Logger receives panics and failures of resolvers and the hook; nil
	// means slog.Default().
	Logger *slog.Logger
}

// A Validator runs the stages for one command. It is made at registration,
// never changes, and is safe for concurrent use.
type Validator struct {
	sig      *signature.Signature
	options  Options
	looks    []*look // by field, nil for fields without
	ignored  map[string]bool
	declared []string
	// declaredKeys and vocabularies offer the nearest of few words.
	declaredKeys *lookup.Keys
	vocabularies map[*signature.Enum]*lookup.Keys
	commaKeys    map[string]*lookup.Keys // of the fields of which some key has a comma
	names        string
	direct       []directField // by field; nil if no call is read directly
	// looksUpDirect says that a value which was read directly may be looked up.
	looksUpDirect bool
	pool          sync.Pool
}

// New makes the Validator of a signature. The error names every author
// mistake: a field that declares db_lookup and has no resolver, a resolver
// for a field that does not, a default that its own field refuses (D-10).
func New(sig *signature.Signature, o Options) (*Validator, error) {
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	v := &Validator{sig: sig, options: o, ignored: map[string]bool{}, commaKeys: map[string]*lookup.Keys{}}
	for _, name := range o.Ignore {
		if sig.Root().Field(name) >= 0 {
			return nil, fmt.Errorf("validate: parameter %s is declared and cannot be ignored as well (D-4)", name)
		}
		v.ignored[name] = true
	}
	for _, f := range sig.Fields() {
		v.declared = append(v.declared, f.Name)
		l, err := v.lookOf(f, f.Name)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(f.Keys, func(key string) bool { return strings.IndexByte(key, ',') >= 0 }) {
			v.commaKeys[f.Name] = lookup.NewKeys(f.Keys)
		}
		v.looks = append(v.looks, l)
	}
	for name := range o.Resolvers {
		if !v.looksUp(name) {
			return nil, fmt.Errorf("validate: there is a resolver for %q, which is no field; the fields are %s", name, names(v.declared))
		}
	}
	v.names = names(v.declared)
	v.declaredKeys, v.vocabularies = lookup.NewKeys(v.declared), map[*signature.Enum]*lookup.Keys{}
	v.prepare(sig.Root())
	if len(v.declared) == 0 {
		v.names = noParameters
	}
	v.pool.New = func() any {
		n := len(sig.Fields())
		return &Values{v: v, slots: make([]slot, n), direct: reading{given: make([]bool, n)}}
	}
	if err := v.checkDefaults(); err != nil {
		return nil, err
	}
	v.direct = v.directFields()
	return v, nil
}

// checkDefaults finds defaults that their own fields would refuse, or read as
// something else: what a command runs on when a value is left out must be as
// good as one that is given (D-10).
func (v *Validator) checkDefaults() error {
	c := v.Begin()
	defer c.Release()
	var errs []error
	var walk func(t *signature.Type)
	walk = func(t *signature.Type) {
		for _, f := range t.Fields {
			c.push(f.Name)
			if f.HasDefault() {
				have := f.DefaultValue()
				read := have
				if !c.try(f.Type, &read) || string(appendCanonical(nil, &read)) != string(appendCanonical(nil, &have)) {
					errs = append(errs, fmt.Errorf("validate: field %s: the default %s is not a value of the field, which takes %s (D-10)", c.at(), have.JSON(), f.Type.Accepted()))
				}
			}
			walk(f.Type)
			c.pop()
		}
		for _, part := range append(append([]*signature.Type{t.Items, t.Rest}, t.Prefix...), t.Members...) {
			if part != nil {
				walk(part)
			}
		}
	}
	walk(v.sig.Root())
	return errors.Join(errs...)
}

// Inspects reports whether the command has a stage after the second: values
// that are looked up, or a hook.
func (v *Validator) Inspects() bool {
	return v.options.Hook != nil || slices.ContainsFunc(v.looks, func(l *look) bool { return l != nil })
}

// Signature returns the signature the Validator was made for.
func (v *Validator) Signature() *signature.Signature { return v.sig }

// field returns the declared field of the name, nil for a further member of
// an open schema.
func (v *Validator) field(name string) *signature.Field {
	if at := v.sig.Root().Field(name); at >= 0 {
		return v.sig.Fields()[at]
	}
	return nil
}

// log returns the logger with the command's name.
func (v *Validator) log() *slog.Logger { return v.options.Logger.With("command", v.options.Command) }

// Begin returns empty Values for one call.
func (v *Validator) Begin() *Values {
	c := v.pool.Get().(*Values)
	c.input = v.sig.New()
	return c
}

// Release ends the use of the Values. The Input stays valid; nothing else
// that came from them does.
func (c *Values) Release() {
	if !c.direct.done || c.v.looksUpDirect {
		clear(c.slots)
		c.arena.Reset()
		c.path, c.quiet, c.unknown = c.path[:0], 0, 0
		c.found, c.pending, c.extras, c.lookups, c.given = nil, nil, nil, nil, nil
	}
	c.input = signature.Input{}
	c.direct.one, c.direct.done, c.overtime, c.watch = jsontree.Value{}, false, nil, nil
	c.v.pool.Put(c)
}

// Overtime returns a channel that is closed when a resolver or hook which
// outlived its context has returned, nil if none did.
func (c *Values) Overtime() <-chan struct{} { return c.overtime }

// A Report is the outcome of the stages.
type Report struct {
	// Stage is the stage that ended the call, "" if it may run.
	Stage Stage
	// Problems are all that the stage found; with Collect, all that stages 1
	// to 3 found.
	Problems []Problem
}

// OK reports whether the call may run.
func (r *Report) OK() bool { return r.Stage == "" }

// stages are those that Run runs, in their order (D-1).
var stages = [...]Stage{StageCoerce, StageRequire, StageLookup, StageHook}

// Run takes loaded Values through stages 1 to 4 (D-1).
func (c *Values) Run(ctx context.Context) Report {
	c.watch = StagesOf(ctx)
	if c.v.options.Collect && !c.direct.done {
		return c.collect(ctx)
	}
	from := 0
	if c.direct.done && c.watch == nil {
		from = 2 // the direct way has them behind it
	}
	for _, stage := range stages[from:] {
		if p := c.stage(ctx, stage); len(p) > 0 {
			return Report{stage, p}
		}
	}
	return Report{}
}

func (c *Values) collect(ctx context.Context) Report {
	r := Report{}
	for _, stage := range stages[:3] {
		c.gather(&r, stage, c.stage(ctx, stage))
	}
	if r.Stage == "" {
		if r.Problems = c.stage(ctx, StageHook); len(r.Problems) > 0 {
			r.Stage = StageHook
		}
	}
	return r
}

// gather adds the problems of a stage, whose memory serves the next one.
func (c *Values) gather(r *Report, stage Stage, found []Problem) {
	if len(found) == 0 {
		return
	}
	if r.Stage == "" {
		r.Stage, r.Problems = stage, make([]Problem, 0, max(len(found), 4))
	}
	r.Problems = append(r.Problems, found...)
	clear(found[:cap(found)])
	c.room = found[:0]
}

// Require is stage 2: every field that must have a value has one. An empty
// list is none (FW-68, FW-70). It also reports what stage 1 found missing
// inside objects.
func (c *Values) Require() []Problem {
	for i, f := range c.v.sig.Fields() {
		s := &c.slots[i]
		if f.Optional || s.failed {
			continue
		}
		empty := f.Type.Kind == signature.List && s.state == isSet && len(s.value.Items) == 0 && !f.HasDefault()
		if s.state != notSet && !empty {
			continue
		}
		s.failed = true
		p := Problem{Kind: Missing, Field: f.Name, Accepted: f.Type.Accepted(), AvailableFrom: f.AvailableFrom}
		if f.Example() != "" {
			p.Example = quote.Text(f.Example(), longestShown)
		}
		c.add(p)
	}
	c.found = append(c.found, c.pending...)
	c.pending = nil
	return c.take()
}
