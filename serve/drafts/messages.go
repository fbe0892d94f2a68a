package drafts

import (
	"errors"
	"strconv"
	"strings"

	"github.com/fwgo/fwgo/draft"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/serve"
)

// Code says why a Desk did not do what a caller asked.
type Code string

// The codes.
const (
	// NotFound: there is no such draft, or the caller is neither the one who
	// proposed it nor an operator. The two are not told apart.
	NotFound Code = "not_found"
	// NotOperator: only an operator may do this.
	NotOperator Code = "not_operator"
	// NoChannel: the caller has no session that the draft could belong to.
	NoChannel Code = "no_channel"
	// Rejected: the text is no draft, or a step is no program; see Error.Review.
	Rejected Code = "rejected"
	// InvalidInput: the workflow's input is no JSON, or too much of it.
	InvalidInput Code = "invalid_input"
	// WrongState: the draft does not stand where this can be done; see
	// Error.Status.
	WrongState Code = "wrong_state"
	// PlanMismatch: the approval names another plan than the draft's.
	PlanMismatch Code = "plan_mismatch"
	// InvalidGrants: the grants do not fit the plan or the workflow.
	InvalidGrants Code = "invalid_grants"
	// NotResumable: what is stored of the run does not fit together.
	NotResumable Code = "not_resumable"
	// UnknownCall: no such call waits for an answer.
	UnknownCall Code = "unknown_call"
	// CallChanged: the call that waits is not, or no longer, the one that was
	// answered.
	CallChanged Code = "call_changed"
	// InvalidCursor: there are no events from there on.
	InvalidCursor Code = "invalid_cursor"
	// Changed: the draft was changed meanwhile, by another process.
	Changed Code = "changed"
	// Full: there are as many drafts as there may be.
	Full Code = "full"
	// Ending: the server shuts down.
	Ending Code = "ending"
	// Unavailable: the Store failed, or holds what cannot be read.
	Unavailable Code = "unavailable"
)

// Error is why a Desk did not do what a caller asked; its text is for the
// caller. Nothing was changed and nothing ran.
type Error struct {
	Code Code
	// Status is where the draft stands, for WrongState.
	Status Status
	// Review says what is wrong with a Rejected draft; nil if one of its steps is
	// too long to be reviewed.
	Review *draft.Review
	// Err is what is behind it, for logs and errors.As; it may be nil.
	Err  error
	text string
}

// Error returns the text for the caller.
func (e *Error) Error() string { return e.text }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// refused makes an Error, with the general text of its code if there is none
// of its own.
func refused(code Code, text string) *Error {
	if text == "" {
		text = texts[code]
	}
	return &Error{Code: code, text: text}
}

var texts = map[Code]string{
	NotFound:     "There is no such draft. List the drafts to see which there are, or propose a new one.",
	NotOperator:  "Only an operator may do this: a caller whose token has the role operator.",
	NoChannel:    "A draft belongs to a session, and this caller has none from one call to the next. Send a token, or open a session.",
	Changed:      "The draft was changed meanwhile, maybe by another process. Nothing was done. Get it again to see where it stands.",
	Ending:       serve.Message(serve.ErrDraining),
	Unavailable:  "The draft could not be read or stored. Get it to see where it stands before you send this again.",
	UnknownCall:  "No such call waits for an answer. Get the draft: its pending calls are listed with their numbers and digests.",
	CallChanged:  "The call that waits is not the one that was answered: its digest is another. It was neither approved nor refused. Get the draft, read the arguments again, and answer with their digest.",
	PlanMismatch: "The approval names another plan than this draft's. Nothing was approved. Read the review again and send the plan fingerprint that it shows.",
}

// What becomes of a run, for its reason.
const (
	reasonEnding    = "the server shut down after the step that was running"
	reasonTaken     = "another process went on with the draft"
	reasonAbandoned = "it was given up"
	reasonIdle      = "no answer came in time to a call that waited for approval"
	reasonStore     = "what was done could not be stored"
	reasonLost      = "the process that ran it is gone, or another process has it"
	reasonPanic     = "the server failed"
	reasonCall      = "a call could not be taken to its end"
)

