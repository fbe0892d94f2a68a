package splash

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// script is a host whose deferred calls are settled by the test.
type script struct {
	calls    []string
	external bool
}

func (s *script) Call(_ context.Context, c Call) (string, error) {
	s.calls = append(s.calls, fmt.Sprintf("call %d %s %s", c.ID, c.Tool, c.Input))
	return "now " + c.Input, nil
}

func (s *script) Start(_ context.Context, c Call) (Work, error) {
	s.calls = append(s.calls, fmt.Sprintf("start %d %s %s", c.ID, c.Tool, c.Input))
	if s.external {
		return nil, nil
	}
	return func(context.Context) (string, error) {
		s.calls = append(s.calls, fmt.Sprintf("work %d", c.ID))
		return "later " + c.Input, nil
	}, nil
}

// TestQueueOrder holds that queued calls run in start order, whatever is awaited first, and that those which nobody
// awaits run at the end (SL-45, WD-33).
func TestQueueOrder(t *testing.T) {
	const src = `use mod.tool
let a = tool.start("t", "a")
let b = tool.start("t", "b")
let c = tool.start("t", "c")
let out = b.await() + tool.call("t", "x")
`
	for _, end := range []string{"out", "nope"} {
		host := &script{}
		v, err := Eval(t.Context(), src+end, Config{Host: host})
		if (err != nil) != (end == "nope") || err == nil && v.String() != `"later bnow x"` {
			t.Fatal(v, err)
		}
		want := []string{"start 1 t a", "start 2 t b", "start 3 t c", "work 1", "work 2", "call 4 t x", "work 3"}
		if !slices.Equal(host.calls, want) {
			t.Errorf("%q", host.calls)
		}
	}
}

