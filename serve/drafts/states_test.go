package drafts_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/drafts"
	"github.com/fwgo/fwgo/store"
)

// stand brings a draft of three steps to where a test wants it: the second
// step calls the command that the status needs.
func stand(t *testing.T, status drafts.Status) (d *depot, p *process, v *drafts.View) {
	t.Helper()
	d = newDepot()
	kept := store.Memory()
	p = d.process(t, kept, drafts.Options{})
	second := map[drafts.Status]string{drafts.StatusRunning: waits, drafts.StatusSuspended: shipDear, drafts.StatusFailed: "use mod.depot\ndepot.ship({to: \"Osaka\", weight: 0})",
		drafts.StatusInterrupted: shipDear}[status]
	if second == "" {
		second = "2"
	}
	proposal := p.propose("1", second, "3")
	v = &proposal.View
	if status == drafts.StatusProposed {
		return d, p, v
	}
	if status == drafts.StatusAbandoned {
		if _, err := p.Abandon(t.Context(), owner, v.ID); err != nil {
			t.Fatal(err)
		}
		return d, p, p.get(v.ID)
	}
	p.approve(v, drafts.Approval{Grants: all(1, 3)})
	switch status {
	case drafts.StatusApproved:
	case drafts.StatusRunning:
		if _, err := p.Execute(t.Context(), owner, v.ID, 0); err != nil {
			t.Fatal(err)
		}
		<-d.entered
		t.Cleanup(func() { close(d.leave) })
	case drafts.StatusInterrupted:
		p.execute(v.ID)
		p = d.process(t, kept, drafts.Options{})
	default:
		p.execute(v.ID)
	}
	v = p.get(v.ID)
	if v.Status != status {
		t.Fatalf("the draft is %s, want %s", v.Status, status)
	}
	return d, p, v
}

func TestEveryActionIsForSomeStatusesAndTheOthersSayWhatToDo(t *testing.T) {
	statuses := []drafts.Status{drafts.StatusProposed, drafts.StatusApproved, drafts.StatusRunning, drafts.StatusSuspended, drafts.StatusCompleted,
		drafts.StatusFailed, drafts.StatusInterrupted, drafts.StatusAbandoned}
	for name, action := range map[string]struct {
		do func(t *testing.T, p *process, v *drafts.View) (drafts.Status, error)
		to map[drafts.Status]drafts.Status // where it works, and what comes of it
	}{
		"approve": {func(t *testing.T, p *process, v *drafts.View) (drafts.Status, error) {
			return after(p.Approve(t.Context(), operator, v.ID, drafts.Approval{Plan: v.Plan.Fingerprint, Grants: all(2, 2)}))
		}, map[drafts.Status]drafts.Status{drafts.StatusProposed: drafts.StatusApproved, drafts.StatusApproved: drafts.StatusApproved}},
		"approve the rest": {func(t *testing.T, p *process, v *drafts.View) (drafts.Status, error) {
			return after(p.Approve(t.Context(), operator, v.ID, drafts.Approval{Plan: v.Plan.Fingerprint, Grants: all(2, 2), Resume: true}))
		}, map[drafts.Status]drafts.Status{drafts.StatusFailed: drafts.StatusApproved, drafts.StatusInterrupted: drafts.StatusApproved}},
		"execute": {func(t *testing.T, p *process, v *drafts.View) (drafts.Status, error) {
			return after(p.Execute(t.Context(), owner, v.ID, long))
		}, map[drafts.Status]drafts.Status{drafts.StatusApproved: drafts.StatusCompleted}},
		"resume": {func(t *testing.T, p *process, v *drafts.View) (drafts.Status, error) {
			return after(p.Resume(t.Context(), owner, v.ID, long))
		}, nil},
		"answer": {func(t *testing.T, p *process, v *drafts.View) (drafts.Status, error) {
			a := drafts.Answer{Approve: true}
			if len(v.Pending) > 0 {
				a.Digest = v.Pending[0].Digest
			}
			return after(p.AnswerCall(t.Context(), operator, v.ID, 0, a, long))
		}, map[drafts.Status]drafts.Status{drafts.StatusSuspended: drafts.StatusCompleted}},
		"checkpoint": {func(t *testing.T, p *process, v *drafts.View) (drafts.Status, error) {
			c, err := p.Checkpoint(t.Context(), owner, v.ID)
			if err != nil {
				return "", err
			}
			return c.Status, nil
		}, map[drafts.Status]drafts.Status{drafts.StatusRunning: drafts.StatusRunning, drafts.StatusSuspended: drafts.StatusSuspended, drafts.StatusCompleted: drafts.StatusCompleted,
			drafts.StatusFailed: drafts.StatusFailed, drafts.StatusInterrupted: drafts.StatusInterrupted}},
		"abandon": {func(t *testing.T, p *process, v *drafts.View) (drafts.Status, error) {
			if v.Status == drafts.StatusRunning {
				// It waits for the call in hand, which does not end here.
				return drafts.StatusAbandoned, nil
			}
			return after(p.Abandon(t.Context(), owner, v.ID))
		}, map[drafts.Status]drafts.Status{drafts.StatusProposed: drafts.StatusAbandoned, drafts.StatusApproved: drafts.StatusAbandoned, drafts.StatusRunning: drafts.StatusAbandoned,
			drafts.StatusSuspended: drafts.StatusAbandoned, drafts.StatusFailed: drafts.StatusAbandoned, drafts.StatusInterrupted: drafts.StatusAbandoned, drafts.StatusAbandoned: drafts.StatusAbandoned}},
	} {
		for _, status := range statuses {
			t.Run(name+" what is "+string(status), func(t *testing.T) {
				_, p, v := stand(t, status)
				got, err := action.do(t, p, v)
				want, works := action.to[status]
				if works {
					if err != nil || got != want {
						t.Errorf("%s, %v; want %s", got, err, want)
					}
					return
				}
				if code(err) != drafts.WrongState || len(err.Error()) < 30 {
					t.Fatalf("%s, %v; want a refusal", got, err)
				}
				if now := p.get(v.ID); now.Status != status {
					t.Errorf("the draft became %s", now.Status)
				}
			})
		}
	}
}

