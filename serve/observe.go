package serve

import (
	"context"
	"crypto/rand"
	"encoding/hex"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/validate"
)

// An Observer watches calls, for traces and metrics. It must be safe for
// concurrent use and quick; a panic of it is logged and nothing else.
type Observer interface {
	// Begin is called before a call runs. The context it returns is the
	// call's: what it holds reaches resolvers, hooks and bodies. The Observation
	// is told the rest; nil watches no further.
	Begin(ctx context.Context, r *Request) (context.Context, Observation)
}

// An Observation watches one call.
type Observation interface {
	// Stage is called as the call enters a stage, with the stage's context. The
	// function it returns is called as the stage ends; nil for none.
	Stage(ctx context.Context, stage validate.Stage) (context.Context, func())
	// Done is called once, with what Do returns.
	Done(outcome *command.Outcome, err error)
}

// NewRequestID returns an id for a request: 24 random hex digits.
func NewRequestID() string {
	var b [12]byte
	_, _ = rand.Read(b[:]) // never fails, by its documentation
	return hex.EncodeToString(b[:])
}

// watched are the Observations of one call.
type watched struct {
	d    *Dispatcher
	list []Observation
}

func (d *Dispatcher) observe(ctx context.Context, r *Request) (context.Context, watched) {
	seen := watched{d: d}
	for _, o := range d.options.Observers {
		d.careful(func() {
			inner, observation := o.Begin(ctx, r)
			if inner != nil {
				ctx = inner
			}
			if observation != nil {
				seen.list = append(seen.list, observation)
			}
		})
	}
	if len(seen.list) > 0 {
		ctx = validate.WithStages(ctx, seen.stage)
	}
	return ctx, seen
}

func (w watched) stage(ctx context.Context, stage validate.Stage) (context.Context, func()) {
	var ends []func()
	for _, o := range w.list {
		w.d.careful(func() {
			inner, end := o.Stage(ctx, stage)
			if inner != nil {
				ctx = inner
			}
			if end != nil {
				ends = append(ends, end)
			}
		})
	}
	return ctx, func() {
		for i := len(ends) - 1; i >= 0; i-- {
			w.d.careful(ends[i])
		}
	}
}

func (w watched) done(outcome *command.Outcome, err error) {
	for i := len(w.list) - 1; i >= 0; i-- {
		w.d.careful(func() { w.list[i].Done(outcome, err) })
	}
}

// careful runs an Observer's code: it must not end a call.
func (d *Dispatcher) careful(f func()) {
	defer func() {
		if v := recover(); v != nil {
			d.options.Logger.Log(context.Background(), validate.LevelCritical, "observer panicked", "panic", v)
		}
	}()
	f()
}
