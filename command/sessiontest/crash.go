// Package sessiontest tests that sessions kept in a Store survive the process
// that served them: a child is killed at random moments after it acknowledged a
// turn, and the next must go on with nothing lost.
//
//	func TestMain(m *testing.M) {
//		sessiontest.Child(func(where string) (store.Store, error) { return bolt.Open(where, bolt.Options{}) })
//		os.Exit(m.Run())
//	}
//
//	func TestKilled(t *testing.T) {
//		sessiontest.Crash(t, path, 200, func() (store.Store, error) { return bolt.Open(path, bolt.Options{}) })
//	}
package sessiontest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/store"
)

// where is the variable that makes a test binary the process to be killed.
const where = "FWGO_SESSIONTEST_WHERE"

// A ledger is a context object that a stored session brings back.
type ledger struct{ Entries []string }

type entry struct {
	Text string `json:"text"`
	Kind string `json:"kind" jsonschema:"enum=in,enum=out"`
}

// Workflow is what the test keeps sessions of: its state is in a context
// object (commands open, add and entries) and in a session value, the count
// that each answer of add ends with.
func Workflow() *command.Workflow {
	return command.MustNew(command.Options{Name: "ledger", Contexts: []*command.Context{
		command.DefineContext(command.ContextSpec[*ledger]{
			Name: "Ledger",
			Save: func(l *ledger) (json.RawMessage, error) { return json.Marshal(l) },
			Restore: func(ctx context.Context, s *command.Session, state json.RawMessage) (*ledger, error) {
				l := &ledger{}
				return l, json.Unmarshal(state, l)
			},
		}),
	}},
		command.Define(command.Spec[struct{}]{Name: "open", Run: func(ctx context.Context, s *command.Session, _ *struct{}) (command.Response, error) {
			return command.Say("open"), s.SetRoot(&ledger{})
		}}),
		command.Define(command.Spec[entry]{Name: "Ledger/add", Run: func(ctx context.Context, s *command.Session, in *entry) (command.Response, error) {
			l, _ := command.Object[*ledger](s)
			l.Entries = append(l.Entries, in.Kind+":"+in.Text)
			n, _ := command.Value[int](s, "count")
			s.Set("count", n+1)
			return command.Say(fmt.Sprintf("%s %d %d", in.Text, n+1, len(l.Entries))), nil
		}}),
		command.Define(command.Spec[struct{}]{Name: "Ledger/entries", Run: func(ctx context.Context, s *command.Session, _ *struct{}) (command.Response, error) {
			l, _ := command.Object[*ledger](s)
			return command.Say(strings.Join(l.Entries, " ")), nil
		}}),
	)
}

// Child makes this process the one to be killed, if Crash started it; it then
// does not return. Call it first in TestMain.
func Child(open func(where string) (store.Store, error)) {
	path := os.Getenv(where)
	if path == "" {
		return
	}
	err := serve(path, open)
	fmt.Println("error", err)
	os.Exit(1)
}

// serve adds entries for ever and prints the number of each that was
// acknowledged.
func serve(path string, open func(string) (store.Store, error)) error {
	st, err := open(path)
	if err != nil {
		return err
	}
	ctx := context.Background()
	k := command.Keep(Workflow(), st)
	if _, err := k.Call(ctx, "ann", "open"); err != nil {
		return err
	}
	o, err := k.Call(ctx, "ann", "entries")
	if err != nil {
		return err
	}
	for n := len(strings.Fields(o.Text())); ; n++ {
		o, err := k.Call(ctx, "ann", fmt.Sprintf("add kind=in text=e%d", n))
		if err != nil {
			return err
		}
		if !o.Ran() {
			return fmt.Errorf("turn %d is refused: %s", n, o.Text())
		}
		fmt.Println(n)
	}
}

// Crash starts the test binary again and again, kills it at a random moment
// after it acknowledged a few turns, and fails if a turn that was acknowledged
// is not there afterwards. Path is handed to Child; open opens the same store
// here, at the end.
func Crash(t *testing.T, path string, kills int, open func() (store.Store, error)) {
	t.Helper()
	acknowledged := -1
	for round := range kills {
		acknowledged = killed(t, path, round, acknowledged)
	}
	st, err := open()
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := st.(interface{ Close() error }); ok {
		defer c.Close()
	}
	o, err := command.Keep(Workflow(), st).Call(context.Background(), "ann", "entries")
	if err != nil {
		t.Fatal(err)
	}
	entries := strings.Fields(o.Text())
	if len(entries) < acknowledged+1 {
		t.Errorf("%d entries are left of %d acknowledged", len(entries), acknowledged+1)
	}
	for i, e := range entries {
		if e != fmt.Sprintf("in:e%d", i) {
			t.Errorf("entry %d is %s", i, e)
		}
	}
	t.Logf("%d processes killed, %d turns acknowledged, none lost", kills, acknowledged+1)
}

// killed runs one process to its end and returns the last turn it
// acknowledged. Each turn must follow the one before; one that was stored but
// not acknowledged before the kill may lie between.
func killed(t *testing.T, path string, round, acknowledged int) int {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), where+"="+path)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Wait()
	lines := bufio.NewScanner(out)
	last := rand.IntN(3)
	for i := 0; lines.Scan(); i++ {
		var n int
		if _, err := fmt.Sscan(lines.Text(), &n); err != nil {
			t.Fatalf("round %d: the process says %q", round, lines.Text())
		}
		if n != acknowledged+1 && !(i == 0 && n == acknowledged+2) {
			t.Fatalf("round %d: turn %d follows turn %d: something acknowledged is lost", round, n, acknowledged)
		}
		acknowledged = n
		if i == last {
			time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond)
			if err := c.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	return acknowledged
}
