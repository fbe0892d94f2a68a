package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"pgregory.net/rapid"

	"context"
	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/signature"
)

// Whatever is let through the SDK can read, and whatever is refused gets an
// answer that a client can read.
func FuzzInspect(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"a","arguments":{"b":[1]},"requestState":"x","inputResponses":{"a":{"action":"accept","content":{}}}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.5}}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`, `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `[]`, `{`, "\xff", `{"id":1}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, r := inspect(text)
		if r != nil {
			var answer struct {
				Error struct {
					Code    int
					Message string
				}
			}
			if err := json.Unmarshal(r.response(), &answer); err != nil || answer.Error.Code == 0 || answer.Error.Message == "" {
				t.Errorf("%v: %s", err, r.response())
			}
			return
		}
		if strings.HasPrefix(strings.TrimSpace(string(text)), "[") {
			return
		}
		if _, err := jsonrpc.DecodeMessage(text); err != nil {
			t.Errorf("let through, and not read: %v", err)
		}
		if m.method == "" && m.modern {
			t.Error("a response with a version")
		}
	})
}

// A line is read as it was sent, or refused, whatever its length.
func FuzzLines(f *testing.F) {
	f.Add([]byte("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n\r\nx\n"), 100)
	f.Add([]byte(strings.Repeat("a", 500)+"\n"), 300)
	f.Fuzz(func(t *testing.T, text []byte, most int) {
		most = 256 + max(0, most)%4096
		var out strings.Builder
		l := newLineReader(strings.NewReader(string(text)), newLineWriter(&out), most)
		lines := 0
		for {
			line, r, err := l.line()
			if err != nil {
				break
			}
			lines++
			if r == nil && len(line) > most {
				t.Errorf("a line of %d bytes, and at most %d", len(line), most)
			}
		}
		if want := strings.Count(strings.TrimSuffix(string(text), "\n"), "\n") + 1; len(text) > 0 && lines != want {
			t.Errorf("%d lines, want %d", lines, want)
		}
	})
}

func TestAnAnswerLeavesTheOtherArgumentsTheirBytes(t *testing.T) {
	c := command.Define(command.Spec[signature.Record]{Name: "c",
		Schema: []byte(`{"type":"object","properties":{"a":{"type":"string","aliases":["alpha"]},"b":{}}}`),
		Run: func(context.Context, *command.Session, *signature.Record) (command.Response, error) {
			return command.Say(""), nil
		}})
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SampledFrom([]string{`1`, `9007199254740993`, `1.50`, `"x\u0041"`, `null`, `{ "n" : [1, 2] }`, `"&amp;"`})
		b, old := values.Draw(t, "b"), values.Draw(t, "old")
		name := rapid.SampledFrom([]string{"a", "alpha"}).Draw(t, "name")
		for before, want := range map[string]string{
			``: `{"a":"new"}`, `null`: `{"a":"new"}`, `{}`: `{"a":"new"}`,
			`{"b": ` + b + `}`:                           `{"b":` + b + `,"a":"new"}`,
			`{"` + name + `":` + old + `,"b":` + b + `}`: `{"b":` + b + `,"a":"new"}`,
		} {
			if got := string(merge(c, json.RawMessage(before), []answer{{"a", json.RawMessage(`"new"`)}})); got != want {
				t.Errorf("%s: %s, want %s", before, got, want)
			}
		}
	})
}
