package draft

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/fwgo/fwgo/splash"
)

// CallState says what a pending call waits for.
type CallState string

// The states of a pending call.
const (
	CallAwaitsApproval CallState = "awaits_approval" // ApproveCall or RefuseCall
	CallApproved       CallState = "approved"        // Continue, which makes it
	CallQueued         CallState = "queued"          // ClaimCall
	CallClaimed        CallState = "claimed"         // CompleteCall or FailCall
	CallCancelling     CallState = "cancelling"      // the same, or ConfirmCancel
)

// PendingCall is a call that someone outside has to make or to approve (WD-36).
type PendingCall struct {
	ID     int
	StepID string
	Tool   string
	// Arguments are what the call runs with: the input of the program, or what Prepare made of it.
	Arguments string
	// Digest is 64 hexadecimal digits that stand for these arguments of this tool in this step of this plan.
	Digest string
	State  CallState
}

// PendingCalls returns the calls that wait for someone outside, in the order they were made, also claimed ones whose
// step is over.
func (e *Engine) PendingCalls() []PendingCall {
	e.mu.Lock()
	defer e.mu.Unlock()
	calls := make([]PendingCall, 0, len(e.pending))
	for _, id := range slices.Sorted(maps.Keys(e.pending)) {
		calls = append(calls, e.pending[id].shown())
	}
	return calls
}

func (c *toolCall) shown() PendingCall {
	return PendingCall{ID: c.call.ID, StepID: c.call.StepID, Tool: c.call.Tool, Arguments: c.call.Input, Digest: c.digest, State: c.state}
}

// Continue goes on with the suspended run: it makes the calls that were approved, and runs the step and the later ones
// on, with the same leases and data (WD-36). When the call that the program awaits is not settled, the run is suspended
// as before. Errors are those of [Engine.Run], and ErrNoSuspendedExecution.
func (e *Engine) Continue(ctx context.Context) (*Result, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.suspended(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return e.drive(ctx, e.run)
}

// Abandon ends the suspended run. Its step counts as failed, no queued call is made, and what others have claimed they
// may still complete, for the audit. The error is ErrNoSuspendedExecution or ErrExecutionInProgress.
func (e *Engine) Abandon() (*Result, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.suspended(); err != nil {
		return nil, err
	}
	x := e.run
	e.busy = true
	e.mu.Unlock()
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	e.close(ended, x)
	stop := e.fail(x, CauseAbandoned, nil)
	e.mu.Lock()
	result := e.result(x, stop)
	e.over(x)
	return result, nil
}

// suspended checks that a run is suspended. The lock is held.
func (e *Engine) suspended() error {
	switch {
	case e.run == nil:
		return &EngineError{Refusal: ErrNoSuspendedExecution}
	case e.busy:
		return &EngineError{Refusal: ErrExecutionInProgress}
	}
	return nil
}

// call finds a pending call in one of the given states. The lock is held.
func (e *Engine) call(id int, states ...CallState) (*toolCall, error) {
	c := e.pending[id]
	switch {
	case e.busy:
		return nil, &EngineError{Refusal: ErrExecutionInProgress}
	case c == nil && e.run == nil:
		return nil, &EngineError{Refusal: ErrNoSuspendedExecution}
	case c == nil:
		return nil, &EngineError{Refusal: ErrUnknownCall}
	case !slices.Contains(states, c.state):
		return nil, &EngineError{Refusal: ErrCallStateMismatch, Tool: c.call.Tool, StepID: c.call.StepID, Expected: words(states), Actual: string(c.state)}
	}
	return c, nil
}

func words(states []CallState) string {
	out := make([]string, len(states))
	for i, s := range states {
		out[i] = string(s)
	}
	return strings.Join(out, " or ")
}

// ApproveCall lets a call be made that awaits approval, with exactly the arguments that the digest stands for, once. The
// next [Engine.Continue] makes it. If what the arguments stand for has changed by then, it awaits approval again, under
// a new digest. The error is an *EngineError: ErrCallDigestMismatch for another digest.
func (e *Engine) ApproveCall(id int, digest string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	c, err := e.call(id, CallAwaitsApproval)
	if err != nil {
		return err
	}
	if digest != c.digest {
		return &EngineError{Refusal: ErrCallDigestMismatch, Tool: c.call.Tool, StepID: c.call.StepID}
	}
	c.state = CallApproved
	return nil
}

// RefuseCall denies a call that awaits approval, or was approved and not made yet. The program gets an error to catch,
// which tells it the reason. The call stays used up, so that a program cannot ask for ever. The error is an *EngineError.
func (e *Engine) RefuseCall(id int, reason string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	c, err := e.call(id, CallAwaitsApproval, CallApproved)
	if err != nil {
		return err
	}
	e.settle(c, AuditDenied, "", &DeniedError{Code: DeniedByApprover, Tool: c.call.Tool,
		Err: &splash.CallError{Message: "the call was refused: " + reason}})
	return nil
}

// ClaimCall takes the oldest queued call of an external tool; ok says that there was one. Whoever claims it makes it, and
// says how it ended. The error is an *EngineError, ErrCatalogChanged among them: such a call can only be cancelled.
func (e *Engine) ClaimCall() (call PendingCall, ok bool, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.suspended(); err != nil {
		return PendingCall{}, false, err
	}
	for _, c := range e.waiting(e.run.eval) {
		if c.state == CallQueued {
			if err := c.lease.valid(e); err != nil {
				return PendingCall{}, false, err
			}
			c.state = CallClaimed
			c.attempts++
			return c.shown(), true, nil
		}
	}
	return PendingCall{}, false, nil
}

// CompleteCall gives the output of a claimed call. One that breaks what the tool promises counts as failed. The error is
// an *EngineError.
func (e *Engine) CompleteCall(id int, output string) error {
	return e.report(id, output, nil)
}

// FailCall says that a claimed call failed. With a *Retry and attempts left it is queued again. The error is an
// *EngineError.
func (e *Engine) FailCall(id int, failure error) error {
	if failure == nil {
		failure = errors.New("the call failed")
	}
	return e.report(id, "", failure)
}

func (e *Engine) report(id int, output string, failure error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	c, err := e.call(id, CallClaimed, CallCancelling)
	if err != nil {
		return err
	}
	if c.eval != nil && c.state == CallClaimed && e.retries(c, failure) {
		c.state = CallQueued
		return nil
	}
	output, failure = e.ended(context.Background(), c, output, failure)
	e.settle(c, "", output, failure)
	return nil
}

// CancelCall calls a pending call off. One that nobody has claimed is cancelled at once (done); whoever claimed it is to
// say with [Engine.ConfirmCancel] that it was not made, or how it ended after all. The error is an *EngineError.
func (e *Engine) CancelCall(id int) (done bool, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	c, err := e.call(id, CallAwaitsApproval, CallApproved, CallQueued, CallClaimed)
	if err != nil {
		return false, err
	}
	if c.state == CallClaimed {
		c.state = CallCancelling
		e.note(c, AuditCancellationRequested, 0, "")
		return false, nil
	}
	e.settle(c, AuditCancelled, "", &DeniedError{Code: deniedCancelledByHost, Tool: c.call.Tool})
	return true, nil
}

// ConfirmCancel says that a claimed call was called off as asked. The error is an *EngineError.
func (e *Engine) ConfirmCancel(id int) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	c, err := e.call(id, CallCancelling)
	if err != nil {
		return err
	}
	e.settle(c, AuditCancelled, "", &DeniedError{Code: deniedCancelledByHost, Tool: c.call.Tool})
	return nil
}
