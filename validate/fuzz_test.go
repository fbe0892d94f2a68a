package validate_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/validate"
)

// ---- random schemas and arguments

// draws makes random schemas and values for them.
type draws struct{ *rapid.T }

func (d draws) one(name string, words ...string) string {
	return rapid.SampledFrom(words).Draw(d.T, name)
}

func (d draws) chance(name string, percent int) bool {
	return rapid.IntRange(0, 99).Draw(d.T, name) < percent
}

func (d draws) count(name string, low, high int) int {
	return rapid.IntRange(low, high).Draw(d.T, name)
}

// schema draws a schema of bounded depth, without defaults and formats.
func (d draws) schema(depth int) string {
	kinds := []string{"string", "pattern", "length", "integer", "range", "number", "multiple", "boolean", "words", "numbers", "mixed", "any"}
	if depth > 0 {
		kinds = append(kinds, "array", "array", "unique", "tuple", "object", "object", "map", "union", "union", "nullable")
	}
	switch kind := d.one("kind", kinds...); kind {
	case "string":
		return `{"type":"string"}`
	case "pattern":
		return `{"type":"string","pattern":"` + d.one("pattern", "^[a-z]+$", "^#?W[0-9]{1,3}$", "^( x|x)$") + `"}`
	case "length":
		return fmt.Sprintf(`{"type":"string","minLength":%d,"maxLength":%d}`, d.count("min", 0, 2), d.count("max", 2, 5))
	case "integer":
		return `{"type":"integer"}`
	case "range":
		return fmt.Sprintf(`{"type":"%s","minimum":%d,"exclusiveMaximum":%d}`, d.one("type", "integer", "number"), d.count("min", -5, 0), d.count("max", 1, 9))
	case "number":
		return `{"type":"number"}`
	case "multiple":
		return `{"type":"` + d.one("type", "integer", "number") + `","multipleOf":` + d.one("of", "2", "5", "1") + `}`
	case "boolean":
		return `{"type":"boolean"}`
	case "words":
		return `{"enum":["red","sea green","SEA","None","a,b"]}`
	case "numbers":
		return `{"enum":[1,7,20]}`
	case "mixed":
		return `{"enum":["yes",2,true,null]}`
	case "any":
		return `{}`
	case "array":
		return fmt.Sprintf(`{"type":"array","items":%s,"minItems":%d,"maxItems":%d}`, d.schema(depth-1), d.count("min", 0, 1), d.count("max", 2, 4))
	case "unique":
		return `{"type":"array","uniqueItems":true,"items":` + d.schema(depth-1) + `}`
	case "tuple":
		return `{"type":"array","prefixItems":[` + d.schema(depth-1) + "," + d.schema(depth-1) + `],"minItems":2,"maxItems":2}`
	case "map":
		return `{"type":"object","additionalProperties":` + d.one("rest", "true", d.schema(depth-1)) + `}`
	case "nullable":
		return `{"anyOf":[` + d.schema(depth-1) + `,{"type":"null"}]}`
	case "union":
		members := []string{d.schema(depth - 1), d.schema(depth - 1)}
		if d.chance("third", 30) {
			members = append(members, d.schema(0))
		}
		return `{"anyOf":[` + strings.Join(members, ",") + `]}`
	}
	return d.object(depth)
}

func (d draws) object(depth int) string {
	names := []string{"a", "b", "long_name", "ü"}[:d.count("properties", 0, 4)]
	var properties, required []string
	for _, name := range names {
		properties = append(properties, quoted(name)+":"+d.schema(depth-1))
		if d.chance("required", 50) {
			required = append(required, quoted(name))
		}
	}
	return `{"type":"object","properties":{` + strings.Join(properties, ",") + `},"required":[` + strings.Join(required, ",") +
		`],"additionalProperties":` + d.one("further", "false", "false", `{"type":"integer"}`, "true") + `}`
}

