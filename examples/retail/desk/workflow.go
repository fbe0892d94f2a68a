package desk

import (
	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/lookup"
)

// Workflow opens the shop and returns its commands as a workflow. Each call
// opens a shop of its own, so that what one demonstration cancels is still
// there in the next.
func Workflow() *command.Workflow {
	s, err := openShop()
	if err != nil {
		panic("desk: the embedded data cannot be read: " + err.Error())
	}
	var commands []*command.Command
	commands = append(commands, s.customerCommands()...)
	commands = append(commands, s.orderCommands()...)
	commands = append(commands, s.changeCommands()...)
	commands = append(commands, s.productCommands()...)
	return command.MustNew(command.Options{Name: "retail"}, commands...)
}

// in is the resolver of one of the shop's key sets.
func in(keys *lookup.Set) lookup.Resolver { return lookup.From(keys, lookup.Options{}) }
