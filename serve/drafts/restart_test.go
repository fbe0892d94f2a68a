package drafts_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/drafts"
	"github.com/fwgo/fwgo/store"
	"github.com/fwgo/fwgo/store/bolt"
)

// mortal is a Store as a process has it that dies: after so many changes of
// the draft it does nothing any more.
type mortal struct {
	store.Store
	mu    sync.Mutex
	saves int // left
	died  func()
}

var errDead = errors.New("the process is gone")

func (m *mortal) dead() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.saves <= 0
}

func (m *mortal) Load(ctx context.Context, kind, id string) (store.Record, error) {
	if m.dead() {
		return store.Record{}, errDead
	}
	return m.Store.Load(ctx, kind, id)
}

func (m *mortal) Save(ctx context.Context, r *store.Record) error {
	if m.dead() {
		return errDead
	}
	err := m.Store.Save(ctx, r)
	if r.Kind == "draft" {
		m.mu.Lock()
		m.saves--
		last := m.saves == 0
		m.mu.Unlock()
		if last && m.died != nil {
			m.died()
		}
	}
	return err
}

const steps = 20

// twenty are the sources of steps that each ship one parcel, of the weight of
// their number.
func twenty() []string {
	sources := make([]string, steps)
	for i := range sources {
		sources[i] = fmt.Sprintf("use mod.depot\ndepot.ship({to: \"oslo\", weight: %d}).artifacts.number", i+1)
	}
	return sources
}

// recovered resumes a draft that lost its process, until it is completed.
func recovered(t *testing.T, d *depot, kept store.Store, id string) *drafts.View {
	t.Helper()
	p := d.process(t, kept, drafts.Options{})
	v := p.get(id)
	if v.Status == drafts.StatusCompleted {
		return v
	}
	if v.Status != drafts.StatusInterrupted || v.Reason == "" {
		t.Fatalf("after the restart: %+v", v)
	}
	if _, err := p.Resume(t.Context(), owner, id, 0); code(err) != drafts.WrongState {
		t.Fatalf("resumed without a new approval: %v", err)
	}
	p.approve(v, drafts.Approval{Grants: all(v.Plan.Done+1, steps), Resume: true})
	return p.resume(id)
}

func TestARunThatLosesItsProcessAtAnyMomentGoesOnWithoutRepeatingAFinishedStep(t *testing.T) {
	// Changes of a draft: 1 proposed, 2 running, then two a step (the call that
	// begins, the step that is done), the last is the end.
	for lives := 2; lives <= 2+2*steps; lives++ {
		d := newDepot()
		kept := store.Memory()
		dying := d.process(t, &mortal{Store: kept, saves: lives}, drafts.Options{})
		proposal := dying.propose(twenty()...)
		dying.approve(&proposal.View, drafts.Approval{Grants: all(1, steps)})
		_, _ = dying.Execute(t.Context(), owner, proposal.ID, long)
		before := d.did()
		looking := d.process(t, kept, drafts.Options{}).get(proposal.ID)
		v := recovered(t, d, kept, proposal.ID)
		if v.Status != drafts.StatusCompleted || v.Plan.Done != steps {
			t.Fatalf("after %d changes: %+v", lives, v)
		}
		times := map[string]int{}
		for _, parcel := range d.did() {
			times[parcel]++
		}
		for i := 1; i <= steps; i++ {
			parcel := fmt.Sprintf("Oslo %d", i)
			most := 1
			if i == looking.Plan.Done+1 && slices.Contains(before, parcel) {
				// The step was not done. Its call is made again, and whoever
				// approved that could know it.
				most = 2
				if looking.Begun == nil || looking.Begun.Step != fmt.Sprintf("s%d", i) || looking.Begun.Command != "ship" {
					t.Errorf("after %d changes: %s was made, and the draft does not tell: %+v", lives, parcel, looking.Begun)
				}
			}
			if times[parcel] == 0 || times[parcel] > most {
				t.Errorf("after %d changes: %s was shipped %d times", lives, parcel, times[parcel])
			}
		}
	}
}

