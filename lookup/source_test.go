package lookup_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/fwgo/fwgo/lookup"
)

// table is a source that is asked over a wire: it counts its loads and can be made
// to wait or fail.
type table struct {
	mu      sync.Mutex
	keys    []string
	version string
	fail    error
	had     []string // what each load was told is kept

	wait chan struct{} // if not nil, loads wait for it to be closed
}

func (s *table) Name() string { return "list_users" }

func (s *table) Load(ctx context.Context, have string) ([]string, string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.had = append(s.had, have)
	keys, version, err := s.keys, s.version, s.fail
	if have == version {
		keys = nil
	}
	if wait := s.wait; wait != nil {
		s.mu.Unlock()
		select {
		case <-wait:
		case <-ctx.Done():
			err = ctx.Err()
		}
		s.mu.Lock()
	}
	return keys, version, err
}

func (s *table) put(version string, keys ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys, s.version = keys, version
}

func resolve(t *testing.T, r lookup.Resolver, value string) string {
	t.Helper()
	got, err := r.Resolve(t.Context(), value)
	if err != nil {
		t.Fatal(err)
	}
	return got.Match
}

func TestKeysAreKeptWhileTheVersionStands(t *testing.T) {
	src := &table{}
	src.put("v1", "Bob Smith")
	r := lookup.From(src, lookup.Options{})
	for range 3 {
		if got := resolve(t, r, "bob smith"); got != "Bob Smith" {
			t.Errorf("got %q", got)
		}
	}
	src.put("v2", "Al Smith")
	if got := resolve(t, r, "bob smith"); got != "" {
		t.Errorf("Bob is gone, got %q", got)
	}
	if got := resolve(t, r, "al smith"); got != "Al Smith" {
		t.Errorf("got %q", got)
	}
	if diff := cmp.Diff([]string{"", "v1", "v1", "v1", "v2"}, src.had); diff != "" {
		t.Error(diff)
	}
}

func TestKeysWithoutAVersionAreNotKept(t *testing.T) {
	src := &table{}
	r := lookup.From(keysOnly{src}, lookup.Options{})
	for _, key := range []string{"Bob", "Al", "Eve"} {
		src.put("", key)
		if got := resolve(t, r, strings.ToUpper(key)); got != key {
			t.Errorf("got %q, want %q", got, key)
		}
	}
}

type keysOnly struct{ *table }

func (s keysOnly) Load(context.Context, string) ([]string, string, error) { return s.keys, "", nil }

func TestAnUnavailableSourceIsAnError(t *testing.T) {
	src := &table{fail: errors.New("no route")}
	r := lookup.From(src, lookup.Options{Open: true})
	got, err := r.Resolve(t.Context(), "Bob")
	if !errors.Is(err, src.fail) || !strings.Contains(err.Error(), "list_users") {
		t.Errorf("want an error that names the source and wraps its own, got %v", err)
	}
	if diff := cmp.Diff(lookup.Result{}, got); diff != "" {
		t.Error(diff)
	}
	src.fail = nil
	src.put("v1", "Bob")
	if got := resolve(t, r, "bob"); got != "Bob" {
		t.Errorf("once it is back, got %q", got)
	}
}

func TestAFailureForgetsNothing(t *testing.T) {
	src := &table{}
	src.put("v1", "Bob")
	r := lookup.From(src, lookup.Options{})
	resolve(t, r, "Bob")
	src.fail = errors.New("no route")
	if _, err := r.Resolve(t.Context(), "Bob"); err == nil {
		t.Error("stale keys were used")
	}
	src.fail = nil
	if got := resolve(t, r, "bob"); got != "Bob" || src.had[2] != "v1" {
		t.Errorf("got %q, loads were told %q", got, src.had)
	}
}

func TestCallsThatComeTogetherLoadTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := &table{wait: make(chan struct{})}
		src.put("v1", "Bob")
		r := lookup.From(src, lookup.Options{})
		var group sync.WaitGroup
		for range 50 {
			group.Go(func() {
				if got := resolve(t, r, "bob"); got != "Bob" {
					t.Errorf("got %q", got)
				}
			})
		}
		synctest.Wait()
		close(src.wait)
		group.Wait()
		// One for who came first, one more for all who came while it was under way.
		if len(src.had) != 2 {
			t.Errorf("%d loads", len(src.had))
		}
	})
}

func TestAnAnswerKnowsWhatWasWrittenBeforeItWasAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := &table{wait: make(chan struct{})}
		src.put("v1", "Bob")
		r := lookup.From(src, lookup.Options{})
		var group sync.WaitGroup
		group.Go(func() { r.Resolve(t.Context(), "Bob") })
		synctest.Wait() // the load has read v1 and is on its way back
		src.put("v2", "Al")
		group.Go(func() {
			if got := resolve(t, r, "al"); got != "Al" {
				t.Errorf("got %q from a load that began before Al was there", got)
			}
		})
		synctest.Wait()
		close(src.wait)
		group.Wait()
	})
}

func TestWhoGivesUpDoesNotSpoilItForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := &table{wait: make(chan struct{})}
		src.put("v1", "Bob")
		r := lookup.From(src, lookup.Options{})
		hasty, giveUp := context.WithCancel(t.Context())
		waiting, giveUpToo := context.WithCancel(t.Context())
		var group sync.WaitGroup
		group.Go(func() {
			if _, err := r.Resolve(hasty, "bob"); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		})
		synctest.Wait()
		group.Go(func() {
			if _, err := r.Resolve(waiting, "bob"); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		})
		group.Go(func() {
			if got := resolve(t, r, "bob"); got != "Bob" {
				t.Errorf("got %q", got)
			}
		})
		synctest.Wait()
		giveUpToo()
		synctest.Wait()
		giveUp()
		synctest.Wait()
		close(src.wait)
		group.Wait()
	})
}

