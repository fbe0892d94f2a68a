package mcp

import (
	"strings"

	"github.com/fwgo/fwgo/validate"
)

// What clients read that is not the pipeline's (D-8).
const (
	internalText = "The server failed at this request. Find out first whether it took effect, before you send it again."
	cursorText   = "The list of tools has one page: send no cursor."
	namelessText = "The call names no tool. List the tools and call one by its name."
	fullText     = "The server keeps as many sessions as it may, and calls run in all of them. Try again in a few seconds."

	goUpText  = "Leaves the current context for the one above it. The tools that can be called change with it."
	resetText = "Goes back to the context that the session began in. The tools that can be called change with it."
	whereText = "Names the current context."
	whatText  = "Shows the commands of the current context in full, with the contexts that there are."

	alteredText = "The state of the call is not one that this server made for this tool, these arguments and this session. Nothing ran. Send the call again without requestState and inputResponses."
	expiredText = "The state of the call is too old. Nothing ran. Send the call again without requestState and inputResponses."
	usedText    = "The state of the call was used before, and what it was for may have run. Find that out first; to call once more, send the call without requestState and inputResponses."

	draftSchemaText  = "Shows how a draft is written: several steps that are proposed, reviewed and approved as a whole, and then run."
	draftProposeText = "Proposes a draft. It is checked and kept, and nothing runs until an operator has approved it."
	draftGuideText   = `A draft is {"format_version": 1, "steps": [{"id": ..., "source": ...}]}; the schema says what is accepted. The source of a step is a program. ` +
		`After "use mod.tool" on a line of its own, tool.call_json("NAME", {...}) calls one of the tools and gives its answer as JSON text, which .parse_json() reads; ` +
		"a call that is refused or fails can be caught with try ... catch { ... }. The last value of a step is its output. A step finds workflow.input and, of the steps before it, workflow.outputs.ID."
	draftWhereText    = "Operators approve over REST (POST /drafts/ID/approve), or here with a token that has the role operator; a server on standard input and output has one only if it was started with --operator."
	draftOperatorText = "Only an operator may do this: a caller whose token has the role operator, or the user of a server that was started with --operator."

	declinedText  = "The user was asked for this and declined to answer.\n"
	cancelledText = "The user was asked for this and did not answer.\n"
)

// takesNothing refuses arguments of a built-in command.
func takesNothing(name string) string {
	return name + " takes no parameters. Send it again with arguments {}."
}

// inexact refuses a whole number that a form's answer cannot hold.
func inexact(names []string) string {
	return "The answer for " + validate.Names(names) + " is a whole number of so many digits that it may have been rounded on its way. The call did not run. Send it again with the number as text.\n"
}

// ask is what a user is asked, above a form with the fields.
func ask(command string, problems []validate.Problem) string {
	var b strings.Builder
	b.WriteString(command + " needs")
	var missing, wrong []string
	for i := range problems {
		if problems[i].Kind == validate.Missing {
			missing = append(missing, problems[i].Field)
		} else {
			wrong = append(wrong, problems[i].Field)
		}
	}
	if len(missing) > 0 {
		b.WriteString(" a value for " + validate.Names(missing))
	}
	if len(wrong) > 0 {
		if len(missing) > 0 {
			b.WriteString(" and")
		}
		b.WriteString(" another value for " + validate.Names(wrong) + ":")
		for i := range problems {
			if problems[i].Kind != validate.Missing {
				b.WriteString("\n" + validate.Line(&problems[i]))
			}
		}
		return b.String()
	}
	return b.String() + "."
}
