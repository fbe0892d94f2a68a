package splash

import (
	"errors"
	"math"
	"strings"
)

// errWait stops the machine at an await whose promise is not settled. It never leaves this package.
var errWait = errors.New("waiting")

// slow runs the instructions that can fail, allocate, or change frames. It works on the machine's own registers.
func (m *machine) slow(f *frame, in *instr) error {
	st, sp := m.stack, m.sp
	p := f.fn.proto
	switch in.op {
	case opLoadGlobal:
		name := p.consts[in.a].ref.(*text).s
		v, ok := m.globals[name]
		if !ok {
			err := fail(NotFound, msgNoName, quoteShort(name))
			if name == "workflow" {
				err.Message += msgNoInput
			}
			return err
		}
		st[sp] = v
		m.sp++
		return nil
	case opStoreGlobal:
		name := p.consts[in.a].ref.(*text).s
		if name == "mod" {
			return fail(Immutable, msgFrozenMod)
		}
		if _, ok := m.globals[name]; !ok {
			return fail(NotFound, msgNoName, quoteShort(name))
		}
		m.sp--
		m.globals[name] = st[m.sp]
		return nil
	case opLetCell:
		c := st[f.base+int(in.a)].ref.(*cell)
		if _, unset := c.v.ref.(unsetTag); unset {
			m.sp--
			c.v = st[m.sp]
			return nil
		}
		return m.newCell(f.base+int(in.a), 1)
	case opLetFresh:
		return m.newCell(f.base+int(in.a), 1)
	case opNewCell:
		if err := m.charge(costCell, 1); err != nil {
			return err
		}
		st[f.base+int(in.a)] = Value{ref: &cell{v: valUnset}}
		return nil
	case opBox:
		if err := m.charge(costCell, 1); err != nil {
			return err
		}
		slot := &st[f.base+int(in.a)]
		*slot = Value{ref: &cell{v: *slot}}
		return nil
	case opReceiver:
		return m.receiver(f, in)
	case opArray:
		n := int(in.a)
		a, err := m.newArray(n)
		if err != nil {
			return err
		}
		a.items = append(a.items, st[sp-n:sp]...)
		m.sp -= n
		m.push1(Value{ref: a})
		return m.work(n / 16)
	case opRecord:
		return m.newLiteral(p.shapes[in.a])
	case opField:
		v, err := m.field(st[sp-1], p.consts[in.a].ref.(*text))
		st[sp-1] = v
		return err
	case opIndex:
		v, err := m.indexed(st[sp-2], st[sp-1])
		m.sp--
		st[sp-2] = v
		return err
	case opSetField:
		if err := m.writeField(st[sp-2], p.consts[in.a].ref.(*text), st[sp-1]); err != nil {
			return err
		}
		m.sp -= 2
		return nil
	case opSetIndex:
		if err := m.writeIndex(st[sp-3], st[sp-2], st[sp-1]); err != nil {
			return err
		}
		m.sp -= 3
		return nil
	case opNoPlace:
		return fail(Immutable, msgNotPlace)
	case opUse:
		v, err := m.use(p.paths[in.a])
		if err != nil {
			return err
		}
		m.push1(v)
		return nil
	case opAddConst, opSubConst:
		op := opAdd
		if in.op == opSubConst {
			op = opSub
		}
		v, err := m.binary(op, st[sp-1], p.consts[in.a])
		st[sp-1] = v
		return err
	case opAdd, opSub, opMul, opDiv, opMod, opEqual, opNotEqual, opLess, opLessEqual, opGreater, opGreaterEqual:
		v, err := m.binary(in.op, st[sp-2], st[sp-1])
		m.sp--
		st[sp-2] = v
		return err
	case opNeg:
		x, ok := st[sp-1].arithmetic()
		if !ok {
			return fail(TypeMismatch, msgOperand, "-", st[sp-1].article())
		}
		st[sp-1] = number(-x)
		return nil
	case opCall:
		argc := int(in.a)
		return m.call(st[sp-argc-1], argc, false)
	case opMethod:
		fn, err := m.lookMethod(st[sp-1], p.consts[in.a].ref.(*text))
		if err != nil {
			return err
		}
		st[sp] = st[sp-1]
		st[sp-1] = fn
		m.sp++
		return nil
	case opCallMethod:
		argc := int(in.a)
		return m.call(st[sp-argc-2], argc, true)
	case opClosure:
		return m.newClosure(f, p.protos[in.a])
	case opTry:
		m.tries = append(m.tries, handler{
			frame: len(m.frames) - 1,
			sp:    f.base + p.slots + int(in.b),
			pc:    int(in.a),
		})
		return nil
	case opForInit:
		m.sp--
		v := st[m.sp]
		switch v.ref.(type) {
		case numberTag, *array, *record, *byteArray:
		default:
			v = Value{} // no iterations (SL-26)
		}
		st[f.base+int(in.a)] = v
		st[f.base+int(in.a)+1] = number(0)
		return nil
	case opFor1, opFor2, opFor3:
		m.forNext(f, in)
		return nil
	case opLoopControl:
		word := "break"
		if in.a == 1 {
			word = "continue"
		}
		e := fail(NotAllowed, msgBreakOutside, word)
		e.fatal = true
		return e
	}
	panic("splash: unknown instruction") // the compiler writes none
}

