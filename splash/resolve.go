package splash

// Resolution of names (SL-60 to SL-62) ahead of the run. A name means the innermost binding introduced earlier in
// execution, which text alone does not always tell: a `let` in a branch may or may not have run, and a function may
// be called before or after a later `let`. So each use gets the list of the bindings it may mean, innermost first,
// up to the first that is certain; at run time the first that is set is taken.

// variable is one name of one scope. Declaring the name again in the same scope introduces it anew (SL-61).
type variable struct {
	name       string
	fn         *function
	slot       int32
	param      bool
	loop       bool // set at the head of every iteration
	introduced bool // a declaration stands earlier in the text
	certain    bool // a declaration has run for sure; changes as the walk goes on
	captured   bool // closures use it: it lives in a cell
	reset      bool // some use may find it unset
}

type scope struct {
	fn     *function
	parent *scope // also across functions
	vars   []*variable
	names  map[string]*variable // once there are many
}

func (s *scope) find(name string) *variable {
	if s.names != nil {
		return s.names[name]
	}
	for _, v := range s.vars {
		if v.name == name {
			return v
		}
	}
	return nil
}

func (s *scope) declare(name string) *variable {
	if v := s.find(name); v != nil {
		return v
	}
	v := &variable{name: name, fn: s.fn, slot: s.fn.newSlot()}
	s.vars = append(s.vars, v)
	if s.names != nil {
		s.names[name] = v
	} else if len(s.vars) > 8 {
		s.names = map[string]*variable{}
		for _, v := range s.vars {
			s.names[v.name] = v
		}
	}
	return v
}

// function is a body that runs in a frame of its own: the program, a fn or a lambda.
type function struct {
	name     string
	parent   *function
	scope    *scope
	params   int
	slots    int32
	self     int       // the parameter named self, or -1
	receiver *variable // what `self` means in a method call, if the body asks and no parameter is named so (SL-27)
	captures []capture
	captured map[*variable]int32 // places in captures
}

// capture is a binding of an enclosing function: in a slot of the one right outside, or among its own captures.
type capture struct {
	v     *variable
	slot  bool
	index int32
}

// use is one binding a name may mean.
type use struct {
	v       *variable
	capture int32 // index among the captures of the function, or -1 for a slot of its own
	certain bool
}

func (f *function) newSlot() int32 {
	f.slots++
	return f.slots - 1
}

func (f *function) capture(v *variable) int32 {
	if i, ok := f.captured[v]; ok {
		return i
	}
	c := capture{v: v, slot: v.fn == f.parent, index: v.slot}
	if !c.slot {
		c.index = f.parent.capture(v)
	}
	v.captured = true
	if f.captured == nil {
		f.captured = map[*variable]int32{}
	}
	i := int32(len(f.captures))
	f.captured[v] = i
	f.captures = append(f.captures, c)
	return i
}

func newFunction(name string, parent *function, outer *scope, params []param) *function {
	f := &function{name: name, parent: parent, self: -1, params: len(params)}
	f.scope = &scope{fn: f, parent: outer}
	for i := range params {
		p := &params[i]
		if f.scope.find(p.name) != nil {
			f.newSlot() // a repeated parameter: the first argument is bound, this one is dropped (SL-10)
			continue
		}
		v := f.scope.declare(p.name)
		v.param = true
		p.v = v
		if p.name == "self" {
			f.self = i
		}
	}
	return f
}

// resolver walks a program twice: declare makes the scopes and their names, so that a body can see a later `let` of
// the code around it; resolve then walks in order of execution.
type resolver struct {
	fn      *function
	scope   *scope
	certain []*variable // variables that became certain, so that a branch can be undone
}

func resolveProgram(b *block) *function {
	root := newFunction("", nil, nil, nil)
	d := declarer{fn: root, scope: root.scope}
	d.nodes(b.stmts)
	r := resolver{fn: root, scope: root.scope}
	r.nodes(b.stmts)
	return root
}

