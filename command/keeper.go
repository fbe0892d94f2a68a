package command

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/fwgo/fwgo/store"
)

// sessionKind is the kind of records that hold sessions.
const sessionKind = "session"

// ErrNotStored is found in the error of a call that has run, but whose session
// could not be stored: what the call did is done, and only the session knows
// nothing of it. After any other error of a Keeper the call did not run.
var ErrNotStored = errors.New("the call has run, but its session could not be stored")

// A Keeper keeps the sessions of a workflow in a Store, by id. A call is
// answered only when the session it left behind is stored: what was
// acknowledged survives the process. Calls on one session run one after the
// other, in the order they arrived. A Keeper is safe for concurrent use.
type Keeper struct {
	workflow *Workflow
	store    store.Store // nil for sessions that are in memory alone
	options  SessionOptions
	mostIdle int

	mu   sync.Mutex
	kept map[string]*keptSession
	idle list.List // ids of the sessions in memory that no call uses, longest unused first
}

// keptSession is a session in memory. It has as many users as calls that run
// or wait, and with none a place among the idle ones.
type keptSession struct {
	turn    chan struct{}
	users   int
	idle    *list.Element
	session *Session
	version int64
	stored  string
}

// How many sessions a Keeper holds in memory that no call uses: of those that
// are in a Store as well, and of those that are nowhere else.
const (
	mostIdle     = 1024
	mostUnstored = 100_000
)

// Keep makes a Keeper. New sessions have the options given. Without a Store
// sessions are in memory alone: they need not be storable, and end with the
// process; of those that no call uses the latest 100,000 are kept.
func Keep(w *Workflow, st store.Store, o ...SessionOptions) *Keeper {
	k := &Keeper{workflow: w, store: st, mostIdle: mostIdle, kept: map[string]*keptSession{}}
	if st == nil {
		k.mostIdle = mostUnstored
	}
	for _, option := range o {
		k.options = option
	}
	return k
}

// Call is Session.Call on the session of an id, which is made if there is
// none. An error means that the call is not acknowledged: the session could
// not be read, or what the call left behind could not be stored (ErrNotStored).
func (k *Keeper) Call(ctx context.Context, id, text string) (*Outcome, error) {
	return k.with(ctx, id, func(s *Session) *Outcome { return s.Call(ctx, text) })
}

// Do is Session.Do on the session of an id; see Call.
func (k *Keeper) Do(ctx context.Context, id string, a Action) (*Outcome, error) {
	return k.with(ctx, id, func(s *Session) *Outcome { return s.Do(ctx, a) })
}

// DoGated is Session.DoGated on the session of an id; see Call.
func (k *Keeper) DoGated(ctx context.Context, id string, a Action, gate func(input any) bool) (*Outcome, error) {
	return k.with(ctx, id, func(s *Session) *Outcome { return s.DoGated(ctx, a, gate) })
}

// Tell is Session.Tell on the session of an id; see Call.
func (k *Keeper) Tell(ctx context.Context, id, text string) (*Outcome, error) {
	return k.with(ctx, id, func(s *Session) *Outcome { return s.Tell(ctx, text) })
}

// Cancel drops what the session of an id has asked for and not yet been told,
// and reports whether there was anything.
func (k *Keeper) Cancel(ctx context.Context, id string) (cleared bool, err error) {
	_, err = k.with(ctx, id, func(s *Session) *Outcome {
		cleared = s.Cancel(ctx)
		return nil
	})
	return cleared, err
}

// Look shows the session of an id to a function, which must not change it, in
// the session's turn. Without such a session it is shown a new one.
func (k *Keeper) Look(ctx context.Context, id string, look func(*Session)) error {
	c, err := k.take(ctx, id)
	if err != nil {
		return err
	}
	defer k.give(id, c)
	if err := k.load(ctx, id, c); err != nil {
		c.session = nil
		return fmt.Errorf("command: session %q: %w", id, err)
	}
	look(c.session)
	return nil
}

