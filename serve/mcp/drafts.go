package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/draft"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/drafts"
)

// draftTools are what can be done with drafts, as commands of a workflow of
// their own: their arguments go through the same pipeline as any others.
type draftTools struct {
	desk       *drafts.Desk
	dispatcher *serve.Dispatcher
	tools      []*sdk.Tool // in the order they are listed
}

// operatorOnly are the tools for callers who may approve.
var operatorOnly = map[string]bool{"draft_approve": true, "draft_answer_call": true}

// The parameters of the tools for drafts. Sources and values are not for the
// pipeline to repair: what is reviewed is what was sent.
type (
	draftProposeIn struct {
		Draft json.RawMessage `json:"draft" jsonschema_description:"The draft: an object with format_version 1 and steps, or the text of one" jsonschema_extras:"references=raw"`
		Input json.RawMessage `json:"input,omitempty" jsonschema_description:"What the steps find as workflow.input; null if it is not given" jsonschema_extras:"references=raw"`
	}
	draftIn struct {
		ID string `json:"id" jsonschema_description:"The id of the draft"`
	}
	draftGetIn struct {
		ID     string `json:"id" jsonschema_description:"The id of the draft"`
		Review bool   `json:"review,omitempty" jsonschema:"default=false" jsonschema_description:"Show the source, the input and the review as well"`
	}
	draftListIn struct {
		All   bool   `json:"all,omitempty" jsonschema:"default=false" jsonschema_description:"Those of every session; for operators"`
		After string `json:"after,omitempty" jsonschema_description:"Where there are more: the next of the list before"`
	}
	draftRunIn struct {
		ID   string `json:"id" jsonschema_description:"The id of the draft"`
		Wait int64  `json:"wait_seconds,omitempty" jsonschema:"minimum=0,maximum=30,default=10" jsonschema_description:"How long to wait until it is over or needs an answer"`
	}
	draftEventsIn struct {
		ID    string `json:"id" jsonschema_description:"The id of the draft"`
		Since int64  `json:"since,omitempty" jsonschema:"minimum=0,maximum=2147483647,default=0" jsonschema_description:"The number of the first event wanted, 0 for all that are kept"`
		Wait  int64  `json:"wait_seconds,omitempty" jsonschema:"minimum=0,maximum=30,default=0" jsonschema_description:"How long to wait for an event where there is none yet"`
	}
	draftApproveIn struct {
		ID     string         `json:"id" jsonschema_description:"The id of the draft"`
		Plan   string         `json:"plan_fingerprint" jsonschema_description:"The fingerprint of the plan that was reviewed"`
		Grants []draftGrantIn `json:"grants,omitempty" jsonschema_description:"What the steps may call. A step without grants may call nothing"`
		Resume bool           `json:"resume,omitempty" jsonschema:"default=false" jsonschema_description:"Approve the steps that are not done of a draft that failed or was interrupted"`
	}
	draftGrantIn struct {
		Step  string `json:"step" jsonschema_description:"The id of a step"`
		Tool  string `json:"tool" jsonschema_description:"The name of a tool, as draft_schema lists them"`
		Calls int64  `json:"calls,omitempty" jsonschema:"minimum=1,maximum=1000000,default=1" jsonschema_description:"How often the step may call it"`
	}
	draftAnswerIn struct {
		ID      string `json:"id" jsonschema_description:"The id of the draft"`
		Call    int64  `json:"call" jsonschema:"minimum=0,maximum=2147483647" jsonschema_description:"The number of the call among the pending calls of the draft"`
		Digest  string `json:"digest,omitempty" jsonschema_description:"The digest of the arguments that were read; needed to approve"`
		Approve bool   `json:"approve" jsonschema_description:"Whether the call may run, once and with exactly these arguments"`
		Reason  string `json:"reason,omitempty" jsonschema_description:"Why not, for the program"`
		Wait    int64  `json:"wait_seconds,omitempty" jsonschema:"minimum=0,maximum=30,default=10" jsonschema_description:"How long to wait until the run is over or needs an answer"`
	}
)

