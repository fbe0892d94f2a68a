package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	mcpgoserver "github.com/mark3labs/mcp-go/server"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/signature"
)

// A Contestant answers calls: it is given the schema of a command and the
// arguments of a call, and a handler that only writes down what it sees.
type Contestant struct {
	Name string
	// Module is the Go module that is tried, "" for the standard library.
	Module string
	Answer func(*Case) Reply
}

// Contestants lists who is tried, fwgo last.
func Contestants() []Contestant {
	return []Contestant{
		{"encoding/json into a map, no checks", "", jsonAnswer},
		{"go-sdk, typed path with the schema", "github.com/modelcontextprotocol/go-sdk", sdkAnswer},
		{"mcp-go, default", "github.com/mark3labs/mcp-go", mcpgoAnswer()},
		{"mcp-go, with input schema validation", "github.com/mark3labs/mcp-go", mcpgoAnswer(mcpgoserver.WithInputSchemaValidation())},
		{"fwgo", "", fwgoAnswer},
	}
}

// saw is the reply of a call whose handler ran. No arguments at all are the
// empty object to a handler.
func saw(arguments any) Reply {
	if m, ok := arguments.(map[string]any); ok && m == nil {
		return Reply{Ran: true, Arguments: []byte("{}")}
	}
	text, err := json.Marshal(arguments)
	if err != nil {
		return Reply{Message: err.Error()}
	}
	return Reply{Ran: true, Arguments: text}
}

func jsonAnswer(c *Case) Reply {
	var arguments map[string]any
	if text := c.Bytes(); text != "" {
		if err := json.Unmarshal([]byte(text), &arguments); err != nil {
			return Reply{Message: err.Error()}
		}
	}
	return saw(arguments)
}

// sdkAnswer registers the case's schema as it is, with a handler for any
// object.
func sdkAnswer(c *Case) Reply {
	s := mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	var reply Reply
	mcp.AddTool(s, &mcp.Tool{Name: c.Title(), InputSchema: c.Schema},
		func(_ context.Context, _ *mcp.CallToolRequest, in map[string]any) (*mcp.CallToolResult, any, error) {
			reply = saw(in)
			return nil, nil, nil
		})
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	if refusal := post(h, mcpMessage(c.Title(), c.Bytes())); refusal != "" {
		return Reply{Message: refusal}
	}
	return reply
}

// mcpgoAnswer registers the case's schema as it is, with a handler that takes
// the arguments as GetArguments gives them.
func mcpgoAnswer(options ...mcpgoserver.ServerOption) func(*Case) Reply {
	return func(c *Case) Reply {
		s := mcpgoserver.NewMCPServer("bench", "1", options...)
		var reply Reply
		s.AddTool(mcpgo.NewToolWithRawSchema(c.Title(), "", c.Schema),
			func(_ context.Context, request mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
				reply = saw(request.GetArguments())
				return emptyAnswer, nil
			})
		h := mcpgoserver.NewStreamableHTTPServer(s, mcpgoserver.WithStateLess(true))
		if refusal := post(h, mcpMessage(c.Title(), c.Bytes())); refusal != "" {
			return Reply{Message: refusal}
		}
		return reply
	}
}

// post hands a server one message as its HTTP transport gets it, so that
// arguments which are no JSON reach it as they would in service, and returns
// the text that a model would be shown of a refusal, "" if the tool ran.
func post(h http.Handler, message string) (refusal string) {
	r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(message))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	var reply struct {
		Error  *struct{ Message string }
		Result *struct {
			IsError bool
			Content []struct{ Text string }
		}
	}
	body := strings.TrimSpace(w.Body.String())
	switch err := json.Unmarshal([]byte(body), &reply); {
	case err != nil:
		return body
	case reply.Error != nil:
		return reply.Error.Message
	case reply.Result == nil:
		return "a reply without a result"
	case reply.Result.IsError && len(reply.Result.Content) > 0:
		return reply.Result.Content[0].Text
	case reply.Result.IsError:
		return "an error without a text"
	}
	return ""
}

// fwgoAnswer is the path of fwgo check: a command made from the schema alone,
// called by a direct action.
func fwgoAnswer(c *Case) Reply {
	w, err := command.New(command.Options{Name: "cases"}, command.Define(command.Spec[signature.Record]{
		Name: c.Title(), Schema: c.Schema,
		Run: func(context.Context, *command.Session, *signature.Record) (command.Response, error) {
			return command.Say(""), nil
		},
	}))
	if err != nil {
		return Reply{Message: fmt.Sprintf("the schema is refused: %v", err)}
	}
	o := w.NewSession().Do(context.Background(), command.Action{CommandName: c.Title(), Parameters: json.RawMessage(c.Bytes())})
	if !o.Ran() {
		return Reply{Message: o.Text()}
	}
	return saw(o.Input)
}
