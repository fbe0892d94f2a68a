package splash

import "math"

// arrayModule is std.array (SL-41). The first argument is an array or a byte array and is never changed, except by
// push; results are new, ordinary, shallow arrays.
var arrayModule = frozen(
	fn1("array", "len", func(c *std) (Value, error) {
		l, err := c.list(0)
		return number(float64(l.len())), err
	}),
	fn1("array", "has_index", func(c *std) (Value, error) {
		l, err := c.list(0)
		if err != nil {
			return Value{}, err
		}
		i, err := c.index(1)
		return boolean(i < l.len()), err
	}),
	fn1("array", "get", func(c *std) (Value, error) {
		l, err := c.list(0)
		if err != nil {
			return Value{}, err
		}
		i, err := c.index(1)
		if err != nil {
			return Value{}, err
		}
		if i < l.len() {
			return l.at(i), nil
		}
		return c.arg(2), nil
	}),
	fn1("array", "contains", func(c *std) (Value, error) {
		i, err := c.search()
		return boolean(i >= 0), err
	}),
	fn1("array", "index_of", func(c *std) (Value, error) {
		i, err := c.search()
		return number(float64(i)), err
	}),
	fn1("array", "slice", func(c *std) (Value, error) {
		l, err := c.cappedList(0)
		if err != nil {
			return Value{}, err
		}
		from, to, err := c.span(1, l.len())
		if err != nil {
			return Value{}, err
		}
		return c.collect(to-from, func(add func(Value)) {
			for i := from; i < to; i++ {
				add(l.at(i))
			}
		})
	}),
	fn1("array", "range", arrayRange),
	fn1("array", "concat", func(c *std) (Value, error) {
		a, err := c.cappedList(0)
		if err != nil {
			return Value{}, err
		}
		b, err := c.cappedList(1)
		if err != nil {
			return Value{}, err
		}
		if err := c.capped(a.len() + b.len()); err != nil {
			return Value{}, err
		}
		return c.collect(a.len()+b.len(), func(add func(Value)) {
			a.each(add)
			b.each(add)
		})
	}),
	fn1("array", "reverse", func(c *std) (Value, error) {
		l, err := c.cappedList(0)
		if err != nil {
			return Value{}, err
		}
		return c.collect(l.len(), func(add func(Value)) {
			for i := l.len() - 1; i >= 0; i-- {
				add(l.at(i))
			}
		})
	}),
	fn1("array", "compact", func(c *std) (Value, error) {
		l, err := c.cappedList(0)
		if err != nil {
			return Value{}, err
		}
		return c.collect(l.len(), func(add func(Value)) {
			l.each(func(v Value) {
				if v.ref != nil {
					add(v)
				}
			})
		})
	}),
	fn1("array", "unique", arrayUnique),
	fn1("array", "flatten", arrayFlatten),
	fn1("array", "push", func(c *std) (Value, error) {
		l, err := c.list(0)
		if err != nil {
			return Value{}, err
		}
		if l.len() >= stdCap {
			return Value{}, fail(LimitExceeded, msgCap, c.name, stdCap)
		}
		if l.a != nil {
			return Value{}, c.m.push(l.a, c.arg(1))
		}
		b, ok := byteOf(c.arg(1))
		if !ok {
			return Value{}, fail(TypeMismatch, msgByteValue, c.arg(1).article())
		}
		n := len(l.b.b)
		if err := c.m.resizeBytes(l.b, n+1); err != nil {
			return Value{}, err
		}
		l.b.b[n] = b // truncated and clamped, like a write (Q19)
		return Value{}, nil
	}),
)

// list is an array or a byte array.
type list struct {
	a *array
	b *byteArray
}

func (c *std) list(i int) (list, error) {
	switch o := c.arg(i).ref.(type) {
	case *array:
		return list{a: o}, nil
	case *byteArray:
		return list{b: o}, nil
	}
	return list{}, c.wrong(i, "an array")
}

