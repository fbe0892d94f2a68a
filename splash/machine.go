package splash

import "context"

// machine is the state of one evaluation. It keeps its own stack of frames, so that calls of the program never become
// calls of Go, and so that it can stop at an await and go on later.
type machine struct {
	limits Limits
	source string
	ctx    context.Context
	host   Host

	stack  []Value
	sp     int
	frames []frame
	tries  []handler

	// left counts down the steps of the present slice, budget what is not yet sliced; see slice.
	left   int
	budget int

	globals map[string]Value
	pending []*promise // started and not settled, in start order
	calls   int
	waiting *promise // what the program awaits
	held    *promise // the synchronous call that waits for its answer, or has it and did not go on yet

	// What failed last, for tool.last_error.
	failed  string
	failure error

	// The account of memory; see heap.go.
	bytes, values                 int
	inflightBytes, inflightValues int
	epoch                         uint32
	greys                         []any
	peakTest                      bool // tests watch the account
	maxBytes, maxValues           int
}

// frame is one active call.
type frame struct {
	fn   *closure
	pc   int
	base int // slot 0
	ret  int // where the result goes
	self int // where self is, or -1
}

// handler is a try that is being run.
type handler struct {
	frame int
	sp    int
	pc    int
}

// sliceSteps is how many steps go by between looks at the context.
const sliceSteps = 1024

// slice is called when the steps of a slice are used up: it looks at the context and takes the next slice.
func (m *machine) slice() error {
	if err := m.ctx.Err(); err != nil {
		return err
	}
	m.budget += m.left // m.left is negative by now
	m.left = 0
	if m.budget < 0 {
		m.budget = -1
		return &LimitError{Bound: BoundSteps, Max: m.limits.Steps}
	}
	n := min(m.budget, sliceSteps)
	m.budget -= n
	m.left = n
	return nil
}

// work pays for n steps of work inside an instruction, before it is done.
func (m *machine) work(n int) error {
	m.left -= n
	if m.left < 0 {
		return m.slice()
	}
	return nil
}

// steps returns how many steps were used.
func (m *machine) steps() int {
	return min(m.limits.Steps-m.budget-m.left, m.limits.Steps)
}

// room makes the operand stack hold n values.
func (m *machine) room(n int) error {
	if n <= len(m.stack) {
		return nil
	}
	if n > m.limits.Stack {
		return &LimitError{Bound: BoundStack, Max: m.limits.Stack}
	}
	size := min(max(n, 2*len(m.stack), 64), m.limits.Stack)
	m.settled()
	if err := m.charge((size-len(m.stack))*costValue, 0); err != nil {
		return err
	}
	stack := make([]Value, size)
	copy(stack, m.stack)
	m.stack = stack
	return nil
}

// start sets up the frame of the program.
func (m *machine) start(main *proto) error {
	if err := m.room(1 + main.slots + main.stack); err != nil {
		return err
	}
	fn := &closure{proto: main}
	m.stack[0] = Value{ref: fn}
	m.frames = append(m.frames, frame{fn: fn, base: 1, ret: 0, self: -1})
	m.sp = 1 + main.slots
	return nil
}

// enter sets up the frame of a call whose arguments lie on top of the stack, above self if it is a method's, above
// the function.
func (m *machine) enter(fn *closure, argc int, withSelf bool) error {
	if len(m.frames) >= m.limits.CallDepth {
		return &LimitError{Bound: BoundCalls, Max: m.limits.CallDepth}
	}
	p := fn.proto
	base := m.sp - argc
	if err := m.room(max(base+p.slots+p.stack, m.sp+1)); err != nil {
		return err
	}
	f := frame{fn: fn, base: base, ret: base - 1, self: -1}
	if withSelf {
		f.ret--
		f.self = base - 1
	}
	if p.self >= 0 {
		argc = m.bindSelf(&f, argc)
	}
	sp := f.base + p.slots
	m.left -= p.slots / 16
	clear(m.stack[f.base+min(argc, p.params) : sp])
	m.sp = sp
	m.frames = append(m.frames, f)
	return nil
}

// bindSelf makes room among the arguments for a parameter named self, which never takes one (SL-27): it is the receiver
// of a method call and nil in a plain one. The parameters before it that get no argument are nil. It returns how many
// places from f.base on are taken then.
func (m *machine) bindSelf(f *frame, argc int) int {
	at := f.fn.proto.self
	n := min(at, argc)
	args := m.stack[f.base : f.base+argc]
	var self Value
	if f.self >= 0 {
		self = m.stack[f.self]
		f.base = f.self // the arguments before it move down over the receiver's place
		copy(m.stack[f.base:], args[:n])
		f.self = -1
	} else {
		copy(m.stack[f.base+n+1:], args[n:])
	}
	clear(m.stack[f.base+n : f.base+at])
	m.stack[f.base+at] = self
	return max(argc, at) + 1
}

// place names the source position of the instruction that runs.
func (m *machine) place() (line, col int) {
	f := &m.frames[len(m.frames)-1]
	pc := max(f.pc-1, 0)
	return lineColumn(m.source, int(f.fn.proto.pos[pc]))
}

// locate gives an error the position of the instruction that ran into it.
func (m *machine) locate(err error) {
	switch e := err.(type) {
	case *Error:
		if e.Line == 0 {
			e.Line, e.Column = m.place()
		}
	case *LimitError:
		if e.Line == 0 {
			e.Line, e.Column = m.place()
		}
	}
}

// costCatch is what an error that is caught costs in steps: making it takes longer than most instructions.
const costCatch = 8

// catch unwinds to the innermost try, if the error is one for it (SL-31, SL-33).
func (m *machine) catch(err error) bool {
	e, ok := err.(*Error)
	if !ok || e.fatal || len(m.tries) == 0 {
		return false
	}
	h := m.tries[len(m.tries)-1]
	m.tries = m.tries[:len(m.tries)-1]
	clear(m.frames[h.frame+1:])
	m.frames = m.frames[:h.frame+1]
	m.frames[h.frame].pc = h.pc
	m.sp = h.sp
	m.left -= costCatch
	return true
}
