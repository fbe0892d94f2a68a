package draft

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/splash"
)

// TestNoProgramMakesACallThatItsStepWasNotGranted holds that whatever a draft tries, only granted calls reach a tool, and
// every attempt leaves an entry in the audit. The tools are those of newBench; a step that is not to end with an error
// catches it.
func TestNoProgramMakesACallThatItsStepWasNotGranted(t *testing.T) {
	const use = "use mod.tool\n"
	many := func(n int, call string) string {
		return use + fmt.Sprintf("let i = 0; while i < %d { try %s catch nil; i += 1; }", n, call)
	}
	for _, row := range []struct {
		name   string
		draft  *Draft
		grants []string
		made   []string
		audit  []string
	}{
		{"no grant", steps("a", use+`try tool.call("text.echo", "x") catch 1`), nil, nil, []string{"text.echo denied"}},
		{"no grant, deferred", steps("a", use+`try tool.start("text.echo", "x") catch 1`), nil, nil, []string{"text.echo denied"}},
		{"no grant, by a module", steps("a", `use mod.echo; try echo.back({}) catch 1`), nil, nil, []string{"json.echo denied"}},
		{"no grant, by a deferred method", steps("a", `use mod.echo; try echo.later({}) catch 1`), nil, nil, []string{"json.echo denied"}},
		{"no grant, without use", steps("a", `try mod.tool.call("text.echo", "x") catch 1`), nil, nil, []string{"text.echo denied"}},
		{"a computed name", steps("a", use+`try tool.call("text." + "other", "x") catch 1`), []string{"a:text.echo:1"}, nil, []string{"text.other denied"}},
		{"a name from the data", steps("a", use+`let n = "{\"n\":\"text.other\"}".parse_json().n; try tool.call(n, "x") catch 1`), []string{"a:text.echo:1"}, nil, []string{"text.other denied"}},
		{"a name from a tool's answer", steps("a", use+`let n = tool.call("text.echo", "text.other"); try tool.call(n, "x") catch 1`), []string{"a:text.echo:1"},
			[]string{"a text.echo text.other"}, []string{"text.echo allowed", "text.other denied"}},
		{"an alias of the module", steps("a", use+`let t = tool; let u = t; try u.call("text.other", "x") catch 1`), []string{"a:text.echo:1"}, nil, []string{"text.other denied"}},
		{"an alias of the function", steps("a", use+`let f = tool.call; try f("text.other", "x") catch 1`), []string{"a:text.echo:1"}, nil, []string{"text.other denied"}},
		{"a function in a record", steps("a", use+`let r = {go: tool.call}; try r.go("text.other", "x") catch 1`), []string{"a:text.echo:1"}, nil, []string{"text.other denied"}},
		{"a method by index", steps("a", `use mod.echo; let f = echo["back"]; try f({}) catch 1`), []string{"a:text.echo:1"}, nil, []string{"json.echo denied"}},
		{"a wrapper of its own", steps("a", use+`fn go(n) { return tool.call(n, "x"); }; try go("text.other") catch 1`), []string{"a:text.echo:1"}, nil, []string{"text.other denied"}},
		{"a name that looks like it", steps("a", use+`try tool.call("text.еcho", "x") catch 1; try tool.call("text.echo ", "x") catch 1; try tool.call("TEXT.ECHO", "x") catch 1`),
			[]string{"a:text.echo:1"}, nil, []string{"unrecognized denied", "unrecognized denied", "unrecognized denied"}},
		{"a name with the lease's other half", steps("a", use+`try tool.call("a:text.echo:1", "x") catch 1`), []string{"a:text.echo:1"}, nil, []string{"unrecognized denied"}},
		{"an empty name", steps("a", use+`try tool.call("", "x") catch 1`), []string{"a:text.echo:1"}, nil, []string{"unrecognized denied"}},
		{"a huge name", steps("a", use+`let n = "text.echo"; let i = 0; while i < 10 { n += n; i += 1; }; try tool.call(n, "x") catch 1`), []string{"a:text.echo:1"}, nil, []string{"unrecognized denied"}},
		{"more calls than granted", steps("a", many(3, `tool.call("text.echo", "x")`)), []string{"a:text.echo:1"}, []string{"a text.echo x"},
			[]string{"text.echo allowed", "text.echo denied", "text.echo denied"}},
		{"more calls than granted, mixed", steps("a", use+`use mod.echo; echo.back({}); try tool.call_json("json.echo", {}) catch 1; try tool.start_json("json.echo", {}) catch 1; try echo.later({}) catch 1`),
			[]string{"a:json.echo:1"}, []string{"a json.echo {}"}, []string{"json.echo allowed", "json.echo denied", "json.echo denied", "json.echo denied"}},
		{"more promises than granted", steps("a", many(3, `tool.start("text.echo", "x")`)), []string{"a:text.echo:2"}, []string{"a text.echo x", "a text.echo x"},
			[]string{"text.echo denied", "text.echo allowed", "text.echo allowed"}},
		{"a promise awaited again and again", steps("a", use+`let p = tool.start("text.echo", "x"); p.await(); p.await(); [p.await(), p.await()]`), []string{"a:text.echo:1"},
			[]string{"a text.echo x"}, []string{"text.echo allowed"}},
		{"an await inside of an await", steps("a", use+`tool.start("text.echo", tool.start("text.other", tool.start("text.echo", "x").await()).await()).await()`),
			[]string{"a:text.echo:1", "a:text.other:1"}, []string{"a text.echo x", "a text.other x"}, []string{"text.echo allowed", "text.other allowed", "text.echo denied"}},
		{"the grant of the next step", steps("a", use+`try tool.call("text.other", "x") catch 1`, "b", use+`tool.call("text.other", "y")`), []string{"b:text.other:1"},
			[]string{"b text.other y"}, []string{"text.other denied", "text.other allowed"}},
		{"the grant of the step before", steps("a", "1", "b", use+`try tool.call("text.echo", "y") catch 1`), []string{"a:text.echo:3"}, nil, []string{"text.echo denied"}},
		{"what the step before left over", steps("a", use+`tool.call("text.echo", "x")`, "b", many(2, `tool.call("text.echo", "y")`)), []string{"a:text.echo:2", "b:text.echo:1"},
			[]string{"a text.echo x", "b text.echo y"}, []string{"text.echo allowed", "text.echo allowed", "text.echo denied"}},
		{"more than the tool allows, over all steps", steps("a", many(2, `tool.call("text.echo", "x")`), "b", many(2, `tool.call("text.echo", "y")`)), []string{"a:text.echo:2", "b:text.echo:2"},
			[]string{"a text.echo x", "a text.echo x", "b text.echo y"}, []string{"text.echo allowed", "text.echo allowed", "text.echo allowed", "text.echo denied"}},
		{"a promise kept for the next step", steps("a", use+`tool.start("text.echo", "x"); 1`, "b", `try p.await() catch 1`), []string{"a:text.echo:1"}, []string{"a text.echo x"}, []string{"text.echo allowed"}},
		{"a call started by a failing step", steps("a", use+`tool.start("text.echo", "x"); try tool.start("text.other", "y") catch 1; nope`, "b", use+`tool.call("text.other", "z")`),
			[]string{"a:text.echo:1", "b:text.other:1"}, []string{"a text.echo x"}, []string{"text.other denied", "text.echo allowed"}},
		{"a tool of its own in place of the host's", steps("a", `let tool = {call: |n, x| "fake"}; tool.call("text.echo", "x")`), []string{"a:text.echo:1"}, nil, []string{}},
		{"a write into the module", steps("a", use+`try tool.call = |n, x| 1 catch 1; try mod.tool = 1 catch 1; try mod.new = tool catch 1; try tool.call("text.other", "x") catch 1`), []string{"a:text.echo:1"},
			nil, []string{"text.other denied"}},
		{"grants written into the data", steps("a", use+`workflow.grants = {text.other: 1}; 1`), nil, nil, []string{}},
		{"JSON to a text tool", steps("a", use+`try tool.call_json("text.echo", {a: 1}) catch 1`), []string{"a:text.echo:1"}, nil, []string{"text.echo denied"}},
		{"text that is no JSON to a JSON tool", steps("a", use+`try tool.call("json.echo", "{") catch 1; try tool.call("json.echo", "5") catch 1; try tool.call("json.echo", "{\"a\":1,\"a\":2}") catch 1`),
			[]string{"a:json.echo:3"}, nil, []string{"json.echo denied", "json.echo denied", "json.echo denied"}},
		{"an input that breaks the schema", steps("a", use+`try tool.call_json("json.echo", []) catch 1`), []string{"a:json.echo:1"}, nil, []string{"json.echo denied"}},
		{"an input that is too long", steps("a", use+double(15)+`; try tool.call("text.echo", s) catch 1`), []string{"a:text.echo:1"}, nil, []string{"text.echo denied"}},
		{"an external tool at once", steps("a", use+`try tool.call("ext.ask", "x") catch 1`), []string{"a:ext.ask:1"}, nil, []string{"ext.ask denied"}},
		{"denied calls give no calls back", steps("a", many(5, `tool.call("text.other", "x")`), "b", use+`try tool.call("text.other", "y") catch 1`), []string{"a:text.echo:1"}, nil,
			[]string{"text.other denied", "text.other denied", "text.other denied", "text.other denied", "text.other denied", "text.other denied"}},
		{"a call from a step whose limits are used up", steps("a", use+`fn f() { return f(); }; try f() catch tool.call("text.other", "x")`), []string{"a:text.echo:1"}, nil, []string{}},
		{"more promises at once than are allowed", steps("a", many(3, `tool.start("text.echo", "x")`)+"; 1"), []string{"a:text.echo:3"}, []string{"a text.echo x", "a text.echo x"},
			[]string{"text.echo denied", "text.echo allowed", "text.echo allowed"}},
		{"an approval that nobody gave", steps("a", use+`tool.start("text.sure", "x"); try tool.call("text.other", "y") catch 1`), []string{"a:text.sure:1"}, nil,
			[]string{"text.other denied", "text.sure cancelled"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := newBench(t, Options{Limits: splash.Limits{Pending: 2}})
			_, _ = b.run(row.draft, nil, row.grants...)
			same(t, "calls", b.made, row.made)
			audit := b.entries()
			for i, a := range audit {
				if name, rest, label := strings.Cut(a, ":"); label {
					_, outcome, _ := strings.Cut(rest, " ")
					audit[i] = name + " " + outcome
				}
			}
			same(t, "audit", audit, row.audit)
			entries, _ := b.Audit()
			for _, a := range entries {
				if a.Outcome == AuditDenied && a.OutputBytes != 0 {
					t.Error("a denied call has an output", a)
				}
			}
		})
	}
}

