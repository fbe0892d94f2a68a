package validate_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/validate"
)

// A vectorRow is one recorded outcome of fastWorkflow's validation.
type vectorRow struct {
	Fields []*vectorField                          `json:"fields"`
	Raw    json.RawMessage                         `json:"raw"`
	Lookup map[string]map[string][]json.RawMessage `json:"lookup"`
	Hook   *string                                 `json:"hook"`
	Agent  bool                                    `json:"run_as_agent"`
	Want   struct {
		Valid   bool                       `json:"valid"`
		Missing []string                   `json:"missing"`
		Invalid []string                   `json:"invalid"`
		Values  map[string]json.RawMessage `json:"values"`
		HookRan bool                       `json:"hook_ran"`
		Lookups []string                   `json:"lookups"`
		Message string                     `json:"message"`
	} `json:"want"`
}

// A vectorField is a field of the Python class, declaratively.
type vectorField struct {
	Name           string          `json:"name"`
	Type           string          `json:"type"`
	Optional       bool            `json:"optional"`
	Default        json.RawMessage `json:"default"`
	DefaultFactory string          `json:"default_factory"`
	Enum           *struct {
		Name    string               `json:"name"`
		Base    string               `json:"base"`
		Members [][2]json.RawMessage `json:"members"`
	} `json:"enum"`
	Model *struct {
		Name   string         `json:"name"`
		Fields []*vectorField `json:"fields"`
	} `json:"model"`
	Literal  []json.RawMessage          `json:"literal"`
	Pattern  string                     `json:"pattern"`
	Examples []json.RawMessage          `json:"examples"`
	Extra    map[string]json.RawMessage `json:"extra"`
	Ge       json.RawMessage            `json:"ge"`
	Le       json.RawMessage            `json:"le"`
	Gt       json.RawMessage            `json:"gt"`
	Lt       json.RawMessage            `json:"lt"`
	MinLen   json.RawMessage            `json:"min_length"`
	MaxLen   json.RawMessage            `json:"max_length"`
}

// object is a JSON object under construction, in order.
type object []string

func (o *object) put(key string, value []byte) {
	*o = append(*o, string(jsontree.AppendString(nil, key))+":"+string(value))
}
func (o *object) text(key, value string) { o.put(key, jsontree.AppendString(nil, value)) }
func (o object) String() string          { return "{" + strings.Join(o, ",") + "}" }
func (o *object) maybe(key string, v []byte) {
	if len(v) > 0 {
		o.put(key, v)
	}
}
func (o *object) list(key string, l []string) { o.put(key, []byte("["+strings.Join(l, ",")+"]")) }

// schemaOf writes the JSON schema of a Python class: what is not Optional is
// required, which is what stage 2 goes by (FW-67).
func schemaOf(fields []*vectorField) string {
	var properties object
	var required []string
	for _, f := range fields {
		properties.put(f.Name, []byte(f.schema()))
		if !f.Optional {
			required = append(required, string(jsontree.AppendString(nil, f.Name)))
		}
	}
	var root object
	root.text("type", "object")
	root.put("properties", []byte(properties.String()))
	if len(required) > 0 {
		root.list("required", required)
	}
	return root.String()
}

func (f *vectorField) schema() string {
	var s object
	t := f.typeSchema(f.Type)
	if f.Optional {
		s.put("anyOf", []byte("["+t+`,{"type":"null"}]`))
	} else {
		s = append(s, t[1:len(t)-1])
		s = slices.DeleteFunc(s, func(part string) bool { return part == "" })
	}
	if f.Default != nil {
		s.put("default", []byte(f.plain(f.Default)))
	}
	for key, v := range sorted(f.Extra) {
		if key != "pattern" { // FW-61: not a source of patterns
			s.put(key, v)
		}
	}
	if f.Examples != nil {
		examples, _ := json.Marshal(f.Examples)
		s.put("examples", examples)
	}
	return s.String()
}