func TestWhoWaitsDoesNotInheritAnothersCancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := make(chan struct{})
		src := &table{wait: first}
		src.put("v1", "Bob")
		r := lookup.From(src, lookup.Options{})
		hasty, giveUp := context.WithCancel(t.Context())
		var group sync.WaitGroup
		group.Go(func() { resolve(t, r, "bob") })
		synctest.Wait()
		group.Go(func() {
			if _, err := r.Resolve(hasty, "bob"); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		})
		synctest.Wait()
		group.Go(func() {
			if got := resolve(t, r, "bob"); got != "Bob" {
				t.Errorf("got %q", got)
			}
		})
		synctest.Wait()
		second := make(chan struct{})
		src.mu.Lock()
		src.wait = second
		src.mu.Unlock()
		close(first)
		synctest.Wait() // the hasty one loads now, for the patient one too
		giveUp()
		synctest.Wait()
		close(second)
		group.Wait()
	})
}

func TestAPanicInASourceLeavesTheResolverUsable(t *testing.T) {
	src := &panicking{}
	r := lookup.From(src, lookup.Options{})
	func() {
		defer func() { recover() }()
		r.Resolve(t.Context(), "Bob")
	}()
	if got := resolve(t, r, "bob"); got != "Bob" {
		t.Errorf("got %q", got)
	}
}

type panicking struct{ calls int }

func (p *panicking) Name() string { return "p" }

func (p *panicking) Load(context.Context, string) ([]string, string, error) {
	if p.calls++; p.calls == 1 {
		panic("broken")
	}
	return []string{"Bob"}, "1", nil
}

func TestFromRefusesAMistakeAtOnce(t *testing.T) {
	for want, call := range map[string]func(){
		"source is nil":            func() { lookup.From(nil, lookup.Options{}) },
		"AutoApplyThreshold is 20": func() { lookup.From(lookup.Static("list_users"), lookup.Options{AutoApplyThreshold: new(20.0)}) },
	} {
		func() {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.Contains(said, want) {
					t.Errorf("want a panic that says %q, got %q", want, said)
				}
			}()
			call()
		}()
	}
}

func TestFromKeepsItsOwnOptions(t *testing.T) {
	limit := 0.2
	r := lookup.From(lookup.Static("s", "render_preview"), lookup.Options{AutoApplyThreshold: &limit})
	limit = -1
	if got := resolve(t, r, "render_previw"); got != "render_preview" {
		t.Errorf("got %q", got)
	}
}

func TestASetChanges(t *testing.T) {
	set := lookup.Static("s", "a", "b")
	if set.Name() != "s" {
		t.Errorf("its name is %q", set.Name())
	}
	load := func(have string) (string, string) {
		keys, version, err := set.Load(t.Context(), have)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(keys, " "), version
	}
	version := ""
	for _, step := range []struct {
		says    string
		do      func()
		keys    string
		changes bool
	}{
		{"as made", func() {}, "a b", true},
		{"Add", func() { set.Add("c", "a", "c") }, "a b c", true},
		{"Add what is there", func() { set.Add("a") }, "a b c", false},
		{"Remove", func() { set.Remove("b", "nobody") }, "a c", true},
		{"Remove what is not there", func() { set.Remove("nobody") }, "a c", false},
		{"Replace", func() { set.Replace("x", "y") }, "x y", true},
		{"Replace by the same", func() { set.Replace("x", "y") }, "x y", false},
		{"Replace by nothing", func() { set.Replace() }, "", true},
	} {
		step.do()
		keys, now := load("")
		if keys != step.keys || (now != version) != step.changes {
			t.Errorf("%s: keys %q, version %s after %s", step.says, keys, now, version)
		}
		if again, still := load(now); again != "" || still != now {
			t.Errorf("%s: unchanged keys were sent again: %q", step.says, again)
		}
		version = now
	}
}

func TestASetIsItsOwn(t *testing.T) {
	mine := []string{"a", "b"}
	set := lookup.Static("s", mine...)
	mine[0] = "x"
	keys, _, _ := set.Load(t.Context(), "")
	keys[1] = "x"
	if got, _, _ := set.Load(t.Context(), ""); strings.Join(got, " ") != "a b" {
		t.Errorf("got %q", got)
	}
	all := []string{"Bob", "Al"}
	prepared := lookup.NewKeys(all)
	all[0] = "Eve"
	if r := prepared.Match("bob", lookup.Options{}); r.Match != "Bob" || prepared.Len() != 2 {
		t.Errorf("got %+v", r)
	}
}

func TestReadersSeeOneSetOrTheOther(t *testing.T) {
	set := lookup.Static("s", "render_preview")
	both := []lookup.Resolver{lookup.From(set, lookup.Options{}), lookup.From(set, lookup.Options{Python: true})}
	var done atomic.Bool
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			for !done.Load() {
				got, err := both[i%2].Resolve(t.Context(), "render_prevew")
				if err != nil || got.Match != "render_preview" && got.Match != "render_prevews" {
					t.Errorf("got %+v, %v", got, err)
					return
				}
			}
		})
	}
	for i := range 200 {
		if i%2 == 0 {
			set.Replace("render_prevews")
		} else {
			set.Replace("render_preview")
		}
	}
	done.Store(true)
	group.Wait()
}
