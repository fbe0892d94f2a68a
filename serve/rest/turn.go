package rest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/validate"
)

// How long the answer of a turn is kept for a client that was told to wait for
// it, and of how many turns of a channel at most.
const (
	claimTime     = 10 * time.Minute
	mostUnclaimed = 16
)

// A turn is one message or action on its way. It runs on when its client has
// gone (FW-166, FW-168).
type turn struct {
	key     string
	request [sha256.Size]byte // what asked for it
	// idempotency is the key that the request brought, "" for none.
	idempotency string
	query       string // what was asked, for the record
	// promised says that a client was told to come again for the answer.
	promised bool
	// claimed says that the answer was fetched.
	claimed bool
	done    chan struct{} // closed when the fields below are set
	ended   time.Time
	output  command.TurnOutput
	traces  []command.TraceEvent
	err     error
}

// errTurnRunning says that another turn has the channel.
type errTurnRunning struct{ channel, key string }

func (e errTurnRunning) Error() string {
	return "A turn is already in progress for user: " + shown(e.channel) + " (active turn " + e.key + ")" // FW-167
}

// begin starts a turn for a request, or joins the one that the same request
// started before (FW-166): one with the same key, if it brings one.
func (s *Service) begin(ctx context.Context, c *channel, kind, key string, call serve.Request) (*turn, error) {
	call.Session = c.id
	digest := sha256.Sum256([]byte(kind + "\x00" + call.Command + "\x00" + string(call.Arguments) + "\x00" + call.Text))
	c.mu.Lock()
	defer c.mu.Unlock()
	if key != "" {
		if t, err := c.keyedTurn(key, digest); t != nil || err != nil {
			return t, err
		}
	}
	if t := c.active; t != nil {
		if t.request == digest && t.idempotency == key {
			return t, nil
		}
		return nil, errTurnRunning{c.id, t.key}
	}
	if key == "" {
		if t := c.claim(digest); t != nil {
			return t, nil
		}
	}
	query := call.Text
	if call.Command != "" {
		query = call.Command
	}
	// What the client's connection does is not the turn's concern, and an end of
	// the server waits until it is recorded.
	work, done, err := s.dispatcher.Begin(context.WithoutCancel(ctx))
	if err != nil {
		return nil, err
	}
	t := &turn{key: command.NewTurnKey(time.Now()), request: digest, idempotency: key, query: query, done: make(chan struct{})}
	c.active = t
	if key != "" {
		c.remember(t)
	}
	go func() {
		defer done()
		s.work(work, c, t, call)
	}()
	return t, nil
}

// notBegun answers a request whose turn could not begin.
func (s *Service) notBegun(w http.ResponseWriter, r *http.Request, c *channel, err error) {
	var running errTurnRunning
	var reused errKeyReused
	switch {
	case errors.As(err, &running):
		refuse(w, http.StatusConflict, err.Error())
	case errors.As(err, &reused):
		refuse(w, http.StatusUnprocessableEntity, err.Error())
	default:
		s.failed(w, r, c.id, err)
	}
}

// work runs a turn.
func (s *Service) work(ctx context.Context, c *channel, t *turn, call serve.Request) {
	began := time.Now()
	outcome, err := s.dispatcher.Do(ctx, call)
	c.mu.Lock()
	defer c.mu.Unlock()
	t.ended = time.Now()
	if err != nil {
		t.err = err
		if serve.DidNotRun(err) {
			c.forget(t)
		}
	} else {
		t.output = turnOf(t.key, outcome)
		t.traces = tracesOf(c.state.User, call, outcome, began, t.ended)
		s.record(ctx, c, t)
	}
	c.active = nil
	if t.promised && t.idempotency == "" {
		c.leave(t)
	}
	close(t.done)
}

// stale reports whether nobody is expected for the answer any more.
func (t *turn) stale() bool { return time.Since(t.ended) > claimTime }

// claim takes the turn whose answer waits for a request, nil if there is none.
// c.mu is held.
func (c *channel) claim(request [sha256.Size]byte) *turn {
	c.unclaimed = slices.DeleteFunc(c.unclaimed, (*turn).stale)
	at := slices.IndexFunc(c.unclaimed, func(t *turn) bool { return t.request == request })
	if at < 0 {
		return nil
	}
	t := c.unclaimed[at]
	c.unclaimed = slices.Delete(c.unclaimed, at, at+1)
	return t
}

// leave keeps the answer of a turn for when its request comes again. c.mu is
// held.
func (c *channel) leave(t *turn) {
	if len(c.unclaimed) == mostUnclaimed {
		c.unclaimed = slices.Delete(c.unclaimed, 0, 1)
	}
	c.unclaimed = append(c.unclaimed, t)
}

