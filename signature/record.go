package signature

import (
	"encoding/json"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// A Record is the Input of a command made from a JSON schema alone: its
// parameters by name, in declaration order. Values are string, bool,
// json.Number (every digit kept), []any, *Record for an object, and nil for
// an explicit null; a parameter that was not set is absent.
//
// A Record belongs to one call and is not safe for concurrent use.
type Record struct {
	names  []string
	values []any
	index  map[string]int // kept once there are many names
}

// fewNames is where looking through the names costs more than a map.
const fewNames = 32

func (r *Record) find(name string) int {
	if len(r.names) <= fewNames {
		for i, have := range r.names {
			if have == name {
				return i
			}
		}
		return -1
	}
	if r.index == nil {
		r.index = make(map[string]int, 2*len(r.names))
		for i, have := range r.names {
			r.index[have] = i
		}
	}
	if i, ok := r.index[name]; ok {
		return i
	}
	return -1
}

// Len returns how many parameters are set.
func (r *Record) Len() int { return len(r.names) }

// Names returns the names of the parameters that are set, in order.
func (r *Record) Names() []string { return append([]string(nil), r.names...) }

// Get returns the value of a parameter and whether it is set.
func (r *Record) Get(name string) (any, bool) {
	if i := r.find(name); i >= 0 {
		return r.values[i], true
	}
	return nil, false
}

// Set stores a value under a name, at the end if the name is new. A hook uses
// it to normalize what the body will read.
func (r *Record) Set(name string, value any) {
	if i := r.find(name); i >= 0 {
		r.values[i] = value
		return
	}
	if r.index != nil {
		r.index[name] = len(r.names)
	}
	r.names = append(r.names, name)
	r.values = append(r.values, value)
}

// MarshalJSON writes the parameters as one object in their order.
func (r *Record) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, name := range r.names {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsontree.AppendString(out, name)
		out = append(out, ':')
		if text, ok := r.values[i].(string); ok {
			out = jsontree.AppendString(out, text)
			continue
		}
		value, err := jsontree.Marshal(r.values[i])
		if err != nil {
			return nil, err
		}
		out = append(out, value...)
	}
	return append(out, '}'), nil
}

// GoValue turns a tree into the values that a Record holds; neither digits nor
// the order of members are lost.
func GoValue(v *jsontree.Value) any {
	switch v.Kind {
	case jsontree.Bool:
		return v.True
	case jsontree.Number:
		return json.Number(v.Text)
	case jsontree.String:
		return v.Text
	case jsontree.List:
		items := make([]any, len(v.Items))
		for i := range v.Items {
			items[i] = GoValue(&v.Items[i])
		}
		return items
	case jsontree.Object:
		r := &Record{names: make([]string, 0, len(v.Members)), values: make([]any, 0, len(v.Members))}
		for i := range v.Members {
			r.names = append(r.names, v.Members[i].Name)
			r.values = append(r.values, GoValue(&v.Members[i].Value))
		}
		return r
	default:
		return nil
	}
}
