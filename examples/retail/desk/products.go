package desk

import (
	"context"
	"fmt"
	"strings"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/lookup"
)

type listProductsInput struct {
	Category *string  `json:"category,omitempty" jsonschema:"enum=lighting,enum=furniture,enum=kitchen,enum=textiles,enum=garden,enum=storage"`
	MaxPrice *float64 `json:"max_price,omitempty" jsonschema:"minimum=0" jsonschema_description:"In EUR"`
	InStock  bool     `json:"in_stock,omitempty" jsonschema:"default=false" jsonschema_description:"Only what can be sent today"`
}

type productInput struct {
	Product string `json:"product" jsonschema_description:"The product's name" jsonschema:"example=Oak Desk Lamp" jsonschema_extras:"positional=true,db_lookup=true,available_from=list_products"`
}

func (s *shop) productCommands() []*command.Command {
	list := command.Define(command.Spec[listProductsInput]{
		Name:        "list_products",
		Description: "Lists products with their prices",
		Utterances:  []string{"what lamps do you have"},
		ReadOnly:    true,
		Run: func(ctx context.Context, _ *command.Session, in *listProductsInput) (command.Response, error) {
			var lines []string
			for i := range s.products {
				p := &s.products[i]
				if in.Category != nil && p.Category != *in.Category || in.MaxPrice != nil && float64(p.PriceCents) > *in.MaxPrice*100 || in.InStock && !p.inStock() {
					continue
				}
				lines = append(lines, fmt.Sprintf("%s, from %s (%s)", p.Name, money(p.PriceCents), p.Category))
			}
			if lines == nil {
				return command.Say("No product is like that."), nil
			}
			return command.Say(strings.Join(lines, "\n")), nil
		},
	})
	get := command.Define(command.Spec[productInput]{
		Name:        "get_product",
		Description: "Shows a product's finishes with ids, prices and stock",
		Resolvers:   map[string]lookup.Resolver{"product": in(s.productNames)},
		ReadOnly:    true,
		Run: func(ctx context.Context, _ *command.Session, in *productInput) (command.Response, error) {
			for i := range s.products {
				if p := &s.products[i]; p.Name == in.Product {
					return command.Say(p.String()), nil
				}
			}
			return command.Fail("product: there is no " + in.Product + "."), nil
		},
	})
	return []*command.Command{list, get}
}

func (p *product) inStock() bool {
	for _, v := range p.Variants {
		if v.InStock {
			return true
		}
	}
	return false
}

func (p *product) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s, %s)", p.Name, p.ID, p.Category)
	for _, v := range p.Variants {
		stock := "in stock"
		if !v.InStock {
			stock = "out of stock"
		}
		fmt.Fprintf(&b, "\n  %s: %s, %s, %s", v.ID, v.Finish, money(v.PriceCents), stock)
	}
	return b.String()
}
