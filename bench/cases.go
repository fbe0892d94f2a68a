package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"os"
	"reflect"
	"strings"
	"unicode/utf8"
)

// A Case is one call from a public bug report with the outcome that is right.
// The format is that of fwgo check.
type Case struct {
	ID     string          `json:"id"`
	Schema json.RawMessage `json:"schema"`
	Call   struct {
		Kind      string          `json:"kind"`
		Arguments json.RawMessage `json:"arguments"`
		Raw       *string         `json:"raw"`
	} `json:"call"`
	Expect Expectation `json:"expect"`
}

// An Expectation is an outcome that is right.
type Expectation struct {
	Outcome    string          `json:"outcome"`
	Arguments  json.RawMessage `json:"arguments"`
	Mention    []string        `json:"message_must_mention"`
	NotMention []string        `json:"message_must_not_mention"`
	MaxChars   int             `json:"message_max_chars"`
	AlsoOK     []Expectation   `json:"also_ok"`
}

// Title is the command's name.
func (c *Case) Title() string {
	var head struct {
		Title string `json:"title"`
	}
	_ = json.Unmarshal(c.Schema, &head) // the cases have titles; see the test
	return head.Title
}

// Bytes are the arguments exactly as the caller sent them; they need not be
// JSON.
func (c *Case) Bytes() string {
	if c.Call.Raw != nil {
		return *c.Call.Raw
	}
	return string(c.Call.Arguments)
}

// ReadCases reads the cases that a peer can be given: those whose call arrives
// as JSON arguments, without the ones whose right outcome depends on a rule in
// words (x-hook), which no schema carries.
func ReadCases(path string) ([]Case, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readCases(file)
}

func readCases(r io.Reader) ([]Case, error) {
	var cases []Case
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var c Case
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, err
		}
		if c.Call.Kind == "arguments" && !bytes.Contains(c.Schema, []byte(`"x-hook"`)) {
			cases = append(cases, c)
		}
	}
	return cases, lines.Err()
}

// A Reply is what became of a call: the command ran and saw arguments, or it
// did not and the caller got a message.
type Reply struct {
	Ran       bool
	Arguments []byte // JSON
	Message   string
}

// A Verdict is how a reply is judged.
type Verdict int

// The verdicts. SilentlyWrong is the one that costs: the command ran with
// other arguments than were meant, and nobody was told.
const (
	Right         Verdict = iota
	SilentlyWrong         // ran with other arguments than are right
	Refused               // a message although the call can mean only one thing
	NoUse                 // rightly a message, but one that does not help
)

func (v Verdict) String() string {
	return [...]string{"right", "silently wrong", "refused though plain", "message of no use"}[v]
}

// Judge judges a reply as cli's own test of the cases does; why explains a
// verdict that is not Right.
func (c *Case) Judge(r Reply) (v Verdict, why string) {
	if v, why = c.Expect.judge(r); v == Right {
		return v, ""
	}
	for i := range c.Expect.AlsoOK {
		if other, _ := c.Expect.AlsoOK[i].judge(r); other == Right {
			return Right, ""
		}
	}
	return v, why
}

func (e *Expectation) judge(r Reply) (Verdict, string) {
	if r.Ran {
		if e.Outcome == "run" && same(r.Arguments, e.Arguments) {
			return Right, ""
		}
		return SilentlyWrong, "ran with " + string(r.Arguments)
	}
	if e.Outcome == "run" {
		return Refused, r.Message
	}
	for _, want := range e.Mention {
		found := false
		for _, alternative := range strings.Split(want, "|") {
			found = found || strings.Contains(strings.ToLower(r.Message), strings.ToLower(alternative))
		}
		if !found {
			return NoUse, fmt.Sprintf("no mention of %q: %s", want, r.Message)
		}
	}
	for _, never := range e.NotMention {
		if strings.Contains(r.Message, never) {
			return NoUse, fmt.Sprintf("mentions %q: %s", never, r.Message)
		}
	}
	if n := utf8.RuneCountInString(r.Message); e.MaxChars > 0 && n > e.MaxChars {
		return NoUse, fmt.Sprintf("%d characters", n)
	}
	return Right, ""
}

// same compares JSON by value. Numbers are equal if they are the same number
// to the last digit, however written: a peer that decodes 5.0 is not wrong.
func same(a, b []byte) bool {
	x, okX := exactly(a)
	y, okY := exactly(b)
	return okX && okY && reflect.DeepEqual(x, y)
}

func exactly(text []byte) (any, bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil, false
	}
	return oneSpelling(v), true
}

func oneSpelling(v any) any {
	switch v := v.(type) {
	case json.Number:
		if len(v) < 400 { // Rat writes out every zero of an exponent
			if r, ok := new(big.Rat).SetString(string(v)); ok {
				return json.Number(r.RatString())
			}
		}
	case []any:
		for i := range v {
			v[i] = oneSpelling(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = oneSpelling(v[name])
		}
	}
	return v
}
