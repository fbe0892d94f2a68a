package bolt

import (
	"context"
	"errors"
	"fmt"

	"github.com/fwgo/fwgo/store"
	"go.etcd.io/bbolt"
)

// How much one sync may carry. Bytes are bounded so that a small change does not
// wait for a gigabyte of others.
const (
	maxBatch      = 256
	maxBatchBytes = 32 << 20
)

// A change waits to be written together with others.
type change struct {
	// apply makes the change. A verdict is its own outcome and leaves the file
	// as it was; a fault is the file's and concerns all that are written with it.
	apply func(records *bbolt.Bucket) (verdict, fault error)

	size    int
	verdict error
	outcome chan error
}

// submit has the committer apply a change and returns how that ended. The queue
// has no buffer: a change is either still with its caller, who may walk away, or
// being written, and then its outcome is known shortly.
func (s *Store) submit(ctx context.Context, size int, apply func(records *bbolt.Bucket) (verdict, fault error)) error {
	c := &change{apply: apply, size: size, outcome: make(chan error, 1)}
	select {
	case s.queue <- c:
		return s.mapped(<-c.outcome)
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closing:
		return fmt.Errorf("%s: %w", s.path, store.ErrClosed)
	}
}

// commitAll writes changes until the store closes. Those that queued up behind
// one sync are taken together into the next.
func (s *Store) commitAll() {
	defer close(s.finished)
	for {
		select {
		case first := <-s.queue:
			s.commit(s.gather(first))
		case <-s.closing:
			return
		}
	}
}

func (s *Store) gather(first *change) []*change {
	batch, size := []*change{first}, first.size
	for len(batch) < maxBatch && size < maxBatchBytes {
		select {
		case next := <-s.queue:
			batch, size = append(batch, next), size+next.size
		default:
			return batch
		}
	}
	return batch
}

// errNothing rolls a transaction back in which every change was refused, to save
// the sync.
var errNothing = errors.New("nothing to write")

func (s *Store) commit(batch []*change) {
	fault := guarded(func() error {
		return s.db.Update(func(tx *bbolt.Tx) error {
			records, changed := tx.Bucket(recordsBucket), false
			for _, c := range batch {
				var fault error
				if c.verdict, fault = c.apply(records); fault != nil {
					return fault
				}
				changed = changed || c.verdict == nil
			}
			if !changed {
				return errNothing
			}
			return nil
		})
	})
	for _, c := range batch {
		// A verdict may rest on a change of the same batch, so it falls with it.
		if fault != nil && fault != errNothing {
			c.outcome <- fault
		} else {
			c.outcome <- c.verdict
		}
	}
}
