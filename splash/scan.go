package splash

import "strconv"

// Span is where a callee stands: its line and column, and its UTF-8 offsets in the source (WD-15). Its JSON form, and
// those of the other types here, is the one that WD-15 and WD-18 fix.
type Span struct {
	Column    int `json:"column"`
	EndByte   int `json:"end_byte"`
	Line      int `json:"line"`
	StartByte int `json:"start_byte"`
}

// ToolCall is a place where the text calls a tool by `tool.call` and its like (WD-15). It is a hint for a reviewer,
// found by a look at tokens: nothing says that the call will be made, or that no other will.
type ToolCall struct {
	Callee Span     `json:"callee"` // from the t of `tool` to the end of the method
	Kind   string   `json:"kind"`   // call, start, call_json or start_json
	Name   ToolName `json:"name"`
}

// ToolName is the name in a [ToolCall]: a literal with its value and place, quotes included, when the first argument
// begins with a string, and else dynamic.
type ToolName struct {
	Literal   bool
	Value     string
	StartByte int
	EndByte   int
}

// MarshalJSON implements json.Marshaler.
func (n ToolName) MarshalJSON() ([]byte, error) {
	if !n.Literal {
		return []byte(`{"kind":"dynamic"}`), nil
	}
	b := append([]byte(nil), `{"end_byte":`...)
	b = strconv.AppendInt(b, int64(n.EndByte), 10)
	b = append(b, `,"kind":"literal","start_byte":`...)
	b = strconv.AppendInt(b, int64(n.StartByte), 10)
	b = append(b, `,"value":`...)
	return append(appendJSONString(b, n.Value), '}'), nil
}

// MaxCalls is how many calls of a source are reported at most (WD-17, WD-18).
const MaxCalls = 1024

// ToolCalls finds the calls of tools in the text, in order (WD-16): the name `tool`, not behind a dot, one of the four
// methods, and a parenthesis. There is no analysis of imports, aliases or shadowing. At most limit calls are kept,
// and never more than MaxCalls; truncated says that there were more.
func (p *Program) ToolCalls(limit int) (calls []ToolCall, truncated bool) {
	limit = min(limit, MaxCalls)
	toks, _ := lex(p.source, p.limits)
	list := toks.list
	pos := reporter{source: p.source}
	for i := 0; i+3 < len(list); i++ {
		if list[i].kind != tName || list[i+1].kind != tDot || list[i+2].kind != tName || list[i+3].kind != tParenL {
			continue
		}
		t, method, first := list[i], list[i+2], list[i+4]
		if p.source[t.pos:t.end] != "tool" || i > 0 && list[i-1].kind == tDot {
			continue
		}
		kind := p.source[method.pos:method.end]
		switch kind {
		case "call", "start", "call_json", "start_json":
		default:
			continue
		}
		if len(calls) >= limit {
			return calls, true
		}
		call := ToolCall{Callee: pos.span(t.pos, method.end), Kind: kind}
		if first.kind == tString {
			call.Name = ToolName{
				Literal:   true,
				Value:     toks.texts[first.text],
				StartByte: int(first.pos),
				EndByte:   int(first.end),
			}
		}
		calls = append(calls, call)
	}
	return calls, false
}

func (r *reporter) span(start, end int32) Span {
	line, col := r.position(int(start))
	return Span{Line: line, Column: col, StartByte: int(start), EndByte: int(end)}
}
