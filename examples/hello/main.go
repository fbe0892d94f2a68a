// Hello is the smallest workflow: one command, reachable from the command line
// in every way that fwgo knows.
//
//	go run ./examples/hello call 'greet Ada'
package main

import (
	"context"

	"github.com/fwgo/fwgo/cli"
	"github.com/fwgo/fwgo/command"
)

type greeting struct {
	Name string `json:"name" jsonschema_description:"Who to greet" jsonschema_extras:"positional=true"`
}

func main() {
	cli.Main(command.MustNew(command.Options{Name: "hello"}, command.Define(command.Spec[greeting]{
		Name:        "greet",
		Description: "Greets a person by name",
		Run: func(ctx context.Context, s *command.Session, in *greeting) (command.Response, error) {
			return command.Say("Hello, " + in.Name + "!"), nil
		},
	})))
}
