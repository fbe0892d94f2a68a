package storetest

import (
	"bytes"
	"testing"
	"time"

	"github.com/fwgo/fwgo/store"
)

func comesBack(t *testing.T, s store.Store) {
	r := mustSave(t, s, store.Record{Kind: "session", ID: "ada", Data: []byte(`{"turns":1}`)})
	if got := mustLoad(t, s, "session", "ada"); !same(got, r) {
		t.Errorf("loaded %+v, saved %+v", got, r)
	}
	r.Data = []byte(`{"turns":2}`)
	r = mustSave(t, s, r)
	if got := mustLoad(t, s, "session", "ada"); !same(got, r) {
		t.Errorf("loaded %+v, saved %+v", got, r)
	}
	_, err := s.Load(t.Context(), "session", "bob")
	wantError(t, "Load of what was never saved", err, store.ErrNotFound)
	_, err = s.Load(t.Context(), "a-kind-never-used", "ada")
	wantError(t, "Load of a kind never used", err, store.ErrNotFound)
}

func same(a, b store.Record) bool {
	return a.Kind == b.Kind && a.ID == b.ID && a.Version == b.Version &&
		bytes.Equal(a.Data, b.Data) && a.Updated.Equal(b.Updated)
}

func newRecord(t *testing.T, s store.Store) {
	r := mustSave(t, s, store.Record{Kind: "session", ID: "ada"})
	if r.Version <= 0 {
		t.Errorf("Save left the version of a new record at %d", r.Version)
	}
	again := store.Record{Kind: "session", ID: "ada", Data: []byte("again")}
	wantError(t, "Save of a new record where one stands", s.Save(t.Context(), &again), store.ErrConflict)
	if again.Version != 0 || !again.Updated.IsZero() {
		t.Errorf("a refused Save changed its record to %+v", again)
	}
	never := store.Record{Kind: "session", ID: "bob", Version: 1}
	wantError(t, "Save of a version where no record stands", s.Save(t.Context(), &never), store.ErrConflict)
	_, err := s.Load(t.Context(), "session", "bob")
	wantError(t, "Load after that", err, store.ErrNotFound)
}

func staleChange(t *testing.T, s store.Store) {
	first := mustSave(t, s, store.Record{Kind: "session", ID: "ada", Data: []byte("1")})
	stale := first
	first.Data = []byte("2")
	second := mustSave(t, s, first)
	if second.Version <= stale.Version {
		t.Errorf("the version went from %d to %d", stale.Version, second.Version)
	}
	for _, version := range []int64{0, stale.Version, second.Version + 1, second.Version + 1000} {
		r := store.Record{Kind: "session", ID: "ada", Version: version, Data: []byte("lost")}
		wantError(t, "Save for a version that does not stand", s.Save(t.Context(), &r), store.ErrConflict)
	}
	if got := mustLoad(t, s, "session", "ada"); !same(got, second) {
		t.Errorf("after refused changes %+v stands, want %+v", got, second)
	}
}

// A writer that read a record, slept, and wakes up after it was deleted and made
// anew must not overwrite what it never saw.
func versionsAreUnique(t *testing.T, s store.Store) {
	seen := map[int64]bool{}
	for range 5 {
		r := mustSave(t, s, store.Record{Kind: "session", ID: "ada"})
		for range 2 {
			if seen[r.Version] {
				t.Fatalf("the version %d came twice", r.Version)
			}
			seen[r.Version] = true
			r = mustSave(t, s, r)
		}
		if seen[r.Version] {
			t.Fatalf("the version %d came twice", r.Version)
		}
		seen[r.Version] = true
		if err := s.Delete(t.Context(), "session", "ada", r.Version); err != nil {
			t.Fatal(err)
		}
	}
	mustSave(t, s, store.Record{Kind: "session", ID: "ada", Data: []byte("new")})
	for version := range seen {
		r := store.Record{Kind: "session", ID: "ada", Version: version, Data: []byte("late")}
		wantError(t, "Save for a version of a record that was deleted", s.Save(t.Context(), &r), store.ErrConflict)
		wantError(t, "Delete for it", s.Delete(t.Context(), "session", "ada", version), store.ErrConflict)
	}
	if got := mustLoad(t, s, "session", "ada"); string(got.Data) != "new" {
		t.Errorf("a late writer left %q", got.Data)
	}
}

