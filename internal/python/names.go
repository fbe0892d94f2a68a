package python

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// names.txt holds one character a line, its code point in hexadecimal and its name. It covers the scripts and symbols that a
// text written in a western language names: Latin, Greek, punctuation, currencies, arrows, mathematics, shapes, emoji. All
// of Unicode would weigh ten times as much for an escape that hardly anybody writes.
//
//go:embed names.txt
var namesText string

var charactersByName = sync.OnceValue(func() map[string]rune {
	names := make(map[string]rune, strings.Count(namesText, "\n"))
	for line := range strings.Lines(namesText) {
		code, name, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || code == "#" {
			continue
		}
		if r, err := strconv.ParseUint(code, 16, 32); err == nil {
			names[name] = rune(r)
		}
	}
	return names
})

// maxNameLength is longer than any name, and keeps a text full of unfinished escapes from being searched for again and again.
const maxNameLength = 256

// characterNamed returns the character with the Unicode name or alias name, in upper or lower case.
func characterNamed(name string) (rune, bool) {
	if len(name) > maxNameLength || !isASCII(name) {
		return 0, false
	}
	r, ok := charactersByName()[strings.ToUpper(name)]
	return r, ok
}
