package signature

import (
	"encoding"
	"fmt"
	"reflect"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// enumValues asks an Enumerated type for its vocabulary as JSON, in the order
// it is given; problem says what is wrong with it.
func enumValues(t reflect.Type) (values []jsontree.Value, problem string) {
	defer func() {
		if p := recover(); p != nil {
			values, problem = nil, fmt.Sprintf("EnumValues panics on the zero value: %v", p)
		}
	}()
	for _, value := range reflect.New(t).Interface().(Enumerated).EnumValues() {
		v, problem := enumValue(t, value)
		if problem != "" {
			return nil, problem
		}
		if contains(values, &v) {
			return nil, fmt.Sprintf("EnumValues gives %s twice", v.JSON())
		}
		values = append(values, v)
	}
	if len(values) == 0 {
		return nil, "EnumValues gives no value, so no call could be right"
	}
	return values, ""
}

// enumValue turns one value into JSON. A type with a reader of its own has
// texts on the wire, and every one must be readable.
func enumValue(t reflect.Type, value any) (jsontree.Value, string) {
	if reflect.PointerTo(t).Implements(textReadType) {
		text, ok := value.(string)
		if w, writes := value.(encoding.TextMarshaler); !ok && writes {
			written, err := w.MarshalText()
			if err != nil {
				return jsontree.Value{}, fmt.Sprintf("EnumValues gives %v, whose MarshalText fails: %v", value, err)
			}
			text, ok = string(written), true
		}
		if !ok {
			return jsontree.Value{}, fmt.Sprintf("EnumValues gives %v (%T); the type reads text, so its values must be strings or have MarshalText", value, value)
		}
		return jsontree.Text(text), fitsReader(t, text)
	}
	v := reflect.ValueOf(value)
	if !v.IsValid() || !v.CanConvert(t) || kindFamily(v.Kind()) != kindFamily(t.Kind()) {
		return jsontree.Value{}, fmt.Sprintf("EnumValues gives %v (%T), which is not a value of %s", value, value, t)
	}
	converted := v.Convert(t)
	if !sameNumber(v, converted) {
		return jsontree.Value{}, fmt.Sprintf("EnumValues gives %v, which does not fit %s", value, t)
	}
	tree, err := jsonTree(plainScalar(converted))
	if err != nil {
		return jsontree.Value{}, fmt.Sprintf("EnumValues gives %v: %v", value, err)
	}
	return tree, ""
}

// kindFamily lets 1 stand for a float and "a" for a named string, and keeps
// 65 from becoming "A".
func kindFamily(k reflect.Kind) int {
	switch {
	case k == reflect.String:
		return 1
	case k == reflect.Bool:
		return 2
	case integerKind(k) || k == reflect.Float32 || k == reflect.Float64:
		return 3
	}
	return 0
}

func sameNumber(a, b reflect.Value) bool {
	return kindFamily(a.Kind()) != 3 || fmt.Sprint(plainScalar(a)) == fmt.Sprint(plainScalar(b))
}

// plainScalar strips the name off a type, so that no MarshalJSON of it runs.
func plainScalar(v reflect.Value) any {
	switch k := v.Kind(); {
	case k == reflect.String:
		return v.String()
	case k == reflect.Bool:
		return v.Bool()
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return v.Uint()
	case k == reflect.Float32:
		return float32(v.Float())
	default:
		return v.Float()
	}
}

// enumType is the JSON Schema type that all values share, "" if there is none
// (FW-186).
func enumType(values []jsontree.Value) string {
	word := ""
	for i := range values {
		w := jsonWord(&values[i])
		if w == "number" && wholeLiteral(values[i].Text) {
			w = "integer"
		}
		if w == "null" || word != "" && w != word {
			return ""
		}
		word = w
	}
	return word
}

// kindWord is the JSON Schema type of a scalar Go type.
func kindWord(t reflect.Type) string {
	switch s, k := t, t.Kind(); {
	case reflect.PointerTo(s).Implements(textReadType) || k == reflect.String:
		return "string"
	case k == reflect.Bool:
		return "boolean"
	case integerKind(k):
		return "integer"
	}
	return "number"
}
