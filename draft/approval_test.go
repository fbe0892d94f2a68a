package draft

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/fwgo/fwgo/splash"
)

// TestPoliciesAreApprovedInOrder holds the order of checks of WD-31: of two things that are wrong, the first is reported,
// and nothing is issued or recorded.
func TestPoliciesAreApprovedInOrder(t *testing.T) {
	b := newBench(t, Options{})
	other := newBench(t, Options{})
	p := b.plan(steps("a", "1", "b", "2"))
	foreign := other.plan(steps("a", "1", "b", "2"))
	input := mustData(t, `{"x":1}`)
	ahead := mustData(t, `{"x":1}`)
	if err := ahead.insert("a", []byte("1")); err != nil {
		t.Fatal(err)
	}
	any2 := []OutputSchema{{"a", json.RawMessage(`{}`)}, {"b", json.RawMessage(`{}`)}}
	contract := func(input string, outputs ...OutputSchema) *Contract {
		c, err := NewContract(json.RawMessage(input), outputs...)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	fits, wrongInput := contract(`{}`, any2...), contract(`{"type":"string"}`, any2...)
	small, err := NewEngine(b.catalog, Options{Limits: splash.Limits{JSONBytes: 16}})
	if err != nil {
		t.Fatal(err)
	}
	smallPlan, err := small.Plan(steps("a", "1", "b", "2"))
	if err != nil {
		t.Fatal(err)
	}
	two := func(grants ...Grant) Authority { return PerStep(StepPolicy{"a", nil}, StepPolicy{"b", grants}) }
	one := PerStep(StepPolicy{"a", nil})
	swapped := PerStep(StepPolicy{"b", nil}, StepPolicy{"a", nil})

	for _, row := range []struct {
		name      string
		engine    *Engine
		plan      *Plan
		authority Authority
		opts      ApproveOptions
		want      Refusal
	}{
		{"1 before 2", b.Engine, foreign, two(), ApproveOptions{Data: ahead}, ErrPlanOwnershipMismatch},
		{"no plan", b.Engine, nil, two(), ApproveOptions{}, ErrPlanOwnershipMismatch},
		{"a plan that nobody made", b.Engine, &Plan{}, two(), ApproveOptions{}, ErrPlanOwnershipMismatch},
		{"2 before 3", b.Engine, p, two(), ApproveOptions{Data: ahead, Contract: wrongInput}, ErrDataflowPrefixMismatch},
		{"3 before 4", b.Engine, p, one, ApproveOptions{Data: input, Contract: wrongInput}, ErrDataflowContractRejected},
		{"a contract without data", b.Engine, p, one, ApproveOptions{Contract: fits}, ErrDataflowContextRequired},
		{"4 before 5", b.Engine, p, PerStep(StepPolicy{"z", nil}), ApproveOptions{Data: input, Contract: fits}, ErrStepPolicyCount},
		{"none for two", b.Engine, p, Authority{}, ApproveOptions{}, ErrStepPolicyCount},
		{"5 before 6", b.Engine, p, PerStep(StepPolicy{"a", []Grant{{"nope", 0}}}, StepPolicy{"a", nil}), ApproveOptions{}, ErrStepPolicyMismatch},
		{"5 in order", b.Engine, p, swapped, ApproveOptions{}, ErrStepPolicyMismatch},
		{"6 zero before unknown", b.Engine, p, two(Grant{"nope", 0}), ApproveOptions{}, ErrZeroCallLimit},
		{"6 negative", b.Engine, p, two(Grant{"text.echo", -1}), ApproveOptions{}, ErrZeroCallLimit},
		{"6 unknown before too many", b.Engine, p, two(Grant{"nope", 99}), ApproveOptions{}, ErrUnknownTool},
		{"6 too many before twice", b.Engine, p, two(Grant{"text.echo", 1}, Grant{"text.echo", 4}), ApproveOptions{}, ErrCallLimitExceedsPolicy},
		{"6 twice", b.Engine, p, two(Grant{"text.echo", 1}, Grant{"text.echo", 1}), ApproveOptions{}, ErrDuplicateTool},
		{"6 grant by grant", b.Engine, p, two(Grant{"nope", 1}, Grant{"text.echo", 0}), ApproveOptions{}, ErrUnknownTool},
		{"6 before 7", small, smallPlan, two(Grant{"nope", 1}), ApproveOptions{Data: input}, ErrUnknownTool},
		{"7", small, smallPlan, two(), ApproveOptions{Data: input}, ErrDataflowContextTooLarge},
		{"leases are counted", b.Engine, p, LeasePerStep(), ApproveOptions{}, ErrStepLeaseCount},
		{"a lease that nobody issued", b.Engine, p, SharedLease(&Lease{}), ApproveOptions{}, ErrLeaseRuntimeMismatch},
		{"no lease", b.Engine, p, SharedLease(nil), ApproveOptions{}, ErrLeaseRuntimeMismatch},
	} {
		t.Run(row.name, func(t *testing.T) {
			before := len(b.events())
			a, err := row.engine.Approve(row.plan, row.authority, row.opts)
			if a != nil || !errors.Is(err, row.want) {
				t.Errorf("%v, want %v", err, row.want)
			}
			if len(b.events()) != before {
				t.Error("something was recorded")
			}
		})
	}
	if input.ContractFingerprint() != "" {
		t.Error("an approval marked the data of its caller")
	}
}

// TestAnApprovalIsForOneRunOfOnePlan holds the order of WD-32 and the binding of WD-30.
func TestAnApprovalIsForOneRunOfOnePlan(t *testing.T) {
	b := newBench(t, Options{})
	p, q := b.plan(steps("a", "1")), b.plan(steps("a", "1"))
	other := newBench(t, Options{})
	twin := other.plan(steps("a", "1"))
	a := b.approve(p, granted(p), ApproveOptions{})
	start, err := b.Checkpoint(p, 0, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()

	refused := func(name string, want Refusal, run func() (*Result, error)) {
		t.Helper()
		before := len(b.events())
		r, err := run()
		if r != nil || !errors.Is(err, want) || len(b.events()) != before {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	refused("another engine's plan", ErrPlanOwnershipMismatch, func() (*Result, error) { return b.Run(ctx, twin, a, RunOptions{}) })
	refused("another plan of equal steps", ErrApprovalMismatch, func() (*Result, error) { return b.Run(ctx, q, a, RunOptions{}) })
	refused("no approval", ErrApprovalMismatch, func() (*Result, error) { return b.Run(ctx, p, nil, RunOptions{}) })
	refused("a fresh approval to resume", ErrApprovalMismatch, func() (*Result, error) { return b.Resume(ctx, p, a, start, RunOptions{}) })
	refused("resuming after nothing", ErrApprovalMismatch, func() (*Result, error) { return b.Resume(ctx, p, a, nil, RunOptions{}) })

	doc, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	var revived Approval
	if err := json.Unmarshal(doc, &revived); err != nil {
		t.Fatal(err)
	}
	refused("an approval made of JSON", ErrApprovalMismatch, func() (*Result, error) { return b.Run(ctx, p, &revived, RunOptions{}) })

	copied := *a
	if _, err := b.Run(ctx, p, a, RunOptions{}); err != nil {
		t.Fatal(err)
	}
	refused("the approval again", ErrApprovalUsed, func() (*Result, error) { return b.Run(ctx, p, a, RunOptions{}) })
	refused("a copy of it", ErrApprovalUsed, func() (*Result, error) { return b.Run(ctx, p, &copied, RunOptions{}) })

	// A suspended run comes before everything but ownership; a changed catalog comes last.
	stale := b.approve(p, granted(p), ApproveOptions{})
	if _, err := b.run(steps("w", `use mod.tool; tool.start("ext.ask", "?").await()`), nil, "w:ext.ask:1"); stopped(t, err).Cause != CauseWaiting {
		t.Fatal(err)
	}
	refused("ownership first", ErrPlanOwnershipMismatch, func() (*Result, error) { return b.Run(ctx, twin, stale, RunOptions{}) })
	refused("then the suspended run", ErrExecutionInProgress, func() (*Result, error) { return b.Run(ctx, q, a, RunOptions{}) })
	if _, err := b.Abandon(); err != nil {
		t.Fatal(err)
	}
	if err := b.catalog.Remove("text.other"); err != nil {
		t.Fatal(err)
	}
	refused("the kind before the leases", ErrApprovalMismatch, func() (*Result, error) { return b.Resume(ctx, p, stale, start, RunOptions{}) })
	refused("leases of an older catalog", ErrCatalogChanged, func() (*Result, error) { return b.Run(ctx, p, stale, RunOptions{}) })
}

func TestADraftFromNowhereIsNoPlan(t *testing.T) {
	b := newBench(t, Options{})
	for _, d := range []*Draft{nil, {}} {
		p, err := b.Plan(d)
		var rejected *Rejection
		if p != nil || !errors.As(err, &rejected) || rejected.Code != RejectedEmptyPlan || len(b.events()) != 0 {
			t.Error(p, err)
		}
	}
}

// TestEveryShapeOfAuthorityCoversItsSteps holds the four shapes of WD-30.
func TestEveryShapeOfAuthorityCoversItsSteps(t *testing.T) {
	d := steps("a", `use mod.tool; [try tool.call("text.echo", "1") catch 0, try tool.call("text.other", "1") catch 0]`,
		"b", `use mod.tool; [try tool.call("text.echo", "2") catch 0, try tool.call("text.other", "2") catch 0]`)
	lease := func(b *bench, grants ...Grant) *Lease {
		l, err := b.Lease(grants...)
		b.must(err)
		return l
	}
	for name, row := range map[string]struct {
		authority func(b *bench) Authority
		made      []string
	}{
		"whole catalog": {func(*bench) Authority { return WholeCatalog() },
			[]string{"a text.echo 1", "a text.other 1", "b text.echo 2", "b text.other 2"}},
		"one lease": {func(b *bench) Authority { return SharedLease(lease(b, Grant{"text.echo", 1}, Grant{"text.other", 2})) },
			[]string{"a text.echo 1", "a text.other 1", "b text.other 2"}},
		"a lease a step": {func(b *bench) Authority {
			return LeasePerStep(lease(b, Grant{"text.echo", 1}), lease(b, Grant{"text.other", 2}))
		},
			[]string{"a text.echo 1", "b text.other 2"}},
		"a policy a step": {func(*bench) Authority {
			return PerStep(StepPolicy{"a", nil}, StepPolicy{"b", []Grant{{"text.echo", 3}}})
		},
			[]string{"b text.echo 2"}},
	} {
		b := newBench(t, Options{})
		p := b.plan(d)
		_, err := b.Run(t.Context(), p, b.approve(p, row.authority(b), ApproveOptions{}), RunOptions{})
		b.must(err)
		same(t, name, b.made, row.made)
	}
}
