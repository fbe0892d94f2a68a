package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fwgo/fwgo/store"
	"github.com/fwgo/fwgo/store/postgres"
)

// Connections break at any moment under 16 writers: nobody panics, errors say
// that the server is away, what was acknowledged is there, and the store is well
// again as soon as the server is.
func TestConnectionsThatBreak(t *testing.T) {
	proxy := newProxy(t, schema(t))
	s := mustOpen(t, proxy.url)
	const writers = 16
	acknowledged := make([]int, writers)
	unavailable := make([]int, writers)
	var progress atomic.Int64
	done := make(chan struct{})
	var wait sync.WaitGroup
	for w := range writers {
		wait.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				r, err := s.Load(t.Context(), "session", strconv.Itoa(w))
				if errors.Is(err, store.ErrNotFound) {
					r, err = store.Record{Kind: "session", ID: strconv.Itoa(w), Data: []byte("0")}, nil
				}
				if err == nil {
					turn, _ := strconv.Atoi(string(r.Data))
					if turn < acknowledged[w] {
						t.Errorf("writer %d stands at %d, acknowledged were %d", w, turn, acknowledged[w])
					}
					r.Data = strconv.AppendInt(nil, int64(turn+1), 10)
					if err = s.Save(t.Context(), &r); err == nil {
						acknowledged[w] = turn + 1
						progress.Add(1)
					}
				}
				switch {
				case errors.Is(err, store.ErrUnavailable):
					unavailable[w]++
				case err != nil && !errors.Is(err, store.ErrConflict):
					t.Errorf("got %v", err)
				}
			}
		})
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		// Every cut finds calls under way, on however slow a machine.
		for before, tries := progress.Load(), 0; progress.Load() == before && tries < 10_000; tries++ {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(random.IntN(30)) * time.Millisecond)
		proxy.cut()
	}
	close(done)
	wait.Wait()
	saved, failed := 0, 0
	for w := range writers {
		saved, failed = saved+acknowledged[w], failed+unavailable[w]
		r, err := s.Load(t.Context(), "session", strconv.Itoa(w))
		if err != nil {
			t.Errorf("after it all: %v", err)
			continue
		}
		if turn, _ := strconv.Atoi(string(r.Data)); turn < acknowledged[w] {
			t.Errorf("writer %d stands at %d, acknowledged were %d", w, turn, acknowledged[w])
		}
	}
	if saved == 0 || failed == 0 {
		t.Errorf("%d saves and %d failures show nothing", saved, failed)
	}
	t.Logf("%d turns acknowledged, %d calls failed", saved, failed)
}

// While the server is away every call is told so; when it is back, idle
// connections of before are no error for anyone.
func TestAServerThatGoesAndComesBack(t *testing.T) {
	proxy := newProxy(t, schema(t))
	s := mustOpen(t, proxy.url)
	r := store.Record{Kind: "session", ID: "ada"}
	if err := s.Save(t.Context(), &r); err != nil {
		t.Fatal(err)
	}
	proxy.refuse(true)
	proxy.cut()
	for range 5 {
		_, loadErr := s.Load(t.Context(), "session", "ada")
		_, listErr := s.List(t.Context(), store.Query{Kind: "session"})
		for what, err := range map[string]error{
			"Load": loadErr, "List": listErr,
			"Save": s.Save(t.Context(), &r), "Delete": s.Delete(t.Context(), "session", "ada", 0),
		} {
			if !errors.Is(err, store.ErrUnavailable) {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
	if _, err := postgres.Open(t.Context(), proxy.url, postgres.Options{}); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("Open: %v", err)
	}
	proxy.refuse(false)
	if err := s.Save(t.Context(), &r); err != nil {
		t.Errorf("after it came back: %v", err)
	}
	if s.Idle() == 0 {
		t.Error("no connection is idle, so the next lines test nothing")
	}
	proxy.cut()
	if _, err := s.Load(t.Context(), "session", "ada"); err != nil {
		t.Errorf("a read over a connection that had gone: %v", err)
	}
}

// A server that takes what it is sent and never answers.
func TestAServerThatHangs(t *testing.T) {
	serverURL(t)
	t.Parallel()
	proxy := newProxy(t, schema(t))
	s, err := postgres.Open(t.Context(), proxy.url, postgres.Options{Timeout: 3 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := store.Record{Kind: "session", ID: "ada"}
	if err := s.Save(t.Context(), &r); err != nil {
		t.Fatal(err)
	}
	proxy.hang(true)
	defer proxy.hang(false)

	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	if err := s.Save(ctx, &r); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, store.ErrUnavailable) {
		t.Errorf("the caller's deadline: %v", err)
	}
	if err := s.Save(t.Context(), &r); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("the store's own: %v", err)
	}
	// No timed test: the bound only tells an answer from none.
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("two calls with a deadline took %v", took)
	}
}

// A caller who gives up while another transaction holds the record: the wait
// ends, and the statement at the server too, so that it does not take effect
// later.
func TestAContextThatEndsInTheMiddle(t *testing.T) {
	where := schema(t)
	s := mustOpen(t, where)
	r := store.Record{Kind: "session", ID: "ada", Data: []byte("before")}
	if err := s.Save(t.Context(), &r); err != nil {
		t.Fatal(err)
	}
	release := holdRecords(t, where)
	for _, end := range []error{context.DeadlineExceeded, context.Canceled} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		if end == context.Canceled {
			ctx, cancel = context.WithCancel(t.Context())
			time.AfterFunc(50*time.Millisecond, cancel)
		}
		late := r
		late.Data = []byte("too late")
		if err := s.Save(ctx, &late); !errors.Is(err, end) || late.Version != r.Version {
			t.Errorf("Save: got %v, version %d", err, late.Version)
		}
		cancel()
		ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
		if err := s.Delete(ctx, "session", "ada", 0); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Delete: got %v", err)
		}
		cancel()
	}
	waitForNoWaiter(t, where)
	release()
	got, err := s.Load(t.Context(), "session", "ada")
	if err != nil || string(got.Data) != "before" {
		t.Errorf("%q stands, %v", got.Data, err)
	}
	if err := s.Save(t.Context(), &r); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// More callers than connections wait their turn, and their contexts count while
// they do.
func TestAFullPool(t *testing.T) {
	where := schema(t)
	s := mustOpen(t, with(t, where, "pool_max_conns", "2"))
	var wait sync.WaitGroup
	for w := range 64 {
		wait.Go(func() {
			if err := s.Save(t.Context(), &store.Record{Kind: "session", ID: fmt.Sprint(w)}); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	release := holdRecords(t, where)
	for range 2 {
		wait.Go(func() { _ = s.Delete(t.Context(), "session", "0", 0) })
	}
	waitForWaiters(t, where, 2)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := s.Load(ctx, "session", "1"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	release()
	wait.Wait()
}
