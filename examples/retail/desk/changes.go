package desk

import (
	"context"
	"fmt"
	"strings"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/lookup"
)

type changeAddressInput struct {
	OrderID string  `json:"order_id" jsonschema_description:"A pending order's id" jsonschema_extras:"db_lookup=true,available_from=list_orders"`
	Address address `json:"address" jsonschema_description:"Where the order should go instead"`
}

type returnInput struct {
	OrderID string   `json:"order_id" jsonschema_description:"A delivered order's id" jsonschema_extras:"db_lookup=true,available_from=list_orders"`
	ItemIDs []string `json:"item_ids" jsonschema_description:"The variant ids of the items that come back" jsonschema:"uniqueItems=true" jsonschema_extras:"db_lookup=true,available_from=get_order"`
	Refund  *string  `json:"refund_to,omitempty" jsonschema:"pattern=^(card|gift|paypal)_\\d{4}$,example=card_9648" jsonschema_description:"Payment method for the refund; the order's own if left out" jsonschema_extras:"available_from=get_order"`
}

type swapInput struct {
	OrderID    string   `json:"order_id" jsonschema_description:"The order's id" jsonschema_extras:"db_lookup=true,available_from=list_orders"`
	ItemIDs    []string `json:"item_ids" jsonschema_description:"The variant ids to give up" jsonschema_extras:"db_lookup=true,available_from=get_order"`
	NewItemIDs []string `json:"new_item_ids" jsonschema_description:"The variant ids to get instead, in the same order" jsonschema_extras:"db_lookup=true,available_from=get_product"`
}

func (s *shop) changeCommands() []*command.Command {
	orderAnd := func(fields ...string) map[string]lookup.Resolver {
		r := map[string]lookup.Resolver{"order_id": in(s.orderIDs)}
		for _, f := range fields {
			r[f] = in(s.variantIDs)
		}
		return r
	}
	changeAddress := command.Define(command.Spec[changeAddressInput]{
		Name:        "change_address",
		Description: "Changes where a pending order goes",
		Resolvers:   orderAnd(),
		Idempotent:  true,
		ValidateExtractedParameters: func(ctx context.Context, _ *command.Session, _ string, in *changeAddressInput) (bool, string) {
			command.Normalize(&in.Address.Country, strings.ToUpper)
			command.Normalize(&in.Address.Postcode, strings.TrimSpace, strings.ToUpper)
			return true, ""
		},
		Run: func(ctx context.Context, _ *command.Session, in *changeAddressInput) (command.Response, error) {
			if failed := s.withOrder(in.OrderID, func(o *order) string {
				if o.Status != "pending" {
					return notIn(o, "pending")
				}
				o.Address = in.Address
				return ""
			}); failed != "" {
				return command.Fail(failed), nil
			}
			return command.Say("Order " + in.OrderID + " now goes to " + in.Address.String() + "."), nil
		},
	})
	changeItems := command.Define(command.Spec[swapInput]{
		Name:                        "change_items",
		Description:                 "Changes items of a pending order to other finishes of the same products",
		Resolvers:                   orderAnd("item_ids", "new_item_ids"),
		ValidateExtractedParameters: s.checkSwap,
		Run:                         s.swap("pending", "changed"),
	})
	returnItems := command.Define(command.Spec[returnInput]{
		Name:        "return_items",
		Description: "Takes back items of a delivered order",
		Resolvers:   orderAnd("item_ids"),
		// Money goes out: where a model proposes it, a person agrees to each one.
		ApproveCalls: true,
		Run:          s.returnItems,
	})
	exchange := command.Define(command.Spec[swapInput]{
		Name:                        "exchange_items",
		Description:                 "Exchanges items of a delivered order for other finishes of the same products",
		Resolvers:                   orderAnd("item_ids", "new_item_ids"),
		ValidateExtractedParameters: s.checkSwap,
		Run:                         s.swap("delivered", "exchanged"),
	})
	return []*command.Command{changeAddress, changeItems, returnItems, exchange}
}

