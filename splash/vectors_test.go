package splash

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"testing"
)

// vector is one recorded outcome of the reference implementation. The file is not part of this module; see
// testdata/expected-differences.txt for the rows that differ on purpose.
type vector struct {
	Name    string            `json:"name"`
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Files   map[string]string `json:"files"`
	Tags    []string          `json:"tags"`
	Quirk   string            `json:"quirk"`
	Spec    *struct {
		Status  string                     `json:"status"`
		Outputs map[string]json.RawMessage `json:"outputs"`
	} `json:"spec"`
	Stdout json.RawMessage `json:"stdout_json"`
}

type draftFile struct {
	Steps []struct {
		ID     string `json:"id"`
		Source string `json:"source"`
	} `json:"steps"`
}

type reviewOut struct {
	Steps []reviewStep `json:"steps"`
}

type reviewStep struct {
	Diagnostics []Diagnostic    `json:"diagnostics"`
	Truncated   bool            `json:"diagnostics_truncated"`
	Valid       bool            `json:"valid"`
	ToolCalls   json.RawMessage `json:"tool_calls"`
	ToolTrunc   bool            `json:"tool_calls_truncated"`
	Modules     json.RawMessage `json:"direct_module_calls"`
	ModuleTrunc bool            `json:"direct_module_calls_truncated"`
}

func vectors(t *testing.T) []vector {
	t.Helper()
	data, err := os.ReadFile("../../shared/vectors/splash.jsonl")
	if err != nil {
		t.Skip("the recorded outcomes are not beside this checkout")
	}
	var list []vector
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		var v vector
		if err := json.Unmarshal(sc.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

func (v vector) tagged(tag string) bool {
	for _, t := range v.Tags {
		if t == tag {
			return true
		}
	}
	return false
}

// TestVectorsSyntax compares validity, and the positions of all diagnostics, of every reviewed step.
func TestVectorsSyntax(t *testing.T) {
	steps, diagnostics := 0, 0
	for _, v := range vectors(t) {
		if v.Command != "workflow-review" {
			continue
		}
		var draft draftFile
		var out reviewOut
		if json.Unmarshal([]byte(v.Files["d.json"]), &draft) != nil || json.Unmarshal(v.Stdout, &out) != nil {
			continue
		}
		if len(out.Steps) != len(draft.Steps) {
			continue // the draft as a whole was refused
		}
		for i, want := range out.Steps {
			steps++
			got, err := Check(draft.Steps[i].Source, Limits{})
			if err != nil {
				t.Errorf("%s: %v", v.Name, err)
				continue
			}
			if got.Valid() != want.Valid || got.Truncated != want.Truncated || len(got.Diagnostics) != len(want.Diagnostics) {
				t.Errorf("%s %.100q\n got %v %v\nwant %v %v", v.Name, draft.Steps[i].Source, got.Diagnostics, got.Truncated, want.Diagnostics, want.Truncated)
				continue
			}
			for j, d := range want.Diagnostics {
				diagnostics++
				if g := got.Diagnostics[j]; g.Line != d.Line || g.Column != d.Column {
					t.Errorf("%s %.100q: diagnostic %d at %d:%d, want %d:%d %s", v.Name, draft.Steps[i].Source, j, g.Line, g.Column, d.Line, d.Column, d.Message)
				}
			}
		}
	}
	t.Logf("%d steps, %d diagnostics", steps, diagnostics)
}

// TestVectorsCalls compares the call sites of every valid reviewed step, JSON form included.
func TestVectorsCalls(t *testing.T) {
	modules := []Module{{Name: "arithmetic", Methods: []Method{{Name: "add", Tool: "math.add"}}}}
	steps := 0
	for _, v := range vectors(t) {
		var sources []string
		var want []reviewStep
		switch v.Command {
		case "workflow-review":
			var draft draftFile
			var out reviewOut
			if json.Unmarshal([]byte(v.Files["d.json"]), &draft) != nil || json.Unmarshal(v.Stdout, &out) != nil {
				continue
			}
			want = out.Steps
			for _, s := range draft.Steps {
				sources = append(sources, s.Source)
			}
		case "tool-calls":
			var one reviewStep
			if json.Unmarshal(v.Stdout, &one) != nil {
				continue
			}
			want = []reviewStep{one}
			sources = []string{v.Files["s.splash"]}
		}
		toolsLeft, modulesLeft := 4*MaxCalls, 4*MaxCalls // over one review (WD-17)
		for i, w := range want {
			p, err := Parse(sources[i], Limits{})
			if err != nil {
				continue
			}
			steps++
			tools, cut := p.ToolCalls(toolsLeft)
			toolsLeft -= len(tools)
			if got := marshal(t, tools); got != compacted(t, w.ToolCalls) || cut != w.ToolTrunc {
				t.Errorf("%s step %d tools\n got %.300s %v\nwant %.300s %v", v.Name, i, got, cut, w.ToolCalls, w.ToolTrunc)
			}
			var mods []ModuleCall
			cut = false
			for _, a := range v.Args {
				if a == "--allow-json-add" {
					mods, cut = p.ModuleCalls(modules, modulesLeft)
					modulesLeft -= len(mods)
				}
			}
			if got := marshal(t, mods); got != compacted(t, w.Modules) || cut != w.ModuleTrunc {
				t.Errorf("%s step %d modules\n got %.300s %v\nwant %.300s %v", v.Name, i, got, cut, w.Modules, w.ModuleTrunc)
			}
		}
	}
	t.Logf("%d steps", steps)
}

func marshal[T any](t *testing.T, list []T) string {
	t.Helper()
	if list == nil {
		return "[]"
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(list); err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(b.Bytes()))
}

func compacted(t *testing.T, doc json.RawMessage) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, doc); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
