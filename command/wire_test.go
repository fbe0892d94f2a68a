package command_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/signature"
	"github.com/fwgo/fwgo/validate"
)

func ExampleSay() {
	answer := command.Say("The order was cancelled.")
	answer.Artifacts = map[string]any{"order_id": "#W0001"}
	text, _ := answer.MarshalJSON()
	fmt.Println(string(text))
	// Output: {"response":"The order was cancelled.","success":true,"artifacts":{"order_id":"#W0001"},"next_actions":[],"recommendations":[]}
}

func ExampleAction() {
	action, err := command.ReadJSON[command.Action]([]byte(`{"command_name": "add_user", "parameters": {"id": 9007199254740993}}`))
	fmt.Println(action.CommandName, string(action.Parameters), err)

	_, err = command.ReadJSON[command.Action]([]byte(`{"command": null, "parameters": []}`))
	fmt.Println(err)
	// Output:
	// add_user {"id": 9007199254740993} <nil>
	// command_name: is missing, must be a text; command: must be a text, not null; parameters: must be an object, not a list
}

// wire is what every type of the wire can do.
type wire interface {
	json.Marshaler
	RelayJSON() ([]byte, error)
}

func read[T command.Wire](data []byte) (wire, error) {
	v, err := command.ReadJSON[T](data)
	return any(v).(wire), err
}

var readers = map[string]func([]byte) (wire, error){
	"Action":          read[command.Action],
	"Recommendation":  read[command.Recommendation],
	"CommandResponse": read[command.Response],
	"CommandOutput":   read[command.CommandOutput],
	"TurnOutput":      read[command.TurnOutput],
	"TraceEvent":      read[command.TraceEvent],
	"MCPToolCall":     read[command.MCPToolCall],
	"MCPContent":      read[command.MCPContent],
	"MCPToolResult":   read[command.MCPToolResult],
}

func TestWireAgreesWithFastWorkflow(t *testing.T) {
	differs := expectedDifferences(t, "wire_expected.txt")
	types := map[string]int{}
	eachLine(t, "wire.jsonl", func(line int, text string) {
		row := tree(t, text)
		kind := row.Get("type").Text
		types[kind]++
		difference := rowDifference(t, kind, &row)
		rule, expected := differs[line]
		switch {
		case expected && difference == "":
			t.Errorf("line %d agrees, but is listed as a difference by %s", line, rule)
		case !expected && difference != "":
			t.Errorf("line %d: %s: %s\n%s", line, kind, difference, text)
		}
		delete(differs, line)
	})
	for line := range differs {
		t.Errorf("line %d is listed as a difference, but there is no such line", line)
	}
	t.Logf("rows by type: %v", types)
}

// rowDifference says how we treat a recorded row differently, "" if we do not.
func rowDifference(t *testing.T, kind string, row *jsontree.Value) string {
	document := []byte(row.Get("json").Raw)
	got, err := readers[kind](document)
	if !row.Get("ok").True {
		return fieldsDifference(err, row.Get("error_fields"))
	}
	if err != nil {
		return "refused: " + err.Error()
	}
	out, err := got.MarshalJSON()
	if err != nil {
		return "cannot be written: " + err.Error()
	}
	if written := tree(t, string(out)); !sameOrdered(&written, row.Get("out")) {
		return "writes " + string(out)
	}
	if problem := relayProblem(kind, got); problem != "" {
		return problem
	}
	if want := row.Get("mcp_result"); want != nil {
		output := got.(command.CommandOutput)
		out, err := output.MCPResult().MarshalJSON()
		if err != nil {
			return "MCP result: " + err.Error()
		}
		if result := tree(t, string(out)); !sameOrdered(&result, want) {
			return "MCP result " + string(out)
		}
	}
	return ""
}

// relayProblem says how a value changes on being relayed, "" if it does not.
func relayProblem(kind string, value wire) string {
	relayed, err := value.RelayJSON()
	if err != nil {
		return "cannot be relayed: " + err.Error()
	}
	again, err := readers[kind](relayed)
	if err != nil {
		return "relayed as " + string(relayed) + ", which is refused: " + err.Error()
	}
	if diff := cmp.Diff(value, again, equalWire); diff != "" {
		return "changed by relaying: " + diff
	}
	return ""
}

var itemIndex = regexp.MustCompile(`\[(\d+)\]`)

// fieldsDifference compares the paths at fault. pydantic writes a.0.b where
// we write a[0].b.
func fieldsDifference(err error, want *jsontree.Value) string {
	var refused *command.ReadError
	if !errors.As(err, &refused) {
		return fmt.Sprintf("accepted, error %v", err)
	}
	var fields, wanted []string
	for _, p := range refused.Problems {
		fields = append(fields, itemIndex.ReplaceAllString(p.Field, ".$1"))
	}
	for _, v := range want.Items {
		wanted = append(wanted, v.Text)
	}
	if !slices.Equal(fields, wanted) {
		return fmt.Sprintf("refused in %q, not %q", fields, wanted)
	}
	return ""
}

func expectedDifferences(t *testing.T, file string) map[int]string {
	t.Helper()
	differs := map[int]string{}
	eachLine(t, file, func(_ int, text string) {
		if strings.HasPrefix(text, "#") {
			return
		}
		parts := strings.SplitN(text, " ", 3)
		line, err := strconv.Atoi(parts[0])
		if err != nil || len(parts) < 3 {
			t.Fatalf("%s: %q is not a line, a rule and a reason", file, text)
		}
		differs[line] = parts[1]
	})
	return differs
}

func eachLine(t *testing.T, file string, f func(line int, text string)) {
	t.Helper()
	in, err := os.Open(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<22)
	n := 0
	for lines.Scan() {
		n++
		f(n, lines.Text())
	}
	if lines.Err() != nil || n == 0 {
		t.Fatalf("%s: %d lines, %v", file, n, lines.Err())
	}
}

