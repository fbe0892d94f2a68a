package draft

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
)

// ViolationKind says how a value breaks its schema.
type ViolationKind string

// The ways to break a schema (WD-58).
const (
	ViolationType       ViolationKind = "type"                  // Name is the expected type
	ViolationMinLength  ViolationKind = "min_length"            // fewer characters than minLength
	ViolationMaxLength  ViolationKind = "max_length"            // more characters than maxLength
	ViolationMinItems   ViolationKind = "min_items"             // fewer items than minItems
	ViolationMaxItems   ViolationKind = "max_items"             // more items than maxItems
	ViolationMinimum    ViolationKind = "minimum"               // a number below minimum
	ViolationMaximum    ViolationKind = "maximum"               // a number above maximum
	ViolationRequired   ViolationKind = "required"              // Name is the missing one
	ViolationAdditional ViolationKind = "additional_properties" // Name is the one that is not allowed
	ViolationEnum       ViolationKind = "enum"                  // a value that enum does not list
)

// Violation is the first way in which a value breaks its schema (WD-57). It never holds the value.
type Violation struct {
	// Path leads to the value: $, $["property"], $[0].
	Path string
	Kind ViolationKind
	// Name is the expected type or the property, for the kinds that have one.
	Name string
}

func (v *Violation) Error() string {
	const most = 60 // characters of a name that are shown
	text := "draft: " + quote.Bare(v.Path, 4*most) + ": "
	switch v.Kind {
	case ViolationType:
		return text + "a value of type " + v.Name + " is expected"
	case ViolationMinLength:
		return text + "the string is shorter than minLength"
	case ViolationMaxLength:
		return text + "the string is longer than maxLength"
	case ViolationMinItems:
		return text + "the array has fewer items than minItems"
	case ViolationMaxItems:
		return text + "the array has more items than maxItems"
	case ViolationMinimum:
		return text + "the number is below minimum"
	case ViolationMaximum:
		return text + "the number is above maximum"
	case ViolationRequired:
		return text + "the property " + quote.Text(v.Name, most) + " is missing"
	case ViolationAdditional:
		return text + "there is no property " + quote.Text(v.Name, most)
	default:
		return text + "the value is none of enum"
	}
}

// validateText checks a JSON text within the limits of workflow data. The error is a *Violation, or a *DataError for a
// text that is no such JSON.
func (s *schema) validateText(text []byte) error {
	root, _, err := readDatum(text)
	if err != nil {
		return err
	}
	return s.validate(&root)
}

// validate checks a settled value. The error is a *Violation.
func (s *schema) validate(v *jsontree.Value) error {
	if found := s.violation(v); found != nil {
		found.Path = "$" + found.Path
		return found
	}
	return nil
}

// violation finds the first one; its path is put together on the way out (WD-57).
func (s *schema) violation(v *jsontree.Value) *Violation {
	if !s.admits(v) {
		return &Violation{Kind: ViolationType, Name: s.kind}
	}
	// Bounds are only in schemas of the type they are for.
	switch s.kind {
	case typeString:
		if n := uint64(utf8.RuneCountInString(v.Text)); n < s.size.min {
			return &Violation{Kind: ViolationMinLength}
		} else if n > s.size.max {
			return &Violation{Kind: ViolationMaxLength}
		}
	case typeNumber, typeInteger:
		if s.minimum != nil && parseDecimal(v.Text).compare(*s.minimum) < 0 {
			return &Violation{Kind: ViolationMinimum}
		}
		if s.maximum != nil && parseDecimal(v.Text).compare(*s.maximum) > 0 {
			return &Violation{Kind: ViolationMaximum}
		}
	case typeObject:
		if found := s.inMembers(v); found != nil {
			return found
		}
	case typeArray:
		if found := s.inItems(v); found != nil {
			return found
		}
	}
	if s.enum != nil && !s.enum[valueKey(v)] {
		return &Violation{Kind: ViolationEnum}
	}
	return nil
}

func (s *schema) admits(v *jsontree.Value) bool {
	switch s.kind {
	case typeNull:
		return v.Kind == jsontree.Null
	case typeBoolean:
		return v.Kind == jsontree.Bool
	case typeNumber:
		return v.Kind == jsontree.Number
	case typeInteger:
		return v.Kind == jsontree.Number && parseDecimal(v.Text).whole()
	case typeString:
		return v.Kind == jsontree.String
	case typeArray:
		return v.Kind == jsontree.List
	case typeObject:
		return v.Kind == jsontree.Object
	}
	return true
}

func (s *schema) inMembers(v *jsontree.Value) *Violation {
	for _, name := range s.required {
		if member(v, name) == nil {
			return &Violation{Kind: ViolationRequired, Name: name}
		}
	}
	for i := range v.Members {
		m := &v.Members[i]
		at, known := slices.BinarySearchFunc(s.properties, m.Name, func(p property, name string) int {
			return strings.Compare(p.name, name)
		})
		if !known {
			if s.closed {
				return &Violation{Kind: ViolationAdditional, Name: m.Name}
			}
			continue
		}
		if found := s.properties[at].schema.violation(&m.Value); found != nil {
			found.Path = memberStep(m.Name) + found.Path
			return found
		}
	}
	return nil
}

func (s *schema) inItems(v *jsontree.Value) *Violation {
	if n := uint64(len(v.Items)); n < s.size.min {
		return &Violation{Kind: ViolationMinItems}
	} else if n > s.size.max {
		return &Violation{Kind: ViolationMaxItems}
	}
	if s.items == nil {
		return nil
	}
	for i := range v.Items {
		if found := s.items.violation(&v.Items[i]); found != nil {
			found.Path = "[" + strconv.Itoa(i) + "]" + found.Path
			return found
		}
	}
	return nil
}
