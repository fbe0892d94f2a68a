package normalize

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// A reading of the rules as they are written: whole-text passes, schemas as
// plain maps looked through anew for every value, no bounds, no sharing. The
// package must agree with it and share none of its code.

// characterNames is the HTML Standard's table, from a source other than the
// html package of Go.
var characterNames = sync.OnceValue(func() map[string]string {
	f, err := os.Open("testdata/character_names.txt")
	if err != nil {
		panic(err)
	}
	defer f.Close()
	names := map[string]string{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		words := strings.Fields(lines.Text())
		for _, code := range words[1:] {
			n, err := strconv.ParseInt(code, 16, 32)
			if err != nil {
				panic(err)
			}
			names[words[0]] += string(rune(n))
		}
	}
	return names
})

var naiveReference = regexp.MustCompile(`&(?:#([0-9]+)|#[xX]([0-9a-fA-F]+)|([0-9A-Za-z]+));`)

const c1 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

func naivePass(s string, keep bool) string {
	return naiveReference.ReplaceAllStringFunc(s, func(ref string) string {
		m := naiveReference.FindStringSubmatch(ref)
		if m[3] != "" {
			if text, ok := characterNames()[m[3]]; ok {
				return text
			}
			return ref
		}
		code, ok := new(big.Int).SetString(m[1], 10)
		if m[2] != "" {
			code, ok = new(big.Int).SetString(m[2], 16)
		}
		if !ok {
			panic(ref)
		}
		n := int64(1 << 62)
		if code.IsInt64() {
			n = code.Int64()
		}
		switch {
		case n >= 0x80 && n <= 0x9f:
			return string([]rune(c1)[n-0x80])
		case n == 0 || n > 0x10ffff || n >= 0xd800 && n <= 0xdfff:
			if keep {
				return ref
			}
			return "\ufffd"
		}
		return string(rune(n))
	})
}

func naiveReferences(s string, keep bool) (string, int) {
	for passes := 0; ; passes++ {
		next := naivePass(s, keep)
		if next == s {
			return s, passes
		}
		s = next
	}
}

// member order is kept, so that repairs can be compared in order.
type naiveObject struct {
	names  []string
	values map[string]any
}

// naiveJSON reads one strict JSON value with encoding/json and refuses what
// that lets pass: repeated names and broken characters.
func naiveJSON(s string, depth int) (value any, err error) {
	if !json.Valid([]byte(s)) {
		return nil, fmt.Errorf("not JSON")
	}
	if !utf8.ValidString(s) {
		return nil, fmt.Errorf("not UTF-8")
	}
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	value, err = naiveToken(dec, depth)
	if err != nil {
		return nil, err
	}
	if _, err = dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("more text")
	}
	return value, nil
}

func naiveToken(dec *json.Decoder, depth int) (any, error) {
	before := dec.InputOffset()
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	if s, ok := token.(string); ok && strings.Contains(s, "\ufffd") {
		// No test writes that character, so it stands for half a pair.
		return nil, fmt.Errorf("half a surrogate pair after %d", before)
	}
	delim, ok := token.(json.Delim)
	if !ok {
		return token, nil
	}
	if depth == 0 {
		return nil, fmt.Errorf("too deep")
	}
	if delim == '[' {
		list := []any{}
		for dec.More() {
			item, err := naiveToken(dec, depth-1)
			if err != nil {
				return nil, err
			}
			list = append(list, item)
		}
		_, err := dec.Token()
		return list, err
	}
	object := naiveObject{values: map[string]any{}}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return nil, err
		}
		name := token.(string)
		if _, again := object.values[name]; again || strings.Contains(name, "\ufffd") {
			return nil, fmt.Errorf("repeated or broken name")
		}
		object.names = append(object.names, name)
		if object.values[name], err = naiveToken(dec, depth-1); err != nil {
			return nil, err
		}
	}
	_, err = dec.Token()
	return object, err
}

