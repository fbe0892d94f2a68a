package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/fwgo/fwgo/draft"
	"github.com/fwgo/fwgo/draft/tools"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/splash"
	"github.com/fwgo/fwgo/validate"
)

type draftRunCmd struct {
	demoTools
	Grant      []string `sep:"none" help:"Let a step call a tool so many times: STEP:TOOL:N. May be given often." placeholder:"GRANT"`
	Input      []string `sep:"none" help:"A JSON document that the steps find as workflow.input; with it, each step's value is kept for the later ones." placeholder:"FILE"`
	Contract   string   `help:"What the input and the steps' values must look like: {\"input\": SCHEMA, \"outputs\": [{\"id\": STEP, \"schema\": SCHEMA}]}." placeholder:"FILE"`
	Checkpoint string   `help:"Keep in this file, after each step, what --resume needs." placeholder:"FILE"`
	Resume     string   `help:"Go on after the last step that this file knows to be done." placeholder:"FILE"`
	Approve    []string `sep:"none" help:"Approve a single call that needs it, by the digest that the run was suspended with. For as many calls as are the same, give it as often." placeholder:"DIGEST"`
	File       string   `arg:"" name:"file" help:"The draft, as JSON."`
}

// grant is what one --grant says (WD-24).
type grant struct {
	step, tool string
	calls      int
}

// The bounds of a command line.
const (
	mostGrants    = 4096
	longestResume = draft.MaxCheckpointBytes + draft.MaxDataBytes + 1024
)

func parseGrants(texts []string) ([]grant, error) {
	if len(texts) > mostGrants {
		return nil, fmt.Errorf("there are %s grants; at most %s are taken", quote.Count(len(texts)), quote.Count(mostGrants))
	}
	grants := make([]grant, len(texts))
	for i, text := range texts {
		parts := strings.Split(text, ":")
		if len(parts) != 3 {
			return nil, fmt.Errorf("--grant %s: a grant is STEP:TOOL:N", quote.Text(text, 60))
		}
		for _, id := range parts[:2] {
			if !isID(id) {
				return nil, fmt.Errorf("--grant %s: a step and a tool are 1 to 128 of the characters a-z 0-9 . _ -", quote.Text(text, 60))
			}
		}
		n, err := strconv.ParseUint(strings.TrimPrefix(parts[2], "+"), 10, 31)
		if err != nil || n == 0 {
			return nil, fmt.Errorf("--grant %s: N is a whole number of at least 1", quote.Text(text, 60))
		}
		grants[i] = grant{parts[0], parts[1], int(n)}
	}
	return grants, nil
}

func isID(s string) bool {
	return s != "" && len(s) <= draft.MaxStepID && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789._-") == ""
}

// rejected is what is printed of a draft that does not run (WD-23).
type rejected struct {
	Review *draft.Review `json:"review"`
	Status string        `json:"status"`
}

var errNotRun = errors.New("the draft is rejected")

// Run takes a draft from its file to its result, in the order of WD-23.
func (c *draftRunCmd) Run(s *streams) error {
	grants, err := parseGrants(c.Grant)
	if err != nil {
		return err
	}
	if len(c.Input) > 1 {
		return errors.New("--input can be given once")
	}
	if c.Contract != "" && len(c.Input) == 0 && c.Resume == "" {
		return errors.New("--contract needs --input FILE: without it no value is kept")
	}
	text, err := readDraft(s, c.File)
	if err != nil {
		return err
	}
	var o draft.ApproveOptions
	if err := c.readData(s, &o); err != nil {
		return err
	}
	proposal, review, err := reviewed(text, draft.ReviewOptions{})
	if err != nil {
		return err
	}
	if !review.Valid() {
		line, err := jsontree.Marshal(rejected{review, "rejected"})
		if err != nil {
			return err
		}
		fmt.Fprintf(s.out, "%s\n", line)
		return errNotRun
	}
	var records []tools.Record
	catalog, err := c.catalog(s, func(r tools.Record) { records = append(records, r) })
	if err != nil {
		return err
	}
	engine, err := draft.NewEngine(catalog, draft.Options{})
	if err != nil {
		return err
	}
	plan, err := engine.Plan(proposal)
	if err != nil {
		return err
	}
	policies, err := policiesOf(plan, o.Checkpoint, catalog, grants)
	if err != nil {
		return err
	}
	approval, err := engine.Approve(plan, draft.PerStep(policies...), o)
	if err != nil {
		return err
	}
	result, err := c.execute(s, engine, plan, approval, o.Checkpoint)
	if result == nil {
		return err
	}
	if printed := c.print(s, engine, result, records); printed != nil {
		return printed
	}
	if result.Status == draft.RunSuspended {
		for _, call := range engine.PendingCalls() {
			if call.State == draft.CallAwaitsApproval {
				return fmt.Errorf("%w: with these arguments of %s it goes on with --approve %s", told(err), call.Tool, call.Digest)
			}
		}
	}
	return told(err)
}

