package draft

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/fwgo/fwgo/splash"
)

// FuzzStep runs any source as a step that is granted one call of one tool, and holds that the engine neither panics nor
// makes another call, that it comes to an end, and that its result is JSON.
func FuzzStep(f *testing.F) {
	for _, s := range []string{
		"", "1", "nope", "let = 1", "workflow", `use mod.tool; tool.call("text.one", "x")`, `use mod.tool; tool.start("ext.ask", "x").await()`,
		`use mod.tool; tool.call("text.sure", "x")`, `use mod.tool; let p = tool.start("text.one", "x"); try tool.call("text.two", "y") catch p.await()`,
		`use mod.m; m.go({a: 1}).a`, "loop {}", "fn f() { return f(); }; f()", "|| 1", "1/0",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		made := map[string]int{}
		run := func(_ context.Context, c Call) (string, error) {
			made[c.Tool]++
			return c.Input, nil
		}
		catalog, err := NewCatalog(Tool{Name: "text.one", Run: run}, Tool{Name: "text.two", Run: run},
			Tool{Name: "text.sure", Run: run, Approve: true}, Tool{Name: "ext.ask", Dispatch: External},
			Tool{Name: "json.go", Format: JSON, InputSchema: json.RawMessage(`{}`), Run: run})
		if err != nil {
			t.Fatal(err)
		}
		if err := catalog.AddModule(Module{Name: "m", Methods: []Method{{Name: "go", Tool: "json.go"}}}); err != nil {
			t.Fatal(err)
		}
		e, err := NewEngine(catalog, Options{Limits: splash.Limits{Steps: 20_000}})
		if err != nil {
			t.Fatal(err)
		}
		d, err := NewDraft(Step{"a", source}, Step{"b", `use mod.tool; try tool.call("text.two", "y") catch 1`})
		if err != nil {
			t.Skip("no draft") // too long, or no UTF-8
		}
		p, err := e.Plan(d)
		if err != nil {
			t.Fatal(err)
		}
		a, err := e.Approve(p, granted(p, "a:text.one:1", "a:text.sure:1", "a:ext.ask:1"), ApproveOptions{Data: mustData(t, `{}`)})
		if err != nil {
			t.Fatal(err)
		}
		r, _ := e.Run(t.Context(), p, a, RunOptions{})
		for range 2 { // what waits is approved and answered once
			if r == nil || r.Status != RunSuspended {
				break
			}
			for _, c := range e.PendingCalls() {
				if c.State == CallAwaitsApproval {
					if err := e.ApproveCall(c.ID, c.Digest); err != nil {
						t.Fatal(err)
					}
				}
			}
			for {
				c, ok, err := e.ClaimCall()
				if err != nil {
					t.Fatal(err)
				}
				if !ok {
					break
				}
				if err := e.CompleteCall(c.ID, "answer"); err != nil {
					t.Fatal(err)
				}
			}
			r, _ = e.Continue(t.Context())
		}
		if r == nil || r.Status == RunSuspended {
			t.Fatal("it does not come to an end", r)
		}
		if !json.Valid(r.Encode()) {
			t.Error("no JSON")
		}
		if made["text.one"] > 1 || made["text.sure"] > 1 || made["text.two"] > 0 || made["json.go"] > 0 {
			t.Error(made)
		}
	})
}
