package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/signature"
)

// Exit codes, part of the contract: scripts use them.
const (
	exitRun     = 0 // the call ran
	exitMessage = 1 // the call was answered with a message
	exitMisuse  = 2 // the command line, or a single input, cannot be read
)

// streams is where a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
	workflow *command.Workflow
	ctx      context.Context
}

// exit is how a command ends with a code of its own.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// grammar is the command line; kong reads its tags.
type grammar struct {
	Call      callCmd      `cmd:"" help:"Run one call of the workflow."`
	Chat      chatCmd      `cmd:"" help:"Hold a conversation, a message a line."`
	Commands  commandsCmd  `cmd:"" help:"Show the commands as an agent sees them."`
	Check     checkCmd     `cmd:"" help:"Take a call through the pipeline against any JSON schema."`
	Normalize normalizeCmd `cmd:"" help:"Normalize arguments against a JSON schema."`
	Lookup    lookupCmd    `cmd:"" help:"Resolve a value against a set of keys."`
	Serve     serveCmd     `cmd:"" help:"Serve the commands over MCP or HTTP."`
	Draft     draftCmd     `cmd:"" help:"Judge and run steps of workflow drafts."`
}

// Main runs the command line of a workflow and ends the process with its exit
// code. An interrupt, or SIGTERM, ends the call that runs, or lets a server
// answer what it has taken.
func Main(w *command.Workflow) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := Run(ctx, w, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Run is Main for a given command line and streams. It returns the exit code
// and never ends the process.
func Run(ctx context.Context, w *command.Workflow, args []string, in io.Reader, out, errOut io.Writer) (code int) {
	defer func() {
		// kong ends --help by calling Exit; nothing else panics with an exit.
		if e, ok := recover().(exit); ok {
			code = int(e)
		}
	}()
	var g grammar
	parser, err := kong.New(&g, kong.Name(w.Name()), kong.Writers(out, errOut), kong.Exit(func(code int) { panic(exit(code)) }),
		kong.Vars{"profiles": strings.Join(signature.Profiles(), ", ")},
		kong.Description("The commands of the workflow "+w.Name()+", and the parts of the pipeline for any JSON schema."))
	if err != nil {
		fmt.Fprintln(errOut, err)
		return exitMisuse
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(errOut, "%s: %v\n", w.Name(), err)
		return exitMisuse
	}
	err = parsed.Run(&streams{in: in, out: out, err: errOut, workflow: w, ctx: ctx})
	var e exit
	switch {
	case err == nil:
		return exitRun
	case errors.As(err, &e):
		return int(e)
	default:
		fmt.Fprintf(errOut, "%s: %v\n", w.Name(), err)
		return exitMisuse
	}
}
