package rest_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/rest"
	"github.com/fwgo/fwgo/serve/token"
	"github.com/fwgo/fwgo/store"
)

type want = map[string]any

func TestEndpointsAnswerAsThePythonServiceDoes(t *testing.T) {
	dir := t.TempDir()
	c := start(t, newGate(), rest.Options{DumpDir: dir}, serve.Options{}).open("c1")
	stranger := *c
	issuer, err := token.New(token.Options{})
	if err != nil {
		t.Fatal(err)
	}
	pair, err := issuer.Issue(token.Subject{Channel: "nobody"})
	if err != nil {
		t.Fatal(err)
	}
	stranger.access = pair.Access
	noToken := *c
	noToken.access = ""
	refusal := want{"detail": "Not authenticated..."}
	steps := []struct {
		rule   string
		client *client
		method string
		path   string
		body   string
		status int
		values want
	}{
		{"FW-163 healthz", &noToken, "GET", "/probes/healthz", "", 200, want{"status": "alive"}},
		{"FW-163 readyz", &noToken, "GET", "/probes/readyz", "", 200, want{"status": "ready", "checks.ready": true, "checks.fastworkflow_initialized": true, "checks.workflow_path_valid": true, "memory": nil}},
		{"FW-163 readyz with memory", &noToken, "GET", "/probes/readyz?memory=true", "", 200, want{"status": "ready"}},
		{"FW-163 channel_id has a character", &noToken, "POST", "/initialize", `{"channel_id":""}`, 422, want{"detail.0.loc.1": "channel_id"}},
		{"FW-163 channel_id is required", &noToken, "POST", "/initialize", `{}`, 422, want{"detail.0.type": "missing", "detail.0.loc.1": "channel_id"}},
		{"channel_id has at most 256 bytes", &noToken, "POST", "/initialize", `{"channel_id":"` + strings.Repeat("é", 129) + `"}`, 422, want{"detail.0.loc.1": "channel_id"}},
		{"FW-163 stream_format", &noToken, "POST", "/initialize", `{"channel_id":"c","stream_format":"xml"}`, 422, want{"detail.0.loc.1": "stream_format"}},
		{"a misspelt member is named", &noToken, "POST", "/initialize", `{"channel_id":"c","startup_comand":"ship"}`, 422, want{"detail.0.loc.1": "startup_comand"}},
		{"other members are let pass", &noToken, "POST", "/initialize", `{"channel_id":"c","trace_parent":"x"}`, 200, want{"token_type": "bearer"}},
		{"FW-164 without startup", &noToken, "POST", "/initialize", `{"channel_id":"c"}`, 200,
			want{"token_type": "bearer", "expires_in": 3600, "startup_output": nil, "startup_turn_key": nil, "startup_exec_state": nil, "startup_error": nil}},
		{"FW-164 both startups", &noToken, "POST", "/initialize", `{"channel_id":"c","user_id":"u","startup_command":"a","startup_action":{"command_name":"a"}}`, 400,
			want{"detail": "Cannot provide both startup_command and startup_action. Choose one or neither."}},
		{"FW-164 startup without user", &noToken, "POST", "/initialize", `{"channel_id":"c","startup_command":"a"}`, 400,
			want{"detail": "user_id is required when startup_command or startup_action is provided"}},
		{"FW-164 startup command", &noToken, "POST", "/initialize", `{"channel_id":"c2","user_id":"u","startup_command":"ship <to>Oslo</to><weight>1</weight>"}`, 200,
			want{"startup_exec_state": "done", "startup_output.status": "completed", "startup_output.answer": "shipped to Oslo", "startup_error": nil}},
		{"FW-164 startup action", &noToken, "POST", "/initialize", `{"channel_id":"c2","user_id":"u","startup_action":{"command_name":"ship","parameters":{"to":"Rome","weight":1}}}`, 200,
			want{"startup_exec_state": "done", "startup_output.command_outputs.0.command_response.artifacts.number": 2}},
		{"FW-163 token needed", &noToken, "POST", "/invoke_agent", `{"user_query":"ship"}`, 401, refusal},
		{"FW-163 token needed", &noToken, "POST", "/perform_action", `{"action":{}}`, 401, refusal},
		{"FW-163 token needed", &noToken, "POST", "/invoke_agent_stream", `{"user_query":"ship"}`, 401, refusal},
		{"FW-163 token needed", &noToken, "POST", "/invoke_assistant", `{"user_query":"ship"}`, 401, refusal},
		{"FW-163 token needed", &noToken, "POST", "/cancel_pending", ``, 401, refusal},
		{"FW-163 token needed", &noToken, "POST", "/new_conversation", ``, 401, refusal},
		{"FW-163 token needed", &noToken, "GET", "/conversations", ``, 401, refusal},
		{"FW-163 token needed", &noToken, "POST", "/post_feedback", `{}`, 401, refusal},
		{"FW-163 token needed", &noToken, "POST", "/activate_conversation", `{"conversation_id":1}`, 401, refusal},
		{"FW-163 feedback needs a turn", c, "POST", "/post_feedback", `{}`, 404, nil},
		{"FW-163 no conversation yet", c, "POST", "/new_conversation", ``, 200, want{"status": "ok", "message": "No turns to save"}},
		{"FW-163 no conversations", c, "GET", "/conversations", ``, 200, want{"0": nil}},
		{"FW-165 turn", c, "POST", "/invoke_agent", `{"user_query":"ship <to>Oslo</to><weight>1</weight>"}`, 200,
			want{"exec_state": "done", "status": "completed", "failure_reason": nil, "success": true, "answer": "shipped to Oslo", "command_outputs.0.command_name": "ship",
				"command_outputs.0.command_parameters.to": "Oslo"}},
		{"FW-165 a failed turn is 200", c, "POST", "/perform_action", `{"action":{"command_name":"break"}}`, 200,
			want{"exec_state": "done", "status": "failed", "failure_reason": "command_failed", "success": false}},
		{"FW-167 a refused call is 200", c, "POST", "/perform_action", `{"action":{"command_name":"ship","parameters":{"to":"Oslo"}}}`, 200,
			want{"status": "completed", "success": false, "answer": "PARAMETER EXTRACTION ERROR FOR COMMAND 'ship'\nweight: missing...",
				"command_outputs.0.problems.0.field": "weight", "command_outputs.0.command_response.success": false}},
		{"FW-167 unknown command is 200", c, "POST", "/perform_action", `{"action":{"command_name":"shipp"}}`, 200, want{"success": false}},
		{"FW-167 no action", c, "POST", "/perform_action", `{"action":7}`, 422, want{"detail": "Invalid action format: ..."}},
		{"a misspelt member of the action", c, "POST", "/perform_action", `{"action":{"command_name":"shipped","paramters":{"to":"Oslo"}}}`, 422, want{"detail": "Invalid action format: paramters: there is no member of this name; did you mean parameters?"}},
		{"parameters by another name", c, "POST", "/perform_action", `{"action":{"command_name":"shipped","arguments":{"to":"Oslo"}}}`, 422, want{"detail": "Invalid action format: arguments: there is no member of this name; did you mean parameters?"}},
		{"other members of the action are let pass", c, "POST", "/perform_action", `{"action":{"command_name":"shipped","trace_parent":"x"}}`, 200, nil},
		{"a misspelt member of a startup action", &noToken, "POST", "/initialize", `{"channel_id":"c2","user_id":"u","startup_action":{"command_name":"ship","parameter":{"to":"Rome"}}}`, 422, want{"detail": "Invalid action format: parameter: there..."}},
		{"parameters as the text of an object", c, "POST", "/perform_action", `{"action":{"command_name":"ship","parameters":"{\"to\":\"Oslo\",\"weight\":1}"}}`, 200, want{"success": true, "answer": "shipped to Oslo"}},
		{"parameters that are no object", c, "POST", "/perform_action", `{"action":{"command_name":"ship","parameters":["Oslo"]}}`, 200, want{"success": false}},
		{"an action in the form of another protocol", c, "POST", "/perform_action", `{"action":{"name":"ship","arguments":{"to":"Oslo"}}}`, 422, want{"detail": "Invalid action format: command_name: is missing, must be a text; arguments: there is no member of this name; did you mean parameters? An action is {\"command_name\": \"...\", \"parameters\": {...}}."}},
		{"an action names its command", c, "POST", "/perform_action", `{"action":{"command_name":"","parameters":{"to":"Oslo"}}}`, 422, want{"detail": "Invalid action format: command_name: ..."}},
		{"FW-167 action missing", c, "POST", "/perform_action", `{}`, 422, want{"detail.0.loc.1": "action", "detail.0.msg": "action: missing; an object with command_name and parameters is needed."}},
		{"an action that is not wrapped", c, "POST", "/perform_action", `{"command_name":"ship","parameters":{"to":"Oslo"}}`, 422, want{"detail.0.msg": "action: missing; an object with command_name and parameters is needed."}},
		{"FW-167 no such channel", &stranger, "POST", "/invoke_agent", `{"user_query":"ship"}`, 404, want{"detail": "User session not found: nobody"}},
		{"FW-169 slashes are stripped for agents", c, "POST", "/invoke_agent", `{"user_query":"//ship <to>Oslo</to><weight>1</weight>"}`, 200, want{"success": true}},
		{"FW-169 a person's message", c, "POST", "/invoke_assistant", `{"user_query":"/ship"}`, 200, want{"success": false}},
		{"FW-169 and its follow-up", c, "POST", "/invoke_assistant", `{"user_query":"Oslo, 7"}`, 200, want{"success": true, "command_outputs.0.command_parameters.weight": 7}},
		{"FW-163 nothing pending", c, "POST", "/cancel_pending", ``, 200, want{"status": "ok", "cleared": false}},
		{"pending", c, "POST", "/invoke_assistant", `{"user_query":"ship"}`, 200, want{"success": false}},
		{"FW-163 cleared", c, "POST", "/cancel_pending", ``, 200, want{"status": "ok", "cleared": true}},
		{"FW-172 empty feedback passes", c, "POST", "/post_feedback", `{}`, 200, want{"status": "ok"}},
		{"FW-172 two nulls do not", c, "POST", "/post_feedback", `{"binary_or_numeric_score":null,"nl_feedback":null}`, 422, nil},
		{"feedback", c, "POST", "/post_feedback", `{"binary_or_numeric_score":0.5,"nl_feedback":"good"}`, 200, want{"status": "ok"}},
		{"FW-163 conversations", c, "GET", "/conversations?limit=5", ``, 200, want{"0.conversation_id": 1, "0.topic": "ship <to>Oslo...", "1": nil}},
		{"limit", c, "GET", "/conversations?limit=0", ``, 422, nil},
		{"FW-163 new conversation", c, "POST", "/new_conversation", ``, 200, want{"status": "ok", "message": nil}},
		{"its first turn", c, "POST", "/invoke_agent", `{"user_query":"ship <to>Bern</to><weight>1</weight>"}`, 200, want{"success": true}},
		{"newest first", c, "GET", "/conversations", ``, 200, want{"0.conversation_id": 2, "0.summary": "1 turn", "1.conversation_id": 1}},
		{"FW-163 back to the first", c, "POST", "/activate_conversation", `{"conversation_id":1}`, 200, want{"status": "ok"}},
		{"no such conversation", c, "POST", "/activate_conversation", `{"conversation_id":99}`, 404, want{"detail": "Conversation not found: 99"}},
		{"FW-170 a refresh token is no access token", &client{t: t, handler: c.handler, access: c.refresh}, "POST", "/cancel_pending", ``, 401, want{"detail": "Invalid or expired token: ..."}},
		{"FW-170 refresh", &client{t: t, handler: c.handler, access: c.refresh}, "POST", "/refresh_token", ``, 200, want{"token_type": "bearer", "expires_in": 3600}},
		{"FW-170 refresh with an access token", c, "POST", "/refresh_token", ``, 401, want{"detail": "Invalid or expired refresh token: ..."}},
		{"FW-170 refresh without a token", &noToken, "POST", "/refresh_token", ``, 401, want{"detail": "Invalid Authorization header format. Expected: Bearer <refresh_token>"}},
		{"FW-163 long token", &noToken, "POST", "/admin/generate_mcp_token", `{"channel_id":"c1","expires_days":2}`, 200, want{"refresh_token": "", "expires_in": 172800}},
		{"FW-163 dump", &noToken, "POST", "/admin/dump_all_conversations", `{"output_folder":"out"}`, 200, want{"file_path": filepath.Join(dir, "out", "conversations-") + "..."}},
		{"no dump elsewhere", &noToken, "POST", "/admin/dump_all_conversations", `{"output_folder":"../out"}`, 403, nil},
		{"no dump elsewhere", &noToken, "POST", "/admin/dump_all_conversations", `{"output_folder":"/tmp"}`, 403, nil},
		{"no such endpoint", c, "GET", "/nothing", ``, 404, want{"detail": "Not Found"}},
		{"no such method", c, "GET", "/initialize", ``, 405, want{"detail": "Method Not Allowed"}},
	}
	for _, s := range steps {
		s.client.send(s.method, s.path, s.client.access, s.body).wants(s.rule+" "+s.path, s.status, s.values)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "out", "*.jsonl"))
	if len(files) != 1 {
		t.Fatalf("dumps: %v", files)
	}
	text, err := os.ReadFile(files[0])
	if err != nil || !strings.Contains(string(text), `"nl_feedback":"good"`) || strings.Count(string(text), "\n") < 8 {
		t.Errorf("the dump: %v\n%s", err, text)
	}
}