// newDraftTools makes the tools of a desk. The error names a command of the
// workflow that has the name of one.
func newDraftTools(d *serve.Dispatcher, o Options) (*draftTools, error) {
	t := &draftTools{desk: o.Drafts}
	w, err := command.New(command.Options{Name: d.Workflow().Name(), Logger: d.Logger()}, t.commands()...)
	if err != nil {
		return nil, fmt.Errorf("mcp: drafts: %w", err)
	}
	for _, c := range w.Commands() {
		if d.Workflow().Command(c.Name()) != nil {
			return nil, fmt.Errorf("mcp: the workflow has a command %s, which is the name of a tool for drafts", c.Name())
		}
		tool, err := toolOf(c, o.Profile)
		if err != nil {
			return nil, fmt.Errorf("mcp: drafts: %s: %w", c.Name(), err)
		}
		t.tools = append(t.tools, tool)
	}
	t.dispatcher = serve.New(w, serve.Options{Logger: d.Logger(), MaxBytes: max(d.MaxBytes(), 2*draft.MaxWireBytes+2*draft.MaxDataBytes)})
	return t, nil
}

func (t *draftTools) commands() []*command.Command {
	return []*command.Command{
		command.Define(command.Spec[struct{}]{Name: "draft_schema", Description: draftSchemaText, ReadOnly: true,
			Run: func(context.Context, *command.Session, *struct{}) (command.Response, error) {
				return shows(draftGuideText, map[string]any{"schema": json.RawMessage(drafts.Schema()), "tools": t.desk.Tools()})
			}}),
		command.Define(command.Spec[draftProposeIn]{Name: "draft_propose", Description: draftProposeText,
			Run: func(ctx context.Context, _ *command.Session, in *draftProposeIn) (command.Response, error) {
				proposal, err := t.desk.Propose(ctx, callerOf(ctx), in.Draft, in.Input)
				if err != nil {
					return unable(err)
				}
				text := "Draft " + proposal.ID + " is kept. " + proposal.Message
				if !callerOf(ctx).Operator {
					text += " " + draftWhereText
				}
				return shows(text, map[string]any{"draft": proposal})
			}}),
		command.Define(command.Spec[draftGetIn]{Name: "draft_get", Description: "Shows where a draft stands: status, grants, calls that wait, result.", ReadOnly: true,
			Run: func(ctx context.Context, _ *command.Session, in *draftGetIn) (command.Response, error) {
				if in.Review {
					proposal, err := t.desk.Review(ctx, callerOf(ctx), in.ID)
					if err != nil {
						return unable(err)
					}
					return shows(standing(&proposal.View), map[string]any{"draft": proposal})
				}
				return viewed(t.desk.Get(ctx, callerOf(ctx), in.ID))
			}}),
		command.Define(command.Spec[draftListIn]{Name: "draft_list", Description: "Lists the session's drafts, newest first.", ReadOnly: true,
			Run: func(ctx context.Context, _ *command.Session, in *draftListIn) (command.Response, error) {
				page, err := t.desk.List(ctx, callerOf(ctx), in.All, in.After)
				if err != nil {
					return unable(err)
				}
				more := map[string]any{"drafts": page.Drafts}
				if page.Next != "" {
					more["next"] = page.Next
				}
				return shows(fmt.Sprintf("Drafts: %d.", len(page.Drafts)), more)
			}}),
		command.Define(command.Spec[draftRunIn]{Name: "draft_execute", Description: "Runs a draft that is approved.", Destructive: true,
			Run: func(ctx context.Context, _ *command.Session, in *draftRunIn) (command.Response, error) {
				return viewed(t.desk.Execute(ctx, callerOf(ctx), in.ID, seconds(in.Wait)))
			}}),
		command.Define(command.Spec[draftEventsIn]{Name: "draft_events", Description: "Shows what happened to a draft from an event on; next is the since to go on with.", ReadOnly: true,
			Run: func(ctx context.Context, _ *command.Session, in *draftEventsIn) (command.Response, error) {
				events, err := t.desk.Events(ctx, callerOf(ctx), in.ID, int(in.Since), seconds(in.Wait))
				if err != nil {
					return unable(err)
				}
				text := fmt.Sprintf("The draft is %s; %d events.", events.Status, len(events.Events))
				return shows(text, map[string]any{"events": events.Events, "next": events.Next, "status": events.Status, "over": events.Over})
			}}),
		command.Define(command.Spec[draftIn]{Name: "draft_checkpoint", Description: "Shows which steps of a draft are done, with the data after them.", ReadOnly: true,
			Run: func(ctx context.Context, _ *command.Session, in *draftIn) (command.Response, error) {
				c, err := t.desk.Checkpoint(ctx, callerOf(ctx), in.ID)
				if err != nil {
					return unable(err)
				}
				return shows("The draft is "+string(c.Status)+".", map[string]any{"checkpoint": c.Checkpoint, "data": c.Data})
			}}),
		command.Define(command.Spec[draftRunIn]{Name: "draft_resume", Description: "Runs the approved rest of a draft that failed or was interrupted.", Destructive: true,
			Run: func(ctx context.Context, _ *command.Session, in *draftRunIn) (command.Response, error) {
				return viewed(t.desk.Resume(ctx, callerOf(ctx), in.ID, seconds(in.Wait)))
			}}),
		command.Define(command.Spec[draftIn]{Name: "draft_abandon", Description: "Gives a draft up. What was done stays done.", Idempotent: true,
			Run: func(ctx context.Context, _ *command.Session, in *draftIn) (command.Response, error) {
				return viewed(t.desk.Abandon(ctx, callerOf(ctx), in.ID))
			}}),
		command.Define(command.Spec[draftApproveIn]{Name: "draft_approve", Description: "Lets a draft run once, with what each step may call. Get it with its review first.", Destructive: true,
			Run: func(ctx context.Context, _ *command.Session, in *draftApproveIn) (command.Response, error) {
				a := drafts.Approval{Plan: in.Plan, Resume: in.Resume}
				for _, g := range in.Grants {
					a.Grants = append(a.Grants, drafts.Grant{Step: g.Step, Tool: g.Tool, Calls: int(g.Calls)})
				}
				return viewed(t.desk.Approve(ctx, callerOf(ctx), in.ID, a))
			}}),
		command.Define(command.Spec[draftAnswerIn]{Name: "draft_answer_call", Description: "Approves or refuses a call of a draft that waits for it. The run goes on.", Destructive: true,
			Run: func(ctx context.Context, _ *command.Session, in *draftAnswerIn) (command.Response, error) {
				return viewed(t.desk.AnswerCall(ctx, callerOf(ctx), in.ID, int(in.Call),
					drafts.Answer{Digest: in.Digest, Approve: in.Approve, Reason: in.Reason}, seconds(in.Wait)))
			}}),
	}
}

