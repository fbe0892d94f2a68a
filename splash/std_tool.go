package splash

import (
	"errors"
	"strings"
)

// toolModule is mod.tool (SL-44), frozen and shared by all evaluations. Beside the four ways to call a tool it has
// last_error, because a try shows its program nothing of what it caught (SL-31) and a call that was refused for its
// arguments is worth a second one with better arguments.
var toolModule = frozen(
	tool("call", false, false),
	tool("call_json", true, false),
	tool("start", false, true),
	tool("start_json", true, true),
	entry{"last_error", function1("tool.last_error", func(m *machine, _ []Value) (Value, error) { return m.lastError() })},
)

// lastError gives nil, or the record {tool, message, data} of the call that failed last in this evaluation.
func (m *machine) lastError() (Value, error) {
	if m.failure == nil {
		return Value{}, nil
	}
	message, data := msgCallFailed, Value{}
	var told *CallError
	if errors.As(m.failure, &told) {
		message = strings.ToValidUTF8(told.Message, "\uFFFD")
		if len(told.Data) > 0 {
			v, err := m.parseJSON(string(told.Data))
			var limit *LimitError
			if errors.As(err, &limit) || m.ctx.Err() != nil {
				return Value{}, err
			}
			if err == nil {
				data = v
			}
		}
	}
	r, err := m.newRecord(3)
	if err != nil {
		return Value{}, err
	}
	for _, f := range []struct{ name, text string }{{"tool", m.failed}, {"message", message}} {
		v, err := m.newText(f.text)
		if err != nil {
			return Value{}, err
		}
		r.add(staticText(f.name), v)
	}
	r.add(staticText("data"), data)
	return Value{ref: r}, nil
}

func tool(name string, asJSON, deferred bool) entry {
	return entry{name, function1("tool."+name, func(m *machine, args []Value) (Value, error) {
		call := Call{JSON: asJSON}
		target, ok := arg(args, 0).ref.(*text)
		if !ok {
			return Value{}, fail(NotAllowed, msgToolName, arg(args, 0).article())
		}
		call.Tool = target.s
		if asJSON {
			doc, err := m.appendJSON(arg(args, 1)) // the bounded writer, also here (Q16)
			if err != nil {
				return Value{}, err
			}
			call.Input = string(doc)
		} else {
			input, ok := arg(args, 1).ref.(*text)
			if !ok {
				return Value{}, fail(NotAllowed, msgToolText, arg(args, 1).article())
			}
			call.Input = input.s
		}
		if deferred {
			return m.hostStart(call, false)
		}
		out, err := m.hostCall(call)
		if err != nil {
			return Value{}, err
		}
		return m.newText(out)
	})}
}