// typeSchema writes the schema of a type word.
func (f *vectorField) typeSchema(word string) string {
	outer, inner, _ := strings.Cut(word, "[")
	args := arguments(strings.TrimSuffix(inner, "]"))
	var s object
	switch outer {
	case "str":
		s.text("type", "string")
		f.pattern(&s)
		s.maybe("minLength", f.MinLen)
		s.maybe("maxLength", f.MaxLen)
	case "int", "float":
		s.text("type", map[string]string{"int": "integer", "float": "number"}[outer])
		s.maybe("minimum", f.Ge)
		s.maybe("maximum", f.Le)
		s.maybe("exclusiveMinimum", f.Gt)
		s.maybe("exclusiveMaximum", f.Lt)
	case "bool":
		s.text("type", "boolean")
	case "enum":
		var values, names []string
		for _, m := range f.Enum.Members {
			if !slices.Contains(values, string(m[1])) { // an alias is no member of its own
				values, names = append(values, string(m[1])), append(names, string(m[0]))
			}
		}
		s.list("enum", values)
		s.list("x-enum-varnames", names)
	case "literal":
		var values []string
		for _, v := range f.Literal {
			values = append(values, string(v))
		}
		s.list("enum", values)
	case "list", "List", "set":
		s.text("type", "array")
		if len(args) > 0 {
			s.put("items", []byte(f.typeSchema(args[0])))
		} else if outer == "List" {
			s.put("items", []byte(`{"type":"string"}`)) // FW-56
		} else {
			s.put("items", []byte("{}"))
		}
		if outer == "set" {
			s.put("uniqueItems", []byte("true"))
		}
	case "tuple":
		var items []string
		for _, a := range args {
			items = append(items, f.typeSchema(a))
		}
		s.text("type", "array")
		s.list("prefixItems", items)
		s.put("minItems", fmt.Append(nil, len(items)))
		s.put("maxItems", fmt.Append(nil, len(items)))
	case "dict":
		s.text("type", "object")
		rest := "true"
		if len(args) > 0 {
			rest = f.typeSchema(args[1])
		}
		s.put("additionalProperties", []byte(rest))
	case "model":
		return schemaOf(f.Model.Fields)
	case "date":
		s.text("type", "string")
		s.text("format", "date")
	case "datetime":
		s.text("type", "string")
		s.text("format", "date-time")
	case "bytes":
		s.text("type", "string")
		s.text("format", "binary")
	case "any":
	case "optional", "pep604":
		s.put("anyOf", []byte("["+f.typeSchema(args[0])+`,{"type":"null"}]`))
	case "union":
		var members []string
		for _, a := range args {
			members = append(members, f.typeSchema(a))
		}
		s.list("anyOf", members)
	default:
		panic("no schema for the type word " + word)
	}
	return s.String()
}

func (f *vectorField) pattern(s *object) {
	if f.Pattern != "" {
		s.text("pattern", f.Pattern)
	}
}

// arguments splits the arguments of a type word at the commas between them.
func arguments(list string) []string {
	var out []string
	depth, start := 0, 0
	for i := 0; i <= len(list); i++ {
		switch {
		case i == len(list) || list[i] == ',' && depth == 0:
			if i > start {
				out = append(out, list[start:i])
			}
			start = i + 1
		case list[i] == '[':
			depth++
		case list[i] == ']':
			depth--
		}
	}
	return out
}

// plain undoes the tags of a recorded value: what a caller would send.
func (f *vectorField) plain(tagged []byte) string {
	doc, fault := jsontree.Parse(string(tagged), jsontree.Limits{}, nil)
	if fault != nil {
		panic(fault)
	}
	return string(f.untagged(&doc.Root).Append(nil))
}

func (f *vectorField) untagged(v *jsontree.Value) *jsontree.Value {
	out := *v
	out.Raw = ""
	switch v.Kind {
	case jsontree.List:
		out.Items = nil
		for i := range v.Items {
			out.Items = append(out.Items, *f.untagged(&v.Items[i]))
		}
	case jsontree.Object:
		if len(v.Members) == 1 && strings.HasPrefix(v.Members[0].Name, "$") {
			return f.tagged(v.Members[0].Name, &v.Members[0].Value)
		}
		out.Members = nil
		for _, m := range v.Members {
			out.Members = append(out.Members, jsontree.Member{Name: m.Name, Value: *f.untagged(&m.Value)})
		}
	}
	return &out
}

