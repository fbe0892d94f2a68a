package drafts

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/draft"
	"github.com/fwgo/fwgo/draft/tools"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/splash"
)

// busyTries is how often a call is offered to a dispatcher that is busy. It
// waits each time.
const busyTries = 6

// do takes a call of a step to the dispatcher, in the session of the draft's
// owner. A failure of the server is no error that a program may catch and go on
// from: it stops the run.
func (r *run) do(ctx context.Context, a command.Action, gate func(any) bool) (*command.Outcome, error) {
	r.mu.Lock()
	if r.stop != nil {
		r.cancel()
		r.mu.Unlock()
		return nil, errStopped
	}
	r.calling = true
	session := r.rec.state.Channel
	r.mu.Unlock()
	outcome, err := r.offer(ctx, session, a, gate)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calling = false
	switch {
	case errors.Is(err, serve.ErrTooLong):
		return nil, &splash.CallError{Message: serve.Message(err)}
	case err != nil:
		r.halt(&stopping{StatusInterrupted, reasonCall + ": " + serve.Message(err), true})
	}
	// A run that is to stop stops when this call is recorded, or at its next one.
	return outcome, err
}

// offer offers a call to the dispatcher until it is taken.
func (r *run) offer(ctx context.Context, session string, a command.Action, gate func(any) bool) (outcome *command.Outcome, err error) {
	err = serve.ErrBusy
	for try := 0; try < busyTries && errors.Is(err, serve.ErrBusy); try++ {
		outcome, err = r.desk.dispatcher.Do(ctx, serve.Request{Session: session, Command: a.CommandName, Arguments: a.Parameters,
			Gate: func(input any) bool { return gate(input) && r.begins(a) }})
	}
	return outcome, err
}

// begins stores that a call is about to run, and reports whether it may. A
// process that lost the draft to another learns it here.
func (r *run) begins(a command.Action) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &r.rec.state
	s.Begun = &Begun{Command: a.CommandName, Given: json.RawMessage(a.Parameters)}
	if s.Done < len(r.steps) {
		s.Begun.Step = r.steps[s.Done]
	}
	if err := r.desk.save(context.Background(), &r.rec); err != nil {
		s.Begun = nil
		r.lost(err)
		return false
	}
	return true
}

// record keeps what became of a call.
func (r *run) record(c tools.Record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rec.state.addCall(c)
	r.pull()
	r.notify()
	if r.stop != nil {
		r.cancel()
	}
}

// An Answer is what an operator says of a call that waits for approval.
type Answer struct {
	// Digest is the one of the arguments that were read. To refuse it may be
	// empty.
	Digest string
	// Approve lets the call run once with exactly these arguments; otherwise the
	// program is told that it was refused, with the Reason.
	Approve bool
	Reason  string
}

// longestReason is how much of a reason is kept, in characters.
const longestReason = 500

// AnswerCall answers a call that waits for approval, and lets the run go on. It
// waits as Execute does. Only an operator may answer.
func (d *Desk) AnswerCall(ctx context.Context, caller serve.Caller, id string, call int, a Answer, wait time.Duration) (*View, error) {
	r, rec, err := d.find(ctx, caller, id)
	if err != nil {
		return nil, err
	}
	if !caller.Operator {
		return nil, refused(NotOperator, "")
	}
	if r == nil {
		s, foreign := d.status(rec)
		return nil, elsewhere("answered", s, foreign)
	}
	if err := r.answer(ctx, call, a); err != nil {
		return nil, err
	}
	d.log(ctx, "draft's call answered", id, "by", caller.Channel, "call", call, "approved", a.Approve)
	return r.settled(ctx, wait), nil
}

func (r *run) answer(ctx context.Context, call int, a Answer) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.status(); s != StatusSuspended {
		return wrongState("answered", s, r.from != nil)
	}
	var waiting *PendingCall
	pending := r.pending()
	for i := range pending {
		if pending[i].Call == call && pending[i].State == draft.CallAwaitsApproval {
			waiting = &pending[i]
		}
	}
	if waiting == nil {
		return refused(UnknownCall, "")
	}
	if a.Digest != waiting.Digest && (a.Approve || a.Digest != "") {
		return refused(CallChanged, "")
	}
	return r.proceed(ctx, func(ctx context.Context) (*draft.Result, error) {
		var err error
		if a.Approve {
			err = r.engine.ApproveCall(call, waiting.Digest)
		} else {
			reason := a.Reason
			if reason == "" {
				reason = "no reason was given"
			}
			err = r.engine.RefuseCall(call, quote.Bare(reason, longestReason))
		}
		if err != nil {
			return nil, err
		}
		return r.engine.Continue(ctx)
	})
}

// Abandon gives a draft up: an approval ends, a run that waits ends, and one
// that runs is stopped after the call in hand. What was done stays done.
func (d *Desk) Abandon(ctx context.Context, caller serve.Caller, id string) (*View, error) {
	r, rec, err := d.find(ctx, caller, id)
	if err != nil {
		return nil, err
	}
	if r != nil {
		if err := r.giveUp(ctx); err != nil {
			return nil, err
		}
		return r.settled(ctx, abandonTime), nil
	}
	switch s, _ := d.status(rec); s {
	case StatusAbandoned:
		return d.view(rec), nil
	case StatusCompleted:
		return nil, wrongState("abandoned", s, false)
	}
	rec.state.Status, rec.state.Reason = StatusAbandoned, reasonAbandoned
	if err := d.change(ctx, rec); err != nil {
		return nil, err
	}
	return d.view(rec), nil
}

// abandonTime is how long Abandon waits for a call in hand.
const abandonTime = 5 * time.Second

// giveUp ends a run, or sees to it that it ends.
func (r *run) giveUp(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.ended:
		return nil
	case r.busy:
		r.halt(&stopping{status: StatusAbandoned, reason: reasonAbandoned})
		return nil
	case r.begun:
		return r.close(StatusAbandoned, reasonAbandoned)
	}
	r.rec.state.Status, r.rec.state.Reason = StatusAbandoned, reasonAbandoned
	err := r.desk.change(ctx, &r.rec)
	r.end()
	return err
}
