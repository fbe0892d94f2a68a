package desk

import (
	"embed"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/fwgo/fwgo/lookup"
)

//go:embed data/*.json
var data embed.FS

type address struct {
	Line1    string  `json:"line1" jsonschema_description:"Street and number" jsonschema:"minLength=3"`
	Line2    *string `json:"line2,omitempty" jsonschema_description:"Flat, floor or company"`
	City     string  `json:"city"`
	Postcode string  `json:"postcode" jsonschema_description:"Postal code as the country writes it"`
	Country  string  `json:"country" jsonschema:"pattern=^[A-Za-z]{2}$,example=SE" jsonschema_description:"ISO country code of two letters"`
}

type customer struct {
	ID      string  `json:"id"`
	Name    string  `json:"name"`
	Email   string  `json:"email"`
	Phone   string  `json:"phone"`
	Address address `json:"address"`
	Tier    string  `json:"tier"`
}

type orderItem struct {
	VariantID  string `json:"variant_id"`
	ProductID  string `json:"product_id"`
	Name       string `json:"name"`
	Finish     string `json:"finish"`
	Quantity   int    `json:"quantity"`
	PriceCents int    `json:"price_cents"`
}

type order struct {
	ID         string      `json:"id"`
	CustomerID string      `json:"customer_id"`
	Status     string      `json:"status"`
	Placed     string      `json:"placed"`
	Items      []orderItem `json:"items"`
	Payment    string      `json:"payment"`
	Address    address     `json:"address"`
	Note       string      `json:"note,omitempty"`
}

type variant struct {
	ID         string `json:"id"`
	Finish     string `json:"finish"`
	InStock    bool   `json:"in_stock"`
	PriceCents int    `json:"price_cents"`
}

type product struct {
	ID         string    `json:"id"`
	Name       string    `json:"name"`
	Category   string    `json:"category"`
	PriceCents int       `json:"price_cents"`
	Variants   []variant `json:"variants"`
}

// shop is the desk's live data. Customers and products stand; orders change.
type shop struct {
	customers []customer
	byName    map[string][]*customer
	byID      map[string]*customer
	products  []product
	variants  map[string]*variant
	variantOf map[string]*product

	names, ids, orderIDs, productNames, variantIDs *lookup.Set

	mu     sync.Mutex
	orders map[string]*order
	placed []string // order ids, oldest first
}

func openShop() (*shop, error) {
	s := &shop{
		byName: map[string][]*customer{}, byID: map[string]*customer{},
		variants: map[string]*variant{}, variantOf: map[string]*product{}, orders: map[string]*order{},
	}
	var orders []order
	for file, into := range map[string]any{"customers": &s.customers, "products": &s.products, "orders": &orders} {
		text, err := data.ReadFile("data/" + file + ".json")
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, into); err != nil {
			return nil, fmt.Errorf("%s.json: %w", file, err)
		}
	}
	var names, ids, orderIDs, productNames, variantIDs []string
	for i := range s.customers {
		c := &s.customers[i]
		s.byName[c.Name] = append(s.byName[c.Name], c)
		s.byID[c.ID] = c
		names, ids = append(names, c.Name), append(ids, c.ID)
	}
	for i := range s.products {
		p := &s.products[i]
		productNames = append(productNames, p.Name)
		for k := range p.Variants {
			v := &p.Variants[k]
			s.variants[v.ID], s.variantOf[v.ID] = v, p
			variantIDs = append(variantIDs, v.ID)
		}
	}
	for i := range orders {
		s.orders[orders[i].ID] = &orders[i]
		s.placed = append(s.placed, orders[i].ID)
		orderIDs = append(orderIDs, orders[i].ID)
	}
	sort.Strings(s.placed)
	s.names = lookup.Static("customer names", names...)
	s.ids = lookup.Static("customer ids", ids...)
	s.orderIDs = lookup.Static("order ids", orderIDs...)
	s.productNames = lookup.Static("product names", productNames...)
	s.variantIDs = lookup.Static("variant ids", variantIDs...)
	return s, nil
}

// ordersOf returns a customer's orders, newest first.
func (s *shop) ordersOf(customerID, status string, limit int) []order {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []order
	for i := len(s.placed) - 1; i >= 0 && len(found) < limit; i-- {
		o := s.orders[s.placed[i]]
		if o.CustomerID == customerID && (status == "" || o.Status == status) {
			found = append(found, *o)
		}
	}
	return found
}

// withOrder runs f on an order while nobody else changes it.
func (s *shop) withOrder(id string, f func(o *order) string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.orders[id]
	if o == nil {
		return fmt.Sprintf("order_id: there is no order %q. Get an order's id with list_orders.", id)
	}
	return f(o)
}

// itemsIn finds the variants among an order's items; the text names those
// that are not there.
func (o *order) itemsIn(variantIDs []string) (text string) {
	var have, missing []string
	for _, item := range o.Items {
		have = append(have, item.VariantID)
	}
	for _, id := range variantIDs {
		if !strings.Contains("\n"+strings.Join(have, "\n")+"\n", "\n"+id+"\n") {
			missing = append(missing, id)
		}
	}
	if missing == nil {
		return ""
	}
	return fmt.Sprintf("item_ids: order %s has no %s; its items are %s.", o.ID, strings.Join(missing, ", "), strings.Join(have, ", "))
}

func money(cents int) string { return fmt.Sprintf("%d.%02d EUR", cents/100, cents%100) }

func (a *address) String() string {
	parts := []string{a.Line1}
	if a.Line2 != nil && *a.Line2 != "" {
		parts = append(parts, *a.Line2)
	}
	return strings.Join(append(parts, a.Postcode+" "+a.City, a.Country), ", ")
}

func (o *order) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, placed %s, %s, paid with %s, to %s", o.ID, o.Placed, o.Status, o.Payment, &o.Address)
	for _, item := range o.Items {
		fmt.Fprintf(&b, "\n  %d x %s (%s, %s) at %s", item.Quantity, item.Name, item.Finish, item.VariantID, money(item.PriceCents))
	}
	if o.Note != "" {
		b.WriteString("\n  note: " + o.Note)
	}
	return b.String()
}

func (c *customer) String() string {
	return fmt.Sprintf("%s: %s, %s, %s, %s customer, lives at %s", c.ID, c.Name, c.Email, c.Phone, c.Tier, &c.Address)
}