func tree(t *testing.T, text string) jsontree.Value {
	t.Helper()
	doc, fault := jsontree.Parse(text, jsontree.Limits{}, nil)
	if fault != nil {
		t.Fatalf("%v: %s", fault, text)
	}
	return doc.Root
}

// sameOrdered compares by value, numbers exactly and members in order.
func sameOrdered(a, b *jsontree.Value) bool {
	switch {
	case a.Kind != b.Kind:
		return false
	case a.Kind == jsontree.Number:
		x, okX := new(big.Rat).SetString(a.Text)
		y, okY := new(big.Rat).SetString(b.Text)
		return okX && okY && x.Cmp(y) == 0
	case a.Kind == jsontree.List:
		return slices.EqualFunc(a.Items, b.Items, func(x, y jsontree.Value) bool { return sameOrdered(&x, &y) })
	case a.Kind == jsontree.Object:
		return slices.EqualFunc(a.Members, b.Members, func(x, y jsontree.Member) bool {
			return x.Name == y.Name && sameOrdered(&x.Value, &y.Value)
		})
	}
	return a.Text == b.Text && a.True == b.True
}

// equalWire compares values of the wire. How blanks stand between the parts of
// raw JSON does not matter.
var equalWire = cmp.Options{
	cmpopts.EquateEmpty(),
	cmpopts.IgnoreUnexported(command.Response{}),
	cmp.FilterValues(func(a, b json.RawMessage) bool { return len(a)+len(b) > 0 },
		cmp.Comparer(func(a, b json.RawMessage) bool { return compact(a) == compact(b) })),
	cmp.Comparer(func(a, b *signature.Record) bool { return reflect.DeepEqual(a, b) }),
}

func compact(raw json.RawMessage) string {
	var out bytes.Buffer
	if json.Compact(&out, raw) != nil {
		return string(raw)
	}
	return out.String()
}

func TestEveryJSONValueIsAParameter(t *testing.T) {
	const parameters = `{"l":["x",[],{}],"o":{"b":1.50,"a":[1,{"b":12345678901234567890}]},"n":null}`
	a, err := command.ReadJSON[command.Action]([]byte(`{"command_name":"x","parameters":` + parameters + `}`))
	if err != nil || string(a.Parameters) != parameters {
		t.Fatalf("parameters are %s, %v", a.Parameters, err)
	}
	if out, _ := a.MarshalJSON(); !bytes.Contains(out, []byte(parameters)) {
		t.Errorf("wrote %s", out)
	}
}

func TestOneResponseOf2xIsAccepted(t *testing.T) {
	const old = `{"command_responses":[{"response":"ran it","success":false}],"command_parameters":""}`
	o, err := command.ReadJSON[command.CommandOutput]([]byte(old))
	if err != nil || o.CommandResponse.Response != "ran it" || o.CommandResponse.Success || len(o.Unknown) > 0 {
		t.Errorf("read %+v, %v", o, err)
	}
	turn, err := command.ReadJSON[command.TurnOutput]([]byte(`{"turn_key":"k","status":"completed","command_outputs":[` + old + `]}`))
	if err != nil || turn.Success() || turn.CommandOutputs[0].CommandResponse.Response != "ran it" {
		t.Errorf("read %+v, %v", turn, err)
	}
}

