package splash

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Diagnostic is one thing wrong with the text of a program. Lines and columns start at 1, and a column counts Unicode
// scalars from the start of its line (WD-12). The message is for people; programs compare positions.
type Diagnostic struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// Report is what [Check] found. The zero Report is that of a valid source.
type Report struct {
	// Diagnostics are in the order found. When the text cannot be cut into tokens, only that is reported.
	Diagnostics []Diagnostic
	// Truncated says that more was found than Limits.Diagnostics keeps.
	Truncated bool
}

// Valid reports whether nothing is wrong.
func (r Report) Valid() bool { return len(r.Diagnostics) == 0 }

// Check judges a source without running it (WD-11). What it finds is in the report; the error is a *LimitError for
// a source longer than Limits.SourceBytes, and nil otherwise (SL-1, WD-14).
func Check(source string, limits Limits) (Report, error) {
	limits = limits.filled()
	if len(source) > limits.SourceBytes {
		return Report{}, &LimitError{Bound: BoundSource, Max: limits.SourceBytes, Actual: len(source)}
	}
	_, report := parseSource(source, limits)
	return report, nil
}

// SyntaxError is the error of [Parse] for a source that [Check] finds something wrong with.
type SyntaxError struct {
	Report Report
}

func (e *SyntaxError) Error() string {
	if e.Report.Valid() {
		return "splash: no diagnostics"
	}
	d := e.Report.Diagnostics[0]
	more := ""
	if n := len(e.Report.Diagnostics) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
		if e.Report.Truncated {
			more = fmt.Sprintf(" (and more than %d more)", n)
		}
	}
	return fmt.Sprintf("splash: %d:%d: %s%s", d.Line, d.Column, d.Message, more)
}

// reporter collects diagnostics by byte offset. Positions are worked out only for those that are kept, so a valid
// source never pays for counting columns.
type reporter struct {
	source    string
	max       int
	found     []Diagnostic
	truncated bool
	// The last position asked for: most diagnostics come in rising order, and a long source with an error a line
	// must not be counted from its start each time.
	at   int
	line int
	col  int
}

func (r *reporter) report(offset int, message string) {
	if len(r.found) >= r.max {
		r.truncated = true
		return
	}
	line, col := r.position(offset)
	r.found = append(r.found, Diagnostic{Line: line, Column: col, Message: message})
}

func (r *reporter) position(offset int) (line, col int) {
	if r.line == 0 || offset < r.at {
		r.at, r.line, r.col = 0, 1, 1
	}
	r.line, r.col = advance(r.source[r.at:offset], r.line, r.col)
	r.at = offset
	return r.line, r.col
}

func (r *reporter) done() Report {
	return Report{Diagnostics: r.found, Truncated: r.truncated}
}

// advance moves a position over text. Only a line feed ends a line: a lone carriage return is an error anyway (SL-2).
func advance(text string, line, col int) (int, int) {
	if n := strings.Count(text, "\n"); n > 0 {
		line += n
		text = text[strings.LastIndexByte(text, '\n')+1:]
		col = 1
	}
	return line, col + utf8.RuneCountInString(text)
}

// lineColumn locates one byte offset.
func lineColumn(source string, offset int) (line, col int) {
	return advance(source[:min(offset, len(source))], 1, 1)
}
