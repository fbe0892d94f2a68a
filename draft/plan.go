package draft

import (
	"slices"
	"strconv"
)

// Plan is a draft that an engine took over: the host's own copy, with a number and a fingerprint. It belongs to the
// engine that made it and never changes (WD-28).
type Plan struct {
	engine      *Engine
	id          int
	fingerprint string
	steps       []Step
	ids         []string
}

// ID numbers the plans of an engine from 1.
func (p *Plan) ID() int { return p.id }

// Fingerprint returns the digest of the steps, 64 hexadecimal digits (WD-29). It is the same for the same steps in any
// process, so an approval elsewhere can name it.
func (p *Plan) Fingerprint() string { return p.fingerprint }

// Steps returns the steps in order.
func (p *Plan) Steps() []Step { return slices.Clone(p.steps) }

// Review is that of the draft the plan was made of; see [Draft.Review].
func (p *Plan) Review(opts ReviewOptions) (*Review, error) { return reviewSteps(p.steps, opts) }

// Plan takes a draft over. Sources are not looked at: a run rejects a step whose source is no program. The error is a
// *Rejection, for a draft that came from nowhere and has no steps (WD-28).
func (e *Engine) Plan(d *Draft) (*Plan, error) {
	if d == nil {
		d = &Draft{}
	}
	if err := checkSteps(d.steps); err != nil {
		return nil, err
	}
	p := &Plan{engine: e, steps: slices.Clone(d.steps), fingerprint: planFingerprint(d.steps)}
	for _, s := range p.steps {
		p.ids = append(p.ids, s.ID)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.plans++
	p.id = e.plans
	e.record(Event{Type: EventPlanned, PlanID: p.id, StepCount: len(p.steps)})
	return p, nil
}

// owns is the check that comes before every other (WD-28).
func (e *Engine) owns(p *Plan) error {
	if p == nil || p.engine != e {
		return &EngineError{Refusal: ErrPlanOwnershipMismatch}
	}
	return nil
}

// Checkpoint says that the first completed steps of a plan are done, for a host that keeps track of them itself; a run
// gives its checkpoints to [RunOptions.OnStep]. Data, which may be nil, must have exactly the outputs of these steps. With
// a contract, which may be nil, the data is checked, and marked as made under it (WD-61). The error is an *EngineError.
func (e *Engine) Checkpoint(p *Plan, completed int, data *Data, contract *Contract) (*Checkpoint, error) {
	if err := e.owns(p); err != nil {
		return nil, err
	}
	if completed < 0 || completed > len(p.steps) {
		return nil, &EngineError{Refusal: ErrCompletedStepCount, Expected: strconv.Itoa(len(p.steps)), Actual: strconv.Itoa(completed)}
	}
	done := p.ids[:completed]
	switch {
	case data == nil && contract != nil:
		return nil, &EngineError{Refusal: ErrDataflowContextRequired}
	case data != nil && !data.hasExactly(done):
		return nil, &EngineError{Refusal: ErrDataflowPrefixMismatch}
	case contract != nil:
		if err := underContract(contract, p, completed, data); err != nil {
			return nil, err
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.checkpoint(p, completed, data), nil
}

// checkpoint makes and records a checkpoint. The lock is held.
func (e *Engine) checkpoint(p *Plan, completed int, data *Data) *Checkpoint {
	var fingerprint, contract string
	if data != nil {
		fingerprint, contract = data.Fingerprint(), data.ContractFingerprint()
	}
	e.record(Event{Type: EventCheckpointed, PlanID: p.id, CompletedSteps: completed})
	return newCheckpoint(p.fingerprint, p.ids[:completed], fingerprint, contract)
}

// underContract checks data against a contract and marks it (WD-52).
func underContract(c *Contract, p *Plan, completed int, data *Data) error {
	err := c.Validate(p.ids, completed, data)
	if err == nil {
		err = c.stamp(data)
	}
	if err != nil {
		return &EngineError{Refusal: ErrDataflowContractRejected, Err: err}
	}
	return nil
}
