package command

import (
	"crypto/rand"
	"encoding/hex"
	"time"
)

// TurnStatus says how a turn ended.
type TurnStatus string

// The ways a turn can end (FW-155).
const (
	TurnCompleted    TurnStatus = "completed"
	TurnAwaitingUser TurnStatus = "awaiting_user"
	TurnFailed       TurnStatus = "failed"
	TurnCancelled    TurnStatus = "cancelled"
	TurnAbandoned    TurnStatus = "abandoned"
)

var turnStatuses = []string{string(TurnCompleted), string(TurnAwaitingUser), string(TurnFailed), string(TurnCancelled), string(TurnAbandoned)}

// A TurnOutput is what became of one message: the commands that ran for it and
// the answer (FW-155).
type TurnOutput struct {
	// TurnKey names the turn; see NewTurnKey.
	TurnKey string
	// Status is one of the constants. Without it a turn cannot be written.
	Status TurnStatus
	// FailureReason is a word such as "max_iters_exhausted", nil for none.
	FailureReason *string
	// Answer is the text for the user.
	Answer         string
	CommandOutputs []CommandOutput
	// Unknown: see Action.Unknown.
	Unknown []WireMember
}

// Success reports whether every command output is a success, which it is if
// there are none, whatever the status (FW-155). It is computed: a success that
// is read is passed over.
func (t *TurnOutput) Success() bool {
	for i := range t.CommandOutputs {
		if !t.CommandOutputs[i].CommandResponse.Success {
			return false
		}
	}
	return true
}

// NewTurnKey returns a key for a turn that began at the given time: the time in
// UTC, then 12 random hex digits (FW-155). Keys sort as the turns began.
func NewTurnKey(began time.Time) string {
	var random [6]byte
	rand.Read(random[:]) // never fails
	return began.UTC().Format("20060102T150405.000000Z-") + hex.EncodeToString(random[:])
}

func (*TurnOutput) noun() string { return "the turn output" }

func (t *TurnOutput) members(m wireMembers) {
	m.text("turn_key", &t.TurnKey, required)
	m.word("status", (*string)(&t.Status), turnStatuses)
	m.textOrNull("failure_reason", &t.FailureReason)
	m.text("answer", &t.Answer, optional)
	m.list("command_outputs", itemsOf(&t.CommandOutputs), optional)
	m.computed("success", t.Success)
	m.rest(&t.Unknown)
}

// MarshalJSON writes the members in the order of FW-155, without HTML escapes.
func (t TurnOutput) MarshalJSON() ([]byte, error) { return writeWire(&t, false) }

// RelayJSON is MarshalJSON with the Unknown members after the known ones.
func (t TurnOutput) RelayJSON() ([]byte, error) { return writeWire(&t, true) }

// UnmarshalJSON reads a turn as fastWorkflow does; see ReadJSON.
func (t *TurnOutput) UnmarshalJSON(data []byte) error { return readWire(data, t) }

// TraceDirection says who told whom.
type TraceDirection string

// The directions of a TraceEvent (FW-156).
const (
	AgentToWorkflow TraceDirection = "agent_to_workflow"
	WorkflowToAgent TraceDirection = "workflow_to_agent"
)

var traceDirections = []string{string(AgentToWorkflow), string(WorkflowToAgent)}

// A TraceEvent is one message between agent and workflow, for those who watch
// a turn (FW-156). What does not apply to a direction is nil.
type TraceEvent struct {
	Direction   TraceDirection
	RawCommand  *string
	CommandName *string
	// Parameters: see CommandOutput.CommandParameters.
	Parameters   any
	ResponseText *string
	Success      *bool
	// TimestampMS counts milliseconds since 1970 in UTC.
	TimestampMS int64
	// UserID is not written if nil.
	UserID *string
	// Unknown: see Action.Unknown.
	Unknown []WireMember
}

func (*TraceEvent) noun() string { return "the trace event" }

func (e *TraceEvent) members(m wireMembers) {
	m.word("direction", (*string)(&e.Direction), traceDirections)
	m.textOrNull("raw_command", &e.RawCommand)
	m.textOrNull("command_name", &e.CommandName)
	m.any("parameters", &e.Parameters)
	m.textOrNull("response_text", &e.ResponseText)
	m.flagOrNull("success", &e.Success)
	m.int64("timestamp_ms", &e.TimestampMS)
	m.textIfSet("user_id", &e.UserID)
	m.rest(&e.Unknown)
}

// MarshalJSON writes the members in the order of FW-156, without HTML escapes.
// Values that have no form in JSON, such as NaN, are an error (FW-226).
func (e TraceEvent) MarshalJSON() ([]byte, error) { return writeWire(&e, false) }

// RelayJSON is MarshalJSON with the Unknown members after the known ones.
func (e TraceEvent) RelayJSON() ([]byte, error) { return writeWire(&e, true) }

// UnmarshalJSON reads a trace event as fastWorkflow does; see ReadJSON.
func (e *TraceEvent) UnmarshalJSON(data []byte) error { return readWire(data, e) }