func TestARestartAtEveryStepOverAFile(t *testing.T) {
	for done := 1; done < steps; done++ {
		d := newDepot()
		path := filepath.Join(t.TempDir(), "drafts.db")
		open := func() *bolt.Store {
			kept, err := bolt.Open(path, bolt.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return kept
		}
		kept := open()
		dying := d.process(t, &mortal{Store: kept, saves: 2 + 2*done}, drafts.Options{})
		proposal := dying.propose(twenty()...)
		dying.approve(&proposal.View, drafts.Approval{Grants: all(1, steps)})
		_, _ = dying.Execute(t.Context(), owner, proposal.ID, long)
		if err := kept.Close(); err != nil {
			t.Fatal(err)
		}
		kept = open()
		v := recovered(t, d, kept, proposal.ID)
		if v.Status != drafts.StatusCompleted {
			t.Fatalf("after step %d: %+v", done, v)
		}
		if got := d.did(); len(got) != steps {
			t.Errorf("after step %d: %d parcels were shipped: %v", done, len(got), got)
		}
		if err := kept.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTwoProcessesDoNotRunOneDraft(t *testing.T) {
	d := newDepot()
	kept := store.Memory()
	a, b := d.process(t, kept, drafts.Options{}), d.process(t, kept, drafts.Options{})
	v := &a.propose(shipOslo).View
	a.approve(v, drafts.Approval{Grants: all(1, 1)})
	b.approve(v, drafts.Approval{Grants: all(1, 1)})
	var both sync.WaitGroup
	errs := make([]error, 2)
	for i, p := range []*process{a, b} {
		both.Go(func() { _, errs[i] = p.Execute(t.Context(), owner, v.ID, long) })
	}
	both.Wait()
	if len(d.did()) != 1 || (errs[0] == nil) == (errs[1] == nil) || code(errors.Join(errs...)) != drafts.Changed {
		t.Errorf("shipped %v; %v", d.did(), errs)
	}
}

func TestAProcessThatLostTheDraftToAnotherMakesNoFurtherCall(t *testing.T) {
	d := newDepot()
	kept := store.Memory()
	a, b := d.process(t, kept, drafts.Options{}), d.process(t, kept, drafts.Options{})
	v := &a.propose("use mod.tool\nuse mod.depot\ntool.call_json(\"wait\", {})\ntry depot.ship({to: \"oslo\", weight: 1}) catch {\n  1\n}\ndepot.ship({to: \"oslo\", weight: 2})\n1", "2").View
	a.approve(v, drafts.Approval{Grants: all(1, 2)})
	if _, err := a.Execute(t.Context(), owner, v.ID, 0); err != nil {
		t.Fatal(err)
	}
	<-d.entered
	seen := b.get(v.ID)
	if seen.Status != drafts.StatusInterrupted || seen.Begun == nil || seen.Begun.Command != "wait" {
		t.Fatalf("%+v", seen)
	}
	if _, err := b.Abandon(t.Context(), owner, v.ID); err != nil {
		t.Fatal(err)
	}
	close(d.leave)
	got := settled(t, a, v.ID)
	if got.Status != drafts.StatusAbandoned || !slices.Equal(d.did(), []string{"waited"}) {
		t.Errorf("%+v, did %v", got, d.did())
	}
}

// settled waits until a draft does not run.
func settled(t *testing.T, p *process, id string) *drafts.View {
	t.Helper()
	for range 2000 {
		if v := p.get(id); v.Status != drafts.StatusRunning {
			return v
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("the draft runs on and on")
	return nil
}

func TestARunOfAnotherProcessIsLeftToItWhileItGivesSignsOfLife(t *testing.T) {
	d := newDepot()
	kept := store.Memory()
	o := drafts.Options{Takeover: time.Second}
	a, b := d.process(t, kept, o), d.process(t, kept, o)
	v := &a.propose(waits, shipDear).View
	a.approve(v, drafts.Approval{Grants: all(1, 2)})
	if _, err := a.Execute(t.Context(), owner, v.ID, 0); err != nil {
		t.Fatal(err)
	}
	<-d.entered
	for range 3 { // which together is longer than the time
		time.Sleep(400 * time.Millisecond)
		if got := b.get(v.ID); got.Status != drafts.StatusRunning || !strings.Contains(got.Message, "Another process") {
			t.Fatalf("%+v", got)
		}
	}
	if _, err := b.Approve(t.Context(), operator, v.ID, drafts.Approval{Plan: v.Plan.Fingerprint, Resume: true}); code(err) != drafts.WrongState {
		t.Errorf("approved elsewhere: %v", err)
	}
	if e, err := b.Events(t.Context(), owner, v.ID, 0, 0); err != nil || e.Over {
		t.Errorf("%+v, %v", e, err)
	}
	close(d.leave)
	if got := settled(t, a, v.ID); got.Status != drafts.StatusSuspended {
		t.Fatalf("%+v", got)
	}
	if _, err := b.AnswerCall(t.Context(), operator, v.ID, 0, drafts.Answer{Digest: "x"}, 0); code(err) != drafts.WrongState || !strings.Contains(err.Error(), "Another process") {
		t.Errorf("answered elsewhere: %v", err)
	}
	// It may be given up from anywhere; then no sign of life is given any more.
	if _, err := b.Abandon(t.Context(), owner, v.ID); err != nil {
		t.Fatal(err)
	}
	time.Sleep(800 * time.Millisecond)
	if got := a.get(v.ID); got.Status != drafts.StatusAbandoned {
		t.Errorf("%+v", got)
	}

	// A process that is gone gives none.
	dying := d.process(t, &mortal{Store: kept, saves: 3}, o)
	w := &dying.propose(shipOslo).View
	dying.approve(w, drafts.Approval{Grants: all(1, 1)})
	_, _ = dying.Execute(t.Context(), owner, w.ID, long)
	if got := b.get(w.ID); got.Status != drafts.StatusRunning {
		t.Errorf("at once: %s", got.Status)
	}
	time.Sleep(1100 * time.Millisecond)
	if got := b.get(w.ID); got.Status != drafts.StatusInterrupted {
		t.Errorf("after the time: %s", got.Status)
	}
}

func TestShutdownLetsTheStepInHandEnd(t *testing.T) {
	d := newDepot()
	kept := store.Memory()
	p := d.process(t, kept, drafts.Options{})
	// The step makes a call after the shutdown has begun, which is part of it.
	v := &p.propose("1", waits+"\nuse mod.depot\ndepot.ship({to: \"oslo\", weight: 2})\n2", shipOslo).View
	p.approve(v, drafts.Approval{Grants: all(1, 3)})
	if _, err := p.Execute(t.Context(), owner, v.ID, 0); err != nil {
		t.Fatal(err)
	}
	<-d.entered
	drained := make(chan error, 1)
	go func() { drained <- p.dispatcher.Drain(t.Context()) }()
	<-p.dispatcher.Ending()
	select {
	case err := <-drained:
		t.Fatalf("the shutdown did not wait: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	if _, err := p.Propose(t.Context(), owner, wire(step{"a", "1"}), nil); code(err) != drafts.Ending {
		t.Errorf("a proposal at shutdown: %v", err)
	}
	close(d.leave)
	if err := <-drained; err != nil {
		t.Fatal(err)
	}
	v = p.get(v.ID)
	if v.Status != drafts.StatusInterrupted || v.Plan.Done != 2 || !slices.Equal(d.did(), []string{"waited", "Oslo 2"}) {
		t.Fatalf("%+v, did %v", v, d.did())
	}
	next := d.process(t, kept, drafts.Options{})
	next.approve(v, drafts.Approval{Grants: all(3, 3), Resume: true})
	if v = next.resume(v.ID); v.Status != drafts.StatusCompleted || !slices.Equal(d.did(), []string{"waited", "Oslo 2", "Oslo 7"}) {
		t.Errorf("%+v, did %v", v, d.did())
	}
}

func TestAFailureOfTheServerIsNotForProgramsToCatch(t *testing.T) {
	d := newDepot()
	kept := store.Memory()
	failing := &failingSessions{Store: kept}
	p := d.process(t, failing, drafts.Options{})
	v := &p.propose("use mod.depot\ntry depot.ship({to: \"oslo\", weight: 1}) catch {\n  \"as if nothing was\"\n}", "2").View
	p.approve(v, drafts.Approval{Grants: all(1, 2)})
	if _, err := p.dispatcher.Do(t.Context(), serve.Request{Session: owner.Channel, Command: "ship", Arguments: json.RawMessage(`{"to":"Oslo","weight":9}`)}); err != nil {
		t.Fatal(err)
	}
	failing.fail(true)
	got := p.execute(v.ID)
	if got.Status != drafts.StatusInterrupted || got.Plan.Done != 0 || got.Begun == nil {
		t.Fatalf("%+v", got)
	}
	failing.fail(false)
	e, err := p.Events(t.Context(), owner, v.ID, 0, 0)
	text, _ := json.Marshal(e)
	if err != nil || bytes.Contains(text, []byte("step_succeeded")) {
		t.Errorf("%s, %v", text, err)
	}
}

type failingSessions struct {
	store.Store
	mu    sync.Mutex
	fails bool
}

func (f *failingSessions) fail(on bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fails = on
}

func (f *failingSessions) Save(ctx context.Context, r *store.Record) error {
	f.mu.Lock()
	fails := f.fails
	f.mu.Unlock()
	if fails && r.Kind == "session" {
		return store.ErrUnavailable
	}
	return f.Store.Save(ctx, r)
}

// altered changes what is stored of a draft behind the desk's back.
func altered(t *testing.T, kept store.Store, kind, id, from, to string) {
	t.Helper()
	r, err := kept.Load(t.Context(), kind, id)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(r.Data, []byte(from)) {
		t.Fatalf("there is no %s in %s", from, r.Data)
	}
	r.Data = bytes.Replace(r.Data, []byte(from), []byte(to), 1)
	if err := kept.Save(t.Context(), &r); err != nil {
		t.Fatal(err)
	}
}

func TestWhatWasAlteredInTheStoreIsRefused(t *testing.T) {
	begin := func() (*depot, store.Store, *process, *drafts.View) {
		d := newDepot()
		kept := store.Memory()
		p := d.process(t, kept, drafts.Options{})
		v := &p.propose("\"one\"", shipDear, "3").View
		p.approve(v, drafts.Approval{Grants: all(1, 3)})
		p.execute(v.ID)
		return d, kept, d.process(t, kept, drafts.Options{}), p.get(v.ID)
	}
	for name, c := range map[string]struct {
		kind, from, to string
		want           drafts.Code
	}{
		"the source":                 {"draft-source", `"source":"3"`, `"source":"4"`, drafts.Unavailable},
		"the output of a step":       {"draft", `"s1":"one"`, `"s1":"two"`, drafts.NotResumable},
		"the input":                  {"draft", `"n":1`, `"n":2`, drafts.NotResumable},
		"the steps that are done":    {"draft", `"completed_step_ids":["s1"]`, `"completed_step_ids":["s1","s2"]`, drafts.NotResumable},
		"other steps":                {"draft", `"completed_step_ids":["s1"]`, `"completed_step_ids":["s2"]`, drafts.NotResumable},
		"the plan of the checkpoint": {"draft", `"plan_fingerprint":"`, `"plan_fingerprint":"0`, drafts.NotResumable},
		"the plan":                   {"draft", `"plan":"`, `"plan":"0`, drafts.PlanMismatch},
		"the form":                   {"draft", `"format_version":1,"plan`, `"format_version":2,"plan`, drafts.NotResumable},
	} {
		d, kept, p, v := begin()
		altered(t, kept, c.kind, v.ID, c.from, c.to)
		_, err := p.Approve(t.Context(), operator, v.ID, drafts.Approval{Plan: v.Plan.Fingerprint, Grants: all(3, 3), Resume: true})
		if code(err) != c.want || strings.Contains(err.Error(), "draft:") {
			t.Errorf("%s: %v", name, err)
		}
		if len(d.did()) > 0 {
			t.Errorf("%s: it ran", name)
		}
	}
	// And after the approval: what is run is what was approved, or nothing.
	d, kept, p, v := begin()
	p.approve(v, drafts.Approval{Grants: all(2, 3), Resume: true})
	altered(t, kept, "draft", v.ID, `"s1":"one"`, `"s1":"two"`)
	if _, err := p.Resume(t.Context(), owner, v.ID, long); code(err) != drafts.Changed || len(d.did()) > 0 {
		t.Errorf("altered after the approval: %v, did %v", err, d.did())
	}
}

func TestThirtyTwoDraftsSideBySide(t *testing.T) {
	d := newDepot()
	p := d.process(t, store.Memory(), drafts.Options{})
	var all sync.WaitGroup
	for i := range 32 {
		all.Go(func() {
			who := serve.Caller{Channel: fmt.Sprintf("channel-%d", i/2)}
			proposal, err := p.Propose(t.Context(), who, wire(step{"a", shipOslo}, step{"b", shipDear}, step{"c", "3"}), nil)
			if err != nil {
				t.Error(err)
				return
			}
			grants := []drafts.Grant{{Step: "a", Tool: "ship", Calls: 1}, {Step: "b", Tool: "ship_dear", Calls: 1}}
			if _, err := p.Approve(t.Context(), operator, proposal.ID, drafts.Approval{Plan: proposal.Plan.Fingerprint, Grants: grants}); err != nil {
				t.Error(err)
				return
			}
			followed := make(chan error, 1)
			go func() {
				followed <- p.Follow(t.Context(), who, proposal.ID, 0, time.Second, func(*drafts.Events) error { return nil })
			}()
			v, err := p.Execute(t.Context(), who, proposal.ID, long)
			if err != nil || v.Status != drafts.StatusSuspended {
				t.Errorf("%+v, %v", v, err)
				return
			}
			v, err = p.AnswerCall(t.Context(), operator, v.ID, v.Pending[0].Call, drafts.Answer{Approve: true, Digest: v.Pending[0].Digest}, long)
			if err != nil || v.Status != drafts.StatusCompleted {
				t.Errorf("%+v, %v", v, err)
			}
			if err := <-followed; err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := len(d.did()); got != 64 {
		t.Errorf("%d parcels were shipped", got)
	}
}

func TestFinishedDraftsMakeRoom(t *testing.T) {
	d := newDepot()
	p := d.process(t, store.Memory(), drafts.Options{MaxDrafts: 3})
	first := p.propose("1")
	if _, err := p.Abandon(t.Context(), owner, first.ID); err != nil {
		t.Fatal(err)
	}
	p.propose("2")
	p.propose("3")
	last := p.propose("4")
	if _, err := p.Get(t.Context(), owner, first.ID); code(err) != drafts.NotFound {
		t.Errorf("the finished one: %v", err)
	}
	page, err := p.List(t.Context(), owner, false, "")
	if err != nil || len(page.Drafts) != 3 || page.Drafts[0].ID != last.ID {
		t.Fatalf("%+v, %v", page, err)
	}
	if _, err := p.Propose(t.Context(), owner, wire(step{"a", "5"}), nil); code(err) != drafts.Full {
		t.Errorf("a fourth: %v", err)
	}
	if _, err := p.Propose(t.Context(), stranger, wire(step{"a", "5"}), nil); err != nil {
		t.Errorf("another channel's: %v", err)
	}
	if err := p.Forget(t.Context(), owner.Channel); err != nil {
		t.Fatal(err)
	}
	if page, err := p.List(t.Context(), operator, true, ""); err != nil || len(page.Drafts) != 1 || page.Drafts[0].Channel != "eve" {
		t.Errorf("%+v, %v", page, err)
	}
}

func TestWhatIsLiveIsBounded(t *testing.T) {
	d := newDepot()
	p := d.process(t, store.Memory(), drafts.Options{MaxLive: 1, Idle: 30 * time.Millisecond})
	v, w := &p.propose(shipDear).View, &p.propose("2").View
	p.approve(v, drafts.Approval{Grants: all(1, 1)})
	if _, err := p.Approve(t.Context(), operator, w.ID, drafts.Approval{Plan: w.Plan.Fingerprint}); code(err) != drafts.Full {
		t.Errorf("a second one: %v", err)
	}
	if got := p.execute(v.ID); got.Status != drafts.StatusSuspended {
		t.Fatalf("%+v", got)
	}
	for p.get(v.ID).Status == drafts.StatusSuspended {
		time.Sleep(5 * time.Millisecond)
	}
	if got := p.get(v.ID); got.Status != drafts.StatusInterrupted || got.Reason == "" {
		t.Errorf("after the time: %+v", got)
	}
	p.approve(w, drafts.Approval{})
	for p.get(w.ID).Status == drafts.StatusApproved {
		time.Sleep(5 * time.Millisecond)
	}
	if _, err := p.Execute(t.Context(), owner, w.ID, 0); code(err) != drafts.WrongState {
		t.Errorf("an approval that is too old: %v", err)
	}
}

func TestAbandonLetsTheCallInHandEnd(t *testing.T) {
	d := newDepot()
	p := d.process(t, store.Memory(), drafts.Options{})
	v := &p.propose(waits+"\nuse mod.depot\ndepot.ship({to: \"oslo\", weight: 2})", "2").View
	p.approve(v, drafts.Approval{Grants: all(1, 2)})
	if _, err := p.Execute(t.Context(), owner, v.ID, 0); err != nil {
		t.Fatal(err)
	}
	<-d.entered
	go func() {
		time.Sleep(100 * time.Millisecond)
		close(d.leave)
	}()
	got, err := p.Abandon(t.Context(), owner, v.ID)
	if err != nil || got.Status != drafts.StatusAbandoned || !slices.Equal(d.did(), []string{"waited"}) || len(got.Calls) != 1 {
		t.Errorf("%+v, %v, did %v", got, err, d.did())
	}
}

func TestADispatcherThatIsBusyInterruptsTheRunAndNothingIsLost(t *testing.T) {
	d := newDepot()
	dispatcher := serve.New(d.workflow(t), serve.Options{Logger: quiet, MaxConcurrent: 1, MaxWait: 2 * time.Millisecond})
	desk, err := drafts.New(dispatcher, drafts.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := &process{t, desk, dispatcher}
	v := &p.propose("1", "use mod.depot\ntry depot.ship({to: \"oslo\", weight: 7}) catch {\n  2\n}").View
	p.approve(v, drafts.Approval{Grants: all(2, 2)})
	held := make(chan error, 1)
	go func() {
		_, err := dispatcher.Do(t.Context(), serve.Request{Command: "wait"})
		held <- err
	}()
	<-d.entered
	if v = p.execute(v.ID); v.Status != drafts.StatusInterrupted || v.Plan.Done != 1 || !strings.Contains(v.Reason, "busy") || len(d.did()) > 0 {
		t.Fatalf("%+v", v)
	}
	close(d.leave)
	if err := <-held; err != nil {
		t.Fatal(err)
	}
	p.approve(v, drafts.Approval{Grants: all(2, 2), Resume: true})
	if v = p.resume(v.ID); v.Status != drafts.StatusCompleted || !slices.Equal(d.did(), []string{"waited", "Oslo 7"}) {
		t.Errorf("%+v, did %v", v, d.did())
	}
}
