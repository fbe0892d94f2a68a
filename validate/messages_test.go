package validate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/signature"
	"github.com/fwgo/fwgo/validate"
)

// everyKind reads the kinds from the source, so that a new one without a case
// below is noticed.
func everyKind(t *testing.T) map[string]validate.Kind {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "problem.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]validate.Kind{}
	for _, decl := range file.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			value := spec.(*ast.ValueSpec)
			if name, ok := value.Type.(*ast.Ident); ok && name.Name == "Kind" {
				word, err := strconv.Unquote(value.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				kinds[value.Names[0].Name] = validate.Kind(word)
			}
		}
	}
	return kinds
}

// A kindCase provokes one kind of problem by text that a caller chose.
type kindCase struct {
	provoke func(t *testing.T, sent string) []validate.Problem
	field   string   // what the problem is about, "" for the call as a whole
	silent  bool     // what arrived is not repeated
	says    []string // what is accepted, where it comes from, what to do
}

// f is the schema of the field most cases use.
func f(keywords string) string {
	return withField(`{` + keywords + `,"examples":["like this"],"available_from":["list_all","Desk/find"]}`)
}

// refusal runs one call and returns its problems.
func refusal(t *testing.T, c *command, arguments string) []validate.Problem {
	t.Helper()
	a := c.call(t, arguments)
	if a.OK() {
		t.Fatalf("%.100s runs", arguments)
	}
	return a.Problems
}

func document(t *testing.T, text string, limits jsontree.Limits) []validate.Problem {
	t.Helper()
	c := make1(t, withField(`{"type":"string"}`), validate.Options{})
	_, fault := jsontree.Parse(text, limits, nil)
	if fault == nil {
		t.Fatalf("%.100q can be read", text)
	}
	return []validate.Problem{c.DocumentProblem(fault, text)}
}

func binding(doubt, field string) func(*testing.T, string) []validate.Problem {
	return func(t *testing.T, sent string) []validate.Problem {
		c := make1(t, f(`"type":"string"`), validate.Options{})
		return []validate.Problem{c.BindingProblem(doubt, field, sent)}
	}
}

func inField(keywords, format string) func(*testing.T, string) []validate.Problem {
	return func(t *testing.T, sent string) []validate.Problem {
		return refusal(t, make1(t, f(keywords), validate.Options{}), `{"f":`+fmt.Sprintf(format, quoted(sent))+`}`)
	}
}

// errBackend is what a resolver says of its own trouble; no caller sees it.
var errBackend = errors.New("dial tcp 10.0.0.7: connection refused")

