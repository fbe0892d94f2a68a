package command

import (
	"encoding/json"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// An MCPToolCall is a call as an MCP client sends it (FW-158).
type MCPToolCall struct {
	Name string
	// Arguments is a JSON object, byte for byte as it arrived; nil is {}.
	Arguments json.RawMessage
	// Unknown: see Action.Unknown.
	Unknown []WireMember
}

// Action returns the call as an Action: all arguments are its parameters, and
// an argument named command, if it is a text, is its typed text as well
// (FW-159).
func (c *MCPToolCall) Action() Action {
	a := Action{CommandName: c.Name, Parameters: c.Arguments}
	doc, fault := jsontree.Parse(string(c.Arguments), wireLimits, nil)
	if fault != nil {
		return a // for the pipeline to report
	}
	if typed := doc.Root.Get("command"); typed != nil && typed.Kind == jsontree.String {
		a.Command = typed.Text
	}
	return a
}

func (*MCPToolCall) noun() string { return "the tool call" }

func (c *MCPToolCall) members(m wireMembers) {
	m.text("name", &c.Name, required)
	m.object("arguments", &c.Arguments)
	m.rest(&c.Unknown)
}

// MarshalJSON writes the members in the order of FW-158, without HTML escapes.
func (c MCPToolCall) MarshalJSON() ([]byte, error) { return writeWire(&c, false) }

// RelayJSON is MarshalJSON with the Unknown members after the known ones.
func (c MCPToolCall) RelayJSON() ([]byte, error) { return writeWire(&c, true) }

// UnmarshalJSON reads a tool call as fastWorkflow does; see ReadJSON.
func (c *MCPToolCall) UnmarshalJSON(data []byte) error { return readWire(data, c) }

// MCPContent is one part of a tool's result (FW-158). Parts other than text,
// such as images, keep what they hold in Unknown.
type MCPContent struct {
	Type string
	// Text is nil for parts that are no text.
	Text *string
	// Unknown: see Action.Unknown.
	Unknown []WireMember
}

// MCPText returns a part that is a text.
func MCPText(text string) MCPContent { return MCPContent{Type: "text", Text: &text} }

func (*MCPContent) noun() string { return "the content" }

func (c *MCPContent) members(m wireMembers) {
	m.text("type", &c.Type, required)
	m.textOrNull("text", &c.Text)
	m.rest(&c.Unknown)
}

// MarshalJSON writes the members in the order of FW-158, without HTML escapes.
func (c MCPContent) MarshalJSON() ([]byte, error) { return writeWire(&c, false) }

// RelayJSON is MarshalJSON with the Unknown members after the known ones.
func (c MCPContent) RelayJSON() ([]byte, error) { return writeWire(&c, true) }

// UnmarshalJSON reads a part as fastWorkflow does; see ReadJSON.
func (c *MCPContent) UnmarshalJSON(data []byte) error { return readWire(data, c) }

// An MCPToolResult is the answer to an MCPToolCall (FW-158).
type MCPToolResult struct {
	Content []MCPContent
	IsError bool
	// Unknown: see Action.Unknown.
	Unknown []WireMember
}

// MCPResult returns the output as the result of a tool call: its text, and
// whether it is a failure (FW-159).
func (o *CommandOutput) MCPResult() MCPToolResult {
	r := &o.CommandResponse
	return MCPToolResult{Content: []MCPContent{MCPText(r.Response)}, IsError: !r.Success}
}

func (*MCPToolResult) noun() string { return "the tool result" }

func (r *MCPToolResult) members(m wireMembers) {
	m.list("content", itemsOf(&r.Content), required)
	m.flag("isError", &r.IsError, false)
	m.rest(&r.Unknown)
}

// MarshalJSON writes the members in the order of FW-158, without HTML escapes.
func (r MCPToolResult) MarshalJSON() ([]byte, error) { return writeWire(&r, false) }

// RelayJSON is MarshalJSON with the Unknown members after the known ones.
func (r MCPToolResult) RelayJSON() ([]byte, error) { return writeWire(&r, true) }

// UnmarshalJSON reads a tool result as fastWorkflow does; see ReadJSON.
func (r *MCPToolResult) UnmarshalJSON(data []byte) error { return readWire(data, r) }
