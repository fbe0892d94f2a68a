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
	if !v.Loose {
		for _, m := range t.Members {
			if sameShape(m, v) && c.try(m, v) {
				return true
			}
		}
	}
	for _, m := range t.Members {
		decodes := m.Kind == signature.List || m.Kind == signature.Object
		if hasText && decodes && v.Kind == jsontree.String && !v.Loose {
			continue
		}
		if c.try(m, v) {
			return true
		}
	}
	return c.refuse(WrongType, t, v)
}

// sameShape reports whether v is written in the member's own JSON type.
func sameShape(t *signature.Type, v *jsontree.Value) bool {
	if t.Enum != nil {
		_, ok := t.Enum.Exact(v)
		return ok
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
	c.quiet++
	ok := c.coerce(t, &trial)
	c.quiet--
	if ok {
		*v = trial
	}
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
