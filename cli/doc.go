// Package cli is the whole command line of any workflow. A program's main is
//
//	func main() { cli.Main(workflow) }
//
// and has these commands:
//
//	call TEXT | --action JSON    one call; --json for the whole answer
//	chat                         a conversation; --session NAME goes on with one
//	commands                     what an agent sees; --json, or --schema NAME
//	check                        any JSON schema and call through the pipeline
//	normalize                    argument normalization alone
//	lookup                       fuzzy resolution alone
//	serve --mcp | --http ADDR    servers; --openapi prints the REST document
//	draft schema                 the JSON schema of a draft
//	draft review FILE            a draft judged; nothing in it runs
//	draft run FILE               a draft run with the calls of --grant STEP:TOOL:N
//	draft check FILE...          sources of steps judged; --json for the reports
//	draft eval FILE              one step run without tools; --input, --steps
//
// check, normalize and lookup need no Go code of the user's: they read one
// JSON object from standard input, or with --jsonl one a line, answering a
// line each, in order, flushed, with the input's id.
//
// draft check and draft eval take the source of a step in the language of
// package splash, - for standard input. What is wrong is printed as
// FILE:LINE:COLUMN: message, with the line and a caret.
//
// The exit code is 0 if the call ran, 1 if it was answered with a message,
// and 2 if the command line itself was misused. For a step they say the same:
// 0 it is valid, or ran; 1 it is not, or ended with an error; 2 nothing can be
// said, because a file cannot be read or the command was interrupted. The other
// draft commands, and serve, end with 0 or 2 (WD-20).
package cli
