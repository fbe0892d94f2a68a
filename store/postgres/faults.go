package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/fwgo/fwgo/store"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"
)

// call runs f under the store's timeout and maps its error. If nothing had been
// sent when a connection was found broken, it runs f once more, which connects
// anew: after a restart of the server a pool is full of such connections. When
// the context ends, the driver gives the connection up and tells the server to
// stop the statement, which so neither holds a record nor takes effect later.
func (s *Store) call(ctx context.Context, f func(ctx context.Context) error) error {
	return s.run(ctx, f, pgconn.SafeToRetry)
}

// read is call for an f that changes nothing, and so may run again also when the
// connection broke before the answer came.
func (s *Store) read(ctx context.Context, f func(ctx context.Context) error) error {
	return s.run(ctx, f, func(err error) bool { return pgconn.SafeToRetry(err) || isLost(err) })
}

func (s *Store) run(ctx context.Context, f func(ctx context.Context) error, again func(error) bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	bounded, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	err := f(bounded)
	if err != nil && bounded.Err() == nil && again(err) {
		err = f(bounded)
	}
	switch {
	case err == nil, errors.Is(err, pgx.ErrNoRows):
		return err
	case errors.Is(err, puddle.ErrClosedPool):
		return fmt.Errorf("postgres store: %w", store.ErrClosed)
	case ctx.Err() != nil:
		return fmt.Errorf("postgres store: %w (%v)", ctx.Err(), err)
	case bounded.Err() != nil:
		return fmt.Errorf("postgres store: %w: no answer within %v: %w (%v)", store.ErrUnavailable, s.timeout, bounded.Err(), err)
	case isLost(err):
		return fmt.Errorf("postgres store: %w: %w", store.ErrUnavailable, err)
	}
	return fmt.Errorf("postgres store: %w", err)
}

// isLost says whether err is about the way to the server, or the server's state,
// rather than about what was asked of it.
func isLost(err error) bool {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		// 08 is the connection, 53 a lack of resources (a full disk among them), 57
		// a server that stops, starts or has a timeout of its own, 40 and 55P03 a
		// lock not got, 25006 a standby that has not taken over yet.
		for _, passing := range []string{"08", "25006", "40", "53", "55P03", "57"} {
			if strings.HasPrefix(refused.Code, passing) {
				return true
			}
		}
		return false
	}
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) || pgconn.SafeToRetry(err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, pgconn.ErrConnClosed)
}
