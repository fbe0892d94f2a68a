// Package splash is the language of a workflow step: the canonical Splash v0.2 profile, which a model or a person writes
// and a host judges before anything runs.
//
//	v, err := splash.Eval(ctx, `use mod.tool
//	let order = tool.call_json("orders.get", {id: "W7"}).parse_json()
//	if order.late "refund" else "wait"`, splash.Config{Host: tools})
//
// [Check] judges a source without running it, [Parse] gives a [Program], whose [Program.ToolCalls] and
// [Program.ModuleCalls] show a reviewer where it calls out, and [Program.Begin] an [Evaluation], which stops when the
// program awaits an answer from outside and goes on when the host has it. [Eval] does all of it at once.
//
// A program can do nothing but compute. Whatever else it does, it asks its [Host] to do, call by call, by the name of a
// tool; the host decides each time. There are no files, no clock, no chance, no import but that of the modules the host
// gave, and no way to learn of a tool it was not told of.
//
// What a program may use up is bounded by [Limits], and is counted, never timed: the same source with the same input
// and the same answers ends the same way, after the same number of steps, on every machine. No try of the program
// catches a limit of steps, calls, operands, strings or memory, and none can drive the stack of Go, because calls of
// the program are not calls of Go. A context ends a program between steps.
//
// The package refuses: to go on after an error that the program does not catch (the first one ends it, with its
// position); to coerce text to numbers; to call a tool with a value that JSON cannot write; and to write a value out
// that holds a function, a promise, a cycle, a NaN or an infinity.
//
// The specification is the SL rules, and WD-12 to WD-18 for what a review shows; where comments cite a rule, it is one
// of these. Texts of errors and diagnostics are for people and may change; kinds, positions and bounds are the contract.
package splash
