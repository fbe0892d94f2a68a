package splash

// run goes on until the program ends, fails, or waits. The error of a failed program is located. Instructions that
// can fail or allocate are in vm_slow.go; before one, the machine's registers are written back, and afterwards read.
func (m *machine) run() (done bool, err error) {
	f := &m.frames[len(m.frames)-1]
	code := f.fn.proto.code
	consts := f.fn.proto.consts
	base, pc, sp := f.base, f.pc, m.sp
	left := m.left
	st := m.stack

	for {
		left--
		if left < 0 {
			m.left = left
			f.pc, m.sp = pc, sp
			if err = m.slice(); err != nil {
				f.pc++ // the instruction about to run
				m.locate(err)
				return false, err
			}
			left = m.left
		}
		in := &code[pc]
		pc++
		switch in.op {
		case opConst:
			st[sp] = consts[in.a]
			sp++
			continue
		case opNil:
			st[sp] = Value{}
			sp++
			continue
		case opPop:
			sp--
			continue
		case opReset:
			sp = base + f.fn.proto.slots + int(in.a)
			continue
		case opDup:
			st[sp] = st[sp-1]
			sp++
			continue
		case opDup2:
			st[sp], st[sp+1] = st[sp-2], st[sp-1]
			sp += 2
			continue

		case opLoad:
			st[sp] = st[base+int(in.a)]
			sp++
			continue
		case opLoadCell:
			st[sp] = st[base+int(in.a)].ref.(*cell).v
			sp++
			continue
		case opLoadFree:
			st[sp] = f.fn.cells[in.a].v
			sp++
			continue
		case opTryLoad, opTryLoadCell, opTryLoadFree:
			var v Value
			switch in.op {
			case opTryLoad:
				v = st[base+int(in.a)]
			case opTryLoadCell:
				v = st[base+int(in.a)].ref.(*cell).v
			default:
				v = f.fn.cells[in.a].v
			}
			if _, unset := v.ref.(unsetTag); !unset {
				st[sp] = v
				sp++
				pc = int(in.b)
			}
			continue
		case opStore, opLet:
			sp--
			st[base+int(in.a)] = st[sp]
			continue
		case opStoreCell:
			sp--
			st[base+int(in.a)].ref.(*cell).v = st[sp]
			continue
		case opStoreFree:
			sp--
			f.fn.cells[in.a].v = st[sp]
			continue
		case opTryStore:
			if _, unset := st[base+int(in.a)].ref.(unsetTag); !unset {
				sp--
				st[base+int(in.a)] = st[sp]
				pc = int(in.b)
			}
			continue
		case opTryStoreCell, opTryStoreFree:
			var c *cell
			if in.op == opTryStoreFree {
				c = f.fn.cells[in.a]
			} else {
				c = st[base+int(in.a)].ref.(*cell)
			}
			if _, unset := c.v.ref.(unsetTag); !unset {
				sp--
				c.v = st[sp]
				pc = int(in.b)
			}
			continue
		case opUnset:
			st[base+int(in.a)] = valUnset
			continue

		case opAdd:
			a, b := &st[sp-2], &st[sp-1]
			if _, ok := a.ref.(numberTag); ok {
				if _, ok := b.ref.(numberTag); ok {
					a.num += b.num
					sp--
					continue
				}
			}
		case opAddConst:
			a := &st[sp-1]
			if _, ok := a.ref.(numberTag); ok {
				a.num += consts[in.a].num
				continue
			}
		case opSub:
			a, b := &st[sp-2], &st[sp-1]
			if _, ok := a.ref.(numberTag); ok {
				if _, ok := b.ref.(numberTag); ok {
					a.num -= b.num
					sp--
					continue
				}
			}
		case opSubConst:
			a := &st[sp-1]
			if _, ok := a.ref.(numberTag); ok {
				a.num -= consts[in.a].num
				continue
			}
		case opMul:
			a, b := &st[sp-2], &st[sp-1]
			if _, ok := a.ref.(numberTag); ok {
				if _, ok := b.ref.(numberTag); ok {
					a.num *= b.num
					sp--
					continue
				}
			}
		case opDiv:
			a, b := &st[sp-2], &st[sp-1]
			if _, ok := a.ref.(numberTag); ok {
				if _, ok := b.ref.(numberTag); ok {
					a.num /= b.num
					sp--
					continue
				}
			}
		case opMod:
			a, b := &st[sp-2], &st[sp-1]
			if _, ok := a.ref.(numberTag); ok {
				if _, ok := b.ref.(numberTag); ok {
					// Whole numbers, which these mostly are, need no fmod. A zero result keeps the sign of a.
					if x, y := int64(a.num), int64(b.num); x > 0 && y > 0 && float64(x) == a.num && float64(y) == b.num {
						a.num = float64(x % y)
						sp--
						continue
					}
				}
			}
		case opEqual, opNotEqual:
			a, b := &st[sp-2], &st[sp-1]
			if _, ok := a.ref.(numberTag); ok {
				if _, ok := b.ref.(numberTag); ok {
					*a = boolean((a.num == b.num) == (in.op == opEqual))
					sp--
					continue
				}
			}
		case opLess, opLessEqual, opGreater, opGreaterEqual:
			a, b := &st[sp-2], &st[sp-1]
			x, ok := a.arithmetic()
			if ok {
				var y float64
				if y, ok = b.arithmetic(); ok {
					var r bool
					switch in.op {
					case opLess:
						r = x < y
					case opLessEqual:
						r = x <= y
					case opGreater:
						r = x > y
					default:
						r = x >= y
					}
					*a = boolean(r)
					sp--
					continue
				}
			}
		case opNot:
			st[sp-1] = boolean(!st[sp-1].truthy())
			continue

		case opJump:
			pc = int(in.a)
			continue
		case opJumpFalse:
			sp--
			if !st[sp].truthy() {
				pc = int(in.a)
			}
			continue
		case opAndJump:
			if st[sp-1].truthy() {
				sp--
			} else {
				pc = int(in.a)
			}
			continue
		case opOrJump:
			if st[sp-1].truthy() {
				pc = int(in.a)
			} else {
				sp--
			}
			continue
		case opEndTry:
			m.tries = m.tries[:len(m.tries)-1]
			continue
		case opForSlot:
			i := base + int(in.a)
			n := &st[i+1]
			switch o := st[i].ref.(type) {
			case numberTag:
				if n.num < st[i].num {
					st[i+2] = number(n.num)
					n.num++
					pc = int(in.b)
				}
				continue
			case *array:
				if int(n.num) < len(o.items) {
					st[i+2] = o.items[int(n.num)]
					n.num++
					pc = int(in.b)
				}
				continue
			case *record:
				if int(n.num) < len(o.vals) {
					st[i+2] = o.vals[int(n.num)]
					n.num++
					pc = int(in.b)
				}
				continue
			case *byteArray:
				if int(n.num) < len(o.b) {
					st[i+2] = number(float64(o.b[int(n.num)]))
					n.num++
					pc = int(in.b)
				}
				continue
			}
			continue
		case opField:
			if r, ok := st[sp-1].ref.(*record); ok {
				if i := r.find(consts[in.a].ref.(*text)); i >= 0 {
					st[sp-1] = r.vals[i]
					continue
				}
			}
		case opIndex:
			if a, ok := st[sp-2].ref.(*array); ok {
				v := &st[sp-1]
				if _, ok := v.ref.(numberTag); ok {
					if i := int(v.num); float64(i) == v.num && i >= 0 && i < len(a.items) {
						sp--
						st[sp-1] = a.items[i]
						continue
					}
				}
			}
		case opReturn:
			v := st[sp-1]
			top := len(m.frames) - 1
			for n := len(m.tries); n > 0 && m.tries[n-1].frame == top; n-- {
				m.tries = m.tries[:n-1]
			}
			if top == 0 {
				m.stack[0] = v
				m.sp, m.left = 1, left
				f.pc = pc
				return true, nil
			}
			sp = f.ret
			*f = frame{}
			m.frames = m.frames[:top]
			f = &m.frames[top-1]
			code, consts = f.fn.proto.code, f.fn.proto.consts
			base, pc = f.base, f.pc
			st[sp] = v
			sp++
			continue
		}

		// Everything else, and the cases above that did not go on by themselves.
		f.pc, m.sp, m.left = pc, sp, left
		m.inflightBytes, m.inflightValues = 0, 0
		err = m.slow(f, in)
		if err != nil {
			if err == errWait {
				m.frames[len(m.frames)-1].pc-- // the call is made again when the promise is settled
				m.left++
				return false, nil
			}
			if !m.catch(err) {
				m.locate(err) // only now: a caught error needs no place, and finding it reads the source
				return false, err
			}
			err = nil
		}
		f = &m.frames[len(m.frames)-1]
		code, consts = f.fn.proto.code, f.fn.proto.consts
		base, pc, sp = f.base, f.pc, m.sp
		left = m.left
		st = m.stack
	}
}
