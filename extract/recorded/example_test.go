package recorded_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/extract"
	"github.com/fwgo/fwgo/extract/recorded"
)

type booking struct {
	Room string `json:"room" jsonschema_description:"The room's name"`
	Days int    `json:"days" jsonschema:"minimum=1"`
}

// A workflow's test needs no model: what it would answer is recorded. The
// values pass the whole pipeline like any other.
func Example() {
	book := command.Define(command.Spec[booking]{
		Name: "book",
		Run: func(ctx context.Context, s *command.Session, in *booking) (command.Response, error) {
			return command.Say(fmt.Sprintf("%s is yours for %d days.", in.Room, in.Days)), nil
		},
	})
	model, err := recorded.New(recorded.Exchange{
		Command:   "book",
		Statement: "the blue room for a week please",
		Replies:   []recorded.Reply{recorded.Values(`{"room": "Blue", "days": "7"}`)},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	w := command.MustNew(command.Options{Name: "hotel", Extractor: model}, book)
	fmt.Println(w.NewSession().Call(context.Background(), "book the blue room for a week please").Text())
	fmt.Println(len(model.Asked()), "question, about", model.Asked()[0].Command)
	// Output:
	// Blue is yours for 7 days.
	// 1 question, about book
}

// A recording can be a file, and can fail in every way a model can.
func ExampleRead() {
	model, err := recorded.Read(strings.NewReader(`
		{"command": "book", "statement": "the usual", "replies": [{"values": {"room": "Blue", "days": 2}}]}
		{"command": "book", "statement": "*", "replies": [{"fail": "rate_limited", "detail": "status 429"}]}
	`))
	if err != nil {
		fmt.Println(err)
		return
	}
	values, err := model.Extract(context.Background(), &command.Extraction{Command: "book", Statement: "the usual"})
	fmt.Println(string(values), err)
	_, err = model.Extract(context.Background(), &command.Extraction{Command: "book", Statement: "something quiet"})
	fmt.Println(err.(*extract.Error).Kind)
	// Output:
	// {"room": "Blue", "days": 2} <nil>
	// rate_limited
}
