package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/mcp"
)

func TestACallReachesItsCommandWithWhatWasSent(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		c := w.connect(t, serverOf(t, mcp.Options{}), nil)
		r := call(t, c, "note", `{"text":"a &amp;&amp; b <c>","count":9007199254740993,"tags":["x","y"]}`)
		if r.IsError || text(r) != "1: a && b <c> 9007199254740993 x|y" {
			t.Errorf("error %v, %q", r.IsError, text(r))
		}
	})
}

func TestAToolIsCalledByEveryFormOfItsName(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		if !w.session {
			t.Skip("without a session no call enters a context")
		}
		c := w.connect(t, serverOf(t, mcp.Options{}), nil)
		call(t, c, "enter_room", `{"name":"attic"}`)
		for _, name := range []string{"Room__describe", "Room/describe", "describe", "room__Describe"} {
			if r := call(t, c, name, `{}`); text(r) != "this is attic" {
				t.Errorf("%s: %q", name, text(r))
			}
		}
	})
}

func TestASuccessHasItsArtifactsAndNextActionsAsData(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		c := w.connect(t, serverOf(t, mcp.Options{}), nil)
		r := call(t, c, "book", `{"city":"Oslo","seats":2,"class":"First"}`)
		if r.IsError || text(r) != "booked Oslo 2 first  none" {
			t.Fatalf("error %v, %q", r.IsError, text(r))
		}
		data, _ := json.Marshal(r.StructuredContent)
		for _, want := range []string{`"response":"booked Oslo`, `"success":true`, `"artifacts":{"seats":2}`, `"command_name":"note"`} {
			if !strings.Contains(string(data), want) {
				t.Errorf("%s is not in %s", want, data)
			}
		}
		if strings.Contains(string(data), "recommendations") {
			t.Errorf("what is empty is in %s", data)
		}
		if r := call(t, c, "note", `{"text":"x"}`); r.StructuredContent != nil {
			t.Errorf("an answer that is only text has the data %v", r.StructuredContent)
		}
	})
}

// The command has run, so its answer is given; what is lost of it is said.
func TestArtifactsWithoutAFormInJSONAreSaidToBeLost(t *testing.T) {
	w := command.MustNew(command.Options{Logger: quiet}, command.Define(command.Spec[struct{}]{Name: "odd",
		Run: func(context.Context, *command.Session, *struct{}) (command.Response, error) {
			r := command.Say("done")
			r.Artifacts = map[string]any{"channel": make(chan int)}
			return r, nil
		}}))
	eachWay(t, func(t *testing.T, in way) {
		s, err := mcp.New(serve.New(w, serve.Options{Logger: quiet}), mcp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := call(t, in.connect(t, s, nil), "odd", `{}`)
		data, _ := json.Marshal(r.StructuredContent)
		if r.IsError || text(r) != "done" || !strings.Contains(string(data), `"artifacts_lost"`) {
			t.Errorf("error %v, %q, data %s", r.IsError, text(r), data)
		}
	})
}

func TestAFailureIsAResultWithItsProblemsAsData(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		c := w.connect(t, serverOf(t, mcp.Options{}), nil)
		r := call(t, c, "book", `{"city":"Oslo","seats":0,"class":"third"}`)
		if !r.IsError || !strings.Contains(text(r), "seats") || !strings.Contains(text(r), `"first", "second"`) {
			t.Errorf("error %v, %q", r.IsError, text(r))
		}
		data, _ := json.Marshal(r.StructuredContent)
		var detail struct {
			Response string
			Success  bool
			Problems []struct{ Field, Kind string }
		}
		if err := json.Unmarshal(data, &detail); err != nil || detail.Success || detail.Response != text(r) ||
			len(detail.Problems) != 2 || detail.Problems[0].Field != "seats" || detail.Problems[1].Kind != "not_a_member" {
			t.Errorf("%v: %s", err, data)
		}
	})
}

func TestAnUnknownToolIsAnErrorOfTheProtocolThatNamesTheNearest(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		c := w.connect(t, serverOf(t, mcp.Options{}), nil)
		for name, want := range map[string]string{"boook": "book", "wayt": "wait", "a b/c__d": "note"} {
			_, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: name})
			var bad *jsonrpc.Error
			if !errors.As(err, &bad) || bad.Code != jsonrpc.CodeInvalidParams || !strings.Contains(bad.Message, want) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{}); err == nil || !strings.Contains(err.Error(), "names no tool") && !strings.Contains(err.Error(), "Mcp-Name") {
			t.Errorf("no name: %v", err)
		}
	})
}

func TestAToolOfAnotherContextIsAResultThatSaysHowToGetThere(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		c := w.connect(t, serverOf(t, mcp.Options{}), nil)
		if r := call(t, c, "Room__describe", `{}`); !r.IsError || !strings.Contains(text(r), "enter_room") {
			t.Errorf("error %v, %q", r.IsError, text(r))
		}
	})
}

func TestABodyThatPanicsIsAResult(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		c := w.connect(t, serverOf(t, mcp.Options{}), nil)
		if r := call(t, c, "break", `{}`); !r.IsError || strings.Contains(text(r), "glass") {
			t.Errorf("error %v, %q", r.IsError, text(r))
		}
		if r := call(t, c, "note", `{"text":"still here"}`); r.IsError {
			t.Errorf("after it: %q", text(r))
		}
	})
}

func TestWhatAClientCancelsIsStopped(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		c := w.connect(t, serverOf(t, mcp.Options{}), nil)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "wait"})
			ended <- err
		}()
		<-waiting
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the client got %v", err)
		}
		select {
		case <-stopped:
		case <-time.After(10 * time.Second):
			t.Error("the command runs on")
		}
	})
}

func TestASessionKeepsWhatItsCallsLeaveAndNoOtherHasIt(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		s := serverOf(t, mcp.Options{})
		a, b := w.connect(t, s, nil), w.connect(t, s, nil)
		second := "2: x 1 "
		if !w.session {
			second = "1: x 1 "
		}
		for _, step := range []struct {
			c    *sdk.ClientSession
			want string
		}{{a, "1: x 1 "}, {b, "1: x 1 "}, {a, second}} {
			if r := call(t, step.c, "note", `{"text":"x"}`); text(r) != step.want {
				t.Errorf("%q, want %q", text(r), step.want)
			}
		}
	})
}

func TestBuiltInCommandsLeadOutOfAContext(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		if !w.session {
			t.Skip("without a session no call enters a context")
		}
		c := w.connect(t, serverOf(t, mcp.Options{}), nil)
		call(t, c, "enter_room", `{"name":"attic"}`)
		for _, step := range [][2]string{
			{"IntentDetection__what_is_current_context", "Room"}, {"what_can_i_do", "describe"},
			{"IntentDetection__reset_context", "global"}, {"what_is_current_context", "global"}, {"go_up", "top-level"},
		} {
			if r := call(t, c, step[0], `{}`); r.IsError || !strings.Contains(text(r), step[1]) {
				t.Errorf("%s: error %v, %q", step[0], r.IsError, text(r))
			}
		}
		for _, nothing := range []string{`null`, `{ }`} {
			if r := call(t, c, "go_up", nothing); r.IsError {
				t.Errorf("arguments %s: %q", nothing, text(r))
			}
		}
		if r := call(t, c, "go_up", `{"levels":2}`); !r.IsError || !strings.Contains(text(r), "no parameters") {
			t.Errorf("arguments that nothing takes: error %v, %q", r.IsError, text(r))
		}
	})
}
