package draft

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// rejection is the rejection in err, without its place.
func rejection(err error) Rejection {
	var r *Rejection
	if errors.As(err, &r) {
		return Rejection{Code: r.Code, Actual: r.Actual, Maximum: r.Maximum}
	}
	return Rejection{}
}

// wire is the text of a draft of these items of steps.
func wire(items ...string) string {
	return `{"format_version":1,"steps":[` + strings.Join(items, ",") + "]}"
}

// numbered is n good items.
func numbered(n int) []string {
	items := make([]string, n)
	for i := range items {
		items[i] = fmt.Sprintf(`{"id":"s%d","source":"1"}`, i)
	}
	return items
}

func TestADraftIsRefusedByTheFirstThingWrong(t *testing.T) {
	encoding := Rejection{Code: RejectedInvalidEncoding}
	many := Rejection{Code: RejectedTooManySteps, Maximum: MaxSteps}
	full := numbered(MaxSteps)
	with := func(items []string, more ...string) []string { return append(items[:len(items):len(items)], more...) }
	sized := func(n int) string { return fmt.Sprintf(`{"id":"x","source":"%s"}`, strings.Repeat("a", n)) }
	padded := func(n int) string { w := wire(full[0]); return w + strings.Repeat(" ", n-len(w)) }
	for _, tt := range []struct {
		name, text string
		want       Rejection
	}{
		{"a draft", wire(full[0]), Rejection{}},
		{"all steps", wire(full...), Rejection{}},
		{"all bytes", padded(MaxWireBytes), Rejection{}},
		{"one byte more", padded(MaxWireBytes + 1), Rejection{Code: RejectedInputTooLarge, Actual: MaxWireBytes + 1, Maximum: MaxWireBytes}},
		{"size comes before encoding", strings.Repeat("x", MaxWireBytes+1), Rejection{Code: RejectedInputTooLarge, Actual: MaxWireBytes + 1, Maximum: MaxWireBytes}},
		{"version 2 comes before no steps", `{"format_version":2,"steps":[]}`, Rejection{Code: RejectedUnsupportedVersion, Actual: 2, Maximum: 1}},
		{"version 2 comes before too many", strings.Replace(wire(with(full, "1")...), ":1,", ":2,", 1), Rejection{Code: RejectedUnsupportedVersion, Actual: 2, Maximum: 1}},
		{"version 2 does not hide a wrong type", `{"format_version":2,"steps":{}}`, encoding},
		{"version 255", `{"steps":[],"format_version":255}`, Rejection{Code: RejectedUnsupportedVersion, Actual: 255, Maximum: 1}},
		{"version 256", `{"steps":[],"format_version":256}`, encoding},
		{"version 00", `{"steps":[],"format_version":01}`, encoding},
		{"version -0", `{"steps":[],"format_version":-0}`, encoding},
		{"version null", `{"steps":[],"format_version":null}`, encoding},
		{"one step more", wire(with(full, `{"id":"z","source":""}`)...), many},
		{"equal ids do not matter when there are too many", wire(with(full, full[0])...), many},
		{"surplus of any shape", wire(with(full, "null", `[[{"a":[]}],"x"]`, "-1.5e+3", "{}", "[ ]", `[{"a":1},[1],{"b":[1]}]`, `{"a":{"a":1},"a":true}`)...), many},
		{"deep surplus", wire(with(full, strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000))...), many},
		{"deep surplus of objects", wire(with(full, strings.Repeat(`{"":`, 100_000)+"0"+strings.Repeat("}", 100_000))...), many},
		{"deep surplus that is cut off", wire(with(full, strings.Repeat("[", 100_000)+strings.Repeat("]", 99_999))...), encoding},
		{"crossed surplus", wire(with(full, `[{"a":1]}`)...), encoding},
		{"broken surplus", wire(with(full, `{"a" 1}`)...), encoding},
		{"surplus with a trailing comma", wire(with(full, `[1,]`)...), encoding},
		{"surplus with a member and no value", wire(with(full, `{"a":}`)...), encoding},
		{"surplus that ends", wire(full...)[:len(wire(full...))-2] + ",", encoding},
		{"half a pair in the surplus", wire(with(full, `"\ud800"`)...), encoding},
		{"junk among the first", wire(with(full[1:], "null")...), encoding},
		{"no steps", wire(), Rejection{Code: RejectedEmptyPlan}},
		{"all source bytes", wire(sized(MaxSourceBytes)), Rejection{}},
		{"one source byte more", wire(sized(MaxSourceBytes + 1)), Rejection{Code: RejectedSourceTooLarge, Actual: MaxSourceBytes + 1, Maximum: MaxSourceBytes}},
		{"source bytes come before ids", wire(sized(MaxSourceBytes), `{"id":"X","source":"1"}`), Rejection{Code: RejectedSourceTooLarge, Actual: MaxSourceBytes + 1, Maximum: MaxSourceBytes}},
		{"source bytes are those after unescaping", wire(`{"id":"x","source":"` + strings.Repeat(`\n`, MaxSourceBytes-100) + `"}`), Rejection{}},
		{"the longest id", wire(`{"id":"` + strings.Repeat("a", MaxStepID) + `","source":""}`), Rejection{}},
		{"a longer id", wire(`{"id":"` + strings.Repeat("a", MaxStepID+1) + `","source":""}`), Rejection{Code: RejectedInvalidStepID}},
		{"an empty id", wire(`{"id":"","source":""}`), Rejection{Code: RejectedInvalidStepID}},
		{"an id with a newline", wire(`{"id":"a\n","source":""}`), Rejection{Code: RejectedInvalidStepID}},
		{"an id in the middle of a character", wire(`{"id":"\u00e9","source":""}`), Rejection{Code: RejectedInvalidStepID}},
		{"a duplicate before a bad id", wire(full[0], full[0], `{"id":"X","source":""}`), Rejection{Code: RejectedDuplicateStepID}},
		{"a bad id before a duplicate", wire(`{"id":"X","source":""}`, full[0], full[0]), Rejection{Code: RejectedInvalidStepID}},
		{"nothing", "", encoding},
		{"white space", " \n", encoding},
		{"invalid UTF-8", wire("{\"id\":\"a\",\"source\":\"\xff\"}"), encoding},
		{"an encoded surrogate", wire("{\"id\":\"a\",\"source\":\"\xed\xa0\x80\"}"), encoding},
		{"a pair in the wrong order", wire(`{"id":"a","source":"\udc00\ud800"}`), encoding},
		{"half a pair and a character", wire(`{"id":"a","source":"\ud83d\u0041"}`), encoding},
		{"half an escape", wire(`{"id":"a","source":"\u00`), encoding},
		{"an escape of no meaning", wire(`{"id":"a","source":"\x41"}`), encoding},
		{"a NUL after the end", wire(full[0]) + "\x00", encoding},
		{"a vertical tab as white space", "\v" + wire(full[0]), encoding},
		{"a step as an array", wire(`["a","1"]`), encoding},
		{"the document as an array", `[1,[{"id":"a","source":""}]]`, encoding},
		{"a third member", wire(`{"id":"a","source":"","id2":""}`), encoding},
		{"no member", wire(`{}`), encoding},
		{"one member twice", wire(`{"id":"a","\u0069d":"b"}`), encoding},
		{"other case", `{"Format_version":1,"steps":[{"id":"a","source":""}]}`, encoding},
		{"no comma", wire(`{"id":"a" "source":""}`), encoding},
		{"two documents", wire(full[0]) + wire(full[0]), encoding},
	} {
		_, err := Decode([]byte(tt.text))
		if got := rejection(err); got != tt.want || (err == nil) != (tt.want == Rejection{}) {
			t.Errorf("%s: %+v %v, want %+v", tt.name, got, err, tt.want)
		}
	}
}

