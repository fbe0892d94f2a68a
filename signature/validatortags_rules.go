package signature

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/go-playground/validator/v10"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// structRules is the one validator that runs residual rules. Rules reach it
// as the tag of one value beside its struct, so nothing is registered with it
// after it is made and any number of calls may use it at once.
var structRules = sync.OnceValue(func() *validator.Validate {
	return validator.New(validator.WithRequiredStructEnabled())
})

// A violation is a residual rule that a filled Input breaks: the data of it,
// in the words of a caller. The validator's own texts name Go types and are
// never passed on.
type violation struct {
	Field string // path of the value, such as items[0].code
	Tag   string // the rule, such as gtfield
	Param string // its parameter, fields by the names a caller knows
}

// rules are the residual rules of one Input, ready to run.
type rules struct{ list []*compiledRule }

type compiledRule struct {
	hops  []hop
	name  string // the rule's word
	tag   string // what the validator reads
	param string // what a caller reads
	refs  []reference
	pairs []pair // the conditions of _if and _unless
	at    place

	nested bool // the field is in an object below the Input
}

// A hop leads from an object to one of its fields, or from a list or map to
// its elements or keys.
type hop struct {
	field *goField
	each  int
}

// A reference is another field that a rule looks at.
type reference struct {
	root  bool // from the Input itself, not from the object of the field
	chain []*goField
}

// A pair is one condition: a field and the text of the value it must have.
type pair struct {
	ref   reference
	probe string // a rule that fails exactly if the field has the value
}

// newRules compiles residual rules of a type. What the validator would say by
// a panic in the middle of a call is found here: references that lead
// nowhere, and rules that panic on a zero or a filled Input. Without rules it
// returns nil, which checks nothing.
func newRules(t reflect.Type, list []fieldRule) (*rules, error) {
	if len(list) == 0 {
		return nil, nil
	}
	m := new(mistakes)
	r := &rules{}
	for _, rule := range list {
		if c := compileRule(t, rule, m); c != nil {
			r.list = append(r.list, c)
		}
	}
	for _, c := range r.list {
		for _, input := range []reflect.Value{reflect.New(t), filled(t)} {
			if p := c.panics(input); p != nil {
				m.add(c.at, "validate "+c.name, "cannot run on this type: %v", p)
				break
			}
		}
	}
	if err := m.err(); err != nil {
		return nil, err
	}
	return r, nil
}

// check runs the rules on a filled Input, given by pointer. set says which
// parameters were given, by their names at the top of the Input. A rule about
// the value of a field is passed over where the field, or one it refers to,
// was not given and has no default; rules that require or exclude a field go
// by whether it was given, so that 0, false and "" count as given (D-2).
// Inside nested objects a field that may be left out and holds its zero value
// counts as not given.
func (r *rules) check(input any, set func(name string) bool) []violation {
	if r == nil {
		return nil
	}
	root := reflect.ValueOf(input).Elem()
	var out []violation
	for _, c := range r.list {
		run := ruleRun{rule: c, root: root, set: set, out: &out}
		run.walk(root, root, "", 0)
	}
	return out
}

func (c *compiledRule) panics(input reflect.Value) (panicked any) {
	var out []violation
	run := ruleRun{rule: c, root: input.Elem(), set: func(string) bool { return true }, out: &out, panicked: &panicked}
	run.walk(run.root, run.root, "", 0)
	return panicked
}

type ruleRun struct {
	rule     *compiledRule
	root     reflect.Value
	set      func(string) bool
	out      *[]violation
	panicked *any // at registration: what the validator panics with
}

