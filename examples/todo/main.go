// Todo shows nested contexts and sessions that survive: lists in lists, with
// items whose values are asked for one by one, kept in a file.
//
//	go run ./examples/todo chat --session mine
//	> add
//	> pack, "tea, coffee and mugs"
//	> open 1
//
// Start it again with the same name and it goes on where it stood.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/fwgo/fwgo/cli"
	"github.com/fwgo/fwgo/command"
)

// A task is an item of a list, and the list of its own parts.
type task struct {
	Title string  `json:"title"`
	Note  string  `json:"note,omitempty"`
	Done  bool    `json:"done,omitempty"`
	Parts []*task `json:"parts,omitempty"`

	above *task
}

type addInput struct {
	Title string  `json:"title" jsonschema:"minLength=2" jsonschema_description:"What is to be done"`
	Note  string  `json:"note" jsonschema_description:"What to remember with it"`
	Due   *string `json:"due,omitempty" jsonschema:"format=date"`
}

type numberInput struct {
	Number int `json:"number" jsonschema:"minimum=1" jsonschema_description:"The part's number, from 1" jsonschema_extras:"positional=true,available_from=show"`
}

func say(format string, args ...any) (command.Response, error) {
	return command.Say(fmt.Sprintf(format, args...)), nil
}

// here is the task that a command runs on; the first command makes the root.
func here(s *command.Session) (*task, error) {
	if t, ok := command.Object[*task](s); ok {
		return t, nil
	}
	root := &task{Title: "everything"}
	return root, s.SetRoot(root)
}

func add(ctx context.Context, s *command.Session, in *addInput) (command.Response, error) {
	t, err := here(s)
	if err != nil {
		return command.Response{}, err
	}
	t.Parts = append(t.Parts, &task{Title: in.Title, Note: in.Note, above: t})
	return say("%d. %s is added to %s.", len(t.Parts), in.Title, t.Title)
}

func show(ctx context.Context, s *command.Session, _ *struct{}) (command.Response, error) {
	t, err := here(s)
	if err != nil {
		return command.Response{}, err
	}
	lines := []string{t.Title + ":"}
	for i, p := range t.Parts {
		mark := " "
		if p.Done {
			mark = "x"
		}
		lines = append(lines, fmt.Sprintf("%d. [%s] %s (%s)", i+1, mark, p.Title, p.Note))
	}
	return command.Say(strings.Join(lines, "\n")), nil
}

// part checks that there is a part of the number: a rule that only live state
// can tell, so it is the hook's.
func part(ctx context.Context, s *command.Session, name string, in *numberInput) (bool, string) {
	t, _ := command.Object[*task](s)
	if in.Number <= len(t.Parts) {
		return true, ""
	}
	return false, fmt.Sprintf("number: %s has %d parts, not %d; see them with show.", t.Title, len(t.Parts), in.Number)
}

func open(ctx context.Context, s *command.Session, in *numberInput) (command.Response, error) {
	t, _ := command.Object[*task](s)
	p := t.Parts[in.Number-1]
	return command.Say("Now in " + p.Title + "."), s.SetContext(p)
}

func done(ctx context.Context, s *command.Session, in *numberInput) (command.Response, error) {
	t, _ := command.Object[*task](s)
	t.Parts[in.Number-1].Done = true
	return say("%s is done.", t.Parts[in.Number-1].Title)
}

// save writes where a task is, and for the root the whole tree.
func save(t *task) (json.RawMessage, error) {
	if t.above == nil {
		return json.Marshal(t)
	}
	var path []int
	for ; t.above != nil; t = t.above {
		for i, p := range t.above.Parts {
			if p == t {
				path = append([]int{i}, path...)
			}
		}
	}
	return json.Marshal(path)
}

func restore(ctx context.Context, s *command.Session, state json.RawMessage) (*task, error) {
	root, ok := s.Root().(*task)
	if !ok {
		t := &task{}
		err := json.Unmarshal(state, t)
		t.link()
		return t, err
	}
	var path []int
	if err := json.Unmarshal(state, &path); err != nil {
		return nil, err
	}
	for _, i := range path {
		if i >= len(root.Parts) {
			return nil, fmt.Errorf("there is no part %d of %s", i+1, root.Title)
		}
		root = root.Parts[i]
	}
	return root, nil
}

func (t *task) link() {
	for _, p := range t.Parts {
		p.above = t
		p.link()
	}
}

func workflow() *command.Workflow {
	return command.MustNew(
		command.Options{Name: "todo", Contexts: []*command.Context{command.DefineContext(command.ContextSpec[*task]{
			Name: "Task", Bases: []string{"*"},
			Parent:      func(t *task) any { return t.above },
			DisplayName: func(t *task) string { return t.Title },
			EnteredBy:   []string{"open"}, Save: save, Restore: restore,
		})}},
		command.Define(command.Spec[addInput]{Name: "add", Description: "Adds a part", Run: add}),
		command.Define(command.Spec[struct{}]{Name: "show", Description: "Shows the parts", ReadOnly: true, Run: show}),
		command.Define(command.Spec[numberInput]{Name: "Task/open", Description: "Goes into a part", ValidateExtractedParameters: part, Run: open}),
		command.Define(command.Spec[numberInput]{Name: "Task/done", Description: "Marks a part as done", ValidateExtractedParameters: part, Idempotent: true, Run: done}),
	)
}

func main() { cli.Main(workflow()) }
