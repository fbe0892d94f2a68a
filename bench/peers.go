package bench

import (
	"context"
	"encoding/json"
	"fmt"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	mcpgoserver "github.com/mark3labs/mcp-go/server"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sdkServer is a go-sdk server whose dispatch is called as its transport would
// call it, from a receiving middleware: what is measured is the handling of a
// call without the wire.
type sdkServer struct {
	*mcp.Server
	session  *mcp.ServerSession
	dispatch mcp.MethodHandler
}

func newSDKServer() *sdkServer {
	s := &sdkServer{Server: mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "1"}, nil)}
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		s.dispatch = next
		return next
	})
	// A session exists once somebody is connected. The client is never called.
	ours, theirs := mcp.NewInMemoryTransports()
	ctx := context.Background()
	session, err := s.Connect(ctx, ours, nil)
	if err != nil {
		panic(err)
	}
	s.session = session
	if _, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(ctx, theirs, nil); err != nil {
		panic(err)
	}
	return s
}

// addOrder adds the typed tool "order", which shows what it read in seen.
func (s *sdkServer) addOrder(seen *plainOrder) {
	mcp.AddTool(s.Server, &mcp.Tool{Name: "order", InputSchema: json.RawMessage(orderSchema)},
		func(_ context.Context, _ *mcp.CallToolRequest, in plainOrder) (*mcp.CallToolResult, any, error) {
			*seen = in
			return nil, nil, nil
		})
}

// call dispatches tools/call and returns the refusal's text, "" if the tool
// ran.
func (s *sdkServer) call(tool string, arguments json.RawMessage) (refusal string) {
	result, err := s.dispatch(context.Background(), "tools/call", &mcp.CallToolRequest{
		Session: s.session,
		Params:  &mcp.CallToolParamsRaw{Name: tool, Arguments: arguments},
	})
	if err != nil {
		return err.Error()
	}
	if r := result.(*mcp.CallToolResult); r.IsError {
		if len(r.Content) > 0 {
			if text, ok := r.Content[0].(*mcp.TextContent); ok {
				return text.Text
			}
		}
		return "an error without a text"
	}
	return ""
}

// mcpgoCall handles one JSON-RPC message and returns the refusal's text.
func mcpgoCall(s *mcpgoserver.MCPServer, message json.RawMessage) (refusal string) {
	switch reply := s.HandleMessage(context.Background(), message).(type) {
	case mcpgo.JSONRPCResponse:
		result, ok := reply.Result.(*mcpgo.CallToolResult)
		if !ok {
			return fmt.Sprintf("a result of type %T", reply.Result)
		}
		if !result.IsError {
			return ""
		}
		for _, content := range result.Content {
			if text, ok := content.(mcpgo.TextContent); ok {
				return text.Text
			}
		}
		return "an error without a text"
	case mcpgo.JSONRPCError:
		return reply.Error.Message
	default:
		return fmt.Sprintf("a reply of type %T", reply)
	}
}

// mcpMessage is tools/call around arguments, byte for byte.
func mcpMessage(tool, arguments string) string {
	name, _ := json.Marshal(tool)
	message := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":` + string(name)
	if arguments != "" {
		message += `,"arguments":` + arguments
	}
	return message + `}}`
}

// peerRow is the row of a peer that hands what it read to a handler, which
// puts it into seen.
func peerRow(name string, seen *plainOrder, call func() (refusal string)) Row {
	return Row{
		Group: Arguments,
		Name:  name,
		Call: func() {
			if call() != "" {
				panic(name)
			}
		},
		Prove: func() error {
			*seen = plainOrder{}
			if refusal := call(); refusal != "" {
				return fmt.Errorf("refused: %s", refusal)
			}
			return differs(seen.order())
		},
	}
}

func peerRows() []Row {
	arguments := json.RawMessage(payload)
	message := json.RawMessage(mcpMessage("order", payload))
	var seen plainOrder

	typed := newSDKServer()
	typed.addOrder(&seen)
	raw := newSDKServer()
	raw.AddTool(&mcp.Tool{Name: "order", InputSchema: json.RawMessage(orderSchema)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return emptyResult, nil })

	handler := mcpgo.NewTypedToolHandler(func(_ context.Context, _ mcpgo.CallToolRequest, in plainOrder) (*mcpgo.CallToolResult, error) {
		seen = in
		return emptyAnswer, nil
	})
	tool := mcpgo.NewToolWithRawSchema("order", "", json.RawMessage(orderSchema))
	plain := mcpgoserver.NewMCPServer("bench", "1")
	plain.AddTool(tool, handler)
	checking := mcpgoserver.NewMCPServer("bench", "1", mcpgoserver.WithInputSchemaValidation())
	checking.AddTool(tool, handler)
	request := mcpgo.CallToolRequest{Params: mcpgo.CallToolParams{Name: "order", RawArguments: arguments}}

	rawRow := peerRow("go-sdk raw tool: dispatch alone, nothing is read", &seen, func() string { return raw.call("order", arguments) })
	rawRow.Prove = func() error {
		if refusal := raw.call("order", arguments); refusal != "" {
			return fmt.Errorf("refused: %s", refusal)
		}
		return nil
	}
	return []Row{
		peerRow(SDKRow, &seen, func() string { return typed.call("order", arguments) }),
		rawRow,
		peerRow("mcp-go typed handler alone, no checks", &seen, func() string {
			result, err := handler(context.Background(), request)
			if err != nil || result.IsError {
				return "refused"
			}
			return ""
		}),
		peerRow("mcp-go typed handler through HandleMessage, no checks", &seen, func() string { return mcpgoCall(plain, message) }),
		peerRow("mcp-go with input schema validation through HandleMessage", &seen, func() string { return mcpgoCall(checking, message) }),
	}
}

// SDKRow names the row of go-sdk's typed path.
const SDKRow = "go-sdk typed tool with the schema, dispatch without a transport"

// The answers of tools that have nothing to say.
var (
	emptyResult = &mcp.CallToolResult{Content: []mcp.Content{}}
	emptyAnswer = &mcpgo.CallToolResult{Content: []mcpgo.Content{}}
)
