package drafts

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/fwgo/fwgo/draft"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/store"
)

// Status says where a draft stands.
type Status string

// The statuses. StatusApproved is of this process alone: for others, and after
// a restart, the draft stands where it stood before.
const (
	StatusProposed    Status = "proposed"
	StatusApproved    Status = "approved"
	StatusRunning     Status = "running"
	StatusSuspended   Status = "suspended" // a call waits for an operator's answer
	StatusCompleted   Status = "completed"
	StatusFailed      Status = "failed"
	StatusInterrupted Status = "interrupted" // the run ended before its time
	StatusAbandoned   Status = "abandoned"
)

// finished reports whether a draft can make room for others.
func (s Status) finished() bool {
	return s == StatusCompleted || s == StatusFailed || s == StatusAbandoned
}

// A Grant lets a step call a tool so many times.
type Grant struct {
	Step  string `json:"step"`
	Tool  string `json:"tool"`
	Calls int    `json:"calls"`
}

// A Summary is a draft in a list.
type Summary struct {
	ID      string    `json:"id"`
	Status  Status    `json:"status"`
	Channel string    `json:"channel"` // of the caller who proposed it
	User    string    `json:"user,omitempty"`
	Created time.Time `json:"created_at"`
	Updated time.Time `json:"updated_at"`
	Plan    Plan      `json:"plan"`
}

// A Plan is what a draft becomes: what an approval must name, and how far a run
// came.
type Plan struct {
	Fingerprint string `json:"fingerprint"` // 64 hexadecimal digits (WD-29)
	Steps       int    `json:"step_count"`
	Done        int    `json:"completed_steps"`
}

// A View is all there is to see of a draft beside its source.
type View struct {
	Summary
	// Message says what the status means and what can be done next.
	Message string `json:"message"`
	// Reason says why a run is over without having been completed.
	Reason string `json:"reason,omitempty"`
	// Grants are what the approval at hand, or else that of the last run, lets
	// the steps call; Resume says that it is for the rest of the plan.
	Grants     []Grant `json:"grants,omitempty"`
	ApprovedBy string  `json:"approved_by,omitempty"`
	Resume     bool    `json:"resume,omitempty"`
	Runs       int     `json:"runs"` // how many began
	// Pending are the calls that wait for an operator's answer.
	Pending []PendingCall `json:"pending_calls,omitempty"`
	// Calls are records of the calls that were made, with what was repaired; see
	// tools.Record. The oldest make room, and DroppedCalls counts them. Begun is a
	// call that was begun, and whose end is not known.
	Calls        []json.RawMessage `json:"calls,omitempty"`
	DroppedCalls int               `json:"dropped_calls,omitempty"`
	Begun        *Begun            `json:"begun_call,omitempty"`
	// Result is what the last run came to (WD-25).
	Result json.RawMessage `json:"result,omitempty"`
}

