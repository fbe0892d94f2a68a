package splash

import (
	"fmt"
	"strconv"
)

// parser builds the tree of section 2 of the SL rules by recursive descent. How it goes on after an error is part of
// SL-12: which tokens an error consumes decides how many more follow it.
type parser struct {
	reporter
	tokens
	i     int // the current token
	depth int
	max   int // nesting
}

// parseSource reads a source that is not too long. The tree is meaningful only when the report is clean.
func parseSource(source string, limits Limits) (*block, Report) {
	toks, report := lex(source, limits)
	if !report.Valid() {
		return nil, report
	}
	p := parser{
		reporter: reporter{source: source, max: limits.Diagnostics},
		tokens:   toks,
		max:      limits.Nesting,
	}
	body := p.program()
	return body, p.done()
}

func (p *parser) kind() kind { return p.list[p.i].kind }

func (p *parser) pos() int32 { return p.list[p.i].pos }

func (p *parser) here() at { return at(p.list[p.i].pos) }

func (p *parser) text() string {
	t := p.list[p.i]
	return p.source[t.pos:t.end]
}

func (p *parser) advance() {
	if p.kind() != tEnd {
		p.i++
	}
}

func (p *parser) eat(k kind) bool {
	if p.kind() != k {
		return false
	}
	p.advance()
	return true
}

func (p *parser) fail(message string) { p.report(int(p.pos()), message) }

// enter counts one level of nesting (SL-11). When it refuses, nothing is consumed.
func (p *parser) enter() bool {
	if p.depth >= p.max {
		p.fail(fmt.Sprintf(msgNesting, p.max))
		return false
	}
	p.depth++
	return true
}

func (p *parser) leave() { p.depth-- }

// isWord reports whether the current token is the given ordinary name, such as `mod` or `catch`.
func (p *parser) isWord(name string) bool {
	return p.kind() == tName && p.text() == name
}

func (p *parser) program() *block {
	b := &block{at: 0, end: int32(len(p.source))}
	p.ends()
	for p.kind() != tEnd {
		if p.kind() == tBraceR {
			p.fail(msgStrayBrace)
			p.advance() // and only it: a newline after it is then an empty expression (SL-12)
			continue
		}
		b.stmts = append(b.stmts, p.statement())
	}
	return b
}

// ends skips newlines and semicolons.
func (p *parser) ends() {
	for p.kind() == tNewline || p.kind() == tSemicolon {
		p.i++
	}
}

// statement reads a statement and its end.
func (p *parser) statement() node {
	start := p.i
	s := p.statementBody()
	switch p.kind() {
	case tNewline, tSemicolon, tEnd:
	default:
		p.fail(msgStatementEnd)
		for k := p.kind(); k != tNewline && k != tSemicolon && k != tBraceR && k != tEnd; k = p.kind() {
			p.i++
		}
	}
	p.ends()
	if p.i == start {
		p.advance() // SL-12: no statement may stand still
	}
	return s
}

func (p *parser) statementBody() node {
	switch p.kind() {
	case tUse:
		return p.use()
	case tLet:
		return p.let()
	case tFn:
		return p.fn()
	case tReturn:
		s := &returnStmt{at: p.here()}
		p.advance()
		switch p.kind() {
		case tNewline, tSemicolon, tBraceR, tEnd:
		default:
			s.value = p.expr()
		}
		return s
	case tBreak:
		s := &breakStmt{at: p.here()}
		p.advance()
		return s
	case tContinue:
		s := &continueStmt{at: p.here()}
		p.advance()
		return s
	}
	return p.expr()
}

func (p *parser) use() node {
	s := &useStmt{at: p.here()}
	p.advance()
	if !p.isWord("mod") {
		p.fail(msgUseMod)
		return s
	}
	p.advance()
	if p.kind() != tDot {
		p.fail(msgUseDot)
		return s
	}
	for p.eat(tDot) {
		if p.kind() != tName {
			p.fail(msgUseName)
			return s
		}
		s.at = p.here()
		s.path = append(s.path, p.text())
		p.advance()
	}
	return s
}

func (p *parser) let() node {
	p.advance()
	s := &letStmt{at: p.here()}
	if p.kind() == tName {
		s.name = p.text()
		p.advance()
	} else {
		p.fail(msgLetName)
	}
	switch p.kind() {
	case tAssign:
		p.advance()
		s.init = p.expr()
	case tNewline, tSemicolon, tBraceR, tEnd:
	default:
		p.fail(msgLetEnd)
	}
	return s
}

func (p *parser) fn() node {
	p.advance()
	s := &fnStmt{at: p.here()}
	if p.kind() == tName {
		s.name = p.text()
		p.advance()
	} else {
		p.fail(msgFnName)
	}
	if p.eat(tParenL) {
		s.params = p.params()
	} else {
		p.fail(msgFnOpen)
	}
	s.body = p.block()
	return s
}

// params reads the parameters of a `fn` after its opening parenthesis.
func (p *parser) params() (list []param) {
	if p.eat(tParenR) {
		return nil
	}
	for {
		if p.kind() == tName {
			list = append(list, param{at: p.here(), name: p.text()})
			p.advance()
		} else {
			p.fail(msgParamName)
		}
		switch p.kind() {
		case tComma:
			p.advance()
			if p.trailing(tParenR) {
				return list
			}
			continue
		case tParenR:
			p.advance()
		default:
			p.fail(msgParamNext)
		}
		return list
	}
}

// trailing reports and consumes a closer that follows a comma (SL-9: no trailing commas).
func (p *parser) trailing(closer kind) bool {
	if p.kind() != closer {
		return false
	}
	p.fail(msgTrailingComma)
	p.advance()
	return true
}

// block reads a block in braces. It returns an empty one when there is none.
func (p *parser) block() *block {
	b := &block{at: p.here(), end: p.pos()}
	if p.kind() != tBraceL {
		p.fail(msgBlockOpen)
		return b
	}
	if !p.enter() {
		return b
	}
	defer p.leave()
	p.blockBody(b)
	return b
}

// blockBody reads from the brace on, and reports whether the block was closed.
func (p *parser) blockBody(b *block) bool {
	p.advance()
	p.ends()
	for p.kind() != tEnd && p.kind() != tBraceR {
		b.stmts = append(b.stmts, p.statement())
	}
	b.end = p.list[p.i].end
	if !p.eat(tBraceR) {
		p.fail(msgBlockClose)
		return false
	}
	return true
}

// tryBranch reads what stands under try or catch: an expression, or a block that ends with a value.
func (p *parser) tryBranch() node {
	if p.kind() != tBraceL {
		return p.expr()
	}
	b := &block{at: p.here(), end: p.pos()}
	if !p.enter() {
		return b
	}
	defer p.leave()
	if p.blockBody(b) && !endsWithValue(b) {
		// The closing brace, which is the token before this one, is where the value is missing.
		p.report(int(p.list[p.i-1].pos), msgTryValue)
	}
	return b
}

// endsWithValue is the rule of SL-10 for the last statement of a try block.
func endsWithValue(b *block) bool {
	if len(b.stmts) == 0 {
		return false
	}
	last := b.stmts[len(b.stmts)-1]
	switch last.(type) {
	case *forExpr, *loopExpr, *whileExpr:
		return false
	}
	return producesValue(last)
}

// number gives the value of a number token. Digits beyond what a double holds round, and 1e400 is infinity (SL-15).
func (p *parser) number() *numberLit {
	text := p.text()
	value, _ := strconv.ParseFloat(text, 64)
	return &numberLit{at: p.here(), text: text, value: value}
}
