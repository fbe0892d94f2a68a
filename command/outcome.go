package command

import (
	"github.com/fwgo/fwgo/internal/jsontree"

	"github.com/fwgo/fwgo/normalize"
	"github.com/fwgo/fwgo/validate"
)

// An Outcome is what became of one call.
type Outcome struct {
	// Output is the answer in its wire form. Its text is for the caller.
	Output CommandOutput
	// Stage is the stage that ended the call, "" if the body ran and
	// answered.
	Stage validate.Stage
	// Problems are what kept the call from running, as data.
	Problems []validate.Problem
	// Repairs are what normalization repaired (N-16).
	Repairs []normalize.Repair
	// Input is what the body saw: a pointer to the command's struct, or a
	// *signature.Record; nil if the call did not come that far.
	Input any

	handled     bool
	held        bool
	method      string                // how the values were bound (FW-98)
	diagnostics *validate.Diagnostics // nil where nothing but the method is to be told
	// Output points to these, so that they cost no allocation of their own.
	stamp Timestamp
	took  int64
}

// Ran reports whether the body ran and answered, be the answer good or bad
// news.
func (o *Outcome) Ran() bool { return o.Stage == "" && !o.handled && !o.held }

// Held reports whether the gate of Session.DoGated kept the body from running.
func (o *Outcome) Held() bool { return o.held }

// Handled reports whether the conversation layer answered: a built-in command,
// or a question to the caller. No command of the workflow ran (FW-126).
func (o *Outcome) Handled() bool { return o.handled }

// Text is the answer for the caller.
func (o *Outcome) Text() string { return o.Output.CommandResponse.Response }

// Diagnostics is the record of the attempt for traces (FW-98).
func (o *Outcome) Diagnostics() validate.Diagnostics {
	d := validate.Diagnostics{ExtractionMethod: o.method, ParametersValid: o.Stage == ""}
	if o.diagnostics != nil {
		d = *o.diagnostics
	}
	for _, r := range o.Repairs {
		d.Repairs = append(d.Repairs, r.Path)
	}
	return d
}

// MarshalJSON writes the wire form of the answer with the problems and
// repairs beside it.
func (o *Outcome) MarshalJSON() ([]byte, error) {
	out, err := o.Output.MarshalJSON()
	if err != nil {
		return nil, err
	}
	for _, part := range []struct {
		key   string
		value any
		skip  bool
	}{{"problems", o.Problems, len(o.Problems) == 0}, {"repairs", o.Repairs, len(o.Repairs) == 0}} {
		if part.skip {
			continue
		}
		text, err := jsontree.Marshal(part.value)
		if err != nil {
			return nil, err
		}
		out = append(out[:len(out)-1], `,"`+part.key+`":`...)
		out = append(append(out, text...), '}')
	}
	return out, nil
}
