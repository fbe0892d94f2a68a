package draft

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/fwgo/fwgo/splash"
)

// MaxReviewCalls is how many calls of each of the two kinds a review shows over all steps (WD-17). For one step it is
// splash.MaxCalls.
const MaxReviewCalls = 4_096

// ReviewOptions are what a host may say about a review. The zero value is the default.
type ReviewOptions struct {
	// Limits lowers SourceBytes, Tokens, Nesting and Diagnostics of the language. They cannot be raised over
	// splash.DefaultLimits, and the other fields mean nothing to a review.
	Limits splash.Limits
	// Modules are the host's modules, whose calls the review then shows (WD-18).
	Modules []splash.Module
}

// Review is what is said about a draft before anything runs (WD-11): whether each step is a program, and where it
// surely calls out. It is made by looking at the text alone. Calls that it shows may never be made, and others may be:
// what a step may do is said by its lease, not here.
type Review struct {
	// Rejection is why there is no draft to review. A host sets it to show a refused draft in the form of a review.
	Rejection *Rejection
	// Steps are the reviews of the steps in order.
	Steps []StepReview
}

// StepReview is the review of one step.
type StepReview struct {
	ID string
	// Diagnostics are what is wrong with the source, in the order found; at most 32 are kept (WD-12). With any, the
	// step has no calls (WD-13).
	Diagnostics          []splash.Diagnostic
	DiagnosticsTruncated bool
	// ToolCalls are the places where the source calls tool.call and its like, in order (WD-16).
	ToolCalls          []splash.ToolCall
	ToolCallsTruncated bool
	// ModuleCalls are the places where it calls a method of one of the host's modules, in order (WD-18).
	ModuleCalls          []splash.ModuleCall
	ModuleCallsTruncated bool
}

// Valid reports whether the source is a program.
func (s *StepReview) Valid() bool { return len(s.Diagnostics) == 0 }

// Valid reports whether there is a draft and every step is valid.
func (r *Review) Valid() bool {
	if r.Rejection != nil {
		return false
	}
	for i := range r.Steps {
		if !r.Steps[i].Valid() {
			return false
		}
	}
	return true
}

// Review reviews the steps of the draft in order, without running anything. Its only error wraps the
// *splash.LimitError of a source that is longer than the language allows, which a draft may hold (WD-14).
func (d *Draft) Review(opts ReviewOptions) (*Review, error) { return reviewSteps(d.steps, opts) }

func reviewSteps(steps []Step, opts ReviewOptions) (*Review, error) {
	limits := lowered(opts.Limits)
	review := &Review{Steps: make([]StepReview, len(steps))}
	toolsLeft, modulesLeft := MaxReviewCalls, MaxReviewCalls
	for i := range steps {
		s := &review.Steps[i]
		s.ID = steps[i].ID
		program, err := splash.Parse(steps[i].Source, limits)
		var syntax *splash.SyntaxError
		if errors.As(err, &syntax) {
			s.Diagnostics, s.DiagnosticsTruncated = syntax.Report.Diagnostics, syntax.Report.Truncated
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("draft: step %s: %w", s.ID, err)
		}
		s.ToolCalls, s.ToolCallsTruncated = program.ToolCalls(toolsLeft)
		toolsLeft -= len(s.ToolCalls)
		if len(opts.Modules) > 0 {
			s.ModuleCalls, s.ModuleCallsTruncated = program.ModuleCalls(opts.Modules, modulesLeft)
			modulesLeft -= len(s.ModuleCalls)
		}
	}
	return review, nil
}

// lowered is the limits of a review: those of the host where they are below the defaults.
func lowered(l splash.Limits) splash.Limits {
	d := splash.DefaultLimits()
	lower := func(to int, from *int) {
		if to > 0 {
			*from = min(to, *from)
		}
	}
	lower(l.SourceBytes, &d.SourceBytes)
	lower(l.Tokens, &d.Tokens)
	lower(l.Nesting, &d.Nesting)
	lower(l.Diagnostics, &d.Diagnostics)
	return d
}

// reviewJSON and the types in it are the form of WD-22. Their fields are in the order of the keys' bytes.
type reviewJSON struct {
	Draft struct {
		Error *Rejection `json:"error"`
		Valid bool       `json:"valid"`
	} `json:"draft"`
	Steps []stepJSON `json:"steps"`
	Valid bool       `json:"valid"`
}

type stepJSON struct {
	Diagnostics          []diagnosticJSON    `json:"diagnostics"`
	DiagnosticsTruncated bool                `json:"diagnostics_truncated"`
	ModuleCalls          []splash.ModuleCall `json:"direct_module_calls"`
	ModuleCallsTruncated bool                `json:"direct_module_calls_truncated"`
	ID                   string              `json:"id"`
	ToolCalls            []splash.ToolCall   `json:"tool_calls"`
	ToolCallsTruncated   bool                `json:"tool_calls_truncated"`
	Valid                bool                `json:"valid"`
}

type diagnosticJSON struct {
	Column  int    `json:"column"`
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// Encode returns the review as compact JSON with sorted keys (WD-19, WD-22).
func (r *Review) Encode() []byte {
	out := reviewJSON{Steps: make([]stepJSON, len(r.Steps)), Valid: r.Valid()}
	out.Draft.Error, out.Draft.Valid = r.Rejection, r.Rejection == nil
	for i := range r.Steps {
		out.Steps[i] = r.Steps[i].json()
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(out); err != nil {
		panic(err) // nothing in it can fail to be written
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// MarshalJSON implements json.Marshaler with the form of Encode.
func (r *Review) MarshalJSON() ([]byte, error) { return r.Encode(), nil }

func (s *StepReview) json() stepJSON {
	out := stepJSON{
		Diagnostics:          make([]diagnosticJSON, len(s.Diagnostics)),
		DiagnosticsTruncated: s.DiagnosticsTruncated,
		ModuleCalls:          s.ModuleCalls,
		ModuleCallsTruncated: s.ModuleCallsTruncated,
		ID:                   s.ID,
		ToolCalls:            s.ToolCalls,
		ToolCallsTruncated:   s.ToolCallsTruncated,
		Valid:                s.Valid(),
	}
	for i, d := range s.Diagnostics {
		out.Diagnostics[i] = diagnosticJSON{d.Column, d.Line, d.Message}
	}
	if out.ModuleCalls == nil {
		out.ModuleCalls = []splash.ModuleCall{}
	}
	if out.ToolCalls == nil {
		out.ToolCalls = []splash.ToolCall{}
	}
	return out
}
