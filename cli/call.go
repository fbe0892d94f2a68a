package cli

import (
	"errors"
	"fmt"

	"github.com/fwgo/fwgo/command"
)

type callCmd struct {
	Text   string `arg:"" optional:"" help:"The call as text: the command's name, then its parameters."`
	Action string `help:"A direct action instead: a JSON object with command_name and parameters." placeholder:"JSON"`
	JSON   bool   `name:"json" help:"Print the whole answer as JSON."`
	Human  bool   `help:"Word messages for a person."`
}

func (c *callCmd) Run(s *streams) error {
	if (c.Text == "") == (c.Action == "") {
		return errors.New("call takes either a text or --action")
	}
	session := s.workflow.NewSession(command.SessionOptions{Human: c.Human})
	var outcome *command.Outcome
	if c.Action != "" {
		action, err := command.ReadAction([]byte(c.Action))
		if err != nil {
			return fmt.Errorf("--action cannot be read: %w", err)
		}
		outcome = session.Do(s.ctx, action)
	} else {
		outcome = session.Call(s.ctx, c.Text)
	}
	if c.JSON {
		text, err := outcome.MarshalJSON()
		if err != nil {
			// The command has run all the same, and its caller must learn that.
			fmt.Fprintf(s.err, "%s: artifacts are left out: %v\n", s.workflow.Name(), err)
			outcome.Output.CommandResponse.Artifacts = map[string]any{"artifacts_lost": "they have no form in JSON"}
			if text, err = outcome.MarshalJSON(); err != nil {
				return err
			}
		}
		fmt.Fprintf(s.out, "%s\n", text)
	} else {
		fmt.Fprintln(s.out, outcome.Text())
	}
	if outcome.Stage != "" {
		return exit(exitMessage)
	}
	return nil
}
