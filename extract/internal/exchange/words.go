package exchange

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/extract"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
)

// Object reads what a model wrote as one JSON object and returns its exact
// bytes. A code fence around the whole of it is taken off: some endpoints do
// not hold their models to the form that was asked for.
func Object(text string) (json.RawMessage, error) {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "```"); ok {
		if inner, ok = strings.CutSuffix(strings.TrimPrefix(inner, "json"), "```"); ok {
			text = strings.TrimSpace(inner)
		}
	}
	if text == "" {
		return nil, &extract.Error{Kind: extract.Empty}
	}
	doc, fault := jsontree.Parse(text, jsontree.Limits{}, nil)
	if fault != nil {
		return nil, &extract.Error{Kind: extract.Malformed, Detail: fault.Error() + ": " + quote.Text(text, 60), Err: fault}
	}
	if doc.Root.Kind != jsontree.Object {
		return nil, &extract.Error{Kind: extract.Malformed, Detail: "it is " + quote.Text(text, 60)}
	}
	return json.RawMessage(text), nil
}

// mostNamed is the longest name that every vendor takes.
const mostNamed = 64

// Name makes a command's name one that vendors take: Order/cancel is
// Order__cancel, as it is for MCP clients (D-12).
func Name(command string) string {
	name := strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, strings.ReplaceAll(command, "/", "__"))
	if name == "" {
		return "parameters"
	}
	return name[:min(len(name), mostNamed)]
}

// System is what a model is told before the statement. When it is asked again
// it must be told why, or it answers the same again.
func System(r *command.Extraction) string {
	if r.Attempt < 2 {
		return r.Instructions
	}
	return r.Instructions + "\n\nAn earlier answer only repeated the examples above. They show a form and are no part of the statement. " +
		"Where the statement mentions no value, answer what is said above for that case.\n"
}

// Schema returns the schema of the answer that is wanted.
func Schema(r *command.Extraction) (json.RawMessage, error) {
	if !json.Valid(r.Schema) {
		return nil, &extract.Error{Kind: extract.Rejected, Detail: "the extraction holds no JSON schema, nothing was sent"}
	}
	return r.Schema, nil
}

// Settings are the options that both adapters have.
type Settings struct {
	APIKey, BaseURL, Model string
	MaxTokens, MaxRetries  int
	Timeout                time.Duration
}

// DefaultTimeout and DefaultRetries hold where options say nothing.
const (
	DefaultTimeout = time.Minute
	DefaultRetries = 2
)

// Check reports every mistake in s at once, and fills in defaults.
func (s *Settings) Check() error {
	var errs []error
	mistake := func(text string) { errs = append(errs, errors.New(text)) }
	switch {
	case s.APIKey == "" && s.BaseURL == "":
		mistake("APIKey is empty; only an endpoint of your own, given as BaseURL, can do without")
	case strings.ContainsFunc(s.APIKey, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		mistake("APIKey holds white space or another character that no key has; was it read from a file with its line end?")
	}
	if s.BaseURL != "" {
		u, err := url.Parse(s.BaseURL)
		switch {
		case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
			mistake("BaseURL is not an absolute http or https URL")
		case u.User != nil:
			mistake("BaseURL holds a user or password; give the key as APIKey")
		case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
			mistake("BaseURL holds a query or fragment, which would be lost")
		}
	}
	if strings.TrimSpace(s.Model) == "" {
		mistake("Model is empty")
	}
	if s.MaxTokens < 0 {
		mistake("MaxTokens is negative")
	}
	if s.Timeout < 0 {
		mistake("Timeout is negative")
	}
	if s.Timeout == 0 {
		s.Timeout = DefaultTimeout
	}
	if s.MaxRetries == 0 {
		s.MaxRetries = DefaultRetries
	}
	s.MaxRetries = max(0, s.MaxRetries)
	return errors.Join(errs...)
}
