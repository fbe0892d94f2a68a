package splash

import "fmt"

// Limits bounds one check and one evaluation. Every field is counted, never timed, so the same source with the same
// input and tool answers ends the same way on every machine. A field of zero or less means the default of
// [DefaultLimits]; a host may lower a bound as far as it likes and may raise it, except that Nesting and JSONDepth
// stop at 1,024, because the parser and the JSON reader recurse that deep.
//
// SL-1, SL-8, SL-11, SL-12 and SL-92 give the defaults.
type Limits struct {
	// SourceBytes bounds the UTF-8 bytes of one source. A longer one is a *LimitError, not a diagnostic (SL-1).
	SourceBytes int
	// Tokens bounds the tokens of one source, newlines included (SL-8). Passing it is a diagnostic.
	Tokens int
	// Nesting bounds expressions and blocks inside one another (SL-11). Passing it is a diagnostic.
	Nesting int
	// Diagnostics is how many diagnostics are kept; one more marks the report as truncated (WD-12).
	Diagnostics int

	// Steps bounds the work of an evaluation: one step an instruction, and further steps in proportion to the bytes
	// and items an instruction touches, so that one cheap-looking call cannot stand for a long one.
	Steps int
	// CallDepth bounds active calls, the program itself included.
	CallDepth int
	// Stack bounds operands and local names of all active calls together.
	Stack int
	// Values bounds live values: items, fields and objects.
	Values int
	// Bytes bounds live bytes, by this package's own account of what values cost. A program whose live data stays
	// under 15/16 of it never fails by it; one that holds more than all of it always does.
	Bytes int
	// StringBytes bounds the UTF-8 bytes of any one string.
	StringBytes int
	// JSONBytes and JSONDepth bound every JSON text read or written, inside the program and at its edge (SL-35,
	// WD-45). Inside, a text past them is an ordinary error, as SL-35 has it.
	JSONBytes int
	JSONDepth int
	// Pending bounds promises that are started and not settled. One start more is denied (SL-92).
	Pending int
}

// hardDepth is the most a host can raise a bound to that the Go stack pays for.
const hardDepth = 1024

// DefaultLimits returns the bounds of SL-1, SL-8, SL-11 and SL-92.
func DefaultLimits() Limits {
	return Limits{
		SourceBytes: 262_144,
		Tokens:      32_768,
		Nesting:     128,
		Diagnostics: 32,
		Steps:       200_000,
		CallDepth:   1_024,
		Stack:       32_768,
		Values:      1_000_000,
		Bytes:       8_388_608,
		StringBytes: 262_144,
		JSONBytes:   65_536,
		JSONDepth:   64,
		Pending:     64,
	}
}

func (l Limits) filled() Limits {
	d := DefaultLimits()
	fill := func(p *int, def int) {
		if *p <= 0 {
			*p = def
		}
	}
	fill(&l.SourceBytes, d.SourceBytes)
	fill(&l.Tokens, d.Tokens)
	fill(&l.Nesting, d.Nesting)
	fill(&l.Diagnostics, d.Diagnostics)
	fill(&l.Steps, d.Steps)
	fill(&l.CallDepth, d.CallDepth)
	fill(&l.Stack, d.Stack)
	fill(&l.Values, d.Values)
	fill(&l.Bytes, d.Bytes)
	fill(&l.StringBytes, d.StringBytes)
	fill(&l.JSONBytes, d.JSONBytes)
	fill(&l.JSONDepth, d.JSONDepth)
	fill(&l.Pending, d.Pending)
	l.Nesting = min(l.Nesting, hardDepth)
	l.JSONDepth = min(l.JSONDepth, hardDepth)
	return l
}

// Bound names the limit that a [LimitError] is about.
type Bound string

// The bounds that end an evaluation, or refuse a source, whatever the program does about errors (SL-33).
const (
	BoundSource Bound = "source bytes"
	BoundSteps  Bound = "steps"
	BoundCalls  Bound = "call depth"
	BoundStack  Bound = "operand stack"
	BoundValues Bound = "live values"
	BoundBytes  Bound = "live bytes"
	BoundString Bound = "string bytes"
)

// LimitError reports a bound that was passed. No try can catch it (SL-33).
type LimitError struct {
	Bound  Bound
	Max    int // what Limits allowed
	Actual int // for BoundSource the bytes there are; 0 for the others, which stop before they are passed
	Line   int // 1-based; 0 when the bound is not about a place, as for a source that is too long
	Column int // in Unicode scalars, 1-based; 0 likewise
}

func (e *LimitError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("splash: the limit of %d %s is passed", e.Max, e.Bound)
	}
	return fmt.Sprintf("splash: %d:%d: the limit of %d %s is passed", e.Line, e.Column, e.Max, e.Bound)
}
