package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"
	starlarkjson "go.starlark.net/lib/json"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"

	"github.com/fwgo/fwgo/splash"
)

// Steps are the rows that put the language of a draft's steps beside two that
// are embedded in Go for the same purpose.
const Steps Group = "Programs of steps"

// The names of the rows that the others of their piece of work are compared
// with: each piece, and who does it.
const (
	ParseWork = "parse 256 KiB"
	CheckWork = "check 1 MiB"
	ForWork   = "a for loop of 10,000 rounds"
	WhileWork = "a while loop of 10,000 rounds"
	ToolsWork = "1,000 tool calls with JSON in and out"
)

// Who does it.
const (
	Splash   = "splash"
	Starlark = "starlark"
	Expr     = "expr-lang"
)

// StepRow is the name of the row in which a language does a piece of work.
func StepRow(language, work string) string { return language + ": " + work }

// wide lets a source be longer than a step may be; what is counted is counted
// all the same.
var wide = splash.Limits{SourceBytes: 1 << 22, Tokens: 1 << 21, Steps: 1 << 24, Bytes: 1 << 28, Values: 1 << 24, JSONBytes: 1 << 24, Stack: 1 << 20}

// dialect has while, which is off in starlark by default; all else in the
// programs is plain starlark.
var dialect = &syntax.FileOptions{While: true}

// StepRows makes the rows.
func StepRows() []Row {
	var rows []Row
	for _, size := range []struct {
		work  string
		bytes int
	}{{ParseWork, 256 << 10}, {CheckWork, 1 << 20}} {
		p := summaries(size.bytes)
		rows = append(rows, readRow(Splash, size.work, p.splash, readSplash(size.work), p), readRow(Starlark, size.work, p.starlark, readStarlark, p),
			readRow(Expr, size.work, p.expr, readExpr, p))
	}
	for _, p := range []programs{forLoop, whileLoop, toolCalls} {
		rows = append(rows, runRow(Splash, p, runSplash(p.splash)), runRow(Starlark, p, runStarlark(p.starlark)))
		if p.expr != "" {
			rows = append(rows, runRow(Expr, p, runExpr(p.expr)))
		}
	}
	return rows
}

// readRow is the row of reading a source, proved by running it: that it is
// read rightly shows in what it computes.
func readRow(language, work, source string, read func(source string) error, p programs) Row {
	run := map[string]func(string) func() (any, error){Splash: runSplash, Starlark: runStarlark, Expr: runExpr}[language]
	return Row{
		Group: Steps,
		Name:  StepRow(language, work),
		Bytes: len(source),
		Call: func() {
			if err := read(source); err != nil {
				panic(err)
			}
		},
		Prove: func() error {
			if err := read(source); err != nil {
				return err
			}
			if read(source[:len(source)/2]) == nil {
				return fmt.Errorf("half of the source is read as a whole")
			}
			return p.prove(run(source))
		},
	}
}

// runRow is the row of running a program that was read, and made ready to run,
// before.
func runRow(language string, p programs, run func() (any, error)) Row {
	return Row{
		Group: Steps,
		Name:  StepRow(language, p.work),
		Call: func() {
			if _, err := run(); err != nil {
				panic(err)
			}
		},
		Prove: func() error { return p.prove(run) },
	}
}

// prove compares what a program ends with, as JSON, with what it must.
func (p *programs) prove(run func() (any, error)) error {
	got, err := run()
	if err != nil {
		return err
	}
	doc, err := json.Marshal(got)
	if err != nil {
		return err
	}
	var plain any
	if err := json.Unmarshal(doc, &plain); err != nil {
		return err
	}
	if !reflect.DeepEqual(plain, p.want) {
		return fmt.Errorf("it ends with %.200s, and must end with %.200v", doc, p.want)
	}
	return nil
}

// echo is the tool of the programs.
func echo(tool, input string) (string, error) {
	if tool != "orders.echo" {
		return "", fmt.Errorf("there is no tool %s", tool)
	}
	return input, nil
}

// readSplash is Parse, or Check, which a review calls and which returns no
// program.
func readSplash(work string) func(source string) error {
	if work == CheckWork {
		return func(source string) error {
			report, err := splash.Check(source, wide)
			if err == nil && !report.Valid() {
				err = &splash.SyntaxError{Report: report}
			}
			return err
		}
	}
	return func(source string) error {
		_, err := splash.Parse(source, wide)
		return err
	}
}

func runSplash(source string) func() (any, error) {
	p, err := splash.Parse(source, wide)
	cfg := splash.Config{Limits: wide, Host: splash.Tools(func(_ context.Context, c splash.Call) (string, error) { return echo(c.Tool, c.Input) })}
	return func() (any, error) {
		if err != nil {
			return nil, err
		}
		v, err := p.Eval(context.Background(), cfg)
		return splashValue{v}, err
	}
}

type splashValue struct{ splash.Value }

// MarshalJSON implements json.Marshaler.
func (v splashValue) MarshalJSON() ([]byte, error) { return v.JSON(wide) }

func readStarlark(source string) error {
	_, err := dialect.Parse("step.star", source, 0)
	return err
}

func runStarlark(source string) func() (any, error) {
	env := starlark.StringDict{
		"json":   starlarkjson.Module,
		"struct": starlark.NewBuiltin("struct", starlarkstruct.Make),
		"call": starlark.NewBuiltin("call", func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var tool, input string
			if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 2, &tool, &input); err != nil {
				return nil, err
			}
			output, err := echo(tool, input)
			return starlark.String(output), err
		}),
	}
	_, p, err := starlark.SourceProgramOptions(dialect, "step.star", source, env.Has)
	return func() (any, error) {
		if err != nil {
			return nil, err
		}
		thread := &starlark.Thread{}
		thread.SetMaxExecutionSteps(uint64(wide.Steps))
		globals, err := p.Init(thread, env)
		if err != nil {
			return nil, err
		}
		return starlarkValue{globals["result"]}, nil
	}
}

type starlarkValue struct{ starlark.Value }

// MarshalJSON implements json.Marshaler.
func (v starlarkValue) MarshalJSON() ([]byte, error) {
	text, err := starlark.Call(&starlark.Thread{}, starlarkjson.Module.Members["encode"], starlark.Tuple{v.Value}, nil)
	if err != nil {
		return nil, err
	}
	return []byte(text.(starlark.String)), nil
}

func readExpr(source string) error {
	c := conf.CreateNew()
	c.MaxNodes = 0
	_, err := parser.ParseWithConfig(source, c)
	return err
}

func runExpr(source string) func() (any, error) {
	call := expr.Function("call", func(args ...any) (any, error) {
		return echo(args[0].(string), args[1].(string))
	}, new(func(tool, input string) string))
	p, err := expr.Compile(source, call, expr.MaxNodes(0))
	return func() (any, error) {
		if err != nil {
			return nil, err
		}
		machine := vm.VM{MemoryBudget: 1 << 24}
		return machine.Run(p, nil)
	}
}
