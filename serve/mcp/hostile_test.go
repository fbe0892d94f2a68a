package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/mcp"
)

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`

type reply struct {
	status int
	body   string
	header http.Header
}

// post sends a message and returns the answer, taken out of its stream.
func post(t testing.TB, url string, client *http.Client, body string, header ...string) reply {
	t.Helper()
	r, err := http.NewRequest("POST", url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	out := string(text)
	if _, data, ok := strings.Cut(out, "data: "); ok {
		out, _, _ = strings.Cut(data, "\n")
	}
	return reply{response.StatusCode, out, response.Header}
}

// A wire sends messages as they are written and returns what comes back.
type wire struct {
	name string
	send func(t *testing.T, message string) string
}

// modernCall is a call as version 2026-07-28 has it.
const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`

func wires(t *testing.T, s *mcp.Server) []wire {
	server := listen(t, s)
	began := post(t, server.URL, server.Client(), initialize)
	id := began.header.Get("Mcp-Session-Id")
	overSession := func(t *testing.T, message string) string {
		return post(t, server.URL, server.Client(), message, "Mcp-Session-Id", id, "Mcp-Protocol-Version", "2025-11-25").body
	}
	lines := newLines(t, s)
	lines.send(t, initialize)
	return []wire{{"HTTP", overSession}, {"stdio", lines.send}}
}

type lines struct {
	in  io.Writer
	out *bufio.Reader
}

func newLines(t *testing.T, s *mcp.Server) *lines {
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- s.ServeStdio(context.Background(), toServer, fromServer)
		fromServer.Close()
	}()
	t.Cleanup(func() {
		in.Close()
		if err := <-ended; err != nil {
			t.Errorf("ServeStdio: %v", err)
		}
	})
	return &lines{in, bufio.NewReaderSize(out, 1<<20)}
}

func (l *lines) send(t *testing.T, message string) string {
	t.Helper()
	go func() { _, _ = io.WriteString(l.in, message+"\n") }()
	got := make(chan string, 1)
	go func() {
		line, _ := l.out.ReadString('\n')
		got <- line
	}()
	select {
	case line := <-got:
		return line
	case <-time.After(20 * time.Second):
		t.Fatal("no answer")
		return ""
	}
}

func toolCall(name, arguments string) string {
	return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments + `}}`
}

func TestArgumentsAreRefusedInThePipelinesWords(t *testing.T) {
	s := serverOf(t, mcp.Options{})
	for _, w := range wires(t, s) {
		for _, c := range []struct{ name, message, want string }{
			{"a name twice", toolCall("note", `{"text":"a","text":"b"}`), `more than once`},
			{"bytes that are not UTF-8", toolCall("note", "{\"text\":\"a\xff\"}"), `UTF-8`},
			{"half a surrogate pair", toolCall("note", `{"text":"\ud800"}`), `"isError":true`},
			{"nested too deep", toolCall("note", `{"text":`+strings.Repeat("[", 600)+strings.Repeat("]", 600)+`}`), `nested`},
			{"too many values", toolCall("note", `{"tags":[`+strings.Repeat("0,", 300_000)+`0]}`), `"isError":true`},
			{"a list", toolCall("note", `[1]`), `"isError":true`},
			{"a number", toolCall("note", `7`), `"isError":true`},
			{"a text", toolCall("note", `"half of it"`), `"isError":true`},
			{"nothing", toolCall("note", `null`), `text`},
			{"an unknown name", toolCall("note", `{"txt":"a"}`), `text`},
			{"more than a call may be", toolCall("note", `{"text":"`+strings.Repeat("a", serve.DefaultMaxBytes)+`"}`), "too long"},
		} {
			t.Run(w.name+", "+c.name, func(t *testing.T) {
				got := w.send(t, c.message)
				if !strings.Contains(got, `"isError":true`) || !strings.Contains(got, c.want) || !strings.Contains(got, `"id":7`) {
					t.Errorf("%.300s", got)
				}
				if leaks(got) {
					t.Errorf("words of a decoder: %.300s", got)
				}
			})
		}
		if got := w.send(t, toolCall("note", `{"text":"alive"}`)); !strings.Contains(got, ": alive 1") {
			t.Errorf("%s afterwards: %s", w.name, got)
		}
	}
}

