package draft_test

import (
	"errors"
	"fmt"

	"github.com/fwgo/fwgo/draft"
)

// A model's proposal is decoded and reviewed as data. Nothing of it has run when a person reads this.
func ExampleDecode() {
	wire := []byte(`{"format_version": 1, "steps": [
		{"id": "look", "source": "use mod.tool\nlet order = tool.call_json(\"orders.get\", {id: \"W7\"}).parse_json()\norder"},
		{"id": "refund", "source": "use mod.tool\nlet name = \"orders.refund\"\ntool.call_json(name, {id: \"W7\"})"}
	]}`)
	d, err := draft.Decode(wire)
	if err != nil {
		fmt.Println(err)
		return
	}
	review, err := d.Review(draft.ReviewOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, step := range review.Steps {
		for _, call := range step.ToolCalls {
			name := "a name made at run time"
			if call.Name.Literal {
				name = call.Name.Value
			}
			fmt.Printf("%s, line %d: %s %s\n", step.ID, call.Callee.Line, call.Kind, name)
		}
	}
	// Output:
	// look, line 2: call_json orders.get
	// refund, line 3: call_json a name made at run time
}

// A refusal is a code and, where it has one, a bound; the text never holds what was sent.
func ExampleRejection() {
	_, err := draft.Decode([]byte(`{"format_version": 1, "steps": [{"id": "Delete Everything", "source": ""}]}`))
	var rejected *draft.Rejection
	if errors.As(err, &rejected) {
		fmt.Println(rejected.Code)
		fmt.Println(rejected)
	}
	// Output:
	// invalid_step_id
	// draft: the id of step 1 is not 1 to 128 characters of a-z, 0-9, '.', '_' and '-'
}

// A program that writes drafts makes one of values.
func ExampleNewDraft() {
	d, err := draft.NewDraft(draft.Step{ID: "answer", Source: "6 * 7"})
	if err != nil {
		fmt.Println(err)
		return
	}
	wire, err := d.Encode()
	fmt.Println(string(wire), err)
	// Output: {"format_version":1,"steps":[{"id":"answer","source":"6 * 7"}]} <nil>
}

// A contract says what may go into a workflow and come out of its steps.
func ExampleNewContract() {
	contract, err := draft.NewContract(
		[]byte(`{"type": "object", "properties": {"id": {"type": "string", "minLength": 2}}, "required": ["id"]}`),
		draft.OutputSchema{StepID: "look", Schema: []byte(`{"type": "object"}`)},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, input := range []string{`{"id": "W7"}`, `{"id": "7"}`} {
		data, err := draft.NewData([]byte(input))
		if err != nil {
			fmt.Println(err)
			return
		}
		err = contract.Validate([]string{"look"}, 0, data)
		var broken *draft.Violation
		if errors.As(err, &broken) {
			fmt.Println(broken.Path, broken.Kind)
		} else {
			fmt.Println("kept", err)
		}
	}
	// Output:
	// kept <nil>
	// $["id"] min_length
}

// The data of a run can be kept and read again; its fingerprint says whether it is the same.
func ExampleNewData() {
	data, err := draft.NewData([]byte(`{"b": 1, "a": 2.50}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(data.Encode()))
	again, err := draft.DecodeData(data.Encode())
	fmt.Println(again.Fingerprint() == data.Fingerprint(), err)
	// Output:
	// {"format_version":1,"input":{"a":2.50,"b":1},"outputs":{}}
	// true <nil>
}
