package mcp_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/serve/mcp"
)

// The calls of a session run one after the other, and each is answered when it
// has run, not when the next one has.
func TestAnAnswerDoesNotWaitForTheNextCallOfItsSession(t *testing.T) {
	o, told := heard()
	c := overStdio("2025-11-25")(t, serverOf(t, mcp.Options{}), o)
	tools(t, c)
	wait := func() context.CancelFunc {
		ctx, cancel := context.WithCancel(context.Background())
		go func() { _, _ = c.CallTool(ctx, &sdk.CallToolParams{Name: "wait"}) }()
		return cancel
	}
	first := wait()
	<-waiting
	answered := make(chan string, 1)
	go func() {
		r, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: "enter_room", Arguments: json.RawMessage(`{"name":"attic"}`)})
		if err != nil {
			t.Error(err)
		}
		answered <- text(r)
	}()
	time.Sleep(300 * time.Millisecond) // it waits for its turn
	second := wait()
	time.Sleep(300 * time.Millisecond)
	first()
	<-stopped
	<-waiting // the second has the session
	select {
	case got := <-answered:
		if got != "in attic" {
			t.Errorf("%q", got)
		}
	case <-time.After(5 * time.Second):
		t.Error("the answer waits for the next call")
	}
	second()
	<-stopped
	hears(t, told, "what the call between them changed")
}
