package lookup

import (
	"context"
	"fmt"
	"sync/atomic"
)

// A Resolver answers for one value. A field that declares db_lookup has one
// (FW-71). Any number of goroutines may call it.
//
// An error means that there is no answer: the lookup is unavailable. That is
// neither Rejected nor Declined, and the value must not pass (FW-74).
type Resolver interface {
	Resolve(ctx context.Context, value string) (Result, error)
}

// ResolverFunc makes a Resolver of a function, for a lookup that is no matching of
// keys: a query to a service, say.
type ResolverFunc func(ctx context.Context, value string) (Result, error)

// Resolve calls f.
func (f ResolverFunc) Resolve(ctx context.Context, value string) (Result, error) {
	return f(ctx, value)
}

// From makes a Resolver that matches against the keys of src. It asks src before
// every answer, and keeps what it prepared for as long as the version stands.
//
// Calls that come together load together: one goroutine asks src, the others wait
// for a load that began after they came, so every answer knows what src knew when
// it was asked for. A load that fails is an error that wraps src's own.
//
// From panics if src is nil or the options are not valid: that is a mistake in the
// program, and it shows when the program starts.
func From(src Source, o Options) Resolver {
	if src == nil {
		panic("lookup.From: the source is nil")
	}
	if err := o.Validate(); err != nil {
		panic(fmt.Sprintf("lookup.From(%q): %v", src.Name(), err))
	}
	o = o.fixed()
	if set, ok := src.(*Set); ok {
		return ResolverFunc(func(ctx context.Context, value string) (Result, error) {
			return set.now.Load().Match(value, o), nil
		})
	}
	return &loader{src: src, o: o, turn: make(chan struct{}, 1)}
}

// loader keeps the keys of a source.
type loader struct {
	src Source
	o   Options

	begun atomic.Uint64 // loads begun so far

	turn chan struct{} // holds a value while a goroutine may touch what follows
	last uint64        // the load that ended last, other than by its caller's context
	err  error         // what came of it
	keys *Keys         // what came of the last that was no error
	have string        // their version
}

// Resolve matches value against the current keys.
func (l *loader) Resolve(ctx context.Context, value string) (Result, error) {
	keys, err := l.load(ctx)
	if err != nil {
		return Result{}, fmt.Errorf("lookup: %s is unavailable: %w", l.src.Name(), err)
	}
	return keys.Match(value, l.o), nil
}

func (l *loader) load(ctx context.Context) (*Keys, error) {
	came := l.begun.Load()
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if l.last > came {
		return l.keys, l.err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	load := l.begun.Add(1)
	keys, version, err := l.src.Load(ctx, l.have)
	if err != nil {
		if ctx.Err() == nil { // else it is ours alone, not that of those who wait
			l.last, l.err = load, err
		}
		return nil, err
	}
	if version == "" || version != l.have {
		switch {
		case version == "":
			l.keys = once(keys)
		case l.have == "":
			l.keys = newKeys(keys)
		default:
			l.keys = l.keys.become(keys)
		}
		l.have = version
	}
	l.last, l.err = load, nil
	return l.keys, nil
}
