package command

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/signature"
)

// An Extractor reads parameter values out of a text that could not be bound
// beyond doubt, mostly by asking a language model. What it returns goes
// through the whole pipeline like any other values.
type Extractor interface {
	// Extract returns the values it found as one JSON object. An error is a
	// failure of the extraction itself, such as a model that did not answer;
	// the command then does not run, least of all on its defaults (FW-52). The
	// caller is not shown the error, but what its method Reason() string says,
	// if it or one that it wraps has one.
	Extract(ctx context.Context, r *Extraction) (values json.RawMessage, err error)
}

// An Extraction is one request to an Extractor: what to read and from what.
type Extraction struct {
	// Command is the qualified name of the command.
	Command string
	// Statement is the text to read, without the command's name.
	Statement string
	// Instructions say what to read, parameter by parameter, for a model.
	Instructions string
	// Schema is the JSON schema of the answer in the profile that the
	// Extractor asked for (see ProfiledExtractor), else the published one.
	Schema json.RawMessage
	// Attempt counts from 1. A further attempt follows an answer that only
	// repeated the examples of the instructions.
	Attempt int
}

// A ProfiledExtractor wants schemas in the form of a vendor, by a name of
// signature.Profiles.
type ProfiledExtractor interface {
	Extractor
	Profile() string
}

// mostAttempts is how often an answer that parrots examples is asked again
// (FW-51).
const mostAttempts = 3

// Instructions writes what a model is told of a command's parameters (FW-47,
// FW-48): for each its description, allowed values, examples, whether it is
// required, and what to answer when the text does not mention it.
func Instructions(c *Command, today time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Read the parameters of the command %s out of a statement. Today is %s.\n", c.name, today.Format("Monday, 2006-01-02"))
	b.WriteString("Take only what the statement says. Do not invent values, do not compute them, and do not copy the examples below.\n")
	b.WriteString("Answer with one JSON object.\n")
	for _, f := range c.sig.Fields() {
		b.WriteString("\n- " + f.Name + ": ")
		if f.Description != "" {
			b.WriteString(strings.Join(strings.Fields(f.Description), " "))
		} else {
			b.WriteString("The " + strings.ReplaceAll(f.Name, "_", " "))
		}
		b.WriteString(". Accepted is " + f.Type.Accepted() + ".")
		if len(f.Examples) > 0 {
			b.WriteString(" Examples of the form: " + strings.Join(f.Examples, ", ") + ".")
		}
		b.WriteString(" " + unmentioned(f))
	}
	return b.String()
}

// unmentioned says what to answer when the statement does not mention a field
// (FW-49).
func unmentioned(f *signature.Field) string {
	switch {
	case f.HasDefault():
		return "If it is not mentioned, leave it out or answer null; " + f.Default() + " is then used."
	case f.Optional:
		return "Optional: if it is not mentioned, answer null."
	case f.Type.Kind == signature.String && f.Type.Enum == nil:
		return `Required: if it is not mentioned, answer "NOT_FOUND".`
	}
	return "Required: if it is not mentioned, answer null."
}

// extract asks the Extractor, up to three times while it only parrots the
// examples (FW-51).
func (c *call) extract(ctx context.Context, x Extractor, statement string) (json.RawMessage, error) {
	r := &Extraction{Command: c.entry.name, Statement: statement, Instructions: Instructions(c.entry.Command, c.started), Schema: c.entry.sig.Schema()}
	if p, ok := x.(ProfiledExtractor); ok {
		schema, err := c.entry.sig.Profile(p.Profile())
		if err != nil {
			return nil, err
		}
		r.Schema = schema
	}
	var best json.RawMessage
	for r.Attempt = 1; r.Attempt <= mostAttempts; r.Attempt++ {
		values, err := x.Extract(ctx, r)
		if err != nil {
			return nil, err
		}
		if best == nil {
			best = values
		}
		if !parroted(c.entry.sig, values) {
			return values, nil
		}
	}
	return best, nil
}

// parroted reports whether an answer has a field's own example as its value.
// Closed vocabularies and looked-up fields are exempt: there an example is a
// legitimate value (FW-31, FW-205).
func parroted(sig *signature.Signature, values json.RawMessage) bool {
	doc, fault := jsontree.Parse(string(values), jsontree.Limits{}, nil)
	if fault != nil {
		return false // its reader says what is wrong
	}
	for _, f := range sig.Fields() {
		v := doc.Root.Get(f.Name)
		if v == nil || v.Kind == jsontree.Null || f.DBLookup || f.Type.Enum != nil || f.Type.Kind == signature.Boolean {
			continue
		}
		text := v.JSON()
		for _, example := range f.Examples {
			if example == text {
				return true
			}
		}
	}
	return false
}