// Delete forgets a session. It is no error if there is none.
func (k *Keeper) Delete(ctx context.Context, id string) error {
	c, err := k.take(ctx, id)
	if err != nil {
		return err
	}
	defer k.give(id, c)
	c.session = nil
	if k.store == nil {
		return nil
	}
	if err := k.store.Delete(ctx, sessionKind, id, 0); err != nil && !errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("command: session %q: %w", id, err)
	}
	return nil
}

func (k *Keeper) with(ctx context.Context, id string, work func(*Session) *Outcome) (*Outcome, error) {
	c, err := k.take(ctx, id)
	if err != nil {
		return nil, err
	}
	defer k.give(id, c)
	if err := k.load(ctx, id, c); err != nil {
		c.session = nil
		return nil, fmt.Errorf("command: session %q: %w", id, err)
	}
	session := c.session
	if k.store == nil {
		return work(session), nil // code that did not end in time keeps its turn
	}
	// Until it is stored, what memory holds is not what the store holds.
	c.session = nil
	outcome := work(session)
	if !session.idle() {
		// Code that did not end in time still has this session. It is left to
		// it; the next call goes on from what was stored before.
		return outcome, nil
	}
	if err := k.save(ctx, id, c, session); err != nil {
		return nil, fmt.Errorf("command: session %q: %w: %w", id, ErrNotStored, err)
	}
	c.session = session
	return outcome, nil
}

// take waits for the session's turn.
func (k *Keeper) take(ctx context.Context, id string) (*keptSession, error) {
	k.mu.Lock()
	c := k.kept[id]
	if c == nil {
		c = &keptSession{turn: make(chan struct{}, 1)}
		c.turn <- struct{}{}
		k.kept[id] = c
	}
	c.users++
	if c.idle != nil {
		k.idle.Remove(c.idle)
		c.idle = nil
	}
	k.mu.Unlock()
	select {
	case <-c.turn:
		return c, nil
	case <-ctx.Done():
		k.leave(id, c)
		return nil, fmt.Errorf("command: session %q: waiting for an earlier call: %w", id, ctx.Err())
	}
}

func (k *Keeper) give(id string, c *keptSession) {
	c.turn <- struct{}{}
	k.leave(id, c)
}

// leave ends a use, and lets go of the sessions that nobody has used longest.
func (k *Keeper) leave(id string, c *keptSession) {
	k.mu.Lock()
	defer k.mu.Unlock()
	c.users--
	if c.users > 0 {
		return
	}
	if c.session == nil {
		delete(k.kept, id) // there is nothing to hold
		return
	}
	c.idle = k.idle.PushBack(id)
	for k.idle.Len() > k.mostIdle {
		delete(k.kept, k.idle.Remove(k.idle.Front()).(string))
	}
}

// load makes the session in memory the stored one: another process may have
// gone on with it.
func (k *Keeper) load(ctx context.Context, id string, c *keptSession) error {
	if k.store == nil {
		if c.session == nil {
			c.session = k.workflow.NewSession(k.options)
		}
		return nil
	}
	r, err := k.store.Load(ctx, sessionKind, id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		c.session, c.version, c.stored = k.workflow.NewSession(k.options), 0, ""
		return nil
	case err != nil:
		return err
	case c.session != nil && c.version == r.Version:
		return nil
	}
	if c.session, err = k.workflow.RestoreSession(ctx, r.Data); err != nil {
		return err
	}
	c.version, c.stored = r.Version, string(r.Data)
	return nil
}

// save stores the session if the call changed it. The caller's context may
// have ended with the call; what it did is stored all the same.
func (k *Keeper) save(ctx context.Context, id string, c *keptSession, session *Session) error {
	data, err := session.State()
	if err != nil {
		return err
	}
	if c.version > 0 && string(data) == c.stored {
		return nil
	}
	r := store.Record{Kind: sessionKind, ID: id, Version: c.version, Data: data}
	if err := k.store.Save(context.WithoutCancel(ctx), &r); err != nil {
		return err
	}
	c.version, c.stored = r.Version, string(data)
	return nil
}
