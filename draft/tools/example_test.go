package tools_test

import (
	"context"
	"fmt"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/draft"
	"github.com/fwgo/fwgo/draft/tools"
)

func ExampleCatalog() {
	type greeting struct {
		Name string `json:"name"`
	}
	w := command.MustNew(command.Options{Name: "hello"}, command.Define(command.Spec[greeting]{Name: "greet",
		Run: func(_ context.Context, _ *command.Session, in *greeting) (command.Response, error) {
			return command.Say("Hello, " + in.Name), nil
		}}))
	catalog, err := tools.Catalog(w, tools.Options{Do: tools.In(w.NewSession())})
	if err != nil {
		panic(err)
	}
	engine, err := draft.NewEngine(catalog, draft.Options{})
	if err != nil {
		panic(err)
	}
	proposal, err := draft.Decode([]byte(`{"format_version":1,"steps":[{"id":"hi","source":"use mod.hello\nhello.greet({name: workflow.input}).response"}]}`))
	if err != nil {
		panic(err)
	}
	plan, err := engine.Plan(proposal)
	if err != nil {
		panic(err)
	}
	data, err := draft.NewData([]byte(`"Ada"`))
	if err != nil {
		panic(err)
	}
	grants := draft.PerStep(draft.StepPolicy{StepID: "hi", Grants: []draft.Grant{{Tool: "greet", Calls: 1}}})
	approval, err := engine.Approve(plan, grants, draft.ApproveOptions{Data: data})
	if err != nil {
		panic(err)
	}
	if _, err := engine.Run(context.Background(), plan, approval, draft.RunOptions{}); err != nil {
		panic(err)
	}
	value, _ := engine.Snapshot().Output("hi")
	fmt.Println(string(value))
	// Output: "Hello, Ada"
}
