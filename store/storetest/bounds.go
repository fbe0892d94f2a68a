package storetest

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/store"
)

// odd are ids that a store might take for something else: patterns, paths,
// quotes, statements, other ids in another case or composition.
var odd = []string{
	"a", "A", "\u00e1", "a\u0301", "\uff41", " a", "a ", "a  b", " ", "0", "00", "-1", "null", "''", `"`, "`",
	"%", "_", "a%", "a_", "[a]", "*", "?", `\`, `\\`, `\x41`, "a/b", "a//b", "/", "..", "../a", "./a", ".", "a:b", "a;b",
	"'; drop table records; --", "$1", "{}", "<a>", "&amp;", "#", "@", "+", "a=b", "a,b",
	"ß", "\u1e9e", "ss", "\u0131", "I", "\u0130", "i", "\u2126", "\u03a9", "日本語", "עברית", "👩\u200d👩", "\u200b", "\u202e", "\ufeff", "\ufffd", "\U0010ffff", "\ue000",
	strings.Repeat("x", store.MaxID), strings.Repeat("x", store.MaxID-1), strings.Repeat("日", store.MaxID/3), strings.Repeat("%", store.MaxID),
}

func oddIDs(t *testing.T, s store.Store) {
	for i, id := range odd {
		mustSave(t, s, store.Record{Kind: "session", ID: id, Data: []byte{byte(i)}})
	}
	for i, id := range odd {
		got := mustLoad(t, s, "session", id)
		if got.ID != id || !bytes.Equal(got.Data, []byte{byte(i)}) {
			t.Errorf("the record %q came back as %q with %v", id, got.ID, got.Data)
		}
	}
	if listed := mustList(t, s, store.Query{Kind: "session", Limit: store.MaxLimit}); len(listed) != len(odd) {
		t.Errorf("%d ids were saved and %d listed", len(odd), len(listed))
	}
	for i, id := range odd {
		if err := s.Delete(t.Context(), "session", id, 0); err != nil {
			t.Fatalf("Delete of %q: %v", id, err)
		}
		if i+1 < len(odd) {
			mustLoad(t, s, "session", odd[i+1])
		}
	}
}

func outOfBounds(t *testing.T, s store.Store) {
	check := func(kind, id string) {
		t.Helper()
		_, err := s.Load(t.Context(), kind, id)
		wantError(t, "Load", err, store.ErrInvalid)
		wantError(t, "Save", s.Save(t.Context(), &store.Record{Kind: kind, ID: id}), store.ErrInvalid)
		wantError(t, "Delete", s.Delete(t.Context(), kind, id, 0), store.ErrInvalid)
	}
	for _, id := range []string{
		"", strings.Repeat("x", store.MaxID+1), strings.Repeat("日", store.MaxID/3+1),
		"a\x00b", "\x00", "a\nb", "\t", "\x7f", "\u0085", "\xff", "a\xc3", "\xed\xa0\x80",
	} {
		check("session", id)
	}
	for _, kind := range []string{
		"", strings.Repeat("k", store.MaxKind+1), "Session", "1session", "-", "_a", "a b", "a.b", "a/b", "é", "a\x00",
	} {
		check(kind, "ada")
	}
	wantError(t, "Save of a negative version", s.Save(t.Context(), &store.Record{Kind: "session", ID: "ada", Version: -1}), store.ErrInvalid)
	wantError(t, "Delete of a negative version", s.Delete(t.Context(), "session", "ada", -1), store.ErrInvalid)
	wantError(t, "Save of nil", s.Save(t.Context(), nil), store.ErrInvalid)
	longest := strings.Repeat("k", store.MaxKind)
	mustSave(t, s, store.Record{Kind: longest, ID: "ada"})
	mustLoad(t, s, longest, "ada")
}

func anyBytes(t *testing.T, s store.Store) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for _, data := range [][]byte{nil, {}, {0}, {0, 0, 0}, {0xff, 0xfe}, all, []byte(`\x00`), []byte("null"), []byte("\xed\xa0\x80")} {
		r := mustSave(t, s, store.Record{Kind: "session", ID: "ada", Data: data})
		if got := mustLoad(t, s, "session", "ada"); !bytes.Equal(got.Data, data) {
			t.Errorf("%q came back as %q", data, got.Data)
		}
		if err := s.Delete(t.Context(), "session", "ada", r.Version); err != nil {
			t.Fatal(err)
		}
	}
}

func largeData(t *testing.T, s store.Store) {
	random := rand.NewChaCha8([32]byte{1})
	largest := make([]byte, store.DefaultMaxData)
	random.Read(largest)
	var r store.Record
	for _, size := range []int{4095, 4096, 4097, 1 << 20, store.DefaultMaxData, 10} {
		r = store.Record{Kind: "session", ID: "ada", Version: r.Version, Data: largest[:size]}
		r = mustSave(t, s, r)
		if got := mustLoad(t, s, "session", "ada"); !bytes.Equal(got.Data, largest[:size]) {
			t.Errorf("%d bytes came back as %d others", size, len(got.Data))
		}
	}
	r.Data = append(largest, 0)
	wantError(t, "Save of one byte more than the limit", s.Save(t.Context(), &r), store.ErrTooLarge)
	if got := mustLoad(t, s, "session", "ada"); len(got.Data) != 10 {
		t.Errorf("a refused Save left %d bytes", len(got.Data))
	}
}
