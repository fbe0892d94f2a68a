// Conformance is the command line with the workflow that the protocol's
// conformance suite and the clients in serve/mcp/clients call.
//
//	conformance serve --http 127.0.0.1:8000 --profile pydantic
//
// The schemas are published as they are: the suite looks for keywords that
// other profiles say in words.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/fwgo/fwgo/cli"
	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/signature"
)

func main() { cli.Main(workflow()) }

type nothing struct{}

type elicitInput struct {
	Message  string `json:"message" jsonschema_description:"The message to show the user"`
	Username string `json:"username" jsonschema_description:"User's response"`
	Email    string `json:"email" jsonschema:"format=email" jsonschema_description:"User's email address"`
}

type nameInput struct {
	UserName string `json:"user_name" jsonschema_description:"Your name" jsonschema_extras:"alias=name"`
}

type confirmInput struct {
	OK bool `json:"ok" jsonschema_description:"Whether to go on"`
}

type roundsInput struct {
	Name  string `json:"name" jsonschema_description:"Your name"`
	Color string `json:"color" jsonschema_description:"Your favorite color"`
}

type echoInput struct {
	Text   string   `json:"text" jsonschema_description:"Any text"`
	Number int64    `json:"number,omitempty" jsonschema:"default=0" jsonschema_description:"Any whole number of 64 bits"`
	Tags   []string `json:"tags,omitempty"`
}

type bookInput struct {
	City  string `json:"city" jsonschema_description:"Where to"`
	Seats int64  `json:"seats" jsonschema:"minimum=1" jsonschema_description:"How many"`
	Class string `json:"class" jsonschema:"enum=first,enum=second" jsonschema_description:"Which class"`
}

//go:embed schema.json
var schema []byte

var headers = []byte(`{"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}, "required": ["region"]}`)

func workflow() *command.Workflow {
	say := func(text string) func(context.Context, *command.Session, *nothing) (command.Response, error) {
		return func(context.Context, *command.Session, *nothing) (command.Response, error) {
			return command.Say(text), nil
		}
	}
	confirm := func(_ context.Context, _ *command.Session, in *confirmInput) (command.Response, error) {
		return command.Say(fmt.Sprintf("state-ok: %t", in.OK)), nil
	}
	return command.MustNew(command.Options{Name: "conformance"},
		command.Define(command.Spec[nothing]{Name: "test_simple_text", Description: "Returns a text", ReadOnly: true,
			Run: say("This is a simple text response for testing.")}),
		command.Define(command.Spec[nothing]{Name: "test_error_handling", Description: "Fails", ReadOnly: true,
			Run: func(context.Context, *command.Session, *nothing) (command.Response, error) {
				return command.Fail("This tool intentionally returns an error for testing"), nil
			}}),
		command.Define(command.Spec[nothing]{Name: "test_logging_tool", Description: "Logs nothing that it was not asked to", ReadOnly: true, Run: say("done")}),
		command.Define(command.Spec[confirmInput]{Name: "test_streaming_elicitation", Description: "Asks the user to confirm", Run: confirm}),
		command.Define(command.Spec[signature.Record]{Name: "test_header", Description: "Takes a parameter that is sent as a header too", Schema: headers, ReadOnly: true,
			Run: func(_ context.Context, _ *command.Session, in *signature.Record) (command.Response, error) {
				region, _ := in.Get("region")
				return command.Say(fmt.Sprint("region ", region)), nil
			}}),
		command.Define(command.Spec[elicitInput]{Name: "test_elicitation", Description: "Asks the user who they are",
			Run: func(_ context.Context, _ *command.Session, in *elicitInput) (command.Response, error) {
				return command.Say("User response: " + in.Username + " " + in.Email), nil
			}}),
		command.Define(command.Spec[signature.Record]{Name: "json_schema_2020_12_tool", Description: "Tool with JSON Schema 2020-12 features", Schema: schema,
			Run: func(_ context.Context, _ *command.Session, in *signature.Record) (command.Response, error) {
				return command.Say("given: " + strings.Join(in.Names(), ", ")), nil
			}}),
		command.Define(command.Spec[nameInput]{Name: "test_input_required_result_elicitation", Description: "Asks the user's name",
			Run: func(_ context.Context, _ *command.Session, in *nameInput) (command.Response, error) {
				return command.Say("Hello, " + in.UserName + "!"), nil
			}}),
		command.Define(command.Spec[confirmInput]{Name: "test_input_required_result_request_state", Description: "Asks the user to confirm", Run: confirm}),
		command.Define(command.Spec[confirmInput]{Name: "test_input_required_result_tampered_state", Description: "Asks the user to confirm", Run: confirm}),
		command.Define(command.Spec[roundsInput]{Name: "test_input_required_result_multi_round", Description: "Asks the user for a name and a color",
			Run: func(_ context.Context, _ *command.Session, in *roundsInput) (command.Response, error) {
				return command.Say(in.Name + " likes " + in.Color), nil
			}}),
		command.Define(command.Spec[echoInput]{Name: "echo", Description: "Says what it was given", ReadOnly: true,
			Run: func(_ context.Context, _ *command.Session, in *echoInput) (command.Response, error) {
				return command.Say(fmt.Sprintf("text=%s number=%d tags=%s", in.Text, in.Number, strings.Join(in.Tags, "|"))), nil
			}}),
		command.Define(command.Spec[bookInput]{Name: "book", Description: "Books a trip",
			Run: func(_ context.Context, _ *command.Session, in *bookInput) (command.Response, error) {
				return command.Say(fmt.Sprintf("booked %d in %s class to %s", in.Seats, in.Class, in.City)), nil
			}}),
	)
}
