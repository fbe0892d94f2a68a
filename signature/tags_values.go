package signature

import (
	"encoding"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// parseJSON reads one JSON value out of a tag.
func parseJSON(text string) (jsontree.Value, bool) {
	doc, fault := jsontree.Parse(text, jsontree.Limits{}, nil)
	return doc.Root, fault == nil
}

func wholeLiteral(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == "" && (len(digits) == 1 || digits[0] != '0')
}

// countValue reads the value of a length keyword.
func countValue(word, text string, at *level) (value jsontree.Value, problem string) {
	if n, err := strconv.Atoi(text); !wholeLiteral(text) || err != nil || n < 0 {
		return value, fmt.Sprintf("must be a whole number of at least 0, not %q", text)
	}
	if at.typ.Kind() == reflect.Array {
		return value, fmt.Sprintf("%s already has exactly %d items", at.typ, at.typ.Len())
	}
	return jsontree.Digits(text), ""
}

// boundValue reads the value of a numeric bound. Its text is published as the
// author wrote it.
func boundValue(word, text string, at *level) (value jsontree.Value, problem string) {
	v, ok := parseJSON(text)
	if !ok || v.Kind != jsontree.Number {
		return value, fmt.Sprintf("must be a number, not %q", text)
	}
	exact, ok := exactNumber(text)
	if !ok {
		return value, fmt.Sprintf("%s is too large to be a bound", text)
	}
	if at.shape == shapeInteger && !exact.IsInt() {
		return value, fmt.Sprintf("%s can never be met exactly by a whole number; write a whole number", text)
	}
	if word == "multipleOf" && exact.Sign() <= 0 {
		return value, "must be above 0"
	}
	return jsontree.Digits(v.Text), ""
}

// fits reports what keeps a JSON value from being a value of the Go type, ""
// if nothing does. Constraints of tags are not looked at.
func fits(t reflect.Type, v *jsontree.Value) string {
	t, nullable := without(t)
	if v.Kind == jsontree.Null && nullable {
		return ""
	}
	s, _ := shapeOf(t)
	wanted := map[shape]jsontree.Kind{shapeString: jsontree.String, shapeText: jsontree.String, shapeTime: jsontree.String,
		shapeInteger: jsontree.Number, shapeNumber: jsontree.Number, shapeBoolean: jsontree.Bool, shapeList: jsontree.List,
		shapeMap: jsontree.Object, shapeStruct: jsontree.Object}[s]
	if wanted != jsontree.Absent && v.Kind != wanted {
		if v.Kind == jsontree.Null {
			return "null fits a pointer only"
		}
		return fmt.Sprintf("%s is not %s", v.JSON(), s)
	}
	switch s {
	case shapeText:
		return fitsReader(t, v.Text)
	case shapeTime:
		if !formats["date-time"].Match(v.Text) {
			return fmt.Sprintf("%q is not a date and time with an offset, such as 2026-01-31T10:20:30Z", v.Text)
		}
	case shapeInteger:
		return fitsInteger(t, v.Text)
	case shapeNumber:
		if t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64 {
			if _, err := strconv.ParseFloat(v.Text, t.Bits()); err != nil {
				return fmt.Sprintf("%s does not fit %s", v.Text, t)
			}
		}
	case shapeEnum:
		return fitsEnum(t, v)
	case shapeList:
		if t.Kind() == reflect.Array && len(v.Items) != t.Len() {
			return fmt.Sprintf("has %d items, and %s has %d", len(v.Items), t, t.Len())
		}
		for i := range v.Items {
			if problem := fits(t.Elem(), &v.Items[i]); problem != "" {
				return fmt.Sprintf("item %d: %s", i, problem)
			}
		}
	case shapeMap:
		for i := range v.Members {
			if problem := fits(t.Elem(), &v.Members[i].Value); problem != "" {
				return fmt.Sprintf("%s: %s", v.Members[i].Name, problem)
			}
		}
	case shapeStruct:
		return fitsStruct(t, v)
	}
	return ""
}

func fitsInteger(t reflect.Type, text string) string {
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return text + " is not a whole number"
	}
	if low, high := integerRange(t); n.Cmp(low) < 0 || n.Cmp(high) > 0 {
		return fmt.Sprintf("%s does not fit %s", text, t)
	}
	return ""
}

// fitsReader asks the type's own reader. A panic of it is an answer too.
func fitsReader(t reflect.Type, text string) (problem string) {
	defer func() {
		if p := recover(); p != nil {
			problem = fmt.Sprintf("the UnmarshalText of %s panics on %q: %v", t, text, p)
		}
	}()
	if err := reflect.New(t).Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text)); err != nil {
		return fmt.Sprintf("the UnmarshalText of %s refuses %q: %v", t, text, err)
	}
	return ""
}

func fitsEnum(t reflect.Type, v *jsontree.Value) string {
	values, problem := enumValues(t)
	if problem != "" {
		return "" // noted where the type is looked at
	}
	if contains(values, v) {
		return ""
	}
	return fmt.Sprintf("%s is not one of the values of %s: %s", v.JSON(), t, listed(values))
}

