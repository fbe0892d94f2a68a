package draft

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
)

// The bounds of one schema (WD-55).
const (
	MaxSchemaBytes      = 32_768 // its canonical text
	MaxSchemaDepth      = 32     // schemas inside one another, the outermost being at 0
	MaxSchemaProperties = 128    // entries of one properties
	MaxSchemaEnum       = 128    // values of one enum
)

// SchemaCode says what is wrong with a schema.
type SchemaCode string

// What can be wrong with a schema (WD-54 to WD-56, WD-58).
const (
	SchemaInvalidEncoding    SchemaCode = "invalid_encoding"     // not one strict JSON value, or a member name twice
	SchemaNotObject          SchemaCode = "not_object"           // a schema that is no object
	SchemaInvalidKeyword     SchemaCode = "invalid_keyword"      // a keyword with a value it cannot have
	SchemaUnsupportedKeyword SchemaCode = "unsupported_keyword"  // a keyword outside of the subset
	SchemaTooLarge           SchemaCode = "too_large"            // more than MaxSchemaBytes
	SchemaTooDeep            SchemaCode = "too_deep"             // more than MaxSchemaDepth
	SchemaTooManyProperties  SchemaCode = "too_many_properties"  // more than MaxSchemaProperties
	SchemaTooManyEnumValues  SchemaCode = "too_many_enum_values" // more than MaxSchemaEnum
)

// SchemaError says why a schema is none of the bounded subset. It is a mistake of the host's author.
type SchemaError struct {
	Code SchemaCode
	// Path is where the schema stands: $, $["property"], $.items.
	Path string
	// Keyword is the keyword at fault, for SchemaInvalidKeyword and SchemaUnsupportedKeyword.
	Keyword string
	// Reason says what is wrong with an invalid keyword, in words.
	Reason string
	// Maximum is the limit that was passed, for the codes that are about one.
	Maximum int
}

func (e *SchemaError) Error() string {
	const most = 60 // characters of a keyword that are shown
	text := "draft: schema at " + quote.Bare(e.Path, 4*most) + ": "
	switch e.Code {
	case SchemaInvalidEncoding:
		return text + "not one JSON value without repeated names"
	case SchemaNotObject:
		return text + "a schema is an object"
	case SchemaInvalidKeyword:
		return text + e.Keyword + " " + e.Reason
	case SchemaUnsupportedKeyword:
		return text + "the keyword " + quote.Text(e.Keyword, most) + " is not supported"
	case SchemaTooLarge:
		return text + fmt.Sprintf("more than %d bytes", e.Maximum)
	case SchemaTooDeep:
		return text + fmt.Sprintf("more than %d levels of schemas", e.Maximum)
	case SchemaTooManyProperties:
		return text + fmt.Sprintf("more than %d properties", e.Maximum)
	default:
		return text + fmt.Sprintf("more than %d enum values", e.Maximum)
	}
}

// The types of WD-54, and any for a schema that names none.
const (
	typeAny     = "any"
	typeNull    = "null"
	typeBoolean = "boolean"
	typeNumber  = "number"
	typeInteger = "integer"
	typeString  = "string"
	typeArray   = "array"
	typeObject  = "object"
)

var types = []string{typeNull, typeBoolean, typeNumber, typeInteger, typeString, typeArray, typeObject}

// keywords are those of the subset, each with the types it is for; none means all (WD-54, WD-56).
var keywords = map[string][]string{
	"type": nil, "enum": nil, "title": nil, "description": nil, "default": nil, "examples": nil, "$schema": nil, "$id": nil,
	"properties": {typeObject}, "required": {typeObject}, "additionalProperties": {typeObject},
	"items": {typeArray}, "minItems": {typeArray}, "maxItems": {typeArray},
	"minLength": {typeString}, "maxLength": {typeString},
	"minimum": {typeNumber, typeInteger}, "maximum": {typeNumber, typeInteger},
}

