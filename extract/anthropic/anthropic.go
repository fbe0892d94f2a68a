package anthropic

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/param"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/extract"
	"github.com/fwgo/fwgo/extract/internal/exchange"
	"github.com/fwgo/fwgo/internal/quote"
)

// DefaultMaxTokens bounds an answer when Options say nothing. It leaves room
// for models that think before they answer.
const DefaultMaxTokens = 8192

// Options say which model is asked and how. Model is required, and so is
// APIKey unless there is a BaseURL.
type Options struct {
	// APIKey is the key of the API. It may be empty for an endpoint of one's
	// own that wants none.
	APIKey string
	// BaseURL is the endpoint up to and without /v1/messages, "" for
	// Anthropic's, https://api.anthropic.com. It holds no key.
	BaseURL string
	// Model is the model's name as the endpoint knows it.
	Model string
	// MaxTokens bounds the answer, the model's thinking included, 0 for
	// DefaultMaxTokens.
	MaxTokens int
	// ForceTool asks by a forced tool call instead of structured output, for
	// models and gateways that do not know the latter, and for commands that
	// are too large for it. Models that always think refuse forced calls.
	ForceTool bool
	// Timeout bounds one extraction with all its retries, 0 for one minute. A
	// shorter deadline of the caller's context holds too.
	Timeout time.Duration
	// MaxRetries is how often a request is sent again after a connection that
	// failed or a status of 408, 409, 429 or 5xx, 0 for 2, negative for never.
	// In between it waits as long as the endpoint asks, or half a second and
	// then twice as long each time; asked for more than 20 seconds, or more
	// than Timeout leaves, it gives up at once.
	MaxRetries int
	// HTTPClient sends the requests, nil for one of the default transport.
	// Redirects are not followed, whatever it says.
	HTTPClient *http.Client
}

// An Extractor asks a model for the parameters of commands. It is immutable
// and safe to share.
type Extractor struct {
	messages  sdk.MessageService
	model     string
	maxTokens int
	forceTool bool
	timeout   time.Duration
	redact    func(string) string
}

var _ command.ProfiledExtractor = (*Extractor)(nil)

// New makes an Extractor. It sends nothing; the error names every mistake in
// the options at once.
func New(o Options) (*Extractor, error) {
	s := exchange.Settings{APIKey: o.APIKey, BaseURL: o.BaseURL, Model: o.Model, MaxTokens: o.MaxTokens, MaxRetries: o.MaxRetries, Timeout: o.Timeout}
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("anthropic: %w", err)
	}
	if s.MaxTokens == 0 {
		s.MaxTokens = DefaultMaxTokens
	}
	options := []option.RequestOption{
		option.WithEnvironmentProduction(),
		option.WithHTTPClient(exchange.Client(o.HTTPClient)),
		option.WithMaxRetries(s.MaxRetries),
		option.WithRequestTimeout(s.Timeout), // else the SDK has a limit of its own on MaxTokens
		option.WithoutOpenTelemetry(),
	}
	if s.BaseURL != "" {
		options = append(options, option.WithBaseURL(s.BaseURL))
	}
	if s.APIKey != "" {
		options = append(options, option.WithAPIKey(s.APIKey))
	}
	return &Extractor{
		// The service alone, not a client: a client reads keys, endpoints and
		// headers from the environment and from files.
		messages:  sdk.NewMessageService(options...),
		model:     s.Model,
		maxTokens: s.MaxTokens,
		forceTool: o.ForceTool,
		timeout:   s.Timeout,
		redact:    exchange.Redactor(s.APIKey),
	}, nil
}

// Profile returns the profile of the schemas that the API takes.
func (x *Extractor) Profile() string { return "anthropic" }