// told adds to the error of a run what its own text leaves out: what the
// operator, who has the sources, wants to know.
func told(err error) error {
	var stopped *draft.StepError
	if !errors.As(err, &stopped) || stopped.Err == nil {
		return err
	}
	var failure *splash.Error
	if errors.As(stopped.Err, &failure) {
		return fmt.Errorf("%w, line %d, column %d: %s: %s", err, failure.Line, failure.Column, failure.Kind, failure.Message)
	}
	return fmt.Errorf("%w: %w", err, stopped.Err)
}

// readData reads what the run is about: the input, or what an earlier run
// left, and the contract.
func (c *draftRunCmd) readData(s *streams, o *draft.ApproveOptions) error {
	if len(c.Input) > 0 {
		text, err := readBounded(s, c.Input[0], draft.MaxDataBytes)
		if err != nil {
			return err
		}
		if o.Data, err = draft.NewData([]byte(text)); err != nil {
			return fmt.Errorf("%s: %w", shownName(c.Input[0]), err)
		}
	}
	if c.Resume != "" {
		if o.Data != nil {
			return errors.New("--resume has the input of the run that it goes on with; leave --input out")
		}
		if err := c.readResume(s, o); err != nil {
			return err
		}
	}
	if c.Contract == "" {
		return nil
	}
	text, err := readBounded(s, c.Contract, 2*draft.MaxContractBytes)
	if err != nil {
		return err
	}
	if o.Contract, err = readContract(text); err != nil {
		return fmt.Errorf("%s: %w", shownName(c.Contract), err)
	}
	return nil
}

// saved is the file of --checkpoint and --resume.
type saved struct {
	Checkpoint json.RawMessage `json:"checkpoint"`
	Data       json.RawMessage `json:"data"`
}

func (c *draftRunCmd) readResume(s *streams, o *draft.ApproveOptions) error {
	text, err := readBounded(s, c.Resume, longestResume)
	if err != nil {
		return err
	}
	wrong := func(err error) error { return fmt.Errorf("%s: %w", shownName(c.Resume), err) }
	doc, fault := jsontree.Parse(text, jsontree.Limits{}, nil)
	if fault != nil {
		return wrong(fault)
	}
	checkpoint, data := doc.Root.Get("checkpoint"), doc.Root.Get("data")
	if checkpoint == nil || data == nil || len(doc.Root.Members) != 2 {
		return wrong(errors.New("it is no file of --checkpoint"))
	}
	if o.Checkpoint, err = draft.DecodeCheckpoint([]byte(checkpoint.JSON())); err != nil {
		return wrong(err)
	}
	if data.Kind == jsontree.Null {
		return nil
	}
	if o.Data, err = draft.DecodeData([]byte(data.JSON())); err != nil {
		return wrong(err)
	}
	return nil
}

func readContract(text string) (*draft.Contract, error) {
	doc, fault := jsontree.Parse(text, jsontree.Limits{}, nil)
	if fault != nil {
		return nil, fault
	}
	shape := errors.New(`a contract is {"input": SCHEMA, "outputs": [{"id": STEP, "schema": SCHEMA}, ...]}`)
	input, list := doc.Root.Get("input"), doc.Root.Get("outputs")
	if input == nil || list == nil || list.Kind != jsontree.List || len(doc.Root.Members) != 2 {
		return nil, shape
	}
	var outputs []draft.OutputSchema
	for i := range list.Items {
		id, schema := list.Items[i].Get("id"), list.Items[i].Get("schema")
		if id == nil || id.Kind != jsontree.String || schema == nil || len(list.Items[i].Members) != 2 {
			return nil, shape
		}
		outputs = append(outputs, draft.OutputSchema{StepID: id.Text, Schema: json.RawMessage(schema.JSON())})
	}
	return draft.NewContract(json.RawMessage(input.JSON()), outputs...)
}

// policiesOf sorts the grants to the steps that are still to run.
func policiesOf(p *draft.Plan, done *draft.Checkpoint, catalog *draft.Catalog, grants []grant) ([]draft.StepPolicy, error) {
	steps := p.Steps()
	if done != nil {
		steps = steps[min(len(done.CompletedStepIDs()), len(steps)):]
	}
	policies := make([]draft.StepPolicy, len(steps))
	for i, step := range steps {
		policies[i].StepID = step.ID
	}
	for _, g := range grants {
		at := slices.IndexFunc(policies, func(p draft.StepPolicy) bool { return p.StepID == g.step })
		if at < 0 {
			ids := make([]string, len(steps))
			for i := range steps {
				ids[i] = steps[i].ID
			}
			if len(ids) == 0 {
				ids = []string{"all done"}
			}
			return nil, fmt.Errorf("--grant %s:%s:%d: there is no step %s to run; the steps are %s", g.step, g.tool, g.calls, g.step, validate.Names(ids))
		}
		if !catalog.Has(g.tool) {
			return nil, fmt.Errorf("--grant %s:%s:%d: there is no tool %s here; commands lists them, with a dot for the / of a name", g.step, g.tool, g.calls, g.tool)
		}
		policies[at].Grants = append(policies[at].Grants, draft.Grant{Tool: g.tool, Calls: g.calls})
	}
	return policies, nil
}

