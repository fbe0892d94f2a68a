package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/fwgo/fwgo/draft"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/drafts"
)

const (
	// heartbeat is how long a stream of events says nothing at most.
	heartbeat = 15 * time.Second
	// mostWait is how many seconds a request may wait for a run.
	mostWait = 60
	// mostNumber bounds numbers in the URL that count something.
	mostNumber = 1<<31 - 1
)

// The bodies of the endpoints for drafts.
type (
	proposeBody struct {
		Draft rawJSON `json:"draft" jsonschema_description:"The draft, as the object of GET /drafts/schema or as its text."`
		Input rawJSON `json:"input,omitempty" jsonschema_description:"What the steps find as workflow.input; null if it is not given."`
	}
	approveBody struct {
		Plan   string      `json:"plan_fingerprint" jsonschema_description:"The fingerprint of the plan that was reviewed."`
		Grants []grantBody `json:"grants,omitempty" jsonschema_description:"What the steps may call. A step without grants may call nothing."`
		Resume bool        `json:"resume,omitempty" jsonschema:"default=false" jsonschema_description:"Approve the steps that are not done of a draft that failed or was interrupted."`
	}
	grantBody struct {
		Step  string `json:"step" jsonschema_description:"The id of a step."`
		Tool  string `json:"tool" jsonschema_description:"The name of a tool: a command's name in lower case, with a dot after the context."`
		Calls int64  `json:"calls,omitempty" jsonschema:"minimum=1,maximum=1000000,default=1" jsonschema_description:"How often the step may call it."`
	}
	answerBody struct {
		Digest  string  `json:"digest,omitempty" jsonschema_description:"The digest of the arguments that were read; needed to approve."`
		Approve bool    `json:"approve" jsonschema_description:"Whether the call may run, once and with exactly these arguments."`
		Reason  *string `json:"reason,omitempty" jsonschema_description:"Why not, for the program."`
	}
)

// draftBodies are the readers of these bodies.
type draftBodies struct {
	propose *body[proposeBody]
	approve *body[approveBody]
	answer  *body[answerBody]
}