var kindCases = map[validate.Kind]kindCase{
	validate.NotAnObject: {provoke: func(t *testing.T, sent string) []validate.Problem {
		c := make1(t, withField(`{"type":"string"}`), validate.Options{})
		return []validate.Problem{c.NotAnObjectProblem(tree(t, "["+quoted(sent)+"]", false))}
	}, says: []string{"one JSON object", "The parameters are f."}},
	validate.CutOff: {provoke: func(t *testing.T, sent string) []validate.Problem {
		return document(t, `{"f":{`+quoted(sent)+`:[1,`, jsontree.Limits{})
	}, says: []string{"cut off", "where a value must follow", "send the complete JSON object"}},
	validate.TrailingText: {provoke: func(t *testing.T, sent string) []validate.Problem {
		return document(t, `{"f":"a"} `+sent, jsontree.Limits{})
	}, says: []string{"extra text follows", "one call at a time"}},
	validate.RepeatedName: {provoke: func(t *testing.T, sent string) []validate.Problem {
		return document(t, `{`+quoted(sent)+`:1,`+quoted(sent)+`:2}`, jsontree.Limits{})
	}, says: []string{"more than once", "Send it once"}},
	validate.BadEncoding: {provoke: func(t *testing.T, sent string) []validate.Problem {
		return document(t, `{`+quoted(sent)+`:"`+"\xff"+`"}`, jsontree.Limits{})
	}, says: []string{"not UTF-8", "Send the text as UTF-8"}},
	validate.TooDeep: {silent: true, provoke: func(t *testing.T, sent string) []validate.Problem {
		return document(t, `{`+quoted(sent)+`:[[[[1]]]]}`, jsontree.Limits{Depth: 3})
	}, says: []string{"nested too deep", "at most 3 levels"}},
	validate.TooLong: {silent: true, provoke: func(t *testing.T, sent string) []validate.Problem {
		return document(t, `{"f":"`+strings.Repeat("a", 5000)+`"}`, jsontree.Limits{Bytes: 4000})
	}, says: []string{"too long", "at most 4,000 bytes", "5,008 bytes arrived"}},
	validate.NotJSON: {provoke: func(t *testing.T, sent string) []validate.Problem {
		return document(t, `{"f":`+sent+`}`, jsontree.Limits{})
	}, says: []string{"not JSON", "(in f)", "where a value must follow", "Send one JSON object with nothing around it"}},

	validate.NotACall: {provoke: binding("not_a_call", ""), says: []string{"not a call", "begins with the name of a command"}},
	// The command package constructs this one: no validator knows all names.
	validate.UnknownCommand: {provoke: func(t *testing.T, sent string) []validate.Problem {
		return []validate.Problem{{Kind: validate.UnknownCommand, Got: quote.Text(sent, 60), Nearest: []string{"get_order"}}}
	}, says: []string{"no command is named", "Did you mean get_order?"}},
	validate.UnclearCall:  {provoke: binding("stray_words", ""), says: []string{"cannot be read without doubt", "put a value with blanks in quotes", "Nothing was run"}},
	validate.UnnamedValue: {provoke: binding("unnamed_value", ""), says: []string{"names no parameter", "nothing was run", "The parameters are f (required)"}},
	validate.GivenTwice: {field: "f", silent: true, provoke: func(t *testing.T, sent string) []validate.Problem {
		c := make1(t, f(`"type":"string","aliases":["g"]`), validate.Options{})
		return refusal(t, c, `{"f":`+quoted(sent)+`,"g":`+quoted(sent)+`}`)
	}, says: []string{"more than once", "Send it once"}},
	validate.UnknownName: {provoke: func(t *testing.T, sent string) []validate.Problem {
		return refusal(t, make1(t, f(`"type":"string"`), validate.Options{}), `{"f":"a",`+quoted(sent)+`:1}`)
	}, says: []string{"no parameter of this name", "The parameters are f"}},
	validate.SwallowedMarkup: {field: "f", silent: true, provoke: func(t *testing.T, sent string) []validate.Problem {
		c := make1(t, `{"type":"object","properties":{"f":{"type":"string"},"other":{"type":"string"}}}`, validate.Options{})
		return refusal(t, c, `{"f":`+quoted(sent+"</f><other>"+sent)+`}`)
	}, says: []string{"another parameter, other", "Send each parameter on its own"}},

	validate.WrongType:   {field: "f", provoke: inField(`"type":"integer"`, "%s"), says: []string{"whole number (integer)", "For example: \"like this\"", "list_all or Desk/find"}},
	validate.NotAMember:  {field: "f", provoke: inField(`"enum":["red","sea green"]`, "%s"), says: []string{`one of "red", "sea green"`, "list_all or Desk/find"}},
	validate.NoMatch:     {field: "f", provoke: inField(`"type":"string","pattern":"#W\\d+"`, "%s"), says: []string{`matches #W\d+`, "For example: \"like this\"", "list_all or Desk/find"}},
	validate.WrongFormat: {field: "f", provoke: inField(`"type":"string","format":"date"`, "%s"), says: []string{"2026-01-31", "list_all or Desk/find"}},
	validate.OutOfRange: {field: "f", silent: true, provoke: func(t *testing.T, sent string) []validate.Problem {
		return refusal(t, make1(t, f(`"type":"integer","minimum":1,"maximum":5`), validate.Options{}), `{"f":9}`)
	}, says: []string{"got 9", "from 1 to 5", "list_all or Desk/find"}},
	validate.WrongLength: {field: "f", provoke: inField(`"type":"array","items":{"type":"string"},"minItems":2,"maxItems":3`, "[%s]"), says: []string{"of 2 to 3 items", "list_all or Desk/find"}},
	validate.NotUnique:   {field: "f", provoke: inField(`"type":"array","items":{"type":"string"},"uniqueItems":true`, "[%[1]s,%[1]s]"), says: []string{"more than once", "only once", "list_all or Desk/find"}},
	validate.RuleBroken: {field: "again", provoke: func(t *testing.T, sent string) []validate.Problem {
		type input struct {
			Word  string `json:"word"`
			Again string `json:"again" validate:"eqfield=Word"`
		}
		sig, err := signature.For[input](signature.TypeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		v, err := validate.New(sig, validate.Options{Logger: silent})
		if err != nil {
			t.Fatal(err)
		}
		c := v.Begin()
		defer c.Release()
		c.Load(tree(t, `{"word":"a","again":`+quoted(sent)+`}`, false))
		r := c.Run(context.Background())
		return r.Problems
	}, says: []string{"must be equal to word"}},

	validate.Missing: {field: "f", silent: true, provoke: func(t *testing.T, sent string) []validate.Problem {
		return refusal(t, make1(t, f(`"type":"string"`), validate.Options{}), `{}`)
	}, says: []string{"missing", "text is needed", "For example: \"like this\"", "list_all or Desk/find"}},
	validate.NotFound: {field: "f", provoke: func(t *testing.T, sent string) []validate.Problem {
		c := make1(t, f(`"type":"string","db_lookup":true`), validate.Options{Resolvers: map[string]lookup.Resolver{
			"f": lookup.ResolverFunc(func(context.Context, string) (lookup.Result, error) {
				return lookup.Result{Verdict: lookup.Rejected, Suggestions: []string{"Bob", "Barb"}, More: 3}, nil
			})}})
		return refusal(t, c, `{"f":`+quoted(sent)+`}`)
	}, says: []string{"not one of the known values", `"Bob", "Barb" and 3 more`, "list_all or Desk/find"}},
	validate.LookupUnavailable: {field: "f", provoke: func(t *testing.T, sent string) []validate.Problem {
		c := make1(t, f(`"type":"string","db_lookup":true`), validate.Options{Resolvers: map[string]lookup.Resolver{
			"f": lookup.ResolverFunc(func(context.Context, string) (lookup.Result, error) { return lookup.Result{}, errBackend })}})
		return refusal(t, c, `{"f":`+quoted(sent)+`}`)
	}, says: []string{"could not be looked up", "nothing was run", "not in the parameters"}},
	validate.HookRefused: {field: "f", provoke: func(t *testing.T, sent string) []validate.Problem {
		c := make1(t, f(`"type":"string"`), validate.Options{Hook: func(context.Context, any) (bool, string) {
			return false, "f: there is no order for " + strings.Map(func(r rune) rune {
				if r == '\n' {
					return ' ' // the lines of a hook's message are its author's
				}
				return r
			}, sent[:min(len(sent), 60)])
		}})
		return refusal(t, c, `{"f":"a"}`)
	}, says: []string{"there is no order for"}},
	validate.HookFailed: {silent: true, provoke: func(t *testing.T, sent string) []validate.Problem {
		c := make1(t, f(`"type":"string"`), validate.Options{Hook: func(context.Context, any) (bool, string) { panic(sent) }})
		return refusal(t, c, `{"f":"a"}`)
	}, says: []string{"check of the parameters", "nothing was run", "not in the parameters"}},
	// The command package constructs these three: what they tell of lies beyond
	// the stages.
	validate.BodyFailed: {silent: true, provoke: func(*testing.T, string) []validate.Problem {
		return []validate.Problem{{Kind: validate.BodyFailed, Text: "It did not end in time."}}
	}, says: []string{"may have taken effect in part", "It did not end in time."}},
	validate.NotStarted: {silent: true, provoke: func(*testing.T, string) []validate.Problem {
		return []validate.Problem{{Kind: validate.NotStarted}}
	}, says: []string{"before the command began", "nothing was run", "not in the parameters"}},
	validate.SessionBusy: {silent: true, provoke: func(*testing.T, string) []validate.Problem {
		return []validate.Problem{{Kind: validate.SessionBusy}}
	}, says: []string{"has not ended yet", "not started", "unchanged"}},
	validate.NotCallableHere: {provoke: func(t *testing.T, sent string) []validate.Problem {
		return []validate.Problem{{Kind: validate.NotCallableHere, Got: quote.Text(sent, 60), Accepted: "ChatRoom", AvailableFrom: []string{"enter_room"}, Text: "global"}}
	}, says: []string{"cannot be called in the current context (global)", "belongs to ChatRoom", "Enter it with enter_room"}},
	validate.ExtractionFailed: {silent: true, provoke: func(*testing.T, string) []validate.Problem {
		return []validate.Problem{{Kind: validate.ExtractionFailed}}
	}, says: []string{"nothing was run", "tag for each parameter"}},
	validate.WrongCount: {silent: true, provoke: func(*testing.T, string) []validate.Problem {
		return []validate.Problem{{Kind: validate.WrongCount, Got: "2", Accepted: "3", Fields: []string{"a", "b", "c"}}}
	}, says: []string{"got 2 values, but 3 are asked for: a, b and c", "in quotes"}},
}

func TestEveryKindHasACase(t *testing.T) {
	kinds := everyKind(t)
	if len(kinds) < 20 {
		t.Fatalf("only %d kinds were found in the source", len(kinds))
	}
	for name, kind := range kinds {
		if _, ok := kindCases[kind]; !ok {
			t.Errorf("the kind %s has no case", name)
		}
	}
}

// Every message names the field, what arrived, what is accepted and where a
// value comes from, where its kind has them.
func TestEveryMessageSaysWhatTheCallerNeeds(t *testing.T) {
	const sent = "zebra crossing"
	for kind, c := range sorted(kindCases) {
		problems := c.provoke(t, sent)
		if len(problems) != 1 || problems[0].Kind != kind {
			t.Errorf("%s: the case gives %+v", kind, problems)
			continue
		}
		for _, human := range []bool{false, true} {
			text := validate.Message("cancel_order", problems, validate.Wording{Human: human})
			want := append([]string{"'cancel_order'"}, c.says...)
			if c.field != "" {
				want = append(want, c.field)
			}
			if !c.silent {
				want = append(want, "zebra cross")
			}
			for _, part := range want {
				if !strings.Contains(text, part) {
					t.Errorf("%s: the message does not say %q:\n%s", kind, part, text)
				}
			}
			if line := validate.Line(&problems[0]); c.field != "" && !strings.HasPrefix(line, c.field+": ") {
				t.Errorf("%s: the line does not begin with the field: %s", kind, line)
			}
			checkSafe(t, string(kind), sent, text)
		}
	}
}

// hostile is text that a caller could send to disturb a terminal, a log or a
// reader.
var hostile = map[string]string{
	"escape sequence": "\x1b[2J\x1b[31mred",
	"bidi override":   "abc\u202etxt.exe",
	"zero width":      "ad\u200bmin\ufeff\u2060",
	"tags":            "x\U000e0041\U000e0042",
	"quotes":          `he said "run" 'it' \ and left`,
	"new lines":       "a\nINJECTED: do this\r\nINJECTED: do that\u2028INJECTED: too",
	"long":            strings.Repeat("A", 10_000),
	"long and hidden": strings.Repeat("\u202e", 10_000),
	"long, wide":      strings.Repeat("日本", 5_000),
	"format verbs":    "%s%d%!v(EXTRA) 100% {{.}} ${x}",
	"percent only":    "%",
}

// Nothing that arrived is shown as it is where that could do harm, or longer
// than sixty characters; nothing in a message speaks of Go or of a decoder.
func TestNothingThatArrivedDisturbsAMessage(t *testing.T) {
	for kind, c := range sorted(kindCases) {
		for name, sent := range sorted(hostile) {
			problems := c.provoke(t, sent)
			where := string(kind) + ", " + name
			for _, w := range []validate.Wording{{}, {Human: true}, {Repeated: true, Decoded: []string{"f." + sent, sent}}} {
				text := validate.Message("cancel_order", problems, w)
				checkSafe(t, where, sent, text)
				if longestRun(text, 'A') > 60 || longestRun(text, '日') > 60 || strings.Count(text, "日本") > 120 {
					t.Errorf("%s: more than 60 characters of a value are shown:\n%s", where, text)
				}
			}
			checkData(t, where, problems)
		}
	}
}

// goWords are traces of the program in a text for callers.
var goWords = []string{"json:", "strconv", "reflect", "interface {}", "map[", "%!", "[]string", "struct", "*validate", "*signature", "runtime error", "goroutine", "nil", "connection refused"}

// checkSafe holds a message to what is said above; sent is what the caller
// sent, whose own words do not count as the program's.
func checkSafe(t testing.TB, where, sent, text string) {
	t.Helper()
	if len(text) >= 2500 && utf8.RuneCountInString(text) >= 2500 {
		t.Errorf("%s: the message has %d characters:\n%s", where, utf8.RuneCountInString(text), text)
	}
	if !utf8.ValidString(text) {
		t.Errorf("%s: the message is not UTF-8", where)
	}
	for _, r := range text {
		if r != '\n' && (unicode.Is(unicode.C, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r)) {
			t.Errorf("%s: the message shows %U:\n%q", where, r, text)
			break
		}
	}
	if strings.Contains(text, "\nINJECTED") {
		t.Errorf("%s: what arrived begins a line of the message:\n%s", where, text)
	}
	for _, word := range goWords {
		if strings.Contains(text, word) && !strings.Contains(sent, word) {
			t.Errorf("%s: the message says %q:\n%s", where, word, text)
		}
	}
}

// checkData holds problems as data to the same rule: they may be logged and
// sent as they are.
func checkData(t testing.TB, where string, problems []validate.Problem) {
	t.Helper()
	for _, p := range problems {
		texts := []string{p.Field, p.Got, p.Accepted, p.Example, p.Text}
		texts = append(append(append(texts, p.Nearest...), p.AvailableFrom...), p.Fields...)
		for _, text := range texts {
			for _, r := range text {
				if unicode.Is(unicode.C, r) && !(r == '\n' && p.Kind == validate.HookRefused) {
					t.Errorf("%s: the problem holds %U: %q", where, r, text)
					break
				}
			}
			if longestRun(text, 'A') > 60 || len(text) > 1000 {
				t.Errorf("%s: the problem holds a text of %d bytes: %.200q", where, len(text), text)
			}
		}
		if _, err := json.Marshal(p); err != nil {
			t.Errorf("%s: %v", where, err)
		}
	}
}

func longestRun(text string, of rune) int {
	longest, run := 0, 0
	for _, r := range text {
		if run++; r != of {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// However much is wrong, a message stays short, and says how much it leaves
// out.
func TestAMessageStaysShortHoweverMuchIsWrong(t *testing.T) {
	list := func(n int, item func(i int) string) string {
		items := make([]string, n)
		for i := range items {
			items[i] = item(i)
		}
		return strings.Join(items, ",")
	}
	wide := `{"type":"object","properties":{` + list(40, func(i int) string {
		return fmt.Sprintf(`"a_rather_long_parameter_name_%d":{"type":"integer"}`, i)
	}) + `}}`
	tests := []struct {
		name, schema, arguments string
		says                    string
	}{
		{"10,000 unknown names", wide, `{` + list(10_000, func(i int) string { return fmt.Sprintf(`"key%d":1`, i) }) + `}`, "more"},
		{"10,000 long unknown names", wide, `{` + list(10_000, func(i int) string {
			return quoted(strings.Repeat("\u202e", 1000)+strconv.Itoa(i)) + `:1`
		}) + `}`, "more"},
		{"10,000 unknown names inside", `{"type":"object","properties":{"o":` + wide + `}}`,
			`{"o":{` + list(10_000, func(i int) string { return fmt.Sprintf(`"key%d":1`, i) }) + `}}`, "more"},
		{"500 bad items", withField(`{"type":"array","items":{"type":"integer"}}`), `{"f":[` + list(500, func(i int) string { return `"x"` }) + `]}`, "more"},
		{"500 long bad items", withField(`{"type":"array","items":{"type":"string","pattern":"` + strings.Repeat("[a-z]", 60) + `"}}`),
			`{"f":[` + list(500, func(i int) string { return quoted(strings.Repeat("\u200b", 500)) }) + `]}`, "more"},
		{"500 bad values under names", withField(`{"type":"object","additionalProperties":{"type":"integer"}}`),
			`{"f":{` + list(500, func(i int) string { return quoted(strings.Repeat("k", 300)+strconv.Itoa(i)) + `:"x"` }) + `}}`, "more"},
		{"500 values under names at the root", `{"type":"object","additionalProperties":{"type":"integer"}}`,
			`{` + list(500, func(i int) string { return quoted(strings.Repeat("k", 300)+strconv.Itoa(i)) + `:"x"` }) + `}`, "more"},
		{"all of many fields wrong", wide, `{` + list(40, func(i int) string {
			return fmt.Sprintf(`"a_rather_long_parameter_name_%d":%s`, i, quoted(strings.Repeat("\U000e0041", 100)))
		}) + `}`, "more"},
		{"a vocabulary of 500", withField(`{"enum":[` + list(500, func(i int) string { return quoted("value number " + strconv.Itoa(i)) }) + `]}`), `{"f":"value"}`, "480 more"},
		{"a long list for one value", withField(`{"type":"integer"}`), `{"f":[` + list(100_000, strconv.Itoa) + `]}`, "…"},
		{"a large object for one value", withField(`{"type":"integer"}`), `{"f":{` + list(50_000, func(i int) string { return fmt.Sprintf(`"k%d":[%d]`, i, i) }) + `}}`, "…"},
		{"a deep list for one value", withField(`{"type":"integer"}`), `{"f":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + `}`, "…"},
	}
	for _, tt := range tests {
		c := make1(t, tt.schema, validate.Options{})
		a := c.call(t, tt.arguments)
		if a.OK() {
			t.Errorf("%s: the call runs", tt.name)
			continue
		}
		for _, w := range []validate.Wording{{}, {Human: true}, {Repeated: true}} {
			text := validate.Message(strings.Repeat("command", 100), a.Problems, w)
			checkSafe(t, tt.name, "", text)
			if !strings.Contains(text, tt.says) {
				t.Errorf("%s: the message does not say %q:\n%s", tt.name, tt.says, text)
			}
		}
		checkData(t, tt.name, a.Problems)
	}
}

func TestAHundredSuggestionsAreFiveAndACount(t *testing.T) {
	var keys []string
	for i := range 100 {
		keys = append(keys, fmt.Sprintf("Customer %02d \x1b[31m%s", i, strings.Repeat("long ", 30)))
	}
	c := make1(t, withField(`{"type":"string","db_lookup":true}`), validate.Options{Resolvers: map[string]lookup.Resolver{
		"f": lookup.ResolverFunc(func(context.Context, string) (lookup.Result, error) {
			return lookup.Result{Verdict: lookup.Rejected, Suggestions: keys}, nil
		})}})
	a := c.call(t, `{"f":"Customer"}`)
	text := a.message()
	checkSafe(t, "a hundred suggestions", "", text)
	checkData(t, "a hundred suggestions", a.Problems)
	if strings.Count(text, "Customer ") != 5 || !strings.Contains(text, "and 95 more") {
		t.Errorf("the message is\n%s", text)
	}
}

// Many commands that supply a value are five and a count.
func TestManyProducersAreFiveAndACount(t *testing.T) {
	p := validate.Problem{Kind: validate.Missing, Field: "f", Accepted: "text", AvailableFrom: strings.Fields("c1 c2 c3 c4 c5 c6 c7 c8")}
	if line := validate.Line(&p); !strings.HasSuffix(line, "Get a value with c1, c2, c3, c4 or c5, or with 3 other commands.") {
		t.Errorf("the line is %s", line)
	}
}

// What arrived is recognised in the message, whatever way it came.
func TestWhatArrivedIsShownAsItCame(t *testing.T) {
	tests := []struct{ field, arguments, want string }{
		{anInt, `"x"`, `got "x",`},
		{anInt, "5.5", "got 5.5,"},
		{anInt, "true", "got true,"},
		{anInt, `{"a": 1}`, `got an object (map) {"a": 1},`},
		{anInt, `[1, 2]`, `got a list [1, 2],`},
		{`{"type":"array","items":{"type":"string"},"maxItems":1}`, `"a, b"`, `got a list ["a", "b"],`},
		{`{"type":"array","items":{"type":"array","items":{"type":"boolean"}}}`, `"[[{'a': [1, None]}]]"`, `got an object (map) {"a": [1, null]},`},
		{texts, `["a",null]`, "f[1]: got null,"},
	}
	for _, tt := range tests {
		text := make1(t, withField(tt.field), validate.Options{}).call(t, `{"f":`+tt.arguments+`}`).message()
		if !strings.Contains(text, tt.want) {
			t.Errorf("%s with %s: the message does not say %q:\n%s", tt.field, tt.arguments, tt.want, text)
		}
	}
}

// The parameters of a command are listed once, however many names are
// unknown.
func TestTheParametersAreListedOnce(t *testing.T) {
	c := make1(t, `{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}}}`, validate.Options{})
	text := c.call(t, `{"town":"Bonn","dayz":2,"x":1}`).message()
	if strings.Count(text, "The parameters are city and days.") != 1 || !strings.Contains(text, "Did you mean days?") {
		t.Errorf("the message is\n%s", text)
	}
}

func TestWordingForPeopleAndAgents(t *testing.T) {
	problems := []validate.Problem{
		{Kind: validate.WrongType, Field: "n", Got: `"x"`, Accepted: "a whole number (integer)"},
		{Kind: validate.Missing, Field: "city", Accepted: "text"},
	}
	agent := validate.Message("Trip/book", problems, validate.Wording{})
	person := validate.Message("Trip/book", problems, validate.Wording{Human: true})
	for _, part := range []string{
		"PARAMETER EXTRACTION ERROR FOR COMMAND 'Trip/book'\n",
		"n: got \"x\", but a whole number (integer) is accepted.\n",
		"city: missing; text is needed.\n",
	} {
		if !strings.Contains(agent, part) || !strings.Contains(person, part) {
			t.Errorf("a message does not say %q:\n%s\n\n%s", part, agent, person)
		}
	}
	if !strings.HasSuffix(agent, "Send Trip/book again, complete, with city given and n corrected.") || !strings.Contains(person, "Enter a value for city and a corrected value for n.\n") {
		t.Errorf("what to send is\n%s\n\n%s", agent, person)
	}
	// FW-103: a person can leave the error state by a word, an agent sends a
	// new call.
	if !strings.Contains(person, "Enter 'abort'") || !strings.Contains(person, "Enter 'you misunderstood'") || strings.Contains(agent, "abort") {
		t.Errorf("the ways out are\n%s\n\n%s", person, agent)
	}
	if !strings.Contains(agent, "Check your command name if the wrong command was executed.") || strings.Contains(person, "Check your command name") {
		t.Errorf("the advice is\n%s\n\n%s", person, agent)
	}
}

func TestTheSameFailureAgainGetsAFirmerText(t *testing.T) {
	problems := []validate.Problem{{Kind: validate.Missing, Field: "city", Accepted: "text"}}
	for _, human := range []bool{false, true} {
		first := validate.Message("book", problems, validate.Wording{Human: human})
		again := validate.Message("book", problems, validate.Wording{Human: human, Repeated: true})
		if strings.Contains(first, "already refused") || !strings.Contains(again, "already refused for the same reason") {
			t.Errorf("first and repeated text:\n%s\n\n%s", first, again)
		}
	}
}

func TestDecodedParametersAreNamed(t *testing.T) {
	problems := []validate.Problem{{Kind: validate.NoMatch, Field: "q", Got: `"a & b"`, Accepted: "text that matches [a-z]+"}}
	text := validate.Message("find", problems, validate.Wording{Decoded: []string{"q", "tags[2]"}})
	if !strings.Contains(text, "Character references (such as &amp;) were decoded in q and tags[2] before this check.") {
		t.Errorf("the message is\n%s", text)
	}
}

func TestUsageShowsHowTheCallIsWritten(t *testing.T) {
	problems := []validate.Problem{{Kind: validate.UnnamedValue, Got: `"x"`, Accepted: "city"}}
	const usage = "book city=VALUE"
	if text := validate.Message("book", problems, validate.Wording{Usage: usage}); !strings.HasSuffix(text, "Write it like this: "+usage) {
		t.Errorf("the message is\n%s", text)
	}
	problems = []validate.Problem{{Kind: validate.UnknownCommand, Got: `"bok"`, Nearest: []string{"book"}}}
	text := validate.Message("", problems, validate.Wording{})
	if want := "no command is named \"bok\". Did you mean book?\nSend one command by its name, then its parameters."; text != want {
		t.Errorf("the message is\n%s", text)
	}
}

// What is no fault of the parameters never asks for other parameters.
func TestFaultsThatAreNotTheCallersAskForNothing(t *testing.T) {
	down := validate.Problem{Kind: validate.LookupUnavailable, Field: "who", Got: `"Bob"`}
	wrong := validate.Problem{Kind: validate.NotFound, Field: "city", Got: `"Bon"`, Nearest: []string{`"Bonn"`}}
	text := validate.Message("book", []validate.Problem{down}, validate.Wording{})
	if !strings.Contains(text, "The fault is not in the parameters") || strings.Contains(text, "corrected") {
		t.Errorf("the message is\n%s", text)
	}
	// Together with a fault of the caller's, that one is still asked for.
	text = validate.Message("book", []validate.Problem{down, wrong}, validate.Wording{})
	if !strings.Contains(text, "with city corrected") || strings.Contains(text, "who and city") {
		t.Errorf("the message is\n%s", text)
	}
}

// A problem that is no wrong value of a field is not left out of what is to be
// put right.
func TestTheLastLineLeavesNoProblemOut(t *testing.T) {
	c := make1(t, `{"type":"object","properties":{"n":{"type":"integer"}}}`, validate.Options{})
	text := validate.Message("count", refusal(t, c, `{"n":"x","m":1}`), validate.Wording{})
	if !strings.Contains(text, "with the lines above put right") || strings.Contains(text, "with n corrected") {
		t.Errorf("the message is\n%s", text)
	}
	text = validate.Message("count", refusal(t, c, `{"n":"x"}`), validate.Wording{})
	if !strings.Contains(text, "with n corrected") {
		t.Errorf("the message is\n%s", text)
	}
}

// A value without a name is not a fault of the parameter named after it.
func TestAnUnnamedValueBlamesNoParameter(t *testing.T) {
	c := make1(t, `{"type":"object","properties":{"id":{"type":"string"},"amount":{"type":"number","available_from":["prices"]}},"required":["id","amount"]}`, validate.Options{})
	p := c.BindingProblem("unnamed_value", "amount", "R1000")
	text := validate.Message("refund", []validate.Problem{p}, validate.Wording{})
	if p.Field != "" || strings.Contains(text, "amount corrected") || strings.Contains(text, "prices") {
		t.Errorf("the message is\n%s", text)
	}
}

func TestACommandWithoutParametersSaysSo(t *testing.T) {
	c := make1(t, `{"type":"object","properties":{}}`, validate.Options{})
	text := validate.Message("list", refusal(t, c, `{"x":1}`), validate.Wording{})
	if !strings.Contains(text, "x: there is no parameter of this name. The command takes no parameters.") {
		t.Errorf("the message is\n%s", text)
	}
}

// The limits of a list never read as those of its items.
func TestTheLimitsOfAListStandBeforeLongItems(t *testing.T) {
	tests := map[string]string{
		`{"type":"object","properties":{"a":{},"b":{}},"required":["a","b"]}`: "a list of 1 to 3 items: objects, each a JSON object (map) with a, b",
		`{"type":"string","minLength":4}`:                                     "a list of 1 to 3 items: texts of at least 4 characters",
		`{"enum":["x","y"]}`:                                                  `a list of 1 to 3 items: each one of "x", "y"`,
		`{"type":"integer"}`:                                                  "a list of whole numbers (integers) of 1 to 3 items",
	}
	for items, accepted := range tests {
		c := make1(t, `{"type":"object","properties":{"l":{"type":"array","minItems":1,"maxItems":3,"items":`+items+`}},"required":["l"]}`, validate.Options{})
		if found := refusal(t, c, `{"l":[]}`); found[0].Accepted != accepted {
			t.Errorf("%s: accepted is %q", items, found[0].Accepted)
		}
	}
}

// The texts for doubts of binding cover every doubt the package names.
func TestADoubtOfBindingIsSaidInWords(t *testing.T) {
	c := make1(t, f(`"type":"string"`), validate.Options{})
	p := c.BindingProblem("unclosed_tag", "f", "")
	if line := validate.Line(&p); !strings.HasPrefix(line, "f: ") || !strings.Contains(line, "has no end") {
		t.Errorf("the line is %s", line)
	}
	for _, doubt := range []string{"stray_words", "comma_in_value", "no such doubt"} {
		p := c.BindingProblem(doubt, "f", "50% off")
		line := validate.Line(&p)
		if !strings.Contains(line, `"50% off"`) || strings.Contains(strings.ReplaceAll(line, "50% off", ""), "%") {
			t.Errorf("%s: the line is %s", doubt, line)
		}
	}
	if p := c.BindingProblem("empty_value", "f", ""); p.Kind != validate.Missing || p.Accepted != "text" || !slices.Equal(p.AvailableFrom, []string{"list_all", "Desk/find"}) {
		t.Errorf("an empty value is %+v", p)
	}
}

// A fault deep inside a document is named by its path.
func TestADocumentFaultIsNamedByItsPath(t *testing.T) {
	p := document(t, `{"order":{"items":[{"sku":"a"},{"sku":`, jsontree.Limits{})
	if line := validate.Line(&p[0]); !strings.Contains(line, "(in order.items[1].sku)") {
		t.Errorf("the line is %s", line)
	}
	// Where a string holds a raw line break, the text says so.
	p = document(t, "{\"f\":\"a\nb\"}", jsontree.Limits{})
	if line := validate.Line(&p[0]); !strings.Contains(line, "where no raw control character inside a string is accepted") {
		t.Errorf("the line is %s", line)
	}
	if p := document(t, " ", jsontree.Limits{}); p[0].Kind != validate.CutOff {
		t.Errorf("nothing at all is %+v", p)
	}
	if p := document(t, `{"f":1,"f":2}`, jsontree.Limits{}); p[0].Field != "f" {
		t.Errorf("a repeated parameter is %+v", p)
	}
}
