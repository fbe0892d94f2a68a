package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/fwgo/fwgo/agentmode"
	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/normalize"
	"github.com/fwgo/fwgo/signature"
	"github.com/fwgo/fwgo/validate"
)

// The names of rows that the ratios are about.
const (
	DoRow     = "fwgo: Session.Do, the whole pipeline"
	InputRow  = "fwgo: from the bytes to a checked Input, without session and body"
	StagesRow = "fwgo: Session.Do by the stages: the same call, one letter written as an escape"
	TextRow   = "fwgo: Session.Call with tags"
	FailRow   = "fwgo: two bad values and a lookup's near miss, with suggestions, in one message"
	textCall  = `place_order ` + textTags
	textTags  = `<order_id>ORD-123456</order_id> <note>leave at the back door</note> <qty>3</qty> <price>19.99</price> <status>pending</status> <tags>["gift","fragile","express"]</tags>`
	pairsCall = `place_order order_id=ORD-123456, note="leave at the back door", qty=3, price=19.99, status=pending, tags="gift, fragile, express"`
)

// placeOrder is the command that every row of fwgo calls. Its body does
// nothing, so that a row is the pipeline and nothing beside it.
func placeOrder() *command.Command {
	return command.Define(command.Spec[order]{
		Name: "place_order",
		Run: func(context.Context, *command.Session, *order) (command.Response, error) {
			return command.Say(""), nil
		},
	})
}

// soughtOrder is order with a parameter that is looked up.
type soughtOrder struct {
	OrderID string   `json:"order_id" jsonschema:"pattern=^ORD-[0-9]{6}$" jsonschema_extras:"db_lookup=true" validate:"required"`
	Note    string   `json:"note" jsonschema:"maxLength=200" validate:"max=200"`
	Qty     int      `json:"qty" jsonschema:"minimum=1,maximum=100" validate:"min=1,max=100"`
	Price   float64  `json:"price" jsonschema:"minimum=0" validate:"gte=0"`
	Status  string   `json:"status" jsonschema:"enum=pending,enum=shipped,enum=cancelled" validate:"oneof=pending shipped cancelled"`
	Tags    []string `json:"tags" validate:"required"`
}

// seekOrder looks order_id up in this many keys.
const soughtKeys = 20

func seekOrder() *command.Command {
	keys := make([]string, soughtKeys)
	for i := range keys {
		keys[i] = fmt.Sprintf("ORD-%06d", 123456+1111*i)
	}
	return command.Define(command.Spec[soughtOrder]{
		Name:      "place_order",
		Resolvers: map[string]lookup.Resolver{"order_id": lookup.From(lookup.Static("orders", keys...), lookup.Options{})},
		Run: func(context.Context, *command.Session, *soughtOrder) (command.Response, error) {
			return command.Say(""), nil
		},
	})
}

// ran reports how an outcome differs from the call that was meant.
func ran(o *command.Outcome) error {
	if !o.Ran() {
		return fmt.Errorf("did not run: %s", o.Text())
	}
	switch in := o.Input.(type) {
	case *order:
		return differs(*in)
	case *soughtOrder:
		return differs(order(*in))
	case *signature.Record:
		text, err := json.Marshal(in)
		if err != nil {
			return err
		}
		var read order
		if err := json.Unmarshal(text, &read); err != nil {
			return err
		}
		return differs(read)
	}
	return fmt.Errorf("ran with a %T", o.Input)
}

// running makes the row of a call that must run as it was meant.
func running(group Group, name string, call func() *command.Outcome) Row {
	return Row{
		Group: group,
		Name:  name,
		Call: func() {
			if !call().Ran() {
				panic(name)
			}
		},
		Prove: func() error { return ran(call()) },
	}
}

