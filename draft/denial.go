package draft

import "strings"

// DenialCode says why a call was not made.
type DenialCode string

// The denials, in the order in which they are looked for (WD-41).
const (
	DeniedUnknownTool     DenialCode = "unknown_tool"
	DeniedNotJSON         DenialCode = "not_a_json_tool"
	DeniedSynchronous     DenialCode = "synchronous_call_of_external_tool"
	DeniedInputTooLarge   DenialCode = "input_too_large"
	DeniedInputNotJSON    DenialCode = "input_not_a_json_object_or_array"
	DeniedInputContract   DenialCode = "input_contract" // Err is a *Violation
	DeniedPolicyBudget    DenialCode = "policy_budget"  // the engine made all calls that the tool allows
	DeniedCatalogChanged  DenialCode = "catalog_changed"
	DeniedNotGranted      DenialCode = "not_granted"       // the lease of the step has not the tool, or no call left
	DeniedPending         DenialCode = "too_many_pending"  // more deferred calls than Limits.Pending are not settled
	DeniedRefusals        DenialCode = "too_many_refusals" // the host refused 64 calls of the step, by the two that follow
	DeniedByAuthorizer    DenialCode = "authorizer"        // Err is what it said
	DeniedByPreparation   DenialCode = "preparation"       // Err is what Prepare said
	DeniedByApprover      DenialCode = "approver"          // the call was refused
	deniedStepOver        DenialCode = "step_over"         // nobody had taken the call when its step was over
	deniedCancelledByHost DenialCode = "cancelled"         // the host called it off
)

// DeniedError is the error of a call that was not made. To the program it is one to catch; the host finds it in the
// error of a step.
type DeniedError struct {
	Code DenialCode
	Tool string // "" for a name that follows no rule
	Err  error
}

func (e *DeniedError) Error() string {
	text := "the call was not made: " + denialTexts[e.Code]
	if e.Err != nil {
		text += ": " + strings.TrimPrefix(e.Err.Error(), "draft: ")
	}
	return text
}

var denialTexts = map[DenialCode]string{
	DeniedUnknownTool:     "there is no such tool",
	DeniedNotJSON:         "the tool takes text; tool.call and tool.start pass some",
	DeniedSynchronous:     "the tool answers later; tool.start and await are for it",
	DeniedInputTooLarge:   "the input is too long",
	DeniedInputNotJSON:    "the input is not one JSON object or array without repeated names",
	DeniedInputContract:   "the input breaks the schema of the tool",
	DeniedPolicyBudget:    "the tool was called as often as it may be",
	DeniedCatalogChanged:  "the tools changed after the approval",
	DeniedNotGranted:      "the step is not granted the tool, or has no call of it left",
	DeniedPending:         "too many calls wait for their answer",
	DeniedRefusals:        "too many calls of this step were refused",
	DeniedByAuthorizer:    "the host does not allow it",
	DeniedByPreparation:   "the arguments are not ones to run with",
	DeniedByApprover:      "it was not approved",
	deniedStepOver:        "its step was over before anyone took it",
	deniedCancelledByHost: "it was called off",
}

// Unwrap returns Err.
func (e *DeniedError) Unwrap() error { return e.Err }

// FailedError is the error of a call that was made and gave no answer.
type FailedError struct {
	Tool   string
	Reason string // in words; "" when Err says it all
	Err    error  // what the tool returned, or nil
}

func (e *FailedError) Error() string {
	switch {
	case e.Err == nil:
		return e.Reason
	case e.Reason == "":
		return e.Err.Error()
	}
	return e.Reason + ": " + e.Err.Error()
}

// Unwrap returns Err.
func (e *FailedError) Unwrap() error { return e.Err }
