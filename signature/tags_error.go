package signature

import (
	"errors"
	"fmt"
	"reflect"
)

// An AuthorError is one mistake in the declaration of an Input type. It is
// found at registration and never reaches a caller (D-10). Every mistake of a
// type is reported, joined by errors.Join; errors.As finds the first.
type AuthorError struct {
	// Type is the Go type that holds the mistake.
	Type string
	// Field is the Go name of the field, "" for the type as a whole.
	Field string
	// Rule is the word of the declaration that is wrong, such as "pattern" or
	// "validate min".
	Rule string
	// Detail says what is wrong and what to write instead.
	Detail string
}

// Error names type, field and rule.
func (e *AuthorError) Error() string {
	where := e.Type
	if e.Field != "" {
		where += "." + e.Field
	}
	return where + ": " + e.Rule + ": " + e.Detail
}

// A place is where in a declaration a mistake is looked for.
type place struct{ typ, field string }

// mistakes collects author errors, so that an author sees all of them at once.
type mistakes struct{ list []error }

func (m *mistakes) add(at place, rule, format string, args ...any) {
	m.list = append(m.list, &AuthorError{Type: at.typ, Field: at.field, Rule: rule, Detail: fmt.Sprintf(format, args...)})
}

func (m *mistakes) err() error { return errors.Join(m.list...) }

// typeLabel names a type in an author error; a struct without a name is
// called by where it stands.
func typeLabel(t reflect.Type, at place) string {
	if t.Name() != "" {
		return t.String()
	}
	if at.field != "" {
		return at.typ + "." + at.field
	}
	return "Input"
}
