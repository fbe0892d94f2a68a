package rest

import (
	"crypto/sha256"
	"net/http"
	"slices"
	"strings"

	"github.com/fwgo/fwgo/internal/quote"
)

// A request that brings an Idempotency-Key is one request however often it comes: the
// turn that it began is its turn, and the answer of that is its answer, also where the
// first was lost on its way. (The header is that of the IETF's draft of this name.)
const idempotencyHeader = "Idempotency-Key"

// idempotencyPattern is what a key may be, as a schema says it.
const idempotencyPattern = "^[!-~]{1,255}$"

// mostKeyed is of how many requests with a key a channel remembers the turns, the
// latest, each for claimTime.
const mostKeyed = 32

// errKeyReused says that a key came with another request before.
type errKeyReused struct{ key string }

func (e errKeyReused) Error() string {
	return "The " + idempotencyHeader + " " + shown(e.key) + " came with another request before. A new request needs a new key; to send the same one again, send the same body."
}

// idempotencyKey is the key of a request, "" for none. It answers a request whose key
// cannot be one.
func idempotencyKey(w http.ResponseWriter, r *http.Request) (key string, ok bool) {
	values := r.Header.Values(idempotencyHeader)
	switch {
	case len(values) == 0:
		return "", true
	case len(values) > 1:
		refuse(w, http.StatusUnprocessableEntity, idempotencyHeader+" was sent more than once; send it once.")
		return "", false
	}
	key = values[0]
	blank := strings.ContainsFunc(key, func(r rune) bool { return r < '!' || r > '~' })
	if key == "" || len(key) > 255 || blank {
		refuse(w, http.StatusUnprocessableEntity, idempotencyHeader+" is "+quote.Text(values[0], 60)+"; it must be 1 to 255 visible ASCII characters without blanks, such as a UUID.")
		return "", false
	}
	return key, true
}

// keyedTurn returns the turn that a key began, nil if there is none that is remembered.
// c.mu is held.
func (c *channel) keyedTurn(key string, request [sha256.Size]byte) (*turn, error) {
	c.keyed = slices.DeleteFunc(c.keyed, func(t *turn) bool { return t != c.active && t.stale() })
	for _, t := range c.keyed {
		switch {
		case t.idempotency != key:
		case t.request != request:
			return nil, errKeyReused{key}
		default:
			return t, nil
		}
	}
	return nil, nil
}

// remember keeps a turn by its key. c.mu is held.
func (c *channel) remember(t *turn) {
	if len(c.keyed) == mostKeyed {
		c.keyed = slices.Delete(c.keyed, 0, 1)
	}
	c.keyed = append(c.keyed, t)
}

// forget lets a key begin another turn, as its own did not run. c.mu is held.
func (c *channel) forget(t *turn) {
	c.keyed = slices.DeleteFunc(c.keyed, func(k *turn) bool { return k == t })
}
