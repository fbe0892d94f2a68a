package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/extract"
	"github.com/fwgo/fwgo/extract/internal/exchange"
	"github.com/fwgo/fwgo/internal/quote"
)

// Options say which model is asked and how. Model is required, and so is
// APIKey unless there is a BaseURL.
type Options struct {
	// APIKey is sent as the bearer token. It may be empty for an endpoint of
	// one's own that wants none.
	APIKey string
	// BaseURL is the endpoint up to and without /chat/completions, "" for
	// OpenAI's, https://api.openai.com/v1. It holds no key.
	BaseURL string
	// Model is the model's name as the endpoint knows it.
	Model string
	// MaxTokens bounds the answer, the model's reasoning included; 0 leaves it
	// to the endpoint. It is sent as max_completion_tokens.
	MaxTokens int
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
	chat      sdk.ChatCompletionService
	model     string
	maxTokens int
	timeout   time.Duration
	redact    func(string) string
}

var _ command.ProfiledExtractor = (*Extractor)(nil)

// New makes an Extractor. It sends nothing; the error names every mistake in
// the options at once.
func New(o Options) (*Extractor, error) {
	s := exchange.Settings{APIKey: o.APIKey, BaseURL: o.BaseURL, Model: o.Model, MaxTokens: o.MaxTokens, MaxRetries: o.MaxRetries, Timeout: o.Timeout}
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("openai: %w", err)
	}
	options := []option.RequestOption{
		option.WithEnvironmentProduction(),
		option.WithHTTPClient(exchange.Client(o.HTTPClient)),
		option.WithMaxRetries(s.MaxRetries),
		option.WithMaxRetryDelay(exchange.MaxWait),
	}
	if s.BaseURL != "" {
		options = append(options, option.WithBaseURL(s.BaseURL))
	}
	if s.APIKey != "" {
		options = append(options, option.WithAPIKey(s.APIKey))
	}
	return &Extractor{
		// The service alone, not a client: a client reads keys, endpoints and
		// headers from the environment.
		chat:      sdk.NewChatCompletionService(options...),
		model:     s.Model,
		maxTokens: s.MaxTokens,
		timeout:   s.Timeout,
		redact:    exchange.Redactor(s.APIKey),
	}, nil
}

// Profile returns the profile of the schemas that strict structured output
// takes.
func (x *Extractor) Profile() string { return "openai-strict" }

// Extract asks the model for the values that r.Statement holds. Its error is
// an *extract.Error.
func (x *Extractor) Extract(ctx context.Context, r *command.Extraction) (json.RawMessage, error) {
	schema, err := exchange.Schema(r)
	if err != nil {
		return nil, err
	}
	params := sdk.ChatCompletionNewParams{
		Model:    x.model,
		Messages: []sdk.ChatCompletionMessageParamUnion{sdk.SystemMessage(exchange.System(r)), sdk.UserMessage(r.Statement)},
		ResponseFormat: sdk.ChatCompletionNewParamsResponseFormatUnion{OfJSONSchema: &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: exchange.Name(r.Command), Strict: param.NewOpt(true), Schema: schema},
		}},
	}
	if x.maxTokens > 0 {
		params.MaxCompletionTokens = param.NewOpt(int64(x.maxTokens))
	}
	call, ctx, done := exchange.Begin(ctx, x.timeout, x.redact)
	defer done()
	completion, err := x.chat.New(ctx, params)
	if err != nil {
		return nil, call.Failure(err)
	}
	return answer(completion, call.Said)
}

// answer reads the values out of a completion. said is what the endpoint says
// of a failure: some say it with status 200 instead of choices.
func answer(completion *sdk.ChatCompletion, said func() string) (json.RawMessage, error) {
	if completion == nil || len(completion.Choices) == 0 {
		detail := "it has no choices"
		if text := said(); text != "" {
			detail += "; the endpoint says " + text
		}
		return nil, &extract.Error{Kind: extract.Empty, Detail: detail}
	}
	choice := &completion.Choices[0]
	switch {
	case choice.Message.Refusal != "":
		return nil, &extract.Error{Kind: extract.Refused, Detail: quote.Text(choice.Message.Refusal, 200)}
	case choice.FinishReason == "content_filter":
		return nil, &extract.Error{Kind: extract.Refused, Detail: "the endpoint's content filter stopped it"}
	case choice.FinishReason == "length":
		return nil, &extract.Error{Kind: extract.Truncated, Detail: "the limit of tokens is reached; MaxTokens, or the model's own, is too small"}
	case choice.Message.Content == "":
		return nil, &extract.Error{Kind: extract.Empty, Detail: "finish reason " + quote.Text(choice.FinishReason, 40)}
	}
	return exchange.Object(choice.Message.Content)
}
