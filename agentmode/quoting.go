package agentmode

import "strings"

// quoted returns the position after the string whose opening quote is at i.
func quoted(text string, i int) (end int, ok bool) {
	quote := text[i]
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			return i + 1, true
		}
	}
	return len(text), false
}

// unescape undoes the escapes of a quoted value: a backslash before a quote or
// a backslash (FW-34). Any other backslash is text, so that a path or a
// pattern survives.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (isQuote(s[i+1]) || s[i+1] == '\\') {
			i++
		}
		out = append(out, s[i])
	}
	return string(out)
}

func isQuote(c byte) bool { return c == '"' || c == '\'' }

// closing returns the position after the bracket that matches the one at i, -1
// if there is none. What stands in quotes does not count; a quote that never
// closes is an apostrophe.
func closing(text string, i int) int {
	opener := text[i]
	closer := opener + 2 // [ ] and { } are two apart in ASCII
	if opener == '(' {
		closer = ')'
	}
	depth := 0
	end := -1
	walkUnquoted(text, i, func(at int) bool {
		switch text[at] {
		case opener:
			depth++
		case closer:
			if depth--; depth == 0 {
				end = at + 1
				return false
			}
		}
		return true
	})
	return end
}

// walkUnquoted visits the bytes from i on that stand in no quoted string, until
// visit returns false. A quote opens a string only where a value can begin, and
// only if it closes.
func walkUnquoted(text string, i int, visit func(at int) bool) {
	var dead [2]bool // by quote&1: no " or no ' closes from here on, looking again is wasted
	for ; i < len(text); i++ {
		c := text[i]
		if !isQuote(c) || dead[c&1] || i > 0 && !opensValue(text[i-1]) {
			if !visit(i) {
				return
			}
			continue
		}
		end, ok := quoted(text, i)
		if !ok {
			dead[c&1] = true
			continue
		}
		i = end - 1
	}
}

// opensValue reports whether a quote after c begins a string; after anything
// else it is an apostrophe or an inch.
func opensValue(c byte) bool {
	switch c {
	case ' ', '\t', '\n', '\r', '(', '[', '{', ',', ':', '=':
		return true
	}
	return false
}

// unbalanced reports whether a quote in s stays open (FW-40). An apostrophe
// inside or after a word is none: what's a reading lamp.
func unbalanced(s string) bool {
	var open byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case open != 0 && c == '\\':
			i++
		case c == open:
			if c == '"' || i+1 == len(s) || !isWordByte(s[i+1]) {
				open = 0
			}
		case open != 0:
		case c == '"' || c == '\'' && (i == 0 || opensValue(s[i-1])):
			open = c
		}
	}
	return open != 0
}