func TestExactIntegersAndEntitiesArriveAsMeant(t *testing.T) {
	c := start(t, newGate(), rest.Options{}, serve.Options{}).open("c1")
	for _, weight := range []string{`9007199254740993`, `"9007199254740993"`} {
		c.post("/perform_action", `{"action":{"command_name":"ship","parameters":{"to":"A &amp;&amp; B","weight":`+weight+`}}}`).
			wants(weight, 200, want{"success": true, "command_outputs.0.command_parameters.weight": json.Number("9007199254740993"), "command_outputs.0.command_parameters.to": "A && B",
				"command_outputs.0.command_response.artifacts.weight": json.Number("9007199254740993"), "command_outputs.0.repairs.0.path": "to"})
	}
}

func TestATurnOutOfTimeRunsOnAndIsRejoined(t *testing.T) { // FW-166, FW-167
	g := newGate()
	c := start(t, g, rest.Options{}, serve.Options{}).open("c1")
	request := `{"action":{"command_name":"wait"},"timeout_seconds":0}`
	first := c.post("/perform_action", request)
	first.wants("out of time", 202, want{"exec_state": "running"})
	key := first.at("turn_key")
	<-g.entered
	c.post("/perform_action", request).wants("the same request joins", 202, want{"turn_key": key})
	c.post("/perform_action", `{"action":{"command_name":"ship"}}`).wants("another does not", 409,
		want{"detail": "A turn is already in progress for user: c1 (active turn " + key.(string) + ")"})
	c.post("/new_conversation", ``).wants("conversations wait too", 409, want{"detail": "A turn is already in progress for user: c1"})
	c.post("/cancel_pending", ``).wants("as does what it asks for", 409, want{"detail": "A turn is already in progress for user: c1"})
	close(g.leave)
	c.post("/perform_action", `{"action":{"command_name":"wait"},"timeout_seconds":60}`).wants("its answer", 200, want{"turn_key": key, "answer": "left"})
	if len(g.entered) != 0 {
		t.Error("the command ran twice")
	}
	again := c.post("/perform_action", `{"action":{"command_name":"wait"}}`)
	again.wants("a claimed answer is not given twice: the command runs anew", 200, want{"answer": "left"})
	if again.at("turn_key") == key {
		t.Error("the answer of the turn before was given again")
	}
}

