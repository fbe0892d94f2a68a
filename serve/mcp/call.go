package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/signature"
	"github.com/fwgo/fwgo/validate"
)

// call answers tools/call. What a model can act on is a result (FW-159); an
// error of the protocol is left for tools that do not exist, as it demands.
func (e *endpoint) call(ctx context.Context, r *sdk.CallToolRequest, name string) (*sdk.CallToolResult, error) {
	if name == "" {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: namelessText}
	}
	caller := e.caller(r)
	if caller.Bearer != "" {
		ctx = serve.WithCaller(ctx, caller)
	}
	c := &toolCall{endpoint: e, request: r, session: e.sessionOf(r), name: name, arguments: r.Params.Arguments}
	defer e.changed(ctx, r, c.session)
	if builtin := builtinNamed(name); builtin != "" {
		if !noArguments(c.arguments) {
			return failure(takesNothing(builtin)), nil
		}
		outcome, err := e.dispatcher.Do(ctx, serve.Request{Session: c.session, Text: builtin})
		return c.result(ctx, outcome, err)
	}
	if e.drafts != nil && e.drafts.has(name) {
		outcome, err := e.drafts.do(ctx, caller, name, c.arguments)
		return c.result(ctx, outcome, err)
	}
	if r.Params.RequestState != "" {
		return c.resume(ctx)
	}
	// Answers without a state are to no question of ours: the user is asked
	// again, if there is anything to ask.
	return c.run(ctx)
}

// A toolCall is one call of a tool, with what was asked for it.
type toolCall struct {
	*endpoint
	request   *sdk.CallToolRequest
	session   string
	name      string
	arguments json.RawMessage
	// answers are what the user gave so far for parameters of the command, and
	// round is how often they were asked. Once they were, the call is for that
	// command alone: the context, and with it what the name stands for, may be
	// another by the time they answer.
	answers []answer
	command *command.Command
	round   int
	used    *state // what the call goes on with; nil if it begins
}

// do takes the call through the pipeline, with the answers among its
// arguments.
func (c *toolCall) do(ctx context.Context) (*command.Outcome, error) {
	name, arguments := c.name, c.arguments
	if c.command != nil {
		name = qualified(c.command)
	}
	if len(c.answers) > 0 {
		arguments = merge(c.command, arguments, c.answers)
	}
	return c.dispatcher.Do(ctx, serve.Request{Session: c.session, Command: name, Arguments: arguments})
}

// qualified is the name by which a command is called whatever the context is.
func qualified(c *command.Command) string {
	if strings.Contains(c.Name(), "/") {
		return c.Name()
	}
	return "*/" + c.Name()
}

// result is the answer to the client: the command's, or why there is none.
func (c *toolCall) result(ctx context.Context, outcome *command.Outcome, err error) (*sdk.CallToolResult, error) {
	switch {
	case err != nil:
		return failure(serve.Message(err)), nil
	case unknown(outcome):
		data, _ := jsontree.Marshal(map[string]any{"problems": outcome.Problems})
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: outcome.Text(), Data: data}
	}
	result := &sdk.CallToolResult{
		Content: []sdk.Content{&sdk.TextContent{Text: outcome.Text()}},
		IsError: !outcome.Output.CommandResponse.Success,
	}
	detail, err := detailOf(&outcome.Output.CommandResponse, beside(outcome), outcome.Handled())
	if err != nil {
		c.dispatcher.Logger().ErrorContext(ctx, "artifacts not sent", "command", outcome.Output.CommandName, "error", err)
		response := outcome.Output.CommandResponse
		response.Artifacts = map[string]any{"artifacts_lost": "they have no form in JSON"}
		detail, _ = detailOf(&response, beside(outcome), outcome.Handled())
	}
	if detail != nil {
		result.StructuredContent = detail
	}
	return result, nil
}

// unknown reports whether no command has the name that was called.
func unknown(outcome *command.Outcome) bool {
	return outcome.Stage == validate.StageBind && len(outcome.Problems) > 0 && outcome.Problems[0].Kind == validate.UnknownCommand
}

