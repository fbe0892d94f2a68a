package validate

import (
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/signature"
)

// BindingProblem says why a text call was not bound. Doubt is the word for
// the doubt (agentmode.DoubtKind), field the parameter in question or "", and
// excerpt the part of the call in question as it was written.
func (v *Validator) BindingProblem(doubt, field, excerpt string) Problem {
	p := Problem{Field: field}
	if excerpt != "" {
		p.Got = quote.Text(excerpt, longestShown)
	}
	if at := v.sig.Root().Field(field); at >= 0 {
		f := v.sig.Fields()[at]
		p.AvailableFrom = f.AvailableFrom
		if f.Example() != "" {
			p.Example = quote.Text(f.Example(), longestShown)
		}
	}
	switch doubt {
	case "not_a_call":
		p.Kind = NotACall
	case "unknown_name":
		p = Problem{Kind: UnknownName, Field: quote.Bare(excerpt, longestShown), Nearest: v.nearestNames(excerpt), Accepted: v.names}
	case "given_twice":
		p.Kind = GivenTwice
	case "unnamed_value":
		// The field of such a doubt is the one named after the value, with which
		// nothing is wrong.
		p = Problem{Kind: UnnamedValue, Got: p.Got, Accepted: v.withNeeds()}
	case "empty_value":
		p.Kind = Missing
		if at := v.sig.Root().Field(field); at >= 0 {
			p.Accepted = v.sig.Fields()[at].Type.Accepted()
		}
	default:
		p.Kind, p.Text = UnclearCall, doubtText(doubt, p.Got, quote.Bare(field, longestShown))
	}
	return p
}

// withNeeds lists the parameters with a mark at those that must be given
// (FW-43).
func (v *Validator) withNeeds() string {
	if len(v.declared) == 0 {
		return v.names
	}
	marked := make([]string, 0, len(v.declared))
	for _, f := range v.sig.Fields() {
		marked = append(marked, mark(f))
	}
	return names(marked)
}

func mark(f *signature.Field) string {
	if f.Optional || f.HasDefault() {
		return f.Name
	}
	return f.Name + " (required)"
}
