package command

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/fwgo/fwgo/agentmode"
	"github.com/fwgo/fwgo/internal/guard"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/validate"
)

// The stages of a conversation (FW-108).
const (
	stageIntent           = 0 // a message is a command
	stageAmbiguity        = 1 // it chooses among several commands
	stageMisunderstanding = 2 // it names the command that was meant
	stageParameters       = 3 // it gives values to the command in hand
)

// talk is where a conversation stands: plain data, stored with the session.
// Agents are always at stageIntent: they send a new complete call (FW-132).
type talk struct {
	Stage int `json:"stage,omitempty"`
	// Command is the qualified name of the command in hand.
	Command string `json:"command,omitempty"`
	// Message is the first message of the command in hand.
	Message string `json:"message,omitempty"`
	// Options are the commands to choose among.
	Options []string `json:"options,omitempty"`
	// Kept are the values understood so far; Fix are the parameters to give,
	// in the order the last message listed them.
	Kept []keptValue `json:"kept,omitempty"`
	Fix  []string    `json:"fix,omitempty"`
	// Problems are why they are to be given.
	Problems []validate.Problem `json:"problems,omitempty"`
	Round    int                `json:"round,omitempty"`
	// Told says that it was asked of a person in an agent's session.
	Told bool `json:"told,omitempty"`
}

func shortened(message string) string { return quote.Bare(message, 200) }

const emptyMessage = "You just hit the <Enter> key. How about a command or some feedback instead?" // FW-125

// text runs one message of a conversation.
func (c *call) text(ctx context.Context, text string) {
	s := c.session
	c.human = s.human
	text = strings.TrimSpace(text)
	if pending := s.talk; c.aside(pending) {
		s.talk = talk{}
		defer func() {
			if s.talk.Stage == stageIntent && !c.human {
				s.talk = pending
			}
		}()
	}
	switch {
	case s.talk.Stage == stageParameters:
		c.human = true // an answer may itself begin with a slash
	case c.told:
		c.human, text = true, strings.TrimSpace(strings.TrimLeft(text, "/"))
	case strings.HasPrefix(text, "/"): // FW-135
		c.human, text = true, strings.TrimSpace(text[1:])
	}
	if text == "" {
		c.answer(Fail(emptyMessage))
		return
	}
	switch s.talk.Stage {
	case stageParameters:
		c.followUp(ctx, text)
	case stageAmbiguity, stageMisunderstanding:
		c.clarify(ctx, text)
	default:
		c.fresh(ctx, text)
	}
}

// aside reports whether a call is none of what a person was asked: that is not
// the agent's to answer (FW-132), and stands while the agent calls.
func (c *call) aside(pending talk) bool { return pending.Told && !c.told && !c.session.human }

// fresh runs a message that is a command: by exact name, then by phrase of a
// built-in command, then by the workflow's own Router.
func (c *call) fresh(ctx context.Context, text string) {
	s := c.session
	token, _ := agentmode.Split(text)
	name := strings.TrimSuffix(token, ":")
	t := s.find(name)
	if t.entry != nil {
		c.start(ctx, t, text)
		return
	}
	if b := coreFor(text); b != nil {
		c.builtin(b)
		return
	}
	if misunderstood.says(text) {
		c.builtin(misunderstood)
		return
	}
	if len(t.elsewhere) == 0 && s.workflow.options.Router != nil {
		c.route(ctx, text)
		return
	}
	if token == "" || !isNameLike(token) {
		c.stop(validate.StageBind, validate.Problem{Kind: validate.NotACall, Got: quote.Text(firstWords(text), 40), Accepted: c.names()})
		return
	}
	nearest := c.unknown(name, t.elsewhere)
	if c.human && len(t.elsewhere) == 0 {
		// FW-131. What followed a misspelt name is that command's, should it be
		// the one; prose is nobody's (D-6).
		s.talk = talk{Stage: stageMisunderstanding}
		if _, rest := agentmode.Split(text); len(nearest) > 0 {
			s.talk.Message, s.talk.Options = strings.TrimSpace(rest), nearest
		}
	}
}

func (c *call) names() string {
	var names []string
	for _, e := range c.session.callable() {
		names = append(names, e.simple)
	}
	return validate.Names(names)
}

