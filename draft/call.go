package draft

import (
	"context"
	"errors"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/fwgo/fwgo/internal/guard"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/splash"
)

// stepHost is what a program calls. Every call goes through reserve, whatever way it came.
type stepHost struct {
	e *Engine
	x *execution
}

func (h stepHost) Call(ctx context.Context, sc splash.Call) (string, error) {
	c, err := h.e.reserve(ctx, h.x, sc, false)
	switch {
	case err != nil:
		return "", err
	case c.state != "":
		return "", splash.ErrLater
	}
	return h.e.perform(ctx, c)
}

func (h stepHost) Start(ctx context.Context, sc splash.Call) (splash.Work, error) {
	c, err := h.e.reserve(ctx, h.x, sc, true)
	if err != nil || c.state != "" {
		return nil, err
	}
	return func(ctx context.Context) (string, error) { return h.e.perform(ctx, c) }, nil
}

// toolCall is a call that was reserved.
type toolCall struct {
	call     Call // Input is what it runs with
	tool     *tool
	lease    *lease
	digest   string
	attempts int

	state CallState          // "" for a call that the engine makes by itself
	eval  *splash.Evaluation // of the step that waits, nil when it is over
	place int                // the number of the call in eval
}

// maxRefusals is how many calls of one step are refused by code of the host, which uses nothing up, before no more are
// shown to it. Otherwise one granted call would let a program ask the host's data as often as its steps allow.
const maxRefusals = 64