func deletes(t *testing.T, s store.Store) {
	wantError(t, "Delete of what was never saved", s.Delete(t.Context(), "session", "ada", 0), store.ErrNotFound)
	wantError(t, "Delete of its version", s.Delete(t.Context(), "session", "ada", 1), store.ErrNotFound)
	for _, exact := range []bool{false, true} {
		r := mustSave(t, s, store.Record{Kind: "session", ID: "ada"})
		other := mustSave(t, s, store.Record{Kind: "session", ID: "ada2"})
		version := int64(0)
		if exact {
			version = r.Version
		}
		if err := s.Delete(t.Context(), "session", "ada", version); err != nil {
			t.Fatal(err)
		}
		_, err := s.Load(t.Context(), "session", "ada")
		wantError(t, "Load of what was deleted", err, store.ErrNotFound)
		wantError(t, "a second Delete", s.Delete(t.Context(), "session", "ada", version), store.ErrNotFound)
		wantError(t, "Save of what was deleted", s.Save(t.Context(), &r), store.ErrConflict)
		if listed := mustList(t, s, store.Query{Kind: "session"}); len(listed) != 1 || listed[0].ID != "ada2" {
			t.Errorf("after a delete, List has %v", listed)
		}
		if err := s.Delete(t.Context(), "session", "ada2", other.Version); err != nil {
			t.Fatal(err)
		}
	}
}

// What a sweeper of old sessions needs: a session that was used since it was
// listed stays.
func staleDelete(t *testing.T, s store.Store) {
	r := mustSave(t, s, store.Record{Kind: "session", ID: "ada"})
	stale := r.Version
	r = mustSave(t, s, r)
	wantError(t, "Delete for a version that does not stand", s.Delete(t.Context(), "session", "ada", stale), store.ErrConflict)
	wantError(t, "Delete for a version to come", s.Delete(t.Context(), "session", "ada", r.Version+1), store.ErrConflict)
	mustLoad(t, s, "session", "ada")
}

func kindsAreApart(t *testing.T, s store.Store) {
	for _, kind := range []string{"session", "draft", "a", "session2", "session-2", "session_2"} {
		mustSave(t, s, store.Record{Kind: kind, ID: "x", Data: []byte(kind)})
	}
	for _, kind := range []string{"session", "draft", "a", "session2", "session-2", "session_2"} {
		if got := mustLoad(t, s, kind, "x"); got.Kind != kind || string(got.Data) != kind {
			t.Errorf("kind %s holds %s %q", kind, got.Kind, got.Data)
		}
		if listed := mustList(t, s, store.Query{Kind: kind}); len(listed) != 1 || listed[0].Kind != kind {
			t.Errorf("List of kind %s has %v", kind, listed)
		}
	}
	if err := s.Delete(t.Context(), "draft", "x", 0); err != nil {
		t.Fatal(err)
	}
	mustLoad(t, s, "session", "x")
}

func updated(t *testing.T, s store.Store) {
	long := time.Date(1999, 12, 31, 0, 0, 0, 0, time.UTC)
	r := mustSave(t, s, store.Record{Kind: "session", ID: "ada", Updated: long})
	// The store's clock may be another machine's.
	if off := time.Since(r.Updated).Abs(); off > time.Hour {
		t.Errorf("Updated is %v, %v off", r.Updated, off)
	}
	if r.Updated.Location() != time.UTC || !r.Updated.Equal(r.Updated.Truncate(time.Microsecond)) {
		t.Errorf("Updated is %v; it should be in UTC and whole microseconds", r.Updated)
	}
	got := mustLoad(t, s, "session", "ada")
	listed := mustList(t, s, store.Query{Kind: "session"})
	if !got.Updated.Equal(r.Updated) || got.Updated.Location() != time.UTC || len(listed) != 1 || !listed[0].Updated.Equal(r.Updated) || listed[0].Updated.Location() != time.UTC {
		t.Errorf("Save set %v, Load says %v, List says %v", r.Updated, got.Updated, listed)
	}
}

func copies(t *testing.T, s store.Store) {
	data := []byte("as it was")
	r := mustSave(t, s, store.Record{Kind: "session", ID: "ada", Data: data})
	copy(data, "CHANGED..")
	got := mustLoad(t, s, "session", "ada")
	if string(got.Data) != "as it was" {
		t.Errorf("a change of saved bytes reached the store: %q", got.Data)
	}
	copy(got.Data, "CHANGED..")
	if got := mustLoad(t, s, "session", "ada"); string(got.Data) != "as it was" {
		t.Errorf("a change of loaded bytes reached the store: %q", got.Data)
	}
	kept := mustLoad(t, s, "session", "ada").Data
	r.Data = bytes.Repeat([]byte("n"), len(kept))
	mustSave(t, s, r)
	if string(kept) != "as it was" {
		t.Errorf("a later Save reached loaded bytes: %q", kept)
	}
	_ = append(kept, "more"...)
	if got := mustLoad(t, s, "session", "ada"); !bytes.Equal(got.Data, r.Data) {
		t.Errorf("appending to loaded bytes reached the store: %q", got.Data)
	}
}
