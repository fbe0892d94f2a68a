package signature

import (
	"reflect"
	"slices"
	"strings"
)

// A residual is a validator rule that JSON Schema has no word for. It runs on
// the filled struct.
type residual struct {
	steps []int // eachItem and eachKey, from the field's value down
	tag   string
}

// A fieldRule is a residual rule with its place in the Input.
type fieldRule struct {
	// Path leads to the value: indexes of struct fields (an embedded field
	// adds two), eachItem for every element, eachKey for every key of a map.
	Path []int
	// Name is the place in the words of a caller, such as items[].code.
	Name string
	// Tag is one rule with its parameter, such as gtfield=StartDate.
	Tag string
}

const (
	eachItem = -1
	eachKey  = -2
)

// presenceWords say whether a value must be there. They are read and passed
// over: what is required follows from pointer, default and omitempty (D-2),
// since the validator takes 0, false and "" for missing and an empty list for
// present.
var presenceWords = []string{"required", "omitempty", "omitnil", "omitzero"}

var refusedRules = map[string]string{
	"structonly":    "has no meaning for parameters",
	"nostructlevel": "has no meaning for parameters",
	"skip_unless":   "switches other rules off, and the schema cannot say that; check it in the validation hook",
	"isdefault":     `a parameter that nobody may set is no parameter; write json:"-"`,
	"endkeys":       "needs keys before it",
}

// validateTag reads a validate tag: what JSON Schema has a word for becomes a
// constraint like those of the jsonschema tag (D-5), the rest a residual.
func (r *tagReader) validateTag(tag string) {
	if tag == "" || tag == "-" {
		return
	}
	words := strings.Split(tag, ",")
	depth := 0
	var steps []int
	for i := 0; i < len(words); i++ {
		switch word := words[i]; word {
		case "dive":
			at := &r.spec.levels[depth]
			if at.shape != shapeList && at.shape != shapeMap {
				if at.shape != shapeNone {
					r.fail("validate dive", "%s is neither a list nor a map", at.typ)
				}
				return
			}
			depth++
			steps = append(slices.Clone(steps), eachItem)
		case "keys":
			end := slices.Index(words[i:], "endkeys")
			if depth == 0 || words[i-1] != "dive" || end < 0 || r.spec.levels[depth-1].shape != shapeMap {
				r.fail("validate keys", "must follow dive on a map and end with endkeys")
				return
			}
			r.keyRules(words[i+1:i+end], append(slices.Clone(steps[:len(steps)-1]), eachKey), depth-1)
			i += end
		default:
			r.rule(word, &r.spec.levels[depth], steps, r.afterComma(words, i))
		}
	}
}

// afterComma is the word before, if the one at i may be the rest of its
// parameter.
func (r *tagReader) afterComma(words []string, i int) string {
	if i == 0 || !strings.Contains(words[i-1], "=") {
		return ""
	}
	return words[i-1]
}

func (r *tagReader) keyRules(words []string, steps []int, depth int) {
	key := &level{typ: r.spec.levels[depth].typ.Key(), shape: shapeString, limits: map[string]limit{}}
	for i, word := range words {
		name, _, _ := strings.Cut(word, "=")
		if r.knownRule(word, key, r.afterComma(words, i)) && !slices.Contains(presenceWords, name) {
			r.spec.residual = append(r.spec.residual, residual{steps, word})
		}
	}
}

// rule reads one rule of a validate tag for the value of a level.
func (r *tagReader) rule(word string, at *level, steps []int, before string) {
	if at.shape == shapeNone || !r.knownRule(word, at, before) {
		return
	}
	name, param, hasParam := strings.Cut(word, "=")
	param = strings.NewReplacer("0x2C", ",", "0x7C", "|").Replace(param)
	if slices.Contains(presenceWords, name) {
		return
	}
	d := deriver{r: r, at: at, word: word, name: name, param: param, hasParam: hasParam}
	if strings.Contains(word, "|") || !d.derive() {
		r.spec.residual = append(r.spec.residual, residual{steps, word})
	}
}

// knownRule looks at the words of one rule: each must be the validator's and
// must be able to hold for the type, else it panics or never holds, and that
// only when a call reaches it.
func (r *tagReader) knownRule(word string, at *level, before string) bool {
	for _, alternative := range strings.Split(word, "|") {
		name, param, hasParam := strings.Cut(alternative, "=")
		rule := "validate " + name
		why, refused := refusedRules[name]
		switch {
		case refused:
			r.fail(rule, "%s", why)
			return false
		case slices.Contains(presenceWords, name):
			if hasParam || strings.Contains(word, "|") {
				r.fail(rule, "takes no value and no alternative")
				return false
			}
			continue
		case !slices.Contains(knownRules, name):
			r.unknownRule(name, word, before)
			return false
		case needsParam[name] && param == "":
			if at.shape == shapeTime && slices.Contains(nowRules, name) {
				continue
			}
			r.fail(rule, "needs a value: %s=...", name)
			return false
		}
		if problem := unfit(name, param, at); problem != "" {
			r.fail(rule, "%s", problem)
			return false
		}
	}
	return true
}