// reserve checks a call and takes it out of its budgets, or denies it (WD-41).
func (e *Engine) reserve(ctx context.Context, x *execution, sc splash.Call, deferred bool) (*toolCall, error) {
	e.mu.Lock()
	id := e.calls
	e.calls++
	t, denial := e.allows(x.lease(), sc, deferred)
	if denial == nil && deferred && len(x.eval.Pending()) >= e.maxPending() {
		denial = &DeniedError{Code: DeniedPending}
	}
	e.mu.Unlock()
	if denial == nil && x.refused >= maxRefusals {
		denial = &DeniedError{Code: DeniedRefusals}
	}

	c := &toolCall{tool: t, lease: x.lease(), eval: x.eval, place: sc.ID,
		call: Call{ID: id, PlanID: x.plan.id, StepID: x.stepID(), Tool: sc.Tool, Given: sc.Input, Input: sc.Input}}
	if denial == nil && e.authorize != nil {
		if _, err := guarded(ctx, func() (string, error) { return "", e.authorize(ctx, c.call) }); err != nil {
			denial = &DeniedError{Code: DeniedByAuthorizer, Err: err}
		}
	}
	if denial == nil && (t.Prepare != nil || t.Approve) {
		arguments, digest, err := c.prepare(ctx, x.plan)
		if err != nil {
			denial = &DeniedError{Code: DeniedByPreparation, Err: err}
		}
		c.call.Input, c.digest = arguments, digest
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if denial != nil {
		if denial.Code == DeniedByAuthorizer || denial.Code == DeniedByPreparation {
			x.refused++
		}
		if validID(sc.Tool) {
			denial.Tool = sc.Tool
		}
		e.note(c, AuditDenied, 0, "")
		return nil, denial
	}
	e.used[t.Name]++
	c.lease.left[t.Name]--
	switch {
	case t.Approve:
		c.state = CallAwaitsApproval
	case t.Dispatch == External:
		c.state = CallQueued
		if c.digest == "" {
			c.digest = callDigest(x.plan, c.call)
		}
	default:
		return c, nil
	}
	e.pending[id] = c
	return c, nil
}

// maxPending is the bound of Limits.Pending, which the engine holds itself, so that what it denies is in the audit.
func (e *Engine) maxPending() int {
	if e.limits.Pending > 0 {
		return e.limits.Pending
	}
	return splash.DefaultLimits().Pending
}

// allows makes the checks of WD-41 up to the lease, in their order. The lock is held.
func (e *Engine) allows(l *lease, sc splash.Call, deferred bool) (*tool, *DeniedError) {
	t := l.catalog.tools[sc.Tool]
	switch {
	case t == nil:
		return nil, &DeniedError{Code: DeniedUnknownTool}
	case sc.JSON && t.Format != JSON:
		return t, &DeniedError{Code: DeniedNotJSON}
	case !deferred && t.Dispatch == External:
		return t, &DeniedError{Code: DeniedSynchronous}
	case len(sc.Input) > t.MaxInputBytes:
		return t, &DeniedError{Code: DeniedInputTooLarge}
	case t.Format == JSON && !isEnvelope(sc.Input):
		return t, &DeniedError{Code: DeniedInputNotJSON}
	}
	if t.input != nil {
		if err := t.input.validateText([]byte(sc.Input)); err != nil {
			return t, &DeniedError{Code: DeniedInputContract, Err: err}
		}
	}
	switch {
	case e.used[t.Name] >= t.MaxCalls:
		return t, &DeniedError{Code: DeniedPolicyBudget}
	case l.catalog != e.catalog.state.Load():
		return t, &DeniedError{Code: DeniedCatalogChanged}
	case l.left[t.Name] <= 0:
		return t, &DeniedError{Code: DeniedNotGranted}
	}
	return t, nil
}

// isEnvelope reports whether a text is one JSON object or array, with no member name twice.
func isEnvelope(text string) bool {
	doc, fault := jsontree.Parse(text, jsontree.Limits{Depth: MaxDataDepth}, nil)
	return fault == nil && (doc.Root.Kind == jsontree.Object || doc.Root.Kind == jsontree.List)
}

// prepare returns what a call is to run with, and the digest that an approval of it must name.
func (c *toolCall) prepare(ctx context.Context, p *Plan) (arguments, digest string, err error) {
	given := c.call
	given.Input = c.call.Given
	arguments = c.call.Given
	if c.tool.Prepare != nil {
		if arguments, err = guarded(ctx, func() (string, error) { return c.tool.Prepare(ctx, given) }); err != nil {
			return c.call.Given, "", err
		}
	}
	switch {
	case !utf8.ValidString(arguments):
		return c.call.Given, "", errors.New("the prepared arguments are not UTF-8 text")
	case c.tool.Format == JSON && !isEnvelope(arguments):
		return c.call.Given, "", errors.New("the prepared arguments are no JSON object or array")
	}
	given.Input = arguments
	return arguments, callDigest(p, given), nil
}

const callDomain = "fwgo-tool-call-v1"

// callDigest binds a call: the plan, the step, the tool and the arguments, to the byte.
func callDigest(p *Plan, c Call) string {
	d := newDigest(callDomain)
	for _, part := range []string{p.fingerprint, c.StepID, c.Tool, c.Input} {
		d.part(part)
	}
	return d.hex()
}

// perform makes a call that is reserved, and approved where it has to be. That may have been long ago, so the lease is
// looked at again.
func (e *Engine) perform(ctx context.Context, c *toolCall) (string, error) {
	if err := c.lease.valid(e); err != nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.note(c, AuditDenied, 0, "")
		return "", &DeniedError{Code: DeniedCatalogChanged, Tool: c.tool.Name}
	}
	for {
		var output string
		err := ctx.Err()
		if err == nil {
			c.attempts++
			output, err = guarded(ctx, func() (string, error) { return c.tool.Run(ctx, c.call) })
		}
		var again bool
		if output, again, err = e.attempted(ctx, c, output, err); !again {
			return output, err
		}
	}
}

// attempted records how one attempt ended, and reports whether there is to be another.
func (e *Engine) attempted(ctx context.Context, c *toolCall, output string, err error) (_ string, again bool, _ error) {
	e.mu.Lock()
	defer e.mu.Unlock() // deferred, since errors of the host are asked what they are, and may panic
	if ctx.Err() == nil && e.retries(c, err) {
		return "", true, nil
	}
	output, err = e.ended(ctx, c, output, err)
	return output, false, err
}

// retries records that a failed attempt is followed by another, if it is one to repeat. The lock is held.
func (e *Engine) retries(c *toolCall, err error) bool {
	var retry *Retry
	if !errors.As(err, &retry) || retry == nil || c.attempts >= c.tool.MaxAttempts {
		return false
	}
	e.note(c, AuditRetryScheduled, 0, retryClass(retry.Class))
	return true
}

// ended judges and records how a call ended. The lock is held.
func (e *Engine) ended(ctx context.Context, c *toolCall, output string, err error) (string, error) {
	if err == nil {
		err = c.tool.checkOutput(output)
		if err == nil {
			e.note(c, AuditAllowed, len(output), "")
			return output, nil
		}
		e.note(c, AuditFailed, 0, "")
		return "", err
	}
	outcome := AuditFailed
	if stop := ctx.Err(); stop != nil && (errors.Is(err, errOvertime) || errors.Is(err, stop)) {
		outcome = AuditCancelled
		if errors.Is(stop, context.DeadlineExceeded) {
			outcome = AuditTimedOut
		}
	}
	e.note(c, outcome, 0, "")
	return "", &FailedError{Tool: c.tool.Name, Err: err}
}

