package validate_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/validate"
)

// A listRow is the text of a list and what fastWorkflow's two parsers make of
// it. Only the one of validation is compared: there is one parser here, and
// it is that one with the PORT of section 2.7.
type listRow struct {
	Text       string          `json:"text"`
	Element    string          `json:"element"`
	Validation json.RawMessage `json:"validation"`
	Members    json.RawMessage `json:"members"`
}

// Every text that fastWorkflow reads as a list is read as the same list, and
// what it refuses is refused, except for the reviewed classes of differences.
func TestRecordedReadingsOfLists(t *testing.T) {
	list := readDifferences(t, "testdata/fw_lists_expected.txt")
	agree, differ := 0, 0
	for i, row := range rows[*listRow](t, "testdata/fw_lists.jsonl") {
		where := fmt.Sprintf("row %d", i+1)
		f := &vectorField{Name: "f", Type: "list[" + row.Element + "]"}
		if row.Members != nil {
			if err := json.Unmarshal([]byte(`{"enum":{"name":"Color","members":`+string(row.Members)+`}}`), f); err != nil {
				t.Fatal(err)
			}
		}
		c := make1(t, schemaOf([]*vectorField{f}), validate.Options{})
		a := c.text(t, `{"f":`+quoted(row.Text)+`}`)
		raw := jsontree.Text(row.Text)
		d := &vectorDifference{row: &vectorRow{}, field: f, raw: &raw, problems: a.Problems}
		switch d.ours.state = "invalid"; {
		case a.OK():
			d.ours = fieldOutcome{"valid", tree(t, a.values, false).Get("f").JSON()}
		case a.Stage == validate.StageRequire:
			d.ours.state = "missing"
		}
		d.want.state = "invalid"
		if string(row.Validation) != "null" {
			d.want = fieldOutcome{"valid", f.plain(row.Validation)}
		}
		if d.want.state == d.ours.state && (d.want.state == "invalid" || sameJSON(t, d.want.value, d.ours.value)) {
			agree++
			continue
		}
		differ++
		if list.cover(func(class string) bool {
			if class == where {
				return true
			}
			holds := listClasses[class]
			if holds == nil {
				holds = vectorClasses[class]
			}
			return holds != nil && holds(d)
		}) == "" {
			t.Errorf("%s: %q as a list of %s is %s %s, recorded %s %s %v", where, row.Text, row.Element, d.ours.state, d.ours.value, d.want.state, d.want.value, d.problems)
		}
	}
	t.Logf("%d rows agree, %d differ in reviewed ways", agree, differ)
	list.done(t)
}

// listClasses are the classes of differences of lists that vectorClasses does
// not have.
var listClasses = map[string]func(d *vectorDifference) bool{
	"lines with bullets": func(d *vectorDifference) bool {
		return d.ours.state == "invalid" && strings.Count(d.raw.Text, "\n") > 0 && d.raw.Text != "" && strings.ContainsAny(d.raw.Text[:1], "-*1")
	},
	"a comma inside brackets": func(d *vectorDifference) bool {
		text := d.raw.Text
		return d.ours.state == "invalid" && d.want.state == "valid" && strings.Contains(text, "(") && strings.Count(text, "(") == strings.Count(text, ")")
	},
	"the word null": func(d *vectorDifference) bool {
		return d.ours.state == "invalid" && d.want.state == "valid" && (d.raw.Text == "null" || d.raw.Text == "None")
	},
	"half a list": func(d *vectorDifference) bool {
		text := strings.TrimSpace(d.raw.Text)
		return d.ours.state == "invalid" && d.problems[0].Field == "f" && strings.HasSuffix(text, "]") && !strings.Contains(text, "[")
	},
}
