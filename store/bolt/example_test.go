package bolt_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fwgo/fwgo/store"
	"github.com/fwgo/fwgo/store/bolt"
)

func Example() {
	folder, err := os.MkdirTemp("", "desk")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "desk.db")

	s, err := bolt.Open(path, bolt.Options{})
	if err != nil {
		panic(err)
	}
	r := store.Record{Kind: "session", ID: "ada", Data: []byte(`{"turns":1}`)}
	fmt.Println(s.Save(context.Background(), &r), s.Close())

	// Another process, another day.
	s, err = bolt.Open(path, bolt.Options{})
	if err != nil {
		panic(err)
	}
	defer s.Close()
	r, err = s.Load(context.Background(), "session", "ada")
	fmt.Println(string(r.Data), err)
	// Output:
	// <nil> <nil>
	// {"turns":1} <nil>
}