// naive is the rules on one schema. A schema at some place is a list of
// alternatives; each is a list of schemas that all hold.
type naive struct {
	root    any
	options Options
	repairs []Repair
}

type naiveSchemas [][]any

func (n *naive) arguments(raw string) (any, []Repair, error) {
	value, err := naiveJSON(raw, n.options.MaxDepth)
	if err != nil {
		return nil, nil, err
	}
	object, ok := value.(naiveObject)
	if !ok {
		return nil, nil, fmt.Errorf("not an object")
	}
	top := naiveSchemas{{n.root}}
	n.repairs = nil
	for _, name := range object.names {
		at := n.member(top, name)
		object.values[name] = n.value(object.values[name], at, n.policy(at, "decode"), name, 1)
	}
	return object, n.repairs, nil
}

func (n *naive) value(v any, at naiveSchemas, policy, path string, depth int) any {
	if s, ok := v.(string); ok && at != nil {
		inner, err := naiveJSON(s, n.options.MaxDepth-depth)
		_, isList := inner.([]any)
		_, isObject := inner.(naiveObject)
		declared := n.declared(at)
		if err == nil && (isList && declared["array"] || isObject && declared["object"]) {
			n.repairs = append(n.repairs, Repair{Path: path, Kind: RepairJSON})
			v = inner
		}
	}
	switch v := v.(type) {
	case string:
		decoded, passes := naiveReferences(v, n.options.KeepNonCharacters)
		switch policy {
		case "raw":
			return v
		case "once":
			decoded, passes = naivePass(v, n.options.KeepNonCharacters), min(passes, 1)
		}
		if passes > 0 {
			n.repairs = append(n.repairs, Repair{Path: path, Kind: RepairReferences, Passes: passes})
		}
		return decoded
	case []any:
		for i := range v {
			var below naiveSchemas
			if n.options.Nested {
				below = n.item(at, i)
			}
			v[i] = n.value(v[i], below, n.policy(below, policy), path+"["+strconv.Itoa(i)+"]", depth+1)
		}
	case naiveObject:
		for _, name := range v.names {
			var below naiveSchemas
			if n.options.Nested {
				below = n.member(at, name)
			}
			v.values[name] = n.value(v.values[name], below, n.policy(below, policy), naivePath(path, name), depth+1)
		}
	}
	return v
}

var plainName = regexp.MustCompile(`^[-_$0-9A-Za-z\x{80}-\x{10ffff}]+$`)

func naivePath(path, name string) string {
	switch {
	case path == "":
		return name
	case plainName.MatchString(name):
		return path + "." + name
	}
	return path + "[" + strconv.Quote(name) + "]"
}

var naiveWords = []string{"array", "object", "string", "number", "integer", "boolean", "null"}

// types is what one schema admits by its own type keyword; nil is everything.
func naiveTypes(s map[string]any) []string {
	list, ok := s["type"].([]any)
	if word, isWord := s["type"].(string); isWord {
		list, ok = []any{word}, true
	}
	if !ok || len(list) == 0 {
		return nil
	}
	var types []string
	for _, word := range list {
		w, _ := word.(string)
		if !slices.Contains(naiveWords, w) {
			return nil
		}
		types = append(types, w)
	}
	return types
}

// saysString reports whether the word stands in the type keyword.
func saysString(s map[string]any) bool {
	list, _ := s["type"].([]any)
	return s["type"] == "string" || slices.Contains(list, any("string"))
}

func (n *naive) admits(all []any, word string) bool {
	for _, s := range all {
		if s == false {
			return false
		}
		m, _ := s.(map[string]any)
		if types := naiveTypes(m); types != nil && !slices.Contains(types, word) {
			return false
		}
	}
	return true
}

func (n *naive) declared(at naiveSchemas) map[string]bool {
	found := map[string]bool{}
	for _, all := range n.through(at) {
		for _, word := range naiveWords {
			if n.admits(all, word) {
				found[word] = true
			}
		}
		for _, s := range all {
			if m, _ := s.(map[string]any); saysString(m) {
				found["string"] = true
			}
		}
	}
	if found["string"] {
		return nil
	}
	return found
}

