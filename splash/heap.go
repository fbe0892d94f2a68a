package splash

// The account of memory. Everything an evaluation makes is charged when it is made; nothing is given back until the
// account is full, and then one pass over what the program can still reach sets it right. So the count is exact where
// it matters, is the same on every machine, and costs almost nothing while there is room.

// bytesPerStep is how much text a step may make. It keeps what a program can make and drop, over all its steps, within
// a few times its bytes, so that the memory of the process does not depend on how soon Go collects it.
const bytesPerStep = 128

// charge accounts for new bytes and values. It must come before the memory is taken, and everything the program still
// needs must be reachable from m.stack[:m.sp], the globals or the inflight count.
func (m *machine) charge(bytes, values int) error {
	m.bytes += bytes
	m.values += values
	m.inflightBytes += bytes
	m.inflightValues += values
	if m.bytes > m.limits.Bytes || m.values > m.limits.Values {
		return m.collect()
	}
	if m.peakTest {
		m.maxBytes = max(m.maxBytes, m.bytes)
		m.maxValues = max(m.maxValues, m.values)
	}
	return nil
}

// settled says that what was charged so far is reachable now, or dropped.
func (m *machine) settled() {
	m.inflightBytes, m.inflightValues = 0, 0
}

// collect recounts what is alive. A result near the limit counts as over it: otherwise a program could make every
// further allocation pay for a recount.
func (m *machine) collect() error {
	if m.bytes > m.limits.Bytes && m.inflightBytes > m.limits.Bytes {
		return &LimitError{Bound: BoundBytes, Max: m.limits.Bytes} // no recount can make room for that
	}
	m.mark()
	m.bytes += m.inflightBytes
	m.values += m.inflightValues
	if m.bytes > m.limits.Bytes-m.limits.Bytes/16 {
		return &LimitError{Bound: BoundBytes, Max: m.limits.Bytes}
	}
	if m.values > m.limits.Values-m.limits.Values/16 {
		return &LimitError{Bound: BoundValues, Max: m.limits.Values}
	}
	return nil
}

// mark sets m.bytes and m.values to what is reachable. It is itself work, and is paid for in steps.
func (m *machine) mark() {
	m.epoch++
	clear(m.stack[m.sp:])
	m.bytes = len(m.stack) * costValue
	m.values = 0
	work := m.greys[:0]
	for _, v := range m.stack[:m.sp] {
		work = m.visit(v, work)
	}
	for _, v := range m.globals {
		work = m.visit(v, work)
	}
	for _, p := range m.pending {
		work = m.visit(Value{ref: p}, work)
	}
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		switch o := o.(type) {
		case *array:
			for _, v := range o.items {
				work = m.visit(v, work)
			}
		case *record:
			for i, v := range o.vals {
				work = m.visit(Value{ref: o.keys[i]}, work)
				work = m.visit(v, work)
			}
		case *closure:
			for _, c := range o.cells {
				work = m.visit(Value{ref: c}, work)
			}
		case *cell:
			work = m.visit(o.v, work)
		}
	}
	m.greys = work
	if cap(work) > 1<<12 {
		m.greys = nil
	}
	m.left -= (m.values + m.sp) / 16 // noticed at the next instruction
}

// visit counts an object once an epoch and queues what is inside it.
func (m *machine) visit(v Value, work []any) []any {
	switch o := v.ref.(type) {
	case *text:
		if !o.static && o.mark != m.epoch {
			o.mark = m.epoch
			m.bytes += costText + len(o.s)
			m.values++
		}
	case *array:
		if o.mark != m.epoch {
			o.mark = m.epoch
			m.bytes += costArray + cap(o.items)*costValue
			m.values += 1 + len(o.items)
			work = append(work, o)
		}
	case *byteArray:
		if o.mark != m.epoch {
			o.mark = m.epoch
			m.bytes += costBytes + cap(o.b)
			m.values++
		}
	case *record:
		if !o.frozen && o.mark != m.epoch { // modules are the host's, not the program's
			o.mark = m.epoch
			m.bytes += o.bytes()
			m.values += 1 + len(o.vals)
			work = append(work, o)
		}
	case *closure:
		if o.mark != m.epoch {
			o.mark = m.epoch
			m.bytes += costClosure + 8*len(o.cells)
			m.values++
			work = append(work, o)
		}
	case *cell:
		if o.mark != m.epoch {
			o.mark = m.epoch
			m.bytes += costCell
			m.values++
			work = append(work, o)
		}
	case *promise:
		if o.mark != m.epoch {
			o.mark = m.epoch
			m.bytes += costPromise + len(o.call.Input) + len(o.output)
			m.values++
			if o.ready {
				work = m.visit(o.value, work)
			}
		}
	}
	return work
}

