package lookup

import (
	"slices"
	"sync"
)

// Keys is a key set prepared for many calls. It never changes, and any number of
// goroutines may use it.
type Keys struct {
	segments []segment
	count    int // keys, repetitions included

	plain  views
	python func() views
	sample func() sample
}

// A segment is keys that came together. Later segments hold later keys.
type segment struct {
	table *table   // nil for none
	gone  []uint64 // positions in the table that were removed; nil for none
	left  int      // keys in the table that were not
	scan  *scan    // the keys in no table
}

// all are its keys in their order, those of the table that were removed too.
func (s *segment) all() []string {
	if s.table != nil {
		return s.table.keys
	}
	return s.scan.keys
}

// views is what a search goes through.
type views struct {
	tables []view
	scans  []*scan
	lists  [][]string // all keys in their order, and some that were removed
}

func (v *views) add(t view) {
	t.number = uint16(len(v.tables) + 1)
	v.tables = append(v.tables, t)
}

// A ref is a key and its place among all.
type ref struct {
	key   string
	order uint32
	at    uint32 // its position in its table, or for a key of a scan its place among all
	table uint16 // the number of its table, from 1, or 0 for a scan
	once  bool   // no other ref has the key
}

func byOrder(a, b ref) int { return int(a.order) - int(b.order) }

// fewKeys is how many keys are scanned rather than put in a table.
var fewKeys = 128 // tests take fewer

// Stats says what Keys hold and what that takes.
type Stats struct {
	// Keys is how many keys there are, repetitions included.
	Keys int
	// Bytes is the memory prepared for them so far, without the text of the keys
	// itself: about 110 bytes a key, more where keys are long, have many words or are
	// few of very different lengths, and about 90 more for a key that is not ASCII
	// once Options.Python was asked for.
	Bytes int
}

// NewKeys prepares keys. Their order decides nothing but the order of equally
// good suggestions; a key that occurs twice counts once.
func NewKeys(keys []string) *Keys { return newKeys(slices.Clone(keys)) }

// newKeys prepares keys that nobody changes.
func newKeys(keys []string) *Keys { return assemble([]segment{newSegment(keys)}) }

// once makes Keys for one call.
func once(keys []string) *Keys {
	s := newScan(keys, nil)
	s.single = true
	return assemble([]segment{{scan: s}})
}

func newSegment(keys []string) segment {
	if len(keys) <= fewKeys {
		return segment{scan: newScan(keys, nil)}
	}
	return newTableSegment(keys)
}

func newTableSegment(keys []string) segment {
	t, rest := newTable(keys)
	out := make([]string, len(rest))
	for i, item := range rest {
		out[i] = keys[item]
	}
	return segment{table: t, left: len(t.items), scan: newScan(out, rest)}
}

func assemble(segments []segment) *Keys {
	k := &Keys{segments: segments}
	begin := uint32(0)
	for _, s := range segments {
		k.count += s.size()
		if s.table != nil {
			k.plain.add(view{table: s.table, begin: begin, hidden: either(s.gone, s.table.again)})
		}
		if len(s.scan.keys) > 0 {
			k.plain.scans = append(k.plain.scans, s.scan.from(begin))
		}
		k.plain.lists = append(k.plain.lists, s.all())
		begin += uint32(len(s.all()))
	}
	if k.plain.tables == nil {
		k.python = func() views { return k.plain }
	} else {
		k.python = sync.OnceValue(k.pythonViews)
	}
	k.sample = sync.OnceValue(k.newSample)
	return k
}

func (k *Keys) pythonViews() views {
	v := views{scans: slices.Clone(k.plain.scans), lists: k.plain.lists}
	begin := uint32(0)
	for _, s := range k.segments {
		from := begin
		begin += uint32(len(s.all()))
		t := s.table
		if t == nil {
			continue
		}
		v.add(view{table: t, begin: from, hidden: either(s.gone, t.foreign)})
		if t.foreign == nil {
			continue
		}
		p := t.python()
		var hidden []uint64
		for position, place := range p.place {
			if marked(s.gone, int(place)) {
				hidden = mark(hidden, position, len(p.place))
			}
		}
		v.add(view{table: p.table, begin: from, hidden: hidden})
		var keys []string
		var order []uint32
		for _, i := range p.rest {
			if !marked(s.gone, int(i)) {
				keys, order = append(keys, t.key(int(i))), append(order, t.items[i])
			}
		}
		if len(keys) > 0 {
			v.scans = append(v.scans, newScan(keys, order).from(from))
		}
	}
	return v
}

// sample is the first keys and how many different ones there are.
type sample struct {
	first    []string
	distinct int
}

func (k *Keys) newSample() sample {
	var list shortlist
	for i := range k.plain.tables {
		v := &k.plain.tables[i]
		for at := range v.items {
			if v.hides(at) {
				continue
			}
			list.count++ // no key of a table is anywhere else
			if len(list.best) < mostSuggested || v.order(at) < list.best[mostSuggested-1].order {
				list.insert(v.ref(at), 0)
			}
		}
	}
	for _, s := range k.plain.scans {
		if !s.distinct() {
			list.seen = make(map[string]struct{}, len(s.keys))
		}
		for i := range s.keys {
			list.put(s.ref(i), 0)
		}
	}
	return sample{list.keys(), list.count}
}

// Len is the number of keys it was made of, repetitions included.
func (k *Keys) Len() int { return k.count }

// Stats reports the keys and the memory they take.
func (k *Keys) Stats() Stats {
	s := Stats{Keys: k.count}
	for _, g := range k.segments {
		if g.table != nil {
			s.Bytes += g.table.bytes() + 8*cap(g.gone)
		}
		s.Bytes += g.scan.bytes()
	}
	return s
}

// has reports that value is a key.
func (k *Keys) has(value string) bool {
	for _, s := range k.plain.scans {
		if slices.Contains(s.keys, value) {
			return true
		}
	}
	for i := range k.plain.tables {
		found := false
		k.plain.tables[i].positions(value, func(at int) { found = found || !k.plain.tables[i].hides(at) })
		if found {
			return true
		}
	}
	return false
}

// all gives the keys in their order.
func (k *Keys) all() []string {
	out := make([]string, 0, k.count)
	for i := range k.segments {
		out = append(out, k.segments[i].keys()...)
	}
	return out
}