func TestTimestamps(t *testing.T) {
	const refused = ""
	// What each was given to and what came back was recorded with pydantic
	// 2.13.4, where no other reason is given.
	for in, want := range map[string]string{
		`"2026-11-29T21:01:50.5Z"`:                       "2026-11-29T21:01:50.500000Z",
		`"2026-11-29T21:01:50,5Z"`:                       "2026-11-29T21:01:50.500000Z",
		`"2026-11-29T21:01:50.000000Z"`:                  "2026-11-29T21:01:50Z",
		`"2026-11-29T21:01:50.0000009Z"`:                 "2026-11-29T21:01:50Z",
		`"2026-11-29T21:01:50.12345678901234567890123Z"`: "2026-11-29T21:01:50.123456Z",
		`"2026-11-29T21:01:50.999999999Z"`:               "2026-11-29T21:01:50.999999Z",
		`"2026-11-29T21:01:50.000001-08:00"`:             "2026-11-29T21:01:50.000001-08:00",
		`"2026-11-29_21:01"`:                             "2026-11-29T21:01:00",
		`"2026-11-29"`:                                   "2026-11-29T00:00:00",
		`"2024-02-29"`:                                   "2024-02-29T00:00:00",
		`"2026-11-29T21:01:50+0530"`:                     "2026-11-29T21:01:50+05:30",
		`"2026-11-29T21:01:50-00:00"`:                    "2026-11-29T21:01:50Z",
		`"2026-11-29T21:01:50-23:59"`:                    "2026-11-29T21:01:50-23:59",
		`"2026-11-29T21:01:50\u22120500"`:                "2026-11-29T21:01:50-05:00",
		`"0001-01-01T00:00:00+05:00"`:                    "0001-01-01T00:00:00+05:00",
		`"9999-12-31T23:59:59-05:00"`:                    "9999-12-31T23:59:59-05:00",

		`"2026-11-29T21:01:50.Z"`:          refused,
		`"2026-11-29T21"`:                  refused,
		`"2026-11-29T"`:                    refused,
		`"2026-11-29Z"`:                    refused,
		`"2026-11-29T21:01:50ZZ"`:          refused,
		`"2026-11-29T21:01:50+05"`:         refused,
		`"2026-11-29T21:01:50+5:30"`:       refused,
		`"2026-11-29T21:01:50+12:60"`:      refused,
		`"2026-11-29T21:01:50+24:00"`:      refused,
		`"2026-11-29T21:01:50 +05:00"`:     refused,
		`"2026-11-29T1:01:50Z"`:            refused,
		`"2026-11-29T24:00:00Z"`:           refused,
		`"2026-11-29T21:60:00Z"`:           refused,
		`"2026-11-29T21:01:60Z"`:           refused,
		`"2026-13-01"`:                     refused,
		`"2026-00-01"`:                     refused,
		`"2026-11-00"`:                     refused,
		`"2026-02-30"`:                     refused,
		`"1900-02-29"`:                     refused,
		`"0000-01-01"`:                     refused,
		`"-2026-11-29"`:                    refused,
		`"2026-1-1"`:                       refused,
		`"2026-W01-1"`:                     refused,
		`"\uff12026-11-29"`:                refused,
		`"now"`:                            refused,
		`""`:                               refused,
		`"."`:                              refused,
		`"-"`:                              refused,
		`"nan"`:                            refused,
		`"1e9"`:                            refused,
		`" 1796000000"`:                    refused,
		`"1_000"`:                          refused,
		`true`:                             refused,
		`[]`:                               refused,
		`{}`:                               refused,
		`"253402300800000"`:                refused,
		`-62135596800001`:                  refused,
		`12345678901234567890`:             refused,
		`1e300`:                            refused,
		`1e999999999999999999`:             refused,
		`"1796000000.` + zeros(9e3) + `Z"`: refused,

		`1796000000`:          "2026-11-30T00:53:20Z",
		`"1796000000."`:       "2026-11-30T00:53:20Z",
		`"+1"`:                "1970-01-01T00:00:01Z",
		`".5"`:                "1970-01-01T00:00:00.500000Z",
		`1796000000123`:       "2026-11-30T00:53:20.123000Z",
		`1796000000123.4567`:  "2026-11-30T00:53:20.123457Z",
		`1.796e9`:             "2026-11-30T00:53:20Z",
		`1.796E+12`:           "2026-11-30T00:53:20Z",
		`5e-7`:                "1970-01-01T00:00:00.000001Z",
		`4e-7`:                "1970-01-01T00:00:00Z",
		`1e-999999999999`:     "1970-01-01T00:00:00Z",
		`-0.0`:                "1970-01-01T00:00:00Z",
		`-1.5`:                "1969-12-31T23:59:58.500000Z",
		`1796000000.9999996`:  "2026-11-30T00:53:21Z",
		`20000000000`:         "2603-10-11T11:33:20Z",
		`2e10`:                "2603-10-11T11:33:20Z",
		`20000000001`:         "1970-08-20T11:33:20.001000Z",
		`-20000000001`:        "1969-05-14T12:26:39.999000Z",
		`253402300799999`:     "9999-12-31T23:59:59.999000Z",
		`-62135596800000`:     "0001-01-01T00:00:00Z",
		`-0.000001`:           "1969-12-31T23:59:59.999999Z", // Python: 59.000001, a slip of its float
		`20000000000.5`:       "1970-08-20T11:33:20.000500Z", // Python: seconds as a number, milliseconds as a text
		`1796000000.00000051`: "2026-11-30T00:53:20.000001Z", // Python: lost in its float
	} {
		var got command.Timestamp
		err := json.Unmarshal([]byte(in), &got)
		if (err != nil) != (want == refused) || err == nil && got.String() != want {
			t.Errorf("%.80s is read as %s, %v; want %q", in, got, err, want)
		}
		if err != nil {
			continue
		}
		again, err := command.ParseTimestamp(got.String())
		if err != nil || !again.Equal(got) || again.NoOffset != got.NoOffset || !again.Time.Equal(got.Time) {
			t.Errorf("%s is read again as %s, %v", got, again, err)
		}
	}
}

