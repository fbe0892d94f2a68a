package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/draft"
	"github.com/fwgo/fwgo/draft/tools"
	"github.com/fwgo/fwgo/lookup"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

type parcel struct {
	To     string `json:"to" jsonschema_extras:"db_lookup=true"`
	Weight int    `json:"weight" jsonschema:"minimum=1"`
	Note   string `json:"note,omitempty" jsonschema_extras:"references=once"`
}

// depot is a small workflow that remembers what it did.
type depot struct {
	*command.Workflow
	session *command.Session
	cities  []string
	shipped []string
	records []tools.Record
	catalog *draft.Catalog
	engine  *draft.Engine
	after   func() // what happens while a parcel is shipped
}

func newDepot(t *testing.T, approve bool) *depot {
	t.Helper()
	d := &depot{cities: []string{"Oslo", "Lisbon", "Bergen"}}
	w, err := command.New(command.Options{Name: "depot", Logger: quiet},
		command.Define(command.Spec[parcel]{Name: "ship", ApproveCalls: approve,
			Resolvers: map[string]lookup.Resolver{"to": lookup.ResolverFunc(func(_ context.Context, value string) (lookup.Result, error) {
				return lookup.Match(value, d.cities, lookup.Options{}), nil
			})},
			Run: func(_ context.Context, _ *command.Session, in *parcel) (command.Response, error) {
				if in.Weight > 100 {
					return command.Fail("too heavy: at most 100 are taken"), nil
				}
				if d.after != nil {
					d.after()
				}
				d.shipped = append(d.shipped, fmt.Sprintf("%s %d %s", in.To, in.Weight, in.Note))
				r := command.Say("shipped to " + in.To)
				r.Artifacts = map[string]any{"to": in.To, "number": len(d.shipped)}
				return r, nil
			}}),
		command.Define(command.Spec[struct{}]{Name: "Van/return", Run: func(context.Context, *command.Session, *struct{}) (command.Response, error) {
			return command.Say("back"), nil
		}}),
		command.Define(command.Spec[struct{}]{Name: "break", Run: func(context.Context, *command.Session, *struct{}) (command.Response, error) {
			panic("broken")
		}}))
	if err != nil {
		t.Fatal(err)
	}
	d.Workflow, d.session = w, w.NewSession()
	d.catalog, err = tools.Catalog(w, tools.Options{Do: tools.In(d.session), Record: func(r tools.Record) { d.records = append(d.records, r) }})
	if err != nil {
		t.Fatal(err)
	}
	if d.engine, err = draft.NewEngine(d.catalog, draft.Options{}); err != nil {
		t.Fatal(err)
	}
	return d
}

// run runs one step with a grant of calls of ship and break.
func (d *depot) run(t *testing.T, source string, calls int) (*draft.Result, error) {
	t.Helper()
	proposal, err := draft.NewDraft(draft.Step{ID: "s", Source: source})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := d.engine.Plan(proposal)
	if err != nil {
		t.Fatal(err)
	}
	var grants []draft.Grant
	if calls > 0 {
		grants = []draft.Grant{{Tool: "ship", Calls: calls}, {Tool: "break", Calls: calls}}
	}
	data, err := draft.NewData([]byte("null"))
	if err != nil {
		t.Fatal(err)
	}
	approval, err := d.engine.Approve(plan, draft.PerStep(draft.StepPolicy{StepID: "s", Grants: grants}), draft.ApproveOptions{Data: data})
	if err != nil {
		t.Fatal(err)
	}
	return d.engine.Run(t.Context(), plan, approval, draft.RunOptions{})
}

// output is the value of the step.
func output(t *testing.T, d *depot) string {
	t.Helper()
	text, ok := d.engine.Snapshot().Output("s")
	if !ok {
		t.Fatal("the step has no output")
	}
	return string(text)
}

func TestACallOfAStepIsRepairedAndResolvedLikeAnyOther(t *testing.T) {
	for name, source := range map[string]string{
		"by the name of the tool": "use mod.tool\n" + `tool.call_json("ship", {to: "oslo", weight: "7", note: "a &amp;amp; b"}).parse_json().artifacts.to`,
		"by the module":           "use mod.depot\n" + `depot.ship({to: "oslo", weight: "7", note: "a &amp;amp; b"}).artifacts.to`,
	} {
		t.Run(name, func(t *testing.T) {
			d := newDepot(t, false)
			if _, err := d.run(t, source, 1); err != nil {
				t.Fatal(err, errors.Unwrap(err))
			}
			if got := output(t, d); got != `"Oslo"` {
				t.Errorf("the step's value is %s", got)
			}
			// What was decoded once stays so: the call is read once, though it is
			// checked before it runs.
			if len(d.shipped) != 1 || d.shipped[0] != "Oslo 7 a &amp; b" {
				t.Errorf("shipped: %q", d.shipped)
			}
			if len(d.records) != 1 || d.records[0].Resolved[0].Field != "to" || string(d.records[0].Arguments) != `{"to":"Oslo","weight":7,"note":"a &amp; b"}` {
				t.Errorf("records: %+v", d.records)
			}
		})
	}
}

