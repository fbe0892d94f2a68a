package draft

import (
	"encoding/json"
	"slices"

	"github.com/fwgo/fwgo/splash"
)

// Approval is leave to run one plan once, with the authority, the data and the contract that were approved. It is bound
// to its engine and plan, is used up by the run that takes it, and has no encoded form (WD-30).
type Approval struct{ state *approval }

// approval is shared by all copies of an Approval, so that a copy is no second leave.
type approval struct {
	plan       *Plan
	used       bool
	leases     []*lease // one a step to run
	first      int      // the index of the first step to run
	data       *Data    // nil without dataflow; the approval's own copy
	contract   *Contract
	checkpoint *Checkpoint // nil for a fresh run
}

// ApproveOptions is what an approval covers beside the authority.
type ApproveOptions struct {
	// Data makes it a run with dataflow: steps find it as `workflow`, and their values become its outputs. The approval
	// keeps a copy, so nothing done to Data later matters.
	Data *Data
	// Contract says what the input and the outputs must look like. It needs Data.
	Contract *Contract
	// Checkpoint makes it an approval to resume after it. Data is then the data of the checkpoint, and the authority is
	// for the steps after it.
	Checkpoint *Checkpoint
}

// Approve checks, in the order of WD-31 and WD-62, that everything fits the plan and issues the leases of its steps. The
// error is an *EngineError, and then nothing was recorded.
func (e *Engine) Approve(p *Plan, authority Authority, opts ApproveOptions) (*Approval, error) {
	if err := e.owns(p); err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	a := &approval{plan: p, contract: opts.Contract, checkpoint: opts.Checkpoint}
	if err := a.resumesAfter(opts.Checkpoint, opts.Data != nil); err != nil {
		return nil, err
	}
	if err := a.takeData(opts.Data); err != nil {
		return nil, err
	}
	var err error
	if a.leases, err = e.leases(authority, p.steps[a.first:]); err != nil {
		return nil, err
	}
	if err := e.holds(a.data); err != nil {
		return nil, err
	}
	for _, l := range a.leases {
		if err := l.valid(e); err != nil {
			return nil, err
		}
	}
	for _, l := range a.leases {
		l.bound = true
	}
	event := Event{Type: EventApproved, PlanID: p.id}
	if opts.Checkpoint != nil {
		event = Event{Type: EventResumeApproved, PlanID: p.id, CompletedSteps: a.first}
	}
	e.record(event)
	return &Approval{a}, nil
}

// resumesAfter finds the first step to run and checks that the checkpoint is one of the plan (WD-62).
func (a *approval) resumesAfter(c *Checkpoint, withData bool) error {
	if c == nil {
		return nil
	}
	n := len(c.completed)
	switch {
	case c.plan != a.plan.fingerprint:
		return &EngineError{Refusal: ErrCheckpointPlanMismatch}
	case n > len(a.plan.ids) || !slices.Equal(c.completed, a.plan.ids[:n]):
		return &EngineError{Refusal: ErrCheckpointPrefixMismatch}
	case (c.data != "") != withData:
		return &EngineError{Refusal: ErrDataflowContextRequired}
	}
	a.first = n
	return nil
}

// takeData copies the data, after checking it against the completed steps, the checkpoint and the contract.
func (a *approval) takeData(data *Data) error {
	c := a.checkpoint
	switch {
	case data == nil && a.contract != nil:
		return &EngineError{Refusal: ErrDataflowContextRequired}
	case data == nil:
		return nil
	case !data.hasExactly(a.plan.ids[:a.first]):
		return &EngineError{Refusal: ErrDataflowPrefixMismatch}
	case c != nil && c.data != data.Fingerprint():
		return &EngineError{Refusal: ErrDataflowContextMismatch}
	case a.contract == nil && (data.contract != "" || c != nil && c.contract != ""):
		return &EngineError{Refusal: ErrDataflowContractRequired}
	}
	a.data = data.clone()
	if a.contract == nil {
		return nil
	}
	switch {
	case c != nil && c.contract == "":
		return &EngineError{Refusal: ErrDataflowContractMissing}
	case c != nil && c.contract != a.contract.fingerprint:
		return &EngineError{Refusal: ErrDataflowContractMismatch}
	}
	return underContract(a.contract, a.plan, a.first, a.data)
}

// holds checks that programs can be given the data: a host may have lowered their limits (WD-31).
func (e *Engine) holds(data *Data) error {
	if data == nil {
		return nil
	}
	empty, err := splash.Parse("", e.limits)
	if err == nil {
		_, err = empty.Begin(splash.Config{Limits: e.limits, Globals: globals(data)})
	}
	if err != nil {
		return &EngineError{Refusal: ErrDataflowContextTooLarge, Err: err}
	}
	return nil
}

// globals is what a program finds beside `mod` (WD-68).
func globals(data *Data) map[string]json.RawMessage {
	if data == nil {
		return nil
	}
	return map[string]json.RawMessage{"workflow": data.Context()}
}

// redeem uses an approval up, if it is for this plan and for resuming after this checkpoint, which is nil for a fresh
// run (WD-32, WD-62). The lock is held.
func (e *Engine) redeem(p *Plan, given *Approval, c *Checkpoint) (*approval, error) {
	if given == nil || given.state == nil {
		return nil, &EngineError{Refusal: ErrApprovalMismatch}
	}
	a := given.state
	switch {
	case a.plan.engine != e || a.plan.id != p.id || !a.checkpoint.equal(c):
		return nil, &EngineError{Refusal: ErrApprovalMismatch}
	case a.used:
		return nil, &EngineError{Refusal: ErrApprovalUsed}
	}
	a.used = true
	for _, l := range a.leases {
		if err := l.valid(e); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// equal compares checkpoints by value; nil equals nil only.
func (c *Checkpoint) equal(other *Checkpoint) bool {
	if c == nil || other == nil {
		return c == other
	}
	return c.plan == other.plan && c.data == other.data && c.contract == other.contract && slices.Equal(c.completed, other.completed)
}