func TestTimesThatAreRefusedSayWhy(t *testing.T) {
	_, err := command.ParseTimestamp("now")
	if want := `got "now", but a date and time such as 2026-11-29T21:01:50Z is accepted`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	for in, want := range map[string]string{
		`null`: "the time must be a date and time such as 2026-11-29T21:01:50Z, not null",
		`"a`:   "the time is cut off: the closing quote of a string must follow",
	} {
		if err := new(command.Timestamp).UnmarshalJSON([]byte(in)); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func zeros(n int) string { return strings.Repeat("0", n) }

func TestTimesOfGoAreWritten(t *testing.T) {
	base := time.Date(2026, 11, 29, 21, 1, 50, 599_500_999, time.FixedZone("", 3600))
	for want, stamp := range map[string]*command.Timestamp{
		`"2026-11-29T20:01:50.599500Z"`:      command.At(base),
		`"2026-11-29T21:01:50.599500+01:00"`: {Time: base},
		`"2026-11-29T21:01:50.599500"`:       {Time: base, NoOffset: true},
		`"2026-11-29T20:01:50.599500Z"   `:   {Time: base.In(time.FixedZone("", 3601))}, // no form for seconds
		`"2026-11-29T20:01:50.599500Z"  `:    {Time: base.In(time.FixedZone("", 90000))},
		`"0001-01-01T00:00:00Z"`:             {},
		``:                                   {Time: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)},
		` `:                                  {Time: time.Date(0, 12, 31, 0, 0, 0, 0, time.UTC)},
		`  `:                                 {Time: time.Date(-1, 12, 31, 0, 0, 0, 0, time.UTC)},
	} {
		got, err := stamp.MarshalJSON()
		if string(got) != strings.TrimSpace(want) || (err != nil) != (strings.TrimSpace(want) == "") {
			t.Errorf("wrote %s, %v; want %s", got, err, want)
		}
	}
}

// Recorded with pydantic 2.13.4, where no other reason is given.
func TestWholeNumbersAreReadAsInPydantic(t *testing.T) {
	const refused = ""
	for in, want := range map[string]string{
		`7`: "7", `7.0`: "7", `-0`: "0", `-0.0`: "0", `1e3`: "1000", `1.5e1`: "15", `0e99999999999`: "0",
		`"7"`: "7", `"7.0"`: "7", `"7.000"`: "7", `" 7\n"`: "7", `"\u00a07"`: "7", `"+7"`: "7", `"-0007"`: "-7", `"1_000"`: "1000", `"7_0.0"`: "70", `"-00"`: "0",
		`true`: "1", `false`: "0",
		`123456789012345678901234567890`:     "123456789012345678901234567890",
		`"123456789012345678901234567890.0"`: "123456789012345678901234567890",
		`7.5`:                                refused, `"7.5"`: refused, `1.55e1`: refused, `1e-1`: refused, `"1e3"`: refused, `"7."`: refused, `".0"`: refused, `""`: refused, `" "`: refused,
		`"_1"`: refused, `"1__0"`: refused, `"+-7"`: refused, `"+ 7"`: refused, `"7 .0"`: refused, `"7.0_0"`: refused, `"0x10"`: refused, `"true"`: refused,
		`"\u001f7"`: refused, `"\u0667"`: refused, `[]`: refused, `{}`: refused, `1e4300`: refused, `1e99999999999`: refused,
		`1e20`:                          "100000000000000000000", // Python goes through a float and refuses
		`123456789012345678901234567.0`: "123456789012345678901234567",
		`9007199254740993.0`:            "9007199254740993", // Python: ...992
		`1e-400`:                        refused,            // Python: 0
	} {
		a, err := command.ReadJSON[command.Action]([]byte(`{"command_name":"x","workflow_id":` + in + `}`))
		if (err != nil) != (want == refused) || string(a.WorkflowID) != want {
			t.Errorf("workflow_id %s is read as %q, %v; want %q", in, a.WorkflowID, err, want)
		}
	}
	for _, in := range []string{`9223372036854775808`, `"1e3"`} {
		if _, err := command.ReadJSON[command.CommandOutput]([]byte(`{"command_response":{"response":""},"duration_ms":` + in + `}`)); err == nil {
			t.Errorf("duration_ms %s is accepted", in)
		}
	}
}

// Recorded with pydantic 2.13.4.
func TestBooleansAreReadAsInPydantic(t *testing.T) {
	words := map[string]string{
		"true":    `true 1 1.0 1e0 10e-1 "1" "t" "T" "y" "yes" "on" "True" "tRUE"`,
		"false":   `false 0 0.0 -0 -0.0 "0" "no" "nO" "F" "off" "OFF" "n" "False"`,
		"refused": `null 2 1.5 -1 [] {} "" "1.0" "00" "maybe" "enabled" "fal\u017fe" "ye\u017f" "\u0020true" "true\u0020" 1e400`,
	}
	for want, list := range words {
		for _, in := range strings.Fields(list) {
			r, err := command.ReadJSON[command.Response]([]byte(`{"response":"","success":` + in + `}`))
			got := strconv.FormatBool(r.Success)
			if err != nil {
				got = "refused"
			}
			if got != want {
				t.Errorf("success %s is %s, want %s", in, got, want)
			}
		}
	}
}

func TestRefusalsAreInPlainWords(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, c := range []struct{ in, want string }{
		{``, "the command output is cut off: a JSON object must follow"},
		{`{"command_response":{"response":"a`, "command_response.response: is cut off: the closing quote of a string must follow"},
		{`{"command_response":{"response":"a"}`, "the command output is cut off: a comma or } must follow"},
		{`{"command_response":{"response":"a"}} x`, "the command output must be one JSON value, but more text follows it"},
		{`{'command_response':1}`, "the command output is not JSON: a member name in double quotes must stand at byte 2"},
		{`{"command_response":{"response":NaN}}`, "command_response.response: is not JSON: a value must stand at byte 33"},
		{`{"command_response":{"response":"a","response":"b"}}`, `command_response: gives the name "response" more than once`},
		{`{"command_response":{"response":"a"},"command_parameters":{"a":1,"a":1}}`, `command_parameters: gives the name "a" more than once`},
		{"{\"command_response\":{\"response\":\"\xff\"}}", "command_response.response: holds bytes that are not UTF-8 text"},
		{`{"command_response":{"response":"\ud800"}}`, "command_response.response: holds bytes that are not UTF-8 text"},
		{`{"command_response":{"response":"a"},"command_parameters":` + deep(513) + `}`, "command_parameters: is nested too deep, must be at most 512 levels of lists and objects"},
		{`{"command_response":{"response":"a"},"later":` + deep(513) + `}`, "later: is nested too deep, must be at most 512 levels of lists and objects"},
		{deep(1e6), "[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]: is nested too deep, must be at most 512 levels of lists and objects"},
		{`null`, "the command output must be an object, not null"},
		{`{}`, "command_response: is missing, must be an object"},
		{`{"command_response":null,"context":5,"started_at":"now","duration_ms":1.50}`, "command_response: must be an object, not null; context: must be a text, not the number 5; " +
			`started_at: must be a date and time such as 2026-11-29T21:01:50Z, or null, not the text "now"; duration_ms: must be a whole number of milliseconds or null, not the number 1.50`},
		{`{"command_response":{"response":"a","success":"may\u202ebe","artifacts":[],"next_actions":{},"recommendations":[{"summary":"s"},"r"]}}`,
			`command_response.success: must be true or false, not the text "may\u202ebe"; command_response.artifacts: must be an object, not a list; ` +
				`command_response.next_actions: must be a list, not an object; command_response.recommendations[1]: must be an object, not the text "r"`},
		{`{"command_response":{"response":"a"},"command_responses":[]}`, "the command output must have either command_response or command_responses, not both"},
		{`{"command_responses":[]}`, "command_responses: must be a list of exactly one object, not 0"},
		{`{"command_responses":[{"response":"a"},{"response":"b"}]}`, "command_responses: must be a list of exactly one object, not 2"},
		{`{"command_responses":{"response":"a"}}`, "command_responses: must be a list of exactly one object, not an object"},
		{`{"command_responses":[{}]}`, "command_responses[0].response: is missing, must be a text"},
		{`{"command_response":{"response":"a"},"duration_ms":1e30}`, "duration_ms: must be a whole number of milliseconds or null within 64 bits, not the number 1e30"},
		{`{"command_response":{"response":["` + strings.Repeat("x", 99) + `"],"success":"` + strings.Repeat("x", 99) + `"}}`,
			`command_response.response: must be a text, not a list; command_response.success: must be true or false, not the text "` + strings.Repeat("x", 60) + `…"`},
	} {
		_, err := command.ReadJSON[command.CommandOutput]([]byte(c.in))
		var refused *command.ReadError
		if !errors.As(err, &refused) || err.Error() != c.want {
			t.Errorf("%.100s\n got %v\nwant %s", c.in, err, c.want)
		}
	}
	_, err := command.ReadJSON[command.TurnOutput]([]byte(`{"turn_key":"k","status":"done"}`))
	if want := `status: must be one of "completed", "awaiting_user", "failed", "cancelled", "abandoned", not the text "done"`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestTooLongIsRefused(t *testing.T) {
	_, err := command.ReadJSON[command.MCPContent](make([]byte, 16<<20+1))
	if want := "the content is too long, must be at most 16,777,216 bytes"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestRefusalsAreData(t *testing.T) {
	_, err := command.ReadJSON[command.Action]([]byte(`{"command_name":5}`))
	want := &command.ReadError{What: "the action", Problems: []validate.Problem{
		{Field: "command_name", Kind: validate.WrongType, Got: "the number 5", Accepted: "a text"},
	}}
	if diff := cmp.Diff(want, err); diff != "" {
		t.Error(diff)
	}
}

func TestManyProblemsAreCounted(t *testing.T) {
	many := `{"content":[` + strings.Repeat("1,", 1999) + `1]}`
	_, err := command.ReadJSON[command.MCPToolResult]([]byte(many))
	var refused *command.ReadError
	if !errors.As(err, &refused) || len(refused.Problems) != 20 || refused.More != 1980 || !strings.HasSuffix(err.Error(), "; and 1,980 more problems") {
		t.Errorf("got %.300v", err)
	}
}

func TestAFailedReadingChangesNothing(t *testing.T) {
	a := command.Action{CommandName: "kept", Command: "kept"}
	if json.Unmarshal([]byte(`{"command_name":"new","command":5}`), &a) == nil || a.CommandName != "kept" || a.Command != "kept" {
		t.Errorf("the action is now %+v", a)
	}
}

func TestReadingReplacesWhatWasThere(t *testing.T) {
	a := command.Action{CommandName: "old", Command: "old", WorkflowID: "7", Parameters: json.RawMessage(`{"a":1}`)}
	if err := json.Unmarshal([]byte(`{"command_name":"new"}`), &a); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(command.Action{CommandName: "new"}, a); diff != "" {
		t.Error(diff)
	}
}

func TestUnknownMembersAreKeptForRelaying(t *testing.T) {
	const relayed = `{"turn_key":"k","status":"completed","failure_reason":null,"answer":"","command_outputs":[` +
		`{"command_response":{"response":"a","success":true,"artifacts":{},"next_actions":[` +
		`{"command_name":"x","command":"","parameters":{},"workflow_id":null,"extra":1}],"recommendations":[],"later":{"z":1.50,"a":[]}},` +
		`"workflow_name":"","context":"","command_name":"","command_parameters":null,"started_at":null,"duration_ms":null,` +
		`"command_call_id":"c1","ask_user_entry":null}],"success":true,"exec_state":"done","":0}`
	turn, err := command.ReadJSON[command.TurnOutput]([]byte(relayed))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := turn.RelayJSON(); string(out) != relayed {
		t.Errorf("relays %s, %v", out, err)
	}
	out, err := turn.MarshalJSON()
	for _, name := range []string{"extra", "later", "command_call_id", "ask_user_entry", "exec_state"} {
		if bytes.Contains(out, []byte(name)) {
			t.Errorf("writes the unknown %s: %s, %v", name, out, err)
		}
	}
}

func TestRelayingDoesNotRepeatNames(t *testing.T) {
	for _, unknown := range [][]command.WireMember{
		{{Name: "command_name"}},
		{{Name: "a"}, {Name: "b"}, {Name: "a"}},
		{{Name: "\xff"}},
		{{Name: "a", Value: json.RawMessage(`{"a":`)}},
	} {
		if out, err := (command.Action{Unknown: unknown}).RelayJSON(); err == nil {
			t.Errorf("relays %s", out)
		}
	}
	o := command.CommandOutput{Unknown: []command.WireMember{{Name: "command_responses"}}}
	if out, err := o.RelayJSON(); err == nil {
		t.Errorf("relays %s", out)
	}
}

func TestArtifactsKeepOrderAndDigits(t *testing.T) {
	const response = `{"response":"","success":true,"artifacts":{"z":[1.50,{"y":12345678901234567890,"b":{}}],"a":-0.0,"m":"<&>\u00e9"},"next_actions":[],"recommendations":[]}`
	r, err := command.ReadJSON[command.Response]([]byte(response))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.ReplaceAll(response, `\u00e9`, "é")
	if out, err := r.MarshalJSON(); string(out) != want {
		t.Errorf("writes %s, %v", out, err)
	}
	delete(r.Artifacts, "a")
	r.Artifacts["c"], r.Artifacts["b"] = 2, []string{}
	out, err := r.MarshalJSON()
	if !bytes.Contains(out, []byte(`"m":"<&>é","b":[],"c":2}`)) {
		t.Errorf("after changes writes %s, %v", out, err)
	}
}

type color string

type loud struct{}

func (loud) MarshalJSON() ([]byte, error) { panic("loud") }

type broken struct{}

func (broken) MarshalJSON() ([]byte, error) { return []byte(`{"a":1,"a":2}`), nil }

type orderInput struct {
	OrderID string   `json:"order_id"`
	Color   color    `json:"color"`
	Ratio   *float64 `json:"ratio"`
	Note    string   `json:"note"`
}

func TestParametersAreWritten(t *testing.T) {
	ratio := 2.5
	record := new(signature.Record)
	record.Set("z", json.Number("1.50"))
	record.Set("a", []any{nil, "x"})
	for want, parameters := range map[string]any{
		`{"order_id":"#W1","color":"red","ratio":2.5,"note":"<b>&amp;"}`: &orderInput{"#W1", "red", &ratio, "<b>&amp;"},
		`{"order_id":"","color":"","ratio":null,"note":""}`:              orderInput{},
		`{"z":1.50,"a":[null,"x"]}`:                                      record,
		`{"a":[1,2.0]}`:                                                  json.RawMessage(" { \"a\" :\n[1, 2.0] } "),
		`"Which city?"`:                                                  "Which city?",
		`null`:                                                           (*orderInput)(nil),
		` null`:                                                          json.RawMessage(nil),
		`null `:                                                          nil,
	} {
		out, err := command.CommandOutput{CommandParameters: parameters}.MarshalJSON()
		if !bytes.Contains(out, []byte(`"command_parameters":`+strings.TrimSpace(want)+`,"started_at"`)) {
			t.Errorf("wrote %s, %v; want %s", out, err, want)
		}
	}
}

func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	type loop struct{ Self *loop }
	cycle := &loop{}
	cycle.Self = cycle
	nan := math.NaN()
	deep := json.RawMessage(strings.Repeat("[", 513) + strings.Repeat("]", 513))
	artifact := func(v any) command.Response { return command.Response{Artifacts: map[string]any{"score": v}} }
	for _, c := range []struct {
		value wire
		path  string
	}{
		{artifact(math.NaN()), "artifacts.score"},
		{artifact([]float64{math.Inf(1)}), "artifacts.score"},
		{artifact(json.RawMessage(`NaN`)), "artifacts.score"},
		{artifact(json.RawMessage(`{"a":1,"a":1}`)), "artifacts.score"},
		{artifact(json.RawMessage("\"\xff\"")), "artifacts.score"},
		{artifact(json.Number("1e")), "artifacts.score"},
		{artifact(func() {}), "artifacts.score"},
		{artifact(cycle), "artifacts.score"},
		{artifact(loud{}), "artifacts.score"},
		{artifact(broken{}), "artifacts.score"},
		{artifact(deep), "artifacts.score"},
		{command.Response{Artifacts: map[string]any{"\xff": 1}}, "artifacts"},
		{command.CommandOutput{CommandParameters: &orderInput{Ratio: &nan}}, "command_parameters"},
		{command.CommandOutput{StartedAt: &command.Timestamp{Time: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}}, "started_at"},
		{command.Action{Parameters: json.RawMessage(`[]`)}, "parameters"},
		{command.Action{Parameters: json.RawMessage(`null`)}, "parameters"},
		{command.Action{Parameters: json.RawMessage(`{"a":1`)}, "parameters"},
		{command.Action{Parameters: json.RawMessage(`{} {}`)}, "parameters"},
		{command.Action{WorkflowID: "x"}, "workflow_id"},
		{command.Recommendation{SuggestedActions: []command.Action{{}, {WorkflowID: "x"}}}, "suggested_actions[1].workflow_id"},
		{command.TurnOutput{}, "status"},
		{command.TraceEvent{}, "direction"},
		{command.MCPToolCall{Arguments: json.RawMessage(`"x"`)}, "arguments"},
	} {
		out, err := c.value.MarshalJSON()
		if err == nil || out != nil || !strings.HasPrefix(err.Error(), "command: "+c.path) {
			t.Errorf("%s: wrote %s, error %v", c.path, out, err)
		}
	}
}

func TestBrokenTextIsStillAnswered(t *testing.T) {
	out, err := command.Say("a\xffb").MarshalJSON()
	if err != nil || !bytes.HasPrefix(out, []byte(`{"response":"a`+"\ufffd"+`b"`)) {
		t.Errorf("wrote %q, %v", out, err)
	}
}

func TestSayAndFail(t *testing.T) {
	if r := command.Say("done"); !r.Success || r.Response != "done" {
		t.Errorf("%+v", r)
	}
	if r := command.Fail("no such order"); r.Success || r.Response != "no such order" {
		t.Errorf("%+v", r)
	}
}

func TestTurnKeys(t *testing.T) {
	began := time.Date(2026, 11, 29, 22, 1, 50, 0, time.FixedZone("", 3600))
	form := regexp.MustCompile(`^20261129T210150\.000000Z-[0-9a-f]{12}$`)
	seen := map[string]bool{}
	for range 100 {
		key := command.NewTurnKey(began)
		if !form.MatchString(key) || seen[key] {
			t.Errorf("key %s", key)
		}
		seen[key] = true
	}
}

func TestToolCallsBecomeActions(t *testing.T) {
	for _, c := range []struct{ arguments, command string }{
		{`{"command":"typed","user":"Ann"}`, "typed"},
		{`{"command":7}`, ""},
		{`{"user":"Ann"}`, ""},
		{``, ""},
		{`{"command":"typed"`, ""},
		{`"command"`, ""},
	} {
		call := command.MCPToolCall{Name: "add_user", Arguments: json.RawMessage(c.arguments)}
		want := command.Action{CommandName: "add_user", Command: c.command, Parameters: json.RawMessage(c.arguments)}
		if diff := cmp.Diff(want, call.Action()); diff != "" {
			t.Errorf("%s: %s", c.arguments, diff)
		}
	}
}

func TestTraceEvents(t *testing.T) {
	name, success := "add_user", true
	for want, event := range map[string]command.TraceEvent{
		`{"direction":"agent_to_workflow","raw_command":"add_user","command_name":null,"parameters":null,"response_text":null,"success":null,"timestamp_ms":1796000000123}`: {
			Direction: command.AgentToWorkflow, RawCommand: &name, TimestampMS: 1796000000123},
		`{"direction":"workflow_to_agent","raw_command":null,"command_name":"add_user","parameters":{"a":1},"response_text":"add_user","success":true,"timestamp_ms":0,"user_id":"add_user"}`: {
			Direction: command.WorkflowToAgent, CommandName: &name, Parameters: json.RawMessage(`{"a":1}`), ResponseText: &name, Success: &success, UserID: &name},
	} {
		out, err := event.MarshalJSON()
		if string(out) != want {
			t.Errorf("wrote %s, %v\nwant %s", out, err, want)
		}
		got, err := command.ReadJSON[command.TraceEvent](out)
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(event, got); diff != "" {
			t.Error(diff)
		}
	}
	for _, in := range []string{`{"direction":"agent_to_workflow"}`, `{"direction":"up","timestamp_ms":1}`, `{"timestamp_ms":1}`, `{"direction":"workflow_to_agent","timestamp_ms":1,"success":"maybe"}`} {
		if _, err := command.ReadJSON[command.TraceEvent]([]byte(in)); err == nil {
			t.Errorf("%s is accepted", in)
		}
	}
}

// The deepest parameters stand where they are deepest in a turn.
func TestWhatIsWrittenIsReadAgainAtAnyDepth(t *testing.T) {
	deep := json.RawMessage(`{"a":` + strings.Repeat("[", 511) + strings.Repeat("]", 511) + `}`)
	action := command.Action{CommandName: "x", Parameters: deep}
	turn := command.TurnOutput{TurnKey: "k", Status: command.TurnCompleted, CommandOutputs: []command.CommandOutput{{
		CommandParameters: deep,
		CommandResponse: command.Response{
			Artifacts:       map[string]any{"a": json.RawMessage(deep[5 : len(deep)-1])},
			Recommendations: []command.Recommendation{{SuggestedActions: []command.Action{action}}},
		}}}}
	out, err := turn.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := command.ReadJSON[command.TurnOutput](out); err != nil {
		t.Error(err)
	}
}

func TestWireRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		turn := drawTurn(t)
		out, err := turn.RelayJSON()
		if err != nil {
			t.Fatal(err)
		}
		if bytes.ContainsAny(out, "\n\r") {
			t.Fatalf("more than one line: %s", out)
		}
		again, err := command.ReadJSON[command.TurnOutput](out)
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if diff := cmp.Diff(turn, again, equalWire); diff != "" {
			t.Fatalf("%s\n%s", diff, out)
		}
		if second, err := again.RelayJSON(); string(second) != string(out) {
			t.Fatalf("%v\n%s\n%s", err, out, second)
		}
		// encoding/json reads and writes the same, if with more escapes.
		var plain command.TurnOutput
		text, err := json.Marshal(turn)
		if err == nil {
			err = json.Unmarshal(text, &plain)
		}
		if want, _ := turn.MarshalJSON(); err != nil || !json.Valid(want) {
			t.Fatalf("%v: %s", err, want)
		}
		if written, _ := plain.MarshalJSON(); !sameText(written, text) {
			t.Fatalf("%s\n%s", written, text)
		}
	})
}

