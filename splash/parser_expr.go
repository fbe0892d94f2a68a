package splash

// startsExpr reports whether a token can begin an expression.
func startsExpr(k kind) bool {
	switch k {
	case tIf, tTry, tFor, tLoop, tWhile:
		return true
	}
	return startsOperand(k)
}

// startsOperand is startsExpr without the control expressions, which cannot stand bare as a condition (SL-10).
func startsOperand(k kind) bool {
	switch k {
	case tName, tNumber, tString, tTrue, tFalse, tNil, tBraceL, tParenL, tBracketL,
		tNot, tMinus, tPlus, tTilde, tBar, tOrOr:
		return true
	}
	return false
}

func (p *parser) expr() node {
	if !p.enter() {
		return &badExpr{at: p.here()}
	}
	defer p.leave()
	switch p.kind() {
	case tIf:
		return p.ifExpr()
	case tTry:
		return p.tryExpr()
	case tFor:
		return p.forExpr()
	case tLoop:
		n := &loopExpr{at: p.here()}
		p.advance()
		n.body = p.block()
		return n
	case tWhile:
		n := &whileExpr{at: p.here()}
		p.advance()
		n.cond = p.condition()
		n.body = p.block()
		return n
	}
	return p.assign()
}

// condition refuses a bare lambda, whose body would swallow the branch.
func (p *parser) condition() node {
	if k := p.kind(); k == tBar || k == tOrOr {
		p.fail(msgLambdaCondition)
		return &badExpr{at: p.here()}
	}
	return p.assign()
}

// conditionAfter is condition, and consumes nothing when there is none.
func (p *parser) conditionAfter(message string) node {
	if !startsOperand(p.kind()) {
		p.fail(message)
		return &badExpr{at: p.here()}
	}
	return p.condition()
}

func (p *parser) branch() node {
	switch k := p.kind(); {
	case k == tBraceL:
		return p.block()
	case k == tBar || k == tOrOr:
		p.fail(msgLambdaBranch)
	case !startsExpr(k):
		p.fail(msgBranch)
	default:
		return p.expr()
	}
	return &badExpr{at: p.here()}
}

func (p *parser) ifExpr() node {
	n := &ifExpr{at: p.here()}
	message := msgConditionIf
	for {
		p.advance()
		a := arm{cond: p.conditionAfter(message)}
		a.then = p.branch()
		n.arms = append(n.arms, a)
		if p.kind() != tElif {
			break
		}
		message = msgConditionElif
	}
	if p.eat(tElse) {
		n.els = p.branch()
	}
	return n
}

func (p *parser) tryExpr() node {
	n := &tryExpr{at: p.here(), fallback: &badExpr{at: p.here()}}
	p.advance()
	if !startsExpr(p.kind()) || p.isWord("catch") {
		p.fail(msgBranch)
		n.protected = &badExpr{at: p.here()}
	} else {
		n.protected = p.tryBranch()
	}
	if !p.isWord("catch") {
		p.fail(msgTryCatch)
		return n
	}
	p.advance()
	if !startsExpr(p.kind()) {
		p.fail(msgBranch)
		return n
	}
	n.fallback = p.tryBranch()
	return n
}

func (p *parser) forExpr() node {
	n := &forExpr{at: p.here(), over: &badExpr{at: p.here()}}
	p.advance()
	n.body = &block{at: p.here()}
	if p.kind() != tName {
		if p.kind() != tIn {
			p.fail(msgForName)
		}
		p.fail(msgForIn)
		return n
	}
	for {
		if p.kind() != tName {
			p.fail(msgForName)
			break
		}
		n.names = append(n.names, param{at: p.here(), name: p.text()})
		p.advance()
		if len(n.names) > 3 {
			p.report(int(p.list[p.i-1].pos), msgForMany)
		}
		if !p.eat(tComma) {
			break
		}
	}
	if !p.eat(tIn) {
		p.fail(msgForIn)
		return n
	}
	n.over = p.conditionAfter(msgIterable)
	n.body = p.block()
	return n
}

func isAssign(k kind) bool { return k >= tAssign && k <= tPercentAssign }

// assign reads a = b = c in a loop and builds it from the right.
func (p *parser) assign() node {
	first := p.binary(1)
	if !isAssign(p.kind()) {
		return first
	}
	head := &assignExpr{at: p.here(), op: p.kind(), target: first}
	last := head
	for {
		p.advance()
		operand := p.binary(1)
		if !isAssign(p.kind()) {
			last.value = operand
			return head
		}
		next := &assignExpr{at: p.here(), op: p.kind(), target: operand}
		last.value = next
		last = next
	}
}

// binds gives the precedence of binary operators (SL-9, SL-23), 0 for none.
func binds(k kind) int {
	switch k {
	case tOrOr:
		return 1
	case tAndAnd:
		return 2
	case tEqual, tNotEqual:
		return 3
	case tLess, tLessEqual, tGreater, tGreaterEqual:
		return 4
	case tPlus, tMinus:
		return 5
	case tStar, tSlash, tPercent:
		return 6
	}
	return 0
}

