package draft

import (
	"context"
	"errors"
	"math"

	"github.com/fwgo/fwgo/splash"
)

// RunOptions is what a host adds to a run.
type RunOptions struct {
	// OnStep is called after each step that is done, before the next one starts, with what a later [Engine.Resume] needs.
	// A host that stores both can lose the process at any time and make no call of a finished step again. An error stops
	// the run. It must not call methods of the engine that run plans or settle calls.
	OnStep func(done StepDone) error
}

// StepDone is where a run stands after a step.
type StepDone struct {
	StepID     string
	Checkpoint *Checkpoint
	Data       *Data // nil without dataflow
}

// execution is one run of a plan.
type execution struct {
	plan      *Plan
	leases    []*lease
	first     int // the index of the first step of this run
	next      int // the index of the step that runs or comes next
	data      *Data
	contract  *Contract
	opts      RunOptions
	auditFrom int // the first audit entry of the run

	eval        *splash.Evaluation // of the step that runs
	moved       bool               // something happened since the last suspension
	refused     int                // the calls of the step that code of the host refused
	diagnostics int                // of the step that stopped the run
}

func (x *execution) stepID() string { return x.plan.ids[x.next] }

func (x *execution) lease() *lease { return x.leases[x.next-x.first] }

// Run runs a plan from its first step (WD-32 to WD-34). The error is an *EngineError when the run did not start, with no
// result; and a *StepError when it stopped at a step, or after one because of OnStep.
func (e *Engine) Run(ctx context.Context, p *Plan, approval *Approval, opts RunOptions) (*Result, error) {
	return e.start(ctx, p, approval, nil, opts)
}

// Resume runs the steps of a plan that come after a checkpoint, which must be the one that was approved (WD-62). A step
// that was not done runs again from its start (WD-63). Errors are those of [Engine.Run].
func (e *Engine) Resume(ctx context.Context, p *Plan, approval *Approval, c *Checkpoint, opts RunOptions) (*Result, error) {
	if c == nil {
		return nil, &EngineError{Refusal: ErrApprovalMismatch}
	}
	return e.start(ctx, p, approval, c, opts)
}

func (e *Engine) start(ctx context.Context, p *Plan, approval *Approval, c *Checkpoint, opts RunOptions) (*Result, error) {
	if err := e.owns(p); err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.run != nil {
		return nil, &EngineError{Refusal: ErrExecutionInProgress}
	}
	a, err := e.redeem(p, approval, c)
	if err != nil {
		return nil, err
	}
	x := &execution{plan: p, leases: a.leases, first: a.first, next: a.first, data: a.data, contract: a.contract,
		opts: opts, auditFrom: e.audit.next}
	e.run, e.last = x, nil
	event := Event{Type: EventStarted, PlanID: p.id}
	if c != nil {
		event = Event{Type: EventResumed, PlanID: p.id, CompletedSteps: a.first}
	}
	e.record(event)
	return e.drive(ctx, x)
}

// drive runs steps until the plan is done, a step stops it, or it is suspended. The lock is held when it is called and
// when it returns, and not while programs and tools run.
func (e *Engine) drive(ctx context.Context, x *execution) (*Result, error) {
	e.busy = true
	e.mu.Unlock()
	var stop *StepError
	returned := false
	defer func() {
		if returned {
			return
		}
		// A callback of the host panicked, and so does this; but the engine is free again.
		if x.eval != nil {
			ended, cancel := context.WithCancel(context.Background())
			cancel()
			e.close(ended, x) // for the audit
			_ = e.fail(x, CauseError, nil)
		}
		e.mu.Lock()
		e.over(x)
	}()
	for stop == nil && x.next < len(x.plan.steps) {
		if x.eval == nil {
			stop = e.begin(ctx, x)
		}
		if stop == nil {
			stop = e.advance(ctx, x)
		}
	}
	returned = true
	e.mu.Lock()
	if stop == nil {
		e.record(Event{Type: EventCompleted, PlanID: x.plan.id})
	}
	result := e.result(x, stop)
	if stop != nil && stop.Outcome == StepSuspended {
		e.busy = false
		return result, stop
	}
	e.over(x)
	if stop != nil {
		return result, stop
	}
	return result, nil
}

// over ends a run. The lock is held.
func (e *Engine) over(x *execution) {
	e.last, e.run, e.busy = x.data, nil, false
}

func (x *execution) stop(outcome StepOutcome, cause StepCause, err error) *StepError {
	return &StepError{Outcome: outcome, Cause: cause, StepID: x.stepID(), CompletedSteps: x.next, Err: err}
}

