package splash

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
)

// later is a host that answers no call at once.
type later struct{ made []Call }

func (h *later) Call(_ context.Context, c Call) (string, error) {
	h.made = append(h.made, c)
	return "", ErrLater
}

func (h *later) Start(_ context.Context, c Call) (Work, error) {
	h.made = append(h.made, c)
	return nil, nil
}

// TestASynchronousCallCanWait holds that a call whose answer comes later is made once, with the arguments it had, and
// that the program goes on with the answer as if it had been there at once, in whatever form the call was written.
func TestASynchronousCallCanWait(t *testing.T) {
	for _, row := range []struct{ name, source, answer, want string }{
		{"text", `use mod.tool; let n = 0; n += 1; tool.call("t", "a" + n) + "!"`, "yes", `"yes!"`},
		{"json", `use mod.tool; [tool.call_json("t", {a: [1]}).parse_json().b, 2]`, `{"b":7}`, `[7,2]`},
		{"module", `use mod.m; m.ask({a: 1}).b`, `{"b":7}`, `7`},
		{"in a function", `use mod.tool; fn f(x) { let y = tool.call("t", x); return y + x; }; f("p")`, "q", `"qp"`},
		{"in a try", `use mod.tool; try tool.call("t", "x") catch "no"`, "ok", `"ok"`},
		{"beside a promise", `use mod.tool; let p = tool.start("t", "p"); tool.call("t", "x")`, "ok", `"ok"`},
	} {
		t.Run(row.name, func(t *testing.T) {
			host := &later{}
			e := begin(t, row.source, Config{Host: host, Modules: []Module{{Name: "m", Methods: []Method{{Name: "ask", Tool: "t"}}}}})
			if done, err := e.Resume(t.Context()); done || err != nil {
				t.Fatal(done, err)
			}
			made := len(host.made)
			if done, err := e.Resume(t.Context()); done || err != nil || len(host.made) != made {
				t.Fatal("it went on without an answer", done, err, host.made)
			}
			call, ok := e.Waiting()
			if !ok || call != host.made[made-1] {
				t.Fatal(call, host.made)
			}
			if err := e.Settle(call.ID, row.answer, nil); err != nil {
				t.Fatal(err)
			}
			done, err := e.Resume(t.Context())
			if !done || err != nil || e.Value().String() != row.want || len(host.made) != made {
				t.Error(done, err, e.Value(), host.made)
			}
		})
	}
}

func TestALateErrorIsOneToCatch(t *testing.T) {
	const call = `use mod.tool; tool.call("t", "x")`
	told := &CallError{Message: "not today"}
	for source, want := range map[string]string{
		call: "",
		`use mod.tool; try tool.call("t", "x") catch tool.last_error().message`: `"not today"`,
	} {
		e := begin(t, source, Config{Host: &later{}})
		if _, err := e.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := e.Settle(1, "", told); err != nil {
			t.Fatal(err)
		}
		done, err := e.Resume(t.Context())
		if want == "" {
			var uncaught *Error
			if done || !errors.As(err, &uncaught) || uncaught.Kind != NotAllowed || !errors.Is(err, told) {
				t.Error(done, err)
			}
		} else if !done || e.Value().String() != want {
			t.Error(done, err, e.Value())
		}
	}
}

// TestAnErrorTellsWhatItsHostMeantToTell holds that a program reads the message and data of a *CallError, and nothing of
// any other error.
func TestAnErrorTellsWhatItsHostMeantToTell(t *testing.T) {
	const see = `use mod.tool; try tool.call("t", "x") catch nil; tool.last_error()`
	for name, row := range map[string]struct {
		err  error
		want string
	}{
		"told":        {&CallError{Message: "m", Data: json.RawMessage(`{"a":[1]}`)}, `{"tool":"t","message":"m","data":{"a":[1]}}`},
		"no data":     {&CallError{Message: "m"}, `{"tool":"t","message":"m","data":null}`},
		"broken data": {&CallError{Message: "m", Data: json.RawMessage(`{"a":`)}, `{"tool":"t","message":"m","data":null}`},
		"no text":     {&CallError{Message: "a\xffb"}, `{"tool":"t","message":"a�b","data":null}`},
		"not told":    {errors.New("dial tcp 10.0.0.1: refused"), `{"tool":"t","message":"` + msgCallFailed + `","data":null}`},
	} {
		v, err := Eval(t.Context(), see, Config{Host: Tools(func(context.Context, Call) (string, error) { return "", row.err })})
		if err != nil || v.String() != row.want {
			t.Errorf("%s: %v %v", name, v, err)
		}
	}
}

// TestEachLateCallHasItsOwnAnswer holds that an answer is for the call it was given to: the same call made again is a new
// one.
func TestEachLateCallHasItsOwnAnswer(t *testing.T) {
	host := &later{}
	e := begin(t, `use mod.tool; let a = []; for i in 3 { a[i] = tool.call("t", "x"); }; a`, Config{Host: host})
	for i, answer := range []string{"one", "two", "three"} {
		if done, err := e.Resume(t.Context()); done || err != nil || len(host.made) != i+1 {
			t.Fatal(done, err, host.made)
		}
		if err := e.Settle(i+1, answer, nil); err != nil {
			t.Fatal(err)
		}
	}
	if done, err := e.Resume(t.Context()); !done || err != nil || e.Value().String() != `["one","two","three"]` || len(host.made) != 3 {
		t.Error(done, err, e.Value(), host.made)
	}
}

// TestOnlyTheHostPutsACallOff holds that an error which wraps ErrLater, as one that a tool passed on does, is an error.
func TestOnlyTheHostPutsACallOff(t *testing.T) {
	v, err := Eval(t.Context(), `use mod.tool; try tool.call("t", "x") catch "failed"`, Config{
		Host: Tools(func(context.Context, Call) (string, error) { return "", fmt.Errorf("the tool: %w", ErrLater) })})
	if err != nil || v.String() != `"failed"` {
		t.Error(v, err)
	}
}

// TestWhatAToolToldIsInTheAccount holds that the data of an error is within the bounds of the program that reads it, which
// no try of it can catch.
func TestWhatAToolToldIsInTheAccount(t *testing.T) {
	told := &CallError{Data: json.RawMessage("[" + rep(10_000, "[],") + "1]")}
	host := Tools(func(context.Context, Call) (string, error) { return "", told })
	_, err := Eval(t.Context(), `use mod.tool; try tool.call("t", "x") catch nil; try tool.last_error() catch 1`, Config{Host: host, Limits: Limits{Bytes: 100_000}})
	var limit *LimitError
	if !errors.As(err, &limit) || limit.Bound != BoundBytes {
		t.Error(err)
	}
}
