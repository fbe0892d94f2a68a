package rest

import (
	"context"
	"io"
	"log/slog"
	"strconv"
	"testing"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/serve"
)

// A client that went as its turn ended used to put back the answer that another
// had fetched: the same request, sent later and meant anew, got it again.
func TestAnAnswerIsKeptForOneWhoLeftOnlyWhileNobodyFetchedIt(t *testing.T) {
	gone, leave := context.WithCancel(t.Context())
	leave()
	ended := &turn{done: make(chan struct{}), ended: time.Now()}
	close(ended.done)
	c := &channel{}
	if c.wait(gone, ended, time.Minute) || c.claim(ended.request) != ended {
		t.Error("the answer of a client that left is not kept")
	}
	if !c.wait(t.Context(), ended, time.Minute) {
		t.Error("the answer is not given")
	}
	if c.wait(gone, ended, time.Minute) || c.claim(ended.request) != nil {
		t.Error("an answer that was fetched is kept")
	}
	keyed := &turn{idempotency: "k", done: ended.done, ended: time.Now()}
	if c.wait(gone, keyed, time.Minute) || c.claim(keyed.request) != nil {
		t.Error("the answer of a request with a key is kept for one without")
	}
}

func TestNoMoreAnswersAreKeptThanMayBe(t *testing.T) {
	c := &channel{}
	turns := make([]*turn, mostUnclaimed+2)
	for i := range turns {
		turns[i] = &turn{request: [32]byte{byte(i)}, ended: time.Now()}
		c.leave(turns[i])
	}
	turns[5].ended = time.Now().Add(-2 * claimTime)
	for i, want := range map[int]bool{0: false, 1: false, 2: true, 5: false, mostUnclaimed + 1: true} {
		if got := c.claim(turns[i].request) == turns[i]; got != want {
			t.Errorf("the answer of turn %d is kept: %v, want %v", i, got, want)
		}
	}
}

func TestTheLatestKeysAreRememberedForTheirTime(t *testing.T) {
	c := &channel{}
	turns := make([]*turn, mostKeyed+2)
	for i := range turns {
		turns[i] = &turn{idempotency: strconv.Itoa(i), ended: time.Now()}
		c.remember(turns[i])
	}
	turns[5].ended = time.Now().Add(-2 * claimTime)
	running := &turn{idempotency: "running"}
	c.active = running
	c.remember(running)
	for key, want := range map[string]*turn{"0": nil, "1": nil, "2": nil, "3": turns[3], "5": nil, strconv.Itoa(mostKeyed + 1): turns[mostKeyed+1], "running": running} {
		if got, err := c.keyedTurn(key, [32]byte{}); got != want || err != nil {
			t.Errorf("of key %s the turn %v is remembered, want %v (%v)", key, got, want, err)
		}
	}
	if c.idle() {
		t.Error("a channel that remembers keys is let go of")
	}
}

func service(t *testing.T, o Options) *Service {
	t.Helper()
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	w, err := command.New(command.Options{Name: "w", Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(serve.New(w, serve.Options{Logger: quiet}), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Two in memory for one id would run two turns at once.
func TestAChannelThatIsUsedStaysInMemoryAndAnIdleOneMakesRoom(t *testing.T) {
	s := service(t, Options{MaxChannels: 2})
	open := func(id string) *channel {
		c, err := s.open(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	used, running, owed := open("used"), open("running"), open("owed")
	running.active = &turn{}
	owed.leave(&turn{ended: time.Now()})
	s.release(running)
	s.release(owed)
	for i := range 10 {
		s.release(open(string(rune('a' + i))))
	}
	if got := len(s.channels); got != 4 { // the three, and the last
		t.Errorf("%d channels are in memory, want 4", got)
	}
	for id, c := range map[string]*channel{"used": used, "running": running, "owed": owed} {
		if open(id) != c {
			t.Errorf("the channel %s was let go of", id)
		}
		s.release(c)
	}
	s.release(used)
	running.active, owed.unclaimed = nil, nil
	s.release(open("last"))
	if got := len(s.channels); got > 2 {
		t.Errorf("%d channels are in memory, at most 2 are kept", got)
	}
}
