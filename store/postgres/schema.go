package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// The version comes from a sequence of the whole table, so none comes twice for
// an id, also if the record is deleted and made anew. COLLATE "C" makes the order
// of ids that of their bytes.
const createTable = `
CREATE TABLE fwgo_records (
	kind    text        COLLATE "C" NOT NULL,
	id      text        COLLATE "C" NOT NULL,
	version bigint      GENERATED ALWAYS AS IDENTITY,
	updated timestamptz NOT NULL,
	data    bytea       NOT NULL,
	PRIMARY KEY (kind, id)
)`

// format is the table's comment, by which a later version of this package will
// know which columns it finds.
const format = "fwgo store 1"

// migrationLock is the key of the advisory lock under which the table is made:
// "fwgo" as bytes.
const migrationLock = 0x6677676f

// migrate makes the table if it is not there.
func migrate(ctx context.Context, pool *pgxpool.Pool) error {
	// First without the lock: where the table is there, a role without the right
	// to make one is enough.
	made, err := isMade(ctx, pool)
	if made || err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(migrationLock)); err != nil {
			return err
		}
		made, err := isMade(ctx, tx)
		if made || err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, createTable); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `COMMENT ON TABLE fwgo_records IS '`+format+`'`)
		return err
	})
}

func isMade(ctx context.Context, q interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}) (bool, error) {
	var encoding string
	var comment *string
	var exists bool
	// The catalog is asked as a table: to_regclass may answer from a cache that
	// does not yet know what the holder of the lock before us has made.
	err := q.QueryRow(ctx, `
		SELECT current_setting('server_encoding'), c.oid IS NOT NULL, obj_description(c.oid, 'pg_class')
		FROM (SELECT) AS always
		LEFT JOIN pg_class c ON c.relname = 'fwgo_records' AND pg_table_is_visible(c.oid)`,
	).Scan(&encoding, &exists, &comment)
	switch {
	case err != nil:
		return false, err
	case encoding != "UTF8":
		return false, fmt.Errorf("the database's encoding is %s, it must be UTF8", encoding)
	case exists && (comment == nil || *comment != format):
		return false, fmt.Errorf("the table fwgo_records is not one of this version of fwgo: its comment is not %q", format)
	}
	return exists, nil
}