func after(v *drafts.View, err error) (drafts.Status, error) {
	if err != nil {
		return "", err
	}
	return v.Status, nil
}

func TestWhoMayDoWhat(t *testing.T) {
	d := newDepot()
	p := d.process(t, store.Memory(), drafts.Options{})
	v := &p.propose("1", shipOslo).View
	actions := map[string]func(who serve.Caller, id string) error{
		"get":        func(who serve.Caller, id string) error { _, err := p.Get(t.Context(), who, id); return err },
		"review":     func(who serve.Caller, id string) error { _, err := p.Review(t.Context(), who, id); return err },
		"checkpoint": func(who serve.Caller, id string) error { _, err := p.Checkpoint(t.Context(), who, id); return err },
		"events":     func(who serve.Caller, id string) error { _, err := p.Events(t.Context(), who, id, 0, 0); return err },
		"execute":    func(who serve.Caller, id string) error { _, err := p.Execute(t.Context(), who, id, 0); return err },
		"resume":     func(who serve.Caller, id string) error { _, err := p.Resume(t.Context(), who, id, 0); return err },
		"abandon":    func(who serve.Caller, id string) error { _, err := p.Abandon(t.Context(), who, id); return err },
		"approve": func(who serve.Caller, id string) error {
			_, err := p.Approve(t.Context(), who, id, drafts.Approval{Plan: v.Plan.Fingerprint})
			return err
		},
		"answer": func(who serve.Caller, id string) error {
			_, err := p.AnswerCall(t.Context(), who, id, 0, drafts.Answer{Digest: "x"}, 0)
			return err
		},
	}
	none := v.ID[:17] + strings.Repeat("a", 26)
	for name, do := range actions {
		for who, caller := range map[string]serve.Caller{"a stranger": stranger, "nobody": {}} {
			one, other := do(caller, v.ID), do(caller, none)
			if code(one) != drafts.NotFound || one.Error() != other.Error() {
				t.Errorf("%s by %s: %v; where there is none: %v", name, who, one, other)
			}
		}
		for _, bad := range []string{"", "x", "../" + v.ID, v.ID + "\x00", strings.ToUpper(v.ID), strings.Repeat("a", 1<<20)} {
			if err := do(operator, bad); code(err) != drafts.NotFound {
				t.Errorf("%s of %.40q: %v", name, bad, err)
			}
		}
	}
	for _, name := range []string{"approve", "answer"} {
		if err := actions[name](owner, v.ID); code(err) != drafts.NotOperator {
			t.Errorf("%s by the owner: %v", name, err)
		}
	}
	// An operator executes in the owner's session, and not in the owner's name
	// where that is more than the name.
	p.approve(v, drafts.Approval{Grants: all(2, 2)})
	if got, err := p.Execute(t.Context(), operator, v.ID, long); err != nil || got.Status != drafts.StatusCompleted {
		t.Fatalf("%+v, %v", got, err)
	}
	if got := d.callers[0]; got != (serve.Caller{Channel: "ada", User: "Ada"}) {
		t.Errorf("the body was called by %+v", got)
	}
	if _, err := p.Propose(t.Context(), serve.Caller{}, wire(step{"a", "1"}), nil); code(err) != drafts.NoChannel {
		t.Errorf("a proposal of nobody: %v", err)
	}
	if page, err := p.List(t.Context(), stranger, false, ""); err != nil || len(page.Drafts) > 0 {
		t.Errorf("a stranger's list: %+v, %v", page, err)
	}
}

