package anthropic

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/extract"
	"github.com/fwgo/fwgo/extract/internal/replay"
	"github.com/fwgo/fwgo/signature"
)

func options(s replay.Setup) Options {
	if s.URL == "" {
		s.URL = "http://127.0.0.1:1" // where nothing listens
	}
	o := Options{APIKey: replay.Key, BaseURL: s.URL, Model: "claude-haiku-5-5", MaxTokens: 2000, Timeout: s.Timeout, MaxRetries: s.Retries, HTTPClient: s.Client}
	if s.NoKey {
		o.APIKey = ""
	}
	return o
}

func made(t *testing.T, o Options) command.ProfiledExtractor {
	t.Helper()
	x, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func adapter(t *testing.T, s replay.Setup) command.ProfiledExtractor {
	t.Helper()
	return made(t, options(s))
}

func forced(t *testing.T, s replay.Setup) command.ProfiledExtractor {
	t.Helper()
	o := options(s)
	o.ForceTool = true
	return made(t, o)
}

func TestRecordings(t *testing.T) {
	const values = `{"order_id":"9007199254740993","count":null}`
	const exact = `{"order_id":"NOT_FOUND","count":9007199254740993}`
	for _, want := range []replay.Outcome{
		{File: "success.json", Values: values},
		{File: "thinking.json", Values: values},
		{File: "numbers.json", Values: exact},
		{File: "retried.json", Values: values, Requests: 3},
		{File: "limited.json", Kind: extract.RateLimited, Requests: 3, Detail: []string{"status 429 after 3 requests: rate_limit_error, \"This request would exceed"}},
		{File: "unauthorized.json", Kind: extract.Unauthorized, Detail: []string{"status 401 after 1 request: authentication_error"}},
		{File: "forbidden.json", Kind: extract.Unauthorized, Detail: []string{"status 403", "does not have permission"}},
		{File: "no_model.json", Kind: extract.Rejected, Detail: []string{"status 404", "model: claude-haiku-5-5"}},
		{File: "bad_schema.json", Kind: extract.Rejected, Detail: []string{"status 400", "'minimum' is not supported"}},
		{File: "unavailable.json", Kind: extract.Unavailable, Requests: 3, Detail: []string{"status 503 after 3 requests"}},
		{File: "refused.json", Kind: extract.Refused, Detail: []string{`cyber, "This request was declined."`}},
		{File: "refused_plainly.json", Kind: extract.Refused},
		{File: "truncated.json", Kind: extract.Truncated, Detail: []string{"MaxTokens"}},
		{File: "window.json", Kind: extract.Truncated, Detail: []string{"context window"}},
		{File: "malformed.json", Kind: extract.Malformed, Detail: []string{"is cut off"}},
		{File: "list.json", Kind: extract.Malformed},
		{File: "no_content.json", Kind: extract.Empty, Detail: []string{`stop reason "end_turn"`}},
		{File: "pause.json", Kind: extract.Empty, Detail: []string{`stop reason "pause_turn"`}},
		{File: "error_as_answer.json", Kind: extract.Empty, Detail: []string{`the endpoint says upstream_error, "Provider returned error"`}},
		{File: "not_json.json", Kind: extract.Malformed, Detail: []string{`not of the documented form: "<html>Sign in</html>"`}},
		{File: "broken_json.json", Kind: extract.Malformed, Detail: []string{"not of the documented form"}},
		{File: "nothing.json", Kind: extract.Malformed, Detail: []string{"not of the documented form"}},
	} {
		t.Run(want.File, func(t *testing.T) {
			want.Check(t, func(url string) command.ProfiledExtractor { return adapter(t, replay.Setup{URL: url}) })
		})
	}
	for _, want := range []replay.Outcome{
		{File: "tool.json", Values: exact},
		{File: "truncated_tool.json", Kind: extract.Truncated},
		{File: "refused.json", Kind: extract.Refused},
		{File: "no_tool_call.json", Kind: extract.Malformed, Detail: []string{`words instead of a tool call: "The statement mentions no order."`}},
		{File: "two_tool_calls.json", Kind: extract.Malformed, Detail: []string{"calls the tool 2 times"}},
		{File: "no_content.json", Kind: extract.Empty},
	} {
		t.Run("forced "+want.File, func(t *testing.T) {
			want.Check(t, func(url string) command.ProfiledExtractor { return forced(t, replay.Setup{URL: url}) })
		})
	}
}

// Structured output refuses a map, so a command that has one is offered as a
// tool, which the model is free not to call: models that think refuse to be
// forced.
func TestMapsGoByTool(t *testing.T) {
	server := replay.Start(t, "testdata/open.json")
	x := adapter(t, replay.Setup{URL: server.URL})
	r := replay.Question(x.Profile())
	r.Schema = json.RawMessage(`{"additionalProperties":false,"properties":{"labels":{"additionalProperties":{"type":"string"},"type":"object"}},"required":["labels"],"title":"Cancel","type":"object"}`)
	if values, err := x.Extract(t.Context(), r); err != nil || !replay.Equal(t, values, []byte(`{"labels":{"colour":"red"}}`)) {
		t.Errorf("%s, %v", values, err)
	}
}

func TestOpenIsWhatTheProfileLeavesOpen(t *testing.T) {
	type line struct {
		Type string `json:"type"`
	}
	type closed struct {
		Type    *string `json:"type,omitempty"`
		Lines   []line  `json:"lines"`
		Default line    `json:"default"`
	}
	type openMap struct {
		Lines []struct {
			Labels map[string]int `json:"labels"`
		} `json:"lines"`
	}
	for want, sig := range map[bool]func() (*signature.Signature, error){
		false: func() (*signature.Signature, error) { return signature.For[closed](signature.TypeOptions{}) },
		true:  func() (*signature.Signature, error) { return signature.For[openMap](signature.TypeOptions{}) },
	} {
		s, err := sig()
		if err != nil {
			t.Fatal(err)
		}
		schema, err := s.Profile("anthropic")
		if err != nil {
			t.Fatal(err)
		}
		if got := open(schema); got != want {
			t.Errorf("open is %v of %s", got, schema)
		}
	}
}

func TestTransport(t *testing.T) { replay.Transport(t, adapter) }

// message puts content into an answer.
func message(content any, stop string) string {
	text, _ := json.Marshal(map[string]any{"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-haiku-5-5",
		"content": []any{content}, "stop_reason": stop, "stop_sequence": nil, "usage": map[string]any{"input_tokens": 1, "output_tokens": 1}})
	return string(text)
}

func wrap(text string) string {
	return message(map[string]any{"type": "text", "text": text}, "end_turn")
}

// A request is what the tests look at of one.
type request struct {
	System   []struct{ Text string }
	Messages []struct {
		Role    string
		Content []struct{ Text string }
	}
	OutputConfig *struct {
		Format struct {
			Type   string
			Schema json.RawMessage
		}
	} `json:"output_config"`
	Tools []struct {
		Name   string
		Schema json.RawMessage `json:"input_schema"`
	}
}

func parsed(t *testing.T, text json.RawMessage) *request {
	t.Helper()
	var r request
	if err := json.Unmarshal(text, &r); err != nil || len(r.System) != 1 || len(r.Messages) != 1 || r.Messages[0].Role != "user" || len(r.Messages[0].Content) != 1 {
		t.Fatalf("the request is %s, %v", text, err)
	}
	return &r
}

func TestEndToEnd(t *testing.T) {
	replay.EndToEnd(t, adapter, wrap, func(t *testing.T, text json.RawMessage) (json.RawMessage, string, string) {
		r := parsed(t, text)
		if r.OutputConfig == nil || r.OutputConfig.Format.Type != "json_schema" || len(r.Tools) != 0 {
			t.Fatalf("the request is %s", text)
		}
		return r.OutputConfig.Format.Schema, r.System[0].Text, r.Messages[0].Content[0].Text
	})
}

func TestEndToEndByTool(t *testing.T) {
	use := func(values string) string {
		if !json.Valid([]byte(values)) {
			return wrap(values)
		}
		return message(map[string]any{"type": "tool_use", "id": "toolu_1", "name": "cancel", "input": json.RawMessage(values)}, "tool_use")
	}
	replay.EndToEnd(t, forced, use, func(t *testing.T, text json.RawMessage) (json.RawMessage, string, string) {
		r := parsed(t, text)
		if r.OutputConfig != nil || len(r.Tools) != 1 || r.Tools[0].Name != "cancel" {
			t.Fatalf("the request is %s", text)
		}
		return r.Tools[0].Schema, r.System[0].Text, r.Messages[0].Content[0].Text
	})
}

func TestProfileExists(t *testing.T) {
	if x := adapter(t, replay.Setup{}); !slices.Contains(signature.Profiles(), x.Profile()) {
		t.Errorf("there is no profile %s", x.Profile())
	}
}

func TestMistakesInOptions(t *testing.T) {
	if x, err := New(Options{}); x != nil || err == nil || !strings.HasPrefix(err.Error(), "anthropic: APIKey is empty") || !strings.Contains(err.Error(), "Model is empty") {
		t.Errorf("empty options make %v, %v", x, err)
	}
	if _, err := New(Options{APIKey: "k", Model: "m"}); err != nil {
		t.Error(err)
	}
}

// An extractor is what its Options say: the SDK would otherwise take keys,
// endpoints and headers from the environment and from files. It also has a
// limit of its own on MaxTokens.
func TestTheEnvironmentIsNotRead(t *testing.T) {
	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
	t.Setenv("ANTHROPIC_API_KEY", "sk-environment")
	t.Setenv("ANTHROPIC_AUTH_TOKEN", "token-environment")
	t.Setenv("ANTHROPIC_PROFILE", "environment")
	t.Setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Custom: environment")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if head := fmt.Sprint(r.Header); strings.Contains(head, "environment") || r.Header.Get("Authorization") != "" {
			t.Errorf("the headers are %s", head)
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, wrap(`{"order_id":"1"}`))
	}))
	defer server.Close()
	o := options(replay.Setup{URL: server.URL, NoKey: true})
	o.MaxTokens = 100_000
	x := made(t, o)
	if values, err := x.Extract(t.Context(), replay.Question(x.Profile())); err != nil || string(values) != `{"order_id":"1"}` {
		t.Errorf("%s, %v", values, err)
	}
}

// No form of printing an Extractor shows its key.
func TestTheKeyIsNotPrinted(t *testing.T) {
	x := adapter(t, replay.Setup{})
	if text := fmt.Sprintf("%v %+v %#v", x, x, x); strings.Contains(text, replay.Key) {
		t.Error(text)
	}
}

func TestNoSchema(t *testing.T) {
	x := adapter(t, replay.Setup{})
	values, err := x.Extract(context.Background(), &command.Extraction{Command: "c", Statement: "s"})
	replay.Failed(t, extract.Rejected, values, err, "no JSON schema")
}
