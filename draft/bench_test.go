package draft

import (
	"context"
	"fmt"
	"testing"
)

// BenchmarkRun is a whole run with dataflow: plan, approval with one grant a step, and the steps, each with one call.
func BenchmarkRun(b *testing.B) {
	for _, count := range []int{1, 20} {
		b.Run(fmt.Sprintf("%d steps", count), func(b *testing.B) {
			catalog, err := NewCatalog(Tool{Name: "text.echo", MaxCalls: 1 << 30, Run: func(_ context.Context, c Call) (string, error) { return c.Input, nil }})
			if err != nil {
				b.Fatal(err)
			}
			e, err := NewEngine(catalog, Options{})
			if err != nil {
				b.Fatal(err)
			}
			d := &Draft{}
			var policies []StepPolicy
			for i := range count {
				id := fmt.Sprint("s", i)
				d.steps = append(d.steps, Step{id, `use mod.tool; tool.call("text.echo", "x") + workflow.input.name`})
				policies = append(policies, StepPolicy{id, []Grant{{"text.echo", 1}}})
			}
			data, err := NewData([]byte(`{"name":"Ada"}`))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				p, err := e.Plan(d)
				if err != nil {
					b.Fatal(err)
				}
				a, err := e.Approve(p, PerStep(policies...), ApproveOptions{Data: data})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := e.Run(context.Background(), p, a, RunOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
