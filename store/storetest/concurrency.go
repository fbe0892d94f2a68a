package storetest

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/fwgo/fwgo/store"
)

const goroutines = 64

func oneMaker(t *testing.T, s store.Store) {
	for round := range 5 {
		id := fmt.Sprintf("round %d", round)
		var won atomic.Int64
		var winner atomic.Value
		var wait sync.WaitGroup
		start := make(chan struct{})
		for g := range goroutines {
			wait.Go(func() {
				<-start
				r := store.Record{Kind: "session", ID: id, Data: []byte(strconv.Itoa(g))}
				switch err := s.Save(t.Context(), &r); {
				case err == nil:
					won.Add(1)
					winner.Store(r)
				case !errors.Is(err, store.ErrConflict):
					t.Errorf("Save: %v", err)
				}
			})
		}
		close(start)
		wait.Wait()
		if won.Load() != 1 {
			t.Fatalf("%d makers of one record were told they made it", won.Load())
		}
		if got, want := mustLoad(t, s, "session", id), winner.Load().(store.Record); !same(got, want) {
			t.Errorf("%+v stands, %+v was acknowledged", got, want)
		}
	}
}

func noLostUpdate(t *testing.T, s store.Store) {
	const counters, each = 8, 8
	for c := range counters {
		mustSave(t, s, store.Record{Kind: "session", ID: strconv.Itoa(c), Data: []byte("0")})
	}
	var wait sync.WaitGroup
	for g := range goroutines {
		wait.Go(func() {
			id := strconv.Itoa(g % counters)
			for done := 0; done < each; {
				r, err := s.Load(t.Context(), "session", id)
				if err != nil {
					t.Errorf("Load: %v", err)
					return
				}
				n, err := strconv.Atoi(string(r.Data))
				if err != nil {
					t.Error(err)
					return
				}
				r.Data = strconv.AppendInt(nil, int64(n+1), 10)
				switch err := s.Save(t.Context(), &r); {
				case err == nil:
					done++
				case !errors.Is(err, store.ErrConflict):
					t.Errorf("Save: %v", err)
					return
				}
			}
		})
	}
	wait.Wait()
	want := strconv.Itoa(goroutines / counters * each)
	for c := range counters {
		if got := mustLoad(t, s, "session", strconv.Itoa(c)); string(got.Data) != want {
			t.Errorf("counter %d stands at %s, want %s", c, got.Data, want)
		}
	}
}

func readersSeeWhole(t *testing.T, s store.Store) {
	r := mustSave(t, s, store.Record{Kind: "session", ID: "ada", Data: payload("ada", 0)})
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 4 {
		readers.Go(func() {
			last := int64(0)
			for {
				select {
				case <-done:
					return
				default:
				}
				got, err := s.Load(t.Context(), "session", "ada")
				if err != nil {
					t.Errorf("Load: %v", err)
					return
				}
				turn, whole := payloadTurn(got.Data, "ada")
				if !whole {
					t.Error("a reader saw half a record")
					return
				}
				if int64(turn) < last {
					t.Errorf("a reader saw turn %d after turn %d", turn, last)
				}
				last = int64(turn)
			}
		})
	}
	for turn := 1; turn <= 40; turn++ {
		r.Data = payload("ada", turn)
		r = mustSave(t, s, r)
	}
	close(done)
	readers.Wait()
}
