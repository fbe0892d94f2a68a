package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/splash"
)

// draftCmd is what can be done with drafts and their steps.
type draftCmd struct {
	Schema draftSchemaCmd `cmd:"" help:"Print the JSON schema of a draft, for whoever asks a model to write one."`
	Review draftReviewCmd `cmd:"" help:"Review a draft: nothing in it runs."`
	Run    draftRunCmd    `cmd:"" help:"Run a draft with exactly the calls that are granted."`
	Check  draftCheckCmd  `cmd:"" help:"Judge the sources of steps without running them."`
	Eval   draftEvalCmd   `cmd:"" help:"Run one step without tools and print its value as JSON."`
}

type draftCheckCmd struct {
	Files []string `arg:"" name:"file" help:"Files with the source of one step each; - is standard input."`
	JSON  bool     `name:"json" help:"Print one line of JSON a file."`
}

// checked is what --json prints of a file: the report of WD-12, members in
// the order of WD-20.
type checked struct {
	Diagnostics []place `json:"diagnostics"`
	Truncated   bool    `json:"diagnostics_truncated"`
	File        string  `json:"file"`
	Valid       bool    `json:"valid"`
}

type place struct {
	Column  int    `json:"column"`
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// Run checks every file, also after one that cannot be read.
func (c *draftCheckCmd) Run(s *streams) error {
	if err := inputOnce(c.Files...); err != nil {
		return err
	}
	code := exitRun
	for _, name := range c.Files {
		source, err := readBounded(s, name, splash.DefaultLimits().SourceBytes)
		if s.ctx.Err() != nil {
			return errInterrupted
		}
		if err != nil {
			fmt.Fprintf(s.err, "%s: %v\n", s.workflow.Name(), err)
			code = exitMisuse
			continue
		}
		report, err := splash.Check(source, splash.Limits{})
		if err != nil {
			return err
		}
		if !report.Valid() {
			code = max(code, exitMessage)
		}
		if c.JSON {
			err = printReportJSON(s.out, name, report)
		} else {
			err = printReport(s.out, name, source, report)
		}
		if err != nil {
			return err
		}
	}
	if code != exitRun {
		return exit(code)
	}
	return nil
}

func printReportJSON(w io.Writer, name string, report splash.Report) error {
	line := checked{Diagnostics: []place{}, Truncated: report.Truncated, File: name, Valid: report.Valid()}
	for _, d := range report.Diagnostics {
		line.Diagnostics = append(line.Diagnostics, place{d.Column, d.Line, d.Message})
	}
	text, err := jsontree.Marshal(line)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

// printReport prints nothing for a valid source.
func printReport(w io.Writer, name, source string, report splash.Report) error {
	for _, d := range report.Diagnostics {
		if err := printPlace(w, name, source, d.Line, d.Column, d.Message); err != nil {
			return err
		}
	}
	if !report.Truncated {
		return nil
	}
	_, err := fmt.Fprintf(w, "%s: there is more; the first %d are shown\n", shownName(name), len(report.Diagnostics))
	return err
}

type draftEvalCmd struct {
	File  string `arg:"" name:"file" help:"The source of the step; - is standard input."`
	Input string `help:"A JSON document that the step finds as workflow.input; - is standard input." placeholder:"FILE"`
	Steps *int   `help:"How many steps the evaluation may take." placeholder:"N"`
}

// Run evaluates the step. Nothing in it can act: every call of a tool is
// refused.
func (c *draftEvalCmd) Run(s *streams) error {
	if err := inputOnce(c.File, c.Input); err != nil {
		return err
	}
	var cfg splash.Config
	if c.Steps != nil {
		if *c.Steps < 1 {
			return errors.New("--steps takes a number of at least 1")
		}
		cfg.Limits.Steps = *c.Steps
	}
	source, err := readBounded(s, c.File, splash.DefaultLimits().SourceBytes)
	if err == nil && c.Input != "" {
		cfg.Globals, err = readInput(s, c.Input)
	}
	if s.ctx.Err() != nil {
		return errInterrupted
	}
	if err != nil {
		return err
	}
	value, err := splash.Eval(s.ctx, source, cfg)
	if s.ctx.Err() != nil {
		return errInterrupted
	}
	if err != nil {
		return c.failed(s.err, source, err)
	}
	text, err := value.JSON(cfg.Limits)
	var none *splash.JSONError
	if errors.As(err, &none) {
		fmt.Fprintf(s.err, "%s: the value cannot be printed: %s\n", shownName(c.File), none.Message)
		return exit(exitMessage)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "%s\n", text)
	return err
}

// failed prints how a program ended that did not end with a value.
func (c *draftEvalCmd) failed(w io.Writer, source string, err error) error {
	var syntax *splash.SyntaxError
	var limit *splash.LimitError
	var failure *splash.Error
	var printed error
	switch {
	case errors.As(err, &syntax):
		printed = printReport(w, c.File, source, syntax.Report)
	case errors.As(err, &limit) && limit.Line > 0:
		printed = printPlace(w, c.File, source, limit.Line, limit.Column,
			fmt.Sprintf("limit: more than %s %s", quote.Count(limit.Max), limit.Bound))
	case errors.As(err, &failure):
		printed = printPlace(w, c.File, source, failure.Line, failure.Column, string(failure.Kind)+": "+failure.Message)
	default:
		return err
	}
	if printed != nil {
		return printed
	}
	return exit(exitMessage)
}

// readInput makes the global of WD-68 for a run of one step.
func readInput(s *streams, name string) (map[string]json.RawMessage, error) {
	limits := splash.DefaultLimits()
	text, err := readBounded(s, name, limits.JSONBytes)
	if err != nil {
		return nil, err
	}
	// Read on its own first: pasted between the other members, a text that is
	// more than one document could pass for them.
	doc, fault := jsontree.Parse(text, jsontree.Limits{Depth: limits.JSONDepth - 1, KeepRepeated: true}, &jsontree.Arena{Most: mostValues})
	if fault != nil {
		return nil, fmt.Errorf("%s: %w", shownName(name), fault)
	}
	return map[string]json.RawMessage{"workflow": json.RawMessage(`{"input":` + doc.Root.JSON() + `,"outputs":{}}`)}, nil
}
