package desk

import (
	"context"
	"strings"
	"testing"
)

// TestTheDeskAnswersAsADeskShould walks through the commands as an agent
// would, slips included.
func TestTheDeskAnswersAsADeskShould(t *testing.T) {
	s := Workflow().NewSession()
	for _, tt := range []struct {
		call string
		ran  bool
		says []string
	}{
		// look-ups on names: accents, case, one slip; two people are never guessed between
		{"find_customer zoe mueller", true, []string{"c_zoe_mueller_9307"}},
		{"find_customer sigrid makela", true, []string{"Sigrid Mäkelä"}},
		{"find_customer Chen Wei", true, []string{"c_chen_wei_3041", "c_chen_wei_3014"}},
		{"find_customer name='Chen Wei' city=singapore", true, []string{"c_chen_wei_3014"}},
		{"find_customer name='Chen Wei' city=Oslo", true, []string{"city:", "Chengdu", "Singapore"}},
		{"find_customer Jon Smyth", false, []string{"John Smyth", "Jon Smith"}},
		{"find_customer Nobody At All", false, []string{"name"}},
		// ids: digits are never corrected
		{"get_customer c_chen_wei_3040", false, []string{"c_chen_wei_3041", "find_customer"}},
		{"get_customer c_ada_lindqvist_4821", true, []string{"Ada Lindqvist", "#W1862314 pending"}},
		{"get_order #W1000042", true, []string{"Oak Desk Lamp"}},
		{"get_order W1000042", true, []string{"Oak Desk Lamp"}}, // the hook adds the #
		{"get_order W99", false, []string{"order_id", "list_orders"}},
		{"get_order W9999999", true, []string{"no order"}},
		{"list_orders customer_id=c_kim_doe_8054 status=PENDING limit=two", false, []string{"limit", "two", "whole number"}},
		{"list_orders customer_id=c_kim_doe_8054 status=PENDING limit=2", true, []string{"#W1977005"}},
		// a precondition on the context
		{"my_orders", false, []string{"select_customer"}},
		{"select_customer c_kim_doe_8054", true, []string{"Kim Doe"}},
		{"my_orders status=pending", true, []string{"#W1888123"}},
		// cancelling: once
		{"cancel_pending_order order_id=W1888123 reason='No longer needed'", true, []string{"#W1888123 is cancelled (no longer needed)"}},
		{"cancel_pending_order order_id=W1888123 reason='no longer needed'", true, []string{"is cancelled; only a pending order"}},
		{"cancel_pending_order order_id=W1402776", false, []string{"reason", "missing", "ordered by mistake"}},
		// a nested object, normalized by the hook
		{`change_address {"order_id": "W1977004", "address": "{\"line1\": \"1 Elm &amp; Oak\", \"city\": \"Oslo\", \"postcode\": \" 0150 \", \"country\": \"no\"}"}`, true, []string{"1 Elm & Oak", "0150 Oslo, NO"}},
		{`change_address {"order_id": "W1977004", "address": {"line1": "x", "town": "Oslo"}}`, false, []string{"address.line1", "address.town", "city"}},
		// lists, and rules across fields
		{"return_items order_id=W1402776 item_ids=P-0000-XXX", false, []string{"item_ids[0]", "get_order"}},
		{"exchange_items <order_id>#W1000042</order_id> <item_ids>P-1042-BRS</item_ids> <new_item_ids>P-1042-BRZ</new_item_ids>", true, []string{"P-1042-BRS for P-1042-BRZ"}},
		{"exchange_items <order_id>#W1000042</order_id> <item_ids>P-1402-CRM</item_ids> <new_item_ids>P-1042-BLK</new_item_ids>", false, []string{"not a finish"}},
		{"exchange_items order_id=W1000042 item_ids=P-1042-BRZ new_item_ids=P-1042-BRS,P-1402-CRM", false, []string{"1 items", "2"}},
		{"return_items order_id=W1000042 item_ids='P-1042-BRZ, P-1402-CRM' refund_to=card_9648", true, []string{"card_9648"}},
		{"change_items order_id=W1862314 item_ids=P-1042-BRZ new_item_ids=P-1042-BRS", true, []string{"Changed in order #W1862314"}},
		// products
		{"get_product rockng chair", true, []string{"P-2376", "out of stock"}},
		{"get_product oak desk lmp", false, []string{"Oak Desk Lamp", "Desk Lamp"}}, // a short word could be several
		{"get_product Lamp", false, []string{"product", "Lamp"}},
		{"list_products category=lighting max_price=20.50 in_stock=yes", true, []string{"lighting"}},
		{"list_products lamp", false, []string{"category", "max_price"}},
		{"hand_over The customer wants to talk", false, []string{"summary"}}, // free text of a command that acts is not positional
		{"hand_over summary='The customer wants to talk'", true, []string{"normal urgency"}},
	} {
		o := s.Call(context.Background(), tt.call)
		if o.Ran() != tt.ran {
			t.Errorf("%s: ran is %v: %s", tt.call, o.Ran(), o.Text())
			continue
		}
		for _, says := range tt.says {
			if !strings.Contains(o.Text(), says) {
				t.Errorf("%s: the answer does not say %q: %s", tt.call, says, o.Text())
			}
		}
	}
}

func TestTheDeskHasTheCommandsItPromises(t *testing.T) {
	w := Workflow()
	if n := len(w.Commands()); n < 10 {
		t.Errorf("there are %d commands", n)
	}
	for _, c := range w.Commands() {
		if c.Description() == "" {
			t.Errorf("%s has no description", c.Name())
		}
	}
}
