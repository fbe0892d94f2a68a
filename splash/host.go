package splash

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Call is one call of a tool, as the program made it. Whether it is allowed is for the host alone to say: nothing in
// a program grants anything.
type Call struct {
	// ID numbers the calls of one evaluation from 1, in the order they were made.
	ID int
	// Tool is the name the program gave, which may be computed at run time, or the tool behind a module's method.
	Tool string
	// Input is the text of the program, or compact JSON when JSON is set.
	Input string
	// JSON says that the program passed a value: tool.call_json, tool.start_json, or a method of a module.
	JSON bool
	// Module and Method name the method of a module that was called, and are empty for the functions of mod.tool.
	Module string
	Method string
}

// Work is what a deferred call does when its turn comes.
type Work func(ctx context.Context) (output string, err error)

// ErrLater is what [Host.Call] returns for a call whose answer is not there yet. The program stops at the call as it
// would at an await, and goes on with the answer when the host has settled it.
var ErrLater = errors.New("splash: the answer comes later")

// CallError is an error of a [Host] that is meant for the program: tool.last_error() gives it the message and the value
// of Data. Of other errors a program learns only that the call failed, because their texts are the host's own business.
type CallError struct {
	Message string
	// Data is one JSON document within Limits.JSONBytes and Limits.JSONDepth, or empty. The program sees nil for
	// anything else.
	Data json.RawMessage
}

func (e *CallError) Error() string { return e.Message }

// Host decides and runs the calls of a program (SL-44, WD-41). An error is an ordinary one for the program: a try
// catches it, and *Error carries it in Err. It is called only from the goroutine that resumes the evaluation.
type Host interface {
	// Call runs a tool at once: tool.call, tool.call_json and synchronous methods of modules. With [ErrLater] the
	// program waits instead, and the host settles the call with [Evaluation.Settle].
	Call(ctx context.Context, call Call) (output string, err error)
	// Start reserves a deferred call: tool.start, tool.start_json and deferred methods of modules. All checks are
	// made here. The work is queued and runs when the program awaits, or at the end; nil means that the host settles
	// the call itself, with [Evaluation.Settle].
	Start(ctx context.Context, call Call) (Work, error)
}

// Tools is the simplest Host: a function that runs every call, deferred ones when their turn comes.
type Tools func(ctx context.Context, call Call) (output string, err error)

// Call implements [Host].
func (t Tools) Call(ctx context.Context, call Call) (string, error) { return t(ctx, call) }

// Start implements [Host].
func (t Tools) Start(_ context.Context, call Call) (Work, error) {
	return func(ctx context.Context) (string, error) { return t(ctx, call) }, nil
}

// Module is a module of the host, mod.NAME to a program (SL-46, WD-43).
type Module struct {
	Name    string
	Methods []Method
}

// Method maps mod.MODULE.NAME to a tool. It takes one value, which reaches the tool as JSON, and gives the value of
// the JSON the tool answers with; a deferred one gives a promise of it.
type Method struct {
	Name     string
	Tool     string
	Deferred bool
}

// promise is the answer to a deferred call that may not be there yet.
type promise struct {
	call   Call
	work   Work
	decode bool // the answer is JSON to be made a value of

	done   bool
	output string
	err    error

	ready bool // value is made
	value Value
	mark  uint32
}

// hostCall runs a synchronous call.
func (m *machine) hostCall(call Call) (string, error) {
	if m.host == nil {
		return "", fail(NotAllowed, msgNoHost)
	}
	if p := m.held; p != nil { // the instruction that made the call runs again, now that it is settled
		m.held = nil
		if p.err != nil {
			return "", m.toolError(p.call, p.err)
		}
		return p.output, nil
	}
	if err := m.payCall(call); err != nil {
		return "", err
	}
	m.calls++
	call.ID = m.calls
	out, err := m.host.Call(m.ctx, call)
	if stop := m.ctx.Err(); stop != nil {
		return "", stop // whatever the host made of it, this is not for the program to catch
	}
	if err == ErrLater { // and not one that only wraps it: that is what a tool said, not the host
		p := &promise{call: call}
		m.pending = append(m.pending, p)
		m.waiting, m.held = p, p
		return "", errWait
	}
	if err != nil {
		return "", m.toolError(call, err)
	}
	return out, nil
}

// payCall pays for what a host does with a call before it knows whether it makes it: the name and the input are read in
// full, and a program may make the same call again and again, however often it is denied.
func (m *machine) payCall(call Call) error { return m.work((len(call.Tool) + len(call.Input)) / 8) }

func (m *machine) toolError(call Call, err error) error {
	m.failed, m.failure = call.Tool, err
	e := fail(NotAllowed, msgToolFailed, quoteShort(call.Tool), err.Error())
	e.Err = err
	return e
}

