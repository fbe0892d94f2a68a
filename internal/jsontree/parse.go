package jsontree

import (
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits bounds what is read.
type Limits struct {
	// Bytes is the longest document, 0 for no bound.
	Bytes int
	// Depth is the deepest nesting of lists and objects, 0 for DefaultDepth.
	Depth int
	// KeepRepeated reads repeated member names one after the other, for an
	// envelope whose parts are read again on their own.
	KeepRepeated bool
}

// DefaultDepth is the nesting accepted when no other bound is given (rule
// N-17). Reading recurses once a level, so the bound also bounds the stack.
const DefaultDepth = 512

// DefaultValues is how many values an arena holds when it has no other bound:
// about 50 MB of them at most.
const DefaultValues = 1 << 18

// A Doc is one document that was read.
type Doc struct {
	Root Value
	// Ampersand says that some string holds '&', so that a caller who looks
	// for character references need not walk a tree that has none.
	Ampersand bool
}

// An Arena holds the nodes of trees so that reading one needs no allocation
// a value. Trees read with an Arena are valid until its Reset. An Arena is
// for one goroutine at a time.
type Arena struct {
	// Most is how many values it may hold, 0 for DefaultValues. A value takes
	// far more memory than the two bytes it can be written in.
	Most int

	values     []Value
	members    []Member
	valueTop   []Value
	memberTop  []Member
	unescaping []byte
	made       int
}

// Room reports whether n more values may be made, and counts them as made.
func (a *Arena) Room(n int) bool {
	a.made += n
	return a.made <= a.most()
}

func (a *Arena) most() int {
	if a.Most > 0 {
		return a.Most
	}
	return DefaultValues
}

// largestKept bounds the nodes an Arena keeps between documents, so that one
// huge call does not hold its memory for ever: a few megabytes at most.
const largestKept = 3 << 13

// Reset makes the arena ready for the next document and lets go of all text.
func (a *Arena) Reset() {
	if cap(a.values) > largestKept || cap(a.members) > largestKept || cap(a.valueTop) > largestKept ||
		cap(a.memberTop) > largestKept || cap(a.unescaping) > largestKept {
		*a = Arena{Most: a.Most}
		return
	}
	a.made = 0
	clear(a.values)
	clear(a.members)
	a.values, a.members = a.values[:0], a.members[:0]
	a.dropValues(0)
	a.dropMembers(0)
}

func (a *Arena) dropValues(base int) {
	clear(a.valueTop[base:])
	a.valueTop = a.valueTop[:base]
}

func (a *Arena) dropMembers(base int) {
	clear(a.memberTop[base:])
	a.memberTop = a.memberTop[:base]
}

// roomier doubles a full stack. Left to append, a long one would be copied over
// and over in small steps.
func roomier[T any](stack []T) []T {
	if len(stack) < cap(stack) {
		return stack
	}
	return slices.Grow(stack, max(len(stack), 8))
}

// List returns a List value whose n items live in the arena.
func (a *Arena) List(n int) Value {
	start := len(a.values)
	for range n {
		a.values = append(a.values, Value{})
	}
	return Value{Kind: List, Items: a.values[start:len(a.values):len(a.values)]}
}

// Object returns an Object value whose n members live in the arena.
func (a *Arena) Object(n int) Value {
	start := len(a.members)
	for range n {
		a.members = append(a.members, Member{})
	}
	return Value{Kind: Object, Members: a.members[start:len(a.members):len(a.members)]}
}

// Parse reads one whole document. Strings and numbers of the result are parts
// of text where they can be, so they keep it alive. A nil arena means a
// private one. The fault is nil exactly if the document is one JSON value
// within the limits.
func Parse(text string, limits Limits, arena *Arena) (Doc, *Fault) {
	if arena == nil {
		arena = new(Arena)
	}
	if limits.Depth == 0 {
		limits.Depth = DefaultDepth
	}
	if limits.Bytes > 0 && len(text) > limits.Bytes {
		return Doc{}, &Fault{Kind: TooLong, Offset: limits.Bytes, Limit: limits.Bytes}
	}
	p := parser{text: text, arena: arena, maxDepth: limits.Depth, maxValues: arena.most(), keepRepeated: limits.KeepRepeated}
	p.broken = !utf8.ValidString(text)
	p.ampersand = strings.IndexByte(text, '&') >= 0
	p.space()
	if p.pos == len(text) {
		return Doc{}, &Fault{Kind: Empty, Offset: p.pos}
	}
	if !p.value(0) {
		arena.dropValues(0)
		arena.dropMembers(0)
		p.fault.Path = joinPath(p.steps)
		return Doc{}, p.fault
	}
	doc := Doc{Root: p.out, Ampersand: p.ampersand}
	p.space()
	if p.pos < len(text) {
		return Doc{}, &Fault{Kind: Trailing, Offset: p.pos, Expected: "the end"}
	}
	return doc, nil
}

type step struct {
	name  string
	index int
	item  bool
}

type parser struct {
	text         string
	pos          int
	maxDepth     int
	maxValues    int
	keepRepeated bool
	arena        *Arena
	broken       bool // some bytes are not UTF-8
	ampersand    bool
	out          Value // the value read last
	fault        *Fault
	steps        []step // innermost first, filled while a fault travels up
}

func (p *parser) space() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

func (p *parser) fail(kind FaultKind, expected string) bool {
	if p.pos >= len(p.text) && kind == Malformed {
		kind = Cut
	}
	p.fault = &Fault{Kind: kind, Offset: p.pos, Expected: expected}
	return false
}

// value reads the value at pos into p.out.
func (p *parser) value(depth int) bool {
	if p.pos >= len(p.text) {
		return p.fail(Cut, "a value")
	}
	if p.arena.made++; p.arena.made > p.maxValues {
		p.fail(TooMany, "")
		p.fault.Limit = p.maxValues
		return false
	}
	start := p.pos
	ok := true
	switch c := p.text[p.pos]; {
	case c == '"':
		var text string
		if text, ok = p.string(); ok {
			p.out = Value{Kind: String, Text: text}
		}
	case c == '{':
		ok = p.object(depth + 1)
	case c == '[':
		ok = p.list(depth + 1)
	case c == '-' || '0' <= c && c <= '9':
		ok = p.number()
	case c == 't':
		p.out = Value{Kind: Bool, True: true}
		ok = p.word("true")
	case c == 'f':
		p.out = Value{Kind: Bool}
		ok = p.word("false")
	case c == 'n':
		p.out = Value{Kind: Null}
		ok = p.word("null")
	default:
		return p.fail(Malformed, "a value")
	}
	p.out.Raw = p.text[start:p.pos]
	return ok
}

func (p *parser) word(word string) bool {
	rest := p.text[p.pos:]
	if strings.HasPrefix(rest, word) {
		p.pos += len(word)
		return true
	}
	if strings.HasPrefix(word, rest) {
		p.pos = len(p.text)
		return p.fail(Cut, word)
	}
	return p.fail(Malformed, "a value")
}

func (p *parser) number() bool {
	start := p.pos
	if p.text[p.pos] == '-' {
		p.pos++
	}
	switch {
	case p.pos < len(p.text) && p.text[p.pos] == '0':
		p.pos++
	case !p.digits():
		return p.fail(Malformed, "a digit")
	}
	if p.pos < len(p.text) && p.text[p.pos] == '.' {
		p.pos++
		if !p.digits() {
			return p.fail(Malformed, "a digit")
		}
	}
	if p.pos < len(p.text) && p.text[p.pos]|0x20 == 'e' {
		p.pos++
		if p.pos < len(p.text) && (p.text[p.pos] == '+' || p.text[p.pos] == '-') {
			p.pos++
		}
		if !p.digits() {
			return p.fail(Malformed, "a digit")
		}
	}
	p.out = Value{Kind: Number, Text: p.text[start:p.pos]}
	return true
}

func (p *parser) digits() bool {
	start := p.pos
	for p.pos < len(p.text) && '0' <= p.text[p.pos] && p.text[p.pos] <= '9' {
		p.pos++
	}
	return p.pos > start
}

func (p *parser) list(depth int) bool {
	if depth > p.maxDepth {
		p.fail(TooDeep, "")
		p.fault.Limit = p.maxDepth
		return false
	}
	p.pos++
	p.space()
	if p.pos < len(p.text) && p.text[p.pos] == ']' {
		p.pos++
		p.out = Value{Kind: List}
		return true
	}
	base := len(p.arena.valueTop)
	for i := 0; ; i++ {
		if !p.value(depth) {
			p.inItem(i, depth)
			return false
		}
		p.arena.valueTop = append(roomier(p.arena.valueTop), p.out)
		p.space()
		if p.pos >= len(p.text) {
			return p.fail(Cut, "a comma or ]")
		}
		c := p.text[p.pos]
		if c != ',' && c != ']' {
			return p.fail(Malformed, "a comma or ]")
		}
		p.pos++
		if c == ']' {
			break
		}
		p.space()
	}
	a := p.arena
	start := len(a.values)
	a.values = append(a.values, a.valueTop[base:]...)
	a.dropValues(base)
	p.out = Value{Kind: List, Items: a.values[start:len(a.values):len(a.values)]}
	return true
}

func (p *parser) object(depth int) bool {
	if depth > p.maxDepth {
		p.fail(TooDeep, "")
		p.fault.Limit = p.maxDepth
		return false
	}
	p.pos++
	p.space()
	if p.pos < len(p.text) && p.text[p.pos] == '}' {
		p.pos++
		p.out = Value{Kind: Object}
		return true
	}
	base := len(p.arena.memberTop)
	var seen map[string]struct{}
	for {
		if p.pos >= len(p.text) || p.text[p.pos] != '"' {
			return p.fail(Malformed, "a member name in double quotes")
		}
		at := p.pos
		name, ok := p.string()
		if !ok {
			return false
		}
		if !p.keepRepeated && p.repeats(name, base, &seen) {
			p.pos = at
			p.fail(Repeated, "")
			p.fault.Name = name
			return false
		}
		p.space()
		if p.pos >= len(p.text) || p.text[p.pos] != ':' {
			return p.fail(Malformed, "a colon")
		}
		p.pos++
		p.space()
		p.arena.memberTop = append(roomier(p.arena.memberTop), Member{Name: name})
		if !p.value(depth) {
			p.inMember(name, depth)
			return false
		}
		p.arena.memberTop[len(p.arena.memberTop)-1].Value = p.out
		p.space()
		if p.pos >= len(p.text) {
			return p.fail(Cut, "a comma or }")
		}
		c := p.text[p.pos]
		if c != ',' && c != '}' {
			return p.fail(Malformed, "a comma or }")
		}
		p.pos++
		if c == '}' {
			break
		}
		p.space()
	}
	a := p.arena
	start := len(a.members)
	a.members = append(a.members, a.memberTop[base:]...)
	a.dropMembers(base)
	p.out = Value{Kind: Object, Members: a.members[start:len(a.members):len(a.members)]}
	return true
}

// fewMembers is where looking through the names read so far costs more than
// a map.
const fewMembers = 16

// repeats reports whether the object that began at base already has the name.
func (p *parser) repeats(name string, base int, seen *map[string]struct{}) bool {
	members := p.arena.memberTop[base:]
	if *seen == nil && len(members) < fewMembers {
		for i := range members {
			if members[i].Name == name {
				return true
			}
		}
		return false
	}
	if *seen == nil {
		*seen = make(map[string]struct{}, 2*fewMembers)
		for i := range members {
			(*seen)[members[i].Name] = struct{}{}
		}
	}
	if _, ok := (*seen)[name]; ok {
		return true
	}
	(*seen)[name] = struct{}{}
	return false
}

// deepestPath bounds the steps that a fault's path names; a caller who nests
// deeper is told of the nesting, not of the way there.
const deepestPath = 16

func (p *parser) inItem(index, depth int) {
	if depth <= deepestPath {
		p.steps = append(p.steps, step{index: index, item: true})
	}
}

func (p *parser) inMember(name string, depth int) {
	if depth <= deepestPath {
		p.steps = append(p.steps, step{name: name})
	}
}

// string reads a string that starts at pos.
func (p *parser) string() (string, bool) {
	p.pos++
	start := p.pos
	text := p.text
	for i := start; i < len(text); i++ {
		c := text[i]
		if c == '"' {
			p.pos = i + 1
			return p.checked(text[start:i], start)
		}
		if c == '\\' {
			return p.escaped(start, i)
		}
		if c < ' ' {
			p.pos = i
			return "", p.fail(Malformed, "no raw control character inside a string")
		}
	}
	p.pos = len(text)
	return "", p.fail(Cut, "the closing quote of a string")
}

func (p *parser) checked(s string, start int) (string, bool) {
	if p.broken && !utf8.ValidString(s) {
		p.pos = start
		return "", p.fail(BadUTF8, "")
	}
	return s, true
}

// escaped reads on from the first backslash of a string.
func (p *parser) escaped(start, at int) (string, bool) {
	text := p.text
	buf := append(p.arena.unescaping[:0], text[start:at]...)
	for i := at; i < len(text); {
		c := text[i]
		switch {
		case c == '"':
			p.pos = i + 1
			p.arena.unescaping = buf
			s, ok := p.checked(string(buf), start)
			if ok && !p.ampersand && strings.IndexByte(s, '&') >= 0 {
				p.ampersand = true
			}
			return s, ok
		case c < ' ':
			p.pos = i
			return "", p.fail(Malformed, "no raw control character inside a string")
		case c != '\\':
			run := i
			for i++; i < len(text) && text[i] != '"' && text[i] != '\\' && text[i] >= ' '; i++ {
			}
			buf = append(buf, text[run:i]...)
			continue
		}
		p.pos = i
		if i+1 >= len(text) {
			p.pos = len(text)
			return "", p.fail(Cut, "the rest of an escape")
		}
		if text[i+1] == 'u' {
			r, width, kind := escapedRune(text[i:])
			if kind != 0 {
				if kind == Cut {
					p.pos = len(text)
				}
				return "", p.fail(kind, "four hexadecimal digits after \\u")
			}
			buf = utf8.AppendRune(buf, r)
			i += width
			continue
		}
		plain := strings.IndexByte(`"\/bfnrt`, text[i+1])
		if plain < 0 {
			return "", p.fail(Malformed, ExpectedEscape)
		}
		buf = append(buf, "\"\\/\b\f\n\r\t"[plain])
		i += 2
	}
	p.pos = len(text)
	return "", p.fail(Cut, "the closing quote of a string")
}

// escapedRune reads \uXXXX, or two of them that form a surrogate pair. Half a
// pair names no character: Go text cannot hold it, so it is a fault rather
// than a silent U+FFFD.
func escapedRune(s string) (r rune, width int, fault FaultKind) {
	hi, fault := hex4(s)
	if fault != 0 {
		return 0, 0, fault
	}
	if !utf16.IsSurrogate(hi) {
		return hi, 6, 0
	}
	if len(s) < 12 && strings.HasPrefix(`\u`, s[6:min(len(s), 8)]) {
		return 0, 0, Cut
	}
	if len(s) < 12 || s[6] != '\\' || s[7] != 'u' {
		return 0, 0, BadUTF8
	}
	lo, fault := hex4(s[6:])
	if fault != 0 {
		return 0, 0, fault
	}
	if r = utf16.DecodeRune(hi, lo); r == utf8.RuneError {
		return 0, 0, BadUTF8
	}
	return r, 12, 0
}

func hex4(s string) (rune, FaultKind) {
	var r rune
	for i := 2; i < 6; i++ {
		if i >= len(s) {
			return 0, Cut
		}
		c := s[i]
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, Malformed
		}
		r = r<<4 | rune(c)
	}
	return r, 0
}