// schema is a compiled schema of the bounded subset (WD-54 to WD-58).
type schema struct {
	kind       string
	properties []property // sorted by name
	required   []string   // sorted
	closed     bool       // additionalProperties is false
	items      *schema
	size       bounds // of lengths or of items
	minimum    *decimal
	maximum    *decimal
	enum       map[string]bool // by valueKey; nil without the keyword
}

type property struct {
	name   string
	schema *schema
}

type bounds struct{ min, max uint64 }

// compileSchema compiles a schema and returns its canonical text with it. The error is a *SchemaError. A repeated name
// is refused, since a host's own schema can only have it by mistake.
func compileSchema(text []byte) (*schema, string, error) {
	doc, fault := jsontree.Parse(string(text), jsontree.Limits{Depth: readDepth}, nil)
	if fault != nil {
		return nil, "", &SchemaError{Code: SchemaInvalidEncoding, Path: "$"}
	}
	settle(&doc.Root)
	canonical := string(appendCanonical(nil, &doc.Root))
	if len(canonical) > MaxSchemaBytes {
		return nil, "", &SchemaError{Code: SchemaTooLarge, Path: "$", Maximum: MaxSchemaBytes}
	}
	s, err := compileAt(&doc.Root, "$", 0)
	if err != nil {
		return nil, "", err
	}
	return s, canonical, nil
}

// schemaSource is a schema that is being compiled.
type schemaSource struct {
	*jsontree.Value
	path string
}

func (v schemaSource) invalid(keyword, reason string) error {
	return &SchemaError{Code: SchemaInvalidKeyword, Path: v.path, Keyword: keyword, Reason: reason}
}

func compileAt(v *jsontree.Value, path string, depth int) (*schema, error) {
	if depth > MaxSchemaDepth {
		return nil, &SchemaError{Code: SchemaTooDeep, Path: path, Maximum: MaxSchemaDepth}
	}
	if v.Kind != jsontree.Object {
		return nil, &SchemaError{Code: SchemaNotObject, Path: path}
	}
	src := schemaSource{v, path}
	s := &schema{}
	var err error
	if s.kind, err = src.kind(); err != nil {
		return nil, err
	}
	if err = src.number(s); err != nil {
		return nil, err
	}
	if err = src.sizes(s); err != nil {
		return nil, err
	}
	if err = src.names(s); err != nil {
		return nil, err
	}
	if list := member(v, "enum"); list != nil {
		if list.Kind != jsontree.List {
			return nil, src.invalid("enum", "must be an array")
		}
		if len(list.Items) > MaxSchemaEnum {
			return nil, &SchemaError{Code: SchemaTooManyEnumValues, Path: path, Maximum: MaxSchemaEnum}
		}
		s.enum = make(map[string]bool, len(list.Items))
		for i := range list.Items {
			s.enum[valueKey(&list.Items[i])] = true
		}
	}
	if items := member(v, "items"); items != nil {
		if s.items, err = compileAt(items, path+".items", depth+1); err != nil {
			return nil, err
		}
	}
	if props := member(v, "properties"); props != nil {
		if props.Kind != jsontree.Object {
			return nil, src.invalid("properties", "must be an object")
		}
		if len(props.Members) > MaxSchemaProperties {
			return nil, &SchemaError{Code: SchemaTooManyProperties, Path: path, Maximum: MaxSchemaProperties}
		}
		s.properties = make([]property, len(props.Members))
		for i := range props.Members {
			m := &props.Members[i]
			p, err := compileAt(&m.Value, path+memberStep(m.Name), depth+1)
			if err != nil {
				return nil, err
			}
			s.properties[i] = property{m.Name, p}
		}
	}
	return s, nil
}

