package cli

import (
	"testing"

	"github.com/fwgo/fwgo/examples/retail/desk"
)

// Tab completes a command's name, and after it the names of its parameters,
// as far as they agree.
func TestCompletion(t *testing.T) {
	w := desk.Workflow()
	for line, want := range map[string]string{
		"can":                             "cancel_pending_order ",
		"list":                            "list_",
		"list_o":                          "list_orders ",
		"xyz":                             "",
		"":                                "",
		"list_orders c":                   "list_orders customer_id=",
		"list_orders customer_id=x lim":   "list_orders customer_id=x limit=",
		"nothing_of_the_kind a":           "",
		"  find_cust":                     "  find_customer ",
		"exchange_items order_id=x item_": "exchange_items order_id=x item_ids=",
	} {
		got, pos, ok := complete(w, line, len(line))
		if ok != (want != "") || ok && (got != want || pos != len(want)) {
			t.Errorf("%q is completed to %q at %d (%v), want %q", line, got, pos, ok, want)
		}
	}
	if got, pos, _ := complete(w, "list_o status=pending", len("list_o")); got != "list_orders  status=pending" || pos != len("list_orders ") {
		t.Errorf("in the middle of a line: %q at %d", got, pos)
	}
}