func sameText(a, b []byte) bool {
	x, faultX := jsontree.Parse(string(a), jsontree.Limits{}, nil)
	y, faultY := jsontree.Parse(string(b), jsontree.Limits{}, nil)
	return faultX == nil && faultY == nil && sameOrdered(&x.Root, &y.Root)
}

func drawTurn(t *rapid.T) command.TurnOutput {
	statuses := []command.TurnStatus{command.TurnCompleted, command.TurnAwaitingUser, command.TurnFailed, command.TurnCancelled, command.TurnAbandoned}
	return command.TurnOutput{
		TurnKey:        rapid.String().Draw(t, "turn_key"),
		Status:         rapid.SampledFrom(statuses).Draw(t, "status"),
		FailureReason:  rapid.Ptr(rapid.String(), true).Draw(t, "failure_reason"),
		Answer:         rapid.String().Draw(t, "answer"),
		CommandOutputs: rapid.SliceOfN(rapid.Custom(drawOutput), 0, 2).Draw(t, "command_outputs"),
		Unknown:        drawUnknown(t),
	}
}

func drawOutput(t *rapid.T) command.CommandOutput {
	o := command.CommandOutput{
		CommandResponse: drawResponse(t),
		WorkflowName:    rapid.String().Draw(t, "workflow_name"),
		Context:         rapid.String().Draw(t, "context"),
		CommandName:     rapid.String().Draw(t, "command_name"),
		DurationMS:      rapid.Ptr(rapid.Int64(), true).Draw(t, "duration_ms"),
		StartedAt:       rapid.Ptr(rapid.Custom(drawTimestamp), true).Draw(t, "started_at"),
		Unknown:         drawUnknown(t),
	}
	if raw := rapid.Custom(drawJSON).Draw(t, "command_parameters"); string(raw) != "null" {
		o.CommandParameters = raw
	}
	return o
}

