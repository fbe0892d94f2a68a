// Drafts runs a draft that a model wrote for the order desk: find a customer,
// list their pending orders, cancel them, write a summary. It is reviewed as data,
// each step is granted exactly the calls that it needs, and the run can make no
// other. The model's arguments are nearly right; the audit shows what they came
// to mean.
//
//	go run ./examples/drafts
package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"

	"github.com/fwgo/fwgo/draft"
	"github.com/fwgo/fwgo/draft/tools"
	"github.com/fwgo/fwgo/examples/retail/desk"
)

//go:embed tidy.json
var proposal []byte

// grants are what an operator lets each step do after reading the review.
var grants = []draft.StepPolicy{
	{StepID: "find", Grants: []draft.Grant{{Tool: "find_customer", Calls: 1}}},
	{StepID: "orders", Grants: []draft.Grant{{Tool: "list_orders", Calls: 1}}},
	{StepID: "cancel", Grants: []draft.Grant{{Tool: "cancel_pending_order", Calls: 5}}},
	{StepID: "summary"},
}

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "drafts:", err)
		os.Exit(1)
	}
}

func run(w io.Writer) error {
	// The commands of the desk are the tools, called in one session.
	workflow := desk.Workflow()
	var records []tools.Record
	catalog, err := tools.Catalog(workflow, tools.Options{
		Do:     tools.In(workflow.NewSession()),
		Record: func(r tools.Record) { records = append(records, r) },
	})
	if err != nil {
		return err
	}

	// What the model sent is data until somebody approves it.
	d, err := draft.Decode(proposal)
	if err != nil {
		return err
	}
	review, err := d.Review(draft.ReviewOptions{Modules: catalog.Modules()})
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "Review:")
	for _, step := range review.Steps {
		fmt.Fprintf(w, "  %s: valid %v, calls", step.ID, step.Valid())
		for _, call := range step.ModuleCalls {
			fmt.Fprint(w, " ", call.Tool)
		}
		fmt.Fprintln(w)
	}

	engine, err := draft.NewEngine(catalog, draft.Options{})
	if err != nil {
		return err
	}
	plan, err := engine.Plan(d)
	if err != nil {
		return err
	}
	input, err := draft.NewData([]byte(`{"customer": "kim_doe"}`))
	if err != nil {
		return err
	}
	approval, err := engine.Approve(plan, draft.PerStep(grants...), draft.ApproveOptions{Data: input})
	if err != nil {
		return err
	}
	result, err := engine.Run(context.Background(), plan, approval, draft.RunOptions{})
	if err != nil {
		return err
	}

	fmt.Fprintln(w, "Audit:")
	for i, r := range records {
		fmt.Fprintf(w, "  %s: %s %s\n    given %s\n    ran   %s\n", r.Step, r.Tool, result.Audit[i].Outcome, r.Given, r.Arguments)
	}
	summary, _ := engine.Snapshot().Output("summary")
	fmt.Fprintf(w, "%s: %s\n", result.Status, summary)
	return nil
}