// walk follows the hops from v on; object is the innermost object on the way.
func (run *ruleRun) walk(v, object reflect.Value, path string, at int) {
	c := run.rule
	if at == len(c.hops) {
		// A null item is the schema's affair; no rule is about it.
		run.apply(v, object, path, v.Kind() != reflect.Pointer || !v.IsNil())
		return
	}
	if v = indirect(v); !v.IsValid() {
		return
	}
	h := c.hops[at]
	switch {
	case h.field != nil:
		object = v
		v = object.FieldByIndex(h.field.index)
		path = jsontree.MemberPath(path, h.field.name)
		if !run.given(h.field, v, at == 0) {
			if at == len(c.hops)-1 {
				run.apply(v, object, path, false)
			}
			return
		}
		run.walk(v, object, path, at+1)
	case v.Kind() == reflect.Map:
		for _, key := range sortedMapKeys(v) {
			elem := v.MapIndex(key)
			if h.each == eachKey {
				elem = key
			}
			run.walk(elem, object, jsontree.MemberPath(path, key.String()), at+1)
		}
	default:
		for i := range v.Len() {
			run.walk(v.Index(i), object, jsontree.ItemPath(path, i), at+1)
		}
	}
}

// given reports whether a field has a value to hold a rule against: it was
// set, or a default filled it. top says that it is a parameter itself.
func (run *ruleRun) given(f *goField, v reflect.Value, top bool) bool {
	if k := v.Kind(); (k == reflect.Pointer || k == reflect.Interface) && v.IsNil() {
		return false // null is no value to hold a rule against
	}
	if top {
		return run.set(f.name) || !v.IsZero()
	}
	return !f.maybe || !v.IsZero()
}

func (run *ruleRun) refers(ref reference, object reflect.Value) bool {
	if ref.root {
		object = run.root
	}
	for i, f := range ref.chain {
		if object = indirect(object); !object.IsValid() {
			return false
		}
		v := object.FieldByIndex(f.index)
		if !run.given(f, v, i == 0 && (ref.root || !run.rule.nested)) {
			return false
		}
		object = v
	}
	return true
}

// apply holds the rule against one value.
func (run *ruleRun) apply(v, object reflect.Value, path string, given bool) {
	c := run.rule
	broken := false
	switch {
	case strings.HasPrefix(c.name, "required_"):
		broken = (!given || run.panicked != nil) && run.condition(object)
	case strings.HasPrefix(c.name, "excluded_"):
		broken = (given || run.panicked != nil) && run.condition(object)
	case !given:
		return
	default:
		for _, ref := range c.refs {
			if !run.refers(ref, object) {
				return
			}
		}
		if c.name == "validateFn" && v.CanAddr() {
			v = v.Addr() // for a method on the pointer
		}
		broken = run.fails(v.Interface(), object, c.tag)
	}
	if broken {
		*run.out = append(*run.out, violation{Field: path, Tag: c.name, Param: c.param})
	}
}

// condition says whether a required_ or excluded_ rule is in force.
func (run *ruleRun) condition(object reflect.Value) bool {
	c := run.rule
	_, how, _ := strings.Cut(c.name, "_")
	met, all := 0, len(c.refs)
	for _, ref := range c.refs {
		if run.refers(ref, object) {
			met++
		}
	}
	switch how {
	case "if", "unless":
		met, all = 0, len(c.pairs)
		for _, p := range c.pairs {
			if run.refers(p.ref, object) && run.fails("", object, p.probe) {
				met++
			}
		}
		if how == "if" {
			return met == all
		}
		return met == 0
	case "with":
		return met > 0
	case "with_all":
		return met == all
	case "without":
		return met < all
	default: // without_all
		return met == 0
	}
}

// fails asks the validator. A panic counts as broken: a value that no rule
// could be held against is not let through.
func (run *ruleRun) fails(value any, object reflect.Value, tag string) (broken bool) {
	defer func() {
		if p := recover(); p != nil {
			broken = true
			if run.panicked != nil {
				*run.panicked = p
			}
		}
	}()
	if strings.Contains(tag, "csfield") {
		object = run.root
	}
	var beside any
	if object.CanAddr() && !strings.HasPrefix(tag, "unique") { // unique looks at the kind, and wants a struct
		beside = object.Addr().Interface()
	} else {
		beside = object.Interface()
	}
	return structRules().VarWithValue(value, beside, tag) != nil
}

func indirect(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v
}

func sortedMapKeys(v reflect.Value) []reflect.Value {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
	return keys
}