func (r *tagReader) unknownRule(name, word, before string) {
	near := meant(name, knownRules)
	switch {
	case before != "" && near == "":
		r.fail("validate "+before, "the value ends at the comma before %q; a comma is written 0x2C, and the words of oneof are separated by blanks", word)
	case strings.Contains(word, "|") && near == "":
		r.fail("validate "+word, "%q is no rule; | separates alternatives, and one inside a value is written 0x7C", name)
	default:
		r.fail("validate "+name, "is no rule of the validator%s", near)
	}
}

// nowRules compare a time with the present moment when they have no value.
var nowRules = []string{"gt", "gte", "lt", "lte", "min", "max"}

var stringKinds = []shape{shapeString, shapeText}

// unfit says why a rule can never hold for the values of a level.
func unfit(name, param string, at *level) string {
	kind := at.typ.Kind()
	isString := kind == reflect.String
	fit := true
	switch {
	case conditional(name):
	case at.shape == shapeAny:
		if slices.Contains(lengthRules, name) || slices.Contains(fieldRules, name) {
			return "would measure a number as text, because a value of any type keeps its digits; give the field a type"
		}
	case name == "validateFn":
		return unfitMethod(param, at.typ)
	case at.shape == shapeEnum && slices.Contains(lengthRules, name):
		return "the values of " + at.typ.String() + " are already listed by EnumValues"
	case name == "oneofci" || name == "noneofci":
		fit = isString
	case name == "oneof" || name == "noneof":
		fit = isString || integerKind(kind)
	case slices.Contains(lengthRules, name):
		if at.shape == shapeTime {
			if !slices.Contains(nowRules, name) {
				fit = false
			} else if param != "" {
				return "compares a time with the present moment and takes no value; check other moments in the validation hook"
			}
			break
		}
		fit = at.shape == shapeList || at.shape == shapeMap || at.shape == shapeInteger || at.shape == shapeNumber || isString ||
			at.shape == shapeBoolean && (name == "eq" || name == "ne")
	case name == "unique":
		fit = at.shape == shapeList || at.shape == shapeMap || param != "" && scalarKind(kind)
	case slices.Contains(fieldRules, name):
		return unfitField(name, at)
	case slices.Contains(numberRules, name):
		fit = isString || at.shape == shapeInteger || at.shape == shapeNumber
	case name == "port" || name == "iso4217_numeric":
		fit = integerKind(kind)
	case name == "boolean":
		fit = isString || kind == reflect.Bool
	default:
		fit = isString
	}
	if fit {
		return ""
	}
	return "can never hold for " + at.shape.String() + " (" + at.typ.String() + ")"
}

// unfitMethod looks for the method of validateFn; one that is not there never
// holds.
func unfitMethod(name string, t reflect.Type) string {
	if name == "" {
		name = "Validate"
	}
	method, ok := reflect.PointerTo(t).MethodByName(name)
	if !ok {
		return t.String() + " has no method " + name
	}
	f := method.Type
	if f.NumIn() != 1 || f.NumOut() == 0 || f.Out(0).Kind() != reflect.Bool && f.Out(0) != reflect.TypeFor[error]() {
		return "the method " + name + " of " + t.String() + " must take nothing and return an error or a bool"
	}
	return ""
}

// unfitField keeps comparisons of fields to types for which they mean what
// they say: the validator compares only the lengths of texts and lists.
func unfitField(name string, at *level) string {
	ordered := name != "eqfield" && name != "nefield" && name != "eqcsfield" && name != "necsfield"
	switch {
	case name == "fieldcontains" || name == "fieldexcludes" || name == "postcode_iso3166_alpha2_field":
		if at.typ.Kind() != reflect.String {
			return "can never hold for " + at.shape.String() + " (" + at.typ.String() + ")"
		}
	case at.shape == shapeInteger, at.shape == shapeNumber && at.typ != numberTextType, at.shape == shapeTime:
	case !ordered && scalarKind(at.typ.Kind()):
	case at.typ.Kind() == reflect.String || at.shape == shapeList || at.shape == shapeMap:
		return "would compare lengths, not values; compare them in the validation hook"
	default:
		return "cannot compare " + at.shape.String() + " (" + at.typ.String() + ")"
	}
	return ""
}

// conditional rules require or exclude a field depending on others.
func conditional(name string) bool {
	return strings.HasPrefix(name, "required_") || strings.HasPrefix(name, "excluded_")
}
