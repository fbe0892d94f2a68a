package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/misspelt"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/signature"
	"github.com/fwgo/fwgo/validate"
)

var (
	checkNames = misspelt.Of("schema", "call", "collect")
	callNames  = misspelt.Of("kind", "text", "arguments", "raw")
)

type checkCmd struct {
	Collect bool `help:"Report the problems of all stages at once."`
	JSONL   bool `name:"jsonl" help:"One JSON object a line, answered a line each."`
}

func (c *checkCmd) Run(s *streams) error {
	checker := newChecker(s.ctx, c.Collect)
	refused := false
	err := each(s, c.JSONL, func(in *jsontree.Value) ([]byte, error) {
		answer, ran, err := checker.check(in)
		refused = refused || !ran
		return answer, err
	})
	if err == nil && refused && !c.JSONL {
		return exit(exitMessage)
	}
	return err
}

// A checker takes calls through the pipeline against schemas that come with
// them. It keeps the last schemas compiled, since a stream mostly repeats few.
type checker struct {
	ctx     context.Context
	collect bool
	kept    map[string]*command.Workflow
}

const mostKept = 256

func newChecker(ctx context.Context, collect bool) *checker {
	return &checker{ctx: ctx, collect: collect, kept: map[string]*command.Workflow{}}
}

// workflow makes the schema a command whose body does nothing, so that a
// check is the pipeline itself and nothing beside it.
func (c *checker) workflow(schema string, collect bool) (*command.Workflow, error) {
	key := fmt.Sprint(collect, schema)
	if w, ok := c.kept[key]; ok {
		return w, nil
	}
	var titled struct {
		Title       string `json:"title"`
		Description string `json:"description"`
	}
	// A title of another type is the schema's affair, not the name's.
	_ = json.Unmarshal([]byte(schema), &titled)
	if titled.Title == "" {
		titled.Title = "command"
	}
	body := command.Define(command.Spec[signature.Record]{
		Name: safeName(titled.Title), Description: titled.Description, Schema: []byte(schema),
		Run: func(context.Context, *command.Session, *signature.Record) (command.Response, error) {
			return command.Say(""), nil
		},
	})
	w, err := command.New(command.Options{Name: "check", Collect: collect}, body)
	if err != nil {
		return nil, err
	}
	if len(c.kept) >= mostKept {
		clear(c.kept)
	}
	c.kept[key] = w
	return w, nil
}

// check answers one input; ran says whether the call would run.
func (c *checker) check(in *jsontree.Value) (answer []byte, ran bool, err error) {
	if err := misspeltIn(in, checkNames); err != nil {
		return nil, false, err
	}
	schema, call := in.Get("schema"), in.Get("call")
	if schema == nil || call == nil || call.Kind != jsontree.Object {
		return nil, false, errors.New(`the input needs schema and call; call is {"kind": "arguments", "arguments": {...}} or {"kind": "text", "text": "..."}`)
	}
	if err := misspeltIn(call, callNames); err != nil {
		return nil, false, fmt.Errorf("call: %w", err)
	}
	for _, object := range []*jsontree.Value{in, call} {
		if name := repeated(object); name != "" {
			return nil, false, fmt.Errorf("the input has %s twice", name)
		}
	}
	collect := c.collect
	if v := in.Get("collect"); v != nil {
		if v.Kind != jsontree.Bool {
			return nil, false, errors.New("collect must be true or false")
		}
		collect = v.True
	}
	w, err := c.workflow(schema.JSON(), collect)
	if err != nil {
		return nil, false, err
	}
	outcome, err := c.call(w, call)
	if err != nil {
		return nil, false, err
	}
	out := begin(in)
	if outcome.Ran() {
		arguments, err := jsontree.Marshal(outcome.Input)
		if err != nil {
			return nil, false, err
		}
		out = append(append(out, `"outcome":"run","arguments":`...), arguments...)
		return append(out, '}'), true, nil
	}
	text, found := outcome.Text(), outcome.Problems
	if outcome.Handled() {
		// What the conversation layer answers is no call of the schema's command.
		found = []validate.Problem{{Kind: validate.NotACall, Got: quote.Text(callText(call), 40), Accepted: w.Commands()[0].Name()}}
		text = validate.Message("", found, validate.Wording{})
	}
	problems, err := jsontree.Marshal(found)
	if err != nil {
		return nil, false, err
	}
	out = append(out, `"outcome":"message","message":`...)
	out = jsontree.AppendString(out, text)
	out = append(append(out, `,"problems":`...), problems...)
	return append(out, '}'), false, nil
}

// repeated returns a name that an object has twice, "" if there is none.
func repeated(object *jsontree.Value) string {
	seen := map[string]bool{}
	for i := range object.Members {
		name := object.Members[i].Name
		if seen[name] {
			return name
		}
		seen[name] = true
	}
	return ""
}

func callText(call *jsontree.Value) string {
	if v := call.Get("text"); v != nil {
		return v.Text
	}
	return ""
}

// call runs the call in the form that the input gives it.
func (c *checker) call(w *command.Workflow, call *jsontree.Value) (*command.Outcome, error) {
	kind, err := textAt(call, "kind")
	if err != nil {
		return nil, fmt.Errorf("call.%w", err)
	}
	session := w.NewSession()
	switch kind {
	case "text":
		text, err := textAt(call, "text")
		if err != nil {
			return nil, fmt.Errorf("call.%w", err)
		}
		return session.Call(c.ctx, text), nil
	case "arguments":
		action := command.Action{CommandName: w.Commands()[0].Name()}
		if raw := call.Get("raw"); raw != nil {
			if raw.Kind != jsontree.String {
				return nil, errors.New("call.raw must be text")
			}
			action.Parameters = json.RawMessage(raw.Text)
		} else if arguments := call.Get("arguments"); arguments != nil {
			action.Parameters = json.RawMessage(arguments.JSON())
		}
		return session.Do(c.ctx, action), nil
	}
	return nil, fmt.Errorf("call.kind must be text or arguments, not %q", kind)
}

// safeName makes any title a name that a command can have, so that a schema
// from elsewhere can be checked whatever it is called. A / would make it a
// command of a context that nothing enters.
func safeName(title string) string {
	name := strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z' {
			return r
		}
		return '_'
	}, title)
	name = strings.TrimLeft(name[:min(len(name), 64)], "_")
	if name == "" {
		return "command"
	}
	return name
}
