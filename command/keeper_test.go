package command_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/store"
	"github.com/fwgo/fwgo/store/bolt"
)

// ledgerObject is a context object that a stored session brings back.
type ledgerObject struct{ Entries []string }

type entryInput struct {
	Text string `json:"text"`
	Kind string `json:"kind" jsonschema:"enum=in,enum=out"`
}

// ledger is a workflow whose state is in a context object and a value.
func ledger(t testing.TB) *command.Workflow {
	t.Helper()
	w, err := command.New(command.Options{Name: "ledger", Contexts: []*command.Context{
		command.DefineContext(command.ContextSpec[*ledgerObject]{
			Name: "Ledger",
			Save: func(l *ledgerObject) (json.RawMessage, error) { return json.Marshal(l) },
			Restore: func(ctx context.Context, s *command.Session, state json.RawMessage) (*ledgerObject, error) {
				l := &ledgerObject{}
				return l, json.Unmarshal(state, l)
			},
		}),
	}},
		command.Define(command.Spec[struct{}]{Name: "open", Run: func(ctx context.Context, s *command.Session, _ *struct{}) (command.Response, error) {
			return command.Say("open"), s.SetRoot(&ledgerObject{})
		}}),
		command.Define(command.Spec[entryInput]{Name: "Ledger/add", Run: func(ctx context.Context, s *command.Session, in *entryInput) (command.Response, error) {
			l, _ := command.Object[*ledgerObject](s)
			l.Entries = append(l.Entries, in.Kind+":"+in.Text)
			n, _ := command.Value[int](s, "count")
			s.Set("count", n+1)
			return command.Say(fmt.Sprintf("%s %d %d", in.Text, n+1, len(l.Entries))), nil
		}}),
		command.Define(command.Spec[struct{}]{Name: "Ledger/entries", Run: func(ctx context.Context, s *command.Session, _ *struct{}) (command.Response, error) {
			l, _ := command.Object[*ledgerObject](s)
			return command.Say(strings.Join(l.Entries, " ")), nil
		}}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

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
	before := command.Keep(ledger(t), st, command.SessionOptions{Human: true})
	ask(t, before, "ann", "open")
	ask(t, before, "ann", "add text=tea kind=in")
	if text := ask(t, before, "ann", "add text='a cup'"); !strings.Contains(text, "kind: missing") {
		t.Fatal(text)
	}
	after := command.Keep(ledger(t), st, command.SessionOptions{Human: true})
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
	k := command.Keep(ledger(t), failing{store.Memory()})
	if o, err := k.Call(context.Background(), "ann", "open"); err == nil || o != nil {
		t.Errorf("it is acknowledged: %+v", o)
	}
}

func TestASessionThatCannotBeWrittenSaysWhy(t *testing.T) {
	w := command.MustNew(command.Options{Name: "loose", Contexts: []*command.Context{
		command.DefineContext(command.ContextSpec[*ledgerObject]{Name: "Ledger"})}},
		command.Define(command.Spec[struct{}]{Name: "open", Run: func(ctx context.Context, s *command.Session, _ *struct{}) (command.Response, error) {
			return command.Say(""), s.SetRoot(&ledgerObject{})
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
	k := command.Keep(ledger(t), store.Memory())
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

const crashFile = "FWGO_TEST_CRASH_FILE"

// TestMain lets the test binary be the process that is killed.
func TestMain(m *testing.M) {
	if path := os.Getenv(crashFile); path != "" {
		crashing(path)
		return
	}
	os.Exit(m.Run())
}

// crashing adds entries for ever and prints each that was acknowledged.
func crashing(path string) {
	st, err := bolt.Open(path, bolt.Options{})
	if err != nil {
		fmt.Println("error", err)
		return
	}
	k := command.Keep(ledger(nilTB{}), st)
	ctx := context.Background()
	k.Call(ctx, "ann", "open")
	o, err := k.Call(ctx, "ann", "entries")
	if err != nil {
		fmt.Println("error", err)
		return
	}
	for n := len(strings.Fields(o.Text())); ; n++ {
		o, err := k.Call(ctx, "ann", fmt.Sprintf("add kind=in text=e%d", n))
		if err != nil || !o.Ran() {
			fmt.Println("error", err, o)
			return
		}
		fmt.Println(n)
	}
}

// nilTB is the testing.TB of a process that is no test.
type nilTB struct{ testing.TB }

func (nilTB) Helper()           {}
func (nilTB) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

// A process killed at a random moment after it acknowledged a turn loses
// nothing that it acknowledged, 200 times in a row.
func TestAKilledProcessLosesNothingAcknowledged(t *testing.T) {
	if testing.Short() {
		t.Skip("200 processes are not for -short")
	}
	path := filepath.Join(t.TempDir(), "sessions.db")
	acknowledged := -1
	for round := range 200 {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), crashFile+"="+path)
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		kill := 1 + rand.IntN(3)
		for i := 0; lines.Scan(); i++ {
			var n int
			if _, err := fmt.Sscan(lines.Text(), &n); err != nil {
				t.Fatalf("round %d: the process says %q", round, lines.Text())
			}
			if n != acknowledged+1 && !(i == 0 && n == acknowledged+2) {
				t.Fatalf("round %d: turn %d follows turn %d: something acknowledged is lost", round, n, acknowledged)
			}
			acknowledged = n
			if i == kill {
				time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond)
				if err := c.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		c.Wait()
	}
	st, err := bolt.Open(path, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	entries := strings.Fields(ask(t, command.Keep(ledger(t), st), "ann", "entries"))
	if len(entries) < acknowledged+1 {
		t.Errorf("%d entries are left of %d acknowledged", len(entries), acknowledged+1)
	}
	for i, e := range entries {
		if e != fmt.Sprintf("in:e%d", i) {
			t.Errorf("entry %d is %s", i, e)
		}
	}
}