func TestARefusalSaysWhereItIsAndNotWhatIsThere(t *testing.T) {
	for _, tt := range []struct {
		name, text         string
		line, column, step int
	}{
		{"an unknown member", wire(`{"id":"a","secret":"b"}`), 1, 40, 0},
		{"a member of the document", "{\"format_version\":1,\n \"é\":\"x\",\"secret\":[]}", 2, 2, 0},
		{"a repeated member", "{\"steps\":[],\n\"steps\":[]}", 2, 1, 0},
		{"a third member", wire("{\"id\":\"é😀\",\n\"source\":\"é😀\",\"secret\":1}"), 2, 14, 0},
		{"a missing member", "{\"steps\":[]\n}", 2, 1, 0},
		{"a wrong type", wire("\n{\"id\":  7}"), 2, 9, 0},
		{"a control character", wire("{\"id\":\"a\n\"}"), 1, 38, 0},
		{"invalid UTF-8", wire("{\"id\":\"é\xff\"}"), 1, 38, 0},
		{"the end", "{", 1, 2, 0},
		{"nothing", "", 1, 1, 0},
		{"more than a draft", wire(numbered(1)...) + "\n\n  secret", 3, 3, 0},
		{"a bad id", wire(`{"id":"a","source":""}`, `{"id":"Secret","source":""}`), 0, 0, 2},
		{"a duplicate", wire(`{"id":"secret","source":""}`, `{"id":"b","source":""}`, `{"id":"secret","source":""}`), 0, 0, 3},
	} {
		_, err := Decode([]byte(tt.text))
		var r *Rejection
		if !errors.As(err, &r) || r.Line != tt.line || r.Column != tt.column || r.Step != tt.step {
			t.Errorf("%s: %+v, want %d:%d, step %d", tt.name, r, tt.line, tt.column, tt.step)
		} else if strings.Contains(strings.ToLower(err.Error()), "secret") {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, err := NewDraft(Step{"a", ""}, Step{"b", "\xff"}); !strings.Contains(err.Error(), "step 2") {
		t.Error(err)
	}
}

func TestAHostMayAcceptFewerBytesAndNeverMore(t *testing.T) {
	text := []byte(wire(numbered(1)...))
	if _, err := DecodeWithin(text, len(text)); err != nil {
		t.Error(err)
	}
	if _, err := DecodeWithin(text, len(text)-1); rejection(err) != (Rejection{Code: RejectedInputTooLarge, Actual: len(text), Maximum: len(text) - 1}) {
		t.Error(err)
	}
	if _, err := DecodeWithin(text, 0); rejection(err).Code != RejectedInputTooLarge {
		t.Error(err)
	}
	if _, err := DecodeWithin(make([]byte, MaxWireBytes+1), 1<<30); rejection(err).Maximum != MaxWireBytes {
		t.Error(err)
	}
}

func TestADraftIsKeptAsItWasWritten(t *testing.T) {
	text := "\t{ \"steps\" : [ {\"source\": \"\\u00e9\\ud83d\\ude00\\/\\\"\\\\\\b\\f\\n\\r\\t\\u0000\", \"\\u0069d\" : \".\"}\n, {\"id\":\"-\",\"source\":\"\"} ] , \"format_version\" : 1 }\r\n"
	d, err := Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []Step{{".", "é😀/\"\\\b\f\n\r\t\x00"}, {"-", ""}}
	if got := d.Steps(); !reflect.DeepEqual(got, want) {
		t.Errorf("steps %q, want %q", got, want)
	}
	d.Steps()[0].ID = "changed"
	encoded, err := d.Encode()
	if err != nil || string(encoded) != `{"format_version":1,"steps":[{"id":".","source":"é😀/\"\\\b\f\n\r\t\u0000"},{"id":"-","source":""}]}` {
		t.Errorf("encodes as %s %v", encoded, err)
	}
}

func TestADraftFromValuesIsJudgedLikeOneFromText(t *testing.T) {
	steps := make([]Step, MaxSteps+1)
	for i := range steps {
		steps[i].ID = fmt.Sprint(i)
	}
	half := strings.Repeat("x", MaxSourceBytes/2)
	for _, tt := range []struct {
		steps []Step
		want  Rejection
	}{
		{nil, Rejection{Code: RejectedEmptyPlan}},
		{steps[:MaxSteps], Rejection{}},
		{steps, Rejection{Code: RejectedTooManySteps, Maximum: MaxSteps}},
		{[]Step{{"a", half}, {"b", half}}, Rejection{}},
		{[]Step{{"a", half}, {"B", half + "x"}}, Rejection{Code: RejectedSourceTooLarge, Actual: MaxSourceBytes + 1, Maximum: MaxSourceBytes}},
		{[]Step{{"a", ""}, {"a", ""}, {"B", ""}}, Rejection{Code: RejectedDuplicateStepID}},
		{[]Step{{"B", ""}, {"a", ""}, {"a", ""}}, Rejection{Code: RejectedInvalidStepID}},
		{[]Step{{"a", "\xff"}}, Rejection{Code: RejectedInvalidEncoding}},
	} {
		if _, err := NewDraft(tt.steps...); rejection(err) != tt.want {
			t.Errorf("%v, want %+v", err, tt.want)
		}
	}
	mine := []Step{{"a", "1"}}
	d, err := NewDraft(mine...)
	if err != nil {
		t.Fatal(err)
	}
	mine[0].ID = "changed"
	if d.Steps()[0].ID != "a" {
		t.Error("a caller writes into the draft")
	}
	// A control character takes six bytes on the wire, so what a draft may hold may be too long to send.
	d, err = NewDraft(Step{"a", strings.Repeat("\x01", MaxSourceBytes)})
	if err != nil {
		t.Fatal(err)
	}
	frame := len(wire(`{"id":"a","source":""}`))
	if _, err := d.Encode(); rejection(err) != (Rejection{Code: RejectedOutputTooLarge, Actual: 6*MaxSourceBytes + frame, Maximum: MaxWireBytes}) {
		t.Errorf("%v", err)
	}
	room := MaxWireBytes - frame
	for extra, want := range map[int]RejectionCode{0: "", 1: RejectedOutputTooLarge} {
		source := strings.Repeat("\x01", room/6) + strings.Repeat("x", room%6+extra)
		d, err := NewDraft(Step{"a", source})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Encode(); rejection(err).Code != want {
			t.Errorf("%d bytes too many: %v", extra, err)
		}
	}
}

func TestRejectionsHaveTheirOwnJSONAndNoContent(t *testing.T) {
	for _, tt := range []struct {
		r    Rejection
		want string
	}{
		{Rejection{Code: RejectedInputTooLarge, Actual: 3, Maximum: 2}, `{"actual_bytes":3,"code":"input_too_large","maximum_bytes":2}`},
		{Rejection{Code: RejectedInvalidEncoding}, `{"code":"invalid_encoding"}`},
		{Rejection{Code: RejectedUnsupportedVersion, Actual: 2, Maximum: 1}, `{"actual":2,"code":"unsupported_format_version","expected":1}`},
		{Rejection{Code: RejectedTooManySteps, Maximum: 1024}, `{"code":"too_many_steps","maximum":1024}`},
		{Rejection{Code: RejectedEmptyPlan}, `{"code":"empty_plan"}`},
		{Rejection{Code: RejectedSourceTooLarge, Actual: 3, Maximum: 2}, `{"actual_bytes":3,"code":"aggregate_source_too_large","maximum_bytes":2}`},
		{Rejection{Code: RejectedInvalidStepID}, `{"code":"invalid_step_id"}`},
		{Rejection{Code: RejectedDuplicateStepID}, `{"code":"duplicate_step_id"}`},
		{Rejection{Code: RejectedOutputTooLarge, Actual: 3, Maximum: 2}, `{"actual_bytes":3,"code":"output_too_large","maximum_bytes":2}`},
	} {
		if got, err := json.Marshal(&tt.r); err != nil || string(got) != tt.want {
			t.Errorf("%s %v, want %s", got, err, tt.want)
		}
		if tt.r.Error() == "" || strings.Contains(tt.r.Error(), string(tt.r.Code)) {
			t.Errorf("%s reads %q", tt.r.Code, tt.r.Error())
		}
	}
}

// allocated returns how many bytes f allocates in all, which is more than it ever holds at once.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestDecodingTakesMemoryForStepsAndNoneForTheSurplus(t *testing.T) {
	head := `{"format_version":1,"steps":[` + strings.Join(numbered(MaxSteps), ",") + ","
	room := MaxWireBytes - len(head) - len("]}")
	fill := func(item string) string { return strings.Repeat(item+",", (room-1)/(len(item)+1)) + "0" }
	for _, tt := range []struct {
		name, surplus string
		steps         int
	}{
		{"numbers", fill("0"), 1_000_000},
		{"objects", fill("{}"), 600_000},
		{"steps", fill(`{"id":"a","source":"1"}`), 80_000},
		{"strings", fill(`"\u00e9"`), 200_000},
		{"one deep array", strings.Repeat("[", room/2) + strings.Repeat("]", room/2), 1},
		{"one long string", `"` + strings.Repeat("x", room-2) + `"`, 1},
	} {
		text := []byte(head + tt.surplus + "]}")
		if n := strings.Count(tt.surplus, ",") + 1; n < tt.steps || len(text) > MaxWireBytes {
			t.Fatalf("%s: %d items in %d bytes", tt.name, n, len(text))
		}
		var err error
		size := allocated(func() { _, err = Decode(text) })
		if rejection(err).Code != RejectedTooManySteps {
			t.Fatalf("%s: %v", tt.name, err)
		}
		t.Logf("%s: %d bytes allocated in all for %d bytes of text", tt.name, size, len(text))
		if size > 1<<20 {
			t.Errorf("%s: %d bytes", tt.name, size)
		}
	}
	escaped := []byte(wire(`{"id":"a","source":"` + strings.Repeat(`\n`, MaxSourceBytes-50) + `"}`))
	if size := allocated(func() { Decode(escaped) }); size > 2<<20 {
		t.Errorf("one escaped source: %d bytes", size)
	}
}

// slowDecode is the rules of WD-3 and WD-4 said with encoding/json, for texts of few steps.
func slowDecode(text string) RejectionCode {
	var doc map[string]json.RawMessage
	if !json.Valid([]byte(text)) || !utf8.ValidString(text) || json.Unmarshal([]byte(text), &doc) != nil || len(doc) != 2 {
		return RejectedInvalidEncoding
	}
	var version *uint8
	var steps []map[string]*string
	if string(doc["steps"]) == "null" || json.Unmarshal(doc["format_version"], &version) != nil || version == nil || json.Unmarshal(doc["steps"], &steps) != nil {
		return RejectedInvalidEncoding
	}
	for _, s := range steps {
		if len(s) != 2 || s["id"] == nil || s["source"] == nil {
			return RejectedInvalidEncoding
		}
	}
	if *version != 1 {
		return RejectedUnsupportedVersion
	}
	if len(steps) == 0 {
		return RejectedEmptyPlan
	}
	seen := map[string]bool{}
	for _, s := range steps {
		id := *s["id"]
		if len(id) < 1 || len(id) > 128 || strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789._-") != "" {
			return RejectedInvalidStepID
		}
		if seen[id] {
			return RejectedDuplicateStepID
		}
		seen[id] = true
	}
	return ""
}

