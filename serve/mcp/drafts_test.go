package mcp_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/drafts"
	"github.com/fwgo/fwgo/serve/mcp"
	"github.com/fwgo/fwgo/serve/token"
)

// withDrafts is a server that takes drafts, and what reaches the same desk
// another way.
func withDrafts(t testing.TB, o mcp.Options) (*mcp.Server, *drafts.Desk) {
	t.Helper()
	d := serve.New(desk(t), serve.Options{Logger: quiet})
	b, err := drafts.New(d, drafts.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o.Drafts = b
	s, err := mcp.New(d, o)
	if err != nil {
		t.Fatal(err)
	}
	return s, b
}

// bearing is a client that sends a token with every request.
type bearing string

func (b bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// holding connects to a server that checks tokens, with one for a subject.
func holding(t testing.TB, url string, i *token.Issuer, subject token.Subject, version string) *sdk.ClientSession {
	t.Helper()
	pair, err := i.Issue(subject)
	if err != nil {
		t.Fatal(err)
	}
	return dial(t, &sdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: bearing(pair.Access)}}, nil, version)
}

func tokens(t testing.TB) *token.Issuer {
	t.Helper()
	i, err := token.New(token.Options{TrustRoles: true})
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// at is the value at a path in the data of a result.
func at(t testing.TB, r *sdk.CallToolResult, path string) any {
	t.Helper()
	data, err := json.Marshal(r.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	for _, name := range append([]string{"artifacts"}, strings.Split(path, ".")...) {
		members, _ := value.(map[string]any)
		value = members[name]
	}
	return value
}

const noted = `{"format_version":1,"steps":[{"id":"a","source":"use mod.desk\ndesk.note({text: \"x &amp; y\", count: \"2\"}).response"}]}`

func TestADraftGoesAllItsWayOverMCP(t *testing.T) {
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		for name, draft := range map[string]string{"as an object": noted, "as a text": quoted(noted)} {
			t.Run(version+" "+name, func(t *testing.T) {
				i := tokens(t)
				s, _ := withDrafts(t, mcp.Options{Verify: i.Verify})
				server := httptest.NewServer(s.Handler())
				t.Cleanup(server.Close)
				owner := holding(t, server.URL, i, token.Subject{Channel: "ada"}, version)
				operator := holding(t, server.URL, i, token.Subject{Channel: "ops", User: "Olga", Operator: true}, version)
				r := call(t, owner, "draft_propose", `{"draft":`+draft+`}`)
				id, _ := at(t, r, "draft.id").(string)
				plan, _ := at(t, r, "draft.plan.fingerprint").(string)
				if r.IsError || id == "" || plan == "" || !strings.Contains(text(r), "/approve") || !strings.Contains(text(r), plan) {
					t.Fatalf("propose: %s", text(r))
				}
				r = call(t, operator, "draft_get", `{"id":"`+id+`","review":"yes"}`)
				if got, _ := at(t, r, "draft.draft").(map[string]any); r.IsError || !strings.Contains(text(r), `x &amp; y`) || got == nil {
					t.Errorf("what is reviewed is not what was sent: %s", text(r))
				}
				// Nearly right arguments are repaired as those of any call.
				r = call(t, operator, "draft_approve", `{"id":"`+id+`","plan_fingerprint":"`+plan+`","grants":"[{\"step\":\"a\",\"tool\":\"note\",\"calls\":\"1\"}]"}`)
				if r.IsError || at(t, r, "draft.status") != "approved" {
					t.Fatalf("approve: %s", text(r))
				}
				r = call(t, owner, "draft_execute", `{"id":"`+id+`"}`)
				if r.IsError || at(t, r, "draft.status") != "completed" || at(t, r, "draft.result.dataflow.outputs.a") != "1: x & y 2 " {
					t.Fatalf("execute: %s", text(r))
				}
				r = call(t, owner, "draft_events", `{"id":"`+id+`","since":3}`)
				if events, _ := at(t, r, "events").([]any); r.IsError || len(events) != 4 || at(t, r, "over") != true {
					t.Errorf("events: %s", text(r))
				}
				r = call(t, owner, "draft_checkpoint", `{"id":"`+id+`"}`)
				if r.IsError || at(t, r, "checkpoint.plan_fingerprint") != plan {
					t.Errorf("checkpoint: %s", text(r))
				}
				r = call(t, owner, "draft_list", `{}`)
				if r.IsError || !strings.Contains(text(r), id) {
					t.Errorf("list: %s", text(r))
				}
				// The run was in the session of the owner.
				if got := text(call(t, owner, "note", `{"text":"after"}`)); got != "2: after 1 " {
					t.Errorf("after the draft: %q", got)
				}
				for tool, arguments := range map[string]string{"draft_resume": "", "draft_execute": "", "draft_abandon": ""} {
					if r := call(t, owner, tool, `{"id":"`+id+`"`+arguments+`}`); !r.IsError || at(t, r, "code") != "wrong_state" {
						t.Errorf("%s: %s", tool, text(r))
					}
				}
			})
		}
	}
}

func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(out)
}

