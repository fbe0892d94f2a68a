// Package tools makes the commands of a workflow the tools of its drafts:
//
//	session := workflow.NewSession()
//	catalog, err := tools.Catalog(workflow, tools.Options{Do: tools.In(session)})
//	engine, err := draft.NewEngine(catalog, draft.Options{})
//
// A step then calls tool.call_json("cancel_order", {"order_id": "W1"}), or the
// method of a module, mod.shop.cancel_order. The call goes the way of any other
// call of the command, in the caller's session: it is repaired, resolved against
// live data, asked of the hook, and only then runs. What the pipeline says
// instead is an error that the step can catch, with its message and its problems.
//
// Nothing else is between the two: what a step may call, how often, and what
// needs an approval of its own, is the engine's to hold.
package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/draft"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/splash"
	"github.com/fwgo/fwgo/validate"
)

// DefaultMaxCalls is how often one command can be called in all the runs of an
// engine, where Options say nothing. Grants narrow it.
const DefaultMaxCalls = 1000

// A Doer takes a call to the pipeline, with the gate of
// command.Session.DoGated. An error means that there is no outcome.
type Doer func(ctx context.Context, a command.Action, gate func(input any) bool) (*command.Outcome, error)

// In returns a Doer that calls in a session.
func In(s *command.Session) Doer {
	return func(ctx context.Context, a command.Action, gate func(input any) bool) (*command.Outcome, error) {
		return s.DoGated(ctx, a, gate), nil
	}
}

// Options are how commands become tools.
type Options struct {
	// Do takes the calls to the pipeline. It is needed.
	Do Doer
	// MaxCalls is how often one command can be called in all the runs of an
	// engine, 0 for DefaultMaxCalls.
	MaxCalls int
	// Record is told of every call that reached the pipeline, for the audit; nil
	// for nobody.
	Record func(Record)
}