// scalars are values that callers send, well or badly written.
var scalars = []string{`""`, `" "`, `"a"`, `"abc"`, `"x"`, `" x"`, `"W12"`, `"#W1"`, `"5"`, `"5.0"`, `" 7 "`, `"-1"`, `"1,2"`, `"1 2"`, `"red, SEA-GREEN"`, `"a,b"`, `"yes"`, `"None"`, `"null"`,
	`"[1, 2]"`, `"[1, \"x\"]"`, `"['a', 'b']"`, `"[1"`, `"]"`, `"{\"a\": 1}"`, `"{'a': 'x', 'b': None}"`, `"{"`, `"NOT_FOUND"`, `"sea_green"`, `"RED"`, `"\u202e\u001b[1m"`, `"</a><b>"`, `"é日"`,
	"0", "1", "2", "-3", "7", "20", "5.0", "2.5", "-0.0", "1e2", "9007199254740993", "123456789012345678901234567890", "1e400", "1e-400", "-9223372036854775807",
	"true", "false", "null", "[]", "{}"}

// value draws any JSON value.
func (d draws) value(depth int) string {
	if depth <= 0 || d.chance("scalar", 60) {
		return d.one("value", scalars...)
	}
	if d.chance("list", 50) {
		items := make([]string, d.count("items", 0, 3))
		for i := range items {
			items[i] = d.value(depth - 1)
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	var members []string
	for _, name := range []string{"a", "b", "long_name", "ü", "longname", "z\u200b"} {
		if d.chance("member", 40) {
			members = append(members, quoted(name)+":"+d.value(depth-1))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

// fitting draws a value that has a good chance to satisfy the schema.
func (d draws) fitting(s *jsontree.Value, depth int) string {
	if depth <= 0 || d.chance("anything", 5) {
		return d.value(1)
	}
	if members := s.Get("anyOf"); members != nil {
		return d.fitting(&members.Items[d.count("branch", 0, len(members.Items)-1)], depth-1)
	}
	if members := s.Get("enum"); members != nil {
		return members.Items[d.count("member", 0, len(members.Items)-1)].JSON()
	}
	word := ""
	if t := s.Get("type"); t != nil {
		word = t.Text
	}
	switch word {
	case "string":
		return d.one("text", `"a"`, `"abc"`, `" x"`, `"x"`, `"#W12"`, `"W1"`, `""`, `"  "`, `"5"`, `"yes"`, `"[1]"`, `"{}"`, `"null"`, `"é日"`)
	case "integer":
		return d.one("int", "0", "1", "2", "-5", "10", "4.0", "1e1", "-0.0", "9007199254740993")
	case "number":
		return d.one("number", "0", "0.5", "-2.5", "1.50", "10", "1e1", "0.1", "9007199254740993.25")
	case "boolean":
		return d.one("bool", "true", "false")
	case "null":
		return "null"
	case "array":
		var items []string
		if prefix := s.Get("prefixItems"); prefix != nil {
			for i := range prefix.Items {
				items = append(items, d.fitting(&prefix.Items[i], depth-1))
			}
		} else {
			for range d.count("items", 0, 3) {
				items = append(items, d.fitting(s.Get("items"), depth-1))
			}
		}
		return "[" + strings.Join(items, ",") + "]"
	case "object":
		var members []string
		if properties := s.Get("properties"); properties != nil {
			for i := range properties.Members {
				m := &properties.Members[i]
				needed := slices.ContainsFunc(s.Get("required").Items, func(v jsontree.Value) bool { return v.Text == m.Name })
				if needed || d.chance("optional", 60) {
					members = append(members, quoted(m.Name)+":"+d.fitting(&m.Value, depth-1))
				}
			}
		}
		if further := s.Get("additionalProperties"); further.JSON() != "false" && d.chance("further", 30) {
			v := d.value(1)
			if further.Kind == jsontree.Object {
				v = d.fitting(further, depth-1)
			}
			members = append(members, `"extra":`+v)
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	return d.value(2)
}

// ---- what always holds

// outcome is all that a caller and a body can see of one call.
type outcome struct {
	stage    validate.Stage
	problems []validate.Problem
	values   string
}

func outcomeOf(c *command, arguments *jsontree.Value) outcome {
	v := c.Begin()
	defer v.Release()
	v.Load(arguments)
	r := v.Run(context.Background())
	o := outcome{r.Stage, r.Problems, ""}
	if r.OK() {
		o.values = string(v.AppendJSON(nil))
	}
	return o
}

type failer interface {
	Fatalf(format string, args ...any)
	Helper()
}

// alwaysHolds checks one call: an accepted one satisfies the published
// schema, a refused one says why in a text that is safe to show, the same
// call ends the same way twice, and what a call runs with runs again as it
// is.
func alwaysHolds(t failer, tb testing.TB, schema, arguments string, loose, collect bool) {
	t.Helper()
	c, err := try(schema, validate.Options{Collect: collect, Ignore: []string{"_meta"}})
	if err != nil {
		t.Fatalf("schema %s: %v", schema, err)
	}
	read := func(text string) *jsontree.Value {
		doc, fault := jsontree.Parse(text, jsontree.Limits{}, nil)
		if fault != nil {
			t.Fatalf("%s cannot be read: %v", text, fault)
		}
		if loose {
			loosen(&doc.Root)
		}
		return &doc.Root
	}
	o := outcomeOf(c, read(arguments))
	if again := outcomeOf(c, read(arguments)); !reflect.DeepEqual(o, again) {
		t.Fatalf("schema %s, arguments %s: first %+v, then %+v", schema, arguments, o, again)
	}
	if o.stage != "" {
		if len(o.problems) == 0 {
			t.Fatalf("schema %s, arguments %s: stage %s ends the call without a problem", schema, arguments, o.stage)
		}
		checkSafe(tb, "random call", arguments, validate.Message("cmd", o.problems, validate.Wording{}))
		checkData(tb, "random call", o.problems)
		return
	}
	if err := c.oracle.accepts([]byte(o.values)); err != nil {
		t.Fatalf("schema %s, arguments %s: runs with %s, which the schema refuses: %v", schema, arguments, o.values, err)
	}
	if strings.Contains(o.values, "NOT_FOUND") || strings.Contains(o.values, "-9223372036854775807") {
		return // as arguments these say that nothing was found (FW-55)
	}
	loose = false
	if settled := outcomeOf(c, read(o.values)); settled.stage != "" || !sameJSON(tb, settled.values, o.values) {
		t.Fatalf("schema %s, arguments %s: runs with %s, which as arguments gives %+v", schema, arguments, o.values, settled)
	}
}

func TestRandomCalls(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d := draws{r}
		schema := d.object(3)
		root := tree(t, schema, false)
		var arguments string
		if d.chance("fitting", 60) {
			arguments = d.fitting(root, 6)
		} else {
			arguments = d.value(3)
		}
		if !strings.HasPrefix(arguments, "{") {
			arguments = `{"a":` + arguments + `}`
		}
		alwaysHolds(r, t, schema, arguments, d.chance("loose", 30), d.chance("collect", 30))
	})
}

// What is valid is handed through: arguments that satisfy the schema run, and
// no value in them is another one afterwards. The sentinels and an empty list
// for a required list field are "not given" by rule (FW-55, FW-68); a number
// beyond every float and markup that holds another parameter are refused.
func TestWhatIsValidIsHandedThrough(t *testing.T) {
	exempt := []string{"NOT_FOUND", "-9223372036854775807", "1e400", "</a>"}
	valid := 0
	rapid.Check(t, func(r *rapid.T) {
		d := draws{r}
		schema := d.object(3)
		arguments := d.fitting(tree(t, schema, false), 6)
		if !strings.HasPrefix(arguments, "{") || slices.ContainsFunc(exempt, func(word string) bool { return strings.Contains(arguments, word) }) {
			return
		}
		c := make1(t, schema, validate.Options{})
		if c.oracle.accepts([]byte(arguments)) != nil {
			return
		}
		sent := tree(t, arguments, false)
		o := outcomeOf(c, tree(t, arguments, false))
		for _, p := range o.problems {
			if v := sent.Get(p.Field); p.Kind == validate.Missing && v != nil && v.JSON() == "[]" {
				return
			}
		}
		if o.stage != "" {
			r.Fatalf("schema %s refuses %s: %+v", schema, arguments, o.problems)
		}
		if have := tree(t, o.values, false); !contains(have, sent) {
			r.Fatalf("schema %s, arguments %s: runs with %s", schema, arguments, o.values)
		}
		valid++
	})
	if valid < 10 {
		t.Errorf("only %d of the random arguments were valid", valid)
	}
}

// contains reports whether have is sent, with at most null members beside
// those that were sent: optional members that the schema requires.
func contains(have, sent *jsontree.Value) bool {
	switch {
	case have.Kind != sent.Kind:
		return false
	case have.Kind == jsontree.List:
		return slices.EqualFunc(have.Items, sent.Items, func(a, b jsontree.Value) bool { return contains(&a, &b) })
	case have.Kind == jsontree.Object:
		for i := range sent.Members {
			if v := have.Get(sent.Members[i].Name); v == nil || !contains(v, &sent.Members[i].Value) {
				return false
			}
		}
		for i := range have.Members {
			if sent.Get(have.Members[i].Name) == nil && have.Members[i].Value.Kind != jsontree.Null {
				return false
			}
		}
		return true
	}
	return sameValue(have, sent)
}

// fragments are the field schemas that FuzzCheck combines.
var fragments = []string{aText, anInt, aNumber, aBool, colors, texts, integers, aMap, aSize, `{}`,
	`{"type":"string","pattern":"^#W[0-9]+$","default":"#W1"}`,
	`{"type":"string","minLength":1,"maxLength":4}`,
	`{"type":"string","format":"date"}`,
	`{"type":"string","default":"NOT_FOUND"}`,
	`{"type":"integer","minimum":-5,"maximum":5,"multipleOf":2}`,
	`{"type":"number","exclusiveMinimum":0}`,
	`{"enum":["1",1,true,null,"NOT_FOUND"]}`,
	`{"type":"array","uniqueItems":true,"items":{"type":"number"},"maxItems":3}`,
	`{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"minItems":2,"maxItems":2}`,
	`{"type":"array","items":{"type":"array","items":{"enum":["a","b c"]}}}`,
	`{"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"integer"}},{"type":"string"}]}`,
	`{"anyOf":[` + aSize + `,{"type":"boolean"},{"type":"null"}]}`,
	`{"type":"object","additionalProperties":{"type":"array","items":{"type":"integer"}}}`,
	`{"type":"object","properties":{"n":{"type":"integer","aliases":["m"]},"deep":` + aSize + `},"required":["deep"],"additionalProperties":false}`,
}

// FuzzCheck runs any text as the arguments of a command whose three fields
// are chosen by number.
func FuzzCheck(f *testing.F) {
	for i, arguments := range []string{
		`{"a":"5","b":["x"],"c":{"w":1,"h":"2"}}`,
		`{"a":5.0,"b":"[1, 2","c":null,"_meta":1}`,
		`{"a":"NOT_FOUND","b":"{'w': 1, 'h': 2}","c":"1, 2"}`,
		`{"a":{"n":1,"m":2,"deep":{}},"b":[[["a"]]],"c":-9223372036854775807}`,
		`{"a":"</a><b>","b":"\u202e","c":1e999999999}`,
		`{"a":[1,1.0,1e0],"a":2}`, `{"a":`, `[]`, `{}{}`, "{\"a\":\"\xff\"}",
		`{"a":"['x', \"y\"]","b":" yes ","c":"- a\n- b"}`,
		`{"a":"{'a':1,'a':2}"}`, `{"b":"((((1"}`, `{"c":[0.0,-0,1e-999]}`,
	} {
		f.Add(uint32(i*7919), arguments)
	}
	f.Fuzz(func(t *testing.T, choice uint32, arguments string) {
		n := uint32(len(fragments))
		fields := []string{fragments[choice%n], fragments[choice/n%n], fragments[choice/n/n%n]}
		schema := `{"type":"object","properties":{"a":` + fields[0] + `,"b":` + fields[1] + `,"c":` + fields[2] + `},"required":["a","c"]`
		flags := choice / n / n / n
		schema += []string{``, `,"additionalProperties":false`, `,"additionalProperties":{"type":"integer"}`, `,"additionalProperties":true`}[flags%4] + `}`
		doc, fault := jsontree.Parse(arguments, jsontree.Limits{Bytes: 1 << 16, Depth: 64}, nil)
		c := make1(t, schema, validate.Options{})
		var p validate.Problem
		switch {
		case fault != nil:
			p = c.DocumentProblem(fault, arguments)
		case doc.Root.Kind != jsontree.Object:
			p = c.NotAnObjectProblem(&doc.Root)
		default:
			alwaysHolds(t, t, schema, arguments, flags/4%2 == 1, flags/8%2 == 1)
			return
		}
		checkSafe(t, "document "+strconv.Quote(arguments), arguments, validate.Message("cmd", []validate.Problem{p}, validate.Wording{}))
		checkData(t, "document", []validate.Problem{p})
	})
}
