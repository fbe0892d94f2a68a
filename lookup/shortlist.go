package lookup

import "slices"

// mostSuggested is how many keys are offered; the rest is counted (D-7).
const mostSuggested = 5

// A shortlist is the nearest of the keys put on it, and the count of all. A key may
// be put on it more than once; the least distance counts.
type shortlist struct {
	best  []hit // nearest first, equally near ones in their order
	count int

	known []uint64            // keys, by their order
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

// putAt is put for the key at a position. Most are too far to be looked at.
func (l *shortlist) putAt(v *view, i int, distance float64) {
	order := v.order[i]
	if !l.marks(order) {
		l.count++
	}
	if len(l.best) < mostSuggested || !l.best[mostSuggested-1].before(&ref{order: order}, distance) {
		l.insert(v.ref(i), distance)
	}
}

// marks reports whether an order is marked already, and marks it.
func (l *shortlist) marks(order uint32) bool {
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

func (l *shortlist) insert(r ref, distance float64) {
	at := len(l.best)
	for i := range l.best {
		if l.best[i].key == r.key {
			if l.best[i].before(&r, distance) {
				return
			}
			l.best = slices.Delete(l.best, i, i+1)
			at = len(l.best)
			break
		}
	}
	for at > 0 && !l.best[at-1].before(&r, distance) {
		at--
	}
	if len(l.best) == mostSuggested {
		l.best = l.best[:mostSuggested-1]
	}
	l.best = slices.Insert(l.best, at, hit{r, distance})
}

func (l *shortlist) keys() []string {
	var out []string
	for _, h := range l.best {
		out = append(out, h.key)
	}
	return out
}

// offer rejects with the shortlist and the count of the rest.
func (l *shortlist) offer() Result {
	return Result{Verdict: Rejected, Suggestions: l.keys(), More: l.count - len(l.best)}
}