func TestDecodingAgreesWithTheRulesSaidPlainly(t *testing.T) {
	piece := rapid.SampledFrom([]string{"{", "}", "[", "]", ",", ":", `"id"`, `"source"`, `"a"`, `"A"`, `""`, "1", "2", "null",
		`"format_version"`, `"steps"`, `{"id":"a","source":"1"}`, `{"source":"\n","id":"b"}`, `{"format_version":1,"steps":[`, "]}", `{"id":1}`, " "})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 10).Draw(t, "pieces"), "")
		if rapid.Bool().Draw(t, "framed") {
			text = `{"format_version":1,"steps":[` + text + "]}"
		}
		_, err := Decode([]byte(text))
		got, want := rejection(err).Code, slowDecode(text)
		// The slow rules do not see a repeated member.
		if got != want && !(got == RejectedInvalidEncoding && (strings.Count(text, `"format_version"`) > 1 || strings.Count(text, `"id"`) > 1)) {
			t.Fatalf("%s: %q, want %q", text, got, want)
		}
	})
}

// FuzzDecode holds that no text makes decoding panic, that what is no JSON never is a draft, and that a draft is written
// as a text that decodes to the same steps.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		wire(numbered(2)...), `{"steps":[{"source":"\u00e9\ud83d\ude00","id":"a"}],"format_version":1}`, `[1,[["a","1"]]]`,
		`{"format_version":2,"steps":[]}`, wire(`{"id":"a","id":"b"}`), "{",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Decode(text)
		if err != nil {
			code := rejection(err).Code
			if code == "" || code != RejectedInvalidEncoding && code != RejectedInputTooLarge && !json.Valid(text) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if !json.Valid(text) {
			t.Fatalf("%q is no JSON", text)
		}
		encoded, err := d.Encode()
		if err != nil {
			t.Fatal(err) // what came in fits the wire, and no other spelling is shorter
		}
		again, err := Decode(encoded)
		if err != nil || !reflect.DeepEqual(again, d) {
			t.Fatalf("%q does not survive: %v", encoded, err)
		}
	})
}

// FuzzSurplus holds that what is passed over as surplus is one JSON value, and that all JSON values are.
func FuzzSurplus(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-2.5e+3,{}],"b":"\u00e9\ud83d\ude00","c":[[],[true,false,null]]}`, `[1,]`, `{"a":}`, `[}`, nested(300), `"\ud800"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !utf8.Valid(text) {
			return // Decode looks at that first
		}
		s := scanner{text: text}
		got, want := s.skip() && s.end(), json.Valid(text)
		// encoding/json takes half a surrogate pair for U+FFFD.
		if got != want && !(want && bytes.Contains(text, []byte(`\u`))) {
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
	})
}
