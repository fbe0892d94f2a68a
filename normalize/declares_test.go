package normalize

import (
	"fmt"
	"strings"
	"testing"
)

// What a parameter's schema declares (rules N-3, N-4, N-5): "list", "map",
// "either" or "" for nothing.
func TestWhatASchemaDeclares(t *testing.T) {
	const defs = `"$defs":{"List":{"type":"array"},"Map":{"type":"object"},"Text":{"type":"string"},"Any":{},
		"a/b":{"type":"array"},"a~b":{"type":"array"},"a b":{"type":"array"},"é":{"type":"array"},"~1":{"type":"array"},"":{"type":"array"},"100%":{"type":"array"},
		"Loop":{"$ref":"#/$defs/Loop"},"Ping":{"$ref":"#/$defs/Pong"},"Pong":{"anyOf":[{"$ref":"#/$defs/Ping"},{"type":"array"}]},
		"Ring":{"type":"array","allOf":[{"$ref":"#/$defs/Ring"}]},
		"Embedded":{"$id":"https://h.example/e","$defs":{"List":{"type":"object"}},"properties":{"x":{"$ref":"#/$defs/List"}},"$ref":"#/$defs/List"},
		"Anchor":{"$id":"#anchor","$ref":"#/$defs/List"}}`
	tests := []struct{ schema, want string }{
		{`{"type":"array"}`, "list"},
		{`{"type":"object"}`, "map"},
		{`{"type":["array","object"]}`, "either"},
		{`{"type":["array","null"]}`, "list"},
		{`{"type":["array","integer"]}`, "list"},
		{`{"type":"string"}`, ""},
		{`{"type":["array","string"]}`, ""},
		{`{"type":["string","null","object"]}`, ""},
		{`{"type":"integer"}`, ""},
		{`{"type":"null"}`, ""},
		{`{}`, ""},
		{`true`, ""},
		{`false`, ""},
		{`{"items":{"type":"string"}}`, ""}, // a list is implied, not declared
		{`{"properties":{}}`, ""},
		{`{"const":[1]}`, ""},
		// Words JSON Schema does not have may mean anything.
		{`{"type":"list"}`, ""},
		{`{"type":"Array"}`, ""},
		{`{"type":["array","any"]}`, ""},
		{`{"type":["array",{"type":"string"}]}`, ""},
		{`{"type":[]}`, ""},
		{`{"type":5}`, ""},

		{`{"anyOf":[{"type":"array"},{"type":"null"}]}`, "list"},
		{`{"oneOf":[{"type":"object"},{"type":"array"}]}`, "either"},
		{`{"anyOf":[{"type":"array"},{"type":"integer"}]}`, "list"},
		{`{"anyOf":[{"type":"array"},{"type":"string"}]}`, ""},
		{`{"anyOf":[{"type":"array"},{}]}`, ""},
		{`{"anyOf":[{"type":"array"},true]}`, ""},
		{`{"anyOf":[{"type":"array"},false]}`, "list"},
		{`{"anyOf":[{"type":"object"},{"enum":["all","none"]}]}`, ""},
		{`{"anyOf":[{"type":"null"}]}`, ""},
		{`{"anyOf":[]}`, ""},
		{`{"anyOf":[{"anyOf":[{"type":"array"},{"type":"null"}]},{"oneOf":[{"type":"object"}]}]}`, "either"},
		{`{"anyOf":[{"type":"array"}],"oneOf":[{"type":"array"},{"type":"object"}]}`, "list"},
		{`{"anyOf":[{"type":"array"}],"oneOf":[{"type":"object"}]}`, ""},
		// The branches narrow what the type beside them declares; a usual way
		// to say that one of two members is required.
		{`{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}]}`, "map"},
		{`{"type":["array","object"],"anyOf":[{"type":"array"}]}`, "list"},
		// The word string stands there, so it is never decoded (N-4).
		{`{"type":["array","string"],"anyOf":[{"type":"array"}]}`, ""},
		{`{"type":"array","anyOf":[{"type":"array"},{"type":"string"}]}`, ""},

		{`{"allOf":[{"type":"array"}]}`, "list"},
		{`{"allOf":[{"type":"array"},{"minItems":1}]}`, ""},
		{`{"type":"array","allOf":[{"minItems":1},{"maxItems":3}]}`, "list"},
		{`{"allOf":[]}`, ""},
		{`{"not":{"type":"string"}}`, ""},
		{`{"if":{},"then":{"type":"array"},"else":{"type":"array"}}`, ""},

		{`{"$ref":"#/$defs/List"}`, "list"},
		{`{"$ref":"#/$defs/Map","description":"x"}`, "map"},
		{`{"anyOf":[{"$ref":"#/$defs/List"},{"$ref":"#/$defs/Map"},{"type":"null"}]}`, "either"},
		{`{"$ref":"#/$defs/Any"}`, ""},
		{`{"$ref":"#"}`, "map"},
		{`{"$ref":"#/$defs/a~1b"}`, "list"},
		{`{"$ref":"#/$defs/a~0b"}`, "list"},
		{`{"$ref":"#/$defs/~01"}`, "list"},
		{`{"$ref":"#/$defs/a%20b"}`, "list"},
		{`{"$ref":"#/$defs/a b"}`, "list"},
		{`{"$ref":"#/$defs/%C3%A9"}`, "list"},
		{`{"$ref":"#/$defs/é"}`, "list"},
		{`{"$ref":"#/%24defs/List"}`, "list"},
		{`{"$ref":"#/$defs/100%25"}`, "list"},
		{`{"$ref":"#/$defs/"}`, "list"}, // the member named ""
		{`{"$ref":"#/$defs/100%"}`, ""},
		{`{"$ref":"#/$defs/a~b"}`, ""},
		{`{"$ref":"#/$defs/a~2b"}`, ""},
		{`{"$ref":"#/$defs/None"}`, ""},
		{`{"$ref":"#/$defs/List/"}`, ""},
		{`{"$ref":"#/$defs/List/type"}`, ""},
		{`{"$ref":"#$defs/List"}`, ""},
		{`{"$ref":"#List"}`, ""},
		{`{"$ref":"/$defs/List"}`, ""},
		{`{"$ref":"other.json#/$defs/List"}`, ""},
		{`{"$ref":""}`, ""},
		{`{"$ref":5}`, ""},
		{`{"$ref":"#/properties/q/anyOf/1"}`, "list"},
		{`{"$ref":"#/properties/q/anyOf/01"}`, ""},
		{`{"$ref":"#/properties/q/anyOf/-1"}`, ""},
		{`{"$ref":"#/properties/q/anyOf/+1"}`, ""},
		{`{"$ref":"#/properties/q/anyOf/9"}`, ""},
		{`{"$ref":"#/properties/q/anyOf/99999999999999999999"}`, ""},
		// Siblings of $ref count as well as the target.
		{`{"$ref":"#/$defs/Any","type":"array"}`, "list"},
		{`{"$ref":"#/$defs/List","type":"object"}`, ""},
		{`{"$ref":"#/$defs/Text","type":"array"}`, ""},
		{`{"$ref":"#/$defs/List","type":"string"}`, ""},
		{`{"$ref":"#/$defs/List","anyOf":[{"type":"array"},{"type":"object"}]}`, "list"},
		// A cycle says nothing; what stands beside it does.
		{`{"$ref":"#/$defs/Loop"}`, ""},
		{`{"$ref":"#/$defs/Ping"}`, ""},
		{`{"$ref":"#/$defs/Ring"}`, "list"},
		{`{"$ref":"#/$defs/Loop","type":"array"}`, "list"},
		{`{"anyOf":[{"$ref":"#/properties/p"},{"type":"array"}]}`, ""},
		// A resource of its own has its own definitions.
		{`{"$ref":"#/$defs/Embedded"}`, "map"},
		{`{"$ref":"#/$defs/Embedded/properties/x"}`, "map"},
		{`{"$ref":"#/$defs/Anchor"}`, "list"},
	}
	for _, tt := range tests {
		schema := fmt.Sprintf(`{"type":"object","properties":{"p":%s,"q":{"anyOf":[{"type":"object"},{"type":"array"}]}},%s}`, tt.schema, defs)
		for _, o := range []Options{{}, {Nested: true}} {
			n := compile(t, schema, o)
			list := string(run(t, n, `{"p":"[1]"}`).Arguments) == `{"p":[1]}`
			object := string(run(t, n, `{"p":"{\"a\":1}"}`).Arguments) == `{"p":{"a":1}}`
			got := map[[2]bool]string{{true, false}: "list", {false, true}: "map", {true, true}: "either"}[[2]bool{list, object}]
			if got != tt.want {
				t.Errorf("%s declares %q, want %q", tt.schema, got, tt.want)
			}
		}
	}
}

