package draft

import (
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/internal/vectors"
)

// dataRow is a row about data, checkpoints, schemas, contracts or plans.
type dataRow struct {
	Name        string
	Kind        string
	Doc         *string
	OK          bool
	ToJSON      string `json:"to_json"`
	Fingerprint string
	Debug       string

	Schema   json.RawMessage
	Values   []json.RawMessage
	Compiled bool
	Error    string
	Results  []json.RawMessage

	InputSchema json.RawMessage `json:"input_schema"`
	Outputs     [][2]json.RawMessage
	Steps       [][2]string
	FP          string
}

func dataRows(t *testing.T, kind string) []dataRow {
	t.Helper()
	var rows []dataRow
	for _, row := range vectors.Rows[dataRow](t, "splash_data.jsonl") {
		if row.Kind == kind {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		t.Fatalf("no rows of kind %s", kind)
	}
	return rows
}

// code is what a row's debug text says about the kind of a failure, in the words of this package.
func (r dataRow) code(t *testing.T) string {
	t.Helper()
	codes := map[string]string{
		"Json(InvalidEncoding)":          string(DataInvalidEncoding),
		"Json(TooDeep":                   string(DataTooDeep),
		"Json(TooLarge":                  string(DataTooLarge),
		"InvalidDocument":                string(DataInvalidDocument),
		"UnsupportedFormatVersion":       string(DataUnsupportedVersion),
		"InvalidOutputStepId(":           string(DataInvalidOutputStepID),
		"InvalidContractFingerprint":     string(DataInvalidFingerprint),
		"TooLarge":                       string(CheckpointTooLarge),
		"InvalidEncoding":                string(CheckpointInvalidEncoding),
		"UnsupportedVersion":             string(CheckpointUnsupportedVersion),
		"InvalidPlanFingerprint":         string(CheckpointInvalidPlan),
		"InvalidDataFingerprint":         string(CheckpointInvalidData),
		"InvalidDataContractFingerprint": string(CheckpointInvalidContract),
		"DataflowContractWithoutContext": string(CheckpointContractWithoutData),
		"TooManyCompletedSteps":          string(CheckpointTooManySteps),
		"InvalidStepId(":                 string(CheckpointInvalidStepID),
		"DuplicateStepId(":               string(CheckpointDuplicateStepID),
	}
	longest, code := "", ""
	for prefix, c := range codes {
		if strings.HasPrefix(r.Debug, prefix) && len(prefix) > len(longest) {
			longest, code = prefix, c
		}
	}
	if code == "" {
		t.Fatalf("%s: no code for %q", r.Name, r.Debug)
	}
	return code
}

// numbers are the digits of the debug text, in order: what was measured and what is allowed.
func (r dataRow) numbers() []int {
	var list []int
	for _, digits := range regexp.MustCompile(`: (\d+)|\((\d+)\)`).FindAllStringSubmatch(r.Debug, -1) {
		n, _ := strconv.Atoi(digits[1] + digits[2])
		list = append(list, n)
	}
	return list
}

func checkData(t *testing.T, row dataRow, d *Data, err error) {
	t.Helper()
	if !row.OK {
		var e *DataError
		if !errors.As(err, &e) || string(e.Code) != row.code(t) {
			t.Errorf("%s %.80q: %v, want %s", row.Name, *row.Doc, err, row.Debug)
			return
		}
		for _, n := range row.numbers() {
			if n != e.Actual && n != e.Maximum {
				t.Errorf("%s: %d and %d, want those of %s", row.Name, e.Actual, e.Maximum, row.Debug)
			}
		}
		return
	}
	if err != nil {
		t.Errorf("%s %.80q: %v", row.Name, *row.Doc, err)
		return
	}
	if got := string(d.Encode()); got != row.ToJSON {
		t.Errorf("%s: encodes as %.200s, want %.200s", row.Name, got, row.ToJSON)
	}
	if got := d.Fingerprint(); got != row.Fingerprint {
		t.Errorf("%s: fingerprint %s, want %s", row.Name, got, row.Fingerprint)
	}
}

func TestVectorsInput(t *testing.T) {
	for _, row := range dataRows(t, "input") {
		d, err := NewData([]byte(*row.Doc))
		checkData(t, row, d, err)
	}
}

func TestVectorsEnvelope(t *testing.T) {
	for _, row := range dataRows(t, "envelope") {
		d, err := DecodeData([]byte(*row.Doc))
		checkData(t, row, d, err)
	}
}

func TestVectorsCheckpoint(t *testing.T) {
	for _, row := range dataRows(t, "checkpoint") {
		c, err := DecodeCheckpoint([]byte(*row.Doc))
		if !row.OK {
			var e *CheckpointError
			if !errors.As(err, &e) || string(e.Code) != row.code(t) {
				t.Errorf("%s %.80q: %v, want %s", row.Name, *row.Doc, err, row.Debug)
				continue
			}
			for _, n := range row.numbers() {
				if n != e.Actual && n != e.Maximum {
					t.Errorf("%s: %d and %d, want those of %s", row.Name, e.Actual, e.Maximum, row.Debug)
				}
			}
			continue
		}
		if err != nil {
			t.Errorf("%s %.80q: %v", row.Name, *row.Doc, err)
			continue
		}
		if got, err := c.Encode(); err != nil || string(got) != row.ToJSON {
			t.Errorf("%s: encodes as %.200s %v, want %.200s", row.Name, got, err, row.ToJSON)
		}
	}
}

func TestVectorsPlan(t *testing.T) {
	for _, row := range dataRows(t, "plan") {
		var steps []Step
		for _, s := range row.Steps {
			steps = append(steps, Step{s[0], s[1]})
		}
		if got := planFingerprint(steps); got != row.FP {
			t.Errorf("%s: %s, want %s", row.Name, got, row.FP)
		}
	}
}

func TestVectorsContract(t *testing.T) {
	for _, row := range dataRows(t, "contract") {
		var outputs []OutputSchema
		for _, o := range row.Outputs {
			var id string
			if err := json.Unmarshal(o[0], &id); err != nil {
				t.Fatal(err)
			}
			outputs = append(outputs, OutputSchema{id, o[1]})
		}
		c, err := NewContract(row.InputSchema, outputs...)
		if err != nil || c.Fingerprint() != row.FP {
			t.Errorf("%s: %v, want %s", row.Name, err, row.FP)
		}
	}
}

// The kinds of schema errors and violations, as the recorded texts tell them.
var (
	recordedKeyword = regexp.MustCompile(`^(\$.*?): (?:invalid (\w+): .*|unsupported schema keyword (\S+)|(schema must be an object))$`)
	recordedLimit   = regexp.MustCompile(`^schema exceeds (\w+) limit of (\d+)$`)
	recordedBroken  = []struct {
		text *regexp.Regexp
		kind ViolationKind
	}{
		{regexp.MustCompile(`^expected (\w+)$`), ViolationType},
		{regexp.MustCompile(`shorter than minLength`), ViolationMinLength},
		{regexp.MustCompile(`longer than maxLength`), ViolationMaxLength},
		{regexp.MustCompile(`fewer than minItems`), ViolationMinItems},
		{regexp.MustCompile(`more than maxItems`), ViolationMaxItems},
		{regexp.MustCompile(`below minimum`), ViolationMinimum},
		{regexp.MustCompile(`above maximum`), ViolationMaximum},
		{regexp.MustCompile(`^missing required property "(.*)"$`), ViolationRequired},
		{regexp.MustCompile(`^additional property "(.*)" is not allowed$`), ViolationAdditional},
		{regexp.MustCompile(`not in enum`), ViolationEnum},
	}
)

func recordedSchemaError(t *testing.T, text string) SchemaError {
	t.Helper()
	if m := recordedLimit.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[2])
		return SchemaError{Code: map[string]SchemaCode{"byte": SchemaTooLarge, "depth": SchemaTooDeep,
			"property": SchemaTooManyProperties, "enum": SchemaTooManyEnumValues}[m[1]], Maximum: n}
	}
	m := recordedKeyword.FindStringSubmatch(text)
	switch {
	case m == nil:
		t.Fatalf("no kind for %q", text)
	case m[2] != "":
		return SchemaError{Code: SchemaInvalidKeyword, Path: m[1], Keyword: m[2]}
	case m[3] != "":
		return SchemaError{Code: SchemaUnsupportedKeyword, Path: m[1], Keyword: m[3]}
	}
	return SchemaError{Code: SchemaNotObject, Path: m[1]}
}