func (m *machine) push1(v Value) {
	m.stack[m.sp] = v
	m.sp++
}

// newCell puts a new cell into a slot, with the value from the top of the stack.
func (m *machine) newCell(slot, pop int) error {
	if err := m.charge(costCell, 1); err != nil {
		return err
	}
	m.sp -= pop
	m.stack[slot] = Value{ref: &cell{v: m.stack[m.sp]}}
	return nil
}

func (m *machine) receiver(f *frame, in *instr) error {
	v := valUnset
	if f.self >= 0 {
		v = m.stack[f.self]
	}
	if in.b != 0 {
		if err := m.charge(costCell, 1); err != nil {
			return err
		}
		v = Value{ref: &cell{v: v}}
	}
	m.stack[f.base+int(in.a)] = v
	return nil
}

func (m *machine) newLiteral(keys []*text) error {
	n := len(keys)
	r, err := m.newRecord(n)
	if err != nil {
		return err
	}
	if err := m.work(n / 8); err != nil {
		return err
	}
	for i, k := range keys {
		v := m.stack[m.sp-n+i]
		if at := r.find(k); at >= 0 {
			r.vals[at] = v // a repeated key: the last one wins (SL-10)
		} else {
			r.add(k, v)
		}
	}
	m.sp -= n
	m.push1(Value{ref: r})
	return nil
}

func (m *machine) newClosure(f *frame, p *proto) error {
	if err := m.charge(costClosure+8*len(p.captures), 1); err != nil {
		return err
	}
	c := &closure{proto: p}
	if len(p.captures) > 0 {
		if err := m.work(len(p.captures) / 8); err != nil {
			return err
		}
		c.cells = make([]*cell, len(p.captures))
		for i, from := range p.captures {
			if from.slot {
				c.cells[i] = m.stack[f.base+int(from.index)].ref.(*cell)
			} else {
				c.cells[i] = f.fn.cells[from.index]
			}
		}
	}
	m.push1(Value{ref: c})
	return nil
}

// binary applies an operator whose operands are not both numbers, or that needs more than two numbers do.
func (m *machine) binary(op opcode, a, b Value) (Value, error) {
	switch op {
	case opEqual, opNotEqual:
		equal, err := m.equal(a, b)
		return boolean(equal == (op == opEqual)), err
	}
	x, okA := a.arithmetic()
	y, okB := b.arithmetic()
	if !okA || !okB {
		if op == opAdd {
			return m.join(a, b)
		}
		return Value{}, fail(TypeMismatch, msgOperands, op.spelling(), a.article(), b.article())
	}
	switch op {
	case opAdd:
		return number(x + y), nil
	case opSub:
		return number(x - y), nil
	case opMul:
		return number(x * y), nil
	case opDiv:
		return number(x / y), nil
	}
	if bits := math.Log2(math.Abs(x)) - math.Log2(math.Abs(y)); bits > 16 && bits < 4096 {
		if err := m.work(int(bits) / 16); err != nil { // fmod goes bit by bit
			return Value{}, err
		}
	}
	return number(math.Mod(x, y)), nil
}

func (op opcode) spelling() string {
	return [...]string{"+", "-", "*", "/", "%", "+", "-", "==", "!=", "<", "<=", ">", ">="}[op-opAdd]
}

// join is `+` beside a string (SL-21).
func (m *machine) join(a, b Value) (Value, error) {
	_, ta := a.ref.(*text)
	_, tb := b.ref.(*text)
	s, okA := joinText(a)
	t, okB := joinText(b)
	if !ta && !tb || !okA || !okB {
		return Value{}, fail(TypeMismatch, msgOperands, "+", a.article(), b.article())
	}
	if err := m.stringSize(len(s) + len(t)); err != nil {
		return Value{}, err
	}
	if len(t) == 0 && ta {
		return a, nil
	}
	if len(s) == 0 && tb {
		return b, nil
	}
	if err := m.work((len(s) + len(t)) / bytesPerStep); err != nil {
		return Value{}, err
	}
	if err := m.charge(costText+len(s)+len(t), 1); err != nil {
		return Value{}, err
	}
	var sb strings.Builder
	sb.Grow(len(s) + len(t))
	sb.WriteString(s)
	sb.WriteString(t)
	return Value{ref: &text{s: sb.String()}}, nil
}

// forNext is the step of a for with more than one name, or whose name a closure captures (SL-26, Q13, Q21).
func (m *machine) forNext(f *frame, in *instr) {
	st := m.stack
	state := f.base + int(in.a)
	n := st[state+1].num
	i := int(n)
	var key, v Value
	switch o := st[state].ref.(type) {
	case numberTag:
		if n >= st[state].num {
			return
		}
		key, v = number(n), number(n)
	case *array:
		if i >= len(o.items) {
			return
		}
		key, v = number(n), o.items[i]
	case *byteArray:
		if i >= len(o.b) {
			return
		}
		key, v = number(n), number(float64(o.b[i]))
	case *record:
		if i >= len(o.vals) {
			return
		}
		key, v = Value{ref: o.keys[i]}, o.vals[i]
	default:
		return
	}
	st[state+1].num++
	if in.op == opFor3 {
		m.push1(number(n))
	}
	if in.op != opFor1 {
		m.push1(key)
	}
	m.push1(v)
	f.pc = int(in.b)
}