// draftEndpoints lists what is served of drafts.
func (s *Service) draftEndpoints() []endpoint {
	if s.options.Drafts == nil {
		return nil
	}
	b := &s.draftBodies
	missing := reply{404, "DraftRefusal", "There is no such draft, or it is another channel's.", ""}
	unfit := reply{409, "DraftRefusal", "The draft does not stand where this can be done, or was changed meanwhile.", ""}
	operators := reply{403, "DraftRefusal", "The caller is no operator.", ""}
	wait := []queryParameter{{"wait", "integer", "How many seconds to wait until the run is over or waits for an answer.", 0, mostWait}}
	ran := []reply{{200, "Draft", "The run is over, or waits for an answer.", ""}, {202, "Draft", "It runs.", ""}, missing, unfit}
	return []endpoint{
		{"GET", "/drafts/schema", "get_draft_schema", "The JSON schema of a draft", authNone, nil, nil, []reply{{200, "Schema", "The schema.", ""}}, s.draftSchema},
		{"POST", "/drafts", "propose_draft", "Propose a draft; it is reviewed and kept, and nothing runs", authAccess, b.propose.schema, nil,
			[]reply{{201, "DraftProposal", "It is kept, with its review.", ""},
				{422, "DraftRejection", "It is rejected: the review says why. Or the body is not what is accepted.", ""},
				{429, "DraftRefusal", "The channel has as many drafts as are kept.", ""}}, s.authorized(s.proposeDraft)},
		{"GET", "/drafts", "list_drafts", "List the channel's drafts, newest first", authAccess, nil,
			[]queryParameter{{"all", "boolean", "Those of every channel, by id; for operators.", 0, 0}, {"after", "string", "The next of the page before, where there are more.", 0, 0}},
			[]reply{{200, "DraftPage", "The list.", ""}, operators}, s.authorized(s.listDrafts)},
		{"GET", "/drafts/{id}", "get_draft", "Where a draft stands", authAccess, nil, nil, []reply{{200, "Draft", "The draft.", ""}, missing}, s.authorized(s.getDraft)},
		{"GET", "/drafts/{id}/review", "review_draft", "A draft with its source and its review", authAccess, nil, nil, []reply{{200, "DraftProposal", "The review.", ""}, missing}, s.authorized(s.reviewDraft)},
		{"POST", "/drafts/{id}/approve", "approve_draft", "Let a draft run once, with what is granted; for operators", authAccess, b.approve.inlined, nil,
			[]reply{{200, "Draft", "It is approved.", ""}, operators, missing, unfit, {422, "DraftRejection", "The grants do not fit, or the body is not what is accepted.", ""},
				{429, "DraftRefusal", "As many drafts are live as may be.", ""}}, s.authorized(s.approveDraft)},
		{"POST", "/drafts/{id}/execute", "execute_draft", "Run a draft that is approved", authAccess, nil, wait, ran, s.authorized(s.runDraft(s.options.Drafts.Execute))},
		{"POST", "/drafts/{id}/resume", "resume_draft", "Run the approved rest of a draft that failed or was interrupted", authAccess, nil, wait, ran, s.authorized(s.runDraft(s.options.Drafts.Resume))},
		{"POST", "/drafts/{id}/abandon", "abandon_draft", "Give a draft up", authAccess, nil, nil, ran, s.authorized(s.abandonDraft)},
		{"GET", "/drafts/{id}/events", "follow_draft", "Follow what happens to a draft, until nothing more does", authAccess, nil,
			[]queryParameter{{"since", "integer", "The number of the first event wanted, 0 for all that are kept.", 0, mostNumber},
				{"stream_format", "string", "ndjson or sse; otherwise as the Accept header says.", 0, 0}},
			[]reply{{200, "", "The events, then the end.", "application/x-ndjson"}, missing, {422, "DraftRejection", "There are no events from there on.", ""}}, s.authorized(s.followDraft)},
		{"POST", "/drafts/{id}/calls/{call}", "answer_draft_call", "Approve or refuse a call that waits; for operators", authAccess, b.answer.schema, wait,
			append([]reply{operators}, ran...), s.authorized(s.answerDraftCall)},
		{"GET", "/drafts/{id}/checkpoint", "get_draft_checkpoint", "Which steps are done, with the data after them", authAccess, nil, nil,
			[]reply{{200, "DraftCheckpoint", "The checkpoint.", ""}, missing, unfit}, s.authorized(s.draftCheckpoint)},
	}
}

// authorized lets a request through that brings an access token. Its channel
// need not be one that was initialized here: an operator's is not.
func (s *Service) authorized(next func(w http.ResponseWriter, r *http.Request, caller serve.Caller)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		given, ok := bearer(r)
		if !ok {
			unauthorized(w, accessText)
			return
		}
		caller, err := s.options.Issuer.Verify(given)
		if err != nil {
			unauthorized(w, err.Error())
			return
		}
		caller.Bearer = given
		next(w, r.WithContext(serve.WithCaller(r.Context(), caller)), caller)
	}
}

func (s *Service) draftSchema(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(drafts.Schema())
}

// longestProposal is the longest body of a proposal: a draft may be a text, of
// which many bytes are escaped.
func (s *Service) longestProposal() int {
	return max(s.dispatcher.MaxBytes(), 2*draft.MaxWireBytes+2*draft.MaxDataBytes)
}

func (s *Service) proposeDraft(w http.ResponseWriter, r *http.Request, caller serve.Caller) {
	in := s.draftBodies.propose.read(w, r, s.longestProposal())
	if in == nil {
		return
	}
	proposal, err := s.options.Drafts.Propose(r.Context(), caller, in.Draft, in.Input)
	if err != nil {
		s.refuseDraft(w, r, err)
		return
	}
	w.Header().Set("Location", "/drafts/"+proposal.ID)
	answer(w, http.StatusCreated, proposal)
}

