package openai

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

func adapter(t *testing.T, s replay.Setup) command.ProfiledExtractor {
	t.Helper()
	if s.URL == "" {
		s.URL = "http://127.0.0.1:1" // where nothing listens
	}
	o := Options{APIKey: replay.Key, BaseURL: s.URL + "/v1", Model: "gpt-6-mini", MaxTokens: 2000, Timeout: s.Timeout, MaxRetries: s.Retries, HTTPClient: s.Client}
	if s.NoKey {
		o.APIKey = ""
	}
	x, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestRecordings(t *testing.T) {
	const values = `{"order_id":"9007199254740993","count":null}`
	for _, want := range []replay.Outcome{
		{File: "success.json", Values: values},
		{File: "numbers.json", Values: `{"order_id":"NOT_FOUND","count":9007199254740993}`},
		{File: "fenced.json", Values: values},
		{File: "sparse.json", Values: values},
		{File: "retried.json", Values: values, Requests: 3},
		{File: "limited.json", Kind: extract.RateLimited, Requests: 3, Detail: []string{"status 429 after 3 requests: requests, rate_limit_exceeded, \"Rate limit reached"}},
		{File: "quota.json", Kind: extract.RateLimited, Detail: []string{"status 429 after 1 request: insufficient_quota, \"You exceeded"}},
		{File: "unauthorized.json", Kind: extract.Unauthorized, Detail: []string{"status 401 after 1 request: invalid_request_error, invalid_api_key"}},
		{File: "forbidden.json", Kind: extract.Unauthorized, Detail: []string{"status 403", "does not have access to model `gpt-6-mini`"}},
		{File: "no_model.json", Kind: extract.Rejected, Detail: []string{"status 404", "does not exist"}},
		{File: "bad_schema.json", Kind: extract.Rejected, Detail: []string{"status 400", "'default' is not permitted"}},
		{File: "unavailable.json", Kind: extract.Unavailable, Requests: 3, Detail: []string{"status 503 after 3 requests"}},
		{File: "refused.json", Kind: extract.Refused, Detail: []string{`"I'm sorry, I can't assist with that request."`}},
		{File: "filtered.json", Kind: extract.Refused, Detail: []string{"content filter"}},
		{File: "truncated.json", Kind: extract.Truncated, Detail: []string{"MaxTokens"}},
		{File: "truncated_reasoning.json", Kind: extract.Truncated},
		{File: "malformed.json", Kind: extract.Malformed, Detail: []string{"is cut off"}},
		{File: "words.json", Kind: extract.Malformed, Detail: []string{`"The order is 9007."`}},
		{File: "list.json", Kind: extract.Malformed},
		{File: "no_choices.json", Kind: extract.Empty, Detail: []string{"it has no choices"}},
		{File: "error_as_answer.json", Kind: extract.Empty, Detail: []string{`the endpoint says upstream, "Provider returned error"`}},
		{File: "no_content.json", Kind: extract.Empty, Detail: []string{`finish reason "stop"`}},
		{File: "not_json.json", Kind: extract.Malformed, Detail: []string{`not of the documented form: "<html>Sign in</html>"`}},
		{File: "broken_json.json", Kind: extract.Malformed, Detail: []string{"not of the documented form"}},
		{File: "nothing.json", Kind: extract.Malformed, Detail: []string{"not of the documented form"}},
	} {
		t.Run(want.File, func(t *testing.T) {
			want.Check(t, func(url string) command.ProfiledExtractor { return adapter(t, replay.Setup{URL: url}) })
		})
	}
}

func TestTransport(t *testing.T) { replay.Transport(t, adapter) }

// wrap puts what a model writes into a completion.
func wrap(content string) string {
	text, _ := json.Marshal(content)
	return `{"id":"chatcmpl-1","object":"chat.completion","created":1795910400,"model":"gpt-6-mini","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","refusal":null,"content":` + string(text) + `}}]}`
}

func TestEndToEnd(t *testing.T) {
	replay.EndToEnd(t, adapter, wrap, func(t *testing.T, request json.RawMessage) (json.RawMessage, string, string) {
		var r struct {
			Messages []struct{ Role, Content string }
			Format   struct {
				JSONSchema struct {
					Name   string
					Strict bool
					Schema json.RawMessage
				} `json:"json_schema"`
			} `json:"response_format"`
		}
		if err := json.Unmarshal(request, &r); err != nil || len(r.Messages) != 2 || r.Messages[0].Role != "system" || r.Messages[1].Role != "user" ||
			!r.Format.JSONSchema.Strict || r.Format.JSONSchema.Name != "cancel" {
			t.Fatalf("the request is %s, %v", request, err)
		}
		return r.Format.JSONSchema.Schema, r.Messages[0].Content, r.Messages[1].Content
	})
}

func TestProfileExists(t *testing.T) {
	if x := adapter(t, replay.Setup{}); !slices.Contains(signature.Profiles(), x.Profile()) {
		t.Errorf("there is no profile %s", x.Profile())
	}
}

func TestMistakesInOptions(t *testing.T) {
	if x, err := New(Options{}); x != nil || err == nil || !strings.HasPrefix(err.Error(), "openai: APIKey is empty") || !strings.Contains(err.Error(), "Model is empty") {
		t.Errorf("empty options make %v, %v", x, err)
	}
	if _, err := New(Options{APIKey: "k", Model: "m"}); err != nil {
		t.Error(err)
	}
}

// An extractor is what its Options say: the SDK would otherwise take keys,
// endpoints and headers from the environment.
func TestTheEnvironmentIsNotRead(t *testing.T) {
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
	t.Setenv("OPENAI_API_KEY", "sk-environment")
	t.Setenv("OPENAI_ORG_ID", "org-environment")
	t.Setenv("OPENAI_PROJECT_ID", "proj-environment")
	t.Setenv("OPENAI_CUSTOM_HEADERS", "X-Custom: environment")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if head := fmt.Sprint(r.Header); strings.Contains(head, "environment") {
			t.Errorf("the headers are %s", head)
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, wrap(`{"order_id":"1"}`))
	}))
	defer server.Close()
	x := adapter(t, replay.Setup{URL: server.URL, NoKey: true})
	if values, err := x.Extract(t.Context(), replay.Question(x.Profile())); err != nil || string(values) != `{"order_id":"1"}` {
		t.Errorf("%s, %v", values, err)
	}
}

// Neither form of printing an Extractor shows its key.
func TestTheKeyIsNotPrinted(t *testing.T) {
	x := adapter(t, replay.Setup{})
	if text := fmt.Sprintf("%v %+v %#v", x, x, x); strings.Contains(text, replay.Key) {
		t.Error(text)
	}
}

// Without MaxTokens nothing is said of them: not every endpoint knows the
// member.
func TestMaxTokensIsOptional(t *testing.T) {
	var body map[string]any
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		json.NewDecoder(r.Body).Decode(&body)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, wrap(`{}`))
	}))
	defer server.Close()
	x, err := New(Options{BaseURL: server.URL + "/v1/", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Extract(t.Context(), replay.Question(x.Profile())); err != nil {
		t.Fatal(err)
	}
	if len(body) != 3 || body["model"] != "m" || body["messages"] == nil || body["response_format"] == nil {
		t.Errorf("the request is %v", body)
	}
}

func TestNoSchema(t *testing.T) {
	x := adapter(t, replay.Setup{})
	values, err := x.Extract(context.Background(), &command.Extraction{Command: "c", Statement: "s"})
	replay.Failed(t, extract.Rejected, values, err, "no JSON schema")
}
