package storetest

import (
	"fmt"
	"testing"

	"github.com/fwgo/fwgo/store"
)

// Durable checks that a store holds what it held, versions included, after it
// was closed and opened again. The open of each subtest returns an empty store
// and a function that closes it and opens it again.
func Durable(t *testing.T, open func(t *testing.T) (s store.Store, reopen func() store.Store)) {
	t.Run("records outlive the store that saved them", func(t *testing.T) {
		s, reopen := open(t)
		var all []store.Record
		for i, id := range odd {
			r := mustSave(t, s, store.Record{Kind: "session", ID: id, Data: payload(id, i)})
			if i%3 == 0 {
				r.Data = payload(id, i+1)
				r = mustSave(t, s, r)
			}
			all = append(all, r)
		}
		gone := all[0]
		if err := s.Delete(t.Context(), gone.Kind, gone.ID, gone.Version); err != nil {
			t.Fatal(err)
		}
		for round := range 3 {
			s = reopen()
			_, err := s.Load(t.Context(), gone.Kind, gone.ID)
			wantError(t, "Load of what was deleted", err, store.ErrNotFound)
			for _, want := range all[1:] {
				if got := mustLoad(t, s, want.Kind, want.ID); !same(got, want) {
					t.Fatalf("after opening again, %s has version %d and %d bytes, want version %d and %d bytes",
						store.Name(want.Kind, want.ID), got.Version, len(got.Data), want.Version, len(want.Data))
				}
			}
			if listed := mustList(t, s, store.Query{Kind: "session", Limit: store.MaxLimit}); len(listed) != len(all)-1 {
				t.Errorf("after opening again, %d records are listed, want %d", len(listed), len(all)-1)
			}
			mustSave(t, s, store.Record{Kind: "round", ID: fmt.Sprint(round)})
		}
	})
	t.Run("a version does not come twice after opening again", func(t *testing.T) {
		s, reopen := open(t)
		seen := map[int64]bool{}
		for range 4 {
			r := mustSave(t, s, store.Record{Kind: "session", ID: "ada"})
			if seen[r.Version] {
				t.Fatalf("the version %d came twice", r.Version)
			}
			seen[r.Version] = true
			if err := s.Delete(t.Context(), "session", "ada", r.Version); err != nil {
				t.Fatal(err)
			}
			s = reopen()
		}
	})
}
