package draft

import (
	"github.com/fwgo/fwgo/internal/quote"
)

// shown quotes a name that came from outside.
func shown(name string) string { return quote.Bare(name, MaxStepID) }

// Refusal says why an engine did not do what its host asked. errors.Is finds it in an *EngineError.
type Refusal string

// Error makes a Refusal a target of errors.Is.
func (r Refusal) Error() string { return "draft: " + string(r) }

// The refusals of an engine.
const (
	ErrPlanOwnershipMismatch    Refusal = "plan_ownership_mismatch"   // the plan is of another engine (WD-28)
	ErrApprovalMismatch         Refusal = "approval_mismatch"         // of another plan, engine, kind or checkpoint (WD-30)
	ErrApprovalUsed             Refusal = "approval_used"             // an approval is good for one run
	ErrExecutionInProgress      Refusal = "execution_in_progress"     // a run goes on, or is suspended (WD-32)
	ErrNoSuspendedExecution     Refusal = "no_suspended_execution"    // (WD-36)
	ErrDataflowPrefixMismatch   Refusal = "dataflow_prefix_mismatch"  // the outputs are not those of the completed steps (WD-31)
	ErrDataflowContextRequired  Refusal = "dataflow_context_required" // one of checkpoint, contract and approval has data, the other not (WD-62)
	ErrDataflowContextMismatch  Refusal = "dataflow_context_mismatch" // other data than that of the checkpoint (WD-62)
	ErrDataflowContextTooLarge  Refusal = "dataflow_context_too_large"
	ErrDataflowContractRequired Refusal = "dataflow_contract_required" // the data is of a contract that is not there (WD-62)
	ErrDataflowContractMissing  Refusal = "dataflow_contract_missing"  // the checkpoint is of no contract (WD-62)
	ErrDataflowContractMismatch Refusal = "dataflow_contract_mismatch" // the checkpoint is of another contract (WD-62)
	ErrDataflowContractRejected Refusal = "dataflow_contract_rejected" // Err is a *ContractError or *DataError (WD-52)
	ErrCheckpointPlanMismatch   Refusal = "plan_mismatch"              // the checkpoint is of another plan (WD-62)
	ErrCheckpointPrefixMismatch Refusal = "step_prefix_mismatch"       // its steps are not the first ones of the plan (WD-62)
	ErrCompletedStepCount       Refusal = "completed_step_count_out_of_range"
	ErrStepPolicyCount          Refusal = "step_capability_policy_count"    // (WD-31)
	ErrStepPolicyMismatch       Refusal = "step_capability_policy_mismatch" // (WD-31)
	ErrStepLeaseCount           Refusal = "step_capability_lease_count"     // (WD-31)

	ErrUnknownTool            Refusal = "unknown_tool"              // a grant of what the catalog has not (WD-40)
	ErrDuplicateTool          Refusal = "duplicate_tool"            // two grants of a tool in one lease
	ErrZeroCallLimit          Refusal = "zero_call_limit"           // a grant of no calls
	ErrCallLimitExceedsPolicy Refusal = "call_limit_exceeds_policy" // a grant of more calls than the tool allows
	ErrLeaseRuntimeMismatch   Refusal = "lease_runtime_mismatch"    // a lease of another engine
	ErrCatalogChanged         Refusal = "catalog_changed"           // the catalog is not what it was when the lease was issued
	ErrLeaseAlreadyActive     Refusal = "lease_already_active"      // the lease is part of another approval
	ErrEventCursorInvalid     Refusal = "event_cursor_invalid"      // 0 (WD-38)
	ErrEventCursorEvicted     Refusal = "event_cursor_evicted"      // Expected is the earliest event kept, Actual the one asked for
	ErrEventCursorAhead       Refusal = "event_cursor_ahead"        // beyond the next event
	ErrCapacityOutOfRange     Refusal = "capacity_out_of_range"     // of an event or audit ring
	ErrUnknownCall            Refusal = "unknown_call"              // no call of that ID is pending
	ErrCallStateMismatch      Refusal = "call_state_mismatch"       // the call does not wait for this
	ErrCallDigestMismatch     Refusal = "call_digest_mismatch"      // the arguments are not the ones that are approved
)

// EngineError is why an engine did not do what its host asked. Nothing was issued, recorded or run, except where the
// Refusal says otherwise.
type EngineError struct {
	Refusal Refusal
	StepID  string // the step it is about, or ""
	Tool    string // the tool it is about, or ""
	// Expected and Actual are what does not fit, ids or numbers as text.
	Expected, Actual string
	Err              error
}

// Is reports whether target is the Refusal.
func (e *EngineError) Is(target error) bool { return target == e.Refusal }

// Unwrap returns Err.
func (e *EngineError) Unwrap() error { return e.Err }

func (e *EngineError) Error() string {
	text := refusalTexts[e.Refusal]
	if text == "" {
		text = string(e.Refusal)
	}
	if e.StepID != "" {
		text += ", step " + shown(e.StepID)
	}
	if e.Tool != "" {
		text += ", tool " + shown(e.Tool)
	}
	if e.Expected != "" || e.Actual != "" {
		text += ": expected " + shown(e.Expected) + ", got " + shown(e.Actual)
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return "draft: " + text
}

var refusalTexts = map[Refusal]string{
	ErrPlanOwnershipMismatch:    "the plan belongs to another engine",
	ErrApprovalMismatch:         "the approval is not for this",
	ErrApprovalUsed:             "the approval was used already",
	ErrExecutionInProgress:      "another run of this engine is not over",
	ErrNoSuspendedExecution:     "no run is suspended",
	ErrDataflowPrefixMismatch:   "the workflow data does not have exactly the outputs of the completed steps",
	ErrDataflowContextRequired:  "workflow data must be given here, and for a checkpoint exactly if it was made with some",
	ErrDataflowContextMismatch:  "the workflow data is not that of the checkpoint",
	ErrDataflowContextTooLarge:  "the workflow data does not fit the limits of programs",
	ErrDataflowContractRequired: "the workflow data was made under a contract, which must be given",
	ErrDataflowContractMissing:  "the checkpoint was made without a contract",
	ErrDataflowContractMismatch: "the checkpoint was made under another contract",
	ErrDataflowContractRejected: "the workflow data does not keep to the contract",
	ErrCheckpointPlanMismatch:   "the checkpoint is of another plan",
	ErrCheckpointPrefixMismatch: "the steps of the checkpoint are not the first ones of the plan",
	ErrCompletedStepCount:       "there are not so many steps",
	ErrStepPolicyCount:          "there must be one policy for each step to run",
	ErrStepPolicyMismatch:       "the policies are not in the order of the steps",
	ErrStepLeaseCount:           "there must be one lease for each step to run",
	ErrUnknownTool:              "the catalog has no such tool",
	ErrDuplicateTool:            "the tool is granted twice",
	ErrZeroCallLimit:            "a grant must be of at least one call",
	ErrCallLimitExceedsPolicy:   "more calls are granted than the tool allows",
	ErrLeaseRuntimeMismatch:     "the lease was issued by another engine",
	ErrCatalogChanged:           "the catalog changed after the approval",
	ErrLeaseAlreadyActive:       "the lease is part of another approval",
	ErrEventCursorInvalid:       "events are numbered from 1",
	ErrEventCursorEvicted:       "the event is no longer kept",
	ErrEventCursorAhead:         "there is no such event yet",
	ErrCapacityOutOfRange:       "the capacity is out of range",
	ErrUnknownCall:              "no such call is pending",
	ErrCallStateMismatch:        "the call does not wait for this",
	ErrCallDigestMismatch:       "these are not the arguments of the call",
}
