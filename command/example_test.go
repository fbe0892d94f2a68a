package command_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/signature"
	"github.com/fwgo/fwgo/store"
)

type greeting struct {
	Name string `json:"name" jsonschema_description:"Who to greet" jsonschema_extras:"positional=true"`
}

// A command is a struct of parameters and a body. New reports every author
// mistake; after it, calls only ever get answers.
func ExampleDefine() {
	greet := command.Define(command.Spec[greeting]{
		Name:        "greet",
		Description: "Greets a person by name",
		Run: func(ctx context.Context, s *command.Session, in *greeting) (command.Response, error) {
			return command.Say("Hello, " + in.Name + "!"), nil
		},
	})
	w, err := command.New(command.Options{Name: "hello"}, greet)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.NewSession().Call(context.Background(), "greet Ada Lindqvist").Text())
	// Output: Hello, Ada Lindqvist!
}

type trip struct {
	Begin string `json:"begin" jsonschema:"format=date"`
	End   string `json:"end" jsonschema:"format=date"`
	Code  string `json:"code,omitempty" jsonschema:"default=se"`
}

// A hook sees the whole call after every field is known to be present and of
// its type. It normalizes what can mean only one thing, and reports the rest
// with the names of the fields first.
func ExampleSpec_hook() {
	book := command.Define(command.Spec[trip]{
		Name: "book",
		ValidateExtractedParameters: func(ctx context.Context, s *command.Session, name string, in *trip) (bool, string) {
			command.Normalize(&in.Code, command.Prefixed("eu-"))
			return command.Report(command.InOrder("begin", in.Begin, "end", in.End))
		},
		Run: func(ctx context.Context, s *command.Session, in *trip) (command.Response, error) {
			return command.Say("Booked in " + in.Code + "."), nil
		},
	})
	s := command.MustNew(command.Options{Name: "trips"}, book).NewSession()
	fmt.Println(s.Call(context.Background(), "book begin=2026-05-01 end=2026-05-04").Text())
	fmt.Println(s.Call(context.Background(), "book begin=2026-05-04 end=2026-05-01").Text())
	// Output:
	// Booked in eu-se.
	// PARAMETER EXTRACTION ERROR FOR COMMAND 'book'
	// begin, end: begin "2026-05-04" comes after end "2026-05-01"; send them in order.
	// Check your command name if the wrong command was executed.
	// Send book again, complete, with begin and end corrected.
}

type person struct {
	Who string `json:"who" jsonschema_extras:"db_lookup=true,available_from=list_people"`
}

// A field that declares db_lookup is resolved against live data: a slip is
// put right, and what could mean several is offered, never guessed.
func ExampleSpec_lookup() {
	people := lookup.Static("people", "Ada Lindqvist", "John Smith", "Joan Smith")
	show := command.Define(command.Spec[person]{
		Name:      "show",
		Resolvers: map[string]lookup.Resolver{"who": lookup.From(people, lookup.Options{})},
		Run: func(ctx context.Context, s *command.Session, in *person) (command.Response, error) {
			return command.Say("This is " + in.Who + "."), nil
		},
	})
	list := command.Define(command.Spec[struct{}]{
		Name: "list_people",
		Run: func(ctx context.Context, s *command.Session, _ *struct{}) (command.Response, error) {
			return command.Say("Ada Lindqvist, John Smith, Joan Smith"), nil
		},
	})
	s := command.MustNew(command.Options{Name: "people"}, show, list).NewSession()
	fmt.Println(s.Call(context.Background(), "show who='ada lindqist'").Text())
	fmt.Println(s.Call(context.Background(), "show who='Jon Smith'").Text())
	// Output:
	// This is Ada Lindqvist.
	// PARAMETER EXTRACTION ERROR FOR COMMAND 'show'
	// who: got "Jon Smith", which is not one of the known values. Did you mean one of these: "John Smith", "Joan Smith"? Get a value with list_people.
	// Check your command name if the wrong command was executed.
	// Send show again, complete, with who corrected.
}

// A direct action names its command and brings its parameters as JSON. The
// same stages run as for a text.
func ExampleSession_Do() {
	type limits struct {
		Limit int      `json:"limit" jsonschema:"minimum=1,maximum=100"`
		Tags  []string `json:"tags,omitempty"`
	}
	set := command.Define(command.Spec[limits]{
		Name: "set_limit",
		Run: func(ctx context.Context, s *command.Session, in *limits) (command.Response, error) {
			return command.Say(fmt.Sprint(in.Limit, in.Tags)), nil
		},
	})
	s := command.MustNew(command.Options{Name: "limits"}, set).NewSession()
	o := s.Do(context.Background(), command.Action{
		CommandName: "set_limit",
		Parameters:  json.RawMessage(`{"limit": "20.0", "tags": "[\"a &amp; b\"]"}`),
	})
	fmt.Println(o.Text())
	for _, r := range o.Repairs {
		fmt.Println("repaired:", r.Path, r.Kind)
	}
	// Output:
	// 20 [a & b]
	// repaired: tags json
	// repaired: tags[0] references
}