func drawTimestamp(t *rapid.T) command.Timestamp {
	first := time.Date(1, 1, 3, 0, 0, 0, 0, time.UTC).Unix()
	last := time.Date(9999, 12, 29, 0, 0, 0, 0, time.UTC).Unix()
	moment := time.Unix(rapid.Int64Range(first, last).Draw(t, "second"), rapid.Int64Range(0, 999_999).Draw(t, "microsecond")*1000)
	offset := rapid.IntRange(-1439, 1439).Draw(t, "offset") * 60
	if rapid.Bool().Draw(t, "no offset") {
		return command.Timestamp{Time: moment.UTC(), NoOffset: true}
	}
	return command.Timestamp{Time: moment.In(time.FixedZone("", offset))}
}

func drawResponse(t *rapid.T) command.Response {
	r := command.Response{
		Response:    rapid.String().Draw(t, "response"),
		Success:     rapid.Bool().Draw(t, "success"),
		NextActions: rapid.SliceOfN(rapid.Custom(drawAction), 0, 2).Draw(t, "next_actions"),
		Recommendations: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) command.Recommendation {
			return command.Recommendation{
				Summary:          rapid.String().Draw(t, "summary"),
				SuggestedActions: rapid.SliceOfN(rapid.Custom(drawAction), 0, 2).Draw(t, "suggested_actions"),
				Unknown:          drawUnknown(t),
			}
		}), 0, 2).Draw(t, "recommendations"),
		Unknown: drawUnknown(t),
	}
	artifact := rapid.OneOf(
		rapid.Just[any](nil), rapid.Just[any](true), rapid.Just[any](json.Number("1.50")), rapid.Just[any]([]any{"a", nil}),
		rapid.Map(rapid.String(), func(s string) any { return s }),
		rapid.Map(rapid.String(), func(s string) any {
			record := new(signature.Record)
			record.Set("z", s)
			record.Set(s, false)
			return record
		}))
	r.Artifacts = rapid.MapOfN(rapid.String(), artifact, 0, 3).Draw(t, "artifacts")
	return r
}

