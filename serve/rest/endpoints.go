package rest

import (
	"errors"
	"html"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/token"
	"github.com/fwgo/fwgo/validate"
)

// An endpoint is a method and a path with what serves them, and with what the
// OpenAPI document says of them.
type endpoint struct {
	method, path string
	id           string // FastAPI's operation id, which clients generate names from
	summary      string
	auth         auth
	body         func() []byte // the schema of the JSON body, nil for none
	query        []queryParameter
	answers      []reply
	serve        http.HandlerFunc
}

// takesKey reports that a request may bring an Idempotency-Key.
func (e *endpoint) takesKey() bool {
	switch e.path {
	case "/invoke_agent", "/invoke_agent_stream", "/invoke_assistant", "/perform_action":
		return true
	}
	return false
}

// auth is the token that an endpoint needs.
type auth int

const (
	authNone auth = iota
	authAccess
	authRefresh
	authSecret
)

// queryParameter is a parameter in the URL.
type queryParameter struct {
	name, kind  string
	description string
	least, most int
}

// reply is one way an endpoint answers: a status with the name of the schema
// of its body.
type reply struct {
	status  int
	schema  string
	about   string
	content string // "" for application/json
}

// The bodies that endpoints take (FW-163).
type (
	initializeBody struct {
		ChannelID      string  `json:"channel_id" jsonschema:"minLength=1,maxLength=256" jsonschema_description:"The id of the caller's line; it names the session."`
		UserID         *string `json:"user_id,omitempty" jsonschema:"maxLength=256" jsonschema_description:"Who speaks on the channel."`
		StreamFormat   *string `json:"stream_format,omitempty" jsonschema:"enum=ndjson,enum=sse" jsonschema_description:"The form of streamed answers."`
		StartupCommand *string `json:"startup_command,omitempty" jsonschema_description:"A call as text to begin with."`
		StartupAction  rawJSON `json:"startup_action,omitempty" jsonschema_description:"A direct action to begin with."`
		TimeoutSeconds int64   `json:"timeout_seconds,omitempty" jsonschema:"minimum=0,default=60" jsonschema_description:"How long to wait for the startup."`
	}
	queryBody struct {
		UserQuery      string `json:"user_query" jsonschema_description:"The call as text."`
		TimeoutSeconds int64  `json:"timeout_seconds,omitempty" jsonschema:"minimum=0,default=60" jsonschema_description:"How long to wait for the answer."`
	}
	actionBody struct {
		Action         rawJSON `json:"action" jsonschema_description:"The direct action: command_name and parameters."`
		TimeoutSeconds int64   `json:"timeout_seconds,omitempty" jsonschema:"minimum=0,default=60" jsonschema_description:"How long to wait for the answer."`
	}
	feedbackBody struct {
		Score    *float64 `json:"binary_or_numeric_score,omitempty" jsonschema_description:"A score, or 0 and 1 for no and yes."`
		Feedback *string  `json:"nl_feedback,omitempty" jsonschema_description:"What the user says of the last turn."`
	}
	activateBody struct {
		ConversationID int64 `json:"conversation_id" jsonschema_description:"A conversation of GET /conversations."`
	}
	dumpBody struct {
		OutputFolder string `json:"output_folder" jsonschema_description:"The folder to write to, inside the one that the server allows."`
	}
	tokenBody struct {
		ChannelID   string  `json:"channel_id" jsonschema:"minLength=1,maxLength=256" jsonschema_description:"The channel that the token is for."`
		UserID      *string `json:"user_id,omitempty" jsonschema:"maxLength=256" jsonschema_description:"Who speaks on the channel."`
		ExpiresDays int64   `json:"expires_days,omitempty" jsonschema:"minimum=1,maximum=3650,default=365" jsonschema_description:"How long the token lasts."`
		Role        *string `json:"role,omitempty" jsonschema:"enum=operator" jsonschema_description:"operator: may review and approve drafts."`
	}
)

