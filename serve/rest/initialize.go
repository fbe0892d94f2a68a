package rest

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/token"
	"github.com/fwgo/fwgo/store"
)

// longestChannel is how many bytes the id of a channel may have; the schema
// counts characters.
const longestChannel = 256

// initialized is the answer of /initialize (FW-164).
type initialized struct {
	tokens
	StartupOutput    json.RawMessage `json:"startup_output"`
	StartupTurnKey   *string         `json:"startup_turn_key"`
	StartupExecState *string         `json:"startup_exec_state"`
	StartupError     *string         `json:"startup_error"`
}

// initialize opens a channel, gives out its tokens, and runs what it is to
// begin with (FW-164).
func (s *Service) initialize(w http.ResponseWriter, r *http.Request) {
	in := s.bodies.initialize.read(w, r, s.dispatcher.MaxBytes())
	if in == nil {
		return
	}
	startup, ok := startupOf(w, in)
	if !ok {
		return
	}
	if s.dispatcher.Draining() {
		refuse(w, http.StatusServiceUnavailable, serve.Message(serve.ErrDraining))
		return
	}
	var c *channel
	err := error(store.ErrInvalid)
	if len(in.ChannelID) <= longestChannel {
		c, err = s.open(r.Context(), in.ChannelID)
	}
	switch {
	case errors.Is(err, store.ErrInvalid):
		answer(w, http.StatusUnprocessableEntity, detail{[]fault{{"wrong_format", []any{"body", "channel_id"}, "channel_id: printable text of at most 256 bytes is accepted."}}})
		return
	case err != nil:
		s.failed(w, r, in.ChannelID, err)
		return
	}
	defer s.release(c)
	if err := s.settle(r, c, in); err != nil {
		s.failed(w, r, c.id, err)
		return
	}
	pair, err := s.options.Issuer.Issue(token.Subject{Channel: in.ChannelID, User: deref(in.UserID)})
	if err != nil {
		s.failed(w, r, c.id, err)
		return
	}
	out := initialized{tokens: tokensOf(pair)}
	if startup == nil {
		answer(w, http.StatusOK, out)
		return
	}
	startup.ID = requestID(r)
	t, err := s.begin(r.Context(), c, "startup", "", *startup)
	if err != nil {
		s.notBegun(w, r, c, err)
		return
	}
	state := execRunning
	out.StartupTurnKey, out.StartupExecState = &t.key, &state
	if !c.wait(r.Context(), t, secondsOf(in.TimeoutSeconds)) {
		answer(w, http.StatusAccepted, out)
		return
	}
	state = execDone
	if t.err != nil {
		text := serve.Message(t.err)
		out.StartupError = &text
	} else if text, err := t.output.RelayJSON(); err == nil { // see relayable
		out.StartupOutput = text
	}
	answer(w, http.StatusOK, out)
}

// startupOf returns what the channel is to begin with, nil for nothing.
func startupOf(w http.ResponseWriter, in *initializeBody) (*serve.Request, bool) {
	action := len(in.StartupAction) > 0 && string(in.StartupAction) != "null"
	switch {
	case in.StartupCommand != nil && action:
		refuse(w, http.StatusBadRequest, "Cannot provide both startup_command and startup_action. Choose one or neither.") // FW-164
		return nil, false
	case in.StartupCommand == nil && !action:
		return nil, true
	case deref(in.UserID) == "":
		refuse(w, http.StatusBadRequest, "user_id is required when startup_command or startup_action is provided") // FW-164
		return nil, false
	case in.StartupCommand != nil:
		return &serve.Request{Text: *in.StartupCommand, Told: true}, true
	}
	call, err := actionOf(in.StartupAction)
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, "Invalid action format: "+err.Error())
		return nil, false
	}
	return &call, true
}

// settle keeps what the body says of the channel.
func (s *Service) settle(r *http.Request, c *channel, in *initializeBody) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	set := func(state *channelState) {
		if in.UserID != nil {
			state.User = *in.UserID
		}
		if in.StreamFormat != nil {
			state.StreamFormat = *in.StreamFormat
		}
	}
	next := c.state
	if set(&next); c.version > 0 && next == c.state {
		return nil
	}
	return s.change(r.Context(), c, set)
}
