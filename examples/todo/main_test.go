package main

import (
	"context"
	"testing"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/store"
)

// Each turn is asked of a new keeper, as if the program had been started anew
// in between.
func TestAListSurvivesEveryTurn(t *testing.T) {
	st := store.Memory()
	for _, turn := range [][2]string{
		{"add", ""},
		{`pack, "tea, coffee and mugs"`, "1. pack is added to everything."},
		{"add title=shop", ""},
		{"milk", "2. shop is added to everything."},
		{"open 7", ""},
		{"1", "Now in pack."},
		{"add title=mugs note='the blue ones'", "1. mugs is added to pack."},
		{"done 1", "mugs is done."},
		{"show", "pack:\n1. [x] mugs (the blue ones)"},
		{"go up", "Context is now 'everything' From here, use one of: add, done, open, show"},
		{"show", "everything:\n1. [ ] pack (tea, coffee and mugs)\n2. [ ] shop (milk)"},
	} {
		k := command.Keep(workflow(), st, command.SessionOptions{Human: true})
		o, err := k.Call(context.Background(), "mine", turn[0])
		if err != nil {
			t.Fatalf("%s: %v", turn[0], err)
		}
		if turn[1] == "" && o.Ran() || turn[1] != "" && o.Text() != turn[1] {
			t.Errorf("%s is answered %q, want %q", turn[0], o.Text(), turn[1])
		}
	}
}
