package validate

import (
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/signature"
)

// state is one of the three things a field can be (D-2).
type state uint8

const (
	notSet state = iota
	isNull
	isSet
)

// slot is one field of a call.
type slot struct {
	state  state
	failed bool
	raw    *jsontree.Value // as it arrived, for messages; nil if it was not given
	value  jsontree.Value  // as the body will see it
}

// Values are the parameters of one call on their way through the stages.
// They belong to one goroutine. Get them from Validator.Begin, give them
// back with Release.
type Values struct {
	v       *Validator
	slots   []slot
	input   signature.Input
	arena   jsontree.Arena
	path    []step
	quiet   int // above 0: a trial whose problems are not reported
	found   []Problem
	room    []Problem         // memory for found, of stages whose problems are copied
	pending []Problem         // missing inside nested objects, reported by Require
	extras  []jsontree.Member // members of any name, which an open schema allows
	lookups []Resolution
	given   []jsontree.Member // the arguments as Load got them
	unknown int               // names beyond mostProblems

	overtime <-chan struct{}

	looking *lookTask // memory for the next question to a resolver
	direct  reading   // of arguments that need nothing, see Direct
}

// step is one level of the path to a nested value.
type step struct {
	name    string
	index   int  // -1 for a member
	foreign bool // the name is the caller's, not declared
}

// Arena returns the memory that the call's tree may use.
func (c *Values) Arena() *jsontree.Arena { return &c.arena }

// Input returns what the body will read: a pointer to the command's struct,
// or a *signature.Record.
func (c *Values) Input() any { return c.input.Value() }

// Load takes the raw arguments, an object that normalization is done with,
// and sorts its members to the fields. Names that no field has are problems
// of stage 1.
func (c *Values) Load(args *jsontree.Value) {
	c.given = args.Members
	root := c.v.sig.Root()
	fields := root.Fields
	next := 0
	for i := range args.Members {
		m := &args.Members[i]
		at := -1
		if next < len(fields) && fields[next].Name == m.Name {
			at = next // members mostly come in declared order
		} else {
			at = root.Field(m.Name)
		}
		if at < 0 {
			c.stranger(m)
			continue
		}
		s := &c.slots[at]
		if s.raw != nil && !admitsNull(fields[at].Type) {
			// Null says that this name of the two gives nothing.
			switch {
			case m.Value.Kind == jsontree.Null:
				continue
			case s.raw.Kind == jsontree.Null:
				s.raw = nil
			}
		}
		if s.raw != nil {
			c.add(Problem{Kind: GivenTwice, Field: fields[at].Name, Text: m.Name})
			s.failed = true
			continue
		}
		s.raw = &m.Value
		next = at + 1
	}
	if c.unknown > 0 {
		c.add(Problem{Kind: UnknownName, Field: quote.Count(c.unknown) + " more names", Accepted: c.v.names})
	}
}

// stranger deals with a name that is no field's: refused with the nearest
// declared name, unless the workflow ignores it or the schema is open (D-4).
func (c *Values) stranger(m *jsontree.Member) {
	if c.v.ignored[m.Name] {
		return
	}
	root := c.v.sig.Root()
	if root.Open {
		value := m.Value
		if root.Rest == nil || c.further(root.Rest, &value, m.Name) {
			c.extras = append(c.extras, jsontree.Member{Name: m.Name, Value: value})
		}
		return
	}
	if len(c.found) >= mostProblems-1 { // room for the line that counts the rest
		c.unknown++
		return
	}
	c.add(Problem{Kind: UnknownName, Field: quote.Bare(m.Name, longestShown), Nearest: c.v.nearestNames(m.Name), Accepted: c.v.names})
}

// nearestNames offers the declared names nearest to one that is not.
func (v *Validator) nearestNames(name string) []string { return nearestOf(name, v.declaredKeys) }

func (c *Values) add(p Problem) {
	if c.found == nil {
		c.found, c.room = c.room, nil
	}
	c.found = append(c.found, p)
}

// take returns the problems found since the last time.
func (c *Values) take() []Problem {
	found := c.found
	c.found = nil
	return found
}

// at writes the path of the value being read.
func (c *Values) at() string {
	path := ""
	for _, s := range c.path {
		switch {
		case s.index >= 0:
			path = jsontree.ItemPath(path, s.index)
		case !s.foreign:
			path = jsontree.MemberPath(path, s.name)
		case path == "":
			path = quote.Bare(s.name, longestShown)
		case quote.Bare(s.name, longestShown) == s.name:
			path = jsontree.MemberPath(path, s.name)
		default:
			path += "[" + quote.Text(s.name, longestShown) + "]"
		}
	}
	return path
}

