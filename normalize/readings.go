package normalize

import (
	"encoding/binary"
	"slices"
)

// A reading is a set of schemas that all hold, ordered by id: one of the ways
// in which a value can be what its schema asks for. Schemas that say nothing
// by themselves are left out, so the empty reading says nothing. Readings are
// what it takes to tell which members and items a schema declares; which types
// it admits can be told without.
type reading []*schema

// declared returns the types that the schemas declare, each for itself.
func (r reading) declared() types {
	set := anything
	for _, s := range r {
		set = set.and(s.declared)
	}
	return set
}

// admits returns the types that a value of all the schemas may have.
func (r reading) admits() types {
	set := anything
	for _, s := range r {
		set = set.and(s.admits)
	}
	return set
}

// key identifies a reading.
func (r reading) key() string {
	var buf []byte
	for _, s := range r {
		buf = binary.AppendVarint(buf, int64(s.id))
	}
	return string(buf)
}

func (r reading) join(other reading) reading {
	joined := slices.Concat(r, other)
	slices.SortFunc(joined, func(a, b *schema) int { return a.id - b.id })
	return slices.Compact(joined)
}

// mostReadings bounds the readings of one value, and mostWork the steps that
// go into all of them, to about a second: a few kilobytes of branches can ask
// for more than there is time. Beyond the bounds, a list of branches says
// nothing of members and items.
const (
	mostReadings = 1 << 11
	mostWork     = 1 << 21
)

// A looker makes readings.
type looker struct{ work int }

// through returns the readings of a schema: together with what it refers to,
// once for each choice of its branches.
func (l *looker) through(s *schema) []reading {
	switch {
	case s == never:
		return []reading{{never}}
	case s.readings != nil:
		return s.readings
	}
	own := reading{s}
	if s.bare() {
		own = nil
	}
	readings := []reading{own}
	for _, part := range s.all {
		readings = l.cross(readings, l.through(part))
	}
	for _, branches := range s.any {
		either := []reading{}
		for _, branch := range branches {
			either = append(either, l.through(branch)...)
			l.work--
		}
		readings = l.cross(readings, distinct(either))
	}
	s.readings = readings
	return readings
}

// throughAll returns the readings of a value that several schemas apply to.
func (l *looker) throughAll(r reading) []reading {
	readings := []reading{nil}
	for _, s := range r {
		readings = l.cross(readings, l.through(s))
	}
	return readings
}

// cross joins each with each, unless that is too many: then a, which is no
// less true.
func (l *looker) cross(a, b []reading) []reading {
	switch {
	case saysNothing(b):
		return a
	case saysNothing(a):
		return b
	}
	count := len(a) * len(b)
	if count > mostReadings || l.work < count {
		return a
	}
	joined := make([]reading, 0, count)
	for _, r := range a {
		for _, other := range b {
			both := r.join(other)
			l.work -= 1 + len(both)
			joined = append(joined, both)
		}
	}
	return distinct(joined)
}

func saysNothing(readings []reading) bool { return len(readings) == 1 && len(readings[0]) == 0 }

// distinct leaves out repeated readings.
func distinct(readings []reading) []reading {
	if len(readings) < 2 {
		return readings
	}
	seen := make(map[string]bool, len(readings))
	return slices.DeleteFunc(readings, func(r reading) bool {
		key := r.key()
		again := seen[key]
		seen[key] = true
		return again
	})
}

// common returns what all readings have in common.
func common(readings []reading) reading {
	if len(readings) == 0 {
		return nil
	}
	times := map[*schema]int{}
	for _, r := range readings {
		for _, s := range r {
			times[s]++
		}
	}
	return slices.DeleteFunc(slices.Clone(readings[0]), func(s *schema) bool { return times[s] < len(readings) })
}