// cappedList is a list that the function goes through, and pays for.
func (c *std) cappedList(i int) (list, error) {
	l, err := c.list(i)
	if err != nil {
		return l, err
	}
	return l, c.capped(l.len())
}

func (l list) len() int {
	switch {
	case l.a != nil:
		return len(l.a.items)
	case l.b != nil:
		return len(l.b.b)
	}
	return 0
}

func (l list) at(i int) Value {
	if l.a != nil {
		return l.a.items[i]
	}
	return number(float64(l.b.b[i]))
}

func (l list) each(f func(Value)) {
	for i := range l.len() {
		f(l.at(i))
	}
}

// collect makes a new array of at most n items.
func (c *std) collect(n int, fill func(add func(Value))) (Value, error) {
	a, err := c.m.newArray(n)
	if err != nil {
		return Value{}, err
	}
	fill(func(v Value) { a.items = append(a.items, v) })
	return Value{ref: a}, nil
}

func (c *std) search() (int, error) {
	l, err := c.cappedList(0)
	if err != nil {
		return -1, err
	}
	want := c.arg(1)
	if t, ok := want.ref.(*text); ok { // each comparison may go through all of it
		if err := c.m.work(l.len() * (len(t.s) / 256)); err != nil {
			return -1, err
		}
	}
	for i := range l.len() {
		if direct(l.at(i), want) {
			return i, nil
		}
	}
	return -1, nil
}

func arrayRange(c *std) (Value, error) {
	// Its numbers are no places, so they may be larger than an int.
	for i := range 2 {
		if !c.arg(i).isWhole(1 << 53) {
			return Value{}, fail(InvalidArgs, msgArgIndex, c.name, i+1)
		}
	}
	from, to := c.arg(0).num, c.arg(1).num
	if from > to {
		return Value{}, fail(InvalidArgs, msgRange, c.name)
	}
	n := int(min(to-from, stdCap+1))
	if err := c.capped(n); err != nil {
		return Value{}, err
	}
	return c.collect(n, func(add func(Value)) {
		for i := range n {
			add(number(from + float64(i)))
		}
	})
}

// arrayUnique keeps the first of each by direct equality, for which a map is enough: only NaN equals nothing.
func arrayUnique(c *std) (Value, error) {
	l, err := c.cappedList(0)
	if err != nil {
		return Value{}, err
	}
	bytes := 0
	l.each(func(v Value) {
		if t, ok := v.ref.(*text); ok {
			bytes += len(t.s)
		}
	})
	if err := c.m.work(l.len() + bytes/64); err != nil {
		return Value{}, err
	}
	type key struct {
		num  float64
		ref  any
		s    string
		text bool
	}
	seen := make(map[key]struct{}, l.len())
	return c.collect(l.len(), func(add func(Value)) {
		l.each(func(v Value) {
			k := key{num: v.num, ref: v.ref}
			if t, ok := v.ref.(*text); ok {
				k = key{s: t.s, text: true}
			}
			if _, ok := v.ref.(numberTag); ok && math.IsNaN(v.num) {
				add(v)
				return
			}
			if _, ok := seen[k]; !ok {
				seen[k] = struct{}{}
				add(v)
			}
		})
	})
}

func arrayFlatten(c *std) (Value, error) {
	l, err := c.cappedList(0)
	if err != nil {
		return Value{}, err
	}
	total := 0
	parts := make([]list, 0, l.len())
	for i := range l.len() {
		var part list
		switch o := l.at(i).ref.(type) {
		case *array:
			part.a = o
		case *byteArray:
			part.b = o
		default:
			return Value{}, fail(TypeMismatch, msgFlattenItem, i)
		}
		parts = append(parts, part)
		if total += part.len(); total > stdCap {
			return Value{}, fail(LimitExceeded, msgCap, c.name, stdCap)
		}
	}
	if err := c.capped(total); err != nil {
		return Value{}, err
	}
	return c.collect(total, func(add func(Value)) {
		for _, part := range parts {
			part.each(add)
		}
	})
}