func TestWhatThePipelineSaysCanBeCaughtAndUsesNothingUp(t *testing.T) {
	d := newDepot(t, false)
	source := `use mod.tool
let said = try tool.call_json("ship", {to: "Osaka", weight: 0}) catch {
  let e = tool.last_error()
  e.message + "|" + e.data.problems[0].field
}
tool.call_json("ship", {to: "Bergen", weight: 1})
said`
	if _, err := d.run(t, source, 1); err != nil {
		t.Fatal(err, errors.Unwrap(err))
	}
	if got := output(t, d); !strings.Contains(got, "PARAMETER EXTRACTION ERROR FOR COMMAND 'ship'") || !strings.HasSuffix(got, `|weight"`) {
		t.Errorf("caught: %s", got)
	}
	if len(d.shipped) != 1 {
		t.Errorf("shipped: %q", d.shipped)
	}
	if len(d.records) != 2 || d.records[0].Stage != "coerce" || d.records[0].Ran || !d.records[1].Ran {
		t.Errorf("records: %+v", d.records)
	}
}

func TestBadNewsOfACommandIsAnErrorOfTheStep(t *testing.T) {
	d := newDepot(t, false)
	_, err := d.run(t, "use mod.tool\n"+`tool.call_json("ship", {to: "Oslo", weight: 101})`, 1)
	var failed *draft.StepError
	if !errors.As(err, &failed) || !strings.Contains(errors.Unwrap(failed).Error(), "too heavy") {
		t.Errorf("%v: %v", err, errors.Unwrap(err))
	}
	if _, err := d.run(t, "use mod.tool\n"+`tool.call_json("break", {})`, 1); err == nil || strings.Contains(fmt.Sprint(err, errors.Unwrap(err)), "broken") {
		t.Errorf("a command that breaks: %v, %v", err, errors.Unwrap(err))
	}
}

func TestNothingRunsWithoutAGrant(t *testing.T) {
	d := newDepot(t, false)
	for _, source := range []string{"use mod.tool\ntool.call_json(\"ship\", {to: \"Oslo\", weight: 1})", "use mod.depot\ndepot.ship({to: \"Oslo\", weight: 1})",
		"use mod.tool\ntool.start_json(\"ship\", {to: \"Oslo\", weight: 1}).await()"} {
		result, err := d.run(t, source, 0)
		if err == nil || len(d.shipped) > 0 || len(result.Audit) != 1 || result.Audit[0].Outcome != draft.AuditDenied {
			t.Errorf("%s: %v, shipped %v, audit %+v", source, err, d.shipped, result.Audit)
		}
	}
	if len(d.records) > 0 {
		t.Errorf("a call without a grant reached the pipeline: %+v", d.records)
	}
}

func TestACallThatNeedsApprovalWaitsForItsExactArguments(t *testing.T) {
	d := newDepot(t, true)
	result, err := d.run(t, "use mod.tool\n"+`tool.call_json("ship", {to: "oslo", weight: "7"})`, 1)
	var waits *draft.StepError
	if !errors.As(err, &waits) || waits.Cause != draft.CauseWaiting || result.Status != draft.RunSuspended || len(d.shipped) > 0 {
		t.Fatalf("%v %+v shipped %v", err, result, d.shipped)
	}
	pending := d.engine.PendingCalls()
	if len(pending) != 1 || pending[0].Arguments != `{"to":"Oslo","weight":7}` {
		t.Fatalf("pending: %+v", pending)
	}
	if err := d.engine.ApproveCall(pending[0].ID, strings.Repeat("0", 64)); !errors.Is(err, draft.ErrCallDigestMismatch) {
		t.Errorf("another digest: %v", err)
	}
	if err := d.engine.ApproveCall(pending[0].ID, pending[0].Digest); err != nil {
		t.Fatal(err)
	}
	// What "oslo" means changes between the approval and the run.
	d.cities = []string{"Osla", "Oslobodenje", "Oslo "}
	result, _ = d.engine.Continue(t.Context())
	if len(d.shipped) > 0 {
		t.Fatalf("it ran with arguments that nobody approved: %v", d.shipped)
	}
	d.cities = []string{"OSLO"}
	if result.Status == draft.RunSuspended {
		if result, err = d.engine.Continue(t.Context()); result.Status != draft.RunSuspended || len(d.shipped) > 0 {
			t.Errorf("changed arguments need a new approval: %v %+v, shipped %v", err, result, d.shipped)
		}
	}
}

