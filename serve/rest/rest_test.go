package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/rest"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

type parcel struct {
	To     string  `json:"to" jsonschema_description:"Where it goes."`
	Weight int64   `json:"weight" jsonschema:"minimum=1"`
	Note   *string `json:"note,omitempty"`
}

// wait waits until a body has begun, let lets one end.
func (g *gate) wait(t testing.TB) {
	t.Helper()
	select {
	case <-g.entered:
	case <-time.After(10 * time.Second):
		t.Fatal("the command does not begin")
	}
}

func (g *gate) let(t testing.TB) {
	t.Helper()
	select {
	case g.leave <- struct{}{}:
	case <-time.After(10 * time.Second):
		t.Fatal("the command has ended before its time")
	}
}

type hold struct {
	Note string `json:"note"`
}

// gate is a command's body that waits until it is let go.
type gate struct{ entered, leave chan struct{} }

func newGate() *gate { return &gate{make(chan struct{}, 16), make(chan struct{})} }

func depot(t testing.TB, g *gate) *command.Workflow {
	t.Helper()
	w, err := command.New(command.Options{Name: "depot", Logger: quiet},
		command.Define(command.Spec[parcel]{Name: "ship", Description: "Books a courier.",
			Run: func(_ context.Context, s *command.Session, in *parcel) (command.Response, error) {
				before, _ := command.Value[int](s, "shipped")
				s.Set("shipped", before+1)
				r := command.Say("shipped to " + in.To)
				r.Artifacts = map[string]any{"weight": in.Weight, "number": before + 1}
				return r, nil
			}}),
		command.Define(command.Spec[struct{}]{Name: "wait", Run: func(ctx context.Context, s *command.Session, _ *struct{}) (command.Response, error) {
			g.entered <- struct{}{}
			select {
			case <-g.leave:
				return command.Say("left"), nil
			case <-ctx.Done():
				return command.Response{}, ctx.Err()
			}
		}}),
		command.Define(command.Spec[hold]{Name: "hold", Run: func(ctx context.Context, s *command.Session, in *hold) (command.Response, error) {
			before, _ := command.Value[int](s, "held")
			s.Set("held", before+1)
			g.entered <- struct{}{}
			select {
			case <-g.leave:
				return command.Say(fmt.Sprint(before+1, " ", in.Note)), nil
			case <-ctx.Done():
				return command.Response{}, ctx.Err()
			}
		}}),
		command.Define(command.Spec[struct{}]{Name: "break", Run: func(context.Context, *command.Session, *struct{}) (command.Response, error) {
			panic("broken")
		}}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// client speaks to a Service as a program does.
type client struct {
	t       testing.TB
	handler http.Handler
	access  string
	refresh string
	keys    []string // Idempotency-Key
}

// keyed is the client with keys for its requests.
func (c *client) keyed(keys ...string) *client {
	k := *c
	k.keys = keys
	return &k
}

func start(t testing.TB, g *gate, o rest.Options, so serve.Options) *client {
	t.Helper()
	so.Logger = quiet
	s, err := rest.New(serve.New(depot(t, g), so), o)
	if err != nil {
		t.Fatal(err)
	}
	return &client{t: t, handler: s}
}

func (c *client) do(method, path, token, body string) (int, string) {
	c.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for _, key := range c.keys {
		r.Header.Add("Idempotency-Key", key)
	}
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

func (c *client) open(channel string) *client {
	c.t.Helper()
	status, body := c.do("POST", "/initialize", "", `{"channel_id":"`+channel+`","user_id":"ada"}`)
	var got struct {
		Access  string `json:"access_token"`
		Refresh string `json:"refresh_token"`
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || status != 200 || got.Access == "" {
		c.t.Fatalf("initialize: %d %s", status, body)
	}
	opened := *c
	opened.access, opened.refresh = got.Access, got.Refresh
	return &opened
}

// reply is a decoded answer.
type reply struct {
	t      testing.TB
	status int
	text   string
	value  any
}

func (c *client) post(path, body string) reply { return c.send("POST", path, c.access, body) }

func (c *client) send(method, path, token, body string) reply {
	c.t.Helper()
	status, text := c.do(method, path, token, body)
	r := reply{t: c.t, status: status, text: text}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	_ = d.Decode(&r.value) // streams and pages are no JSON; at then finds nothing
	return r
}

// at returns the value at a path such as "command_outputs.0.command_name".
func (r reply) at(path string) any {
	value := r.value
	for _, step := range strings.Split(path, ".") {
		switch node := value.(type) {
		case map[string]any:
			value = node[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(node) {
				return nil
			}
			value = node[i]
		default:
			return nil
		}
	}
	return value
}

// wants checks the status and the values at paths; a value of type string that
// ends in "..." is a beginning.
func (r reply) wants(what string, status int, values map[string]any) {
	r.t.Helper()
	if r.status != status {
		r.t.Errorf("%s: status %d, want %d: %s", what, r.status, status, r.text)
		return
	}
	for path, want := range values {
		got := r.at(path)
		if start, ok := want.(string); ok && strings.HasSuffix(start, "...") {
			if text, ok := got.(string); !ok || !strings.HasPrefix(text, strings.TrimSuffix(start, "...")) {
				r.t.Errorf("%s: %s is %v, want %q", what, path, got, start)
			}
			continue
		}
		if n, ok := want.(int); ok {
			want = json.Number(strconv.Itoa(n))
		}
		if !reflect.DeepEqual(got, want) {
			r.t.Errorf("%s: %s is %v, want %v\n%s", what, path, got, want, r.text)
		}
	}
}

// stream calls the streaming endpoint and returns its body and content type.
func (c *client) stream(access, body string) (text, content string) {
	c.t.Helper()
	r := httptest.NewRequest("POST", "/invoke_agent_stream", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+access)
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		c.t.Fatalf("stream: %d %s", w.Code, w.Body)
	}
	return w.Body.String(), w.Header().Get("Content-Type")
}
