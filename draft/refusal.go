package draft

import (
	"fmt"

	"github.com/fwgo/fwgo/internal/quote"
)

// shown quotes a name that came from outside.
func shown(name string) string { return quote.Bare(name, MaxStepID) }

// CatalogCode says what is wrong with a change of a catalog.
type CatalogCode string

// What can be wrong (WD-39, WD-43).
const (
	CatalogInvalidTool   CatalogCode = "invalid_tool"
	CatalogInvalidSchema CatalogCode = "invalid_schema"
	CatalogInvalidModule CatalogCode = "invalid_module"
	CatalogDuplicateTool CatalogCode = "duplicate_tool"
	CatalogUnknownTool   CatalogCode = "unknown_tool"
	CatalogToolInUse     CatalogCode = "tool_in_use" // a module needs it
	CatalogTooManyTools  CatalogCode = "too_many_tools"
	CatalogTooLarge      CatalogCode = "catalog_too_large"
	CatalogSealed        CatalogCode = "catalog_sealed" // a lease was issued, so no module can be added
)

// CatalogError is a mistake of the author of a catalog.
type CatalogError struct {
	Code                 CatalogCode
	Tool, Module, Method string // what it is about, as far as it is about one
	Reason               string // in words, where the code does not say it all
	Err                  error  // a *SchemaError, or nil
}

func (e *CatalogError) Error() string {
	text := "draft: catalog"
	if e.Module != "" {
		text += ", module " + shown(e.Module)
	}
	if e.Method != "" {
		text += ", method " + shown(e.Method)
	}
	if e.Tool != "" {
		text += ", tool " + shown(e.Tool)
	}
	switch e.Code {
	case CatalogDuplicateTool:
		return text + ": there is one of this name already"
	case CatalogUnknownTool:
		return text + ": there is no such tool"
	case CatalogToolInUse:
		return text + ": the module needs the tool"
	case CatalogTooManyTools:
		return text + fmt.Sprintf(": more than %d tools", MaxTools)
	case CatalogTooLarge:
		return text + fmt.Sprintf(": its listing takes more than %d bytes", MaxCatalogBytes)
	case CatalogSealed:
		return text + ": no module can be added after a lease was issued"
	}
	return text + ": " + e.Reason
}

// Unwrap returns Err.
func (e *CatalogError) Unwrap() error { return e.Err }

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
	DeniedNotGranted      DenialCode = "not_granted" // the lease of the step has not the tool, or no call left
	DeniedByAuthorizer    DenialCode = "authorizer"  // Err is what it said
	DeniedByPreparation   DenialCode = "preparation" // Err is what Prepare said
	DeniedByApprover      DenialCode = "approver"    // the call was refused
	deniedStepOver        DenialCode = "step_over"   // nobody had taken the call when its step was over
	deniedRunInterrupted  DenialCode = "interrupted" // the run was stopped before the call was made
	deniedCancelledByHost DenialCode = "cancelled"   // the host called it off
)

// DeniedError is the error of a call that was not made. To the program it is one to catch; the host finds it in the
// error of a step.
type DeniedError struct {
	Code DenialCode
	Tool string // "" for a name that follows no rule
	Err  error
}

func (e *DeniedError) Error() string {
	text := "the call was not made: " + string(e.Code)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
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

// StepOutcome says how a step ended, in a [Result] and in a [StepError].
type StepOutcome string

// The outcomes of WD-25.
const (
	StepPending   StepOutcome = "pending"
	StepSucceeded StepOutcome = "succeeded"
	StepFailed    StepOutcome = "failed"
	StepRejected  StepOutcome = "rejected"
	StepSuspended StepOutcome = "suspended"
)

// StepCause says what stopped a run at a step (WD-26).
type StepCause string

// The causes.
const (
	CauseError      StepCause = "error"      // the program failed; Err is its *splash.Error or *splash.LimitError
	CauseSyntax     StepCause = "syntax"     // the source is no program; Err is a *splash.SyntaxError
	CauseSource     StepCause = "source"     // the source is longer than is evaluated at all; Err is a *splash.LimitError
	CauseWaiting    StepCause = "waiting"    // the program awaits a call that someone else makes or approves
	CauseBoundary   StepCause = "boundary"   // its value has no JSON form; Err is a *splash.JSONError
	CauseOutput     StepCause = "output"     // its value does not fit the workflow data; Err is a *DataError
	CauseContract   StepCause = "contract"   // its value breaks the contract; Err is a *ContractError
	CauseContext    StepCause = "context"    // the context of the run ended; Err is its error
	CauseCheckpoint StepCause = "checkpoint" // OnStep failed after the step, which is done; Err is its error
	CauseAbandoned  StepCause = "abandoned"  // the host gave a suspended run up
	CausePanic      StepCause = "panic"      // the engine's host panicked in the middle of the step
)

// StepError says where and why a run stopped. Its text names the step and nothing of its source or values; what the
// program did wrong is in Err (WD-34).
type StepError struct {
	Outcome        StepOutcome
	Cause          StepCause
	StepID         string
	CompletedSteps int // steps of the plan that are done
	Err            error
}

// Unwrap returns Err.
func (e *StepError) Unwrap() error { return e.Err }

func (e *StepError) Error() string {
	step := "step " + e.StepID + " "
	switch e.Cause {
	case CauseSyntax:
		return step + "is rejected: its source is no valid program"
	case CauseSource:
		return step + "cannot be evaluated: its source is too long"
	case CauseWaiting:
		return step + "waits for a call that is made or approved elsewhere"
	case CauseBoundary:
		return step + "failed: its value has no JSON form"
	case CauseOutput:
		return step + "failed: its value does not fit into the workflow data"
	case CauseContract:
		return step + "failed: its value breaks the contract"
	case CauseContext:
		return step + "was stopped"
	case CauseCheckpoint:
		return step + "is done, but its checkpoint was not stored"
	case CauseAbandoned:
		return step + "was given up"
	}
	return step + "failed"
}