// formRows are the ways in which one call can be written.
func formRows() []Row {
	ctx := context.Background()
	session := command.MustNew(command.Options{Name: "bench"}, placeOrder()).NewSession()
	seeking := command.MustNew(command.Options{Name: "bench"}, seekOrder()).NewSession()
	schema := strings.Replace(orderSchema, `{`, `{"title":"place_order",`, 1)
	schemaOnly := command.MustNew(command.Options{Name: "bench"}, command.Define(command.Spec[signature.Record]{
		Name: "place_order", Schema: []byte(schema),
		Run: func(context.Context, *command.Session, *signature.Record) (command.Response, error) {
			return command.Say(""), nil
		},
	})).NewSession()
	action := command.Action{CommandName: "place_order", Parameters: json.RawMessage(payload)}
	escaped := action
	escaped.Parameters = json.RawMessage(strings.Replace(payload, `"order_id"`, `"\u006frder_id"`, 1))
	loose := action
	loose.Parameters = json.RawMessage(`{"order_id":" ORD-123456 ","note":"leave at the back door","qty":"3","price":"19.99","status":"Pending","tags":"[\"gift\",\"fragile\",\"express\"]"}`)
	return []Row{
		running(Arguments, DoRow, func() *command.Outcome { return session.Do(ctx, action) }),
		inputRow(),
		running(Arguments, StagesRow, func() *command.Outcome { return session.Do(ctx, escaped) }),
		running(Texts, TextRow, func() *command.Outcome { return session.Call(ctx, textCall) }),
		running(Texts, "fwgo: Session.Call with name=value pairs", func() *command.Outcome { return session.Call(ctx, pairsCall) }),
		running(Texts, "fwgo: Session.Call with one JSON object", func() *command.Outcome { return session.Call(ctx, "place_order "+payload) }),
		running(Texts, "fwgo: Session.Do where every value needs repair", func() *command.Outcome { return session.Do(ctx, loose) }),
		running(Texts, "fwgo: Session.Do on a command made from a schema", func() *command.Outcome { return schemaOnly.Do(ctx, action) }),
		running(Texts, fmt.Sprintf("fwgo: Session.Do with one value looked up in %d keys", soughtKeys), func() *command.Outcome { return seeking.Do(ctx, action) }),
	}
}

// failureRows are calls that come back as a message. Each row takes turns
// between two calls, since a call that fails the same way again is rendered
// twice for its firmer text.
func failureRows() []Row {
	ctx := context.Background()
	plain := command.MustNew(command.Options{Name: "bench"}, placeOrder()).NewSession()
	collecting := command.MustNew(command.Options{Name: "bench", Collect: true}, seekOrder()).NewSession()
	bad := func(id, qty, status string) command.Action {
		text := strings.NewReplacer("ORD-123456", id, `"qty":3`, `"qty":`+qty, "pending", status).Replace(payload)
		return command.Action{CommandName: "place_order", Parameters: json.RawMessage(text)}
	}
	failing := func(name string, session *command.Session, calls [2]command.Action, mentions ...string) Row {
		turn := 0
		call := func() *command.Outcome {
			turn ^= 1
			return session.Do(ctx, calls[turn])
		}
		return Row{
			Group: Failures,
			Name:  name,
			Call: func() {
				if call().Ran() {
					panic(name)
				}
			},
			Prove: func() error {
				o := call()
				if o.Ran() {
					return errors.New("it ran")
				}
				for _, word := range mentions {
					if !strings.Contains(o.Text(), word) {
						return fmt.Errorf("the message does not mention %q: %s", word, o.Text())
					}
				}
				return nil
			},
		}
	}
	sdk := newSDKServer()
	sdk.addOrder(new(plainOrder))
	sdkBad := json.RawMessage(bad("ORD-123456", "500", "pendng").Parameters)
	return []Row{
		failing("fwgo: one bad value, with a suggestion", plain,
			[2]command.Action{bad("ORD-123456", "3", "pendng"), bad("ORD-123456", "3", "shiped")}, "status", "pending", "shipped"),
		failing(FailRow, collecting,
			[2]command.Action{bad("ORD-123457", "500", "pendng"), bad("ORD-123458", "501", "pendng")},
			"order_id", "ORD-123456", "qty", "100", "status", "pending"),
		{
			Group: Failures,
			Name:  "go-sdk typed tool: two bad values, of which it reports one",
			Call: func() {
				if sdk.call("order", sdkBad) == "" {
					panic("go-sdk")
				}
			},
			Prove: func() error {
				if sdk.call("order", sdkBad) == "" {
					return errors.New("it ran")
				}
				return nil
			},
		},
	}
}