func (s *Service) listDrafts(w http.ResponseWriter, r *http.Request, caller serve.Caller) {
	all := false
	if text := r.URL.Query().Get("all"); text != "" {
		var err error
		if all, err = strconv.ParseBool(text); err != nil {
			badQuery(w, "all", "true or false is accepted")
			return
		}
	}
	page, err := s.options.Drafts.List(r.Context(), caller, all, r.URL.Query().Get("after"))
	s.answerDraft(w, r, http.StatusOK, page, err)
}

func (s *Service) getDraft(w http.ResponseWriter, r *http.Request, caller serve.Caller) {
	view, err := s.options.Drafts.Get(r.Context(), caller, r.PathValue("id"))
	s.answerDraft(w, r, http.StatusOK, view, err)
}

func (s *Service) reviewDraft(w http.ResponseWriter, r *http.Request, caller serve.Caller) {
	proposal, err := s.options.Drafts.Review(r.Context(), caller, r.PathValue("id"))
	s.answerDraft(w, r, http.StatusOK, proposal, err)
}

func (s *Service) draftCheckpoint(w http.ResponseWriter, r *http.Request, caller serve.Caller) {
	c, err := s.options.Drafts.Checkpoint(r.Context(), caller, r.PathValue("id"))
	s.answerDraft(w, r, http.StatusOK, c, err)
}

func (s *Service) approveDraft(w http.ResponseWriter, r *http.Request, caller serve.Caller) {
	in := s.draftBodies.approve.read(w, r, s.dispatcher.MaxBytes())
	if in == nil {
		return
	}
	a := drafts.Approval{Plan: in.Plan, Resume: in.Resume}
	for _, g := range in.Grants {
		a.Grants = append(a.Grants, drafts.Grant{Step: g.Step, Tool: g.Tool, Calls: int(g.Calls)})
	}
	view, err := s.options.Drafts.Approve(r.Context(), caller, r.PathValue("id"), a)
	s.answerDraft(w, r, http.StatusOK, view, err)
}

// starter is Execute or Resume of a desk.
type starter func(ctx context.Context, caller serve.Caller, id string, wait time.Duration) (*drafts.View, error)

func (s *Service) runDraft(start starter) func(http.ResponseWriter, *http.Request, serve.Caller) {
	return func(w http.ResponseWriter, r *http.Request, caller serve.Caller) {
		wait, ok := number(w, r, "wait", mostWait)
		if !ok {
			return
		}
		view, err := start(r.Context(), caller, r.PathValue("id"), time.Duration(wait)*time.Second)
		s.answerDraft(w, r, statusOf(view), view, err)
	}
}

func (s *Service) abandonDraft(w http.ResponseWriter, r *http.Request, caller serve.Caller) {
	view, err := s.options.Drafts.Abandon(r.Context(), caller, r.PathValue("id"))
	s.answerDraft(w, r, statusOf(view), view, err)
}

func (s *Service) answerDraftCall(w http.ResponseWriter, r *http.Request, caller serve.Caller) {
	in := s.draftBodies.answer.read(w, r, s.dispatcher.MaxBytes())
	if in == nil {
		return
	}
	wait, ok := number(w, r, "wait", mostWait)
	if !ok {
		return
	}
	call, err := strconv.Atoi(r.PathValue("call"))
	if err != nil {
		call = -1 // which no call is
	}
	view, err := s.options.Drafts.AnswerCall(r.Context(), caller, r.PathValue("id"), call,
		drafts.Answer{Digest: in.Digest, Approve: in.Approve, Reason: deref(in.Reason)}, time.Duration(wait)*time.Second)
	s.answerDraft(w, r, statusOf(view), view, err)
}