// A schema whose root only refers, or says it in parts, declares its
// parameters all the same.
func TestParametersAreFoundThroughTheRoot(t *testing.T) {
	tests := []struct{ schema, want string }{
		{`{"$ref":"#/$defs/Input","$defs":{"Input":{"type":"object","properties":{"p":{"type":"array"}}}}}`, `{"p":[1]}`},
		{`{"allOf":[{"properties":{"p":{"type":"array"}}}]}`, `{"p":[1]}`},
		{`{"$ref":"#/$defs/Input","additionalProperties":false,"$defs":{"Input":{"properties":{"p":{"type":"array"}}}}}`, `{"p":[1]}`},
		{`{"properties":{"p":{"type":"array"}},"anyOf":[{"required":["p"]},{"required":["q"]}]}`, `{"p":[1]}`},
		{`{"anyOf":[{"properties":{"p":{"type":"array"}}},{"properties":{"p":{"type":["array","null"]}}}]}`, `{"p":[1]}`},
		{`{"anyOf":[{"properties":{"p":{"type":"array"}}},{"properties":{"q":{}},"additionalProperties":false}]}`, `{"p":[1]}`},
		{`{"anyOf":[{"properties":{"p":{"type":"array"}}},{"properties":{"q":{}}}]}`, `{"p":"[1]"}`},
		{`{"anyOf":[{"properties":{"p":{"type":"array"}}},{"properties":{"p":{"type":"string"}}}]}`, `{"p":"[1]"}`},
		{`{"properties":{"p":{}},"allOf":[{"properties":{"p":{"type":"array"}}}]}`, `{"p":[1]}`},
		{`{"additionalProperties":{"type":"array"}}`, `{"p":[1]}`},
		{`{"properties":{"p":{"type":"string"}},"additionalProperties":{"type":"array"}}`, `{"p":"[1]"}`},
		{`{"patternProperties":{"^q":{"type":"string"}},"additionalProperties":{"type":"array"}}`, `{"p":"[1]"}`},
	}
	for _, tt := range tests {
		for _, o := range []Options{{}, {Nested: true}} {
			if got := run(t, compile(t, tt.schema, o), `{"p":"[1]"}`).Arguments; string(got) != tt.want {
				t.Errorf("%s: %s, want %s", tt.schema, got, tt.want)
			}
		}
	}
}