// bodies are the readers of all bodies.
type bodies struct {
	initialize *body[initializeBody]
	query      *body[queryBody]
	action     *body[actionBody]
	feedback   *body[feedbackBody]
	activate   *body[activateBody]
	dump       *body[dumpBody]
	token      *body[tokenBody]
}

func makeBodies() bodies {
	b := bodies{bodyOf[initializeBody](), bodyOf[queryBody](), bodyOf[actionBody](), bodyOf[feedbackBody](), bodyOf[activateBody](), bodyOf[dumpBody](), bodyOf[tokenBody]()}
	b.feedback.whole = func(root *jsontree.Value) []validate.Problem {
		score, words := root.Get("binary_or_numeric_score"), root.Get("nl_feedback")
		if score == nil || words == nil || score.Kind != jsontree.Null || words.Kind != jsontree.Null {
			return nil // an empty body passes (FW-172)
		}
		return []validate.Problem{{Kind: validate.Missing, Field: "nl_feedback", Accepted: "a text, or a number for binary_or_numeric_score"}}
	}
	b.action.whole = func(root *jsontree.Value) []validate.Problem {
		if action := root.Get("action"); action != nil && action.Kind != jsontree.Null {
			return nil
		}
		return []validate.Problem{{Kind: validate.Missing, Field: "action", Accepted: "an object with command_name and parameters"}}
	}
	return b
}

var turnReplies = []reply{
	{200, "TurnReply", "The turn ended; its outputs say how.", ""},
	{202, "TurnRunning", "The turn runs on; the same request joins it.", ""},
	{404, "Detail", "The channel was never initialized.", ""},
	{409, "Detail", "Another turn has the channel.", ""},
}

