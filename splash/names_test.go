package splash

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestNamesAgainstModel compares how names are found with a model that follows SL-60 to SL-63 to the letter at run
// time: scopes that keep a history of their bindings, and closures that remember where in it they were made.
func TestNamesAgainstModel(t *testing.T) {
	compared := 0
	rapid.Check(t, func(t *rapid.T) {
		g := generator{t: t}
		g.statements(3, 0)
		src := "let log = |v| mod.tool.call(\"log\", \"\" + v)\n" + g.String()
		p, err := Parse(src, Limits{})
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		var got []string
		host := Tools(func(_ context.Context, c Call) (string, error) {
			got = append(got, c.Input)
			return "", nil
		})
		_, err = p.Eval(context.Background(), Config{Host: host})
		var limit *LimitError
		if errors.As(err, &limit) {
			return
		}
		m := model{}
		if !m.program(p.body) {
			return // too long for the model
		}
		failed := err != nil
		if strings.Join(got, " ") != strings.Join(m.out, " ") || failed != m.failed {
			t.Fatalf("%s\n got %v %v\nwant %v %v", src, got, err, m.out, m.failed)
		}
		compared++
	})
	t.Logf("%d programs compared", compared)
}

// generator writes programs about a handful of names.
type generator struct {
	strings.Builder
	t *rapid.T
}

func (g *generator) pick(list ...string) string { return rapid.SampledFrom(list).Draw(g.t, "pick") }

func (g *generator) name() string { return g.pick("a", "b", "c", "f", "g") }

func (g *generator) value() string {
	switch rapid.IntRange(0, 4).Draw(g.t, "value") {
	case 0:
		return "(try " + g.name() + " catch 100)"
	case 1:
		return "(try " + g.name() + "(" + g.name() + ") catch 200)"
	case 2:
		return "|" + g.name() + "| " + g.name()
	}
	return fmt.Sprint(rapid.IntRange(1, 9).Draw(g.t, "n"))
}

func (g *generator) statements(n, depth int) {
	for range rapid.IntRange(1, n+2).Draw(g.t, "count") {
		g.statement(depth)
	}
}

func (g *generator) block(depth int, last string) {
	g.WriteString("{\n")
	if depth < 4 {
		g.statements(1, depth+1)
	}
	g.WriteString(last + "}")
}

func (g *generator) statement(depth int) {
	switch rapid.IntRange(0, 10).Draw(g.t, "statement") {
	case 0, 1, 2:
		g.WriteString("let " + g.name() + " = " + g.value())
	case 3:
		g.WriteString("try " + g.name() + "(" + g.value() + ") catch log(\"x\")")
	case 4:
		name := g.name()
		g.WriteString("try { " + name + " = " + g.value() + "\n1\n} catch log(\"w\")")
	case 5:
		g.WriteString("if " + g.pick("true", "false", "a", "b") + " ")
		g.block(depth, "")
		g.WriteString(" else ")
		g.block(depth, "")
	case 6:
		g.WriteString("try ")
		g.block(depth, g.pick("nope\n1\n", "1\n"))
		g.WriteString(" catch ")
		g.block(depth, "2\n")
	case 7:
		g.WriteString("for " + g.name() + " in 2 ")
		g.block(depth, g.pick("", "continue\n", "if a { break; }\n"))
	case 8:
		g.WriteString("fn " + g.name() + "(" + g.name() + ") ")
		g.block(depth, "return "+g.name()+"\n")
	default:
		g.WriteString("log(try (\"\" + " + g.name() + ") catch \"-\")")
	}
	g.WriteString("\n")
}

// model is a naive interpreter of what the generator writes.
type model struct {
	out    []string
	failed bool
	work   int
}

// history is a scope: every binding it ever had, in order.
type history struct {
	outer   *view
	entries []*boundName
}

type boundName struct {
	name  string
	value any // float64, string, nil or *modelFunc
}

// view is a scope as seen from a moment on: the code of the scope itself sees all of it.
type view struct {
	scope *history
	from  int // entries before it are older than the closure; -1 for the scope's own code
}

type modelFunc struct {
	param string
	body  node
	env   *view
}

// What ends a walk early.
type (
	modelError  struct{}
	modelReturn struct{ value any }
	modelBreak  struct{}
	modelNext   struct{}
	modelLong   struct{}
)

func (m *model) program(b *block) (fits bool) {
	defer func() {
		switch r := recover().(type) {
		case nil:
			fits = true
		case modelError:
			m.failed, fits = true, true
		case modelLong:
			fits = false
		default:
			panic(r)
		}
	}()
	env := &view{scope: &history{}, from: -1}
	for _, s := range b.stmts[1:] { // all but log
		m.exec(s, env)
	}
	return true
}

