package agentmode_test

import (
	"fmt"
	"strings"

	"github.com/fwgo/fwgo/agentmode"
	"github.com/fwgo/fwgo/signature"
)

// cancelOrder is the signature of the command the examples call.
func cancelOrder() *signature.Signature {
	sig, err := signature.FromSchema([]byte(`{
		"title": "cancel_order",
		"type": "object",
		"properties": {
			"order_id": {"type": "string"},
			"reason":   {"type": "string", "enum": ["no longer needed", "ordered by mistake"]},
			"items":    {"type": "array", "items": {"type": "string"}}
		},
		"required": ["order_id"]
	}`))
	if err != nil {
		panic(err)
	}
	return sig
}

func print(r agentmode.Result) {
	fmt.Println(r.Outcome, "as", r.Form)
	for _, v := range r.Values {
		fmt.Printf("  %s: %s\n", v.Field, strings.Join(v.Texts, " | "))
	}
	if r.JSON != "" {
		fmt.Println(" ", r.JSON)
	}
	if r.Doubt != nil {
		fmt.Printf("  %s in %q: %s\n", r.Doubt.Kind, r.Doubt.Field, r.Doubt.Text)
	}
}

func ExampleBind() {
	sig := cancelOrder()
	print(agentmode.Bind(sig, `cancel_order <order_id>W1001</order_id> <items>lamp</items> <items>desk</items>`, "cancel_order"))
	print(agentmode.Bind(sig, `cancel_order order_id=W1001 reason="no longer needed"`, "cancel_order"))
	print(agentmode.Bind(sig, `cancel_order {"order_id": "W1001"}`, "cancel_order"))
	print(agentmode.Bind(sig, `cancel_order W1001`, "cancel_order"))
	// Output:
	// bound as xml_regex
	//   order_id: W1001
	//   items: lamp | desk
	// bound as name_value
	//   order_id: W1001
	//   reason: no longer needed
	// bound as json
	//   {"order_id": "W1001"}
	// bound as positional
	//   order_id: W1001
}

// A value whose end is in doubt is never cut.
func ExampleBind_tags() {
	print(agentmode.Bind(cancelOrder(), "cancel_order <parameter name=\"order_id\">\nW1001\n</parameter>", "cancel_order"))
	print(agentmode.Bind(cancelOrder(), "cancel_order <order_id>W1001</|x|order_id> <reason>no longer needed</reason>", "cancel_order"))
	// Output:
	// bound as xml_regex
	//   order_id: W1001
	// declined as xml_regex
	//   unclosed_tag in "order_id": <order_id>W1001</|x|order_id> <reason>no longer needed</reason>
}

// A name that no field has is never dropped, and never becomes a value.
func ExampleBind_pairs() {
	print(agentmode.Bind(cancelOrder(), "cancel_order order_id=W1001 items=lamp,desk", "cancel_order"))
	print(agentmode.Bind(cancelOrder(), "cancel_order order=W1001", "cancel_order"))
	// Output:
	// bound as name_value
	//   order_id: W1001
	//   items: lamp,desk
	// declined as name_value
	//   unknown_name in "": order
}

// Whatever begins with a brace is handed on; its reader says what is wrong.
func ExampleBind_json() {
	print(agentmode.Bind(cancelOrder(), `cancel_order {"order_id": "W10`, "cancel_order"))
	// Output:
	// bound as json
	//   {"order_id": "W10
}

// A lone value that no field takes is refused: the command must not run on its
// defaults instead.
func ExampleBind_positional() {
	listOrders, err := signature.FromSchema([]byte(`{"type": "object", "properties": {"limit": {"type": "integer", "default": 20}}}`))
	if err != nil {
		panic(err)
	}
	print(agentmode.Bind(listOrders, "list_orders W1001", "list_orders"))
	print(agentmode.Bind(listOrders, "list_orders", "list_orders"))
	print(agentmode.Bind(cancelOrder(), "cancel_order --force", "cancel_order"))
	// Output:
	// refused as positional
	//   unnamed_value in "": W1001
	// bound as none
	// declined as positional
	//   looks_like_option in "": --force
}

func ExampleRemainder() {
	rest, parenthesized, ok := agentmode.Remainder(`Cancel_Order("W1001")`, "cancel_order", "Orders/cancel_order")
	fmt.Println(rest, parenthesized, ok)
	// Output: "W1001" true true
}

func ExampleSplit() {
	token, rest := agentmode.Split("Orders/cancel_order <order_id>W1001</order_id>")
	fmt.Println(token)
	fmt.Println(rest)
	// Output:
	// Orders/cancel_order
	//  <order_id>W1001</order_id>
}
