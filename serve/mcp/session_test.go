package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/mcp"
	"github.com/fwgo/fwgo/store"
)

// verify accepts tokens that are names.
func verify(token string) (serve.Caller, error) {
	switch token {
	case "ada", "bob":
		return serve.Caller{Channel: token, User: token}, nil
	case "nobody":
		return serve.Caller{}, nil
	case "broken":
		return serve.Caller{}, errors.New("the directory is down at 10.0.0.1")
	}
	return serve.Caller{}, fmt.Errorf("%w: it is \"forged\"\nor old", serve.ErrToken)
}

type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

func as(token string) *http.Client { return &http.Client{Transport: bearer(token)} }

func TestWithoutATokenThatIsAcceptedNothingIsServed(t *testing.T) {
	server := listen(t, serverOf(t, mcp.Options{Verify: verify}))
	for _, c := range []struct {
		authorization string
		status        int
		challenge     string
		body          string
	}{
		{"", 401, "Bearer", "token is needed"},
		{"Basic YTpi", 401, "Bearer", "token is needed"},
		{"Bearer", 401, "Bearer", "token is needed"},
		{"Bearer forged", 401, `Bearer error="invalid_token", error_description="the token is not accepted: it is 'forged''or old"`, "not accepted"},
		{"bearer nobody", 401, `Bearer error="invalid_token"`, "no channel"},
		{"Bearer broken", 503, "", "Try again later"},
	} {
		r, _ := http.NewRequest("POST", server.URL, strings.NewReader(initialize))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if c.authorization != "" {
			r.Header.Set("Authorization", c.authorization)
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != c.status || !strings.HasPrefix(response.Header.Get("WWW-Authenticate"), c.challenge) ||
			!strings.Contains(string(body), c.body) || strings.Contains(string(body), "10.0.0.1") {
			t.Errorf("%q: %d, %q, %s", c.authorization, response.StatusCode, response.Header.Get("WWW-Authenticate"), body)
		}
	}
}

func TestTheSessionIsTheChannelOfTheTokenWhicheverTheVersion(t *testing.T) {
	server := listen(t, serverOf(t, mcp.Options{Verify: verify}))
	for i, step := range []struct{ token, version, want string }{
		{"ada", "2026-07-28", "1: x 1 "}, {"ada", "2025-11-25", "2: x 1 "}, {"bob", "2026-07-28", "1: x 1 "}, {"ada", "2026-07-28", "3: x 1 "},
	} {
		c := dial(t, &sdk.StreamableClientTransport{Endpoint: server.URL, HTTPClient: as(step.token)}, nil, step.version)
		if r := call(t, c, "note", `{"text":"x"}`); text(r) != step.want {
			t.Errorf("step %d: %q, want %q", i, text(r), step.want)
		}
	}
}

func TestASessionIsRefusedToAnotherChannel(t *testing.T) {
	server := listen(t, serverOf(t, mcp.Options{Verify: verify}))
	c := dial(t, &sdk.StreamableClientTransport{Endpoint: server.URL, HTTPClient: as("ada")}, nil, "2025-11-25")
	for token, want := range map[string]int{"ada": 200, "bob": 403, "forged": 401} {
		r := post(t, server.URL, as(token), `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Mcp-Session-Id", c.ID(), "Mcp-Protocol-Version", "2025-11-25")
		if r.status != want {
			t.Errorf("%s: %d %s, want %d", token, r.status, r.body, want)
		}
	}
	if r := post(t, server.URL, as("ada"), `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Mcp-Session-Id", "made-up", "Mcp-Protocol-Version", "2025-11-25"); r.status != 404 {
		t.Errorf("a session that is none: %d %s", r.status, r.body)
	}
}

func records(t *testing.T, s store.Store) int {
	t.Helper()
	list, err := s.List(t.Context(), store.Query{Kind: "session", Limit: store.MaxLimit})
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 200 {
		if ok() {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Error(what)
}

func TestASessionThatIsNotUsedEnds(t *testing.T) {
	st := store.Memory()
	s, err := mcp.New(serve.New(desk(t), serve.Options{Logger: quiet, Store: st}), mcp.Options{SessionTTL: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	server := listen(t, s)
	c := dial(t, &sdk.StreamableClientTransport{Endpoint: server.URL, DisableStandaloneSSE: true}, nil, "2025-11-25")
	call(t, c, "note", `{"text":"x"}`)
	eventually(t, "the workflow's session is still stored", func() bool { return records(t, st) == 0 })
	if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "note"}); err == nil {
		t.Error("a call in a session that ended ran")
	}
}

func TestWhenThereAreTooManySessionsTheLongestUnusedEnds(t *testing.T) {
	s := serverOf(t, mcp.Options{MaxSessions: 2})
	server := listen(t, s)
	connect := func() *sdk.ClientSession {
		return dial(t, &sdk.StreamableClientTransport{Endpoint: server.URL, DisableStandaloneSSE: true}, nil, "2025-11-25")
	}
	a, b := connect(), connect()
	call(t, b, "note", `{"text":"x"}`)
	call(t, a, "note", `{"text":"x"}`)
	connect()
	if r := call(t, a, "note", `{"text":"x"}`); text(r) != "2: x 1 " {
		t.Errorf("the one in use: %q", text(r))
	}
	eventually(t, "the one unused goes on", func() bool {
		_, err := b.CallTool(context.Background(), &sdk.CallToolParams{Name: "break"})
		return err != nil
	})
}

func TestASessionInWhichACallRunsIsNotEndedForAnother(t *testing.T) {
	s := serverOf(t, mcp.Options{MaxSessions: 1})
	server := listen(t, s)
	c := dial(t, &sdk.StreamableClientTransport{Endpoint: server.URL}, nil, "2025-11-25")
	ctx, cancel := context.WithCancel(t.Context())
	go func() { _, _ = c.CallTool(ctx, &sdk.CallToolParams{Name: "wait"}) }()
	<-waiting
	client := sdk.NewClient(&sdk.Implementation{Name: "late", Version: "1"}, nil)
	_, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: server.URL}, &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err == nil || !strings.Contains(err.Error(), "as many sessions as it may") {
		t.Errorf("%v", err)
	}
	cancel()
	<-stopped
}

func TestNothingIsLeftOfSessionsThatEnded(t *testing.T) {
	st := store.Memory()
	s, err := mcp.New(serve.New(desk(t), serve.Options{Logger: quiet, Store: st}), mcp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	round := func() {
		var clients sync.WaitGroup
		for i := range 20 {
			clients.Go(func() {
				version := []string{"2025-11-25", "2026-07-28"}[i%2]
				client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
				c, err := client.Connect(context.Background(), &sdk.StreamableClientTransport{Endpoint: server.URL}, &sdk.ClientSessionOptions{ProtocolVersion: version})
				if err != nil {
					t.Error(err)
					return
				}
				tools(t, c)
				call(t, c, "enter_room", `{"name":"attic"}`)
				c.Close()
			})
		}
		clients.Wait()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	}
	round()
	eventually(t, "sessions are still stored", func() bool { return records(t, st) == 0 })
	before := runtime.NumGoroutine()
	for range 3 {
		round()
	}
	eventually(t, "goroutines are left", func() bool { return runtime.NumGoroutine() <= before+2 })
	eventually(t, "sessions are still stored", func() bool { return records(t, st) == 0 })

	c := dial(t, &sdk.StreamableClientTransport{Endpoint: server.URL}, nil, "2025-11-25")
	call(t, c, "note", `{"text":"x"}`)
	s.Close()
	ended := make(chan struct{})
	go func() {
		server.Close() // waits for streams that are open
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("Close leaves a stream open")
	}
}

func TestSixtyFourClientsAtOnceEachHaveTheirOwnAnswers(t *testing.T) {
	s := serverOf(t, mcp.Options{})
	server := listen(t, s)
	var clients sync.WaitGroup
	for i := range 64 {
		clients.Go(func() {
			version := []string{"2025-11-25", "2026-07-28"}[i%2]
			client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
			c, err := client.Connect(context.Background(), &sdk.StreamableClientTransport{Endpoint: server.URL}, &sdk.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			for k := range 5 {
				n := k + 1
				if i%2 == 1 {
					n = 1 // a session a call
				}
				want := fmt.Sprintf("%d: client %d 1 ", n, i)
				if r := call(t, c, "note", fmt.Sprintf(`{"text":"client %d"}`, i)); text(r) != want {
					t.Errorf("%q, want %q", text(r), want)
				}
			}
		})
	}
	clients.Wait()
}
