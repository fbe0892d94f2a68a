package rest

import (
	"context"
	"testing"
	"time"
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
