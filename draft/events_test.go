package draft

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

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

// TestARetryIsRecordedByANameOnly holds that what an adapter says about a failure is in the audit only if it is a name.
func TestARetryIsRecordedByANameOnly(t *testing.T) {
	for class, want := range map[string]string{"busy.2": "busy.2", "": "unclassified", "order W1 of Kim": "unclassified", strings.Repeat("x", 129): "unclassified"} {
		b := newBench(t, Options{}, Tool{Name: "text.busy", MaxAttempts: 2,
			Run: func(context.Context, Call) (string, error) { return "", &Retry{Class: class} }})
		_, _ = b.run(steps("a", `use mod.tool; tool.call("text.busy", "")`), nil, "a:text.busy:1")
		entries, _ := b.Audit()
		if len(entries) != 2 || entries[0].RetryClass == nil || *entries[0].RetryClass != want || entries[1].RetryClass != nil {
			t.Errorf("%q: %+v", class, entries)
		}
	}
}

// TestALabelIsOfOneEngine holds that the same foreign name is known again within an engine, and not outside of it.
func TestALabelIsOfOneEngine(t *testing.T) {
	label := func(b *bench) string {
		_, _ = b.run(steps("a", `use mod.tool; tool.call("Kim Doe", "")`), nil)
		entries, _ := b.Audit()
		return entries[len(entries)-1].Tool
	}
	one, other := newBench(t, Options{}), newBench(t, Options{})
	first := label(one)
	if hex, ok := strings.CutPrefix(first, "unrecognized:"); !ok || !validFingerprint(hex) {
		t.Error(first)
	}
	if label(one) != first || label(other) == first {
		t.Error("labels are not those of one engine")
	}
}

// TestAnEventShowsWhatItsKindHas holds the JSON forms of WD-37, each with the fields of its kind and no others.
func TestAnEventShowsWhatItsKindHas(t *testing.T) {
	full := Event{Sequence: 9, PlanID: 1, StepCount: 2, StepID: "a", CompletedSteps: 3, DiagnosticCount: 4, DiagnosticsTruncated: true}
	for kind, want := range map[EventType]string{
		EventPlanned:        `{"plan_id":1,"step_count":2,"type":"planned"}`,
		EventApproved:       `{"plan_id":1,"type":"approved"}`,
		EventCheckpointed:   `{"completed_steps":3,"plan_id":1,"type":"checkpointed"}`,
		EventResumeApproved: `{"completed_steps":3,"plan_id":1,"type":"resume_approved"}`,
		EventStarted:        `{"plan_id":1,"type":"started"}`,
		EventResumed:        `{"completed_steps":3,"plan_id":1,"type":"resumed"}`,
		EventStepSucceeded:  `{"plan_id":1,"step_id":"a","type":"step_succeeded"}`,
		EventStepSuspended:  `{"completed_steps":3,"plan_id":1,"step_id":"a","type":"step_suspended"}`,
		EventStepRejected:   `{"completed_steps":3,"diagnostic_count":4,"diagnostics_truncated":true,"plan_id":1,"step_id":"a","type":"step_rejected"}`,
		EventStepFailed:     `{"completed_steps":3,"diagnostic_count":4,"plan_id":1,"step_id":"a","type":"step_failed"}`,
		EventCompleted:      `{"plan_id":1,"type":"completed"}`,
	} {
		full.Type = kind
		if got, err := json.Marshal(full); err != nil || string(got) != want {
			t.Errorf("%s %v, want %s", got, err, want)
		}
	}
}

// TestEventsSayHowFarARunCame holds the numbers that events carry, over a run that fails, one that is rejected and one that
// is resumed.
func TestEventsSayHowFarARunCame(t *testing.T) {
	b := newBench(t, Options{})
	var c *Checkpoint
	keep := RunOptions{OnStep: func(s StepDone) error { c = s.Checkpoint; return nil }}
	p := b.plan(steps("a", "1", "b", "nope"))
	_, _ = b.Run(t.Context(), p, b.approve(p, granted(p), ApproveOptions{}), keep)
	_, _ = b.Resume(t.Context(), p, b.approve(p, PerStep(StepPolicy{StepID: "b"}), ApproveOptions{Checkpoint: c}), c, RunOptions{})
	_, _ = b.run(steps("a", "1", "b", strings.Repeat("1 +\n)\n", 40)), nil)
	batch, err := b.EventsSince(1)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range batch.Events {
		text, _ := json.Marshal(e)
		got = append(got, string(text))
	}
	same(t, "events", got, []string{
		`{"plan_id":1,"step_count":2,"type":"planned"}`,
		`{"plan_id":1,"type":"approved"}`,
		`{"plan_id":1,"type":"started"}`,
		`{"plan_id":1,"step_id":"a","type":"step_succeeded"}`,
		`{"completed_steps":1,"plan_id":1,"type":"checkpointed"}`,
		`{"completed_steps":1,"diagnostic_count":1,"plan_id":1,"step_id":"b","type":"step_failed"}`,
		`{"completed_steps":1,"plan_id":1,"type":"resume_approved"}`,
		`{"completed_steps":1,"plan_id":1,"type":"resumed"}`,
		`{"completed_steps":1,"diagnostic_count":1,"plan_id":1,"step_id":"b","type":"step_failed"}`,
		`{"plan_id":2,"step_count":2,"type":"planned"}`,
		`{"plan_id":2,"type":"approved"}`,
		`{"plan_id":2,"type":"started"}`,
		`{"plan_id":2,"step_id":"a","type":"step_succeeded"}`,
		`{"completed_steps":1,"diagnostic_count":32,"diagnostics_truncated":true,"plan_id":2,"step_id":"b","type":"step_rejected"}`,
	})
}
