package splash

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Config is what a host gives an evaluation. The zero Config is a program alone: no tools, default limits.
type Config struct {
	Limits Limits
	// Host runs the tools. Without one every call of a tool is an error of kind NotAllowed.
	Host Host
	// Modules are further members of mod, beside std and tool.
	Modules []Module
	// Globals are names the program finds, such as `workflow` (SL-60, WD-68). Each is one JSON document within
	// Limits.JSONBytes and Limits.JSONDepth, and becomes an ordinary value, made anew for each evaluation.
	Globals map[string]json.RawMessage
}

// Evaluation is one run of a program. It is not for use by several goroutines at once.
type Evaluation struct {
	m     machine
	value Value
	done  bool
	err   error
}

// Begin prepares an evaluation, without running anything. Its errors are mistakes of the host: a global that is no
// JSON or no name, a module that is no name or is there twice; and *LimitError when the globals, the names or a string
// literal of the program alone are too much.
func (p *Program) Begin(cfg Config) (*Evaluation, error) {
	limits := cfg.Limits.filled()
	e := &Evaluation{}
	m := &e.m
	*m = machine{limits: limits, source: p.source, host: cfg.Host, ctx: context.Background(), budget: math.MaxInt / 2}
	mod, err := modTree(cfg.Modules)
	if err != nil {
		return nil, err
	}
	m.globals = make(map[string]Value, len(cfg.Globals)+1)
	m.globals["mod"] = Value{ref: mod}
	for _, name := range slices.Sorted(maps.Keys(cfg.Globals)) { // in one order, so that steps and failures repeat
		if !isName(name) || name == "mod" {
			return nil, fmt.Errorf("splash: %s cannot be the name of a global", quoteShort(name))
		}
		v, err := m.globalJSON(name, cfg.Globals[name])
		if err != nil {
			return nil, err
		}
		m.globals[name] = v
	}
	m.left, m.budget = 0, limits.Steps // reading the globals is not the program's work
	main := p.main()
	if err := m.stringSize(main.longest); err != nil {
		return nil, err // a literal is a string like any other
	}
	if err := m.start(main); err != nil {
		return nil, err
	}
	return e, nil
}

// Resume runs the program on, until it ends (done), fails (err), or awaits a promise, or a call put off by [ErrLater],
// that is not settled (neither). Then the host has something settled, by [Evaluation.RunNext] or [Evaluation.Settle],
// and resumes; before that, Resume changes nothing and returns at once. After the end it returns the same again.
//
// The error is an *Error, uncaught by the program (SL-13); a *LimitError, which no program can catch (SL-33); or the
// error of the context, which is looked at between steps and after each call of the host.
func (e *Evaluation) Resume(ctx context.Context) (done bool, err error) {
	if e.done || e.err != nil {
		return e.done, e.err
	}
	if e.m.waiting != nil && !e.m.waiting.done {
		return false, nil
	}
	if err := ctx.Err(); err != nil {
		e.err = err
		return false, err
	}
	e.m.waiting = nil
	e.m.ctx = ctx
	e.err = errBroken // stays if the host panics: the machine stands in the middle of a call then
	e.done, e.err = e.m.run()
	if e.done {
		e.value = e.m.stack[0]
	}
	return e.done, e.err
}

var errBroken = errors.New("splash: the host panicked in the middle of this evaluation")

// Waiting returns the call that the program awaits, if it is suspended.
func (e *Evaluation) Waiting() (Call, bool) {
	if p := e.m.waiting; p != nil && !p.done && e.err == nil && !e.done {
		return p.call, true
	}
	return Call{}, false
}

// Pending returns the deferred calls that are not settled, in start order.
func (e *Evaluation) Pending() []Call {
	calls := make([]Call, len(e.m.pending))
	for i, p := range e.m.pending {
		calls[i] = p.call
	}
	return calls
}

// RunNext runs the oldest work that is queued and settles its call (SL-45). It reports false when none is queued:
// what is still pending then is the host's to settle. It works after the end too, since calls that were started and
// never awaited are still made (WD-33).
func (e *Evaluation) RunNext(ctx context.Context) bool {
	for _, p := range e.m.pending {
		if p.work != nil {
			output, err := p.work(ctx)
			e.m.settle(p, output, err)
			return true
		}
	}
	return false
}

// Settle gives the answer of a pending call: its output, or an error, which the program gets at await.
func (e *Evaluation) Settle(id int, output string, err error) error {
	for _, p := range e.m.pending {
		if p.call.ID == id {
			e.m.settle(p, output, err)
			return nil
		}
	}
	return fmt.Errorf("splash: no call %d is pending", id)
}

// Value returns what the program ended with (SL-13), nil before.
func (e *Evaluation) Value() Value { return e.value }

// Steps returns how many steps were used so far. It is the same for the same source, input and tool answers.
func (e *Evaluation) Steps() int { return e.m.steps() }

// Eval runs a program to its end, with the queued work of deferred calls run whenever the program awaits, and after
// the end, also after a failure (WD-33). Its errors are those of [Program.Begin] and [Evaluation.Resume], and
// ErrWaiting when only the host could settle what is awaited.
func (p *Program) Eval(ctx context.Context, cfg Config) (Value, error) {
	e, err := p.Begin(cfg)
	if err != nil {
		return Value{}, err
	}
	for {
		done, err := e.Resume(ctx)
		if done || err != nil {
			for ctx.Err() == nil && e.RunNext(ctx) {
			}
			return e.Value(), err
		}
		if !e.RunNext(ctx) {
			return Value{}, ErrWaiting
		}
	}
}

// Eval parses and runs a source. See [Parse] and [Program.Eval] for its errors.
func Eval(ctx context.Context, source string, cfg Config) (Value, error) {
	p, err := Parse(source, cfg.Limits)
	if err != nil {
		return Value{}, err
	}
	return p.Eval(ctx, cfg)
}
