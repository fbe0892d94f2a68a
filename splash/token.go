package splash

// kind is what a token is, and also what an operator node does.
type kind uint8

const (
	tEnd kind = iota
	tNewline
	tName
	tNumber
	tString
	tReserved // a reserved word that starts nothing

	// Words with a meaning of their own.
	tIf
	tElif
	tElse
	tTry
	tFor
	tIn
	tLoop
	tWhile
	tFn
	tLet
	tReturn
	tBreak
	tContinue
	tUse
	tTrue
	tFalse
	tNil

	tBraceL
	tBraceR
	tParenL
	tParenR
	tBracketL
	tBracketR
	tComma
	tSemicolon

	tNot
	tMinus
	tPlus
	tTilde
	tAssign
	tPlusAssign
	tMinusAssign
	tStarAssign
	tSlashAssign
	tPercentAssign
	tOrOr
	tAndAnd
	tEqual
	tNotEqual
	tLess
	tLessEqual
	tGreater
	tGreaterEqual
	tStar
	tSlash
	tPercent
	tDot
	tColon
	tBar
)

// token is a piece of source. The value of a string token is in tokens.texts, at index text.
type token struct {
	pos, end int32
	text     int32
	kind     kind
}

// operators spells out SL-7: a run of operator characters is one of these or nothing.
func operator(run string) (kind, bool) {
	switch run {
	case "!":
		return tNot, true
	case "-":
		return tMinus, true
	case "+":
		return tPlus, true
	case "~":
		return tTilde, true
	case "=":
		return tAssign, true
	case "+=":
		return tPlusAssign, true
	case "-=":
		return tMinusAssign, true
	case "*=":
		return tStarAssign, true
	case "/=":
		return tSlashAssign, true
	case "%=":
		return tPercentAssign, true
	case "||":
		return tOrOr, true
	case "&&":
		return tAndAnd, true
	case "==":
		return tEqual, true
	case "!=":
		return tNotEqual, true
	case "<":
		return tLess, true
	case "<=":
		return tLessEqual, true
	case ">":
		return tGreater, true
	case ">=":
		return tGreaterEqual, true
	case "*":
		return tStar, true
	case "/":
		return tSlash, true
	case "%":
		return tPercent, true
	case ".":
		return tDot, true
	case ":":
		return tColon, true
	case "|":
		return tBar, true
	}
	return tEnd, false
}

// word tells a name from the reserved words of SL-4. `catch`, `mod`, `self`, `tool` and `await` are names.
func word(s string) kind {
	switch s {
	case "if":
		return tIf
	case "elif":
		return tElif
	case "else":
		return tElse
	case "try":
		return tTry
	case "for":
		return tFor
	case "in":
		return tIn
	case "loop":
		return tLoop
	case "while":
		return tWhile
	case "fn":
		return tFn
	case "let":
		return tLet
	case "return":
		return tReturn
	case "break":
		return tBreak
	case "continue":
		return tContinue
	case "use":
		return tUse
	case "true":
		return tTrue
	case "false":
		return tFalse
	case "nil":
		return tNil
	case "var", "match", "ok", "do", "and", "or", "is", "mut", "me", "scope":
		return tReserved
	}
	return tName
}

// spelling is how an operator is written, for messages and for printing.
func (k kind) spelling() string {
	switch k {
	case tNot:
		return "!"
	case tMinus:
		return "-"
	case tPlus:
		return "+"
	case tTilde:
		return "~"
	case tAssign:
		return "="
	case tPlusAssign:
		return "+="
	case tMinusAssign:
		return "-="
	case tStarAssign:
		return "*="
	case tSlashAssign:
		return "/="
	case tPercentAssign:
		return "%="
	case tOrOr:
		return "||"
	case tAndAnd:
		return "&&"
	case tEqual:
		return "=="
	case tNotEqual:
		return "!="
	case tLess:
		return "<"
	case tLessEqual:
		return "<="
	case tGreater:
		return ">"
	case tGreaterEqual:
		return ">="
	case tStar:
		return "*"
	case tSlash:
		return "/"
	case tPercent:
		return "%"
	}
	return "?"
}
