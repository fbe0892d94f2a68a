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
	PlanOwnershipMismatch    Refusal = "plan_ownership_mismatch"   // the plan is of another engine (WD-28)
	ApprovalMismatch         Refusal = "approval_mismatch"         // of another plan, engine, kind or checkpoint (WD-30)
	ApprovalUsed             Refusal = "approval_used"             // an approval is good for one run
	ExecutionInProgress      Refusal = "execution_in_progress"     // a run goes on, or is suspended (WD-32)
	NoSuspendedExecution     Refusal = "no_suspended_execution"    // (WD-36)
	DataflowPrefixMismatch   Refusal = "dataflow_prefix_mismatch"  // the outputs are not those of the completed steps (WD-31)
	DataflowContextRequired  Refusal = "dataflow_context_required" // one of checkpoint, contract and approval has data, the other not (WD-62)
	DataflowContextMismatch  Refusal = "dataflow_context_mismatch" // other data than that of the checkpoint (WD-62)
	DataflowContextTooLarge  Refusal = "dataflow_context_too_large"
	DataflowContractRequired Refusal = "dataflow_contract_required" // the data is of a contract that is not there (WD-62)
	DataflowContractMissing  Refusal = "dataflow_contract_missing"  // the checkpoint is of no contract (WD-62)
	DataflowContractMismatch Refusal = "dataflow_contract_mismatch" // the checkpoint is of another contract (WD-62)
	DataflowContractRejected Refusal = "dataflow_contract_rejected" // Err is a *ContractError or *DataError (WD-52)
	CheckpointPlanMismatch   Refusal = "plan_mismatch"              // the checkpoint is of another plan (WD-62)
	CheckpointPrefixMismatch Refusal = "step_prefix_mismatch"       // its steps are not the first ones of the plan (WD-62)
	CompletedStepCount       Refusal = "completed_step_count_out_of_range"
	StepPolicyCount          Refusal = "step_capability_policy_count"    // (WD-31)
	StepPolicyMismatch       Refusal = "step_capability_policy_mismatch" // (WD-31)
	StepLeaseCount           Refusal = "step_capability_lease_count"     // (WD-31)

	UnknownTool            Refusal = "unknown_tool"              // a grant of what the catalog has not (WD-40)
	DuplicateTool          Refusal = "duplicate_tool"            // two grants of a tool in one lease
	ZeroCallLimit          Refusal = "zero_call_limit"           // a grant of no calls
	CallLimitExceedsPolicy Refusal = "call_limit_exceeds_policy" // a grant of more calls than the tool allows
	LeaseRuntimeMismatch   Refusal = "lease_runtime_mismatch"    // a lease of another engine
	CatalogChanged         Refusal = "catalog_changed"           // the catalog is not what it was when the lease was issued
	LeaseAlreadyActive     Refusal = "lease_already_active"      // the lease is part of another approval
	EventCursorInvalid     Refusal = "event_cursor_invalid"      // 0 (WD-38)
	EventCursorEvicted     Refusal = "event_cursor_evicted"      // Expected is the earliest event kept, Actual the one asked for
	EventCursorAhead       Refusal = "event_cursor_ahead"        // beyond the next event
	CapacityOutOfRange     Refusal = "capacity_out_of_range"     // of an event or audit ring
	UnknownCall            Refusal = "unknown_call"              // no call of that ID is pending
	CallStateMismatch      Refusal = "call_state_mismatch"       // the call does not wait for this
	CallDigestMismatch     Refusal = "call_digest_mismatch"      // the arguments are not the ones that are approved
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
	PlanOwnershipMismatch:    "the plan belongs to another engine",
	ApprovalMismatch:         "the approval is not for this",
	ApprovalUsed:             "the approval was used already",
	ExecutionInProgress:      "another run of this engine is not over",
	NoSuspendedExecution:     "no run is suspended",
	DataflowPrefixMismatch:   "the workflow data does not have exactly the outputs of the completed steps",
	DataflowContextRequired:  "workflow data must be given here, and for a checkpoint exactly if it was made with some",
	DataflowContextMismatch:  "the workflow data is not that of the checkpoint",
	DataflowContextTooLarge:  "the workflow data does not fit the limits of programs",
	DataflowContractRequired: "the workflow data was made under a contract, which must be given",
	DataflowContractMissing:  "the checkpoint was made without a contract",
	DataflowContractMismatch: "the checkpoint was made under another contract",
	DataflowContractRejected: "the workflow data does not keep to the contract",
	CheckpointPlanMismatch:   "the checkpoint is of another plan",
	CheckpointPrefixMismatch: "the steps of the checkpoint are not the first ones of the plan",
	CompletedStepCount:       "there are not so many steps",
	StepPolicyCount:          "there must be one policy for each step to run",
	StepPolicyMismatch:       "the policies are not in the order of the steps",
	StepLeaseCount:           "there must be one lease for each step to run",
	UnknownTool:              "the catalog has no such tool",
	DuplicateTool:            "the tool is granted twice",
	ZeroCallLimit:            "a grant must be of at least one call",
	CallLimitExceedsPolicy:   "more calls are granted than the tool allows",
	LeaseRuntimeMismatch:     "the lease was issued by another engine",
	CatalogChanged:           "the catalog changed after the approval",
	LeaseAlreadyActive:       "the lease is part of another approval",
	EventCursorInvalid:       "events are numbered from 1",
	EventCursorEvicted:       "the event is no longer kept",
	EventCursorAhead:         "there is no such event yet",
	CapacityOutOfRange:       "the capacity is out of range",
	UnknownCall:              "no such call is pending",
	CallStateMismatch:        "the call does not wait for this",
	CallDigestMismatch:       "these are not the arguments of the call",
}
