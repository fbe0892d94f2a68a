package draft

import "fmt"

// RejectionCode says why a draft, or the steps of a plan, are refused.
type RejectionCode string

// The reasons of WD-8, in the order in which they are looked for (WD-3). The last one is of encoding only.
const (
	InputTooLarge            RejectionCode = "input_too_large"
	InvalidEncoding          RejectionCode = "invalid_encoding"
	UnsupportedFormatVersion RejectionCode = "unsupported_format_version"
	TooManySteps             RejectionCode = "too_many_steps"
	EmptyPlan                RejectionCode = "empty_plan"
	AggregateSourceTooLarge  RejectionCode = "aggregate_source_too_large"
	InvalidStepID            RejectionCode = "invalid_step_id"
	DuplicateStepID          RejectionCode = "duplicate_step_id"
	OutputTooLarge           RejectionCode = "output_too_large"
)

// Rejection is the error for a draft that is refused as a whole. It never holds a source or an id (WD-8).
type Rejection struct {
	Code RejectionCode
	// Actual and Maximum are bytes, for the codes about size. For UnsupportedFormatVersion they are the version that
	// came and the one there is; TooManySteps has a Maximum only, since surplus steps are not counted.
	Actual, Maximum int
}

func (r *Rejection) Error() string {
	switch r.Code {
	case InputTooLarge:
		return fmt.Sprintf("draft: the draft takes %d bytes; at most %d are accepted", r.Actual, r.Maximum)
	case InvalidEncoding:
		return `draft: a draft is one JSON object of exactly "format_version" (the number 1) and "steps" ` +
			`(an array of objects of exactly "id" and "source", both strings), in UTF-8`
	case UnsupportedFormatVersion:
		return fmt.Sprintf("draft: the draft has format version %d; this is version %d", r.Actual, r.Maximum)
	case TooManySteps:
		return fmt.Sprintf("draft: there are more than %d steps", r.Maximum)
	case EmptyPlan:
		return "draft: there are no steps"
	case AggregateSourceTooLarge:
		return fmt.Sprintf("draft: the sources of all steps take %d bytes together; at most %d are accepted", r.Actual, r.Maximum)
	case InvalidStepID:
		return fmt.Sprintf("draft: the id of a step is not 1 to %d characters of a-z, 0-9, '.', '_' and '-'", MaxStepID)
	case DuplicateStepID:
		return "draft: two steps have the same id"
	case OutputTooLarge:
		return fmt.Sprintf("draft: the encoded draft takes %d bytes; at most %d are possible", r.Actual, r.Maximum)
	default:
		return "draft: the draft is refused: " + string(r.Code)
	}
}

// MarshalJSON writes the error object of WD-22.
func (r *Rejection) MarshalJSON() ([]byte, error) {
	switch r.Code {
	case InputTooLarge, AggregateSourceTooLarge, OutputTooLarge:
		return fmt.Appendf(nil, `{"actual_bytes":%d,"code":%q,"maximum_bytes":%d}`, r.Actual, r.Code, r.Maximum), nil
	case UnsupportedFormatVersion:
		return fmt.Appendf(nil, `{"actual":%d,"code":%q,"expected":%d}`, r.Actual, r.Code, r.Maximum), nil
	case TooManySteps:
		return fmt.Appendf(nil, `{"code":%q,"maximum":%d}`, r.Code, r.Maximum), nil
	}
	return fmt.Appendf(nil, `{"code":%q}`, r.Code), nil
}
