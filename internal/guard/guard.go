// Package guard runs code that authors wrote (resolvers, hooks, bodies) so
// that neither its panic nor its hanging reaches a caller (rule D-9).
package guard

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// Grace is how long code may still run after its context has ended, to
// return an answer of its own.
const Grace = 50 * time.Millisecond

// An Outcome says how guarded code ended.
type Outcome struct {
	// Panic is the text of the panic, "" if there was none.
	Panic string
	// Stack is where it panicked, for the log only.
	Stack []byte
	// Overtime says that the code had not returned when its context and the
	// grace were over. What it would have written must not be read.
	Overtime bool
	// Finished is closed when overtime code returns after all; nil otherwise.
	Finished <-chan struct{}
}

// OK reports whether the code returned normally and in time.
func (o *Outcome) OK() bool { return o.Panic == "" && !o.Overtime }

// A Task is code to guard. A pointer as a Task costs no closure.
type Task interface{ Do() }

// Func makes a function a Task.
type Func func()

// Do calls the function.
func (f Func) Do() { f() }

// Run is RunTask for a function.
func Run(ctx context.Context, f func()) Outcome { return RunTask(ctx, Func(f)) }

// RunTask runs a task and waits for it until ctx has ended. A context that
// cannot end costs no goroutine.
func RunTask(ctx context.Context, task Task) Outcome {
	if ctx.Done() == nil {
		var o Outcome
		call(task, &o)
		return o
	}
	result := make(chan Outcome, 1)
	finished := make(chan struct{})
	go func() {
		var o Outcome
		defer close(finished)
		defer func() { result <- o }() // also if the task ends this goroutine
		call(task, &o)
	}()
	select {
	case o := <-result:
		return o
	case <-ctx.Done():
	}
	timer := time.NewTimer(Grace)
	defer timer.Stop()
	select {
	case o := <-result:
		return o
	case <-timer.C:
		return Outcome{Overtime: true, Finished: finished}
	}
}

func call(task Task, o *Outcome) {
	returned := false
	defer func() {
		if returned {
			return
		}
		o.Panic, o.Stack = "the goroutine was ended", debug.Stack()
		if v := recover(); v != nil {
			o.Panic = text(v)
		}
	}()
	task.Do()
	returned = true
}

// text prints a panic's value; the value's own methods may panic in turn.
func text(v any) (s string) {
	defer func() {
		if recover() != nil || s == "" {
			s = fmt.Sprintf("a panic with a value of type %T", v)
		}
	}()
	return fmt.Sprint(v)
}
