package agentmode

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fwgo/fwgo/signature"
)

// recorded is one outcome of fastWorkflow's tag extraction.
type recorded struct {
	Fields []recordedField
	Text   string
	Want   map[string]json.RawMessage
}

type recordedField struct {
	Name           string
	Type           string
	Optional       bool
	Default        json.RawMessage
	DefaultFactory string `json:"default_factory"`
	Examples       json.RawMessage
	Extra          map[string]json.RawMessage
	Enum           struct{ Members [][2]string }
}

// TestTagsReadAsInFastWorkflow compares with what fastWorkflow extracts, after
// its own list parser has read the lists. Where we differ on purpose, a line of
// the expected differences says by which rule, and what we answer instead.
func TestTagsReadAsInFastWorkflow(t *testing.T) {
	expected := readDifferences(t, "testdata/fw_xml_expected.txt")
	file, err := os.Open("testdata/fw_xml.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	agree := 0
	rows := bufio.NewScanner(file)
	for row := 1; rows.Scan(); row++ {
		var r recorded
		if err := json.Unmarshal(rows.Bytes(), &r); err != nil {
			t.Fatalf("row %d: %v", row, err)
		}
		got := New(r.signature(t), Options{RefuseExamples: true}, "cmd").Bind("cmd\n" + r.Text)
		difference := r.difference(got)
		want, listed := expected[row]
		switch answer := answerWord(got); {
		case difference == "" && listed:
			t.Errorf("row %d agrees now; take it off the expected differences: %s", row, r.Text)
		case difference == "":
			agree++
		case !listed:
			t.Errorf("row %d: %s\n\tfields %s\n\tthey say %s\n\twe say %s\n\t%s", row, r.Text, names(r.Fields), r.Want, answer, difference)
		case answer != want:
			t.Errorf("row %d: %s\n\tour answer is %s, the expected difference %s", row, r.Text, answer, want)
		}
	}
	t.Logf("%d rows agree, %d differ on purpose", agree, len(expected))
}

// answerWord is the word for our answer that the expected differences use: the
// kind of the doubt, or the form that was bound.
func answerWord(r Result) string {
	if r.Doubt != nil {
		return string(r.Doubt.Kind)
	}
	return "bound as " + string(r.Form)
}

// readDifferences reads lines of the form "answer | rows | rule: reason".
func readDifferences(t *testing.T, path string) map[int]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	answers := map[int]string{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		parts := strings.Split(line, " | ")
		if len(parts) != 3 || parts[2] == "" {
			t.Fatalf("%s: a line needs an answer, rows and a reason: %s", path, line)
		}
		for word := range strings.FieldsSeq(parts[1]) {
			row, err := strconv.Atoi(word)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if answers[row] != "" {
				t.Errorf("%s: row %d is listed twice", path, row)
			}
			answers[row] = parts[0]
		}
	}
	return answers
}

func names(fields []recordedField) string {
	var words []string
	for _, f := range fields {
		words = append(words, f.Name+":"+f.Type)
	}
	return strings.Join(words, ", ")
}

// signature declares the recorded fields.
func (r *recorded) signature(t *testing.T) *signature.Signature {
	t.Helper()
	var properties, required []string
	for _, f := range r.Fields {
		schema := f.schema()
		if f.Optional {
			schema = `"anyOf":[{` + schema + `},{"type":"null"}]`
		}
		if f.Examples != nil {
			schema += `,"examples":` + string(f.Examples)
		}
		for key, value := range f.Extra {
			schema += "," + quoteJSON(key) + ":" + string(value)
		}
		if f.Default == nil && f.DefaultFactory == "" {
			required = append(required, quoteJSON(f.Name))
		}
		properties = append(properties, quoteJSON(f.Name)+":{"+schema+"}")
	}
	sig, err := signature.FromSchema([]byte(`{"type":"object","properties":{` + strings.Join(properties, ",") +
		`},"required":[` + strings.Join(required, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	return sig
}

func (f *recordedField) schema() string {
	simple := map[string]string{"str": "string", "int": "integer", "float": "number", "bool": "boolean", "model": "object"}
	element, isList := strings.CutPrefix(strings.TrimSuffix(f.Type, "]"), "list[")
	schema := `"type":"` + simple[element] + `"`
	switch {
	case f.Type == "List":
		return `"type":"array"`
	case element == "enum":
		var words []string
		for _, m := range f.Enum.Members {
			words = append(words, quoteJSON(m[1]))
		}
		schema = `"type":"string","enum":[` + strings.Join(words, ",") + `]`
	}
	if isList {
		return `"type":"array","items":{` + schema + `}`
	}
	return schema
}

// difference says how our answer differs from the recorded one, "" for not.
func (r *recorded) difference(got Result) string {
	if r.Want == nil || got.Outcome != Bound {
		if (r.Want == nil) != (got.Outcome != Bound) {
			return "one binds, the other does not"
		}
		return ""
	}
	if len(got.Values) != len(r.Want) {
		return fmt.Sprintf("%d fields, they have %d", len(got.Values), len(r.Want))
	}
	for _, v := range got.Values {
		at := slices.IndexFunc(r.Fields, func(f recordedField) bool { return f.Name == v.Field })
		have := extractionText(v)
		if strings.HasPrefix(strings.ToLower(r.Fields[at].Type), "list") {
			element := strings.TrimSuffix(strings.TrimPrefix(r.Fields[at].Type, "list["), "]")
			have = extractionList(v, element)
		}
		theirs, err := decodeNumbersAsText(r.Want[v.Field])
		if err != nil {
			return err.Error()
		}
		if diff := cmp.Diff(theirs, have); diff != "" {
			return diff
		}
	}
	return ""
}

func extractionText(v Value) any {
	if v.Repeated {
		return strings.Join(v.Texts, " and ")
	}
	return v.Texts[0]
}
