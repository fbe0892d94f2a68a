package validate

import (
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/signature"
)

// The direct way is for the call that needs nothing: its arguments are read
// once, from their bytes into the Input, without a tree. It is taken only as
// far as every stage is known to have nothing to say; at the first doubt it
// gives up, and the stages read the arguments from the beginning. So it decides
// nothing of its own: what it accepts, the stages accept with the same Input,
// and there is a test for that.

// A plainKind is a plain literal that values of a field can be read from.
type plainKind uint8

const (
	notDirect plainKind = iota // only the stages can read such a value
	plainString
	plainWord // a member of a closed vocabulary, spelled as declared
	plainInteger
	plainFloat
	plainBoolean
	plainList // a list of one of these, not empty
)

// A directField is what the direct way knows of a field.
type directField struct {
	kind, items plainKind
	texts       bool // the items go into a slice of strings
	typ         *signature.Type
	name        string // as a member of JSON is named, with its quotes
	needed      bool   // leaving it out is an error (FW-67)
	looked      bool   // stage 3 looks its value up
	absent      slot   // what it is where it is not given
}

// A reading is the state of the direct way in one call.
type reading struct {
	done  bool             // the Input is filled and stages 1 and 2 are behind the call
	given []bool           // by field
	one   jsontree.Value   // the value read last, and of a list
	texts []string         // its items, if they go into strings,
	items []jsontree.Value // or else
}

// directFields plans the direct way of a command; nil if it has none: if rules
// of stage 1 look at more than one value at a time, if what is looked up is
// inside a value, or if a value that must be given is never plain.
func (v *Validator) directFields() []directField {
	if v.sig.HasRules() || v.sig.ChecksWhole() {
		return nil
	}
	fields := make([]directField, 0, len(v.sig.Fields()))
	for i, f := range v.sig.Fields() {
		d := directField{typ: f.Type, name: string(jsontree.AppendString(nil, f.Name))}
		(&Values{v: v}).unset(f, &d.absent)
		d.needed = d.absent.state == notSet && !f.Optional
		if v.sig.Plain(i) {
			d.kind = plainKindOf(f.Type)
		}
		if d.kind == plainList {
			d.items, d.texts = plainKindOf(f.Type.Items), v.sig.HoldsTexts(i)
		}
		if v.looks[i] != nil {
			if d.kind == plainList || d.kind == plainWord || v.looks[i].members != nil {
				return nil
			}
			d.looked, v.looksUpDirect = true, true
		}
		if d.kind == notDirect && d.needed {
			return nil
		}
		fields = append(fields, d)
	}
	return fields
}

// plainKindOf says which plain literals are values of a type.
func plainKindOf(t *signature.Type) plainKind {
	switch {
	case t.Kind == signature.List:
		if t.Items == nil || len(t.Prefix) > 0 || t.Unique {
			return notDirect
		}
		if items := plainKindOf(t.Items); items == notDirect || items == plainList {
			return notDirect
		}
		return plainList
	case t.Enum != nil:
		return plainWord
	case t.Kind == signature.String:
		return plainString
	case t.Kind == signature.Integer:
		return plainInteger
	case t.Kind == signature.Number:
		return plainFloat
	case t.Kind == signature.Boolean:
		return plainBoolean
	}
	return notDirect
}

// Direct reads JSON arguments straight into the Input, if they are an object
// within the limits whose members need neither repair nor coercion and pass
// stages 1 and 2. It is for fresh Values. After it reported true, Run runs what
// is left of the stages. Given, Further and AppendJSON know nothing of the call,
// so it is not for who keeps what a later stage refuses (see Inspects). If it
// reports false nothing has happened, and the arguments are to be read and
// given to Load.
func (c *Values) Direct(text string, limits jsontree.Limits) bool {
	if c.v.direct == nil || limits.Bytes > 0 && len(text) > limits.Bytes || limits.Depth == 1 {
		return false
	}
	clear(c.direct.given)
	return c.directEnd(c.directObject(text))
}