// Extract asks the model for the values that r.Statement holds. Its error is
// an *extract.Error.
func (x *Extractor) Extract(ctx context.Context, r *command.Extraction) (json.RawMessage, error) {
	schema, err := exchange.Schema(r)
	if err != nil {
		return nil, err
	}
	params := sdk.MessageNewParams{
		Model:     x.model,
		MaxTokens: int64(x.maxTokens),
		System:    []sdk.TextBlockParam{{Text: exchange.System(r)}},
		Messages:  []sdk.MessageParam{sdk.NewUserMessage(sdk.NewTextBlock(r.Statement))},
	}
	byTool := x.forceTool || open(schema)
	switch {
	case x.forceTool:
		params.ToolChoice.OfTool = &sdk.ToolChoiceToolParam{Name: exchange.Name(r.Command), DisableParallelToolUse: param.NewOpt(true)}
	case byTool:
		params.ToolChoice.OfAuto = &sdk.ToolChoiceAutoParam{DisableParallelToolUse: param.NewOpt(true)}
		params.System[0].Text += "\nGive the JSON object as the input of the tool " + exchange.Name(r.Command) + ", and write nothing else.\n"
	}
	// The schema goes out as it is: the SDK's own types would lose the order
	// of its members.
	if byTool {
		params.Tools = []sdk.ToolUnionParam{{OfTool: &sdk.ToolParam{
			Name:        exchange.Name(r.Command),
			Description: param.NewOpt("Takes the parameters that the statement mentions."),
			InputSchema: param.Override[sdk.ToolInputSchemaParam](schema),
		}}}
	} else {
		format := fmt.Appendf(nil, `{"type":"json_schema","schema":%s}`, schema)
		params.OutputConfig.Format = param.Override[sdk.JSONOutputFormatParam](json.RawMessage(format))
	}
	call, ctx, done := exchange.Begin(ctx, x.timeout, x.redact)
	defer done()
	message, err := x.messages.New(ctx, params)
	if err != nil {
		return nil, call.Failure(err)
	}
	return answer(message, byTool, call.Said)
}

// open reports whether a schema has an object whose member names are not
// fixed, which structured output refuses.
func open(schema json.RawMessage) bool {
	var doc any
	if json.Unmarshal(schema, &doc) != nil {
		return false
	}
	var find func(v any) bool
	find = func(v any) bool {
		switch v := v.(type) {
		case map[string]any:
			if more, ok := v["additionalProperties"]; v["type"] == "object" && (!ok || more != false) {
				return true
			}
			for _, member := range v {
				if find(member) {
					return true
				}
			}
		case []any:
			for _, item := range v {
				if find(item) {
					return true
				}
			}
		}
		return false
	}
	return find(doc)
}

// answer reads the values out of a message: the input of its one tool call, or
// its text. said is what the endpoint says of a failure: some gateways say it
// with status 200 instead of content.
func answer(message *sdk.Message, byTool bool, said func() string) (json.RawMessage, error) {
	if message == nil {
		return nil, &extract.Error{Kind: extract.Empty}
	}
	switch message.StopReason {
	case sdk.StopReasonRefusal:
		var parts []string
		if category := string(message.StopDetails.Category); category != "" {
			parts = append(parts, quote.Bare(category, 60))
		}
		if why := message.StopDetails.Explanation; why != "" {
			parts = append(parts, quote.Text(why, 200))
		}
		return nil, &extract.Error{Kind: extract.Refused, Detail: strings.Join(parts, ", ")}
	case sdk.StopReasonMaxTokens:
		return nil, &extract.Error{Kind: extract.Truncated, Detail: "the limit of tokens is reached; MaxTokens is too small"}
	case sdk.StopReasonModelContextWindowExceeded:
		return nil, &extract.Error{Kind: extract.Truncated, Detail: "the model's context window is full"}
	}
	var text strings.Builder
	var inputs []json.RawMessage
	for i := range message.Content {
		switch block := &message.Content[i]; block.Type {
		case "text":
			text.WriteString(block.Text)
		case "tool_use":
			inputs = append(inputs, block.Input)
		}
	}
	switch {
	case byTool && len(inputs) == 1:
		return exchange.Object(string(inputs[0]))
	case byTool && len(inputs) > 1:
		return nil, &extract.Error{Kind: extract.Malformed, Detail: fmt.Sprintf("it calls the tool %d times", len(inputs))}
	case strings.TrimSpace(text.String()) == "":
		detail := "stop reason " + quote.Text(string(message.StopReason), 40)
		if text := said(); text != "" {
			detail += "; the endpoint says " + text
		}
		return nil, &extract.Error{Kind: extract.Empty, Detail: detail}
	case byTool:
		return nil, &extract.Error{Kind: extract.Malformed, Detail: "it is words instead of a tool call: " + quote.Text(text.String(), 60)}
	}
	return exchange.Object(text.String())
}
