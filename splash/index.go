package splash

import "slices"

// ModuleCall is a place where the text surely calls a method of a host module (WD-18).
type ModuleCall struct {
	Callee Span       `json:"callee"` // from the receiver to the end of the method
	Method string     `json:"method"`
	Mode   MethodMode `json:"mode"`
	Module string     `json:"module"`
	Tool   string     `json:"tool"`
}

// MethodMode says how a method answers.
type MethodMode string

// The modes of WD-18.
const (
	Synchronous MethodMode = "synchronous"
	Deferred    MethodMode = "deferred"
)

// The bounds of the index behind ModuleCalls (WD-18), and the longest chain of aliases it follows.
const (
	maxOccurrences = 4096
	maxImports     = 1024
	maxAliases     = 1024
	maxChain       = 16
)

// ModuleCalls finds the calls of methods of the given modules in the text, in order (WD-18). A receiver counts when it
// is the name of a `use mod.NAME`, or of a chain of at most 16 plain aliases of one, and when neither that name nor any
// alias of it is used in the whole text for anything but further aliases and calls: then it can mean nothing else. At
// most limit calls are kept, and never more than MaxCalls; truncated says that there were more, or that the source is
// too large to be indexed, which leaves no calls at all.
func (p *Program) ModuleCalls(modules []Module, limit int) (calls []ModuleCall, truncated bool) {
	x := indexer{}
	x.open(func() { x.each(p.body.stmts) })
	if x.occurrences > maxOccurrences || x.imports > maxImports || x.aliases > maxAliases {
		return nil, true
	}
	limit = min(limit, MaxCalls)
	pos := reporter{source: p.source}
	for _, s := range x.sites {
		b := s.receiver
		if b.group.spoiled || b.chain > maxChain {
			continue
		}
		m := slices.IndexFunc(modules, func(m Module) bool { return m.Name == b.group.module })
		if m < 0 {
			continue
		}
		i := slices.IndexFunc(modules[m].Methods, func(f Method) bool { return f.Name == s.method })
		if i < 0 {
			continue
		}
		if len(calls) >= limit {
			return calls, true
		}
		method := modules[m].Methods[i]
		mode := Synchronous
		if method.Deferred {
			mode = Deferred
		}
		calls = append(calls, ModuleCall{
			Callee: pos.span(s.start, s.end),
			Method: method.Name,
			Mode:   mode,
			Module: modules[m].Name,
			Tool:   method.Tool,
		})
	}
	return calls, false
}

// indexer resolves names by their place in the text alone: a binding holds from after its statement to its
// redeclaration in the same scope, or to the end of the scope.
type indexer struct {
	scopes []map[string]*binding
	sites  []site

	occurrences, imports, aliases int
}

// binding is a name that stands for a module, or for anything else when it has no group.
type binding struct {
	group *group
	chain int // how many aliases lead from here to the import
}

// group is an import and all its aliases.
type group struct {
	module  string
	spoiled bool // some use is neither an alias nor a call
}

type site struct {
	receiver   *binding
	method     string
	start, end int32
}

func (x *indexer) open(walk func()) {
	x.scopes = append(x.scopes, map[string]*binding{})
	walk()
	x.scopes = x.scopes[:len(x.scopes)-1]
}

func (x *indexer) bind(name string, b *binding) {
	x.occurrences++
	x.scopes[len(x.scopes)-1][name] = b
}

// find looks a reference up.
func (x *indexer) find(name string) *binding {
	x.occurrences++
	for i := len(x.scopes) - 1; i >= 0; i-- {
		if b := x.scopes[i][name]; b != nil {
			return b
		}
	}
	return &binding{}
}

func (x *indexer) each(list []node) {
	for _, n := range list {
		x.node(n)
	}
}

func (x *indexer) node(n node) {
	switch n := n.(type) {
	case *nameExpr:
		if b := x.find(n.name); b.group != nil {
			b.group.spoiled = true
		}
	case *useStmt:
		x.imports++
		b := &binding{}
		if len(n.path) == 1 {
			b.group = &group{module: n.path[0]}
		}
		x.bind(n.path[len(n.path)-1], b)
	case *letStmt:
		b := &binding{}
		if from, ok := n.init.(*nameExpr); ok {
			x.aliases++
			if to := x.find(from.name); to.group != nil {
				b.group, b.chain = to.group, to.chain+1
			}
		} else {
			children(n, x.node)
		}
		x.bind(n.name, b)
	case *fnStmt:
		x.function(n.params, n.body)
		x.bind(n.name, &binding{})
	case *lambdaExpr:
		x.function(n.params, n.body)
	case *forExpr:
		x.node(n.over)
		x.open(func() {
			x.params(n.names)
			x.node(n.body)
		})
	case *loopExpr:
		x.open(func() { x.node(n.body) })
	case *whileExpr:
		x.open(func() {
			x.node(n.cond)
			x.node(n.body)
		})
	default:
		x.expression(n)
	}
}

// expression looks for receiver.method( at the left end of a spine, and walks the rest.
func (x *indexer) expression(n node) {
	if first, up := spine(n); len(up) >= 2 {
		name, isName := first.(*nameExpr)
		field, isField := up[0].(*fieldExpr)
		if _, isCall := up[1].(*callExpr); isName && isField && isCall {
			b := x.find(name.name)
			if b.group != nil {
				end := field.position() + int32(len(field.name))
				x.sites = append(x.sites, site{receiver: b, method: field.name, start: name.position(), end: end})
			}
			skipped := false
			children(n, func(c node) {
				if !skipped {
					skipped = true // the receiver, which comes first
					return
				}
				x.node(c)
			})
			return
		}
	}
	children(n, x.node)
}

func (x *indexer) params(list []param) {
	for _, p := range list {
		x.bind(p.name, &binding{})
	}
}

func (x *indexer) function(params []param, body node) {
	x.open(func() {
		x.params(params)
		x.node(body)
	})
}
