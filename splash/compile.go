package splash

// compiler writes the code of one function. It recurses as deep as the tree does, which SL-11 bounds.
type compiler struct {
	fn     *function
	p      *proto
	depth  int // operands on the stack
	tries  int // handlers that are set up
	loop   *loopInfo
	consts map[constKey]int32
}

type constKey struct {
	s      string
	num    float64
	isText bool
}

type loopInfo struct {
	outer     *loopInfo
	depth     int
	tries     int
	breaks    []int
	continues []int
}

func compileProgram(b *block) *proto {
	fn := resolveProgram(b)
	c := newCompiler(fn)
	c.prologue()
	if !c.lastFunction(b.stmts) {
		c.stmts(b.stmts, true)
	}
	c.emit(opReturn, 0, 0, b.end)
	return c.p
}

// lastFunction makes a program that ends in a `fn` statement end with the function (SL-13), which then has no JSON
// form, so that the mistake of never calling it shows.
func (c *compiler) lastFunction(list []node) bool {
	if len(list) == 0 {
		return false
	}
	n, ok := list[len(list)-1].(*fnStmt)
	if !ok {
		return false
	}
	c.stmts(list[:len(list)-1], false)
	c.closure(n.fn, n.body, n.position())
	c.emit(opDup, 0, 0, n.position())
	c.bind(n.v, n.position())
	return true
}

func newCompiler(fn *function) *compiler {
	return &compiler{
		fn:     fn,
		p:      &proto{name: fn.name, params: fn.params, slots: int(fn.slots), self: fn.self, captures: fn.captures},
		consts: map[constKey]int32{},
	}
}

// effect is what an instruction does to the number of operands.
func effect(op opcode, a int32) int {
	switch op {
	case opConst, opNil, opDup, opLoad, opLoadCell, opLoadFree, opLoadGlobal, opUse, opMethod, opClosure:
		return 1
	case opDup2:
		return 2
	case opPop, opStore, opStoreCell, opStoreFree, opStoreGlobal, opLet, opLetCell, opLetFresh, opIndex,
		opAdd, opSub, opMul, opDiv, opMod, opEqual, opNotEqual, opLess, opLessEqual, opGreater, opGreaterEqual,
		opJumpFalse, opAndJump, opOrJump, opReturn, opForInit, opNoPlace:
		return -1
	case opSetField:
		return -2
	case opSetIndex:
		return -3
	case opArray:
		return 1 - int(a)
	case opCall:
		return -int(a)
	case opCallMethod:
		return -int(a) - 1
	}
	return 0
}

func (c *compiler) emit(op opcode, a, b int32, pos int32) int {
	c.p.code = append(c.p.code, instr{op: op, a: a, b: b})
	c.p.pos = append(c.p.pos, pos)
	c.push(effect(op, a))
	return len(c.p.code) - 1
}

func (c *compiler) push(n int) {
	c.depth += n
	c.p.stack = max(c.p.stack, c.depth)
}

// land makes jumps go to the next instruction.
func (c *compiler) land(jumps ...int) {
	for _, j := range jumps {
		in := &c.p.code[j]
		switch in.op {
		case opTryLoad, opTryLoadCell, opTryLoadFree, opTryStore, opTryStoreCell, opTryStoreFree:
			in.b = int32(len(c.p.code))
		default:
			in.a = int32(len(c.p.code))
		}
	}
}

func (c *compiler) number(f float64) int32 {
	return c.constant(constKey{num: f}, number(f))
}

func (c *compiler) text(s string) int32 {
	return c.constant(constKey{s: s, isText: true}, Value{})
}

func (c *compiler) constant(k constKey, v Value) int32 {
	if i, ok := c.consts[k]; ok {
		return i
	}
	if k.isText {
		c.p.longest = max(c.p.longest, len(k.s))
		v = Value{ref: staticText(k.s)}
	}
	i := int32(len(c.p.consts))
	c.p.consts = append(c.p.consts, v)
	c.consts[k] = i
	return i
}

