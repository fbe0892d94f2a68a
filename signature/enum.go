package signature

import (
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/python"
)

// An Enum is a closed vocabulary: the values of an enum, a Literal or a
// const. It is compiled once, so that a call only looks words up.
type Enum struct {
	// Words are the members as a caller reads them, in declaration order.
	Words []string

	members []jsontree.Value
	texts   map[string]int // text members as they are spelled
	folded  map[string]int // text members and names, folded; ambiguous where two fold to one
	values  map[string]int // all other members, by kind and canonical text
}

const ambiguous = -1

// newEnum compiles the members; names are further spellings of them in the
// same order (x-enum-varnames, the names of Python's Enum members).
func newEnum(members []jsontree.Value, names []string) *Enum {
	e := &Enum{texts: map[string]int{}, folded: map[string]int{}, values: map[string]int{}}
	for i := range members {
		m := members[i]
		e.members = append(e.members, m)
		if m.Kind != jsontree.String {
			e.Words = append(e.Words, m.JSON())
			addFirst(e.values, valueKey(&m), i)
			continue
		}
		e.Words = append(e.Words, m.Text)
		addFirst(e.texts, m.Text, i)
		e.fold(m.Text, i)
	}
	for i, name := range names {
		if i >= len(members) {
			break
		}
		if _, taken := e.folded[foldWord(name)]; !taken {
			e.fold(name, i)
		}
	}
	return e
}

func addFirst(m map[string]int, key string, i int) {
	if _, ok := m[key]; !ok {
		m[key] = i
	}
}

func (e *Enum) fold(word string, i int) {
	key := foldWord(word)
	if have, ok := e.folded[key]; ok && have != i {
		i = ambiguous
	}
	e.folded[key] = i
}

// valueKey is equal for equal values however they are written: 2 and 2.0.
func valueKey(v *jsontree.Value) string {
	if v.Kind == jsontree.Number {
		if r, ok := exactNumber(v.Text); ok {
			return r.RatString()
		}
	}
	return v.JSON()
}

// foldWord brings the spellings that D-5 treats as one to one: case, blanks,
// hyphens and underscores do not count. Between two digits they do, and so
// does a hyphen that is a sign: 1-1 is not 11, and -1 is not 1. An accent may
// be a character of its own.
func foldWord(word string) string {
	for i := 0; i < len(word); i++ {
		if word[i] >= 0x80 {
			word = strings.ReplaceAll(cases.Fold().String(norm.NFC.String(word)), "\u00a0", " ")
			break
		}
	}
	out := make([]byte, 0, len(word))
	for i := 0; i < len(word); {
		c := word[i]
		if !separates(c) {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			out = append(out, c)
			i++
			continue
		}
		start := i
		for i < len(word) && separates(word[i]) {
			i++
		}
		if i == len(word) || !isDigit(word[i]) {
			continue
		}
		sign := word[i-1] == '-' && (start == 0 || i-start > 1)
		if sign || len(out) > 0 && isDigit(out[len(out)-1]) {
			out = append(out, '-')
		}
	}
	return string(out)
}

func separates(c byte) bool {
	return c == '_' || c == '-' || c == ' ' || c == '\t' || c == '\n' || c == '\r'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// Exact returns the member equal to v, type included.
func (e *Enum) Exact(v *jsontree.Value) (jsontree.Value, bool) {
	if v.Kind == jsontree.String {
		if m := e.Word(v.Text); m != nil {
			return *m, true
		}
		return jsontree.Value{}, false
	}
	if len(e.values) == 0 {
		return jsontree.Value{}, false
	}
	return e.member(e.values, valueKey(v))
}

// fewMembers is where looking through the members costs more than a map.
const fewMembers = 8

// Word returns the text member that is spelled so, nil if there is none. It
// must not be changed.
func (e *Enum) Word(text string) *jsontree.Value {
	if len(e.members) > fewMembers {
		if i, ok := e.texts[text]; ok {
			return &e.members[i]
		}
		return nil
	}
	for i := range e.members {
		if m := &e.members[i]; m.Text == text && m.Kind == jsontree.String {
			return m
		}
	}
	return nil
}

func (e *Enum) member(at map[string]int, key string) (jsontree.Value, bool) {
	if i, ok := at[key]; ok && i != ambiguous {
		return e.members[i], true
	}
	return jsontree.Value{}, false
}

// longestWord bounds what is folded: no vocabulary has longer words, and a
// caller may send a megabyte.
const longestWord = 1 << 10

// Read returns the one member that v means: the equal one; for text, the one
// it spells when case, blanks, hyphens and underscores do not count, or when
// it stands in one pair of quotes, or whose value it is the text of; for a
// number or boolean, the text member spelled like it. Two members that fold to
// one word are never guessed between.
func (e *Enum) Read(v *jsontree.Value) (jsontree.Value, bool) {
	if m, ok := e.Exact(v); ok {
		return m, true
	}
	switch v.Kind {
	case jsontree.String:
		if len(v.Text) > longestWord {
			return jsontree.Value{}, false
		}
		return e.readText(v.Text)
	case jsontree.Number, jsontree.Bool:
		return e.member(e.texts, v.JSON())
	}
	return jsontree.Value{}, false
}

func (e *Enum) readText(word string) (jsontree.Value, bool) {
	key := foldWord(word)
	if i, ok := e.folded[key]; ok {
		if i == ambiguous {
			return jsontree.Value{}, false
		}
		return e.members[i], true
	}
	if len(key) >= 2 && (key[0] == '"' || key[0] == '\'') && key[len(key)-1] == key[0] {
		return e.member(e.folded, key[1:len(key)-1])
	}
	if len(e.values) == 0 {
		return jsontree.Value{}, false
	}
	if yes, ok := python.Bool(word); ok && (len(word) > 1) {
		return e.member(e.values, (&jsontree.Value{Kind: jsontree.Bool, True: yes}).JSON())
	}
	if digits, ok := python.Int(word); ok {
		return e.member(e.values, digits)
	}
	if r, ok := exactNumber(python.TrimSpace(word)); ok {
		return e.member(e.values, r.RatString())
	}
	return jsontree.Value{}, false
}
