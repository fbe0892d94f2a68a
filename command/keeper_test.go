package command_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/command/sessiontest"
	"github.com/fwgo/fwgo/store"
	"github.com/fwgo/fwgo/store/bolt"
)

func ask(t testing.TB, k *command.Keeper, id, text string) string {
	t.Helper()
	o, err := k.Call(context.Background(), id, text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return o.Text()
}

// A session goes on in another process where it stood: its objects, its
// values and the question that was open.
func TestAStoredSessionGoesOnWhereItStood(t *testing.T) {
	st := store.Memory()
	before := command.Keep(sessiontest.Workflow(), st, command.SessionOptions{Human: true})
	ask(t, before, "ann", "open")
	ask(t, before, "ann", "add text=tea kind=in")
	if text := ask(t, before, "ann", "add text='a cup'"); !strings.Contains(text, "kind: missing") {
		t.Fatal(text)
	}
	after := command.Keep(sessiontest.Workflow(), st, command.SessionOptions{Human: true})
	if text := ask(t, after, "ann", "OUT"); text != "a cup 2 2" {
		t.Errorf("the follow-up answers %q", text)
	}
	if text := ask(t, before, "ann", "entries"); text != "in:tea out:a cup" {
		t.Errorf("the first keeper goes on from %q", text)
	}
	if err := after.Delete(context.Background(), "ann"); err != nil {
		t.Fatal(err)
	}
	if text := ask(t, after, "ann", "where am i"); text != "Current context is 'global'" {
		t.Errorf("a deleted session answers %q", text)
	}
}

// failing is a store that does not save.
type failing struct{ store.Store }

func (failing) Save(context.Context, *store.Record) error { return errors.New("disk full") }

func TestACallThatCannotBeStoredIsNotAcknowledged(t *testing.T) {
	k := command.Keep(sessiontest.Workflow(), failing{store.Memory()})
	if o, err := k.Call(context.Background(), "ann", "open"); err == nil || o != nil {
		t.Errorf("it is acknowledged: %+v", o)
	}
}

// page is a context object that nobody saves.
type page struct{}

func TestASessionThatCannotBeWrittenSaysWhy(t *testing.T) {
	w := command.MustNew(command.Options{Name: "loose", Contexts: []*command.Context{
		command.DefineContext(command.ContextSpec[*page]{Name: "Ledger"})}},
		command.Define(command.Spec[struct{}]{Name: "open", Run: func(ctx context.Context, s *command.Session, _ *struct{}) (command.Response, error) {
			return command.Say(""), s.SetRoot(&page{})
		}}),
		command.Define(command.Spec[struct{}]{Name: "Ledger/hold", Run: func(ctx context.Context, s *command.Session, _ *struct{}) (command.Response, error) {
			s.Set("channel", make(chan int))
			return command.Say(""), nil
		}}))
	s := w.NewSession()
	s.Call(context.Background(), "open")
	if _, err := s.State(); err == nil || !strings.Contains(err.Error(), "no Save") {
		t.Errorf("an object without Save: %v", err)
	}
	s.Call(context.Background(), "hold")
	if _, err := s.State(); err == nil || !strings.Contains(err.Error(), `"channel"`) {
		t.Errorf("a value that is no JSON: %v", err)
	}
	for _, text := range []string{"", "{", `{"version":2}`, `{"version":1,"root":{"context":"Nowhere","state":{}}}`} {
		if _, err := w.RestoreSession(context.Background(), []byte(text)); err == nil {
			t.Errorf("%q is restored", text)
		}
	}
}

// 64 goroutines on 8 sessions: every answer belongs to its question, and no
// call of a session sees another half done.
func TestManyCallersOfFewSessions(t *testing.T) {
	k := command.Keep(sessiontest.Workflow(), store.Memory())
	for i := range 8 {
		ask(t, k, fmt.Sprint("s", i), "open")
	}
	var wait sync.WaitGroup
	for g := range 64 {
		wait.Go(func() {
			id := fmt.Sprint("s", g%8)
			for n := range 10 {
				text := fmt.Sprintf("g%dn%d", g, n)
				answer := ask(t, k, id, "add kind=in text="+text)
				var count, entries int
				if _, err := fmt.Sscanf(answer, text+" %d %d", &count, &entries); err != nil || count != entries {
					t.Errorf("%s is answered %q", text, answer)
				}
			}
		})
	}
	wait.Wait()
	for i := range 8 {
		if n := len(strings.Fields(ask(t, k, fmt.Sprint("s", i), "entries"))); n != 80 {
			t.Errorf("session %d has %d of 80 entries", i, n)
		}
	}
}

// TestMain lets the test binary be the process that is killed.
func TestMain(m *testing.M) {
	sessiontest.Child(func(where string) (store.Store, error) { return bolt.Open(where, bolt.Options{}) })
	os.Exit(m.Run())
}

// A process killed at a random moment after it acknowledged a turn loses
// nothing that it acknowledged, 200 times in a row.
func TestAKilledProcessLosesNothingAcknowledged(t *testing.T) {
	if testing.Short() {
		t.Skip("200 processes are not for -short")
	}
	path := filepath.Join(t.TempDir(), "sessions.db")
	sessiontest.Crash(t, path, 200, func() (store.Store, error) { return bolt.Open(path, bolt.Options{}) })
}

type openInput struct {
	Path string `json:"path"`
}

func TestAToldMessageIsFollowedUpAndCanBeCancelled(t *testing.T) {
	w, err := command.New(command.Options{Name: "w"}, command.Define(command.Spec[openInput]{Name: "open",
		Run: func(_ context.Context, _ *command.Session, in *openInput) (command.Response, error) {
			return command.Say("opened " + in.Path), nil
		}}))
	if err != nil {
		t.Fatal(err)
	}
	k := command.Keep(w, store.Memory())
	tell := func(text string) string {
		o, err := k.Tell(t.Context(), "s", text)
		if err != nil {
			t.Fatal(err)
		}
		return o.Text()
	}
	tell("open")
	if got := tell("/etc"); got != "opened /etc" {
		t.Errorf("an answer that begins with a slash: %q", got)
	}
	if got := tell("//open <path>a</path>"); got != "opened a" {
		t.Errorf("a call with slashes in front: %q", got)
	}
	tell("open")
	for _, want := range []bool{true, false} {
		if cleared, err := k.Cancel(t.Context(), "s"); err != nil || cleared != want {
			t.Errorf("Cancel: %v, %v; want %v", cleared, err, want)
		}
	}
	if got := tell("b"); got == "opened b" {
		t.Error("a cancelled question was answered")
	}
}

// An agent's message that was no call used to be taken for the person's answer:
// the command ran with prose as its values.
func TestAnAgentDoesNotAnswerWhatAPersonWasAsked(t *testing.T) {
	w, err := command.New(command.Options{Name: "w"}, command.Define(command.Spec[openInput]{Name: "open",
		Run: func(_ context.Context, _ *command.Session, in *openInput) (command.Response, error) {
			return command.Say("opened " + in.Path), nil
		}}), command.Define(command.Spec[struct{}]{Name: "list",
		Run: func(context.Context, *command.Session, *struct{}) (command.Response, error) {
			return command.Say("listed"), nil
		}}))
	if err != nil {
		t.Fatal(err)
	}
	for message, want := range map[string]string{"please show me everything": "", "lst": "", "<path>x</path>": "", "list": "listed", "open <path>b</path>": "opened b"} {
		k := command.Keep(w, store.Memory())
		say := func(how func(context.Context, string, string) (*command.Outcome, error), text string) string {
			o, err := how(t.Context(), "s", text)
			if err != nil {
				t.Fatal(err)
			}
			if !o.Ran() {
				return ""
			}
			return o.Text()
		}
		say(k.Tell, "open")
		if got := say(k.Call, message); got != want {
			t.Errorf("an agent's %q: %q, want %q", message, got, want)
		}
		if o, err := k.Do(t.Context(), "s", command.Action{CommandName: "list"}); err != nil || !o.Ran() {
			t.Errorf("an agent's action: %v %v", o, err)
		}
		if got := say(k.Tell, "/etc"); got != "opened /etc" {
			t.Errorf("after an agent's %q the person's answer: %q", message, got)
		}
	}
	k := command.Keep(w, store.Memory(), command.SessionOptions{Human: true})
	_, _ = k.Tell(t.Context(), "s", "open")
	if o, err := k.Call(t.Context(), "s", "/etc"); err != nil || o.Text() != "opened /etc" {
		t.Errorf("in a person's session a Call answers: %v %v", o, err)
	}
}

func TestAGateHoldsBackWhatPassedEveryCheck(t *testing.T) {
	ran := 0
	w, err := command.New(command.Options{Name: "w"}, command.Define(command.Spec[openInput]{Name: "open",
		ValidateExtractedParameters: func(_ context.Context, _ *command.Session, _ string, in *openInput) (bool, string) {
			in.Path = strings.ToLower(in.Path)
			return in.Path != "bad", "path: bad is not opened"
		},
		Run: func(_ context.Context, _ *command.Session, in *openInput) (command.Response, error) {
			ran++
			return command.Say("opened " + in.Path), nil
		}}))
	if err != nil {
		t.Fatal(err)
	}
	s := w.NewSession()
	call := func(path string, open bool) (*command.Outcome, []string) {
		var seen []string
		o := s.DoGated(t.Context(), command.Action{CommandName: "open", Parameters: []byte(`{"path":"` + path + `"}`)}, func(input any) bool {
			seen = append(seen, input.(*openInput).Path)
			return open
		})
		return o, seen
	}
	if o, seen := call("ETC", false); !o.Held() || o.Ran() || ran != 0 || len(seen) != 1 || seen[0] != "etc" || o.Output.CommandResponse.Success {
		t.Errorf("held back: %+v, seen %v, ran %d", o, seen, ran)
	}
	if o, seen := call("ETC", true); o.Held() || !o.Ran() || ran != 1 || len(seen) != 1 {
		t.Errorf("let through: %+v, seen %v, ran %d", o, seen, ran)
	}
	if o, seen := call("BAD", true); o.Held() || o.Ran() || ran != 1 || len(seen) != 0 {
		t.Errorf("refused by the hook: %+v, seen %v, ran %d", o, seen, ran)
	}
}

type unstorable struct{ n int }

func TestSessionsInMemoryAloneNeedNotBeStorable(t *testing.T) {
	w, err := command.New(command.Options{Name: "w", Contexts: []*command.Context{command.DefineContext(command.ContextSpec[*unstorable]{Name: "Box"})}},
		command.Define(command.Spec[struct{}]{Name: "enter", Run: func(_ context.Context, s *command.Session, _ *struct{}) (command.Response, error) {
			return command.Say("in"), s.SetContext(&unstorable{})
		}}),
		command.Define(command.Spec[struct{}]{Name: "Box/count", Run: func(_ context.Context, s *command.Session, _ *struct{}) (command.Response, error) {
			b, _ := command.Object[*unstorable](s)
			b.n++
			return command.Say(fmt.Sprint(b.n)), nil
		}}))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Storable(); err == nil || !strings.Contains(err.Error(), "Box") {
		t.Errorf("Storable: %v", err)
	}
	k := command.Keep(w, nil)
	for _, turn := range [][3]string{{"a", "enter", "in"}, {"a", "count", "1"}, {"b", "enter", "in"}, {"a", "count", "2"}, {"b", "count", "1"}} {
		if got := ask(t, k, turn[0], turn[1]); got != turn[2] {
			t.Errorf("%s %s: %q, want %q", turn[0], turn[1], got, turn[2])
		}
	}
	if err := k.Delete(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, k, "a", "count"); got == "3" {
		t.Error("a session that was deleted goes on")
	}
	if _, err := command.Keep(w, store.Memory()).Call(t.Context(), "a", "enter"); !errors.Is(err, command.ErrNotStored) {
		t.Errorf("with a store: %v, want ErrNotStored", err)
	}
}
