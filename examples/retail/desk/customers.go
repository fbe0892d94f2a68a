package desk

import (
	"context"
	"fmt"
	"strings"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/lookup"
)

type findCustomerInput struct {
	Name string  `json:"name" jsonschema_description:"The customer's name" jsonschema:"example=Ada Lindqvist" jsonschema_extras:"positional=true,db_lookup=true"`
	City *string `json:"city,omitempty" jsonschema_description:"City, where several customers share a name"`
}

type customerInput struct {
	CustomerID string `json:"customer_id" jsonschema_description:"The customer's id" jsonschema:"example=c_ada_lindqvist_4821" jsonschema_extras:"positional=true,db_lookup=true,available_from=find_customer"`
}

type handOverInput struct {
	Summary string `json:"summary" jsonschema_description:"What the person who takes over must know" jsonschema:"minLength=10"`
	Urgency string `json:"urgency,omitempty" jsonschema:"enum=low,enum=normal,enum=high,default=normal"`
}

func (s *shop) customerCommands() []*command.Command {
	find := command.Define(command.Spec[findCustomerInput]{
		Name:        "find_customer",
		Description: "Finds a customer's id by name",
		Utterances:  []string{"find customer Ada Lindqvist", "who is John Smith"},
		Resolvers:   map[string]lookup.Resolver{"name": in(s.names)},
		ReadOnly:    true,
		Run:         s.findCustomer,
	})
	get := command.Define(command.Spec[customerInput]{
		Name:        "get_customer",
		Description: "Shows a customer's contact data, address and orders",
		Utterances:  []string{"show me customer c_ada_lindqvist_4821"},
		Resolvers:   map[string]lookup.Resolver{"customer_id": in(s.ids)},
		ReadOnly:    true,
		Run: func(ctx context.Context, _ *command.Session, in *customerInput) (command.Response, error) {
			c := s.byID[in.CustomerID]
			text := c.String()
			for _, o := range s.ordersOf(c.ID, "", 20) {
				text += "\n" + o.ID + " " + o.Status
			}
			return command.Say(text), nil
		},
	})
	selectCustomer := command.Define(command.Spec[customerInput]{
		Name:        "select_customer",
		Description: "Makes a customer the one this conversation is about",
		Resolvers:   map[string]lookup.Resolver{"customer_id": in(s.ids)},
		Idempotent:  true,
		Run: func(ctx context.Context, session *command.Session, in *customerInput) (command.Response, error) {
			session.Set("customer", in.CustomerID)
			return command.Say("This conversation is now about " + s.byID[in.CustomerID].Name + "."), nil
		},
	})
	handOver := command.Define(command.Spec[handOverInput]{
		Name:        "hand_over",
		Description: "Hands the conversation over to a person at the desk",
		Utterances:  []string{"let me talk to a person"},
		Run: func(ctx context.Context, _ *command.Session, in *handOverInput) (command.Response, error) {
			return command.Say("A person takes over (" + in.Urgency + " urgency). They were told: " + in.Summary), nil
		},
	})
	return []*command.Command{find, get, selectCustomer, handOver}
}

func (s *shop) findCustomer(ctx context.Context, _ *command.Session, in *findCustomerInput) (command.Response, error) {
	found := s.byName[in.Name]
	var lines []string
	var data []map[string]any
	for _, c := range found {
		if in.City == nil || strings.EqualFold(c.Address.City, *in.City) {
			lines = append(lines, fmt.Sprintf("%s: %s, %s", c.ID, c.Name, c.Address.City))
			data = append(data, map[string]any{"id": c.ID, "name": c.Name, "city": c.Address.City})
		}
	}
	if lines == nil {
		var cities []string
		for _, c := range found {
			cities = append(cities, c.Address.City)
		}
		return command.Fail(fmt.Sprintf("city: no %s lives in %s; there is one in %s.", in.Name, *in.City, strings.Join(cities, " and one in "))), nil
	}
	r := command.Say(strings.Join(lines, "\n"))
	r.Artifacts = map[string]any{"customers": data}
	return r, nil
}
