package draft_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/fwgo/fwgo/draft"
)

// orders is a catalog of one tool that reads and one that acts, for which every call is approved.
func orders() *draft.Catalog {
	c, err := draft.NewCatalog(
		draft.Tool{Name: "orders.get", Format: draft.JSON, MaxCalls: 10,
			InputSchema: json.RawMessage(`{"type":"object","required":["id"]}`),
			Run: func(_ context.Context, call draft.Call) (string, error) {
				return `{"id":"W7","total":25,"status":"pending"}`, nil
			}},
		draft.Tool{Name: "orders.cancel", Format: draft.JSON, MaxCalls: 10, Approve: true,
			InputSchema: json.RawMessage(`{"type":"object","required":["id"]}`),
			Run: func(_ context.Context, call draft.Call) (string, error) {
				return `{"cancelled":true}`, nil
			}})
	if err != nil {
		panic(err)
	}
	return c
}

// A draft becomes a plan, the host says what each step may call, and the run can do no more than that.
func ExampleEngine() {
	proposal, err := draft.NewDraft(
		draft.Step{ID: "find", Source: `use mod.tool
tool.call_json("orders.get", {id: workflow.input.order}).parse_json()`},
		draft.Step{ID: "decide", Source: `use mod.tool
let free = try tool.call_json("orders.get", {id: "W8"}) catch "not mine to read"
{total: workflow.outputs.find.total, other: free}`})
	if err != nil {
		fmt.Println(err)
		return
	}
	engine, err := draft.NewEngine(orders(), draft.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	input, err := draft.NewData([]byte(`{"order":"W7"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := engine.Plan(proposal)
	if err != nil {
		fmt.Println(err)
		return
	}
	approval, err := engine.Approve(plan, draft.PerStep(
		draft.StepPolicy{StepID: "find", Grants: []draft.Grant{{Tool: "orders.get", Calls: 1}}},
		draft.StepPolicy{StepID: "decide"},
	), draft.ApproveOptions{Data: input})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := engine.Run(context.Background(), plan, approval, draft.RunOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Status, string(result.Dataflow.Outputs["decide"]))
	for _, a := range result.Audit {
		fmt.Println(a.Sequence, a.Tool, a.Outcome)
	}
	// Output:
	// completed {"other":"not mine to read","total":25}
	// 0 orders.get allowed
	// 1 orders.get denied
}

// A tool with Approve is asked about call by call: the run waits until someone has named the digest of the arguments.
func ExampleEngine_ApproveCall() {
	ctx := context.Background()
	proposal, _ := draft.NewDraft(draft.Step{ID: "cancel", Source: `use mod.tool
tool.call_json("orders.cancel", {id: "W7"})`})
	engine, _ := draft.NewEngine(orders(), draft.Options{})
	plan, _ := engine.Plan(proposal)
	approval, _ := engine.Approve(plan, draft.PerStep(
		draft.StepPolicy{StepID: "cancel", Grants: []draft.Grant{{Tool: "orders.cancel", Calls: 1}}}), draft.ApproveOptions{})

	result, err := engine.Run(ctx, plan, approval, draft.RunOptions{})
	fmt.Println(result.Status, err)
	for _, call := range engine.PendingCalls() {
		fmt.Println("may step", call.StepID, "call", call.Tool, call.Arguments+"?")
		if err := engine.ApproveCall(call.ID, call.Digest); err != nil {
			fmt.Println(err)
			return
		}
	}
	result, err = engine.Continue(ctx)
	fmt.Println(result.Status, err)
	// Output:
	// suspended step cancel waits for a call that is made or approved elsewhere
	// may step cancel call orders.cancel {"id":"W7"}?
	// completed <nil>
}

// A host stores what it gets after each step, and a later process goes on from there.
func ExampleEngine_Resume() {
	ctx := context.Background()
	steps := []draft.Step{{ID: "one", Source: "1"}, {ID: "two", Source: "workflow.outputs.one + 1"}}
	proposal, _ := draft.NewDraft(steps...)
	input, _ := draft.NewData([]byte(`{}`))
	var checkpoint, data []byte // on disk

	engine, _ := draft.NewEngine(nil, draft.Options{})
	plan, _ := engine.Plan(proposal)
	approval, _ := engine.Approve(plan, draft.PerStep(draft.StepPolicy{StepID: "one"}, draft.StepPolicy{StepID: "two"}),
		draft.ApproveOptions{Data: input})
	_, err := engine.Run(ctx, plan, approval, draft.RunOptions{OnStep: func(done draft.StepDone) error {
		checkpoint, _ = done.Checkpoint.Encode()
		data = done.Data.Encode()
		return errors.New("the power fails")
	}})
	fmt.Println(err)

	engine, _ = draft.NewEngine(nil, draft.Options{})
	plan, _ = engine.Plan(proposal)
	after, _ := draft.DecodeCheckpoint(checkpoint)
	stored, _ := draft.DecodeData(data)
	approval, err = engine.Approve(plan, draft.PerStep(draft.StepPolicy{StepID: "two"}),
		draft.ApproveOptions{Data: stored, Checkpoint: after})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := engine.Resume(ctx, plan, approval, after, draft.RunOptions{})
	fmt.Println(result.Status, string(result.Dataflow.Outputs["two"]), err)
	// Output:
	// step one is done, but its checkpoint was not stored
	// completed 2 <nil>
}

// The JSON form of a result is what a command line prints.
func ExampleResult_Encode() {
	engine, _ := draft.NewEngine(nil, draft.Options{})
	proposal, _ := draft.NewDraft(draft.Step{ID: "s", Source: `"a < b"`})
	plan, _ := engine.Plan(proposal)
	input, _ := draft.NewData([]byte(`1.50`))
	approval, _ := engine.Approve(plan, draft.PerStep(draft.StepPolicy{StepID: "s"}), draft.ApproveOptions{Data: input})
	result, _ := engine.Run(context.Background(), plan, approval, draft.RunOptions{})
	fmt.Println(string(result.Encode()))
	// Output:
	// {"audit":[],"dataflow":{"fingerprint":"8760ea0b969848f07bcc5d1b948601f31585c75126f2aa6d16a54cebf4219d39","input":1.50,"outputs":{"s":"a < b"}},"dropped_audit_events":0,"dropped_workflow_events":0,"error":null,"plan":{"fingerprint":"83fad43d80ae776d2607347925232982bd3b9b036e35d4c4eb2ade934e1424c5","id":1,"step_count":1},"status":"completed","steps":[{"diagnostic_count":null,"id":"s","status":"succeeded"}]}
}
