package command

import (
	"context"
	"hash/maphash"
	"log/slog"
	"strings"
	"time"

	"github.com/fwgo/fwgo/agentmode"
	"github.com/fwgo/fwgo/internal/guard"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/normalize"
	"github.com/fwgo/fwgo/validate"
)

// call is one call on its way through the pipeline. Text and direct actions
// differ only in how raw values come about; everything after is one path.
type call struct {
	session *Session
	entry   *entry
	started time.Time
	raw     string // what the caller sent, to recognise a repeated failure
	isText  bool
	human   bool // a person is on the other side
	told    bool // and typed this message
	gate    func(input any) bool
	message string // the first message of the command in hand
	round   int    // how often a person was asked for values before
	// original says that the message began before this command was chosen.
	original bool
	// builtinName is the built-in command that answered, "" for none.
	builtinName string
	outcome     *Outcome
	decoded     []string
	// finished is closed when code that outlived its context has returned.
	finished <-chan struct{}
	// watch is told of the stages, nil for nobody; endStage ends the one that
	// began last here, and outside is the context around it.
	watch    validate.StageFunc
	endStage func()
	outside  context.Context
	body     bodyTask
	room     agentmode.Room // of what a text was bound to
}

// Call runs a call written as text: the command's name, then its parameters
// as tags, name=value pairs, one JSON object or a single value (D-6).
func (s *Session) Call(ctx context.Context, text string) *Outcome {
	return s.run(ctx, text, true, (*call).text)
}

// Tell is Call for a message that a person typed, in a session whose other
// messages an agent sends: it is worded and followed up as for a person, as if
// it began with a slash (FW-135). What it leaves to be answered, only the next
// Tell answers.
func (s *Session) Tell(ctx context.Context, text string) *Outcome {
	return s.run(ctx, text, true, func(c *call, ctx context.Context, text string) {
		c.told = true
		c.text(ctx, text)
		s.talk.Told = s.talk.Stage != stageIntent
	})
}

// Do runs a direct action: a command by name with its parameters as JSON. The
// same stages run as for text, the hook included (FW-96, FW-97). An action that
// was read with a misspelt member is refused; see Action.Misnamed.
func (s *Session) Do(ctx context.Context, a Action) *Outcome { return s.DoGated(ctx, a, nil) }

// DoGated is Do with a gate in front of the body: when every stage has passed,
// gate is shown the Input that the body would see, and decides whether the body
// runs. It is for approvals that hold for exact arguments: what was let through
// is what runs. A call that the gate holds back is Held. The gate must not
// change or keep the Input; a nil gate is open.
func (s *Session) DoGated(ctx context.Context, a Action, gate func(input any) bool) *Outcome {
	name := a.CommandName
	return s.run(ctx, string(a.Parameters), false, func(c *call, ctx context.Context, raw string) {
		c.human, c.gate = s.human, gate
		t := s.find(name)
		if t.entry == nil {
			c.unknown(name, t.elsewhere)
			return
		}
		c.entry, s.object = t.entry, t.object
		c.outcome.method = "none"
		if len(a.Unknown) > 0 && c.misnamed(a) {
			return
		}
		v := c.entry.validator.Begin()
		defer c.release(v)
		if c.arguments(v, raw) {
			c.stages(ctx, v)
		}
	})
}

func (s *Session) run(ctx context.Context, raw string, isText bool, work func(*call, context.Context, string)) *Outcome {
	started := time.Now()
	if timeout := s.workflow.options.Timeout; timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	if !s.begin(ctx) {
		c := &call{session: s, started: started, human: s.human, outcome: new(Outcome)}
		c.stop(validate.StageBind, validate.Problem{Kind: validate.SessionBusy})
		return c.busy()
	}
	c := s.spare
	if c == nil {
		c = new(call)
	}
	s.spare = nil
	c.session, c.started, c.raw, c.isText, c.outcome = s, started, raw, isText, new(Outcome)
	defer s.done(c)
	if len(raw) > s.workflow.options.MaxBytes {
		c.tooLong(len(raw))
	} else {
		work(c, c.bindStage(ctx), raw)
	}
	c.leaveStage()
	return c.finish()
}

// bindStage tells whoever watches that the call is being bound.
func (c *call) bindStage(ctx context.Context) context.Context {
	if c.watch = validate.StagesOf(ctx); c.watch == nil {
		return ctx
	}
	c.outside = ctx
	ctx, c.endStage = c.watch(ctx, validate.StageBind)
	return ctx
}

// leaveStage ends the stage that was begun last.
func (c *call) leaveStage() {
	if c.endStage != nil {
		c.endStage()
		c.endStage = nil
	}
}

// done ends the session's turn. The call's working memory serves the next one,
// unless code that outlived its context still has it.
func (s *Session) done(c *call) {
	finished := c.finished
	if finished == nil {
		c.room.Clear()
		*c = call{room: c.room}
		s.spare = c
	}
	s.end(finished)
}