// A text call is a command's name and its parameters as tags, as name=value
// pairs, as one JSON object, or as a single value where that is clear.
func ExampleSession_Call() {
	s := command.MustNew(command.Options{Name: "hello"}, command.Define(command.Spec[greeting]{
		Name: "greet",
		Run: func(ctx context.Context, s *command.Session, in *greeting) (command.Response, error) {
			return command.Say("Hello, " + in.Name + "!"), nil
		},
	})).NewSession()
	for _, text := range []string{"greet <name>Ada</name>", "greet name=Ada", `greet {"name": "Ada"}`, "greet Ada", "greet nam=Ada"} {
		o := s.Call(context.Background(), text)
		if o.Ran() {
			fmt.Println(o.Text())
			continue
		}
		for _, p := range o.Problems {
			fmt.Println(p.Field, p.Kind, p.Nearest)
		}
	}
	// Output:
	// Hello, Ada!
	// Hello, Ada!
	// Hello, Ada!
	// Hello, Ada!
	// nam unknown_name [name]
}

// A command can be made from a JSON schema alone, for a body that lives
// elsewhere. Its Input keeps order and every digit.
func ExampleSpec_schema() {
	relay := command.Define(command.Spec[signature.Record]{
		Name:   "relay",
		Schema: []byte(`{"type": "object", "properties": {"id": {"type": "integer"}, "note": {"type": "string"}}, "required": ["id"]}`),
		Run: func(ctx context.Context, s *command.Session, in *signature.Record) (command.Response, error) {
			text, err := in.MarshalJSON()
			return command.Say(string(text)), err
		},
	})
	s := command.MustNew(command.Options{Name: "relay"}, relay).NewSession()
	fmt.Println(s.Call(context.Background(), "relay id=9007199254740993 note='it is late'").Text())
	// Output: {"id":9007199254740993,"note":"it is late"}
}

// A confirmation: the gate is shown what the body would see, after repairs and
// look-ups, and what it lets through is what runs.
func ExampleSession_DoGated() {
	type refund struct {
		Order  string `json:"order"`
		Amount int    `json:"amount" jsonschema:"minimum=1"`
	}
	w := command.MustNew(command.Options{Name: "orders"}, command.Define(command.Spec[refund]{
		Name:        "refund",
		Destructive: true,
		Run: func(ctx context.Context, s *command.Session, in *refund) (command.Response, error) {
			return command.Say(fmt.Sprintf("%d EUR are paid back for %s.", in.Amount, in.Order)), nil
		},
	}))
	s := w.NewSession()
	action := command.Action{CommandName: "refund", Parameters: json.RawMessage(`{"order": "R1000", "amount": "40"}`)}

	// The first call only finds out what would run.
	var asked refund
	o := s.DoGated(context.Background(), action, func(input any) bool {
		asked = *input.(*refund)
		return false
	})
	if !o.Held() {
		fmt.Println(o.Text()) // it would not run in any case
		return
	}
	fmt.Printf("Pay back %d EUR for %s?\n", asked.Amount, asked.Order)

	// The user said yes: exactly that runs, or nothing.
	o = s.DoGated(context.Background(), action, func(input any) bool { return *input.(*refund) == asked })
	fmt.Println(o.Text())
	// Output:
	// Pay back 40 EUR for R1000?
	// 40 EUR are paid back for R1000.
}

// A Keeper keeps the sessions of many callers by id. In a program the store is
// one that outlives the process, such as bolt.Open("desk.db", bolt.Options{}).
func ExampleKeep() {
	count := command.Define(command.Spec[struct{}]{
		Name: "count",
		Run: func(ctx context.Context, s *command.Session, _ *struct{}) (command.Response, error) {
			n, _ := command.Value[int](s, "calls")
			s.Set("calls", n+1)
			return command.Say(fmt.Sprint(n + 1)), nil
		},
	})
	w := command.MustNew(command.Options{Name: "counter"}, count)
	st := store.Memory()
	for _, id := range []string{"ada", "bob", "ada"} {
		// Each Keeper stands for a process of its own.
		o, err := command.Keep(w, st).Call(context.Background(), id, "count")
		if err != nil {
			fmt.Println(err) // the call is not acknowledged
			return
		}
		fmt.Println(id, o.Text())
	}
	// Output:
	// ada 1
	// bob 1
	// ada 2
}