// kind finds the type, which keywords may imply, and checks every keyword against it (WD-56).
func (v schemaSource) kind() (string, error) {
	object, array := false, false
	for i := range v.Members {
		name := v.Members[i].Name
		applies, known := keywords[name]
		if !known {
			return "", &SchemaError{Code: SchemaUnsupportedKeyword, Path: v.path, Keyword: name}
		}
		object = object || slices.Contains(applies, typeObject)
		array = array || slices.Contains(applies, typeArray)
	}
	kind := typeAny
	switch named := member(v.Value, "type"); {
	case named != nil && named.Kind != jsontree.String:
		return "", v.invalid("type", "must be a string")
	case named != nil && !slices.Contains(types, named.Text):
		return "", v.invalid("type", "must be one of "+strings.Join(types, ", "))
	case named != nil:
		kind = named.Text
	case object && array:
		return "", v.invalid("type", "is needed where keywords of objects and of arrays stand together")
	case object:
		kind = typeObject
	case array:
		kind = typeArray
	}
	for i := range v.Members {
		name := v.Members[i].Name
		if applies := keywords[name]; applies != nil && !slices.Contains(applies, kind) {
			return "", v.invalid(name, "does not apply to type "+kind)
		}
	}
	return kind, nil
}

// number reads minimum and maximum.
func (v schemaSource) number(s *schema) error {
	var err error
	if s.minimum, err = v.decimal("minimum"); err != nil {
		return err
	}
	if s.maximum, err = v.decimal("maximum"); err != nil {
		return err
	}
	if s.minimum != nil && s.maximum != nil && s.minimum.compare(*s.maximum) > 0 {
		return v.invalid("minimum", "must not be above maximum")
	}
	return nil
}

func (v schemaSource) decimal(name string) (*decimal, error) {
	bound := member(v.Value, name)
	if bound == nil {
		return nil, nil
	}
	if bound.Kind != jsontree.Number {
		return nil, v.invalid(name, "must be a number")
	}
	d := parseDecimal(bound.Text)
	if d.huge != "" {
		return nil, v.invalid(name, "must have an exponent of at most 18 digits")
	}
	return &d, nil
}

// sizes reads the bounds of lengths or of items: a schema has at most one kind of them, since it has one type.
func (v schemaSource) sizes(s *schema) error {
	unit := "Items"
	if s.kind == typeString {
		unit = "Length"
	}
	var err error
	if s.size.min, err = v.size("min"+unit, 0); err != nil {
		return err
	}
	if s.size.max, err = v.size("max"+unit, math.MaxUint64); err != nil {
		return err
	}
	if s.size.min > s.size.max {
		return v.invalid("min"+unit, "must not be above max"+unit)
	}
	return nil
}

func (v schemaSource) size(name string, otherwise uint64) (uint64, error) {
	bound := member(v.Value, name)
	if bound == nil {
		return otherwise, nil
	}
	n, err := strconv.ParseUint(bound.Text, 10, 64)
	if bound.Kind != jsontree.Number || err != nil {
		return 0, v.invalid(name, "must be a non-negative integer")
	}
	return n, nil
}

// names reads required and additionalProperties.
func (v schemaSource) names(s *schema) error {
	if list := member(v.Value, "required"); list != nil {
		if list.Kind != jsontree.List {
			return v.invalid("required", "must be an array")
		}
		for i := range list.Items {
			if list.Items[i].Kind != jsontree.String {
				return v.invalid("required", "must hold strings")
			}
			s.required = append(s.required, list.Items[i].Text)
		}
		slices.Sort(s.required)
		if len(slices.Compact(slices.Clone(s.required))) != len(s.required) {
			return v.invalid("required", "must not name a property twice")
		}
	}
	if more := member(v.Value, "additionalProperties"); more != nil {
		if more.Kind != jsontree.Bool {
			return v.invalid("additionalProperties", "must be true or false")
		}
		s.closed = !more.True
	}
	return nil
}

// memberStep is the step of a path to a member: ["name"], escaped as JSON.
func memberStep(name string) string {
	return string(append(jsontree.AppendString([]byte{'['}, name), ']'))
}
