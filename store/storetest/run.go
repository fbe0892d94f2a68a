package storetest

import (
	"errors"
	"testing"

	"github.com/fwgo/fwgo/store"
)

// Run checks all that a store.Store promises while it is open. Each subtest gets
// a store of its own from open: empty, taking store.DefaultMaxData bytes a
// record, and closed by open's own t.Cleanup if it needs that.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, store.Store)
	}{
		{"a record comes back as it was saved", comesBack},
		{"a new record has no version", newRecord},
		{"a change made for another version is refused", staleChange},
		{"a version never comes twice for an id", versionsAreUnique},
		{"a record can be deleted", deletes},
		{"a delete for another version is refused", staleDelete},
		{"kinds are apart", kindsAreApart},
		{"updated is the store's clock", updated},
		{"bytes are copied in and out", copies},
		{"ids may hold odd characters", oddIDs},
		{"ids, kinds and versions out of bounds are refused", outOfBounds},
		{"data may be of any bytes", anyBytes},
		{"data may be large and not larger", largeData},
		{"a list is in the order of its ids", listOrder},
		{"a list has no data", listHasNoData},
		{"a list keeps to its prefix", listPrefix},
		{"a list can be had in pages", listPages},
		{"a list survives changes between its pages", listWhileChanging},
		{"a list out of bounds is refused", listOutOfBounds},
		{"a context that has ended changes nothing", endedContext},
		{"contexts that end midway leave whole records", endingContexts},
		{"of many makers of one record one wins", oneMaker},
		{"no change of many writers is lost", noLostUpdate},
		{"readers see whole records only", readersSeeWhole},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, open(t)) })
	}
}

// mustSave saves a new record, or a new version of r, and returns it as it
// stands.
func mustSave(t testing.TB, s store.Store, r store.Record) store.Record {
	t.Helper()
	if err := s.Save(t.Context(), &r); err != nil {
		t.Fatalf("Save of %s: %v", store.Name(r.Kind, r.ID), err)
	}
	return r
}

func mustLoad(t testing.TB, s store.Store, kind, id string) store.Record {
	t.Helper()
	r, err := s.Load(t.Context(), kind, id)
	if err != nil {
		t.Fatalf("Load of %s: %v", store.Name(kind, id), err)
	}
	return r
}

func mustList(t testing.TB, s store.Store, q store.Query) []store.Record {
	t.Helper()
	listed, err := s.List(t.Context(), q)
	if err != nil {
		t.Fatalf("List of %+v: %v", q, err)
	}
	return listed
}

func wantError(t testing.TB, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: got error %v, want one that is %q", what, got, want)
	}
}
