package mcp_test

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/mcp"
	"github.com/fwgo/fwgo/signature"
)

func tools(t testing.TB, c *sdk.ClientSession) map[string]*sdk.Tool {
	t.Helper()
	list, err := c.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]*sdk.Tool{}
	for _, tool := range list.Tools {
		byName[tool.Name] = tool
	}
	return byName
}

func names(byName map[string]*sdk.Tool) []string {
	var names []string
	for name := range byName {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

var (
	global   = []string{"book", "break", "enter_room", "move", "note", "wait"}
	builtins = []string{"IntentDetection__go_up", "IntentDetection__reset_context", "IntentDetection__what_can_i_do", "IntentDetection__what_is_current_context"}
)

func TestTheToolsAreTheCommandsThatCanBeCalledNow(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		s := serverOf(t, mcp.Options{})
		c, other := w.connect(t, s, nil), w.connect(t, s, nil)
		want := append(slices.Clone(builtins), global...)
		if got := names(tools(t, c)); !reflect.DeepEqual(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		if !w.session {
			return
		}
		call(t, c, "enter_room", `{"name":"attic"}`)
		inRoom := names(tools(t, c))
		if !slices.Contains(inRoom, "Room__describe") {
			t.Errorf("in the room: %q", inRoom)
		}
		if got := names(tools(t, other)); !reflect.DeepEqual(got, want) {
			t.Errorf("another client has %q, want %q", got, want)
		}
	})
}

func TestAToolSaysWhatItsCommandDoesAndTakes(t *testing.T) {
	c := overHTTP("2025-11-25")(t, serverOf(t, mcp.Options{}), nil)
	book := tools(t, c)["book"]
	for _, want := range []string{"Books a trip", "- city: Where to, type: str (required)", "one of: first, second (required)", "note: type: str (default \"none\")"} {
		if !strings.Contains(book.Description, want) {
			t.Errorf("%q is not in the description %q", want, book.Description)
		}
	}
	a := book.Annotations
	if book.Title != "Book" || a.Title != "Book" || a.ReadOnlyHint || a.DestructiveHint == nil || !*a.DestructiveHint {
		t.Errorf("title %q, annotations %+v", book.Title, a)
	}
	note := tools(t, c)["note"]
	if !note.Annotations.IdempotentHint || *note.Annotations.DestructiveHint || !reflect.DeepEqual(note.Meta["plain_utterances"], []any{"write down milk"}) {
		t.Errorf("annotations %+v, meta %v", note.Annotations, note.Meta)
	}
}

func TestASchemaIsTheProfileOfTheCommand(t *testing.T) {
	w := desk(t)
	for _, profile := range signature.Profiles() {
		s, err := mcp.New(serve.New(w, serve.Options{Logger: quiet}), mcp.Options{Profile: profile})
		if err != nil {
			t.Fatal(err)
		}
		published, err := w.Command("book").Signature().Profile(profile)
		if err != nil {
			t.Fatal(err)
		}
		var want any
		if err := json.Unmarshal(published, &want); err != nil {
			t.Fatal(err)
		}
		if got := tools(t, overHTTP("2025-11-25")(t, s, nil))["book"].InputSchema; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", profile, got, want)
		}
	}
}

