package store_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/fwgo/fwgo/store"
)

func Example() {
	ctx := context.Background()
	s := store.Memory()

	r := store.Record{Kind: "session", ID: "ada", Data: []byte(`{"turns":0}`)}
	if err := s.Save(ctx, &r); err != nil {
		panic(err)
	}

	// Two read the same version; the first to save wins.
	first, _ := s.Load(ctx, "session", "ada")
	second, _ := s.Load(ctx, "session", "ada")
	first.Data = []byte(`{"turns":1}`)
	fmt.Println(s.Save(ctx, &first))
	second.Data = []byte(`{"turns":99}`)
	err := s.Save(ctx, &second)
	fmt.Println(err, errors.Is(err, store.ErrConflict))

	r, _ = s.Load(ctx, "session", "ada")
	fmt.Println(string(r.Data))
	// Output:
	// <nil>
	// session "ada": changed in the store meanwhile true
	// {"turns":1}
}

// Old conversations are removed, but not one that was used since it was listed:
// its version has changed.
func Example_sweep() {
	ctx := context.Background()
	s := store.Memory()
	for _, id := range []string{"ada", "bob", "cyd"} {
		if err := s.Save(ctx, &store.Record{Kind: "session", ID: id}); err != nil {
			panic(err)
		}
	}

	q := store.Query{Kind: "session", Limit: 2}
	for {
		page, err := s.List(ctx, q)
		if err != nil {
			panic(err)
		}
		if len(page) == 0 {
			break
		}
		for _, r := range page {
			if r.ID == "bob" { // bob comes back at this very moment
				bob := r
				_ = s.Save(ctx, &bob)
			}
			fmt.Println(r.ID, s.Delete(ctx, r.Kind, r.ID, r.Version))
			q.After = r.ID
		}
	}
	// Output:
	// ada <nil>
	// bob session "bob": changed in the store meanwhile
	// cyd <nil>
}
