package drafts

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fwgo/fwgo/draft"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/splash"
	"github.com/fwgo/fwgo/store"
	"github.com/fwgo/fwgo/validate"
)

// A run is a draft that is approved in this process, runs, or waits for an
// answer. Its lock is held where the Store is written to, and never while
// programs or commands run.
type run struct {
	desk       *Desk
	engine     *draft.Engine
	plan       *draft.Plan
	steps      []string
	approval   *draft.Approval
	from       *draft.Checkpoint // nil for a fresh run
	grants     []Grant
	approvedBy string

	mu      sync.Mutex
	rec     record
	begun   bool // the approval was used
	busy    bool // a goroutine is at it
	ended   bool
	calling bool // a call is with the dispatcher
	stop    *stopping
	pulled  int // the engine's next event
	caller  serve.Caller
	cancel  context.CancelFunc
	timer   *time.Timer   // ends what waits
	pulse   *time.Timer   // gives signs of life; nil for none
	changed chan struct{} // closed and made anew as something happens
}

// stopping is why a run is to end before its time.
type stopping struct {
	status Status
	reason string
	// taints says that the step in hand saw a failure that is the server's, so
	// whatever it makes of it does not count.
	taints bool
}

var errStopped = errors.New("drafts: the run is to stop")

func newRun(d *Desk, rec *record, a Approval) *run {
	return &run{desk: d, rec: *rec, pulled: 1, changed: make(chan struct{}), cancel: func() {}}
}

// status is where the draft stands. The lock is held.
func (r *run) status() Status {
	switch {
	case r.ended:
		s, _ := r.desk.status(&r.rec)
		return s
	case !r.begun:
		return StatusApproved
	}
	return r.rec.state.Status
}

// standing is the status, and whether the approval is to resume.
func (r *run) standing() (Status, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status(), r.from != nil
}

// notify wakes those who follow. The lock is held.
func (r *run) notify() {
	close(r.changed)
	r.changed = make(chan struct{})
}

func (r *run) view() *View {
	r.mu.Lock()
	defer r.mu.Unlock()
	v := r.desk.view(&r.rec)
	if r.ended {
		return v
	}
	v.Status, v.Resume, v.Reason = r.status(), r.from != nil, ""
	v.Message = next(v.Status, v.Resume)
	v.Grants, v.ApprovedBy = slices.Clone(r.grants), r.approvedBy
	if v.Status == StatusSuspended {
		v.Pending = r.pending()
	}
	return v
}

// pending are the calls that wait. The lock is held.
func (r *run) pending() []PendingCall {
	var out []PendingCall
	for _, c := range r.engine.PendingCalls() {
		out = append(out, PendingCall{Call: c.ID, Step: c.StepID, Tool: c.Tool, Arguments: []byte(c.Arguments), Digest: c.Digest, State: c.State})
	}
	return out
}

// Execute begins the run of a draft that is approved, and waits for at most so
// long until it is over or waits for an answer; it runs on if it is not. Calls
// are made in the session of the caller who proposed it, whoever executes it.
func (d *Desk) Execute(ctx context.Context, caller serve.Caller, id string, wait time.Duration) (*View, error) {
	return d.start(ctx, caller, id, false, wait)
}

// Resume is Execute for an approval of the steps that are not done.
func (d *Desk) Resume(ctx context.Context, caller serve.Caller, id string, wait time.Duration) (*View, error) {
	return d.start(ctx, caller, id, true, wait)
}

func (d *Desk) start(ctx context.Context, caller serve.Caller, id string, resume bool, wait time.Duration) (*View, error) {
	r, rec, err := d.find(ctx, caller, id)
	if err != nil {
		return nil, err
	}
	action := "executed"
	if resume {
		action = "resumed"
	}
	if r == nil {
		s, foreign := d.status(rec)
		return nil, elsewhere(action, s, foreign)
	}
	if err := r.begin(ctx, caller, resume, action); err != nil {
		return nil, err
	}
	d.log(ctx, "draft "+action, id, "by", caller.Channel)
	return r.settled(ctx, wait), nil
}

