package rest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"github.com/fwgo/fwgo/store"
)

// Kinds of the records that a Service keeps beside the sessions.
const (
	kindChannel      = "channel"
	kindConversation = "conversation"
	kindTurn         = "turn"
)

// A channel is one caller's line to the workflow: its session, the turn that
// runs, and the conversation that turns are recorded in.
type channel struct {
	id string

	mu    sync.Mutex
	state channelState
	// version is the stored record's.
	version int64
	active  *turn // nil when none runs
	// unclaimed are the turns that ended after their client had been told to
	// wait, or had gone, oldest first: the answer of each is for the same request
	// when it comes again.
	unclaimed []*turn
	// keyed are the turns of requests with an Idempotency-Key, oldest first.
	keyed []*turn

	users int // requests that have it in hand; guarded by Service.mu
}

// channelState is what of a channel outlives the process.
type channelState struct {
	User         string `json:"user,omitempty"`
	StreamFormat string `json:"stream_format,omitempty"`
	// Conversation is the number of the current conversation, 0 before the
	// first turn; Last is the highest number given.
	Conversation int `json:"conversation,omitempty"`
	Last         int `json:"last,omitempty"`
}

// channel returns the channel of an id, from memory or from the Store, nil if
// there is none. The caller gives it back with release.
func (s *Service) channel(ctx context.Context, id string) (*channel, error) {
	s.mu.Lock()
	if c := s.channels[id]; c != nil {
		c.users++
		s.mu.Unlock()
		return c, nil
	}
	s.mu.Unlock()
	r, err := s.dispatcher.Store().Load(ctx, kindChannel, id)
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrInvalid) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	loaded := &channel{id: id, version: r.Version}
	if err := json.Unmarshal(r.Data, &loaded.state); err != nil {
		return nil, err
	}
	return s.adopt(loaded), nil
}

// open returns the channel of an id, which is made if there is none.
func (s *Service) open(ctx context.Context, id string) (*channel, error) {
	if err := store.CheckKey(kindChannel, id); err != nil {
		return nil, err
	}
	c, err := s.channel(ctx, id)
	if c != nil || err != nil {
		return c, err
	}
	return s.adopt(&channel{id: id}), nil
}

// adopt puts a channel into memory, unless it is there already.
func (s *Service) adopt(c *channel) *channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	if have := s.channels[c.id]; have != nil {
		c = have
	} else {
		s.channels[c.id] = c
	}
	c.users++
	for id, old := range s.channels {
		if len(s.channels) <= s.options.MaxChannels {
			break
		}
		if old.users == 0 && old.idle() {
			delete(s.channels, id)
		}
	}
	return c
}

func (s *Service) release(c *channel) {
	s.mu.Lock()
	c.users--
	s.mu.Unlock()
}

// idle reports whether nothing would be lost with the channel in memory. Who
// has it locked may be waiting for the Store, and is using it, so it does not
// wait for the lock.
func (c *channel) idle() bool {
	if !c.mu.TryLock() {
		return false
	}
	defer c.mu.Unlock()
	owed := func(t *turn) bool { return !t.stale() }
	return c.active == nil && !slices.ContainsFunc(c.unclaimed, owed) && !slices.ContainsFunc(c.keyed, owed)
}

// change changes what of the channel outlives the process, and stores it; if it
// cannot be stored, nothing has changed. Where the stored state has gone on
// without this process, it is that which is changed. c.mu is held.
func (s *Service) change(ctx context.Context, c *channel, set func(*channelState)) error {
	err := s.save(ctx, c, set)
	if !errors.Is(err, store.ErrConflict) {
		return err
	}
	r, err := s.dispatcher.Store().Load(ctx, kindChannel, c.id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		c.version = 0
	case err != nil:
		return err
	default:
		c.state, c.version = channelState{}, r.Version
		if err := json.Unmarshal(r.Data, &c.state); err != nil {
			return err
		}
	}
	return s.save(ctx, c, set)
}

func (s *Service) save(ctx context.Context, c *channel, set func(*channelState)) error {
	state := c.state
	set(&state)
	data, err := json.Marshal(state)
	if err != nil {
		return err
	}
	r := store.Record{Kind: kindChannel, ID: c.id, Version: c.version, Data: data}
	if err := s.dispatcher.Store().Save(context.WithoutCancel(ctx), &r); err != nil {
		return err
	}
	c.state, c.version = state, r.Version
	return nil
}
