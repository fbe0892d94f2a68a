package draft

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