// followDraft streams events: one line or SSE event each, then the end.
func (s *Service) followDraft(w http.ResponseWriter, r *http.Request, caller serve.Caller) {
	since, ok := number(w, r, "since", mostNumber)
	if !ok {
		return
	}
	format := r.URL.Query().Get("stream_format")
	switch {
	case format == "" && strings.Contains(r.Header.Get("Accept"), "text/event-stream"):
		format = streamSSE
	case format != "" && format != streamNDJSON && format != streamSSE:
		badQuery(w, "stream_format", "ndjson or sse is accepted")
		return
	}
	// A client that reconnects says what it had.
	if last, err := strconv.Atoi(r.Header.Get("Last-Event-ID")); err == nil && since == 0 && 0 < last && last < mostNumber {
		since = last + 1
	}
	var out *stream
	err := s.options.Drafts.Follow(r.Context(), caller, r.PathValue("id"), since, heartbeat, func(part *drafts.Events) error {
		if out == nil {
			out = newStream(w, format)
			_ = http.NewResponseController(w).Flush() // nothing may happen for long
		} else if len(part.Events) == 0 && !part.Over {
			return out.heartbeat()
		}
		for _, e := range part.Events {
			data, err := e.MarshalJSON()
			if err != nil {
				return err
			}
			out.number(e.Sequence)
			out.event("event", data)
		}
		if part.Over || s.dispatcher.Draining() || r.Method == http.MethodHead {
			data, _ := jsontree.Marshal(struct {
				Next   int           `json:"next"`
				Status drafts.Status `json:"status"`
				Over   bool          `json:"over"`
			}{part.Next, part.Status, part.Over})
			out.event("end", data)
			if r.Method == http.MethodHead {
				return errHead
			}
		}
		return nil
	})
	if err != nil && out == nil {
		s.refuseDraft(w, r, err)
	}
}

var errHead = errors.New("a HEAD request has no body to wait for")

// number numbers the next event of a stream, for clients that come again.
func (s *stream) number(n int) {
	if s.sse {
		fmt.Fprintf(s.w, "id: %d\n", n)
	}
}

// heartbeat shows the client that the stream lives, and the server that the
// client does.
func (s *stream) heartbeat() error {
	text := "{\"type\":\"heartbeat\",\"data\":{}}\n"
	if s.sse {
		text = ": heartbeat\n\n"
	}
	if _, err := s.w.Write([]byte(text)); err != nil {
		return err
	}
	return http.NewResponseController(s.w).Flush()
}

// statusOf is 202 for a run that goes on.
func statusOf(v *drafts.View) int {
	if v != nil && v.Status == drafts.StatusRunning {
		return http.StatusAccepted
	}
	return http.StatusOK
}

func (s *Service) answerDraft(w http.ResponseWriter, r *http.Request, status int, value any, err error) {
	if err != nil {
		s.refuseDraft(w, r, err)
		return
	}
	answer(w, status, value)
}

// draftRefusal is the body of a refusal: FW-167's, and the reason as a code.
type draftRefusal struct {
	Detail string        `json:"detail"`
	Code   drafts.Code   `json:"code"`
	Status drafts.Status `json:"status,omitempty"`
}

var draftStatus = map[drafts.Code]int{
	drafts.NotFound: http.StatusNotFound, drafts.UnknownCall: http.StatusNotFound,
	drafts.NotOperator: http.StatusForbidden, drafts.NoChannel: http.StatusForbidden,
	drafts.Rejected: http.StatusUnprocessableEntity, drafts.InvalidInput: http.StatusUnprocessableEntity,
	drafts.InvalidGrants: http.StatusUnprocessableEntity, drafts.InvalidCursor: http.StatusUnprocessableEntity,
	drafts.WrongState: http.StatusConflict, drafts.PlanMismatch: http.StatusConflict, drafts.NotResumable: http.StatusConflict,
	drafts.CallChanged: http.StatusConflict, drafts.Changed: http.StatusConflict,
	drafts.Full: http.StatusTooManyRequests, drafts.Ending: http.StatusServiceUnavailable,
}

// refuseDraft answers with why the desk did not do what was asked. A draft that
// is rejected is answered with its review (WD-22), and the text beside it.
func (s *Service) refuseDraft(w http.ResponseWriter, r *http.Request, err error) {
	var e *drafts.Error
	if !errors.As(err, &e) {
		s.dispatcher.Logger().ErrorContext(r.Context(), "request failed", "request", requestID(r), "error", err)
		refuse(w, http.StatusInternalServerError, "The request failed; it is "+requestID(r)+" in the log.")
		return
	}
	status, known := draftStatus[e.Code]
	if !known {
		status = http.StatusInternalServerError
	}
	if e.Review != nil {
		text, _ := jsontree.Marshal(draftRefusal{Detail: e.Error(), Code: e.Code})
		answer(w, status, json.RawMessage(string(text[:len(text)-1])+","+string(e.Review.Encode()[1:])))
		return
	}
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "2")
	}
	answer(w, status, draftRefusal{e.Error(), e.Code, e.Status})
}