// TestACallRunsAsItWasPreparedOrNotAtAll holds that a deferred call, which is checked when it is asked for and runs later,
// does not run when it has come to mean something else.
func TestACallRunsAsItWasPreparedOrNotAtAll(t *testing.T) {
	const source = "use mod.tool\n" + `let first = tool.start_json("ship", {to: "bergen", weight: 1})
let second = tool.start_json("ship", {to: "oslo", weight: 2})
first.await()
try { second.await(); "ran"; } catch tool.last_error().message`
	for changes, want := range map[bool]string{false: `"ran"`, true: `"The call no longer means`} {
		d := newDepot(t, false)
		d.after = func() {
			if changes {
				d.cities = []string{"OSLO"}
			}
		}
		if _, err := d.run(t, source, 2); err != nil {
			t.Fatal(err, errors.Unwrap(err))
		}
		shipped := []string{"Bergen 1 ", "Oslo 2 "}
		if changes {
			shipped = shipped[:1]
		}
		if got := output(t, d); !strings.HasPrefix(got, want) || !slices.Equal(d.shipped, shipped) {
			t.Errorf("changes %v: %s, shipped %q", changes, got, d.shipped)
		}
	}
}

func TestAnApprovedCallRunsOnce(t *testing.T) {
	d := newDepot(t, true)
	_, _ = d.run(t, "use mod.tool\n"+`tool.call_json("ship", {to: "oslo", weight: "7"})`+"\n"+`"done"`, 1)
	pending := d.engine.PendingCalls()
	if err := d.engine.ApproveCall(pending[0].ID, pending[0].Digest); err != nil {
		t.Fatal(err)
	}
	if result, err := d.engine.Continue(t.Context()); err != nil || result.Status != draft.RunCompleted || len(d.shipped) != 1 {
		t.Errorf("%v %+v shipped %v", err, result, d.shipped)
	}
}

func TestCommandsAreToolsWithTheirSchemasAndModules(t *testing.T) {
	d := newDepot(t, false)
	var list []struct {
		Name   string          `json:"name"`
		Format string          `json:"format"`
		Schema json.RawMessage `json:"input_schema"`
	}
	if err := json.Unmarshal(d.catalog.ToolsJSON(), &list); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list {
		names = append(names, tool.Name)
		if tool.Format != "json" || !strings.Contains(string(tool.Schema), `"properties"`) {
			t.Errorf("%s: %s %s", tool.Name, tool.Format, tool.Schema)
		}
	}
	if got := strings.Join(names, " "); got != "break ship van.return" {
		t.Errorf("tools: %s", got)
	}
	// break and return are words of the language, so no module has them.
	if got := string(d.catalog.ModulesJSON()); !strings.Contains(got, `"ship"`) || strings.Contains(got, `"return"`) || strings.Contains(got, `"break"`) {
		t.Errorf("modules: %s", got)
	}
}

func TestThereMustBeAPipeline(t *testing.T) {
	if _, err := tools.Catalog(newDepot(t, false).Workflow, tools.Options{}); err == nil {
		t.Error("a catalog without Do is made")
	}
}

// TestAMethodOfTwoCommandsIsLeftOut holds that a name which could mean either of two commands means neither, and takes no
// other method with it: the global commands of a workflow share a module with a context of the workflow's name.
func TestAMethodOfTwoCommandsIsLeftOut(t *testing.T) {
	body := func(context.Context, *command.Session, *struct{}) (command.Response, error) {
		return command.Say("done"), nil
	}
	w, err := command.New(command.Options{Name: "van", Logger: quiet},
		command.Define(command.Spec[struct{}]{Name: "load", Run: body}),
		command.Define(command.Spec[struct{}]{Name: "wash", Run: body}),
		command.Define(command.Spec[struct{}]{Name: "Van/load", Run: body}),
		command.Define(command.Spec[struct{}]{Name: "Van/park", Run: body}))
	if err != nil {
		t.Fatal(err)
	}
	catalog, err := tools.Catalog(w, tools.Options{Do: tools.In(w.NewSession())})
	if err != nil {
		t.Fatal(err)
	}
	var methods []string
	for _, m := range catalog.Modules() {
		for _, method := range m.Methods {
			methods = append(methods, m.Name+"."+method.Name+" "+method.Tool)
		}
	}
	if got := strings.Join(methods, ", "); got != "van.park van.park, van.wash wash" {
		t.Error(got)
	}
	if !catalog.Has("load") || !catalog.Has("van.load") {
		t.Error("a tool is missing")
	}
}
