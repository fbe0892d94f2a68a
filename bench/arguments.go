package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-playground/validator/v10"
	google "github.com/google/jsonschema-go/jsonschema"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The names of rows that others are compared with.
const (
	FloorRow     = "hand-written for these six parameters (the floor)"
	UnmarshalRow = "json.Unmarshal into the struct, no checks"
	ValidatorRow = "json.Unmarshal + validator.Struct"
)

// wanted is what the payload says.
var wanted = order{
	OrderID: "ORD-123456", Note: "leave at the back door", Qty: 3, Price: 19.99, Status: "pending",
	Tags: []string{"gift", "fragile", "express"},
}

// orderSchema asks for the same six checks, and refuses unknown names, for
// the peers that are driven by a schema.
const orderSchema = `{"type":"object","properties":{` +
	`"order_id":{"type":"string","pattern":"^ORD-[0-9]{6}$"},` +
	`"note":{"type":"string","maxLength":200},` +
	`"qty":{"type":"integer","minimum":1,"maximum":100},` +
	`"price":{"type":"number","minimum":0},` +
	`"status":{"type":"string","enum":["pending","shipped","cancelled"]},` +
	`"tags":{"type":"array","items":{"type":"string"}}},` +
	`"required":["order_id","note","qty","price","status","tags"],"additionalProperties":false}`

// plainOrder is order for peers that read tags of their own, or none.
type plainOrder struct {
	OrderID string   `json:"order_id" validate:"required,order_id"`
	Note    string   `json:"note" validate:"max=200"`
	Qty     int      `json:"qty" validate:"min=1,max=100"`
	Price   float64  `json:"price" validate:"gte=0"`
	Status  string   `json:"status" validate:"oneof=pending shipped cancelled"`
	Tags    []string `json:"tags" validate:"required"`
}

func (p *plainOrder) order() order {
	return order{p.OrderID, p.Note, p.Qty, p.Price, p.Status, p.Tags}
}

// differs says how what was read differs from the payload.
func differs(got order) error {
	if reflect.DeepEqual(got, wanted) {
		return nil
	}
	return fmt.Errorf("read %+v, not %+v", got, wanted)
}

// reading makes the row of a function that reads the payload into a
// plainOrder. The struct is the caller's, as the floor's is.
func reading(name string, read func(text []byte, in *plainOrder) error) Row {
	text := []byte(payload)
	var kept plainOrder
	return Row{
		Group: Arguments,
		Name:  name,
		Call: func() {
			var in plainOrder
			if read(text, &in) != nil {
				panic(name)
			}
		},
		Prove: func() error {
			kept = plainOrder{}
			if err := read(text, &kept); err != nil {
				return err
			}
			return differs(kept.order())
		},
	}
}

func argumentRows() []Row {
	text := []byte(payload)
	return []Row{
		{
			Group: Arguments,
			Name:  FloorRow,
			Call: func() {
				var in order
				if floor(text, &in) != nil {
					panic("floor")
				}
			},
			Prove: func() error {
				var in order
				if err := floor(text, &in); err != nil {
					return err
				}
				return floorRefuses(in)
			},
		},
		{
			Group: Arguments,
			Name:  "json.Valid, nothing else",
			Call: func() {
				if !json.Valid(text) {
					panic("json.Valid")
				}
			},
			Prove: func() error {
				if !json.Valid(text) || json.Valid(text[1:]) {
					return errors.New("json.Valid does not tell")
				}
				return nil
			},
		},
		reading(UnmarshalRow, func(text []byte, in *plainOrder) error { return json.Unmarshal(text, in) }),
		reading("json.Decoder with DisallowUnknownFields, no checks", func(text []byte, in *plainOrder) error {
			d := json.NewDecoder(bytes.NewReader(text))
			d.DisallowUnknownFields()
			return d.Decode(in)
		}),
		reading("json/v2 Unmarshal with RejectUnknownMembers, no checks", func(text []byte, in *plainOrder) error {
			return jsonv2.Unmarshal(text, in, jsonv2.RejectUnknownMembers(true))
		}),
		reading(ValidatorRow, unmarshalAndValidate()),
		reading("santhosh/jsonschema: UnmarshalJSON + Validate + json.Unmarshal", validateAndUnmarshal()),
		reading("google/jsonschema-go: json.Unmarshal + Validate + json.Unmarshal", googleValidateAndUnmarshal()),
	}
}

// floorRefuses makes sure that the floor is no shortcut: each check of it
// refuses what the others would too.
func floorRefuses(in order) error {
	for _, change := range [][2]string{
		{"ORD-123456", "ORD-12345"}, {"leave", strings.Repeat("leave ", 40)}, {":3,", ":300,"}, {"19.99", "-19.99"},
		{"pending", "pended"}, {`"tags"`, `"tag"`}, {`"qty":3,`, ""},
	} {
		var other order
		if floor([]byte(strings.Replace(payload, change[0], change[1], 1)), &other) == nil {
			return fmt.Errorf("the floor accepts %q for %q", change[1], change[0])
		}
	}
	return differs(in)
}

func unmarshalAndValidate() func(text []byte, in *plainOrder) error {
	v := validator.New(validator.WithRequiredStructEnabled())
	err := v.RegisterValidation("order_id", func(l validator.FieldLevel) bool {
		return orderIDPattern.MatchString(l.Field().String())
	})
	if err != nil {
		panic(err)
	}
	return func(text []byte, in *plainOrder) error {
		if err := json.Unmarshal(text, in); err != nil {
			return err
		}
		return v.Struct(in)
	}
}

func validateAndUnmarshal() func(text []byte, in *plainOrder) error {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(orderSchema))
	if err != nil {
		panic(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("order.json", doc); err != nil {
		panic(err)
	}
	schema, err := c.Compile("order.json")
	if err != nil {
		panic(err)
	}
	return func(text []byte, in *plainOrder) error {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return err
		}
		if err := schema.Validate(value); err != nil {
			return err
		}
		return json.Unmarshal(text, in)
	}
}

func googleValidateAndUnmarshal() func(text []byte, in *plainOrder) error {
	var schema google.Schema
	if err := json.Unmarshal([]byte(orderSchema), &schema); err != nil {
		panic(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		panic(err)
	}
	return func(text []byte, in *plainOrder) error {
		var value any
		if err := json.Unmarshal(text, &value); err != nil {
			return err
		}
		if err := resolved.Validate(value); err != nil {
			return err
		}
		return json.Unmarshal(text, in)
	}
}
