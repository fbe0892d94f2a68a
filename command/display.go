package command

import (
	"slices"
	"strings"

	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/signature"
)

// Display is what an agent is shown of the commands: those of the global
// context, and under a heading of their own those of each other context
// (FW-173 to FW-180, with what a call needs: every parameter's name, whether it
// must be given, its default and what it accepts).
func (w *Workflow) Display() string {
	var b strings.Builder
	displayRoom(&b, "Commands available in the current context ("+globalLabel+"):", w.rooms[globalName].sorted)
	for _, name := range sortedKeys(w.rooms) {
		if name != globalName {
			b.WriteByte('\n')
			displayRoom(&b, "Commands available after entering the "+name+" context (not callable until then):", w.rooms[name].sorted)
		}
	}
	return b.String()
}

// Display is what an agent is shown of the commands that the session can call
// now, those of parent contexts included.
func (s *Session) Display() string {
	var b strings.Builder
	displayRoom(&b, "Commands available in the current context ("+s.workflow.displayOf(s.current)+"):", s.callable())
	return b.String()
}

// definition is what precedes the display where there is more than one
// context: the workflow's name, contexts and what they inherit (FW-179).
func (w *Workflow) definition() string {
	if len(w.rooms) == 1 {
		return ""
	}
	var b strings.Builder
	b.WriteString("Workflow Definition:\n  name: " + w.options.Name + "\n  available_contexts:\n")
	inherits := ""
	for _, name := range sortedKeys(w.rooms) {
		r := w.rooms[name]
		b.WriteString("    - " + r.label() + "\n")
		bases := append([]string(nil), w.options.Inheritance[name]...)
		if r.Context != nil {
			bases = append(append([]string(nil), r.bases...), bases...)
		}
		if len(bases) > 0 {
			inherits += "    " + r.label() + ": [" + strings.Join(bases, ", ") + "]\n"
		}
	}
	if inherits != "" {
		b.WriteString("  context_inheritance:\n" + inherits)
	}
	return b.String()
}

func displayRoom(b *strings.Builder, heading string, entries []*entry) {
	b.WriteString(heading + "\n")
	for i, e := range entries {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- " + e.simple + "\n")
		displayCommand(b, e.Command)
	}
}

// Display is what an agent is shown of the command below its name: what it
// does and what a call needs (FW-161).
func (c *Command) Display() string {
	if c.sig == nil {
		return "" // an author mistake, which New reports
	}
	var b strings.Builder
	displayCommand(&b, c)
	return strings.TrimSpace(b.String())
}

func displayCommand(b *strings.Builder, c *Command) {
	if c.description != "" {
		b.WriteString("  " + strings.Join(strings.Fields(c.description), " ") + "\n")
	}
	fields := c.sig.Fields()
	if len(fields) > 0 {
		b.WriteString("  inputs:\n")
	}
	for _, f := range fields {
		displayField(b, f, f.Positional && !needsOthers(fields, f))
	}
}

// needsOthers reports whether a call that gives one field alone lacks another,
// so that it would be refused.
func needsOthers(fields []*signature.Field, one *signature.Field) bool {
	return slices.ContainsFunc(fields, func(f *signature.Field) bool { return f != one && !f.Optional && !f.HasDefault() })
}

func displayField(b *strings.Builder, f *signature.Field, alone bool) {
	b.WriteString("  - " + f.Name)
	if f.Description != "" {
		b.WriteString(": " + strings.Join(strings.Fields(f.Description), " "))
		b.WriteString(", type: ")
	} else {
		b.WriteString(": type: ")
	}
	b.WriteString(typeWord(f.Type))
	switch {
	case f.HasDefault():
		b.WriteString(" (default " + f.Default() + ")")
	case f.Optional:
		b.WriteString(" (optional)")
	default:
		b.WriteString(" (required)")
	}
	if alone {
		b.WriteString(", may be given alone after the command")
	}
	b.WriteByte('\n')
	if len(f.Examples) > 0 {
		b.WriteString("    examples: [" + strings.Join(f.Examples, ", ") + "]\n")
	}
	if len(f.AvailableFrom) > 0 {
		b.WriteString("    available_from: [" + strings.Join(f.AvailableFrom, ", ") + "]\n")
	}
	if f.Type.Pattern != nil {
		b.WriteString("    pattern: " + quote.Bare(f.Type.Pattern.Source, 200) + "\n")
	}
}

// typeWord names a type as FW-178's PORT does.
func typeWord(t *signature.Type) string {
	if t.Enum != nil {
		return "one of: " + strings.Join(t.Enum.Words, ", ")
	}
	word := ""
	switch t.Kind {
	case signature.String:
		word = "str"
		if t.Format != nil {
			word += " (" + t.Format.Name + ")"
		}
	case signature.Integer:
		word = "int"
	case signature.Number:
		word = "float"
	case signature.Boolean:
		word = "bool"
	case signature.List:
		word = "list"
		if t.Items != nil {
			word = "list[" + typeWord(t.Items) + "]"
		}
	case signature.Object:
		word = "object"
		if len(t.Fields) > 0 {
			var names []string
			for _, f := range t.Fields {
				name := f.Name + ": " + typeWord(f.Type)
				if f.Optional {
					name += " (optional)"
				}
				names = append(names, name)
			}
			word = "object {" + strings.Join(names, ", ") + "}"
		}
	case signature.Union:
		var words []string
		for _, m := range t.Members {
			words = append(words, typeWord(m))
		}
		word = strings.Join(words, " or ")
	default:
		word = "any"
	}
	return word
}
