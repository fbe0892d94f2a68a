package draft

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

// TestAnEngineIsForSeveralGoroutines calls everything at once: runs one after the other, the rest is refused or answered,
// and the books are right in the end. It is for the race detector.
func TestAnEngineIsForSeveralGoroutines(t *testing.T) {
	var made atomic.Int64
	catalog, err := NewCatalog(
		Tool{Name: "text.count", MaxCalls: 1 << 20, Run: func(_ context.Context, c Call) (string, error) { made.Add(1); return c.Input, nil }},
		Tool{Name: "text.sure", MaxCalls: 1 << 20, Approve: true, Run: func(_ context.Context, c Call) (string, error) { made.Add(1); return c.Input, nil }},
		Tool{Name: "ext.ask", MaxCalls: 1 << 20, Dispatch: External})
	if err != nil {
		t.Fatal(err)
	}
	e, err := NewEngine(catalog, Options{AuditCapacity: MaxCapacity})
	if err != nil {
		t.Fatal(err)
	}
	d := steps("a", `use mod.tool; tool.call("text.count", "x"); tool.call("text.sure", "y")`, "b", `use mod.tool; tool.start("ext.ask", "z").await()`)
	data := mustData(t, `{}`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var completed atomic.Int64
	var wg sync.WaitGroup
	const want = 20
	acceptable := func(err error) bool {
		var stop *StepError
		for _, r := range []Refusal{ErrExecutionInProgress, ErrNoSuspendedExecution, ErrUnknownCall, ErrCallStateMismatch} {
			if errors.Is(err, r) {
				return true
			}
		}
		return err == nil || errors.As(err, &stop) && stop.Cause == CauseWaiting
	}
	finish := func(r *Result, err error) {
		if !acceptable(err) {
			t.Error(err)
			cancel()
		}
		if r != nil && r.Status == RunCompleted && completed.Add(1) >= want {
			cancel()
		}
	}
	for range 2 {
		wg.Go(func() { // those who run
			for ctx.Err() == nil {
				p, err := e.Plan(d)
				if err != nil {
					t.Error(err)
					return
				}
				a, err := e.Approve(p, granted(p, "a:text.count:1", "a:text.sure:1", "b:ext.ask:1"), ApproveOptions{Data: data})
				if err != nil {
					t.Error(err)
					return
				}
				finish(e.Run(t.Context(), p, a, RunOptions{OnStep: func(StepDone) error { return nil }}))
				finish(e.Continue(t.Context()))
			}
		})
		wg.Go(func() { // those who approve and answer
			for ctx.Err() == nil {
				for _, c := range e.PendingCalls() {
					if c.State == CallAwaitsApproval {
						if err := e.ApproveCall(c.ID, c.Digest); !acceptable(err) {
							t.Error(err)
						}
					}
				}
				c, ok, err := e.ClaimCall()
				if !acceptable(err) {
					t.Error(err)
				}
				for ok && ctx.Err() == nil { // whoever claimed it is the only one to answer, and may have to wait
					if err := e.CompleteCall(c.ID, "answer"); err == nil {
						break
					} else if !errors.Is(err, ErrExecutionInProgress) {
						t.Error(err)
						break
					}
				}
			}
		})
		wg.Go(func() { // those who look
			for ctx.Err() == nil {
				e.Audit()
				e.Snapshot()
				if _, err := e.EventsSince(1); err != nil && !errors.Is(err, ErrEventCursorEvicted) {
					t.Error(err)
				}
				catalog.Fingerprint()
			}
		})
	}
	wg.Wait()
	entries, dropped := e.Audit()
	if dropped > 0 {
		t.Fatal("the audit lost entries")
	}
	allowed := 0
	for i, a := range entries {
		if a.EventSequence != i+1 {
			t.Fatal("the audit has a gap", a)
		}
		if a.Outcome == AuditAllowed && a.Tool != "ext.ask" {
			allowed++
		}
	}
	if int64(allowed) != made.Load() || completed.Load() < want {
		t.Errorf("%d calls made, %d recorded, %d runs completed", made.Load(), allowed, completed.Load())
	}
}
