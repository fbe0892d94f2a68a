package validate

import (
	"strconv"
	"unicode/utf8"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
)

// DocumentProblem says what is wrong with arguments that could not be read.
// Every fault keeps its own kind; none is reported as a missing field (D-3).
func (v *Validator) DocumentProblem(f *jsontree.Fault, text string) Problem {
	p := Problem{Text: quote.Bare(f.Path, longestShown)}
	switch f.Kind {
	case jsontree.Empty, jsontree.Cut:
		p.Kind, p.Accepted = CutOff, f.Expected
	case jsontree.Trailing:
		p.Kind, p.Got = TrailingText, excerpt(text, f.Offset)
	case jsontree.Repeated:
		p.Kind, p.Got = RepeatedName, quote.Text(f.Name, longestShown)
		if f.Path == "" {
			p.Field = v.declaredName(f.Name)
		}
	case jsontree.BadUTF8:
		p.Kind = BadEncoding
	case jsontree.TooDeep:
		p.Kind, p.Accepted = TooDeep, strconv.Itoa(f.Limit)
	case jsontree.TooLong:
		p.Kind, p.Accepted, p.Got = TooLong, quote.Count(f.Limit)+" bytes", quote.Count(len(text))+" bytes"
	case jsontree.TooMany:
		p.Kind, p.Accepted, p.Got = TooLong, quote.Count(f.Limit)+" values", "more"
	default:
		p.Kind, p.Got, p.Accepted = NotJSON, excerpt(text, f.Offset), f.Expected
	}
	return p
}

// NotAnObjectProblem says that the arguments are some other JSON value.
func (v *Validator) NotAnObjectProblem(root *jsontree.Value) Problem {
	return Problem{Kind: NotAnObject, Got: got(root), Accepted: v.names}
}

// declaredName returns the name if it is a field's, for a problem's Field.
func (v *Validator) declaredName(name string) string {
	if v.sig.Root().Field(name) >= 0 {
		return name
	}
	return ""
}

// excerpt quotes the text from an offset on.
func excerpt(text string, offset int) string {
	if offset >= len(text) {
		return "the end"
	}
	for offset > 0 && !utf8.RuneStart(text[offset]) {
		offset--
	}
	return quote.Text(cut(text[offset:], 4*longestShown), longestShown/2)
}
