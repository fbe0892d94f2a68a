package command_test

import (
	"context"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/command"
)

type (
	alpha struct{ n int }
	beta  struct{}
	bag   map[string]int // a context object that may be empty
)

func plain(name string) *command.Command {
	return command.Define(command.Spec[struct{}]{Name: name, Run: func(ctx context.Context, s *command.Session, _ *struct{}) (command.Response, error) {
		return command.Say(name), nil
	}})
}

// FW-141, FW-146: what is wrong with contexts is said at registration.
func TestMistakesInContextsAreErrorsOfNew(t *testing.T) {
	a := command.DefineContext(command.ContextSpec[*alpha]{Name: "A"})
	for says, build := range map[string]func() (command.Options, []*command.Command){
		`its base "Z" is no context`: func() (command.Options, []*command.Command) {
			return command.Options{Inheritance: map[string][]string{"A": {"Z"}}, Contexts: []*command.Context{a}}, []*command.Command{plain("A/one")}
		},
		"Inheritance cycle detected: A -> B -> A": func() (command.Options, []*command.Command) {
			return command.Options{Inheritance: map[string][]string{"A": {"B"}, "B": {"A"}}}, []*command.Command{plain("A/one"), plain("B/two")}
		},
		"neither commands nor bases": func() (command.Options, []*command.Command) {
			return command.Options{Contexts: []*command.Context{a}}, []*command.Command{plain("one")}
		},
		"declared twice": func() (command.Options, []*command.Command) {
			return command.Options{Contexts: []*command.Context{a, a}}, []*command.Command{plain("A/one")}
		},
		"already in the context A": func() (command.Options, []*command.Command) {
			return command.Options{Contexts: []*command.Context{a, command.DefineContext(command.ContextSpec[*alpha]{Name: "B"})}}, []*command.Command{plain("A/one"), plain("B/two")}
		},
		"belongs to a built-in command": func() (command.Options, []*command.Command) {
			return command.Options{}, []*command.Command{plain("go_up")}
		},
		"the name is taken": func() (command.Options, []*command.Command) {
			return command.Options{}, []*command.Command{plain("one"), plain("ONE")}
		},
		"at most one / after a context": func() (command.Options, []*command.Command) {
			return command.Options{}, []*command.Command{plain("A/B/one")}
		},
	} {
		o, commands := build()
		if _, err := command.New(o, commands...); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("New says %v, want %q", err, says)
		}
	}
}

// FW-140, FW-141: context_inheritance_model.json, and each way to get it wrong.
func TestTheInheritanceModelIsRead(t *testing.T) {
	model, err := command.ReadInheritance([]byte(`{"User": {"base": ["*"]}, "PremiumUser": {"base": ["User", "A"]}}`))
	if err != nil || len(model) != 2 || model["PremiumUser"][1] != "A" {
		t.Errorf("the model is %v, %v", model, err)
	}
	for text, says := range map[string]string{
		`[]`:                           "must be an object",
		`{`:                            "cannot be read",
		`{"A": []}`:                    "must be an object with a list under base",
		`{"A": {}}`:                    "base must be a list",
		`{"A": {"base": "B"}}`:         "base must be a list",
		`{"A": {"base": [1]}}`:         "base must be a list",
		`{"A": {"base": [], "/": []}}`: "the key / is not allowed",
		`{"A": {"base": []}, "A": {}}`: "cannot be read",
	} {
		if _, err := command.ReadInheritance([]byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s is %v, want %q", text, err, says)
		}
	}
}

// FW-142: own commands first, then bases in order, depth first; a simple name
// that is there is not replaced. FW-148: the answer names where it is defined.
func TestInheritedCommandsKeepTheirOrderAndName(t *testing.T) {
	w := command.MustNew(command.Options{
		Contexts:    []*command.Context{command.DefineContext(command.ContextSpec[*alpha]{Name: "A", Bases: []string{"B", "C"}})},
		Inheritance: map[string][]string{"B": {"D"}},
	}, plain("A/own"), plain("B/both"), plain("C/both"), plain("C/last"), plain("D/deep"), plain("D/last"), plain("enter"))
	s := w.NewSession()
	if err := s.SetContext(&alpha{}); err != nil {
		t.Fatal(err)
	}
	for says, runs := range map[string]string{"own": "A/own", "both": "B/both", "deep": "D/deep", "last": "D/last", "C/last": ""} {
		o := s.Call(context.Background(), says)
		if runs == "" && o.Ran() || runs != "" && (o.Text() != runs || o.Output.CommandName != runs) {
			t.Errorf("%s runs %q: %s", says, o.Output.CommandName, o.Text())
		}
	}
}

// FW-130, FW-136, FW-225: only nil is the global context, a chain of parents
// ends at 64 or where it comes back, and an object of no context is refused.
func TestOddObjectsDoNoHarm(t *testing.T) {
	var around *alpha
	around = &alpha{}
	w := command.MustNew(command.Options{Contexts: []*command.Context{
		command.DefineContext(command.ContextSpec[*alpha]{Name: "A", Parent: func(a *alpha) any {
			if a == around {
				return around
			}
			return &alpha{a.n + 1}
		}}),
		command.DefineContext(command.ContextSpec[bag]{Name: "Bag"}),
	}}, plain("A/one"), plain("Bag/two"), plain("three"))
	s := w.NewSession()
	for _, object := range []any{around, &alpha{}, bag{}} {
		if err := s.SetContext(object); err != nil {
			t.Fatal(err)
		}
		s.Call(context.Background(), "nothing_of_the_kind")
	}
	if o := s.Call(context.Background(), "two"); o.Text() != "Bag/two" {
		t.Errorf("an empty object counts as global: %s", o.Text())
	}
	if o := s.Call(context.Background(), "three"); o.Text() != "three" {
		t.Errorf("an object without parent does not lead to the global context: %s", o.Text())
	}
	if err := s.SetContext(&beta{}); err == nil {
		t.Error("an object of no context is taken")
	}
	var none *alpha
	if err := s.SetContext(none); err != nil || s.Context() != nil {
		t.Errorf("a nil pointer is %v, %v", s.Context(), err)
	}
	if err := s.SetRoot(&alpha{}); err != nil {
		t.Fatal(err)
	}
	if err := s.SetRoot(&alpha{}); err == nil || !strings.Contains(err.Error(), "only be set once") {
		t.Errorf("a second root is %v", err)
	}
}

// FW-4, FW-222: two workflows with a command of one name do not mix.
func TestWorkflowsDoNotShareCommands(t *testing.T) {
	say := func(text string) *command.Command {
		return command.Define(command.Spec[struct{}]{Name: "startup", Run: func(context.Context, *command.Session, *struct{}) (command.Response, error) {
			return command.Say(text), nil
		}})
	}
	one, two := command.MustNew(command.Options{}, say("one")), command.MustNew(command.Options{}, say("two"))
	if a, b := one.NewSession().Call(context.Background(), "startup").Text(), two.NewSession().Call(context.Background(), "startup").Text(); a != "one" || b != "two" {
		t.Errorf("they answer %q and %q", a, b)
	}
}
