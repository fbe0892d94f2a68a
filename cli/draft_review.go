package cli

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/fwgo/fwgo/draft"
	"github.com/fwgo/fwgo/draft/demo"
	"github.com/fwgo/fwgo/draft/tools"
)

// demoTools are the flags of the two demonstration tools. With one of them the
// tools are these; without, they are the workflow's commands.
type demoTools struct {
	AllowEcho    bool `help:"The tools are the demonstration's: text.echo."`
	AllowJSONAdd bool `name:"allow-json-add" help:"The tools are the demonstration's: math.add, and mod.arithmetic."`
}

// catalog is what a draft's steps could be granted.
func (d *demoTools) catalog(s *streams, record func(tools.Record)) (*draft.Catalog, error) {
	if d.AllowEcho || d.AllowJSONAdd {
		return demo.Catalog(d.AllowEcho, d.AllowJSONAdd)
	}
	return tools.Catalog(s.workflow, tools.Options{Do: tools.In(s.workflow.NewSession()), Record: record})
}

type draftSchemaCmd struct{ demoTools }

// Run prints the schema for whoever asks a model to write a draft (WD-10).
func (c *draftSchemaCmd) Run(s *streams) error {
	fmt.Fprintf(s.out, "%s\n", draft.JSONSchema())
	return nil
}

type draftReviewCmd struct {
	demoTools
	File string `arg:"" name:"file" help:"The draft, as JSON."`
}

var errReview = errors.New("the review found what cannot run")

// Run reviews a draft: nothing in it runs (WD-22).
func (c *draftReviewCmd) Run(s *streams) error {
	text, err := readDraft(s, c.File)
	if err != nil {
		return err
	}
	catalog, err := c.catalog(s, nil)
	if err != nil {
		return err
	}
	_, review, err := reviewed(text, draft.ReviewOptions{Modules: catalog.Modules()})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%s\n", review.Encode())
	if !review.Valid() {
		return refusedReview(review)
	}
	return nil
}

// refusedReview is errReview with the first thing that is wrong, for people.
func refusedReview(review *draft.Review) error {
	if review.Rejection != nil {
		return fmt.Errorf("%w: %s", errReview, strings.TrimPrefix(review.Rejection.Error(), "draft: "))
	}
	for _, s := range review.Steps {
		if !s.Valid() {
			d := s.Diagnostics[0]
			return fmt.Errorf("%w: step %s, line %d, column %d: %s", errReview, s.ID, d.Line, d.Column, d.Message)
		}
	}
	return errReview
}

// reviewed decodes and reviews a draft. A draft that is refused as a whole is
// nil, and the review says why.
func reviewed(text string, o draft.ReviewOptions) (*draft.Draft, *draft.Review, error) {
	proposal, err := draft.Decode([]byte(text))
	var rejection *draft.Rejection
	if errors.As(err, &rejection) {
		return nil, &draft.Review{Rejection: rejection}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	review, err := proposal.Review(o)
	return proposal, review, err
}

// readDraft reads a file with a draft. - is a file of that name (WD-21).
func readDraft(s *streams, name string) (string, error) {
	if name == standardInput {
		name = "./" + name
	}
	text, err := readBounded(s, name, draft.MaxWireBytes)
	if err == nil && !utf8.ValidString(text) {
		err = cannotRead(name, errors.New("it is not UTF-8 text"))
	}
	return text, err
}
