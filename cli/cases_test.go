package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/signature"
)

// expectation is what a case holds right.
type expectation struct {
	Outcome    string          `json:"outcome"`
	Arguments  json.RawMessage `json:"arguments"`
	Mention    []string        `json:"message_must_mention"`
	NotMention []string        `json:"message_must_not_mention"`
	MaxChars   int             `json:"message_max_chars"`
	AlsoOK     []expectation   `json:"also_ok"`
}

type openCase struct {
	ID     string          `json:"id"`
	Schema json.RawMessage `json:"schema"`
	Call   struct {
		Kind      string          `json:"kind"`
		Text      string          `json:"text"`
		Arguments json.RawMessage `json:"arguments"`
		Raw       *string         `json:"raw"`
	} `json:"call"`
	Expect expectation `json:"expect"`
}

// caseHooks are the rules that a case gives in words.
var caseHooks = map[string]func(in *signature.Record) (bool, string){
	"old_text and new_text must differ; message names both": func(in *signature.Record) (bool, string) {
		a, _ := in.Get("old_text")
		b, _ := in.Get("new_text")
		if a != b {
			return true, ""
		}
		return false, fmt.Sprintf("old_text, new_text: both are %q; there is nothing to replace.", a)
	},
}

func runCase(t *testing.T, c *openCase) *command.Outcome {
	t.Helper()
	var head struct {
		Title string `json:"title"`
		Hook  string `json:"x-hook"`
	}
	if err := json.Unmarshal(c.Schema, &head); err != nil {
		t.Fatal(err)
	}
	spec := command.Spec[signature.Record]{
		Name: safeName(head.Title), Schema: c.Schema,
		Run: func(context.Context, *command.Session, *signature.Record) (command.Response, error) {
			return command.Say("ran"), nil
		},
	}
	if head.Hook != "" {
		hook, ok := caseHooks[head.Hook]
		if !ok {
			t.Fatalf("%s: the rule %q has no implementation", c.ID, head.Hook)
		}
		spec.ValidateExtractedParameters = func(_ context.Context, _ *command.Session, _ string, in *signature.Record) (bool, string) {
			return hook(in)
		}
	}
	w, err := command.New(command.Options{Name: "cases"}, command.Define(spec))
	if err != nil {
		t.Fatalf("%s: %v", c.ID, err)
	}
	session := w.NewSession()
	if c.Call.Kind == "text" {
		return session.Call(context.Background(), c.Call.Text)
	}
	raw := c.Call.Arguments
	if c.Call.Raw != nil {
		raw = json.RawMessage(*c.Call.Raw)
	}
	return session.Do(context.Background(), command.Action{CommandName: spec.Name, Parameters: raw})
}

// exactly decodes JSON with every digit kept and numbers brought to one
// spelling.
func exactly(t *testing.T, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// verdict judges an outcome against one expectation: "" if it is right,
// "silently wrong" if another call ran, else what is lacking.
func verdict(t *testing.T, o *command.Outcome, e *expectation) string {
	if o.Ran() {
		arguments, err := json.Marshal(o.Input)
		if err != nil {
			t.Fatal(err)
		}
		if e.Outcome == "run" && reflect.DeepEqual(exactly(t, arguments), exactly(t, e.Arguments)) {
			return ""
		}
		return "silently wrong: ran with " + string(arguments)
	}
	if e.Outcome == "run" {
		return "refused though plain: " + o.Text()
	}
	for _, want := range e.Mention {
		found := false
		for _, alternative := range strings.Split(want, "|") {
			found = found || strings.Contains(strings.ToLower(o.Text()), strings.ToLower(alternative))
		}
		if !found {
			return fmt.Sprintf("the message does not mention %q: %s", want, o.Text())
		}
	}
	for _, never := range e.NotMention {
		if strings.Contains(o.Text(), never) {
			return fmt.Sprintf("the message mentions %q: %s", never, o.Text())
		}
	}
	if n := utf8.RuneCountInString(o.Text()); e.MaxChars > 0 && n > e.MaxChars {
		return fmt.Sprintf("the message has %d characters", n)
	}
	return ""
}

// openDifferences lists the cases answered otherwise than recorded, with the
// decision that makes it so.
var openDifferences = map[string]string{}

// TestOpenCases runs every real-world case whole: bug reports of other
// frameworks with the outcome that is right.
func TestOpenCases(t *testing.T) {
	file, err := os.Open("../testdata/cases/open.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	total, right := 0, 0
	for lines.Scan() {
		var c openCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		total++
		outcome := runCase(t, &c)
		lack := verdict(t, outcome, &c.Expect)
		for i := range c.Expect.AlsoOK {
			if lack != "" {
				if also := verdict(t, outcome, &c.Expect.AlsoOK[i]); also == "" {
					lack = ""
				}
			}
		}
		reason, listed := openDifferences[c.ID]
		switch {
		case lack == "":
			right++
			if listed {
				t.Errorf("%s is right now; take it off the list", c.ID)
			}
		case strings.HasPrefix(lack, "silently wrong"):
			t.Errorf("%s: %s", c.ID, lack)
		case !listed:
			t.Errorf("%s: %s", c.ID, lack)
		default:
			t.Logf("%s differs: %s", c.ID, reason)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d cases answered as they should be", right, total)
	if total != 151 || right < 145 {
		t.Errorf("%d of %d cases answered as they should be; at least 145 of 151 are promised", right, total)
	}
}