// hostStart makes a promise of a deferred call.
func (m *machine) hostStart(call Call, decode bool) (Value, error) {
	if m.host == nil {
		return Value{}, fail(NotAllowed, msgNoHost)
	}
	if len(m.pending) >= m.limits.Pending {
		return Value{}, fail(NotAllowed, msgPending, m.limits.Pending)
	}
	if err := m.payCall(call); err != nil {
		return Value{}, err
	}
	if err := m.charge(costPromise+len(call.Input), 1); err != nil {
		return Value{}, err
	}
	m.calls++
	call.ID = m.calls
	work, err := m.host.Start(m.ctx, call)
	p := &promise{call: call, work: work, decode: decode}
	if err == nil { // also when the context has ended: what a host reserved is its to run or to settle
		m.pending = append(m.pending, p)
	}
	if stop := m.ctx.Err(); stop != nil {
		return Value{}, stop
	}
	if err != nil {
		return Value{}, m.toolError(call, err)
	}
	return Value{ref: p}, nil
}

// await is the method of promises (SL-44): it waits, and then gives the same answer each time.
func (m *machine) await(self Value) (Value, error) {
	p := self.ref.(*promise)
	switch {
	case !p.done:
		m.waiting = p
		return Value{}, errWait
	case p.err != nil:
		return Value{}, m.toolError(p.call, p.err)
	case !p.ready:
		v, err := m.answer(p.call, p.output, p.decode)
		if err != nil {
			return Value{}, err
		}
		p.value, p.ready, p.output = v, true, ""
	}
	return p.value, nil
}

// answer makes a value of what a tool answered.
func (m *machine) answer(call Call, output string, decode bool) (Value, error) {
	if !decode {
		return m.newText(output)
	}
	v, err := m.parseJSON(output)
	if e, ok := err.(*Error); ok {
		wrong := fail(NotAllowed, msgModuleAnswer, quoteShort(call.Tool), e.Message)
		wrong.Err = e
		return Value{}, wrong
	}
	return v, err
}

// settle records the answer of a pending call.
func (m *machine) settle(p *promise, output string, err error) {
	for i, q := range m.pending {
		if q == p {
			m.pending = append(m.pending[:i:i], m.pending[i+1:]...)
			break
		}
	}
	m.bytes += len(output) // the next charge looks at the bound; this is no place for a program to fail
	p.done, p.output, p.err, p.work = true, output, err, nil
	p.call.Input = ""
}

// moduleRecord makes the frozen record of a host module.
func moduleRecord(mod Module) *record {
	r := &record{}
	for _, method := range mod.Methods {
		r.add(staticText(method.Name), Value{ref: methodFunc(mod.Name, method)})
	}
	r.frozen = true
	return r
}

func methodFunc(module string, method Method) *builtin {
	return &builtin{
		name: module + "." + method.Name,
		fn: func(m *machine, args []Value) (Value, error) {
			doc, err := m.appendJSON(arg(args, 0)) // a missing argument is null (WD-43)
			if err != nil {
				return Value{}, err
			}
			call := Call{Tool: method.Tool, Input: string(doc), JSON: true, Module: module, Method: method.Name}
			if method.Deferred {
				return m.hostStart(call, true)
			}
			out, err := m.hostCall(call)
			if err != nil {
				return Value{}, err
			}
			return m.answer(call, out, true)
		},
	}
}

// modTree makes the frozen tree that `mod` names. Its errors are mistakes of the host.
func modTree(modules []Module) (*record, error) {
	root := &record{}
	root.add(staticText("std"), Value{ref: stdModule})
	root.add(staticText("tool"), Value{ref: toolModule})
	for _, mod := range modules {
		if !isName(mod.Name) {
			return nil, fmt.Errorf("splash: the module name %s is not a name of the language (SL-4)", quoteShort(mod.Name))
		}
		key := staticText(mod.Name)
		if root.find(key) >= 0 {
			return nil, fmt.Errorf("splash: the module %s is there already", mod.Name)
		}
		seen := map[string]bool{}
		for _, method := range mod.Methods {
			if !isName(method.Name) {
				return nil, fmt.Errorf("splash: module %s: the method name %s is not a name of the language (SL-4)", mod.Name, quoteShort(method.Name))
			}
			if seen[method.Name] {
				return nil, fmt.Errorf("splash: module %s: the method %s is there already", mod.Name, method.Name)
			}
			seen[method.Name] = true
		}
		root.add(key, Value{ref: moduleRecord(mod)})
	}
	root.frozen = true
	return root, nil
}

// isName reports whether s can be a name of the language.
func isName(s string) bool {
	for i := range len(s) {
		c := class[s[i]]
		if c&cLetter == 0 && (i == 0 || c&cDigit == 0) {
			return false
		}
	}
	return s != "" && word(s) == tName
}
