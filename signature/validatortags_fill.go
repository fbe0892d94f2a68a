package signature

import (
	"reflect"
	"time"
)

// filled returns a pointer to a value of the type in which nothing is zero,
// as far as that can be told from the type.
func filled(t reflect.Type) reflect.Value {
	p := reflect.New(t)
	fill(p.Elem())
	return p
}

func fill(v reflect.Value) {
	if !v.CanSet() {
		return
	}
	switch t := v.Type(); v.Kind() {
	case reflect.String:
		v.SetString("1")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(1)
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(t, 1, 1))
		fill(v.Index(0))
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Map:
		key, elem := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		fill(key)
		fill(elem)
		v.Set(reflect.MakeMap(t))
		v.SetMapIndex(key, elem)
	case reflect.Interface:
		if t.NumMethod() == 0 {
			v.Set(reflect.ValueOf("1"))
		}
	case reflect.Struct:
		if t == timeType {
			v.Set(reflect.ValueOf(time.Unix(1, 0)))
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	default:
		switch {
		case v.CanInt():
			v.SetInt(1)
		case v.CanUint():
			v.SetUint(1)
		}
	}
}