// settled returns the view as soon as the run needs somebody, or the time is
// over.
func (r *run) settled(ctx context.Context, wait time.Duration) *View {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		r.mu.Lock()
		busy, changed := r.status() == StatusRunning, r.changed
		r.mu.Unlock()
		if !busy {
			return r.view()
		}
		select {
		case <-changed:
		case <-timer.C:
			return r.view()
		case <-ctx.Done():
			return r.view()
		}
	}
}

// begin uses the approval. That is stored before anything runs, so that no
// other process runs the draft as well.
func (r *run) begin(ctx context.Context, caller serve.Caller, resume bool, action string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.status(); s != StatusApproved || resume != (r.from != nil) {
		return wrongState(action, s, r.from != nil)
	}
	s := &r.rec.state
	r.caller = serve.Caller{Channel: s.Channel, User: s.User}
	if caller.Channel == s.Channel {
		r.caller = caller
	}
	s.Grants, s.ApprovedBy, s.Result, s.Reason, s.Begun = r.grants, r.approvedBy, nil, "", nil
	s.Runs++
	r.begun = true
	r.pull()
	return r.proceed(ctx, func(ctx context.Context) (*draft.Result, error) {
		options := draft.RunOptions{OnStep: r.stepDone}
		if r.from == nil {
			return r.engine.Run(ctx, r.plan, r.approval, options)
		}
		return r.engine.Resume(ctx, r.plan, r.approval, r.from, options)
	})
}

// proceed stores that the draft runs, and runs it on a goroutine of its own. If
// it cannot be stored the run is over. The lock is held.
func (r *run) proceed(ctx context.Context, advance func(context.Context) (*draft.Result, error)) error {
	work, done, err := r.desk.dispatcher.Begin(serve.WithCaller(context.Background(), r.caller))
	if err != nil {
		r.end()
		return refused(Ending, "")
	}
	r.rec.state.Status = StatusRunning
	if err := r.desk.change(ctx, &r.rec); err != nil {
		r.end()
		done()
		return err
	}
	if r.timer != nil {
		r.timer.Stop()
	}
	r.live()
	work, cancel := context.WithCancel(work)
	r.cancel, r.busy = cancel, true
	r.notify()
	go func() {
		defer done()
		defer cancel()
		r.settle(r.guarded(work, advance))
	}()
	return nil
}

// guarded runs the engine on. What panics below it is a fault of ours.
func (r *run) guarded(ctx context.Context, advance func(context.Context) (*draft.Result, error)) (result *draft.Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			r.desk.dispatcher.Logger().Log(ctx, validate.LevelCritical, "draft panicked", "draft", r.rec.id, "panic", fmt.Sprint(v), "stack", string(debug.Stack()))
			r.mu.Lock()
			r.stop = &stopping{StatusInterrupted, reasonPanic, true}
			r.mu.Unlock()
			result, err = nil, errStopped
		}
	}()
	return advance(ctx)
}

// settle notes and stores what a run came to.
func (r *run) settle(result *draft.Result, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.busy = false
	s := &r.rec.state
	var stopped *draft.StepError
	waits := errors.As(err, &stopped) && stopped.Outcome == draft.StepSuspended
	if waits && r.stop != nil {
		if abandoned, err := r.engine.Abandon(); err == nil {
			result = abandoned
		}
	}
	r.pull()
	if result != nil {
		s.Result = result.Encode()
	}
	switch {
	case err == nil:
		s.Status = StatusCompleted
	case r.stop != nil:
		s.Status, s.Reason = r.stop.status, r.stop.reason
	case waits:
		s.Status = StatusSuspended
	default:
		s.Status, s.Reason = StatusFailed, reasonOf(err)
	}
	if r.stop != nil && r.stop.reason == reasonTaken {
		r.end()
		return
	}
	if err := r.desk.save(context.Background(), &r.rec); err != nil {
		if !errors.Is(err, store.ErrConflict) { // which another process, or Forget, answers for
			r.desk.dispatcher.Logger().Error("end of a draft's run not stored", "draft", r.rec.id, "status", string(s.Status), "error", err)
		}
		s.Status, s.Reason = StatusInterrupted, reasonStore
		r.end()
		return
	}
	r.desk.log(context.Background(), "draft stands", r.rec.id, "status", string(s.Status), "completed_steps", s.Done)
	if s.Status != StatusSuspended {
		r.end()
		return
	}
	r.await()
	r.notify()
}

