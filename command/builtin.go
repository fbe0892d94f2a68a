package command

import (
	"fmt"
	"sort"
	"strings"
)

// A builtin is a command of the conversation layer, which every workflow has.
type builtin struct {
	name    string
	phrases []string
	run     func(c *call)
}

// core are the built-in commands that every context has, by simple name; no
// command of a workflow may take their names (FW-146).
var core = map[string]*builtin{}

// correction are the built-in commands reachable only through their phrases,
// where the conversation needs them.
var abort, misunderstood, whatCanIDo *builtin

func init() {
	whatCanIDo = addCore("what_can_i_do", (*call).whatCanIDo, "show me all the utterances", "what can you do", "what are my options", "what are my choices",
		"what are my capabilities", "what can i do", "what can i do here", "what can i use", "what are my tools", "now what", "list commands", "list utterances")
	addCore("what_is_current_context", (*call).whereAmI, "what context am i in", "current command context", "where am i")
	addCore("go_up", (*call).goUp, "go up", "up", "parent context", "go up a level", "expand context", "one level up", "move up")
	addCore("reset_context", (*call).resetContext, "reset context", "clear context")
	abort = &builtin{name: "ErrorCorrection/abort", run: (*call).abort,
		phrases: []string{"abort", "cancel", "stop", "quit", "terminate", "end", "never mind", "exit"}}
	misunderstood = &builtin{name: "ErrorCorrection/you_misunderstood", run: (*call).misunderstood,
		phrases: []string{"you_misunderstood", "that is not what i meant", "not what i asked", "you misunderstood", "none of these commands",
			"incorrect command", "wrong command", "change command", "different command"}}
}

func addCore(simple string, run func(*call), phrases ...string) *builtin {
	b := &builtin{name: "IntentDetection/" + simple, run: run, phrases: append(phrases, simple)}
	core[simple] = b
	return b
}

// says reports whether a whole message is one of the phrases, case and final
// punctuation ignored; nothing else is ever taken for one (FW-121, FW-195).
func (b *builtin) says(message string) bool {
	if len(message) > 64 {
		return false
	}
	message = strings.ToLower(strings.TrimRight(strings.TrimSpace(message), "?!. "))
	for _, phrase := range b.phrases {
		if phrase == message {
			return true
		}
	}
	return strings.ToLower(b.name) == message
}

// coreFor returns the core command that a whole message means.
func coreFor(message string) *builtin {
	for _, name := range sortedKeys(core) {
		if core[name].says(message) {
			return core[name]
		}
	}
	return nil
}

// builtin runs a built-in command and ends the call with its answer.
func (c *call) builtin(b *builtin) {
	c.builtinName = b.name
	b.run(c)
}

// answer ends the call with an answer of the conversation layer: no command
// of the workflow ran (FW-126).
func (c *call) answer(r Response) {
	if r.Artifacts == nil {
		r.Artifacts = map[string]any{}
	}
	r.Artifacts["command_handled"] = true
	c.outcome.handled = true
	c.outcome.Output.CommandResponse = r
}

func (c *call) whatCanIDo() {
	s := c.session
	text := s.workflow.definition() + "\n" + s.Display()
	c.answer(Say(strings.TrimLeft(text, "\n")))
}

func (c *call) whereAmI() {
	c.answer(Say("Current context is '" + c.session.workflow.displayOf(c.session.current) + "'"))
}

func (c *call) goUp() {
	s := c.session
	places := s.chain()
	if len(places) < 2 {
		label := s.workflow.displayOf(s.current)
		c.answer(Say("Already at the top-level '" + label + "' context."))
		return
	}
	s.current = places[1].object
	text := "Context is now '" + s.workflow.displayOf(s.current) + "'"
	var names []string
	for _, e := range places[1].room.sorted {
		names = append(names, e.simple)
	}
	if len(names) > 0 {
		text += " From here, use one of: " + strings.Join(names[:min(len(names), 8)], ", ") // FW-127
	}
	c.answer(Say(text))
}

func (c *call) resetContext() {
	s := c.session
	s.current = s.root
	c.answer(Say("Context is now '" + s.workflow.displayOf(s.current) + "'"))
}

func (c *call) abort() {
	c.session.talk = talk{}
	r := Say("command aborted\n")
	r.Artifacts = map[string]any{"command": "abort", "command_name": "abort"}
	c.answer(r)
}

// misunderstood drops what was understood so far and asks for the name of the
// command; the message stays, to run it with (FW-124, FW-194, FW-197, FW-198).
func (c *call) misunderstood() {
	s := c.session
	names := []string{}
	for _, e := range s.callable() {
		names = append(names, e.simple)
	}
	sort.Strings(names)
	if c.human {
		s.talk = talk{Stage: stageMisunderstanding, Message: s.talk.Message}
	} else {
		s.talk = talk{}
	}
	r := Fail("I couldn't determine which available command matches your request.\nIf one of these options applies, enter its command name:\n" +
		strings.Join(names, "\n") + "\n\nOtherwise, type 'abort' to cancel, then rephrase your request.")
	r.Artifacts = map[string]any{"valid_command_names": names}
	c.answer(r)
}

// ambiguous asks which of several commands was meant (FW-122).
func (c *call) ambiguous(message string, names []string) {
	s := c.session
	text := fmt.Sprintf("Ambiguous intent error for command '%s'\nThe command is ambiguous. ", shortened(message))
	if c.human {
		s.talk = talk{Stage: stageAmbiguity, Message: message, Options: names}
		text += "Please choose a command name from these possible options:"
	} else {
		text += "Choose the correct command name from these possible options and update your command:"
	}
	for _, name := range names {
		_, simple := splitName(name)
		text += "\n" + strings.ToLower(simple)
	}
	text += "\n\nor type 'what can i do' to see all commands"
	if !c.human {
		text += "\nor type 'abort' to cancel"
	}
	c.answer(Fail(text))
}