func TestAnAnswerWaitsForAClientThatWasToldToComeAgain(t *testing.T) {
	g := newGate()
	c := start(t, g, rest.Options{}, serve.Options{}).open("c1")
	request := `{"action":{"command_name":"wait"},"timeout_seconds":0}`
	key := c.post("/perform_action", request).at("turn_key")
	<-g.entered
	close(g.leave)
	deadline := time.Now().Add(10 * time.Second)
	for c.post("/new_conversation", ``).status != 200 && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond) // until the turn has ended unseen
	}
	c.post("/perform_action", request).wants("the answer of the turn before", 200, want{"turn_key": key, "answer": "left"})
	if len(g.entered) != 0 {
		t.Error("the command ran twice")
	}
}

func TestAStartupOutOfTimeRunsOn(t *testing.T) { // FW-164
	g := newGate()
	c := start(t, g, rest.Options{}, serve.Options{})
	r := c.send("POST", "/initialize", "", `{"channel_id":"c1","user_id":"u","startup_command":"wait","timeout_seconds":0}`)
	r.wants("running", 202, want{"startup_exec_state": "running", "startup_output": nil, "token_type": "bearer"})
	close(g.leave)
	c.send("POST", "/initialize", "", `{"channel_id":"c1","user_id":"u","startup_command":"wait"}`).
		wants("joined", 200, want{"startup_exec_state": "done", "startup_turn_key": r.at("startup_turn_key"), "startup_output.answer": "left"})
}