// TestNoHostStateIsReusedForWhatWasNotApproved holds the same for what comes around the program: approvals, leases,
// checkpoints, data and the catalog, reused, edited, copied or made up.
func TestNoHostStateIsReusedForWhatWasNotApproved(t *testing.T) {
	call := steps("a", `use mod.tool; try tool.call("text.echo", "x") catch "denied"`)
	two := steps("a", `use mod.tool; tool.call("text.echo", "1")`, "b", `use mod.tool; tool.call("text.echo", "2")`)
	for _, row := range []struct {
		name   string
		made   int // calls that were granted, and are made
		attack func(t *testing.T, b *bench) error
		want   error // nil when the run goes on without the call
	}{
		{"an approval used twice", 1, func(t *testing.T, b *bench) error {
			p := b.plan(call)
			a := b.approve(p, granted(p, "a:text.echo:1"), ApproveOptions{})
			_, err := b.Run(t.Context(), p, a, RunOptions{})
			b.must(err)
			_, err = b.Run(t.Context(), p, a, RunOptions{})
			return err
		}, ErrApprovalUsed},
		{"an approval used by many at once", 1, func(t *testing.T, b *bench) error {
			p := b.plan(call)
			a := b.approve(p, granted(p, "a:text.echo:1"), ApproveOptions{})
			errs := make(chan error)
			for range 8 {
				go func() { _, err := b.Run(context.Background(), p, a, RunOptions{}); errs <- err }()
			}
			started := 0
			for range 8 {
				if err := <-errs; err == nil {
					started++
				} else if !errors.Is(err, ErrApprovalUsed) && !errors.Is(err, ErrExecutionInProgress) {
					return err
				}
			}
			if started != 1 {
				return fmt.Errorf("%d runs started", started)
			}
			return ErrApprovalUsed
		}, ErrApprovalUsed},
		{"the approval of another plan", 0, func(t *testing.T, b *bench) error {
			p, q := b.plan(steps("a", "1")), b.plan(call)
			_, err := b.Run(t.Context(), q, b.approve(p, granted(p, "a:text.echo:1"), ApproveOptions{}), RunOptions{})
			return err
		}, ErrApprovalMismatch},
		{"the approval of another engine", 0, func(t *testing.T, b *bench) error {
			other, err := NewEngine(b.catalog, Options{})
			b.must(err)
			p, err := other.Plan(call)
			b.must(err)
			a, err := other.Approve(p, granted(p, "a:text.echo:1"), ApproveOptions{})
			b.must(err)
			_, err = b.Run(t.Context(), b.plan(call), a, RunOptions{})
			return err
		}, ErrApprovalMismatch},
		{"a plan made by hand", 0, func(t *testing.T, b *bench) error {
			p := b.plan(steps("a", "1"))
			a := b.approve(p, granted(p, "a:text.echo:1"), ApproveOptions{})
			_, err := b.Run(t.Context(), &Plan{}, a, RunOptions{})
			return err
		}, ErrPlanOwnershipMismatch},
		{"an approval made by hand", 0, func(t *testing.T, b *bench) error {
			_, err := b.Run(t.Context(), b.plan(call), &Approval{}, RunOptions{})
			return err
		}, ErrApprovalMismatch},
		{"steps edited after the plan", 0, func(t *testing.T, b *bench) error {
			d := steps("a", "1")
			p := b.plan(d)
			a := b.approve(p, granted(p, "a:text.echo:1"), ApproveOptions{})
			d.steps[0].Source = call.steps[0].Source
			p.Steps()[0].Source = call.steps[0].Source
			_, err := b.Run(t.Context(), p, a, RunOptions{})
			return err
		}, nil},
		{"grants edited after the approval", 0, func(t *testing.T, b *bench) error {
			p := b.plan(call)
			policies := []StepPolicy{{"a", make([]Grant, 0, 4)}}
			authority := PerStep(policies...)
			a := b.approve(p, authority, ApproveOptions{})
			policies[0].Grants = append(policies[0].Grants, Grant{"text.echo", 1})
			_, err := b.Run(t.Context(), p, a, RunOptions{})
			return err
		}, nil},
		{"grants edited before the approval", 0, func(t *testing.T, b *bench) error {
			p := b.plan(call)
			grants := []Grant{{"text.other", 1}}
			authority := PerStep(StepPolicy{"a", grants})
			grants[0].Tool = "text.echo"
			_, err := b.Run(t.Context(), p, b.approve(p, authority, ApproveOptions{}), RunOptions{})
			return err
		}, nil},
		{"leases edited before the approval", 0, func(t *testing.T, b *bench) error {
			p := b.plan(call)
			none, err := b.Lease()
			b.must(err)
			all, err := b.Lease(Grant{"text.echo", 1})
			b.must(err)
			leases := []*Lease{none}
			authority := LeasePerStep(leases...)
			leases[0] = all
			_, err = b.Run(t.Context(), p, b.approve(p, authority, ApproveOptions{}), RunOptions{})
			return err
		}, nil},
		{"data edited after the approval", 0, func(t *testing.T, b *bench) error {
			p := b.plan(steps("a", `use mod.tool; if workflow.input.go tool.call("text.echo", "x") else "no"`))
			data := mustData(t, `{"go":false}`)
			a := b.approve(p, granted(p, "a:text.echo:1"), ApproveOptions{Data: data})
			*data = *mustData(t, `{"go":true}`)
			_, err := b.Run(t.Context(), p, a, RunOptions{})
			return err
		}, nil},
		{"a tool removed after the approval", 0, func(t *testing.T, b *bench) error {
			p := b.plan(call)
			a := b.approve(p, granted(p, "a:text.echo:1"), ApproveOptions{})
			b.must(b.catalog.Remove("text.echo"))
			_, err := b.Run(t.Context(), p, a, RunOptions{})
			return err
		}, ErrCatalogChanged},
		{"a tool put in place of another after the approval", 0, func(t *testing.T, b *bench) error {
			p := b.plan(call)
			a := b.approve(p, granted(p, "a:text.echo:1"), ApproveOptions{})
			before := b.catalog.Fingerprint()
			b.must(b.catalog.Remove("text.echo"))
			b.must(b.catalog.Add(Tool{Name: "text.echo", MaxCalls: 3, Run: func(context.Context, Call) (string, error) {
				b.made = append(b.made, "the other tool")
				return "", nil
			}}))
			if b.catalog.Fingerprint() != before {
				t.Error("it was to look the same")
			}
			_, err := b.Run(t.Context(), p, a, RunOptions{})
			return err
		}, ErrCatalogChanged},
		{"a catalog changed in the middle of the run", 1, func(t *testing.T, b *bench) error {
			p := b.plan(two)
			a := b.approve(p, granted(p, "a:text.echo:1", "b:text.echo:1"), ApproveOptions{})
			_, err := b.Run(t.Context(), p, a, RunOptions{OnStep: func(s StepDone) error {
				if s.StepID == "a" {
					return b.catalog.Remove("text.other")
				}
				return nil
			}})
			var denied *DeniedError
			if errors.As(err, &denied) && denied.Code == DeniedCatalogChanged {
				return ErrCatalogChanged
			}
			return err
		}, ErrCatalogChanged},
		{"a catalog changed between start and await", 0, func(t *testing.T, b *bench) error {
			b.must(b.catalog.Add(Tool{Name: "text.change", Run: func(context.Context, Call) (string, error) {
				return "", b.catalog.Remove("text.other")
			}}))
			_, err := b.run(steps("a", `use mod.tool; let p = tool.start("text.echo", "x"); tool.call("text.change", ""); try p.await() catch 1`), nil,
				"a:text.echo:1", "a:text.change:1")
			return err
		}, nil},
		{"an external call after the catalog changed", 0, func(t *testing.T, b *bench) error {
			b.must(b.catalog.Add(Tool{Name: "text.change", Run: func(context.Context, Call) (string, error) {
				return "", b.catalog.Remove("text.other")
			}}))
			_, err := b.run(steps("a", `use mod.tool; tool.call("text.change", ""); tool.start("ext.ask", "x").await()`), nil,
				"a:ext.ask:1", "a:text.change:1")
			var denied *DeniedError
			if errors.As(err, &denied) && denied.Code == DeniedCatalogChanged {
				return ErrCatalogChanged
			}
			return err
		}, ErrCatalogChanged},
		{"a module added after a lease of everything", 0, func(t *testing.T, b *bench) error {
			b.approve(b.plan(call), WholeCatalog(), ApproveOptions{})
			var wrong *CatalogError
			if err := b.catalog.AddModule(Module{Name: "late", Methods: []Method{{Name: "go", Tool: "json.echo"}}}); !errors.As(err, &wrong) || wrong.Code != CatalogSealed {
				return fmt.Errorf("got %v", err)
			}
			return nil
		}, nil},
		{"a module added after a lease", 0, func(t *testing.T, b *bench) error {
			p := b.plan(call)
			b.approve(p, granted(p), ApproveOptions{})
			err := b.catalog.AddModule(Module{Name: "late", Methods: []Method{{Name: "go", Tool: "json.echo"}}})
			var wrong *CatalogError
			if errors.As(err, &wrong) && wrong.Code == CatalogSealed {
				return nil
			}
			return fmt.Errorf("got %v", err)
		}, nil},
		{"a lease in two approvals", 0, func(t *testing.T, b *bench) error {
			l, err := b.Lease(Grant{"text.echo", 1})
			b.must(err)
			p := b.plan(call)
			b.approve(p, SharedLease(l), ApproveOptions{})
			_, err = b.Approve(p, SharedLease(l), ApproveOptions{})
			return err
		}, ErrLeaseAlreadyActive},
		{"a lease and its copy", 0, func(t *testing.T, b *bench) error {
			l, err := b.Lease(Grant{"text.echo", 1})
			b.must(err)
			copied := *l
			_, err = b.Approve(b.plan(two), LeasePerStep(l, &copied), ApproveOptions{})
			return err
		}, ErrLeaseAlreadyActive},
		{"the lease of another engine", 0, func(t *testing.T, b *bench) error {
			other, err := NewEngine(b.catalog, Options{})
			b.must(err)
			l, err := other.Lease(Grant{"text.echo", 1})
			b.must(err)
			_, err = b.Approve(b.plan(call), SharedLease(l), ApproveOptions{})
			return err
		}, ErrLeaseRuntimeMismatch},
		{"a shared lease is shared", 1, func(t *testing.T, b *bench) error {
			l, err := b.Lease(Grant{"text.echo", 1})
			b.must(err)
			p := b.plan(two)
			_, err = b.Run(t.Context(), p, b.approve(p, SharedLease(l), ApproveOptions{}), RunOptions{})
			var denied *DeniedError
			if errors.As(err, &denied) && denied.Code == DeniedNotGranted {
				return nil
			}
			return fmt.Errorf("got %v", err)
		}, nil},
		{"a checkpoint with a step put in", 0, func(t *testing.T, b *bench) error {
			p := b.plan(two)
			c, err := b.Checkpoint(p, 0, nil, nil)
			b.must(err)
			doc, err := c.Encode()
			b.must(err)
			forged, err := DecodeCheckpoint([]byte(strings.Replace(string(doc), `[]`, `["a"]`, 1)))
			b.must(err)
			a := b.approve(p, granted(p, "a:text.echo:1", "b:text.echo:1"), ApproveOptions{Checkpoint: c})
			_, err = b.Resume(t.Context(), p, a, forged, RunOptions{})
			return err
		}, ErrApprovalMismatch},
		{"the checkpoint of a plan that was edited", 0, func(t *testing.T, b *bench) error {
			c, err := b.Checkpoint(b.plan(two), 1, nil, nil)
			b.must(err)
			edited := b.plan(steps("a", two.steps[0].Source, "b", two.steps[1].Source+" "))
			_, err = b.Approve(edited, PerStep(StepPolicy{"b", []Grant{{"text.echo", 1}}}), ApproveOptions{Checkpoint: c})
			return err
		}, ErrCheckpointPlanMismatch},
		{"a checkpoint used twice needs two approvals", 1, func(t *testing.T, b *bench) error {
			p := b.plan(two)
			c, err := b.Checkpoint(p, 1, nil, nil)
			b.must(err)
			a := b.approve(p, PerStep(StepPolicy{"b", []Grant{{"text.echo", 1}}}), ApproveOptions{Checkpoint: c})
			_, err = b.Resume(t.Context(), p, a, c, RunOptions{})
			b.must(err)
			_, err = b.Resume(t.Context(), p, a, c, RunOptions{})
			return err
		}, ErrApprovalUsed},
		{"outputs edited in the stored data", 0, func(t *testing.T, b *bench) error {
			p := b.plan(steps("a", "1", "b", `use mod.tool; tool.call("text.echo", "" + workflow.outputs.a)`))
			data := mustData(t, `{}`)
			b.must(data.insert("a", []byte("1")))
			c, err := b.Checkpoint(p, 1, data, nil)
			b.must(err)
			forged, err := DecodeData([]byte(strings.Replace(string(data.Encode()), `"a":1`, `"a":2`, 1)))
			b.must(err)
			_, err = b.Approve(p, PerStep(StepPolicy{"b", []Grant{{"text.echo", 1}}}), ApproveOptions{Data: forged, Checkpoint: c})
			return err
		}, ErrDataflowContextMismatch},
		{"the approval of a call for other arguments", 0, func(t *testing.T, b *bench) error {
			d := steps("a", `use mod.tool; tool.start("text.sure", "pay 5"); tool.start("text.sure", "pay 500").await()`)
			b.suspend(d, nil, "a:text.sure:2")
			calls := b.PendingCalls()
			err := b.ApproveCall(calls[1].ID, calls[0].Digest)
			_, _ = b.Abandon()
			return err
		}, ErrCallDigestMismatch},
		{"the approval of a call in another step", 0, func(t *testing.T, b *bench) error {
			const pay = `use mod.tool; try tool.call("text.sure", "pay 5") catch "refused"`
			b.suspend(steps("a", pay, "b", pay), nil, "a:text.sure:1", "b:text.sure:1")
			first := b.PendingCalls()[0]
			b.must(b.RefuseCall(first.ID, "no"))
			_, _ = b.Continue(t.Context())
			err := b.ApproveCall(b.PendingCalls()[0].ID, first.Digest)
			_, _ = b.Abandon()
			return err
		}, ErrCallDigestMismatch},
		{"an approved call after the catalog changed", 0, func(t *testing.T, b *bench) error {
			b.suspend(steps("a", `use mod.tool; tool.call("text.sure", "x")`), nil, "a:text.sure:1")
			c := b.PendingCalls()[0]
			b.must(b.ApproveCall(c.ID, c.Digest))
			b.must(b.catalog.Remove("text.sure"))
			_, err := b.Continue(t.Context())
			var denied *DeniedError
			if errors.As(err, &denied) && denied.Code == DeniedCatalogChanged {
				return ErrCatalogChanged
			}
			return err
		}, ErrCatalogChanged},
		{"a claim after the catalog changed", 0, func(t *testing.T, b *bench) error {
			b.suspend(steps("a", `use mod.tool; tool.start("ext.ask", "x").await()`), nil, "a:ext.ask:1")
			b.must(b.catalog.Remove("text.other"))
			_, _, err := b.ClaimCall()
			return err
		}, ErrCatalogChanged},
		{"an answer to a call that nobody claimed", 0, func(t *testing.T, b *bench) error {
			b.suspend(steps("a", `use mod.tool; tool.start("ext.ask", "x").await()`), nil, "a:ext.ask:1")
			return b.CompleteCall(b.PendingCalls()[0].ID, "forged")
		}, ErrCallStateMismatch},
		{"a tool that starts a run of its own", 0, func(t *testing.T, b *bench) error {
			var inner error
			var p *Plan
			var a *Approval
			b.must(b.catalog.Add(Tool{Name: "text.nest", Run: func(ctx context.Context, _ Call) (string, error) {
				_, inner = b.Run(ctx, p, a, RunOptions{})
				return "", nil
			}}))
			p = b.plan(call)
			a = b.approve(p, granted(p, "a:text.echo:1"), ApproveOptions{})
			_, err := b.run(steps("q", `use mod.tool; tool.call("text.nest", "")`), nil, "q:text.nest:1")
			b.must(err)
			return inner
		}, ErrExecutionInProgress},
		{"an authorizer that says no", 0, func(t *testing.T, b *bench) error {
			strict := newBench(t, Options{Authorize: func(_ context.Context, c Call) error {
				if c.Tool == "text.echo" && c.Input == "x" && c.StepID == "a" {
					return errors.New("not today")
				}
				return nil
			}})
			_, err := strict.run(call, nil, "a:text.echo:1")
			if len(strict.made) != 0 || strict.used["text.echo"] != 0 {
				t.Error(strict.made, strict.used)
			}
			same(t, "audit", strict.entries(), []string{"text.echo denied"})
			return err
		}, nil},
		{"an authorizer that panics", 0, func(t *testing.T, b *bench) error {
			strict := newBench(t, Options{Authorize: func(context.Context, Call) error { panic("boom") }})
			_, err := strict.run(call, nil, "a:text.echo:1")
			same(t, "calls", strict.made, nil)
			return err
		}, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := newBench(t, Options{})
			if err := row.attack(t, b); !errors.Is(err, row.want) {
				t.Errorf("%v, want %v", err, row.want)
			}
			if len(b.made) != row.made {
				t.Errorf("these calls were made: %q", b.made)
			}
		})
	}
}

