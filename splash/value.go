package splash

import "math"

// Value is a value of a program, as an evaluation hands it out: to be looked at, and written as JSON. The zero Value
// is nil. Arrays, byte arrays and records are references into the evaluation they come from (SL-16), so a Value must
// not be used while that evaluation runs on another goroutine.
type Value struct {
	num float64
	ref any // nil, a tag, or a pointer to an object
}

// Kind says what a value is (SL-15).
type Kind string

// The kinds of values. A module is a record that cannot be changed and has no JSON form.
const (
	KindNil      Kind = "nil"
	KindBool     Kind = "boolean"
	KindNumber   Kind = "number"
	KindString   Kind = "string"
	KindArray    Kind = "array"
	KindBytes    Kind = "byte array"
	KindRecord   Kind = "record"
	KindModule   Kind = "module"
	KindFunction Kind = "function"
	KindPromise  Kind = "promise"
)

type (
	numberTag struct{}
	boolTag   struct{}
	// unsetTag marks a slot whose name has not been introduced. It is never seen by a program.
	unsetTag struct{}
)

var (
	valTrue  = Value{num: 1, ref: boolTag{}}
	valFalse = Value{ref: boolTag{}}
	valUnset = Value{ref: unsetTag{}}
)

func number(f float64) Value { return Value{num: f, ref: numberTag{}} }

func boolean(b bool) Value {
	if b {
		return valTrue
	}
	return valFalse
}

// text is a string. Those of the program and of std are static: shared by evaluations, and never marked.
type text struct {
	s      string
	static bool
	mark   uint32
}

func staticText(s string) *text { return &text{s: s, static: true} }

type array struct {
	items []Value
	mark  uint32
}

type byteArray struct {
	b    []byte
	mark uint32
}

// record keeps its fields in the order they were first set (SL-15, Q13 and Q15). There is no way to remove one.
type record struct {
	keys   []*text
	vals   []Value
	index  map[string]int32 // only once there are more than indexFrom fields
	frozen bool             // a module
	mark   uint32
}

const indexFrom = 8

// closure is a function of the program.
type closure struct {
	proto *proto
	cells []*cell
	mark  uint32
}

// cell is a name that a closure shares with the code around it (SL-61).
type cell struct {
	v    Value // valUnset until introduced
	mark uint32
}

// builtin is a function of std, of a tool, or of a host module.
type builtin struct {
	name string
	fn   func(m *machine, args []Value) (Value, error)
}

// method is one of the four methods of SL-34. It never leaves the call it is looked up for.
type method struct {
	name string
	fn   func(m *machine, self Value) (Value, error)
}

// What values cost, in bytes, by the account of Limits.Bytes. They are what the Go runtime spends, rounded up by a
// third, since the runtime also spends on what is dropped and not yet collected.
const (
	costValue   = 32
	costText    = 48
	costArray   = 48
	costBytes   = 48
	costRecord  = 96
	costField   = costValue + 8
	costIndex   = 64 // further cost of a field of a record with an index
	costClosure = 64
	costCell    = 48
	costPromise = 256
)

// Kind returns what the value is.
func (v Value) Kind() Kind {
	switch r := v.ref.(type) {
	case nil:
		return KindNil
	case boolTag:
		return KindBool
	case numberTag:
		return KindNumber
	case *text:
		return KindString
	case *array:
		return KindArray
	case *byteArray:
		return KindBytes
	case *record:
		if r.frozen {
			return KindModule
		}
		return KindRecord
	case *promise:
		return KindPromise
	}
	return KindFunction
}

// article is the kind as a message names it.
func (v Value) article() string {
	switch v.ref.(type) {
	case nil:
		return "nil"
	case *array:
		return "an array"
	}
	return "a " + string(v.Kind())
}

// truthy is SL-17. A NaN and an empty array are true (Q7).
func (v Value) truthy() bool {
	switch r := v.ref.(type) {
	case nil:
		return false
	case boolTag, numberTag:
		return v.num != 0
	case *text:
		return r.s != ""
	}
	return true
}

// arithmetic gives the number an operand of SL-19 and SL-20 stands for: nil and the booleans count too.
func (v Value) arithmetic() (float64, bool) {
	switch v.ref.(type) {
	case numberTag, boolTag:
		return v.num, true
	case nil:
		return 0, true
	}
	return 0, false
}

// maxWhole is the largest whole number that both a double and an int hold exactly.
const maxWhole = min(1<<53, math.MaxInt)

// whole gives the value of a whole number of at least 0 that an int holds exactly.
func (v Value) whole() (int, bool) {
	if !v.isWhole(maxWhole) {
		return 0, false
	}
	return int(v.num), true
}

// isWhole reports a whole number from 0 to most.
func (v Value) isWhole(most float64) bool {
	_, ok := v.ref.(numberTag)
	return ok && 0 <= v.num && v.num <= most && v.num == math.Trunc(v.num)
}

// find returns the place of a field, or -1.
func (r *record) find(key *text) int {
	if r.index != nil {
		if i, ok := r.index[key.s]; ok {
			return int(i)
		}
		return -1
	}
	for i, k := range r.keys {
		if k == key || k.s == key.s {
			return i
		}
	}
	return -1
}

// add appends a field that is known to be new. Memory is the caller's to account for.
func (r *record) add(key *text, v Value) {
	r.keys = append(r.keys, key)
	r.vals = append(r.vals, v)
	switch n := len(r.keys); {
	case r.index != nil:
		r.index[key.s] = int32(n - 1)
	case n > indexFrom:
		r.index = make(map[string]int32, 2*n)
		for i, k := range r.keys {
			r.index[k.s] = int32(i)
		}
	}
}

// bytes is the cost of the record by itself.
func (r *record) bytes() int {
	n := costRecord + cap(r.vals)*costField
	if r.index != nil {
		n += len(r.keys) * costIndex
	}
	return n
}
