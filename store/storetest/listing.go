package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/store"
)

func ids(listed []store.Record) []string {
	found := []string{}
	for _, r := range listed {
		found = append(found, r.ID)
	}
	return found
}

func saveAll(t *testing.T, s store.Store, all []string) {
	for _, id := range all {
		mustSave(t, s, store.Record{Kind: "session", ID: id, Data: []byte("data of " + id)})
	}
}

func listOrder(t *testing.T, s store.Store) {
	if listed := mustList(t, s, store.Query{Kind: "session"}); len(listed) != 0 {
		t.Errorf("an empty store lists %v", listed)
	}
	saveAll(t, s, odd)
	want := slices.Clone(odd)
	slices.Sort(want) // by bytes
	if got := ids(mustList(t, s, store.Query{Kind: "session", Limit: store.MaxLimit})); !slices.Equal(got, want) {
		t.Errorf("listed %q\nwant   %q", got, want)
	}
}

func listHasNoData(t *testing.T, s store.Store) {
	r := mustSave(t, s, store.Record{Kind: "session", ID: "ada", Data: []byte("1")})
	r.Data = []byte("2")
	r = mustSave(t, s, r)
	listed := mustList(t, s, store.Query{Kind: "session"})
	r.Data = nil
	if len(listed) != 1 || !same(listed[0], r) || listed[0].Data != nil {
		t.Errorf("listed %+v, want %+v", listed, r)
	}
}

func listPrefix(t *testing.T, s store.Store) {
	all := slices.Concat(odd, []string{"ada/1", "ada/2", "ada", "ada0", "adb", "\U0010ffff\U0010ffff", "a\U0010ffff", "\ud7ff", "\ud7ffa"})
	saveAll(t, s, all)
	slices.Sort(all)
	for _, prefix := range append([]string{"", "ada/", "ad", "zz", "日本", strings.Repeat("x", store.MaxID-2)}, odd...) {
		want := []string{}
		for _, id := range all {
			if strings.HasPrefix(id, prefix) {
				want = append(want, id)
			}
		}
		if got := ids(mustList(t, s, store.Query{Kind: "session", Prefix: prefix, Limit: store.MaxLimit})); !slices.Equal(got, want) {
			t.Errorf("prefix %q: listed %q\nwant   %q", prefix, got, want)
		}
		for _, after := range []string{"a", "ada", "ada/1", "b", "\U0010ffff", strings.Repeat("x", store.MaxID)} {
			later := slices.DeleteFunc(slices.Clone(want), func(id string) bool { return id <= after })
			if got := ids(mustList(t, s, store.Query{Kind: "session", Prefix: prefix, After: after, Limit: store.MaxLimit})); !slices.Equal(got, later) {
				t.Errorf("prefix %q after %q: listed %q\nwant   %q", prefix, after, got, later)
			}
		}
	}
}

func listPages(t *testing.T, s store.Store) {
	const many = store.DefaultLimit + 20
	for i := range many {
		mustSave(t, s, store.Record{Kind: "session", ID: fmt.Sprintf("s%03d", i)})
	}
	mustSave(t, s, store.Record{Kind: "session", ID: "t"})
	if got := len(mustList(t, s, store.Query{Kind: "session"})); got != store.DefaultLimit {
		t.Errorf("a list without a limit has %d records, want %d", got, store.DefaultLimit)
	}
	for _, limit := range []int{1, 7, many, many + 1} {
		q := store.Query{Kind: "session", Prefix: "s", Limit: limit}
		var all []string
		for {
			page := ids(mustList(t, s, q))
			if len(page) > limit {
				t.Fatalf("a page of %d has %d records", limit, len(page))
			}
			if len(page) == 0 {
				break
			}
			all = append(all, page...)
			q.After = page[len(page)-1]
		}
		if len(all) != many || !slices.IsSorted(all) || len(slices.Compact(all)) != many {
			t.Errorf("pages of %d show %q", limit, all)
		}
	}
}

func listWhileChanging(t *testing.T, s store.Store) {
	saveAll(t, s, []string{"a", "c", "e", "g"})
	q := store.Query{Kind: "session", Limit: 2}
	first := ids(mustList(t, s, q))
	q.After = first[len(first)-1]
	// The last one seen goes, one comes before it and one behind it.
	if err := s.Delete(t.Context(), "session", q.After, 0); err != nil {
		t.Fatal(err)
	}
	saveAll(t, s, []string{"b", "d"})
	second := ids(mustList(t, s, q))
	if !slices.Equal(first, []string{"a", "c"}) || !slices.Equal(second, []string{"d", "e"}) {
		t.Errorf("listed %q and then %q", first, second)
	}
}

func listOutOfBounds(t *testing.T, s store.Store) {
	for _, q := range []store.Query{
		{},
		{Kind: "No Kind"},
		{Kind: "session", Limit: -1},
		{Kind: "session", Limit: store.MaxLimit + 1},
		{Kind: "session", Prefix: "\xff"},
		{Kind: "session", Prefix: "a\x00"},
		{Kind: "session", Prefix: strings.Repeat("x", store.MaxID+1)},
		{Kind: "session", After: "\xff"},
		{Kind: "session", After: "a\n"},
		{Kind: "session", After: strings.Repeat("x", store.MaxID+1)},
	} {
		_, err := s.List(t.Context(), q)
		wantError(t, fmt.Sprintf("List of %+v", q), err, store.ErrInvalid)
	}
}
