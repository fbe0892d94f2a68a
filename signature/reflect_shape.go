package signature

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math/big"
	"net/url"
	"reflect"
	"time"
)

// A shape is what a Go type is on the wire, pointers aside.
type shape uint8

const (
	shapeNone    shape = iota // no parameter can have the type
	shapeString               // text
	shapeText                 // text that a TextUnmarshaler reads
	shapeTime                 // time.Time
	shapeInteger              // a whole number
	shapeNumber               // a number
	shapeBoolean              // true or false
	shapeEnum                 // a named type with EnumValues
	shapeList                 // slice or array
	shapeMap                  // map by string
	shapeStruct               // an object with declared members
	shapeAny                  // any JSON value
)

var shapeWords = [...]string{"no parameter", "text", "text", "a time", "a whole number", "a number", "a boolean",
	"an enum", "a list", "a map", "an object", "any value"}

func (s shape) String() string { return shapeWords[s] }

var (
	numberTextType   = reflect.TypeFor[json.Number]()
	urlType          = reflect.TypeFor[url.URL]()
	durationType     = reflect.TypeFor[time.Duration]()
	enumeratedType   = reflect.TypeFor[Enumerated]()
	jsonReaderType   = reflect.TypeFor[json.Unmarshaler]()
	textWriterType   = reflect.TypeFor[encoding.TextMarshaler]()
	schemaOptionType = reflect.TypeFor[schemaOptioner]()
)

// has reports whether t or *t implements the interface.
func has(t, iface reflect.Type) bool {
	return t.Implements(iface) || t.Kind() != reflect.Interface && reflect.PointerTo(t).Implements(iface)
}

// shapeOf says what a type without pointers is, or why it cannot be a
// parameter. The setters of plan.go can read every shape.
func shapeOf(t reflect.Type) (shape, string) {
	switch t {
	case timeType:
		return shapeTime, ""
	case rawType, interfaceType:
		return shapeAny, ""
	case numberTextType:
		return shapeNumber, ""
	case urlType:
		return shapeNone, "url.URL has no reader of its own; use a string with format=uri"
	case durationType:
		return shapeNone, "time.Duration would be published as a count of nanoseconds; use a string with format=duration, or a number whose name says the unit"
	}
	if has(t, enumeratedType) && scalarKind(t.Kind()) {
		return shapeEnum, ""
	}
	if t.Kind() != reflect.Interface && reflect.PointerTo(t).Implements(textReadType) {
		return shapeText, ""
	}
	if has(t, jsonReaderType) {
		return shapeNone, fmt.Sprintf("%s has an UnmarshalJSON, so its Go fields do not say what it accepts; implement encoding.TextUnmarshaler, or use json.RawMessage", t)
	}
	switch k := t.Kind(); {
	case k == reflect.String:
		return shapeString, ""
	case k == reflect.Bool:
		return shapeBoolean, ""
	case integerKind(k):
		return shapeInteger, ""
	case k == reflect.Float32 || k == reflect.Float64:
		return shapeNumber, ""
	case k == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return shapeNone, fmt.Sprintf("%s would be base64 in Go and plain text in Python; use a string with format=binary, or a list of int", t)
	case k == reflect.Slice || k == reflect.Array:
		return shapeList, ""
	case k == reflect.Map && t.Key().Kind() == reflect.String && !has(t.Key(), textReadType) && !has(t.Key(), enumeratedType):
		return shapeMap, ""
	case k == reflect.Map:
		return shapeNone, fmt.Sprintf("%s: the keys of a map must be plain strings, since nothing else is checked of them", t)
	case k == reflect.Struct:
		return shapeStruct, ""
	case k == reflect.Pointer:
		return shapeNone, fmt.Sprintf("*%s: a pointer to a pointer says nothing that one pointer does not", t)
	case k == reflect.Interface:
		return shapeNone, fmt.Sprintf("%s: of the interfaces only any can be a parameter", t)
	}
	return shapeNone, fmt.Sprintf("%s cannot be a parameter; use string, bool, a number, a list, a map by string, a struct, time.Time, any, or a type with UnmarshalText", t)
}

func integerKind(k reflect.Kind) bool { return reflect.Int <= k && k <= reflect.Uint64 }

func scalarKind(k reflect.Kind) bool {
	return k == reflect.String || k == reflect.Bool || integerKind(k) || k == reflect.Float32 || k == reflect.Float64
}

// integerRange is what an integer kind holds. The schema publishes the ends
// that a caller can reach: both of the kinds up to 32 bits, and the 0 of the
// unsigned ones.
func integerRange(t reflect.Type) (low, high *big.Int) {
	bits := uint(t.Bits())
	one := big.NewInt(1)
	if t.Kind() >= reflect.Uint {
		return new(big.Int), new(big.Int).Sub(new(big.Int).Lsh(one, bits), one)
	}
	high = new(big.Int).Sub(new(big.Int).Lsh(one, bits-1), one)
	return new(big.Int).Sub(new(big.Int).Neg(high), one), high
}

// without removes one pointer, which makes a value nullable.
func without(t reflect.Type) (elem reflect.Type, nullable bool) {
	if t.Kind() == reflect.Pointer {
		return t.Elem(), true
	}
	return t, false
}
