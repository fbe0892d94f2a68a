package lookup

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
)

// A Set is a [Source] in memory. Reading never waits: a change builds a new key
// set and then puts it in place of the old one, as a whole.
type Set struct {
	name string

	writing sync.Mutex
	now     atomic.Pointer[snapshot]
}

// snapshot is a Set at one version. Its keys are prepared when they are first
// matched, once for all resolvers.
type snapshot struct {
	*Keys
	version uint64
}

// Static makes a Set of these keys.
func Static(name string, keys ...string) *Set {
	s := &Set{name: name}
	s.put(slices.Clone(keys), 1)
	return s
}

func (s *Set) put(keys []string, version uint64) {
	s.now.Store(&snapshot{lazily(keys), version})
}

// Name is the name given to Static.
func (s *Set) Name() string { return s.name }

// Load gives the keys unless have is their version. See [Source].
func (s *Set) Load(_ context.Context, have string) (keys []string, version string, err error) {
	now := s.now.Load()
	version = strconv.FormatUint(now.version, 10)
	if have == version {
		return nil, version, nil
	}
	return slices.Clone(now.keys), version, nil
}

// Replace puts these keys in place of all there are.
func (s *Set) Replace(keys ...string) {
	s.change(func([]string) []string { return slices.Clone(keys) })
}

// Add appends the keys that the set does not have. To add many, add them in one
// call: every change copies the set.
func (s *Set) Add(keys ...string) {
	s.change(func(old []string) []string {
		have := make(map[string]struct{}, len(old)+len(keys))
		for _, key := range old {
			have[key] = struct{}{}
		}
		added := slices.Clone(old)
		for _, key := range keys {
			if _, ok := have[key]; !ok {
				have[key] = struct{}{}
				added = append(added, key)
			}
		}
		return added
	})
}

// Remove takes these keys out. Keys that the set does not have are no mistake.
func (s *Set) Remove(keys ...string) {
	gone := make(map[string]struct{}, len(keys))
	for _, key := range keys {
		gone[key] = struct{}{}
	}
	s.change(func(old []string) []string {
		return slices.DeleteFunc(slices.Clone(old), func(key string) bool {
			_, ok := gone[key]
			return ok
		})
	})
}

// change leaves the version alone if nothing changes, so nothing is prepared anew.
func (s *Set) change(edit func(old []string) []string) {
	s.writing.Lock()
	defer s.writing.Unlock()
	old := s.now.Load()
	if keys := edit(old.keys); !slices.Equal(keys, old.keys) {
		s.put(keys, old.version+1)
	}
}