// A policy is found where types are found (rule N-15).
func TestWhereAPolicyIsDeclared(t *testing.T) {
	const defs = `"$defs":{"Code":{"type":"string","references":"raw"},"Once":{"references":"once"},"Loop":{"$ref":"#/$defs/Loop","references":"raw"}}`
	const sent, one, all = "&amp;lt;", "&lt;", "<"
	for schema, want := range map[string]string{
		`{}`:                                  all,
		`{"references":"decode"}`:             all,
		`{"references":"once"}`:               one,
		`{"references":"raw"}`:                sent,
		`{"references":"RAW"}`:                all,
		`{"references":true}`:                 all,
		`{"$ref":"#/$defs/Code"}`:             sent,
		`{"$ref":"#/$defs/Loop"}`:             sent,
		`{"allOf":[{"$ref":"#/$defs/Code"}]}`: sent,
		`{"anyOf":[{"$ref":"#/$defs/Code"},{"type":"null"}]}`:                 sent,
		`{"anyOf":[{"$ref":"#/$defs/Once"},{"$ref":"#/$defs/Code"}]}`:         sent,
		`{"$ref":"#/$defs/Code","references":"decode"}`:                       all, // the field overrides
		`{"$ref":"#/$defs/Code","references":"once"}`:                         one,
		`{"allOf":[{"references":"once"}],"oneOf":[{"references":"decode"}]}`: one,
		`{"type":"object","properties":{"x":{"references":"raw"}}}`:           all,
		`{"type":"array","items":{"references":"raw"},"references":"decode"}`: all,
	} {
		n := compile(t, `{"properties":{"p":`+schema+`},`+defs+`}`, Options{})
		if got := run(t, n, `{"p":"`+sent+`"}`).Arguments; string(got) != `{"p":"`+want+`"}` {
			t.Errorf("%s: %s, want %s", schema, got, want)
		}
		if got := run(t, n, `{"p":["`+sent+`",{"x":"`+sent+`"}]}`).Arguments; string(got) != `{"p":["`+want+`",{"x":"`+want+`"}]}` {
			t.Errorf("%s: below it %s, want %s", schema, got, want)
		}
	}
}

