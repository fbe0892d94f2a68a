// Package serve is the one way from a server to a command. A Dispatcher takes
// a call as a command with arguments, or as text, for a session; bounds its
// size, its time and how many run side by side; keeps the session in a Store;
// logs it and shows it to an Observer; and returns what became of it. The
// servers above it (serve/rest, serve/mcp) only translate.
//
//	d := serve.New(workflow, serve.Options{Store: st})
//	outcome, err := d.Do(ctx, serve.Request{
//		Session:   "channel-7",
//		Command:   "cancel_pending_order",
//		Arguments: json.RawMessage(`{"order_id": "W1862314", "reason": "Ordered by mistake"}`),
//	})
//
// A call that is refused by the pipeline is an Outcome like any other. An
// error means that there is none: too much is running, the server is shutting
// down, or the session could not be read or stored. Message words it for a
// caller.
package serve
