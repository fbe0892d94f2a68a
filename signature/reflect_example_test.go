package signature_test

import (
	"fmt"

	"github.com/fwgo/fwgo/signature"
)

// Status is what Python writes as a str Enum.
type Status string

func (Status) EnumValues() []any { return []any{"open", "closed"} }

// ListOrders is what Python writes as a class with a docstring.
type ListOrders struct {
	Customer string  `json:"customer" jsonschema:"pattern=^C[0-9]+$" jsonschema_extras:"available_from=find_customer"`
	Status   *Status `json:"status,omitempty"`
	Limit    int     `json:"limit" jsonschema:"default=10" validate:"min=1,max=100"`
}

func (ListOrders) SchemaOptions() signature.TypeOptions {
	return signature.TypeOptions{Title: "Input", Description: "Lists the orders of a customer."}
}

func Example_goType() {
	s, err := signature.For[ListOrders](signature.TypeOptions{})
	if err != nil {
		panic(err)
	}
	fmt.Println(string(s.Schema()))
	strict, err := s.Profile("openai-strict")
	if err != nil {
		panic(err)
	}
	fmt.Println(string(strict))
	// Output:
	// {"$defs":{"Status":{"enum":["open","closed"],"title":"Status","type":"string"}},"description":"Lists the orders of a customer.","properties":{"customer":{"available_from":["find_customer"],"pattern":"^C[0-9]+$","title":"Customer","type":"string"},"status":{"anyOf":[{"$ref":"#/$defs/Status"},{"type":"null"}],"default":null},"limit":{"default":10,"maximum":100,"minimum":1,"title":"Limit","type":"integer"}},"required":["customer"],"title":"Input","type":"object"}
	// {"$defs":{"Status":{"enum":["open","closed"],"title":"Status","type":"string"}},"additionalProperties":false,"description":"Lists the orders of a customer.","properties":{"customer":{"description":"Get it from find_customer.","pattern":"^C[0-9]+$","title":"Customer","type":"string"},"status":{"anyOf":[{"$ref":"#/$defs/Status"},{"type":"null"}],"description":"Give null to leave it out."},"limit":{"anyOf":[{"maximum":100,"minimum":1,"type":"integer"},{"type":"null"}],"description":"Default: 10. Give null to leave it out.","title":"Limit"}},"required":["customer","status","limit"],"title":"Input","type":"object"}
}

// An author's mistakes are found at registration, all of them at once.
func ExampleAuthorError() {
	type Input struct {
		Order string `json:"order" jsonschema:"patern=^#W,description=The order, if known"`
		Count int    `json:"count" jsonschema:"minimum=1" validate:"min=2"`
	}
	_, err := signature.For[Input](signature.TypeOptions{})
	fmt.Println(err)
	// Output:
	// signature_test.Input.Order: jsonschema: "patern" is no keyword; did you mean pattern?
	// signature_test.Input.Order: description: the text ends at the comma before " if known", and the rest would be lost; write the comma as \\, or use the tag jsonschema_description, which takes commas as they are
	// signature_test.Input.Count: validate min: jsonschema minimum=1 and validate min=2 disagree; keep one, the other follows from it
}
