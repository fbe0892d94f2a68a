package validate

import (
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/signature"
)

// union makes v a value of one member of t. A JSON value that a member has
// the very type of stays what it is, whatever stands before that member;
// otherwise, and for all text of a text call, the first member in declared
// order that accepts it wins (FW-56). A JSON string is never decoded where
// one member is a string (N-4).
func (c *Values) union(t *signature.Type, v *jsontree.Value) bool {
	hasText := false
	for _, m := range t.Members {
		hasText = hasText || m.Kind == signature.String
	}
	var tried uint64 // the members that have refused v, by their place
	if !v.Loose {
		ok := false
		if ok, tried = c.sameShaped(t, v); ok {
			return c.limits(t, v)
		}
	}
	for i, m := range t.Members {
		if tried>>i&1 == 1 {
			continue
		}
		decodes := m.Kind == signature.List || m.Kind == signature.Object
		if hasText && decodes && v.Kind == jsontree.String && !v.Loose {
			continue
		}
		if c.try(m, v) {
			return c.limits(t, v)
		}
	}
	return c.refuse(WrongType, t, v)
}

// sameShaped tries the members that v has the type of, and reports which have
// refused it. One that takes v as it is wins over one that would change it.
func (c *Values) sameShaped(t *signature.Type, v *jsontree.Value) (ok bool, tried uint64) {
	var changed jsontree.Value
	for i, m := range t.Members {
		if !sameShape(m, v) {
			continue
		}
		trial := c.copyOf(v)
		if !c.quietly(m, &trial) {
			tried |= 1 << i
			continue
		}
		if untouched(v, &trial) {
			*v = trial
			return true, 0
		}
		if changed.Kind == jsontree.Absent {
			changed = trial
		}
	}
	if changed.Kind == jsontree.Absent {
		return false, tried
	}
	*v = changed
	return true, 0
}

// untouched reports whether all that was sent is in have as it was; defaults
// may have joined it.
func untouched(sent, have *jsontree.Value) bool {
	if sent.Kind != have.Kind || sent.Text != have.Text || sent.True != have.True || len(sent.Items) != len(have.Items) {
		return false
	}
	for i := range sent.Items {
		if !untouched(&sent.Items[i], &have.Items[i]) {
			return false
		}
	}
	for i := range sent.Members {
		m := &sent.Members[i]
		var v *jsontree.Value
		if i < len(have.Members) && have.Members[i].Name == m.Name {
			v = &have.Members[i].Value // members mostly keep their order
		} else if v = have.Get(m.Name); v == nil {
			return false
		}
		if !untouched(&m.Value, v) {
			return false
		}
	}
	return true
}

// limits holds a value that a member of a union took to the limits that are
// declared beside the members.
func (c *Values) limits(t *signature.Type, v *jsontree.Value) bool {
	switch v.Kind {
	case jsontree.String:
		if fault := textFault(t, v.Text); fault != "" {
			return c.refuse(fault, t, v)
		}
	case jsontree.Number:
		if !inRange(t, v.Text) {
			return c.refuse(OutOfRange, t, v)
		}
	case jsontree.List, jsontree.Object:
		if t.Length.Bounded() && !within(t.Length, len(v.Items)+len(v.Members)) {
			return c.refuse(WrongLength, t, v)
		}
	}
	return true
}

// sameShape reports whether v is written in the member's own JSON type.
func sameShape(t *signature.Type, v *jsontree.Value) bool {
	if t.Enum != nil {
		_, ok := t.Enum.Exact(v)
		return ok
	}
	if t.Kind == signature.Any {
		return true
	}
	switch v.Kind {
	case jsontree.String:
		return t.Kind == signature.String
	case jsontree.Bool:
		return t.Kind == signature.Boolean
	case jsontree.Number:
		if t.Kind == signature.Integer {
			_, whole := wholeNumber(v.Text)
			return whole
		}
		return t.Kind == signature.Number
	case jsontree.List:
		return t.Kind == signature.List
	case jsontree.Object:
		return t.Kind == signature.Object
	}
	return false
}

// try coerces a copy, so that a member that refuses leaves no trace.
func (c *Values) try(t *signature.Type, v *jsontree.Value) bool {
	trial := c.copyOf(v)
	ok := c.quietly(t, &trial)
	if ok {
		*v = trial
	}
	return ok
}

func (c *Values) quietly(t *signature.Type, v *jsontree.Value) bool {
	c.quiet++
	ok := c.coerce(t, v)
	c.quiet--
	return ok
}

// copyOf copies a value as deep as coercion writes.
func (c *Values) copyOf(v *jsontree.Value) jsontree.Value {
	switch v.Kind {
	case jsontree.List:
		list := c.arena.List(len(v.Items))
		for i := range v.Items {
			list.Items[i] = c.copyOf(&v.Items[i])
		}
		list.Raw = v.Raw
		return list
	case jsontree.Object:
		object := c.arena.Object(len(v.Members))
		for i := range v.Members {
			object.Members[i] = jsontree.Member{Name: v.Members[i].Name, Value: c.copyOf(&v.Members[i].Value)}
		}
		object.Raw = v.Raw
		return object
	}
	return *v
}
