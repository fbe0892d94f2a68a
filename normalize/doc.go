// Package normalize repairs what models get nearly right about the arguments
// of a call, as far as the tool's own schema can vouch for it, before anything
// is checked, looked up, approved or logged (rule N-1).
//
// There are two repairs. A string that holds JSON becomes a list or a map where
// the schema declares one and nothing else (N-3, N-4, N-5). HTML character
// references in string leaves are decoded until nothing changes (N-10, N-12).
// Everything else arrives as it was sent, digit for digit, and is left for
// validation to report:
//
//	n, err := normalize.Compile([]byte(`{"type":"object","properties":{
//		"title":{"type":"string"}, "tags":{"type":"array"}}}`), normalize.Options{})
//	if err != nil {
//		return err // the schema is not a JSON object
//	}
//	result, err := n.Arguments([]byte(`{"title":"Salt &amp;amp; Pepper","tags":"[\"a\"]"}`))
//	// result.Arguments is {"title":"Salt & Pepper","tags":["a"]}
//
// A schema is compiled once, into a plan that a call only walks; a Normalizer
// may be used by many goroutines at a time. It works on any JSON schema and
// knows nothing of commands.
//
// # What it refuses
//
// It never guesses: no bracket is closed, no quote is replaced, no wrong shape
// is wrapped, no text after a value is cut off, no map with a repeated name is
// decoded, a parameter that may be a string stays a string, keys stay as they
// are. A reference needs its semicolon and its whole name, so "?a=1&copy=2" is
// text. Arguments that are not one JSON object within the bounds are answered
// with an [Error] that says what is wrong and where (N-17).
package normalize