func fitsStruct(t reflect.Type, v *jsontree.Value) string {
	fields := jsonFields(t, place{}, new(mistakes))
	for i := range v.Members {
		m := &v.Members[i]
		f := fieldNamed(fields, m.Name)
		if f == nil {
			return fmt.Sprintf("%s has no field %s", t, m.Name)
		}
		if problem := fits(f.typ, &m.Value); problem != "" {
			return m.Name + ": " + problem
		}
	}
	for _, f := range fields {
		if v.Get(f.name) == nil && !f.maybe && !f.hasDefault() {
			return fmt.Sprintf("lacks %s, which %s requires", f.name, t)
		}
	}
	return ""
}

// hasDefault reports whether a field's tag gives a default, right or wrong.
func (f *goField) hasDefault() bool {
	return slices.ContainsFunc(splitWords(f.tags["jsonschema"]), func(word string) bool { return strings.HasPrefix(word, "default=") })
}

func fieldNamed(fields []*goField, name string) *goField {
	for _, f := range fields {
		if f.name == name {
			return f
		}
	}
	return nil
}

// fromText reads a value out of a tag by the Go type it is for, so that 1 is
// a number for an int and text for a string. Lists, maps and structs are
// written as JSON.
func fromText(t reflect.Type, text string, union []string) (jsontree.Value, string) {
	t, nullable := without(t)
	if text == "null" {
		if nullable {
			return jsontree.Value{Kind: jsontree.Null}, ""
		}
		if s, _ := shapeOf(t); s != shapeAny {
			return jsontree.Value{}, "null fits a pointer only"
		}
	}
	s, _ := shapeOf(t)
	var v jsontree.Value
	switch s {
	case shapeString, shapeText, shapeTime:
		v = jsontree.Text(text)
	case shapeEnum:
		v = jsontree.Text(text)
		if values, _ := enumValues(t); !contains(values, &v) {
			if other, ok := parseJSON(text); ok && contains(values, &other) {
				return other, ""
			}
		}
	case shapeAny:
		return anyFromText(text, union)
	default:
		var ok bool
		if v, ok = parseJSON(text); !ok {
			return v, unread(s, text)
		}
	}
	return v, fits(t, &v)
}

func unread(s shape, text string) string {
	switch strings.ToLower(strings.TrimLeft(text, "+-")) {
	case "inf", "infinity", "nan":
		if s == shapeNumber || s == shapeInteger {
			return text + " cannot be written as JSON (FW-189)"
		}
	}
	if s == shapeList || s == shapeMap || s == shapeStruct {
		return fmt.Sprintf("%q is not the JSON of %s", text, s)
	}
	return fmt.Sprintf("%q is not %s", text, s)
}

// anyFromText reads a value of no one type: by the first type of a union that
// takes it, else as JSON if it is JSON, else as text.
func anyFromText(text string, union []string) (jsontree.Value, string) {
	v, isJSON := parseJSON(text)
	if len(union) == 0 {
		if isJSON {
			return v, ""
		}
		return jsontree.Text(text), ""
	}
	for _, word := range union {
		switch {
		case word == "string":
			return jsontree.Text(text), ""
		case isJSON && word == jsonWord(&v), isJSON && word == "integer" && v.Kind == jsontree.Number && wholeLiteral(v.Text):
			return v, ""
		}
	}
	return v, fmt.Sprintf("%q is of none of the types %s", text, strings.Join(union, ", "))
}

func jsonWord(v *jsontree.Value) string {
	switch v.Kind {
	case jsontree.List:
		return "array"
	case jsontree.Absent:
		return ""
	}
	return v.Kind.String()
}

// same compares JSON values as JSON Schema does: numbers by value, objects by
// members whatever their order.
func same(a, b *jsontree.Value) bool {
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case jsontree.Bool:
		return a.True == b.True
	case jsontree.String:
		return a.Text == b.Text
	case jsontree.Number:
		x, ok := exactNumber(a.Text)
		y, ok2 := exactNumber(b.Text)
		return ok && ok2 && x.Cmp(y) == 0 || a.Text == b.Text
	case jsontree.List:
		if len(a.Items) != len(b.Items) {
			return false
		}
		for i := range a.Items {
			if !same(&a.Items[i], &b.Items[i]) {
				return false
			}
		}
	case jsontree.Object:
		if len(a.Members) != len(b.Members) {
			return false
		}
		for i := range a.Members {
			other := b.Get(a.Members[i].Name)
			if other == nil || !same(&a.Members[i].Value, other) {
				return false
			}
		}
	}
	return true
}

func contains(values []jsontree.Value, v *jsontree.Value) bool {
	for i := range values {
		if same(&values[i], v) {
			return true
		}
	}
	return false
}

// listed writes values for an author error.
func listed(values []jsontree.Value) string {
	words := make([]string, len(values))
	for i := range values {
		words[i] = values[i].JSON()
	}
	return strings.Join(words, ", ")
}