func toolNames(t testing.TB, c *sdk.ClientSession) string {
	t.Helper()
	list, err := c.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		if strings.HasPrefix(tool.Name, "draft_") {
			names = append(names, tool.Name)
		}
	}
	return strings.Join(names, " ")
}

const forAll = "draft_abandon draft_checkpoint draft_events draft_execute draft_get draft_list draft_propose draft_resume draft_schema"

func TestOnlyOperatorsSeeAndCallWhatIsForThem(t *testing.T) {
	i := tokens(t)
	s, _ := withDrafts(t, mcp.Options{Verify: i.Verify, Operator: true})
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	owner := holding(t, server.URL, i, token.Subject{Channel: "ada"}, "2025-11-25")
	stranger := holding(t, server.URL, i, token.Subject{Channel: "eve"}, "2025-11-25")
	operator := holding(t, server.URL, i, token.Subject{Channel: "ops", Operator: true}, "2025-11-25")
	if got := toolNames(t, owner); got != forAll {
		t.Errorf("the owner is shown %s", got)
	}
	if got := toolNames(t, operator); got != strings.Replace(forAll, "draft_checkpoint", "draft_answer_call draft_approve draft_checkpoint", 1) {
		t.Errorf("the operator is shown %s", got)
	}
	r := call(t, owner, "draft_propose", `{"draft":`+noted+`}`)
	id, _ := at(t, r, "draft.id").(string)
	plan, _ := at(t, r, "draft.plan.fingerprint").(string)
	none := id[:17] + strings.Repeat("a", 26)
	approve := `,"plan_fingerprint":"` + plan + `"}`
	for _, tool := range []string{"draft_approve", "Draft_Approve", "draft_answer_call"} {
		r := call(t, owner, tool, `{"id":"`+id+`"`+approve)
		if !r.IsError || !strings.Contains(text(r), "operator") {
			t.Errorf("%s by the owner: %s", tool, text(r))
		}
	}
	for _, tool := range []string{"draft_get", "draft_execute", "draft_events", "draft_checkpoint", "draft_resume", "draft_abandon", "draft_approve"} {
		one, other := call(t, stranger, tool, `{"id":"`+id+`"}`), call(t, stranger, tool, `{"id":"`+none+`"}`)
		if !one.IsError || text(one) != text(other) {
			t.Errorf("%s by a stranger: %s; where there is none: %s", tool, text(one), text(other))
		}
	}
	if r := call(t, owner, "draft_get", `{"id":"`+id+`"}`); at(t, r, "draft.status") != "proposed" {
		t.Errorf("the draft: %s", text(r))
	}
}

func TestWithoutTokensASessionProposesAndItsLocalUserMayApprove(t *testing.T) {
	for _, operator := range []bool{false, true} {
		eachWay(t, func(t *testing.T, w way) {
			s, _ := withDrafts(t, mcp.Options{Operator: operator})
			c := w.connect(t, s, nil)
			local := operator && strings.HasPrefix(w.name, "stdio")
			if got := strings.Contains(toolNames(t, c), "draft_approve"); got != local {
				t.Errorf("draft_approve is listed: %v", got)
			}
			r := call(t, c, "draft_propose", `{"draft":`+noted+`}`)
			if !w.session {
				if !r.IsError || at(t, r, "code") != "no_channel" {
					t.Errorf("without a session: %s", text(r))
				}
				return
			}
			id, _ := at(t, r, "draft.id").(string)
			plan, _ := at(t, r, "draft.plan.fingerprint").(string)
			if r.IsError || id == "" || strings.Contains(text(r), "Operators approve over REST") == local {
				t.Fatalf("propose: %s", text(r))
			}
			r = call(t, c, "draft_approve", `{"id":"`+id+`","plan_fingerprint":"`+plan+`","grants":[{"step":"a","tool":"note"}]}`)
			if r.IsError == local {
				t.Fatalf("approve: %s", text(r))
			}
			if !local {
				other := w.connect(t, s, nil)
				if r := call(t, other, "draft_get", `{"id":"`+id+`"}`); !r.IsError || at(t, r, "code") != "not_found" {
					t.Errorf("in another session: %s", text(r))
				}
				return
			}
			if r := call(t, c, "draft_execute", `{"id":"`+id+`"}`); at(t, r, "draft.status") != "completed" {
				t.Errorf("execute: %s", text(r))
			}
		})
	}
}

