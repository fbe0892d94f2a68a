package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

func Example() {
	if err := run(os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// Review:
	//   find: valid true, calls find_customer
	//   orders: valid true, calls list_orders
	//   cancel: valid true, calls cancel_pending_order
	//   summary: valid true, calls
	// Audit:
	//   find: find_customer allowed
	//     given {"name":"kim_doe"}
	//     ran   {"name":"Kim Doe"}
	//   orders: list_orders allowed
	//     given {"customer_id":"c_kim_doe_8054","status":"Pending","limit":"20"}
	//     ran   {"customer_id":"c_kim_doe_8054","status":"pending","limit":20}
	//   cancel: cancel_pending_order allowed
	//     given {"order_id":"W1977005","reason":"Ordered_by mistake"}
	//     ran   {"order_id":"#W1977005","reason":"ordered by mistake"}
	//   cancel: cancel_pending_order allowed
	//     given {"order_id":"W1977004","reason":"Ordered_by mistake"}
	//     ran   {"order_id":"#W1977004","reason":"ordered by mistake"}
	//   cancel: cancel_pending_order allowed
	//     given {"order_id":"W1970704","reason":"Ordered_by mistake"}
	//     ran   {"order_id":"#W1970704","reason":"ordered by mistake"}
	//   cancel: cancel_pending_order allowed
	//     given {"order_id":"W1888123","reason":"Ordered_by mistake"}
	//     ran   {"order_id":"#W1888123","reason":"ordered by mistake"}
	// completed: "Kim Doe: 4 orders cancelled"
}

// The README shows what the program prints.
func TestTheREADMEShowsTheRun(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, found := strings.Cut(string(readme), "    $ go run ./examples/drafts\n")
	if !found {
		t.Fatal("the README does not show the run")
	}
	var out bytes.Buffer
	if err := run(&out); err != nil {
		t.Fatal(err)
	}
	printed := out.String()
	for line := range strings.Lines(shown) {
		text, indented := strings.CutPrefix(line, "    ")
		if !indented {
			return
		}
		if text == "...\n" {
			continue
		}
		at := strings.Index(printed, text)
		if at < 0 {
			t.Fatalf("the README shows a line that is not printed, or not there: %s", line)
		}
		printed = printed[at+len(text):]
	}
}
