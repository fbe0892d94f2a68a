package splash

import (
	"fmt"
	"math"
	"strings"
)

// Access to fields and items (SL-28 to SL-30), calls (SL-27) and modules (SL-37).

func (m *machine) field(v Value, key *text) (Value, error) {
	if r, ok := v.ref.(*record); ok {
		if i := r.find(key); i >= 0 {
			return r.vals[i], nil
		}
	}
	return Value{}, fail(NotFound, msgNoField, v.article(), quoteShort(key.s))
}

func (m *machine) indexed(v, i Value) (Value, error) {
	switch o := v.ref.(type) {
	case *record:
		key, ok := i.ref.(*text)
		if !ok {
			return Value{}, fail(TypeMismatch, msgRecordIndex, i.article())
		}
		if err := m.work(len(key.s) / 64); err != nil { // a long key is compared, or hashed, in full
			return Value{}, err
		}
		if at := o.find(key); at >= 0 {
			return o.vals[at], nil
		}
		return Value{}, nil
	case *array:
		n, err := itemIndex(i, len(o.items))
		if err != nil {
			return Value{}, err
		}
		return o.items[n], nil
	case *byteArray:
		n, err := itemIndex(i, len(o.b))
		if err != nil {
			return Value{}, err
		}
		return number(float64(o.b[n])), nil
	}
	return Value{}, fail(WrongValue, msgReadIndex, v.article())
}

// itemIndex is the index of SL-29: a whole number, and there (Q14).
func itemIndex(i Value, size int) (int, error) {
	if _, ok := i.ref.(numberTag); !ok {
		return 0, fail(TypeMismatch, msgArrayIndex, i.article())
	}
	n, ok := i.whole()
	if !ok || n >= size {
		return 0, fail(OutOfBounds, msgOutOfBounds, numberText(i.num), size)
	}
	return n, nil
}

func (m *machine) writeField(v Value, key *text, x Value) error {
	r, ok := v.ref.(*record)
	if !ok {
		return fail(WrongValue, msgWriteField, v.article())
	}
	if r.frozen {
		return fail(Immutable, msgFrozen)
	}
	return m.setField(r, key, x)
}

func (m *machine) writeIndex(v, i, x Value) error {
	switch o := v.ref.(type) {
	case *record:
		key, ok := i.ref.(*text)
		if !ok {
			return fail(TypeMismatch, msgRecordIndex, i.article()) // Q25
		}
		if err := m.work(len(key.s) / 64); err != nil {
			return err
		}
		return m.writeField(v, key, x)
	case *array:
		n, err := itemIndex(i, math.MaxInt)
		if err != nil {
			return m.indexOf(err, i, len(o.items))
		}
		if n >= len(o.items) {
			if err := m.resize(o, n+1); err != nil {
				return err
			}
		}
		o.items[n] = x
		return nil
	case *byteArray:
		n, err := itemIndex(i, math.MaxInt)
		if err != nil {
			return m.indexOf(err, i, len(o.b))
		}
		b, ok := byteOf(x)
		if !ok {
			return fail(TypeMismatch, msgByteValue, x.article())
		}
		if n >= len(o.b) {
			if err := m.resizeBytes(o, n+1); err != nil {
				return err
			}
		}
		o.b[n] = b
		return nil
	}
	return fail(WrongValue, msgWriteIndex, v.article())
}

// indexOf names the true size in the error of an index that no size would fit.
func (m *machine) indexOf(err error, i Value, size int) error {
	if err.(*Error).Kind == OutOfBounds {
		return fail(OutOfBounds, msgOutOfBounds, numberText(i.num), size)
	}
	return err
}

// byteOf truncates and clamps a number to a byte (SL-30, Q19). NaN is 0.
func byteOf(v Value) (byte, bool) {
	f, ok := v.arithmetic()
	if !ok {
		return 0, false
	}
	switch {
	case !(f > 0):
		return 0, true
	case f >= 255:
		return 255, true
	}
	return byte(f), true
}

func (m *machine) resizeBytes(o *byteArray, n int) error {
	if n > m.limits.Bytes {
		return &LimitError{Bound: BoundBytes, Max: m.limits.Bytes}
	}
	if n <= cap(o.b) {
		old := len(o.b)
		o.b = o.b[:n]
		clear(o.b[old:])
		return nil
	}
	room := grown(cap(o.b), n)
	if err := m.charge(room, 0); err != nil {
		return err
	}
	if err := m.work(room / bytesPerStep); err != nil {
		return err
	}
	b := make([]byte, n, room)
	copy(b, o.b)
	o.b = b
	return nil
}

// push appends to an array.
func (m *machine) push(a *array, v Value) error {
	n := len(a.items)
	if err := m.resize(a, n+1); err != nil {
		return err
	}
	a.items[n] = v
	return nil
}

// lookMethod finds what r.f(...) calls: a field of a record, or one of the methods of SL-34.
func (m *machine) lookMethod(v Value, name *text) (Value, error) {
	if r, ok := v.ref.(*record); ok {
		if i := r.find(name); i >= 0 {
			return r.vals[i], nil
		}
	}
	if fn := methodOf(v, name.s); fn != nil {
		return Value{ref: fn}, nil
	}
	err := fail(NotFound, msgNoMethod, v.article(), quoteShort(name.s))
	if r, ok := v.ref.(*record); ok && r.frozen {
		err.Message += msgHas + r.names()
	}
	return Value{}, err
}

// Bounds of how many names of a module a message lists.
const (
	mostMembers    = 12
	longestMembers = 240 // bytes, beyond which they are counted
)

// names lists the names of a module's members for a message.
func (r *record) names() string {
	var b strings.Builder
	for i, key := range r.keys {
		if i == mostMembers || b.Len()+len(key.s) > longestMembers {
			return fmt.Sprintf("%s and %d more", b.String(), len(r.keys)-i)
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(key.s)
	}
	return b.String()
}

// call calls a function whose arguments, and self before them, lie on top of the stack. A builtin's result is on the
// stack when it returns; a closure's frame is set up.
func (m *machine) call(fn Value, argc int, withSelf bool) error {
	low := m.sp - argc - 1
	if withSelf {
		low--
	}
	var v Value
	var err error
	switch fn := fn.ref.(type) {
	case *closure:
		return m.enter(fn, argc, withSelf)
	case *builtin:
		v, err = fn.fn(m, m.stack[m.sp-argc:m.sp])
	case *method:
		v, err = fn.fn(m, m.stack[low+1])
	default:
		return fail(TypeMismatch, msgNotCallable, Value{ref: fn}.article())
	}
	if err != nil {
		return err
	}
	m.stack[low] = v
	m.sp = low + 1
	return nil
}

// use finds the module of a `use mod.a.b` (SL-37). It goes by the frozen tree, whatever `mod` means in the program.
func (m *machine) use(path []string) (Value, error) {
	v := Value{ref: m.mod()}
	for i, name := range path {
		r, ok := v.ref.(*record)
		at := -1
		if ok && r.frozen {
			at = r.find(&text{s: name})
		}
		if at < 0 {
			err := fail(NotFound, msgNoModule, "mod."+strings.Join(path[:i+1], "."))
			if r, ok := v.ref.(*record); ok && r.frozen && i == 0 {
				err.Message += msgThereAre + r.names()
			}
			return Value{}, err
		}
		v = r.vals[at]
	}
	return v, nil
}

func (m *machine) mod() *record { return m.globals["mod"].ref.(*record) }
