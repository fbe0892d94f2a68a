package validate_test

import (
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/signature"
	"github.com/fwgo/fwgo/validate"
)

// A pydanticRow is a class, the schema that pydantic publishes for it, and
// what pydantic says of some arguments.
type pydanticRow struct {
	Name     string          `json:"name"`
	Schema   json.RawMessage `json:"schema"`
	Payloads []struct {
		Payload    json.RawMessage `json:"payload"`
		OK         bool            `json:"ok"`
		Fields     []string        `json:"error_fields"`
		OKJSON     *bool           `json:"ok_json"`
		FieldsJSON []string        `json:"error_fields_json"`
	} `json:"payloads"`
}

// declines is a Resolver without an opinion.
var declines = lookup.ResolverFunc(func(context.Context, string) (lookup.Result, error) {
	return lookup.Result{Verdict: lookup.Declined}, nil
})

// A pydanticDifference is one field of which pydantic says otherwise.
type pydanticDifference struct {
	name     string             // of the field, or of a member that is no field
	field    *signature.Field   // nil for a member that is no field
	value    *jsontree.Value    // as sent; Absent if it was not
	refused  bool               // by pydantic
	problems []validate.Problem // ours
}

func (d *pydanticDifference) only(kinds ...validate.Kind) bool {
	return len(d.problems) > 0 && !slices.ContainsFunc(d.problems, func(p validate.Problem) bool { return !slices.Contains(kinds, p.Kind) })
}

// mentions reports whether the type is one of the kinds, or a union or list
// of it.
func mentions(t *signature.Type, kinds ...signature.Kind) bool {
	if t == nil || slices.Contains(kinds, t.Kind) {
		return t != nil
	}
	return t.Kind == signature.List && mentions(t.Items, kinds...) ||
		slices.ContainsFunc(t.Members, func(m *signature.Type) bool { return mentions(m, kinds...) })
}

// pydanticClasses say which differences a line of the list covers.
var pydanticClasses = map[string]func(d *pydanticDifference) bool{
	// Accepted here.
	"left out, admits null": func(d *pydanticDifference) bool {
		return d.refused && d.value.Kind == jsontree.Absent && d.field.Type.Nullable && d.field.Required
	},
	"null for no value": func(d *pydanticDifference) bool {
		return d.refused && d.value.Kind == jsontree.Null && !d.field.Required
	},
	"NOT_FOUND for no value": func(d *pydanticDifference) bool {
		return d.refused && d.value.Text == "NOT_FOUND" && d.field.Optional
	},
	"blank for no value": func(d *pydanticDifference) bool {
		return d.refused && d.value.Kind == jsontree.String && strings.TrimSpace(d.value.Text) == "" && d.field.Optional && d.field.Type.Kind != signature.String
	},
	"number or boolean for a text": func(d *pydanticDifference) bool {
		return d.refused && (d.value.Kind == jsontree.Number || d.value.Kind == jsontree.Bool) && mentions(d.field.Type, signature.String)
	},
	"one value for a list": func(d *pydanticDifference) bool {
		return d.refused && d.value.Kind < jsontree.List && mentions(d.field.Type, signature.List)
	},
	"one-element list for a scalar": func(d *pydanticDifference) bool {
		return d.refused && d.value.Kind == jsontree.List && len(d.value.Items) == 1
	},
	"digits of other scripts": func(d *pydanticDifference) bool {
		return d.refused && mentions(d.field.Type, signature.Integer) && strings.ContainsFunc(d.value.Text, unicode.IsDigit)
	},

	// Refused here.
	"unknown name": func(d *pydanticDifference) bool { return d.field == nil && d.only(validate.UnknownName) },
	"required by NOT_FOUND": func(d *pydanticDifference) bool {
		return d.value.Kind == jsontree.Absent && d.field.Default() == `"NOT_FOUND"` && d.only(validate.Missing)
	},
	"extra enum": func(d *pydanticDifference) bool {
		return d.only(validate.NotAMember) && d.field.Type.Kind == signature.String && d.field.Type.Name == ""
	},
	"pattern of the whole text": func(d *pydanticDifference) bool {
		return d.only(validate.NoMatch) && regexp.MustCompile(d.field.Type.Pattern.Source).MatchString(d.value.Text)
	},
	"pattern outside ASCII": func(d *pydanticDifference) bool {
		return d.only(validate.NoMatch) && strings.ContainsFunc(d.value.Text, func(r rune) bool { return r > 126 })
	},
	"moments written as numbers": func(d *pydanticDifference) bool {
		number := d.value.Kind == jsontree.Number || strings.Trim(d.value.Text, "0123456789.") == ""
		return number && d.only(validate.WrongFormat)
	},
	"boolean for a number":    func(d *pydanticDifference) bool { return d.value.Kind == jsontree.Bool && d.only(validate.WrongType) },
	"nan and infinities":      func(d *pydanticDifference) bool { return d.value.Text == "nan" && d.only(validate.WrongType) },
	"repeated items of a set": func(d *pydanticDifference) bool { return d.only(validate.NotUnique) },
}

