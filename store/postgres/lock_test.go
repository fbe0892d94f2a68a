package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// holdRecords locks all records until the function that it returns is called.
func holdRecords(t *testing.T, where string) (release func()) {
	t.Helper()
	ctx := context.Background()
	c, err := pgx.Connect(ctx, where)
	if err != nil {
		t.Fatal(err)
	}
	tx, err := c.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(ctx, `SELECT FROM fwgo_records FOR UPDATE`); err != nil {
		t.Fatal(err)
	}
	done := false
	release = func() {
		if !done {
			done = true
			_ = tx.Rollback(ctx)
			_ = c.Close(ctx)
		}
	}
	t.Cleanup(release)
	return release
}

// waitForWaiters returns once so many statements on this schema's table wait for
// a lock.
func waitForWaiters(t *testing.T, where string, want int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	c, err := pgx.Connect(ctx, where)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	for {
		var waiting int
		// Whoever waits for a record holds a lock on its table.
		err := c.QueryRow(ctx, `
			SELECT count(*) FROM pg_stat_activity a WHERE wait_event_type = 'Lock'
			AND EXISTS (SELECT FROM pg_locks l WHERE l.pid = a.pid AND l.relation = 'fwgo_records'::regclass)`).Scan(&waiting)
		if err != nil {
			t.Fatal(err)
		}
		if waiting == want {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func waitForNoWaiter(t *testing.T, where string) {
	t.Helper()
	waitForWaiters(t, where, 0)
}
