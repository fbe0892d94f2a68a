package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/serve"
)

// longestName is the longest name of a tool that clients accept.
const longestName = 128

var emptySchema = json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)

// toolsOf makes the tools of a workflow's commands, and reports whether the
// workflow has contexts beside the global one.
func toolsOf(w *command.Workflow, profile string) (tools map[*command.Command]*sdk.Tool, contexts bool, err error) {
	tools = map[*command.Command]*sdk.Tool{}
	var errs []error
	for _, c := range w.Commands() {
		t, err := toolOf(c, profile)
		if err != nil {
			errs = append(errs, fmt.Errorf("mcp: command %s: %w", c.Name(), err))
			continue
		}
		tools[c] = t
		contexts = contexts || strings.Contains(c.Name(), "/")
	}
	return tools, contexts, errors.Join(errs...)
}

func toolOf(c *command.Command, profile string) (*sdk.Tool, error) {
	schema, err := c.Signature().Profile(profile)
	if err != nil {
		return nil, err
	}
	var root struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(schema, &root); err != nil || root.Type != "object" {
		return nil, errors.New(`the schema of a tool must have "type": "object"; the profile mcp adds it`)
	}
	name := toolName(c.Name())
	if strings.Contains(c.Name(), "__") {
		return nil, errors.New("the name has __, which stands for / in the names of tools (FW-162); write one _")
	}
	if !validToolName(name) {
		return nil, fmt.Errorf("the tool's name %s is not 1 to %d letters, digits, _, - and .", name, longestName)
	}
	a := c.Annotations()
	t := &sdk.Tool{
		Name:        name,
		Title:       title(c.Name()),
		Description: c.Display(),
		InputSchema: json.RawMessage(schema),
		Annotations: &sdk.ToolAnnotations{
			Title:           title(c.Name()),
			ReadOnlyHint:    a.ReadOnly,
			DestructiveHint: new(a.Destructive),
			IdempotentHint:  a.Idempotent,
			OpenWorldHint:   new(true),
		},
	}
	if phrases := c.Utterances(); len(phrases) > 0 {
		t.Meta = sdk.Meta{"plain_utterances": phrases} // FW-161
	}
	return t, acceptable(t)
}

// acceptable returns what the SDK says of a tool that it panics at.
func acceptable(t *sdk.Tool) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%v", v)
		}
	}()
	sdk.NewServer(&sdk.Implementation{}, nil).AddTool(t, nil)
	return nil
}

// toolName is a qualified name as clients accept it (FW-162).
func toolName(qualified string) string { return strings.ReplaceAll(qualified, "/", "__") }

func validToolName(name string) bool {
	if name == "" || len(name) > longestName {
		return false
	}
	for i := range len(name) {
		switch b := name[i]; {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9', b == '_', b == '-', b == '.':
		default:
			return false
		}
	}
	return true
}

// title is a qualified name for people: "Depot/Ship Parcel" (FW-161).
func title(qualified string) string {
	var b strings.Builder
	begins := true
	for _, r := range strings.ReplaceAll(qualified, "_", " ") {
		if begins {
			r = unicode.ToUpper(r)
		}
		b.WriteRune(r)
		begins = r == ' ' || r == '/'
	}
	return b.String()
}

// A builtin is a command of the conversation layer as a tool. They are listed
// where there are contexts to move between, and can be called everywhere.
type builtin struct {
	name string
	tool *sdk.Tool
}

var builtins = []builtin{
	builtinOf("go_up", goUpText, false),
	builtinOf("reset_context", resetText, false),
	builtinOf("what_is_current_context", whereText, true),
	builtinOf("what_can_i_do", whatText, true),
}

func builtinOf(name, description string, readOnly bool) builtin {
	qualified := "IntentDetection/" + name
	return builtin{name, &sdk.Tool{
		Name:        toolName(qualified),
		Title:       title(name),
		Description: description,
		InputSchema: emptySchema,
		Annotations: &sdk.ToolAnnotations{Title: title(qualified), ReadOnlyHint: readOnly, DestructiveHint: new(false), IdempotentHint: name != "go_up", OpenWorldHint: new(false)},
	}}
}

// builtinNamed returns the built-in command of a name in any of its forms,
// "" if there is none.
func builtinNamed(name string) string {
	if len(name) > longestName {
		return ""
	}
	name = strings.ToLower(strings.ReplaceAll(name, "__", "/"))
	name = strings.TrimPrefix(name, "intentdetection/")
	for _, b := range builtins {
		if b.name == name {
			return name
		}
	}
	return ""
}

// list answers tools/list: what the session can call now, nearest context
// first.
func (e *endpoint) list(ctx context.Context, r sdk.Request) (sdk.Result, error) {
	if params, ok := r.GetParams().(*sdk.ListToolsParams); ok && params != nil && params.Cursor != "" {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: cursorText}
	}
	session := e.sessionOf(r)
	callable, err := e.dispatcher.Callable(ctx, session)
	if err != nil {
		e.dispatcher.Logger().WarnContext(ctx, "tools not listed", "reason", err.Error())
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: serve.Message(err)}
	}
	if e.contexts && !modern(r) {
		e.lists.watch(session, watcher{session: r.GetSession().(*sdk.ServerSession)}, listed(callable))
	}
	// A list is of a session, and another call may change it.
	result := &sdk.ListToolsResult{Tools: make([]*sdk.Tool, 0, len(callable)+len(builtins)), Cacheable: sdk.Cacheable{CacheScope: "private"}}
	for _, c := range callable {
		result.Tools = append(result.Tools, e.tools[c])
	}
	if e.contexts {
		for _, b := range builtins {
			result.Tools = append(result.Tools, b.tool)
		}
	}
	if e.drafts != nil {
		result.Tools = append(result.Tools, e.drafts.listed(e.caller(r).Operator)...)
	}
	return result, nil
}

// noArguments reports whether the arguments of a call are none.
func noArguments(arguments json.RawMessage) bool {
	switch string(bytes.TrimSpace(arguments)) {
	case "", "null", "{}":
		return true
	}
	doc, fault := jsontree.Parse(string(arguments), jsontree.Limits{Depth: deepest}, nil)
	return fault == nil && doc.Root.Kind == jsontree.Object && len(doc.Root.Members) == 0
}
