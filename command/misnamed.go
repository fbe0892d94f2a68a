package command

import (
	"slices"
	"strings"

	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/validate"
)

// The members of an action, and what others call its parameters.
var (
	actionMembers   = lookup.NewKeys([]string{"command_name", "command", "parameters", "workflow_id"})
	otherParameters = []string{"arguments", "args", "params", "input", "kwargs"}
)

// mostUnknown is how many unknown members of an action are compared with its
// own; so many more are nobody's extension.
const mostUnknown = 64

// Misnamed returns a member that the action was read with and that may be one
// of its own by another name, with the name that may be meant: a misspelling, or
// "arguments" for the parameters. A command must not run without what was given
// for it, so Session.Do refuses such an action. Other unknown members are let
// pass; then member is "". Of more than 64, the next one is returned, with no
// name that is meant.
func (a Action) Misnamed() (member, meant string) {
	for i := range a.Unknown {
		name := a.Unknown[i].Name
		if i == mostUnknown {
			return name, ""
		}
		if slices.Contains(otherParameters, strings.ToLower(name)) {
			return name, "parameters"
		}
		if meant = slipOf(name); meant != "" {
			return name, meant
		}
	}
	return "", ""
}

// slipOf returns the member of an action that a name is a slip away from, "" for
// none. One that merely is a part of it, such as "id" or "name", is another.
func slipOf(name string) string {
	slip := 0.25
	r := actionMembers.Match(name, lookup.Options{Open: true, SuggestThreshold: &slip})
	meant := r.Match
	if len(r.Suggestions) > 0 {
		meant = r.Suggestions[0]
	}
	if d := len(meant) - len(name); d < -2 || d > 2 {
		return ""
	}
	return meant
}

// misnamed stops a call whose action has a member that would be lost.
func (c *call) misnamed(a Action) bool {
	member, meant := a.Misnamed()
	if member == "" {
		return false
	}
	got := quote.Text(member, longestReadGot)
	text := "the action's member " + got + " is not known"
	if meant != "" {
		text += " and may stand for " + meant + "; give it that name, or leave it out"
	}
	c.stop(validate.StageBind, validate.Problem{Kind: validate.UnclearCall, Got: got, Text: text})
	return true
}