// directEnd ends the direct way, which has read all that was given if ok.
func (c *Values) directEnd(ok bool) bool {
	if c.direct.done = ok && c.directAbsent(); !c.direct.done {
		c.input.Reset() // it may hold some of the values
		c.direct.forget()
		if c.v.looksUpDirect {
			clear(c.slots)
		}
	}
	return c.direct.done
}

// DirectTexts is Direct for the n values of a text call. Each is a field's name
// and its one text; ok is false for a value that is no such thing. A list is
// one of JSON.
func (c *Values) DirectTexts(n int, value func(i int) (field, text string, ok bool)) bool {
	if c.v.direct == nil {
		return false
	}
	clear(c.direct.given)
	values := 0
	for i := range n {
		field, text, ok := value(i)
		at := i
		if at >= len(c.v.declared) || c.v.declared[at] != field {
			at = c.v.sig.Root().Field(field)
		}
		if !ok || at < 0 || c.direct.given[at] {
			return c.directEnd(false)
		}
		c.direct.given[at] = true
		size := c.directText(at, text)
		if values += size; size == 0 || values > jsontree.DefaultValues {
			return c.directEnd(false)
		}
	}
	return c.directEnd(true)
}

// directText stores the value that a text is, and returns its size as
// directValue does.
func (c *Values) directText(at int, text string) (size int) {
	d := &c.v.direct[at]
	if d.kind == plainList {
		next, size := c.directList(at, text, 0)
		if next != len(text) {
			return 0
		}
		return size
	}
	v := &c.direct.one
	if !d.kind.spells(text, v) || !d.kind.passes(d.typ, v) || isSentinel(d.typ, v) || c.input.Set(at, v) != nil {
		return 0
	}
	if d.looked {
		c.directSlot(at, jsontree.Value{Kind: jsontree.String, Text: text, Loose: true})
	}
	return 1
}

// directObject reads the arguments, one object, to their end.
func (c *Values) directObject(text string) bool {
	pos := skipBlanks(text, 0)
	if pos == len(text) || text[pos] != '{' {
		return false
	}
	pos = skipBlanks(text, pos+1)
	if pos < len(text) && text[pos] == '}' {
		return skipBlanks(text, pos+1) == len(text)
	}
	for next, values := 0, 1; ; next++ {
		at, start, ok := c.v.directName(text, pos, next)
		if !ok || c.direct.given[at] {
			return false
		}
		c.direct.given[at], next = true, at
		var size int
		if pos, size = c.directValue(at, text, start); size == 0 {
			return false
		}
		if values += size; values > jsontree.DefaultValues {
			return false
		}
		if pos = skipBlanks(text, pos); pos == len(text) {
			return false
		}
		switch text[pos] {
		case ',':
			pos = skipBlanks(text, pos+1)
		case '}':
			return skipBlanks(text, pos+1) == len(text)
		default:
			return false
		}
	}
}

// directName reads a member's name and colon, and returns its field and the
// position of its value. Members mostly come in declared order: next is the
// field to try first.
func (v *Validator) directName(text string, pos, next int) (field, start int, ok bool) {
	if next < len(v.direct) && strings.HasPrefix(text[pos:], v.direct[next].name) {
		field, pos = next, pos+len(v.direct[next].name)
	} else {
		var name string
		if name, pos, ok = plainText(text, pos); !ok {
			return 0, 0, false
		}
		if field = v.sig.Root().Field(name); field < 0 {
			return 0, 0, false
		}
	}
	if pos = skipBlanks(text, pos); pos == len(text) || text[pos] != ':' {
		return 0, 0, false
	}
	return field, skipBlanks(text, pos+1), true
}

