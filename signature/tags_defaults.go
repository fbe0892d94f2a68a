package signature

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
)

var unionWords = []string{"string", "integer", "number", "boolean"}

// readUnion checks anyof_type, which gives a field of type any the types that
// pydantic's Union of scalars has.
func (r *tagReader) readUnion() {
	union := r.spec.union
	if union == nil {
		return
	}
	if at := r.valueLevel(); at.shape != shapeAny {
		r.fail("anyof_type", "needs a field of type any, not %s", at.typ)
		r.spec.union = nil
		return
	}
	seen := map[string]bool{}
	for _, word := range union {
		if !slices.Contains(unionWords, word) {
			r.fail("anyof_type", "%q is not one of %s%s", word, strings.Join(unionWords, ", "), meant(word, unionWords))
		}
		if seen[word] {
			r.fail("anyof_type", "%s is given twice", word)
		}
		seen[word] = true
	}
	if len(union) < 2 {
		r.fail("anyof_type", "needs at least two types, as in anyof_type=integer;string")
	}
}

// valueLevel is where keywords of scalars apply: the value, or the items of
// the list, or of the lists in the list, that it is.
func (r *tagReader) valueLevel() *level {
	i := 0
	for r.spec.levels[i].shape == shapeList && i+1 < len(r.spec.levels) {
		i++
	}
	return &r.spec.levels[i]
}

// readEnum types the values of enum=. On a list they are the items', as in
// pydantic's list of a Literal.
func (r *tagReader) readEnum(texts []string, by string) {
	if len(texts) == 0 {
		return
	}
	at := r.valueLevel()
	switch at.shape {
	case shapeNone:
		return
	case shapeEnum:
		r.fail("enum", "%s has its values from EnumValues", at.typ)
		return
	case shapeMap, shapeStruct, shapeList, shapeTime:
		r.fail("enum", "says nothing about %s (%s)", at.shape, at.typ)
		return
	}
	switch {
	case r.spec.union != nil:
		r.fail("enum", "cannot stand beside anyof_type")
		return
	case at.enumBy != "":
		r.fail("enum", "stands in jsonschema and in jsonschema_extras; keep one")
		return
	}
	at.enumBy, at.enumBare = by, by != "jsonschema enum"
	for _, text := range texts {
		v, problem := fromText(at.typ, text, nil)
		if problem != "" {
			r.fail("enum", "%s", problem)
			continue
		}
		if contains(at.enum, &v) {
			r.fail("enum", "%s is given twice", v.JSON())
			continue
		}
		at.enum = append(at.enum, v)
	}
	if at.enumBare && r.spec.levels[0].nullable {
		// Beside anyOf it would refuse the null that the pointer admits.
		r.fail("enum", "the extra would refuse null in the published schema; write enum in the tag jsonschema")
	}
}

// readExamples types the examples. An example of a list is a list: written as
// JSON, or a lone item that stands for the list of itself.
func (r *tagReader) readExamples() {
	for _, text := range r.examples {
		if r.spec.levels[0].shape == shapeNone {
			return
		}
		v, problem := r.wholeValue([]string{text})
		if problem != "" {
			r.fail("example", "%s", problem)
			continue
		}
		r.spec.examples = append(r.spec.examples, v)
	}
}

// wholeValue reads the value of the whole field out of one text, or of a list
// out of several.
func (r *tagReader) wholeValue(texts []string) (jsontree.Value, string) {
	top := &r.spec.levels[0]
	if top.nullable && len(texts) == 1 && texts[0] == "null" {
		return jsontree.Value{Kind: jsontree.Null}, ""
	}
	if top.shape != shapeList {
		if len(texts) > 1 {
			return jsontree.Value{}, fmt.Sprintf("is given %d times, and %s has one", len(texts), top.shape)
		}
		return fromText(top.typ, texts[0], r.spec.union)
	}
	if len(texts) == 1 && strings.HasPrefix(texts[0], "[") {
		v, ok := parseJSON(texts[0])
		if !ok {
			return v, unread(shapeList, texts[0])
		}
		return v, fits(top.typ, &v)
	}
	list := jsontree.Value{Kind: jsontree.List}
	for _, text := range texts {
		v, problem := fromText(top.typ.Elem(), text, r.spec.union)
		if problem != "" {
			return list, problem
		}
		list.Items = append(list.Items, v)
	}
	return list, fits(top.typ, &list)
}

