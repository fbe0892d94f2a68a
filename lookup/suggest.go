package lookup

import (
	"math"
	"slices"
	"unicode/utf8"

	"github.com/fwgo/fwgo/internal/difflib"
)

const (
	// nearBand is how much farther than the nearest a key may be, as a fraction
	// of the value, and still be worth offering. Within SuggestThreshold alone
	// are a quarter of all names, whatever the value.
	nearBand = 0.2

	// closeMatches is how many difflib offers (FW-83).
	closeMatches = 3
)

// suggest offers the keys near q: those that contain it and those that may be
// heard as containing it, or, if none does, the nearest by FW-80's windows; those
// within the distance of a correction that was in doubt; those that share most of
// their words with it, or with those of its words that may name something, and those
// it contains. With none of these, what difflib finds.
func (s *search) suggest() Result {
	list := &s.list
	n := float64(s.q.runes)
	for _, set := range []*keySet{&s.containing, &s.wholeWords} {
		for _, r := range set.refs {
			list.put(r, 0)
		}
		for _, h := range set.hits {
			list.putAll(s.probes[h.in].view, int(h.word), h.keys, 0)
		}
	}
	switch {
	case list.count == 0:
		s.windows()
	case !s.wholeWords.empty():
		s.heard(func(r ref) bool { list.put(r, 1/n); return true })
	}
	s.complete(allEdits)
	for _, c := range s.close {
		list.put(c.ref, float64(c.edits)/n)
	}
	s.sharing(s.q.each)
	if named := s.q.named(); len(named) < len(s.q.each) {
		s.sharing(named)
	}
	if list.count > 0 {
		return list.offer()
	}
	if found := s.k.similar(s.q.value, s.o.threshold(), true); len(found) > 0 {
		return offer(found)
	}
	return s.k.nothing(s.o)
}

// sharing adds the keys that share most of some of the value's words.
func (s *search) sharing(words []queryWord) {
	for _, scan := range s.k.plain.scans {
		scan.sharing(&s.q, words, func(i int, distance float64) { s.list.put(scan.ref(i), distance) })
	}
	for _, p := range s.probes {
		p.sharing(&s.q, words, func(i int, distance float64) { s.list.putAll(p.view, i/64, 1<<(i%64), distance) })
	}
}

// windows adds the keys at the smallest window distance, and those not much
// farther, if that is within SuggestThreshold.
func (s *search) windows() {
	n, w, list := int(s.q.runes), &s.near, &s.list
	*w = windowSearch{
		pattern: &s.q.pattern, letters: s.q.letters, scans: s.k.plain.scans, forms: (*scan).plainForms, probes: s.probes,
		most: mostEdits(n, s.o.suggest()), band: mostEdits(n, nearBand), scanned: w.scanned[:0], found: w.found[:0],
	}
	w.search()
	for _, h := range w.scanned {
		if int(h.edits) <= w.within {
			list.put(w.scans[h.in].ref(int(h.at)), float64(h.edits)/float64(n))
		}
	}
	for edits := w.least; edits <= w.within; edits++ {
		for _, h := range w.found {
			if int(h.edits) == edits {
				list.putAll(w.probes[h.in].view, int(h.word), h.keys, float64(edits)/float64(n))
			}
		}
	}
}

// A windowSearch is for the keys at the smallest window distance (FW-80) from a
// value, and those at most band edits farther, if that is at most most.
type windowSearch struct {
	pattern *pattern
	letters uint64
	scans   []*scan
	forms   func(*scan) []form
	probes  []*probe

	most, band int

	least, within int // the smallest distance so far, and that of what is near then

	// What was near when it was found, and may be too far now.
	scanned []scanHit
	found   []probeHits
}

// mostSampled is how many times 64 keys are measured to see how near the nearest may be.
const mostSampled = 400

// A scanHit is the key at a place of a scan.
type scanHit struct{ at, edits, in uint32 }

// probeHits are keys of 64 positions in the table of a probe.
type probeHits struct {
	keys  uint64
	word  uint32
	in    uint16
	edits uint16
}

