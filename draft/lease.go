package draft

import (
	"maps"
	"slices"
	"strconv"
)

// Grant lets a step call a tool so many times.
type Grant struct {
	Tool  string
	Calls int // at least 1, at most the MaxCalls of the tool
}

// StepPolicy is what one named step may call. Without grants the step may call nothing.
type StepPolicy struct {
	StepID string
	Grants []Grant
}

// Lease is the authority to make some calls, issued by an engine and good for that engine only, for one approval, and
// only until the catalog changes (WD-40). It narrows what the tools allow and never widens it. It has no encoded form.
type Lease struct{ state *lease }

// lease is shared by all copies of a Lease, so that a copy has no calls of its own.
type lease struct {
	engine  *Engine
	catalog *catalogState
	left    map[string]int
	bound   bool // part of an approval
}

// Authority is what the steps of a run may call: one of [PerStep], [LeasePerStep], [SharedLease] and [WholeCatalog].
// The zero Authority grants nothing and fits no step.
type Authority struct {
	policies []StepPolicy
	leases   []*Lease
	kind     authorityKind
}

type authorityKind uint8

const (
	perStep authorityKind = iota
	leasePerStep
	sharedLease
	wholeCatalog
)

// PerStep names for each step to run, in order, what it may call. Drafts should be run with this (WD-30).
func PerStep(policies ...StepPolicy) Authority {
	own := make([]StepPolicy, len(policies))
	for i, p := range policies {
		own[i] = StepPolicy{p.StepID, slices.Clone(p.Grants)}
	}
	return Authority{kind: perStep, policies: own}
}

// LeasePerStep gives each step to run, in order, a lease of [Engine.Lease].
func LeasePerStep(leases ...*Lease) Authority {
	return Authority{kind: leasePerStep, leases: slices.Clone(leases)}
}

// SharedLease gives all steps together one lease of [Engine.Lease].
func SharedLease(l *Lease) Authority { return Authority{kind: sharedLease, leases: []*Lease{l}} }

// WholeCatalog lets all steps together make every call that the tools allow. It is for programs of the host itself.
func WholeCatalog() Authority { return Authority{kind: wholeCatalog} }

// Lease issues a lease. The error is an *EngineError with the first grant that is wrong (WD-40).
func (e *Engine) Lease(grants ...Grant) (*Lease, error) {
	l, err := e.issue(grants)
	if err != nil {
		return nil, err
	}
	return &Lease{l}, nil
}

func (e *Engine) issue(grants []Grant) (*lease, error) {
	l := &lease{engine: e, catalog: e.catalog.state.Load(), left: make(map[string]int, len(grants))}
	for _, g := range grants {
		t := l.catalog.tools[g.Tool]
		_, twice := l.left[g.Tool]
		switch {
		case g.Calls <= 0:
			return nil, &EngineError{Refusal: ErrZeroCallLimit, Tool: g.Tool}
		case t == nil:
			return nil, &EngineError{Refusal: ErrUnknownTool, Tool: g.Tool}
		case g.Calls > t.MaxCalls:
			return nil, &EngineError{Refusal: ErrCallLimitExceedsPolicy, Tool: g.Tool, Expected: strconv.Itoa(t.MaxCalls), Actual: strconv.Itoa(g.Calls)}
		case twice:
			return nil, &EngineError{Refusal: ErrDuplicateTool, Tool: g.Tool}
		}
		l.left[g.Tool] = g.Calls
	}
	e.catalog.sealed.Store(true)
	return l, nil
}

func (e *Engine) issueAll() *lease {
	l := &lease{engine: e, catalog: e.catalog.state.Load(), left: map[string]int{}}
	for name := range maps.Keys(l.catalog.tools) {
		l.left[name] = l.catalog.tools[name].MaxCalls
	}
	e.catalog.sealed.Store(true)
	return l
}

// valid checks a lease against the engine and its catalog as it is now.
func (l *lease) valid(e *Engine) error {
	switch {
	case l == nil || l.engine != e:
		return &EngineError{Refusal: ErrLeaseRuntimeMismatch}
	case l.catalog != e.catalog.state.Load():
		return &EngineError{Refusal: ErrCatalogChanged}
	}
	return nil
}

// leases makes the leases of the given steps, in the order of WD-31: counts and ids before anything is issued.
func (e *Engine) leases(a Authority, steps []Step) ([]*lease, error) {
	out := make([]*lease, len(steps))
	switch a.kind {
	case wholeCatalog, sharedLease:
		var one *lease
		if a.kind == wholeCatalog {
			one = e.issueAll()
		} else if a.leases[0] != nil {
			one = a.leases[0].state
		}
		for i := range out {
			out[i] = one
		}
		if len(out) == 0 {
			out = nil
		}
		if a.kind == sharedLease {
			if err := e.usable(a.leases); err != nil {
				return nil, err
			}
		}
		return out, nil
	case leasePerStep:
		if len(a.leases) != len(steps) {
			return nil, &EngineError{Refusal: ErrStepLeaseCount, Expected: strconv.Itoa(len(steps)), Actual: strconv.Itoa(len(a.leases))}
		}
		if err := e.usable(a.leases); err != nil {
			return nil, err
		}
		for i, l := range a.leases {
			out[i] = l.state
		}
		return out, nil
	}
	if len(a.policies) != len(steps) {
		return nil, &EngineError{Refusal: ErrStepPolicyCount, Expected: strconv.Itoa(len(steps)), Actual: strconv.Itoa(len(a.policies))}
	}
	for i, p := range a.policies {
		if p.StepID != steps[i].ID {
			return nil, &EngineError{Refusal: ErrStepPolicyMismatch, Expected: steps[i].ID, Actual: p.StepID}
		}
	}
	for i, p := range a.policies {
		l, err := e.issue(p.Grants)
		if err != nil {
			err.(*EngineError).StepID = p.StepID
			return nil, err
		}
		out[i] = l
	}
	return out, nil
}

// usable checks leases that the host brought: of this engine, of the catalog as it is, each for this approval alone.
func (e *Engine) usable(leases []*Lease) error {
	seen := map[*lease]bool{}
	for _, l := range leases {
		if l == nil {
			return &EngineError{Refusal: ErrLeaseRuntimeMismatch}
		}
		if err := l.state.valid(e); err != nil {
			return err
		}
		if l.state.bound || seen[l.state] {
			return &EngineError{Refusal: ErrLeaseAlreadyActive}
		}
		seen[l.state] = true
	}
	return nil
}