// prologue brings parameters and names of a function's own scope into their starting state.
func (c *compiler) prologue() {
	for _, v := range c.fn.scope.vars {
		switch {
		case v == c.fn.receiver:
			boxed := int32(0)
			if v.captured {
				boxed = 1
			}
			c.emit(opReceiver, v.slot, boxed, 0)
		case v.param && v.captured:
			c.emit(opBox, v.slot, 0, 0)
		case !v.param:
			c.fresh(v)
		}
	}
}

// fresh makes a name of a scope that is being entered not set.
func (c *compiler) fresh(v *variable) {
	if v.captured {
		c.emit(opNewCell, v.slot, 0, 0)
	} else if v.reset {
		c.emit(opUnset, v.slot, 0, 0)
	}
}

func (c *compiler) enter(s *scope) {
	for _, v := range s.vars {
		if !v.loop {
			c.fresh(v)
		}
	}
}

// bind introduces a name with the value on the stack.
func (c *compiler) bind(v *variable, pos int32) {
	if v.captured {
		c.emit(opLetCell, v.slot, 0, pos)
	} else {
		c.emit(opLet, v.slot, 0, pos)
	}
}

// stmts compiles statements; with want, their value is left on the stack (SL-13, SL-24).
func (c *compiler) stmts(list []node, want bool) {
	for i, n := range list {
		if want && i == len(list)-1 && producesValue(n) {
			c.node(n, true)
			return
		}
		c.stmt(n)
	}
	if want {
		c.emit(opNil, 0, 0, 0)
	}
}

func (c *compiler) stmt(n node) {
	switch n := n.(type) {
	case *useStmt:
		c.p.paths = append(c.p.paths, n.path)
		c.emit(opUse, int32(len(c.p.paths)-1), 0, n.position())
		c.bind(n.v, n.position())
	case *letStmt:
		if n.init != nil {
			c.node(n.init, true)
		} else {
			c.emit(opNil, 0, 0, n.position())
		}
		c.bind(n.v, n.position())
	case *fnStmt:
		c.closure(n.fn, n.body, n.position())
		c.bind(n.v, n.position())
	case *returnStmt:
		depth := c.depth
		if n.value != nil {
			c.node(n.value, true)
		} else {
			c.emit(opNil, 0, 0, n.position())
		}
		c.emit(opReturn, 0, 0, n.position())
		c.depth = depth
	case *breakStmt:
		c.leave(n, 0)
	case *continueStmt:
		c.leave(n, 1)
	default:
		c.node(n, false)
	}
}

// leave compiles break and continue: out of the tries and the expressions of the innermost loop (SL-25).
func (c *compiler) leave(n node, which int32) {
	l := c.loop
	if l == nil {
		c.emit(opLoopControl, which, 0, n.position())
		return
	}
	for range c.tries - l.tries {
		c.emit(opEndTry, 0, 0, n.position())
	}
	if c.depth != l.depth {
		c.emit(opReset, int32(l.depth), 0, n.position())
	}
	j := c.emit(opJump, 0, 0, n.position())
	if which == 0 {
		l.breaks = append(l.breaks, j)
	} else {
		l.continues = append(l.continues, j)
	}
}

func (c *compiler) closure(fn *function, body node, pos int32) {
	inner := newCompiler(fn)
	inner.prologue()
	end := body.position()
	if b, ok := body.(*block); ok {
		end = b.end
		inner.stmts(b.stmts, false)
		inner.emit(opNil, 0, 0, end) // a block body gives nil unless it returns (SL-27)
	} else {
		inner.node(body, true)
	}
	inner.emit(opReturn, 0, 0, end)
	c.p.protos = append(c.p.protos, inner.p)
	c.p.longest = max(c.p.longest, inner.p.longest)
	c.emit(opClosure, int32(len(c.p.protos)-1), 0, pos)
}