// What pydantic says of arguments to the class whose schema is published
// holds here too, except for the reviewed classes of differences.
func TestRecordedVerdictsOfPydantic(t *testing.T) {
	list := readDifferences(t, "testdata/pydantic_expected.txt")
	agree, differ, unregistered := 0, 0, 0
	for _, row := range rows[*pydanticRow](t, "../signature/testdata/pydantic_schema.jsonl") {
		c, err := pydanticCommand(row)
		if err != nil {
			unregistered++
			if list.cover(func(class string) bool {
				part, ok := strings.CutPrefix(class, "cannot be registered: ")
				return ok && strings.Contains(err.Error(), part)
			}) == "" {
				t.Errorf("%s: the schema is refused: %v", row.Name, err)
			}
			continue
		}
		for i, p := range row.Payloads {
			a := c.call(t, string(p.Payload))
			ours := map[string][]validate.Problem{}
			for _, problem := range a.Problems {
				ours[topName(problem.Field)] = append(ours[topName(problem.Field)], problem)
			}
			refused := map[string]bool{}
			if !p.OK && (p.OKJSON == nil || !*p.OKJSON || !a.OK()) {
				for _, name := range p.Fields {
					refused[topName(name)] = true
				}
			}
			same := true
			for _, name := range slices.Sorted(maps.Keys(merged(ours, refused))) {
				if refused[name] == (len(ours[name]) > 0) {
					continue
				}
				same = false
				d := &pydanticDifference{name: name, refused: refused[name], problems: ours[name], value: &jsontree.Value{}}
				if at := c.Signature().Root().Field(name); at >= 0 {
					d.field = c.Signature().Fields()[at]
				}
				if v := tree(t, string(p.Payload), false).Get(name); v != nil {
					d.value = v
				}
				if list.cover(func(class string) bool {
					holds := pydanticClasses[class]
					return holds != nil && holds(d)
				}) == "" {
					t.Errorf("%s payload %d: %s with %s: pydantic refuses %v, here %+v", row.Name, i, name, d.value.JSON(), d.refused, d.problems)
				}
			}
			if same {
				agree++
			} else {
				differ++
			}
		}
	}
	t.Logf("%d payloads agree, %d differ in reviewed ways, %d schemas cannot be registered", agree, differ, unregistered)
	list.done(t)
}

func pydanticCommand(row *pydanticRow) (*command, error) {
	sig, err := signature.FromSchema(row.Schema)
	if err != nil {
		return nil, err
	}
	o := validate.Options{Collect: true, Resolvers: map[string]lookup.Resolver{}}
	for _, f := range sig.Fields() {
		if f.DBLookup {
			o.Resolvers[f.Name] = declines
		}
	}
	return try(string(row.Schema), o)
}

// topName is the first component of a path.
func topName(path string) string {
	if i := strings.IndexAny(path, ".["); i > 0 {
		return path[:i]
	}
	return path
}

func merged(a map[string][]validate.Problem, b map[string]bool) map[string]bool {
	out := maps.Clone(b)
	for name := range a {
		out[name] = true
	}
	return out
}
