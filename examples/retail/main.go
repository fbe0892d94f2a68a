// Retail is the order desk of an invented shop: what a workflow of some size
// looks like, with live data behind its look-ups. The command fwgo serves the
// same workflow.
//
//	go run ./examples/retail call 'cancel_pending_order <order_id>W1862314</order_id> <reason>Ordered by mistake</reason>'
package main

import (
	"github.com/fwgo/fwgo/cli"
	"github.com/fwgo/fwgo/examples/retail/desk"
)

func main() { cli.Main(desk.Workflow()) }
