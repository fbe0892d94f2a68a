package draft

import "fmt"

// RejectionCode says why a draft, or the steps of a plan, are refused.
type RejectionCode string

// The reasons of WD-8, in the order in which they are looked for (WD-3). The last one is of encoding only.
const (
	RejectedInputTooLarge      RejectionCode = "input_too_large"
	RejectedInvalidEncoding    RejectionCode = "invalid_encoding"
	RejectedUnsupportedVersion RejectionCode = "unsupported_format_version"
	RejectedTooManySteps       RejectionCode = "too_many_steps"
	RejectedEmptyPlan          RejectionCode = "empty_plan"
	RejectedSourceTooLarge     RejectionCode = "aggregate_source_too_large"
	RejectedInvalidStepID      RejectionCode = "invalid_step_id"
	RejectedDuplicateStepID    RejectionCode = "duplicate_step_id"
	RejectedOutputTooLarge     RejectionCode = "output_too_large"
)

// Rejection is the error for a draft that is refused as a whole. It never holds a source or an id (WD-8).
type Rejection struct {
	Code RejectionCode
	// Actual and Maximum are bytes, for the codes about size. For RejectedUnsupportedVersion they are the version that
	// came and the one there is; RejectedTooManySteps has a Maximum only, since surplus steps are not counted.
	Actual, Maximum int
	// Line and Column are where reading stopped, for a text that is no draft (RejectedInvalidEncoding). They start at 1,
	// and a column counts Unicode scalars.
	Line, Column int
	// Step numbers, from 1, the step that has the bad id, or an id for the second time, or a source that is not UTF-8.
	Step int
}

func (r *Rejection) Error() string {
	switch r.Code {
	case RejectedInputTooLarge:
		return fmt.Sprintf("draft: the draft takes %d bytes; at most %d are accepted", r.Actual, r.Maximum)
	case RejectedInvalidEncoding:
		if r.Step > 0 {
			return fmt.Sprintf("draft: the source of step %d is not UTF-8", r.Step)
		}
		return fmt.Sprintf(`draft: the text is no draft, from line %d column %d on: a draft is one JSON object of exactly `+
			`"format_version", the number 1, and "steps", an array of objects of exactly "id" and "source", both strings`, r.Line, r.Column)
	case RejectedUnsupportedVersion:
		return fmt.Sprintf("draft: the draft has format version %d; this is version %d", r.Actual, r.Maximum)
	case RejectedTooManySteps:
		return fmt.Sprintf("draft: there are more than %d steps", r.Maximum)
	case RejectedEmptyPlan:
		return "draft: there are no steps"
	case RejectedSourceTooLarge:
		return fmt.Sprintf("draft: the sources of the steps take %d bytes; at most %d are accepted", r.Actual, r.Maximum)
	case RejectedInvalidStepID:
		return fmt.Sprintf("draft: the id of step %d is not 1 to %d characters of a-z, 0-9, '.', '_' and '-'", r.Step, MaxStepID)
	case RejectedDuplicateStepID:
		return fmt.Sprintf("draft: step %d has the id of an earlier step", r.Step)
	case RejectedOutputTooLarge:
		return fmt.Sprintf("draft: the encoded draft takes %d bytes; at most %d are possible", r.Actual, r.Maximum)
	default:
		return "draft: the draft is refused: " + string(r.Code)
	}
}

// MarshalJSON writes the error object of WD-22, which has no place for a position.
func (r *Rejection) MarshalJSON() ([]byte, error) {
	switch r.Code {
	case RejectedInputTooLarge, RejectedSourceTooLarge, RejectedOutputTooLarge:
		return fmt.Appendf(nil, `{"actual_bytes":%d,"code":%q,"maximum_bytes":%d}`, r.Actual, r.Code, r.Maximum), nil
	case RejectedUnsupportedVersion:
		return fmt.Appendf(nil, `{"actual":%d,"code":%q,"expected":%d}`, r.Actual, r.Code, r.Maximum), nil
	case RejectedTooManySteps:
		return fmt.Appendf(nil, `{"code":%q,"maximum":%d}`, r.Code, r.Maximum), nil
	}
	return fmt.Appendf(nil, `{"code":%q}`, r.Code), nil
}
