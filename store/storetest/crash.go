package storetest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fwgo/fwgo/store"
)

// A CrashTest says which store to crash, and how.
type CrashTest struct {
	// Where is handed to the open function of CrashChild: a path, a URL.
	Where string

	// Kills is how many processes are killed, one after the other. Each lives for
	// some milliseconds, and goes on where the one before it was stopped.
	Kills int

	// Seed makes the moments of the kills differ between tests.
	Seed uint64

	// Reopen opens the store in this process, after a kill, for a look at what is
	// left, and returns how to close it again.
	Reopen func(t *testing.T) (s store.Store, closeIt func())

	// Strike, if not nil, is called at a random moment while the process saves,
	// and does something to what the process depends on, such as killing the
	// database server and starting it again. It may call t.Error but not t.Fatal.
	// The process must then acknowledge a change within 30 seconds; it is killed
	// afterwards.
	Strike func(t *testing.T)
}

const hint = "is CrashChild the first thing in TestMain?"

// childVariable holds CrashTest.Where in the environment of a child.
const childVariable = "FWGO_STORETEST_CRASH_CHILD"

// Crash starts the test binary again as a process that saves and deletes records
// from several goroutines and prints a line for each change that was
// acknowledged, kills it with SIGKILL at a random moment, and checks that all
// that was acknowledged is there, that nothing is there by half, and that the
// store can be used. It does that c.Kills times over. CrashChild must be the
// first thing in the package's TestMain.
func Crash(t *testing.T, c CrashTest) {
	random := rand.New(rand.NewPCG(c.Seed, 1))
	known := newLedger()
	for kill := range c.Kills {
		c.crashOnce(t, random, known)
		s, closeIt := c.Reopen(t)
		known.check(t, s)
		closeIt()
		if t.Failed() {
			t.Fatalf("after kill %d of %d", kill+1, c.Kills)
		}
	}
	if known.acknowledged < c.Kills/4 {
		t.Fatalf("%d kills met only %d acknowledged changes; %s", c.Kills, known.acknowledged, hint)
	}
	t.Logf("%d kills, %d acknowledged changes, none lost; %d changes were stored without an acknowledgement", c.Kills, known.acknowledged, known.silent)
}

func (c CrashTest) crashOnce(t *testing.T, random *rand.Rand, known *ledger) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// Should CrashChild not be called, the child runs no test and ends.
	child := exec.Command(self, "-test.run=^$")
	child.Env = append(os.Environ(), childVariable+"="+c.Where)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := make(chan string, 16)
	go func() {
		defer close(lines)
		scan := bufio.NewScanner(out)
		for scan.Scan() {
			lines <- scan.Text()
		}
	}()
	read := func(until <-chan time.Time, enough func(line string) bool) {
		for {
			select {
			case line, more := <-lines:
				if !more {
					return
				}
				known.note(t, line)
				if enough != nil && enough(line) {
					return
				}
			case <-until:
				return
			}
		}
	}
	// One in eight is killed before it has opened the store, or while it does.
	// Half of the others have time to save something, however slow the disk is.
	if random.IntN(8) > 0 {
		first := []string{"open", "ack"}[random.IntN(2)]
		read(time.After(30*time.Second), func(line string) bool { return strings.HasPrefix(line, first) })
	}
	moment := func() <-chan time.Time { return time.After(time.Duration(random.IntN(20_000)) * time.Microsecond) }
	read(moment(), nil)
	if c.Strike != nil {
		struck := make(chan time.Time)
		go func() {
			defer close(struck)
			c.Strike(t)
		}()
		read(struck, nil)
		<-struck
		recovered := false
		read(time.After(30*time.Second), func(line string) bool {
			recovered = recovered || strings.HasPrefix(line, "ack ")
			return recovered
		})
		if !recovered {
			t.Error("nothing was acknowledged any more after the strike")
		}
		read(moment(), nil)
	}
	if err := child.Process.Kill(); err != nil {
		t.Errorf("the process had ended before it was killed: %v", err)
	}
	read(nil, nil)
	_ = child.Wait()
}

// CrashChild does nothing, unless this process was started by Crash. Then it
// opens the store and saves until it is killed, and never returns.
func CrashChild(open func(where string) (store.Store, error)) {
	where, is := os.LookupEnv(childVariable)
	if !is {
		return
	}
	s, err := open(where)
	if err != nil {
		say("fail open: " + oneLine(err))
		os.Exit(3)
	}
	say("open")
	for w := range writers - 1 {
		go func() { fail(newWriter(s, w).run()) }()
	}
	fail(newWriter(s, writers-1).run())
}

func fail(err error) {
	say("fail " + oneLine(err))
	os.Exit(3)
}

func oneLine(err error) string { return strconv.Quote(err.Error()) }

// say prints a line in one write, which a pipe takes as a whole, so that the
// line is out before anything else happens.
func say(line string) {
	if _, err := os.Stdout.WriteString(line + "\n"); err != nil {
		os.Exit(4)
	}
}

// writers is how many goroutines save at once in a child.
const writers = 4

// A writer holds a conversation: a record that gets turn after turn. Beside it,
// it makes and deletes tokens.
type writer struct {
	s       store.Store
	name    string
	session store.Record
	turn    int
	token   store.Record
}

func newWriter(s store.Store, w int) *writer {
	return &writer{s: s, name: "writer " + strconv.Itoa(w)}
}

func (w *writer) run() error {
	for {
		err := w.resume()
		for err == nil {
			err = w.step()
		}
		switch {
		case errors.Is(err, store.ErrUnavailable):
			time.Sleep(5 * time.Millisecond)
		case errors.Is(err, store.ErrConflict):
			// A change of the process before this one, or one whose answer was
			// lost, came late.
		default:
			return err
		}
	}
}

// resume reads where the conversation stands. What was read once must stay, as
// if it had been acknowledged.
func (w *writer) resume() error {
	r, err := w.s.Load(context.Background(), "session", w.name)
	if errors.Is(err, store.ErrNotFound) {
		w.session, w.turn = store.Record{Kind: "session", ID: w.name}, 0
		return nil
	}
	if err != nil {
		return err
	}
	turn, whole := payloadTurn(r.Data, w.name)
	if !whole {
		return fmt.Errorf("%s is not whole", w.name)
	}
	w.session, w.turn = r, turn
	w.sayTurn("seen")
	return nil
}

func (w *writer) sayTurn(word string) {
	say(fmt.Sprintf("%s %d %d %s", word, w.turn, w.session.Version, w.name))
}

func (w *writer) step() error {
	next := w.session
	next.Data = payload(w.name, w.turn+1)
	if err := w.s.Save(context.Background(), &next); err != nil {
		return err
	}
	w.session, w.turn = next, w.turn+1
	w.sayTurn("ack")
	if w.turn%3 > 0 {
		return nil
	}
	if w.token.Version > 0 {
		old := w.token
		w.token = store.Record{}
		say("ending " + old.ID)
		if err := w.s.Delete(context.Background(), "token", old.ID, old.Version); err != nil {
			return err
		}
		say("gone " + old.ID)
	}
	id := fmt.Sprintf("%s, turn %d, %d", w.name, w.turn, os.Getpid())
	made := store.Record{Kind: "token", ID: id, Data: payload(id, 0)}
	if err := w.s.Save(context.Background(), &made); err != nil {
		return err
	}
	w.token = made
	say("made " + id)
	return nil
}