// reasonOf says what a step did wrong, for the one who wrote it.
func reasonOf(err error) string {
	text := sentence(err)
	var (
		failed *splash.Error
		syntax *splash.SyntaxError
		limit  *splash.LimitError
		form   *splash.JSONError
		data   *draft.DataError
	)
	switch {
	case errors.As(err, &failed):
		return text + " " + strings.TrimPrefix(failed.Error(), "splash: ")
	case errors.As(err, &syntax):
		return text + " " + strings.TrimPrefix(syntax.Error(), "splash: ")
	case errors.As(err, &limit):
		return text + " " + strings.TrimPrefix(limit.Error(), "splash: ")
	case errors.As(err, &form):
		return text + " " + strings.TrimPrefix(form.Error(), "splash: ")
	case errors.As(err, &data):
		return text + " " + sentence(data)
	}
	return text
}

// stepDone stores where the run stands after a step, before the next begins.
func (r *run) stepDone(done draft.StepDone) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stop != nil && r.stop.taints {
		if batch, err := r.engine.EventsSince(r.pulled); err == nil {
			r.pulled = batch.Next // they tell of a step that does not count
		}
		return errStopped
	}
	s := &r.rec.state
	before := *s
	s.Done = len(done.Checkpoint.CompletedStepIDs())
	s.Data, s.Begun, s.Checkpoint = done.Data.Encode(), nil, nil
	if text, err := done.Checkpoint.Encode(); err == nil {
		s.Checkpoint = text
	}
	r.pull()
	if err := r.desk.save(context.Background(), &r.rec); err != nil {
		s.Done, s.Data, s.Checkpoint = before.Done, before.Data, before.Checkpoint
		r.lost(err)
		return err
	}
	r.notify()
	if s.Done == len(r.steps) {
		return nil
	}
	if r.stop == nil && r.desk.dispatcher.Draining() {
		r.stop = &stopping{status: StatusInterrupted, reason: reasonEnding}
	}
	if r.stop != nil {
		return errStopped
	}
	return nil
}

// lost stops a run whose state could not be stored. The lock is held.
func (r *run) lost(err error) {
	stop := &stopping{StatusInterrupted, reasonStore, true}
	if errors.Is(err, store.ErrConflict) {
		stop.reason = reasonTaken
	} else {
		r.desk.dispatcher.Logger().Error("draft not stored", "draft", r.rec.id, "error", err)
	}
	r.halt(stop)
}

// halt asks a run to stop. A call that is with the dispatcher is let end: what
// became of it is then known. The lock is held.
func (r *run) halt(s *stopping) {
	if r.stop == nil || s.taints {
		r.stop = s
	}
	if !r.calling {
		r.cancel()
	}
}

// pull takes over the engine's new events. The lock is held.
func (r *run) pull() {
	batch, err := r.engine.EventsSince(r.pulled)
	if err != nil {
		// More came at once than the engine keeps.
		var gone *draft.EngineError
		if !errors.As(err, &gone) || gone.Refusal != draft.ErrEventCursorEvicted {
			return
		}
		r.pulled++
		r.pull()
		return
	}
	for _, e := range batch.Events {
		r.rec.state.addEvent(e)
	}
	r.pulled = batch.Next
}

// close ends a run that waits for an answer. The lock is held.
func (r *run) close(status Status, reason string) error {
	if result, err := r.engine.Abandon(); err == nil {
		r.rec.state.Result = result.Encode()
	}
	r.pull()
	r.rec.state.Status, r.rec.state.Reason = status, reason
	err := r.desk.change(context.Background(), &r.rec)
	if err != nil {
		r.rec.state.Status, r.rec.state.Reason = StatusInterrupted, reasonStore
	}
	r.end()
	return err
}

// giveWay ends an approval that was not used, for another one.
func (r *run) giveWay() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.begun || r.ended {
		return false
	}
	r.end()
	return true
}

// end lets go of the run. The lock is held.
func (r *run) end() {
	if r.ended {
		return
	}
	r.ended = true
	if r.timer != nil {
		r.timer.Stop()
	}
	if r.pulse != nil {
		r.pulse.Stop()
	}
	r.cancel()
	r.desk.mu.Lock()
	if r.desk.live[r.rec.id] == r {
		delete(r.desk.live, r.rec.id)
	}
	r.desk.mu.Unlock()
	r.notify()
}
