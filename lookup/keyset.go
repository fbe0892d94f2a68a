package lookup

import (
	"math/bits"
	"runtime"
	"slices"
	"sort"
	"sync"
)

// A keySet is some of the keys of views. There may be a million of them.
type keySet struct {
	views
	starts []int    // of the tables, then of the scans: the number of the first key
	places []uint64 // a key's order, and below that its number
}

func newKeySet(v views) *keySet {
	s := &keySet{views: v, starts: make([]int, 0, len(v.tables)+len(v.scans))}
	at := 0
	for i := range v.tables {
		s.starts = append(s.starts, at)
		at += len(v.tables[i].keys)
	}
	for _, scan := range v.scans {
		s.starts = append(s.starts, at)
		at += len(scan.keys)
	}
	return s
}

// add adds the key at a position of a table.
func (s *keySet) add(table, i int) {
	s.places = append(s.places, uint64(s.tables[table].order[i])<<32|uint64(s.starts[table]+i))
}

// addScanned adds the key at a place of a scan.
func (s *keySet) addScanned(scan, i int) {
	number := s.starts[len(s.tables)+scan] + i
	s.places = append(s.places, uint64(s.scans[scan].ref(i).order)<<32|uint64(number))
}

// keys gives the keys in their order.
func (s *keySet) keys() []string {
	if len(s.places) == 0 {
		return nil
	}
	sortPlaces(s.places)
	out := make([]string, len(s.places))
	// They stand anywhere in memory, which is what takes time.
	workers := 1
	if len(out) >= manyKeys {
		workers = min(runtime.GOMAXPROCS(0), mostWorkers)
	}
	var all sync.WaitGroup
	for w := 1; w < workers; w++ {
		all.Go(func() { s.read(out, w*len(out)/workers, (w+1)*len(out)/workers) })
	}
	s.read(out, 0, len(out)/workers)
	all.Wait()
	return out
}

// manyKeys is how many keys are read by several goroutines. Tests lower it.
var manyKeys = 1 << 15

// read reads the keys of some places.
func (s *keySet) read(out []string, from, to int) {
	for i, place := range s.places[from:to] {
		number := int(uint32(place))
		part := 0
		if len(s.starts) > 1 {
			part = sort.SearchInts(s.starts, number+1) - 1
		}
		if number -= s.starts[part]; part < len(s.tables) {
			out[from+i] = s.tables[part].keys[number]
		} else {
			out[from+i] = s.scans[part-len(s.tables)].keys[number]
		}
	}
}

// sortPlaces sorts by what is above the lower 32 bits: many by eleven bits at a time.
func sortPlaces(places []uint64) {
	const digit = 11
	if len(places) < 1<<digit {
		slices.Sort(places)
		return
	}
	from, to := places, make([]uint64, len(places))
	highest := bits.Len64(slices.Max(places))
	for shift := 32; shift < highest; shift += digit {
		var next [1 << digit]int
		for _, p := range from {
			next[p>>shift%(1<<digit)]++
		}
		at := 0
		for d, count := range next {
			next[d] = at
			at += count
		}
		for _, p := range from {
			d := p >> shift % (1 << digit)
			to[next[d]] = p
			next[d]++
		}
		from, to = to, from
	}
	copy(places, from)
}