// number reads a whole number from the URL, 0 if it is not there. If it cannot,
// it has answered.
func number(w http.ResponseWriter, r *http.Request, name string, most int) (int, bool) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return 0, true
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most {
		badQuery(w, name, "a whole number from 0 to "+strconv.Itoa(most)+" is accepted")
		return 0, false
	}
	return n, true
}

func badQuery(w http.ResponseWriter, name, accepted string) {
	answer(w, http.StatusUnprocessableEntity, detail{[]fault{{"out_of_range", []any{"query", name}, name + ": " + accepted + "."}}})
}

// draftSchemas are what the endpoints for drafts answer.
func draftSchemas() object {
	text, flag, whole := object{"type": "string"}, object{"type": "boolean"}, object{"type": "integer"}
	anything := object{}
	list := func(of object) object { return object{"type": "array", "items": of} }
	ref := func(name string) object { return object{"$ref": componentRef(name)} }
	record := func(properties object, required ...string) object {
		return object{"type": "object", "properties": properties, "required": required}
	}
	summary := func() object {
		return object{"id": text, "status": ref("DraftStatus"), "channel": text, "user": text,
			"created_at": object{"type": "string", "format": "date-time"}, "updated_at": object{"type": "string", "format": "date-time"},
			"plan": record(object{"fingerprint": text, "step_count": whole, "completed_steps": whole}, "fingerprint", "step_count", "completed_steps")}
	}
	always := []string{"id", "status", "channel", "created_at", "updated_at", "plan"}
	view := func() object {
		out := summary()
		for name, schema := range (object{
			"message": text, "reason": text, "approved_by": text, "resume": flag, "runs": whole,
			"grants": list(record(object{"step": text, "tool": text, "calls": whole}, "step", "tool", "calls")),
			"pending_calls": list(record(object{"call": whole, "step": text, "tool": text, "arguments": anything, "digest": text, "state": text},
				"call", "step", "tool", "arguments", "digest", "state")),
			"calls": list(object{"type": "object"}), "dropped_calls": whole, "begun_call": object{"type": "object"}, "result": object{"type": "object"},
		}) {
			out[name] = schema
		}
		return out
	}
	viewAlways := append([]string{"message", "runs"}, always...)
	review := object{"draft": object{"type": "object"}, "steps": list(object{"type": "object"}), "valid": flag}
	proposal := view()
	proposal["review"], proposal["draft"], proposal["input"] = record(review, "draft", "steps", "valid"), object{"type": "object"}, anything
	statuses := []drafts.Status{drafts.StatusProposed, drafts.StatusApproved, drafts.StatusRunning, drafts.StatusSuspended,
		drafts.StatusCompleted, drafts.StatusFailed, drafts.StatusInterrupted, drafts.StatusAbandoned}
	rejection := object{"detail": object{"anyOf": []object{text, {"type": "array"}}}, "code": text}
	for name, schema := range review {
		rejection[name] = schema
	}
	return object{
		"Schema":          object{"type": "object"},
		"Draft":           record(view(), viewAlways...),
		"DraftCheckpoint": record(object{"id": text, "status": ref("DraftStatus"), "checkpoint": object{"type": "object"}, "data": object{"type": "object"}}, "id", "status", "checkpoint", "data"),
		"DraftPage":       record(object{"drafts": list(record(summary(), always...)), "next": text}, "drafts"),
		"DraftProposal":   record(proposal, append([]string{"review"}, viewAlways...)...),
		"DraftRefusal":    record(object{"detail": text, "code": text, "status": ref("DraftStatus")}, "detail", "code"),
		"DraftRejection":  record(rejection, "detail"),
		"DraftStatus":     object{"enum": statuses},
	}
}