func (r *resolver) introduce(v *variable) {
	v.introduced = true
	if !v.certain {
		v.certain = true
		r.certain = append(r.certain, v)
	}
}

// maybe walks what may not run, or not to its end: nothing it introduces is certain afterwards.
func (r *resolver) maybe(n node) {
	mark := len(r.certain)
	r.node(n)
	for _, v := range r.certain[mark:] {
		v.certain = false
	}
	r.certain = r.certain[:mark]
}

func (r *resolver) nodes(list []node) {
	for _, n := range list {
		r.node(n)
	}
}

func (r *resolver) node(n node) {
	first, up := spine(n)
	r.leaf(first)
	for _, n := range up {
		switch n := n.(type) {
		case *binaryExpr:
			if n.op == tAndAnd || n.op == tOrOr {
				r.maybe(n.r)
			} else {
				r.node(n.r)
			}
		case *callExpr:
			r.nodes(n.args)
		case *indexExpr:
			r.node(n.i)
		}
	}
}

func (r *resolver) leaf(n node) {
	switch n := n.(type) {
	case *block:
		r.nodes(n.stmts)
	case *nameExpr:
		n.uses = r.lookup(n.name)
	case *arrayLit:
		r.nodes(n.items)
	case *recordLit:
		r.nodes(n.values)
	case *parenExpr:
		r.node(n.x)
	case *unaryExpr:
		r.node(n.x)
	case *assignExpr:
		list, value := n.chain()
		for _, a := range list {
			r.node(a.target)
		}
		r.node(value)
	case *lambdaExpr:
		r.function(n.fn, n.params, n.body)
	case *ifExpr:
		for i, a := range n.arms {
			if i == 0 {
				r.node(a.cond)
			} else {
				r.maybe(a.cond)
			}
			r.maybe(a.then)
		}
		if n.els != nil {
			r.maybe(n.els)
		}
	case *tryExpr:
		r.maybe(n.protected)
		r.maybe(n.fallback)
	case *forExpr:
		r.node(n.over)
		r.inScope(n.scope, func() {
			for _, p := range n.names {
				r.introduce(p.v)
			}
			r.node(n.body)
		})
	case *loopExpr:
		r.inScope(n.scope, func() { r.node(n.body) })
	case *whileExpr:
		r.inScope(n.scope, func() {
			r.node(n.cond)
			r.node(n.body)
		})
	case *useStmt:
		r.introduce(n.v)
	case *letStmt:
		if n.init != nil {
			r.node(n.init) // with the old binding of the name (SL-61)
		}
		r.introduce(n.v)
	case *fnStmt:
		r.function(n.fn, n.params, n.body)
		r.introduce(n.v)
	case *returnStmt:
		if n.value != nil {
			r.node(n.value)
		}
	}
}

func (r *resolver) inScope(s *scope, walk func()) {
	outer := r.scope
	r.scope = s
	walk()
	r.scope = outer
}

func (r *resolver) function(f *function, params []param, body node) {
	outer := r.fn
	r.fn = f
	r.inScope(f.scope, func() {
		for _, p := range params {
			if p.v != nil {
				r.introduce(p.v)
			}
		}
		r.node(body)
	})
	r.fn = outer
}

// lookup lists what a name may mean where the walk stands.
func (r *resolver) lookup(name string) (uses []use) {
	for s := r.scope; s != nil; s = s.parent {
		v := s.find(name)
		if name == "self" && s == s.fn.scope && s.fn.parent != nil && (v == nil || !v.param) {
			if v == nil {
				v = s.declare(name)
			}
			v.introduced = true // by the call, if it is one of a method
			s.fn.receiver = v
		}
		if v == nil {
			continue
		}
		if s.fn == r.fn {
			if !v.introduced {
				continue // its declaration comes later, and cannot have run in this scope
			}
			uses = append(uses, use{v: v, capture: -1, certain: v.certain})
		} else {
			uses = append(uses, use{v: v, capture: r.fn.capture(v), certain: v.certain})
		}
		if v.certain {
			return uses
		}
		v.reset = true
	}
	return uses
}