// inputRow does what json.Unmarshal and a validator do, and what they leave
// undone: repairs, unknown and missing names.
func inputRow() Row {
	sig, err := signature.For[order](signature.TypeOptions{})
	if err != nil {
		panic(err)
	}
	stages, err := validate.New(sig, validate.Options{Command: "place_order"})
	if err != nil {
		panic(err)
	}
	repair, err := normalize.Compile(sig.Schema(), normalize.Options{Nested: true, KeepNonCharacters: true})
	if err != nil {
		panic(err)
	}
	ctx, limits := context.Background(), jsontree.Limits{Bytes: command.DefaultMaxBytes}
	read := func(arguments []byte) (*order, bool) {
		v := stages.Begin()
		defer v.Release()
		text := string(arguments)
		if !v.Direct(text, limits) {
			doc, fault := jsontree.Parse(text, limits, v.Arena())
			if fault != nil {
				return nil, false
			}
			repair.Tree(&doc, v.Arena())
			v.Load(&doc.Root)
		}
		report := v.Run(ctx)
		return v.Input().(*order), report.OK()
	}
	text := []byte(payload)
	return Row{
		Group: Arguments,
		Name:  InputRow,
		Call: func() {
			if _, ok := read(text); !ok {
				panic(InputRow)
			}
		},
		Prove: func() error {
			in, ok := read(text)
			if !ok {
				return errors.New("refused")
			}
			if _, ok := read([]byte(strings.Replace(payload, `"qty":3`, `"qty":300`, 1))); ok {
				return errors.New("accepts 300 for qty")
			}
			return differs(*in)
		},
	}
}

// pipelineRows are the rooms of the pipeline one by one, on the same call, as
// one goes through them that is not read directly.
func pipelineRows() []Row {
	ctx := context.Background()
	sig, err := signature.For[order](signature.TypeOptions{})
	if err != nil {
		panic(err)
	}
	stages, err := validate.New(sig, validate.Options{Command: "place_order"})
	if err != nil {
		panic(err)
	}
	repair, err := normalize.Compile(sig.Schema(), normalize.Options{Nested: true, KeepNonCharacters: true})
	if err != nil {
		panic(err)
	}
	var arena jsontree.Arena
	text := []byte(payload)
	doc, fault := jsontree.Parse(payload, jsontree.Limits{}, nil)
	if fault != nil {
		panic(fault.Kind)
	}
	var kept *order
	check := func() bool {
		v := stages.Begin()
		defer v.Release()
		v.Load(&doc.Root)
		report := v.Run(ctx)
		kept = v.Input().(*order)
		return report.OK()
	}
	return []Row{
		{
			Group: Stages,
			Name:  "fwgo: read the document into a tree",
			Call: func() {
				arena.Reset()
				if _, fault := jsontree.Parse(payload, jsontree.Limits{}, &arena); fault != nil {
					panic(fault.Kind)
				}
			},
			Prove: func() error {
				if len(doc.Root.Members) != 6 {
					return fmt.Errorf("%d members", len(doc.Root.Members))
				}
				return nil
			},
		},
		{
			Group: Stages,
			Name:  "fwgo: read and normalize (normalize.Arguments)",
			Call: func() {
				if _, err := repair.Arguments(text); err != nil {
					panic(err)
				}
			},
			Prove: func() error {
				r, err := repair.Arguments(text)
				if err == nil && string(r.Arguments) != payload {
					err = fmt.Errorf("became %s", r.Arguments)
				}
				return err
			},
		},
		{
			Group: Stages,
			Name:  "fwgo: stages 1 to 4 and filling the struct (validate), the tree given",
			Call: func() {
				if !check() {
					panic("validate")
				}
			},
			Prove: func() error {
				if !check() {
					return errors.New("refused")
				}
				return differs(*kept)
			},
		},
		{
			Group: Stages,
			Name:  "fwgo: bind the tags of a text call (agentmode)",
			Call: func() {
				if agentmode.Bind(sig, textCall, "place_order", "place_order").Outcome != agentmode.Bound {
					panic("agentmode")
				}
			},
			Prove: func() error {
				if b := agentmode.Bind(sig, textCall, "place_order", "place_order"); b.Outcome != agentmode.Bound || len(b.Values) != 6 {
					return fmt.Errorf("bound as %+v", b)
				}
				return nil
			},
		},
	}
}
