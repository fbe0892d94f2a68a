package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/fwgo/fwgo/store"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// DefaultTimeout is how long one call waits for the database.
const DefaultTimeout = 30 * time.Second

// maxMaxData is well below what PostgreSQL takes in one message (1 GiB).
const maxMaxData = 256 << 20

// Options are the options of Open. The zero value is good.
type Options struct {
	// MaxData is how many bytes of data a record may hold, at most 256 MiB; 0 is
	// store.DefaultMaxData.
	MaxData int

	// Timeout is how long Open, or one call of a method, may take at most, a
	// free connection's wait included, also if its context ends later or never.
	// 0 is DefaultTimeout. A call that took longer returns an error that is
	// context.DeadlineExceeded and store.ErrUnavailable.
	Timeout time.Duration
}

// A Store keeps records in a database. It is made by Open.
type Store struct {
	pool    *pgxpool.Pool
	maxData int
	timeout time.Duration
}

var _ store.Store = (*Store)(nil)

// Open connects to the database that url names, in any form PostgreSQL's own
// tools take ("postgres://..." or "host=... dbname=..."), and makes the table if
// it is not there. Several processes may open a new database at the same time.
// Errors do not hold the password.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
	if o.MaxData < 0 || o.MaxData > maxMaxData {
		return nil, fmt.Errorf("postgres store: MaxData is %d, accepted are 1 to %d bytes, and 0 for %d", o.MaxData, maxMaxData, store.DefaultMaxData)
	}
	if o.Timeout < 0 {
		return nil, fmt.Errorf("postgres store: Timeout is %v, it may not be negative", o.Timeout)
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("postgres store: %w", err)
	}
	config.AfterConnect = settle
	pool, err := pgxpool.NewWithConfig(context.WithoutCancel(ctx), config)
	if err != nil {
		return nil, fmt.Errorf("postgres store: %w", err)
	}
	s := &Store{pool: pool, maxData: o.MaxData, timeout: o.Timeout}
	err = s.call(ctx, func(ctx context.Context) error { return migrate(ctx, pool) })
	if err != nil {
		pool.Close()
		return nil, err
	}
	return s, nil
}

// Close waits for the calls under way and closes the connections. Later calls
// get store.ErrClosed. It always returns nil; a second Close does nothing.
func (s *Store) Close() error {
	s.pool.Close()
	return nil
}

// settle gives a connection what the promises of the store rest on, whatever
// the server's or the role's defaults are: a commit is on the disk when it is
// answered, and a statement that waited for another sees what that one left.
func settle(ctx context.Context, c *pgx.Conn) error {
	_, err := c.Exec(ctx, `
		SELECT set_config('default_transaction_isolation', 'read committed', false),
		       CASE current_setting('synchronous_commit')
		       WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END`)
	return err
}
