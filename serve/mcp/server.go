package mcp

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/drafts"
	"github.com/fwgo/fwgo/validate"
)

// The bounds of a Server whose Options say nothing.
const (
	DefaultSessionTTL  = 12 * time.Hour
	DefaultMaxSessions = 1024
)

// Options are what holds for every client of a Server. The zero value of each
// is its default.
type Options struct {
	// Verify tells who a bearer token belongs to. With it, every HTTP request
	// needs a token, and the caller's Channel is the session that its calls
	// belong to. nil serves everyone.
	Verify serve.Verifier
	// Secret signs what a client keeps of a call that waits for its user. Servers
	// that take each other's calls must share it; at least 32 bytes. nil makes a
	// random one, and such calls end with the process.
	Secret []byte
	// Drafts, if not nil, is served as tools named draft_...; it must be of the
	// same Dispatcher. What is for operators is listed for callers whose token has
	// that role.
	Drafts *drafts.Desk
	// Operator makes the client of ServeStdio an operator, who may approve drafts
	// and answer for their calls. It is for a local user whose client asks before
	// it calls a tool: the model behind it could approve what it proposes.
	Operator bool
	// Profile names the form in which schemas are published, one of
	// signature.Profiles; "" is "mcp".
	Profile string
	// Instructions tell a client's model how to use the tools.
	Instructions string
	// SessionTTL ends an HTTP session that its client has not used for so long,
	// 0 for DefaultSessionTTL.
	SessionTTL time.Duration
	// MaxSessions is how many HTTP sessions are kept, 0 for DefaultMaxSessions. A
	// further one ends the one unused for longest; if calls run in all of them it
	// is refused.
	MaxSessions int
	// Hosts are further names that a server on loopback is called by, such as
	// that of a proxy in front of it.
	Hosts []string
}

// A Server serves the commands of a workflow as MCP tools. It is safe for
// concurrent use.
type Server struct {
	dispatcher *serve.Dispatcher
	options    Options
	tools      map[*command.Command]*sdk.Tool
	// contexts says that what a session can call may change as it goes.
	contexts bool
	states   states
	lists    lists
	sessions sessions
	waits    waits
	// ended is what ends the requests of HTTP clients, by end.
	ended  context.Context
	end    context.CancelFunc
	drafts *draftTools // nil where drafts are not served
}

// New makes the Server of a Dispatcher's workflow. The error names every
// command that cannot be a tool.
func New(d *serve.Dispatcher, o Options) (*Server, error) {
	if o.Profile == "" {
		o.Profile = "mcp"
	}
	if o.SessionTTL <= 0 {
		o.SessionTTL = DefaultSessionTTL
	}
	if o.MaxSessions <= 0 {
		o.MaxSessions = DefaultMaxSessions
	}
	switch {
	case o.Secret == nil:
		o.Secret = make([]byte, 32)
		_, _ = rand.Read(o.Secret) // never fails, by its documentation
	case len(o.Secret) < 32:
		return nil, errors.New("mcp: Secret must have at least 32 bytes")
	}
	s := &Server{dispatcher: d, options: o}
	s.ended, s.end = context.WithCancel(context.Background())
	s.states = states{key: o.Secret, store: d.Store(), now: time.Now}
	s.sessions = sessions{most: o.MaxSessions, now: time.Now}
	var err error
	s.tools, s.contexts, err = toolsOf(d.Workflow(), o.Profile)
	if err != nil {
		return nil, err
	}
	if o.Drafts != nil {
		if s.drafts, err = newDraftTools(d, o); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// An endpoint is one server of the SDK, and how it knows the session that a
// request belongs to. Requests are answered here; what the SDK is left with is
// the protocol around them.
type endpoint struct {
	*Server
	// sessionOf returns the id of the workflow's session, "" for one a call.
	sessionOf func(sdk.Request) string
	// local says that the client is the user of the process.
	local bool
	// kept says that the client's sessions are to be counted and ended.
	kept bool
	// ended is what ends its requests.
	ended context.Context
	// send sends a notification to a client.
	send sdk.MethodHandler
}

// entry is the tool that the SDK takes every call for. It would refuse unknown
// names before anyone can say which ones there are, and it holds one list for
// all sessions. What it knows of the others serves to check headers alone.
const entry = "call"

type nameKey struct{}

// serverOf makes the SDK's server of an endpoint.
func (e *endpoint) serverOf() *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: e.dispatcher.Workflow().Name(), Version: version()}, &sdk.ServerOptions{
		Instructions: e.options.Instructions,
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{ListChanged: e.contexts}},
	})
	call := func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		name, _ := ctx.Value(nameKey{}).(string)
		return e.call(ctx, r, name)
	}
	server.AddTool(&sdk.Tool{Name: entry, InputSchema: emptySchema}, call)
	for _, t := range e.tools {
		server.AddTool(t, call)
	}
	if e.drafts != nil {
		for _, t := range e.drafts.tools {
			server.AddTool(t, call)
		}
	}
	server.AddReceivingMiddleware(e.receive)
	server.AddSendingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		e.send = next
		return e.acknowledging(next)
	})
	return server
}

// offered are the methods of the protocol that are served. Others belong to
// capabilities that are not declared.
var offered = map[string]bool{
	"initialize": true, "ping": true, "server/discover": true,
	"tools/list": true, "tools/call": true, "subscriptions/listen": true,
}

// receive answers what concerns tools and keeps count of sessions. A panic
// below it becomes an error of the request.
func (e *endpoint) receive(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (result sdk.Result, err error) {
		defer func() {
			if v := recover(); v != nil {
				e.dispatcher.Logger().Log(ctx, validate.LevelCritical, "MCP request panicked", "method", method, "panic", fmt.Sprint(v), "stack", string(debug.Stack()))
				result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: internalText}
			}
		}()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(e.ended, cancel)()
		if e.kept {
			session, _ := r.GetSession().(*sdk.ServerSession)
			if method == "initialize" {
				return e.initialize(ctx, next, method, r, session)
			}
			defer e.sessions.use(session)()
		}
		if !offered[method] && !strings.HasPrefix(method, "notifications/") {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "The server has tools only, no " + method + "."}
		}
		switch method {
		case "tools/list":
			return e.list(ctx, r)
		case "tools/call":
			call, ok := r.(*sdk.CallToolRequest)
			if !ok {
				break
			}
			params := *call.Params
			ctx = context.WithValue(ctx, nameKey{}, params.Name)
			params.Name = entry
			return next(ctx, method, &sdk.CallToolRequest{Session: call.Session, Params: &params, Extra: call.Extra})
		case "subscriptions/listen":
			return e.listen(ctx, next, method, r)
		}
		return next(ctx, method, r)
	}
}

// version is the version of the program that serves, for clients to show.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}
