package normalize_test

import (
	"errors"
	"fmt"

	"github.com/fwgo/fwgo/normalize"
)

func ExampleNormalizer_Arguments() {
	n, err := normalize.Compile([]byte(`{
		"type": "object",
		"properties": {
			"title": {"type": "string"},
			"ops":   {"type": "array"},
			"page":  {"type": "string", "references": "raw"}
		}
	}`), normalize.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := n.Arguments([]byte(`{
		"title": "Ember &amp;amp; Oak",
		"ops": "[{\"op\":\"add\",\"id\":12345678901234567890}]",
		"page": "a &lt; b"
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", result.Arguments)
	for _, r := range result.Repairs {
		fmt.Println(r.Path, r.Kind, r.Passes)
	}

	// The wrong shape is for validation to report: it arrives as it was sent.
	result, _ = n.Arguments([]byte(`{"ops": "{\"op\":\"add\"}"}`))
	fmt.Printf("%s\n", result.Arguments)

	_, err = n.Arguments([]byte(`{"title": "Ember`))
	var problem *normalize.Error
	if errors.As(err, &problem) {
		fmt.Println(problem.Kind, problem.Offset, problem.Path)
	}
	// Output:
	// {"title":"Ember & Oak","ops":[{"op":"add","id":12345678901234567890}],"page":"a &lt; b"}
	// title references 2
	// ops json 0
	// {"ops": "{\"op\":\"add\"}"}
	// cut off 16 title
}

func ExampleReferences() {
	for _, s := range []string{"Ember &amp;amp; Oak", "it&#8217;s 1 &lt; 2", "?a=1&copy=2"} {
		decoded, passes := normalize.References(s)
		fmt.Println(decoded, passes)
	}
	// Output:
	// Ember & Oak 2
	// it’s 1 < 2 1
	// ?a=1&copy=2 0
}

func ExampleCompile() {
	// What a list of objects declares inside them is reached with Nested.
	schema := []byte(`{
		"$ref": "#/$defs/Input",
		"$defs": {
			"Input": {"type": "object", "properties": {
				"calls": {"type": "array", "items": {"$ref": "#/$defs/Call"}}
			}},
			"Call": {"type": "object", "properties": {
				"name": {"type": "string"},
				"args": {"anyOf": [{"type": "object"}, {"type": "null"}]}
			}}
		}
	}`)
	n, err := normalize.Compile(schema, normalize.Options{Nested: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, _ := n.Arguments([]byte(`{"calls":[{"name":"{}","args":"{\"host\":\"h1\"}"}]}`))
	fmt.Printf("%s\n", result.Arguments)

	_, err = normalize.Compile([]byte(`[]`), normalize.Options{})
	fmt.Println(err)
	// Output:
	// {"calls":[{"name":"{}","args":{"host":"h1"}}]}
	// normalize: the schema: not an object at byte 0, expected an object
}