// route asks the workflow's Router.
func (c *call) route(ctx context.Context, text string) {
	s := c.session
	var candidates []string
	for _, e := range s.callable() {
		candidates = append(candidates, e.name)
	}
	var names []string
	var err error
	o := guard.Run(ctx, func() { names, err = s.workflow.options.Router.Route(ctx, text, candidates) })
	if !o.OK() || err != nil {
		if o.Overtime {
			c.finished, err = o.Finished, ctx.Err()
		}
		s.workflow.options.Logger.ErrorContext(ctx, "router failed", "error", err, "panic", o.Panic)
		c.stop(validate.StageBind, validate.Problem{Kind: validate.UnknownCommand, Got: quote.Text(firstWords(text), 40), Accepted: c.names()})
		return
	}
	switch len(names) {
	case 0:
		s.talk.Message = text
		c.builtin(misunderstood)
	case 1:
		t := s.find(names[0])
		if t.entry == nil {
			c.unknown(names[0], t.elsewhere)
			return
		}
		c.start(ctx, t, text)
	default:
		c.ambiguous(text, names)
	}
}

// clarify takes the answer to "which command?": a name, alone or with its
// parameters. A name alone runs with the original message (FW-123, FW-198).
func (c *call) clarify(ctx context.Context, text string) {
	s := c.session
	before := s.talk
	if abort.says(text) {
		c.builtin(abort)
		return
	}
	token, rest := agentmode.Split(text)
	t := s.find(strings.TrimSuffix(token, ":"))
	if t.entry == nil {
		if b := coreFor(text); b != nil {
			c.builtin(b)
			return
		}
		if before.Stage == stageAmbiguity && !misunderstood.says(text) {
			c.ambiguous(before.Message, before.Options)
			return
		}
		c.builtin(misunderstood)
		return
	}
	s.talk = talk{}
	switch {
	case strings.TrimSpace(rest) != "" || before.Message == "":
	case before.Stage == stageMisunderstanding && len(before.Options) > 0:
		if has(before.Options, t.entry.simple) {
			text = token + " " + before.Message
		}
	case !s.names(before.Message):
		c.original = true
		text = before.Message
	}
	c.start(ctx, t, text)
}

// names reports whether a message begins with a command's name: its
// parameters are then that command's.
func (s *Session) names(message string) bool {
	token, _ := agentmode.Split(message)
	return s.find(strings.TrimSuffix(token, ":")).entry != nil
}

// start binds a message to a command and runs it.
func (c *call) start(ctx context.Context, t target, text string) {
	s := c.session
	s.talk = talk{}
	c.entry, c.message, s.object = t.entry, text, t.object
	bound := c.entry.binder.BindIn(&c.room, text)
	if c.original {
		// The message that began it all need not begin with this command's
		// name. What does not name its parameters is prose: for a model to
		// read, or for nobody.
		if bound = c.entry.binder.BindRemainder(text); !namesParameters(bound) {
			bound = agentmode.Result{Outcome: agentmode.Bound, Form: agentmode.FormNone}
			if s.workflow.options.Extractor != nil {
				bound.Outcome = agentmode.Declined
			}
		}
	}
	c.outcome.method = string(bound.Form)
	v := c.entry.validator.Begin()
	defer c.release(v)
	switch {
	case bound.Outcome == agentmode.Bound && bound.Form == agentmode.FormJSON:
		if c.arguments(v, bound.JSON) {
			c.stages(ctx, v)
		}
	case bound.Outcome == agentmode.Bound:
		c.texts(v, bound.Values)
		c.stages(ctx, v)
	case bound.Outcome == agentmode.Declined && s.workflow.options.Extractor != nil:
		c.extracted(ctx, v, text)
	default:
		c.stop(validate.StageBind, c.doubt(bound.Doubt))
	}
}

// extracted runs a declined message with what the Extractor reads out of it.
// A failed extraction is a failure of its own, never a run on defaults
// (FW-52).
func (c *call) extracted(ctx context.Context, v *validate.Values, text string) {
	statement, _, _ := agentmode.Remainder(text, c.entry.simple, c.entry.name)
	c.outcome.method = "llm"
	var values json.RawMessage
	var err error
	o := guard.Run(ctx, func() { values, err = c.extract(ctx, c.session.workflow.options.Extractor, statement) })
	if !o.OK() || err != nil {
		p := validate.Problem{Kind: validate.ExtractionFailed}
		log := c.session.workflow.options.Logger.With("command", c.entry.name)
		switch {
		case o.Panic != "":
			log.Log(ctx, validate.LevelCritical, "extractor panicked", "panic", o.Panic, "stack", string(o.Stack))
		case o.Overtime:
			c.finished = o.Finished
			log.ErrorContext(ctx, "extractor did not return in time")
		default:
			log.ErrorContext(ctx, "extraction failed", "error", err)
			var reason interface{ Reason() string }
			if errors.As(err, &reason) {
				p.Text = quote.Bare(reason.Reason(), 200)
			}
		}
		c.stop(validate.StageBind, p)
		return
	}
	if c.arguments(v, string(values)) {
		c.stages(ctx, v)
	}
}