// retryClass keeps what an adapter says about a failure from being anything but a name.
func retryClass(class string) string {
	if !validID(class) {
		return "unclassified"
	}
	return class
}

// checkOutput is the end of WD-41.
func (t *tool) checkOutput(output string) error {
	reason := ""
	switch {
	case len(output) > t.MaxOutputBytes:
		reason = "the output is too long"
	case !utf8.ValidString(output):
		reason = "the output is not UTF-8 text"
	case t.Format == JSON && !isEnvelope(output):
		reason = "the output is no JSON object or array"
	case t.output != nil:
		if err := t.output.validateText([]byte(output)); err != nil {
			return &FailedError{Tool: t.Name, Reason: "the output breaks its schema", Err: err}
		}
	}
	if reason != "" {
		return &FailedError{Tool: t.Name, Reason: reason}
	}
	return nil
}

// note adds an audit entry. The lock is held.
func (e *Engine) note(c *toolCall, outcome AuditOutcome, outputBytes int, retryClass string) {
	entry := AuditEntry{EventSequence: e.audit.next, InputBytes: len(c.call.Given), Outcome: outcome, OutputBytes: outputBytes,
		Sequence: c.call.ID, Tool: e.labels.of(c.call.Tool)}
	if retryClass != "" {
		entry.RetryClass = &retryClass
	}
	e.audit.add(entry)
}

// waiting lists the pending calls of an evaluation in the order they were made. The lock is held.
func (e *Engine) waiting(eval *splash.Evaluation) []*toolCall {
	var calls []*toolCall
	for _, id := range slices.Sorted(maps.Keys(e.pending)) {
		if c := e.pending[id]; c.eval == eval {
			calls = append(calls, c)
		}
	}
	return calls
}

// settle ends a pending call and tells the program, if its step still runs. With an outcome it is recorded. The lock is
// held.
func (e *Engine) settle(c *toolCall, outcome AuditOutcome, output string, err error) {
	if outcome != "" {
		e.note(c, outcome, 0, "")
	}
	delete(e.pending, c.call.ID)
	if c.eval != nil {
		_ = c.eval.Settle(c.place, output, err) // it is pending there as long as it is here
	}
}

// makeApproved makes the calls that were approved. It reports whether it settled any.
func (e *Engine) makeApproved(ctx context.Context, x *execution) bool {
	e.mu.Lock()
	calls := e.waiting(x.eval)
	e.mu.Unlock()
	settled := false
	for _, c := range calls {
		if c.state != CallApproved || ctx.Err() != nil {
			continue
		}
		arguments, digest, err := c.prepare(ctx, x.plan)
		if err == nil && digest != c.digest {
			// What the call stands for is not what it was: that needs an approval of its own.
			e.mu.Lock()
			c.call.Input, c.digest, c.state = arguments, digest, CallAwaitsApproval
			e.mu.Unlock()
			x.moved = true
			continue
		}
		var output string
		if err == nil {
			output, err = e.perform(ctx, c)
		} else {
			err = &FailedError{Tool: c.tool.Name, Err: err}
			e.mu.Lock()
			e.note(c, AuditFailed, 0, "")
			e.mu.Unlock()
		}
		e.mu.Lock()
		e.settle(c, "", output, err)
		e.mu.Unlock()
		settled = true
	}
	return settled
}

// errOvertime is the error of code of the host that did not return when its context had ended.
var errOvertime = errors.New("it did not return in time")

// guarded runs code of the host, and lets its error say what it has to say: one that panics then, as a nil pointer in an
// error does, is a panic of that code too.
func guarded(ctx context.Context, f func() (string, error)) (string, error) {
	var answer struct {
		output string
		err    error
	}
	switch o := guard.Run(ctx, func() {
		if answer.output, answer.err = f(); answer.err != nil {
			_ = answer.err.Error()
		}
	}); {
	case o.Overtime:
		return "", errOvertime
	case o.Panic != "":
		return "", errors.New("it panicked: " + o.Panic)
	}
	return answer.output, answer.err
}