// newText makes a string of the program, within the bound for one string.
func (m *machine) newText(s string) (Value, error) {
	if err := m.stringSize(len(s)); err != nil {
		return Value{}, err
	}
	if err := m.charge(costText+len(s), 1); err != nil {
		return Value{}, err
	}
	return Value{ref: &text{s: s}}, nil
}

func (m *machine) stringSize(n int) error {
	if n > m.limits.StringBytes {
		return &LimitError{Bound: BoundString, Max: m.limits.StringBytes}
	}
	return nil
}

// newArray makes an array with room for n items, and none in it.
func (m *machine) newArray(n int) (*array, error) {
	if err := m.charge(costArray+n*costValue, 1+n); err != nil {
		return nil, err
	}
	return &array{items: make([]Value, 0, n)}, nil
}

// newRecord makes a record with room for n fields.
func (m *machine) newRecord(n int) (*record, error) {
	bytes := costRecord + n*costField
	if n > indexFrom {
		bytes += n * costIndex
	}
	if err := m.charge(bytes, 1+n); err != nil {
		return nil, err
	}
	return &record{keys: make([]*text, 0, n), vals: make([]Value, 0, n)}, nil
}

// resize makes an array n items long, the new ones nil (SL-30).
func (m *machine) resize(a *array, n int) error {
	if n <= cap(a.items) {
		if err := m.charge(0, n-len(a.items)); err != nil {
			return err
		}
		old := len(a.items)
		a.items = a.items[:n]
		clear(a.items[old:])
		return nil
	}
	if n > m.limits.Values || n > m.limits.Bytes/costValue {
		return m.tooMany(n)
	}
	room := grown(cap(a.items), n)
	if err := m.charge(room*costValue, n-len(a.items)); err != nil {
		return err
	}
	if err := m.work(n / 4); err != nil {
		return err
	}
	items := make([]Value, n, room)
	copy(items, a.items)
	a.items = items
	return nil
}

func (m *machine) tooMany(n int) error {
	if n > m.limits.Values {
		return &LimitError{Bound: BoundValues, Max: m.limits.Values}
	}
	return &LimitError{Bound: BoundBytes, Max: m.limits.Bytes}
}

// grown is the room a list gets that must hold n. It is spelled out here, since Go's own choice may change and with
// it the account.
func grown(have, n int) int {
	room := have * 2
	if have > 256 {
		room = have + have/4
	}
	return max(room, n, 4)
}

// setField adds or replaces a field (SL-30). A replaced field keeps its place (Q15).
func (m *machine) setField(r *record, key *text, v Value) error {
	if i := r.find(key); i >= 0 {
		r.vals[i] = v
		return nil
	}
	bytes := 0
	n := len(r.keys)
	room := cap(r.vals)
	if n == room {
		room = grown(room, n+1)
		bytes = room * costField
	}
	if n == indexFrom {
		bytes += n * costIndex // the index is made now, for all fields
	}
	if n >= indexFrom {
		bytes += costIndex
	}
	if err := m.charge(bytes, 1); err != nil {
		return err
	}
	if room > cap(r.vals) {
		if err := m.work(n / 8); err != nil {
			return err
		}
		keys := make([]*text, n, room)
		copy(keys, r.keys)
		vals := make([]Value, n, room)
		copy(vals, r.vals)
		r.keys, r.vals = keys, vals
	}
	r.add(key, v)
	return nil
}
