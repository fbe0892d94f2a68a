package command_test

import (
	"context"
	"testing"

	"github.com/fwgo/fwgo/command"
)

// FW-129, FW-162: a simple name is the nearest context's; a qualified one is
// one command's, in every context.
func TestAQualifiedNameIsOneCommandInEveryContext(t *testing.T) {
	w, err := command.New(command.Options{Contexts: []*command.Context{
		command.DefineContext(command.ContextSpec[*alpha]{Name: "A", Parent: func(*alpha) any { return nil }}),
	}}, plain("paint"), plain("A/paint"), plain("A/own"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		in         any
		name, want string
	}{
		{nil, "paint", "paint"}, {nil, "*/paint", "paint"}, {nil, "*/PAINT", "paint"}, {nil, "A/paint", ""}, {nil, "*/own", ""}, {nil, "*/A/paint", ""}, {nil, "*/", ""},
		{&alpha{}, "paint", "A/paint"}, {&alpha{}, "*/paint", "paint"}, {&alpha{}, "A__paint", "A/paint"}, {&alpha{}, "*/own", ""},
	} {
		s := w.NewSession(command.SessionOptions{})
		if c.in != nil {
			if err := s.SetContext(c.in); err != nil {
				t.Fatal(err)
			}
		}
		out := s.Do(context.Background(), command.Action{CommandName: c.name})
		if got := out.Output.CommandName; out.Ran() != (c.want != "") || got != c.want {
			t.Errorf("%s in %T is %q, ran %v; want %q: %s", c.name, c.in, got, out.Ran(), c.want, out.Text())
		}
	}
}
