package splash

var binaryOp = map[kind]opcode{
	tPlus: opAdd, tMinus: opSub, tStar: opMul, tSlash: opDiv, tPercent: opMod,
	tEqual: opEqual, tNotEqual: opNotEqual,
	tLess: opLess, tLessEqual: opLessEqual, tGreater: opGreater, tGreaterEqual: opGreaterEqual,
	tPlusAssign: opAdd, tMinusAssign: opSub, tStarAssign: opMul, tSlashAssign: opDiv, tPercentAssign: opMod,
}

// node compiles an expression. Without want its value is dropped, but it is evaluated all the same.
func (c *compiler) node(n node, want bool) {
	first, up := spine(n)
	if len(up) == 0 {
		c.leaf(n, want)
		return
	}
	c.leaf(first, true)
	for i := 0; i < len(up); i++ {
		switch n := up[i].(type) {
		case *binaryExpr:
			c.binary(n)
		case *fieldExpr:
			if i+1 < len(up) {
				if call, ok := up[i+1].(*callExpr); ok { // r.f(x): self is r (SL-27)
					c.emit(opMethod, c.text(n.name), 0, n.position())
					c.args(call)
					c.emit(opCallMethod, int32(len(call.args)), 0, n.position())
					i++
					continue
				}
			}
			c.emit(opField, c.text(n.name), 0, n.position())
		case *callExpr:
			c.args(n)
			c.emit(opCall, int32(len(n.args)), 0, n.fn.position())
		case *indexExpr:
			c.node(n.i, true)
			c.emit(opIndex, 0, 0, n.position())
		}
	}
	c.drop(want, n.position())
}

func (c *compiler) drop(want bool, pos int32) {
	if !want {
		c.emit(opPop, 0, 0, pos)
	}
}

func (c *compiler) args(n *callExpr) {
	for _, a := range n.args {
		c.node(a, true)
	}
}

func (c *compiler) binary(n *binaryExpr) {
	switch n.op {
	case tAndAnd, tOrOr:
		op := opAndJump
		if n.op == tOrOr {
			op = opOrJump
		}
		end := c.emit(op, 0, 0, n.position())
		c.node(n.r, true)
		c.land(end)
		return
	}
	c.operand(binaryOp[n.op], n.r, n.position())
}

// operand compiles the right operand and the operator.
func (c *compiler) operand(op opcode, r node, pos int32) {
	if lit, ok := r.(*numberLit); ok && (op == opAdd || op == opSub) {
		fused := opAddConst
		if op == opSub {
			fused = opSubConst
		}
		c.emit(fused, c.number(lit.value), 0, pos)
		return
	}
	c.node(r, true)
	c.emit(op, 0, 0, pos)
}

func (c *compiler) leaf(n node, want bool) {
	pos := n.position()
	switch n := n.(type) {
	case *numberLit:
		c.emit(opConst, c.number(n.value), 0, pos)
	case *stringLit:
		c.emit(opConst, c.text(n.value), 0, pos)
	case *wordLit:
		switch n.kind {
		case tTrue:
			c.emit(opConst, c.constant(constKey{s: "true"}, valTrue), 0, pos)
		case tFalse:
			c.emit(opConst, c.constant(constKey{s: "false"}, valFalse), 0, pos)
		default:
			c.emit(opNil, 0, 0, pos)
		}
	case *nameExpr:
		c.load(n)
	case *arrayLit:
		for _, x := range n.items {
			c.node(x, true)
		}
		c.emit(opArray, int32(len(n.items)), 0, pos)
	case *recordLit:
		c.record(n)
	case *parenExpr:
		c.node(n.x, want)
		return
	case *unaryExpr:
		c.node(n.x, true)
		switch n.op { // + and ~ give their operand as it is (SL-20)
		case tMinus:
			c.emit(opNeg, 0, 0, pos)
		case tNot:
			c.emit(opNot, 0, 0, pos)
		}
	case *lambdaExpr:
		c.closure(n.fn, n.body, pos)
	case *assignExpr:
		c.assign(n, want)
		return
	case *ifExpr:
		c.ifExpr(n, want)
		return
	case *tryExpr:
		c.tryExpr(n, want)
		return
	case *forExpr:
		c.forExpr(n, want)
		return
	case *loopExpr:
		c.loopExpr(n, want)
		return
	case *whileExpr:
		c.whileExpr(n, want)
		return
	}
	c.drop(want, pos)
}

