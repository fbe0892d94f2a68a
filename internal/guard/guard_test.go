package guard

import (
	"context"
	"runtime"
	"testing"
	"time"
)

type hostile struct{}

func (hostile) Error() string { panic("again") }

func TestAPanicBecomesAnOutcome(t *testing.T) {
	ending, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for _, ctx := range []context.Context{context.Background(), ending} {
		if o := Run(ctx, func() {}); !o.OK() {
			t.Errorf("a plain return ends as %+v", o)
		}
		if o := Run(ctx, func() { panic("boom") }); o.Panic != "boom" || len(o.Stack) == 0 {
			t.Errorf("panic ends as %q", o.Panic)
		}
		if o := Run(ctx, func() { panic(hostile{}) }); o.Panic == "" {
			t.Error("a panic value that panics when printed is lost")
		}
		if o := Run(ctx, func() { var m map[string]int; m["a"] = 1 }); o.Panic == "" {
			t.Error("a run-time error is lost")
		}
	}
	if o := Run(ending, func() { runtime.Goexit() }); o.Panic == "" {
		t.Error("an ended goroutine is taken for a return")
	}
}

func TestCodeThatIgnoresItsContextIsLeftBehind(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	release := make(chan struct{})
	go cancel()
	o := Run(ctx, func() { <-release })
	if !o.Overtime || o.OK() {
		t.Fatalf("hanging code ends as %+v", o)
	}
	select {
	case <-o.Finished:
		t.Fatal("it is said to have finished while it still runs")
	default:
	}
	close(release)
	<-o.Finished
}

func TestCodeThatHeedsItsContextGivesItsOwnAnswer(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	answer := ""
	if o := Run(ctx, func() { <-ctx.Done(); answer = "stopped" }); !o.OK() || answer != "stopped" {
		t.Fatalf("ends as %+v, answer %q", o, answer)
	}
}
