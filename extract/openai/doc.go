// Package openai extracts parameters with a model behind OpenAI's chat
// completions API: OpenAI's own, or any endpoint that speaks it, such as vLLM,
// Ollama, OpenRouter or a gateway.
//
//	x, err := openai.New(openai.Options{APIKey: os.Getenv("OPENAI_API_KEY"), Model: "gpt-6-mini"})
//	if err != nil {
//		return err
//	}
//	w, err := command.New(command.Options{Name: "orders", Extractor: x}, commands...)
//
// and with an endpoint of one's own:
//
//	x, err := openai.New(openai.Options{BaseURL: "http://127.0.0.1:11434/v1", Model: "qwen3"})
//
// A request holds the instructions as the system message, the statement alone
// as the user message, and the command's schema in the openai-strict profile
// as a strict json_schema response format. The values of the answer are handed
// on unchanged, every digit included: null and "NOT_FOUND" mean "not
// mentioned" to the pipeline, which checks everything.
//
// What it refuses: half an answer, an answer that is not one JSON object,
// redirects, and answers of more than 4 MiB. Every error of Extract is an
// *extract.Error with a kind; none holds the key or a URL. Nothing is logged,
// and no environment variable is read other than the proxy settings of
// net/http.
package openai
