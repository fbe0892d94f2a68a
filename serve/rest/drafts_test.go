package rest_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/drafts"
	"github.com/fwgo/fwgo/serve/rest"
	"github.com/fwgo/fwgo/serve/token"
)

// draftDesk is a service with drafts, an owner's client and an operator's.
type draftDesk struct {
	owner, operator, stranger *client
	service                   *rest.Service
	dispatcher                *serve.Dispatcher
}

func startDrafts(t testing.TB, g *gate) *draftDesk {
	t.Helper()
	return startDraftsOf(t, depot(t, g))
}

func startDraftsOf(t testing.TB, w *command.Workflow) *draftDesk {
	t.Helper()
	d := serve.New(w, serve.Options{Logger: quiet})
	desk, err := drafts.New(d, drafts.Options{})
	if err != nil {
		t.Fatal(err)
	}
	issuer, err := token.New(token.Options{TrustRoles: true})
	if err != nil {
		t.Fatal(err)
	}
	s, err := rest.New(d, rest.Options{Issuer: issuer, Drafts: desk})
	if err != nil {
		t.Fatal(err)
	}
	as := func(subject token.Subject) *client {
		pair, err := issuer.Issue(subject)
		if err != nil {
			t.Fatal(err)
		}
		return &client{t: t, handler: s, access: pair.Access}
	}
	return &draftDesk{as(token.Subject{Channel: "ada", User: "Ada"}), as(token.Subject{Channel: "ops", Operator: true}), as(token.Subject{Channel: "eve"}), s, d}
}

func (c *client) get(path string) reply { return c.send("GET", path, c.access, "") }

const shipTwice = `{"format_version":1,"steps":[{"id":"a","source":"use mod.depot\ndepot.ship({to: \"Oslo &lt;b\", weight: 7}).artifacts.number"},{"id":"b","source":"workflow.outputs.a + workflow.input"}]}`

func (d *draftDesk) propose(t testing.TB, body string) (id, plan string) {
	t.Helper()
	r := d.owner.post("/drafts", body)
	r.wants("propose", 201, map[string]any{"status": "proposed", "review.valid": true})
	id, _ = r.at("id").(string)
	plan, _ = r.at("plan.fingerprint").(string)
	return id, plan
}

func TestADraftIsProposedApprovedExecutedAndFollowed(t *testing.T) {
	for name, member := range map[string]string{"as an object": shipTwice, "as a text": quoted(shipTwice)} {
		t.Run(name, func(t *testing.T) {
			d := startDrafts(t, newGate())
			id, plan := d.propose(t, `{"draft":`+member+`,"input":41}`)
			d.owner.get("/drafts").wants("list", 200, map[string]any{"drafts.0.id": id})
			d.owner.get("/drafts/"+id+"/review").wants("review", 200, map[string]any{"draft.steps.0.source": "use mod.depot\ndepot.ship({to: \"Oslo &lt;b\", weight: 7}).artifacts.number", "input": 41, "review.valid": true})
			d.owner.post("/drafts/"+id+"/execute", "").wants("not approved", 409, map[string]any{"code": "wrong_state", "status": "proposed"})
			approve := `{"plan_fingerprint":"` + plan + `","grants":"[{\"step\":\"a\",\"tool\":\"ship\"}]"}`
			d.owner.post("/drafts/"+id+"/approve", approve).wants("by the owner", 403, map[string]any{"code": "not_operator"})
			d.operator.post("/drafts/"+id+"/approve", strings.Replace(approve, plan, strings.Repeat("0", 64), 1)).wants("another plan", 409, map[string]any{"code": "plan_mismatch"})
			d.operator.post("/drafts/"+id+"/approve", approve).wants("approve", 200, map[string]any{"status": "approved", "grants.0.calls": 1})
			d.owner.get("/drafts/"+id+"/checkpoint").wants("no checkpoint", 409, map[string]any{"code": "wrong_state"})
			d.owner.post("/drafts/"+id+"/execute?wait=20", "").wants("execute", 200, map[string]any{"status": "completed", "result.dataflow.outputs.b": 42, "calls.0.ran": true})
			d.owner.get("/drafts/"+id+"/checkpoint").wants("checkpoint", 200, map[string]any{"checkpoint.completed_step_ids.1": "b", "data.outputs.b": 42})
			r := d.owner.get("/drafts/" + id + "/events")
			want := []string{"planned", "approved", "started", "step_succeeded", "checkpointed", "step_succeeded", "checkpointed", "completed"}
			lines := strings.Split(strings.TrimSpace(r.text), "\n")
			if len(lines) != len(want)+1 || !strings.Contains(lines[len(want)], `"type":"end"`) || !strings.Contains(lines[len(want)], `"status":"completed"`) {
				t.Fatalf("events:\n%s", r.text)
			}
			for i, kind := range want {
				if !strings.HasPrefix(lines[i], fmt.Sprintf(`{"type":"event","data":{"sequence":%d,`, i+1)) || !strings.Contains(lines[i], `"type":"`+kind+`"`) {
					t.Errorf("event %d: %s, want %s", i+1, lines[i], kind)
				}
			}
			d.owner.post("/drafts/"+id+"/abandon", "").wants("abandon what is over", 409, map[string]any{"status": "completed"})
		})
	}
}

