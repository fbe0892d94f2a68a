package serve_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/store"
	"github.com/fwgo/fwgo/validate"
)

type greeting struct {
	Name string `json:"name"`
}

// gate is a command's body that waits until it is let go.
type gate struct{ entered, leave chan struct{} }

func newGate() gate { return gate{make(chan struct{}, 64), make(chan struct{})} }

func workflow(t *testing.T, g gate) *command.Workflow {
	t.Helper()
	w, err := command.New(command.Options{Name: "desk", Logger: quiet},
		command.Define(command.Spec[greeting]{Name: "greet", Run: func(_ context.Context, s *command.Session, in *greeting) (command.Response, error) {
			before, _ := command.Value[int](s, "greeted")
			s.Set("greeted", before+1)
			return command.Say(strings.Repeat("again ", before) + "hello " + in.Name), nil
		}}),
		command.Define(command.Spec[struct{}]{Name: "wait", Run: func(ctx context.Context, _ *command.Session, _ *struct{}) (command.Response, error) {
			g.entered <- struct{}{}
			select {
			case <-g.leave:
				return command.Say("left"), nil
			case <-ctx.Done():
				return command.Response{}, ctx.Err()
			}
		}}),
		command.Define(command.Spec[struct{}]{Name: "break", Run: func(context.Context, *command.Session, *struct{}) (command.Response, error) {
			panic("broken")
		}}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

func do(t *testing.T, d *serve.Dispatcher, r serve.Request) *command.Outcome {
	t.Helper()
	outcome, err := d.Do(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return outcome
}

func TestTextAndArgumentsReachTheSameCommandInTheSessionNamed(t *testing.T) {
	d := serve.New(workflow(t, newGate()), serve.Options{Logger: quiet})
	steps := []struct {
		r    serve.Request
		want string
	}{
		{serve.Request{Session: "a", Command: "greet", Arguments: json.RawMessage(`{"name":"Ada"}`)}, "hello Ada"},
		{serve.Request{Session: "a", Text: "greet <name>Bob</name>"}, "again hello Bob"},
		{serve.Request{Session: "b", Text: "greet <name>Cleo</name>"}, "hello Cleo"},
		{serve.Request{Text: "greet <name>Dora</name>"}, "hello Dora"},
		{serve.Request{Command: "greet", Arguments: json.RawMessage(`{"name":"Eve"}`)}, "hello Eve"},
	}
	for _, s := range steps {
		if got := do(t, d, s.r).Text(); got != s.want {
			t.Errorf("%+v: %q, want %q", s.r, got, s.want)
		}
	}
}

func TestAPanicIsAnAnswer(t *testing.T) {
	d := serve.New(workflow(t, newGate()), serve.Options{Logger: quiet})
	outcome := do(t, d, serve.Request{Session: "a", Command: "break"})
	if outcome.Stage != validate.StageRun || strings.Contains(outcome.Text(), "broken") {
		t.Errorf("stage %q, text %q", outcome.Stage, outcome.Text())
	}
}

// panicking is a store whose Save panics.
type panicking struct{ store.Store }

func (panicking) Save(context.Context, *store.Record) error { panic("disk on fire") }

func TestAStoreThatPanicsIsAnErrorOfTheCall(t *testing.T) {
	d := serve.New(workflow(t, newGate()), serve.Options{Logger: quiet, Store: panicking{store.Memory()}})
	_, err := d.Do(t.Context(), serve.Request{Session: "a", Command: "greet", Arguments: json.RawMessage(`{"name":"Ada"}`)})
	if err == nil || strings.Contains(serve.Message(err), "fire") {
		t.Fatalf("%v: %q", err, serve.Message(err))
	}
	// The next call of the session is not shut out.
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if _, err := d.Do(ctx, serve.Request{Session: "a", Command: "nothing"}); errors.Is(err, context.DeadlineExceeded) {
		t.Error("the session is still taken")
	}
}

func TestMoreCallsThanMayRunAreRefusedAfterAWait(t *testing.T) {
	g := newGate()
	d := serve.New(workflow(t, g), serve.Options{Logger: quiet, MaxConcurrent: 2, MaxWait: 10 * time.Millisecond})
	var running sync.WaitGroup
	for range 2 {
		running.Go(func() { do(t, d, serve.Request{Command: "wait"}) })
		<-g.entered
	}
	if _, err := d.Do(t.Context(), serve.Request{Command: "greet"}); !errors.Is(err, serve.ErrBusy) {
		t.Errorf("%v, want ErrBusy", err)
	}
	close(g.leave)
	running.Wait()
	do(t, d, serve.Request{Command: "greet"})
}

func TestACallThatIsTooLongDoesNotRun(t *testing.T) {
	d := serve.New(workflow(t, newGate()), serve.Options{Logger: quiet, MaxBytes: 100})
	long := strings.Repeat("a", 101)
	for _, r := range []serve.Request{{Text: long}, {Command: "greet", Arguments: json.RawMessage(long)}} {
		if _, err := d.Do(t.Context(), r); !errors.Is(err, serve.ErrTooLong) {
			t.Errorf("%v, want ErrTooLong", err)
		}
	}
}

func TestACallThatTakesTooLongIsEndedByTheTimeout(t *testing.T) {
	d := serve.New(workflow(t, newGate()), serve.Options{Logger: quiet, Timeout: 20 * time.Millisecond})
	if outcome := do(t, d, serve.Request{Session: "a", Command: "wait"}); outcome.Stage != validate.StageRun {
		t.Errorf("stage %q, text %q", outcome.Stage, outcome.Text())
	}
}

func TestDrainWaitsForTheRunningAndRefusesTheRest(t *testing.T) {
	g := newGate()
	d := serve.New(workflow(t, g), serve.Options{Logger: quiet})
	answered := make(chan string, 1)
	go func() { answered <- do(t, d, serve.Request{Session: "a", Command: "wait"}).Text() }()
	<-g.entered
	short, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := d.Drain(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Drain ended with %v while a call ran", err)
	}
	if _, err := d.Do(t.Context(), serve.Request{Text: "greet Ada"}); !errors.Is(err, serve.ErrDraining) {
		t.Errorf("%v, want ErrDraining", err)
	}
	close(g.leave)
	if err := d.Drain(t.Context()); err != nil {
		t.Error(err)
	}
	if got := <-answered; got != "left" {
		t.Errorf("the running call was answered %q", got)
	}
}

func TestTheLogHoldsValuesOnlyAtDebugLevel(t *testing.T) {
	for level, want := range map[slog.Level]bool{slog.LevelInfo: false, slog.LevelDebug: true} {
		var log strings.Builder
		d := serve.New(workflow(t, newGate()), serve.Options{Logger: slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: level}))})
		do(t, d, serve.Request{ID: "r-1", Command: "greet", Arguments: json.RawMessage(`{"name":"Ada Lovelace"}`)})
		if got := strings.Contains(log.String(), "Lovelace"); got != want {
			t.Errorf("at %v the value is in the log: %v\n%s", level, got, log.String())
		}
		if !strings.Contains(log.String(), `"request":"r-1"`) || !strings.Contains(log.String(), `"command":"greet"`) {
			t.Errorf("the line lacks request or command: %s", log.String())
		}
	}
}

// unsaving is a store that cannot save, for a reason of its own.
type unsaving struct {
	store.Store
	err error
}

func (s unsaving) Save(context.Context, *store.Record) error { return s.err }

// A store that gave up after its own time used to be taken for a call that had
// waited in vain: the caller was told that a call which had run did not.
func TestACallThatRanIsNeverSaidNotToHaveRun(t *testing.T) {
	for _, cause := range []error{errors.New("disk full"), context.DeadlineExceeded, context.Canceled, store.ErrConflict} {
		d := serve.New(workflow(t, newGate()), serve.Options{Logger: quiet, Store: unsaving{store.Memory(), cause}})
		_, err := d.Do(t.Context(), serve.Request{Session: "a", Command: "greet", Arguments: json.RawMessage(`{"name":"Ada"}`)})
		if !errors.Is(err, command.ErrNotStored) || !errors.Is(err, cause) || errors.Is(err, serve.ErrSessionBusy) {
			t.Errorf("%v: the error is %v", cause, err)
		}
		if text := serve.Message(err); strings.Contains(text, "did not run") {
			t.Errorf("%v: %q", cause, text)
		}
	}
}

func TestACancelDoesNotWaitForALongCall(t *testing.T) {
	g := newGate()
	d := serve.New(workflow(t, g), serve.Options{Logger: quiet, MaxWait: 10 * time.Millisecond})
	var running sync.WaitGroup
	running.Go(func() { do(t, d, serve.Request{Session: "a", Command: "wait"}) })
	<-g.entered
	if _, err := d.Cancel(t.Context(), "a"); !errors.Is(err, serve.ErrSessionBusy) {
		t.Errorf("%v, want ErrSessionBusy", err)
	}
	close(g.leave)
	running.Wait()
	if cleared, err := d.Cancel(t.Context(), "a"); err != nil || cleared {
		t.Errorf("%v, %v", cleared, err)
	}
}

func TestACallThatWaitsInVainForItsSessionDidNotRun(t *testing.T) {
	g := newGate()
	d := serve.New(workflow(t, g), serve.Options{Logger: quiet})
	var running sync.WaitGroup
	running.Go(func() { do(t, d, serve.Request{Session: "a", Command: "wait"}) })
	<-g.entered
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, err := d.Do(ctx, serve.Request{Session: "a", Command: "greet", Arguments: json.RawMessage(`{"name":"Ada"}`)})
	if !errors.Is(err, serve.ErrSessionBusy) || !strings.Contains(serve.Message(err), "did not run") {
		t.Errorf("%v: %q", err, serve.Message(err))
	}
	close(g.leave)
	running.Wait()
	if text := do(t, d, serve.Request{Session: "a", Command: "greet", Arguments: json.RawMessage(`{"name":"Ada"}`)}).Text(); text != "hello Ada" {
		t.Errorf("it ran all the same: %q", text)
	}
}

// stumbling is a store that panics on the second Save.
type stumbling struct {
	store.Store
	saves int
}

func (s *stumbling) Save(ctx context.Context, r *store.Record) error {
	if s.saves++; s.saves == 2 {
		panic("disk on fire")
	}
	return s.Store.Save(ctx, r)
}

func TestWhatAStoreLostInAPanicIsNotGoneOnFrom(t *testing.T) {
	d := serve.New(workflow(t, newGate()), serve.Options{Logger: quiet, Store: &stumbling{Store: store.Memory()}})
	greet := serve.Request{Session: "a", Command: "greet", Arguments: json.RawMessage(`{"name":"Ada"}`)}
	do(t, d, greet)
	if _, err := d.Do(t.Context(), greet); err == nil {
		t.Fatal("a call that was not stored is acknowledged")
	}
	if text := do(t, d, greet).Text(); text != "again hello Ada" {
		t.Errorf("the session goes on from what was never stored: %q", text)
	}
}

type batch struct {
	Lines []string `json:"lines,omitempty" jsonschema_extras:"references=once"`
}

// Every repair used to be in the line of its call.
func TestALineOfTheLogIsBounded(t *testing.T) {
	w, err := command.New(command.Options{Name: "desk", Logger: quiet},
		command.Define(command.Spec[batch]{Name: "store", Run: func(context.Context, *command.Session, *batch) (command.Response, error) {
			return command.Say("stored"), nil
		}}))
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	d := serve.New(w, serve.Options{Logger: slog.New(slog.NewJSONHandler(&log, nil))})
	lines := strings.Repeat(`"a &amp; b",`, 10_000) + `"c"`
	outcome := do(t, d, serve.Request{Command: "store", Arguments: json.RawMessage(`{"lines":[` + lines + `]}`)})
	if len(outcome.Repairs) < 10_000 {
		t.Fatalf("%d repairs: %s", len(outcome.Repairs), outcome.Text())
	}
	if n := log.Len(); n > 2000 || !strings.Contains(log.String(), "lines[0]") || !strings.Contains(log.String(), `"repairs":1000`) {
		t.Errorf("%d bytes: %.3000s", n, log.String())
	}
}

func TestWorkThatBeganIsWaitedForAndItsCallsAreTaken(t *testing.T) {
	d := serve.New(workflow(t, newGate()), serve.Options{Logger: quiet})
	work, done, err := d.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	drained := make(chan error, 1)
	go func() { drained <- d.Drain(t.Context()) }()
	<-d.Ending()
	if _, err := d.Do(t.Context(), serve.Request{Command: "greet"}); !errors.Is(err, serve.ErrDraining) {
		t.Errorf("a call of others: %v", err)
	}
	if _, _, err := d.Begin(t.Context()); !errors.Is(err, serve.ErrDraining) {
		t.Errorf("further work: %v", err)
	}
	outcome, err := d.Do(work, serve.Request{Command: "greet", Arguments: json.RawMessage(`{"name":"Ada"}`)})
	if err != nil || outcome.Text() != "hello Ada" {
		t.Errorf("a call of the work: %+v, %v", outcome, err)
	}
	select {
	case err := <-drained:
		t.Errorf("the work was not waited for: %v", err)
	default:
	}
	done()
	done() // which is once
	if err := <-drained; err != nil {
		t.Error(err)
	}
}
