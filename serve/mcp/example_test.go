package mcp_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/mcp"
)

type greeting struct {
	Name string `json:"name" jsonschema_description:"Who to greet"`
}

func greeter() *serve.Dispatcher {
	w := command.MustNew(command.Options{Name: "greeter"}, command.Define(command.Spec[greeting]{
		Name:     "greet",
		ReadOnly: true,
		Run: func(_ context.Context, _ *command.Session, in *greeting) (command.Response, error) {
			return command.Say("Hello, " + in.Name), nil
		},
	}))
	return serve.New(w, serve.Options{Logger: slog.New(slog.DiscardHandler)})
}

// A program that an MCP client starts serves its standard input and output:
// ServeStdio(ctx, nil, nil).
func ExampleServer_ServeStdio() {
	server, err := mcp.New(greeter(), mcp.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"example","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"greet","arguments":{"name":"Ada"}}}
`)
	var out bytes.Buffer
	if err := server.ServeStdio(context.Background(), in, &out); err != nil {
		fmt.Println(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	fmt.Println(lines[len(lines)-1])
	// Output: {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"Hello, Ada"}]}}
}

func ExampleServer_Handler() {
	server, err := mcp.New(greeter(), mcp.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", server.Handler())
	h := httptest.NewServer(mux)
	defer h.Close()

	// A call as version 2026-07-28 has it: no handshake, no session.
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","arguments":{"name":"Ada"},
		"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	r, _ := http.NewRequest("POST", h.URL+"/mcp", strings.NewReader(body))
	for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "greet"} {
		r.Header.Set(name, value)
	}
	response, err := h.Client().Do(r)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	fmt.Println(response.StatusCode, strings.Contains(string(text), "Hello, Ada"))
	// Output: 200 true
}