func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(out)
}

func TestARejectedDraftIsAnsweredWithItsReview(t *testing.T) {
	d := startDrafts(t, newGate())
	for name, c := range map[string]struct {
		body   string
		values map[string]any
	}{
		"no program":         {`{"draft":{"format_version":1,"steps":[{"id":"a","source":"let"}]}}`, map[string]any{"valid": false, "draft.valid": true, "steps.0.valid": false, "code": "rejected", "steps.0.diagnostics.0.line": 1}},
		"another version":    {`{"draft":{"format_version":2,"steps":[]}}`, map[string]any{"draft.valid": false, "draft.error.code": "unsupported_format_version", "draft.error.actual": 2}},
		"a number as a real": {`{"draft":{"format_version":1.0,"steps":[]}}`, map[string]any{"draft.error.code": "invalid_encoding"}},
		"a text that is cut": {`{"draft":"{\"format_version\":1"}`, map[string]any{"draft.error.code": "invalid_encoding"}},
		"a list":             {`{"draft":[1,[["a","b"]]]}`, map[string]any{"draft.error.code": "invalid_encoding"}},
		"no steps":           {`{"draft":{"format_version":1,"steps":[]}}`, map[string]any{"draft.error.code": "empty_plan", "steps.0": nil}},
		"too long":           {`{"draft":` + quoted(strings.Repeat(" ", 2<<20)+"1") + `}`, map[string]any{"draft.error.code": "input_too_large"}},
		"a source too long":  {`{"draft":{"format_version":1,"steps":[{"id":"a","source":"` + strings.Repeat("1", 300_000) + `"}]}}`, map[string]any{"code": "rejected", "detail": "The draft is rejected...."}},
		"an id that is none": {`{"draft":{"format_version":1,"steps":[{"id":"A","source":""}]}}`, map[string]any{"draft.error.code": "invalid_step_id"}},
		"input too large":    {`{"draft":` + shipTwice + `,"input":"` + strings.Repeat("x", 70_000) + `"}`, map[string]any{"code": "invalid_input"}},
		"no draft":           {`{"input":1}`, map[string]any{"detail.0.loc.1": "draft"}},
		"a misspelt member":  {`{"draft":` + shipTwice + `,"inputs":1}`, map[string]any{"detail.0.loc.1": "inputs"}},
		"a member twice":     {`{"draft":{"format_version":1,"format_version":1,"steps":[]}}`, map[string]any{}},
		"deep":               {`{"draft":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`, map[string]any{}},
		"half a surrogate":   {`{"draft":{"format_version":1,"steps":[{"id":"a","source":"\ud800"}]}}`, map[string]any{}},
	} {
		d.owner.post("/drafts", c.body).wants(name, 422, c.values)
	}
	d.owner.get("/drafts").wants("nothing is kept", 200, map[string]any{"drafts.0": nil})
	if status, _ := d.owner.do("POST", "/drafts", d.owner.access, `{"draft":`+strings.Repeat("[", 5<<20)); status != 413 {
		t.Errorf("a body that is too long: %d", status)
	}
}

