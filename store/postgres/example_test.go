package postgres_test

import (
	"context"
	"fmt"

	"github.com/fwgo/fwgo/store"
	"github.com/fwgo/fwgo/store/postgres"
)

func Example() {
	ctx := context.Background()
	s, err := postgres.Open(ctx, "postgres://desk@db.example.com/desk?search_path=fwgo", postgres.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()

	r := store.Record{Kind: "session", ID: "ada", Data: []byte(`{"turns":1}`)}
	if err := s.Save(ctx, &r); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("saved", r.ID, "as version", r.Version)
}
