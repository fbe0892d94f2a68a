package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/misspelt"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/signature"
	"github.com/fwgo/fwgo/validate"
)

// A body reads the JSON body of an endpoint into a T, with the checks that a
// command's parameters get. It is made once, when the Service is.
type body[T any] struct {
	checks *validate.Validator
	names  misspelt.Names
	// whole finds what is wrong with the body beyond its members, nil for
	// nothing.
	whole func(*jsontree.Value) []validate.Problem
}

// rawJSON is a member that is kept byte for byte.
type rawJSON = json.RawMessage

// bodyOf makes the reader of a body. The structs of this package are its only
// users, so what is wrong with one is found by any test.
func bodyOf[T any]() *body[T] {
	sig, err := signature.For[T](signature.TypeOptions{})
	if err != nil {
		panic("rest: " + err.Error())
	}
	checks, err := validate.New(sig, validate.Options{})
	if err != nil {
		panic("rest: " + err.Error())
	}
	var names []string
	for _, f := range sig.Fields() {
		names = append(names, f.Name)
	}
	return &body[T]{checks: checks, names: misspelt.Of(names...)}
}

// schema is what the OpenAPI document says of the body.
func (b *body[T]) schema() []byte { return b.checks.Signature().Schema() }

// inlined is schema without definitions, which have no place inside an OpenAPI
// document.
func (b *body[T]) inlined() []byte {
	text, err := b.checks.Signature().Profile("openapi")
	if err != nil {
		panic("rest: " + err.Error())
	}
	return text
}

// read reads the body of a request. If it cannot, it has answered and returns
// nil.
func (b *body[T]) read(w http.ResponseWriter, r *http.Request, most int) *T {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		refuse(w, http.StatusUnsupportedMediaType, "The body must be JSON, with Content-Type: application/json.")
		return nil
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(most)))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		refuse(w, http.StatusRequestEntityTooLarge, "The body is too long; at most "+count(most)+" bytes are taken.")
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		refuse(w, http.StatusRequestTimeout, "The body did not arrive in time.")
		return nil
	case err != nil:
		refuse(w, http.StatusBadRequest, "The body ended before its time.")
		return nil
	}
	value, problems := b.parse(string(text), most)
	if len(problems) > 0 {
		unprocessable(w, problems)
		return nil
	}
	return value
}

// parse reads a text. Members that no field is for are let pass, as the Python
// service does, unless their name is near to a field's: that is a misspelling,
// and what it was to say would be lost.
func (b *body[T]) parse(text string, most int) (*T, []validate.Problem) {
	v := b.checks.Begin()
	defer v.Release()
	doc, bad := jsontree.Parse(text, jsontree.Limits{Bytes: most}, v.Arena())
	if bad != nil {
		return nil, []validate.Problem{b.checks.DocumentProblem(bad, text)}
	}
	if doc.Root.Kind != jsontree.Object {
		return nil, []validate.Problem{b.checks.NotAnObjectProblem(&doc.Root)}
	}
	known, others := doc.Root.Members[:0], 0
	for _, m := range doc.Root.Members {
		if b.checks.Signature().Root().Field(m.Name) < 0 {
			if others++; others <= misspelt.Most && b.names.Near(m.Name) == "" {
				continue
			}
		}
		known = append(known, m)
		if others > misspelt.Most {
			break // it is refused by name, for all that follow
		}
	}
	doc.Root.Members = known
	if b.whole != nil {
		if problems := b.whole(&doc.Root); len(problems) > 0 {
			return nil, problems
		}
	}
	v.Load(&doc.Root)
	if report := v.Run(context.Background()); !report.OK() {
		return nil, report.Problems
	}
	return v.Input().(*T), nil
}

// actionOf reads a direct action. A member that it does not know is let pass
// as in a body, unless it may be one of its own by another name: a command must
// not run without what was given for it.
func actionOf(raw []byte) (serve.Request, error) {
	a, err := command.ReadAction(raw)
	if err != nil {
		return serve.Request{}, err
	}
	if a.CommandName == "" {
		return serve.Request{}, errors.New("command_name: it is empty")
	}
	switch member, meant := a.Misnamed(); {
	case meant != "":
		return serve.Request{}, fmt.Errorf("%s: there is no member of this name; did you mean %s?", shown(member), meant)
	case member != "":
		return serve.Request{}, fmt.Errorf("%s: there is no member of this name", shown(member))
	}
	return serve.Request{Command: a.CommandName, Arguments: a.Parameters}, nil
}
