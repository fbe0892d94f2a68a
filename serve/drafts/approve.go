package drafts

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/fwgo/fwgo/draft"
	"github.com/fwgo/fwgo/draft/tools"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/serve"
)

// An Approval is what an operator lets a draft do.
type Approval struct {
	// Plan is the fingerprint of the plan that was reviewed.
	Plan string
	// Grants are what each step may call, and how often. A step without any may
	// call nothing.
	Grants []Grant
	// Resume approves the steps that are not done of a draft that failed or was
	// interrupted, rather than a fresh run.
	Resume bool
}

// Approve lets a draft be run once, in this process, with what is granted. Only
// an operator may. A second approval before the run takes the place of the first.
func (d *Desk) Approve(ctx context.Context, caller serve.Caller, id string, a Approval) (*View, error) {
	old, rec, err := d.find(ctx, caller, id)
	if err != nil {
		return nil, err
	}
	if !caller.Operator {
		return nil, refused(NotOperator, "")
	}
	if d.dispatcher.Draining() {
		return nil, refused(Ending, "")
	}
	if old != nil {
		if s, resume := old.standing(); s != StatusApproved {
			return nil, wrongState("approved", s, resume)
		}
		if rec, err = d.load(ctx, id); err != nil {
			return nil, err
		}
	}
	if err := d.fits(&a, rec); err != nil {
		return nil, err
	}
	r, err := d.approved(ctx, rec, a)
	if err != nil {
		return nil, err
	}
	r.approvedBy = caller.User
	if r.approvedBy == "" {
		r.approvedBy = caller.Channel
	}
	if old != nil && !old.giveWay() {
		return nil, refused(Changed, "")
	}
	if err := d.add(r); err != nil {
		return nil, err
	}
	d.log(ctx, "draft approved", id, "by", r.approvedBy, "plan", a.Plan, "grants", len(a.Grants), "resume", a.Resume)
	return r.view(), nil
}

// mostGrants is how many grants an approval has at most (WD-24).
const mostGrants = 4_096

// fits checks that an approval is for the draft where it stands.
func (d *Desk) fits(a *Approval, rec *record) error {
	s, foreign := d.status(rec)
	switch s {
	case StatusProposed:
		if a.Resume {
			return wrongState("resumed", s, false)
		}
	case StatusFailed, StatusInterrupted:
		if !a.Resume {
			return wrongState("approved for a fresh run", s, false)
		}
	default:
		return elsewhere("approved", s, foreign)
	}
	if a.Plan != rec.state.Plan {
		return refused(PlanMismatch, "")
	}
	return nil
}

// approved makes the run of an approval, with an engine of its own.
func (d *Desk) approved(ctx context.Context, rec *record, a Approval) (*run, error) {
	proposed, data, err := d.source(ctx, rec)
	if err != nil {
		return nil, err
	}
	r := newRun(d, rec, a)
	catalog, err := tools.Catalog(d.dispatcher.Workflow(), tools.Options{Do: r.do, Record: r.record, MaxCalls: d.options.MaxCalls})
	if err != nil {
		return nil, d.broken(ctx, rec.id, err)
	}
	if r.engine, err = draft.NewEngine(catalog, draft.Options{Limits: d.options.Limits}); err != nil {
		return nil, d.broken(ctx, rec.id, err)
	}
	if r.plan, err = r.engine.Plan(proposed); err != nil {
		return nil, d.broken(ctx, rec.id, err)
	}
	for _, s := range r.plan.Steps() {
		r.steps = append(r.steps, s.ID)
	}
	done := 0
	if a.Resume {
		if r.from, data, err = r.checkpoint(data); err != nil {
			return nil, unfit(NotResumable, err)
		}
		if done = len(r.from.CompletedStepIDs()); done > len(r.steps) {
			return nil, unfit(NotResumable, &draft.EngineError{Refusal: draft.ErrCheckpointPrefixMismatch})
		}
	}
	policies, err := d.policies(r.steps[done:], a)
	if err != nil {
		return nil, err
	}
	r.approval, err = r.engine.Approve(r.plan, draft.PerStep(policies...), draft.ApproveOptions{Data: data, Checkpoint: r.from})
	var refusal *draft.EngineError
	switch {
	case errors.As(err, &refusal) && (refusal.Tool != "" || refusal.StepID != ""):
		return nil, unfit(InvalidGrants, err)
	case err != nil:
		return nil, unfit(NotResumable, err)
	}
	r.grants = grantsOf(policies)
	return r, nil
}

// checkpoint is where the stored run stands, with its data.
func (r *run) checkpoint(input *draft.Data) (*draft.Checkpoint, *draft.Data, error) {
	s := &r.rec.state
	data, err := s.data(input)
	if err != nil {
		return nil, nil, err
	}
	if len(s.Checkpoint) > 0 {
		c, err := draft.DecodeCheckpoint(s.Checkpoint)
		return c, data, err
	}
	// No step is done, or their ids are too long for a checkpoint to be written.
	c, err := r.engine.Checkpoint(r.plan, s.Done, data, nil)
	return c, data, err
}

// policies are the grants by step, for the steps to run in their order.
func (d *Desk) policies(steps []string, a Approval) ([]draft.StepPolicy, error) {
	if len(a.Grants) > mostGrants {
		return nil, refused(InvalidGrants, "Nothing was approved. There are "+quote.Count(len(a.Grants))+" grants; at most "+quote.Count(mostGrants)+" are taken.")
	}
	policies := make([]draft.StepPolicy, len(steps))
	at := make(map[string]int, len(steps))
	for i, id := range steps {
		policies[i].StepID = id
		at[id] = i
	}
	for _, g := range a.Grants {
		i, ok := at[g.Step]
		if !ok {
			return nil, unknownStep(g.Step, a.Resume)
		}
		name := g.Tool
		if !slices.Contains(d.tools, name) {
			// The name of the command itself is another name of its tool.
			name = strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(name, "__", "/"), "/", "."))
		}
		if !slices.Contains(d.tools, name) {
			return nil, unknownTool(g.Tool, d.tools)
		}
		if g.Calls < 1 {
			return nil, refused(InvalidGrants, "Nothing was approved. The grant of "+quote.Text(name, 60)+" to step "+quote.Text(g.Step, 60)+" must be of at least one call.")
		}
		policies[i].Grants = append(policies[i].Grants, draft.Grant{Tool: name, Calls: g.Calls})
	}
	return policies, nil
}

func grantsOf(policies []draft.StepPolicy) []Grant {
	var out []Grant
	for _, p := range policies {
		for _, g := range p.Grants {
			out = append(out, Grant{p.StepID, g.Tool, g.Calls})
		}
	}
	return out
}

// add keeps the run of an approval until it is used or too old.
func (d *Desk) add(r *run) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.live[r.rec.id] != nil {
		return refused(Changed, "")
	}
	if len(d.live) >= d.options.MaxLive {
		return fullDesk(d.options.MaxLive)
	}
	d.live[r.rec.id] = r
	r.await()
	return nil
}