func (f *vectorField) tagged(tag string, v *jsontree.Value) *jsontree.Value {
	out := *v
	out.Raw = ""
	switch tag {
	case "$int", "$float":
		if doc, fault := jsontree.Parse(v.Text, jsontree.Limits{}, nil); fault == nil && doc.Root.Kind == jsontree.Number {
			out = jsontree.Digits(v.Text) // nan and inf stay text: JSON has no number for them
		}
	case "$enum":
		for _, m := range f.Enum.Members {
			if string(m[0]) == v.JSON() {
				doc, _ := jsontree.Parse(string(m[1]), jsontree.Limits{}, nil)
				out = doc.Root
			}
		}
	case "$date", "$datetime", "$bytes":
	default: // $model, $tuple, $set, $dict
		return f.untagged(v)
	}
	return &out
}

// A vectorLookup answers for one field as the recorded one did, item by item
// where the record has the list as a whole (FW-72).
type vectorLookup struct {
	field   *vectorField
	answers map[string][]json.RawMessage
	asked   *[]string
}

func (l vectorLookup) Resolve(_ context.Context, value string) (lookup.Result, error) {
	*l.asked = append(*l.asked, l.field.Name)
	for key, triple := range sorted(l.answers) {
		items, at := []string{key}, 0
		if key != "" && (key[0] == '[' || key[0] == '{') {
			items = l.texts(key)
		}
		if at = slices.Index(items, value); at < 0 {
			continue
		}
		suggestions := l.texts(string(triple[2]))
		switch {
		case string(triple[0]) == "true":
			matches := l.texts(string(triple[1]))
			return lookup.Result{Verdict: lookup.Applied, Match: matches[min(at, len(matches)-1)]}, nil
		case triple[2][0] == '[' && len(suggestions) > 0:
			return lookup.Result{Verdict: lookup.Rejected, Suggestions: suggestions}, nil
		}
		break
	}
	return lookup.Result{Verdict: lookup.Declined}, nil
}

// texts reads a recorded value, or list of them, as the texts a Resolver
// deals in.
func (l vectorLookup) texts(recorded string) []string {
	doc, fault := jsontree.Parse(l.field.plain([]byte(recorded)), jsontree.Limits{}, nil)
	if fault != nil {
		panic(fault)
	}
	values := []jsontree.Value{doc.Root}
	if doc.Root.Kind == jsontree.List {
		values = doc.Root.Items
	}
	var out []string
	for _, v := range values {
		if v.Kind == jsontree.String {
			out = append(out, v.Text)
		} else {
			out = append(out, v.JSON())
		}
	}
	return out
}

// A fieldOutcome is what became of one field: "valid", "missing", "invalid"
// or several of them.
type fieldOutcome struct {
	state string
	value string // JSON, if valid
}

// A vectorDifference is one field whose outcome here is not the recorded one.
type vectorDifference struct {
	row        *vectorRow
	field      *vectorField
	raw        *jsontree.Value // as sent; nil if the field was not
	want, ours fieldOutcome
	problems   []validate.Problem
}

// A vectorRun is a recorded row run here.
type vectorRun struct {
	row     *vectorRow
	err     error // the schema cannot be registered
	answer  answer
	all     map[string]string // accepted values, whatever the outcome of the call
	hookRan bool
	asked   []string
	raw     *jsontree.Value
}

func runVector(t *testing.T, row *vectorRow) *vectorRun {
	run := &vectorRun{row: row, all: map[string]string{}}
	o := validate.Options{Collect: true, Logger: silent, Resolvers: map[string]lookup.Resolver{}}
	for _, f := range row.Fields {
		if string(f.Extra["db_lookup"]) == "true" {
			o.Resolvers[f.Name] = vectorLookup{f, row.Lookup[f.Name], &run.asked}
		}
	}
	if row.Hook != nil {
		o.Hook = func(context.Context, any) (bool, string) {
			run.hookRan = true
			verdict, text, _ := strings.Cut(*row.Hook, ":")
			if verdict == "raise" {
				panic(text)
			}
			return verdict == "accept", text
		}
	}
	var c *command
	if c, run.err = try(schemaOf(row.Fields), o); run.err != nil {
		return run
	}
	run.raw = tree(t, string(row.Raw), false)
	run.raw.Raw = "" // its members are about to change
	for i := range run.raw.Members {
		m := &run.raw.Members[i]
		for _, f := range row.Fields {
			if f.Name == m.Name {
				m.Value = *f.untagged(&m.Value)
			}
		}
	}
	loosen(run.raw)
	sent := tree(t, string(run.raw.Append(nil)), true)
	v := c.Begin()
	defer v.Release()
	v.Load(sent)
	run.answer = answer{Report: v.Run(context.Background()), input: v.Input()}
	values := v.AppendJSON(nil)
	if run.answer.OK() {
		if err := c.oracle.accepts(values); err != nil {
			t.Errorf("the call %s runs with %s, which the published schema refuses: %v", row.Raw, values, err)
		}
	}
	for _, m := range tree(t, string(values), false).Members {
		run.all[m.Name] = m.Value.JSON()
	}
	return run
}

