package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/mcp"
	"github.com/fwgo/fwgo/signature"
)

// A user answers one question after the other.
type user struct {
	asked   []*sdk.ElicitParams
	answers []*sdk.ElicitResult
}

func (u *user) options() *sdk.ClientOptions {
	return &sdk.ClientOptions{ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		u.asked = append(u.asked, r.Params)
		if len(u.asked) > len(u.answers) {
			return nil, errors.New("asked too often")
		}
		return u.answers[len(u.asked)-1], nil
	}}
}

func accept(content map[string]any) *sdk.ElicitResult {
	return &sdk.ElicitResult{Action: "accept", Content: content}
}

func TestTheUserIsAskedForWhatIsMissing(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		u := &user{answers: []*sdk.ElicitResult{accept(map[string]any{"seats": 2, "class": "second"})}}
		c := w.connect(t, serverOf(t, mcp.Options{}), u.options())
		r := call(t, c, "book", `{ "city" : "a &amp;&amp; b", "class": null, "extra":["x"]}`)
		if r.IsError || text(r) != "booked a && b 2 second x none" {
			t.Errorf("error %v, %q", r.IsError, text(r))
		}
		if len(u.asked) != 1 || !strings.Contains(u.asked[0].Message, "book needs a value for seats and class.") {
			t.Fatalf("asked %d times: %q", len(u.asked), u.asked[0].Message)
		}
		got, _ := json.Marshal(u.asked[0].RequestedSchema)
		want := `{"properties":{"class":{"enum":["first","second"],"title":"Class","type":"string"},` +
			`"seats":{"description":"How many; a whole number (integer) of at least 1","title":"Seats","type":"integer"}},"required":["seats","class"],"type":"object"}`
		if string(got) != want {
			t.Errorf("the form is\n%s, want\n%s", got, want)
		}
	})
}

func TestWithoutAUserToAskTheTextSaysWhatIsMissing(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		c := w.connect(t, serverOf(t, mcp.Options{}), nil)
		if r := call(t, c, "book", `{"city":"Oslo"}`); !r.IsError || !strings.Contains(text(r), "seats") || !strings.Contains(text(r), "class") {
			t.Errorf("error %v, %q", r.IsError, text(r))
		}
	})
}

func TestNobodyIsAskedForWhatTheCallerCanPutRight(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		u := &user{}
		c := w.connect(t, serverOf(t, mcp.Options{}), u.options())
		for name, arguments := range map[string]string{"book": `{"city":"Oslo","seats":0,"class":"first"}`, "note": `{"txt":"a"}`, "move": `{}`} {
			if r := call(t, c, name, arguments); !r.IsError || len(u.asked) != 0 {
				t.Errorf("%s %s: error %v, asked %d times", name, arguments, r.IsError, len(u.asked))
			}
		}
	})
}

func TestAUserWhoDoesNotAnswerEndsTheCallWithTheText(t *testing.T) {
	for action, want := range map[string]string{"decline": "declined to answer", "cancel": "did not answer"} {
		eachWay(t, func(t *testing.T, w way) {
			u := &user{answers: []*sdk.ElicitResult{{Action: action}}}
			c := w.connect(t, serverOf(t, mcp.Options{}), u.options())
			r := call(t, c, "book", `{"city":"Oslo","seats":1}`)
			data, _ := json.Marshal(r.StructuredContent)
			if !r.IsError || !strings.Contains(text(r), want) || !strings.Contains(text(r), "class") || strings.Contains(text(r), "already refused") {
				t.Errorf("error %v, %q", r.IsError, text(r))
			}
			if !strings.Contains(string(data), want) || !strings.Contains(string(data), `"kind":"missing"`) {
				t.Errorf("the data is %s", data)
			}
		})
	}
}

func TestAnAnswerGoesThroughTheWholePipelineAndIsAskedForAgainAFewTimes(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		u := &user{answers: []*sdk.ElicitResult{
			accept(map[string]any{"city": "Oslo", "class": "first"}),
		}}
		c := w.connect(t, serverOf(t, mcp.Options{}), u.options())
		if r := call(t, c, "book", `{"seats":"2"}`); r.IsError || text(r) != "booked Oslo 2 first  none" || len(u.asked) != 1 {
			t.Errorf("error %v, %q, asked %d times", r.IsError, text(r), len(u.asked))
		}
	})
	eachWay(t, func(t *testing.T, w way) {
		zero := accept(map[string]any{"seats": 0})
		u := &user{answers: []*sdk.ElicitResult{zero, zero, zero, zero}}
		c := w.connect(t, serverOf(t, mcp.Options{}), u.options())
		if r := call(t, c, "book", `{"city":"Oslo","class":"first"}`); !r.IsError || !strings.Contains(text(r), "got 0") || len(u.asked) != 3 {
			t.Errorf("error %v, %q, asked %d times", r.IsError, text(r), len(u.asked))
		}
	})
}