// directValue reads the value of a field and stores it. Size is how many
// values of JSON it is, 0 if it is not plain or not of the field's type.
func (c *Values) directValue(at int, text string, pos int) (next, size int) {
	d := &c.v.direct[at]
	if d.kind == plainList {
		return c.directList(at, text, pos)
	}
	v := &c.direct.one
	next, ok := d.kind.literal(text, pos, v)
	if !ok || !d.kind.passes(d.typ, v) || isSentinel(d.typ, v) || c.input.Set(at, v) != nil {
		return pos, 0
	}
	if d.looked {
		c.directSlot(at, jsontree.Value{Kind: v.Kind, Text: v.Text, Raw: text[pos:next]})
	}
	return next, 1
}

// directSlot fills the slot of a field for stage 3, which may name what arrived.
func (c *Values) directSlot(at int, raw jsontree.Value) {
	s := &c.slots[at]
	s.state, s.value = isSet, raw
	if raw.Loose {
		s.value = jsontree.Value{Kind: c.direct.one.Kind, Text: raw.Text}
	}
	arrived := c.arena.List(1).Items
	arrived[0] = raw
	s.raw = &arrived[0]
}

// directList is directValue for a list.
func (c *Values) directList(at int, text string, pos int) (next, size int) {
	d, r := &c.v.direct[at], &c.direct
	if pos == len(text) || text[pos] != '[' {
		return pos, 0
	}
	r.items, r.texts = r.items[:0], r.texts[:0]
	for n := 1; ; n++ {
		v := &r.one
		if !d.texts {
			r.items = append(r.items, jsontree.Value{})
			v = &r.items[n-1]
		}
		var ok bool
		if pos, ok = d.items.literal(text, skipBlanks(text, pos+1), v); !ok || !d.items.passes(d.typ.Items, v) {
			return pos, 0
		}
		if d.texts {
			r.texts = append(r.texts, v.Text)
		}
		if pos = skipBlanks(text, pos); pos == len(text) || n > jsontree.DefaultValues {
			return pos, 0
		}
		if text[pos] == ']' {
			if !within(d.typ.Length, n) || !c.directItems(at) {
				return pos, 0
			}
			return pos + 1, 1 + n
		}
		if text[pos] != ',' {
			return pos, 0
		}
	}
}

// directItems stores the list that was read and lets go of it.
func (c *Values) directItems(at int) bool {
	r := &c.direct
	if c.v.direct[at].texts {
		c.input.SetTexts(at, r.texts)
	} else {
		r.one = jsontree.Value{Kind: jsontree.List, Items: r.items}
		if c.input.Set(at, &r.one) != nil {
			return false
		}
	}
	r.forget()
	return true
}

// longestList bounds the memory for items that is kept for the next list.
const longestList = 3 << 13

// forget lets go of the list read last.
func (r *reading) forget() {
	clear(r.items)
	clear(r.texts)
	r.one, r.items, r.texts = jsontree.Value{}, r.items[:0], r.texts[:0]
	if cap(r.items) > longestList/4 {
		r.items = nil
	}
	if cap(r.texts) > longestList {
		r.texts = nil
	}
}

// directAbsent gives the fields that were not read what they are without a
// value.
func (c *Values) directAbsent() bool {
	for i, given := range c.direct.given {
		if given {
			continue
		}
		d := &c.v.direct[i]
		if d.needed || d.absent.state != notSet && c.input.Set(i, &d.absent.value) != nil {
			return false
		}
		if d.looked {
			c.slots[i] = d.absent
		}
	}
	return true
}

// passes reports whether a plain literal of the kind is a value of the type. A
// member of a vocabulary becomes the one that is declared.
func (k plainKind) passes(t *signature.Type, v *jsontree.Value) bool {
	switch k {
	case plainString:
		return textFault(t, v.Text) == ""
	case plainWord:
		member := t.Enum.Word(v.Text)
		if member != nil {
			v.Text = member.Text
		}
		return member != nil
	case plainInteger, plainFloat:
		return inRange(t, v.Text)
	}
	return true
}
