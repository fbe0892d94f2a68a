package splash

// declarer makes the scopes of a program and the names in them (SL-60): a function, a for, a loop and a while open
// one; if, try and catch do not.
type declarer struct {
	fn    *function
	scope *scope
}

func (d *declarer) nodes(list []node) {
	for _, n := range list {
		d.node(n)
	}
}

func (d *declarer) node(n node) {
	switch n := n.(type) {
	case *lambdaExpr:
		n.fn = d.function("", n.params, n.body)
	case *forExpr:
		d.node(n.over)
		n.scope = d.open(func(s *scope) {
			for i := range n.names {
				v := s.declare(n.names[i].name)
				v.loop = true
				n.names[i].v = v
			}
			d.node(n.body)
		})
	case *loopExpr:
		n.scope = d.open(func(*scope) { d.node(n.body) })
	case *whileExpr:
		n.scope = d.open(func(*scope) {
			d.node(n.cond)
			d.node(n.body)
		})
	case *useStmt:
		n.v = d.scope.declare(n.path[len(n.path)-1])
	case *letStmt:
		children(n, d.node)
		n.v = d.scope.declare(n.name)
	case *fnStmt:
		n.fn = d.function(n.name, n.params, n.body)
		n.v = d.scope.declare(n.name)
	default:
		children(n, d.node)
	}
}

func (d *declarer) open(walk func(*scope)) *scope {
	s := &scope{fn: d.fn, parent: d.scope}
	outer := d.scope
	d.scope = s
	walk(s)
	d.scope = outer
	return s
}

func (d *declarer) function(name string, params []param, body node) *function {
	f := newFunction(name, d.fn, d.scope, params)
	outer, outerFn := d.scope, d.fn
	d.scope, d.fn = f.scope, f
	d.node(body)
	d.scope, d.fn = outer, outerFn
	return f
}
