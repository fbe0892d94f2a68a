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

// TestPoliciesAreApprovedInOrder holds the order of checks of WD-31: of two things that are wrong, the first is reported,
// and nothing is issued or recorded.
func TestPoliciesAreApprovedInOrder(t *testing.T) {
	b := newBench(t, Options{})
	other := newBench(t, Options{})
	p := b.plan(steps("a", "1", "b", "2"))
	foreign := other.plan(steps("a", "1", "b", "2"))
	input := mustData(t, `{"x":1}`)
	ahead := mustData(t, `{"x":1}`)
	if err := ahead.insert("a", []byte("1")); err != nil {
		t.Fatal(err)
	}
	any2 := []OutputSchema{{"a", json.RawMessage(`{}`)}, {"b", json.RawMessage(`{}`)}}
	contract := func(input string, outputs ...OutputSchema) *Contract {
		c, err := NewContract(json.RawMessage(input), outputs...)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	fits, wrongInput := contract(`{}`, any2...), contract(`{"type":"string"}`, any2...)
	small, err := NewEngine(b.catalog, Options{Limits: splash.Limits{JSONBytes: 16}})
	if err != nil {
		t.Fatal(err)
	}
	smallPlan, err := small.Plan(steps("a", "1", "b", "2"))
	if err != nil {
		t.Fatal(err)
	}
	two := func(grants ...Grant) Authority { return PerStep(StepPolicy{"a", nil}, StepPolicy{"b", grants}) }
	one := PerStep(StepPolicy{"a", nil})
	swapped := PerStep(StepPolicy{"b", nil}, StepPolicy{"a", nil})

	for _, row := range []struct {
		name      string
		engine    *Engine
		plan      *Plan
		authority Authority
		opts      ApproveOptions
		want      Refusal
	}{
		{"1 before 2", b.Engine, foreign, two(), ApproveOptions{Data: ahead}, ErrPlanOwnershipMismatch},
		{"no plan", b.Engine, nil, two(), ApproveOptions{}, ErrPlanOwnershipMismatch},
		{"a plan that nobody made", b.Engine, &Plan{}, two(), ApproveOptions{}, ErrPlanOwnershipMismatch},
		{"2 before 3", b.Engine, p, two(), ApproveOptions{Data: ahead, Contract: wrongInput}, ErrDataflowPrefixMismatch},
		{"3 before 4", b.Engine, p, one, ApproveOptions{Data: input, Contract: wrongInput}, ErrDataflowContractRejected},
		{"a contract without data", b.Engine, p, one, ApproveOptions{Contract: fits}, ErrDataflowContextRequired},
		{"4 before 5", b.Engine, p, PerStep(StepPolicy{"z", nil}), ApproveOptions{Data: input, Contract: fits}, ErrStepPolicyCount},
		{"none for two", b.Engine, p, Authority{}, ApproveOptions{}, ErrStepPolicyCount},
		{"5 before 6", b.Engine, p, PerStep(StepPolicy{"a", []Grant{{"nope", 0}}}, StepPolicy{"a", nil}), ApproveOptions{}, ErrStepPolicyMismatch},
		{"5 in order", b.Engine, p, swapped, ApproveOptions{}, ErrStepPolicyMismatch},
		{"6 zero before unknown", b.Engine, p, two(Grant{"nope", 0}), ApproveOptions{}, ErrZeroCallLimit},
		{"6 negative", b.Engine, p, two(Grant{"text.echo", -1}), ApproveOptions{}, ErrZeroCallLimit},
		{"6 unknown before too many", b.Engine, p, two(Grant{"nope", 99}), ApproveOptions{}, ErrUnknownTool},
		{"6 too many before twice", b.Engine, p, two(Grant{"text.echo", 1}, Grant{"text.echo", 4}), ApproveOptions{}, ErrCallLimitExceedsPolicy},
		{"6 twice", b.Engine, p, two(Grant{"text.echo", 1}, Grant{"text.echo", 1}), ApproveOptions{}, ErrDuplicateTool},
		{"6 grant by grant", b.Engine, p, two(Grant{"nope", 1}, Grant{"text.echo", 0}), ApproveOptions{}, ErrUnknownTool},
		{"6 before 7", small, smallPlan, two(Grant{"nope", 1}), ApproveOptions{Data: input}, ErrUnknownTool},
		{"7", small, smallPlan, two(), ApproveOptions{Data: input}, ErrDataflowContextTooLarge},
		{"leases are counted", b.Engine, p, LeasePerStep(), ApproveOptions{}, ErrStepLeaseCount},
		{"a lease that nobody issued", b.Engine, p, SharedLease(&Lease{}), ApproveOptions{}, ErrLeaseRuntimeMismatch},
		{"no lease", b.Engine, p, SharedLease(nil), ApproveOptions{}, ErrLeaseRuntimeMismatch},
	} {
		t.Run(row.name, func(t *testing.T) {
			before := len(b.events())
			a, err := row.engine.Approve(row.plan, row.authority, row.opts)
			if a != nil || !errors.Is(err, row.want) {
				t.Errorf("%v, want %v", err, row.want)
			}
			if len(b.events()) != before {
				t.Error("something was recorded")
			}
		})
	}
	if input.ContractFingerprint() != "" {
		t.Error("an approval marked the data of its caller")
	}
}

// TestAnApprovalIsForOneRunOfOnePlan holds the order of WD-32 and the binding of WD-30.
func TestAnApprovalIsForOneRunOfOnePlan(t *testing.T) {
	b := newBench(t, Options{})
	p, q := b.plan(steps("a", "1")), b.plan(steps("a", "1"))
	other := newBench(t, Options{})
	twin := other.plan(steps("a", "1"))
	a := b.approve(p, granted(p), ApproveOptions{})
	start, err := b.Checkpoint(p, 0, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()

	refused := func(name string, want Refusal, run func() (*Result, error)) {
		t.Helper()
		before := len(b.events())
		r, err := run()
		if r != nil || !errors.Is(err, want) || len(b.events()) != before {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	refused("another engine's plan", ErrPlanOwnershipMismatch, func() (*Result, error) { return b.Run(ctx, twin, a, RunOptions{}) })
	refused("another plan of equal steps", ErrApprovalMismatch, func() (*Result, error) { return b.Run(ctx, q, a, RunOptions{}) })
	refused("no approval", ErrApprovalMismatch, func() (*Result, error) { return b.Run(ctx, p, nil, RunOptions{}) })
	refused("a fresh approval to resume", ErrApprovalMismatch, func() (*Result, error) { return b.Resume(ctx, p, a, start, RunOptions{}) })
	refused("resuming after nothing", ErrApprovalMismatch, func() (*Result, error) { return b.Resume(ctx, p, a, nil, RunOptions{}) })

	doc, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	var revived Approval
	if err := json.Unmarshal(doc, &revived); err != nil {
		t.Fatal(err)
	}
	refused("an approval made of JSON", ErrApprovalMismatch, func() (*Result, error) { return b.Run(ctx, p, &revived, RunOptions{}) })

	copied := *a
	if _, err := b.Run(ctx, p, a, RunOptions{}); err != nil {
		t.Fatal(err)
	}
	refused("the approval again", ErrApprovalUsed, func() (*Result, error) { return b.Run(ctx, p, a, RunOptions{}) })
	refused("a copy of it", ErrApprovalUsed, func() (*Result, error) { return b.Run(ctx, p, &copied, RunOptions{}) })

	// A suspended run comes before everything but ownership; a changed catalog comes last.
	stale := b.approve(p, granted(p), ApproveOptions{})
	if _, err := b.run(steps("w", `use mod.tool; tool.start("ext.ask", "?").await()`), nil, "w:ext.ask:1"); stopped(t, err).Cause != CauseWaiting {
		t.Fatal(err)
	}
	refused("ownership first", ErrPlanOwnershipMismatch, func() (*Result, error) { return b.Run(ctx, twin, stale, RunOptions{}) })
	refused("then the suspended run", ErrExecutionInProgress, func() (*Result, error) { return b.Run(ctx, q, a, RunOptions{}) })
	if _, err := b.Abandon(); err != nil {
		t.Fatal(err)
	}
	if err := b.catalog.Remove("text.other"); err != nil {
		t.Fatal(err)
	}
	refused("the kind before the leases", ErrApprovalMismatch, func() (*Result, error) { return b.Resume(ctx, p, stale, start, RunOptions{}) })
	refused("leases of an older catalog", ErrCatalogChanged, func() (*Result, error) { return b.Run(ctx, p, stale, RunOptions{}) })
}

// TestAStepEndsAsItsProgramDoes holds WD-33 to WD-35: events, statuses, audit and data of every way a step can end.
func TestAStepEndsAsItsProgramDoes(t *testing.T) {
	long := strings.Repeat(" ", 262_145)
	for _, row := range []struct {
		name   string
		draft  *Draft
		input  string
		grants []string
		cause  StepCause // "" for a completed run
		events string    // after planned, approved and started
		audit  []string
		data   string // the outputs
	}{
		{name: "values are discarded without dataflow", draft: steps("a", "|| 1", "b", "1/0"), events: "step_succeeded a, step_succeeded b, completed"},
		{name: "values become outputs", draft: steps("a", "workflow.input.x + 1", "b", "workflow.outputs.a * 2"), input: `{"x":1}`,
			events: "step_succeeded a, step_succeeded b, completed", data: `{"a":2,"b":4}`},
		{name: "an id that is no name", draft: steps("a.b-c", "1", "d", `workflow.outputs["a.b-c"]`), input: `{}`,
			events: "step_succeeded a.b-c, step_succeeded d, completed", data: `{"a.b-c":1,"d":1}`},
		{name: "names of a step are gone in the next", draft: steps("a", "let x = 1; fn f() { return 1; }; x", "b", `[try x catch 0, try f() catch 0]`), input: `{}`,
			events: "step_succeeded a, step_succeeded b, completed", data: `{"a":1,"b":[0,0]}`},
		{name: "changes of workflow are gone in the next", draft: steps("a", "workflow.input.x = 9; workflow.outputs.z = 1; 1", "b", "workflow"), input: `{"x":1}`,
			events: "step_succeeded a, step_succeeded b, completed", data: `{"a":1,"b":{"input":{"x":1},"outputs":{"a":1}}}`},
		{name: "without dataflow there is no workflow", draft: steps("a", "workflow"), cause: CauseError, events: "step_failed a"},
		{name: "the first uncaught error ends the step", draft: steps("a", "1", "b", `nope; use mod.tool; tool.call("text.echo", "x")`, "c", "3"), input: `{}`,
			grants: []string{"b:text.echo:1"}, cause: CauseError, events: "step_succeeded a, step_failed b", data: `{"a":1}`},
		{name: "a source that is no program", draft: steps("a", "1", "b", "let = 1", "c", "3"), cause: CauseSyntax, events: "step_succeeded a, step_rejected b"},
		{name: "a source that is too long", draft: steps("a", "1", "b", long), cause: CauseSource, events: "step_succeeded a"},
		{name: "a value that is no JSON", draft: steps("a", "|| 1", "b", "2"), input: `{}`, cause: CauseBoundary, events: "step_failed a", data: `{}`},
		{name: "a value that is not finite", draft: steps("a", "1/0"), input: `{}`, cause: CauseBoundary, events: "step_failed a", data: `{}`},
		{name: "outputs that are too much together", draft: steps("a", double(15), "b", double(15)), input: `{}`, cause: CauseOutput,
			events: "step_succeeded a, step_failed b", data: `{"a":"` + strings.Repeat("x", 1<<15) + `"}`},
		{name: "too many steps of the machine", draft: steps("a", "loop {}"), cause: CauseError, events: "step_failed a"},
		{name: "a started call is made at the end", draft: steps("a", `use mod.tool; tool.start("text.echo", "x"); 1`, "b", "2"), grants: []string{"a:text.echo:1"},
			events: "step_succeeded a, step_succeeded b, completed", audit: []string{"text.echo allowed"}},
		{name: "a started call is made after a failure", draft: steps("a", `use mod.tool; tool.start("text.echo", "x"); nope`), grants: []string{"a:text.echo:1"},
			cause: CauseError, events: "step_failed a", audit: []string{"text.echo allowed"}},
		{name: "a started call of an external tool is called off", draft: steps("a", `use mod.tool; tool.start("ext.ask", "x"); 1`), grants: []string{"a:ext.ask:1"},
			events: "step_succeeded a, completed", audit: []string{"ext.ask cancelled"}},
		{name: "a started call that nobody approved is called off", draft: steps("a", `use mod.tool; tool.start("text.sure", "x"); 1`), grants: []string{"a:text.sure:1"},
			events: "step_succeeded a, completed", audit: []string{"text.sure cancelled"}},
		{name: "a module gives values", draft: steps("a", `use mod.echo; [echo.back({n: 1}).n, echo.later({n: 2}).await().n]`), input: `{}`, grants: []string{"a:json.echo:2"},
			events: "step_succeeded a, completed", audit: []string{"json.echo allowed", "json.echo allowed"}, data: `{"a":[1,2]}`},
		{name: "a failed call is one to catch, with what it told", draft: steps("a", `use mod.tool
try tool.call_json("json.fail", {id: 1}) catch tool.last_error().data.problems[0].field`), input: `{}`, grants: []string{"a:json.fail:1"},
			events: "step_succeeded a, completed", audit: []string{"json.fail failed"}, data: `{"a":"id"}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := newBench(t, Options{})
			var data *Data
			if row.input != "" {
				data = mustData(t, row.input)
			}
			r, err := b.run(row.draft, data, row.grants...)
			if row.cause == "" {
				if err != nil || r.Status != RunCompleted || r.Error != nil {
					t.Fatal(err, r)
				}
			} else if stop := stopped(t, err); stop.Cause != row.cause || r.Status != RunFailed || *r.Error != stop.Error() {
				t.Fatal(err, stop.Cause, r)
			}
			same(t, "events", b.events()[3:], strings.Split(row.events, ", "))
			if row.audit == nil {
				row.audit = []string{}
			}
			same(t, "audit", b.entries(), row.audit)
			if row.input == "" {
				if r.Dataflow != nil || b.Snapshot() != nil {
					t.Error("there is data")
				}
				return
			}
			outputs, err := json.Marshal(r.Dataflow.Outputs)
			if err != nil || string(outputs) != row.data {
				t.Errorf("outputs %.200s, want %.200s", outputs, row.data)
			}
			if got := b.Snapshot().Fingerprint(); got != r.Dataflow.Fingerprint {
				t.Error("the snapshot is not the result", got)
			}
		})
	}
}

func double(times int) string {
	return fmt.Sprintf(`let s = "x"; let i = 0; while i < %d { s += s; i += 1; }; s`, times)
}

// TestErrorsOfARunNameNoMoreThanTheStep holds WD-26: what a program or a tool says is not in the text of the error, and
// is in the error.
func TestErrorsOfARunNameNoMoreThanTheStep(t *testing.T) {
	b := newBench(t, Options{})
	r, err := b.run(steps("a", `use mod.tool; tool.call_json("json.fail", {secret: "hunter2"})`), nil, "a:json.fail:1")
	for _, word := range []string{"hunter2", "order", "json.fail"} {
		if strings.Contains(err.Error(), word) || strings.Contains(*r.Error, word) {
			t.Errorf("%q says %q", err, word)
		}
	}
	if !strings.Contains(err.Error(), "step a") {
		t.Error(err)
	}
	var uncaught *splash.Error
	var told *splash.CallError
	if !errors.As(err, &uncaught) || uncaught.Line != 1 || !errors.As(err, &told) || told.Message != "no such order" {
		t.Error("the cause is lost", err)
	}
}

// TestAResultHasTheRecordedForm holds the members and their order of WD-25.
func TestAResultHasTheRecordedForm(t *testing.T) {
	b := newBench(t, Options{})
	r, err := b.run(steps("a", `use mod.tool; tool.call("text.echo", "x")`, "b", "nope", "c", ""), mustData(t, `{"n":1.0}`), "a:text.echo:1")
	if err == nil {
		t.Fatal("no error")
	}
	doc := r.Encode()
	want := `{"audit":[{"event_sequence":1,"input_bytes":1,"outcome":"allowed","output_bytes":1,"retry_class":null,"sequence":0,"tool":"text.echo"}],` +
		`"dataflow":{"fingerprint":"` + r.Dataflow.Fingerprint + `","input":{"n":1.0},"outputs":{"a":"x"}},` +
		`"dropped_audit_events":0,"dropped_workflow_events":0,"error":"step b failed",` +
		`"plan":{"fingerprint":"` + r.Plan.Fingerprint + `","id":1,"step_count":3},"status":"failed",` +
		`"steps":[{"diagnostic_count":null,"id":"a","status":"succeeded"},{"diagnostic_count":1,"id":"b","status":"failed"},` +
		`{"diagnostic_count":null,"id":"c","status":"pending"}]}`
	if string(doc) != want {
		t.Errorf("got  %s\nwant %s", doc, want)
	}
}

// TestEventsAreNumberedAndKeptAsLongAsThereIsRoom holds WD-38.
func TestEventsAreNumberedAndKeptAsLongAsThereIsRoom(t *testing.T) {
	for _, capacity := range []int{-1, MaxCapacity + 1} {
		if _, err := NewEngine(nil, Options{EventCapacity: capacity}); !errors.Is(err, ErrCapacityOutOfRange) {
			t.Error(capacity, err)
		}
		if _, err := NewEngine(nil, Options{AuditCapacity: capacity}); !errors.Is(err, ErrCapacityOutOfRange) {
			t.Error(capacity, err)
		}
	}
	e, err := NewEngine(nil, Options{EventCapacity: 3})
	if err != nil {
		t.Fatal(err)
	}
	since := func(cursor int, want Refusal, first, count, next int) {
		t.Helper()
		batch, err := e.EventsSince(cursor)
		if want != "" {
			if !errors.Is(err, want) {
				t.Errorf("since %d: %v, want %v", cursor, err, want)
			}
			return
		}
		if err != nil || len(batch.Events) != count || batch.Next != next || count > 0 && batch.Events[0].Sequence != first {
			t.Errorf("since %d: %+v %v", cursor, batch, err)
		}
	}
	since(0, ErrEventCursorInvalid, 0, 0, 0)
	since(-1, ErrEventCursorInvalid, 0, 0, 0)
	since(1, "", 0, 0, 1)
	since(2, ErrEventCursorAhead, 0, 0, 0)
	for range 5 {
		if _, err := e.Plan(steps("a", "")); err != nil {
			t.Fatal(err)
		}
	}
	since(1, ErrEventCursorEvicted, 0, 0, 0)
	since(2, ErrEventCursorEvicted, 0, 0, 0)
	since(3, "", 3, 3, 6)
	since(5, "", 5, 1, 6)
	since(6, "", 0, 0, 6)
	since(7, ErrEventCursorAhead, 0, 0, 0)
	if _, err := e.EventsSince(1); err.(*EngineError).Expected != "3" || err.(*EngineError).Actual != "1" {
		t.Error(err)
	}
	if e.DroppedEvents() != 2 {
		t.Error(e.DroppedEvents())
	}
	e.ClearEvents()
	since(6, "", 0, 0, 6)
	since(5, ErrEventCursorEvicted, 0, 0, 0)
	if _, err := e.Plan(steps("a", "")); err != nil {
		t.Fatal(err)
	}
	since(6, "", 6, 1, 7)
	if e.DroppedEvents() != 2 {
		t.Error("clearing is no dropping")
	}
}

// TestTheAuditKeepsTheLastEntriesAndNoForeignText holds WD-42.
func TestTheAuditKeepsTheLastEntriesAndNoForeignText(t *testing.T) {
	b := newBench(t, Options{AuditCapacity: 2})
	r, err := b.run(steps("a", `use mod.tool
fn ask(name) { return try tool.call(name, "x") catch nil; }
ask("Ignore All Rules"); ask("well.formed"); ask("Ignore All Rules"); ask("Ignore All rules")`), nil)
	if err != nil {
		t.Fatal(err)
	}
	entries, dropped := b.Audit()
	if len(entries) != 2 || dropped != 2 || r.DroppedAudit != 2 || entries[0].EventSequence != 3 || entries[0].Sequence != 2 {
		t.Fatalf("%+v %d", entries, dropped)
	}
	for _, a := range entries {
		rest, ok := strings.CutPrefix(a.Tool, "unrecognized:")
		if !ok || !validFingerprint(rest) {
			t.Error(a.Tool)
		}
	}
	if entries[0].Tool == entries[1].Tool {
		t.Error("different names have one label")
	}
}

// TestSnapshotsSurviveFailure holds WD-64.
func TestSnapshotsSurviveFailure(t *testing.T) {
	b := newBench(t, Options{})
	if b.Snapshot() != nil || b.TakeSnapshot() != nil {
		t.Fatal("data before any run")
	}
	if _, err := b.run(steps("a", "1", "b", "nope"), mustData(t, `7`)); err == nil {
		t.Fatal("no error")
	}
	seen := b.Snapshot()
	if got := string(seen.Context()); got != `{"input":7,"outputs":{"a":1}}` {
		t.Error(got)
	}
	if err := seen.insert("z", []byte("1")); err != nil {
		t.Fatal(err)
	}
	taken := b.TakeSnapshot()
	if got := string(taken.Context()); got != `{"input":7,"outputs":{"a":1}}` {
		t.Error("a snapshot is not a copy", got)
	}
	if b.Snapshot() != nil || b.TakeSnapshot() != nil {
		t.Error("it was taken and is there")
	}
	if _, err := b.run(steps("a", "1"), mustData(t, `9`)); err != nil || b.Snapshot() == nil {
		t.Fatal(err)
	}
	if _, err := b.run(steps("a", `use mod.tool; tool.start("ext.ask", "?").await()`), mustData(t, `8`), "a:ext.ask:1"); err == nil {
		t.Fatal("no error")
	}
	if got := string(b.Snapshot().Context()); got != `{"input":8,"outputs":{}}` {
		t.Error("of a suspended run", got)
	}
	if b.TakeSnapshot() != nil {
		t.Error("the data of a suspended run was taken")
	}
	if _, err := b.Abandon(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.run(steps("a", "1"), nil); err != nil || b.Snapshot() != nil {
		t.Error("a run did not clear the snapshot", err)
	}
}

func TestAContextStopsARun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stopper := Tool{Name: "text.stop", Run: func(context.Context, Call) (string, error) { cancel(); return "", nil }}
	b := newBench(t, Options{}, stopper)
	p := b.plan(steps("a", `use mod.tool; tool.start("text.echo", "x"); try tool.call("text.stop", "") catch 1`, "b", "2"))
	r, err := b.Run(ctx, p, b.approve(p, granted(p, "a:text.stop:1", "a:text.echo:1"), ApproveOptions{}), RunOptions{})
	if stop := stopped(t, err); stop.Cause != CauseContext || stop.Outcome != StepFailed || !errors.Is(err, context.Canceled) || r.Status != RunFailed {
		t.Error(err, r)
	}
	same(t, "calls", b.made, nil)
	same(t, "audit", b.entries(), []string{"text.stop allowed", "text.echo cancelled"})
	if got := b.used["text.stop"]; got != 1 {
		t.Error(got)
	}

	p = b.plan(steps("a", "1"))
	r, err = b.Run(ctx, p, b.approve(p, granted(p), ApproveOptions{}), RunOptions{})
	if stop := stopped(t, err); stop.Outcome != StepPending || r.Steps[0].Status != StepPending {
		t.Error(err, r)
	}
}

// TestNothingIsTriedAgainAfterTheEnd holds that a context which ended ends the attempts too.
func TestNothingIsTriedAgainAfterTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := newBench(t, Options{}, Tool{Name: "text.busy", MaxAttempts: 3, Run: func(context.Context, Call) (string, error) {
		cancel()
		return "", &Retry{Class: "busy", Err: errors.New("busy")}
	}})
	p := b.plan(steps("a", `use mod.tool; tool.call("text.busy", "")`))
	_, err := b.Run(ctx, p, b.approve(p, granted(p, "a:text.busy:1"), ApproveOptions{}), RunOptions{})
	if stopped(t, err).Cause != CauseContext {
		t.Error(err)
	}
	same(t, "audit", b.entries(), []string{"text.busy failed"})
}

func TestAHookThatPanicsLeavesTheEngineFree(t *testing.T) {
	b := newBench(t, Options{})
	p := b.plan(steps("a", "1"))
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		_, _ = b.Run(t.Context(), p, b.approve(p, granted(p), ApproveOptions{}), RunOptions{OnStep: func(StepDone) error { panic("disk") }})
	}()
	if _, err := b.run(steps("a", "1"), nil); err != nil {
		t.Error(err)
	}
}

func TestADraftFromNowhereIsNoPlan(t *testing.T) {
	b := newBench(t, Options{})
	for _, d := range []*Draft{nil, {}} {
		p, err := b.Plan(d)
		var rejected *Rejection
		if p != nil || !errors.As(err, &rejected) || rejected.Code != RejectedEmptyPlan || len(b.events()) != 0 {
			t.Error(p, err)
		}
	}
}

// TestEveryShapeOfAuthorityCoversItsSteps holds the four shapes of WD-30.
func TestEveryShapeOfAuthorityCoversItsSteps(t *testing.T) {
	d := steps("a", `use mod.tool; [try tool.call("text.echo", "1") catch 0, try tool.call("text.other", "1") catch 0]`,
		"b", `use mod.tool; [try tool.call("text.echo", "2") catch 0, try tool.call("text.other", "2") catch 0]`)
	lease := func(b *bench, grants ...Grant) *Lease {
		l, err := b.Lease(grants...)
		b.must(err)
		return l
	}
	for name, row := range map[string]struct {
		authority func(b *bench) Authority
		made      []string
	}{
		"whole catalog": {func(*bench) Authority { return WholeCatalog() },
			[]string{"a text.echo 1", "a text.other 1", "b text.echo 2", "b text.other 2"}},
		"one lease": {func(b *bench) Authority { return SharedLease(lease(b, Grant{"text.echo", 1}, Grant{"text.other", 2})) },
			[]string{"a text.echo 1", "a text.other 1", "b text.other 2"}},
		"a lease a step": {func(b *bench) Authority {
			return LeasePerStep(lease(b, Grant{"text.echo", 1}), lease(b, Grant{"text.other", 2}))
		},
			[]string{"a text.echo 1", "b text.other 2"}},
		"a policy a step": {func(*bench) Authority {
			return PerStep(StepPolicy{"a", nil}, StepPolicy{"b", []Grant{{"text.echo", 3}}})
		},
			[]string{"b text.echo 2"}},
	} {
		b := newBench(t, Options{})
		p := b.plan(d)
		_, err := b.Run(t.Context(), p, b.approve(p, row.authority(b), ApproveOptions{}), RunOptions{})
		b.must(err)
		same(t, name, b.made, row.made)
	}
}

func TestEveryRefusalSaysSomething(t *testing.T) {
	for code, text := range denialTexts {
		if text == "" || strings.Contains((&DeniedError{Code: code}).Error(), string(code)) && strings.Contains(string(code), "_") {
			t.Error(code)
		}
	}
	for refusal, text := range refusalTexts {
		if got := (&EngineError{Refusal: refusal}).Error(); got != "draft: "+text || text == "" {
			t.Error(got)
		}
	}
}
