package splash

// The syntax tree. Parentheses are kept as nodes: they decide what is a call of a method (SL-27) and what is a stable
// use of a module (WD-18), and they let the printer write a tree back without knowing precedence.
//
// Nesting (SL-11) bounds the depth of a tree except along four spines: operators, calls, fields and indexes lean left
// as far as the source is long, and assignments lean right. Whatever walks a tree walks those spines in a loop (see
// spine), so that no source can drive the Go stack.

type node interface {
	// position is the byte offset that errors of the node are reported at.
	position() int32
}

type at int32

func (a at) position() int32 { return int32(a) }

// Expressions.
type (
	numberLit struct {
		at
		text  string
		value float64
	}
	stringLit struct {
		at
		end   int32
		value string
	}
	wordLit struct { // true, false, nil
		at
		kind kind
	}
	nameExpr struct {
		at
		name string
		uses []use // where the name may be bound; set by resolve
	}
	arrayLit struct {
		at
		items []node
	}
	recordLit struct {
		at
		keys   []string
		values []node
	}
	parenExpr struct {
		at
		x node
	}
	unaryExpr struct {
		at
		op kind
		x  node
	}
	binaryExpr struct { // at: the operator
		at
		op   kind
		l, r node
	}
	assignExpr struct { // at: the operator
		at
		op     kind
		target node
		value  node
	}
	callExpr struct { // at: the opening parenthesis
		at
		fn   node
		args []node
	}
	fieldExpr struct { // at: the name
		at
		x    node
		name string
	}
	indexExpr struct { // at: the bracket
		at
		x, i node
	}
	lambdaExpr struct {
		at
		params []param
		body   node // *block or an expression
		fn     *function
	}
	ifExpr struct {
		at
		arms []arm
		els  node // *block, an expression or nil
	}
	tryExpr struct {
		at
		protected, fallback node // *block or an expression
	}
	forExpr struct {
		at
		names []param
		over  node
		body  *block
		scope *scope
	}
	loopExpr struct {
		at
		body  *block
		scope *scope
	}
	whileExpr struct {
		at
		cond  node
		body  *block
		scope *scope
	}
	// badExpr stands for what could not be read; it never reaches a Program.
	badExpr struct{ at }
)

type arm struct {
	cond, then node
}

type param struct {
	at
	name string
	v    *variable
}

// Statements. An expression is a statement too.
type (
	useStmt struct { // at: the last segment
		at
		path []string
		v    *variable
	}
	letStmt struct { // at: the name
		at
		name string
		init node // nil for none
		v    *variable
	}
	fnStmt struct { // at: the name
		at
		name   string
		params []param
		body   *block
		v      *variable
		fn     *function
	}
	returnStmt struct {
		at
		value node // nil for none
	}
	breakStmt    struct{ at }
	continueStmt struct{ at }
)

type block struct {
	at
	end   int32
	stmts []node
}

// producesValue reports whether a statement gives a block its value (SL-10, SL-13).
func producesValue(n node) bool {
	switch n.(type) {
	case *useStmt, *letStmt, *fnStmt, *returnStmt, *breakStmt, *continueStmt:
		return false
	}
	return true
}

// inner returns the node to the left on a spine.
func inner(n node) (node, bool) {
	switch n := n.(type) {
	case *binaryExpr:
		return n.l, true
	case *callExpr:
		return n.fn, true
	case *fieldExpr:
		return n.x, true
	case *indexExpr:
		return n.x, true
	}
	return nil, false
}

// spine returns the leftmost node under n and the nodes from there up to n.
func spine(n node) (first node, up []node) {
	for {
		l, ok := inner(n)
		if !ok {
			break
		}
		up = append(up, n)
		n = l
	}
	for i, j := 0, len(up)-1; i < j; i, j = i+1, j-1 {
		up[i], up[j] = up[j], up[i]
	}
	return n, up
}

// chain returns the assignments of a = b = c from left to right, and the value at the end.
func (n *assignExpr) chain() (list []*assignExpr, value node) {
	for {
		list = append(list, n)
		next, ok := n.value.(*assignExpr)
		if !ok {
			return list, n.value
		}
		n = next
	}
}

// unparen takes the parentheses off.
func unparen(n node) node {
	for {
		p, ok := n.(*parenExpr)
		if !ok {
			return n
		}
		n = p.x
	}
}

// children calls f for what stands directly inside a node, in order of evaluation. A spine and a chain of assignments
// count as one node, so a walk that calls children from f goes no deeper than SL-11 lets a source nest. What opens a
// scope of names (lambdaExpr, fnStmt, forExpr, loopExpr, whileExpr) is left to the walk.
func children(n node, f func(node)) {
	if first, up := spine(n); len(up) > 0 {
		f(first)
		for _, n := range up {
			switch n := n.(type) {
			case *binaryExpr:
				f(n.r)
			case *callExpr:
				for _, a := range n.args {
					f(a)
				}
			case *indexExpr:
				f(n.i)
			}
		}
		return
	}
	switch n := n.(type) {
	case *block:
		for _, s := range n.stmts {
			f(s)
		}
	case *arrayLit:
		for _, x := range n.items {
			f(x)
		}
	case *recordLit:
		for _, x := range n.values {
			f(x)
		}
	case *parenExpr:
		f(n.x)
	case *unaryExpr:
		f(n.x)
	case *assignExpr:
		list, value := n.chain()
		for _, a := range list {
			f(a.target)
		}
		f(value)
	case *ifExpr:
		for _, a := range n.arms {
			f(a.cond)
			f(a.then)
		}
		if n.els != nil {
			f(n.els)
		}
	case *tryExpr:
		f(n.protected)
		f(n.fallback)
	case *letStmt:
		if n.init != nil {
			f(n.init)
		}
	case *returnStmt:
		if n.value != nil {
			f(n.value)
		}
	}
}