// leaks reports whether a text shows how the server is made.
func leaks(text string) bool {
	for _, word := range []string{"json:", "unmarshal", "Go struct", "mcp.", "*", "panic", ".go", "invalid character", "EOF"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

func TestMessagesThatAreNoneAreRefusedAndTheNextIsServed(t *testing.T) {
	s := serverOf(t, mcp.Options{})
	for _, w := range wires(t, s) {
		for _, c := range []struct{ name, message, want string }{
			{"no JSON", `hello`, `"code":-32700`},
			{"cut off", `{"jsonrpc":"2.0","id":7,`, `"code":-32700`},
			{"two of them", `{"jsonrpc":"2.0","id":7,"method":"ping"} {"jsonrpc":"2.0","id":8,"method":"ping"}`, `"code":-32700`},
			{"a number", `7`, `"code":-32600`},
			{"no version", `{"id":7,"method":"ping"}`, `"code":-32600`},
			{"a method that is none", `{"jsonrpc":"2.0","id":7,"method":7}`, `"code":-32600`},
			{"an id that is none", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, `"code":-32600`},
			{"an id that would be rounded", `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, `below 2^53`},
			{"an id with a fraction", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, `"id":1.5`},
			{"an answer whose error is none", `{"jsonrpc":"2.0","id":7,"error":7}`, `"code":-32600`},
			{"params that are a list", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}`, `"code":-32602`},
			{"arguments twice", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"note","arguments":{},"arguments":{"text":"a"}}}`, `\"arguments\" twice`},
			{"params twice", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"note"},"params":{"name":"book"}}`, `\"params\" twice`},
			{"a name that is a number", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":7}}`, `name must be a string`},
			{"a state that is a number", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"note","requestState":7}}`, `requestState must be`},
			{"answers that are none", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"note","inputResponses":{"a":1}}}`, `inputResponses`},
			{"a call without params", `{"jsonrpc":"2.0","id":7,"method":"tools/call"}`, `names no tool`},
			{"a call whose params are null", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":null}`, `names no tool`},
			{"a cursor that is a number", `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":7}}`, `params of tools/list`},
			{"a _meta that is a number", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":7}}`, `params of ping`},
			{"a version that is a number", `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":7}}`, `params of initialize`},
			{"capabilities that are a text", `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":"all"}}`, `params of initialize`},
			{"a subscription to a number", `{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"notifications":7}}`, `params of subscriptions/listen`},
			{"nested too deep", toolCall("note", `{"text":`+strings.Repeat(`{"a":`, 100_000)+"1"+strings.Repeat("}", 100_000)+`}`), `nested deeper`},
			{"longer than it may be, the id first", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"note","arguments":{"text":"` + strings.Repeat("a", 6<<20) + `"}}}`, `longer than`},
			{"longer than it may be, the id last", `{"method":"tools/call","params":{"name":"note","arguments":{"text":"` + strings.Repeat("a", 6<<20) + `"}},"jsonrpc":"2.0","id":7}`, `longer than`},
		} {
			t.Run(w.name+", "+c.name, func(t *testing.T) {
				got := w.send(t, c.message)
				if !strings.Contains(got, c.want) || !strings.Contains(got, `"error"`) || !json.Valid([]byte(got)) {
					t.Errorf("%.300s", got)
				}
				if leaks(got) {
					t.Errorf("words of a decoder: %.300s", got)
				}
				if strings.Contains(c.name, "longer") && w.name == "stdio" && !strings.Contains(got, `"id":7`) {
					t.Errorf("the sender waits on: %.300s", got)
				}
			})
		}
		if got := w.send(t, toolCall("note", `{"text":"alive"}`)); !strings.Contains(got, ": alive 1") {
			t.Errorf("%s afterwards: %s", w.name, got)
		}
	}
}

func TestABatchIsRefusedOnStdio(t *testing.T) {
	l := newLines(t, serverOf(t, mcp.Options{}))
	l.send(t, initialize)
	if got := l.send(t, `[{"jsonrpc":"2.0","id":7,"method":"ping"}]`); !strings.Contains(got, "Batches are not taken") {
		t.Error(got)
	}
}

// Each of them may wait for a user, and a message holds some ten thousand.
func TestABatchOfManyMessagesIsRefused(t *testing.T) {
	server := listen(t, serverOf(t, mcp.Options{}))
	began := post(t, server.URL, server.Client(), strings.Replace(initialize, "2025-11-25", "2025-03-26", 1))
	for n, want := range map[int]string{64: `"result"`, 65: "more than 64 messages"} {
		messages := make([]string, n)
		for i := range messages {
			messages[i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i)
		}
		got := post(t, server.URL, server.Client(), "["+strings.Join(messages, ",")+"]", "Mcp-Session-Id", began.header.Get("Mcp-Session-Id"))
		if !strings.Contains(got.body, want) {
			t.Errorf("%d messages: %.200s", n, got.body)
		}
	}
}

func TestLinesThatAreEmptyOrEndInCRAreRead(t *testing.T) {
	l := newLines(t, serverOf(t, mcp.Options{}))
	l.send(t, "\r\n  \n"+initialize+"\r")
	if got := l.send(t, toolCall("note", `{"text":"a"}`)+"\r\n"); !strings.Contains(got, "1: a 1") {
		t.Error(got)
	}
}

func TestMethodsThatAreNotOfferedDoNotExist(t *testing.T) {
	for _, w := range wires(t, serverOf(t, mcp.Options{})) {
		for _, method := range []string{"prompts/list", "resources/list", "resources/read", "completion/complete", "tasks/list", "nonsense"} {
			if got := w.send(t, `{"jsonrpc":"2.0","id":7,"method":"`+method+`","params":{"uri":"a"}}`); !strings.Contains(got, "-32601") && !strings.Contains(got, "unsupported") {
				t.Errorf("%s, %s: %s", w.name, method, got)
			}
		}
	}
}

func TestBrowsersFromElsewhereAreRefused(t *testing.T) {
	server := listen(t, serverOf(t, mcp.Options{Hosts: []string{"desk.example"}}))
	for _, c := range []struct {
		name, header, value string
		status              int
	}{
		{"another site", "Origin", "https://evil.example", 403},
		{"another site, as the browser says", "Sec-Fetch-Site", "cross-site", 403},
		{"the same site", "Origin", server.URL, 200},
		{"no browser", "X-Nothing", "x", 200},
	} {
		if r := post(t, server.URL, server.Client(), initialize, c.header, c.value); r.status != c.status {
			t.Errorf("%s: %d %s, want %d", c.name, r.status, r.body, c.status)
		}
	}
	for host, want := range map[string]int{"evil.example": 403, "evil.example:80": 403, "localhost:1": 200, "127.0.0.1": 200, "[::1]:9": 200, "Desk.example:443": 200} {
		r, _ := http.NewRequest("POST", server.URL, strings.NewReader(initialize))
		r.Host = host
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		response, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("called as %s: %d, want %d", host, response.StatusCode, want)
		}
	}
}