func (r *vectorRun) ours(f *vectorField) (o fieldOutcome, problems []validate.Problem) {
	var states []string
	for _, p := range r.answer.Problems {
		name, _, _ := strings.Cut(p.Field, ".")
		name, _, _ = strings.Cut(name, "[")
		if name != f.Name || p.Kind == validate.HookRefused {
			continue
		}
		problems = append(problems, p)
		if p.Kind == validate.Missing {
			states = append(states, "missing")
		} else {
			states = append(states, "invalid")
		}
	}
	slices.Sort(states)
	o.state = strings.Join(slices.Compact(states), "+")
	if o.state == "" {
		o.state = "valid"
		o.value = "null" // not set; the record has null for it
		if v, ok := r.all[f.Name]; ok {
			o.value = v
		}
	}
	return o, problems
}

func (r *vectorRun) want(f *vectorField) (o fieldOutcome) {
	var states []string
	if slices.Contains(r.row.Want.Invalid, f.Name) {
		states = append(states, "invalid")
	}
	if slices.Contains(r.row.Want.Missing, f.Name) {
		states = append(states, "missing")
	}
	o.state = strings.Join(states, "+")
	if o.state == "" {
		o.state = "valid"
		o.value = f.plain(r.row.Want.Values[f.Name])
	}
	return o
}