func begin(t *testing.T, src string, cfg Config) *Evaluation {
	t.Helper()
	p, err := Parse(src, cfg.Limits)
	if err != nil {
		t.Fatal(err)
	}
	e, err := p.Begin(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestSuspension follows a program that waits for answers from outside, in the middle of a call and of a loop, with
// answers that come in another order than the questions (WD-36).
func TestSuspension(t *testing.T) {
	e := begin(t, `use mod.tool
fn ask(text) { return "<" + tool.start("ask", text).await() + ">"; }
let first = tool.start("ask", "0")
let all = []
for i in 2 {
    all[i] = [i, try ask("q" + (i + 1)) catch "no answer"]
}
[all, first.await()]`, Config{Host: &script{external: true}})
	resume := func(wantDone bool) {
		t.Helper()
		done, err := e.Resume(t.Context())
		if err != nil || done != wantDone {
			t.Fatal(done, err)
		}
	}
	waits := func(id int, input string) {
		t.Helper()
		if c, ok := e.Waiting(); !ok || c.ID != id || c.Input != input || c.Tool != "ask" {
			t.Fatal(c, ok)
		}
	}
	resume(false)
	waits(2, "q1")
	steps := e.Steps()
	resume(false) // nothing is settled
	if e.Steps() != steps {
		t.Error("waiting costs steps")
	}
	if e.RunNext(t.Context()) {
		t.Error("there is nothing queued")
	}
	if calls := e.Pending(); len(calls) != 2 || calls[0].ID != 1 || calls[1].ID != 2 {
		t.Error(calls)
	}
	if err := e.Settle(2, "yes", nil); err != nil {
		t.Fatal(err)
	}
	if err := e.Settle(2, "again", nil); err == nil {
		t.Error("settled twice")
	}
	resume(false)
	waits(3, "q2")
	_ = e.Settle(1, "zero", nil)
	_ = e.Settle(3, "", errors.New("no one is there"))
	resume(true)
	if got := e.Value().String(); got != `[[[0,"<yes>"],[1,"no answer"]],"zero"]` {
		t.Error(got)
	}
	if _, ok := e.Waiting(); ok {
		t.Error("waits after the end")
	}
	resume(true)
}

// TestWaitingForTheHost holds that Eval does not hang on what it cannot settle.
func TestWaitingForTheHost(t *testing.T) {
	_, err := Eval(t.Context(), `mod.tool.start("x", "").await()`, Config{Host: &script{external: true}})
	if !errors.Is(err, ErrWaiting) {
		t.Error(err)
	}
}

// TestToolErrors holds that what a host answers reaches the host again through the error, and that the answer of a
// module must be JSON.
func TestToolErrors(t *testing.T) {
	cause := errors.New("not on a Sunday")
	host := Tools(func(_ context.Context, c Call) (string, error) {
		if c.Module != "" {
			return "no JSON", nil
		}
		return "", cause
	})
	cfg := Config{Host: host, Modules: []Module{{Name: "orders", Methods: []Method{{Name: "list", Tool: "l"}}}}}
	var e *Error
	_, err := Eval(t.Context(), "mod.tool.start_json(\"t\", [1]).await()", cfg)
	if !errors.Is(err, cause) || !errors.As(err, &e) || e.Kind != NotAllowed || !strings.Contains(e.Message, "not on a Sunday") {
		t.Error(err)
	}
	_, err = Eval(t.Context(), "mod.orders.list()", cfg)
	if !errors.As(err, &e) || e.Kind != NotAllowed {
		t.Error(err)
	}
	_, err = Eval(t.Context(), `mod.tool.call("t", "")`, Config{})
	if !errors.As(err, &e) || e.Kind != NotAllowed {
		t.Error(err)
	}
}

// TestModuleCall holds what a host is told of a call of a module's method (WD-43).
func TestModuleCall(t *testing.T) {
	var got []Call
	host := Tools(func(_ context.Context, c Call) (string, error) {
		got = append(got, c)
		return `{"fine":true}`, nil
	})
	cfg := Config{Host: host, Modules: []Module{{Name: "orders", Methods: []Method{
		{Name: "list", Tool: "orders.list"}, {Name: "later", Tool: "orders.list", Deferred: true},
	}}}}
	v, err := Eval(t.Context(), "use mod.orders\n[orders.list({b: 1, a: [nil]}).fine, orders.later().await(), orders.list]", cfg)
	if err != nil || v.String() != "<array>" {
		t.Fatal(v, err)
	}
	want := []Call{
		{ID: 1, Tool: "orders.list", Input: `{"b":1,"a":[null]}`, JSON: true, Module: "orders", Method: "list"},
		{ID: 2, Tool: "orders.list", Input: "null", JSON: true, Module: "orders", Method: "later"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}

// TestCancel holds that a context ends a program between steps and after calls of the host, and that no try helps.
func TestCancel(t *testing.T) {
	for _, src := range []string{
		`loop { try mod.tool.call("cancel", "") catch nil` + "\n}",
		`try mod.tool.call("cancel", "") catch 5`,
		`try mod.tool.start("cancel", "").await() catch 5`,
		`mod.tool.call("cancel", "")` + "\nloop {}",
	} {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := Eval(ctx, src, Config{
			Host:   Tools(func(context.Context, Call) (string, error) { cancel(); return "", errors.New("cancelled") }),
			Limits: Limits{Steps: 1 << 30},
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", src, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Eval(ctx, "1", Config{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestStepsRepeat holds that the steps of a program are the same each time, and are what the limit counts: it ends
// with exactly as many, and not with one less.
func TestStepsRepeat(t *testing.T) {
	for _, src := range []string{
		"1", "let n = 0\nwhile n < 500 { n += 1; }\nn", strings.Repeat("try nope catch 1\n", 50),
		useStd + "let a = array.range(0, 300)\nlet r = {}\nfor v in a { r[\"k\" + v] = [v, text.upper(\"x\" + v)]; }\nr.to_json().parse_json() == r",
	} {
		p, err := Parse(src, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		run := func(limits Limits) (int, string) {
			e, err := p.Begin(Config{Limits: limits})
			if err != nil {
				t.Fatal(err)
			}
			_, err = e.Resume(t.Context())
			return e.Steps(), outcome(e.Value(), err, Limits{})
		}
		steps, end := run(Limits{})
		if again, _ := run(Limits{}); end != "ok" || steps != again || steps < 1 {
			t.Errorf("%.40q: %s after %d and %d steps", src, end, steps, again)
		}
		if n, end := run(Limits{Steps: steps}); n != steps || end != "ok" {
			t.Errorf("%.40q: %s with %d of %d steps", src, end, n, steps)
		}
		if _, end := run(Limits{Steps: steps - 1}); steps > 1 && end != "steps" {
			t.Errorf("%.40q: %s with one step less than %d", src, end, steps)
		}
	}
}

// TestOrderOfMagnitude holds the measured figures of SL-92.
func TestOrderOfMagnitude(t *testing.T) {
	count := func(n int) string { return fmt.Sprintf("let n = 0\nwhile n < %d { n += 1; }\nn", n) }
	each := func(n int) string { return fmt.Sprintf("let n = 0\nfor i in %d { n += 1; }\nn", n) }
	tests := []struct{ source, want string }{
		{count(20_000), "20000"}, {count(100_000), "steps"},
		{each(40_000), "40000"}, {each(100_000), "steps"},
		{"let a = []\na[199999] = 1\n1", "1"}, {"let a = []\na[2000000] = 1\n1", "live values"},
		{"fn f(n) { if n == 0 { return 0; }\nreturn f(n - 1)\n}\nf(1022)", "0"},
		{"fn f(n) { if n == 0 { return 0; }\nreturn f(n - 1)\n}\nf(1023)", "call depth"},
		{"let s = \"x\"\nfor i in 18 { s += s; }\nmod.std.text.len(s)", "262144"},
		{"let s = \"x\"\nfor i in 19 { s += s; }\nmod.std.text.len(s)", "string bytes"},
	}
	for _, tt := range tests {
		if got := run(tt.source); got != tt.want {
			t.Errorf("%q ends with %s, want %s", tt.source, got, tt.want)
		}
	}
}

// TestPending holds that the bound on promises denies a start, and makes room again.
func TestPending(t *testing.T) {
	v, err := Eval(t.Context(), `use mod.tool
let a = tool.start("t", "a")
let b = tool.start("t", "b")
let refused = try tool.start("t", "c") catch "denied"
a.await()
[refused, tool.start("t", "d").await()]`, Config{Host: &script{}, Limits: Limits{Pending: 2}})
	if err != nil || v.String() != `["denied","later d"]` {
		t.Error(v, err)
	}
}

// TestHostMistakes holds that what a host gets wrong is said before anything runs.
func TestHostMistakes(t *testing.T) {
	method := []Method{{Name: "a", Tool: "t"}}
	for _, cfg := range []Config{
		{Modules: []Module{{Name: "std", Methods: method}}},
		{Modules: []Module{{Name: "not a name"}}},
		{Modules: []Module{{Name: "while"}}},
		{Modules: []Module{{Name: "m", Methods: method}, {Name: "m"}}},
		{Modules: []Module{{Name: "m", Methods: append(method, method...)}}},
		{Modules: []Module{{Name: "m", Methods: []Method{{Name: "1"}}}}},
		{Globals: map[string]json.RawMessage{"mod": json.RawMessage("1")}},
		{Globals: map[string]json.RawMessage{"a b": json.RawMessage("1")}},
		{Globals: map[string]json.RawMessage{"w": json.RawMessage("{")}},
		{Globals: map[string]json.RawMessage{"w": json.RawMessage(`"` + strings.Repeat("x", 70_000) + `"`)}},
	} {
		p, err := Parse("1", Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Begin(cfg); err == nil {
			t.Errorf("%+v is taken", cfg)
		}
	}
}

// TestJSONReasons holds why a value has no JSON form (WD-46), and that what is shared without a cycle has one.
func TestJSONReasons(t *testing.T) {
	tests := []struct {
		source string
		want   JSONReason
	}{
		{"[|| 1]", JSONHandle}, {`{p: mod.tool.start("t", "")}`, JSONHandle}, {"mod", JSONHandle},
		{"let a = []\na[0] = {a: a}\na", JSONCycle}, {"[0/0]", JSONNotFinite}, {"-1/0", JSONNotFinite},
		{"let s = \"x\"\nfor i in 16 { s += s; }\ns", JSONTooLong}, {"let a = 1\nfor i in 65 { a = [a]; }\na", JSONTooDeep},
		{"let a = 1\nfor i in 64 { a = [a]; }\na", ""}, {"let a = [1]\n[a, a, {a: a}]", ""},
	}
	for _, tt := range tests {
		v, err := Eval(t.Context(), tt.source, Config{Host: &script{}})
		if err != nil {
			t.Fatal(err)
		}
		var e *JSONError
		if _, err := v.JSON(Limits{}); (err == nil) != (tt.want == "") || errors.As(err, &e) && e.Reason != tt.want {
			t.Errorf("%s: %v, want %s", tt.source, err, tt.want)
		}
	}
}

// TestProgramsAreShared runs one program on many goroutines, for the race detector.
func TestProgramsAreShared(t *testing.T) {
	p, err := Parse(useStd+"let s = \"a\"\nlet r = {k: [s, text.upper(s)]}\nfor i in 50 { r[\"k\" + i] = || s; }\nobject.len(r)", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if v, err := p.Eval(context.Background(), Config{Limits: Limits{Bytes: 40_000}}); err != nil || v.String() != "51" {
					t.Error(v, err)
				}
				p.Format()
				p.ToolCalls(10)
			}
		})
	}
	wg.Wait()
}

// TestEachEvaluationStartsAnew holds that what one evaluation used up, changed or failed with is nothing to the next
// of the same program (SL-47).
func TestEachEvaluationStartsAnew(t *testing.T) {
	p, err := Parse(`if workflow.bad { let a = []; loop { a = [a, workflow]; }; }
workflow.bad = true
try { mod.left = "behind"; 1; } catch "frozen"`, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	run := func(bad bool) (string, int) {
		e, err := p.Begin(Config{Globals: map[string]json.RawMessage{"workflow": json.RawMessage(fmt.Sprintf(`{"bad":%t}`, bad))}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.Resume(t.Context())
		return outcome(e.Value(), err, Limits{}) + " " + e.Value().String(), e.Steps()
	}
	first, steps := run(false)
	if first != `ok "frozen"` {
		t.Fatal(first)
	}
	for range 3 {
		if end, _ := run(true); end != "steps null" {
			t.Errorf("ends with %s", end)
		}
		if end, again := run(false); end != first || again != steps {
			t.Errorf("ends with %s after %d steps, and at first with %s after %d", end, again, first, steps)
		}
	}
}
