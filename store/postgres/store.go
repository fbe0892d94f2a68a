package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/fwgo/fwgo/store"
	"github.com/jackc/pgx/v5"
)

// Load returns the record, or store.ErrNotFound.
func (s *Store) Load(ctx context.Context, kind, id string) (store.Record, error) {
	if err := store.CheckKey(kind, id); err != nil {
		return store.Record{}, err
	}
	r := store.Record{Kind: kind, ID: id}
	err := s.read(ctx, func(ctx context.Context) error {
		return s.pool.QueryRow(ctx,
			`SELECT version, updated, data FROM fwgo_records WHERE kind = $1 AND id = $2`, kind, id,
		).Scan(&r.Version, &r.Updated, &r.Data)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return store.Record{}, fmt.Errorf("%s: %w", store.Name(kind, id), store.ErrNotFound)
	}
	if err != nil {
		return store.Record{}, err
	}
	r.Updated = r.Updated.UTC()
	return r, nil
}

// Save stores r, durably once it returns nil; see store.Store.
func (s *Store) Save(ctx context.Context, r *store.Record) error {
	if err := store.CheckSave(r, s.maxData); err != nil {
		return err
	}
	data := r.Data
	if data == nil {
		data = []byte{} // nil would be NULL
	}
	var version int64
	var updated time.Time
	err := s.call(ctx, func(ctx context.Context) error {
		// One statement each, so that one round trip both checks and writes: what
		// stands is locked, compared as it then is, and changed.
		if r.Version == 0 {
			return s.pool.QueryRow(ctx, `
				INSERT INTO fwgo_records (kind, id, updated, data) VALUES ($1, $2, clock_timestamp(), $3)
				ON CONFLICT DO NOTHING RETURNING version, updated`, r.Kind, r.ID, data,
			).Scan(&version, &updated)
		}
		return s.pool.QueryRow(ctx, `
			UPDATE fwgo_records SET version = DEFAULT, updated = clock_timestamp(), data = $4
			WHERE kind = $1 AND id = $2 AND version = $3 RETURNING version, updated`, r.Kind, r.ID, r.Version, data,
		).Scan(&version, &updated)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("%s: %w", store.Name(r.Kind, r.ID), store.ErrConflict)
	}
	if err != nil {
		return err
	}
	r.Version, r.Updated = version, updated.UTC()
	return nil
}

// Delete removes the record, durably once it returns nil; see store.Store.
func (s *Store) Delete(ctx context.Context, kind, id string, version int64) error {
	if err := store.CheckDelete(kind, id, version); err != nil {
		return err
	}
	var deleted, stands bool
	err := s.call(ctx, func(ctx context.Context) error {
		tag, err := s.pool.Exec(ctx,
			`DELETE FROM fwgo_records WHERE kind = $1 AND id = $2 AND ($3::bigint = 0 OR version = $3)`, kind, id, version)
		deleted = tag.RowsAffected() > 0
		if err != nil || deleted || version == 0 {
			return err
		}
		return s.pool.QueryRow(ctx,
			`SELECT EXISTS (SELECT FROM fwgo_records WHERE kind = $1 AND id = $2)`, kind, id,
		).Scan(&stands)
	})
	switch {
	case err != nil:
		return err
	case stands:
		return fmt.Errorf("%s: %w", store.Name(kind, id), store.ErrConflict)
	case !deleted:
		return fmt.Errorf("%s: %w", store.Name(kind, id), store.ErrNotFound)
	}
	return nil
}

// List returns the records that q asks for, without their data; see
// store.Store.
func (s *Store) List(ctx context.Context, q store.Query) ([]store.Record, error) {
	q, err := store.CheckQuery(q)
	if err != nil {
		return nil, err
	}
	// Bounds, rather than a pattern, let the primary key find the range; and a
	// statement without an upper one is another statement, so that a kept plan
	// has the bound for a range and not for a filter.
	sql, arguments := `SELECT id, version, updated FROM fwgo_records WHERE kind = $1 AND id > $2 AND id >= $3`, []any{q.Kind, q.After, q.Prefix}
	if end := prefixEnd(q.Prefix); end != "" {
		sql, arguments = sql+` AND id < $4`, append(arguments, end)
	}
	sql += fmt.Sprintf(` ORDER BY id LIMIT $%d`, len(arguments)+1)
	arguments = append(arguments, q.Limit)

	var listed []store.Record
	err = s.read(ctx, func(ctx context.Context) error {
		rows, err := s.pool.Query(ctx, sql, arguments...)
		if err != nil {
			return err
		}
		listed, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (store.Record, error) {
			r := store.Record{Kind: q.Kind}
			err := row.Scan(&r.ID, &r.Version, &r.Updated)
			r.Updated = r.Updated.UTC()
			return r, err
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return listed, nil
}
