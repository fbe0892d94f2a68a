package mcp_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/mcp"
	"github.com/fwgo/fwgo/store"
)

func TestCallsThatRunWhenTheInputEndsAreAnswered(t *testing.T) {
	var in strings.Builder
	in.WriteString(initialize + "\n")
	for range 50 {
		in.WriteString(toolCall("note", `{"text":"x"}`) + "\n")
	}
	// Requests that run side by side have different ids.
	text := strings.ReplaceAll(in.String(), `"id":7`, `"id":"#"`)
	for i := range 50 {
		text = strings.Replace(text, "#", strings.Repeat("n", i+1), 1)
	}
	var out bytes.Buffer
	if err := serverOf(t, mcp.Options{}).ServeStdio(t.Context(), strings.NewReader(strings.TrimSuffix(text, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(out.String(), `"result"`); got != 51 || !strings.Contains(out.String(), `"50: x 1 "`) {
		t.Errorf("%d answers of 51: %s", got, out.String())
	}
}

// An id that the answer spells otherwise is answered all the same, and the end
// does not wait for another.
func TestTheEndDoesNotWaitForWhatWasAnswered(t *testing.T) {
	for _, id := range []string{`-0`, `"\u0061"`, `"a<b>&"`, `"\u2028"`, `"\u0001\b\f\/"`, `"\ud83d\ude00"`, `"\u007f\ufffe"`} {
		in := strings.Replace(initialize, `"id":0`, `"id":99`, 1) + "\n" + strings.Replace(toolCall("note", `{"text":"x"}`), `"id":7`, `"id":`+id, 1)
		promptly(t, "the server after "+id, func() {
			var out bytes.Buffer
			if err := serverOf(t, mcp.Options{}).ServeStdio(t.Context(), strings.NewReader(in), &out); err != nil {
				t.Error(err)
			}
			if !strings.Contains(out.String(), "1: x 1") {
				t.Errorf("%s: %s", id, out.String())
			}
		})
	}
}

// promptly fails if something takes longer than it may.
func promptly(t *testing.T, what string, f func()) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		f()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(5 * time.Second):
		t.Errorf("%s does not end", what)
	}
}

func TestTheEndOfAServerEndsCallsAndQuestions(t *testing.T) {
	asking := make(chan struct{}, 1)
	o := &sdk.ClientOptions{ElicitationHandler: func(ctx context.Context, _ *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		asking <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	for tool, began := range map[string]chan struct{}{"wait": waiting, "note": asking} {
		t.Run(tool+", stdio", func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			toServer, fromClient := io.Pipe()
			toClient, fromServer := io.Pipe()
			ended := make(chan error, 1)
			go func() { ended <- serverOf(t, mcp.Options{}).ServeStdio(ctx, toServer, fromServer) }()
			c := dial(t, &sdk.IOTransport{Reader: toClient, Writer: fromClient}, o, "2025-11-25")
			go func() { _, _ = c.CallTool(context.Background(), &sdk.CallToolParams{Name: tool}) }()
			<-began
			cancel()
			promptly(t, "ServeStdio", func() {
				if err := <-ended; err != nil {
					t.Errorf("ServeStdio: %v", err)
				}
			})
			fromServer.Close()
		})
		t.Run(tool+", HTTP", func(t *testing.T) {
			s := serverOf(t, mcp.Options{})
			server := listen(t, s)
			c := dial(t, &sdk.StreamableClientTransport{Endpoint: server.URL}, o, "2025-11-25")
			go func() { _, _ = c.CallTool(context.Background(), &sdk.CallToolParams{Name: tool}) }()
			<-began
			promptly(t, "Close", s.Close)
			r := post(t, server.URL, server.Client(), initialize)
			if !strings.Contains(r.body, "shutting down") {
				t.Errorf("a session after it: %s", r.body)
			}
		})
	}
	for range 2 {
		<-stopped
	}
}

// breaking is a store whose Delete panics.
type breaking struct {
	store.Store
	times atomic.Int32
}

func (b *breaking) Delete(context.Context, string, string, int64) error {
	b.times.Add(1)
	panic("disk on fire")
}

func TestAStoreThatPanicsAsAClientLeavesEndsNothing(t *testing.T) {
	st := &breaking{Store: store.Memory()}
	s, err := mcp.New(serve.New(desk(t), serve.Options{Logger: quiet, Store: st}), mcp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []way{ways[0], ways[2]} {
		t.Run(w.name, func(t *testing.T) {
			before := st.times.Load()
			c := w.connect(t, s, nil)
			call(t, c, "note", `{"text":"x"}`)
			c.Close()
			eventually(t, "the session is not removed", func() bool { return st.times.Load() > before })
			time.Sleep(10 * time.Millisecond) // for the process to end
		})
	}
}

// slow is a store that takes its time to delete.
type slow struct{ store.Store }

func (s slow) Delete(ctx context.Context, kind, id string, version int64) error {
	time.Sleep(100 * time.Millisecond)
	return s.Store.Delete(ctx, kind, id, version)
}

// What comes after Close is the end of the Store and of the process.
func TestNothingIsLeftOfTheSessionsWhenCloseReturns(t *testing.T) {
	st := store.Memory()
	s, err := mcp.New(serve.New(desk(t), serve.Options{Logger: quiet, Store: slow{st}}), mcp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	server := listen(t, s)
	for range 5 {
		call(t, dial(t, &sdk.StreamableClientTransport{Endpoint: server.URL}, nil, "2025-11-25"), "note", `{"text":"x"}`)
	}
	if n := records(t, st); n != 5 {
		t.Fatalf("%d sessions are stored", n)
	}
	s.Close()
	if n := records(t, st); n != 0 {
		t.Errorf("%d sessions are left", n)
	}
}
