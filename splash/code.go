package splash

// opcode is an instruction of the machine. In the comments, s is the operand stack with its top to the right, and a
// and b are the operands of the instruction.
type opcode uint8

const (
	opConst opcode = iota // s -> s, consts[a]
	opNil                 // s -> s, nil
	opPop                 // s, x -> s
	opReset               // s, ... -> s cut to a operands, for jumps out of expressions
	opDup                 // s, x -> s, x, x
	opDup2                // s, x, y -> s, x, y, x, y

	// Names. Slots hold the value, or the cell of a captured name; try forms jump to b when the name is set.
	opLoad
	opLoadCell
	opLoadFree
	opTryLoad
	opTryLoadCell
	opTryLoadFree
	opLoadGlobal // consts[a] is the name
	opStore
	opStoreCell
	opStoreFree
	opTryStore
	opTryStoreCell
	opTryStoreFree
	opStoreGlobal
	opLet      // s, x -> s; slot a
	opLetCell  // s, x -> s; a new cell if the one in slot a is set already (SL-61)
	opLetFresh // s, x -> s; always a new cell in slot a
	opUnset    // slot a
	opNewCell  // slot a
	opBox      // slot a: put its value in a cell
	opReceiver // slot a: self of a method call, in a cell if b

	opArray    // s, a items -> s, array
	opRecord   // s, values -> s, record; shapes[a]
	opField    // s, x -> s, x.consts[a]
	opIndex    // s, x, i -> s, x[i]
	opSetField // s, x, v -> s
	opSetIndex // s, x, i, v -> s
	opNoPlace  // s, v -> error
	opUse      // s -> s, module; paths[a]

	opAdd
	opSub
	opMul
	opDiv
	opMod
	opAddConst // s, x -> s, x + consts[a]
	opSubConst
	opEqual
	opNotEqual
	opLess
	opLessEqual
	opGreater
	opGreaterEqual
	opNeg
	opNot

	opJump        // to a
	opJumpFalse   // s, x -> s
	opAndJump     // s, x -> s, x and jump when false, else s
	opOrJump      // s, x -> s, x and jump when true, else s
	opCall        // s, f, a args -> s, result
	opMethod      // s, x -> s, f, x; consts[a] is the name
	opCallMethod  // s, f, self, a args -> s, result
	opClosure     // s -> s, function; protos[a]
	opReturn      // s, x -> the caller's s, x
	opTry         // errors go to a
	opEndTry      //
	opForInit     // s, x -> s; slot a: what is gone through, a+1: the next index
	opForSlot     // next item to slot a+2 and jump to b, if there is one
	opFor1        // next item, s -> s, v and jump to b
	opFor2        // s -> s, key, v
	opFor3        // s -> s, index, key, v
	opLoopControl // break (a = 0) or continue (1) outside of a loop
)

type instr struct {
	op opcode
	a  int32
	b  int32
}

// proto is a compiled function. It is not changed after compilation, and evaluations share it.
type proto struct {
	name     string
	code     []instr
	pos      []int32 // source offsets of code
	consts   []Value
	shapes   [][]*text
	paths    [][]string
	protos   []*proto
	captures []capture
	params   int
	slots    int
	self     int // the parameter named self, or -1
	stack    int // the most operands at once
	longest  int // bytes of the longest string literal, functions inside included
}
