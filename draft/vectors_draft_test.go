package draft

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/internal/vectors"
	"github.com/fwgo/fwgo/splash"
)

// cliRow is a row about a command line. What is compared here is what the library makes of the files; which flags a
// command takes, and its exit code, are the business of whoever prints it.
type cliRow struct {
	Name, Command string
	Args          []string
	Files         map[string]string
	Tags          []string
	Quirk         string
	Stdout        json.RawMessage `json:"stdout_json"`
	ExitCode      int             `json:"exit_code"`
}

func (r cliRow) has(arg string) bool { return slices.Contains(r.Args, arg) }

// file is the file that the row names: its last argument.
func (r cliRow) file() (string, bool) {
	text, ok := r.Files[r.Args[len(r.Args)-1]]
	return text, ok
}

// masked rewrites a document with sorted keys and without the texts that are not compared.
func masked(t *testing.T, doc []byte) string {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %.200s", err, doc)
	}
	mask(v)
	return sorted(t, v)
}

func sorted(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func mask(v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			if _, text := inner.(string); text && (key == "message" || key == "title" || key == "description") {
				v[key] = ""
				continue
			}
			mask(inner)
		}
	case []any:
		for _, inner := range v {
			mask(inner)
		}
	}
}

// reviewed is what a host prints for a draft: its review, or why it is refused.
func reviewed(t *testing.T, wire string, opts ReviewOptions) (*Review, error) {
	t.Helper()
	d, err := Decode([]byte(wire))
	var rejected *Rejection
	if errors.As(err, &rejected) {
		return &Review{Rejection: rejected}, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return d.Review(opts)
}

func TestVectorsReview(t *testing.T) {
	compared := map[string]int{}
	for _, row := range vectors.Rows[cliRow](t, "splash.jsonl") {
		tagged := slices.ContainsFunc(row.Tags, func(tag string) bool {
			return slices.Contains([]string{"decode", "review", "hints", "modules", "schema"}, tag)
		})
		if !tagged && row.Command != "workflow-review" {
			continue
		}
		var opts ReviewOptions
		if row.has("--allow-json-add") {
			opts.Modules = arithmetic
		}
		var got []byte
		want := row.Stdout
		switch row.Command {
		case "workflow-schema":
			got = JSONSchema()
		case "workflow-review", "workflow-run":
			text, ok := row.file()
			if misused := row.Command == "workflow-review" && (row.has("--grant") || row.has("--input")); misused || !ok {
				continue // flags that a review has not, or a file that is not there: not this package's
			}
			if row.Command == "workflow-run" {
				// A run prints the review, without calls of modules, only when it is what stops it.
				var out struct {
					Review json.RawMessage
					Status string
				}
				if err := json.Unmarshal(row.Stdout, &out); err != nil || out.Status != "rejected" {
					t.Errorf("%s: %v %s", row.Name, err, out.Status)
					continue
				}
				want, opts = out.Review, ReviewOptions{}
			}
			r, err := reviewed(t, text, opts)
			if string(want) == "null" || len(want) == 0 {
				var limit *splash.LimitError
				if !errors.As(err, &limit) {
					t.Errorf("%s: %v, want none but an error", row.Name, err)
				}
				compared[row.Command]++
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", row.Name, err)
				continue
			}
			got = r.Encode()
			if exit := map[bool]int{true: 0, false: 2}[r.Valid()]; row.Quirk == "" && exit != row.ExitCode {
				t.Errorf("%s: exit code %d, want %d", row.Name, exit, row.ExitCode)
			}
			if row.Quirk == "WD-7" { // arrays for objects are refused here
				want = json.RawMessage(`{"draft":{"error":{"code":"invalid_encoding"},"valid":false},"steps":[],"valid":false}`)
			}
		case "tool-calls":
			text, ok := row.file()
			if !ok {
				continue
			}
			r := mustReview(t, mustDraft(t, Step{"s", text}), opts)
			var step map[string]json.RawMessage
			if err := json.Unmarshal([]byte(sorted(t, r.Steps[0].json())), &step); err != nil {
				t.Fatal(err)
			}
			delete(step, "id")
			got = []byte(sorted(t, step))
		default:
			t.Errorf("%s: no way to run %s", row.Name, row.Command)
			continue
		}
		compared[row.Command]++
		if g, w := masked(t, got), masked(t, want); g != w {
			t.Errorf("%s\n got %.600s\nwant %.600s", row.Name, g, w)
		}
		// What is printed is compact and sorted as it is.
		var v any
		d := json.NewDecoder(bytes.NewReader(got))
		d.UseNumber()
		if err := d.Decode(&v); err != nil || sorted(t, v) != string(got) {
			t.Errorf("%s is printed as %.300s", row.Name, got)
		}
	}
	t.Logf("compared %v", compared)
	for _, command := range []string{"workflow-review", "workflow-run", "workflow-schema", "tool-calls"} {
		if compared[command] == 0 {
			t.Errorf("no row of %s", command)
		}
	}
}
