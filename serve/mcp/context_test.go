package mcp_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/mcp"
	"github.com/fwgo/fwgo/store"
)

type hall struct{ Name string }

type colorInput struct {
	Color string `json:"color"`
}

// house is a workflow of which every context has a command of the same name.
func house(t testing.TB) *command.Workflow {
	t.Helper()
	paint := func(name string) *command.Command {
		return command.Define(command.Spec[colorInput]{Name: name, Run: func(_ context.Context, _ *command.Session, in *colorInput) (command.Response, error) {
			return command.Say(name + " " + in.Color), nil
		}})
	}
	enter := func(name string, object func(string) any) *command.Command {
		return command.Define(command.Spec[roomInput]{Name: name, Run: func(_ context.Context, s *command.Session, in *roomInput) (command.Response, error) {
			return command.Say("in " + in.Name), s.SetContext(object(in.Name))
		}})
	}
	w, err := command.New(command.Options{Name: "house", Logger: quiet, Contexts: []*command.Context{contextOf[room]("Room"), contextOf[hall]("Hall")}},
		enter("enter_room", func(name string) any { return &room{name} }), enter("enter_hall", func(name string) any { return &hall{name} }),
		paint("paint"), paint("Room/paint"), paint("Hall/paint"))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func contextOf[T any](name string) *command.Context {
	return command.DefineContext(command.ContextSpec[*T]{
		Name: name, EnteredBy: []string{"enter_" + strings.ToLower(name)}, Parent: func(*T) any { return nil },
		Save: func(o *T) (json.RawMessage, error) { return json.Marshal(o) },
		Restore: func(_ context.Context, _ *command.Session, state json.RawMessage) (*T, error) {
			o := new(T)
			return o, json.Unmarshal(state, o)
		},
	})
}

// While a user thinks, another call may lead the session elsewhere: what they
// were asked for is never given to another command of the name.
func TestAnAnswerIsForTheCommandThatTheUserWasAskedAbout(t *testing.T) {
	for _, c := range []struct{ from, meanwhile, asked, want string }{
		{"enter_room", "enter_hall", "Room/paint needs", "cannot be called in the current context (Hall)"},
		{"", "enter_hall", "paint needs", "paint red"},
		{"enter_hall", "", "Hall/paint needs", "Hall/paint red"},
	} {
		for _, w := range []way{ways[0], ways[1], ways[2]} {
			t.Run(c.from+" "+c.meanwhile+" "+w.name, func(t *testing.T) {
				s, err := mcp.New(serve.New(house(t), serve.Options{Logger: quiet, Store: store.Memory()}), mcp.Options{})
				if err != nil {
					t.Fatal(err)
				}
				var session *sdk.ClientSession
				session = w.connect(t, s, &sdk.ClientOptions{ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
					if !strings.HasPrefix(r.Params.Message, c.asked) {
						t.Errorf("asked %q", r.Params.Message)
					}
					if c.meanwhile != "" {
						call(t, session, c.meanwhile, `{"name":"x"}`)
					}
					return accept(map[string]any{"color": "red"}), nil
				}})
				if c.from != "" {
					call(t, session, c.from, `{"name":"attic"}`)
				}
				if r := call(t, session, "paint", `{}`); text(r) != c.want && !(r.IsError && strings.Contains(text(r), c.want)) {
					t.Errorf("error %v, %q; want %q", r.IsError, text(r), c.want)
				}
			})
		}
	}
}
