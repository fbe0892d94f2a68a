package command

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/misspelt"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/validate"
)

// The members of an action, and what others call its parameters.
var (
	ownMembers      = []string{"command_name", "command", "parameters", "workflow_id"}
	actionMembers   = misspelt.Of(ownMembers...)
	otherParameters = []string{"arguments", "args", "params", "input", "kwargs"}
)

// Misnamed returns a member that the action was read with and that may be one
// of its own by another name, with the name that may be meant: a misspelling, or
// "arguments" for the parameters. A command must not run without what was given
// for it, so Session.Do refuses such an action. Other unknown members are let
// pass, also such as "id" and "name"; then member is "". Of more than 64, the next one
// is returned, with no name that is meant.
func (a Action) Misnamed() (member, meant string) {
	for i := range a.Unknown {
		name := a.Unknown[i].Name
		if i == misspelt.Most {
			return name, ""
		}
		if slices.Contains(otherParameters, strings.ToLower(name)) {
			return name, "parameters"
		}
		if meant = actionMembers.Slip(name); meant != "" {
			return name, meant
		}
	}
	return "", ""
}

func ofAction(member string) bool { return slices.Contains(ownMembers, member) }

// actionForm is what an action must look like, for whoever sent another.
const actionForm = ` An action is {"command_name": "...", "parameters": {...}}.`

// ReadAction reads an action from somebody who can put right what is wrong with it. It
// differs from ReadJSON in that parameters which are no object are left to the
// pipeline, which repairs an object sent as its text and says what is wrong with
// others. The error is written for a caller: with what is wrong it says which member
// may be misnamed (see Action.Misnamed), and what an action looks like.
func ReadAction(data []byte) (Action, error) {
	text, parameters, unknown := withoutParameters(data)
	a, err := ReadJSON[Action](text)
	if err != nil {
		wrong := err.Error() + "."
		if member, meant := (Action{Unknown: unknown}).Misnamed(); meant != "" {
			wrong = err.Error() + "; " + quote.Bare(member, longestReadGot) + ": there is no member of this name; did you mean " + meant + "?"
		}
		return Action{}, errors.New(wrong + actionForm)
	}
	if parameters != nil {
		a.Parameters = parameters
	}
	return a, nil
}

// withoutParameters gives an action with {} for parameters that are no object, those,
// and the members that no action has.
func withoutParameters(data []byte) (text []byte, parameters json.RawMessage, unknown []WireMember) {
	doc, fault := jsontree.Parse(string(data), wireLimits, nil)
	if fault != nil || doc.Root.Kind != jsontree.Object {
		return data, nil, nil
	}
	text = []byte{'{'}
	for i, m := range doc.Root.Members {
		if i > 0 {
			text = append(text, ',')
		}
		raw := m.Value.Raw
		switch {
		case m.Name == "parameters" && m.Value.Kind != jsontree.Object:
			parameters, raw = json.RawMessage(raw), "{}"
		case !ofAction(m.Name):
			unknown = append(unknown, WireMember{Name: m.Name})
		}
		text = append(append(jsontree.AppendString(text, m.Name), ':'), raw...)
	}
	return append(text, '}'), parameters, unknown
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
