package cli_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// draftOf is what the tests read of a draft.
type draftOf struct {
	ID     string
	Status string
	Plan   struct {
		Fingerprint string
		Done        int `json:"completed_steps"`
	}
	Result struct {
		Dataflow struct{ Outputs map[string]any }
	}
}

func (s *served) draft(t *testing.T, status int, path, access, body string) draftOf {
	t.Helper()
	got, text, err := s.post(path, access, body)
	if err != nil || got != status {
		t.Fatalf("%s: %d %s %v", path, got, text, err)
	}
	var d draftOf
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func (s *served) operator(t *testing.T) string {
	t.Helper()
	_, text, err := s.post("/admin/generate_mcp_token", "", `{"channel_id":"ops","role":"operator"}`)
	var got struct {
		Access string `json:"access_token"`
	}
	if err != nil || json.Unmarshal([]byte(text), &got) != nil || got.Access == "" {
		t.Fatal(text, err)
	}
	return got.Access
}

func TestADraftGoesOnAfterItsServerWasKilled(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "drafts.db")
	s := serveProcess(t, "--drafts", "--operator", "--store", kept)
	_, text, err := s.post("/initialize", "", `{"channel_id":"ada"}`)
	var opened struct {
		Access string `json:"access_token"`
	}
	if err != nil || json.Unmarshal([]byte(text), &opened) != nil {
		t.Fatal(text, err)
	}
	ada, ops := opened.Access, s.operator(t)
	const n = 200
	steps := make([]map[string]string, n)
	grants := make([]map[string]any, n)
	for i := range steps {
		id := fmt.Sprintf("s%d", i+1)
		steps[i] = map[string]string{"id": id, "source": "use mod.tool\ntool.call_json(\"get_order\", {order_id: \"#W1000042\"}).parse_json().success"}
		grants[i] = map[string]any{"step": id, "tool": "get_order", "calls": 1}
	}
	body, _ := json.Marshal(map[string]any{"draft": map[string]any{"format_version": 1, "steps": steps}})
	d := s.draft(t, 201, "/drafts", ada, string(body))
	approve, _ := json.Marshal(map[string]any{"plan_fingerprint": d.Plan.Fingerprint, "grants": grants})
	s.draft(t, 200, "/drafts/"+d.ID+"/approve", ops, string(approve))
	s.draft(t, 202, "/drafts/"+d.ID+"/execute", ada, "")
	time.Sleep(150 * time.Millisecond)
	if err := s.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = s.cmd.Wait()
	s = serveProcess(t, "--drafts", "--operator", "--store", kept)
	_, text, err = s.get("/drafts/"+d.ID, ada)
	if err != nil || json.Unmarshal([]byte(text), &d) != nil || d.Status != "interrupted" || d.Plan.Done >= n {
		t.Fatalf("after the restart: %.400s %v", text, err)
	}
	approve, _ = json.Marshal(map[string]any{"plan_fingerprint": d.Plan.Fingerprint, "grants": grants[d.Plan.Done:], "resume": true})
	s.draft(t, 200, "/drafts/"+d.ID+"/approve", ops, string(approve))
	d = s.draft(t, 200, "/drafts/"+d.ID+"/resume?wait=60", ada, "")
	if d.Status != "completed" || len(d.Result.Dataflow.Outputs) != n {
		t.Errorf("%s with %d outputs", d.Status, len(d.Result.Dataflow.Outputs))
	}
}