func TestADraftOfOneSessionDoesNotExistInAnother(t *testing.T) {
	d := startDrafts(t, newGate())
	id, plan := d.propose(t, `{"draft":`+shipTwice+`}`)
	approve := `{"plan_fingerprint":"` + plan + `"}`
	none := "ffffffffffffffff-" + strings.Repeat("a", 26)
	for _, to := range []struct{ method, path, body string }{
		{"GET", "", ""}, {"GET", "/review", ""}, {"GET", "/checkpoint", ""}, {"GET", "/events", ""}, {"POST", "/approve", approve},
		{"POST", "/execute", ""}, {"POST", "/resume", ""}, {"POST", "/abandon", ""}, {"POST", "/calls/0", `{"approve":false}`},
	} {
		one := d.stranger.send(to.method, "/drafts/"+id+to.path, d.stranger.access, to.body)
		other := d.stranger.send(to.method, "/drafts/"+none+to.path, d.stranger.access, to.body)
		if one.status != 404 || one.status != other.status || one.text != other.text {
			t.Errorf("%s %s: %d %s, and for no draft %d %s", to.method, to.path, one.status, one.text, other.status, other.text)
		}
		if status, _ := d.owner.do(to.method, "/drafts/"+id+to.path, "", to.body); status != 401 {
			t.Errorf("%s %s without a token: %d", to.method, to.path, status)
		}
	}
	d.stranger.get("/drafts").wants("a stranger's list", 200, map[string]any{"drafts.0": nil})
	d.stranger.get("/drafts?all=true").wants("a stranger's list of all", 403, map[string]any{"code": "not_operator"})
	d.operator.get("/drafts?all=true").wants("an operator's list of all", 200, map[string]any{"drafts.0.id": id, "drafts.0.channel": "ada"})
	for _, bad := range []string{"x", "..%2f..", strings.Repeat("a", 5000), "%00", "%ff"} {
		if r := d.operator.get("/drafts/" + bad); r.status != 404 {
			t.Errorf("%.20s: %d %s", bad, r.status, r.text)
		}
	}
}

func TestQueriesThatCannotBeAreRefused(t *testing.T) {
	d := startDrafts(t, newGate())
	id, _ := d.propose(t, `{"draft":`+shipTwice+`}`)
	for _, path := range []string{"/events?since=x", "/events?since=-1", "/events?since=99999999999999999999", "/events?stream_format=xml", "/events?since=7"} {
		d.owner.get("/drafts/"+id+path).wants(path, 422, nil)
	}
	for _, path := range []string{"/execute?wait=-1", "/execute?wait=61", "/resume?wait=x"} {
		d.owner.post("/drafts/"+id+path, "").wants(path, 422, nil)
	}
	d.owner.get("/drafts?all=maybe").wants("all", 422, nil)
	d.operator.get("/drafts?all=1&after=x").wants("after", 422, nil)
}

func TestEventsAreStreamedWhileTheDraftRuns(t *testing.T) {
	g := newGate()
	d := startDrafts(t, g)
	id, plan := d.propose(t, `{"draft":{"format_version":1,"steps":[{"id":"a","source":"1"},{"id":"b","source":"use mod.tool\ntool.call_json(\"wait\", {})\n2"}]}}`)
	d.operator.post("/drafts/"+id+"/approve", `{"plan_fingerprint":"`+plan+`","grants":[{"step":"b","tool":"wait","calls":1}]}`).wants("approve", 200, nil)
	server := httptest.NewServer(d.service)
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", server.URL+"/drafts/"+id+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+d.owner.access)
	r.Header.Set("Accept", "text/event-stream")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if got := answer.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Errorf("content type %s", got)
	}
	d.owner.post("/drafts/"+id+"/execute", "").wants("execute", 202, map[string]any{"status": "running"})
	<-g.entered
	lines := bufio.NewScanner(answer.Body)
	seen := func(what string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), what) {
				return
			}
		}
		t.Fatalf("%s was not streamed", what)
	}
	seen(`"step_id":"a","type":"step_succeeded"`) // and b is still at it
	close(g.leave)
	seen(`id: 6`)
	seen(`"step_id":"b","type":"step_succeeded"`)
	seen(`event: end`)
	// A client that comes again has the rest.
	again := httptest.NewRequest("GET", "/drafts/"+id+"/events?stream_format=sse", nil)
	again.Header.Set("Authorization", "Bearer "+d.owner.access)
	again.Header.Set("Last-Event-ID", "6")
	w := httptest.NewRecorder()
	d.service.ServeHTTP(w, again)
	if !strings.HasPrefix(w.Body.String(), "id: 7\n") || !strings.Contains(w.Body.String(), "event: end") {
		t.Errorf("the rest:\n%s", w.Body)
	}
}

