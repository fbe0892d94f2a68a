package python

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/runenames"
)

// charactersByName turns the Unicode names round, once, when the first \N{...}
// is read: hardly anybody writes one.
var charactersByName = sync.OnceValue(func() map[string]rune {
	names := make(map[string]rune, 1<<17)
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if name := runenames.Name(r); name != "" && name[0] != '<' {
			names[name] = r
		}
	}
	return names
})

// maxNameLength is longer than any name, and keeps a text full of unfinished escapes from being searched for again and again.
const maxNameLength = 256

// characterNamed returns the character with the Unicode name, in upper or lower case.
func characterNamed(name string) (rune, bool) {
	if len(name) > maxNameLength || !isASCII(name) {
		return 0, false
	}
	r, ok := charactersByName()[strings.ToUpper(name)]
	return r, ok
}
