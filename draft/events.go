package draft

import (
	"encoding/json"
	"strconv"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// EventType says what an event is about.
type EventType string

// The events of WD-37.
const (
	EventPlanned        EventType = "planned"
	EventApproved       EventType = "approved"
	EventCheckpointed   EventType = "checkpointed"
	EventResumeApproved EventType = "resume_approved"
	EventStarted        EventType = "started"
	EventResumed        EventType = "resumed"
	EventStepSucceeded  EventType = "step_succeeded"
	EventStepSuspended  EventType = "step_suspended"
	EventStepRejected   EventType = "step_rejected"
	EventStepFailed     EventType = "step_failed"
	EventCompleted      EventType = "completed"
)

// Event is one thing that happened to a plan. No event holds source, values, diagnostics or grants (WD-37). Which fields
// mean something depends on the type; the JSON form has only those.
type Event struct {
	Sequence             int // from 1, without gaps; not part of the JSON form
	Type                 EventType
	PlanID               int
	StepCount            int
	StepID               string
	CompletedSteps       int
	DiagnosticCount      int
	DiagnosticsTruncated bool
}

// MarshalJSON writes the event as WD-37 has it, members sorted.
func (e Event) MarshalJSON() ([]byte, error) {
	return e.appendJSON(nil), nil
}

var _ json.Marshaler = Event{}

func (e *Event) appendJSON(b []byte) []byte {
	b = append(b, '{')
	completed, diagnostics, step := false, false, false
	switch e.Type {
	case EventCheckpointed, EventResumeApproved, EventResumed:
		completed = true
	case EventStepSucceeded:
		step = true
	case EventStepSuspended:
		completed, step = true, true
	case EventStepRejected, EventStepFailed:
		completed, diagnostics, step = true, true, true
	}
	if completed {
		b = append(appendCount(b, `"completed_steps":`, e.CompletedSteps), ',')
	}
	if diagnostics {
		b = append(appendCount(b, `"diagnostic_count":`, e.DiagnosticCount), ',')
	}
	if e.Type == EventStepRejected {
		b = append(appendBool(append(b, `"diagnostics_truncated":`...), e.DiagnosticsTruncated), ',')
	}
	b = appendCount(b, `"plan_id":`, e.PlanID)
	if e.Type == EventPlanned {
		b = appendCount(b, `,"step_count":`, e.StepCount)
	}
	if step {
		b = jsontree.AppendString(append(b, `,"step_id":`...), e.StepID)
	}
	b = jsontree.AppendString(append(b, `,"type":`...), string(e.Type))
	return append(b, '}')
}

// EventBatch is a part of the events of an engine.
type EventBatch struct {
	Events []Event
	Next   int // the cursor to go on with
}

// EventsSince returns the events from a sequence number on, as far as they are kept; the first cursor is 1, and further
// ones come with the batches. The error is an *EngineError: ErrEventCursorInvalid for less than 1, ErrEventCursorEvicted for
// events that are gone, ErrEventCursorAhead for a number beyond the next event (WD-38).
func (e *Engine) EventsSince(cursor int) (EventBatch, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch earliest := e.events.earliest(); {
	case cursor < 1:
		return EventBatch{}, &EngineError{Refusal: ErrEventCursorInvalid}
	case cursor < earliest:
		return EventBatch{}, &EngineError{Refusal: ErrEventCursorEvicted, Expected: strconv.Itoa(earliest), Actual: strconv.Itoa(cursor)}
	case cursor > e.events.next:
		return EventBatch{}, &EngineError{Refusal: ErrEventCursorAhead, Expected: strconv.Itoa(e.events.next), Actual: strconv.Itoa(cursor)}
	}
	return EventBatch{e.events.since(cursor), e.events.next}, nil
}

// ClearEvents lets all events go. The numbers of later ones go on where they were (WD-38).
func (e *Engine) ClearEvents() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.events.clear()
}

// DroppedEvents returns how many events the ring let go to make room.
func (e *Engine) DroppedEvents() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.events.dropped
}

// record adds an event. The lock is held.
func (e *Engine) record(event Event) {
	event.Sequence = e.events.next
	e.events.add(event)
}
