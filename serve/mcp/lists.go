package mcp

import (
	"context"
	"hash/maphash"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/command"
)

const listChanged = "notifications/tools/list_changed"

// A watcher is a client that is to hear when a session's list of tools
// changes: one that was shown the list, or one that asked to hear.
type watcher struct {
	session      *sdk.ServerSession
	subscription any // the id of what it asked with, nil for none
}

// lists knows what list each session was shown last, and by whom. It has
// nothing of sessions that nobody watches.
type lists struct {
	mu    sync.Mutex
	shown map[string]*shownList
}

type shownList struct {
	list     uint64
	watchers map[watcher]bool
}

var seed = maphash.MakeSeed()

// listed stands for a list of tools.
func listed(callable []*command.Command) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, c := range callable {
		h.WriteString(c.Name())
		h.WriteByte(0)
	}
	return h.Sum64()
}

func (l *lists) watch(session string, w watcher, list uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shown == nil {
		l.shown = map[string]*shownList{}
	}
	s := l.shown[session]
	if s == nil {
		s = &shownList{watchers: map[watcher]bool{}}
		l.shown[session] = s
	}
	s.list = list
	s.watchers[w] = true
}

func (l *lists) unwatch(session string, w watcher) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.shown[session]; s != nil {
		delete(s.watchers, w)
		if len(s.watchers) == 0 {
			delete(l.shown, session)
		}
	}
}

func (l *lists) watched(session string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.shown[session] != nil
}

// update notes a session's list, and returns who is to hear that it changed.
func (l *lists) update(session string, list uint64) []watcher {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.shown[session]
	if s == nil || s.list == list {
		return nil
	}
	s.list = list
	tell := make([]watcher, 0, len(s.watchers))
	for w := range s.watchers {
		tell = append(tell, w)
	}
	return tell
}

// turnTime is how long the answer to a call waits for the session's next list.
// Another call may have the session by then.
const turnTime = 20 * time.Millisecond

// changed tells the watchers of a session if a call has changed what it can
// call. The client of the call hears it before the answer, unless another call
// has the session already: the answer does not wait for that one.
func (e *endpoint) changed(ctx context.Context, r *sdk.CallToolRequest, session string) {
	if !e.contexts || !e.lists.watched(session) {
		return
	}
	ctx = context.WithoutCancel(ctx)
	turn, cancel := context.WithTimeout(ctx, turnTime)
	defer cancel()
	if callable, err := e.dispatcher.Callable(turn, session); err == nil {
		e.announce(ctx, r.Session, e.lists.update(session, listed(callable)))
		return
	}
	e.aside("tools not listed", func() {
		turn, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		if callable, err := e.dispatcher.Callable(turn, session); err == nil { // else the next call sees to it
			e.announce(ctx, nil, e.lists.update(session, listed(callable)))
		}
	})
}

// announce tells watchers that their tools changed, and those of the client
// whose call is being answered before it returns.
func (e *endpoint) announce(ctx context.Context, answered *sdk.ServerSession, watchers []watcher) {
	for _, w := range watchers {
		if answered != nil && w.session == answered && w.subscription == nil {
			e.tell(ctx, w)
			continue
		}
		e.aside("client not told that its tools changed", func() {
			wait, cancel := context.WithTimeout(ctx, 10*time.Second)
			defer cancel()
			e.tell(detached{wait}, w)
		})
	}
}

// detached is a context whose values are not those of a request, so that what
// is sent with it goes to the client's own stream.
type detached struct{ context.Context }

func (detached) Value(any) any { return nil }

func (e *endpoint) tell(ctx context.Context, w watcher) {
	params := &sdk.ToolListChangedParams{}
	if w.subscription != nil {
		params.Meta = sdk.Meta{sdk.MetaKeySubscriptionID: w.subscription}
	}
	if _, err := e.send(ctx, listChanged, &sdk.ServerRequest[*sdk.ToolListChangedParams]{Session: w.session, Params: params}); err != nil {
		e.dispatcher.Logger().Debug("client not told that its tools changed", "error", err)
	}
}

type listenKey struct{}

// listening is a request to hear of changes, while it lasts.
type listening struct {
	session string
	watcher watcher
}

// listen answers subscriptions/listen, which lasts until the client ends it.
func (e *endpoint) listen(ctx context.Context, next sdk.MethodHandler, method string, r sdk.Request) (sdk.Result, error) {
	l := &listening{session: e.sessionOf(r)}
	defer func() {
		if l.watcher.session != nil {
			e.lists.unwatch(l.session, l.watcher)
		}
	}()
	return next(context.WithValue(ctx, listenKey{}, l), method, r)
}

// acknowledging learns from the acknowledgement of a subscription the id that
// notifications for it must carry.
func (e *endpoint) acknowledging(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		l, ok := ctx.Value(listenKey{}).(*listening)
		params, acknowledged := r.GetParams().(*sdk.SubscriptionsAcknowledgedParams)
		if ok && acknowledged && params.Notifications.ToolsListChanged && l.session != "" {
			if callable, err := e.dispatcher.Callable(ctx, l.session); err == nil {
				l.watcher = watcher{r.GetSession().(*sdk.ServerSession), params.Meta[sdk.MetaKeySubscriptionID]}
				e.lists.watch(l.session, l.watcher, listed(callable))
			}
		}
		return next(ctx, method, r)
	}
}

// leave forgets all watchers of a session.
func (l *lists) leave(session string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.shown, session)
}
