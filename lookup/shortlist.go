package lookup

import "math/bits"

// mostSuggested is how many keys are offered; the rest is counted (D-7).
const mostSuggested = 5

// A shortlist is the nearest of the keys put on it, and the count of all. A key may
// be put on it more than once; the least distance counts.
type shortlist struct {
	best  []hit // nearest first, equally near ones in their order
	count int

	room  [mostSuggested]hit  // for best
	few   []probeHits         // what was put, up to mostFew
	known [][]uint64          // and where there is more, a bit for each position of each table
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

// putAll is put for the keys at some of 64 positions. Most are too far to be looked at.
func (l *shortlist) putAll(v *view, word int, keys uint64, distance float64) {
	l.count += bits.OnesCount64(l.marks(v.number, word, keys))
	if len(l.best) == mostSuggested && l.best[mostSuggested-1].distance < distance {
		return
	}
	for ; keys != 0; keys &= keys - 1 {
		i := word*64 + bits.TrailingZeros64(keys)
		if len(l.best) < mostSuggested || !l.best[mostSuggested-1].before(&ref{order: v.order(i)}, distance) {
			l.insert(v.ref(i), distance)
		}
	}
}

// mostFew is how much is looked through one by one. The bits of a million take longer
// to make than most lists are.
const mostFew = 64

// marks gives the positions that are not marked yet, and marks them.
func (l *shortlist) marks(table uint16, word int, keys uint64) (fresh uint64) {
	if len(l.known) == 0 {
		for i := range l.few {
			if known := &l.few[i]; int(known.word) == word && known.in == table {
				fresh = keys &^ known.keys
				known.keys |= keys
				return fresh
			}
		}
		if len(l.few) < mostFew {
			l.few = append(l.few, probeHits{keys: keys, word: uint32(word), in: table})
			return keys
		}
		for _, known := range l.few {
			l.mark(known.in, int(known.word), known.keys)
		}
	}
	return l.mark(table, word, keys)
}

// mark is marks by bits.
func (l *shortlist) mark(table uint16, word int, keys uint64) (fresh uint64) {
	for int(table) >= len(l.known) {
		l.known = append(l.known, nil)
	}
	known := l.known[table]
	if word >= len(known) {
		known = append(known, make([]uint64, word+1-len(known))...)
		l.known[table] = known
	}
	fresh = keys &^ known[word]
	known[word] |= keys
	return fresh
}

func (l *shortlist) knows(r *ref) bool {
	if r.once {
		return l.marks(r.table, int(r.at/64), 1<<(r.at%64)) == 0
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
