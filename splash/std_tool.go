package splash

// toolModule is mod.tool (SL-44), frozen and shared by all evaluations.
var toolModule = frozen(
	tool("call", false, false),
	tool("call_json", true, false),
	tool("start", false, true),
	tool("start_json", true, true),
)

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