// A few kilobytes of schema can describe more readings than there are atoms.
// They are compiled all the same, in bounded work; what a schema says by
// itself still holds.
func TestSchemasOfEndlessReadingsAreBounded(t *testing.T) {
	var chain, web, wide strings.Builder
	for i := range 64 {
		fmt.Fprintf(&chain, `"c%d":{"type":"array","anyOf":[{"$ref":"#/$defs/c%d"},{"minItems":%d,"$ref":"#/$defs/c%d"}]},`, i, i+1, i, i+1)
		fmt.Fprintf(&wide, `{"anyOf":[{"items":{"const":%d}},{"items":{"const":-%d}}]`, i, i+1)
		fmt.Fprintf(&web, `"w%d":{"type":"array","anyOf":[`, i)
		for j := range 64 {
			fmt.Fprintf(&web, `{"items":{"type":"string"},"$ref":"#/$defs/w%d"},`, j)
		}
		web.WriteString(`{"type":"array"}]},`)
		wide.WriteString(`,"allOf":[`)
	}
	wide.WriteString(`{"type":"array"}` + strings.Repeat(`]}`, 64))
	schema := `{"properties":{"c":{"$ref":"#/$defs/c0"},"w":{"type":"array","allOf":[{"$ref":"#/$defs/w0"}]},"x":{"type":"array","allOf":[` + wide.String() +
		`]},"last":{"type":"array"},"code":{"references":"raw"}},"$defs":{` + chain.String() + web.String() + `"c64":{"type":"array"}}}`
	for _, o := range []Options{{}, {Nested: true}} {
		n := compile(t, schema, o)
		for _, name := range []string{"c", "w", "x", "last"} {
			if got := run(t, n, `{"`+name+`":"[1]"}`).Arguments; string(got) != `{"`+name+`":[1]}` {
				t.Errorf("%s (%+v): %s", name, o, got)
			}
		}
		if got := run(t, n, `{"code":"&lt;"}`).Arguments; string(got) != `{"code":"&lt;"}` {
			t.Errorf("policy (%+v): %s", o, got)
		}
	}
}

func TestManyParametersAreAllKnown(t *testing.T) {
	const count = 20_000
	var schema, args, want strings.Builder
	for i := range count {
		fmt.Fprintf(&schema, `,"p%d":{"anyOf":[{"type":"array"},{"type":"null"}]}`, i)
		fmt.Fprintf(&args, `,"p%d":"[1]"`, i)
		fmt.Fprintf(&want, `,"p%d":[1]`, i)
	}
	for _, o := range []Options{{}, {Nested: true}} {
		n := compile(t, `{"properties":{`+schema.String()[1:]+`}}`, o)
		if got := run(t, n, `{`+args.String()[1:]+`}`).Arguments; string(got) != `{`+want.String()[1:]+`}` {
			t.Errorf("%+v: %.200s", o, got)
		}
	}
}

// What is read from all readings, where going through each would take too
// long, must be true of each.
func TestOutOfTimeOnlyWhatAllReadingsSayIsHeard(t *testing.T) {
	a, b, c := &schema{id: 0, declared: object}, &schema{id: 1, declared: object}, &schema{id: 2, declared: object}
	readings := []reading{{a, b}, {a, c}, {{id: 3, declared: array}}}
	members := func(*schema) int { return 1 }
	p := planner{looker: looker{work: 100}}
	if got := p.admitting(readings, object, members); len(got) != 2 {
		t.Errorf("in time: %d readings", len(got))
	}
	p.work = 1
	got := p.admitting(readings, object, members)
	if len(got) != 1 || len(got[0]) != 1 || got[0][0] != a {
		t.Errorf("out of time: %v", got)
	}
}