func notIn(o *order, status string) string {
	return fmt.Sprintf("order_id: order %s is %s, but must be %s. Find such orders with list_orders.", o.ID, o.Status, status)
}

// checkSwap is the rule across the fields of a change or an exchange: as many
// new items as old ones, each another finish of the same product.
func (s *shop) checkSwap(ctx context.Context, _ *command.Session, _ string, in *swapInput) (bool, string) {
	if len(in.ItemIDs) != len(in.NewItemIDs) {
		return false, fmt.Sprintf("item_ids, new_item_ids: %d items are given up, but %d are asked for; send as many new ids as old ones, in the same order.", len(in.ItemIDs), len(in.NewItemIDs))
	}
	var problems []string
	for i, old := range in.ItemIDs {
		next := in.NewItemIDs[i]
		switch {
		case old == next:
			problems = append(problems, fmt.Sprintf("new_item_ids: %s would be exchanged for itself; choose another finish with get_product.", old))
		case s.variantOf[old] != s.variantOf[next]:
			problems = append(problems, fmt.Sprintf("new_item_ids: %s is not a finish of %s, which %s is; see its finishes with get_product.", next, s.variantOf[old].Name, old))
		case !s.variants[next].InStock:
			problems = append(problems, fmt.Sprintf("new_item_ids: %s is out of stock; see what is in stock with get_product.", next))
		}
	}
	return command.Report(problems...)
}

func (s *shop) swap(status, done string) func(context.Context, *command.Session, *swapInput) (command.Response, error) {
	return func(ctx context.Context, _ *command.Session, in *swapInput) (command.Response, error) {
		difference := 0
		if failed := s.withOrder(in.OrderID, func(o *order) string {
			if o.Status != status {
				return notIn(o, status)
			}
			if text := o.itemsIn(in.ItemIDs); text != "" {
				return text
			}
			for i, old := range in.ItemIDs {
				for k := range o.Items {
					if item := &o.Items[k]; item.VariantID == old {
						next := s.variants[in.NewItemIDs[i]]
						difference += item.Quantity * (next.PriceCents - item.PriceCents)
						item.VariantID, item.Finish, item.PriceCents = next.ID, next.Finish, next.PriceCents
						break
					}
				}
			}
			return ""
		}); failed != "" {
			return command.Fail(failed), nil
		}
		text := fmt.Sprintf("%s in order %s: %s for %s.", strings.ToUpper(done[:1])+done[1:], in.OrderID, strings.Join(in.ItemIDs, ", "), strings.Join(in.NewItemIDs, ", "))
		switch {
		case difference > 0:
			text += " The customer pays " + money(difference) + " more."
		case difference < 0:
			text += " The customer gets " + money(-difference) + " back."
		}
		return command.Say(text), nil
	}
}

func (s *shop) returnItems(ctx context.Context, _ *command.Session, in *returnInput) (command.Response, error) {
	refund, to := 0, ""
	if failed := s.withOrder(in.OrderID, func(o *order) string {
		if o.Status != "delivered" {
			return notIn(o, "delivered")
		}
		if text := o.itemsIn(in.ItemIDs); text != "" {
			return text
		}
		to = o.Payment
		kept := o.Items[:0]
		for _, item := range o.Items {
			returned := false
			for _, id := range in.ItemIDs {
				returned = returned || id == item.VariantID
			}
			if returned {
				refund += item.Quantity * item.PriceCents
			} else {
				kept = append(kept, item)
			}
		}
		o.Items, o.Note = kept, "returned "+strings.Join(in.ItemIDs, ", ")
		return ""
	}); failed != "" {
		return command.Fail(failed), nil
	}
	if in.Refund != nil {
		to = *in.Refund
	}
	return command.Say(fmt.Sprintf("%s of order %s come back; %s goes to %s.", strings.Join(in.ItemIDs, ", "), in.OrderID, money(refund), to)), nil
}