// through replaces every alternative by all ways to read it.
func (n *naive) through(at naiveSchemas) naiveSchemas {
	var out naiveSchemas
	for _, all := range at {
		ways := naiveSchemas{nil}
		for _, s := range all {
			ways = naiveCross(ways, n.ways(s))
		}
		out = append(out, ways...)
	}
	return out
}

func naiveCross(a, b naiveSchemas) naiveSchemas {
	var out naiveSchemas
	for _, x := range a {
		for _, y := range b {
			out = append(out, slices.Concat(x, y))
		}
	}
	return out
}

func (n *naive) ways(s any) naiveSchemas {
	m, ok := s.(map[string]any)
	if !ok {
		return naiveSchemas{{s}}
	}
	ways := naiveSchemas{{m}}
	for _, group := range n.parts(m) {
		var either naiveSchemas
		for _, part := range group {
			if n.leadsTo(part, m, nil) {
				either = append(either, nil)
			} else {
				either = append(either, n.ways(part)...)
			}
		}
		ways = naiveCross(ways, either)
	}
	return ways
}

// parts is what a schema is looked through to; one of each group holds.
func (n *naive) parts(m map[string]any) [][]any {
	var parts [][]any
	if ref, ok := m["$ref"].(string); ok {
		if target, ok := n.target(ref); ok {
			parts = append(parts, []any{target})
		}
	}
	if all, _ := m["allOf"].([]any); len(all) == 1 {
		parts = append(parts, all)
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		if branches, _ := m[word].([]any); len(branches) > 0 {
			parts = append(parts, branches)
		}
	}
	return parts
}

func sameMap(a, b map[string]any) bool { return fmt.Sprintf("%p", a) == fmt.Sprintf("%p", b) }

// leadsTo reports whether looking through s comes to goal.
func (n *naive) leadsTo(s any, goal map[string]any, path []map[string]any) bool {
	m, ok := s.(map[string]any)
	if !ok || slices.ContainsFunc(path, func(on map[string]any) bool { return sameMap(on, m) }) {
		return false
	}
	if sameMap(m, goal) {
		return true
	}
	path = append(slices.Clone(path), m)
	for _, group := range n.parts(m) {
		for _, part := range group {
			if n.leadsTo(part, goal, path) {
				return true
			}
		}
	}
	return false
}