// next says of each status what it means and what can be done.
func next(s Status, forResume bool) string {
	switch s {
	case StatusProposed:
		return "Nothing has run. An operator reads the review and approves the plan with what each step may call."
	case StatusApproved:
		if forResume {
			return "The rest is approved for one run in this process. Resume it."
		}
		return "It is approved for one run in this process. Execute it."
	case StatusRunning:
		return "It runs. Follow its events, or get it again."
	case StatusSuspended:
		return "It waits for an operator's answer to the pending calls."
	case StatusCompleted:
		return "Every step is done; the result has the outputs."
	case StatusFailed:
		return "A step failed and the rest did not run. After an operator has approved the rest (resume true), it can be resumed; the step that failed then runs again from its start."
	case StatusInterrupted:
		return "The run ended before its time. After an operator has approved the rest (resume true), it can be resumed; the first step that is not done then runs again from its start, with the calls it had made."
	case StatusAbandoned:
		return "It was given up. Propose it again to run it."
	}
	return ""
}

// wrongState refuses an action on a draft that stands elsewhere.
func wrongState(action string, s Status, forResume bool) *Error {
	e := refused(WrongState, "The draft is "+string(s)+" and cannot be "+action+". "+next(s, forResume))
	e.Status = s
	return e
}

// foreignText is for a draft that another process has.
const foreignText = "Another process of the server has it: follow its events, or get it again. Calls that wait are answered there."

// elsewhere refuses an action on a draft that is not of this process.
func elsewhere(action string, s Status, foreign bool) *Error {
	if !foreign {
		return wrongState(action, s, false)
	}
	e := refused(WrongState, "The draft is "+string(s)+" and cannot be "+action+" here. "+foreignText)
	e.Status = s
	return e
}

func rejected(review *draft.Review, err error) *Error {
	text := "The draft is rejected. "
	switch {
	case err != nil:
		text += sentence(err)
	default:
		var steps []string
		for i := range review.Steps {
			if s := &review.Steps[i]; !s.Valid() {
				d := s.Diagnostics[0]
				steps = append(steps, "step "+s.ID+" at line "+strconv.Itoa(d.Line)+", column "+strconv.Itoa(d.Column)+": "+d.Message)
			}
		}
		more := ""
		if len(steps) > 5 {
			more = "; and " + strconv.Itoa(len(steps)-5) + " more steps"
			steps = steps[:5]
		}
		text += "These steps are no programs: " + strings.Join(steps, "; ") + more + "."
	}
	e := refused(Rejected, text+" Nothing was stored. Correct it and propose it again.")
	e.Review, e.Err = review, err
	return e
}

// sentence makes a sentence of an error of package draft.
func sentence(err error) string {
	text := strings.TrimPrefix(err.Error(), "draft: ")
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

func invalidInput(err error) *Error {
	e := refused(InvalidInput, "The input is refused. "+sentence(err))
	e.Err = err
	return e
}

// unfit refuses what an engine refuses about an approval.
func unfit(code Code, err error) *Error {
	e := refused(code, "Nothing was approved. "+sentence(err))
	e.Err = err
	return e
}

func unknownStep(step string, resume bool) *Error {
	of := "steps"
	if resume {
		of = "remaining steps"
	}
	return refused(InvalidGrants, "Nothing was approved. A grant names the step "+quote.Text(step, 60)+", which is none of the plan's "+of+".")
}

func unknownTool(tool string, known []string) *Error {
	return refused(InvalidGrants, "Nothing was approved. A grant names the tool "+quote.Text(tool, 60)+", which the workflow does not have. It has "+quote.List(known, 20, 60)+".")
}

func fullChannel(most int) *Error {
	return refused(Full, "The channel has "+strconv.Itoa(most)+" drafts, as many as are kept, and none of them is finished. Abandon one and propose again.")
}

func fullDesk(most int) *Error {
	return refused(Full, strconv.Itoa(most)+" drafts are approved, run or wait for answers, as many as may. Execute or abandon one, or try again later.")
}

// badCursor words what an event cursor has wrong.
func badCursor(since, first, next int) *Error {
	switch {
	case since < 0:
		return refused(InvalidCursor, "Events are numbered from 1. Send since 0 for all that are kept.")
	case since < first:
		return refused(InvalidCursor, "Event "+strconv.Itoa(since)+" is no longer kept; the earliest is "+strconv.Itoa(first)+".")
	}
	return refused(InvalidCursor, "There is no event "+strconv.Itoa(since)+" yet; the next one is "+strconv.Itoa(next)+".")
}

// codeOf returns the code of an error of a Desk, "" for others.
func codeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
