package splash

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const languageDoc = "../docs/language.md"

func readLanguage(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(languageDoc)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// docExample is one fenced block of splash.
type docExample struct {
	line  int // of its first line in the document
	lines []string
}

func docExamples(text string) (blocks []docExample) {
	var in *docExample
	for i, line := range strings.Split(text, "\n") {
		switch {
		case in == nil && line == "```splash":
			blocks = append(blocks, docExample{line: i + 2})
			in = &blocks[len(blocks)-1]
		case in != nil && line == "```":
			in = nil
		case in != nil:
			in.lines = append(in.lines, line)
		}
	}
	return blocks
}

// docMark is the comment that says what the program up to its line ends with.
var docMark = regexp.MustCompile(`// (=>|error|limit|no JSON:|invalid)(?: (.*))?$`)

// docHost has the tools that the document speaks of.
var docHost = Tools(func(_ context.Context, c Call) (string, error) {
	switch c.Tool {
	case "send_note":
		return "sent: " + c.Input, nil
	case "get_order":
		var in struct{ ID string }
		if strings.Contains(c.Input, `"W8"`) {
			return "", &CallError{Message: "order W8 is closed", Data: json.RawMessage(`{"problems":[{"field":"id"}]}`)}
		}
		if err := json.Unmarshal([]byte(c.Input), &in); err != nil || in.ID != "W7" {
			return "", fmt.Errorf("there is no order %s", in.ID)
		}
		return `{"id":"W7","status":"pending","items":[{"sku":"A1","price":12.5},{"sku":"B2","price":3}]}`, nil
	}
	return "", errors.New("it is not granted")
})

var docConfig = Config{
	Host:    docHost,
	Modules: []Module{{Name: "orders", Methods: []Method{{Name: "get", Tool: "get_order"}, {Name: "get_later", Tool: "get_order", Deferred: true}}}},
	Globals: map[string]json.RawMessage{"workflow": json.RawMessage(`{"input":{"order_id":"W7","limit":10},"outputs":{"find":{"id":"W7"},"step-2":3}}`)},
}

// docOutcome names how a program ends as the marks of the document do. The line is 0 where the end has none.
func docOutcome(src string) (mark, detail string, line int) {
	report, err := Check(src, Limits{})
	if err == nil && !report.Valid() {
		return "invalid", "", report.Diagnostics[0].Line
	}
	v, err := Eval(context.Background(), src, docConfig)
	var failure *Error
	var limit *LimitError
	var none *JSONError
	switch {
	case errors.As(err, &limit):
		return "limit", string(limit.Bound), limit.Line
	case errors.As(err, &failure):
		return "error", string(failure.Kind), failure.Line
	case err != nil:
		return "?", err.Error(), 0
	}
	out, err := v.JSON(Limits{})
	if errors.As(err, &none) {
		return "no JSON:", string(none.Reason), 0
	}
	return "=>", string(out), 0
}

// TestDocumentedExamples runs every example of docs/language.md: each mark is what the program up to it ends with.
func TestDocumentedExamples(t *testing.T) {
	blocks := docExamples(readLanguage(t))
	marks := map[string]int{}
	for _, b := range blocks {
		var program []string
		found := 0
		for i, line := range b.lines {
			m := docMark.FindStringSubmatch(line)
			if m == nil {
				program = append(program, line)
				continue
			}
			found++
			marks[m[1]]++
			src := strings.Join(append(program[:len(program):len(program)], line), "\n")
			mark, detail, at := docOutcome(src)
			if mark != m[1] || detail != m[2] {
				t.Errorf("%s:%d: ends with %s %s, and not with %s %s\n%s", languageDoc, b.line+i, mark, detail, m[1], m[2], src)
			}
			if want := len(program) + 1; at != 0 && at != want && mark != "limit" {
				t.Errorf("%s:%d: ends on line %d of the example, not on %d", languageDoc, b.line+i, at, want)
			}
			if m[1] == "=>" {
				program = append(program, line)
			}
		}
		if found == 0 || !docMark.MatchString(b.lines[len(b.lines)-1]) {
			t.Errorf("%s:%d: the example does not say what it ends with", languageDoc, b.line)
		}
	}
	t.Logf("%d examples with %v marks", len(blocks), marks)
	for _, mark := range []string{"=>", "error", "limit", "no JSON:", "invalid"} {
		if marks[mark] == 0 {
			t.Errorf("nothing is marked %q", mark)
		}
	}
}

// TestTheDocumentIsWhole holds that the document speaks of every reserved word, every function of std, every method and
// every kind of error.
func TestTheDocumentIsWhole(t *testing.T) {
	text := readLanguage(t)
	var code strings.Builder
	for _, b := range docExamples(text) {
		code.WriteString(strings.Join(b.lines, "\n"))
	}
	for i, key := range stdModule.keys {
		module, ok := stdModule.vals[i].ref.(*record)
		if !ok {
			if !regexp.MustCompile(`\b` + key.s + `\(`).MatchString(code.String()) {
				t.Errorf("no example calls std.%s", key.s)
			}
			continue
		}
		for _, member := range module.keys {
			if !regexp.MustCompile(`\b` + key.s + `\.` + member.s + `\b`).MatchString(code.String()) {
				t.Errorf("no example uses %s.%s", key.s, member.s)
			}
		}
	}
	for _, member := range toolModule.keys {
		if !strings.Contains(code.String(), "tool."+member.s+"(") {
			t.Errorf("no example uses tool.%s", member.s)
		}
	}
	for _, m := range []*method{toJSON, parseJSON, toBytes, await} {
		if !strings.Contains(code.String(), "."+m.name+"()") {
			t.Errorf("no example uses the method %s", m.name)
		}
	}
	for _, kind := range []ErrorKind{NotFound, TypeMismatch, WrongValue, OutOfBounds, Immutable, InvalidArgs, NotAllowed, Unexpected, AssertFailure, LimitExceeded} {
		if !strings.Contains(text, "\n| "+string(kind)+" | ") {
			t.Errorf("the kind %s is not explained", kind)
		}
	}
	_, words, _ := strings.Cut(text, "<!-- reserved words -->\n")
	words, _, _ = strings.Cut(words, "\n\n")
	listed := regexp.MustCompile("`([a-z]+)`").FindAllStringSubmatch(words, -1)
	for i, w := range listed {
		if word(w[1]) == tName || i > 0 && listed[i-1][1] >= w[1] {
			t.Errorf("%s is listed as a reserved word, out of order or wrongly", w[1])
		}
	}
	if reserved := 27; len(listed) != reserved { // SL-4
		t.Errorf("%d reserved words are listed, not %d", len(listed), reserved)
	}
}

// docBounds says how the table of bounds names each field of Limits, and shows what passing it does.
var docBounds = []struct {
	field, label string
	lowered      Limits
	source       string
	want         string // of outcome
}{
	{"SourceBytes", "bytes of source", Limits{SourceBytes: 3}, "1234", string(BoundSource)},
	{"Tokens", "tokens of source", Limits{Tokens: 2}, "1;2", "syntax"},
	{"Nesting", "levels of nested expressions and blocks", Limits{Nesting: 2}, "[[[1]]]", "syntax"},
	{"Diagnostics", "diagnostics that are reported", Limits{Diagnostics: 1}, "# #", "truncated"},
	{"Steps", "steps", Limits{Steps: 100}, "try { loop {}; 1; } catch 2", string(BoundSteps)},
	{"CallDepth", "active calls, the step itself included", Limits{CallDepth: 9}, "fn f() { return f(); }\ntry f() catch 2", string(BoundCalls)},
	{"Stack", "operands and local names of all active calls", Limits{Stack: 90}, "fn f() { return [1, 2, f()]; }\ntry f() catch 2", string(BoundStack)},
	{"Values", "live values", Limits{Values: 90}, "let a = []\ntry { loop { a = [a]; }; 1; } catch 2", string(BoundValues)},
	{"Bytes", "live bytes", Limits{Bytes: 9000}, "let a = []\ntry { loop { a = [a]; }; 1; } catch 2", string(BoundBytes)},
	{"StringBytes", "bytes of one string", Limits{StringBytes: 90}, "let s = \"x\"\ntry { loop { s += s; }; 1; } catch 2", string(BoundString)},
	{"JSONBytes", "bytes of one JSON text", Limits{JSONBytes: 9}, `"1234567890".parse_json()`, string(Unexpected)},
	{"JSONDepth", "levels of one JSON text", Limits{JSONDepth: 2}, "[[[1]]].to_json()", string(Unexpected)},
	{"Pending", "promises that are not settled", Limits{Pending: 1}, `mod.tool.start("send_note", ""); mod.tool.start("send_note", "")`, string(NotAllowed)},
}

// TestDocumentedBounds holds that the table of bounds has every field of Limits, with its default and what happens.
func TestDocumentedBounds(t *testing.T) {
	_, table, _ := strings.Cut(readLanguage(t), "<!-- bounds -->\n")
	table, _, _ = strings.Cut(table, "\n\n")
	defaults := reflect.ValueOf(DefaultLimits())
	var want strings.Builder
	want.WriteString("| what | default | passing it |\n|---|---:|---|")
	for i, b := range docBounds {
		if i >= defaults.NumField() || defaults.Type().Field(i).Name != b.field {
			t.Fatalf("Limits has other fields than the document, or in another order, from %s on", b.field)
		}
		report, err := Check(b.source, b.lowered)
		got := "truncated"
		if err != nil || !report.Truncated {
			var v Value
			v, err = Eval(t.Context(), b.source, Config{Limits: b.lowered, Host: docHost})
			got = outcome(v, err, b.lowered)
		}
		if got != b.want {
			t.Errorf("%s: passing it ends with %s, not with %s", b.field, got, b.want)
		}
		fmt.Fprintf(&want, "\n| %s | %s | %s |", b.label, thousands(int(defaults.Field(i).Int())), docPassing(got))
	}
	if len(docBounds) != defaults.NumField() {
		t.Errorf("Limits has %d fields, the document %d", defaults.NumField(), len(docBounds))
	}
	if table != want.String() {
		t.Errorf("the table of bounds should be\n%s\nand is\n%s", want.String(), table)
	}
}

func docPassing(outcome string) string {
	switch outcome {
	case string(BoundSource):
		return "is refused before anything runs"
	case "syntax":
		return "is not valid"
	case "truncated":
		return "leaves the rest out"
	case string(Unexpected), string(NotAllowed):
		return "is an error"
	}
	return "ends the step; no `try` helps"
}

func thousands(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