// A PendingCall waits for an operator to approve or refuse exactly its
// arguments.
type PendingCall struct {
	Call      int             `json:"call"`
	Step      string          `json:"step"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Digest    string          `json:"digest"` // stands for the arguments; an answer must name it
	State     draft.CallState `json:"state"`
}

// Begun is a call that was about to run when this was stored.
type Begun struct {
	Step    string          `json:"step"`
	Command string          `json:"command"`
	Given   json.RawMessage `json:"given"`
}

// status is the stored status as it is for a process that does not run the
// draft; foreign says that another one does.
func (d *Desk) status(rec *record) (status Status, foreign bool) {
	s := rec.state.Status
	if s != StatusRunning && s != StatusSuspended {
		return s, false
	}
	if d.now().Sub(rec.updated) < d.options.Takeover {
		return s, true
	}
	return StatusInterrupted, false
}

func (d *Desk) summary(rec *record) Summary {
	s := &rec.state
	status, _ := d.status(rec)
	return Summary{ID: rec.id, Status: status, Channel: s.Channel, User: s.User, Created: s.Created, Updated: rec.updated,
		Plan: Plan{s.Plan, s.Steps, s.Done}}
}

func (d *Desk) view(rec *record) *View {
	s := &rec.state
	v := &View{Summary: d.summary(rec), Grants: slices.Clone(s.Grants), ApprovedBy: s.ApprovedBy, Runs: s.Runs,
		Calls: slices.Clone(s.Calls), DroppedCalls: s.DroppedCalls, Begun: s.Begun, Result: s.Result}
	v.Message, v.Reason = next(v.Status, false), s.Reason
	switch {
	case v.Status == StatusInterrupted && s.Status != StatusInterrupted:
		v.Reason = reasonLost
	case v.Status == s.Status && (s.Status == StatusRunning || s.Status == StatusSuspended):
		v.Message = foreignText
	}
	return v
}

// Get returns a draft, for the caller who proposed it and for operators.
func (d *Desk) Get(ctx context.Context, caller serve.Caller, id string) (*View, error) {
	r, rec, err := d.find(ctx, caller, id)
	if err != nil {
		return nil, err
	}
	if r != nil {
		return r.view(), nil
	}
	return d.view(rec), nil
}

// A Page is a part of a list of drafts.
type Page struct {
	Drafts []Summary `json:"drafts"`
	// Next, if not empty, is where the list goes on.
	Next string `json:"next,omitempty"`
}

// pageSize is how many drafts of all channels are listed at once.
const pageSize = 50

// List returns the caller's drafts, newest first. All asks for those of every
// channel, which only an operator may: a page by id, and after is the Next of
// the page before.
func (d *Desk) List(ctx context.Context, caller serve.Caller, all bool, after string) (*Page, error) {
	switch {
	case caller.Channel == "":
		return &Page{Drafts: []Summary{}}, nil
	case all && !caller.Operator:
		return nil, refused(NotOperator, "")
	case after != "" && !validID(after):
		return nil, refused(InvalidCursor, "after is no id of a draft; send the next of the page before.")
	}
	q := store.Query{Kind: kindDraft, Prefix: prefix(caller.Channel), Limit: store.MaxLimit}
	if all {
		q = store.Query{Kind: kindDraft, After: after, Limit: pageSize}
	}
	keys, err := d.dispatcher.Store().List(ctx, q)
	if err != nil {
		return nil, d.broken(ctx, "", err)
	}
	page := &Page{Drafts: make([]Summary, 0, len(keys))}
	for _, key := range keys {
		switch v, err := d.Get(ctx, caller, key.ID); {
		case err == nil:
			page.Drafts = append(page.Drafts, v.Summary)
		case codeOf(err) != NotFound:
			return nil, err
		}
	}
	if all {
		if len(keys) == pageSize {
			page.Next = keys[len(keys)-1].ID
		}
		return page, nil
	}
	slices.SortStableFunc(page.Drafts, func(a, b Summary) int { return b.Created.Compare(a.Created) })
	return page, nil
}

// A Proposal is a draft that was taken in, with its review.
type Proposal struct {
	View
	Review *draft.Review `json:"review"`
	// Draft and Input are what was proposed; empty in the answer to Propose.
	Draft json.RawMessage `json:"draft,omitempty"`
	Input json.RawMessage `json:"input,omitempty"`
}

// Review returns a draft with its review, its source and its input: what to
// read before it is approved.
func (d *Desk) Review(ctx context.Context, caller serve.Caller, id string) (*Proposal, error) {
	r, rec, err := d.find(ctx, caller, id)
	if err != nil {
		return nil, err
	}
	view, of := (*View)(nil), rec
	if r != nil {
		r.mu.Lock()
		of = &record{id: id, state: state{Plan: r.rec.state.Plan}}
		r.mu.Unlock()
		view = r.view()
	} else {
		view = d.view(rec)
	}
	proposed, data, err := d.source(ctx, of)
	if err != nil {
		return nil, err
	}
	review, err := proposed.Review(draft.ReviewOptions{Limits: d.options.Limits, Modules: d.modules})
	if err != nil {
		return nil, d.broken(ctx, id, err)
	}
	wire, err := proposed.Encode()
	if err != nil {
		return nil, d.broken(ctx, id, err)
	}
	return &Proposal{*view, review, wire, data.Input()}, nil
}

// A Checkpoint says which steps of a draft are done, with the data after them
// (WD-59). It is for those who look at it: a run is resumed from the one in the
// Store, and no other is taken from anyone.
type Checkpoint struct {
	ID         string          `json:"id"`
	Status     Status          `json:"status"`
	Checkpoint json.RawMessage `json:"checkpoint"`
	Data       json.RawMessage `json:"data"`
}

// Checkpoint returns the last checkpoint of a draft.
func (d *Desk) Checkpoint(ctx context.Context, caller serve.Caller, id string) (*Checkpoint, error) {
	r, rec, err := d.find(ctx, caller, id)
	if err != nil {
		return nil, err
	}
	c := &Checkpoint{ID: id}
	if r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		rec = &r.rec
		c.Status = r.status()
	} else {
		c.Status, _ = d.status(rec)
	}
	if c.Checkpoint, c.Data = rec.state.Checkpoint, rec.state.Data; len(c.Checkpoint) == 0 {
		e := refused(WrongState, "The draft is "+string(c.Status)+" and has no checkpoint: no step of it is done.")
		e.Status = c.Status
		return nil, e
	}
	return c, nil
}