func (c *call) tooLong(n int) {
	c.stop(validate.StageBind, validate.Problem{Kind: validate.TooLong,
		Accepted: quote.Count(c.session.workflow.options.MaxBytes) + " bytes", Got: quote.Count(n) + " bytes"})
}

func (c *call) release(v *validate.Values) {
	if c.finished == nil {
		c.finished = v.Overtime()
	}
	v.Release()
}

// stop ends the call at a stage.
func (c *call) stop(stage validate.Stage, problems ...validate.Problem) {
	c.outcome.Stage, c.outcome.Problems = stage, problems
}

// arguments reads JSON arguments, normalizes them and sorts them to the
// fields. Nothing at all and null are the empty object: what is missing, if
// anything, is for stage 2 to say.
func (c *call) arguments(v *validate.Values, raw string) bool {
	o := &c.session.workflow.options
	limits := jsontree.Limits{Bytes: o.MaxBytes, Depth: o.MaxDepth}
	if c.direct() && v.Direct(raw, limits) {
		return true
	}
	doc, fault := jsontree.Parse(raw, limits, v.Arena())
	if fault != nil && fault.Kind == jsontree.Empty {
		fault, doc.Root.Kind = nil, jsontree.Null
	}
	if fault == nil && doc.Root.Kind == jsontree.String {
		// The whole object as text: the rule for a declared object, one level up.
		if inner, bad := jsontree.Parse(doc.Root.Text, limits, v.Arena()); bad == nil && inner.Root.Kind == jsontree.Object {
			doc = inner
			c.outcome.Repairs = append(c.outcome.Repairs, normalize.Repair{Kind: normalize.RepairJSON})
		}
	}
	switch {
	case fault != nil:
		c.stop(validate.StageBind, c.entry.validator.DocumentProblem(fault, raw))
		return false
	case doc.Root.Kind == jsontree.Null:
		doc.Root = jsontree.Value{Kind: jsontree.Object}
	case doc.Root.Kind != jsontree.Object:
		c.stop(validate.StageBind, c.entry.validator.NotAnObjectProblem(&doc.Root))
		return false
	}
	c.load(v, &doc)
	return true
}

// direct reports whether a call may go the direct way. What a person gave is
// kept when a later stage refuses it, so then it must be known.
func (c *call) direct() bool { return !c.human || !c.entry.validator.Inspects() }

// texts hands the values of a text call to the stages, by the direct way if
// they need nothing but that lists are read from their text.
func (c *call) texts(v *validate.Values, values []agentmode.Value) {
	if c.direct() && v.DirectTexts(len(values), func(i int) (field, text string, ok bool) {
		if values[i].Repeated {
			return "", "", false
		}
		return values[i].Field, values[i].Texts[0], true
	}) {
		for i := range values {
			// The direct way takes a bracket only where a list begins.
			if name := values[i].Field; strings.HasPrefix(values[i].Texts[0], "[") && c.entry.decodesLists[name] {
				c.outcome.Repairs = append(c.outcome.Repairs, normalize.Repair{Path: name, Kind: normalize.RepairJSON})
			}
		}
		return
	}
	c.load(v, tree(v.Arena(), values))
}

// load normalizes a tree and hands it to the stages: what is checked is what
// runs (N-1).
func (c *call) load(v *validate.Values, doc *jsontree.Doc) {
	c.normalize(v, doc)
	v.Load(&doc.Root)
}

func (c *call) normalize(v *validate.Values, doc *jsontree.Doc) {
	if repairs := c.entry.normalizer.Tree(doc, v.Arena()); len(repairs) > 0 {
		c.outcome.Repairs = append(c.outcome.Repairs, repairs...)
		for _, r := range repairs {
			if r.Kind == normalize.RepairReferences {
				c.decoded = append(c.decoded, r.Path)
			}
		}
	}
}

// stages runs stages 1 to 4 and then the body.
func (c *call) stages(ctx context.Context, v *validate.Values) {
	if c.watch != nil {
		c.leaveStage()
		ctx = c.outside
	}
	if c.entry.inspects {
		ctx = context.WithValue(ctx, sessionKey{}, c.session)
	}
	report := v.Run(ctx)
	if !report.OK() || c.entry.inspects {
		d := v.Diagnose(c.outcome.method, &report)
		c.outcome.diagnostics = &d
	}
	if !report.OK() {
		c.stop(report.Stage, report.Problems...)
		if c.isText {
			c.remember(v)
		}
		return
	}
	if ctx.Err() != nil {
		// Whoever sent the call no longer waits for it: what it would do could
		// not be told to anybody, and may have been given up for good.
		c.stop(validate.StageHook, validate.Problem{Kind: validate.NotStarted})
		return
	}
	c.outcome.Input = v.Input()
	if c.gate != nil && !c.gate(c.outcome.Input) {
		c.outcome.held = true
		c.outcome.Output.CommandResponse = Fail(heldText)
		return
	}
	if !c.aside(c.session.talk) {
		c.session.talk = talk{}
	}
	c.runBody(ctx)
}

