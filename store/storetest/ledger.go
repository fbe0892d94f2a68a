package storetest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/store"
)

// A ledger is what a parent knows from the lines of its children.
type ledger struct {
	turns        map[string]standing // by session
	tokens       map[string]string   // the last word about a token: made, ending, gone
	acknowledged int
	silent       int // turns found that no line had told of
}

type standing struct {
	turn    int
	version int64
}

func newLedger() *ledger {
	return &ledger{turns: map[string]standing{}, tokens: map[string]string{}}
}

func (k *ledger) note(t *testing.T, line string) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "open":
	case "fail":
		t.Errorf("the process failed: %s", rest)
	case "ack", "seen":
		var at standing
		if _, err := fmt.Sscanf(rest, "%d %d", &at.turn, &at.version); err != nil {
			t.Fatalf("cannot read the line %q", line)
		}
		name := strings.SplitN(rest, " ", 3)[2]
		before := k.turns[name]
		if at.turn < before.turn || at.version < before.version {
			t.Errorf("%s went back from %+v to %+v", name, before, at)
		}
		if word == "ack" {
			k.acknowledged++
			if at.turn != before.turn+1 && before.turn > 0 {
				t.Errorf("%s went from turn %d to %d", name, before.turn, at.turn)
			}
		}
		k.turns[name] = at
	case "made", "gone":
		k.acknowledged++
		k.tokens[rest] = word
	case "ending":
		k.tokens[rest] = word
	default:
		t.Fatalf("cannot read the line %q; %s", line, hint)
	}
}

// check looks at the store after a kill, and clears its tokens away.
func (k *ledger) check(t *testing.T, s store.Store) {
	for name, at := range k.turns {
		r, err := s.Load(t.Context(), "session", name)
		if err != nil {
			t.Errorf("turn %d of %s was acknowledged: %v", at.turn, name, err)
			continue
		}
		turn, whole := payloadTurn(r.Data, name)
		if !whole {
			t.Errorf("%s is not whole", name)
			continue
		}
		// One turn may have been stored whose line was not printed any more.
		if turn != at.turn && turn != at.turn+1 || turn == at.turn && r.Version != at.version || turn > at.turn && r.Version <= at.version {
			t.Errorf("%s stands at turn %d, version %d; acknowledged were turn %d, version %d", name, turn, r.Version, at.turn, at.version)
		}
		k.silent += turn - at.turn
		k.turns[name] = standing{turn, r.Version}
	}
	found := map[string]bool{}
	listed, err := s.List(t.Context(), store.Query{Kind: "token", Limit: store.MaxLimit})
	if err != nil {
		t.Error(err)
	}
	for _, r := range listed {
		found[r.ID] = true
		if k.tokens[r.ID] == "gone" {
			t.Errorf("the token %q was deleted and is there", r.ID)
		}
		whole, err := s.Load(t.Context(), r.Kind, r.ID)
		if err != nil || !isPayload(whole.Data, r.ID, 0) {
			t.Errorf("the token %q is not whole: %v", r.ID, err)
		}
	}
	for id, word := range k.tokens {
		if word == "made" && !found[id] {
			t.Errorf("the token %q was acknowledged and is not there", id)
		}
	}
	clear(k.tokens)
	for id := range found {
		if err := s.Delete(t.Context(), "token", id, 0); err != nil && !errors.Is(err, store.ErrNotFound) {
			t.Error(err)
		}
		k.tokens[id] = "gone"
	}
}