// has reports whether a name is that of a tool for drafts.
func (t *draftTools) has(name string) bool {
	return strings.HasPrefix(strings.ToLower(name), "draft_") && t.dispatcher.Workflow().Command(name) != nil
}

// listed are the tools that a caller is shown.
func (t *draftTools) listed(operator bool) []*sdk.Tool {
	var out []*sdk.Tool
	for _, tool := range t.tools {
		if operator || !operatorOnly[tool.Name] {
			out = append(out, tool)
		}
	}
	return out
}

// do calls a tool for drafts.
func (t *draftTools) do(ctx context.Context, caller serve.Caller, name string, arguments json.RawMessage) (*command.Outcome, error) {
	if operatorOnly[strings.ToLower(name)] && !caller.Operator {
		response := command.Fail(draftOperatorText)
		return &command.Outcome{Output: command.CommandOutput{CommandName: name, CommandResponse: response}}, nil
	}
	return t.dispatcher.Do(serve.WithCaller(ctx, caller), serve.Request{Command: name, Arguments: arguments})
}

func callerOf(ctx context.Context) serve.Caller {
	caller, _ := serve.CallerFrom(ctx)
	return caller
}

func seconds(n int64) time.Duration { return time.Duration(n) * time.Second }

// shows is an answer with values, which its text has as well: many clients
// show a model nothing else.
func shows(text string, values map[string]any) (command.Response, error) {
	data, err := jsontree.Marshal(values)
	if err != nil {
		return command.Response{}, err
	}
	r := command.Say(text + "\n" + string(data))
	r.Artifacts = values
	return r, nil
}

func viewed(v *drafts.View, err error) (command.Response, error) {
	if err != nil {
		return unable(err)
	}
	return shows(standing(v), map[string]any{"draft": v})
}

// standing says where a draft stands.
func standing(v *drafts.View) string {
	text := "Draft " + v.ID + " is " + string(v.Status) + ". " + v.Message
	if v.Reason != "" {
		text += "\nReason: " + v.Reason
	}
	return text
}

// unable is the answer of a desk that did not do what was asked.
func unable(err error) (command.Response, error) {
	var e *drafts.Error
	if !errors.As(err, &e) {
		return command.Response{}, err
	}
	r := command.Fail(e.Error())
	r.Artifacts = map[string]any{"code": e.Code}
	if e.Status != "" {
		r.Artifacts["status"] = e.Status
	}
	if e.Review != nil {
		r.Artifacts["review"] = e.Review
	}
	return r, nil
}
