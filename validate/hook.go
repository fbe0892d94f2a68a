package validate

import (
	"context"
	"strings"

	"github.com/fwgo/fwgo/internal/guard"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
)

// Hook is stage 4. It runs only when the stages before found nothing, on
// every path and every attempt (FW-86). A panic and a hook that outlives its
// context are failures that name the command's check, never the caller's
// fields (D-9).
func (c *Values) Hook(ctx context.Context) []Problem {
	hook := c.v.options.Hook
	if hook == nil {
		return nil
	}
	var ok bool
	var message string
	input := c.input.Value()
	outcome := guard.Run(ctx, func() { ok, message = hook(ctx, input) })
	c.overran(&outcome)
	switch {
	case outcome.Panic != "":
		c.v.log().Log(ctx, LevelCritical, "validate_extracted_parameters panicked", "panic", outcome.Panic, "stack", string(outcome.Stack))
		return []Problem{{Kind: HookFailed}}
	case outcome.Overtime:
		c.v.log().ErrorContext(ctx, "validate_extracted_parameters did not return in time")
		return []Problem{{Kind: HookFailed, Text: "It did not end in time."}}
	case ok:
		return nil
	}
	return c.hookProblems(message)
}

// hookProblems turns a hook's message into problems: one for all of it, with
// the parameters that its lines name.
func (c *Values) hookProblems(message string) []Problem {
	p := Problem{Kind: HookRefused}
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(message, "\ufffd")), "\n")
	for i, line := range lines {
		p.Fields = appendNew(p.Fields, c.named(line)...)
		lines[i] = quote.Bare(line, longestHook)
	}
	if len(lines) > mostProblems {
		lines = append(lines[:mostProblems], "... and "+quote.Count(len(lines)-mostProblems)+" more lines.")
	}
	p.Text = strings.Join(lines, "\n")
	if p.Text == "" {
		p.Text = "the parameters do not fit together; the command's author gives no reason."
	}
	if len(p.Fields) == 1 {
		p.Field = p.Fields[0]
	}
	return []Problem{p}
}

// named returns the parameters that a line names before its first colon.
func (c *Values) named(line string) []string {
	head, _, found := strings.Cut(line, ":")
	if !found {
		return nil
	}
	var fields []string
	for _, name := range strings.FieldsFunc(head, func(r rune) bool { return r == ',' || r == ' ' }) {
		at := c.v.sig.Root().Field(name)
		if at < 0 && name != "and" {
			return nil
		}
		if at >= 0 {
			fields = append(fields, c.v.sig.Fields()[at].Name)
		}
	}
	return fields
}

// rules checks the validator tags that concern several fields.
func (c *Values) rules() {
	for _, violation := range c.v.sig.Violations(&c.input, c.set) {
		name, _, _ := strings.Cut(violation.Field, ".")
		name, _, _ = strings.Cut(name, "[")
		at := c.v.sig.Root().Field(name)
		if at < 0 {
			continue
		}
		s := &c.slots[at]
		s.failed = true
		accepted := "it must satisfy the rule " + violation.Rule
		if violation.Param != "" {
			accepted += " " + violation.Param
		}
		if text, ok := ruleTexts[violation.Rule]; ok {
			accepted = strings.ReplaceAll(text, "%", violation.Param)
		}
		c.push(name)
		arrived := s.raw
		if arrived == nil {
			arrived = &s.value // a default, or nothing at all
		}
		p := Problem{Kind: RuleBroken, Field: violation.Field, Got: got(arrived), Accepted: accepted}
		c.describe(&p)
		c.pop()
		c.add(p)
	}
}

// whole checks the rules of a schema that the model has no place for. What is
// missing is for stage 2 to say, so it waits until nothing is.
func (c *Values) whole() {
	for i, f := range c.v.sig.Fields() {
		if !f.Optional && c.slots[i].state != isSet {
			return
		}
	}
	b := c.v.sig.Breach(c.AppendJSON(nil))
	if b == nil {
		return
	}
	for _, name := range b.Missing {
		c.pending = append(c.pending, Problem{Kind: Missing, Field: quote.Bare(jsontree.MemberPath(b.Field, name), longestShown), Accepted: "a value"})
	}
	for _, name := range b.Unknown {
		p := Problem{Kind: UnknownName, Field: quote.Bare(jsontree.MemberPath(b.Field, name), longestShown)}
		if b.Field == "" {
			p.Nearest, p.Accepted = c.v.nearestNames(name), c.v.names
		}
		c.add(p)
	}
	if len(b.Missing)+len(b.Unknown) == 0 {
		c.add(Problem{Kind: RuleBroken, Field: quote.Bare(b.Field, longestShown), Got: quote.Bare(b.Value, longestShown), Accepted: "it must satisfy the schema's rule " + b.Rule})
	}
}
