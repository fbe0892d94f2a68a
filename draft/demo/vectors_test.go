package demo

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/draft"
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

func vectors(t *testing.T) []vector {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "vectors", "splash.jsonl"))
	if err != nil {
		t.Skip("the recorded outcomes are not here: ", err)
	}
	defer f.Close()
	var out []vector
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func differences(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile("testdata/expected-differences.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, ok := strings.Cut(line, ": ")
		if !ok {
			t.Fatal("no reason: ", line)
		}
		rows[name] = reason
	}
	return rows
}

// flags are the arguments of a run, read no further than a test needs.
type flags struct {
	echo, add bool
	input     string
	grants    [][3]string
	file      string
}

// parse reports false for arguments that the command line refuses before it looks at any file.
func parse(args []string) (f flags, ok bool) {
	for i := 0; i < len(args); i++ {
		value := func() (string, bool) {
			i++
			if i >= len(args) {
				return "", false
			}
			return args[i], true
		}
		switch a := args[i]; {
		case a == "--allow-echo":
			f.echo = true
		case a == "--allow-json-add":
			f.add = true
		case a == "--input":
			v, ok := value()
			if !ok || f.input != "" {
				return f, false
			}
			f.input = v
		case a == "--grant":
			v, ok := value()
			part := strings.Split(v, ":")
			if !ok || len(part) != 3 || strings.ToLower(part[0]) != part[0] || part[0] == "" {
				return f, false
			}
			if n, err := strconv.Atoi(part[2]); err != nil || n <= 0 {
				return f, false
			}
			f.grants = append(f.grants, [3]string(part))
		case strings.HasPrefix(a, "--") || f.file != "":
			return f, false
		default:
			f.file = a
		}
	}
	return f, f.file != ""
}

// outcome is what a run came to: a result, or the stage that refused it.
type outcome struct {
	refused string
	result  *draft.Result
	err     error
}

func run(t *testing.T, v vector) outcome {
	f, ok := parse(v.Args)
	if !ok {
		return outcome{refused: "arguments"}
	}
	source, ok := v.Files[f.file]
	if !ok {
		return outcome{refused: "file"}
	}
	d, err := draft.Decode([]byte(source))
	if err != nil {
		return outcome{refused: "draft", err: err}
	}
	review, err := d.Review(draft.ReviewOptions{})
	if err != nil || !review.Valid() {
		return outcome{refused: "review", err: err}
	}
	var opts draft.ApproveOptions
	if f.input != "" {
		text, ok := v.Files[f.input]
		if !ok {
			return outcome{refused: "input file"}
		}
		if opts.Data, err = draft.NewData([]byte(text)); err != nil {
			return outcome{refused: "input", err: err}
		}
	}
	catalog, err := Catalog(f.echo, f.add)
	if err != nil {
		t.Fatal(err)
	}
	e, err := draft.NewEngine(catalog, draft.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := e.Plan(d)
	if err != nil {
		t.Fatal(v.Name, err)
	}
	var policies []draft.StepPolicy
	granted := 0
	for _, s := range p.Steps() {
		policy := draft.StepPolicy{StepID: s.ID}
		for _, g := range f.grants {
			if g[0] == s.ID {
				n, _ := strconv.Atoi(g[2])
				policy.Grants = append(policy.Grants, draft.Grant{Tool: g[1], Calls: n})
				granted++
			}
		}
		policies = append(policies, policy)
	}
	if granted != len(f.grants) {
		return outcome{refused: "grants"} // of a step that is not there
	}
	a, err := e.Approve(p, draft.PerStep(policies...), opts)
	if err != nil {
		return outcome{refused: "approval", err: err}
	}
	r, err := e.Run(t.Context(), p, a, draft.RunOptions{})
	if r == nil {
		t.Fatal(v.Name, err)
	}
	if (err == nil) != (r.Status == draft.RunCompleted) {
		t.Error(v.Name, "status and error disagree", r.Status, err)
	}
	return outcome{result: r, err: err}
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

// TestVectorsRun runs every recorded run of a draft through an engine and compares the whole result: plan, steps, audit,
// data and its fingerprint. Texts of errors are ours. Where a row has a quirk, what the rule says counts instead.
func TestVectorsRun(t *testing.T) {
	differ := differences(t)
	rows, agree := map[string]int{}, 0
	for _, v := range vectors(t) {
		if v.Command != "workflow-run" {
			continue
		}
		rows[v.Tags[0]]++
		bad := compare(t, v, run(t, v))
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

func compare(t *testing.T, v vector, got outcome) string {
	t.Helper()
	var recorded map[string]any
	if len(v.Stdout) > 0 && string(v.Stdout) != "null" {
		recorded, _ = numbers(t, v.Stdout).(map[string]any)
	}
	status, _ := recorded["status"].(string)
	if v.Spec != nil {
		status = v.Spec.Status
		if v.Spec.Outputs != nil {
			status = "completed"
		}
	}
	if status == "" || status == "rejected" {
		if got.refused == "" {
			return fmt.Sprintf("it ran, %s; it was to be refused", got.result.Status)
		}
		return ""
	}
	if got.refused != "" {
		return fmt.Sprintf("refused at %s: %v; want %s", got.refused, got.err, status)
	}
	r := got.result
	if string(r.Status) != status {
		return fmt.Sprintf("%s (%v), want %s", r.Status, errors.Unwrap(got.err), status)
	}
	if v.Spec != nil {
		for id, want := range v.Spec.Outputs {
			if slices.Contains(v.Tags, "input") { // these rows hold the JSON text of the value
				var text string
				if json.Unmarshal(want, &text) == nil {
					want = json.RawMessage(text)
				}
			}
			if !reflect.DeepEqual(numbers(t, r.Dataflow.Outputs[id]), numbers(t, want)) {
				return fmt.Sprintf("output %s is %s, want %s", id, r.Dataflow.Outputs[id], want)
			}
		}
		return ""
	}
	if v.Quirk != "" && v.Quirk != "diagnostic_count" {
		return "" // it ends as it should; the rest is the reference's own
	}
	doc, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	ours := numbers(t, doc).(map[string]any)
	if (recorded["error"] == nil) != (ours["error"] == nil) {
		return fmt.Sprintf("error %v, want %v", ours["error"], recorded["error"])
	}
	for _, m := range []map[string]any{ours, recorded} {
		delete(m, "error")
	}
	if v.Quirk == "diagnostic_count" {
		for _, s := range recorded["steps"].([]any) {
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

// TestVectorsCatalog compares the listings of the demonstration catalogs, with the descriptions left out: they are ours.
func TestVectorsCatalog(t *testing.T) {
	rows := 0
	for _, v := range vectors(t) {
		if v.Command != "catalog" && v.Command != "module-catalog" {
			continue
		}
		rows++
		c, err := Catalog(slices.Contains(v.Args, "--allow-echo"), slices.Contains(v.Args, "--allow-json-add"))
		if err != nil {
			t.Fatal(err)
		}
		doc := c.ToolsJSON()
		if v.Command == "module-catalog" {
			doc = c.ModulesJSON()
		}
		got, want := undescribed(t, doc), undescribed(t, v.Stdout)
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", v.Name, got, want)
		}
	}
	if rows != 6 {
		t.Errorf("%d rows", rows)
	}
}

// undescribed returns the tokens of a JSON text, in their order, with every description empty.
func undescribed(t *testing.T, doc []byte) string {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	var out []string
	for d.More() || len(out) > 0 {
		token, err := d.Token()
		if err != nil {
			break
		}
		text := fmt.Sprint(token)
		if len(out) > 0 && out[len(out)-1] == "description" {
			text = ""
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}