func TestAnApprovalIsOfWhatWasReviewed(t *testing.T) {
	d := newDepot()
	p := d.process(t, store.Memory(), drafts.Options{MaxCalls: 9})
	v := &p.propose("1", shipOslo).View
	other := &p.propose("1", shipOslo, "3").View
	for name, c := range map[string]struct {
		a    drafts.Approval
		want drafts.Code
		says string
	}{
		"another plan":         {drafts.Approval{Plan: other.Plan.Fingerprint}, drafts.PlanMismatch, "review"},
		"no plan":              {drafts.Approval{}, drafts.PlanMismatch, ""},
		"a step there is not":  {drafts.Approval{Grants: []drafts.Grant{{Step: "s9", Tool: "ship", Calls: 1}}}, drafts.InvalidGrants, `"s9"`},
		"a tool there is not":  {drafts.Approval{Grants: []drafts.Grant{{Step: "s1", Tool: "sink", Calls: 1}}}, drafts.InvalidGrants, `It has "ship", "ship_dear", "van.park", "wait"`},
		"no calls":             {drafts.Approval{Grants: []drafts.Grant{{Step: "s1", Tool: "ship"}}}, drafts.InvalidGrants, "at least one"},
		"too many calls":       {drafts.Approval{Grants: []drafts.Grant{{Step: "s1", Tool: "ship", Calls: 10}}}, drafts.InvalidGrants, "ship"},
		"a tool twice":         {drafts.Approval{Grants: []drafts.Grant{{Step: "s1", Tool: "ship", Calls: 1}, {Step: "s1", Tool: "ship", Calls: 1}}}, drafts.InvalidGrants, "twice"},
		"the rest of no run":   {drafts.Approval{Resume: true}, drafts.WrongState, "proposed"},
		"a text that disturbs": {drafts.Approval{Grants: []drafts.Grant{{Step: "s1\x1b[31m", Tool: "ship", Calls: 1}}}, drafts.InvalidGrants, `\u001b`},
	} {
		if c.a.Plan == "" && name != "no plan" {
			c.a.Plan = v.Plan.Fingerprint
		}
		_, err := p.Approve(t.Context(), operator, v.ID, c.a)
		if code(err) != c.want || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "draft:") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := p.get(v.ID); got.Status != drafts.StatusProposed {
		t.Errorf("the draft became %s", got.Status)
	}
	// The name of the command is a name of its tool.
	got, err := p.Approve(t.Context(), operator, v.ID, drafts.Approval{Plan: v.Plan.Fingerprint, Grants: []drafts.Grant{{Step: "s1", Tool: "Van/park", Calls: 1}}})
	if err != nil || got.Grants[0].Tool != "van.park" {
		t.Errorf("%+v, %v", got, err)
	}
	// An approval is for one run.
	p.execute(v.ID)
	if _, err := p.Execute(t.Context(), owner, v.ID, 0); code(err) != drafts.WrongState {
		t.Errorf("executed twice: %v", err)
	}
}