func drawAction(t *rapid.T) command.Action {
	a := command.Action{
		CommandName: rapid.String().Draw(t, "command_name"),
		Command:     rapid.String().Draw(t, "command"),
		Unknown:     drawUnknown(t),
	}
	if rapid.Bool().Draw(t, "has parameters") {
		a.Parameters = drawObject(t, 3)
	}
	if string(a.Parameters) == "{}" {
		a.Parameters = nil
	}
	if rapid.Bool().Draw(t, "has workflow_id") {
		a.WorkflowID = json.Number(rapid.StringMatching(`-?[1-9][0-9]{0,40}|0`).Draw(t, "workflow_id"))
	}
	return a
}

func drawUnknown(t *rapid.T) []command.WireMember {
	return rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) command.WireMember {
		return command.WireMember{Name: "later " + rapid.String().Draw(t, "name"), Value: drawJSON(t)}
	}), 0, 2, func(m command.WireMember) string { return m.Name }).Draw(t, "unknown")
}

func drawJSON(t *rapid.T) json.RawMessage { return drawValue(t, 3) }

func drawValue(t *rapid.T, depth int) json.RawMessage {
	kinds := 5
	if depth == 0 {
		kinds = 3
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return json.RawMessage(rapid.SampledFrom([]string{"null", "true", "false", `"\u00e9\ud83d\ude00<&"`}).Draw(t, "word"))
	case 1:
		return json.RawMessage(rapid.StringMatching(`-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,5})?([eE][+-]?[0-9]{1,2})?`).Draw(t, "number"))
	case 2:
		return jsontree.AppendString(nil, rapid.String().Draw(t, "text"))
	case 3:
		out := []byte{'['}
		for i := range rapid.IntRange(0, 3).Draw(t, "items") {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, drawValue(t, depth-1)...)
		}
		return append(out, ']')
	}
	return drawObject(t, depth)
}

