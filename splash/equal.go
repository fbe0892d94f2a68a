package splash

// Equality (SL-18). Arrays and records are compared item by item, without recursion and without end on values that
// contain themselves (Q26): two containers once met are taken for equal from then on, which can only be wrong if a
// difference turns up elsewhere, and then the answer is no anyway.

// same compares everything but the inside of containers; inside says that these must be compared further.
func same(a, b Value) (equal, inside bool) {
	switch x := a.ref.(type) {
	case nil:
		return b.ref == nil, false
	case numberTag:
		_, ok := b.ref.(numberTag)
		return ok && a.num == b.num, false
	case boolTag:
		_, ok := b.ref.(boolTag)
		return ok && a.num == b.num, false
	case *text:
		y, ok := b.ref.(*text)
		return ok && (x == y || x.s == y.s), false
	case *array:
		y, ok := b.ref.(*array)
		return ok && x == y, ok && x != y && len(x.items) == len(y.items)
	case *record:
		y, ok := b.ref.(*record)
		return ok && x == y, ok && x != y && len(x.vals) == len(y.vals)
	case *byteArray:
		y, ok := b.ref.(*byteArray)
		return ok && (x == y || string(x.b) == string(y.b)), false
	}
	return a.ref == b.ref, false // functions and promises: identity (Q20)
}

// direct is the equality of std.array (SL-41): containers are equal only to themselves.
func direct(a, b Value) bool {
	if _, ok := a.ref.(*byteArray); ok {
		return a.ref == b.ref
	}
	equal, _ := same(a, b)
	return equal
}

// long is how many bytes a comparison with the value may go through.
func long(v Value) int {
	switch o := v.ref.(type) {
	case *text:
		return len(o.s)
	case *byteArray:
		return len(o.b)
	}
	return 0
}

type pair struct{ a, b Value }

// equal is the == of the language. Its work is paid in steps, its memory from the heap until it returns.
func (m *machine) equal(a, b Value) (bool, error) {
	if err := m.work(long(a) / 256); err != nil {
		return false, err
	}
	equal, inside := same(a, b)
	if !inside {
		return equal, nil
	}
	held := 0
	defer func() { m.bytes -= min(held, m.bytes) }()
	hold := func(n int) error {
		held += n
		return m.charge(n, 0)
	}
	const costPair, costMet = 2 * costValue, 96
	met := map[any]any{} // a union-find forest over the containers met
	root := func(x any) any {
		for {
			up, ok := met[x]
			if !ok {
				return x
			}
			if upper, ok := met[up]; ok {
				met[x] = upper
			}
			x = up
		}
	}
	todo := []pair{{a, b}}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		ra, rb := root(p.a.ref), root(p.b.ref)
		if ra == rb {
			continue
		}
		if err := hold(costMet); err != nil {
			return false, err
		}
		met[ra] = rb
		push := func(x, y Value) (bool, error) {
			if n := long(x) / 256; n > 0 && x.ref != y.ref {
				if err := m.work(n); err != nil {
					return false, err
				}
			}
			equal, inside := same(x, y)
			if !inside {
				return equal, nil
			}
			todo = append(todo, pair{x, y})
			return true, hold(costPair)
		}
		switch x := p.a.ref.(type) {
		case *array:
			y := p.b.ref.(*array)
			if err := m.work(len(x.items)/4 + 1); err != nil {
				return false, err
			}
			for i, v := range x.items {
				if ok, err := push(v, y.items[i]); !ok || err != nil {
					return false, err
				}
			}
		case *record:
			y := p.b.ref.(*record)
			if err := m.work(len(x.vals) + 1); err != nil {
				return false, err
			}
			for i, k := range x.keys {
				if err := m.work(len(k.s) / 64); err != nil {
					return false, err
				}
				j := y.find(k)
				if j < 0 {
					return false, nil
				}
				if ok, err := push(x.vals[i], y.vals[j]); !ok || err != nil {
					return false, err
				}
			}
		}
	}
	return true, nil
}
