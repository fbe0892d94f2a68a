package validate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/fwgo/fwgo/internal/guard"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/signature"
)

// A Resolution records what stage 3 made of one value (FW-98).
type Resolution struct {
	Field       string         `json:"field"`
	Input       string         `json:"input_value"`
	Outcome     lookup.Verdict `json:"outcome"`
	Corrected   *string        `json:"corrected_value"`
	Changed     bool           `json:"corrected"`
	Suggestions []string       `json:"suggestions"`
}

// A look says where in a value a key is looked up: the value itself, or what
// its members hold. A list is looked up item by item (FW-72).
type look struct {
	field    *signature.Field
	resolver lookup.Resolver
	members  map[string]*look
}

// lookOf returns where in a field at a path values are looked up, nil for
// nowhere.
func (v *Validator) lookOf(f *signature.Field, path string) (*look, error) {
	l := &look{field: f, resolver: v.options.Resolvers[path]}
	if function, ok := l.resolver.(lookup.ResolverFunc); ok && function == nil {
		return nil, fmt.Errorf("validate: field %s: its resolver is a nil ResolverFunc (FW-73)", path)
	}
	switch {
	case l.resolver != nil && !f.DBLookup:
		return nil, fmt.Errorf("validate: field %s has a resolver but does not declare db_lookup (FW-71); write jsonschema_extras:\"db_lookup=true\" at the field", path)
	case l.resolver == nil && f.DBLookup && f.Keys == nil:
		return nil, fmt.Errorf("validate: field %s declares db_lookup but has no resolver (FW-73); give one as Resolvers[%q]", path, path)
	case l.resolver == nil && f.DBLookup:
		l.resolver = lookup.From(lookup.Static(path, f.Keys...), lookup.Options{})
	}
	t := f.Type
	for t.Kind == signature.List && t.Items != nil {
		if hidesLookup(t.Prefix...) {
			return nil, fmt.Errorf("validate: field %s: db_lookup in a tuple is not supported (FW-72)", path)
		}
		t = t.Items
	}
	if hidesLookup(t.Rest) || hidesLookup(t.Members...) {
		return nil, fmt.Errorf("validate: field %s: db_lookup in a union or a map is not supported (FW-72)", path)
	}
	for _, member := range t.Fields {
		m, err := v.lookOf(member, path+"."+member.Name)
		if err != nil {
			return nil, err
		}
		if m != nil {
			if l.members == nil {
				l.members = map[string]*look{}
			}
			l.members[member.Name] = m
		}
	}
	if l.resolver == nil && l.members == nil {
		return nil, nil
	}
	return l, nil
}

// looksUp reports whether the values at a path are looked up.
func (v *Validator) looksUp(path string) bool {
	name, rest, nested := strings.Cut(path, ".")
	at := v.sig.Root().Field(name)
	if at < 0 || v.sig.Fields()[at].Name != name {
		return false
	}
	l := v.looks[at]
	for nested && l != nil {
		name, rest, nested = strings.Cut(rest, ".")
		l = l.members[name]
	}
	return l != nil && l.resolver != nil
}

// hidesLookup reports whether a field declares db_lookup where values are not
// looked up.
func hidesLookup(types ...*signature.Type) bool {
	for _, t := range types {
		if t == nil {
			continue
		}
		for _, f := range t.Fields {
			if f.DBLookup || hidesLookup(f.Type) {
				return true
			}
		}
		if hidesLookup(t.Items, t.Rest) || hidesLookup(t.Prefix...) || hidesLookup(t.Members...) {
			return true
		}
	}
	return false
}

// Resolve is stage 3: the values of fields that declare db_lookup are looked
// up in live data. A resolver that fails is a problem of its own, never a pass
// (FW-74).
func (c *Values) Resolve(ctx context.Context) []Problem {
	for i, l := range c.v.looks {
		s := &c.slots[i]
		if l == nil || s.state != isSet || s.failed {
			continue
		}
		if c.overtime != nil {
			break // the context is over, and the resolver that outlived it still runs
		}
		value, before := s.value, len(c.found)
		if value.Kind == jsontree.List || value.Kind == jsontree.Object {
			value = c.copyOf(&value)
		}
		c.push(l.field.Name)
		changed := c.look(ctx, l, &value)
		if len(c.found) == before && s.raw != nil && s.raw.Kind == jsontree.String && merges(&s.value, &value) {
			// A name was parted at its own comma, and both halves found it.
			c.refuse(WrongType, l.field.Type, s.raw)
		}
		c.pop()
		if len(c.found) > before {
			s.failed = true
			continue
		}
		if changed {
			s.value = value
			if err := c.input.Set(i, &s.value); err != nil {
				c.unusable(ctx, l.field, l.field.Name, s.raw, &s.value)
				s.failed = true
			}
		}
	}
	return c.take()
}

// look looks up what a value holds, in place, and reports whether it became
// another.
func (c *Values) look(ctx context.Context, l *look, v *jsontree.Value) (changed bool) {
	switch {
	case c.overtime != nil || len(c.found) > mostProblems:
		return false
	case v.Kind == jsontree.List:
		for k := range v.Items {
			c.pushItem(k)
			changed = c.look(ctx, l, &v.Items[k]) || changed
			c.pop()
		}
		if changed && l.resolver != nil && l.field.Type.Unique && len(c.found) == 0 {
			c.unique(l.field.Type, v) // two spellings may have become one key
		}
	case l.resolver != nil:
		return c.resolve(ctx, l, v)
	case v.Kind == jsontree.Object:
		for k := range v.Members {
			m := &v.Members[k]
			if inner := l.members[m.Name]; inner != nil {
				c.push(m.Name)
				changed = c.look(ctx, inner, &m.Value) || changed
				c.pop()
			}
		}
	}
	if changed {
		v.Raw = ""
	}
	return changed
}

