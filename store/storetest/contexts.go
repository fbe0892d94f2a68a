package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/fwgo/fwgo/store"
)

func endedContext(t *testing.T, s store.Store) {
	r := mustSave(t, s, store.Record{Kind: "session", ID: "ada", Data: []byte("1")})
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	for want, ctx := range map[error]context.Context{context.Canceled: canceled, context.DeadlineExceeded: late} {
		_, err := s.Load(ctx, "session", "ada")
		wantError(t, "Load", err, want)
		_, err = s.List(ctx, store.Query{Kind: "session"})
		wantError(t, "List", err, want)
		wantError(t, "Delete", s.Delete(ctx, "session", "ada", 0), want)
		changed := r
		changed.Data = []byte("2")
		wantError(t, "Save", s.Save(ctx, &changed), want)
		if changed.Version != r.Version {
			t.Errorf("a Save that was not made set the version %d", changed.Version)
		}
	}
	if got := mustLoad(t, s, "session", "ada"); !same(got, r) {
		t.Errorf("calls without a context left %+v, want %+v", got, r)
	}
}

// Whatever moment a context ends at, a Save that returned nil is there, one that
// did not is there whole or not at all, and the store goes on.
func endingContexts(t *testing.T, s store.Store) {
	const writers, rounds = 16, 20
	var wait sync.WaitGroup
	for w := range writers {
		wait.Go(func() {
			random := rand.New(rand.NewPCG(uint64(w), 7))
			for round := range rounds {
				id := fmt.Sprintf("%d/%d", w, round)
				r := store.Record{Kind: "session", ID: id, Data: payload(id, 0)}
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.IntN(3000))*time.Microsecond)
				err := s.Save(ctx, &r)
				cancel()
				if err != nil && !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("Save: %v", err)
				}
				got, loadErr := s.Load(t.Context(), "session", id)
				switch {
				case loadErr == nil && !isPayload(got.Data, id, 0):
					t.Errorf("%s is not whole", id)
				case loadErr != nil && (err == nil || !errors.Is(loadErr, store.ErrNotFound)):
					t.Errorf("Save said %v, Load says %v", err, loadErr)
				}
			}
		})
	}
	wait.Wait()
	mustSave(t, s, store.Record{Kind: "session", ID: "after all"})
}