func TestAWrongAnswerIsAskedForAgainWithWhatIsWrongWithIt(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		u := &user{answers: []*sdk.ElicitResult{accept(map[string]any{"seats": 0}), accept(map[string]any{"seats": 3})}}
		c := w.connect(t, serverOf(t, mcp.Options{}), u.options())
		if r := call(t, c, "book", `{"city":"Oslo","class":"first"}`); r.IsError || text(r) != "booked Oslo 3 first  none" {
			t.Errorf("error %v, %q", r.IsError, text(r))
		}
		if len(u.asked) != 2 || !strings.Contains(u.asked[1].Message, "another value for seats") || !strings.Contains(u.asked[1].Message, "got 0") {
			t.Errorf("asked %+v", u.asked)
		}
	})
}

func TestAWholeNumberThatAFormCannotHoldIsNeverRounded(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		for _, n := range []any{int64(9007199254740993), int64(9007199254740992), int64(-9007199254740993), 1e300} {
			u := &user{answers: []*sdk.ElicitResult{accept(map[string]any{"seats": n})}}
			c := w.connect(t, serverOf(t, mcp.Options{}), u.options())
			if r := call(t, c, "book", `{"city":"Oslo","class":"first"}`); !r.IsError || !strings.Contains(text(r), "number as text") {
				t.Errorf("%v: error %v, %q", n, r.IsError, text(r))
			}
		}
		u := &user{answers: []*sdk.ElicitResult{accept(map[string]any{"seats": int64(9007199254740991)})}}
		c := w.connect(t, serverOf(t, mcp.Options{}), u.options())
		if r := call(t, c, "book", `{"city":"Oslo","class":"first"}`); text(r) != "booked Oslo 9007199254740991 first  none" {
			t.Errorf("error %v, %q", r.IsError, text(r))
		}
	})
}

func TestFormsHoldEveryFlatParameter(t *testing.T) {
	schema := `{"type":"object","required":["flag","ratio","day","tags","code","level"],"properties":{
		"flag":{"type":"boolean"},"ratio":{"type":"number","maximum":1},"day":{"type":"string","format":"date"},
		"tags":{"type":"array","items":{"type":"string"},"minItems":1},"code":{"type":"string","pattern":"^[A-Z]{2}$","minLength":2,"maxLength":2},
		"level":{"type":"integer","enum":[1,2]}}}`
	w, err := command.New(command.Options{Name: "w", Logger: quiet}, command.Define(command.Spec[signature.Record]{Name: "all", Schema: []byte(schema),
		Run: func(_ context.Context, _ *command.Session, in *signature.Record) (command.Response, error) {
			text, err := in.MarshalJSON()
			return command.Say(string(text)), err
		}}))
	if err != nil {
		t.Fatal(err)
	}
	eachWay(t, func(t *testing.T, way way) {
		s, err := mcp.New(serve.New(w, serve.Options{Logger: quiet}), mcp.Options{}) // its end is the way's
		if err != nil {
			t.Fatal(err)
		}
		u := &user{answers: []*sdk.ElicitResult{accept(map[string]any{"flag": true, "ratio": 0.1, "day": "2026-11-30", "tags": "a, b", "code": "NO", "level": "2"})}}
		c := way.connect(t, s, u.options())
		want := `{"flag":true,"ratio":0.1,"day":"2026-11-30","tags":["a","b"],"code":"NO","level":2}`
		if r := call(t, c, "all", `{}`); text(r) != want {
			t.Errorf("%q, want %q; asked %+v", text(r), want, u.asked)
		}
		properties := u.asked[0].RequestedSchema.(map[string]any)["properties"].(map[string]any)
		kinds := map[string]any{}
		for name, p := range properties {
			kinds[name] = p.(map[string]any)["type"]
		}
		if want := map[string]any{"flag": "boolean", "ratio": "number", "day": "string", "tags": "string", "code": "string", "level": "string"}; !reflect.DeepEqual(kinds, want) {
			t.Errorf("the form has %v, want %v", kinds, want)
		}
	})
}

// A call that waits for its user holds its arguments for minutes.
func TestOnlySoManyCallsWaitForTheUserOfASession(t *testing.T) {
	asked, answered := make(chan struct{}, 64), make(chan string, 64)
	s := serverOf(t, mcp.Options{})
	var quick atomic.Int32
	quick.Store(20)
	c := overStdio("2025-11-25")(t, s, &sdk.ClientOptions{ElicitationHandler: func(ctx context.Context, _ *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		if quick.Add(-1) >= 0 {
			return accept(map[string]any{"text": "x"}), nil
		}
		asked <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	for range 20 {
		call(t, c, "note", `{}`)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ask := func() {
		go func() {
			if r, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "note"}); err == nil {
				answered <- text(r)
			}
		}()
	}
	for range 16 {
		ask()
		<-asked
	}
	ask()
	select {
	case got := <-answered:
		if !strings.Contains(got, "text: missing") {
			t.Errorf("%q", got)
		}
	case <-asked:
		t.Error("a seventeenth call waits")
	case <-time.After(10 * time.Second):
		t.Error("no answer")
	}
	u := &user{answers: []*sdk.ElicitResult{accept(map[string]any{"text": "x"})}}
	if r := call(t, overStdio("2025-11-25")(t, s, u.options()), "note", `{}`); text(r) != "1: x 1 " {
		t.Errorf("another session: %q", text(r))
	}
}