// turnOf is what a turn says of a call. What the pipeline refused is an answer;
// only a command that broke makes a failed turn.
func turnOf(key string, outcome *command.Outcome) command.TurnOutput {
	out := relayable(outcome.Output)
	for _, part := range []struct {
		name  string
		value any
		have  bool
	}{{"problems", outcome.Problems, len(outcome.Problems) > 0}, {"repairs", outcome.Repairs, len(outcome.Repairs) > 0}} {
		if !part.have {
			continue
		}
		if text, err := jsontree.Marshal(part.value); err == nil {
			out.Unknown = append(out.Unknown, command.WireMember{Name: part.name, Value: text})
		}
	}
	t := command.TurnOutput{TurnKey: key, Status: command.TurnCompleted, Answer: outcome.Text(), CommandOutputs: []command.CommandOutput{out}}
	if outcome.Stage == validate.StageRun {
		reason := "command_failed"
		t.Status, t.FailureReason = command.TurnFailed, &reason
	}
	return t
}

// tracesOf is the same for those who watch the turn (FW-156).
func tracesOf(user string, call serve.Request, outcome *command.Outcome, began, ended time.Time) []command.TraceEvent {
	raw := call.Text
	if call.Command != "" {
		raw = call.Command + " " + string(call.Arguments)
	}
	out := &outcome.Output
	events := []command.TraceEvent{
		{Direction: command.AgentToWorkflow, RawCommand: &raw, TimestampMS: began.UnixMilli()},
		{Direction: command.WorkflowToAgent, CommandName: &out.CommandName, Parameters: out.CommandParameters,
			ResponseText: &out.CommandResponse.Response, Success: &out.CommandResponse.Success, TimestampMS: ended.UnixMilli()},
	}
	if user != "" {
		events[0].UserID, events[1].UserID = &user, &user
	}
	return events
}

// wait waits for a turn, at most as long as the client wants to, and reports
// whether it has ended. The answer of a turn that its client leaves is kept for
// the same request.
func (c *channel) wait(ctx context.Context, t *turn, most time.Duration) bool {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-t.done:
	case <-timer.C:
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.active == t:
		t.promised = true
		return false
	case ctx.Err() != nil:
		if !t.claimed && t.idempotency == "" && !slices.Contains(c.unclaimed, t) {
			c.leave(t)
		}
		return false
	default:
		t.claimed = true
		c.unclaimed = slices.DeleteFunc(c.unclaimed, func(u *turn) bool { return u == t })
		return true
	}
}

// turnReply is the answer of the turn endpoints (FW-165).
type turnReply struct {
	TurnKey        string            `json:"turn_key"`
	ExecState      string            `json:"exec_state"`
	Status         string            `json:"status"`
	FailureReason  *string           `json:"failure_reason"`
	Success        bool              `json:"success"`
	Answer         string            `json:"answer"`
	CommandOutputs []json.RawMessage `json:"command_outputs"`
}

func replyOf(t *turn) turnReply {
	out := &t.output
	r := turnReply{TurnKey: t.key, ExecState: execDone, Status: string(out.Status), FailureReason: out.FailureReason,
		Success: out.Success(), Answer: out.Answer, CommandOutputs: []json.RawMessage{}}
	for i := range out.CommandOutputs {
		if text, err := out.CommandOutputs[i].RelayJSON(); err == nil { // see relayable
			r.CommandOutputs = append(r.CommandOutputs, text)
		}
	}
	return r
}

// relayable returns an output that has a form in JSON. Artifacts that have none
// are left out, and said so; the command has run all the same.
func relayable(o command.CommandOutput) command.CommandOutput {
	if _, err := o.RelayJSON(); err == nil {
		return o
	}
	o.CommandResponse.Artifacts = map[string]any{"artifacts_lost": "they have no form in JSON"}
	if _, err := o.RelayJSON(); err != nil {
		o.CommandParameters = nil
	}
	return o
}

// The states of a turn (FW-164).
const (
	execRunning = "running"
	execDone    = "done"
)

// turnRunning is the answer to a client whose time is over (FW-166).
type turnRunning struct {
	TurnKey   string `json:"turn_key"`
	ExecState string `json:"exec_state"`
}

// turnOver runs a request as a turn and answers it.
func (s *Service) turnOver(w http.ResponseWriter, r *http.Request, c *channel, kind string, call serve.Request, seconds int64) {
	key, ok := idempotencyKey(w, r)
	if !ok {
		return
	}
	call.ID = requestID(r)
	t, err := s.begin(r.Context(), c, kind, key, call)
	if err != nil {
		s.notBegun(w, r, c, err)
		return
	}
	if !c.wait(r.Context(), t, secondsOf(seconds)) {
		answer(w, http.StatusAccepted, turnRunning{t.key, execRunning})
		return
	}
	if t.err != nil {
		s.failed(w, r, c.id, t.err)
		return
	}
	answer(w, http.StatusOK, replyOf(t))
}

// longestWait bounds how long a client can ask to wait.
const longestWait = 24 * time.Hour

func secondsOf(seconds int64) time.Duration {
	return time.Duration(min(seconds, int64(longestWait/time.Second))) * time.Second
}
