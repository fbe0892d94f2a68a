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

// suspend runs until the run is suspended.
func (b *bench) suspend(d *Draft, data *Data, grants ...string) *Result {
	b.t.Helper()
	r, err := b.run(d, data, grants...)
	if stop := stopped(b.t, err); stop.Cause != CauseWaiting || r.Status != RunSuspended {
		b.t.Fatal(err, r)
	}
	return r
}

func (b *bench) claim() PendingCall {
	b.t.Helper()
	c, ok, err := b.ClaimCall()
	if err != nil || !ok {
		b.t.Fatal("nothing to claim", err)
	}
	return c
}

func (b *bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// TestAnExternalCallSuspendsItsStep holds WD-36 from the suspension to the end of the plan.
func TestAnExternalCallSuspendsItsStep(t *testing.T) {
	b := newBench(t, Options{})
	d := steps("a", "1", "b", `use mod.tool
let local = tool.start("text.echo", "l")
let answer = tool.start("ext.ask", "q" + workflow.outputs.a).await()
answer + local.await() + tool.call("text.echo", "m")`, "c", `workflow.outputs.b + "!"`)
	r := b.suspend(d, mustData(t, `{}`), "b:ext.ask:1", "b:text.echo:2")
	if s := r.Steps[1]; s.Status != StepSuspended || s.DiagnosticCount != nil || len(r.Dataflow.Outputs) != 1 {
		t.Error(r)
	}
	same(t, "local work is done before", b.made, []string{"b text.echo l"})

	waiting := b.PendingCalls()
	if len(waiting) != 1 || waiting[0].State != CallQueued || waiting[0].StepID != "b" || waiting[0].Arguments != "q1" {
		t.Fatalf("%+v", waiting)
	}
	if err := b.CompleteCall(waiting[0].ID, "x"); !errors.Is(err, ErrCallStateMismatch) {
		t.Error("an answer from who has not claimed it", err)
	}
	if r, err := b.Continue(t.Context()); r.Status != RunSuspended || stopped(t, err).Outcome != StepSuspended {
		t.Error("it went on without an answer", err)
	}
	c := b.claim()
	if c.ID != waiting[0].ID || c.State != CallClaimed {
		t.Errorf("%+v", c)
	}
	if _, ok, err := b.ClaimCall(); ok || err != nil {
		t.Error("it was claimed twice", err)
	}
	if err := b.CompleteCall(c.ID+100, "x"); !errors.Is(err, ErrUnknownCall) {
		t.Error(err)
	}
	b.must(b.CompleteCall(c.ID, "A"))
	if err := b.CompleteCall(c.ID, "B"); !errors.Is(err, ErrUnknownCall) {
		t.Error("it was answered twice", err)
	}
	r, err := b.Continue(t.Context())
	if err != nil || r.Status != RunCompleted || string(r.Dataflow.Outputs["c"]) != `"Alm!"` {
		t.Fatal(r, err)
	}
	same(t, "events", b.events(), []string{"planned", "approved", "started", "step_succeeded a", "step_suspended b",
		"step_succeeded b", "step_succeeded c", "completed"})
	same(t, "audit", b.entries(), []string{"text.echo allowed", "ext.ask allowed", "text.echo allowed"})
	if len(r.Audit) != 3 {
		t.Error("the result of a run is of the whole run", r.Audit)
	}
}

func TestNothingIsToBeDoneWithoutASuspendedRun(t *testing.T) {
	b := newBench(t, Options{})
	_, cont := b.Continue(t.Context())
	_, abandon := b.Abandon()
	_, _, claim := b.ClaimCall()
	_, cancel := b.CancelCall(0)
	for name, err := range map[string]error{"Continue": cont, "Abandon": abandon, "ClaimCall": claim, "CancelCall": cancel,
		"CompleteCall": b.CompleteCall(0, ""), "FailCall": b.FailCall(0, nil), "ConfirmCancel": b.ConfirmCancel(0),
		"ApproveCall": b.ApproveCall(0, ""), "RefuseCall": b.RefuseCall(0, "")} {
		if !errors.Is(err, ErrNoSuspendedExecution) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if calls := b.PendingCalls(); calls == nil || len(calls) != 0 {
		t.Error(calls)
	}
}

// TestAnExternalCallEndsInEveryWay holds what a program and the audit see of each.
func TestAnExternalCallEndsInEveryWay(t *testing.T) {
	const src = `use mod.tool
let p = tool.start("ext.ask", "q")
try p.await() catch "caught"`
	for _, row := range []struct {
		name  string
		end   func(b *bench, c PendingCall)
		value string
		audit []string
	}{
		{"an answer", func(b *bench, c PendingCall) { b.must(b.CompleteCall(c.ID, "yes")) }, `"yes"`, []string{"allowed"}},
		{"an error", func(b *bench, c PendingCall) { b.must(b.FailCall(c.ID, errors.New("down"))) }, `"caught"`, []string{"failed"}},
		{"no error", func(b *bench, c PendingCall) { b.must(b.FailCall(c.ID, nil)) }, `"caught"`, []string{"failed"}},
		{"an answer that is too long", func(b *bench, c PendingCall) { b.must(b.CompleteCall(c.ID, strings.Repeat("x", 65_537))) }, `"caught"`, []string{"failed"}},
		{"an answer that is no text", func(b *bench, c PendingCall) { b.must(b.CompleteCall(c.ID, "\xff")) }, `"caught"`, []string{"failed"}},
		{"a cancellation", func(b *bench, c PendingCall) {
			if done, err := b.CancelCall(c.ID); done || err != nil {
				t.Error(done, err)
			}
			if _, err := b.CancelCall(c.ID); !errors.Is(err, ErrCallStateMismatch) {
				t.Error(err)
			}
			b.must(b.ConfirmCancel(c.ID))
		}, `"caught"`, []string{"cancellation_requested", "cancelled"}},
		{"a cancellation that came too late", func(b *bench, c PendingCall) {
			_, err := b.CancelCall(c.ID)
			b.must(err)
			b.must(b.CompleteCall(c.ID, "yes"))
		}, `"yes"`, []string{"cancellation_requested", "allowed"}},
		{"a second attempt", func(b *bench, c PendingCall) {
			b.must(b.FailCall(c.ID, &Retry{Class: "busy", Err: errors.New("busy")}))
			if again := b.claim(); again.ID != c.ID || again.Digest != c.Digest {
				t.Error(again)
			}
			b.must(b.CompleteCall(c.ID, "yes"))
		}, `"yes"`, []string{"retry_scheduled", "allowed"}},
		{"one attempt too many", func(b *bench, c PendingCall) {
			b.must(b.FailCall(c.ID, &Retry{Class: "busy", Err: errors.New("busy")}))
			b.claim()
			b.must(b.FailCall(c.ID, &Retry{Class: "Not A Class", Err: errors.New("busy")}))
		}, `"caught"`, []string{"retry_scheduled", "failed"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := newBench(t, Options{})
			b.suspend(steps("a", src), mustData(t, `{}`), "a:ext.ask:1")
			row.end(b, b.claim())
			r, err := b.Continue(t.Context())
			if err != nil || string(r.Dataflow.Outputs["a"]) != row.value {
				t.Fatal(r, err)
			}
			var outcomes []string
			for _, a := range r.Audit {
				outcomes = append(outcomes, string(a.Outcome))
				if (a.Outcome == AuditRetryScheduled) != (a.RetryClass != nil) {
					t.Error(a)
				}
			}
			same(t, "audit", outcomes, row.audit)
		})
	}
	t.Run("cancelled before anyone claimed it", func(t *testing.T) {
		b := newBench(t, Options{})
		b.suspend(steps("a", src), mustData(t, `{}`), "a:ext.ask:1")
		if done, err := b.CancelCall(b.PendingCalls()[0].ID); !done || err != nil {
			t.Error(done, err)
		}
		if r, err := b.Continue(t.Context()); err != nil || string(r.Dataflow.Outputs["a"]) != `"caught"` {
			t.Error(r, err)
		}
	})
}

// TestAClaimedCallOutlivesItsStep holds that what became of it is still recorded, and changes nothing else.
func TestAClaimedCallOutlivesItsStep(t *testing.T) {
	b := newBench(t, Options{})
	b.suspend(steps("a", `use mod.tool
let p = tool.start("ext.ask", "1")
tool.start("ext.ask", "2").await()`), mustData(t, `{}`), "a:ext.ask:2")
	first, second := b.claim(), b.claim()
	b.must(b.CompleteCall(second.ID, "done"))
	if r, err := b.Continue(t.Context()); err != nil || r.Status != RunCompleted {
		t.Fatal(r, err)
	}
	if calls := b.PendingCalls(); len(calls) != 1 || calls[0].ID != first.ID {
		t.Fatal(calls)
	}
	b.must(b.CompleteCall(first.ID, "late"))
	same(t, "audit", b.entries(), []string{"ext.ask allowed", "ext.ask allowed"})
	if err := b.CompleteCall(first.ID, "later"); !errors.Is(err, ErrNoSuspendedExecution) {
		t.Error(err)
	}
}

// TestACallWhoseStepIsOverIsNotTriedAgain holds that a failure to repeat is final when nobody waits for the answer.
func TestACallWhoseStepIsOverIsNotTriedAgain(t *testing.T) {
	b := newBench(t, Options{})
	b.suspend(steps("a", `use mod.tool
let p = tool.start("ext.ask", "1")
tool.start("ext.ask", "2").await()`), nil, "a:ext.ask:2")
	first, second := b.claim(), b.claim()
	b.must(b.CompleteCall(second.ID, "done"))
	if _, err := b.Continue(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.must(b.FailCall(first.ID, &Retry{Class: "busy", Err: errors.New("busy")}))
	same(t, "audit", b.entries(), []string{"ext.ask allowed", "ext.ask failed"})
	if len(b.PendingCalls()) != 0 {
		t.Error(b.PendingCalls())
	}
}

func TestAnAbandonedRunMakesNoFurtherCall(t *testing.T) {
	b := newBench(t, Options{})
	b.suspend(steps("a", `use mod.tool
let sure = tool.start("text.sure", "s")
tool.start("ext.ask", "1").await()`, "b", "2"), nil, "a:ext.ask:1", "a:text.sure:1")
	b.must(b.ApproveCall(b.PendingCalls()[0].ID, b.PendingCalls()[0].Digest))
	r, err := b.Abandon()
	if err != nil || r.Status != RunFailed || r.Steps[0].Status != StepFailed || r.Steps[1].Status != StepPending {
		t.Fatal(r, err)
	}
	same(t, "calls", b.made, nil)
	same(t, "audit", b.entries(), []string{"text.sure cancelled", "ext.ask cancelled"})
	if len(b.PendingCalls()) != 0 {
		t.Error(b.PendingCalls())
	}
	if _, err := b.run(steps("a", "1"), nil); err != nil {
		t.Error(err)
	}
}

// TestACallWaitsForItsApproval holds the approval of single calls: synchronous and deferred, approved and refused.
func TestACallWaitsForItsApproval(t *testing.T) {
	for _, call := range []string{`tool.call("text.sure", "pay " + 5)`, `tool.start("text.sure", "pay " + 5).await()`} {
		b := newBench(t, Options{})
		d := steps("a", "use mod.tool\ntry "+call+` catch tool.last_error().message`, "b", "workflow.outputs.a")
		r := b.suspend(d, mustData(t, `{}`), "a:text.sure:1")
		if r.Steps[0].Status != StepSuspended {
			t.Fatal(r)
		}
		c := b.PendingCalls()[0]
		if c.State != CallAwaitsApproval || c.Arguments != "pay 5" || !validFingerprint(c.Digest) {
			t.Fatalf("%+v", c)
		}
		if _, ok, err := b.ClaimCall(); ok || err != nil {
			t.Error("a call to approve is not one to claim", err)
		}
		if err := b.CompleteCall(c.ID, "x"); !errors.Is(err, ErrCallStateMismatch) {
			t.Error(err)
		}
		if err := b.ApproveCall(c.ID, strings.Repeat("0", 64)); !errors.Is(err, ErrCallDigestMismatch) {
			t.Error(err)
		}
		if _, err := b.Continue(t.Context()); stopped(t, err).Cause != CauseWaiting || len(b.made) != 0 {
			t.Error("it went on", err)
		}
		b.must(b.ApproveCall(c.ID, c.Digest))
		if err := b.ApproveCall(c.ID, c.Digest); !errors.Is(err, ErrCallStateMismatch) {
			t.Error("approved twice", err)
		}
		if len(b.made) != 0 {
			t.Error("it was made before the run went on")
		}
		r, err := b.Continue(t.Context())
		if err != nil || string(r.Dataflow.Outputs["b"]) != `"pay 5"` {
			t.Fatal(r, err)
		}
		same(t, "calls", b.made, []string{"a text.sure pay 5"})
		same(t, "audit", b.entries(), []string{"text.sure allowed"})

		b.suspend(d, mustData(t, `{}`), "a:text.sure:1")
		b.must(b.RefuseCall(b.PendingCalls()[0].ID, "too much"))
		r, err = b.Continue(t.Context())
		if err != nil || string(r.Dataflow.Outputs["b"]) != `"the call was refused: too much"` {
			t.Fatal(r, err)
		}
		same(t, "audit", b.entries(), []string{"text.sure allowed", "text.sure denied"})
	}
}

// TestAnApprovedCallIsMadeThoughNothingAwaitsIt holds that Continue makes every call that was approved, before the program
// goes on, and that one which is not approved by then is called off with its step.
func TestAnApprovedCallIsMadeThoughNothingAwaitsIt(t *testing.T) {
	for _, approved := range []bool{true, false} {
		b := newBench(t, Options{})
		b.suspend(steps("a", `use mod.tool
let sure = tool.start("text.sure", "s")
tool.start("ext.ask", "1").await()
tool.call("text.echo", "e")`), nil, "a:ext.ask:1", "a:text.sure:1", "a:text.echo:1")
		sure := b.PendingCalls()[0]
		made := []string{"a text.echo e"}
		audit := []string{"ext.ask allowed", "text.echo allowed", "text.sure cancelled"}
		if approved {
			b.must(b.ApproveCall(sure.ID, sure.Digest))
			made = []string{"a text.sure s", "a text.echo e"}
			audit = []string{"ext.ask allowed", "text.sure allowed", "text.echo allowed"}
		}
		b.must(b.CompleteCall(b.claim().ID, ""))
		if _, err := b.Continue(t.Context()); err != nil {
			t.Error(err)
		}
		same(t, "calls", b.made, made)
		same(t, "audit", b.entries(), audit)
	}
}

// TestASuspensionIsRecordedWhenSomethingHappened holds that a run which goes on and waits again says so, also when all it
// did was a call that nothing awaits, and that one which cannot go on at all says nothing.
func TestASuspensionIsRecordedWhenSomethingHappened(t *testing.T) {
	b := newBench(t, Options{})
	b.suspend(steps("a", `use mod.tool
let sure = tool.start("text.sure", "s")
tool.start("ext.ask", "1").await()`), nil, "a:ext.ask:1", "a:text.sure:1")
	suspensions := func() (n int) {
		for _, e := range b.events() {
			if e == "step_suspended a" {
				n++
			}
		}
		return n
	}
	for _, row := range []struct {
		approve bool
		want    int
	}{{false, 1}, {true, 2}, {false, 2}} {
		if row.approve {
			b.must(b.ApproveCall(b.PendingCalls()[0].ID, b.PendingCalls()[0].Digest))
		}
		if _, err := b.Continue(t.Context()); stopped(t, err).Cause != CauseWaiting || suspensions() != row.want {
			t.Error(err, b.events())
		}
	}
	same(t, "calls", b.made, []string{"a text.sure s"})
}

// TestADigestIsOfOneCallOnly holds that plan, step, tool and every byte of the arguments count.
func TestADigestIsOfOneCallOnly(t *testing.T) {
	seen := map[string]string{}
	for _, source := range []string{
		`use mod.tool; tool.call("text.sure", "x")`,
		`use mod.tool; tool.call("text.sure", "y")`,
		`use mod.tool; tool.call("text.sure", "x" )`,
		`use mod.tool; tool.call("text.sure", " x")`,
	} {
		for _, id := range []string{"a", "b"} {
			b := newBench(t, Options{})
			b.suspend(steps(id, source), nil, id+":text.sure:1")
			digest := b.PendingCalls()[0].Digest
			if other, twice := seen[digest]; twice {
				t.Errorf("%q and %q", other, id+": "+source)
			}
			seen[digest] = id + ": " + source
		}
	}
	// One plan and one step can make calls of two tools.
	b := newBench(t, Options{}, Tool{Name: "text.surer", Approve: true, Run: func(context.Context, Call) (string, error) { return "", nil }})
	b.suspend(steps("a", `use mod.tool; tool.start("text.sure", "x"); tool.start("text.surer", "x").await()`), nil, "a:text.sure:1", "a:text.surer:1")
	if calls := b.PendingCalls(); len(calls) != 2 || calls[0].Digest == calls[1].Digest {
		t.Error("the tool does not count", calls)
	}
}

// TestPreparedArgumentsAreWhatRuns holds the hook that commands need: what is approved is what the call means, and if
// that changes before it is made, it needs another approval.
func TestPreparedArgumentsAreWhatRuns(t *testing.T) {
	orders := "W1"
	var prepareErr error
	var ran []string
	order := Tool{Name: "order.cancel", Format: JSON, MaxCalls: 9, Approve: true, ChecksInput: true,
		InputSchema: json.RawMessage(`{"type":"object","properties":{"order":{"type":["string","null"],"pattern":"^W"}}}`),
		Prepare: func(_ context.Context, c Call) (string, error) {
			return fmt.Sprintf(`{"given":%s,"order":%q}`, c.Input, orders), prepareErr
		},
		Run: func(_ context.Context, c Call) (string, error) {
			ran = append(ran, c.Input)
			return `{"ok":true}`, nil
		}}
	b := newBench(t, Options{}, order)
	d := steps("a", `use mod.tool; try tool.call_json("order.cancel", {o: "latest"}) catch "no"`)
	b.suspend(d, mustData(t, `{}`), "a:order.cancel:1")
	c := b.PendingCalls()[0]
	if c.Arguments != `{"given":{"o":"latest"},"order":"W1"}` {
		t.Fatal(c)
	}
	b.must(b.ApproveCall(c.ID, c.Digest))
	orders = "W2" // the latest order is another one by now
	if _, err := b.Continue(t.Context()); stopped(t, err).Cause != CauseWaiting || len(ran) != 0 {
		t.Fatal("it ran with arguments that nobody approved", ran)
	}
	changed := b.PendingCalls()[0]
	if changed.ID != c.ID || changed.Digest == c.Digest || changed.State != CallAwaitsApproval || !strings.Contains(changed.Arguments, "W2") {
		t.Fatal(changed)
	}
	if err := b.ApproveCall(c.ID, c.Digest); !errors.Is(err, ErrCallDigestMismatch) {
		t.Error("the old approval is good for the new arguments", err)
	}
	b.must(b.ApproveCall(c.ID, changed.Digest))
	if _, err := b.Continue(t.Context()); err != nil {
		t.Fatal(err)
	}
	same(t, "calls", ran, []string{`{"given":{"o":"latest"},"order":"W2"}`})

	// Arguments that mean nothing are refused before anyone is asked, and use nothing up.
	prepareErr = errors.New("no such order")
	r, err := b.run(d, mustData(t, `{}`), "a:order.cancel:1")
	if err != nil || string(r.Dataflow.Outputs["a"]) != `"no"` || b.used["order.cancel"] != 1 {
		t.Error(r, err, b.used)
	}
	// Those that came to mean nothing after the approval fail.
	prepareErr = nil
	b.suspend(d, mustData(t, `{}`), "a:order.cancel:1")
	b.must(b.ApproveCall(b.PendingCalls()[0].ID, b.PendingCalls()[0].Digest))
	prepareErr = errors.New("no such order")
	r, err = b.Continue(t.Context())
	if err != nil || string(r.Dataflow.Outputs["a"]) != `"no"` || len(ran) != 1 {
		t.Error(r, err, ran)
	}
	same(t, "audit", b.entries(), []string{"order.cancel allowed", "order.cancel denied", "order.cancel failed"})
}

// TestWhatPrepareMakesIsJudgedLikeAnInput holds that arguments which could not be given are not run with either.
func TestWhatPrepareMakesIsJudgedLikeAnInput(t *testing.T) {
	for _, row := range []struct {
		format    Format
		arguments string
		ok        bool
	}{
		{JSON, `{"a":1}`, true}, {JSON, `[]`, true}, {Text, "{", true}, {Text, "", true},
		{JSON, "", false}, {JSON, "{", false}, {JSON, "5", false}, {JSON, `{"a":1,"a":2}`, false},
		{JSON, `{"a":"` + "\xff" + `"}`, false}, {Text, "\xff", false},
	} {
		for _, approve := range []bool{false, true} {
			ran := ""
			b := newBench(t, Options{}, Tool{Name: "prepared", Format: row.format, Approve: approve,
				Prepare: func(context.Context, Call) (string, error) { return row.arguments, nil },
				Run:     func(_ context.Context, c Call) (string, error) { ran = c.Input; return c.Input, nil }})
			_, err := b.run(steps("a", `use mod.tool; tool.call("prepared", "[]")`), nil, "a:prepared:1")
			if row.ok && approve {
				b.must(b.ApproveCall(b.PendingCalls()[0].ID, b.PendingCalls()[0].Digest))
				_, err = b.Continue(t.Context())
			}
			var denied *DeniedError
			if refused := errors.As(err, &denied) && denied.Code == DeniedByPreparation; refused == row.ok || row.ok && (err != nil || ran != row.arguments) {
				t.Errorf("%s %q: %q %v", row.format, row.arguments, ran, err)
			}
		}
	}
}

// TestAToolThatMisbehavesFailsItsCallOnly holds that panics, wrong outputs and hanging stay inside the call.
func TestAToolThatMisbehavesFailsItsCallOnly(t *testing.T) {
	var noRetry *Retry
	var noError *toolFailure
	answers := map[string]func(context.Context) (string, error){
		"panics":                      func(context.Context) (string, error) { panic("boom") },
		"too long":                    func(context.Context) (string, error) { return `{"a":"` + strings.Repeat("x", 65_536) + `"}`, nil },
		"no JSON":                     func(context.Context) (string, error) { return "{", nil },
		"a scalar":                    func(context.Context) (string, error) { return "5", nil },
		"no schema":                   func(context.Context) (string, error) { return `{"n":"x"}`, nil },
		"no text":                     func(context.Context) (string, error) { return "{\"a\":\"\xff\"}", nil },
		"fails":                       func(context.Context) (string, error) { return "", errors.New("down") },
		"waits":                       func(context.Context) (string, error) { return "", splash.ErrLater },
		"fails, says nothing":         func(context.Context) (string, error) { return "", &Retry{Class: "x"} },
		"fails with a nil of its own": func(context.Context) (string, error) { return "", noError },
		"fails with a nil":            func(context.Context) (string, error) { return "", noRetry },
		"retries":                     func(context.Context) (string, error) { return "", &Retry{Class: "x", Err: errors.New("busy")} },
	}
	for name, answer := range answers {
		b := newBench(t, Options{}, Tool{Name: "json.bad", Format: JSON, MaxAttempts: 2,
			OutputSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`),
			Run:          func(ctx context.Context, _ Call) (string, error) { return answer(ctx) }})
		r, err := b.run(steps("a", `use mod.tool; try tool.call_json("json.bad", {}) catch "caught"`), mustData(t, `{}`), "a:json.bad:1")
		if err != nil || string(r.Dataflow.Outputs["a"]) != `"caught"` {
			t.Errorf("%s: %v %v", name, r, err)
		}
		want := []string{"json.bad failed"}
		if name == "retries" || name == "fails, says nothing" {
			want = []string{"json.bad retry_scheduled", "json.bad failed"}
		}
		same(t, name, b.entries(), want)
	}

	for _, output := range []string{"", "{", "5", `"x"`, `{"a":1,"a":2}`} { // also without a schema
		b := newBench(t, Options{}, Tool{Name: "json.bad", Format: JSON, Run: func(context.Context, Call) (string, error) { return output, nil }})
		_, err := b.run(steps("a", `use mod.tool; tool.call_json("json.bad", {})`), nil, "a:json.bad:1")
		var failed *FailedError
		if !errors.As(err, &failed) {
			t.Errorf("%q: %v", output, err)
		}
	}

	// A tool that hangs is left behind when the context of the run ends.
	release := make(chan struct{})
	defer close(release)
	b := newBench(t, Options{}, Tool{Name: "text.hang", Run: func(context.Context, Call) (string, error) { <-release; return "", nil }})
	p := b.plan(steps("a", `use mod.tool; try tool.call("text.hang", "") catch 1`))
	a := b.approve(p, granted(p, "a:text.hang:1"), ApproveOptions{})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := b.Run(ctx, p, a, RunOptions{}); stopped(t, err).Cause != CauseContext {
		t.Error(err)
	}
	same(t, "audit", b.entries(), []string{"text.hang timed_out"})
}

type toolFailure struct{ text string }

func (e *toolFailure) Error() string { return e.text }

// TestNobodyTouchesARunThatGoesOn holds that a run belongs to the goroutine that runs it, until it is suspended.
func TestNobodyTouchesARunThatGoesOn(t *testing.T) {
	var b *bench
	var first PendingCall
	inside := func(ctx context.Context, _ Call) (string, error) {
		_, run := b.Run(ctx, b.Engine.run.plan, &Approval{}, RunOptions{})
		_, cont := b.Continue(ctx)
		_, abandon := b.Abandon()
		_, _, claim := b.ClaimCall()
		_, cancel := b.CancelCall(first.ID)
		for name, err := range map[string]error{"Run": run, "Continue": cont, "Abandon": abandon, "ClaimCall": claim, "CancelCall": cancel,
			"CompleteCall": b.CompleteCall(first.ID, ""), "FailCall": b.FailCall(first.ID, nil), "ConfirmCancel": b.ConfirmCancel(first.ID),
			"ApproveCall": b.ApproveCall(first.ID, first.Digest), "RefuseCall": b.RefuseCall(first.ID, "")} {
			if !errors.Is(err, ErrExecutionInProgress) {
				t.Errorf("%s: %v", name, err)
			}
		}
		return "", nil
	}
	b = newBench(t, Options{}, Tool{Name: "text.inside", Run: inside})
	d := steps("a", `use mod.tool
let sure = tool.start("text.sure", "s")
tool.start("ext.ask", "1").await()
tool.call("text.inside", "")
sure.await()`)
	b.suspend(d, nil, "a:ext.ask:1", "a:text.sure:1", "a:text.inside:1")
	first = b.PendingCalls()[0]
	b.must(b.CompleteCall(b.claim().ID, ""))
	if _, err := b.Continue(t.Context()); stopped(t, err).Cause != CauseWaiting {
		t.Fatal(err)
	}
	b.must(b.ApproveCall(first.ID, first.Digest))
	if _, err := b.Continue(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestACallThatIsCalledOffIsNotTriedAgain holds that whoever claimed it cannot bring it back by a failure that may pass.
func TestACallThatIsCalledOffIsNotTriedAgain(t *testing.T) {
	b := newBench(t, Options{})
	b.suspend(steps("a", `use mod.tool; tool.start("ext.ask", "1").await()`), nil, "a:ext.ask:1")
	c := b.claim()
	if done, err := b.CancelCall(c.ID); done || err != nil {
		t.Fatal(done, err)
	}
	b.must(b.FailCall(c.ID, &Retry{Class: "busy"}))
	if _, ok, err := b.ClaimCall(); ok || err != nil {
		t.Error("it is there to claim again", err)
	}
	same(t, "audit", b.entries(), []string{"ext.ask cancellation_requested", "ext.ask failed"})
}

// TestAnApprovalOfACallCanBeTakenBack holds that a call which was approved and not made yet is not made when it is refused
// or called off.
func TestAnApprovalOfACallCanBeTakenBack(t *testing.T) {
	for outcome, take := range map[string]func(*bench, int) error{
		"denied":    func(b *bench, id int) error { return b.RefuseCall(id, "no") },
		"cancelled": func(b *bench, id int) error { _, err := b.CancelCall(id); return err },
	} {
		b := newBench(t, Options{})
		b.suspend(steps("a", `use mod.tool; try tool.call("text.sure", "x") catch 1`), nil, "a:text.sure:1")
		c := b.PendingCalls()[0]
		b.must(b.ApproveCall(c.ID, c.Digest))
		b.must(take(b, c.ID))
		if _, err := b.Continue(t.Context()); err != nil {
			t.Error(err)
		}
		same(t, "calls", b.made, nil)
		same(t, "audit", b.entries(), []string{"text.sure " + outcome})
	}
}