func (c *Values) push(name string) { c.path = append(c.path, step{name: name, index: -1}) }
func (c *Values) pushKey(key string) {
	c.path = append(c.path, step{name: key, index: -1, foreign: true})
}
func (c *Values) pushItem(i int)     { c.path = append(c.path, step{index: i}) }
func (c *Values) pop()               { c.path = c.path[:len(c.path)-1] }
func (c *Values) topField() string   { return c.path[0].name }
func (c *Values) nested() bool       { return len(c.path) > 1 }
func (c *Values) present(i int) bool { return c.slots[i].state == isSet }

// set reports whether the field of the name was given or has a default.
func (c *Values) set(name string) bool {
	i := c.v.sig.Root().Field(name)
	return i >= 0 && c.slots[i].state == isSet
}

// Given returns the value of a field as the caller gave it, normalized but not
// coerced, and whether there is one. Text that was read as a list or object is
// that.
func (c *Values) Given(field string) (*jsontree.Value, bool) {
	i := c.v.sig.Root().Field(field)
	if i < 0 || c.slots[i].raw == nil {
		return nil, false
	}
	if s := &c.slots[i]; s.raw.Kind == jsontree.String && (s.value.Kind == jsontree.List || s.value.Kind == jsontree.Object) {
		return &s.value, true
	}
	return c.slots[i].raw, true
}

// Further returns the members that no field has, as the caller gave them,
// without those that are ignored.
func (c *Values) Further() []jsontree.Member {
	var out []jsontree.Member
	for _, m := range c.given {
		if c.v.sig.Root().Field(m.Name) < 0 && !c.v.ignored[m.Name] {
			out = append(out, m)
		}
	}
	return out
}

// AppendJSON appends the values as one object in declaration order, then the
// members that an open schema allows beside them: what a body sees, with unset
// fields absent. It is for Signatures made from a
// schema as well as for Go types, before the hook has run.
func (c *Values) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	first := true
	for i, f := range c.v.sig.Fields() {
		if c.slots[i].state == notSet {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = jsontree.AppendString(dst, f.Name)
		dst = append(dst, ':')
		dst = c.slots[i].value.Append(dst)
	}
	for i := range c.extras {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = jsontree.AppendString(dst, c.extras[i].Name)
		dst = append(dst, ':')
		dst = c.extras[i].Value.Append(dst)
	}
	return append(dst, '}')
}

// got describes what arrived, in words a caller recognises: a text in quotes,
// a list or object by its kind and its beginning.
func got(v *jsontree.Value) string {
	switch v.Kind {
	case jsontree.String:
		return quote.Text(v.Text, longestShown)
	case jsontree.List:
		return "a list " + quote.Bare(beginning(v), longestShown)
	case jsontree.Object:
		return "an object (map) " + quote.Bare(beginning(v), longestShown)
	case jsontree.Absent:
		return "nothing"
	}
	return quote.Bare(v.JSON(), longestShown)
}

// beginning returns as much of a value's JSON as a message may show, so that
// describing a huge value costs no more than a small one.
func beginning(v *jsontree.Value) string {
	const enough = 4 * (longestShown + 1)
	if v.Raw != "" {
		return v.Raw[:min(len(v.Raw), enough)]
	}
	switch v.Kind {
	case jsontree.List:
		var b strings.Builder
		b.WriteByte('[')
		for i := range v.Items {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(beginning(&v.Items[i]))
			if b.Len() > enough {
				return b.String()
			}
		}
		return b.String() + "]"
	case jsontree.Object:
		var b strings.Builder
		b.WriteByte('{')
		for i := range v.Members {
			if i > 0 {
				b.WriteString(", ")
			}
			b.Write(jsontree.AppendString(nil, cut(v.Members[i].Name, enough)))
			b.WriteString(": ")
			b.WriteString(beginning(&v.Members[i].Value))
			if b.Len() > enough {
				return b.String()
			}
		}
		return b.String() + "}"
	case jsontree.String:
		return string(jsontree.AppendString(nil, cut(v.Text, enough)))
	}
	return v.JSON()
}

func cut(s string, n int) string { return s[:min(len(s), n)] }