func (v *view) find(name string) *boundName {
	for ; v != nil; v = v.scope.outer {
		end := v.from
		if end < 0 {
			end = len(v.scope.entries)
		}
		for i := end - 1; i >= 0; i-- {
			if v.scope.entries[i].name == name {
				return v.scope.entries[i]
			}
		}
		for _, e := range v.scope.entries[end:] {
			if e.name == name {
				return e
			}
		}
	}
	return nil
}

// capture is what a closure made now will see: the scope, which keeps growing, and where in it the closure stands.
func (v *view) capture() *view {
	from := v.from
	if from < 0 {
		from = len(v.scope.entries)
	}
	return &view{scope: v.scope, from: from}
}

func (v *view) bind(name string, value any) {
	v.scope.entries = append(v.scope.entries, &boundName{name: name, value: value})
}

func (v *view) open() *view { return &view{scope: &history{outer: v.capture()}, from: -1} }

func (m *model) exec(n node, env *view) any {
	if m.work++; m.work > 3000 {
		panic(modelLong{})
	}
	switch n := n.(type) {
	case *block:
		var last any
		for _, s := range n.stmts {
			last = m.exec(s, env)
		}
		return last
	case *letStmt:
		env.bind(n.name, m.exec(n.init, env))
		return nil
	case *fnStmt:
		env.bind(n.name, &modelFunc{param: n.params[0].name, body: n.body, env: env.capture()})
		return nil
	case *lambdaExpr:
		return &modelFunc{param: n.params[0].name, body: n.body, env: env.capture()}
	case *assignExpr:
		value := m.exec(n.value, env)
		b := env.find(n.target.(*nameExpr).name)
		if b == nil {
			panic(modelError{})
		}
		b.value = value
		return nil
	case *returnStmt:
		panic(modelReturn{m.exec(n.value, env)})
	case *breakStmt:
		panic(modelBreak{})
	case *continueStmt:
		panic(modelNext{})
	case *ifExpr:
		branch := n.els
		if truth(m.exec(n.arms[0].cond, env)) {
			branch = n.arms[0].then
		}
		if branch != nil {
			return m.exec(branch, env)
		}
		return nil
	case *tryExpr:
		return m.try(n, env)
	case *forExpr:
		m.loop(n, env)
		return nil
	case *parenExpr:
		return m.exec(n.x, env)
	case *numberLit:
		return n.value
	case *stringLit:
		return n.value
	case *wordLit:
		return n.kind == tTrue
	case *nameExpr:
		if b := env.find(n.name); b != nil {
			return b.value
		}
		panic(modelError{})
	case *binaryExpr: // "" + name
		switch v := m.exec(n.r, env).(type) {
		case float64:
			return numberText(v)
		case string:
			return v
		case nil:
			return ""
		}
		panic(modelError{})
	case *callExpr:
		return m.call(n, env)
	}
	panic(fmt.Sprintf("%T", n))
}

func truth(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case float64:
		return v != 0
	case string:
		return v != ""
	}
	return true
}

func (m *model) try(n *tryExpr, env *view) (value any) {
	ok := func() (ok bool) {
		defer func() {
			if r := recover(); r != nil {
				if _, caught := r.(modelError); !caught {
					panic(r)
				}
				ok = false
			}
		}()
		value = m.exec(n.protected, env)
		return true
	}()
	if !ok {
		return m.exec(n.fallback, env)
	}
	return value
}

func (m *model) loop(n *forExpr, env *view) {
	for i := range 2 {
		stop := func() (stop bool) {
			defer func() {
				switch r := recover().(type) {
				case nil, modelNext:
				case modelBreak:
					stop = true
				default:
					panic(r)
				}
			}()
			inner := env.open()
			inner.bind(n.names[0].name, float64(i))
			m.exec(n.body, inner)
			return false
		}()
		if stop {
			return
		}
	}
}

func (m *model) call(n *callExpr, env *view) (value any) {
	name := n.fn.(*nameExpr).name
	if name == "log" {
		v := m.exec(n.args[0], env)
		m.out = append(m.out, v.(string))
		return ""
	}
	callee := m.exec(n.fn, env)
	arg := m.exec(n.args[0], env)
	f, ok := callee.(*modelFunc)
	if !ok {
		panic(modelError{})
	}
	if m.work += 20; m.work > 3000 {
		panic(modelLong{})
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case modelReturn:
			value = r.value
		default:
			panic(r)
		}
	}()
	inner := &view{scope: &history{outer: f.env}, from: -1}
	inner.bind(f.param, arg)
	if b, ok := f.body.(*block); ok {
		m.exec(b, inner)
		return nil
	}
	return m.exec(f.body, inner)
}
