// Package command joins the rooms below it into the one way a call reaches a
// command's body:
//
//	text ----- bind ------\
//	                       raw values - normalize - coerce - require - look up - hook - body
//	arguments (JSON) -----/
//
// An author defines commands (Define), joins them to a workflow (New), and
// gives every caller a Session. A call then either runs with exactly what was
// meant, or comes back as one message that says which parameter is wrong, what
// arrived, what is accepted and where to get it.
//
//	greet := command.Define(command.Spec[Greeting]{
//		Name: "greet",
//		Run: func(ctx context.Context, s *command.Session, in *Greeting) (command.Response, error) {
//			return command.Say("Hello, " + in.Name), nil
//		},
//	})
//	w, err := command.New(command.Options{Name: "hello"}, greet)
//	...
//	outcome := w.NewSession().Call(ctx, "greet <name>Ada</name>")
//
// What it refuses: to run a guess, to drop what it was given, and to answer a
// caller with a Go error or a panic. Author mistakes are errors of New, each
// with the command, the field and the rule.
package command
