package command

import (
	"strings"

	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/signature"
)

// Display is what an agent is shown of the workflow's commands (FW-173 to
// FW-178, with what a call needs: every parameter's name, whether it must be
// given, its default and what it accepts).
func (w *Workflow) Display() string {
	var b strings.Builder
	b.WriteString("Commands available in the current context (global):\n")
	for i, e := range w.commands {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- " + e.name + "\n")
		if e.description != "" {
			b.WriteString("  " + strings.Join(strings.Fields(e.description), " ") + "\n")
		}
		fields := e.sig.Fields()
		if len(fields) > 0 {
			b.WriteString("  inputs:\n")
		}
		for _, f := range fields {
			displayField(&b, f)
		}
	}
	return b.String()
}

func displayField(b *strings.Builder, f *signature.Field) {
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
	if f.Positional {
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
