package lookup

import (
	"math/bits"
	"slices"
)

// A keySet is some of the keys of views. There may be a million of them.
type keySet struct {
	views
	places []uint32 // among all keys
}

// add adds the key at a position of a table.
func (s *keySet) add(table, i int) { s.places = append(s.places, s.tables[table].order(i)) }

// addScanned adds the key at a place of a scan.
func (s *keySet) addScanned(scan, i int) { s.places = append(s.places, s.scans[scan].ref(i).order) }

// keys gives the keys in their order.
func (s *keySet) keys() []string {
	if len(s.places) == 0 {
		return nil
	}
	all := 0
	for _, list := range s.lists {
		all += len(list)
	}
	sortPlaces(s.places, all)
	out := make([]string, 0, len(s.places))
	places, begin := s.places, 0
	for _, list := range s.lists {
		end := begin + len(list)
		for len(places) > 0 && int(places[0]) < end {
			out = append(out, list[int(places[0])-begin])
			places = places[1:]
		}
		begin = end
	}
	return out
}

// sortPlaces sorts different places among so many.
func sortPlaces(places []uint32, among int) {
	if len(places) < among>>10 {
		slices.Sort(places)
		return
	}
	marks := make([]uint64, (among+63)/64)
	for _, p := range places {
		marks[p/64] |= 1 << (p % 64)
	}
	sorted := places[:0]
	for word, these := range marks {
		for ; these != 0; these &= these - 1 {
			sorted = append(sorted, uint32(word*64+bits.TrailingZeros64(these)))
		}
	}
}
