package agentmode

import (
	"strings"
	"unicode/utf8"
)

// looksLikeName reports whether a text that is no field's name could be meant
// as one.
func looksLikeName(s string) bool {
	if c := s[0]; '0' <= c && c <= '9' || c == '-' || c == '.' {
		return false
	}
	for i := 0; i < len(s); i++ {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return true
}

// isNameByte reports whether c occurs in names of fields.
func isNameByte(c byte) bool {
	return isWordByte(c) || c == '_' || c == '-' || c == '.' || c == '$' || c == '@'
}

// isWordByte reports whether c is a letter, a digit or part of a character
// beyond ASCII.
func isWordByte(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= utf8.RuneSelf
}

// optionName returns the name in a command-line option such as --dry_run,
// --limit=5 or -x. A negative number is none.
func optionName(word string) (name string, ok bool) {
	name = strings.TrimLeft(word, "-")
	dashes := len(word) - len(name)
	switch {
	case dashes == 0 || dashes == 1 && name == "":
		return "", false
	case dashes == 1 && ('0' <= name[0] && name[0] <= '9' || name[0] == '.'):
		return "", false
	case dashes > 2 || dashes == 1 && name[0] >= utf8.RuneSelf:
		return "", false // a line, or a dash before a word of another script
	}
	if i := strings.IndexByte(name, '='); i >= 0 {
		name = name[:i]
	}
	return name, true
}