func (c *compiler) record(n *recordLit) {
	keys := make([]*text, len(n.keys))
	for i, k := range n.keys {
		keys[i] = c.p.consts[c.text(k)].ref.(*text)
	}
	for _, v := range n.values {
		c.node(v, true)
	}
	c.p.shapes = append(c.p.shapes, keys)
	c.emit(opRecord, int32(len(c.p.shapes)-1), 0, n.position())
	c.push(1 - len(keys))
}

// load reads a name: the bindings it may mean from the inside out, and the globals last.
func (c *compiler) load(n *nameExpr) {
	pos := n.position()
	var found []int
	for _, u := range n.uses {
		op, a := opLoad, u.v.slot
		switch {
		case u.capture >= 0:
			op, a = opLoadFree, u.capture
		case u.v.captured:
			op = opLoadCell
		}
		if u.certain {
			c.emit(op, a, 0, pos)
			c.land(found...)
			return
		}
		found = append(found, c.emit(op-opLoad+opTryLoad, a, 0, pos))
	}
	c.emit(opLoadGlobal, c.text(n.name), 0, pos)
	c.land(found...)
}

// store assigns the value on the stack to a name, found like load does (SL-63).
func (c *compiler) store(n *nameExpr) {
	var found []int
	for _, u := range n.uses {
		op, a := opStore, u.v.slot
		switch {
		case u.capture >= 0:
			op, a = opStoreFree, u.capture
		case u.v.captured:
			op = opStoreCell
		}
		if u.certain {
			c.emit(op, a, 0, n.position())
			c.land(found...)
			return
		}
		found = append(found, c.emit(op-opStore+opTryStore, a, 0, n.position()))
	}
	c.emit(opStoreGlobal, c.text(n.name), 0, n.position())
	c.land(found...)
}

// assign compiles a = b = c: the places from left to right, the value, and the writes from right to left. What an
// assignment gives, and so what the one to its left writes, is nil (SL-14, Q18).
func (c *compiler) assign(n *assignExpr, want bool) {
	list, value := n.chain()
	for _, a := range list {
		c.place(a)
	}
	for i := len(list) - 1; i >= 0; i-- {
		a := list[i]
		if i == len(list)-1 {
			if a.op != tAssign {
				c.operand(binaryOp[a.op], value, a.position())
			} else {
				c.node(value, true)
			}
		} else {
			c.emit(opNil, 0, 0, a.position())
			if a.op != tAssign {
				c.emit(binaryOp[a.op], 0, 0, a.position())
			}
		}
		c.write(a)
	}
	if want {
		c.emit(opNil, 0, 0, n.position())
	}
}

// place evaluates what an assignment writes into and, for a compound one, reads it.
func (c *compiler) place(a *assignExpr) {
	compound := a.op != tAssign
	switch t := unparen(a.target).(type) {
	case *nameExpr:
		if compound {
			c.load(t)
		}
	case *fieldExpr:
		c.node(t.x, true)
		if compound {
			c.emit(opDup, 0, 0, t.position())
			c.emit(opField, c.text(t.name), 0, t.position())
		}
	case *indexExpr:
		c.node(t.x, true)
		c.node(t.i, true)
		if compound {
			c.emit(opDup2, 0, 0, t.position())
			c.emit(opIndex, 0, 0, t.position())
		}
	default:
		c.node(t, compound)
	}
}

func (c *compiler) write(a *assignExpr) {
	switch t := unparen(a.target).(type) {
	case *nameExpr:
		c.store(t)
	case *fieldExpr:
		c.emit(opSetField, c.text(t.name), 0, t.position())
	case *indexExpr:
		c.emit(opSetIndex, 0, 0, t.position())
	default:
		c.emit(opNoPlace, 0, 0, t.position())
	}
}