func (w *windowSearch) search() {
	w.least, w.within = w.most+1, w.most
	for in, s := range w.scans {
		s.windows(w.forms(s), w.pattern, w.letters, w.within, func(i, edits int) int {
			w.scanned = append(w.scanned, scanHit{uint32(i), uint32(edits), uint32(in)})
			return w.hit(edits)
		})
	}
	// What lacks few letters of the value is likely to be near, and shows how little
	// is worth looking for among the many that lack more. Some of it show that, too.
	for level := 1; ; {
		w.found = w.found[:0]
		complete := true
		for in, p := range w.probes {
			measures := math.MaxInt
			if level < w.within {
				measures = mostSampled
			}
			all := p.windows(level, w.within, measures, func(word int, keys uint64, edits int) int {
				w.found = append(w.found, probeHits{keys, uint32(word), uint16(in), uint16(edits)})
				return w.hit(edits)
			})
			complete = complete && all
		}
		if complete && level >= w.within {
			break
		}
		if level++; 2*level > w.least {
			level = w.within
		}
	}
}

func (w *windowSearch) hit(edits int) (within int) {
	if edits < w.least {
		w.least, w.within = edits, min(w.most, edits+w.band)
	}
	return w.within
}

// addTo adds what is near to a set of the same scans and tables.
func (w *windowSearch) addTo(set *keySet) {
	for _, h := range w.scanned {
		if int(h.edits) <= w.within {
			set.addRef(w.scans[h.in].ref(int(h.at)))
		}
	}
	for _, h := range w.found {
		if int(h.edits) <= w.within {
			set.addAll(int(h.in), int(h.word), h.keys)
		}
	}
}

// similar is FW-83: the keys whose lower case difflib finds close to the value's
// among the lower cases of all keys, equal ones once or as often as they occur.
func (k *Keys) similar(value string, cutoff float64, distinct bool) []ref {
	low, v := lower(value), k.python()
	m := difflib.NewMatcher(low)
	n := utf8.RuneCountInString(low)
	norm := pythonNorm(low)
	probes := make([]*probe, len(v.tables))
	for i := range v.tables {
		b := &probe{view: &v.tables[i]}
		b.code, _ = b.appendCodes(nil, norm, false)
		b.sieve = b.columns.sieve(b.code, false)
		probes[i] = b
	}
	var found *difflib.Closest
	try := func(text string) {
		if !distinct || !found.Has(text) {
			found.Try(text)
		}
	}
	// As with windows: few are very close.
	for _, floor := range [...]float64{0.8, 0.6, 0.45, 0.3, 0.2, 0} {
		if floor = max(floor, cutoff); len(probes) == 0 {
			floor = cutoff
		}
		found = m.Closest(closeMatches, floor)
		for _, s := range v.scans {
			for _, text := range s.lowered() {
				try(text)
			}
		}
		for _, b := range probes {
			for _, c := range b.classes {
				// A key has blanks that its text has not; at best as many as the
				// value, and the same.
				separators := min(n-len(b.code), b.blanks)
				lacking := func() int {
					matches := int(found.Floor()*float64(n+c.length+separators)/2) - separators
					if matches > c.length {
						return -1
					}
					return len(b.code) - max(0, matches)
				}
				b.each(c, lacking(), func(i int) int {
					try(lower(b.key(i)))
					return lacking()
				})
			}
		}
		if floor == cutoff || found.Full() {
			break
		}
	}
	var out []ref
	for _, text := range found.Texts() {
		out = append(out, k.lowerCase(text)...)
	}
	return out
}

// lowerCase gives the keys with a lower case, in their order.
func (k *Keys) lowerCase(low string) []ref {
	var out []ref
	v := k.python()
	for _, s := range v.scans {
		for i, text := range s.lowered() {
			if text == low {
				out = append(out, s.ref(i))
			}
		}
	}
	for i := range v.tables {
		t := &v.tables[i]
		code, _ := t.appendCodes(nil, pythonNorm(low), false)
		for i, end := t.find(code); i < end; i++ {
			if !t.hides(i) && lower(t.key(i)) == low {
				out = append(out, t.ref(i))
			}
		}
	}
	slices.SortFunc(out, byOrder)
	return out
}

// offer rejects with the first few of these keys, each once, and the count of the
// rest.
func offer(refs []ref) Result {
	r := Result{Verdict: Rejected}
	seen := make(map[string]struct{}, len(refs))
	for _, f := range refs {
		if _, again := seen[f.key]; again {
			continue
		}
		seen[f.key] = struct{}{}
		if len(r.Suggestions) < mostSuggested {
			r.Suggestions = append(r.Suggestions, f.key)
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
	s := k.sample()
	return Result{Verdict: Rejected, Suggestions: slices.Clone(s.first), More: s.distinct - len(s.first), Sample: len(s.first) > 0}
}
