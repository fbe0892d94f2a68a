package command

import (
	"github.com/fwgo/fwgo/agentmode"
	"github.com/fwgo/fwgo/validate"
)

// bindingKinds are the problems for which the message shows how the call is
// written.
var bindingKinds = map[validate.Kind]bool{
	validate.UnclearCall: true, validate.UnnamedValue: true, validate.GivenTwice: true, validate.UnknownName: true,
}

func (c *call) doubt(d *agentmode.Doubt) validate.Problem {
	return c.entry.validator.BindingProblem(string(d.Kind), d.Field, d.Text)
}
