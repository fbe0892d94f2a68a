// Fwgo is the command line of fwgo with a demonstration workflow built in,
// the order desk of examples/retail. Its commands check, normalize and lookup
// serve any JSON schema and need no Go code.
package main

import (
	"github.com/fwgo/fwgo/cli"
	"github.com/fwgo/fwgo/examples/retail/desk"
)

func main() { cli.Main(desk.Workflow()) }
