package draft

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func mustContract(t *testing.T, input string, outputs ...string) *Contract {
	t.Helper()
	var list []OutputSchema
	for i := 0; i < len(outputs); i += 2 {
		list = append(list, OutputSchema{outputs[i], json.RawMessage(outputs[i+1])})
	}
	c, err := NewContract(json.RawMessage(input), list...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestAContractIsHeldBeforeAnyLeaseAndBeforeAnyOutput holds WD-52 and WD-53.
func TestAContractIsHeldBeforeAnyLeaseAndBeforeAnyOutput(t *testing.T) {
	two := steps("a", "workflow.input.n", "b", `use mod.tool; tool.call("text.echo", "x")`)
	fits := mustContract(t, `{"type":"object"}`, "a", `{"type":"integer"}`, "b", `{"type":"string"}`)
	for _, row := range []struct {
		name     string
		contract *Contract
		stamped  *Contract
		input    string
		want     ContractCode
	}{
		{"a count before an id", mustContract(t, `{"type":"string"}`, "z", `{}`), nil, `{}`, ContractOutputCount},
		{"an id before the mark", mustContract(t, `{"type":"string"}`, "b", `{}`, "a", `{}`), fits, `{}`, ContractStepMismatch},
		{"the mark before the input", mustContract(t, `{"type":"string"}`, "a", `{}`, "b", `{}`), fits, `{}`, ContractMismatch},
		{"the input", mustContract(t, `{"type":"string"}`, "a", `{}`, "b", `{}`), nil, `{}`, ContractInput},
	} {
		b := newBench(t, Options{})
		p := b.plan(two)
		data := mustData(t, row.input)
		if row.stamped != nil {
			if err := row.stamped.stamp(data); err != nil {
				t.Fatal(err)
			}
		}
		_, err := b.Approve(p, PerStep(), ApproveOptions{Data: data, Contract: row.contract})
		var broken *ContractError
		if !errors.Is(err, ErrDataflowContractRejected) || !errors.As(err, &broken) || broken.Code != row.want {
			t.Errorf("%s: %v", row.name, err)
		}
		if b.catalog.sealed.Load() {
			t.Errorf("%s: a lease was issued", row.name)
		}
	}

	run := func(n string) (*bench, *Result, error) {
		b := newBench(t, Options{})
		p := b.plan(two)
		a := b.approve(p, granted(p, "b:text.echo:1"), ApproveOptions{Data: mustData(t, `{"n":`+n+`}`), Contract: fits})
		r, err := b.Run(t.Context(), p, a, RunOptions{})
		return b, r, err
	}
	b, r, err := run(`"secret"`)
	stop := stopped(t, err)
	var violation *Violation
	if stop.Cause != CauseContract || stop.StepID != "a" || stop.CompletedSteps != 0 || !errors.As(err, &violation) || strings.Contains(violation.Error(), "secret") {
		t.Error(err, violation)
	}
	if *r.Steps[0].DiagnosticCount != 1 || len(r.Dataflow.Outputs) != 0 || len(b.entries()) != 0 {
		t.Error(r)
	}
	b, r, err = run(`5`)
	if err != nil || len(r.Dataflow.Outputs) != 2 || b.Snapshot().ContractFingerprint() != fits.Fingerprint() {
		t.Error(err, r)
	}
}

// TestCheckpointsAreMadeOfWhatIsDone holds WD-61.
func TestCheckpointsAreMadeOfWhatIsDone(t *testing.T) {
	b, other := newBench(t, Options{}), newBench(t, Options{})
	two := steps("a", "1", "b", "2")
	p, foreign := b.plan(two), other.plan(two)
	none, one := mustData(t, `{}`), mustData(t, `{}`)
	if err := one.insert("a", []byte("1")); err != nil {
		t.Fatal(err)
	}
	strict := mustContract(t, `{}`, "a", `{"type":"string"}`, "b", `{}`)
	fits := mustContract(t, `{}`, "a", `{"type":"integer"}`, "b", `{}`)
	for _, row := range []struct {
		name     string
		plan     *Plan
		n        int
		data     *Data
		contract *Contract
		want     Refusal
	}{
		{"ownership before the count", foreign, 3, nil, nil, ErrPlanOwnershipMismatch},
		{"less than none", p, -1, nil, nil, ErrCompletedStepCount},
		{"the count before the data", p, 3, none, nil, ErrCompletedStepCount},
		{"outputs that are missing", p, 1, none, nil, ErrDataflowPrefixMismatch},
		{"outputs that are ahead", p, 0, one, fits, ErrDataflowPrefixMismatch},
		{"a contract without data", p, 1, nil, fits, ErrDataflowContextRequired},
		{"an output that breaks the contract", p, 1, one, strict, ErrDataflowContractRejected},
	} {
		before := len(b.events())
		c, err := b.Checkpoint(row.plan, row.n, row.data, row.contract)
		if c != nil || !errors.Is(err, row.want) || len(b.events()) != before {
			t.Errorf("%s: %v, want %v", row.name, err, row.want)
		}
	}
	if one.ContractFingerprint() != "" {
		t.Fatal("a refused checkpoint marked the data")
	}
	plain, err := b.Checkpoint(p, 2, nil, nil)
	if err != nil || !slices.Equal(plain.CompletedStepIDs(), []string{"a", "b"}) || plain.DataFingerprint() != "" {
		t.Fatal(plain, err)
	}
	bound, err := b.Checkpoint(p, 1, one, fits)
	if err != nil || bound.DataFingerprint() != one.Fingerprint() || bound.ContractFingerprint() != fits.Fingerprint() {
		t.Fatal(bound, err)
	}
	if again, err := b.Checkpoint(p, 1, one, nil); err != nil || !again.equal(bound) {
		t.Error("the mark is not kept", err)
	}
	same(t, "events", b.events()[1:], []string{"checkpointed", "checkpointed", "checkpointed"})
}

// TestACheckpointIsResumedWithWhatItWasMadeWith holds the table of WD-62.
func TestACheckpointIsResumedWithWhatItWasMadeWith(t *testing.T) {
	b := newBench(t, Options{})
	three := steps("a", "1", "b", "2", "c", "3")
	p := b.plan(three)
	another := b.plan(steps("a", "1", "b", "2"))
	fits := mustContract(t, `{}`, "a", `{"type":"integer"}`, "b", `{"type":"integer"}`, "c", `{"type":"integer"}`)
	strict := mustContract(t, `{}`, "a", `{"type":"string"}`, "b", `{}`, "c", `{}`)
	data := mustData(t, `{}`)
	if err := data.insert("a", []byte("1")); err != nil {
		t.Fatal(err)
	}
	marked := data.clone()
	if err := fits.stamp(marked); err != nil {
		t.Fatal(err)
	}
	edited := mustData(t, `{}`)
	if err := edited.insert("a", []byte("2")); err != nil {
		t.Fatal(err)
	}
	checkpoint := func(p *Plan, n int, data *Data) *Checkpoint {
		c, err := b.Checkpoint(p, n, data, nil)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	plain, withData, withContract := checkpoint(p, 1, nil), checkpoint(p, 1, data), checkpoint(p, 1, marked)
	brokenContract := newCheckpoint(p.fingerprint, []string{"a"}, data.Fingerprint(), strict.fingerprint)
	suffix := PerStep(StepPolicy{"b", nil}, StepPolicy{"c", nil})
	whole := PerStep(StepPolicy{"a", nil}, StepPolicy{"b", nil}, StepPolicy{"c", nil})

	for _, row := range []struct {
		name       string
		checkpoint *Checkpoint
		data       *Data
		contract   *Contract
		authority  Authority
		want       Refusal // "" when it resumes
	}{
		{"plain", plain, nil, nil, suffix, ""},
		{"of another plan", checkpoint(another, 1, nil), nil, nil, suffix, ErrCheckpointPlanMismatch},
		{"of another plan, before all else", checkpoint(another, 1, nil), edited, strict, suffix, ErrCheckpointPlanMismatch},
		{"not the first steps", newCheckpoint(p.fingerprint, []string{"b"}, "", ""), nil, nil, suffix, ErrCheckpointPrefixMismatch},
		{"not in order", newCheckpoint(p.fingerprint, []string{"b", "a"}, "", ""), nil, nil, suffix, ErrCheckpointPrefixMismatch},
		{"more than there are", newCheckpoint(p.fingerprint, []string{"a", "b", "c", "d"}, "", ""), nil, nil, suffix, ErrCheckpointPrefixMismatch},
		{"the steps before the data", newCheckpoint(p.fingerprint, []string{"b"}, "", ""), data, nil, suffix, ErrCheckpointPrefixMismatch},
		{"with data, resumed without", withData, nil, nil, suffix, ErrDataflowContextRequired},
		{"plain, resumed with data", plain, data, nil, suffix, ErrDataflowContextRequired},
		{"with data", withData, data, nil, suffix, ""},
		{"with other outputs", withData, edited, nil, suffix, ErrDataflowContextMismatch},
		{"with outputs that are missing", withData, mustData(t, `{}`), nil, suffix, ErrDataflowPrefixMismatch},
		{"of a contract, resumed without", withContract, marked, nil, suffix, ErrDataflowContractRequired},
		{"of a contract, the mark taken off", withContract, data, nil, suffix, ErrDataflowContractRequired},
		{"of no contract, data marked", withData, marked, nil, suffix, ErrDataflowContractRequired},
		{"of no contract, resumed with one", withData, data, fits, suffix, ErrDataflowContractMissing},
		{"of another contract", withContract, marked, strict, suffix, ErrDataflowContractMismatch},
		{"of a contract", withContract, marked, fits, suffix, ""},
		{"of a contract, the mark lost on the way", withContract, data, fits, suffix, ""},
		{"outputs that break the contract", brokenContract, data, strict, suffix, ErrDataflowContractRejected},
		{"policies for all steps", plain, nil, nil, whole, ErrStepPolicyCount},
		{"policies of the wrong steps", plain, nil, nil, PerStep(StepPolicy{"a", nil}, StepPolicy{"b", nil}), ErrStepPolicyMismatch},
		{"data before policies", withData, edited, nil, whole, ErrDataflowContextMismatch},
		{"all done", checkpoint(p, 3, nil), nil, nil, PerStep(), ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			before := len(b.events())
			opts := ApproveOptions{Data: row.data, Contract: row.contract, Checkpoint: row.checkpoint}
			a, err := b.Approve(p, row.authority, opts)
			if row.want != "" {
				if a != nil || !errors.Is(err, row.want) || len(b.events()) != before {
					t.Errorf("%v, want %v", err, row.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if r, err := b.Run(t.Context(), p, a, RunOptions{}); r != nil || !errors.Is(err, ErrApprovalMismatch) {
				t.Error("an approval to resume started a fresh run", err)
			}
			none := newCheckpoint(p.fingerprint, nil, "", "")
			if r, err := b.Resume(t.Context(), p, a, none, RunOptions{}); r != nil || !errors.Is(err, ErrApprovalMismatch) {
				t.Error("it resumed after another checkpoint", err)
			}
			r, err := b.Resume(t.Context(), p, a, row.checkpoint, RunOptions{})
			if err != nil || r.Status != RunCompleted || (r.Dataflow != nil) != (row.data != nil) {
				t.Fatal(r, err)
			}
			want := []string{"resume_approved", "resumed"}
			for _, id := range p.ids[len(row.checkpoint.completed):] {
				want = append(want, "step_succeeded "+id)
			}
			same(t, "events", b.events()[before:], append(want, "completed"))
		})
	}
}

// TestAProcessThatIsLostRepeatsNoCallOfAFinishedStep runs a draft of 20 steps, kills the process at every boundary, and
// goes on with a new engine that has nothing but the stored texts.
func TestAProcessThatIsLostRepeatsNoCallOfAFinishedStep(t *testing.T) {
	const count = 20
	d := &Draft{}
	for i := range count {
		d.steps = append(d.steps, Step{fmt.Sprintf("s%d", i), fmt.Sprintf(`use mod.tool
let sum = 0
for k, v in workflow.outputs { sum += 1; }
tool.call("text.record", "%d after " + sum)`, i)})
	}
	var contract []string
	for _, s := range d.steps {
		contract = append(contract, s.ID, `{"type":"string"}`)
	}
	type stored struct{ checkpoint, data []byte }
	killed := errors.New("killed")

	for boundary := range count + 1 {
		t.Run(fmt.Sprint(boundary), func(t *testing.T) {
			made := map[string]int{}
			var disk stored
			// process is one life of the program: all it finds is on disk.
			process := func(dieAt int) error {
				catalog, err := NewCatalog(Tool{Name: "text.record", MaxCalls: count, Run: func(_ context.Context, c Call) (string, error) {
					made[c.Input]++
					return c.Input, nil
				}})
				if err != nil {
					return err
				}
				e, err := NewEngine(catalog, Options{})
				if err != nil {
					return err
				}
				p, err := e.Plan(d)
				if err != nil {
					return err
				}
				data := mustData(t, `{"start":1}`)
				var after *Checkpoint
				if disk.checkpoint != nil {
					if after, err = DecodeCheckpoint(disk.checkpoint); err != nil {
						return err
					}
					if data, err = DecodeData(disk.data); err != nil {
						return err
					}
				}
				var policies []StepPolicy
				done := 0
				if after != nil {
					done = len(after.CompletedStepIDs())
				}
				for _, s := range p.Steps()[done:] {
					policies = append(policies, StepPolicy{s.ID, []Grant{{"text.record", 1}}})
				}
				a, err := e.Approve(p, PerStep(policies...), ApproveOptions{Data: data, Checkpoint: after,
					Contract: mustContract(t, `{"type":"object"}`, contract...)})
				if err != nil {
					return err
				}
				opts := RunOptions{OnStep: func(s StepDone) error {
					doc, err := s.Checkpoint.Encode()
					if err != nil {
						return err
					}
					disk = stored{doc, s.Data.Encode()}
					done++
					if done == dieAt {
						return killed
					}
					return nil
				}}
				if after == nil {
					_, err = e.Run(t.Context(), p, a, opts)
				} else {
					_, err = e.Resume(t.Context(), p, a, after, opts)
				}
				return err
			}
			if err := process(boundary); boundary > 0 && !errors.Is(err, killed) {
				t.Fatal(err)
			}
			if boundary > 0 {
				if err := process(0); err != nil {
					t.Fatal(err)
				}
			}
			if len(made) != count {
				t.Errorf("%d calls", len(made))
			}
			for i := range count {
				if call := fmt.Sprintf("%d after %d", i, i); made[call] != 1 {
					t.Errorf("%q was made %d times", call, made[call])
				}
			}
		})
	}
}

// TestWhatCannotBeStoredStopsTheRun holds that no step starts before the host has stored the one before.
func TestWhatCannotBeStoredStopsTheRun(t *testing.T) {
	b := newBench(t, Options{})
	p := b.plan(steps("a", "1", "b", `use mod.tool; tool.call("text.echo", "x")`))
	full := errors.New("the disk is full")
	r, err := b.Run(t.Context(), p, b.approve(p, granted(p, "b:text.echo:1"), ApproveOptions{}), RunOptions{OnStep: func(s StepDone) error {
		if s.StepID != "a" || s.Data != nil || !slices.Equal(s.Checkpoint.CompletedStepIDs(), []string{"a"}) {
			t.Error(s)
		}
		return full
	}})
	stop := stopped(t, err)
	if stop.Cause != CauseCheckpoint || stop.CompletedSteps != 1 || !errors.Is(err, full) {
		t.Error(err)
	}
	if r.Status != RunFailed || r.Steps[0].Status != StepSucceeded || r.Steps[1].Status != StepPending || len(b.made) != 0 {
		t.Error(r, b.made)
	}
	same(t, "events", b.events(), []string{"planned", "approved", "started", "step_succeeded a", "checkpointed"})
}

func TestWhatAHostWasGivenAfterAStepStaysAsItWas(t *testing.T) {
	b := newBench(t, Options{})
	p := b.plan(steps("a", "1", "b", "2"))
	var given []*Data
	_, err := b.Run(t.Context(), p, b.approve(p, granted(p), ApproveOptions{Data: mustData(t, `{}`)}), RunOptions{OnStep: func(s StepDone) error {
		given = append(given, s.Data)
		return nil
	}})
	b.must(err)
	if len(given) != 2 || len(given[0].Outputs()) != 1 || len(given[1].Outputs()) != 2 {
		t.Error(given)
	}
	b.must(given[1].insert("z", []byte("1")))
	if len(b.Snapshot().Outputs()) != 2 {
		t.Error("the data of the host is that of the engine")
	}
}

// TestACheckpointThatDiffersInAnythingIsNotTheApprovedOne holds that every part of a checkpoint counts when an approval is
// taken for it (WD-62), and that an equal one from elsewhere is as good as the one that was approved.
func TestACheckpointThatDiffersInAnythingIsNotTheApprovedOne(t *testing.T) {
	b := newBench(t, Options{})
	p := b.plan(steps("a", "1", "b", "2"))
	contract := mustContract(t, `{}`, "a", `{}`, "b", `{}`)
	data := mustData(t, `{}`)
	b.must(data.insert("a", []byte("1")))
	c, err := b.Checkpoint(p, 1, data, contract)
	b.must(err)
	rest := PerStep(StepPolicy{StepID: "b"})
	a := b.approve(p, rest, ApproveOptions{Data: data, Contract: contract, Checkpoint: c})
	other := strings.Repeat("0", 64)
	for name, change := range map[string]func(*Checkpoint){
		"plan":      func(c *Checkpoint) { c.plan = other },
		"data":      func(c *Checkpoint) { c.data = other },
		"contract":  func(c *Checkpoint) { c.contract = other },
		"fewer ids": func(c *Checkpoint) { c.completed = nil },
		"more ids":  func(c *Checkpoint) { c.completed = []string{"a", "b"} },
		"other ids": func(c *Checkpoint) { c.completed = []string{"b"} },
	} {
		changed := *c
		change(&changed)
		if r, err := b.Resume(t.Context(), p, a, &changed, RunOptions{}); r != nil || !errors.Is(err, ErrApprovalMismatch) {
			t.Errorf("%s: %v", name, err)
		}
	}
	text, err := c.Encode()
	b.must(err)
	same, err := DecodeCheckpoint(text)
	b.must(err)
	if _, err := b.Resume(t.Context(), p, a, same, RunOptions{}); err != nil {
		t.Error(err)
	}
}

// TestACheckpointMadeUpIsComparedInWhole holds that a text with the fingerprint of the plan, which is no secret, still
// needs the plan's own steps, however many it lists.
func TestACheckpointMadeUpIsComparedInWhole(t *testing.T) {
	b := newBench(t, Options{})
	p := b.plan(steps("a", "1", "b", "2"))
	for _, ids := range []string{`"b"`, `"b","a"`, `"a","c"`, `"a","b","c"`, `"a","b","c","d","e","f","g","h"`} {
		c, err := DecodeCheckpoint([]byte(`{"format_version":1,"plan_fingerprint":"` + p.Fingerprint() + `","completed_step_ids":[` + ids + `]}`))
		b.must(err)
		if _, err := b.Approve(p, PerStep(), ApproveOptions{Checkpoint: c}); !errors.Is(err, ErrCheckpointPrefixMismatch) {
			t.Errorf("%s: %v", ids, err)
		}
	}
}
