package signature

import (
	"strings"

	"golang.org/x/text/cases"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// An Enum is a closed vocabulary: the values of an enum, a Literal or a
// const. It is compiled once, so that a call only looks words up.
type Enum struct {
	// Words are the members as a caller reads them, in declaration order.
	Words []string

	members []jsontree.Value
	exact   map[string]int
	folded  map[string]int // ambiguous where two members fold to one word
	strings bool           // every member is a string
}

const ambiguous = -1

// newEnum compiles the members; names are further spellings of them in the
// same order (x-enum-varnames, the names of Python's Enum members).
func newEnum(members []jsontree.Value, names []string) *Enum {
	e := &Enum{exact: map[string]int{}, folded: map[string]int{}, strings: true}
	for i := range members {
		m := members[i]
		word := m.Text
		if m.Kind != jsontree.String {
			e.strings = false
			word = m.JSON()
		}
		e.members = append(e.members, m)
		e.Words = append(e.Words, word)
		if _, ok := e.exact[word]; !ok {
			e.exact[word] = i
		}
	}
	for i, word := range e.Words {
		e.addFolded(word, i)
	}
	for i, name := range names {
		if i >= len(members) {
			break
		}
		if _, taken := e.folded[foldWord(name)]; !taken {
			e.addFolded(name, i)
		}
	}
	return e
}

func (e *Enum) addFolded(word string, i int) {
	key := foldWord(word)
	if have, ok := e.folded[key]; ok && have != i {
		i = ambiguous
	}
	e.folded[key] = i
}

// foldWord brings the spellings that D-5 treats as one to one: case, blanks,
// hyphens and underscores do not count.
func foldWord(word string) string {
	plain := true
	for i := 0; i < len(word); i++ {
		if c := word[i]; c >= 0x80 {
			plain = false
			break
		}
	}
	if !plain {
		word = cases.Fold().String(word)
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '_' || r == '-' || r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\u00a0':
			return -1
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		}
		return r
	}, word)
}

// Strings reports whether every member is a string.
func (e *Enum) Strings() bool { return e.strings }

// Exact returns the member equal to v, type included.
func (e *Enum) Exact(v *jsontree.Value) (jsontree.Value, bool) {
	word := v.Text
	if v.Kind != jsontree.String {
		if e.strings {
			return jsontree.Value{}, false
		}
		word = v.JSON()
	}
	if i, ok := e.exact[word]; ok && e.members[i].Kind == v.Kind {
		return e.members[i], true
	}
	return jsontree.Value{}, false
}

// Folded returns the one member that a word means when case, blanks, hyphens
// and underscores do not count, or when it stands in one pair of quotes. Two
// members that fold to one word are never guessed between.
func (e *Enum) Folded(word string) (jsontree.Value, bool) {
	if i, ok := e.exact[word]; ok {
		return e.members[i], true
	}
	if len(word) > longestWord {
		return jsontree.Value{}, false
	}
	key := foldWord(word)
	i, ok := e.folded[key]
	if !ok && len(key) >= 2 && (key[0] == '"' || key[0] == '\'') && key[len(key)-1] == key[0] {
		i, ok = e.folded[key[1:len(key)-1]]
	}
	if !ok || i == ambiguous {
		return jsontree.Value{}, false
	}
	return e.members[i], true
}

// longestWord bounds what is folded: no vocabulary has longer words, and a
// caller may send a megabyte.
const longestWord = 1 << 10
