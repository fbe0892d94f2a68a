package store_test

import (
	"errors"
	"testing"

	"github.com/fwgo/fwgo/store"
	"github.com/fwgo/fwgo/store/storetest"
)

func TestMemory(t *testing.T) {
	storetest.Run(t, func(*testing.T) store.Store { return store.Memory() })
}

func TestMemoryTakesAnotherLimit(t *testing.T) {
	s := store.Memory(store.MemoryOptions{MaxData: 4})
	if err := s.Save(t.Context(), &store.Record{Kind: "session", ID: "ada", Data: []byte("1234")}); err != nil {
		t.Error(err)
	}
	err := s.Save(t.Context(), &store.Record{Kind: "session", ID: "bob", Data: []byte("12345")})
	if !errors.Is(err, store.ErrTooLarge) || err.Error() != `too large for the store: session "bob" holds 5 bytes, at most 4 are taken` {
		t.Errorf("got %v", err)
	}
}