func TestStreamsAreTracesThenOneOutput(t *testing.T) { // FW-168
	c := start(t, newGate(), rest.Options{}, serve.Options{})
	for format, content := range map[string]string{"ndjson": "application/x-ndjson", "sse": "text/event-stream"} {
		opened := c.send("POST", "/initialize", "", `{"channel_id":"`+format+`","user_id":"ada","stream_format":"`+format+`"}`)
		access := opened.at("access_token").(string)
		r, header := c.stream(access, `{"user_query":"ship <to>Oslo</to><weight>1</weight>"}`)
		if header != content {
			t.Errorf("%s: content type %q", format, header)
		}
		var kinds []string
		var last map[string]any
		lines := bufio.NewScanner(strings.NewReader(r))
		for lines.Scan() {
			kind, data := "", ""
			switch line := lines.Text(); {
			case format == "ndjson":
				var event struct {
					Type string
					Data json.RawMessage
				}
				if err := json.Unmarshal([]byte(line), &event); err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				kind, data = event.Type, string(event.Data)
			case strings.HasPrefix(line, "event: "):
				kinds = append(kinds, line[7:])
				continue
			case strings.HasPrefix(line, "data: "):
				data = line[6:]
			default:
				continue
			}
			if kind != "" {
				kinds = append(kinds, kind)
			}
			last = nil
			if err := json.Unmarshal([]byte(data), &last); err != nil {
				t.Fatalf("%s: %v", data, err)
			}
		}
		if got := strings.Join(kinds, " "); got != "trace trace output" {
			t.Errorf("%s: events %s\n%s", format, got, r)
		}
		if last["answer"] != "shipped to Oslo" || last["status"] != "completed" {
			t.Errorf("%s: output %v", format, last)
		}
	}
}

