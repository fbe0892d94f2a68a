package draft

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/splash"
)

// bench is an engine with tools that remember what they were called with.
type bench struct {
	t       *testing.T
	catalog *Catalog
	*Engine
	made []string // the calls that reached a tool
}

// newBench has these tools, each for 3 calls an engine:
//
//	text.echo   gives its text back
//	json.echo   gives its object back; mod.echo.back and, deferred, mod.echo.later
//	text.other  gives its text back
//	ext.ask     is external
//	text.sure   gives its text back, after an approval of the call
//	json.fail   fails with a message and data for the program
func newBench(t *testing.T, opts Options, more ...Tool) *bench {
	t.Helper()
	b := &bench{t: t}
	note := func(_ context.Context, c Call) (string, error) {
		b.made = append(b.made, c.StepID+" "+c.Tool+" "+c.Input)
		return c.Input, nil
	}
	tools := append([]Tool{
		{Name: "text.echo", MaxCalls: 3, Run: note},
		{Name: "json.echo", MaxCalls: 3, Format: JSON, InputSchema: json.RawMessage(`{"type":"object"}`), Run: note},
		{Name: "text.other", MaxCalls: 3, Run: note},
		{Name: "ext.ask", MaxCalls: 3, MaxAttempts: 2, Dispatch: External},
		{Name: "text.sure", MaxCalls: 3, Approve: true, Run: note},
		{Name: "json.fail", MaxCalls: 3, Format: JSON, Run: func(ctx context.Context, c Call) (string, error) {
			note(ctx, c)
			return "", &splash.CallError{Message: "no such order", Data: json.RawMessage(`{"problems":[{"field":"id"}]}`)}
		}},
	}, more...)
	var err error
	if b.catalog, err = NewCatalog(tools...); err != nil {
		t.Fatal(err)
	}
	if err := b.catalog.AddModule(Module{Name: "echo", Methods: []Method{
		{Name: "back", Tool: "json.echo"}, {Name: "later", Tool: "json.echo", Deferred: true}}}); err != nil {
		t.Fatal(err)
	}
	if b.Engine, err = NewEngine(b.catalog, opts); err != nil {
		t.Fatal(err)
	}
	return b
}

// steps makes steps of ids and sources in turn.
func steps(idsAndSources ...string) *Draft {
	d := &Draft{}
	for i := 0; i < len(idsAndSources); i += 2 {
		d.steps = append(d.steps, Step{ID: idsAndSources[i], Source: idsAndSources[i+1]})
	}
	return d
}

func (b *bench) plan(d *Draft) *Plan {
	b.t.Helper()
	p, err := b.Plan(d)
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}

func (b *bench) approve(p *Plan, a Authority, opts ApproveOptions) *Approval {
	b.t.Helper()
	approval, err := b.Approve(p, a, opts)
	if err != nil {
		b.t.Fatal(err)
	}
	return approval
}

// run plans, approves and runs with grants written as step:tool:calls.
func (b *bench) run(d *Draft, data *Data, grants ...string) (*Result, error) {
	b.t.Helper()
	p := b.plan(d)
	return b.Run(b.t.Context(), p, b.approve(p, granted(p, grants...), ApproveOptions{Data: data}), RunOptions{})
}

func granted(p *Plan, grants ...string) Authority {
	policies := make([]StepPolicy, len(p.ids))
	for i, id := range p.ids {
		policies[i].StepID = id
		for _, g := range grants {
			part := strings.Split(g, ":")
			if part[0] == id {
				var n int
				fmt.Sscan(part[2], &n)
				policies[i].Grants = append(policies[i].Grants, Grant{part[1], n})
			}
		}
	}
	return PerStep(policies...)
}

func (b *bench) events() []string {
	b.t.Helper()
	batch, err := b.EventsSince(1)
	if err != nil {
		b.t.Fatal(err)
	}
	var out []string
	for _, e := range batch.Events {
		text := string(e.Type)
		if e.StepID != "" {
			text += " " + e.StepID
		}
		out = append(out, text)
	}
	return out
}

// entries shows the audit as "tool outcome".
func (b *bench) entries() []string {
	entries, _ := b.Audit()
	out := []string{}
	for _, a := range entries {
		out = append(out, a.Tool+" "+string(a.Outcome))
	}
	return out
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

func stopped(t *testing.T, err error) *StepError {
	t.Helper()
	var stop *StepError
	if !errors.As(err, &stop) {
		t.Fatalf("no step error: %v", err)
	}
	return stop
}
