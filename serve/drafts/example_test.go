package drafts_test

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/drafts"
)

func Example() {
	type order struct {
		ID int `json:"id" jsonschema:"minimum=1"`
	}
	shop := command.MustNew(command.Options{Name: "shop", Logger: quiet},
		command.Define(command.Spec[order]{Name: "cancel", Run: func(_ context.Context, _ *command.Session, in *order) (command.Response, error) {
			return command.Say(fmt.Sprintf("order %d is cancelled", in.ID)), nil
		}}))
	desk, err := drafts.New(serve.New(shop, serve.Options{Logger: quiet}), drafts.Options{})
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	agent := serve.Caller{Channel: "channel-7"}
	person := serve.Caller{Channel: "ops", Operator: true}

	// An agent proposes; nothing runs.
	text := `{"format_version": 1, "steps": [{"id": "stop", "source": "use mod.shop\nshop.cancel({id: \"7\"}).response"}]}`
	proposal, err := desk.Propose(ctx, agent, []byte(text), nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(proposal.Status, proposal.Review.Steps[0].ModuleCalls[0].Tool)

	// A person reads the review and lets the step make one call.
	_, err = desk.Approve(ctx, person, proposal.ID, drafts.Approval{
		Plan:   proposal.Plan.Fingerprint,
		Grants: []drafts.Grant{{Step: "stop", Tool: "cancel", Calls: 1}},
	})
	if err != nil {
		panic(err)
	}

	// The agent runs it.
	view, err := desk.Execute(ctx, agent, proposal.ID, time.Minute)
	if err != nil {
		panic(err)
	}
	var result struct {
		Dataflow struct{ Outputs map[string]string }
	}
	if err := json.Unmarshal(view.Result, &result); err != nil {
		panic(err)
	}
	fmt.Println(view.Status, result.Dataflow.Outputs["stop"])

	// For others there is no such draft.
	_, err = desk.Get(ctx, serve.Caller{Channel: "channel-8"}, proposal.ID)
	fmt.Println(err)
	// Output:
	// proposed cancel
	// completed order 7 is cancelled
	// There is no such draft. List the drafts to see which there are, or propose a new one.
}