func TestACommandThatCannotBeAToolIsAnAuthorsMistake(t *testing.T) {
	say := func(context.Context, *command.Session, *signature.Record) (command.Response, error) {
		return command.Say(""), nil
	}
	for schema, want := range map[string]string{
		`{"type":"object","properties":{"a":{"type":"object","x-mcp-header":"A"}}}`:                                                    "x-mcp-header",
		`{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}],"properties":{"a":{"type":"string"},"b":{"type":"string"}}}`: "anyOf",
	} {
		w, err := command.New(command.Options{Name: "w"}, command.Define(command.Spec[signature.Record]{Name: "odd", Schema: []byte(schema), Run: say}))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = mcp.New(serve.New(w, serve.Options{}), mcp.Options{}); err == nil || !strings.Contains(err.Error(), "command odd") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", schema, err)
		}
	}
	long, err := command.New(command.Options{Name: "w"}, command.Define(command.Spec[struct{}]{Name: strings.Repeat("c", 64) + "/" + strings.Repeat("n", 64),
		Run: func(context.Context, *command.Session, *struct{}) (command.Response, error) {
			return command.Say(""), nil
		}}))
	if err != nil {
		t.Fatal(err)
	}
	double, err := command.New(command.Options{Name: "w"}, command.Define(command.Spec[struct{}]{Name: "get__all",
		Run: func(context.Context, *command.Session, *struct{}) (command.Response, error) {
			return command.Say(""), nil
		}}))
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []struct {
		d    *serve.Dispatcher
		o    mcp.Options
		want string
	}{
		{serve.New(double, serve.Options{}), mcp.Options{}, "__"},
		{serve.New(long, serve.Options{}), mcp.Options{}, "128"},
		{serve.New(desk(t), serve.Options{}), mcp.Options{Profile: "nobody's"}, "nobody's"},
		{serve.New(desk(t), serve.Options{}), mcp.Options{Secret: []byte("short")}, "32 bytes"},
	} {
		if _, err := mcp.New(bad.d, bad.o); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%v, want one about %s", err, bad.want)
		}
	}
}

func TestAListHasOnePage(t *testing.T) {
	c := overHTTP("2025-11-25")(t, serverOf(t, mcp.Options{}), nil)
	if _, err := c.ListTools(t.Context(), &sdk.ListToolsParams{Cursor: "more"}); err == nil || !strings.Contains(err.Error(), "one page") {
		t.Errorf("%v", err)
	}
}

// heard counts what a client is told of its tools.
func heard() (*sdk.ClientOptions, chan struct{}) {
	told := make(chan struct{}, 16)
	return &sdk.ClientOptions{ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { told <- struct{}{} }}, told
}

func hears(t *testing.T, told chan struct{}, what string) {
	t.Helper()
	select {
	case <-told:
	case <-time.After(10 * time.Second):
		t.Errorf("not told of %s", what)
	}
}

func quietNow(t *testing.T, told chan struct{}, what string) {
	t.Helper()
	select {
	case <-told:
		t.Errorf("told of %s", what)
	case <-time.After(50 * time.Millisecond):
	}
}

func TestAClientHearsWhenACallChangesItsTools(t *testing.T) {
	for _, w := range []way{ways[0], ways[2]} {
		t.Run(w.name, func(t *testing.T) {
			o, told := heard()
			other, toldOther := heard()
			s := serverOf(t, mcp.Options{})
			c, d := w.connect(t, s, o), w.connect(t, s, other)
			tools(t, c)
			tools(t, d)
			call(t, c, "note", `{"text":"x"}`)
			quietNow(t, told, "a call that changes nothing")
			call(t, c, "enter_room", `{"name":"attic"}`)
			hears(t, told, "entering a room")
			call(t, c, "enter_room", `{"name":"cellar"}`)
			quietNow(t, told, "another room with the same tools")
			call(t, c, "reset_context", `{}`)
			hears(t, told, "leaving it")
			quietNow(t, toldOther, "another client's tools")
		})
	}
}

func TestAllClientsOfAChannelHearOfItsTools(t *testing.T) {
	server := listen(t, serverOf(t, mcp.Options{Verify: verify}))
	o, told := heard()
	plain, toldToo := heard()
	listener := dial(t, &sdk.StreamableClientTransport{Endpoint: server.URL, HTTPClient: as("ada")}, o, "2026-07-28")
	sessions := dial(t, &sdk.StreamableClientTransport{Endpoint: server.URL, HTTPClient: as("ada")}, plain, "2025-11-25")
	tools(t, sessions)
	tools(t, listener)
	time.Sleep(100 * time.Millisecond) // the subscription is made beside the first calls
	c := dial(t, &sdk.StreamableClientTransport{Endpoint: server.URL, HTTPClient: as("ada")}, nil, "2026-07-28")
	call(t, c, "enter_room", `{"name":"attic"}`)
	hears(t, told, "another client's call, on a subscription")
	hears(t, toldToo, "another client's call, on a session's stream")
	if got := names(tools(t, sessions)); !slices.Contains(got, "Room__describe") {
		t.Errorf("the channel's tools are %q", got)
	}
}
