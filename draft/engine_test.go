package draft

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fwgo/fwgo/splash"
)

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
		{name: "a value that is longer than any data", draft: steps("a", double(16)), input: `{}`, cause: CauseBoundary, events: "step_failed a", data: `{}`},
		{name: "a value that leaves no room for the rest", draft: steps("a", double(15)+` + "`+strings.Repeat("x", 1<<15-10)+`"`), input: `{}`, cause: CauseOutput, events: "step_failed a", data: `{}`},
		{name: "a value that is deeper than any data", draft: steps("a", deep(65)), input: `{}`, cause: CauseBoundary, events: "step_failed a", data: `{}`},
		{name: "a value that is too deep where it goes", draft: steps("a", deep(62), "b", deep(63)), input: `{}`, cause: CauseOutput,
			events: "step_succeeded a, step_failed b", data: `{"a":` + strings.Repeat("[", 62) + strings.Repeat("]", 62) + `}`},
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

func deep(levels int) string {
	return fmt.Sprintf(`let v = []; let i = 1; while i < %d { v = [v]; i += 1; }; v`, levels)
}

// TestAResultShowsTheAuditOfItsRun holds that the entries of runs before are the engine's to show, not the run's.
func TestAResultShowsTheAuditOfItsRun(t *testing.T) {
	b := newBench(t, Options{})
	for _, tool := range []string{"text.echo", "text.other"} {
		r, err := b.run(steps("a", `use mod.tool; tool.call("`+tool+`", "x")`), nil, "a:"+tool+":1")
		if err != nil || len(r.Audit) != 1 || r.Audit[0].Tool != tool {
			t.Error(err, r)
		}
	}
	same(t, "audit", b.entries(), []string{"text.echo allowed", "text.other allowed"})
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

// TestRefusedCallsReachTheHostOnlySoOften holds that a program cannot ask Prepare or Authorize without end with one call
// that is granted, and that each step has its own count.
func TestRefusedCallsReachTheHostOnlySoOften(t *testing.T) {
	asked := 0
	no := func() error { asked++; return errors.New("no") }
	prepared := Tool{Name: "text.prepared", Prepare: func(context.Context, Call) (string, error) { return "", no() },
		Run: func(context.Context, Call) (string, error) { t.Error("it ran"); return "", nil }}
	for name, opts := range map[string]Options{
		"Prepare":   {AuditCapacity: MaxCapacity},
		"Authorize": {AuditCapacity: MaxCapacity, Authorize: func(context.Context, Call) error { return no() }},
	} {
		asked = 0
		b := newBench(t, opts, prepared)
		loop := `use mod.tool; let i = 0; while i < 100 { try tool.call("text.prepared", "") catch nil; i += 1; }; `
		_, err := b.run(steps("a", loop+"1", "b", loop+`tool.call("text.prepared", "")`), nil, "a:text.prepared:1", "b:text.prepared:1")
		var denied *DeniedError
		if !errors.As(err, &denied) || denied.Code != DeniedRefusals || denied.Error() == "" {
			t.Error(name, err)
		}
		if asked != 2*maxRefusals || len(b.entries()) != 201 || b.used["text.prepared"] != 0 {
			t.Error(name, asked, len(b.entries()), b.used)
		}
	}
}

// TestAStepIsNotDoneWhileCallsItAskedForAreNotMade holds that a context which ends after the program did, and before the
// calls that nothing awaited, fails the step: a checkpoint of it would lose them without a word.
func TestAStepIsNotDoneWhileCallsItAskedForAreNotMade(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := newBench(t, Options{}, Tool{Name: "text.stop", Run: func(context.Context, Call) (string, error) { cancel(); return "", nil }})
	p := b.plan(steps("a", `use mod.tool; tool.start("text.stop", ""); tool.start("text.echo", "x"); 1`))
	a := b.approve(p, granted(p, "a:text.stop:1", "a:text.echo:1"), ApproveOptions{})
	r, err := b.Run(ctx, p, a, RunOptions{OnStep: func(StepDone) error { t.Error("the step is said to be done"); return nil }})
	if stop := stopped(t, err); stop.Cause != CauseContext || stop.CompletedSteps != 0 || r.Steps[0].Status != StepFailed {
		t.Error(stop, r.Steps)
	}
	same(t, "audit", b.entries(), []string{"text.stop allowed", "text.echo cancelled"})
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

// TestAnErrorThatPanicsLeavesTheEngineFree holds that an error of a tool which panics when it is looked at ends the run
// with that panic, and not with an engine that is locked for ever.
func TestAnErrorThatPanicsLeavesTheEngineFree(t *testing.T) {
	b := newBench(t, Options{}, Tool{Name: "text.bad", Run: func(context.Context, Call) (string, error) { return "", brokenError{} }})
	done := make(chan any)
	go func() {
		defer func() { done <- recover() }()
		_, _ = b.run(steps("a", `use mod.tool; tool.start("text.echo", "x"); tool.start("ext.ask", "x"); tool.call("text.bad", "")`), nil,
			"a:text.bad:1", "a:text.echo:1", "a:ext.ask:1")
	}()
	select {
	case v := <-done:
		if v != "broken" {
			t.Error(v)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the engine is locked")
	}
	same(t, "audit", b.entries(), []string{"ext.ask cancelled", "text.echo cancelled"})
	same(t, "events", b.events(), []string{"planned", "approved", "started", "step_failed a"})
	same(t, "calls", b.made, nil)
	if _, err := b.run(steps("a", "1"), nil); err != nil {
		t.Error(err)
	}
}

type brokenError struct{}

func (brokenError) Error() string { return "" }
func (brokenError) As(any) bool   { panic("broken") }

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

// TestEveryReservedCallIsInTheAudit holds that a context which ends while a call is being reserved leaves no call that
// took from the budgets and is written down nowhere, in whatever form it was made.
func TestEveryReservedCallIsInTheAudit(t *testing.T) {
	for call, tool := range map[string]string{
		`tool.call("text.echo", "x")`:        "text.echo",
		`tool.start("text.echo", "x")`:       "text.echo",
		`mod.echo.back({})`:                  "json.echo",
		`mod.echo.later({})`:                 "json.echo",
		`tool.call("text.sure", "x")`:        "text.sure",
		`tool.start("text.sure", "x")`:       "text.sure",
		`tool.start("ext.ask", "x").await()`: "ext.ask",
	} {
		ctx, cancel := context.WithCancel(t.Context())
		b := newBench(t, Options{Authorize: func(context.Context, Call) error { cancel(); return nil }})
		p := b.plan(steps("a", "use mod.tool; "+call))
		a := b.approve(p, granted(p, "a:"+tool+":1"), ApproveOptions{})
		if _, err := b.Run(ctx, p, a, RunOptions{}); stopped(t, err).Cause != CauseContext {
			t.Errorf("%s: %v", call, err)
		}
		same(t, call, b.entries(), []string{tool + " cancelled"})
		same(t, call, b.made, nil)
		if len(b.PendingCalls()) != 0 {
			t.Error(call, b.PendingCalls())
		}
	}
}

// TestADenialNamesNoMoreThanAName holds that a name which follows no rule is neither in the error nor, as it is, in the
// audit, and that the audit counts what the program gave, not what Prepare made of it.
func TestADenialNamesNoMoreThanAName(t *testing.T) {
	prepared := Tool{Name: "text.prepared", Prepare: func(context.Context, Call) (string, error) { return "much longer", nil },
		Run: func(_ context.Context, c Call) (string, error) { return c.Input, nil }}
	b := newBench(t, Options{}, prepared)
	_, err := b.run(steps("a", `use mod.tool; tool.call("text.prepared", "four"); tool.call("Kim Doe, W1", "123")`), nil, "a:text.prepared:1")
	var denied *DeniedError
	if !errors.As(err, &denied) || denied.Tool != "" || strings.Contains(denied.Error(), "Kim") {
		t.Errorf("%+v", denied)
	}
	entries, _ := b.Audit()
	if len(entries) != 2 || entries[0].InputBytes != 4 || entries[0].OutputBytes != 11 || entries[1].InputBytes != 3 || strings.Contains(entries[1].Tool, "Kim") {
		t.Errorf("%+v", entries)
	}
	_, err = b.run(steps("a", `use mod.tool; tool.call("no.such", "")`), nil)
	if !errors.As(err, &denied) || denied.Tool != "no.such" {
		t.Errorf("%+v", denied)
	}
}

// TestWhatGoesInAndOutOfAJSONToolIsOnlySoDeep holds it for tools without a schema, whose values nobody else measures.
func TestWhatGoesInAndOutOfAJSONToolIsOnlySoDeep(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, row := range []struct {
		in, out int
		want    string
	}{{MaxDataDepth, MaxDataDepth, "allowed"}, {MaxDataDepth + 1, 1, "denied"}, {1, MaxDataDepth + 1, "failed"}} {
		b := newBench(t, Options{}, Tool{Name: "json.deep", Format: JSON, Run: func(context.Context, Call) (string, error) { return nested(row.out), nil }})
		_, _ = b.run(steps("a", `use mod.tool; tool.call("json.deep", "`+nested(row.in)+`")`), nil, "a:json.deep:1")
		same(t, "audit", b.entries(), []string{"json.deep " + row.want})
	}
}
