package lookup

import (
	"math/bits"
	"slices"
)

// mostSuggested is how many keys are offered; the rest is counted (D-7).
const mostSuggested = 5

// A shortlist is the nearest of the keys put on it, and the count of all. A key may
// be put on it more than once; the least distance counts.
type shortlist struct {
	best  []hit // nearest first, equally near ones in their order
	count int

	room  [mostSuggested]hit  // for best
	few   []uint32            // the orders of the keys, up to mostFew
	known []uint64            // and where there are more, a bit for each order
	seen  map[string]struct{} // keys that may have several refs
}

// A hit is a key to offer, and how far it is from the value.
type hit struct {
	ref
	distance float64
}

func (h *hit) before(r *ref, distance float64) bool {
	return h.distance < distance || h.distance == distance && h.order <= r.order
}

func (l *shortlist) put(r ref, distance float64) {
	if !l.knows(&r) {
		l.count++
	}
	if len(l.best) < mostSuggested || !l.best[mostSuggested-1].before(&r, distance) {
		l.insert(r, distance)
	}
}

// putAll is putAt for some of 64 positions.
func (l *shortlist) putAll(v *view, word int, keys uint64, distance float64) {
	for ; keys != 0; keys &= keys - 1 {
		l.putAt(v, word*64+bits.TrailingZeros64(keys), distance)
	}
}

// putAt is put for the key at a position. Most are too far to be looked at.
func (l *shortlist) putAt(v *view, i int, distance float64) {
	order := v.order(i)
	if !l.marks(order) {
		l.count++
	}
	if len(l.best) < mostSuggested || !l.best[mostSuggested-1].before(&ref{order: order}, distance) {
		l.insert(v.ref(i), distance)
	}
}

// mostFew is how many orders are looked through one by one. The bits of a million take
// longer to make than most lists are.
const mostFew = 64

// marks reports whether an order is marked already, and marks it.
func (l *shortlist) marks(order uint32) bool {
	if len(l.known) == 0 {
		if slices.Contains(l.few, order) {
			return true
		}
		if len(l.few) < mostFew {
			l.few = append(l.few, order)
			return false
		}
		for _, known := range l.few {
			l.mark(known)
		}
	}
	return l.mark(order)
}

// mark is marks by bits.
func (l *shortlist) mark(order uint32) bool {
	word, bit := int(order/64), uint64(1)<<(order%64)
	if word >= len(l.known) {
		l.known = append(l.known, make([]uint64, word+1-len(l.known))...)
	}
	known := l.known[word]&bit != 0
	l.known[word] |= bit
	return known
}

func (l *shortlist) knows(r *ref) bool {
	if r.once {
		return l.marks(r.order)
	}
	if l.seen == nil {
		l.seen = make(map[string]struct{})
	}
	_, known := l.seen[r.key]
	if !known {
		l.seen[r.key] = struct{}{}
	}
	return known
}

// insert puts a key among the best, in whose place it may come for the last.
func (l *shortlist) insert(r ref, distance float64) {
	at := len(l.best)
	for i := range l.best {
		if l.best[i].key == r.key {
			if l.best[i].before(&r, distance) {
				return
			}
			at = i
			break
		}
	}
	switch {
	case at < len(l.best): // it moves to the front from there
	case at == mostSuggested:
		at--
	default:
		l.best = l.room[:at+1]
	}
	for at > 0 && !l.best[at-1].before(&r, distance) {
		l.best[at] = l.best[at-1]
		at--
	}
	l.best[at] = hit{r, distance}
}

// forget empties the list and lets go of the keys.
func (l *shortlist) forget() {
	clear(l.room[:])
	l.best, l.count, l.seen = nil, 0, nil
	l.few, l.known = l.few[:0], emptied(l.known)
}

func (l *shortlist) keys() []string {
	if len(l.best) == 0 {
		return nil
	}
	out := make([]string, len(l.best))
	for i := range l.best {
		out[i] = l.best[i].key
	}
	return out
}

// offer rejects with the shortlist and the count of the rest.
func (l *shortlist) offer() Result {
	return Result{Verdict: Rejected, Suggestions: l.keys(), More: l.count - len(l.best)}
}
