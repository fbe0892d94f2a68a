package serve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/validate"
)

// diary is an Observer that writes down what it is told.
type diary struct {
	lines []string
	panic string // where it breaks
}

func (d *diary) note(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	d.lines = append(d.lines, line)
	if d.panic != "" && strings.HasPrefix(line, d.panic) {
		panic(d.panic)
	}
}

type diaryKey struct{}

func (d *diary) Begin(ctx context.Context, r *serve.Request) (context.Context, serve.Observation) {
	d.note("begin %s", r.ID)
	return context.WithValue(ctx, diaryKey{}, "the call"), d
}

func (d *diary) Stage(ctx context.Context, stage validate.Stage) (context.Context, func()) {
	if ctx.Value(diaryKey{}) != "the call" {
		d.note("%s is inside of another stage", stage)
	}
	d.note("%s", stage)
	return context.WithValue(ctx, diaryKey{}, stage), func() { d.note("/%s", stage) }
}

func (d *diary) Done(outcome *command.Outcome, err error) {
	d.note("done %v %v", outcome != nil && outcome.Ran(), err)
}

func TestAnObserverIsToldOfEveryStageUpToTheOneThatEndsTheCall(t *testing.T) {
	all := []string{"bind", "/bind", "coerce", "/coerce", "require", "/require", "lookup", "/lookup", "hook", "/hook", "run", "/run"}
	for arguments, stages := range map[string]int{`{"name":"Ada"}`: 12, `{"name":7}`: 12, `{"name":[]}`: 4, `{}`: 6, `{"name"`: 2} {
		d := &diary{}
		served := serve.New(workflow(t, newGate()), serve.Options{Logger: quiet, Observers: []serve.Observer{d}})
		outcome := do(t, served, serve.Request{ID: "r", Command: "greet", Arguments: json.RawMessage(arguments)})
		want := slices.Concat([]string{"begin r"}, all[:stages], []string{fmt.Sprintf("done %v <nil>", outcome.Ran())})
		if !slices.Equal(d.lines, want) {
			t.Errorf("%s: %q, want %q", arguments, d.lines, want)
		}
	}
}

func TestAnObserverThatBreaksEndsNoCall(t *testing.T) {
	for _, at := range []string{"begin", "bind", "/bind", "coerce", "run", "/run", "done"} {
		broken, whole := &diary{panic: at}, &diary{}
		served := serve.New(workflow(t, newGate()), serve.Options{Logger: quiet, Observers: []serve.Observer{broken, whole}})
		if outcome := do(t, served, serve.Request{ID: "r", Text: "greet Ada"}); outcome == nil {
			t.Fatal(at)
		}
		if last := whole.lines[len(whole.lines)-1]; !strings.HasPrefix(last, "done") {
			t.Errorf("broken at %s: the other observer saw %q last", at, last)
		}
	}
}

func TestABodySeesTheContextOfItsStage(t *testing.T) {
	seen := ""
	w, err := command.New(command.Options{Name: "w", Logger: quiet}, command.Define(command.Spec[struct{}]{Name: "look",
		Run: func(ctx context.Context, _ *command.Session, _ *struct{}) (command.Response, error) {
			caller, _ := serve.CallerFrom(ctx)
			seen = fmt.Sprint(ctx.Value(diaryKey{}), " ", caller.Bearer)
			return command.Say(""), nil
		}}))
	if err != nil {
		t.Fatal(err)
	}
	served := serve.New(w, serve.Options{Logger: quiet, Observers: []serve.Observer{&diary{}}})
	ctx := serve.WithCaller(t.Context(), serve.Caller{Channel: "c", Bearer: "token"})
	if _, err := served.Do(ctx, serve.Request{Command: "look"}); err != nil || seen != "run token" {
		t.Errorf("%v: the body saw %q", err, seen)
	}
}