func (n *naive) target(ref string) (any, bool) {
	if !strings.HasPrefix(ref, "#") {
		return nil, false
	}
	pointer, err := url.PathUnescape(ref[1:])
	if err != nil {
		return nil, false
	}
	steps := strings.Split(pointer, "/")
	if steps[0] != "" {
		return nil, false
	}
	at := n.root
	for _, step := range steps[1:] {
		switch v := at.(type) {
		case map[string]any:
			if regexp.MustCompile(`~([^01]|$)`).MatchString(step) {
				return nil, false
			}
			next, ok := v[strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")]
			if !ok {
				return nil, false
			}
			at = next
		case []any:
			if !regexp.MustCompile(`^(0|[1-9][0-9]{0,5})$`).MatchString(step) {
				return nil, false
			}
			i, _ := strconv.Atoi(step)
			if i >= len(v) {
				return nil, false
			}
			at = v[i]
		default:
			return nil, false
		}
	}
	return at, true
}

func (n *naive) member(at naiveSchemas, name string) naiveSchemas {
	return n.below(at, "object", func(m map[string]any) (any, bool) {
		properties, _ := m["properties"].(map[string]any)
		if s, ok := properties[name]; ok {
			return s, true
		}
		if patterns, _ := m["patternProperties"].(map[string]any); len(patterns) > 0 {
			return nil, false
		}
		s, ok := m["additionalProperties"]
		return s, ok
	})
}

func (n *naive) item(at naiveSchemas, i int) naiveSchemas {
	return n.below(at, "array", func(m map[string]any) (any, bool) {
		prefix, _ := m["prefixItems"].([]any)
		rest, ok := m["items"]
		if list, isList := rest.([]any); isList {
			prefix = list
			rest, ok = m["additionalItems"]
		}
		if i < len(prefix) {
			return prefix[i], true
		}
		return rest, ok
	})
}

func (n *naive) below(at naiveSchemas, word string, part func(map[string]any) (any, bool)) naiveSchemas {
	out := naiveSchemas{}
	for _, all := range n.through(at) {
		if !n.admits(all, word) {
			continue
		}
		var parts []any
		forbidden := false
		for _, s := range all {
			m, _ := s.(map[string]any)
			p, ok := part(m)
			if ok && p == false {
				forbidden = true
			} else if ok {
				parts = append(parts, p)
			}
		}
		if len(parts) > 0 || !forbidden {
			out = append(out, parts)
		}
	}
	return out
}

func (n *naive) policy(at naiveSchemas, inherited string) string {
	words := []string{"", "decode", "once", "raw"}
	strongest := 0
	for _, all := range at {
		for _, s := range all {
			strongest = max(strongest, n.carries(s))
		}
	}
	if strongest == 0 {
		return inherited
	}
	return words[strongest]
}

func (n *naive) carries(s any) int {
	m, ok := s.(map[string]any)
	if !ok {
		return 0
	}
	if i := slices.Index([]any{"decode", "once", "raw"}, m["references"]); i >= 0 {
		return i + 1
	}
	strongest := 0
	for _, group := range n.parts(m) {
		for _, part := range group {
			if !n.leadsTo(part, m, nil) {
				strongest = max(strongest, n.carries(part))
			}
		}
	}
	return strongest
}

func newNaive(t interface{ Fatalf(string, ...any) }, schema string, o Options) *naive {
	dec := json.NewDecoder(strings.NewReader(schema))
	dec.UseNumber()
	n := &naive{options: o}
	if err := dec.Decode(&n.root); err != nil {
		t.Fatalf("schema %s: %v", schema, err)
	}
	if n.options.MaxDepth == 0 {
		n.options.MaxDepth = 512
	}
	return n
}

// sameValue compares by value, numbers by what they are worth.
func sameValue(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		return ok && (a == b || worth(a).Cmp(worth(b)) == 0)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, sameValue)
	case naiveObject:
		b, ok := b.(naiveObject)
		if !ok || len(a.values) != len(b.values) {
			return false
		}
		for name := range a.values {
			if other, ok := b.values[name]; !ok || !sameValue(a.values[name], other) {
				return false
			}
		}
		return true
	}
	return a == b
}

func worth(n json.Number) *big.Rat {
	r, ok := new(big.Rat).SetString(string(n))
	if !ok {
		panic(n)
	}
	return r
}

func read(t interface{ Fatalf(string, ...any) }, text []byte) any {
	v, err := naiveRead(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// naiveRead is naiveJSON for texts that may hold U+FFFD.
func naiveRead(text []byte) (any, error) {
	var plain any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&plain); err != nil {
		return nil, err
	}
	return wrap(plain), nil
}

func wrap(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = wrap(v[i])
		}
	case map[string]any:
		object := naiveObject{values: v}
		for name := range v {
			object.names = append(object.names, name)
			v[name] = wrap(v[name])
		}
		slices.Sort(object.names)
		return object
	}
	return v
}

func TestTheNaiveReadingIsRight(t *testing.T) {
	if n := len(characterNames()); n != 2125 {
		t.Fatalf("%d character names, the Standard has 2125 with a semicolon", n)
	}
	for in, want := range map[string]string{"&amp;amp;lt;": "<", "&#x80;": "€", "&notit;": "&notit;", "&copy=1": "&copy=1"} {
		if got, _ := naiveReferences(in, false); got != want {
			t.Errorf("%q reads as %q, want %q", in, got, want)
		}
	}
}
