package store

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"
)

// MemoryOptions are the options of Memory.
type MemoryOptions struct {
	// MaxData is how many bytes of data a record may hold; 0 or less is
	// DefaultMaxData.
	MaxData int
}

// Memory returns a Store that keeps its records in memory: for tests, and for
// programs whose conversations may end with the process. It holds all that was
// saved and not deleted, without a bound on the number of records. With several
// options, the last one counts.
func Memory(options ...MemoryOptions) Store {
	m := &memory{kinds: map[string]*shelf{}}
	for _, o := range options {
		m.maxData = o.MaxData
	}
	return m
}

type memory struct {
	maxData int

	mu      sync.Mutex
	kinds   map[string]*shelf
	version int64 // the last one given to any record, so that none comes twice
}

// A shelf holds the records of one kind. The Data of a kept record is replaced,
// never written to, so it may be copied after the lock is released.
type shelf struct {
	records map[string]Record
	order   []string // the ids, ascending; nil when it has to be made anew
}

func (m *memory) Load(ctx context.Context, kind, id string) (Record, error) {
	if err := CheckKey(kind, id); err != nil {
		return Record{}, err
	}
	if err := ctx.Err(); err != nil {
		return Record{}, err
	}
	m.mu.Lock()
	var r Record
	var found bool
	if s := m.kinds[kind]; s != nil {
		r, found = s.records[id]
	}
	m.mu.Unlock()
	if !found {
		return Record{}, fmt.Errorf("%s: %w", Name(kind, id), ErrNotFound)
	}
	r.Data = bytes.Clone(r.Data)
	return r, nil
}

func (m *memory) Save(ctx context.Context, r *Record) error {
	if err := CheckSave(r, m.maxData); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	kept := *r
	kept.Data = append([]byte{}, r.Data...)
	kept.Updated = time.Now().UTC().Truncate(time.Microsecond)

	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.kinds[r.Kind]
	if s == nil {
		s = &shelf{records: map[string]Record{}}
		m.kinds[r.Kind] = s
	}
	stands, found := s.records[r.ID]
	if stands.Version != r.Version {
		return fmt.Errorf("%s: %w", Name(r.Kind, r.ID), ErrConflict)
	}
	m.version++
	kept.Version = m.version
	s.records[kept.ID] = kept
	if !found {
		s.order = nil
	}
	r.Version, r.Updated = kept.Version, kept.Updated
	return nil
}

func (m *memory) Delete(ctx context.Context, kind, id string, version int64) error {
	if err := CheckDelete(kind, id, version); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.kinds[kind]
	if s == nil {
		return fmt.Errorf("%s: %w", Name(kind, id), ErrNotFound)
	}
	stands, found := s.records[id]
	if !found {
		return fmt.Errorf("%s: %w", Name(kind, id), ErrNotFound)
	}
	if version != 0 && version != stands.Version {
		return fmt.Errorf("%s: %w", Name(kind, id), ErrConflict)
	}
	delete(s.records, id)
	s.order = nil
	return nil
}

func (m *memory) List(ctx context.Context, q Query) ([]Record, error) {
	q, err := CheckQuery(q)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.kinds[q.Kind]
	if s == nil {
		return nil, nil
	}
	if s.order == nil {
		s.order = make([]string, 0, len(s.records))
		for id := range s.records {
			s.order = append(s.order, id)
		}
		slices.Sort(s.order)
	}
	first := sort.Search(len(s.order), func(i int) bool {
		return s.order[i] >= q.Prefix && s.order[i] > q.After
	})
	var listed []Record
	for _, id := range s.order[first:] {
		if len(listed) == q.Limit || !strings.HasPrefix(id, q.Prefix) {
			break
		}
		r := s.records[id]
		r.Data = nil
		listed = append(listed, r)
	}
	return listed, nil
}
