package lookup

import "slices"

// with gives keys with these at the end, but for those that are there. It is k if
// all are.
//
// New keys are scanned until they are enough for a table, and a table no larger than
// half of the one before is joined with that: so there are few tables, and a key is
// prepared anew as often as the set doubles.
func (k *Keys) with(keys []string) *Keys {
	var added []string
	seen := make(map[string]struct{}, len(keys))
	for _, key := range keys {
		if _, again := seen[key]; !again && !k.has(key) {
			seen[key] = struct{}{}
			added = append(added, key)
		}
	}
	if len(added) == 0 {
		return k
	}
	segments := append(slices.Clone(k.segments), segment{scan: newScan(added, nil)})
	for len(segments) > 1 {
		last, before := &segments[len(segments)-1], &segments[len(segments)-2]
		if before.table != nil && (last.table == nil && len(last.scan.keys) <= fewKeys || 2*last.size() <= before.size()) {
			break
		}
		segments = append(segments[:len(segments)-2], join(before, last))
	}
	if last := &segments[len(segments)-1]; last.table == nil && len(last.scan.keys) > fewKeys {
		*last = newSegment(last.keys())
	}
	return assemble(segments)
}

// become gives these keys. If they are those of k without some and with others at the
// end, as those of a table that grows are, what is prepared for the rest is kept.
func (k *Keys) become(keys []string) *Keys {
	old := k.all()
	var gone []string
	stay := 0
	for i, key := range old {
		switch {
		case stay < len(keys) && keys[stay] == key:
			stay++
		case 2*len(gone) > len(old):
			return NewKeys(keys)
		default:
			gone = append(gone, old[i])
		}
	}
	if 2*stay < len(keys) {
		return NewKeys(keys)
	}
	// A key that occurs more than once goes, or does not come, as one.
	if out := k.without(gone); out.count == stay {
		if out = out.with(keys[stay:]); out.count == len(keys) {
			return out
		}
	}
	return NewKeys(keys)
}

// size is how many keys the segment was made of that were not removed.
func (s *segment) size() int { return s.left + len(s.scan.keys) }

// keys gives the keys in their order.
func (s *segment) keys() []string {
	if s.table == nil {
		return s.scan.keys
	}
	var stay []uint64
	for i, item := range s.table.items {
		if !marked(s.gone, i) {
			stay = mark(stay, int(item), len(s.table.keys))
		}
	}
	for _, item := range s.scan.order {
		stay = mark(stay, int(item), len(s.table.keys))
	}
	keys := make([]string, 0, s.size())
	for i, key := range s.table.keys {
		if marked(stay, i) {
			keys = append(keys, key)
		}
	}
	return keys
}

func join(a, b *segment) segment { return newSegment(slices.Concat(a.keys(), b.keys())) }

// without gives keys without these. It is k if it has none of them.
//
// A removed key stays in its table and does not count, until half of the table is
// such keys.
func (k *Keys) without(keys []string) *Keys {
	gone := make(map[string]struct{}, len(keys))
	for _, key := range keys {
		gone[key] = struct{}{}
	}
	segments, changed := slices.Clone(k.segments), false
	for i := range segments {
		s := &segments[i]
		if scan := s.scan.without(gone); scan != s.scan {
			s.scan, changed = scan, true
		}
		if s.table == nil {
			continue
		}
		fresh := false // gone is ours
		for key := range gone {
			s.table.positions(key, func(at int) {
				if marked(s.gone, at) {
					return
				}
				if !fresh {
					s.gone, fresh = slices.Clone(s.gone), true
				}
				s.gone = mark(s.gone, at, len(s.table.items))
				s.left--
			})
		}
		changed = changed || fresh
		if fresh && 2*s.left < len(s.table.items) {
			*s = newSegment(s.keys())
		}
	}
	if !changed {
		return k
	}
	segments = slices.DeleteFunc(segments, func(s segment) bool { return s.size() == 0 })
	return assemble(segments)
}
