package lookup

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fwgo/fwgo/internal/difflib"
)

const (
	// mostSuggested is how many keys are offered; the rest is counted (D-7).
	mostSuggested = 5

	// nearBand is how much farther than the nearest a key may be, as a fraction
	// of the value, and still be worth offering. Within SuggestThreshold alone
	// are a quarter of all names, whatever the value.
	nearBand = 0.2

	// closeMatches is how many difflib offers (FW-83).
	closeMatches = 3
)

// A hit is a key to offer, and how far it is from the value.
type hit struct {
	index    int
	distance float64
}

// suggest offers the keys near q: those that contain it and those that may be
// heard as containing it, or, if none does, the nearest by FW-80's windows; those
// within the distance of a correction that was in doubt; those that share most of
// their words with it, and those it contains. With none of these, what difflib
// finds.
func (k *Keys) suggest(q *query, c candidates, o Options) Result {
	var hits []hit
	for _, i := range c.containing {
		hits = append(hits, hit{i, 0})
	}
	for _, i := range c.wholeWords {
		hits = append(hits, hit{i, 0})
	}
	switch {
	case len(hits) == 0:
		hits = k.windows(q, o.suggest())
	case len(c.wholeWords) > 0:
		for _, i := range k.heard(q) {
			hits = append(hits, hit{i, 1 / float64(q.runes)})
		}
	}
	for _, n := range c.close {
		hits = append(hits, hit{n.index, float64(n.edits) / float64(q.runes)})
	}
	hits = k.sharing(q, hits)
	if len(hits) == 0 {
		if found := k.similar(q.value, k.lowered().distinct, o.threshold()); len(found) > 0 {
			return k.offer(found)
		}
		return k.nothing(o)
	}
	slices.SortStableFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.index, b.index))
	})
	order := make([]int, len(hits))
	for i, h := range hits {
		order[i] = h.index
	}
	return k.offer(order)
}

// windows gives the keys at the smallest window distance, and those not much
// farther, if that is within limit.
func (k *Keys) windows(q *query, limit float64) []hit {
	n := int(q.runes)
	band := mostEdits(n, nearBand)
	most := mostEdits(n, limit)
	best := most
	var near []closeKey
	forms := k.forms()
	for i := range forms {
		f := &forms[i]
		bound := min(most, best+band)
		if n-int(f.runes) > bound || lacking(f.letters, q.letters) > bound {
			continue
		}
		if e := q.pattern.window(f.fold, int(f.runes), bound); e <= bound {
			best = min(best, e)
			near = append(near, closeKey{i, e, n})
		}
	}
	var hits []hit
	for _, c := range near {
		if c.edits <= best+band {
			hits = append(hits, hit{c.index, float64(c.edits) / float64(n)})
		}
	}
	return hits
}

// sharing adds the keys that have most of their words, and of the value's, in
// common with it, in whatever order, and those that the value contains as whole
// words. Their distance is the part they do not share.
func (k *Keys) sharing(q *query, hits []hit) []hit {
	if len(q.each) == 0 {
		return hits
	}
	spaced, marks := make([]string, len(q.each)), make([]uint64, len(q.each))
	for i, w := range q.each {
		spaced[i], marks[i] = " "+w+" ", letters(w)
	}
	forms := k.forms()
	for i := range forms {
		f := &forms[i]
		if f.count == 0 {
			continue
		}
		all := len(spaced) + int(f.count)
		shared := 0
		if 4*min(len(spaced), int(f.count)) > all {
			for j, w := range spaced {
				if lacking(f.letters, marks[j]) == 0 && strings.Contains(f.words, w) {
					shared++
				}
			}
		}
		inside := len(f.words) < len(q.words) && strings.Contains(q.words, f.words) && bareLen(f.words) >= leastContained
		if inside {
			shared = int(f.count)
		}
		if inside || 4*shared > all {
			hits = append(hits, hit{i, max(0, 1-2*float64(shared)/float64(all))})
		}
	}
	return hits
}

// lowered is the lower case of every key, and each lower case there is.
type lowered struct{ all, distinct []string }

func loweredOf(keys []string) lowered {
	l := lowered{all: make([]string, len(keys))}
	seen := make(map[string]struct{}, len(keys))
	for i, key := range keys {
		low := lower(key)
		l.all[i] = low
		if _, again := seen[low]; !again {
			seen[low] = struct{}{}
			l.distinct = append(l.distinct, low)
		}
	}
	return l
}

// similar is FW-83: the keys whose lower case difflib finds close to the value's
// among these lower cases.
func (k *Keys) similar(value string, among []string, cutoff float64) []int {
	var out []int
	for _, text := range difflib.CloseMatches(lower(value), among, closeMatches, cutoff) {
		for i, low := range k.lowered().all {
			if low == text {
				out = append(out, i)
			}
		}
	}
	return out
}

// offer rejects with the first few of these keys, each once, and the count of the
// rest.
func (k *Keys) offer(order []int) Result {
	r := Result{Verdict: Rejected}
	seen := make(map[string]struct{}, len(order))
	for _, i := range order {
		key := k.keys[i]
		if _, again := seen[key]; again {
			continue
		}
		seen[key] = struct{}{}
		if len(r.Suggestions) < mostSuggested {
			r.Suggestions = append(r.Suggestions, key)
		} else {
			r.More++
		}
	}
	return r
}

// nothing is the answer when no key is near: rejected, with the first keys to
// show what one looks like, or no opinion if the set is open.
func (k *Keys) nothing(o Options) Result {
	if o.Open {
		return Result{Verdict: Declined}
	}
	r := Result{Verdict: Rejected}
	for _, key := range k.keys {
		if len(r.Suggestions) == mostSuggested {
			break
		}
		if !slices.Contains(r.Suggestions, key) {
			r.Suggestions = append(r.Suggestions, key)
		}
	}
	r.More = k.distinct() - len(r.Suggestions)
	r.Sample = len(r.Suggestions) > 0
	return r
}
