package command_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/validate"
)

type counted struct {
	N int `json:"n"`
}

// counter is a workflow whose one command is not safe for two calls at once.
func counter(started chan<- struct{}, hold <-chan struct{}) *command.Workflow {
	return command.MustNew(command.Options{Name: "counter"}, command.Define(command.Spec[counted]{
		Name: "add",
		Run: func(ctx context.Context, s *command.Session, in *counted) (command.Response, error) {
			if started != nil {
				started <- struct{}{}
				<-hold
			}
			sum, _ := command.Value[int](s, "sum")
			s.Set("sum", sum+in.N)
			return command.Say(fmt.Sprint(sum + in.N)), nil
		},
	}))
}

func TestCallsOnOneSessionRunOneAfterTheOther(t *testing.T) {
	w := counter(nil, nil)
	sessions := []*command.Session{w.NewSession(), w.NewSession(), w.NewSession()}
	var wait sync.WaitGroup
	for i := range 60 {
		wait.Go(func() {
			for range 20 {
				if o := sessions[i%3].Call(context.Background(), "add n=1"); !o.Ran() {
					t.Error(o.Text())
				}
			}
		})
	}
	wait.Wait()
	for i, s := range sessions {
		if sum, _ := command.Value[int](s, "sum"); sum != 400 {
			t.Errorf("session %d counted %d of 400 calls", i, sum)
		}
	}
}

func TestACallThatCannotWaitSaysSoAndRunsNothing(t *testing.T) {
	started, hold := make(chan struct{}), make(chan struct{})
	s := counter(started, hold).NewSession()
	first := make(chan *command.Outcome)
	go func() { first <- s.Call(context.Background(), "add n=1") }()
	<-started
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	o := s.Call(ctx, "add n=10")
	if o.Ran() || o.Problems[0].Kind != validate.SessionBusy || !strings.Contains(o.Text(), "was not started") {
		t.Errorf("the second call ends as %+v: %s", o.Problems, o.Text())
	}
	close(hold)
	if o := <-first; !o.Ran() {
		t.Error(o.Text())
	}
	if sum, _ := command.Value[int](s, "sum"); sum != 1 {
		t.Errorf("the sum is %d; the call that was not started took effect", sum)
	}
}

// A body left behind still owns its session: the next call waits for it, so
// that two never run at once.
func TestABodyThatOutlivesItsContextKeepsItsSession(t *testing.T) {
	started, hold := make(chan struct{}), make(chan struct{})
	s := counter(started, hold).NewSession()
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-started; cancel() }()
	if o := s.Call(ctx, "add n=1"); o.Ran() || o.Problems[0].Kind != validate.BodyFailed {
		t.Fatalf("the call left behind ends as %+v", o.Problems)
	}
	short, stop := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer stop()
	if o := s.Call(short, "add n=10"); o.Problems == nil || o.Problems[0].Kind != validate.SessionBusy {
		t.Errorf("the next call ends as %+v", o.Problems)
	}
	close(hold)
	go func() { <-started }()
	if o := s.Call(context.Background(), "add n=100"); o.Text() != "101" {
		t.Errorf("the call after it answers %q", o.Text())
	}
}

func TestTheSameFailureAgainGetsAFirmerText(t *testing.T) {
	s := counter(nil, nil).NewSession()
	const firmer = "already refused for the same reason"
	if text := s.Call(context.Background(), "add n=five").Text(); strings.Contains(text, firmer) {
		t.Errorf("the first failure says %s", text)
	}
	if text := s.Call(context.Background(), "add n=five").Text(); !strings.Contains(text, firmer) {
		t.Errorf("the second failure says %s", text)
	}
	if text := s.Call(context.Background(), "add n=six").Text(); strings.Contains(text, firmer) {
		t.Errorf("another failure says %s", text)
	}
	s.Call(context.Background(), "add n=1")
	if text := s.Call(context.Background(), "add n=six").Text(); strings.Contains(text, firmer) {
		t.Errorf("a failure after a success says %s", text)
	}
}