// merges reports whether two different items became one.
func merges(before, after *jsontree.Value) bool {
	if after.Kind != jsontree.List || before.Kind != jsontree.List {
		return false
	}
	from := make(map[string]string, len(after.Items))
	for i := range after.Items {
		given, answer := before.Items[i].Text, after.Items[i].Text
		if have, ok := from[answer]; ok && have != given {
			return true
		}
		from[answer] = given
	}
	return false
}

// A lookTask is one question to a resolver. Only it touches its results until
// the resolver has returned.
type lookTask struct {
	ctx      context.Context
	resolver lookup.Resolver
	text     string
	result   lookup.Result
	err      error
}

// Do asks.
func (t *lookTask) Do() { t.result, t.err = t.resolver.Resolve(t.ctx, t.text) }

// resolve looks up one value and reports whether it became another.
func (c *Values) resolve(ctx context.Context, l *look, v *jsontree.Value) bool {
	f, text := l.field, v.Text
	switch v.Kind {
	case jsontree.String:
	case jsontree.Number:
		text = v.JSON()
	default:
		return false // null, or a shape that no key has
	}
	task := c.looking
	if task == nil {
		task = new(lookTask)
	}
	c.looking = nil
	task.ctx, task.resolver, task.text = ctx, l.resolver, text
	outcome := guard.RunTask(ctx, task)
	var result lookup.Result
	var failure error
	if outcome.OK() { // else code that still runs may yet write to the task
		result, failure = task.result, task.err
		*task = lookTask{}
		c.looking = task
		if failure == nil && (result.Verdict < lookup.Applied || result.Verdict > lookup.Declined) {
			failure = errNoVerdict
		}
		if failure == nil && result.Verdict == lookup.Applied && result.Match == "" && text != "" {
			failure = errNoMatch // the value would be lost
		}
	}
	if !outcome.OK() || failure != nil {
		c.overran(&outcome)
		c.v.logResolver(ctx, f.Name, &outcome, failure)
		c.add(Problem{Kind: LookupUnavailable, Field: c.at(), Got: got(v)})
		return false
	}
	offered := shown(result.Suggestions, len(result.Suggestions))
	record := Resolution{Field: f.Name, Input: quote.Bare(text, longestShown), Outcome: result.Verdict, Suggestions: offered}
	switch result.Verdict {
	case lookup.Applied:
		match := result.Match
		record.Corrected, record.Changed = &match, match != text
	case lookup.Rejected:
		c.add(Problem{Kind: NotFound, Field: c.at(), Got: got(v), Accepted: f.Type.Accepted(), Nearest: slices.Clone(offered[:min(len(offered), mostNearest)]), Sample: result.Sample,
			More: result.More + max(0, len(offered)-mostNearest), AvailableFrom: f.AvailableFrom})
	}
	c.lookups = append(c.lookups, record)
	if !record.Changed {
		return false
	}
	if v.Kind == jsontree.Number {
		answer, t := jsontree.Text(result.Match), f.Type
		for t != nil && t.Kind == signature.List {
			t = t.Items
		}
		if t != nil && !c.try(t, &answer) {
			c.unusable(ctx, f, c.at(), v, &answer)
			return false
		}
		*v = answer
		return true
	}
	*v = jsontree.Text(result.Match)
	return true
}

// unusable reports an answer that the field cannot hold: the resolver's fault,
// so the caller is not told to correct anything (FW-74).
func (c *Values) unusable(ctx context.Context, f *signature.Field, path string, v, answer *jsontree.Value) {
	c.v.log().ErrorContext(ctx, "resolver's answer does not fit the field", "field", f.Name, "answer", got(answer))
	c.add(Problem{Kind: LookupUnavailable, Field: path, Got: got(v)})
}

// errNoVerdict is what the log says of a result that nobody filled in.
var errNoVerdict = errors.New("the result is neither applied, rejected nor declined")

// errNoMatch is what the log says of an answer without the key that was meant.
var errNoMatch = errors.New("the result is applied, but its Match is empty")

// overran remembers code that still runs, so that nobody takes its session
// for free.
func (c *Values) overran(o *guard.Outcome) {
	if o.Overtime && c.overtime == nil {
		c.overtime = o.Finished
	}
}

// shown quotes keys for a message, at most n of them.
func shown(keys []string, n int) []string {
	out := make([]string, min(len(keys), n))
	var few [512]byte
	all, ends := few[:0], make([]int, 0, 8)
	for i := range out {
		all = quote.Append(all, keys[i], longestShown)
		ends = append(ends, len(all))
	}
	text, at := string(all), 0 // one for all
	for i, end := range ends {
		out[i], at = text[at:end], end
	}
	return out
}

func (v *Validator) logResolver(ctx context.Context, field string, o *guard.Outcome, err error) {
	log := v.log()
	switch {
	case o.Panic != "":
		log.Log(ctx, LevelCritical, "resolver panicked", "field", field, "panic", o.Panic, "stack", string(o.Stack))
	case o.Overtime:
		log.ErrorContext(ctx, "resolver did not return in time", "field", field)
	default:
		log.ErrorContext(ctx, "resolver failed", "field", field, "error", err)
	}
}

// LevelCritical is the level of a panic in an author's code (D-9): above
// slog's own errors, which a caller may cause.
const LevelCritical = slog.LevelError + 4