// branch compiles a block or an expression.
func (c *compiler) branch(n node, want bool) {
	if b, ok := n.(*block); ok {
		c.stmts(b.stmts, want)
		return
	}
	c.node(n, want)
}

func (c *compiler) ifExpr(n *ifExpr, want bool) {
	var ends []int
	depth := c.depth
	for i, a := range n.arms {
		c.node(a.cond, true)
		next := c.emit(opJumpFalse, 0, 0, a.cond.position())
		c.branch(a.then, want)
		if i < len(n.arms)-1 || n.els != nil || want {
			ends = append(ends, c.emit(opJump, 0, 0, n.position()))
		}
		c.depth = depth
		c.land(next)
	}
	if n.els != nil {
		c.branch(n.els, want)
	} else if want {
		c.emit(opNil, 0, 0, n.position())
	}
	c.land(ends...)
}

func (c *compiler) tryExpr(n *tryExpr, want bool) {
	depth := c.depth
	handler := c.emit(opTry, 0, int32(depth), n.position())
	c.tries++
	c.branch(n.protected, want)
	c.tries--
	c.emit(opEndTry, 0, 0, n.position())
	end := c.emit(opJump, 0, 0, n.position())
	c.depth = depth
	c.land(handler)
	c.branch(n.fallback, want)
	c.land(end)
}

func (c *compiler) startLoop() *loopInfo {
	c.loop = &loopInfo{outer: c.loop, depth: c.depth, tries: c.tries}
	return c.loop
}

// endLoop closes a loop whose breaks go to the next instruction.
func (c *compiler) endLoop(l *loopInfo, want bool, pos int32) {
	c.land(l.breaks...)
	c.loop = l.outer
	if want {
		c.emit(opNil, 0, 0, pos)
	}
}

func (c *compiler) jumpTo(target int, pos int32) {
	c.emit(opJump, int32(target), 0, pos)
}

func (c *compiler) loopExpr(n *loopExpr, want bool) {
	l := c.startLoop()
	start := len(c.p.code)
	c.enter(n.scope)
	c.stmts(n.body.stmts, false)
	c.land(l.continues...)
	c.jumpTo(start, n.position())
	c.endLoop(l, want, n.position())
}

func (c *compiler) whileExpr(n *whileExpr, want bool) {
	l := c.startLoop()
	start := len(c.p.code)
	c.enter(n.scope)
	c.node(n.cond, true)
	l.breaks = append(l.breaks, c.emit(opJumpFalse, 0, 0, n.cond.position()))
	c.stmts(n.body.stmts, false)
	c.land(l.continues...)
	c.jumpTo(start, n.position())
	c.endLoop(l, want, n.position())
}

func (c *compiler) forExpr(n *forExpr, want bool) {
	c.node(n.over, true)
	// What is gone through and the next index; for the plain form the loop variable comes right after them.
	state := c.fn.newSlot()
	c.fn.newSlot()
	item := c.fn.newSlot()
	c.p.slots = int(c.fn.slots)
	c.emit(opForInit, state, 0, n.position())
	l := c.startLoop()
	test := c.emit(opJump, 0, 0, n.position())
	body := len(c.p.code)

	op := [...]opcode{opFor1, opFor2, opFor3}[len(n.names)-1]
	if v := n.names[0].v; len(n.names) == 1 && !v.captured {
		op = opForSlot
		v.slot = item
	} else {
		c.push(len(n.names))
		for i := len(n.names) - 1; i >= 0; i-- {
			if v := n.names[i].v; v.captured {
				c.emit(opLetFresh, v.slot, 0, n.position())
			} else {
				c.emit(opLet, v.slot, 0, n.position())
			}
		}
	}
	c.enter(n.scope)
	c.stmts(n.body.stmts, false)
	c.land(l.continues...)
	c.land(test)
	c.emit(op, state, int32(body), n.position())
	c.endLoop(l, want, n.position())
}
