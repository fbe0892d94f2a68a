package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/internal/jsontree"
)

type commandsCmd struct {
	JSON    bool   `name:"json" help:"Print names, descriptions and schemas as JSON."`
	Schema  string `help:"Print the JSON schema of one command." placeholder:"NAME"`
	Profile string `help:"The schema in a vendor's form: ${profiles}." placeholder:"P"`
}

// listed is what --json prints of a command.
type listed struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Utterances  []string        `json:"plain_utterances"`
	ReadOnly    bool            `json:"read_only"`
	Destructive bool            `json:"destructive"`
	Idempotent  bool            `json:"idempotent"`
	Schema      json.RawMessage `json:"schema"`
}

func (c *commandsCmd) Run(s *streams) error {
	switch {
	case c.Schema != "":
		return c.schema(s)
	case c.Profile != "":
		return fmt.Errorf("--profile needs --schema NAME")
	case c.JSON:
		return c.list(s)
	}
	fmt.Fprint(s.out, s.workflow.Display())
	return nil
}

func (c *commandsCmd) schema(s *streams) error {
	found := s.workflow.Command(c.Schema)
	if found == nil {
		return fmt.Errorf("no command is named %q; the commands are %s", c.Schema, strings.Join(commandNames(s.workflow), ", "))
	}
	schema, err := found.Signature().Profile(c.Profile)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%s\n", schema)
	return nil
}

func commandNames(w *command.Workflow) []string {
	var names []string
	for _, c := range w.Commands() {
		names = append(names, c.Name())
	}
	return names
}

func (c *commandsCmd) list(s *streams) error {
	all := []listed{}
	for _, c := range s.workflow.Commands() {
		a := c.Annotations()
		all = append(all, listed{c.Name(), c.Description(), append([]string{}, c.Utterances()...), a.ReadOnly, a.Destructive, a.Idempotent, c.Signature().Schema()})
	}
	text, err := jsontree.Marshal(all)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "%s\n", text)
	return err
}
