package bolt

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/fwgo/fwgo/store"
	"go.etcd.io/bbolt"
)

func edit(t *testing.T, path string, f func(tx *bbolt.Tx) error) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Update(f), db.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestAnotherProgramsFileIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "theirs.db")
	edit(t, path, func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucket([]byte("theirs"))
		return err
	})
	if _, err := Open(path, Options{}); !errors.Is(err, ErrForeign) {
		t.Errorf("got %v", err)
	}
	edit(t, path, func(tx *bbolt.Tx) error {
		if tx.Bucket(aboutBucket) != nil || tx.Bucket(recordsBucket) != nil {
			t.Error("Open wrote into it")
		}
		return nil
	})
}

func TestALaterFormatIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "later.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	edit(t, path, func(tx *bbolt.Tx) error { return tx.Bucket(aboutBucket).Put(formatKey, []byte("store 2")) })
	if _, err := Open(path, Options{}); !errors.Is(err, ErrForeign) {
		t.Errorf("got %v", err)
	}
}

func TestADamagedRecordIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fwgo.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"ada", "bob"} {
		if err := s.Save(t.Context(), &store.Record{Kind: "session", ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	edit(t, path, func(tx *bbolt.Tx) error {
		return tx.Bucket(recordsBucket).Bucket([]byte("session")).Put([]byte("ada"), []byte("short"))
	})
	s, err = Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	_, loadErr := s.Load(t.Context(), "session", "ada")
	_, listErr := s.List(t.Context(), store.Query{Kind: "session"})
	saveErr := s.Save(t.Context(), &store.Record{Kind: "session", ID: "ada"})
	for what, err := range map[string]error{"Load": loadErr, "List": listErr, "Save": saveErr} {
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: got %v", what, err)
		}
	}
	if _, err := s.Load(t.Context(), "session", "bob"); err != nil {
		t.Errorf("the record beside it: %v", err)
	}
}

// A panic of the file library must neither end the process nor leave the store
// locked for those who come after.
func TestAPanicWhileReadingOrWritingIsAnError(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "fwgo.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.view(func(*bbolt.Bucket) error { panic("page 7 makes no sense") })
	if !errors.Is(err, ErrDamaged) {
		t.Errorf("reading: got %v", err)
	}
	err = s.submit(t.Context(), 0, func(*bbolt.Bucket) (error, error) { panic("page 7 makes no sense") })
	if !errors.Is(err, ErrDamaged) {
		t.Errorf("writing: got %v", err)
	}
	if err := s.Save(t.Context(), &store.Record{Kind: "session", ID: "ada"}); err != nil {
		t.Errorf("after it: %v", err)
	}
}

// Changes that are written together stand or fall together, but one that is
// refused does not pull the others down.
func TestRefusedChangesShareABatch(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "fwgo.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	refusal, fault := errors.New("refused"), errors.New("disk on fire")
	put := func(key string) func(*bbolt.Bucket) (error, error) {
		return func(records *bbolt.Bucket) (error, error) {
			shelf, err := records.CreateBucketIfNotExists([]byte("session"))
			if err != nil {
				return nil, err
			}
			return nil, shelf.Put([]byte(key), makeValue(nil))
		}
	}
	refuse := func(*bbolt.Bucket) (error, error) { return refusal, nil }
	burn := func(*bbolt.Bucket) (error, error) { return nil, fault }
	commit := func(applies ...func(*bbolt.Bucket) (error, error)) (outcomes []error) {
		var batch []*change
		for _, apply := range applies {
			batch = append(batch, &change{apply: apply, outcome: make(chan error, 1)})
		}
		s.commit(batch)
		for _, c := range batch {
			outcomes = append(outcomes, <-c.outcome)
		}
		return outcomes
	}
	is := func(id string) bool {
		_, err := s.Load(t.Context(), "session", id)
		return err == nil
	}
	if got := commit(put("a"), refuse, put("b")); got[0] != nil || got[1] != refusal || got[2] != nil || !is("a") || !is("b") {
		t.Errorf("with a refusal: %v", got)
	}
	if got := commit(refuse, refuse); got[0] != refusal || got[1] != refusal {
		t.Errorf("refusals only: %v", got)
	}
	if got := commit(put("c"), refuse, burn, put("d")); got[0] != fault || got[1] != fault || got[2] != fault || got[3] != fault || is("c") || is("d") {
		t.Errorf("with a fault: %v", got)
	}
}