// endpoints lists what is served (FW-163).
func (s *Service) endpoints() []endpoint {
	b := &s.bodies
	most := s.dispatcher.MaxBytes()
	asTurn := func(read func(w http.ResponseWriter, r *http.Request) (serve.Request, int64, bool), kind string,
		run func(w http.ResponseWriter, r *http.Request, c *channel, kind string, call serve.Request, seconds int64)) http.HandlerFunc {
		return s.channelled(func(w http.ResponseWriter, r *http.Request, c *channel) {
			if call, seconds, ok := read(w, r); ok {
				run(w, r, c, kind, call, seconds)
			}
		})
	}
	text := func(told bool) func(w http.ResponseWriter, r *http.Request) (serve.Request, int64, bool) {
		return func(w http.ResponseWriter, r *http.Request) (serve.Request, int64, bool) {
			in := b.query.read(w, r, most)
			if in == nil {
				return serve.Request{}, 0, false
			}
			query := in.UserQuery
			if !told {
				query = strings.TrimLeft(query, "/") // FW-169
			}
			return serve.Request{Text: query, Told: told}, in.TimeoutSeconds, true
		}
	}
	return append([]endpoint{
		{"GET", "/{$}", "root", "What this server is", authNone, nil, nil, []reply{{200, "", "A page for people.", "text/html"}}, s.root},
		{"GET", "/openapi.json", "openapi", "This document", authNone, nil, nil, []reply{{200, "OpenAPI", "The document.", ""}}, s.openAPI},
		{"GET", "/probes/healthz", "liveness_probe", "Whether the process lives", authNone, nil, nil, []reply{{200, "Alive", "It does.", ""}}, s.healthz},
		{"GET", "/probes/readyz", "readiness_probe", "Whether calls are taken", authNone, nil,
			[]queryParameter{{"memory", "boolean", "Tell the memory in use as well.", 0, 0}},
			[]reply{{200, "Ready", "They are.", ""}, {503, "Ready", "They are not, now.", ""}}, s.readyz},
		{"POST", "/initialize", "rest_initialize", "Open a channel and get tokens for it", authSecret, b.initialize.schema, nil,
			[]reply{{200, "Initialized", "The channel is open.", ""}, {202, "Initialized", "It is open, and the startup runs on.", ""},
				{400, "Detail", "The startup is not one that can be run.", ""}, {409, "Detail", "Another turn has the channel.", ""}}, s.guarded(s.initialize)},
		{"POST", "/refresh_token", "refresh_token", "Change a refresh token into new tokens", authRefresh, nil, nil, []reply{{200, "Tokens", "New tokens.", ""}}, s.refresh},
		{"POST", "/invoke_agent", "rest_invoke_agent", "Run a call written as text, by an agent", authAccess, b.query.schema, nil, turnReplies,
			asTurn(text(false), "agent", s.turnOver)},
		{"POST", "/invoke_agent_stream", "invoke_agent", "The same, streamed", authAccess, b.query.schema, nil,
			[]reply{{200, "", "Traces, then one output, or an error.", "application/x-ndjson"}, {404, "Detail", "The channel was never initialized.", ""}, {409, "Detail", "Another turn has the channel.", ""}},
			asTurn(text(false), "agent", s.streamTurn)},
		{"POST", "/invoke_assistant", "invoke_assistant", "Run a call written as text, by a person", authAccess, b.query.schema, nil, turnReplies,
			asTurn(text(true), "assistant", s.turnOver)},
		{"POST", "/perform_action", "perform_action", "Run a command by name with parameters as JSON", authAccess, s.actionSchema, nil, turnReplies,
			asTurn(s.readAction, "action", s.turnOver)},
		{"POST", "/cancel_pending", "cancel_pending", "Drop what the channel was asked for", authAccess, nil, nil,
			[]reply{{200, "Cleared", "Done.", ""}, {404, "Detail", "The channel was never initialized.", ""}, {409, "Detail", "A turn has the channel.", ""}}, s.channelled(s.cancelPending)},
		{"POST", "/new_conversation", "new_conversation", "Begin a new conversation", authAccess, nil, nil,
			[]reply{{200, "Status", "Done.", ""}, {404, "Detail", "The channel was never initialized.", ""}, {409, "Detail", "A turn has the channel.", ""}}, s.channelled(s.newConversation)},
		{"GET", "/conversations", "get_all_conversations", "List the channel's conversations, newest first", authAccess, nil,
			[]queryParameter{{"limit", "integer", "How many at most.", 1, 1000}},
			[]reply{{200, "Conversations", "The list.", ""}, {404, "Detail", "The channel was never initialized.", ""}}, s.channelled(s.listConversations)},
		{"POST", "/post_feedback", "post_feedback", "Say what the user thinks of the last turn", authAccess, b.feedback.schema, nil,
			[]reply{{200, "Status", "Kept.", ""}, {404, "Detail", "There is no channel, or no turn.", ""}, {409, "Detail", "A turn has the channel.", ""}}, s.channelled(s.postFeedback)},
		{"POST", "/activate_conversation", "activate_conversation", "Go back to a conversation", authAccess, b.activate.schema, nil,
			[]reply{{200, "Status", "Done.", ""}, {404, "Detail", "There is no such channel or conversation.", ""}, {409, "Detail", "A turn has the channel.", ""}}, s.channelled(s.activate)},
		{"POST", "/admin/dump_all_conversations", "dump_all_conversations", "Write every recorded turn to a file", authSecret, b.dump.schema, nil,
			[]reply{{200, "Dumped", "Written.", ""}, {403, "Detail", "The server allows no dumps there.", ""}}, s.guarded(s.dumpAll)},
		{"POST", "/admin/generate_mcp_token", "generate_mcp_token", "Make a long-lived access token", authSecret, b.token.schema, nil,
			[]reply{{200, "Tokens", "The token; there is no refresh token.", ""}, {403, "Detail", "The server hands out no such tokens.", ""}}, s.guarded(s.generateToken)},
	}, s.draftEndpoints()...)
}

func (s *Service) root(w http.ResponseWriter, _ *http.Request) {
	name := html.EscapeString(s.dispatcher.Workflow().Name())
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte("<!doctype html><title>" + name + "</title><h1>" + name + "</h1>" +
		"<p>The commands of this workflow are served here. <a href=\"/openapi.json\">openapi.json</a> describes the endpoints.</p><pre>" +
		html.EscapeString(s.dispatcher.Workflow().Display()) + "</pre>"))
}

func (s *Service) openAPI(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(s.document)
}