func TestTheDocumentDescribesDraftsWhereTheyAreServed(t *testing.T) {
	with, without := startDrafts(t, newGate()).service, start(t, newGate(), rest.Options{}, serve.Options{})
	if !strings.Contains(string(with.OpenAPI()), `"/drafts/{id}/calls/{call}"`) {
		t.Error("the document lacks the drafts")
	}
	if r := without.send("GET", "/drafts", "", ""); r.status != 404 {
		t.Errorf("drafts are served though they were not asked for: %d", r.status)
	}
	d := startDrafts(t, newGate())
	d.owner.get("/drafts/schema").wants("schema", 200, map[string]any{"title": "Workflow draft..."})
}

func TestACallThatWaitsIsAnsweredWithItsDigest(t *testing.T) {
	w, err := command.New(command.Options{Name: "depot", Logger: quiet},
		command.Define(command.Spec[parcel]{Name: "ship", ApproveCalls: true,
			Run: func(_ context.Context, _ *command.Session, in *parcel) (command.Response, error) {
				return command.Say("shipped to " + in.To), nil
			}}))
	if err != nil {
		t.Fatal(err)
	}
	d := startDraftsOf(t, w)
	id, plan := d.propose(t, `{"draft":{"format_version":1,"steps":[{"id":"a","source":"use mod.depot\nuse mod.tool\nlet first = try depot.ship({to: \"Oslo\", weight: 1}) catch {\n  tool.last_error().message\n}\nlet second = depot.ship({to: \"Bergen\", weight: \"2\"})\n[first, second.response]"}]}}`)
	d.operator.post("/drafts/"+id+"/approve", `{"plan_fingerprint":"`+plan+`","grants":[{"step":"a","tool":"ship","calls":2}]}`).wants("approve", 200, nil)
	r := d.owner.post("/drafts/"+id+"/execute?wait=20", "")
	r.wants("execute", 200, map[string]any{"status": "suspended", "pending_calls.0.arguments.to": "Oslo", "pending_calls.0.tool": "ship"})
	digest, _ := r.at("pending_calls.0.digest").(string)
	path := fmt.Sprintf("/drafts/%s/calls/%v", id, r.at("pending_calls.0.call"))
	d.owner.post(path, `{"approve":true,"digest":"`+digest+`"}`).wants("by the owner", 403, map[string]any{"code": "not_operator"})
	d.operator.post(path, `{"approve":true}`).wants("without a digest", 409, map[string]any{"code": "call_changed"})
	d.operator.post(path, `{"digest":"`+digest+`"}`).wants("without a word", 422, map[string]any{"detail.0.loc.1": "approve"})
	d.operator.post("/drafts/"+id+"/calls/x", `{"approve":true,"digest":"`+digest+`"}`).wants("no call", 404, map[string]any{"code": "unknown_call"})
	r = d.operator.post(path+"?wait=20", `{"approve":"no","reason":"not there"}`)
	r.wants("refuse", 200, map[string]any{"status": "suspended", "pending_calls.0.arguments.weight": 2})
	digest, _ = r.at("pending_calls.0.digest").(string)
	path = fmt.Sprintf("/drafts/%s/calls/%v", id, r.at("pending_calls.0.call"))
	d.operator.post(path+"?wait=20", `{"approve":true,"digest":"`+digest+`"}`).wants("approve the other", 200,
		map[string]any{"status": "completed", "result.dataflow.outputs.a.0": "the call was refused: not there", "result.dataflow.outputs.a.1": "shipped to Bergen"})
	d.operator.post(path, `{"approve":true,"digest":"`+digest+`"}`).wants("again", 409, map[string]any{"code": "wrong_state"})
}
