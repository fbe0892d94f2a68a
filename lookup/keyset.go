package lookup

import (
	"iter"
	"math/bits"
	"runtime"
	"slices"
	"sync"
)

// A keySet is some of the keys of views. There may be a million of them.
type keySet struct {
	refs []ref       // those of scans
	hits []probeHits // those of tables
}

func (s *keySet) addRef(r ref) { s.refs = append(s.refs, r) }

// add adds the key at a position of a table.
func (s *keySet) add(table, i int) { s.addAll(table, i/64, 1<<(i%64)) }

// addAll adds the keys at some of 64 positions of a table.
func (s *keySet) addAll(table, word int, keys uint64) {
	if last := len(s.hits) - 1; last >= 0 && int(s.hits[last].word) == word && int(s.hits[last].in) == table {
		s.hits[last].keys |= keys
		return
	}
	s.hits = append(s.hits, probeHits{keys: keys, word: uint32(word), in: uint16(table)})
}

func (s *keySet) empty() bool { return len(s.refs)+len(s.hits) == 0 }

// forget empties the set and lets go of its keys.
func (s *keySet) forget() { s.refs, s.hits = emptied(s.refs), emptied(s.hits) }

// all gives the keys, which are of these views.
func (s *keySet) all(v *views) iter.Seq[ref] {
	return func(yield func(ref) bool) {
		for _, r := range s.refs {
			if !yield(r) {
				return
			}
		}
		for _, h := range s.hits {
			for keys := h.keys; keys != 0; keys &= keys - 1 {
				if !yield(v.tables[h.in].ref(int(h.word)*64 + bits.TrailingZeros64(keys))) {
					return
				}
			}
		}
	}
}

// keys gives the keys in their order.
func (s *keySet) keys(v *views) []string {
	if s.empty() {
		return nil
	}
	places, count := 0, len(s.refs)
	for _, list := range v.lists {
		places += len(list)
	}
	for _, h := range s.hits {
		count += bits.OnesCount64(h.keys)
	}
	out := make([]string, 0, count)
	if count < places>>10 {
		refs := slices.AppendSeq(make([]ref, 0, count), s.all(v))
		slices.SortFunc(refs, byOrder)
		for _, r := range refs {
			out = append(out, r.key)
		}
		return out
	}
	// Marks are sorted as they are made, but there is one for each place.
	marks := make([]uint64, (places+63)/64)
	for _, r := range s.refs {
		marks[r.order/64] |= 1 << (r.order % 64)
	}
	for _, h := range s.hits {
		t, at := &v.tables[h.in], int(h.word)*64
		for keys := h.keys; keys != 0; keys &= keys - 1 {
			order := t.order(at + bits.TrailingZeros64(keys))
			marks[order/64] |= 1 << (order % 64)
		}
	}
	// To read a great many takes as long as to find them.
	parts := 1
	if count >= manyKeys {
		parts = min(runtime.GOMAXPROCS(0), mostWorkers)
	}
	var readers sync.WaitGroup
	for w := range parts {
		from, to := len(marks)*w/parts, len(marks)*(w+1)/parts
		begin := len(out)
		for _, these := range marks[from:to] {
			out = out[:len(out)+bits.OnesCount64(these)]
		}
		if part := out[begin:]; w < parts-1 {
			readers.Go(func() { v.read(part, marks[from:to], from*64) })
		} else {
			v.read(part, marks[from:to], from*64)
		}
	}
	readers.Wait()
	return out
}

// manyKeys is how many keys are read by several goroutines. Tests lower it.
var manyKeys = 1 << 15

// read reads the marked keys, of which the first may be at a place among all.
func (v *views) read(out []string, marks []uint64, first int) {
	lists := v.lists
	for first >= len(lists[0]) && len(lists) > 1 {
		first, lists = first-len(lists[0]), lists[1:]
	}
	list := lists[0]
	for at := 0; len(marks) > 0; marks, first = marks[1:], first+64 {
		for these := marks[0]; these != 0; these &= these - 1 {
			i := first + bits.TrailingZeros64(these)
			for i >= len(list) {
				i, first, lists = i-len(list), first-len(list), lists[1:]
				list = lists[0]
			}
			out[at] = list[i]
			at++
		}
	}
}
