package splash

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// demoHost is the reference's two demo tools under grants, as WD-27 and WD-41 describe them.
type demoHost struct {
	grants map[string]int
	used   map[string]bool
}

func (h *demoHost) reserve(c Call) error {
	json2 := c.Tool == "math.add"
	switch {
	case c.Tool != "text.echo" && !json2:
		return errors.New("unknown tool")
	case c.JSON && !json2:
		return errors.New("not a JSON tool")
	case len(c.Input) > 16384:
		return errors.New("input too long")
	}
	if json2 {
		if _, err := addends(c.Input); err != nil {
			return err
		}
	}
	if h.used[c.Tool] || h.grants[c.Tool] == 0 {
		return errors.New("no call left")
	}
	h.grants[c.Tool]--
	h.used[c.Tool] = true
	return nil
}

func addends(input string) (sum [2]int64, err error) {
	d := json.NewDecoder(strings.NewReader(input))
	d.UseNumber()
	var in map[string]json.Number
	if err := d.Decode(&in); err != nil {
		return sum, err
	}
	if len(in) != 2 {
		return sum, errors.New("left and right")
	}
	for i, k := range []string{"left", "right"} {
		f, err := strconv.ParseFloat(in[k].String(), 64)
		if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<62 {
			return sum, errors.New("no integer")
		}
		sum[i] = int64(f)
	}
	return sum, nil
}

func (h *demoHost) run(c Call) (string, error) {
	if c.Tool == "text.echo" {
		return c.Input, nil
	}
	in, err := addends(c.Input)
	return fmt.Sprintf(`{"total":%d}`, in[0]+in[1]), err
}

func (h *demoHost) Call(_ context.Context, c Call) (string, error) {
	if err := h.reserve(c); err != nil {
		return "", err
	}
	return h.run(c)
}

func (h *demoHost) Start(_ context.Context, c Call) (Work, error) {
	if err := h.reserve(c); err != nil {
		return nil, err
	}
	return func(context.Context) (string, error) { return h.run(c) }, nil
}

func decodeNumbers(t *testing.T, b []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	return v
}

func depthOf(v any) int {
	deepest := 0
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			deepest = max(deepest, depthOf(x))
		}
	case map[string]any:
		for _, x := range v {
			deepest = max(deepest, depthOf(x))
		}
	default:
		return 0
	}
	return deepest + 1
}

// expectedDifferences reads the rows that differ on purpose, with the reason after the name.
func expectedDifferences(t *testing.T) map[string]string {
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
			t.Fatalf("no reason: %s", line)
		}
		rows[name] = reason
	}
	return rows
}

// TestVectorsEval runs every step that the reference ran alone, or with --input, and compares what it ends with: the
// outcome of the rule that `quirk` names where there is one, the recorded outcome elsewhere.
func TestVectorsEval(t *testing.T) {
	differ := expectedDifferences(t)
	rows, agree := 0, 0
	tags := map[string]int{}
	for _, v := range vectors(t) {
		if v.Command != "workflow-run" {
			continue
		}
		var draft draftFile
		if json.Unmarshal([]byte(v.Files["d.json"]), &draft) != nil || len(draft.Steps) != 1 {
			continue // several steps are the business of package draft
		}
		if !v.tagged("lang") && !v.tagged("steps") && !v.tagged("example") && !v.tagged("dataflow") {
			continue
		}
		input, dataflow := v.Files["i.json"]
		if !dataflow && v.tagged("dataflow") {
			continue
		}
		var out struct {
			Status   string `json:"status"`
			Dataflow *struct {
				Outputs map[string]json.RawMessage `json:"outputs"`
			} `json:"dataflow"`
		}
		if len(v.Stdout) > 0 {
			if err := json.Unmarshal(v.Stdout, &out); err != nil {
				t.Fatal(v.Name, err)
			}
		}
		wantStatus, wantOutputs := out.Status, map[string]json.RawMessage(nil)
		if wantStatus == "rejected" || wantStatus == "" && v.Spec == nil {
			continue
		}
		if out.Dataflow != nil {
			wantOutputs = out.Dataflow.Outputs
		}
		if v.Spec != nil {
			wantStatus = v.Spec.Status
			if v.Spec.Outputs != nil {
				wantStatus, wantOutputs = "completed", v.Spec.Outputs
			}
		} else if v.Quirk != "" && v.Quirk != "diagnostic_count" {
			continue
		}
		rows++
		tags[v.Tags[0]]++

		step := draft.Steps[0]
		host := &demoHost{grants: map[string]int{}, used: map[string]bool{}}
		for _, a := range v.Args {
			if p := strings.Split(a, ":"); len(p) == 3 && p[0] == step.ID {
				host.grants[p[1]]++
			}
		}
		cfg := Config{Host: host, Modules: []Module{{Name: "arithmetic", Methods: []Method{{Name: "add", Tool: "math.add"}}}}}
		var context1 string
		if dataflow {
			context1 = `{"input":` + input + `,"outputs":{}}`
			cfg.Globals = map[string]json.RawMessage{"workflow": json.RawMessage(context1)}
		}
		value, err := Eval(context.Background(), step.Source, cfg)
		status := "completed"
		var doc []byte
		if err == nil && dataflow {
			if doc, err = value.JSON(Limits{}); err == nil {
				// The limits of the whole context (WD-44).
				if depthOf(decodeNumbers(t, doc)) > 62 || len(context1)+len(step.ID)+3+len(doc) > 65536 {
					err = errors.New("over the data limit")
				}
			}
		}
		if err != nil {
			status = "failed"
		}
		var bad string
		if status != wantStatus {
			bad = fmt.Sprintf("status %s, want %s: %v", status, wantStatus, err)
		} else if want := wantOutputs[step.ID]; status == "completed" && dataflow {
			if v.tagged("input") && v.Spec != nil {
				var text string // these rows hold the JSON text of the value
				if json.Unmarshal(want, &text) == nil {
					want = json.RawMessage(text)
				}
			}
			if a, b := decodeNumbers(t, doc), decodeNumbers(t, want); !reflect.DeepEqual(a, b) && !close1(a, b) {
				bad = fmt.Sprintf("value %.200s, want %.200s", doc, want)
			}
		}
		reason, expected := differ[v.Name]
		switch {
		case bad == "":
			agree++
			if expected {
				t.Errorf("%s agrees, but is listed as different: %s", v.Name, reason)
			}
		case !expected:
			t.Errorf("%s %.300q (quirk %s)\n\t%s", v.Name, step.Source, v.Quirk, bad)
		}
	}
	t.Logf("%d of %d rows agree %v, %d differ as listed", agree, rows, tags, len(differ))
}

// close1 allows the last bit of transcendental functions (SL-39).
func close1(a, b any) bool {
	x, ok := a.(json.Number)
	y, ok2 := b.(json.Number)
	if !ok || !ok2 {
		return false
	}
	f, _ := x.Float64()
	g, _ := y.Float64()
	return math.Abs(f-g) <= 4e-16*math.Abs(g) && f != math.Trunc(f)
}
