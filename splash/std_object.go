package splash

// objectModule is std.object (SL-42). The first argument is a record that is no module; results are new and shallow,
// and keep the order of fields (Q15).
var objectModule = frozen(
	fn1("object", "len", func(c *std) (Value, error) {
		r, err := c.record(0)
		if err != nil {
			return Value{}, err
		}
		return number(float64(len(r.vals))), nil
	}),
	fn1("object", "has", func(c *std) (Value, error) {
		r, k, err := c.recordKey()
		if err != nil {
			return Value{}, err
		}
		return boolean(r.find(k) >= 0), nil
	}),
	fn1("object", "get", func(c *std) (Value, error) {
		r, k, err := c.recordKey()
		if err != nil {
			return Value{}, err
		}
		if i := r.find(k); i >= 0 {
			return r.vals[i], nil
		}
		return c.arg(2), nil
	}),
	fn1("object", "pick", func(c *std) (Value, error) {
		r, keys, err := c.recordKeys()
		if err != nil {
			return Value{}, err
		}
		return c.newRecord(min(len(keys), len(r.vals)), func(out *record) {
			for _, k := range keys {
				if i := r.find(k); i >= 0 && out.find(k) < 0 {
					out.add(r.keys[i], r.vals[i])
				}
			}
		})
	}),
	fn1("object", "omit", func(c *std) (Value, error) {
		r, keys, err := c.recordKeys()
		if err != nil {
			return Value{}, err
		}
		gone := make(map[string]bool, len(keys))
		for _, k := range keys {
			gone[k.s] = true
		}
		return c.newRecord(len(r.vals), func(out *record) {
			for i, k := range r.keys {
				if !gone[k.s] {
					out.add(k, r.vals[i])
				}
			}
		})
	}),
	fn1("object", "from_entries", objectFromEntries),
	fn1("object", "with", func(c *std) (Value, error) {
		r, k, err := c.recordKey()
		if err != nil {
			return Value{}, err
		}
		if _, err := c.cappedRecord(0); err != nil {
			return Value{}, err
		}
		return c.newRecord(len(r.vals)+1, func(out *record) {
			for i, k := range r.keys {
				out.add(k, r.vals[i])
			}
			put(out, k, c.arg(2))
		})
	}),
	fn1("object", "keys", func(c *std) (Value, error) {
		r, err := c.cappedRecord(0)
		if err != nil {
			return Value{}, err
		}
		return c.collect(len(r.vals), func(add func(Value)) {
			for _, k := range r.keys {
				add(Value{ref: k})
			}
		})
	}),
	fn1("object", "values", func(c *std) (Value, error) {
		r, err := c.cappedRecord(0)
		if err != nil {
			return Value{}, err
		}
		return c.collect(len(r.vals), func(add func(Value)) {
			for _, v := range r.vals {
				add(v)
			}
		})
	}),
	fn1("object", "entries", objectEntries),
	fn1("object", "merge", func(c *std) (Value, error) {
		a, err := c.cappedRecord(0)
		if err != nil {
			return Value{}, err
		}
		b, err := c.cappedRecord(1)
		if err != nil {
			return Value{}, err
		}
		n := len(a.vals)
		for _, k := range b.keys {
			if a.find(k) < 0 {
				n++
			}
		}
		if err := c.capped(n); err != nil {
			return Value{}, err
		}
		return c.newRecord(n, func(out *record) {
			for i, k := range a.keys {
				out.add(k, a.vals[i])
			}
			for i, k := range b.keys {
				put(out, k, b.vals[i])
			}
		})
	}),
)

func put(r *record, k *text, v Value) {
	if i := r.find(k); i >= 0 {
		r.vals[i] = v
	} else {
		r.add(k, v)
	}
}

func (c *std) record(i int) (*record, error) {
	r, ok := c.arg(i).ref.(*record)
	if !ok || r.frozen {
		return nil, c.wrong(i, "a record")
	}
	return r, nil
}

func (c *std) cappedRecord(i int) (*record, error) {
	r, err := c.record(i)
	if err != nil {
		return nil, err
	}
	if err := c.capped(len(r.vals)); err != nil {
		return nil, err
	}
	bytes := 0
	for _, k := range r.keys {
		bytes += len(k.s)
	}
	return r, c.m.work(bytes / 64) // keys may be long, and are hashed
}

// recordKey gets a record and the string after it.
func (c *std) recordKey() (*record, *text, error) {
	r, err := c.record(0)
	if err != nil {
		return nil, nil, err
	}
	k, err := c.text(1)
	if err != nil {
		return nil, nil, err
	}
	return r, k, c.m.work(len(k.s) / 64)
}

// recordKeys gets a record and the array of strings after it.
func (c *std) recordKeys() (*record, []*text, error) {
	r, err := c.cappedRecord(0)
	if err != nil {
		return nil, nil, err
	}
	a, ok := c.arg(1).ref.(*array)
	if !ok {
		return nil, nil, c.wrong(1, "an array of strings")
	}
	if err := c.capped(len(a.items)); err != nil {
		return nil, nil, err
	}
	keys := make([]*text, len(a.items))
	bytes := 0
	for i, v := range a.items {
		if keys[i], ok = v.ref.(*text); !ok {
			return nil, nil, fail(TypeMismatch, msgKeyItem, c.name, i)
		}
		bytes += len(keys[i].s)
	}
	return r, keys, c.m.work(bytes / 32)
}

// newRecord makes a record of at most n fields. Copying and indexing them is paid for.
func (c *std) newRecord(n int, fill func(out *record)) (Value, error) {
	if err := c.m.work(n); err != nil {
		return Value{}, err
	}
	out, err := c.m.newRecord(n)
	if err != nil {
		return Value{}, err
	}
	fill(out)
	return Value{ref: out}, nil
}

func objectFromEntries(c *std) (Value, error) {
	a, ok := c.arg(0).ref.(*array)
	if !ok {
		return Value{}, c.wrong(0, "an array of entries")
	}
	if err := c.capped(len(a.items)); err != nil {
		return Value{}, err
	}
	bytes := 0
	for i, v := range a.items {
		e, ok := v.ref.(*array)
		if !ok || len(e.items) != 2 {
			return Value{}, fail(TypeMismatch, msgEntry, i)
		}
		k, ok := e.items[0].ref.(*text)
		if !ok {
			return Value{}, fail(TypeMismatch, msgEntry, i)
		}
		bytes += len(k.s)
	}
	if err := c.m.work(bytes / 64); err != nil {
		return Value{}, err
	}
	return c.newRecord(len(a.items), func(out *record) {
		for _, v := range a.items {
			e := v.ref.(*array)
			put(out, e.items[0].ref.(*text), e.items[1])
		}
	})
}

func objectEntries(c *std) (Value, error) {
	r, err := c.cappedRecord(0)
	if err != nil {
		return Value{}, err
	}
	n := len(r.vals)
	if err := c.m.charge(n*(costArray+2*costValue), 3*n); err != nil {
		return Value{}, err
	}
	return c.collect(n, func(add func(Value)) {
		for i, k := range r.keys {
			add(Value{ref: &array{items: []Value{{ref: k}, r.vals[i]}}})
		}
	})
}