func (s *Service) healthz(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]string{"status": "alive"})
}

// readiness is the answer of the readiness probe (FW-163).
type readiness struct {
	Status string          `json:"status"`
	Checks map[string]bool `json:"checks"`
	Memory *memoryUse      `json:"memory,omitempty"`
}

type memoryUse struct {
	Heap   uint64 `json:"heap_bytes"`
	System uint64 `json:"system_bytes"`
}

func (s *Service) readyz(w http.ResponseWriter, r *http.Request) {
	ready := !s.dispatcher.Draining()
	out := readiness{Status: "ready", Checks: map[string]bool{"ready": ready, "fastworkflow_initialized": true, "workflow_path_valid": true}}
	if asked, err := strconv.ParseBool(r.URL.Query().Get("memory")); err == nil && asked {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		out.Memory = &memoryUse{m.HeapAlloc, m.Sys}
	}
	if !ready {
		out.Status = "not_ready"
		answer(w, http.StatusServiceUnavailable, out)
		return
	}
	answer(w, http.StatusOK, out)
}

// tokens is what a client is given to call with.
type tokens struct {
	Access    string `json:"access_token"`
	Refresh   string `json:"refresh_token"`
	Type      string `json:"token_type"`
	ExpiresIn int64  `json:"expires_in"`
}

func tokensOf(p token.Pair) tokens {
	return tokens{p.Access, p.Refresh, "bearer", int64(p.ExpiresIn / time.Second)}
}

func (s *Service) refresh(w http.ResponseWriter, r *http.Request) {
	given, ok := bearer(r)
	if !ok {
		unauthorized(w, "Invalid Authorization header format. Expected: Bearer <refresh_token>") // FW-170
		return
	}
	pair, err := s.options.Issuer.Refresh(given)
	if err != nil {
		unauthorized(w, strings.Replace(err.Error(), "expired token", "expired refresh token", 1)) // FW-170
		return
	}
	answer(w, http.StatusOK, tokensOf(pair))
}

// readAction reads the body of a direct action. What is wrong inside the action is said
// as FW-167 does; what is wrong with the command's parameters is the
// pipeline's to say.
func (s *Service) readAction(w http.ResponseWriter, r *http.Request) (serve.Request, int64, bool) {
	in := s.bodies.action.read(w, r, s.dispatcher.MaxBytes())
	if in == nil {
		return serve.Request{}, 0, false
	}
	call, err := actionOf(in.Action)
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, "Invalid action format: "+err.Error())
		return serve.Request{}, 0, false
	}
	return call, in.TimeoutSeconds, true
}

func (s *Service) cancelPending(w http.ResponseWriter, r *http.Request, c *channel) {
	c.mu.Lock()
	running := c.active != nil
	c.mu.Unlock()
	if running { // it may yet ask for more, or answer what it asked for
		turnRuns(w, c)
		return
	}
	cleared, err := s.dispatcher.Cancel(r.Context(), c.id)
	if err != nil {
		s.failed(w, r, c.id, err)
		return
	}
	answer(w, http.StatusOK, struct {
		Status  string `json:"status"`
		Cleared bool   `json:"cleared"`
	}{"ok", cleared})
}

// status is the answer of endpoints that have nothing else to say.
type status struct {
	Status  string `json:"status"`
	Message string `json:"message,omitempty"`
}

// still lets work at a channel's conversations begin if no turn runs (FW-167).
func still(w http.ResponseWriter, c *channel, work func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.active != nil {
		turnRuns(w, c)
		return
	}
	work()
}

func turnRuns(w http.ResponseWriter, c *channel) {
	refuse(w, http.StatusConflict, "A turn is already in progress for user: "+shown(c.id))
}

func (s *Service) newConversation(w http.ResponseWriter, r *http.Request, c *channel) {
	still(w, c, func() {
		if c.state.Conversation == 0 {
			answer(w, http.StatusOK, status{"ok", "No turns to save"})
			return
		}
		if err := s.change(r.Context(), c, func(state *channelState) { state.Conversation = 0 }); err != nil {
			s.failed(w, r, c.id, err)
			return
		}
		answer(w, http.StatusOK, status{Status: "ok"})
	})
}

