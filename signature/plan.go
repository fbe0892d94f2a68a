package signature

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// A setter stores one coerced value at an address of the Go type it was
// compiled for. Its error is for the stage, never for a caller: the value
// has passed its Type, so only a type with a reader of its own can refuse it.
type setter func(at unsafe.Pointer, v *jsontree.Value) error

// errUnread is what a setter says of a value the Go type cannot take.
var errUnread = errors.New("the value cannot be read by its Go type")

var (
	timeType      = reflect.TypeFor[time.Time]()
	rawType       = reflect.TypeFor[json.RawMessage]()
	textReadType  = reflect.TypeFor[encoding.TextUnmarshaler]()
	interfaceType = reflect.TypeFor[any]()
)

// bind compiles the setter of a Go type for values that passed t, and narrows
// t to what the Go type can hold. Reflection happens here, at registration,
// and not again (the house rule of compiled plans).
func bind(t *Type, rt reflect.Type) (setter, error) {
	switch {
	case rt == timeType:
		return setTime, nil
	case rt == rawType:
		return func(at unsafe.Pointer, v *jsontree.Value) error {
			*(*json.RawMessage)(at) = v.Append(nil)
			return nil
		}, nil
	case rt == interfaceType:
		return func(at unsafe.Pointer, v *jsontree.Value) error {
			*(*any)(at) = GoValue(v)
			return nil
		}, nil
	case rt.Kind() != reflect.Pointer && reflect.PointerTo(rt).Implements(textReadType):
		return bindTextReader(rt), nil
	}
	switch rt.Kind() {
	case reflect.String:
		return func(at unsafe.Pointer, v *jsontree.Value) error {
			*(*string)(at) = v.Text
			return nil
		}, nil
	case reflect.Bool:
		return func(at unsafe.Pointer, v *jsontree.Value) error {
			*(*bool)(at) = v.True
			return nil
		}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return bindInt(t, rt), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return bindUint(t, rt), nil
	case reflect.Float32, reflect.Float64:
		return bindFloat(t, rt), nil
	case reflect.Pointer:
		return bindPointer(t, rt)
	case reflect.Slice:
		return bindSlice(t, rt)
	case reflect.Array:
		return bindArray(t, rt)
	case reflect.Map:
		return bindMap(t, rt)
	case reflect.Struct:
		return bindStruct(t, rt)
	}
	return nil, fmt.Errorf("Go type %s cannot be a parameter", rt)
}

func setTime(at unsafe.Pointer, v *jsontree.Value) error {
	if v.Kind == jsontree.Null {
		*(*time.Time)(at) = time.Time{}
		return nil
	}
	moment, err := time.Parse(time.RFC3339, strings.ToUpper(v.Text))
	if err != nil {
		return errUnread
	}
	*(*time.Time)(at) = moment
	return nil
}

func bindTextReader(rt reflect.Type) setter {
	return func(at unsafe.Pointer, v *jsontree.Value) error {
		if v.Kind == jsontree.Null {
			reflect.NewAt(rt, at).Elem().SetZero()
			return nil
		}
		if err := reflect.NewAt(rt, at).Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(v.Text)); err != nil {
			return errUnread
		}
		return nil
	}
}

// narrow gives an integer type the range of the Go type that holds it, where
// the author declared none that is tighter (D-3: never wrapped, never
// saturated).
func narrow(t *Type, low, high string) {
	if t.Kind != Integer {
		return
	}
	lowest, _ := newBound(low, false)
	highest, _ := newBound(high, false)
	lowest.implied, highest.implied = true, true
	if t.Minimum == nil || t.Minimum.exact.Cmp(lowest.exact) < 0 {
		t.Minimum = lowest
	}
	if t.Maximum == nil || t.Maximum.exact.Cmp(highest.exact) > 0 {
		t.Maximum = highest
	}
}

func bindInt(t *Type, rt reflect.Type) setter {
	bits := rt.Bits()
	low := int64(-1) << (bits - 1)
	narrow(t, strconv.FormatInt(low, 10), strconv.FormatInt(-(low+1), 10))
	size := rt.Size()
	return func(at unsafe.Pointer, v *jsontree.Value) error {
		var n int64
		if v.Kind == jsontree.Number {
			var short bool
			if n, short = shortInt(v.Text); !short || n>>(bits-1) != n>>63 {
				var err error
				if n, err = strconv.ParseInt(v.Text, 10, bits); err != nil {
					return errUnread
				}
			}
		}
		switch size {
		case 8:
			*(*int64)(at) = n
		case 4:
			*(*int32)(at) = int32(n)
		case 2:
			*(*int16)(at) = int16(n)
		default:
			*(*int8)(at) = int8(n)
		}
		return nil
	}
}