func TestAStreamOutOfTimeEndsWithAnErrorEvent(t *testing.T) { // FW-168
	g := newGate()
	defer close(g.leave)
	c := start(t, g, rest.Options{}, serve.Options{}).open("c1")
	text, _ := c.stream(c.access, `{"user_query":"wait","timeout_seconds":0}`)
	if want := `{"type":"error","data":{"detail":"Command execution timed out after 0 seconds"}}` + "\n"; text != want {
		t.Errorf("%q, want %q", text, want)
	}
}

func TestAChannelOutlivesTheProcess(t *testing.T) {
	kept := store.Memory()
	first := start(t, newGate(), rest.Options{}, serve.Options{Store: kept}).open("c1")
	call := `{"user_query":"ship <to>Oslo</to><weight>1</weight>"}`
	first.post("/invoke_agent", call).wants("before", 200, want{"command_outputs.0.command_response.artifacts.number": 1})
	second := start(t, newGate(), rest.Options{}, serve.Options{Store: kept})
	second.access = first.access
	second.post("/invoke_agent", call).wants("after", 200, want{"command_outputs.0.command_response.artifacts.number": 2})
	second.send("GET", "/conversations", second.access, "").wants("the conversation goes on", 200, want{"0.summary": "2 turns"})
}

func TestOneChannelSeesNothingOfAnother(t *testing.T) {
	c := start(t, newGate(), rest.Options{}, serve.Options{})
	// The ids are chosen so that one begins like the other's records.
	a, b := c.open("x"), c.open("x/00000001")
	a.post("/invoke_agent", `{"user_query":"ship <to>Oslo</to><weight>1</weight>"}`)
	b.send("GET", "/conversations", b.access, "").wants("conversations", 200, want{"0": nil})
	b.post("/activate_conversation", `{"conversation_id":1}`).wants("activate", 404, nil)
	b.post("/invoke_agent", `{"user_query":"ship <to>Oslo</to><weight>1</weight>"}`).wants("session", 200, want{"command_outputs.0.command_response.artifacts.number": 1})
}

func TestTheSecretGuardsWhatHandsOutTokens(t *testing.T) {
	c := start(t, newGate(), rest.Options{Secret: "open sesame", DumpDir: t.TempDir()}, serve.Options{})
	for path, body := range map[string]string{"/initialize": `{"channel_id":"c"}`, "/admin/generate_mcp_token": `{"channel_id":"c"}`, "/admin/dump_all_conversations": `{"output_folder":"a"}`} {
		for _, given := range []string{"", "wrong", "open sesam"} {
			c.send("POST", path, given, body).wants(path+" with "+given, http.StatusUnauthorized, nil)
		}
		c.send("POST", path, "open sesame", body).wants(path, 200, nil)
	}
}

