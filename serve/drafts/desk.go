package drafts

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"sync"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/draft"
	"github.com/fwgo/fwgo/draft/tools"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/splash"
)

// The bounds of a Desk whose Options say nothing.
const (
	DefaultMaxDrafts = 50
	DefaultMaxLive   = 64
	DefaultIdle      = time.Hour
)

const (
	mostDrafts = 500 // what one List of the Store holds
	// mostRecordBytes bounds the calls that are kept of a draft.
	mostRecordBytes = 128 << 10
	// mostEvents is how many events are kept of a draft.
	mostEvents = 512
)

// Options are the bounds of a Desk. The zero value of each is its default.
type Options struct {
	// MaxDrafts is how many drafts are kept of one channel, 0 for
	// DefaultMaxDrafts, at most 500. Finished ones make room, the oldest first.
	MaxDrafts int
	// MaxLive is how many drafts are approved, run or wait for an answer at once
	// in this process, 0 for DefaultMaxLive.
	MaxLive int
	// Idle ends an approval that is not used, and a run that waits for an answer,
	// after so long; 0 for DefaultIdle.
	Idle time.Duration
	// Takeover is for a Store that several processes share: how long a run of
	// another process is held to be alive after it last stored anything, by the
	// Store's clock. Runs then give a sign of life three times in it. 0 is for a
	// Store that no other process uses: a run that is not of this one is
	// interrupted.
	Takeover time.Duration
	// Limits bound each step of a draft; see draft.Options.
	Limits splash.Limits
	// MaxCalls is how often one command can be called in one run, whatever is
	// granted; 0 for tools.DefaultMaxCalls.
	MaxCalls int
}

// A Desk takes drafts in and runs those that are approved. It is safe for
// concurrent use.
type Desk struct {
	dispatcher *serve.Dispatcher
	options    Options
	modules    []splash.Module // what reviews know of the workflow
	tools      []string        // the names that grants can have, sorted
	planner    *draft.Engine   // makes fingerprints, and runs nothing
	now        func() time.Time

	proposing [64]sync.Mutex // by channel, so that its drafts are counted right

	mu   sync.Mutex
	live map[string]*run
}

// New makes the Desk of a dispatcher. The error names a command that cannot be
// a tool of drafts.
func New(d *serve.Dispatcher, o Options) (*Desk, error) {
	if o.MaxDrafts <= 0 {
		o.MaxDrafts = DefaultMaxDrafts
	}
	if o.MaxDrafts > mostDrafts {
		return nil, fmt.Errorf("drafts: MaxDrafts is %d; at most %d drafts can be kept of a channel", o.MaxDrafts, mostDrafts)
	}
	if o.MaxLive <= 0 {
		o.MaxLive = DefaultMaxLive
	}
	if o.Idle <= 0 {
		o.Idle = DefaultIdle
	}
	catalog, err := tools.Catalog(d.Workflow(), tools.Options{MaxCalls: o.MaxCalls, Do: func(context.Context, command.Action, func(any) bool) (*command.Outcome, error) {
		return nil, errors.New("drafts: a review makes no calls")
	}})
	if err != nil {
		return nil, err
	}
	planner, err := draft.NewEngine(nil, draft.Options{})
	if err != nil {
		return nil, err
	}
	desk := &Desk{dispatcher: d, options: o, modules: catalog.Modules(), planner: planner, now: time.Now, live: map[string]*run{}}
	for _, c := range d.Workflow().Commands() {
		desk.tools = append(desk.tools, tools.Name(c))
	}
	slices.Sort(desk.tools)
	return desk, nil
}

// Schema returns the JSON schema of a draft, for those who write one (WD-10).
func Schema() []byte { return draft.JSONSchema() }

// Tools returns the names of the tools that steps can call and grants can
// name, as tools.Name has them.
func (d *Desk) Tools() []string { return slices.Clone(d.tools) }

var seed = maphash.MakeSeed()

// channelLock is the lock of a channel's proposals.
func (d *Desk) channelLock(channel string) *sync.Mutex {
	return &d.proposing[maphash.String(seed, channel)%uint64(len(d.proposing))]
}

// log writes what was done to a draft, and by whom. Sources and values are in
// no log.
func (d *Desk) log(ctx context.Context, what, id string, attrs ...any) {
	d.dispatcher.Logger().InfoContext(ctx, what, append([]any{"draft", id}, attrs...)...)
}

// running returns the run of a draft in this process, nil if there is none.
func (d *Desk) running(id string) *run {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.live[id]
}

// find lets a caller at a draft who may see it: the run of this process, or
// else what is stored.
func (d *Desk) find(ctx context.Context, caller serve.Caller, id string) (*run, *record, error) {
	if !validID(id) || caller.Channel == "" {
		return nil, nil, refused(NotFound, "")
	}
	if r := d.running(id); r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		if !r.ended {
			if !maySee(caller, r.rec.state.Channel) {
				return nil, nil, refused(NotFound, "")
			}
			return r, nil, nil
		}
	}
	rec, err := d.load(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	if !maySee(caller, rec.state.Channel) {
		return nil, nil, refused(NotFound, "")
	}
	return nil, rec, nil
}

// maySee reports whether a caller may see the drafts of a channel.
func maySee(caller serve.Caller, channel string) bool {
	return caller.Operator || caller.Channel == channel
}