func (s *Service) listConversations(w http.ResponseWriter, r *http.Request, c *channel) {
	limit := 20
	if text := r.URL.Query().Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 1000 {
			answer(w, http.StatusUnprocessableEntity, detail{[]fault{{"out_of_range", []any{"query", "limit"}, "limit: a whole number from 1 to 1000 is accepted."}}})
			return
		}
		limit = n
	}
	c.mu.Lock()
	last := c.state.Last
	c.mu.Unlock()
	list, err := s.conversations(r.Context(), c.id, last, limit)
	if err != nil {
		s.failed(w, r, c.id, err)
		return
	}
	answer(w, http.StatusOK, list)
}

func (s *Service) postFeedback(w http.ResponseWriter, r *http.Request, c *channel) {
	in := s.bodies.feedback.read(w, r, s.dispatcher.MaxBytes())
	if in == nil {
		return
	}
	still(w, c, func() {
		err := s.feedback(r.Context(), c, in)
		switch {
		case errors.Is(err, errNoTurn):
			refuse(w, http.StatusNotFound, "There is no turn to give feedback on.")
		case err != nil:
			s.failed(w, r, c.id, err)
		default:
			answer(w, http.StatusOK, status{Status: "ok"})
		}
	})
}

func (s *Service) activate(w http.ResponseWriter, r *http.Request, c *channel) {
	in := s.bodies.activate.read(w, r, s.dispatcher.MaxBytes())
	if in == nil {
		return
	}
	still(w, c, func() {
		known := in.ConversationID > 0 && in.ConversationID <= int64(c.state.Last)
		if known {
			_, version, err := s.conversation(r.Context(), c.id, int(in.ConversationID))
			if err != nil {
				s.failed(w, r, c.id, err)
				return
			}
			known = version > 0
		}
		if !known {
			refuse(w, http.StatusNotFound, "Conversation not found: "+strconv.FormatInt(in.ConversationID, 10))
			return
		}
		if err := s.change(r.Context(), c, func(state *channelState) { state.Conversation = int(in.ConversationID) }); err != nil {
			s.failed(w, r, c.id, err)
			return
		}
		answer(w, http.StatusOK, status{Status: "ok"})
	})
}

func (s *Service) dumpAll(w http.ResponseWriter, r *http.Request) {
	in := s.bodies.dump.read(w, r, s.dispatcher.MaxBytes())
	if in == nil {
		return
	}
	if s.options.DumpDir == "" {
		refuse(w, http.StatusForbidden, "This server writes no dumps; it was started without a folder for them.")
		return
	}
	path, err := s.dump(r.Context(), in.OutputFolder)
	switch {
	case errors.Is(err, errOutside):
		refuse(w, http.StatusForbidden, "Dumps are only written inside the folder that the server was started with.")
	case err != nil:
		s.dispatcher.Logger().ErrorContext(r.Context(), "dump failed", "error", err)
		refuse(w, http.StatusInternalServerError, "The dump could not be written.")
	default:
		answer(w, http.StatusOK, struct {
			FilePath string `json:"file_path"`
		}{path})
	}
}

func (s *Service) generateToken(w http.ResponseWriter, r *http.Request) {
	in := s.bodies.token.read(w, r, s.dispatcher.MaxBytes())
	if in == nil {
		return
	}
	if s.options.Secret == "" && s.options.Issuer.Signed() {
		refuse(w, http.StatusForbidden, "This server signs its tokens and hands out long-lived ones only to who knows its secret; it was started without one.")
		return
	}
	long, err := s.options.Issuer.Long(token.Subject{Channel: in.ChannelID, User: deref(in.UserID), Operator: in.Role != nil}, int(in.ExpiresDays))
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, "No token can be made for this channel.")
		return
	}
	answer(w, http.StatusOK, tokens{Access: long, Type: "bearer", ExpiresIn: in.ExpiresDays * 24 * 3600})
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// count writes a number for a message.
func count(n int) string { return strconv.Itoa(n) }
