package drafts_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/drafts"
	"github.com/fwgo/fwgo/store"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

type parcel struct {
	To     string `json:"to" jsonschema_extras:"db_lookup=true"`
	Weight int    `json:"weight" jsonschema:"minimum=1"`
}

// depot is what the commands of the tests work on. It outlives processes.
type depot struct {
	mu      sync.Mutex
	shipped []string
	callers []serve.Caller
	cities  []string
	entered chan struct{} // of wait
	leave   chan struct{}
	fails   bool
}

func newDepot() *depot {
	return &depot{cities: []string{"Oslo", "Lisbon", "Bergen"}, entered: make(chan struct{}, 64), leave: make(chan struct{})}
}

func (d *depot) did() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string(nil), d.shipped...)
}

func (d *depot) workflow(t testing.TB) *command.Workflow {
	t.Helper()
	ship := func(ctx context.Context, s *command.Session, in *parcel) (command.Response, error) {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.fails {
			return command.Fail("the van is broken"), nil
		}
		before, _ := command.Value[int](s, "shipped")
		s.Set("shipped", before+1)
		caller, _ := serve.CallerFrom(ctx)
		d.callers = append(d.callers, caller)
		d.shipped = append(d.shipped, fmt.Sprintf("%s %d", in.To, in.Weight))
		r := command.Say("shipped to " + in.To)
		r.Artifacts = map[string]any{"to": in.To, "number": before + 1}
		return r, nil
	}
	resolve := map[string]lookup.Resolver{"to": lookup.ResolverFunc(func(_ context.Context, value string) (lookup.Result, error) {
		d.mu.Lock()
		defer d.mu.Unlock()
		return lookup.Match(value, d.cities, lookup.Options{}), nil
	})}
	w, err := command.New(command.Options{Name: "depot", Logger: quiet},
		command.Define(command.Spec[parcel]{Name: "ship", Resolvers: resolve, Run: ship}),
		command.Define(command.Spec[parcel]{Name: "ship_dear", ApproveCalls: true, Resolvers: resolve, Run: ship}),
		command.Define(command.Spec[struct{}]{Name: "wait", Run: func(ctx context.Context, _ *command.Session, _ *struct{}) (command.Response, error) {
			d.entered <- struct{}{}
			select {
			case <-d.leave:
				d.mu.Lock()
				d.shipped = append(d.shipped, "waited")
				d.mu.Unlock()
				return command.Say("waited"), nil
			case <-ctx.Done():
				return command.Response{}, ctx.Err()
			}
		}}),
		command.Define(command.Spec[struct{}]{Name: "Van/park", Run: func(context.Context, *command.Session, *struct{}) (command.Response, error) {
			return command.Say("parked"), nil
		}}))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// process is one process: a dispatcher and a desk over a Store.
type process struct {
	t testing.TB
	*drafts.Desk
	dispatcher *serve.Dispatcher
}

func (d *depot) process(t testing.TB, kept store.Store, o drafts.Options) *process {
	t.Helper()
	dispatcher := serve.New(d.workflow(t), serve.Options{Store: kept, Logger: quiet})
	desk, err := drafts.New(dispatcher, o)
	if err != nil {
		t.Fatal(err)
	}
	return &process{t, desk, dispatcher}
}

var (
	owner    = serve.Caller{Channel: "ada", User: "Ada", Bearer: "secret"}
	stranger = serve.Caller{Channel: "eve", User: "Eve"}
	operator = serve.Caller{Channel: "ops", User: "Olga", Operator: true}
)

const long = 20 * time.Second

type step struct{ id, source string }

func wire(steps ...step) []byte {
	type s struct {
		ID     string `json:"id"`
		Source string `json:"source"`
	}
	var list []s
	for _, x := range steps {
		list = append(list, s{x.id, x.source})
	}
	text, err := json.Marshal(map[string]any{"format_version": 1, "steps": list})
	if err != nil {
		panic(err)
	}
	return text
}

const (
	shipOslo = "use mod.depot\ndepot.ship({to: \"oslo\", weight: \"7\"}).artifacts.to"
	shipDear = "use mod.depot\ndepot.ship_dear({to: \"oslo\", weight: \"7\"}).artifacts.to"
	waits    = "use mod.tool\ntool.call_json(\"wait\", {})\n1"
)

// propose proposes steps s1, s2, ... for the owner.
func (p *process) propose(sources ...string) *drafts.Proposal {
	p.t.Helper()
	var steps []step
	for i, source := range sources {
		steps = append(steps, step{fmt.Sprintf("s%d", i+1), source})
	}
	proposal, err := p.Propose(p.t.Context(), owner, wire(steps...), json.RawMessage(`{"n":12345678901234567890}`))
	if err != nil {
		p.t.Fatal(err)
	}
	return proposal
}

// all grants every tool to the steps from a number on.
func all(from, to int) []drafts.Grant {
	var grants []drafts.Grant
	for i := from; i <= to; i++ {
		for _, tool := range []string{"ship", "ship_dear", "wait"} {
			grants = append(grants, drafts.Grant{Step: fmt.Sprintf("s%d", i), Tool: tool, Calls: 5})
		}
	}
	return grants
}

func (p *process) approve(v *drafts.View, a drafts.Approval) {
	p.t.Helper()
	if a.Plan == "" {
		a.Plan = v.Plan.Fingerprint
	}
	got, err := p.Approve(p.t.Context(), operator, v.ID, a)
	if err != nil || got.Status != drafts.StatusApproved {
		p.t.Fatalf("approve: %+v, %v", got, err)
	}
}

func (p *process) execute(id string) *drafts.View {
	p.t.Helper()
	v, err := p.Execute(p.t.Context(), owner, id, long)
	if err != nil {
		p.t.Fatal(err)
	}
	return v
}

func (p *process) resume(id string) *drafts.View {
	p.t.Helper()
	v, err := p.Resume(p.t.Context(), owner, id, long)
	if err != nil {
		p.t.Fatal(err)
	}
	return v
}

func (p *process) get(id string) *drafts.View {
	p.t.Helper()
	v, err := p.Get(p.t.Context(), owner, id)
	if err != nil {
		p.t.Fatal(err)
	}
	return v
}

func code(err error) drafts.Code {
	var e *drafts.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func outputs(t testing.TB, v *drafts.View) map[string]any {
	t.Helper()
	var result struct {
		Dataflow struct{ Outputs map[string]any }
	}
	if err := json.Unmarshal(v.Result, &result); err != nil {
		t.Fatalf("%v in %s", err, v.Result)
	}
	return result.Dataflow.Outputs
}

func TestAnApprovedDraftRunsInTheSessionOfItsOwner(t *testing.T) {
	d := newDepot()
	p := d.process(t, store.Memory(), drafts.Options{})
	proposal := p.propose(shipOslo, "workflow.outputs.s1 + \"!\"", "workflow.input.n")
	if proposal.Status != drafts.StatusProposed || !proposal.Review.Valid() || len(proposal.Review.Steps[0].ModuleCalls) != 1 {
		t.Fatalf("%+v", proposal)
	}
	if _, err := p.Execute(t.Context(), owner, proposal.ID, 0); code(err) != drafts.WrongState {
		t.Errorf("executed without an approval: %v", err)
	}
	p.approve(&proposal.View, drafts.Approval{Grants: []drafts.Grant{{Step: "s1", Tool: "ship", Calls: 1}}})
	if len(d.did()) > 0 {
		t.Error("an approval runs")
	}
	v := p.execute(proposal.ID)
	if v.Status != drafts.StatusCompleted || v.Plan.Done != 3 || v.ApprovedBy != "Olga" {
		t.Fatalf("%+v %s", v, v.Result)
	}
	if got := outputs(t, v); got["s2"] != "Oslo!" {
		t.Errorf("outputs: %v", got)
	}
	if len(v.Calls) != 1 || !strings.Contains(string(v.Calls[0]), `"arguments":{"to":"Oslo","weight":7}`) {
		t.Errorf("calls: %s", v.Calls)
	}
	if got := d.callers[0]; got != owner {
		t.Errorf("the body was called by %+v", got)
	}
	// What the run did is in the owner's session.
	outcome, err := p.dispatcher.Do(t.Context(), serve.Request{Session: "ada", Command: "ship", Arguments: json.RawMessage(`{"to":"Oslo","weight":1}`)})
	if err != nil || outcome.Output.CommandResponse.Artifacts["number"] != 2 {
		t.Errorf("%+v, %v", outcome, err)
	}
}