// TestAuthorityHasNoEncodedForm holds that nothing which grants can be stored or sent (WD-30, WD-51).
func TestAuthorityHasNoEncodedForm(t *testing.T) {
	b := newBench(t, Options{})
	p := b.plan(steps("a", "1"))
	l, err := b.Lease(Grant{"text.echo", 1})
	b.must(err)
	for name, v := range map[string]any{"approval": b.approve(p, granted(p, "a:text.echo:1"), ApproveOptions{}), "lease": l, "plan": p,
		"authority": granted(p, "a:text.echo:1"), "contract": mustContract(t, `{}`)} {
		if doc, err := json.Marshal(v); err != nil || string(doc) != "{}" {
			t.Errorf("%s: %s %v", name, doc, err)
		}
	}
}

// TestDenialsAreFoundInOrder holds the order of WD-41: of two reasons, the first is the one.
func TestDenialsAreFoundInOrder(t *testing.T) {
	allow := func(err error) func(context.Context, Call) error {
		return func(context.Context, Call) error { return err }
	}
	big := `{a: s}`
	for _, row := range []struct {
		name, call string
		grants     []string
		authorize  error
		want       DenialCode
	}{
		{"unknown first", `tool.call_json("nope", ` + big + `)`, nil, nil, DeniedUnknownTool},
		{"JSON to text before its size", `tool.call_json("text.echo", ` + big + `)`, nil, nil, DeniedNotJSON},
		{"JSON to an external text tool", `tool.call_json("ext.ask", {})`, nil, nil, DeniedNotJSON},
		{"synchronous before the size", `tool.call("ext.ask", s)`, nil, nil, DeniedSynchronous},
		{"the size before the form", `tool.call("json.echo", s)`, nil, nil, DeniedInputTooLarge},
		{"the form before the schema", `tool.call("json.echo", "x")`, nil, nil, DeniedInputNotJSON},
		{"the schema before the budgets", `tool.call_json("json.echo", [])`, nil, nil, DeniedInputContract},
		{"the tool's budget before the lease", `tool.call("text.gone", "x")`, nil, nil, DeniedPolicyBudget},
		{"the lease before the authorizer", `tool.call("text.echo", "x")`, nil, errors.New("no"), DeniedNotGranted},
		{"the authorizer before Prepare", `tool.call("text.prepared", "x")`, []string{"b:text.prepared:1"}, errors.New("no"), DeniedByAuthorizer},
		{"Prepare last", `tool.call("text.prepared", "x")`, []string{"b:text.prepared:1"}, nil, DeniedByPreparation},
	} {
		t.Run(row.name, func(t *testing.T) {
			run := func(context.Context, Call) (string, error) { return "", nil }
			b := newBench(t, Options{},
				Tool{Name: "text.gone", Run: run},
				Tool{Name: "text.prepared", Run: run, Prepare: func(context.Context, Call) (string, error) { return "", errors.New("no") }})
			d := steps("a", `use mod.tool; tool.call("text.gone", "")`, "b", "use mod.tool; "+double(15)+"; "+row.call)
			if row.authorize != nil {
				b.authorize = func(ctx context.Context, c Call) error {
					if c.StepID == "b" {
						return allow(row.authorize)(ctx, c)
					}
					return nil
				}
			}
			_, err := b.run(d, nil, append(row.grants, "a:text.gone:1")...)
			var denied *DeniedError
			var uncaught *splash.Error
			if !errors.As(err, &denied) || denied.Code != row.want || !errors.As(err, &uncaught) || uncaught.Kind != splash.NotAllowed {
				t.Errorf("%v: %+v, want %s", err, denied, row.want)
			}
			entries, _ := b.Audit()
			if last := entries[len(entries)-1]; last.Outcome != AuditDenied || last.InputBytes == 0 || last.Sequence != 1 {
				t.Errorf("%+v", last)
			}
		})
	}
}
