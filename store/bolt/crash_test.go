package bolt

import (
	"path/filepath"
	"strconv"
	"testing"

	"github.com/fwgo/fwgo/store"
	"github.com/fwgo/fwgo/store/storetest"
	"go.etcd.io/bbolt"
)

func TestMain(m *testing.M) {
	storetest.CrashChild(func(path string) (store.Store, error) { return Open(path, Options{}) })
	m.Run()
}

// Acknowledged means durable (D-11): 200 processes are killed with SIGKILL, in
// two rows of 100 that each go on with one file.
func TestNothingAcknowledgedIsLost(t *testing.T) {
	t.Parallel()
	kills := 100
	if testing.Short() {
		kills = 10
	}
	for row := range uint64(2) {
		t.Run(strconv.FormatUint(row, 10), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "fwgo.db")
			storetest.Crash(t, storetest.CrashTest{
				Where: path,
				Kills: kills,
				Seed:  row,
				Reopen: func(t *testing.T) (store.Store, func()) {
					s, err := Open(path, Options{})
					if err != nil {
						t.Fatal(err)
					}
					checkPages(t, s)
					return s, func() {
						if err := s.Close(); err != nil {
							t.Error(err)
						}
					}
				},
			})
		})
	}
}

// checkPages has bbolt look for pages that are lost, shared or out of order.
func checkPages(t *testing.T, s *Store) {
	err := s.db.View(func(tx *bbolt.Tx) error {
		for err := range tx.Check() {
			t.Errorf("after a kill: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
