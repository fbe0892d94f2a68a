package drafts

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/fwgo/fwgo/serve"
)

// An Event is one thing that happened to a draft (WD-37), with a number among
// those of the draft.
type Event struct {
	Sequence int // from 1, without gaps, over all runs of the draft
	event    json.RawMessage
}

// MarshalJSON writes the event's own members after its number.
func (e Event) MarshalJSON() ([]byte, error) {
	return append(append([]byte(`{"sequence":`+strconv.Itoa(e.Sequence)), ','), e.event[1:]...), nil
}

// Events are a part of a draft's events.
type Events struct {
	Events []Event `json:"events"`
	Next   int     `json:"next"` // the since to go on with
	Status Status  `json:"status"`
	// Over says that nothing more happens until somebody acts on the draft: it is
	// not approved, and no run of it goes on or waits in this process.
	Over bool `json:"over"`
}

// Events returns a draft's events from a number on, 0 for all that are kept. If
// there are none yet and the draft is approved, runs or waits, it waits for at
// most so long.
func (d *Desk) Events(ctx context.Context, caller serve.Caller, id string, since int, wait time.Duration) (*Events, error) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		e, changed, err := d.eventsNow(ctx, caller, id, since)
		if err != nil || len(e.Events) > 0 || e.Over || wait <= 0 {
			return e, err
		}
		select {
		case <-changed:
		case <-timer.C:
			return e, nil
		case <-d.dispatcher.Ending():
			return e, nil
		case <-ctx.Done():
			return e, nil
		}
	}
}

// eventsNow returns the events there are, and what is closed when there may be
// more; nil if there cannot be.
func (d *Desk) eventsNow(ctx context.Context, caller serve.Caller, id string, since int) (*Events, <-chan struct{}, error) {
	r, rec, err := d.find(ctx, caller, id)
	if err != nil {
		return nil, nil, err
	}
	var changed <-chan struct{}
	e := &Events{Over: true}
	if r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		rec = &r.rec
		if r.begun && !r.ended {
			r.pull()
		}
		e.Status, e.Over, changed = r.status(), r.ended, r.changed
	} else {
		var foreign bool
		e.Status, foreign = d.status(rec)
		e.Over = !foreign
	}
	s := &rec.state
	e.Next = s.FirstEvent + len(s.Events)
	if since < 0 || since > 0 && since < s.FirstEvent || since > e.Next {
		return nil, nil, badCursor(since, s.FirstEvent, e.Next)
	}
	from := max(since, s.FirstEvent)
	e.Events = make([]Event, 0, e.Next-from)
	for i, event := range slices.Clone(s.Events[from-s.FirstEvent:]) {
		e.Events = append(e.Events, Event{from + i, event})
	}
	return e, changed, nil
}

// Follow sends a draft's events from a number on as they come, until nothing
// more happens (the last part that is sent then says Over), ctx ends or the
// server shuts down. Where nothing happens for as long as the heartbeat it sends
// a part without events. The error is that of the first part, or what send
// returns.
func (d *Desk) Follow(ctx context.Context, caller serve.Caller, id string, since int, heartbeat time.Duration, send func(*Events) error) error {
	for first := true; ; first = false {
		var e *Events
		var err error
		if first {
			e, err = d.Events(ctx, caller, id, since, 0)
		} else {
			e, err = d.Events(ctx, caller, id, since, heartbeat)
		}
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return nil
		}
		if err := send(e); err != nil || e.Over || d.dispatcher.Draining() {
			return err
		}
		since = e.Next
	}
}
