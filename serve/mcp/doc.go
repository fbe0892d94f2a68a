// Package mcp serves a workflow's commands as tools of the Model Context
// Protocol, over standard input and output or over HTTP:
//
//	server, err := mcp.New(serve.New(workflow, serve.Options{}), mcp.Options{})
//	...
//	err = server.ServeStdio(ctx, os.Stdin, os.Stdout)
//	// or
//	http.Handle("/mcp", server.Handler())
//
// Every command that a session can call now is a tool named Context__command
// (FW-162), with the command's own JSON schema. The arguments of a call reach
// the pipeline byte for byte as they were sent, and whatever the pipeline has
// to say is a result that a model can read: its text as content, and the
// problems as data beside it. Where a parameter is missing and the client can
// ask its user, the user is asked, and the whole pipeline runs again with the
// answer.
//
// Handler speaks the versions of the protocol that have sessions (up to
// 2025-11-25) and the one that has none (2026-07-28) at one address. A session
// of the first kind is a session of the workflow, and ends with it. With a
// Verifier the session is the Channel of the caller's token, whichever the
// version. A caller of 2026-07-28 without a token has a new session every call.
//
// With Options.Drafts a model can also propose several calls as a whole, as a
// draft, follow what becomes of it, and run it once an operator has approved it.
//
// It refuses messages that are not JSON-RPC, longer than a call may be or
// nested too deep, and states of a call that were altered, used before, too old
// or made for another call; nothing that a client sends ends the process.
package mcp