func TestACallThatWaitsIsApprovedWithItsArguments(t *testing.T) {
	d, p, v := stand(t, drafts.StatusSuspended)
	if len(v.Pending) != 1 || string(v.Pending[0].Arguments) != `{"to":"Oslo","weight":7}` || len(d.did()) > 0 {
		t.Fatalf("%+v, did %v", v.Pending, d.did())
	}
	waiting := v.Pending[0]
	for name, c := range map[string]struct {
		call int
		a    drafts.Answer
		want drafts.Code
	}{
		"no digest":         {waiting.Call, drafts.Answer{Approve: true}, drafts.CallChanged},
		"another digest":    {waiting.Call, drafts.Answer{Approve: true, Digest: strings.Repeat("0", 64)}, drafts.CallChanged},
		"another number":    {waiting.Call + 1, drafts.Answer{Approve: true, Digest: waiting.Digest}, drafts.UnknownCall},
		"no number":         {-1, drafts.Answer{Approve: true, Digest: waiting.Digest}, drafts.UnknownCall},
		"to refuse another": {waiting.Call, drafts.Answer{Digest: strings.Repeat("0", 64)}, drafts.CallChanged},
	} {
		if _, err := p.AnswerCall(t.Context(), operator, v.ID, c.call, c.a, 0); code(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	got, err := p.AnswerCall(t.Context(), operator, v.ID, waiting.Call, drafts.Answer{Approve: true, Digest: waiting.Digest}, long)
	if err != nil || got.Status != drafts.StatusCompleted || !slices.Equal(d.did(), []string{"Oslo 7"}) {
		t.Errorf("%+v, %v, did %v", got, err, d.did())
	}
	if got := d.callers[0]; got != owner {
		t.Errorf("the body was called by %+v", got)
	}
}

func TestACallThatWaitsIsRefusedWithAReasonThatTheProgramReads(t *testing.T) {
	d := newDepot()
	p := d.process(t, store.Memory(), drafts.Options{})
	v := &p.propose("use mod.tool\nuse mod.depot\ntry depot.ship_dear({to: \"oslo\", weight: 1}) catch {\n  tool.last_error().message\n}").View
	p.approve(v, drafts.Approval{Grants: all(1, 1)})
	v = p.execute(v.ID)
	got, err := p.AnswerCall(t.Context(), operator, v.ID, v.Pending[0].Call, drafts.Answer{Reason: "too\x00 dear"}, long)
	if err != nil || got.Status != drafts.StatusCompleted || len(d.did()) > 0 {
		t.Fatalf("%+v, %v, did %v", got, err, d.did())
	}
	if said := fmt.Sprint(outputs(t, got)["s1"]); !strings.Contains(said, "was refused: too") || strings.Contains(said, "\x00") {
		t.Errorf("the program read %q", said)
	}
}

func TestArgumentsThatChangedNeedANewAnswer(t *testing.T) {
	d, p, v := stand(t, drafts.StatusSuspended)
	before := v.Pending[0]
	d.mu.Lock()
	d.cities = []string{"OSLO"} // what "oslo" is found as
	d.mu.Unlock()
	v, err := p.AnswerCall(t.Context(), operator, v.ID, before.Call, drafts.Answer{Approve: true, Digest: before.Digest}, long)
	if err != nil || v.Status != drafts.StatusSuspended || len(d.did()) > 0 || string(v.Pending[0].Arguments) != `{"to":"OSLO","weight":7}` {
		t.Fatalf("%+v, %v, did %v", v, err, d.did())
	}
	if _, err := p.AnswerCall(t.Context(), operator, v.ID, before.Call, drafts.Answer{Approve: true, Digest: before.Digest}, long); code(err) != drafts.CallChanged {
		t.Errorf("the digest of before: %v", err)
	}
	v, err = p.AnswerCall(t.Context(), operator, v.ID, before.Call, drafts.Answer{Approve: true, Digest: v.Pending[0].Digest}, long)
	if err != nil || v.Status != drafts.StatusCompleted || !slices.Equal(d.did(), []string{"OSLO 7"}) {
		t.Errorf("%+v, %v, did %v", v, err, d.did())
	}
}

func TestEventsAreNumberedOverAllRunsAndReadFromACursor(t *testing.T) {
	d := newDepot()
	kept := store.Memory()
	p := d.process(t, kept, drafts.Options{})
	v := &p.propose("1", shipDear, "3").View
	p.approve(v, drafts.Approval{Grants: all(1, 3)})
	p.execute(v.ID)
	p = d.process(t, kept, drafts.Options{}) // whose predecessor is gone
	p.approve(v, drafts.Approval{Grants: all(2, 3), Resume: true})
	v = p.resume(v.ID)
	if _, err := p.AnswerCall(t.Context(), operator, v.ID, v.Pending[0].Call, drafts.Answer{Approve: true, Digest: v.Pending[0].Digest}, long); err != nil {
		t.Fatal(err)
	}
	want := strings.Fields("planned approved started step_succeeded checkpointed step_suspended planned resume_approved resumed step_suspended step_succeeded checkpointed step_succeeded checkpointed completed")
	for since := range len(want) + 2 {
		e, err := p.Events(t.Context(), owner, v.ID, since, 0)
		if err != nil || !e.Over || e.Next != len(want)+1 || e.Status != drafts.StatusCompleted {
			t.Fatalf("since %d: %+v, %v", since, e, err)
		}
		from := max(since, 1)
		if len(e.Events) != len(want)+1-from {
			t.Fatalf("since %d: %d events", since, len(e.Events))
		}
		for i, event := range e.Events {
			var got struct {
				Sequence int
				Type     string
			}
			text, _ := event.MarshalJSON()
			if err := json.Unmarshal(text, &got); err != nil || got.Sequence != from+i || got.Type != want[from+i-1] {
				t.Errorf("since %d: %s, want %d %s", since, text, from+i, want[from+i-1])
			}
		}
	}
	for _, since := range []int{-1, len(want) + 2, 1 << 30} {
		if _, err := p.Events(t.Context(), owner, v.ID, since, 0); code(err) != drafts.InvalidCursor {
			t.Errorf("since %d: %v", since, err)
		}
	}
}

func TestOldEventsMakeRoom(t *testing.T) {
	d := newDepot()
	p := d.process(t, store.Memory(), drafts.Options{})
	sources := make([]string, 300)
	for i := range sources {
		sources[i] = "1"
	}
	v := &p.propose(sources...).View
	p.approve(v, drafts.Approval{})
	if v = p.execute(v.ID); v.Status != drafts.StatusCompleted {
		t.Fatalf("%+v", v)
	}
	e, err := p.Events(t.Context(), owner, v.ID, 0, 0)
	if err != nil || len(e.Events) != 512 || e.Events[0].Sequence != e.Next-512 || e.Next != 605 {
		t.Fatalf("%d events, next %d, %v", len(e.Events), e.Next, err)
	}
	if _, err := p.Events(t.Context(), owner, v.ID, 1, 0); code(err) != drafts.InvalidCursor || !strings.Contains(err.Error(), "93") {
		t.Errorf("an event that is gone: %v", err)
	}
}

func TestFollowingEndsWithTheRun(t *testing.T) {
	d := newDepot()
	p := d.process(t, store.Memory(), drafts.Options{})
	v := &p.propose("1", waits).View
	p.approve(v, drafts.Approval{Grants: all(2, 2)})
	parts := make(chan *drafts.Events, 64)
	ended := make(chan error, 1)
	go func() {
		ended <- p.Follow(t.Context(), owner, v.ID, 0, 20*time.Millisecond, func(e *drafts.Events) error { parts <- e; return nil })
	}()
	if first := <-parts; first.Over || first.Status != drafts.StatusApproved {
		t.Errorf("%+v", first)
	}
	if _, err := p.Execute(t.Context(), owner, v.ID, 0); err != nil {
		t.Fatal(err)
	}
	<-d.entered
	beats, seen := 0, 1
	for beats < 3 {
		e := <-parts
		if len(e.Events) == 0 {
			beats++
		}
		for _, event := range e.Events {
			if event.Sequence != seen {
				t.Errorf("event %d after %d", event.Sequence, seen-1)
			}
			seen++
		}
	}
	close(d.leave)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	var last *drafts.Events
	for len(parts) > 0 {
		last = <-parts
	}
	if !last.Over || last.Status != drafts.StatusCompleted {
		t.Errorf("%+v", last)
	}
}

func TestCallsThatWaitTogetherAreAnsweredInAnyOrder(t *testing.T) {
	d := newDepot()
	p := d.process(t, store.Memory(), drafts.Options{})
	v := &p.propose("use mod.tool\nlet a = tool.start_json(\"ship_dear\", {to: \"oslo\", weight: 1})\nlet b = tool.start_json(\"ship_dear\", {to: \"bergen\", weight: 2})\na.await()\nb.await()\n1").View
	p.approve(v, drafts.Approval{Grants: all(1, 1)})
	v = p.execute(v.ID)
	if len(v.Pending) != 2 {
		t.Fatalf("%+v", v)
	}
	for _, i := range []int{1, 0} {
		c := v.Pending[i]
		got, err := p.AnswerCall(t.Context(), operator, v.ID, c.Call, drafts.Answer{Approve: true, Digest: c.Digest}, long)
		if err != nil || (got.Status == drafts.StatusCompleted) != (i == 0) {
			t.Fatalf("call %d: %+v, %v", i, got, err)
		}
	}
	if !slices.Equal(d.did(), []string{"Bergen 2", "Oslo 1"}) {
		t.Errorf("did %v", d.did())
	}
}
