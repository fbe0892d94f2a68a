package draft

import (
	"bytes"
	"encoding/json"
)

// RunStatus says how a run stands.
type RunStatus string

// The statuses of a run. A suspended one goes on with [Engine.Continue].
const (
	RunCompleted RunStatus = "completed"
	RunFailed    RunStatus = "failed"
	RunSuspended RunStatus = "suspended"
)

// Result is what a run came to. Its JSON form, with sorted members, is that of WD-25. It is
// the only place where a run shows values.
type Result struct {
	Audit         []AuditEntry `json:"audit"`    // of this run, as far as they are kept
	Dataflow      *Dataflow    `json:"dataflow"` // nil for a run without
	DroppedAudit  int          `json:"dropped_audit_events"`
	DroppedEvents int          `json:"dropped_workflow_events"`
	Error         *string      `json:"error"` // the text of the *StepError; nil for a run that is completed
	Plan          PlanSummary  `json:"plan"`
	Status        RunStatus    `json:"status"`
	Steps         []StepResult `json:"steps"`
}

// Dataflow is the data of a run in a [Result].
type Dataflow struct {
	Fingerprint string                     `json:"fingerprint"`
	Input       json.RawMessage            `json:"input"`
	Outputs     map[string]json.RawMessage `json:"outputs"`
}

// PlanSummary is the plan of a [Result].
type PlanSummary struct {
	Fingerprint string `json:"fingerprint"`
	ID          int    `json:"id"`
	StepCount   int    `json:"step_count"`
}

// StepResult is how far one step came.
type StepResult struct {
	// DiagnosticCount is how many things were wrong with a step that failed or was rejected, nil for others.
	DiagnosticCount *int        `json:"diagnostic_count"`
	ID              string      `json:"id"`
	Status          StepOutcome `json:"status"`
}

// Encode returns the result as compact JSON with sorted members, values as they are (WD-25).
func (r *Result) Encode() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		panic(err) // nothing in it can fail to be written
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// result shows how a run stands. The lock is held.
func (e *Engine) result(x *execution, stop *StepError) *Result {
	r := &Result{
		Audit:         e.audit.since(x.auditFrom),
		DroppedAudit:  e.audit.dropped,
		DroppedEvents: e.events.dropped,
		Plan:          PlanSummary{Fingerprint: x.plan.fingerprint, ID: x.plan.id, StepCount: len(x.plan.steps)},
		Status:        RunCompleted,
		Steps:         make([]StepResult, len(x.plan.steps)),
	}
	if x.data != nil {
		r.Dataflow = &Dataflow{Fingerprint: x.data.Fingerprint(), Input: x.data.Input(), Outputs: x.data.Outputs()}
	}
	for i, id := range x.plan.ids {
		r.Steps[i] = StepResult{ID: id, Status: StepPending}
		if i < x.next {
			r.Steps[i].Status = StepSucceeded
		}
	}
	if stop == nil {
		return r
	}
	text := stop.Error()
	r.Error, r.Status = &text, RunFailed
	if stop.Outcome == StepSuspended {
		r.Status = RunSuspended
	}
	if x.next < len(r.Steps) && stop.Outcome != StepSucceeded {
		s := &r.Steps[x.next]
		s.Status = stop.Outcome
		if n := x.diagnostics; stop.Outcome == StepFailed || stop.Outcome == StepRejected {
			s.DiagnosticCount = &n
		}
	}
	return r
}
