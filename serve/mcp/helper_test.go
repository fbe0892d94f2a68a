package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/mcp"
	"github.com/fwgo/fwgo/store"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

type noteInput struct {
	Text  string   `json:"text" jsonschema_description:"What to write down"`
	Count int64    `json:"count,omitempty" jsonschema:"default=1"`
	Tags  []string `json:"tags,omitempty"`
}

type bookInput struct {
	City  string   `json:"city" jsonschema_description:"Where to"`
	Seats int64    `json:"seats" jsonschema_description:"How many" jsonschema:"minimum=1"`
	Class string   `json:"class" jsonschema:"enum=first,enum=second"`
	Extra []string `json:"extra,omitempty"`
	Note  string   `json:"note,omitempty" jsonschema:"default=none"`
}

type movedInput struct {
	To struct {
		Street string `json:"street"`
	} `json:"to"`
}

type roomInput struct {
	Name string `json:"name"`
}

type room struct{ Name string }

// desk is the workflow of these tests: plain commands, one that panics, one
// that waits for its context, and a context that is entered and left.
func desk(t testing.TB) *command.Workflow {
	t.Helper()
	w, err := command.New(command.Options{
		Name:   "desk",
		Logger: quiet,
		Contexts: []*command.Context{command.DefineContext(command.ContextSpec[*room]{
			Name:      "Room",
			EnteredBy: []string{"enter_room"},
			Parent:    func(*room) any { return nil },
			Save:      func(r *room) (json.RawMessage, error) { return json.Marshal(r) },
			Restore: func(_ context.Context, _ *command.Session, state json.RawMessage) (*room, error) {
				var r room
				return &r, json.Unmarshal(state, &r)
			},
		})},
	},
		command.Define(command.Spec[noteInput]{
			Name: "note", Description: "Writes a note down", Utterances: []string{"write down milk"}, Idempotent: true,
			Run: func(_ context.Context, s *command.Session, in *noteInput) (command.Response, error) {
				said, _ := command.Value[int](s, "said")
				s.Set("said", said+1)
				return command.Say(fmt.Sprintf("%d: %s %d %s", said+1, in.Text, in.Count, strings.Join(in.Tags, "|"))), nil
			},
		}),
		command.Define(command.Spec[bookInput]{
			Name: "book", Description: "Books a trip", Destructive: true,
			Run: func(_ context.Context, _ *command.Session, in *bookInput) (command.Response, error) {
				r := command.Say(fmt.Sprintf("booked %s %d %s %s %s", in.City, in.Seats, in.Class, strings.Join(in.Extra, "|"), in.Note))
				r.Artifacts = map[string]any{"seats": in.Seats}
				r.NextActions = []command.Action{{CommandName: "note", Parameters: json.RawMessage(`{"text":"paid"}`)}}
				return r, nil
			},
		}),
		command.Define(command.Spec[movedInput]{
			Name: "move",
			Run: func(_ context.Context, _ *command.Session, in *movedInput) (command.Response, error) {
				return command.Say("moved to " + in.To.Street), nil
			},
		}),
		command.Define(command.Spec[struct{}]{Name: "break", Run: func(context.Context, *command.Session, *struct{}) (command.Response, error) {
			panic("broken glass")
		}}),
		command.Define(command.Spec[struct{}]{Name: "wait", ReadOnly: true, Run: func(ctx context.Context, _ *command.Session, _ *struct{}) (command.Response, error) {
			waiting <- struct{}{}
			<-ctx.Done()
			stopped <- struct{}{}
			return command.Response{}, ctx.Err()
		}}),
		command.Define(command.Spec[roomInput]{Name: "enter_room", Run: func(_ context.Context, s *command.Session, in *roomInput) (command.Response, error) {
			if err := s.SetContext(&room{in.Name}); err != nil {
				return command.Response{}, err
			}
			return command.Say("in " + in.Name), nil
		}}),
		command.Define(command.Spec[struct{}]{Name: "Room/describe", ReadOnly: true, Run: func(_ context.Context, s *command.Session, _ *struct{}) (command.Response, error) {
			r, _ := command.Object[*room](s)
			return command.Say("this is " + r.Name), nil
		}}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

var waiting, stopped = make(chan struct{}, 64), make(chan struct{}, 64)

func serverOf(t testing.TB, o mcp.Options) *mcp.Server {
	t.Helper()
	s, err := mcp.New(serve.New(desk(t), serve.Options{Logger: quiet, Store: store.Memory()}), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A way is one way in: it connects a client of the given options.
type way struct {
	name    string
	session bool // what one call leaves behind, the next one finds
	connect func(t testing.TB, s *mcp.Server, o *sdk.ClientOptions) *sdk.ClientSession
}

// listen serves over HTTP until the test and its clients end.
func listen(t testing.TB, s *mcp.Server) *httptest.Server {
	server := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		s.Close()
		server.CloseClientConnections()
		server.Close()
	})
	return server
}

func overHTTP(version string) func(t testing.TB, s *mcp.Server, o *sdk.ClientOptions) *sdk.ClientSession {
	return func(t testing.TB, s *mcp.Server, o *sdk.ClientOptions) *sdk.ClientSession {
		server := listen(t, s)
		return dial(t, &sdk.StreamableClientTransport{Endpoint: server.URL}, o, version)
	}
}

func overStdio(version string) func(t testing.TB, s *mcp.Server, o *sdk.ClientOptions) *sdk.ClientSession {
	return func(t testing.TB, s *mcp.Server, o *sdk.ClientOptions) *sdk.ClientSession {
		toServer, fromClient := io.Pipe()
		toClient, fromServer := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			ended <- s.ServeStdio(context.Background(), toServer, fromServer)
			fromServer.Close()
		}()
		session := dial(t, &sdk.IOTransport{Reader: toClient, Writer: fromClient}, o, version)
		t.Cleanup(func() {
			session.Close()
			if err := <-ended; err != nil {
				t.Errorf("ServeStdio: %v", err)
			}
		})
		return session
	}
}

func dial(t testing.TB, transport sdk.Transport, o *sdk.ClientOptions, version string) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, o)
	session, err := client.Connect(context.Background(), transport, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

var ways = []way{
	{"stdio, with a handshake", true, overStdio("2025-11-25")},
	{"stdio, without", true, overStdio("2026-07-28")},
	{"HTTP with sessions", true, overHTTP("2025-11-25")},
	{"HTTP without sessions", false, overHTTP("2026-07-28")},
}

func eachWay(t *testing.T, f func(t *testing.T, w way)) {
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) { f(t, w) })
	}
}

func call(t testing.TB, c *sdk.ClientSession, name, arguments string) *sdk.CallToolResult {
	t.Helper()
	result, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatalf("%s %s: %v", name, arguments, err)
	}
	return result
}

func text(r *sdk.CallToolResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		if t, ok := c.(*sdk.TextContent); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}