// A Record is what became of one call beyond what the engine's audit tells:
// what the program gave and what it came to mean.
type Record struct {
	// Call is the sequence of the engine's audit entry.
	Call int    `json:"sequence"`
	Step string `json:"step"`
	Tool string `json:"tool"`
	// Given is what the program gave. Arguments is what the body ran with, or
	// would have; empty if the call did not come that far.
	Given     json.RawMessage `json:"given"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Repaired are the arguments that normalization repaired, Resolved those
	// that a lookup changed.
	Repaired []string              `json:"repaired,omitempty"`
	Resolved []validate.Resolution `json:"resolved,omitempty"`
	// Ran says that the body ran; Success is what it answered. Stage is what
	// ended the call otherwise, with its problems.
	Ran      bool               `json:"ran"`
	Success  bool               `json:"success"`
	Stage    validate.Stage     `json:"stage,omitempty"`
	Problems []validate.Problem `json:"problems,omitempty"`
	Message  string             `json:"message"`
}

// Name returns the name of a command's tool: its qualified name in lower case,
// with a dot after the context. "Order/cancel" is "order.cancel". The names of
// a workflow's commands differ in more than case, so no two are one tool.
func Name(c *command.Command) string {
	return strings.ToLower(strings.ReplaceAll(c.Name(), "/", "."))
}

// Catalog makes the catalog of a workflow's commands: a tool a command, with
// the schema of its signature, and a module for each context, named as the
// context in lower case; the commands of the global context are in a module
// named after the workflow. Methods that the language cannot name or that two
// commands would have, and modules of more than draft.MaxModuleMethods, are left
// out: their tools are called by name. The error names the command that cannot be a tool.
func Catalog(w *command.Workflow, o Options) (*draft.Catalog, error) {
	if o.Do == nil {
		return nil, errors.New("tools: Options.Do is missing: there is no pipeline to take calls to")
	}
	if o.MaxCalls <= 0 {
		o.MaxCalls = DefaultMaxCalls
	}
	catalog, err := draft.NewCatalog()
	if err != nil {
		return nil, err
	}
	modules, order := map[string]*draft.Module{}, []string{}
	for _, c := range w.Commands() {
		name := Name(c)
		if err := catalog.Add((&tool{c, &o}).describe()); err != nil {
			return nil, fmt.Errorf("tools: command %s: %w", c.Name(), err)
		}
		context, method := w.Name(), name
		if at := strings.LastIndexByte(name, '.'); at >= 0 {
			context, method = name[:at], name[at+1:]
		}
		context = identifier(context)
		if modules[context] == nil {
			modules[context] = &draft.Module{Name: context, Description: "Commands of " + context + "."}
			order = append(order, context)
		}
		modules[context].Methods = append(modules[context].Methods, draft.Method{Name: method, Tool: name})
	}
	for _, name := range order {
		addModule(catalog, modules[name])
	}
	return catalog, nil
}

// addModule adds a module without the methods that the language cannot name or
// tell apart.
func addModule(catalog *draft.Catalog, m *draft.Module) {
	for len(m.Methods) > 0 {
		var bad *draft.CatalogError
		if err := catalog.AddModule(*m); !errors.As(err, &bad) || bad.Method == "" {
			return
		}
		kept := m.Methods[:0:0]
		for _, method := range m.Methods {
			if method.Name != bad.Method {
				kept = append(kept, method)
			}
		}
		if len(kept) == len(m.Methods) {
			return
		}
		m.Methods = kept
	}
}

// identifier makes a name of the language from any name.
func identifier(name string) string {
	name = strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}, strings.ToLower(name))
	if name == "" || '0' <= name[0] && name[0] <= '9' {
		name = "w_" + name
	}
	return name
}

// tool is one command as a tool.
type tool struct {
	command *command.Command
	options *Options
}

// describe is the tool as the catalog has it. Its input is checked by the
// pipeline, which accepts more than the schema says.
func (t *tool) describe() draft.Tool {
	about := t.command.Description()
	if len(about) > draft.MaxDescriptionBytes {
		about = strings.ToValidUTF8(about[:draft.MaxDescriptionBytes], "")
	}
	out := draft.Tool{
		Name:        Name(t.command),
		Description: about,
		Format:      draft.JSON,
		MaxCalls:    t.options.MaxCalls,
		ChecksInput: true,
		Approve:     t.command.Annotations().ApproveCalls,
		Prepare:     t.prepare,
		Run:         t.run,
	}
	if schema := t.command.Signature().Schema(); len(schema) <= draft.MaxSchemaBytes {
		out.InputSchema = schema
	}
	return out
}

// prepare takes a call through the pipeline up to its body, and returns the
// arguments that the body would see.
func (t *tool) prepare(ctx context.Context, call draft.Call) (string, error) {
	var arguments []byte
	outcome, err := t.do(ctx, call, func(input any) bool {
		arguments = written(input)
		return false
	})
	if err != nil {
		return "", err
	}
	if !outcome.Held() {
		t.record(call, outcome, nil)
		return "", refusal(outcome)
	}
	return string(arguments), nil
}

// run takes a call through the pipeline, body and all, if it still means what
// was prepared: what a lookup finds may have changed since.
func (t *tool) run(ctx context.Context, call draft.Call) (string, error) {
	var arguments []byte
	outcome, err := t.do(ctx, call, func(input any) bool {
		arguments = written(input)
		return string(arguments) == call.Input
	})
	if err != nil {
		return "", err
	}
	t.record(call, outcome, arguments)
	switch {
	case outcome.Held():
		return "", &splash.CallError{Message: "The call no longer means what it meant when it was checked, so it did not run. Make it again."}
	case outcome.Stage != "":
		return "", refusal(outcome)
	}
	answer, err := outcome.Output.CommandResponse.MarshalJSON()
	if err != nil {
		return "", &splash.CallError{Message: "The command ran, but its answer has no form in JSON."}
	}
	if !outcome.Output.CommandResponse.Success {
		return "", &splash.CallError{Message: outcome.Text(), Data: answer}
	}
	return string(answer), nil
}

func (t *tool) do(ctx context.Context, call draft.Call, gate func(input any) bool) (*command.Outcome, error) {
	return t.options.Do(ctx, command.Action{CommandName: t.command.Name(), Parameters: json.RawMessage(call.Given)}, gate)
}

// written is an Input as JSON, the same for the same Input.
func written(input any) []byte {
	text, err := jsontree.Marshal(input)
	if err != nil {
		return nil // it equals no prepared arguments, so it does not run
	}
	return text
}

// refusal is what the pipeline said, for the program to catch.
func refusal(o *command.Outcome) error {
	data, err := jsontree.Marshal(struct {
		Stage    validate.Stage     `json:"stage"`
		Problems []validate.Problem `json:"problems"`
	}{o.Stage, append([]validate.Problem{}, o.Problems...)})
	if err != nil {
		data = nil
	}
	return &splash.CallError{Message: o.Text(), Data: data}
}

// record tells whoever keeps the audit.
func (t *tool) record(call draft.Call, o *command.Outcome, arguments []byte) {
	if t.options.Record == nil {
		return
	}
	d := o.Diagnostics()
	r := Record{Call: call.ID, Step: call.StepID, Tool: call.Tool, Given: json.RawMessage(call.Given), Arguments: arguments,
		Repaired: d.Repairs, Ran: o.Ran() || o.Stage == validate.StageRun, Success: o.Output.CommandResponse.Success,
		Stage: o.Stage, Problems: o.Problems, Message: o.Text()}
	for _, l := range d.DBLookup {
		if l.Changed {
			r.Resolved = append(r.Resolved, l)
		}
	}
	t.options.Record(r)
}
