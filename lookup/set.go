package lookup

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"
)

// A Set is a [Source] in memory. Reading never waits for a change: a change makes
// new keys beside the old ones and then puts them in their place, as a whole. What
// was prepared for the keys that stay is kept, but for a part of it now and then.
type Set struct {
	name string

	writing sync.Mutex
	now     atomic.Pointer[snapshot]
}

// snapshot is a Set at one version.
type snapshot struct {
	*Keys
	version uint64
}

// Static makes a Set of these keys, and prepares them.
func Static(name string, keys ...string) *Set {
	s := &Set{name: name}
	s.now.Store(&snapshot{NewKeys(keys), 1})
	return s
}

// Name is the name given to Static.
func (s *Set) Name() string { return s.name }

// Keys are the keys as they stand.
func (s *Set) Keys() *Keys { return s.now.Load().Keys }

// Load gives the keys unless have is their version. See [Source].
func (s *Set) Load(_ context.Context, have string) (keys []string, version string, err error) {
	now := s.now.Load()
	version = strconv.FormatUint(now.version, 10)
	if have == version {
		return nil, version, nil
	}
	return now.all(), version, nil
}

// Replace puts these keys in place of all there are.
func (s *Set) Replace(keys ...string) {
	s.change(func(old *Keys) *Keys { return old.become(keys) })
}

// Add appends the keys that the set does not have.
func (s *Set) Add(keys ...string) {
	s.change(func(old *Keys) *Keys { return old.with(keys) })
}

// Remove takes these keys out. Keys that the set does not have are no mistake.
func (s *Set) Remove(keys ...string) {
	s.change(func(old *Keys) *Keys { return old.without(keys) })
}

// change leaves the version alone if nothing changes, so nothing is prepared anew.
func (s *Set) change(edit func(old *Keys) *Keys) {
	s.writing.Lock()
	defer s.writing.Unlock()
	old := s.now.Load()
	if keys := edit(old.Keys); keys != old.Keys {
		s.now.Store(&snapshot{keys, old.version + 1})
	}
}
