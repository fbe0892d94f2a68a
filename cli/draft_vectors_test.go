package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/cli"
	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/examples/retail/desk"
	"github.com/fwgo/fwgo/internal/vectors"
)

// vector is one recorded run of the command line.
type vector struct {
	Name    string            `json:"name"`
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Files   map[string]string `json:"files"`
	Exit    int               `json:"exit_code"`
	Stdout  json.RawMessage   `json:"stdout_json"`
	Tags    []string          `json:"tags"`
	Quirk   string            `json:"quirk"`
	Spec    *struct {
		Status  string                     `json:"status"`
		Outputs map[string]json.RawMessage `json:"outputs"`
	} `json:"spec"`
}

// printed is what a command line printed, and its exit code.
type printed struct {
	exit   int
	stdout string
}

// runVector runs the command line of a row in a folder with its files.
func runVector(t *testing.T, w *command.Workflow, v vector) printed {
	t.Helper()
	dir := t.TempDir()
	for name, text := range v.Files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	var out, errOut bytes.Buffer
	args := append([]string{"draft", strings.TrimPrefix(v.Command, "workflow-")}, v.Args...)
	// The recorded command line had no tools but the demonstration's. With
	// neither of its flags ours are the commands, so a tool is not enabled there
	// that has no command's name.
	code := cli.Run(t.Context(), w, args, strings.NewReader(""), &out, &errOut)
	if code != 0 && errOut.Len() == 0 {
		t.Errorf("%s: exit %d without a word", v.Name, code)
	}
	return printed{code, out.String()}
}

// numbers decodes JSON with the text of numbers kept.
func numbers(t *testing.T, doc []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%.200s: %v", doc, err)
	}
	return v
}

// TestDraftVectors runs every recorded command line about a draft and compares
// its exit code and all that it prints: reviews, plan, steps, audit, data and its
// fingerprint. Texts of errors and diagnostics are ours. Where a row has a quirk,
// what the rule says counts instead.
func TestDraftVectors(t *testing.T) {
	differ := vectors.Differences(t, "testdata/draft_expected.txt")
	workflow := desk.Workflow()
	rows, agree := map[string]int{}, 0
	for _, v := range vectors.Rows[vector](t, "splash.jsonl") {
		if !strings.HasPrefix(v.Command, "workflow-") {
			continue
		}
		rows[v.Command]++
		bad := compare(t, v, runVector(t, workflow, v))
		reason, expected := differ[v.Name]
		switch {
		case bad == "":
			agree++
			if expected {
				t.Errorf("%s agrees, but is listed as different: %s", v.Name, reason)
			}
		case !expected:
			t.Errorf("%s (quirk %s) %v\n\t%.400q\n\t%s", v.Name, v.Quirk, v.Args, v.Files, bad)
		}
	}
	t.Logf("%d of %v rows agree, %d differ as listed", agree, rows, len(differ))
}

// texts are the members whose texts are ours to word.
var texts = []string{"message", "title", "description"}

func masked(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			if _, text := inner.(string); text && slices.Contains(texts, key) {
				v[key] = ""
			} else {
				v[key] = masked(inner)
			}
		}
	case []any:
		for i := range v {
			v[i] = masked(v[i])
		}
	}
	return v
}

func compare(t *testing.T, v vector, got printed) string {
	t.Helper()
	var recorded, ours map[string]any
	if len(v.Stdout) > 0 && string(v.Stdout) != "null" {
		recorded, _ = masked(numbers(t, v.Stdout)).(map[string]any)
	}
	if got.stdout != "" {
		if strings.Count(got.stdout, "\n") != 1 || !strings.HasSuffix(got.stdout, "\n") {
			return "it is not one line: " + got.stdout
		}
		ours, _ = masked(numbers(t, []byte(got.stdout))).(map[string]any)
	}
	delete(ours, "calls") // what the commands' calls came to mean; a row has none
	if v.Spec != nil {
		return compareSpec(t, v, ours)
	}
	if got.exit != v.Exit {
		return fmt.Sprintf("exit %d, want %d: %.400s", got.exit, v.Exit, got.stdout)
	}
	if v.Quirk != "" && v.Quirk != "diagnostic_count" {
		return "" // it ends as it should; the rest is the reference's own
	}
	if (recorded["error"] == nil) != (ours["error"] == nil) {
		return fmt.Sprintf("error %v, want %v", ours["error"], recorded["error"])
	}
	for _, m := range []map[string]any{ours, recorded} {
		delete(m, "error")
	}
	if steps, ok := recorded["steps"].([]any); ok && v.Quirk == "diagnostic_count" {
		for _, s := range steps {
			if s := s.(map[string]any); s["diagnostic_count"] != nil {
				s["diagnostic_count"] = json.Number("1")
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(recorded)) {
		if !reflect.DeepEqual(ours[key], recorded[key]) {
			a, _ := json.Marshal(ours[key])
			b, _ := json.Marshal(recorded[key])
			return fmt.Sprintf("%s is %.400s, want %.400s", key, a, b)
		}
	}
	if len(ours) != len(recorded) {
		return fmt.Sprintf("members %v, want %v", slices.Sorted(maps.Keys(ours)), slices.Sorted(maps.Keys(recorded)))
	}
	return ""
}

// compareSpec compares with what the rule says instead of the recording.
func compareSpec(t *testing.T, v vector, ours map[string]any) string {
	t.Helper()
	want := v.Spec.Status
	if v.Spec.Outputs != nil {
		want = "completed"
	}
	status, _ := ours["status"].(string)
	if want != "" && status != want {
		return fmt.Sprintf("%s, want %s", status, want)
	}
	for id, value := range v.Spec.Outputs {
		if slices.Contains(v.Tags, "input") { // these rows hold the JSON text of the value
			var text string
			if json.Unmarshal(value, &text) == nil {
				value = json.RawMessage(text)
			}
		}
		outputs, _ := ours["dataflow"].(map[string]any)["outputs"].(map[string]any)
		if !reflect.DeepEqual(outputs[id], masked(numbers(t, value))) {
			return fmt.Sprintf("output %s is %v, want %s", id, outputs[id], value)
		}
	}
	return ""
}
