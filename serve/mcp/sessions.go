package mcp

import (
	"context"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/validate"
)

// sessions counts the HTTP sessions there are.
type sessions struct {
	most int
	now  func() time.Time

	mu   sync.Mutex
	kept map[*sdk.ServerSession]*keptSession
	// closed says that no further session is taken.
	closed bool
	// leaving are the sessions of which something is left.
	leaving sync.WaitGroup
}

// keptSession is a session with as many users as requests that run in it.
type keptSession struct {
	users int
	last  time.Time
}

// begin takes a session in and reports whether it is new: leaving.Done is then
// to be called when nothing is left of it. If there are too many it returns the
// one to end, the longest unused, or reports that none can be.
func (t *sessions) begin(session *sdk.ServerSession) (end *sdk.ServerSession, isNew, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, false, false
	}
	if t.kept == nil {
		t.kept = map[*sdk.ServerSession]*keptSession{}
	}
	if _, again := t.kept[session]; again {
		return nil, false, true // the protocol will refuse it
	}
	if len(t.kept) >= t.most {
		var oldest time.Time
		for s, k := range t.kept {
			if k.users == 0 && (end == nil || k.last.Before(oldest)) {
				end, oldest = s, k.last
			}
		}
		if end == nil {
			return nil, false, false
		}
		delete(t.kept, end)
	}
	t.kept[session] = &keptSession{last: t.now()}
	t.leaving.Add(1)
	return end, true, true
}

func (t *sessions) end(session *sdk.ServerSession) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.kept, session)
}

// close takes no further session, and returns those there are.
func (t *sessions) close() []*sdk.ServerSession {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	return slices.Collect(maps.Keys(t.kept))
}

// use notes a request in a session. The function it returns notes its end.
func (t *sessions) use(session *sdk.ServerSession) func() {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.kept[session]
	if k == nil {
		return func() {}
	}
	k.users++
	k.last = t.now()
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		k.users--
		k.last = t.now()
	}
}

// initialize begins a client's session, and sees to it that nothing of it is
// left when it ends.
func (e *endpoint) initialize(ctx context.Context, next sdk.MethodHandler, method string, r sdk.Request, session *sdk.ServerSession) (sdk.Result, error) {
	if e.ended.Err() != nil {
		return nil, &jsonrpc.Error{Code: codeBusy, Message: serve.Message(serve.ErrDraining)}
	}
	end, isNew, ok := e.sessions.begin(session)
	switch {
	case !ok && e.ended.Err() != nil:
		return nil, &jsonrpc.Error{Code: codeBusy, Message: serve.Message(serve.ErrDraining)}
	case !ok:
		return nil, &jsonrpc.Error{Code: codeBusy, Message: fullText}
	}
	if end != nil {
		go end.Close()
	}
	if !isNew {
		return next(ctx, method, r)
	}
	id := e.sessionOf(r)
	anonymous := r.GetExtra() == nil || r.GetExtra().TokenInfo == nil
	e.aside("session of a client that is gone not removed", func() {
		defer e.sessions.leaving.Done()
		_ = session.Wait() // how it ended is the client's affair
		e.sessions.end(session)
		e.lists.unwatch(id, watcher{session: session})
		if anonymous {
			e.forget(id)
		}
	})
	return next(ctx, method, r)
}

// aside runs what no request waits for. A panic of it, which is a Store's or
// an author's, is logged as what it has kept from being done.
func (s *Server) aside(undone string, f func()) {
	go func() {
		defer s.unpanicked(undone)
		f()
	}()
}

// unpanicked is to be deferred: it logs a panic and ends it.
func (s *Server) unpanicked(undone string) {
	if v := recover(); v != nil {
		s.dispatcher.Logger().Log(context.Background(), validate.LevelCritical, undone, "panic", fmt.Sprint(v), "stack", string(debug.Stack()))
	}
}

// Close ends all HTTP sessions for good, and with them the streams that clients
// hold open, for which http.Server.Shutdown would wait. Requests that run are
// cancelled: Drain the Dispatcher first. It returns when nothing is left of the
// sessions in the Store, or after ten seconds, so close the Store after it.
func (s *Server) Close() {
	s.end()
	var ending sync.WaitGroup
	for _, session := range s.sessions.close() {
		ending.Go(func() { _ = session.Close() }) // how it ends is the client's affair
	}
	ending.Wait()
	left := make(chan struct{})
	go func() {
		s.sessions.leaving.Wait()
		close(left)
	}()
	select {
	case <-left:
	case <-time.After(lastAnswers):
	}
}

// codeBusy is the code of an error that passes, in the range that JSON-RPC
// leaves to servers.
const codeBusy = -32000

// forget removes the workflow's session of a client that is gone.
func (s *Server) forget(id string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	defer s.unpanicked("session of a client that is gone not removed")
	if s.drafts != nil {
		if err := s.drafts.desk.Forget(ctx, id); err != nil {
			s.dispatcher.Logger().Warn("drafts of a client that is gone not removed", "error", err)
		}
	}
	if err := s.dispatcher.Forget(ctx, id); err != nil {
		s.dispatcher.Logger().Warn("session of a client that is gone not removed", "error", err)
	}
}
