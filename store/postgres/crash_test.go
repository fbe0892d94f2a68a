package postgres_test

import (
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/fwgo/fwgo/store"
	"github.com/fwgo/fwgo/store/storetest"
)

// Acknowledged means durable (D-11): 200 client processes are killed with
// SIGKILL, in two rows of 100.
func TestNothingAcknowledgedIsLost(t *testing.T) {
	serverURL(t)
	t.Parallel()
	kills := 100
	if testing.Short() {
		kills = 10
	}
	for row := range uint64(2) {
		t.Run(strconv.FormatUint(row, 10), func(t *testing.T) {
			t.Parallel()
			where := schema(t)
			storetest.Crash(t, storetest.CrashTest{Where: where, Kills: kills, Seed: row, Reopen: reopener(where)})
		})
	}
}

// The server and all its helpers are killed with SIGKILL and started again while
// a client saves; the client goes on by itself. Not parallel: the
// parallel tests wait for it, and need a server.
func TestTheServerIsKilled(t *testing.T) {
	serverURL(t)
	if os.Getenv("FWGO_POSTGRES_DIR") == "" {
		t.Skip("FWGO_POSTGRES_DIR names no server that may be killed; source testdata/postgres.sh to have one")
	}
	kills := 5
	if testing.Short() {
		kills = 1
	}
	where := schema(t)
	storetest.Crash(t, storetest.CrashTest{
		Where: where, Kills: kills, Seed: 3, Reopen: reopener(where),
		Strike: func(t *testing.T) {
			if out, err := exec.Command("bash", "testdata/postgres.sh", "crash").CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		},
	})
}

func reopener(where string) func(t *testing.T) (store.Store, func()) {
	return func(t *testing.T) (store.Store, func()) {
		s := mustOpen(t, where)
		return s, func() { _ = s.Close() }
	}
}
