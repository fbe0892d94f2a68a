package signature

import (
	"reflect"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

func validText(s string) bool { return utf8.ValidString(s) }

// A goField is one JSON property of a Go struct, by the rules of
// encoding/json: embedded structs are flattened, an outer field hides an
// embedded one of the same name.
type goField struct {
	goName string // for author errors and for validator tags, which use it
	name   string // the parameter's name on every wire
	typ    reflect.Type
	index  []int // for reflect.Value.FieldByIndex
	maybe  bool  // omitempty or omitzero: not in required
	tags   map[string]string
	hides  bool // it hides an embedded field of the same name

	tagged bool // the name comes from the json tag
	spec   *fieldSpec
}

// jsonFields lists the properties of a struct in declaration order. What is
// wrong with the json tags goes to m.
func jsonFields(t reflect.Type, at place, m *mistakes) []*goField {
	var found []*goField
	collectFields(t, nil, at, m, &found)
	byName := map[string][]*goField{}
	for _, f := range found {
		byName[f.name] = append(byName[f.name], f)
	}
	var kept []*goField
	for _, f := range found {
		rivals := byName[f.name]
		slices.SortStableFunc(rivals, func(a, b *goField) int { return len(a.index) - len(b.index) })
		if rivals[0] != f {
			if len(f.index) == len(rivals[0].index) {
				m.add(place{at.typ, f.goName}, "json", "the name %q is already that of %s; encoding/json would drop both", f.name, rivals[0].goName)
			}
			continue
		}
		f.hides = len(rivals) > 1
		kept = append(kept, f)
	}
	sort.SliceStable(kept, func(i, j int) bool { return slices.Compare(kept[i].index, kept[j].index) < 0 })
	return kept
}

func collectFields(t reflect.Type, prefix []int, at place, m *mistakes, found *[]*goField) {
	for i := range t.NumField() {
		sf := t.Field(i)
		here := place{at.typ, sf.Name}
		tags := m.readTags(sf.Tag, here)
		jsonTag, hasJSON := tags["json"]
		name, options, _ := strings.Cut(jsonTag, ",")
		if name == "-" && !strings.Contains(jsonTag, ",") {
			if tags["jsonschema"] != "" && tags["jsonschema"] != "-" {
				m.add(here, "json", `hides the field, so its jsonschema tag says nothing; remove one of the two`)
			}
			continue
		}
		index := append(slices.Clone(prefix), i)
		if sf.Anonymous && name == "" {
			if flattened(sf, here, m) {
				collectFields(sf.Type, index, at, m, found)
				continue
			}
			if sf.Type.Kind() == reflect.Struct || sf.Type.Kind() == reflect.Pointer {
				continue // a mistake that is noted already
			}
		}
		if !sf.IsExported() {
			if hasJSON || tags["jsonschema"] != "" {
				m.add(here, "json", "the field is not exported, so nothing can be read into it; export it")
			}
			continue
		}
		f := &goField{goName: sf.Name, name: name, typ: sf.Type, index: index, tags: tags, tagged: name != ""}
		if name == "" {
			f.name = sf.Name
		} else if !usableName(name) {
			m.add(here, "json", "the name %q cannot be a parameter's name; use letters, digits, _ and -", name)
		}
		f.maybe = m.jsonOptions(options, here)
		if tags["jsonschema"] == "-" {
			m.add(here, "jsonschema", `"-" would hide a field that is still read; write json:"-"`)
		}
		*found = append(*found, f)
	}
}

// flattened reports whether an embedded field's own fields take its place.
// Embedded types that are one value, or that only a pointer leads to, are
// mistakes: no parameter of the outer struct could be told from them.
func flattened(sf reflect.StructField, here place, m *mistakes) bool {
	t := sf.Type
	if t.Kind() == reflect.Pointer {
		if t.Elem().Kind() == reflect.Struct {
			m.add(here, "embedded", "a pointer cannot be embedded in an Input; embed %s itself or give the field a name", t.Elem())
		} else {
			m.add(here, "embedded", "%s needs a json name to be a parameter", t)
		}
		return false
	}
	if t.Kind() != reflect.Struct {
		return false
	}
	if k, _ := shapeOf(t); k != shapeStruct {
		m.add(here, "embedded", "%s is one value and its methods would speak for the whole struct; give the field a name of its own", t)
		return false
	}
	return true
}

// usableName is encoding/json's rule for names in tags, without the one that
// would be a lone hyphen: a call could not write <-> or -=1 without doubt.
func usableName(name string) bool {
	if name == "-" {
		return false
	}
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) {
			return false
		}
	}
	return true
}

var jsonOptions = []string{"omitempty", "omitzero"}

// jsonOptions reads what follows the name in a json tag and reports whether
// the field may be left out.
func (m *mistakes) jsonOptions(options string, here place) bool {
	maybe := false
	if options == "" {
		return false
	}
	for _, option := range strings.Split(options, ",") {
		switch option {
		case "omitempty", "omitzero":
			maybe = true
		case "":
		case "string":
			m.add(here, "json", "the option string is refused: coercion reads numbers written as text anyway, and the schema would promise text")
		default:
			m.add(here, "json", "the option %q is unknown%s", option, meant(option, jsonOptions))
		}
	}
	return maybe
}
