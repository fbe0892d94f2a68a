// Package cli is the whole command line of any workflow. A program's main is
//
//	func main() { cli.Main(workflow) }
//
// and has these commands:
//
//	call TEXT | --action JSON    one call; --json for the whole answer
//	commands                     what an agent sees; --json, or --schema NAME
//	check                        any JSON schema and call through the pipeline
//	normalize                    argument normalization alone
//	lookup                       fuzzy resolution alone
//
// check, normalize and lookup need no Go code of the user's: they read one
// JSON object from standard input, or with --jsonl one a line, answering a
// line each, in order, flushed, with the input's id.
//
// The exit code is 0 if the call ran, 1 if it was answered with a message,
// and 2 if the command line itself was misused.
package cli
