package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/draft"
	"github.com/fwgo/fwgo/draft/tools"
)

// Drafts are the rows about whole drafts.
const Drafts Group = "A draft of four steps with eight calls of a command"

// The rows of the group.
const (
	DecodeDraftRow = "fwgo: decode"
	ReviewDraftRow = "fwgo: decode and review"
	RunDraftRow    = "fwgo: plan, approve and run, each call under its step's lease"
	DirectCallsRow = "fwgo: the eight calls alone, made in a session"
)

const (
	draftSteps   = 4
	callsInAStep = 2
)

// draftText is a draft whose steps call the command of the other rows.
func draftText() []byte {
	type step struct {
		ID     string `json:"id"`
		Source string `json:"source"`
	}
	steps := make([]step, draftSteps)
	for i := range steps {
		// The payload as a record of the language: names without quotes.
		record := strings.NewReplacer(`"order_id":`, `order_id:`, `"note":`, `note:`, `"qty":`, `qty:`, `"price":`, `price:`, `"status":`, `status:`, `"tags":`, `tags:`).Replace(payload)
		steps[i] = step{"s" + strconv.Itoa(i), "use mod.tool\nlet done = 0\nfor i in " + strconv.Itoa(callsInAStep) + " {\n    tool.call_json(\"place_order\", " + record + ")\n    done += 1\n}\ndone"}
	}
	text, err := json.Marshal(struct {
		Version int    `json:"format_version"`
		Steps   []step `json:"steps"`
	}{1, steps})
	if err != nil {
		panic(err)
	}
	return text
}

// runDraft plans, approves and runs a draft on an engine of its own, as a host
// does.
func runDraft(d *draft.Draft, catalog *draft.Catalog) (*draft.Data, error) {
	engine, err := draft.NewEngine(catalog, draft.Options{})
	if err != nil {
		return nil, err
	}
	plan, err := engine.Plan(d)
	if err != nil {
		return nil, err
	}
	policies := make([]draft.StepPolicy, 0, draftSteps)
	for _, s := range plan.Steps() {
		policies = append(policies, draft.StepPolicy{StepID: s.ID, Grants: []draft.Grant{{Tool: "place_order", Calls: callsInAStep}}})
	}
	input, err := draft.NewData([]byte("null"))
	if err != nil {
		return nil, err
	}
	approval, err := engine.Approve(plan, draft.PerStep(policies...), draft.ApproveOptions{Data: input})
	if err != nil {
		return nil, err
	}
	if _, err := engine.Run(context.Background(), plan, approval, draft.RunOptions{}); err != nil {
		return nil, errors.Join(err, errors.Unwrap(err))
	}
	return engine.TakeSnapshot(), nil
}

// draftRows makes the rows.
func draftRows() []Row {
	text := draftText()
	w := command.MustNew(command.Options{Name: "bench"}, placeOrder())
	session := w.NewSession()
	catalog, err := tools.Catalog(w, tools.Options{Do: tools.In(session)})
	if err != nil {
		panic(err)
	}
	d, err := draft.Decode(text)
	if err != nil {
		panic(err)
	}
	row := func(name string, do func() error, prove func() error) Row {
		return Row{Group: Drafts, Name: name, Prove: prove, Call: func() {
			if err := do(); err != nil {
				panic(err)
			}
		}}
	}
	review := func() (*draft.Review, error) {
		d, err := draft.Decode(text)
		if err != nil {
			return nil, err
		}
		return d.Review(draft.ReviewOptions{})
	}
	action := command.Action{CommandName: "place_order", Parameters: json.RawMessage(payload)}
	return []Row{
		row(DecodeDraftRow, func() error { _, err := draft.Decode(text); return err }, func() error {
			if n := len(d.Steps()); n != draftSteps {
				return fmt.Errorf("%d steps", n)
			}
			return nil
		}),
		row(ReviewDraftRow, func() error { _, err := review(); return err }, func() error {
			r, err := review()
			if err == nil && (!r.Valid() || len(r.Steps[0].ToolCalls) != 1) {
				err = fmt.Errorf("the review is %s", r.Encode())
			}
			return err
		}),
		row(RunDraftRow, func() error { _, err := runDraft(d, catalog); return err }, func() error {
			data, err := runDraft(d, catalog)
			if err != nil {
				return err
			}
			for i := range draftSteps {
				if value, _ := data.Output("s" + strconv.Itoa(i)); string(value) != strconv.Itoa(callsInAStep) {
					return fmt.Errorf("step %d ends with %s", i, value)
				}
			}
			return nil
		}),
		row(DirectCallsRow, func() error {
			for range draftSteps * callsInAStep {
				if o := session.Do(context.Background(), action); !o.Ran() {
					return errors.New(o.Text())
				}
			}
			return nil
		}, func() error { return ran(session.Do(context.Background(), action)) }),
	}
}