func TestDrainingRefusesNewTurns(t *testing.T) { // FW-167
	d := serve.New(depot(t, newGate()), serve.Options{Logger: quiet})
	s, err := rest.New(d, rest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := (&client{t: t, handler: s}).open("c1")
	if err := d.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.post("/invoke_agent", `{"user_query":"ship"}`).wants("turn", 503, want{"detail": "Server is shutting down"})
	c.post("/initialize", `{"channel_id":"c"}`).wants("initialize", 503, want{"detail": "Server is shutting down"})
	c.send("GET", "/probes/readyz", "", "").wants("readiness", 503, want{"status": "not_ready", "checks.ready": false})
	c.send("GET", "/probes/healthz", "", "").wants("liveness", 200, nil)
}

func TestOldTurnsAndConversationsMakeRoomForNewOnes(t *testing.T) {
	kept := store.Memory()
	c := start(t, newGate(), rest.Options{MaxTurns: 3, MaxConversations: 2}, serve.Options{Store: kept}).open("c1")
	for range 4 {
		for range 5 {
			c.post("/invoke_agent", `{"user_query":"ship <to>Oslo</to><weight>1</weight>"}`).wants("turn", 200, want{"success": true})
		}
		c.post("/new_conversation", ``).wants("new", 200, nil)
	}
	c.send("GET", "/conversations", c.access, "").wants("the latest two", 200, want{"0.conversation_id": 4, "0.summary": "5 turns", "1.conversation_id": 3, "2": nil})
	c.post("/activate_conversation", `{"conversation_id":1}`).wants("an old one", 404, nil)
	for kind, want := range map[string]int{"turn": 6, "conversation": 2} {
		list, err := kept.List(t.Context(), store.Query{Kind: kind})
		if err != nil || len(list) != want {
			t.Errorf("%d records of kind %s, want %d (%v)", len(list), kind, want, err)
		}
	}
}

// ended waits until the channel's turn has ended and been recorded.
func (c *client) ended() {
	c.t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for c.post("/new_conversation", ``).status != 200 {
		if time.Now().After(deadline) {
			c.t.Fatal("the turn does not end")
		}
		time.Sleep(time.Millisecond)
	}
}

// A request between a 202 and its repetition used to take the answer away, and
// the command ran a second time.
func TestOtherRequestsDoNotTakeAnAnswerAway(t *testing.T) {
	g := newGate()
	c := start(t, g, rest.Options{}, serve.Options{}).open("c1")
	action := func(note string, seconds int) string {
		return fmt.Sprintf(`{"action":{"command_name":"hold","parameters":{"note":%q}},"timeout_seconds":%d}`, note, seconds)
	}
	keys := map[string]any{}
	for _, note := range []string{"a", "b"} {
		r := c.post("/perform_action", action(note, 0))
		r.wants(note, 202, nil)
		keys[note] = r.at("turn_key")
		g.wait(t)
		c.post("/perform_action", action("another", 0)).wants("the same command with other parameters is another request", 409, nil)
		c.post("/invoke_agent", fmt.Sprintf(`{"user_query":"hold <note>%s</note>"}`, note)).wants("as is the same as text", 409, nil)
		g.let(t)
		c.ended()
	}
	c.post("/perform_action", `{"action":{"command_name":"nothing"}}`).wants("another request", 200, nil)
	for _, note := range []string{"b", "a"} {
		c.post("/perform_action", action(note, 60)).wants(note, 200, want{"turn_key": keys[note], "answer": map[string]string{"a": "1 a", "b": "2 b"}[note]})
	}
	close(g.leave)
	c.post("/perform_action", action("a", 60)).wants("anew", 200, want{"answer": "3 a"})
}

func TestClosingAConnectionDoesNotStopATurn(t *testing.T) { // FW-168
	for _, path := range []string{"/invoke_agent", "/invoke_agent_stream"} {
		g := newGate()
		c := start(t, g, rest.Options{}, serve.Options{}).open("c1")
		gone, leave := context.WithCancel(t.Context())
		left := make(chan struct{})
		request := `{"user_query":"hold <note>a</note>"}`
		go func() {
			defer close(left)
			r := httptest.NewRequestWithContext(gone, "POST", path, strings.NewReader(request))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer "+c.access)
			c.handler.ServeHTTP(httptest.NewRecorder(), r)
		}()
		g.wait(t)
		c.post("/invoke_assistant", request).wants("a person's same words are another request", 409, nil)
		leave()
		<-left
		g.let(t)
		c.ended()
		c.post("/invoke_agent", request).wants(path+": the answer that nobody waited for", 200, want{"answer": "1 a", "status": "completed"})
	}
}

// faulty is a store whose Save of one kind has a fault, if there is one.
type faulty struct {
	store.Store
	kind  string
	fault func() error
}

func (f *faulty) Save(ctx context.Context, r *store.Record) error {
	if f.fault != nil && r.Kind == f.kind {
		return f.fault()
	}
	return f.Store.Save(ctx, r)
}

func TestATurnThatCannotBeRecordedIsAnsweredAndTheNextAreRecorded(t *testing.T) {
	for name, fault := range map[string]func() error{"fails": func() error { return errors.New("disk full") }, "panics": func() error { panic("disk on fire") }} {
		for _, kind := range []string{"channel", "conversation", "turn"} {
			kept := &faulty{Store: store.Memory(), kind: kind}
			c := start(t, newGate(), rest.Options{MaxTurns: 2}, serve.Options{Store: kept}).open("c1")
			ship := func(what string) {
				c.post("/invoke_agent", `{"user_query":"ship <to>Oslo</to><weight>1</weight>"}`).wants(kind+" "+name+": "+what, 200, want{"success": true})
			}
			kept.fault = fault
			for range 3 {
				ship("unrecorded")
			}
			kept.fault = nil
			for range 3 {
				ship("recorded")
			}
			c.send("GET", "/conversations", c.access, "").wants(kind+" "+name, 200, want{"0.conversation_id": 1, "1": nil})
			list, err := kept.List(t.Context(), store.Query{Kind: "turn"})
			if err != nil || len(list) != 2 {
				t.Errorf("%s %s: %d turns are kept, want 2 (%v)", kind, name, len(list), err)
			}
			again := start(t, newGate(), rest.Options{}, serve.Options{Store: kept})
			again.send("GET", "/conversations", c.access, "").wants(kind+" "+name+", in another process", 200, want{"0.conversation_id": 1, "1": nil})
		}
	}
}

func TestAChannelThatAnotherProcessChangedGoesOn(t *testing.T) {
	kept := store.Memory()
	a := start(t, newGate(), rest.Options{}, serve.Options{Store: kept}).open("c1")
	b := start(t, newGate(), rest.Options{}, serve.Options{Store: kept}).open("c1")
	for range 2 {
		for _, c := range []*client{a, b} {
			c.post("/invoke_agent", `{"user_query":"ship <to>Oslo</to><weight>1</weight>"}`).wants("turn", 200, want{"success": true})
			c.post("/new_conversation", ``).wants("new", 200, want{"status": "ok"})
		}
	}
	b.send("GET", "/conversations", b.access, "").wants("all", 200, want{"0.conversation_id": 4, "3.conversation_id": 1, "0.summary": "1 turn"})
}

// blocked is a store whose saves of turns wait.
type blocked struct {
	store.Store
	entered, leave chan struct{}
}

func (b *blocked) Save(ctx context.Context, r *store.Record) error {
	if r.Kind == "turn" {
		b.entered <- struct{}{}
		<-b.leave
	}
	return b.Store.Save(ctx, r)
}

func TestOneChannelsSlowStoreHoldsUpNoOther(t *testing.T) {
	g := newGate()
	kept := &blocked{store.Memory(), make(chan struct{}, 1), make(chan struct{})}
	c := start(t, g, rest.Options{MaxChannels: 1}, serve.Options{Store: kept}).open("c1")
	c.post("/perform_action", `{"action":{"command_name":"wait"},"timeout_seconds":0}`).wants("told to wait", 202, nil)
	close(g.leave)
	<-kept.entered // the turn is being recorded, and no request has its channel
	opened := make(chan struct{})
	go func() {
		defer close(opened)
		c.open("c2")
		c.open("c3")
	}()
	select {
	case <-opened:
	case <-time.After(10 * time.Second):
		t.Error("another channel cannot be opened while the first is being recorded")
	}
	close(kept.leave)
	<-opened
}

func TestAnswersWithoutAFormInJSONAreGivenWithoutTheirArtifacts(t *testing.T) {
	w, err := command.New(command.Options{Name: "depot", Logger: quiet}, command.Define(command.Spec[struct{}]{Name: "odd",
		Run: func(context.Context, *command.Session, *struct{}) (command.Response, error) {
			r := command.Say("done")
			r.Artifacts = map[string]any{"channel": make(chan int)}
			return r, nil
		}}))
	if err != nil {
		t.Fatal(err)
	}
	s, err := rest.New(serve.New(w, serve.Options{Logger: quiet}), rest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := (&client{t: t, handler: s}).open("c1")
	artifacts := "command_outputs.0.command_response.artifacts.artifacts_lost"
	lost := "they have no form in JSON"
	c.post("/invoke_agent", `{"user_query":"odd"}`).wants("turn", 200, want{"answer": "done", "success": true, artifacts: lost})
	c.post("/initialize", `{"channel_id":"c2","user_id":"u","startup_command":"odd"}`).wants("startup", 200, want{"startup_output.answer": "done", "startup_output." + artifacts: lost})
	if text, _ := c.stream(c.access, `{"user_query":"odd"}`); !strings.Contains(text, lost) || !strings.Contains(text, `"type":"output"`) {
		t.Errorf("stream: %s", text)
	}
	c.send("GET", "/conversations", c.access, "").wants("recorded", 200, want{"0.summary": "2 turns"})
}

// A stream's headers used to come with its first event, so that a client could
// not tell a turn that runs from a server that hangs.
func TestAStreamBeginsBeforeItsTurnEnds(t *testing.T) {
	g := newGate()
	c := start(t, g, rest.Options{}, serve.Options{}).open("c1")
	server := httptest.NewServer(c.handler)
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), "POST", server.URL+"/invoke_agent_stream", strings.NewReader(`{"user_query":"wait"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+c.access)
	transport := &http.Transport{ResponseHeaderTimeout: 10 * time.Second}
	resp, err := (&http.Client{Transport: transport}).Do(r)
	close(g.leave)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if text, err := io.ReadAll(resp.Body); err != nil || !strings.Contains(string(text), `"answer":"left"`) {
		t.Errorf("%v %s", err, text)
	}
}

// A comparison for each of them made one request worth seconds.
func TestManyUnknownMembersAreRefusedAtOnce(t *testing.T) {
	c := start(t, newGate(), rest.Options{}, serve.Options{}).open("c1")
	for n, status := range map[int]int{60: 200, 100_000: 422} {
		var members strings.Builder
		for i := range n {
			fmt.Fprintf(&members, `,"x%d":1`, i)
		}
		for where, body := range map[string]string{
			"the body":   `{"action":{"command_name":"shipped"}` + members.String() + `}`,
			"the action": `{"action":{"command_name":"shipped"` + members.String() + `}}`,
		} {
			r := c.post("/perform_action", body)
			r.wants(fmt.Sprint(n, " in ", where), status, nil)
			if len(r.text) > 4000 {
				t.Errorf("%d in %s: the answer has %d bytes", n, where, len(r.text))
			}
		}
	}
}

func TestATokenIsForWhomItSaysAndCommandsSeeIt(t *testing.T) { // FW-170
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	issuer, err := token.New(token.Options{KeyPEM: pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})})
	if err != nil {
		t.Fatal(err)
	}
	const admin = "/admin/generate_mcp_token"
	start(t, newGate(), rest.Options{Issuer: issuer}, serve.Options{}).post(admin, `{"channel_id":"c"}`).wants("signed tokens without a secret", 403, nil)
	c := start(t, newGate(), rest.Options{Issuer: issuer, Secret: "s"}, serve.Options{})
	for body, operator := range map[string]bool{`{"channel_id":"c"}`: false, `{"channel_id":"c","role":"operator"}`: true} {
		access, _ := c.send("POST", admin, "s", body).at("access_token").(string)
		if caller, err := issuer.Verify(access); err != nil || caller.Operator != operator || caller.Channel != "c" {
			t.Errorf("%s: %+v, %v", body, caller, err)
		}
	}
	c.send("POST", admin, "s", `{"channel_id":"c","role":"root"}`).wants("a role that is none", 422, nil)
	seen := make(chan serve.Caller, 1)
	w, err := command.New(command.Options{Name: "w", Logger: quiet}, command.Define(command.Spec[struct{}]{Name: "who",
		Run: func(ctx context.Context, _ *command.Session, _ *struct{}) (command.Response, error) {
			caller, _ := serve.CallerFrom(ctx)
			seen <- caller
			return command.Say("you"), nil
		}}))
	if err != nil {
		t.Fatal(err)
	}
	s, err := rest.New(serve.New(w, serve.Options{Logger: quiet}), rest.Options{Issuer: issuer})
	if err != nil {
		t.Fatal(err)
	}
	who := (&client{t: t, handler: s}).open("c1")
	who.post("/invoke_agent", `{"user_query":"who"}`).wants("who", 200, want{"answer": "you"})
	if caller := <-seen; caller.Channel != "c1" || caller.User != "ada" || caller.Operator || caller.Bearer != who.access {
		t.Errorf("the command saw %+v", caller)
	}
}

func TestHeadersOfAnswers(t *testing.T) {
	c := start(t, newGate(), rest.Options{}, serve.Options{}).open("c1")
	for _, s := range []struct {
		authorization, id, header, want string
		status                          int
	}{
		{"Bearer " + c.access, "r-1", "X-Request-Id", "r-1", 200},
		{"Bearer " + c.access, "r-1", "Cache-Control", "no-store", 200},
		{"bearer  " + c.access, "", "X-Content-Type-Options", "nosniff", 200},
		{"Basic " + c.access, "", "WWW-Authenticate", "Bearer", 401},
		{"", "a\x1b[31m", "WWW-Authenticate", "Bearer", 401},
	} {
		r := httptest.NewRequest("GET", "/conversations", nil)
		r.Header.Set("Authorization", s.authorization)
		r.Header.Set("X-Request-Id", s.id)
		w := httptest.NewRecorder()
		c.handler.ServeHTTP(w, r)
		if got := w.Header().Get(s.header); got != s.want || w.Code != s.status {
			t.Errorf("%q: status %d, %s: %q; want %d, %q", s.authorization, w.Code, s.header, got, s.status, s.want)
		}
		if id := w.Header().Get("X-Request-Id"); id == "" || strings.ContainsRune(id, 27) {
			t.Errorf("the request id is %q", id)
		}
	}
}
