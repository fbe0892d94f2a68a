package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/fwgo/fwgo/store"
	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// A Store keeps records in a file. It is made by Open.
type Store struct {
	db      *bbolt.DB
	path    string
	maxData int

	queue    chan *change
	closing  chan struct{}
	finished chan struct{} // closed when the committer has returned
	close    sync.Once
}

var _ store.Store = (*Store)(nil)

// Close waits for the changes that are being written and closes the file.
// Changes that are still waiting, and all later calls, get store.ErrClosed. A
// second Close does nothing.
func (s *Store) Close() error {
	var err error
	s.close.Do(func() {
		close(s.closing)
		<-s.finished
		err = s.db.Close()
	})
	return err
}

// Load returns the record, or store.ErrNotFound.
func (s *Store) Load(ctx context.Context, kind, id string) (store.Record, error) {
	if err := store.CheckKey(kind, id); err != nil {
		return store.Record{}, err
	}
	if err := ctx.Err(); err != nil {
		return store.Record{}, err
	}
	r := store.Record{Kind: kind, ID: id}
	err := s.view(func(records *bbolt.Bucket) error {
		value := get(records, kind, id)
		if value == nil {
			return fmt.Errorf("%s: %w", store.Name(kind, id), store.ErrNotFound)
		}
		data, err := readHead(value, &r)
		r.Data = append([]byte{}, data...)
		return err
	})
	if err != nil {
		return store.Record{}, err
	}
	return r, nil
}

// Save stores r, durably once it returns nil; see store.Store. If it returns an
// error of ctx, nothing was stored.
func (s *Store) Save(ctx context.Context, r *store.Record) error {
	if err := store.CheckSave(r, s.maxData); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	kept := store.Record{Kind: r.Kind, ID: r.ID}
	value := makeValue(r.Data)
	expected := r.Version
	err := s.submit(ctx, len(value), func(records *bbolt.Bucket) (verdict, fault error) {
		stands, err := standing(records, kept.Kind, kept.ID)
		if err != nil {
			return nil, err
		}
		if stands != expected {
			return fmt.Errorf("%s: %w", store.Name(kept.Kind, kept.ID), store.ErrConflict), nil
		}
		shelf, err := records.CreateBucketIfNotExists([]byte(kept.Kind))
		if err != nil {
			return nil, err
		}
		version, err := shelf.NextSequence()
		if err != nil {
			return nil, err
		}
		kept.Version = int64(version)
		kept.Updated = time.Now().UTC().Truncate(time.Microsecond)
		writeHead(value, &kept)
		return nil, shelf.Put([]byte(kept.ID), value)
	})
	if err != nil {
		return err
	}
	r.Version, r.Updated = kept.Version, kept.Updated
	return nil
}

// Delete removes the record, durably once it returns nil; see store.Store. If it
// returns an error of ctx, nothing was removed.
func (s *Store) Delete(ctx context.Context, kind, id string, version int64) error {
	if err := store.CheckDelete(kind, id, version); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.submit(ctx, 0, func(records *bbolt.Bucket) (verdict, fault error) {
		stands, err := standing(records, kind, id)
		switch {
		case err != nil:
			return nil, err
		case stands == 0:
			return fmt.Errorf("%s: %w", store.Name(kind, id), store.ErrNotFound), nil
		case version != 0 && version != stands:
			return fmt.Errorf("%s: %w", store.Name(kind, id), store.ErrConflict), nil
		}
		return nil, records.Bucket([]byte(kind)).Delete([]byte(id))
	})
}

// List returns the records that q asks for, without their data; see
// store.Store.
func (s *Store) List(ctx context.Context, q store.Query) ([]store.Record, error) {
	q, err := store.CheckQuery(q)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var listed []store.Record
	err = s.view(func(records *bbolt.Bucket) error {
		shelf := records.Bucket([]byte(q.Kind))
		if shelf == nil {
			return nil
		}
		prefix := []byte(q.Prefix)
		cursor := shelf.Cursor()
		id, value := cursor.Seek([]byte(max(q.Prefix, q.After)))
		if q.After != "" && string(id) == q.After {
			id, value = cursor.Next()
		}
		for ; id != nil && bytes.HasPrefix(id, prefix) && len(listed) < q.Limit; id, value = cursor.Next() {
			r := store.Record{Kind: q.Kind, ID: string(id)}
			if _, err := readHead(value, &r); err != nil {
				return err
			}
			listed = append(listed, r)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return listed, nil
}

// view reads. What f is given is valid only until it returns.
func (s *Store) view(f func(records *bbolt.Bucket) error) error {
	return s.mapped(guarded(func() error {
		return s.db.View(func(tx *bbolt.Tx) error {
			return f(tx.Bucket(recordsBucket))
		})
	}))
}

// mapped gives an error of the file its path, and leaves those of package store
// as they are.
func (s *Store) mapped(err error) error {
	switch {
	case err == nil, errors.Is(err, store.ErrNotFound), errors.Is(err, store.ErrConflict):
		return err
	case errors.Is(err, bolterrors.ErrDatabaseNotOpen):
		return fmt.Errorf("%s: %w", s.path, store.ErrClosed)
	}
	return fmt.Errorf("store file %s: %w", s.path, err)
}

// guarded turns a panic, which is how bbolt reports a page that makes no sense,
// into an error: one damaged page should not end a server.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, p)
		}
	}()
	return f()
}
