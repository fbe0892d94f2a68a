package command_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/validate"
)

type orderTea struct {
	Tea   string  `json:"tea" jsonschema_description:"What to brew" jsonschema:"example=green" jsonschema_extras:"db_lookup=true"`
	Cups  int     `json:"cups" jsonschema:"minimum=1,maximum=9"`
	Note  *string `json:"note,omitempty" jsonschema:"example=not too hot"`
	Sweet bool    `json:"sweet,omitempty" jsonschema:"default=false"`
}

// told answers an extraction and remembers what it was asked.
type told struct {
	answers []string
	err     error
	asked   []command.Extraction
}

func (x *told) Extract(ctx context.Context, r *command.Extraction) (json.RawMessage, error) {
	x.asked = append(x.asked, *r)
	if x.err != nil {
		return nil, x.err
	}
	return json.RawMessage(x.answers[min(len(x.asked), len(x.answers))-1]), nil
}

func (x *told) Profile() string { return "openai-strict" }

func teaHouse(x command.Extractor) *command.Session {
	return command.MustNew(command.Options{Name: "tea", Extractor: x}, command.Define(command.Spec[orderTea]{
		Name:      "order_tea",
		Resolvers: map[string]lookup.Resolver{"tea": lookup.From(lookup.Static("teas", "green tea", "black tea"), lookup.Options{})},
		Run: func(ctx context.Context, s *command.Session, in *orderTea) (command.Response, error) {
			note := "-"
			if in.Note != nil {
				note = *in.Note
			}
			return command.Say(strings.Join([]string{in.Tea, strings.Repeat("u", in.Cups), note}, " ")), nil
		},
	})).NewSession()
}

const wordy = "order_tea two cups of something green, please"

// D-6, FW-17: what binding declines is extracted, and still goes through the
// whole pipeline.
func TestADeclinedCallIsExtractedAndStillChecked(t *testing.T) {
	x := &told{answers: []string{`{"tea":"Green Tea","cups":"2","note":null}`}}
	o := teaHouse(x).Call(context.Background(), wordy)
	if o.Text() != "green tea uu -" || o.Diagnostics().ExtractionMethod != "llm" {
		t.Errorf("it answers %q by %s", o.Text(), o.Diagnostics().ExtractionMethod)
	}
	r := x.asked[0]
	if r.Command != "order_tea" || r.Statement != "two cups of something green, please" || r.Attempt != 1 || !strings.Contains(string(r.Schema), `"additionalProperties":false`) {
		t.Errorf("it was asked %+v", r)
	}
	for answer, kind := range map[string]validate.Kind{
		`{"tea":"green tea","cups":99}`:            validate.OutOfRange,
		`{"tea":"coffee","cups":1}`:                validate.NotFound,
		`{"tea":"NOT_FOUND","cups":1}`:             validate.Missing,
		`{"tea":"green tea","cups":1,"biscuit":1}`: validate.UnknownName,
		`{"tea":"green tea","cups":`:               validate.CutOff,
		`["green tea"]`:                            validate.NotAnObject,
	} {
		o := teaHouse(&told{answers: []string{answer}}).Call(context.Background(), wordy)
		if o.Ran() || o.Problems[0].Kind != kind {
			t.Errorf("%s ends as %+v", answer, o.Problems)
		}
	}
}

// A call that binds beyond doubt is never given to a model.
func TestABoundCallIsNotExtracted(t *testing.T) {
	x := &told{answers: []string{`{}`}}
	if o := teaHouse(x).Call(context.Background(), "order_tea tea='black tea' cups=1"); o.Text() != "black tea u -" || x.asked != nil {
		t.Errorf("it answers %q, asked %v", o.Text(), x.asked)
	}
}

// FW-51, FW-205, FW-220: an answer that parrots an example is asked again, at
// most three times; an example of a looked-up field is a legitimate value.
func TestAParrotIsAskedAgain(t *testing.T) {
	parrot, good := `{"tea":"green tea","cups":1,"note":"not too hot"}`, `{"tea":"green tea","cups":1,"note":"hot"}`
	for _, tt := range []struct {
		answers []string
		asked   int
		text    string
	}{
		{[]string{parrot, good}, 2, "green tea u hot"},
		{[]string{parrot, parrot, parrot, good}, 3, "green tea u not too hot"},
		{[]string{`{"tea":"green","cups":1}`}, 1, "green tea u -"},
	} {
		x := &told{answers: tt.answers}
		if o := teaHouse(x).Call(context.Background(), wordy); o.Text() != tt.text || len(x.asked) != tt.asked {
			t.Errorf("after %d attempts it answers %q, want %q after %d", len(x.asked), o.Text(), tt.text, tt.asked)
		}
	}
}

// FW-52, FW-219: a model that does not answer is a failure of its own; the
// command never runs on its defaults instead.
func TestAFailedExtractionRunsNothing(t *testing.T) {
	o := teaHouse(&told{err: errors.New("429 too many requests, key sk-123")}).Call(context.Background(), wordy)
	if o.Ran() || o.Problems[0].Kind != validate.ExtractionFailed || strings.Contains(o.Text(), "429") || !strings.Contains(o.Text(), "nothing was run") {
		t.Errorf("it ends as %+v: %s", o.Problems, o.Text())
	}
}

// reasoned is an error that has words for a caller.
type reasoned struct{}

func (reasoned) Error() string  { return "POST https://model.example: 429, key sk-123" }
func (reasoned) Reason() string { return "the model has too much to do" }

// wild is an extractor that panics.
type wild struct{}

func (wild) Extract(context.Context, *command.Extraction) (json.RawMessage, error) { panic("boom") }

func TestAFailedExtractionSaysWhyInItsOwnWords(t *testing.T) {
	if text := teaHouse(&told{err: fmt.Errorf("wrapped: %w", reasoned{})}).Call(context.Background(), wordy).Text(); !strings.Contains(text, "too much to do") || strings.Contains(text, "sk-123") {
		t.Errorf("it answers %s", text)
	}
	if o := teaHouse(wild{}).Call(context.Background(), wordy); o.Ran() || o.Problems[0].Kind != validate.ExtractionFailed {
		t.Errorf("a panic ends as %+v", o.Problems)
	}
}

// FW-47, FW-48, FW-49: what a model is told of each parameter.
func TestInstructionsTellWhatAModelNeeds(t *testing.T) {
	w := teaHouse(nil).Workflow()
	text := command.Instructions(w.Command("order_tea"), time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC))
	for _, says := range []string{"Sunday, 2026-11-29", "- tea: What to brew.", `Examples of the form: "green"`, `answer "NOT_FOUND"`,
		"- cups: The cups. Accepted is a whole number (integer) from 1 to 9.", "answer null", "leave it out or answer null; false is then used"} {
		if !strings.Contains(text, says) {
			t.Errorf("the instructions do not say %q:\n%s", says, text)
		}
	}
}