func bindUint(t *Type, rt reflect.Type) setter {
	bits := rt.Bits()
	narrow(t, "0", strconv.FormatUint(^uint64(0)>>(64-bits), 10))
	size := rt.Size()
	return func(at unsafe.Pointer, v *jsontree.Value) error {
		var n uint64
		if v.Kind == jsontree.Number {
			var err error
			if n, err = strconv.ParseUint(v.Text, 10, bits); err != nil {
				return errUnread
			}
		}
		switch size {
		case 8:
			*(*uint64)(at) = n
		case 4:
			*(*uint32)(at) = uint32(n)
		case 2:
			*(*uint16)(at) = uint16(n)
		default:
			*(*uint8)(at) = uint8(n)
		}
		return nil
	}
}

func bindFloat(t *Type, rt reflect.Type) setter {
	bits := rt.Bits()
	return func(at unsafe.Pointer, v *jsontree.Value) error {
		var f float64
		if v.Kind == jsontree.Number {
			var short bool
			if f, short = shortFloat(v.Text); !short || bits == 32 { // no number may be rounded twice
				var err error
				if f, err = strconv.ParseFloat(v.Text, bits); err != nil {
					return errUnread
				}
			}
		}
		if bits == 32 {
			*(*float32)(at) = float32(f)
		} else {
			*(*float64)(at) = f
		}
		return nil
	}
}

func bindPointer(t *Type, rt reflect.Type) (setter, error) {
	elem := rt.Elem()
	set, err := bind(t, elem)
	if err != nil {
		return nil, err
	}
	return func(at unsafe.Pointer, v *jsontree.Value) error {
		if v.Kind == jsontree.Null {
			*(*unsafe.Pointer)(at) = nil
			return nil
		}
		fresh := reflect.New(elem).UnsafePointer()
		if err := set(fresh, v); err != nil {
			return err
		}
		*(*unsafe.Pointer)(at) = fresh
		return nil
	}, nil
}

// items returns the element type of a list for binding.
func (t *Type) items() *Type {
	if t.Items == nil {
		return &Type{Length: Count{Max: -1}}
	}
	return t.Items
}

func bindSlice(t *Type, rt reflect.Type) (setter, error) {
	elem := rt.Elem()
	set, err := bind(t.items(), elem)
	if err != nil {
		return nil, err
	}
	if elem.Kind() == reflect.String && !reflect.PointerTo(elem).Implements(textReadType) {
		return func(at unsafe.Pointer, v *jsontree.Value) error {
			if v.Kind == jsontree.Null {
				*(*[]string)(at) = nil
				return nil
			}
			texts := make([]string, len(v.Items))
			for i := range v.Items {
				texts[i] = v.Items[i].Text
			}
			*(*[]string)(at) = texts
			return nil
		}, nil
	}
	stride := elem.Size()
	return func(at unsafe.Pointer, v *jsontree.Value) error {
		target := reflect.NewAt(rt, at).Elem()
		if v.Kind == jsontree.Null {
			target.SetZero()
			return nil
		}
		list := reflect.MakeSlice(rt, len(v.Items), len(v.Items))
		base := list.UnsafePointer()
		for i := range v.Items {
			if err := set(unsafe.Add(base, uintptr(i)*stride), &v.Items[i]); err != nil {
				return err
			}
		}
		target.Set(list)
		return nil
	}, nil
}