// vectorClasses say which differences a line of the list covers.
var vectorClasses = map[string]func(d *vectorDifference) bool{
	// Sentinels and empty values.
	"sentinel of an optional field": func(d *vectorDifference) bool {
		return d.want.state == "valid" && d.ours.value == "null" && isSentinelJSON(d.want.value)
	},
	"numeric sentinel for a list": func(d *vectorDifference) bool {
		return strings.HasPrefix(d.field.Type, "list[") && d.rawIs(jsontree.Number) && isSentinelJSON(d.raw.JSON()) && d.want.state == "valid"
	},
	"null where any value goes": func(d *vectorDifference) bool {
		return d.field.Type == "any" && d.rawIs(jsontree.Null) && d.ours.value == "null"
	},
	"blank for an optional field": func(d *vectorDifference) bool {
		return d.field.Optional && d.rawIs(jsontree.String) && strings.TrimSpace(d.raw.Text) == "" && d.ours.value == "null"
	},
	"list written empty": func(d *vectorDifference) bool {
		return d.listField() && d.rawIs(jsontree.String) && strings.Join(strings.Fields(d.raw.Text), "") == "[]" && d.ours.state == "missing"
	},
	"missing, and invalid as well": func(d *vectorDifference) bool {
		return d.want.state == "invalid+missing" && d.ours.state == "missing"
	},
	"numeric sentinel for a union": func(d *vectorDifference) bool {
		return strings.HasPrefix(d.field.Type, "union[list") && d.rawIs(jsontree.Number) && isSentinelJSON(d.raw.JSON()) && d.ours.state == "missing"
	},
	"empty list for a union": func(d *vectorDifference) bool {
		return strings.HasPrefix(d.field.Type, "union[list") && d.rawIs(jsontree.List) && d.ours.value == "[]" && d.want.state == "missing"
	},
	"default list of a required field": func(d *vectorDifference) bool {
		return d.raw == nil && string(d.field.Default) == "[]" && d.want.state == "missing" && d.ours.value == "[]"
	},

	// Text.
	"str() of a boolean": func(d *vectorDifference) bool {
		return d.bothValid() && strings.NewReplacer("True", "true", "False", "false").Replace(d.want.value) == d.ours.value
	},
	"str() of a number": func(d *vectorDifference) bool {
		var want, ours []string
		if !d.bothValid() || json.Unmarshal([]byte(d.want.value), &want) != nil || json.Unmarshal([]byte(d.ours.value), &ours) != nil || len(want) != len(ours) {
			return false
		}
		for i := range want {
			x, errX := strconv.ParseFloat(want[i], 64)
			y, errY := strconv.ParseFloat(ours[i], 64)
			if want[i] != ours[i] && x != y || errX != nil || errY != nil && !math.IsInf(y, 0) {
				return false
			}
		}
		return true
	},
	"str() of a list, an object or null": func(d *vectorDifference) bool {
		return d.takes("str") && d.want.state == "valid" && d.ours.state == "invalid" && d.only(validate.WrongType) &&
			(d.rawIs(jsontree.List) || d.rawIs(jsontree.Object) || strings.HasSuffix(d.problems[0].Field, "]"))
	},
	"one-element list for a scalar": func(d *vectorDifference) bool {
		if d.raw == nil || d.ours.state != "valid" {
			return false
		}
		raw := d.raw.JSON()
		if d.raw.Kind == jsontree.String {
			raw = d.raw.Text
		}
		bare := strings.NewReplacer("[", "", "]", "", `"`, "", " ", "")
		unwrapped := bare.Replace(d.ours.value)
		if d.takes("bool") {
			unwrapped = strings.NewReplacer("true", "1", "false", "0").Replace(unwrapped)
		}
		return strings.Count(raw, "[") > strings.Count(d.ours.value, "[") && (unwrapped == bare.Replace(raw) || d.lookedUp())
	},
	"one value for a list": func(d *vectorDifference) bool {
		scalar := d.rawIs(jsontree.Number) || d.rawIs(jsontree.Bool) || d.field.Type == "list" || d.field.Type == "set[str]"
		return scalar && strings.Contains(strings.ToLower(d.field.Type), "list") && strings.HasPrefix(d.ours.value, "[")
	},
	"JSON that is no list": func(d *vectorDifference) bool {
		asAWhole := d.only(validate.WrongType) && d.problems[0].Field == d.field.Name
		return d.listField() && d.rawIs(jsontree.String) && d.raw.Text != "" && strings.ContainsAny(d.raw.Text[:1], "[{") && asAWhole
	},
	"lists of another notation": func(d *vectorDifference) bool {
		return d.listField() && d.ours.state == "invalid" && d.want.state == "valid" && d.rawIs(jsontree.String) &&
			strings.IndexAny(strings.TrimSpace(d.raw.Text), "<(") == 0 && d.problems[0].Field == d.field.Name
	},
	"nothing between commas": func(d *vectorDifference) bool {
		if !d.listField() || !d.rawIs(jsontree.String) {
			return false
		}
		parts := strings.Split(d.raw.Text, ",")
		last := strings.TrimSpace(parts[len(parts)-1]) == "" // which ends the last item
		empty := slices.ContainsFunc(parts[:len(parts)-1], func(part string) bool { return strings.TrimSpace(part) == "" })
		return len(parts) > 1 && (empty && d.ours.state == "invalid" || last && d.ours.state == "valid")
	},
	"quotes that do not wrap an item": func(d *vectorDifference) bool {
		return d.takes("str") && d.listField() && d.ours.state == "invalid" && d.want.state == "valid" && d.rawIs(jsontree.String) &&
			strings.ContainsAny(d.raw.Text, `"'`) && d.problems[0].Field == d.field.Name
	},
	"items separated by blanks": func(d *vectorDifference) bool {
		if !strings.HasPrefix(d.field.Type, "list[") || d.takes("str") || !d.rawIs(jsontree.String) || strings.ContainsAny(d.raw.Text, "[,") || d.ours.state != "valid" {
			return false
		}
		words := len(strings.Fields(d.raw.Text))
		return words > 1 && words == strings.Count(d.ours.value, ",")+1
	},
	"blanks around a value that must match": func(d *vectorDifference) bool {
		return d.field.Pattern != "" && d.rawIs(jsontree.String) && d.ours.value == quoted(strings.TrimSpace(d.raw.Text)) && d.ours.value != quoted(d.raw.Text) && d.want.state == "invalid"
	},
	"pattern outside ASCII": func(d *vectorDifference) bool {
		unicode := d.rawIs(jsontree.String) && strings.ContainsFunc(d.raw.Text, func(r rune) bool { return r > 126 || r < ' ' })
		return d.field.Pattern != "" && unicode && (d.only(validate.NoMatch) || d.bothValid() && d.ours.value == quoted("x"))
	},
	"pattern of what is no text": func(d *vectorDifference) bool {
		return d.field.Pattern != "" && d.field.Type != "str" && d.want.state == "invalid" && d.ours.state == "valid"
	},

	// Numbers and booleans.
	"whole number written with a fraction or exponent": func(d *vectorDifference) bool {
		return d.takes("int") && d.raw != nil && strings.ContainsAny(d.raw.JSON(), ".eE") && d.ours.state == "valid" && d.want.state == "invalid"
	},
	"number beyond the exact floats": func(d *vectorDifference) bool {
		return d.takes("float") && d.bothValid() && sameFloats(d.want.value, d.ours.value)
	},
	"nan and infinities": func(d *vectorDifference) bool {
		return d.takes("float") && strings.Contains(d.want.value, `nan"`) || d.takes("float") && strings.Contains(d.want.value, `inf"`)
	},
	"booleans other than 0 and 1": func(d *vectorDifference) bool {
		return d.takes("bool") && strings.Contains(d.want.value, "true") && d.ours.state != "missing" && !strings.Contains(d.ours.value, "false")
	},
	"yes, no, on, off": func(d *vectorDifference) bool {
		return d.takes("bool") && d.rawIs(jsontree.String) && slices.Contains([]string{"yes", "no", "on", "off"}, strings.ToLower(strings.TrimSpace(d.raw.Text))) && d.ours.state == "valid"
	},
	"bounds and lengths": func(d *vectorDifference) bool {
		return d.only(validate.OutOfRange) || d.only(validate.WrongLength)
	},

	// Vocabularies.
	"enum, case and blanks": func(d *vectorDifference) bool {
		return d.takes("enum") && d.want.state == "invalid" && d.ours.state == "valid" && d.rawIs(jsontree.String) &&
			foldedEqual(d.raw.Text, d.ours.value)
	},
	"enum by value": func(d *vectorDifference) bool {
		return d.takes("enum") && d.want.state == "invalid" && d.raw != nil && sameJSONNumber(strings.Trim(d.raw.JSON(), `"`), d.ours.value)
	},
	"enum, value before name": func(d *vectorDifference) bool {
		return d.takes("enum") && d.bothValid() && d.rawIs(jsontree.String) && foldedEqual(d.raw.Text, d.ours.value)
	},
	"extra enum": func(d *vectorDifference) bool { return d.field.Extra["enum"] != nil && d.only(validate.NotAMember) },

	// Types the Python does not validate.
	"tuple or set for a list": func(d *vectorDifference) bool {
		tagged := bytes.Contains(d.row.Raw, []byte(`"$tuple"`)) || bytes.Contains(d.row.Raw, []byte(`"$set"`))
		return tagged && d.listField() && d.raw.JSON() == d.ours.value
	},
	"types that are always invalid": func(d *vectorDifference) bool {
		outer, inner, _ := strings.Cut(d.field.Type, "[")
		always := []string{"model", "dict", "any", "literal", "date", "datetime", "set", "tuple", "list]", "pep604", "bytes"}
		never := slices.Contains(always, outer) || outer == "list" && inner == "" || slices.Contains([]string{"dict]", "date]", "optional[str]]", "model]"}, inner)
		return never && strings.HasPrefix(d.want.state, "invalid") || outer == "pep604"
	},

	// Unions.
	"union, JSON value of a member's type": func(d *vectorDifference) bool {
		return strings.HasPrefix(d.field.Type, "union") && d.bothValid() && d.raw != nil && d.raw.JSON() == d.ours.value
	},

	// Lookup.
	"lookup whose answer is no text": func(d *vectorDifference) bool {
		return d.lookedUp() && d.bothValid() && strings.Trim(d.ours.value, `"`) == d.want.value
	},
}

