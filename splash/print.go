package splash

import "strings"

// printer writes a tree as canonical text: one statement a line, four spaces a level. Parsing the text gives the same
// tree, which the fuzz tests hold; comments are not kept, since the tree does not have them.
type printer struct {
	strings.Builder
	indent int
}

func printProgram(b *block) string {
	var p printer
	p.stmts(b.stmts)
	return p.String()
}

func (p *printer) line() {
	for range p.indent {
		p.WriteString("    ")
	}
}

func (p *printer) stmts(list []node) {
	for _, s := range list {
		p.line()
		p.node(s)
		p.WriteByte('\n')
	}
}

func (p *printer) block(b *block) {
	if len(b.stmts) == 0 {
		p.WriteString("{}")
		return
	}
	p.WriteString("{\n")
	p.indent++
	p.stmts(b.stmts)
	p.indent--
	p.line()
	p.WriteByte('}')
}

func (p *printer) params(open string, list []param, end string) {
	p.WriteString(open)
	for i, a := range list {
		if i > 0 {
			p.WriteString(", ")
		}
		p.WriteString(a.name)
	}
	p.WriteString(end)
}

func (p *printer) nodes(open string, list []node, end string) {
	p.WriteString(open)
	for i, n := range list {
		if i > 0 {
			p.WriteString(", ")
		}
		p.node(n)
	}
	p.WriteString(end)
}

func (p *printer) node(n node) {
	first, up := spine(n)
	p.leaf(first)
	for _, n := range up {
		switch n := n.(type) {
		case *binaryExpr:
			p.WriteString(" " + n.op.spelling() + " ")
			p.node(n.r)
		case *callExpr:
			p.nodes("(", n.args, ")")
		case *fieldExpr:
			if _, ok := n.x.(*numberLit); ok {
				p.WriteByte(' ') // `5 .f`: without the blank it is a broken number (SL-5)
			}
			p.WriteString("." + n.name)
		case *indexExpr:
			p.WriteByte('[')
			p.node(n.i)
			p.WriteByte(']')
		}
	}
}

func (p *printer) leaf(n node) {
	switch n := n.(type) {
	case *block:
		p.block(n)
	case *numberLit:
		p.WriteString(n.text)
	case *stringLit:
		p.str(n.value)
	case *wordLit:
		switch n.kind {
		case tTrue:
			p.WriteString("true")
		case tFalse:
			p.WriteString("false")
		default:
			p.WriteString("nil")
		}
	case *nameExpr:
		p.WriteString(n.name)
	case *arrayLit:
		p.nodes("[", n.items, "]")
	case *recordLit:
		p.WriteByte('{')
		for i, v := range n.values {
			if i > 0 {
				p.WriteString(", ")
			}
			p.WriteString(n.keys[i] + ": ")
			p.node(v)
		}
		p.WriteByte('}')
	case *parenExpr:
		p.WriteByte('(')
		p.node(n.x)
		p.WriteByte(')')
	case *unaryExpr:
		p.WriteString(n.op.spelling())
		if first, _ := spine(n.x); isLambda(first) {
			p.WriteByte(' ') // `-|` would be one run of operator characters (SL-7)
		}
		p.node(n.x)
	case *assignExpr:
		list, value := n.chain()
		for _, a := range list {
			p.node(a.target)
			p.WriteString(" " + a.op.spelling() + " ")
		}
		p.node(value)
	case *lambdaExpr:
		if len(n.params) == 0 {
			p.WriteString("|| ")
		} else {
			p.params("|", n.params, "| ")
		}
		p.node(n.body)
	default:
		p.control(n)
	}
}

func isLambda(n node) bool {
	_, ok := n.(*lambdaExpr)
	return ok
}

func (p *printer) control(n node) {
	switch n := n.(type) {
	case *ifExpr:
		for i, a := range n.arms {
			if i == 0 {
				p.WriteString("if ")
			} else {
				p.WriteString(" elif ")
			}
			p.node(a.cond)
			p.WriteByte(' ')
			p.node(a.then)
		}
		if n.els != nil {
			p.WriteString(" else ")
			p.node(n.els)
		}
	case *tryExpr:
		p.WriteString("try ")
		p.node(n.protected)
		p.WriteString(" catch ")
		p.node(n.fallback)
	case *forExpr:
		p.params("for ", n.names, " in ")
		p.node(n.over)
		p.WriteByte(' ')
		p.block(n.body)
	case *loopExpr:
		p.WriteString("loop ")
		p.block(n.body)
	case *whileExpr:
		p.WriteString("while ")
		p.node(n.cond)
		p.WriteByte(' ')
		p.block(n.body)
	case *useStmt:
		p.WriteString("use mod." + strings.Join(n.path, "."))
	case *letStmt:
		p.WriteString("let " + n.name)
		if n.init != nil {
			p.WriteString(" = ")
			p.node(n.init)
		}
	case *fnStmt:
		p.params("fn "+n.name+"(", n.params, ") ")
		p.block(n.body)
	case *returnStmt:
		p.WriteString("return")
		if n.value != nil {
			p.WriteByte(' ')
			p.node(n.value)
		}
	case *breakStmt:
		p.WriteString("break")
	case *continueStmt:
		p.WriteString("continue")
	}
}

func (p *printer) str(s string) {
	p.WriteByte('"')
	from := 0
	for i := range len(s) {
		escape := ""
		switch s[i] {
		case '"':
			escape = `\"`
		case '\\':
			escape = `\\`
		case '\n':
			escape = `\n`
		case '\r':
			escape = `\r`
		case '\t':
			escape = `\t`
		default:
			continue
		}
		p.WriteString(s[from:i])
		p.WriteString(escape)
		from = i + 1
	}
	p.WriteString(s[from:])
	p.WriteByte('"')
}
