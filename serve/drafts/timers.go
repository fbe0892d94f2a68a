package drafts

import (
	"context"
	"errors"
	"time"

	"github.com/fwgo/fwgo/store"
)

// await ends what waits, if nobody comes. Nobody else has the run, or the lock
// is held.
func (r *run) await() {
	if r.timer != nil {
		r.timer.Stop()
	}
	r.timer = time.AfterFunc(r.desk.options.Idle, r.expire)
}

func (r *run) expire() {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.ended || r.busy:
	case !r.begun:
		r.end()
	default:
		_ = r.close(StatusInterrupted, reasonIdle)
	}
}

// live gives signs of life, where other processes look for them. The lock is
// held.
func (r *run) live() {
	if every := r.desk.options.Takeover / 3; every > 0 && r.pulse == nil {
		r.pulse = time.AfterFunc(every, r.beat)
	}
}

func (r *run) beat() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	switch err := r.desk.save(context.Background(), &r.rec); {
	case !errors.Is(err, store.ErrConflict): // what else fails may pass
		r.pulse.Reset(r.desk.options.Takeover / 3)
	case r.busy:
		r.lost(err)
	default:
		r.end()
	}
}
