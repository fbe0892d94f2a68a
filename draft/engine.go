package draft

import (
	"context"
	"sync"

	"github.com/fwgo/fwgo/splash"
)

// Options sets up an engine. The zero Options is one to use.
type Options struct {
	// Limits bound each step (SL-92). They are counted, never timed, so a run ends the same way everywhere.
	Limits splash.Limits
	// EventCapacity and AuditCapacity are how many events and audit entries are kept: 0 for DefaultCapacity, at most
	// MaxCapacity (WD-38, WD-42).
	EventCapacity, AuditCapacity int
	// Authorize, which may be nil, is asked about each call that catalog, budgets and lease allow (WD-41), with what the
	// program gave. An error denies it. Tool.Prepare and the approval of single calls come after.
	Authorize func(ctx context.Context, call Call) error
}

// Engine makes plans of drafts and runs them. It runs one plan at a time; its methods may be called from several
// goroutines, and a second run meanwhile is refused with ErrExecutionInProgress (WD-65). What it hands out, plans, leases
// and approvals, is good for it alone and ends with it.
type Engine struct {
	catalog   *Catalog
	limits    splash.Limits
	authorize func(context.Context, Call) error

	mu     sync.Mutex
	plans  int
	calls  int            // the ID of the next call
	used   map[string]int // calls made, by tool, over all runs
	events ring[Event]
	audit  ring[AuditEntry]
	labels labels

	run     *execution        // in progress or suspended
	busy    bool              // a goroutine is at it
	pending map[int]*toolCall // those that wait for someone outside, by ID
	last    *Data             // of the last run that ended
}

// NewEngine makes an engine over a catalog; nil is one without tools. The error is an *EngineError of a capacity that is
// out of range.
func NewEngine(catalog *Catalog, opts Options) (*Engine, error) {
	if catalog == nil {
		catalog, _ = NewCatalog()
	}
	e := &Engine{catalog: catalog, limits: opts.Limits, authorize: opts.Authorize,
		used: map[string]int{}, pending: map[int]*toolCall{}, labels: newLabels()}
	var err error
	if e.events, err = newRing[Event](opts.EventCapacity); err != nil {
		return nil, err
	}
	if e.audit, err = newRing[AuditEntry](opts.AuditCapacity); err != nil {
		return nil, err
	}
	return e, nil
}

// Audit returns the audit entries that are kept, oldest first, and how many were dropped before them (WD-42).
func (e *Engine) Audit() (entries []AuditEntry, dropped int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.audit.since(1), e.audit.dropped
}

// Snapshot returns a copy of the data of the run that goes on or is suspended, or else of the last one that ended, also
// if it failed: the input and the outputs of the steps that are done. It is nil without dataflow (WD-64).
func (e *Engine) Snapshot() *Data {
	e.mu.Lock()
	defer e.mu.Unlock()
	data := e.last
	if e.run != nil {
		data = e.run.data
	}
	if data == nil {
		return nil
	}
	return data.clone()
}

// TakeSnapshot returns the data of the last run that ended and lets go of it (WD-64).
func (e *Engine) TakeSnapshot() *Data {
	e.mu.Lock()
	defer e.mu.Unlock()
	data := e.last
	e.last = nil
	return data
}