func bindArray(t *Type, rt reflect.Type) (setter, error) {
	elem, n := rt.Elem(), rt.Len()
	types := t.Prefix
	for len(types) < n {
		types = append(types, t.items())
	}
	sets := make([]setter, n)
	for i := range n {
		var err error
		if sets[i], err = bind(types[i], elem); err != nil {
			return nil, err
		}
	}
	return func(at unsafe.Pointer, v *jsontree.Value) error {
		if v.Kind == jsontree.Null {
			reflect.NewAt(rt, at).Elem().SetZero()
			return nil
		}
		if len(v.Items) != n {
			return errUnread
		}
		for i := range v.Items {
			if err := sets[i](unsafe.Add(at, uintptr(i)*elem.Size()), &v.Items[i]); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

func bindMap(t *Type, rt reflect.Type) (setter, error) {
	if rt.Key().Kind() != reflect.String {
		return nil, fmt.Errorf("Go type %s: the keys of a map must be strings", rt)
	}
	rest := t.Rest
	if rest == nil {
		rest = &Type{Length: Count{Max: -1}}
	}
	set, err := bind(rest, rt.Elem())
	if err != nil {
		return nil, err
	}
	return func(at unsafe.Pointer, v *jsontree.Value) error {
		target := reflect.NewAt(rt, at).Elem()
		if v.Kind == jsontree.Null {
			target.SetZero()
			return nil
		}
		m := reflect.MakeMapWithSize(rt, len(v.Members))
		for i := range v.Members {
			elem := reflect.New(rt.Elem())
			if err := set(elem.UnsafePointer(), &v.Members[i].Value); err != nil {
				return err
			}
			m.SetMapIndex(reflect.ValueOf(v.Members[i].Name).Convert(rt.Key()), elem.Elem())
		}
		target.Set(m)
		return nil
	}, nil
}

// fieldSetter is one compiled field of a struct.
type fieldSetter struct {
	offset uintptr
	set    setter
	plain  bool
	texts  bool // a plain slice of strings
}

// isPlain reports whether a Go type is one of Go's own scalars, or a pointer to
// one or a slice of them: its setter runs no reader of an author's, and needs
// no more of a value than its kind and text.
func isPlain(rt reflect.Type) bool {
	if rt == rawType || readsItself(rt) {
		return false
	}
	if rt.Kind() == reflect.Pointer || rt.Kind() == reflect.Slice {
		rt = rt.Elem()
	}
	switch rt.Kind() {
	case reflect.String, reflect.Bool, reflect.Float32, reflect.Float64,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return !readsItself(rt)
	}
	return false
}

func readsItself(rt reflect.Type) bool {
	return rt.Implements(textReadType) || reflect.PointerTo(rt).Implements(textReadType)
}

func bindStruct(t *Type, rt reflect.Type) (setter, error) {
	sets, err := bindFields(t, rt)
	if err != nil {
		return nil, err
	}
	return func(at unsafe.Pointer, v *jsontree.Value) error {
		if v.Kind == jsontree.Null {
			reflect.NewAt(rt, at).Elem().SetZero()
			return nil
		}
		for i := range v.Members {
			n := t.Field(v.Members[i].Name)
			if n < 0 {
				return errUnread
			}
			if err := sets[n].set(unsafe.Add(at, sets[n].offset), &v.Members[i].Value); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// bindFields compiles a setter a property, in the order of t.Fields.
func bindFields(t *Type, rt reflect.Type) ([]fieldSetter, error) {
	if t.Open || t.Rest != nil {
		return nil, fmt.Errorf("Go type %s cannot hold members of any name; use a map for a schema that allows them", rt)
	}
	byName := map[string]fieldAt{}
	structFields(rt, 0, byName)
	sets := make([]fieldSetter, len(t.Fields))
	for i, f := range t.Fields {
		at, ok := byName[f.Name]
		if !ok {
			return nil, fmt.Errorf("Go type %s has no field for the parameter %s", rt, f.Name)
		}
		set, err := bind(f.Type, at.goType)
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", f.Name, err)
		}
		sets[i] = fieldSetter{offset: at.offset, set: set, plain: isPlain(at.goType),
			texts: isPlain(at.goType) && at.goType.Kind() == reflect.Slice && at.goType.Elem().Kind() == reflect.String}
	}
	return sets, nil
}

type fieldAt struct {
	offset uintptr
	goType reflect.Type
}

// structFields lists the JSON names of a struct with their offsets. An outer
// field hides an embedded one of the same name, as in encoding/json.
func structFields(rt reflect.Type, base uintptr, byName map[string]fieldAt) {
	var embedded []reflect.StructField
	for i := range rt.NumField() {
		f := rt.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" && !strings.HasPrefix(f.Tag.Get("json"), "-,") {
			continue
		}
		if f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct {
			embedded = append(embedded, f)
			continue
		}
		if !f.IsExported() {
			continue
		}
		if name == "" {
			name = f.Name
		}
		if _, hidden := byName[name]; !hidden {
			byName[name] = fieldAt{offset: base + f.Offset, goType: f.Type}
		}
	}
	for _, f := range embedded {
		structFields(f.Type, base+f.Offset, byName)
	}
}
