package lookup_test

import (
	"context"
	"fmt"

	"github.com/fwgo/fwgo/lookup"
)

func ExampleMatch() {
	people := []string{"Bob Smith", "Al Smith", "Zoë Garrison"}
	for _, value := range []string{"bob_smith", "garrison", "Zoe Garison", "smith", "Xavier"} {
		r := lookup.Match(value, people, lookup.Options{Open: true})
		fmt.Printf("%s: %v %q %q\n", value, r.Verdict, r.Match, r.Suggestions)
	}
	// Output:
	// bob_smith: applied "Bob Smith" []
	// garrison: applied "Zoë Garrison" []
	// Zoe Garison: applied "Zoë Garrison" []
	// smith: rejected "" ["Bob Smith" "Al Smith"]
	// Xavier: declined "" []
}

func ExampleStatic() {
	views := lookup.Static("list_views", "render_preview")
	resolver := lookup.From(views, lookup.Options{})

	views.Add("list_fonts") // seen by the very next call
	r, err := resolver.Resolve(context.Background(), "list_fnts")
	fmt.Println(r.Verdict, r.Match, err)
	// Output: applied list_fonts <nil>
}

// orders is a source that keeps its keys elsewhere, and knows when they change.
type orders struct{ loaded int }

func (*orders) Name() string { return "list_orders" }

func (o *orders) Load(_ context.Context, have string) ([]string, string, error) {
	const etag = "2026-11-29"
	if have == etag {
		return nil, etag, nil
	}
	o.loaded++
	return []string{"#W1234567", "#W7654321"}, etag, nil
}

func ExampleFrom() {
	src := &orders{}
	resolver := lookup.From(src, lookup.Options{})
	for _, value := range []string{"W1234567", "#W1234568", "W7654321"} {
		r, err := resolver.Resolve(context.Background(), value)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(value, r.Verdict, r.Match, r.Suggestions)
	}
	fmt.Println("keys sent:", src.loaded)
	// Output:
	// W1234567 applied #W1234567 []
	// #W1234568 rejected  [#W1234567]
	// W7654321 applied #W7654321 []
	// keys sent: 1
}