func recordedViolation(t *testing.T, result json.RawMessage) *Violation {
	t.Helper()
	if string(result) == `"ok"` {
		return nil
	}
	var r struct{ Message, Path string }
	if err := json.Unmarshal(result, &r); err != nil {
		t.Fatal(err)
	}
	for _, b := range recordedBroken {
		if m := b.text.FindStringSubmatch(r.Message); m != nil {
			v := &Violation{Path: r.Path, Kind: b.kind}
			if len(m) > 1 {
				v.Name = m[1]
			}
			return v
		}
	}
	t.Fatalf("no kind for %q", r.Message)
	return nil
}

func TestVectorsSchema(t *testing.T) {
	differ := vectors.Differences(t, "testdata/expected-differences.txt")
	values := 0
	for _, row := range dataRows(t, "schema") {
		s, _, err := compileSchema(row.Schema)
		if !row.Compiled {
			var e *SchemaError
			if !errors.As(err, &e) {
				t.Errorf("%s: compiles, want %s", row.Name, row.Error)
				continue
			}
			got, want := *e, recordedSchemaError(t, row.Error)
			got.Reason = ""
			if want.Path == "" {
				got.Path = ""
			}
			if got != want {
				t.Errorf("%s: %+v, want %+v", row.Name, got, want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", row.Name, err)
			continue
		}
		same := true
		for i, value := range row.Values {
			values++
			want := recordedViolation(t, row.Results[i])
			var got *Violation
			if err := s.validateText(value); err != nil && !errors.As(err, &got) {
				t.Fatal(err)
			}
			if (got == nil) != (want == nil) || got != nil && *got != *want {
				same = false
				if differ[row.Name] == "" {
					t.Errorf("%s %s: %+v, want %+v", row.Name, value, got, want)
				}
			}
		}
		if same && differ[row.Name] != "" {
			t.Errorf("%s no longer differs", row.Name)
		}
	}
	t.Logf("%d values", values)
}
