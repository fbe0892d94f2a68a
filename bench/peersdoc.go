package bench

import (
	"fmt"
	"io"
	"runtime"
)

// WritePeers writes docs/peers.md.
func WritePeers(w io.Writer, cases int, scores []Score) {
	fmt.Fprintf(w, `# Peers on calls that are nearly right

What becomes of a call that a model got nearly right? %d calls from public bug
reports of tools and agents, each with the schema of its command, were given to
the Go libraries that one would use for it, and to fwgo.

`, cases)
	WriteScores(w, scores)
	fmt.Fprintf(w, `
Taken %s with %s. Rows marked recorded are Python programs, taken once on the
same cases on the day named; the other rows are measured by the command below.

    make -C bench peers

writes this document anew, and `+"`go -C bench run ./cmd/scoreboard -why`"+` prints what
each one lacks, case by case. `+"`go -C bench test -run Scoreboard -v .`"+` does the same
in CI, and fails if fwgo answers fewer than 116 rightly or any silently wrong.

## What the columns mean

- **right**: the command ran with exactly the arguments that were meant, or it
  did not run and the message has what the caller needs to get it right: the
  parameter's name, what arrived, what is accepted or near, who supplies it. Each
  case lists the words that its message must have, and those it must not.
- **silently wrong**: the command ran with other arguments than were meant, and
  nobody was told. This is the column that costs: a lost filter, a changed id,
  text with escapes left in it.
- **refused though plain**: a message, although the call can mean only one thing:
  the number 5 sent as "5", a list sent as its JSON text.
- **message of no use**: rightly a message, but one with which the next attempt is
  a guess: it does not say which parameter, what was sent, or what would do.

Arguments are compared by value, numbers to the last digit however they are
written. A case may accept several outcomes.

## How each is asked

The cases are those of `+"`testdata/cases/open.jsonl`"+` that arrive as JSON arguments.
One more is left out since its rule is in words, which no schema carries. Each
peer gets the schema as it stands and a handler that takes any object and writes
down what it sees. Calls reach the MCP servers as tools/call through their HTTP
handlers, with the arguments byte for byte, so that arguments which are no JSON
arrive as they would in service. Judged is the text that a model would be shown.

- *encoding/json into a map*: what a handler without any library does.
- *go-sdk*: mcp.AddTool with the case's schema as InputSchema; validated, defaults
  applied, decoded.
- *mcp-go*: a tool with the case's schema whose handler reads GetArguments. By
  default the schema is published and not checked; WithInputSchemaValidation
  checks it.
- *pydantic*: model_validate_json. *Python fastWorkflow*: a direct action.
- *fwgo*: a command made from the schema, called by a direct action: what
  `+"`fwgo check`"+` does.

Thirteen cases carry db_lookup and x-keys, the keys that a value is looked up in.
Of the others only fastWorkflow has lookups; to the rest one is the handler's
affair, and a value that should have been another key counts as silently wrong.

## What to make of it

Reading the table fairly:

- The peers are not wrong by their own lights. go-sdk and mcp-go are transports
  with a schema check; they promise to carry a call, not to mend it, and a raw tool
  of either can hand its bytes to fwgo. With a client that only ever sends what the
  schema says, the table has nothing to tell.
- fwgo's authors have these cases in their tests, and the peers' have not. What
  the row says is that fwgo does what it promises on them, not that it would
  answer every call in the world rightly.
- pydantic's lax mode and fastWorkflow's coercion are where much of fwgo's own
  behaviour comes from; that shows in their first column.
- A handler of mcp-go that binds a struct with an int64 keeps a whole number
  exact (C078), since it decodes the bytes as sent; GetArguments does not. go-sdk
  1.8.0 loses its last digits either way.
- When this was first recorded (2026-11-29), the two rows of mcp-go were 21, 98, 0,
  1 and 42, 25, 33, 20; go-sdk's was as it is. Those figures come out exactly if the
  judge takes a number and the text of that number for equal (C024, C087: right
  then, silently wrong here) and reads the reply as JSON text, in which the raw
  control characters of one message (C075) are escaped, which they are not to the
  model. The recorded rows were presumably judged so and may be too kind by as many.
`, today(), runtime.Version())
}
