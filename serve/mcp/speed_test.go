package mcp_test

import (
	"bufio"
	"context"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/serve/mcp"
)

// One call of a tool with three parameters, from line to line.
func BenchmarkCallStdio(b *testing.B) {
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	go func() { _ = serverOf(b, mcp.Options{}).ServeStdio(context.Background(), toServer, fromServer) }()
	answers := bufio.NewReader(out)
	send := func(message string) {
		if _, err := io.WriteString(in, message+"\n"); err != nil {
			b.Fatal(err)
		}
		if _, err := answers.ReadString('\n'); err != nil {
			b.Fatal(err)
		}
	}
	send(initialize)
	message := toolCall("note", `{"text":"x","count":"3","tags":["a","b"]}`)
	b.ReportAllocs()
	for b.Loop() {
		send(message)
	}
	in.Close()
}

// The same from request to response over HTTP, without a session.
func BenchmarkCallHTTP(b *testing.B) {
	server := httptest.NewServer(serverOf(b, mcp.Options{}).Handler())
	defer server.Close()
	message := strings.Replace(toolCall("note", `{"text":"x","count":"3","tags":["a","b"]}`), `"arguments"`, modernMeta+`,"arguments"`, 1)
	b.ReportAllocs()
	for b.Loop() {
		r := post(b, server.URL, server.Client(), message, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "note")
		if r.status != 200 {
			b.Fatal(r.body)
		}
	}
}