func TestADraftIsGoneWithTheSessionThatCannotComeBack(t *testing.T) {
	s, b := withDrafts(t, mcp.Options{})
	all := func() int {
		page, err := b.List(context.Background(), serve.Caller{Channel: "ops", Operator: true}, true, "")
		if err != nil {
			t.Fatal(err)
		}
		return len(page.Drafts)
	}
	t.Run("stdio", func(t *testing.T) {
		c := overStdio("2025-11-25")(t, s, nil)
		call(t, c, "draft_propose", `{"draft":`+noted+`}`)
		if all() != 1 {
			t.Error("the draft is not kept")
		}
	})
	if all() != 0 {
		t.Error("the draft outlives its session")
	}
}

func TestARejectedDraftOverMCPSaysWhy(t *testing.T) {
	s, _ := withDrafts(t, mcp.Options{})
	c := overStdio("2025-11-25")(t, s, nil)
	for name, k := range map[string]struct{ arguments, says string }{
		"no program":      {`{"draft":{"format_version":1,"steps":[{"id":"a","source":"1 +"}]}}`, "step a at line 1"},
		"another version": {`{"draft":{"format_version":3,"steps":[]}}`, "version 3"},
		"a cut text":      {`{"draft":"{\"format_version\":1"}`, "line 1"},
		"nothing":         {`{}`, "draft"},
		"another name":    {`{"drafts":{}}`, "draft"},
		"null":            {`{"draft":null}`, "draft"},
		"a number":        {`{"draft":7}`, "format_version"},
		"not arguments":   {`[]`, ""},
	} {
		if r := call(t, c, "draft_propose", k.arguments); !r.IsError || !strings.Contains(text(r), k.says) || strings.Contains(text(r), "json:") {
			t.Errorf("%s: %s", name, text(r))
		}
	}
	r := call(t, c, "draft_schema", `{}`)
	if r.IsError || at(t, r, "schema.x-splash.maximum_wire_bytes") != 2097152.0 || !strings.Contains(text(r), "room.describe") {
		t.Errorf("schema: %s", text(r))
	}
}

func TestBodiesKnowTheCallerOverMCP(t *testing.T) {
	i := tokens(t)
	seen := make(chan serve.Caller, 1)
	w, err := command.New(command.Options{Name: "who", Logger: quiet}, command.Define(command.Spec[struct{}]{Name: "who",
		Run: func(ctx context.Context, _ *command.Session, _ *struct{}) (command.Response, error) {
			caller, _ := serve.CallerFrom(ctx)
			seen <- caller
			return command.Say("known"), nil
		}}))
	if err != nil {
		t.Fatal(err)
	}
	s, err := mcp.New(serve.New(w, serve.Options{Logger: quiet}), mcp.Options{Verify: i.Verify})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		c := holding(t, server.URL, i, token.Subject{Channel: "ada", User: "Ada", Operator: true}, version)
		call(t, c, "who", `{}`)
		if got := <-seen; got.Channel != "ada" || got.User != "Ada" || !got.Operator || got.Bearer == "" {
			t.Errorf("%s: the body was called by %+v", version, got)
		}
	}
}

func TestACommandWithTheNameOfADraftToolIsAnErrorOfTheAuthor(t *testing.T) {
	w, err := command.New(command.Options{Name: "clash", Logger: quiet}, command.Define(command.Spec[struct{}]{Name: "draft_get",
		Run: func(context.Context, *command.Session, *struct{}) (command.Response, error) {
			return command.Say(""), nil
		}}))
	if err != nil {
		t.Fatal(err)
	}
	d := serve.New(w, serve.Options{Logger: quiet})
	b, err := drafts.New(d, drafts.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mcp.New(d, mcp.Options{Drafts: b}); err == nil || !strings.Contains(err.Error(), "draft_get") {
		t.Errorf("%v", err)
	}
}