func (d *vectorDifference) rawIs(k jsontree.Kind) bool { return d.raw != nil && d.raw.Kind == k }
func (d *vectorDifference) bothValid() bool {
	return d.want.state == "valid" && d.ours.state == "valid"
}
func (d *vectorDifference) only(k validate.Kind) bool {
	return len(d.problems) > 0 && !slices.ContainsFunc(d.problems, func(p validate.Problem) bool { return p.Kind != k })
}
func (d *vectorDifference) lookedUp() bool { return string(d.field.Extra["db_lookup"]) == "true" }
func (d *vectorDifference) listField() bool {
	return strings.HasPrefix(strings.ToLower(d.field.Type), "list")
}

// takes reports whether the type word has the scalar in it.
func (d *vectorDifference) takes(scalar string) bool {
	words := strings.FieldsFunc(d.field.Type, func(r rune) bool { return strings.ContainsRune("[],", r) })
	return slices.Contains(words, scalar) || scalar == "str" && d.field.Type == "List"
}

func quoted(s string) string { return string(jsontree.AppendString(nil, s)) }

func isSentinelJSON(v string) bool {
	switch v {
	case `"NOT_FOUND"`, "-9223372036854775807", "-1.7976931348623157e+308":
		return true
	}
	return false
}

// foldedEqual compares a text with a JSON value as D-5 folds vocabularies.
func foldedEqual(text, value string) bool {
	fold := strings.NewReplacer(" ", "", "-", "", "_", "")
	doc, fault := jsontree.Parse(value, jsontree.Limits{}, nil)
	return fault == nil && doc.Root.Kind == jsontree.String && strings.EqualFold(fold.Replace(text), fold.Replace(doc.Root.Text))
}