// readDefault types the default and holds it against the field's own
// constraints; NOT_FOUND marks a required field and need not meet them
// (FW-14). A field that may be left out and admits null has the default null.
func (r *tagReader) readDefault() {
	top := &r.spec.levels[0]
	if top.shape == shapeNone {
		return
	}
	if len(r.defaults) == 0 {
		return
	}
	if len(r.defaults) == 1 && r.defaults[0] == placeholder && (top.shape == shapeString || top.shape == shapeText || top.shape == shapeEnum) {
		r.spec.fallback = jsontree.Text(placeholder)
		return
	}
	v, problem := r.wholeValue(r.defaults)
	if problem == "" {
		problem = breaks(r.spec.levels, &v)
	}
	if problem != "" {
		r.fail("default", "%s", problem)
		return
	}
	r.spec.fallback = v
}

// breaks says which constraint a value of the right type breaks, "" if none.
func breaks(levels []level, v *jsontree.Value) string {
	at := &levels[0]
	if v.Kind == jsontree.Null {
		return ""
	}
	if len(at.enum) > 0 && !contains(at.enum, v) {
		return fmt.Sprintf("%s is not one of %s", v.JSON(), listed(at.enum))
	}
	for _, word := range sortedKeys(at.limits) {
		if problem := breaksLimit(word, at.limits[word].value, v); problem != "" {
			return problem
		}
	}
	if len(levels) == 1 {
		return ""
	}
	for i := range v.Items {
		if problem := breaks(levels[1:], &v.Items[i]); problem != "" {
			return fmt.Sprintf("item %d: %s", i, problem)
		}
	}
	for i := range v.Members {
		if problem := breaks(levels[1:], &v.Members[i].Value); problem != "" {
			return fmt.Sprintf("%s: %s", v.Members[i].Name, problem)
		}
	}
	return ""
}

func breaksLimit(word string, want jsontree.Value, v *jsontree.Value) string {
	broken := false
	switch word {
	case "pattern":
		p, err := newPattern(want.Text)
		broken = err == nil && !p.Match(v.Text)
	case "format":
		f := formats[want.Text]
		broken = f != nil && !f.Match(v.Text)
	case "uniqueItems":
		for i := range v.Items {
			broken = broken || contains(v.Items[:i], &v.Items[i])
		}
	case "minLength", "minItems", "minProperties":
		broken = compareCount(v, want.Text) < 0
	case "maxLength", "maxItems", "maxProperties":
		broken = compareCount(v, want.Text) > 0
	default:
		broken = breaksBound(word, want.Text, v)
	}
	if broken {
		return fmt.Sprintf("%s breaks the field's own %s %s", v.JSON(), word, want.JSON())
	}
	return ""
}

func breaksBound(word, want string, v *jsontree.Value) bool {
	b, err := newBound(want, false)
	if err != nil {
		return false
	}
	c := b.Compare(v.Text)
	switch word {
	case "minimum":
		return c < 0
	case "maximum":
		return c > 0
	case "exclusiveMinimum":
		return c <= 0
	case "exclusiveMaximum":
		return c >= 0
	case "multipleOf":
		return !b.Divides(v.Text)
	}
	return false
}

func compareCount(v *jsontree.Value, want string) int {
	n := len(v.Items) + len(v.Members)
	if v.Kind == jsontree.String {
		n = len([]rune(v.Text))
	}
	b, err := newBound(want, false)
	if err != nil {
		return 0
	}
	return b.CompareInt(int64(n))
}