// execute runs the plan, and goes on for as long as the calls it waits for are
// among those that --approve names.
func (c *draftRunCmd) execute(s *streams, e *draft.Engine, p *draft.Plan, a *draft.Approval, done *draft.Checkpoint) (*draft.Result, error) {
	var o draft.RunOptions
	if c.Checkpoint != "" {
		// Before any call is made: what cannot be kept cannot be gone on from.
		if err := canReplace(c.Checkpoint); err != nil {
			return nil, fmt.Errorf("--checkpoint %s: %w", shownName(c.Checkpoint), err)
		}
		o.OnStep = c.keep
	}
	var result *draft.Result
	var err error
	if done != nil {
		result, err = e.Resume(s.ctx, p, a, done, o)
	} else {
		result, err = e.Run(s.ctx, p, a, o)
	}
	for result != nil && result.Status == draft.RunSuspended && c.approve(e) {
		result, err = e.Continue(s.ctx)
	}
	return result, err
}

// approve approves what --approve names, one call for each time that it is
// named, and reports whether there was any.
func (c *draftRunCmd) approve(e *draft.Engine) bool {
	approved := false
	for _, call := range e.PendingCalls() {
		at := slices.Index(c.Approve, call.Digest)
		if call.State != draft.CallAwaitsApproval || at < 0 || e.ApproveCall(call.ID, call.Digest) != nil {
			continue
		}
		c.Approve = slices.Delete(c.Approve, at, at+1)
		approved = true
	}
	return approved
}

// keep writes where the run stands. The file is always whole: it is written
// beside, synced, and put in place.
func (c *draftRunCmd) keep(done draft.StepDone) error {
	checkpoint, err := done.Checkpoint.Encode()
	if err != nil {
		return err
	}
	state := saved{Checkpoint: checkpoint, Data: json.RawMessage("null")}
	if done.Data != nil {
		state.Data = done.Data.Encode()
	}
	text, err := jsontree.Marshal(state)
	if err != nil {
		return err
	}
	return replaceFile(c.Checkpoint, append(text, '\n'))
}

// canReplace reports why replaceFile would fail, as far as can be told before.
func canReplace(name string) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return errors.New("it is no file")
	}
	file, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

func replaceFile(name string, text []byte) (err error) {
	file, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name())
		}
	}()
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}

// waitingCall is a call that the run was suspended for.
type waitingCall struct {
	Arguments json.RawMessage `json:"arguments"`
	Digest    string          `json:"digest"`
	ID        int             `json:"id"`
	State     draft.CallState `json:"state"`
	Step      string          `json:"step"`
	Tool      string          `json:"tool"`
}

// print prints the result of WD-25. Of a run over the workflow's commands it
// also shows what each call came to mean, and what the run waits for.
func (c *draftRunCmd) print(s *streams, e *draft.Engine, result *draft.Result, records []tools.Record) error {
	text := result.Encode()
	if !c.AllowEcho && !c.AllowJSONAdd {
		more := map[string]any{"calls": append([]tools.Record{}, records...)}
		if result.Status == draft.RunSuspended {
			waiting := []waitingCall{}
			for _, call := range e.PendingCalls() {
				waiting = append(waiting, waitingCall{json.RawMessage(call.Arguments), call.Digest, call.ID, call.State, call.StepID, call.Tool})
			}
			more["pending"] = waiting
		}
		var err error
		if text, err = withMembers(text, more); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(s.out, "%s\n", text)
	return err
}

// withMembers adds members to an object whose members are sorted.
func withMembers(text []byte, more map[string]any) ([]byte, error) {
	doc, fault := jsontree.Parse(string(text), jsontree.Limits{}, nil)
	if fault != nil {
		return nil, fault
	}
	members := map[string]string{}
	for i := range doc.Root.Members {
		members[doc.Root.Members[i].Name] = doc.Root.Members[i].Value.JSON()
	}
	for name, value := range more {
		part, err := jsontree.Marshal(value)
		if err != nil {
			return nil, err
		}
		members[name] = string(part)
	}
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	out := []byte{'{'}
	for i, name := range names {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(jsontree.AppendString(out, name), ':'), members[name]...)
	}
	return append(out, '}'), nil
}