// detailOf is an answer as data: the wire form of FW-151, its text included
// since many clients show one of the two only, with problems and repairs beside
// it. An answer that is nothing but its text has none.
func detailOf(r *command.Response, beside string, handled bool) (json.RawMessage, error) {
	more := len(r.NextActions) + len(r.Recommendations)
	if !handled {
		more += len(r.Artifacts)
	}
	if r.Success && more == 0 && beside == "" {
		return nil, nil
	}
	text, err := r.MarshalJSON()
	if err != nil {
		return nil, err
	}
	doc, fault := jsontree.Parse(string(text), jsontree.Limits{Depth: deepest}, nil)
	if fault != nil {
		return nil, fault
	}
	detail := []byte{'{'}
	for i := range doc.Root.Members {
		m := &doc.Root.Members[i]
		if v := &m.Value; (v.Kind == jsontree.List || v.Kind == jsontree.Object) && len(v.Items)+len(v.Members) == 0 {
			continue // nothing that a model should pay for
		}
		if len(detail) > 1 {
			detail = append(detail, ',')
		}
		detail = append(jsontree.AppendString(detail, m.Name), ':')
		detail = append(detail, m.Value.Raw...)
	}
	return append(append(detail, beside...), '}'), nil
}

// beside writes problems and repairs as members that follow others.
func beside(outcome *command.Outcome) string {
	var b []byte
	add := func(key string, value any) {
		if text, err := jsontree.Marshal(value); err == nil {
			b = append(append(b, `,"`+key+`":`...), text...)
		}
	}
	if len(outcome.Problems) > 0 {
		add("problems", outcome.Problems)
	}
	if len(outcome.Repairs) > 0 {
		add("repairs", outcome.Repairs)
	}
	return string(b)
}

// A refusal is what the pipeline said of a call while its user is asked.
type refusal struct {
	Text   string `json:"text"`
	Beside string `json:"beside"`
}

// result is the refusal as the client gets it after all, with a line that says
// what became of the question.
func (f refusal) result(line string) *sdk.CallToolResult {
	response := command.Fail(line + f.Text)
	result := failure(response.Response)
	if detail, err := detailOf(&response, f.Beside, false); err == nil {
		result.StructuredContent = detail
	}
	return result
}

// failure is a result that is nothing but a refusal.
func failure(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// modern reports whether a request follows the protocol that has no sessions
// and asks its questions in results.
func modern(r sdk.Request) bool {
	var meta sdk.Meta
	switch p := r.GetParams().(type) {
	case *sdk.CallToolParamsRaw:
		meta = p.Meta
	case *sdk.ListToolsParams:
		if p != nil {
			meta = p.Meta
		}
	}
	if v, ok := meta[sdk.MetaKeyProtocolVersion].(string); ok {
		return v >= statelessVersion
	}
	session, ok := r.GetSession().(*sdk.ServerSession)
	if !ok || session.InitializeParams() == nil {
		return false
	}
	return session.InitializeParams().ProtocolVersion >= statelessVersion
}

// statelessVersion is the first version of the protocol without sessions.
const statelessVersion = "2026-07-28"

// run takes the call through the pipeline, and asks the user for what is
// missing where that can be done.
func (c *toolCall) run(ctx context.Context) (*sdk.CallToolResult, error) {
	for {
		outcome, err := c.do(ctx)
		if err != nil {
			if c.used != nil && serve.DidNotRun(err) {
				c.states.free(context.WithoutCancel(ctx), *c.used)
			}
			return c.result(ctx, nil, err)
		}
		q := c.question(outcome)
		if q == nil {
			return c.result(ctx, outcome, nil)
		}
		said := refusal{outcome.Text(), beside(outcome)}
		c.round++
		if modern(c.request) {
			return c.suspend(q, said), nil
		}
		reply, err := c.elicit(ctx, q)
		if err != nil {
			c.dispatcher.Logger().InfoContext(ctx, "user not asked", "command", outcome.Output.CommandName, "reason", err.Error())
			return said.result(""), nil
		}
		if refused := c.take(q.fields, reply, said); refused != nil {
			return refused, nil
		}
	}
}

// elicit waits for the user's answer. The error says why there is none.
func (c *toolCall) elicit(ctx context.Context, q *question) (*sdk.ElicitResult, error) {
	end, ok := c.waits.begin(c.session)
	if !ok {
		return nil, errors.New("too many calls wait for their users")
	}
	defer end()
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	return c.request.Session.Elicit(ctx, &q.params)
}

// take adds what the user answered to the call. The result is not nil if the
// call ends with it.
func (c *toolCall) take(fields []*signature.Field, reply *sdk.ElicitResult, said refusal) *sdk.CallToolResult {
	switch reply.Action {
	case "accept":
	case "decline":
		return said.result(declinedText)
	default:
		return said.result(cancelledText)
	}
	var inexactly []string
	for _, f := range fields {
		value, state := answerOf(f, reply.Content)
		switch state {
		case given:
			c.answers = append(without(c.answers, f.Name), answer{f.Name, value})
		case rounded:
			inexactly = append(inexactly, f.Name)
		}
	}
	if len(inexactly) > 0 {
		return said.result(inexact(inexactly))
	}
	return nil
}
