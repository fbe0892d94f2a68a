package postgres_test

import (
	"context"
	"testing"

	"github.com/fwgo/fwgo/command/sessiontest"
	"github.com/fwgo/fwgo/store"
	"github.com/fwgo/fwgo/store/postgres"
)

// A session whose process is killed after an acknowledged turn goes on in the
// next with nothing lost, 200 times in a row (D-11).
func TestSessionsSurviveTheirProcess(t *testing.T) {
	serverURL(t)
	t.Parallel()
	kills := 200
	if testing.Short() {
		kills = 20
	}
	where := schema(t)
	sessiontest.Crash(t, where, kills, func() (store.Store, error) {
		return postgres.Open(context.Background(), where, postgres.Options{})
	})
}
