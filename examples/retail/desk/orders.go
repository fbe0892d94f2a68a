package desk

import (
	"context"
	"strings"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/lookup"
)

type orderInput struct {
	OrderID string `json:"order_id" jsonschema_description:"The order's id" jsonschema:"pattern=^#?W\\d{7}$,example=#W1000042" jsonschema_extras:"positional=true,available_from=list_orders,available_from=get_customer"`
}

type listOrdersInput struct {
	CustomerID string  `json:"customer_id" jsonschema_description:"The customer's id" jsonschema_extras:"positional=true,db_lookup=true,available_from=find_customer"`
	Status     *string `json:"status,omitempty" jsonschema:"enum=pending,enum=processing,enum=shipped,enum=delivered,enum=cancelled" jsonschema_description:"Only orders in this state"`
	Limit      int     `json:"limit,omitempty" jsonschema:"minimum=1,maximum=50,default=10" jsonschema_description:"At most so many, newest first"`
}

type myOrdersInput struct {
	Status *string `json:"status,omitempty" jsonschema:"enum=pending,enum=processing,enum=shipped,enum=delivered,enum=cancelled"`
}

type cancelInput struct {
	OrderID string `json:"order_id" jsonschema_description:"The order's id" jsonschema:"example=#W1862314" jsonschema_extras:"db_lookup=true,available_from=list_orders"`
	Reason  string `json:"reason" jsonschema:"enum=no longer needed,enum=ordered by mistake" jsonschema_description:"Why the customer cancels"`
}

func (s *shop) orderCommands() []*command.Command {
	get := command.Define(command.Spec[orderInput]{
		Name:        "get_order",
		Description: "Shows an order with its items",
		Utterances:  []string{"show order #W1000042"},
		ReadOnly:    true,
		ValidateExtractedParameters: func(ctx context.Context, _ *command.Session, _ string, in *orderInput) (bool, string) {
			command.Normalize(&in.OrderID, command.Prefixed("#"))
			return true, ""
		},
		Run: func(ctx context.Context, _ *command.Session, in *orderInput) (command.Response, error) {
			text := ""
			if failed := s.withOrder(in.OrderID, func(o *order) string { text = o.String(); return "" }); failed != "" {
				return command.Fail(failed), nil
			}
			return command.Say(text), nil
		},
	})
	list := command.Define(command.Spec[listOrdersInput]{
		Name:        "list_orders",
		Description: "Lists a customer's orders, newest first",
		Resolvers:   map[string]lookup.Resolver{"customer_id": in(s.ids)},
		ReadOnly:    true,
		Run: func(ctx context.Context, _ *command.Session, in *listOrdersInput) (command.Response, error) {
			return s.listed(in.CustomerID, in.Status, in.Limit), nil
		},
	})
	mine := command.Define(command.Spec[myOrdersInput]{
		Name:        "my_orders",
		Description: "Lists the orders of the selected customer",
		ReadOnly:    true,
		ValidateExtractedParameters: func(ctx context.Context, session *command.Session, _ string, _ *myOrdersInput) (bool, string) {
			if _, selected := command.Value[string](session, "customer"); !selected {
				return false, "No customer is selected. Use select_customer first, then send my_orders again."
			}
			return true, ""
		},
		Run: func(ctx context.Context, session *command.Session, in *myOrdersInput) (command.Response, error) {
			id, _ := command.Value[string](session, "customer")
			return s.listed(id, in.Status, 50), nil
		},
	})
	cancel := command.Define(command.Spec[cancelInput]{
		Name:        "cancel_pending_order",
		Description: "Cancels an order that has not been processed yet",
		Utterances:  []string{"cancel order #W1862314, it was ordered by mistake"},
		Resolvers:   map[string]lookup.Resolver{"order_id": in(s.orderIDs)},
		Destructive: true,
		Run: func(ctx context.Context, _ *command.Session, in *cancelInput) (command.Response, error) {
			if failed := s.withOrder(in.OrderID, func(o *order) string {
				if o.Status != "pending" {
					return "order_id: order " + o.ID + " is " + o.Status + "; only a pending order can be cancelled. Find pending ones with list_orders."
				}
				o.Status, o.Note = "cancelled", in.Reason
				return ""
			}); failed != "" {
				return command.Fail(failed), nil
			}
			r := command.Say("Order " + in.OrderID + " is cancelled (" + in.Reason + ").")
			r.Artifacts = map[string]any{"order_id": in.OrderID, "status": "cancelled"}
			return r, nil
		},
	})
	return []*command.Command{get, list, mine, cancel}
}

// listed answers with orders: as text for who reads it, as data for who goes
// on with it.
func (s *shop) listed(customerID string, status *string, limit int) command.Response {
	wanted := ""
	if status != nil {
		wanted = *status
	}
	orders := s.ordersOf(customerID, wanted, limit)
	lines, data := []string{}, []map[string]any{}
	for i := range orders {
		lines = append(lines, orders[i].String())
		data = append(data, map[string]any{"id": orders[i].ID, "status": orders[i].Status, "placed": orders[i].Placed})
	}
	text := strings.Join(lines, "\n")
	if len(orders) == 0 {
		text = "There are no such orders."
	}
	r := command.Say(text)
	r.Artifacts = map[string]any{"orders": data}
	return r
}
