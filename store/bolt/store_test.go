package bolt_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/fwgo/fwgo/store"
	"github.com/fwgo/fwgo/store/bolt"
	"github.com/fwgo/fwgo/store/storetest"
)

func mustOpen(t *testing.T, path string) *bolt.Store {
	t.Helper()
	s, err := bolt.Open(path, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestStore(t *testing.T) {
	t.Parallel() // with the kills, which mostly wait
	storetest.Run(t, func(t *testing.T) store.Store {
		return mustOpen(t, filepath.Join(t.TempDir(), "fwgo.db"))
	})
}

func TestStoreOutlivesItself(t *testing.T) {
	storetest.Durable(t, func(t *testing.T) (store.Store, func() store.Store) {
		path := filepath.Join(t.TempDir(), "fwgo.db")
		s := mustOpen(t, path)
		return s, func() store.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = mustOpen(t, path)
			return s
		}
	})
}

func TestAFileHasOneOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fwgo.db")
	s := mustOpen(t, path)
	_, err := bolt.Open(path, bolt.Options{LockTimeout: 60 * time.Millisecond})
	want := "store file " + path + ": the store file is in use: another process has it open and did not close it within 60ms"
	if !errors.Is(err, bolt.ErrLocked) || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	// One that waits gets the file as soon as it is free.
	got := make(chan error)
	go func() {
		second, err := bolt.Open(path, bolt.Options{LockTimeout: time.Minute})
		if err == nil {
			err = second.Close()
		}
		got <- err
	}()
	time.Sleep(20 * time.Millisecond)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := <-got; err != nil {
		t.Error(err)
	}
}

func TestAClosedStoreSaysSo(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "fwgo.db"))
	r := store.Record{Kind: "session", ID: "ada"}
	if err := s.Save(t.Context(), &r); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	_, loadErr := s.Load(t.Context(), "session", "ada")
	_, listErr := s.List(t.Context(), store.Query{Kind: "session"})
	for what, err := range map[string]error{
		"Load": loadErr, "List": listErr,
		"Save": s.Save(t.Context(), &r), "Delete": s.Delete(t.Context(), "session", "ada", 0),
	} {
		if !errors.Is(err, store.ErrClosed) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// What was acknowledged before a Close is there, what was not got ErrClosed, and
// nobody waits for ever.
func TestCloseWhileOthersSave(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fwgo.db")
	s := mustOpen(t, path)
	var wait sync.WaitGroup
	acknowledged := make([]int, 16)
	for w := range acknowledged {
		wait.Go(func() {
			for {
				r := store.Record{Kind: "session", ID: fmt.Sprintf("%d/%d", w, acknowledged[w])}
				err := s.Save(t.Context(), &r)
				if errors.Is(err, store.ErrClosed) {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				acknowledged[w]++
			}
		})
	}
	time.Sleep(20 * time.Millisecond)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	wait.Wait()
	s = mustOpen(t, path)
	for w, n := range acknowledged {
		for i := range n + 1 {
			_, err := s.Load(t.Context(), "session", fmt.Sprintf("%d/%d", w, i))
			if found := err == nil; found != (i < n) {
				t.Errorf("record %d of %d acknowledged ones: %v", i, n, err)
			}
		}
	}
}

// A caller that gave up has changed nothing, and need not look (unlike with a
// store across a network).
func TestAnEndedContextIsNeverInDoubt(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "fwgo.db"))
	var wait sync.WaitGroup
	for w := range 32 {
		wait.Go(func() {
			for i := range 20 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(w*i)*5*time.Microsecond)
				r := store.Record{Kind: "session", ID: fmt.Sprintf("%d/%d", w, i)}
				saveErr := s.Save(ctx, &r)
				cancel()
				_, err := s.Load(t.Context(), "session", r.ID)
				if stored := err == nil; stored != (saveErr == nil) {
					t.Errorf("Save said %v, Load says %v", saveErr, err)
				}
			}
		})
	}
	wait.Wait()
}

func TestOpenRefuses(t *testing.T) {
	folder := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text := make([]byte, 64<<10)
	for i := range text {
		text[i] = byte('a' + i%26)
	}
	for _, test := range []struct {
		name string
		path string
		o    bolt.Options
		want error
	}{
		{"a short text", write("short", []byte("dear diary")), bolt.Options{}, bolt.ErrForeign},
		{"a long text", write("long", text), bolt.Options{}, bolt.ErrForeign},
		{"zeroes", write("zeroes", make([]byte, 1<<20)), bolt.Options{}, bolt.ErrForeign},
		{"a folder", folder, bolt.Options{}, nil},
		{"a folder that is not there", filepath.Join(folder, "none", "x.db"), bolt.Options{}, os.ErrNotExist},
		{"a limit that is too large", filepath.Join(folder, "a"), bolt.Options{MaxData: 1<<30 + 1}, nil},
		{"a negative limit", filepath.Join(folder, "a"), bolt.Options{MaxData: -1}, nil},
		{"a negative timeout", filepath.Join(folder, "a"), bolt.Options{LockTimeout: -1}, nil},
	} {
		before, _ := os.ReadFile(test.path)
		s, err := bolt.Open(test.path, test.o)
		if err == nil || s != nil || test.want != nil && !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, err, test.want)
		}
		if after, _ := os.ReadFile(test.path); string(before) != string(after) {
			t.Errorf("%s: Open changed the file", test.name)
		}
	}
}

func TestOtherLimit(t *testing.T) {
	s, err := bolt.Open(filepath.Join(t.TempDir(), "fwgo.db"), bolt.Options{MaxData: 20 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := store.Record{Kind: "session", ID: "ada", Data: make([]byte, 20<<20)}
	if err := s.Save(t.Context(), &r); err != nil {
		t.Error(err)
	}
	r.Data = make([]byte, 20<<20+1)
	if err := s.Save(t.Context(), &r); !errors.Is(err, store.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
}

// Conversations are private.
func TestFileIsForItsOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fwgo.db")
	mustOpen(t, path)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}
