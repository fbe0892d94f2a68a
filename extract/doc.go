// Package extract says how the extraction of parameters by a language model
// can fail. The extractors themselves are in the folders below it:
//
//   - extract/openai and extract/anthropic ask a model over the vendor's
//     official SDK. Each is a module of its own, so that nobody else pays for
//     the SDK.
//   - extract/recorded answers from a recording, for tests.
//
// An extractor is given to a workflow as command.Options.Extractor. It is
// asked where a text names a command but cannot be bound beyond doubt, and
// what it answers passes the whole pipeline like any other values. It never
// runs a command on its defaults: an extraction that fails is an *Error, and
// the command does not run (FW-52).
//
//	values, err := x.Extract(ctx, extraction)
//	if failure, ok := errors.AsType[*extract.Error](err); ok {
//		log.Print(failure.Kind) // rate_limited
//	}
package extract
