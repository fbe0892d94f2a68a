package signature

import (
	"regexp/syntax"
	"unicode/utf8"
)

// A matcher is a pattern that is nothing but a row of ASCII character classes
// with counts, such as ^ORD-[0-9]{6}$. Most patterns of identifiers are, and a
// row is matched many times faster than by regexp.
type matcher []repeated

// repeated is one class and how often it may occur; most is -1 for no bound.
type repeated struct {
	class       [utf8.RuneSelf]bool
	least, most int
}

// longestRow bounds the classes of a row.
const longestRow = 64

// newMatcher compiles an expression that is to match a whole text. It returns
// nil for one that is no such row, or a row in which more than one way to part
// the text would have to be tried.
func newMatcher(whole string) matcher {
	tree, err := syntax.Parse(whole, syntax.Perl)
	if err != nil {
		return nil
	}
	c := rowCompiler{}
	if !c.add(tree) || !c.row.certain() {
		return nil
	}
	return c.row
}

// match takes as many characters for each class as there are; see certain.
func (m matcher) match(text string) bool {
	at := 0
	for i := range m {
		r := &m[i]
		end := len(text)
		if r.most >= 0 {
			end = min(end, at+r.most)
		}
		from := at
		for at < end && text[at] < utf8.RuneSelf && r.class[text[at]] {
			at++
		}
		if at-from < r.least {
			return false
		}
	}
	return at == len(text)
}

// certain reports whether taking all there is for a class is the only way to
// match: where the count may vary, the class has no character in common with
// those that can follow it.
func (m matcher) certain() bool {
	for i := range m {
		if m[i].least == m[i].most {
			continue
		}
		for j := i + 1; j < len(m); j++ {
			for c := range m[i].class {
				if m[i].class[c] && m[j].class[c] {
					return false
				}
			}
			if m[j].least > 0 {
				break
			}
		}
	}
	return true
}

type rowCompiler struct {
	row   matcher
	ended bool // "$" was read: nothing may follow
}

// add appends an expression and reports whether it belongs in a row.
func (c *rowCompiler) add(e *syntax.Regexp) bool {
	switch e.Op {
	case syntax.OpEmptyMatch:
		return true
	case syntax.OpBeginText:
		return len(c.row) == 0
	case syntax.OpEndText:
		c.ended = true
		return true
	case syntax.OpCapture:
		return c.add(e.Sub[0])
	case syntax.OpConcat:
		for _, part := range e.Sub {
			if !c.add(part) {
				return false
			}
		}
		return true
	case syntax.OpLiteral:
		for _, r := range e.Rune {
			one := &syntax.Regexp{Op: syntax.OpCharClass, Rune: []rune{r, r}}
			if e.Flags&syntax.FoldCase != 0 || !c.repeat(one, 1, 1) {
				return false
			}
		}
		return true
	case syntax.OpCharClass:
		return c.repeat(e, 1, 1)
	case syntax.OpStar:
		return c.repeat(e.Sub[0], 0, -1)
	case syntax.OpPlus:
		return c.repeat(e.Sub[0], 1, -1)
	case syntax.OpQuest:
		return c.repeat(e.Sub[0], 0, 1)
	case syntax.OpRepeat:
		return c.repeat(e.Sub[0], e.Min, e.Max)
	}
	return false
}

// repeat appends a class. One that reaches beyond ASCII has no place in a row.
func (c *rowCompiler) repeat(e *syntax.Regexp, least, most int) bool {
	for e.Op == syntax.OpCapture {
		e = e.Sub[0]
	}
	ranges := e.Rune
	if e.Op == syntax.OpLiteral && len(e.Rune) == 1 && e.Flags&syntax.FoldCase == 0 {
		ranges = []rune{e.Rune[0], e.Rune[0]}
	} else if e.Op != syntax.OpCharClass {
		return false
	}
	if c.ended || len(c.row) == longestRow {
		return false
	}
	r := repeated{least: least, most: most}
	for i := 0; i < len(ranges); i += 2 {
		if ranges[i+1] >= utf8.RuneSelf {
			return false
		}
		for ch := ranges[i]; ch <= ranges[i+1]; ch++ {
			r.class[ch] = true
		}
	}
	c.row = append(c.row, r)
	return true
}