const heldText = "The call passed every check and was held back; it did not run."

// A bodyTask is the body of a command with what it needs. It lives in its
// call, and only it touches its results until it has returned.
type bodyTask struct {
	ctx      context.Context
	call     *call
	input    any
	response Response
	err      error
}

// Do runs the body.
func (b *bodyTask) Do() { b.response, b.err = b.call.entry.run(b.ctx, b.call.session, b.input) }

// runBody runs the command itself. Its panic, its error and its outliving the
// context become one failure that names the command (D-9).
func (c *call) runBody(ctx context.Context) {
	if c.watch != nil {
		ctx, c.endStage = c.watch(ctx, validate.StageRun)
	}
	b := &c.body
	b.ctx, b.call, b.input = ctx, c, c.outcome.Input
	o := guard.RunTask(ctx, b)
	log := c.session.workflow.options.Logger
	problem := validate.Problem{Kind: validate.BodyFailed}
	switch {
	case o.OK() && b.err == nil:
		if r := &b.response; !r.Success && r.Response == "" && len(r.Artifacts)+len(r.NextActions)+len(r.Recommendations) == 0 {
			log.ErrorContext(ctx, "command failed without a word", "command", c.entry.name)
			r.Response = "The command " + c.entry.name + " failed and gives no reason. Find out first whether it took effect, so that it is not done twice."
		}
		c.outcome.Output.CommandResponse = b.response
		return
	case o.Panic != "":
		log.Log(ctx, validate.LevelCritical, "command panicked", "command", c.entry.name, "panic", o.Panic, "stack", string(o.Stack))
	case o.Overtime:
		c.finished = o.Finished
		problem.Text = "It did not end in time."
		log.ErrorContext(ctx, "command did not return in time", "command", c.entry.name)
	default:
		if ctx.Err() != nil {
			problem.Text = "It was stopped before it ended."
		}
		log.ErrorContext(ctx, "command failed", "command", c.entry.name, "error", b.err)
	}
	c.stop(validate.StageRun, problem)
}

// busy answers a call that did not get its turn: it touches nothing that the
// call which has it may be using.
func (c *call) busy() *Outcome {
	out := c.outcome
	out.Output.WorkflowName = c.session.workflow.options.Name
	out.Output.CommandResponse = Fail(validate.Message("", out.Problems, validate.Wording{Human: c.human}))
	out.stamp = Timestamp{Time: c.started.UTC().Truncate(time.Microsecond)}
	out.Output.StartedAt, out.Output.DurationMS = &out.stamp, &out.took
	return out
}

// finish writes the answer: the body's, or the message of the stage that
// ended the call.
func (c *call) finish() *Outcome {
	out := c.outcome
	w := c.session.workflow
	out.Output.WorkflowName = w.options.Name
	out.Output.Context = w.displayOf(c.session.current)
	c.session.object = nil
	switch {
	case c.builtinName != "":
		out.Output.CommandName = c.builtinName
	case c.entry != nil:
		out.Output.CommandName = c.entry.name
		out.Output.CommandParameters = out.Input
	}
	if out.Stage != "" {
		out.Output.CommandResponse = Fail(c.refusal())
	} else {
		c.session.failed = fingerprint{}
	}
	out.stamp = Timestamp{Time: c.started.UTC().Truncate(time.Microsecond)}
	out.took = time.Since(c.started).Milliseconds()
	out.Output.StartedAt, out.Output.DurationMS = &out.stamp, &out.took
	if log := w.options.Logger; out.Stage != "" && log.Enabled(context.Background(), slog.LevelDebug) {
		log.Debug("call refused", "command", out.Output.CommandName, "stage", string(out.Stage), "problems", len(out.Problems))
	}
	return out
}

// message renders the problems. The same call that fails the same way again
// gets the firmer text (D-8).
func (c *call) refusal() string {
	wording := validate.Wording{Human: c.human, Decoded: c.decoded}
	if c.human {
		wording.SoFar, wording.Ask = c.soFar(), c.session.talk.Fix
	}
	name := ""
	switch {
	case c.entry == nil:
	case c.isText && len(wording.Ask) == 0 && bindingKinds[c.outcome.Problems[0].Kind]:
		name, wording.Usage = c.entry.name, c.entry.usage
	default:
		name = c.entry.name
	}
	text := validate.Message(name, c.outcome.Problems, wording)
	now := fingerprintOf(strings.TrimSpace(c.raw), text)
	if c.session.failed == now {
		wording.Repeated = true
		text = validate.Message(name, c.outcome.Problems, wording)
	}
	c.session.failed = now
	return text
}

// fingerprint stands for a call and the message it got.
type fingerprint struct{ call, message uint64 }

var seed = maphash.MakeSeed()

func fingerprintOf(raw, message string) fingerprint {
	return fingerprint{maphash.String(seed, raw) | 1, maphash.String(seed, message)}
}