func sameJSONNumber(a, b string) bool {
	x, faultX := jsontree.Parse(a, jsontree.Limits{}, nil)
	y, faultY := jsontree.Parse(b, jsontree.Limits{}, nil)
	return faultX == nil && faultY == nil && x.Root.Kind == jsontree.Number && y.Root.Kind == jsontree.Number && sameNumber(a, b)
}

// sameFloats reports whether two numbers, or lists of them, are equal once
// they are rounded to float64.
func sameFloats(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// Every recorded outcome of fastWorkflow's validation holds here too, except
// for the reviewed classes of differences.
func TestRecordedOutcomesOfValidation(t *testing.T) {
	list := readDifferences(t, "testdata/fw_validate_expected.txt")
	for _, e := range list.classes {
		if vectorClasses[e.class] == nil && !strings.HasPrefix(e.class, "cannot be registered: ") && !strings.HasPrefix(e.class, "row ") && e.class != skippedLookups {
			t.Errorf("%s: there is no class %q", list.path, e.class)
		}
	}
	for _, file := range []string{"fw_validate", "fw_validate_2"} {
		agree, differ, unregistered := 0, 0, 0
		for i, row := range rows[*vectorRow](t, "testdata/"+file+".jsonl") {
			where := fmt.Sprintf("%s %d", file, i+1)
			run := runVector(t, row)
			if run.err != nil {
				unregistered++
				if list.cover(func(class string) bool {
					part, ok := strings.CutPrefix(class, "cannot be registered: ")
					return ok && strings.Contains(run.err.Error(), part)
				}) == "" {
					t.Errorf("%s: the schema is refused: %v", where, run.err)
				}
				continue
			}
			if checkVector(t, list, where, run) {
				agree++
			} else {
				differ++
			}
		}
		t.Logf("%s: %d rows agree, %d differ in reviewed ways, %d cannot be registered", file, agree, differ, unregistered)
	}
	list.done(t)
}

const skippedLookups = "lookup of a value known to be wrong"

// checkVector reports whether the row agrees; a difference that no line of
// the list covers is an error.
func checkVector(t *testing.T, list *differences, where string, run *vectorRun) bool {
	agree, sameVerdicts := true, true
	for _, f := range run.row.Fields {
		d := &vectorDifference{row: run.row, field: f, want: run.want(f), raw: run.raw.Get(f.Name)}
		d.ours, d.problems = run.ours(f)
		if d.want.state == d.ours.state && (d.want.state != "valid" || sameJSON(t, d.want.value, d.ours.value)) {
			continue
		}
		agree = false
		sameVerdicts = sameVerdicts && d.want.state == d.ours.state
		if list.cover(func(class string) bool {
			if row, ok := strings.CutPrefix(class, "row "); ok {
				return row == where
			}
			holds := vectorClasses[class]
			return holds != nil && holds(d)
		}) == "" {
			raw := "nothing"
			if d.raw != nil {
				raw = d.raw.JSON()
			}
			t.Errorf("%s: field %s (%s, optional %v) with %s is %s %s %v, recorded %s %s", where, f.Name, f.Type, f.Optional, raw,
				d.ours.state, d.ours.value, d.problems, d.want.state, d.want.value)
		}
	}
	clean := run.answer.Stage == "" || run.answer.Stage == validate.StageHook
	if run.hookRan != (clean && run.row.Hook != nil) {
		t.Errorf("%s: the hook ran: %v, and stages 1 to 3 were clean: %v", where, run.hookRan, clean)
	}
	if sameVerdicts {
		if run.answer.OK() != run.row.Want.Valid || run.hookRan != run.row.Want.HookRan {
			t.Errorf("%s: valid %v, hook ran %v; recorded %v, %v", where, run.answer.OK(), run.hookRan, run.row.Want.Valid, run.row.Want.HookRan)
		}
		checkVectorMessage(t, where, run)
	}
	return checkVectorLookups(t, list, where, run) && agree
}

// checkVectorLookups compares which fields were looked up, in order. Values
// that stage 1 or 2 found at fault are not looked up here (FW-53, FW-214).
func checkVectorLookups(t *testing.T, list *differences, where string, run *vectorRun) bool {
	asked := slices.Compact(slices.Clone(run.asked))
	if slices.Equal(asked, run.row.Want.Lookups) {
		return true
	}
	var want []string
	for _, name := range run.row.Want.Lookups {
		at := slices.IndexFunc(run.row.Fields, func(f *vectorField) bool { return f.Name == name })
		ours, problems := run.ours(run.row.Fields[at])
		if ours.state == "valid" && ours.value != "null" || len(problems) > 0 && problems[0].Kind == validate.NotFound {
			want = append(want, name)
		}
	}
	if !slices.Equal(asked, want) || list.cover(func(class string) bool { return class == skippedLookups }) == "" {
		t.Errorf("%s: looked up %v, recorded %v", where, asked, run.row.Want.Lookups)
	}
	return false
}

var (
	namedMissing   = regexp.MustCompile(`(?m)^Missing parameter values: (.*)$`)
	namedProducers = regexp.MustCompile(`(?m)use the (.*) command\(s\) to get (\S+) information`)
	namedChoices   = regexp.MustCompile(`(?m)Did you mean one of these \S+? (.*)$`)
)

// checkVectorMessage: our text replaces the Python's (D-8), but says no less:
// every field that it names, every command that supplies a value, and every
// suggestion.
func checkVectorMessage(t *testing.T, where string, run *vectorRun) {
	recorded := run.row.Want.Message
	if recorded == "" {
		return
	}
	ours := validate.Message("Ctx/cmd", run.answer.Problems, validate.Wording{Human: !run.row.Agent})
	var needed []string
	needed = append(needed, run.row.Want.Invalid...)
	for _, m := range namedMissing.FindAllStringSubmatch(recorded, -1) {
		needed = append(needed, strings.Split(m[1], ", ")...)
	}
	for _, m := range namedProducers.FindAllStringSubmatch(recorded, -1) {
		needed = append(needed, strings.Split(m[1], " or ")...)
	}
	for _, m := range namedChoices.FindAllStringSubmatch(recorded, -1) {
		needed = append(needed, strings.Split(m[1], ", ")...)
	}
	if run.hookRan && strings.HasPrefix(*run.row.Hook, "reject:") {
		needed = append(needed, strings.Split(strings.TrimPrefix(*run.row.Hook, "reject:"), "\n")...)
	}
	for _, word := range needed {
		if !strings.Contains(ours, word) {
			t.Errorf("%s: the message does not say %q:\n%s\nrecorded:\n%s", where, word, ours, recorded)
		}
	}
	if human := strings.Contains(ours, "'abort'"); human == run.row.Agent && !run.hookRan {
		t.Errorf("%s: wrong wording for agent %v:\n%s", where, run.row.Agent, ours)
	}
}