func drawObject(t *rapid.T, depth int) json.RawMessage {
	names := rapid.SliceOfNDistinct(rapid.String(), 0, 3, rapid.ID[string]).Draw(t, "names")
	out := []byte{'{'}
	for i, name := range names {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsontree.AppendString(out, name)
		out = append(out, ':')
		out = append(out, drawValue(t, max(depth-1, 0))...)
	}
	return append(out, '}')
}

func FuzzAction(f *testing.F) {
	in, err := os.ReadFile(filepath.Join("testdata", "wire.jsonl"))
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(in)) {
		var row struct{ JSON json.RawMessage }
		if json.Unmarshal([]byte(line), &row) == nil {
			f.Add([]byte(row.JSON))
		}
	}
	f.Add([]byte(`{"command_name":"x","parameters":{"a":1,"a":2}}`))
	f.Add([]byte(`{"command_name":"x","parameters":{"a":"\ud800`))
	f.Add([]byte(`{"command_name":"x","workflow_id":1e999999999}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, read := range readers {
			read(data) // never panics
		}
		a, err := command.ReadJSON[command.Action](data)
		sent, unread := command.ReadAction(data)
		if diff := cmp.Diff(a, sent); err == nil && (unread != nil || diff != "") {
			t.Fatalf("%q: ReadAction: %v (-ReadJSON +ReadAction):\n%s", data, unread, diff)
		}
		if unread != nil && strings.ContainsAny(unread.Error(), "\n\x00\x1b") {
			t.Fatalf("%q: %v", data, unread)
		}
		if err != nil {
			var refused *command.ReadError
			if !errors.As(err, &refused) || len(refused.Problems) == 0 || strings.ContainsAny(err.Error(), "\n\x00\x1b") {
				t.Fatalf("%q: %v", data, err)
			}
			return
		}
		for _, write := range []func() ([]byte, error){a.MarshalJSON, a.RelayJSON} {
			out, err := write()
			if err != nil || !json.Valid(out) || bytes.ContainsAny(out, "\n\r") {
				t.Fatalf("%q: wrote %s, %v", data, out, err)
			}
		}
		out, _ := a.RelayJSON()
		again, err := command.ReadJSON[command.Action](out)
		if err != nil {
			t.Fatalf("%q: wrote %s, %v", data, out, err)
		}
		if diff := cmp.Diff(a, again, equalWire); diff != "" {
			t.Fatalf("%q: %s", data, diff)
		}
		if second, _ := again.RelayJSON(); string(second) != string(out) {
			t.Fatalf("%q: first %s, then %s", data, out, second)
		}
	})
}