// binary reads operators that bind at least as tight as level; all of them lean left.
func (p *parser) binary(level int) node {
	l := p.unary()
	for {
		op := p.kind()
		b := binds(op)
		if b == 0 || b < level {
			return l
		}
		n := &binaryExpr{at: p.here(), op: op, l: l}
		p.advance()
		n.r = p.binary(b + 1)
		l = n
	}
}

func (p *parser) unary() node {
	switch k := p.kind(); k {
	case tNot, tMinus, tPlus, tTilde:
		n := &unaryExpr{at: p.here(), op: k}
		p.advance()
		n.x = p.postfix()
		return n
	}
	return p.postfix()
}

func (p *parser) postfix() node {
	x := p.primary()
	for {
		switch p.kind() {
		case tParenL:
			n := &callExpr{at: p.here(), fn: x}
			p.advance()
			n.args = p.list1(tParenR, msgArgumentNext)
			x = n
		case tDot:
			p.advance()
			n := &fieldExpr{at: p.here(), x: x}
			if p.kind() != tName {
				p.fail(msgFieldName)
				return n
			}
			n.name = p.text()
			p.advance()
			x = n
		case tBracketL:
			n := &indexExpr{at: p.here(), x: x}
			p.advance()
			if p.kind() == tBracketR {
				p.fail(msgIndexEmpty)
				p.advance()
				x = n
				continue
			}
			n.i = p.expr()
			x = n
			if !p.eat(tBracketR) {
				p.fail(msgIndexClose)
				return x
			}
		default:
			return x
		}
	}
}

// list1 reads expressions up to a closer, after the opener.
func (p *parser) list1(closer kind, next string) (items []node) {
	if p.eat(closer) {
		return nil
	}
	for {
		items = append(items, p.expr())
		switch p.kind() {
		case tComma:
			p.advance()
			if p.trailing(closer) {
				return items
			}
			continue
		case closer:
			p.advance()
		default:
			p.fail(next)
		}
		return items
	}
}

func (p *parser) primary() node {
	switch k := p.kind(); k {
	case tNumber:
		n := p.number()
		p.advance()
		return n
	case tString:
		t := p.list[p.i]
		p.advance()
		return &stringLit{at: at(t.pos), end: t.end, value: p.texts[t.text]}
	case tTrue, tFalse, tNil:
		n := &wordLit{at: p.here(), kind: k}
		p.advance()
		return n
	case tName:
		n := &nameExpr{at: p.here(), name: p.text()}
		p.advance()
		return n
	case tBracketL:
		n := &arrayLit{at: p.here()}
		p.advance()
		n.items = p.list1(tBracketR, msgArrayNext)
		return n
	case tParenL:
		n := &parenExpr{at: p.here()}
		p.advance()
		n.x = p.expr()
		if !p.eat(tParenR) {
			p.fail(msgParenClose)
		}
		return n
	case tBraceL:
		return p.record()
	case tBar, tOrOr:
		return p.lambda()
	}
	return p.unexpected()
}

// unexpected reports what stands where an operand should and, unless the text is over, consumes it.
func (p *parser) unexpected() node {
	n := &badExpr{at: p.here()}
	k := p.kind()
	if k >= tReserved && k <= tUse {
		p.fail(msgReserved)
	} else {
		p.fail(msgExpression)
	}
	p.advance()
	return n
}

func (p *parser) record() node {
	n := &recordLit{at: p.here()}
	p.advance()
	p.newlines()
	if p.eat(tBraceR) {
		return n
	}
	for {
		key := ""
		if p.kind() == tName {
			key = p.text()
			p.advance()
		} else {
			p.fail(msgMemberName)
		}
		if !p.eat(tColon) {
			p.fail(msgMemberColon)
			return n
		}
		n.keys = append(n.keys, key)
		n.values = append(n.values, p.expr())
		switch p.kind() {
		case tComma:
			p.advance()
			p.newlines()
			if p.trailing(tBraceR) {
				return n
			}
		case tNewline:
			p.newlines()
			if p.eat(tBraceR) {
				return n
			}
		case tBraceR:
			p.advance()
			return n
		default:
			p.fail(msgMemberNext)
			return n
		}
	}
}

func (p *parser) newlines() {
	for p.kind() == tNewline {
		p.i++
	}
}

func (p *parser) lambda() node {
	n := &lambdaExpr{at: p.here(), body: &badExpr{at: p.here()}}
	bars := p.kind()
	p.advance()
	if bars == tBar {
		for {
			if p.kind() == tName {
				n.params = append(n.params, param{at: p.here(), name: p.text()})
				p.advance()
			} else {
				p.fail(msgLambdaName)
			}
			if !p.eat(tComma) {
				break
			}
		}
		if !p.eat(tBar) {
			p.fail(msgLambdaClose)
			return n
		}
	}
	switch k := p.kind(); {
	case k == tBraceL:
		n.body = p.block()
	case !startsExpr(k):
		p.fail(msgBranch)
	default:
		n.body = p.expr()
	}
	return n
}
