// Package anthropic extracts parameters with a model behind Anthropic's
// Messages API.
//
//	x, err := anthropic.New(anthropic.Options{APIKey: os.Getenv("ANTHROPIC_API_KEY"), Model: "claude-haiku-5-5"})
//	if err != nil {
//		return err
//	}
//	w, err := command.New(command.Options{Name: "orders", Extractor: x}, commands...)
//
// A request holds the instructions as the system prompt, the statement alone
// as the user's message, and the command's schema in the anthropic profile as
// structured output (output_config.format). Structured output refuses objects
// with any member names; a command that has such a parameter is offered to the
// model as a tool instead. Options.ForceTool asks by a forced tool call always.
// The values of the answer are handed on unchanged, every digit included: null
// and "NOT_FOUND" mean "not mentioned" to the pipeline, which checks
// everything.
//
// What it refuses: half an answer, an answer that is not one JSON object, two
// answers, redirects, and answers of more than 4 MiB. Every error of Extract
// is an *extract.Error with a kind; none holds the key or a URL. Nothing is
// logged or traced, and no environment variable or credentials file is read
// other than the proxy settings of net/http.
package anthropic
