package splash

import "sync"

// Program is a source that [Parse] found valid. It holds no state of a run: one Program may be evaluated many times,
// also at once.
type Program struct {
	source string
	limits Limits
	body   *block

	once sync.Once
	code *proto
}

// Parse reads a source. The error is a *SyntaxError when [Check] would find anything, and a *LimitError for a source
// longer than Limits.SourceBytes (SL-1).
func Parse(source string, limits Limits) (*Program, error) {
	limits = limits.filled()
	if len(source) > limits.SourceBytes {
		return nil, &LimitError{Bound: BoundSource, Max: limits.SourceBytes, Actual: len(source)}
	}
	body, report := parseSource(source, limits)
	if !report.Valid() {
		return nil, &SyntaxError{Report: report}
	}
	return &Program{source: source, limits: limits, body: body}, nil
}

// Source returns the text as it was given.
func (p *Program) Source() string { return p.source }

// Format returns the program as canonical text: one statement a line, four spaces a level. It parses to the same
// program. Comments are not part of a program and are lost.
func (p *Program) Format() string { return printProgram(p.body) }

// main returns the compiled program. Checking never pays for compiling.
func (p *Program) main() *proto {
	p.once.Do(func() { p.code = compileProgram(p.body) })
	return p.code
}