// begin sets the evaluation of the next step up.
func (e *Engine) begin(ctx context.Context, x *execution) *StepError {
	if err := ctx.Err(); err != nil {
		return x.stop(StepPending, CauseContext, err)
	}
	program, err := splash.Parse(x.plan.steps[x.next].Source, e.limits)
	var syntax *splash.SyntaxError
	if errors.As(err, &syntax) {
		x.diagnostics = len(syntax.Report.Diagnostics)
		e.mu.Lock()
		e.record(Event{Type: EventStepRejected, PlanID: x.plan.id, StepID: x.stepID(), DiagnosticCount: x.diagnostics,
			DiagnosticsTruncated: syntax.Report.Truncated, CompletedSteps: x.next})
		e.mu.Unlock()
		return x.stop(StepRejected, CauseSyntax, err)
	}
	if err != nil {
		return x.stop(StepPending, CauseSource, err)
	}
	limits := e.limits
	limits.Pending = math.MaxInt // see maxPending
	eval, err := program.Begin(splash.Config{Limits: limits, Host: stepHost{e, x}, Modules: x.lease().catalog.scripts, Globals: globals(x.data)})
	if err != nil {
		return e.fail(x, CauseError, err)
	}
	x.eval, x.moved, x.refused = eval, true, 0
	return nil
}

// advance makes the calls that were approved, also those that the program does not await, and runs the step on with the
// calls that are queued, until it ends or waits for someone outside (WD-33, WD-36).
func (e *Engine) advance(ctx context.Context, x *execution) *StepError {
	x.moved = e.makeApproved(ctx, x) || x.moved
	for {
		if err := ctx.Err(); err != nil {
			e.close(ctx, x)
			return e.fail(x, CauseContext, err)
		}
		done, err := x.eval.Resume(ctx)
		switch {
		case done:
			return e.succeed(ctx, x)
		case err != nil:
			e.close(ctx, x)
			cause := CauseError
			if stop := ctx.Err(); stop != nil && errors.Is(err, stop) {
				cause = CauseContext
			}
			return e.fail(x, cause, err)
		case x.eval.RunNext(ctx):
			x.moved = true
			continue
		}
		if ctx.Err() != nil {
			continue
		}
		stop := x.stop(StepSuspended, CauseWaiting, nil)
		if x.moved {
			x.moved = false
			e.mu.Lock()
			e.record(Event{Type: EventStepSuspended, PlanID: x.plan.id, StepID: stop.StepID, CompletedSteps: x.next})
			e.mu.Unlock()
		}
		return stop
	}
}

// close calls off what nobody outside has taken, and then makes the calls that are still queued, so that no effect
// leaks into the next step (WD-33). It reports false when the context ended before all of them were made.
func (e *Engine) close(ctx context.Context, x *execution) (whole bool) {
	e.mu.Lock()
	e.callOff(x)
	e.mu.Unlock()
	whole = true
	for x.eval.RunNext(ctx) {
		whole = ctx.Err() == nil
	}
	return whole
}

// callOff cancels the calls that nobody outside has taken. The lock is held.
func (e *Engine) callOff(x *execution) {
	for _, c := range e.waiting(x.eval) {
		switch c.state {
		case CallClaimed, CallCancelling:
			c.eval = nil // whoever has it may still say how it ended
		default:
			e.settle(c, AuditCancelled, "", &DeniedError{Code: deniedStepOver, Tool: c.call.Tool})
		}
	}
}

// fail ends the run at a step whose evaluation is closed.
func (e *Engine) fail(x *execution, cause StepCause, err error) *StepError {
	x.diagnostics, x.eval = 1, nil
	e.mu.Lock()
	e.record(Event{Type: EventStepFailed, PlanID: x.plan.id, StepID: x.stepID(), DiagnosticCount: 1, CompletedSteps: x.next})
	e.mu.Unlock()
	return x.stop(StepFailed, cause, err)
}

// succeed ends a step that came to its end, which with dataflow still needs a value that fits (WD-33, WD-53).
func (e *Engine) succeed(ctx context.Context, x *execution) *StepError {
	value := x.eval.Value()
	if !e.close(ctx, x) {
		return e.fail(x, CauseContext, ctx.Err()) // not a step that is done: calls that it asked for were not made
	}
	if x.data != nil {
		if cause, err := e.output(x, value); err != nil {
			return e.fail(x, cause, err)
		}
	}
	done := StepDone{StepID: x.stepID()}
	e.mu.Lock()
	x.eval = nil
	x.next++
	e.record(Event{Type: EventStepSucceeded, PlanID: x.plan.id, StepID: done.StepID})
	if x.opts.OnStep != nil {
		done.Checkpoint = e.checkpoint(x.plan, x.next, x.data)
		if x.data != nil {
			done.Data = x.data.clone()
		}
	}
	e.mu.Unlock()
	if x.opts.OnStep == nil {
		return nil
	}
	if err := x.opts.OnStep(done); err != nil {
		return &StepError{Outcome: StepSucceeded, Cause: CauseCheckpoint, StepID: done.StepID, CompletedSteps: x.next, Err: err}
	}
	return nil
}

// output makes the value of a step an output of the data.
func (e *Engine) output(x *execution, value splash.Value) (StepCause, error) {
	doc, err := value.JSON(splash.Limits{JSONBytes: MaxDataBytes, JSONDepth: MaxDataDepth})
	if err != nil {
		return CauseBoundary, err
	}
	if x.contract != nil {
		if err := x.contract.checkOutput(x.next, doc); err != nil {
			return CauseContract, err
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return CauseOutput, x.data.insert(x.stepID(), doc)
}
