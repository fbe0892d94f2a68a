package splash_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/fwgo/fwgo/splash"
)

// A source is judged without being run.
func ExampleCheck() {
	report, err := splash.Check("let total = 1 2\nlet rate == 2", splash.Limits{})
	if err != nil {
		fmt.Println(err) // only for a source that is too long
		return
	}
	for _, d := range report.Diagnostics {
		fmt.Printf("%d:%d %s\n", d.Line, d.Column, d.Message)
	}
	// Output:
	// 1:15 a statement ends with its line, or with `;`, also before `}`
	// 2:10 expected `=` or the end of the statement after the name
	// 2:10 a statement ends with its line, or with `;`, also before `}`
}

// A program is a checked source. Its canonical text has one statement a line.
func ExampleParse() {
	p, err := splash.Parse(`let a=[1,2]; for v in a {f(v);}`, splash.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(p.Format())
	_, err = splash.Parse("let = 1", splash.Limits{})
	fmt.Println(err)
	// Output:
	// let a = [1, 2]
	// for v in a {
	//     f(v)
	// }
	// splash: 1:5: `let` is followed by a name
}

// A reviewer sees which tools a text calls, before anything is granted.
func ExampleProgram_ToolCalls() {
	p, err := splash.Parse(`use mod.tool
let name = "orders." + "cancel"
let open = tool.call("orders.list", "open")
tool.start_json(name, {id: 7})`, splash.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	calls, _ := p.ToolCalls(splash.MaxCalls)
	for _, c := range calls {
		name := "a name worked out at run time"
		if c.Name.Literal {
			name = c.Name.Value
		}
		fmt.Printf("%d:%d %s %s\n", c.Callee.Line, c.Callee.Column, c.Kind, name)
	}
	// Output:
	// 3:12 call orders.list
	// 4:1 start_json a name worked out at run time
}

// A program alone: what it ends with, as JSON.
func ExampleEval() {
	v, err := splash.Eval(context.Background(), `
fn fib(n) {
    if n < 2 { return n; }
    return fib(n - 1) + fib(n - 2)
}
{numbers: [fib(5), fib(10)], word: mod.std.text.upper("straße")}`, splash.Config{})
	fmt.Println(v, err)
	// Output: {"numbers":[5,55],"word":"STRASSE"} <nil>
}

// An error that the program does not catch ends it, with its place and kind.
func ExampleError() {
	_, err := splash.Eval(context.Background(), "let order = {id: 7}\norder.total + 1", splash.Config{})
	var e *splash.Error
	if errors.As(err, &e) {
		fmt.Println(e.Kind, e.Line, e.Column)
	}
	fmt.Println(err)
	// Output:
	// NotFound 2 7
	// splash: 2:7: a record has no field "total"
}

// No program can catch a limit.
func ExampleLimits() {
	limits := splash.Limits{Steps: 10_000} // the others are the defaults
	_, err := splash.Eval(context.Background(), "try { loop {}; 1; } catch { 2; }", splash.Config{Limits: limits})
	fmt.Println(err)
	// Output: splash: 1:7: the limit of 10000 steps is passed
}

// The host runs the tools, and its refusals are errors that the program can catch.
func ExampleTools() {
	host := splash.Tools(func(_ context.Context, c splash.Call) (string, error) {
		if c.Tool != "orders.get" {
			return "", errors.New("not granted")
		}
		return `{"id":"W7","late":true}`, nil
	})
	v, err := splash.Eval(context.Background(), `use mod.tool
let order = tool.call_json("orders.get", {id: "W7"}).parse_json()
[order.late, try tool.call("shell", "rm") catch "refused"]`, splash.Config{Host: host})
	fmt.Println(v, err)
	// Output: [true,"refused"] <nil>
}

// Methods of host modules take and give values. Globals are what the program is given to work on.
func ExampleModule() {
	host := splash.Tools(func(_ context.Context, c splash.Call) (string, error) {
		var in struct{ Left, Right int }
		if err := json.Unmarshal([]byte(c.Input), &in); err != nil {
			return "", err
		}
		return fmt.Sprintf(`{"total":%d}`, in.Left+in.Right), nil
	})
	v, err := splash.Eval(context.Background(), `use mod.arithmetic
arithmetic.add({left: workflow.input.start, right: 22}).total`, splash.Config{
		Host:    host,
		Modules: []splash.Module{{Name: "arithmetic", Methods: []splash.Method{{Name: "add", Tool: "math.add"}}}},
		Globals: map[string]json.RawMessage{"workflow": json.RawMessage(`{"input":{"start":20},"outputs":{}}`)},
	})
	fmt.Println(v, err)
	// Output: 42 <nil>
}

// mailbox is a host whose deferred calls are answered from outside.
type mailbox struct{ splash.Tools }

func (mailbox) Start(context.Context, splash.Call) (splash.Work, error) { return nil, nil }

// A program that awaits an answer from outside is suspended, and goes on where it stopped.
func ExampleEvaluation() {
	ctx := context.Background()
	p, err := splash.Parse(`use mod.tool
let answer = tool.start("ask.person", "Cancel order W7?").await()
if answer == "yes" "cancelled" else "kept"`, splash.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := p.Begin(splash.Config{Host: mailbox{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for {
		done, err := e.Resume(ctx)
		if done || err != nil {
			fmt.Println(e.Value(), err)
			return
		}
		if e.RunNext(ctx) { // work that the host queued, if it queues any
			continue
		}
		call, _ := e.Waiting()
		fmt.Println(call.Tool, "is asked:", call.Input)
		if err := e.Settle(call.ID, "yes", nil); err != nil {
			fmt.Println(err)
			return
		}
	}
	// Output:
	// ask.person is asked: Cancel order W7?
	// "cancelled" <nil>
}

// Values that are no data do not leave the program.
func ExampleValue_JSON() {
	v, err := splash.Eval(context.Background(), "{call: |x| x}", splash.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = v.JSON(splash.Limits{})
	var e *splash.JSONError
	fmt.Println(errors.As(err, &e) && e.Reason == splash.JSONHandle, err)
	// Output: true splash: a function has no JSON form
}

// The parts of the language in short, for the person or model who writes steps.
func Example_language() {
	programs := []string{
		`1 + 2 + "a" + nil + true`,                         // text takes numbers, nil and booleans
		`[7 % -4, 10 / 4, !0, nil || "default"]`,           // doubles; && and || give an operand
		`let r = {id: 1}; r.name = "x"; r["a b"] = nil; r`, // records keep their order
		`let a = [1]; a[2] = 3; a`,                         // gaps are nil
		`let total = 0; for i, v in [5, 6] { total += i * v; }; total`,
		`let keys = []; for i, k, v in {x: 1, y: 2} { keys[i] = k + v; }; keys`,
		`if 2 > 1 { "yes"; } elif true { "maybe"; } else { "no"; }`,
		`let double = |x| x * 2; fn apply(f, x) { return f(x); }; apply(double, 21)`,
		`let counter = {n: 0, next: || { self.n += 1; return self.n; }}; counter.next(); counter.next()`,
		`try [1, 2][9] catch "no such item"`,
		`"{\"n\": [1, -2.5]}".parse_json().n`,
		`use mod.std.array; use mod.std.object; [array.range(0, 3), object.keys({b: 1, a: 2})]`,
	}
	for _, src := range programs {
		v, err := splash.Eval(context.Background(), src, splash.Config{})
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(v)
	}
	// Output:
	// "3atrue"
	// [3,2.5,true,"default"]
	// {"id":1,"name":"x","a b":null}
	// [1,null,3]
	// 6
	// ["x1","y2"]
	// "yes"
	// 42
	// 2
	// "no such item"
	// [1,-2.5]
	// [[0,1,2],["b","a"]]
}
