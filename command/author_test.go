package command_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/validate"
)

type authored struct {
	X string `json:"x" jsonschema_extras:"db_lookup=true"`
}

type authoredLine struct {
	Code string `json:"code" jsonschema_extras:"available_from=list_cods"`
}

type authoredOrder struct {
	Lines []authoredLine `json:"lines"`
}

type authoredRoom struct{}

// made is a command whose body answers nothing of interest.
func made[In any](name string, resolvers map[string]lookup.Resolver) *command.Command {
	return command.Define(command.Spec[In]{Name: name, Resolvers: resolvers,
		Run: func(context.Context, *command.Session, *In) (command.Response, error) {
			return command.Say("done"), nil
		}})
}

func TestAuthorMistakesAreErrorsOfNew(t *testing.T) {
	room := func(by string) command.Options {
		return command.Options{Contexts: []*command.Context{command.DefineContext(command.ContextSpec[*authoredRoom]{Name: "Room", EnteredBy: []string{by}})}}
	}
	keys := lookup.From(lookup.Static("k", "a"), lookup.Options{})
	tests := map[string]struct {
		options  command.Options
		commands []*command.Command
		says     string
	}{
		"a nil command":              {command.Options{}, []*command.Command{made[struct{}]("a", nil), nil}, "command 2 of the list is nil"},
		"a nil context":              {command.Options{Contexts: []*command.Context{nil}}, nil, "context 1 of the list is nil"},
		"a nil function":             {command.Options{}, []*command.Command{made[authored]("a", map[string]lookup.Resolver{"x": lookup.ResolverFunc(nil)})}, "field x: its resolver is a nil ResolverFunc"},
		"no resolver":                {command.Options{}, []*command.Command{made[authored]("a", nil)}, `give one as Resolvers["x"]`},
		"a resolver too many":        {command.Options{}, []*command.Command{made[authoredOrder]("a", map[string]lookup.Resolver{"lines": keys})}, `write jsonschema_extras:"db_lookup=true" at the field`},
		"a producer deep down":       {command.Options{}, []*command.Command{made[authoredOrder]("a", nil)}, `command a: field lines.code: available_from names "list_cods"`},
		"a way in that is none":      {room("entr"), []*command.Command{made[struct{}]("Room/a", nil), made[struct{}]("enter", nil)}, `context Room: EnteredBy names "entr", which is no command of this workflow`},
		"a bound that refuses all":   {command.Options{MaxBytes: -1}, []*command.Command{made[struct{}]("a", nil)}, "MaxBytes -1"},
		"a depth that refuses all":   {command.Options{MaxDepth: -1}, []*command.Command{made[struct{}]("a", nil)}, "MaxDepth -1"},
		"no mistake, so no error":    {command.Options{}, []*command.Command{made[authored]("a", map[string]lookup.Resolver{"x": keys})}, ""},
		"a way in that is a command": {room("enter"), []*command.Command{made[struct{}]("Room/a", nil), made[struct{}]("enter", nil)}, ""},
	}
	for name, tt := range tests {
		_, err := command.New(tt.options, tt.commands...)
		switch {
		case tt.says == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)):
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

// Whoever gave a call up is not to learn later that it ran.
func TestACallThatWasGivenUpDoesNotBegin(t *testing.T) {
	ran := false
	w := command.MustNew(command.Options{}, command.Define(command.Spec[struct{}]{Name: "pay",
		Run: func(context.Context, *command.Session, *struct{}) (command.Response, error) {
			ran = true
			return command.Say("paid"), nil
		}}))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for form, o := range map[string]*command.Outcome{
		"text":   w.NewSession().Call(ctx, "pay"),
		"action": w.NewSession().Do(ctx, command.Action{CommandName: "pay"}),
		"gate":   w.NewSession().DoGated(ctx, command.Action{CommandName: "pay"}, func(any) bool { t.Error("the gate is asked"); return true }),
	} {
		if ran || o.Ran() || o.Output.CommandResponse.Success || len(o.Problems) != 1 || o.Problems[0].Kind != validate.NotStarted || !strings.Contains(o.Text(), "nothing was run") {
			t.Errorf("%s: ran %v, problems %+v\n%s", form, ran, o.Problems, o.Text())
		}
	}
}

type refundInput struct {
	ID     string `json:"id" jsonschema_extras:"positional=true"`
	Amount int    `json:"amount"`
}

type showInput struct {
	ID    string `json:"id" jsonschema_extras:"positional=true"`
	Limit int    `json:"limit,omitempty"`
}

// What the display promises of a bare value is what a call may do.
func TestAValueMayBeGivenAloneOnlyWhereThatRuns(t *testing.T) {
	w := command.MustNew(command.Options{}, made[refundInput]("refund", nil), made[showInput]("show", nil))
	for name, alone := range map[string]bool{"refund": false, "show": true} {
		if said := strings.Contains(w.Command(name).Display(), "may be given alone"); said != alone {
			t.Errorf("%s: the display says so: %v", name, said)
		}
		if o := w.NewSession().Call(context.Background(), name+" R1000"); o.Ran() != alone {
			t.Errorf("%s: a bare value runs: %v", name, o.Ran())
		}
	}
}

// Function calls of models have their arguments as text.
func TestAnActionWhoseParametersAreNoObjectIsThePipelinesToJudge(t *testing.T) {
	w := command.MustNew(command.Options{}, made[showInput]("show", nil))
	for parameters, says := range map[string]string{
		`"{\"id\": \"7\"}"`: "", `{"id":"7"}`: "",
		`"{\"id\": "`: "object", `["7"]`: "object", `7`: "object", `"7"`: "object", `null`: "id: missing",
	} {
		text := `{"parameters":` + parameters + `,"command_name":"show","trace":[1],"workflow_id":5}`
		a, err := command.ReadAction([]byte(text))
		if err != nil || a.CommandName != "show" || string(a.WorkflowID) != "5" || len(a.Unknown) != 1 {
			t.Errorf("%s: %+v, %v", text, a, err)
			continue
		}
		o := w.NewSession().Do(context.Background(), a)
		if o.Ran() != (says == "") || !strings.Contains(o.Text(), says) {
			t.Errorf("%s: runs %v, %s", text, o.Ran(), o.Text())
		}
	}
	for text, says := range map[string]string{
		`{"name":"show","arguments":{"id":"7"}}`: `command_name: is missing, must be a text; arguments: there is no member of this name; did you mean parameters? An action is {`,
		`{"command_name":5,"parameters":"{}"}`:   `command_name: must be a text, not the number 5. An action is {`,
		`[1]`:                                    `the action must be an object, not a list. An action is {`,
		`{"command_name":"a`:                     `is cut off`,
		``:                                       `An action is {`,
		`{"command_name":"a","parameters":"{}","parameters":{}}`: `more than once`,
	} {
		_, err := command.ReadAction([]byte(text))
		_, plain := command.ReadJSON[command.Action]([]byte(text))
		if (err == nil) != (plain == nil) || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// What was given for a command under a wrong name is not dropped (D-4).
func TestAnActionWithAMisspeltMemberIsRefused(t *testing.T) {
	w := command.MustNew(command.Options{}, made[showInput]("show", nil))
	for member, meant := range map[string]string{
		"params": "parameters", "Arguments": "parameters", "parmeters": "parameters", "comand": "command",
		"note": "", "trace_id": "", "id": "", "user": "",
	} {
		a, err := command.ReadJSON[command.Action]([]byte(`{"command_name":"show","parameters":{"id":"7"},"` + member + `":null}`))
		if err != nil {
			t.Fatal(err)
		}
		if got, word := a.Misnamed(); word != meant || (got == "") != (meant == "") {
			t.Errorf("%s is taken for %q, %q", member, got, word)
		}
		o := w.NewSession().Do(context.Background(), a)
		if o.Ran() != (meant == "") {
			t.Errorf("%s: the call runs: %v", member, o.Ran())
		}
		if meant != "" && !strings.Contains(o.Text(), `member "`+member+`" is not known and may stand for `+meant) {
			t.Errorf("%s: the message is %s", member, o.Text())
		}
	}
	var many command.Action
	for i := range 70 {
		many.Unknown = append(many.Unknown, command.WireMember{Name: fmt.Sprint("extension", i)})
	}
	if member, meant := many.Misnamed(); member != "extension64" || meant != "" {
		t.Errorf("of 70 members, %q is returned, for %q", member, meant)
	}
}

// A double underscore stands for the / of a qualified name, but not in a name
// that has it itself.
func TestACommandWithADoubleUnderscoreIsCalledByItsName(t *testing.T) {
	w := command.MustNew(command.Options{}, made[struct{}]("get__All", nil), made[struct{}]("Room/get", nil))
	for _, name := range []string{"get__All", "get__all", "*/get__all"} {
		if o := w.NewSession().Do(context.Background(), command.Action{CommandName: name}); !o.Ran() {
			t.Errorf("%s: %s", name, o.Text())
		}
	}
	if o := w.NewSession().Call(context.Background(), "get__All"); !o.Ran() {
		t.Error(o.Text())
	}
	if c := w.Command("GET__all"); c == nil || c.Name() != "get__All" {
		t.Errorf("the command found is %v", c)
	}
	if c := w.Command("Room__get"); c == nil || c.Name() != "Room/get" {
		t.Errorf("the command found is %v", c)
	}
	if o := w.NewSession().Call(context.Background(), "Room__get"); o.Ran() || !strings.Contains(o.Text(), "belongs to Room") {
		t.Error(o.Text())
	}
}

// How a call is written is said in a form that is read.
func TestTheUsageOfANameThatNoTagCanHaveIsJSON(t *testing.T) {
	type odd struct {
		Name string `json:"full name"`
		Age  int    `json:"age,omitempty"`
	}
	w := command.MustNew(command.Options{}, made[odd]("greet", nil), made[showInput]("show", nil), made[struct{}]("list", nil))
	for name, usage := range map[string]string{
		"greet": `greet {"full name": ..., "age": ...} (age may be left out)`,
		"show":  "show <id>...</id> <limit>...</limit> (limit may be left out)",
		"list":  "list",
	} {
		if got := w.Command(name).Usage(); got != usage {
			t.Errorf("%s: the usage is %s", name, got)
		}
	}
	if o := w.NewSession().Call(context.Background(), `greet {"full name": "Ada", "age": 5}`); !o.Ran() {
		t.Error(o.Text())
	}
}

// The zero Response is a failure, and no caller could act on its empty text.
func TestABodyThatSaysNothingIsNotAnsweredWithNothing(t *testing.T) {
	var log strings.Builder
	answers := func(r command.Response) *command.Outcome {
		return command.MustNew(command.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}, command.Define(command.Spec[struct{}]{Name: "pay",
			Run: func(context.Context, *command.Session, *struct{}) (command.Response, error) { return r, nil }})).
			NewSession().Call(context.Background(), "pay")
	}
	if o := answers(command.Response{}); !o.Ran() || o.Output.CommandResponse.Success || !strings.Contains(o.Text(), "pay failed and gives no reason") || !strings.Contains(log.String(), "without a word") {
		t.Errorf("ran %v, %q, logged %q", o.Ran(), o.Text(), log.String())
	}
	for _, r := range []command.Response{command.Say(""), command.Fail("no"), {Artifacts: map[string]any{"code": 5}}} {
		if o := answers(r); o.Text() != r.Response {
			t.Errorf("%+v is answered with %q", r, o.Text())
		}
	}
}
