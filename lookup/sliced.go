package lookup

import (
	"bytes"
	"math/bits"
	"slices"
)

// sliced measures the windows of 64 texts at a time to one value: a bit of every word
// is a text's. Only what can be of use is measured: where a distance is within some
// edits, no way to it leaves the diagonal of the table of distances by more than half
// of them.
type sliced struct {
	texts  *texts
	planes *planes
	codes  []slicedCode // of the value, by place
	value  []uint8      // by place, the first that has the same code

	// The texts that have, at a place, another code than the value at a place: by place
	// in the text, then in the value. See beside.
	other  []uint64
	loaded []uint64 // planes that other was made of
	alike  int      // how many places at the beginning it did not change

	// Where neighbours begin alike, what was measured of the one holds for the other.
	kept []slicedState // by the first place of a window, how it was before place keep
	keep int
	most int // the edits that it is for
	lead int // the places at the beginning that have not changed since

	rows [wordBits]slicedRow
	walk *walk

	at [wordBits + 1]uint64 // by distance, the texts that measure found
}

// A slicedCode is the bits of the number of a code, as words.
type slicedCode [8]uint64

// beside is how many words there are before and after those of a place in the text, of
// rows beside the table: no text has there what the value has.
const beside = 3

func newSliced(t *texts, code []byte) *sliced {
	p := t.planes
	s := &sliced{texts: t, planes: p, walk: newWalk(t, code), value: make([]uint8, len(code)), codes: make([]slicedCode, len(code))}
	for i, b := range code {
		for q := range s.codes[i] {
			s.codes[i][q] = -uint64(p.number[b] >> q & 1)
		}
		s.value[i] = uint8(bytes.IndexByte(code, b))
	}
	return s
}

// stride is how many words of other there are for a place in the text.
func (s *sliced) stride() int { return len(s.value) + 2*beside }

// load finds where the 64 texts of a class, the n-th, at some positions have what the
// value has.
func (s *sliced) load(n int, c class, word int) {
	stride := s.stride()
	if size := c.length * stride; size > len(s.other) {
		s.other = make([]uint64, 2*size)
		for i := range s.other {
			s.other[i] = all
		}
	}
	planes, width := s.planes.of(n, c, word), s.planes.bits
	// Neighbours begin alike, and may end so.
	first, end := 0, c.length
	if len(s.loaded) == len(planes) {
		for first < end && slices.Equal(planes[first*width:][:width], s.loaded[first*width:][:width]) {
			first++
		}
		for first < end && slices.Equal(planes[(end-1)*width:][:width], s.loaded[(end-1)*width:][:width]) {
			end--
		}
	}
	s.loaded, s.alike, s.lead = planes, first, min(s.lead, first)
	from, other := beside+first*stride, s.other[:end*stride]
	for i, k := range s.value {
		if int(k) != i {
			for at := from + i; at < len(other); at += stride {
				other[at] = other[at-i+int(k)]
			}
			continue
		}
		m := &s.codes[i]
		a, b, c, d, e := m[0], m[1], m[2], m[3], m[4]
		for at, left := from+i, planes[first*width:]; at < len(other); at += stride {
			p := (*[lowBits]uint64)(left)
			differs := (p[0] ^ a) | (p[1] ^ b) | (p[2] ^ c) | (p[3] ^ d) | (p[4] ^ e)
			for q := lowBits; q < width; q++ {
				differs |= left[q] ^ m[q&7]
			}
			other[at] = differs
			left = left[width:]
		}
	}
}

// fewMeasured is how many texts are sooner measured one by one than 64 at once.
const fewMeasured = 4

// nearest tells of some texts from a position on, which are of a class, the n-th, what
// measure does.
func (s *sliced) nearest(n int, c class, first, most int, among uint64) {
	if bits.OnesCount64(among) > fewMeasured {
		s.load(n, c, first/64)
		s.measure(c.length, most, among)
		return
	}
	clear(s.at[:most+1])
	m := min(len(s.value), c.length)
	for ; among != 0; among &= among - 1 {
		i := bits.TrailingZeros64(among)
		at, best := c.at+(first+i-c.first)*c.length, most+1
		for from := 0; from <= c.length-m && best > 0; from++ {
			s.walk.enter(m)
			best = min(best, s.walk.whole(at+from, m, best-1))
		}
		if best <= most {
			s.at[best] |= 1 << i
		}
	}
}

// measure tells of the texts that were loaded those of which the best window as long
// as the value, or the whole text if that is not longer, is within most edits: s.at has
// those of each distance. among are the texts that matter.
func (s *sliced) measure(length, most int, among uint64) {
	clear(s.at[:most+1])
	n := len(s.value)
	switch {
	case length < n:
		s.window(0, length, most, among)
	case most/2 > beside:
		for from := range length - n + 1 {
			s.window(from, n, most, among)
		}
	default:
		s.windows(length-n+1, most, among)
	}
	nearer := ^among
	for d := range most + 1 {
		s.at[d] &^= nearer
		nearer |= s.at[d]
	}
}

// contain tells which of the texts that were loaded have the value in them.
func (s *sliced) contain(length int, among uint64) (have uint64) {
	n, down := len(s.value), s.stride()+1
	for from := range length - n + 1 {
		alike, at := among&^have, from*s.stride()+beside
		for range n {
			if alike &^= s.other[at]; alike == 0 {
				break
			}
			at += down
		}
		have |= alike
	}
	return have
}

// A slicedRow is where a column of the table of distances goes up and down at a row: of
// each, the texts in which it does not, for then a step takes the fewest operations.
type slicedRow struct{ up, down uint64 }

const all = ^uint64(0)

// edge is a row that was beyond those that are of use: there every step costs an edit, as
// it does at the edge of the table.
func edge() slicedRow { return slicedRow{0, all} }

// flat is a row above the table, where nothing costs more than the step along it.
func flat() slicedRow { return slicedRow{all, all} }

// aboveUp and aboveDown are what next is told of the row above the first.
const aboveUp, aboveDown = 0, all

// next is the row in the next column. up and down are where the row above goes up and
// down from the one column to the other, and along where this one does; costs are the
// texts of which the step from the row above in the column before costs an edit.
func (r slicedRow) next(other, up, down uint64) (at slicedRow, alongUp, alongDown, costs uint64) {
	costs = other & r.down & down
	return slicedRow{down ^ costs&up, costs | up}, r.down ^ costs&r.up, costs | r.up, costs
}

// A slicedCount counts up to mostCounted edits of each text. It begins so that it
// overflows after too many.
type slicedCount struct{ one, two, four uint64 }

const mostCounted = 7

func countTo(most int) slicedCount {
	begin := uint64(mostCounted - most)
	return slicedCount{-(begin & 1), -(begin >> 1 & 1), -(begin >> 2 & 1)}
}

func (c slicedCount) add(edit uint64) (sum slicedCount, over uint64) {
	two := c.one & edit
	four := c.two & two
	return slicedCount{c.one ^ edit, c.two ^ two, c.four ^ four}, c.four & four
}

// found adds to s.at the texts that are near, with their distance.
func (s *sliced) found(c slicedCount, most int, near uint64) {
	for d := range most + 1 {
		is := countTo(most - d)
		s.at[d] |= near &^ ((c.one ^ is.one) | (c.two ^ is.two) | (c.four ^ is.four))
	}
}

// A slicedState is how far the measuring of a window has come.
type slicedState struct {
	rows  [2 * beside]slicedRow
	count slicedCount
	over  uint64 // the texts that are too far
}

// windows adds to s.at the texts of which one of so many windows is near.
func (s *sliced) windows(windows, most int, among uint64) {
	n, aside := len(s.value), max(1, most/2)
	begin := slicedState{count: countTo(most)}
	for i := range 2 * aside {
		if begin.rows[i] = edge(); i < aside {
			begin.rows[i] = flat()
		}
	}
	// What is kept holds while no place before keep changes. It is made anew, too, where
	// neighbours have more in common than that.
	fresh := s.keep == 0 || s.lead < s.keep || s.most != most || s.alike > s.keep+1
	if fresh {
		s.keep, s.most, s.lead = s.alike, most, len(s.loaded)
		for len(s.kept) < s.keep {
			s.kept = append(s.kept, slicedState{})
		}
	}
	for from := range windows {
		at := begin
		known := max(0, min(s.keep-from, n))
		if known > 0 {
			kept := &s.kept[from]
			if fresh {
				*kept = begin
				s.run(kept, from, 0, known, aside, all)
			}
			at = *kept
		}
		if known < n {
			s.run(&at, from, known, n, aside, among)
		}
		if near := among &^ at.over; near != 0 {
			s.found(at.count, most, near)
		}
	}
}

// run goes on from a column of a window to another, with so many rows on either side of
// the diagonal. It may end where all of some texts are too far.
func (s *sliced) run(at *slicedState, from, column, end, aside int, among uint64) {
	first := (from+column)*s.stride() + column + beside - aside
	other, down := s.other[first:], s.stride()+1
	switch aside {
	case 1:
		at.oneAside(other, down, end-column, among)
	case 2:
		at.twoAside(other, down, end-column, among)
	case 3:
		at.threeAside(other, down, end-column, among)
	}
}

// oneAside goes on by some columns, of which the rows begin in other that far apart. It
// and the two that follow are one loop over the rows written out, since what is measured
// most takes a fifth to a third less time with them in variables.
func (s *slicedState) oneAside(other []uint64, down, columns int, among uint64) {
	r0, r1 := s.rows[0], s.rows[1]
	count, over := s.count, s.over
	var up, along, costs, more uint64
	for at := 0; columns > 0 && over&among != among; columns, at = columns-1, at+down {
		o := (*[3]uint64)(other[at:])
		_, up, along, _ = r0.next(o[0], aboveUp, aboveDown)
		r0, up, along, costs = r1.next(o[1], up, along)
		r1, _, _, _ = edge().next(o[2], up, along)
		count, more = count.add(costs)
		over |= more
	}
	s.rows[0], s.rows[1] = r0, r1
	s.count, s.over = count, over
}

// twoAside is oneAside with two rows on either side.
func (s *slicedState) twoAside(other []uint64, down, columns int, among uint64) {
	r0, r1, r2, r3 := s.rows[0], s.rows[1], s.rows[2], s.rows[3]
	count, over := s.count, s.over
	var up, along, costs, more uint64
	for at := 0; columns > 0 && over&among != among; columns, at = columns-1, at+down {
		o := (*[5]uint64)(other[at:])
		_, up, along, _ = r0.next(o[0], aboveUp, aboveDown)
		r0, up, along, _ = r1.next(o[1], up, along)
		r1, up, along, costs = r2.next(o[2], up, along)
		r2, up, along, _ = r3.next(o[3], up, along)
		r3, _, _, _ = edge().next(o[4], up, along)
		count, more = count.add(costs)
		over |= more
	}
	s.rows[0], s.rows[1], s.rows[2], s.rows[3] = r0, r1, r2, r3
	s.count, s.over = count, over
}

// threeAside is oneAside with three.
func (s *slicedState) threeAside(other []uint64, down, columns int, among uint64) {
	r0, r1, r2, r3, r4, r5 := s.rows[0], s.rows[1], s.rows[2], s.rows[3], s.rows[4], s.rows[5]
	count, over := s.count, s.over
	var up, along, costs, more uint64
	for at := 0; columns > 0 && over&among != among; columns, at = columns-1, at+down {
		o := (*[7]uint64)(other[at:])
		_, up, along, _ = r0.next(o[0], aboveUp, aboveDown)
		r0, up, along, _ = r1.next(o[1], up, along)
		r1, up, along, _ = r2.next(o[2], up, along)
		r2, up, along, costs = r3.next(o[3], up, along)
		r3, up, along, _ = r4.next(o[4], up, along)
		r4, up, along, _ = r5.next(o[5], up, along)
		r5, _, _, _ = edge().next(o[6], up, along)
		count, more = count.add(costs)
		over |= more
	}
	s.rows[0], s.rows[1], s.rows[2], s.rows[3], s.rows[4], s.rows[5] = r0, r1, r2, r3, r4, r5
	s.count, s.over = count, over
}

// window adds to s.at the texts whose window of m letters from a place on, at most as many
// as the value has, is near: with any number of rows.
func (s *sliced) window(from, m, most int, among uint64) {
	n := len(s.value)
	shorter := n - m // a way goes down that often more than to the right
	if shorter > most {
		return
	}
	aside := (most - shorter) / 2
	for i := range s.rows[:n] {
		s.rows[i] = edge()
	}
	// The counter of each text begins so that it overflows after too many edits.
	var count [7]uint64
	width := bits.Len(uint(most))
	full := 1<<width - 1
	for q := range width {
		count[q] = -uint64((full - most + shorter) >> q & 1)
	}
	counts := count[:width]
	var over uint64
	for j := range m {
		first, last := max(0, j-aside), min(n-1, j+shorter+aside)
		rows := s.rows[first : last+1]
		other := s.other[(from+j)*s.stride()+beside+first:][:len(rows)]
		diagonal := j + shorter - first
		carry := uint64(0)
		up, down, costs := uint64(aboveUp), all, uint64(0)
		for i := range rows {
			rows[i], up, down, costs = rows[i].next(other[i], up, down)
			if i == diagonal {
				carry = costs
			}
		}
		for q, c := range counts {
			counts[q], carry = c^carry, c&carry
		}
		if over |= carry; over&among == among {
			return
		}
	}
	near := among &^ over
	for d := range most + 1 {
		these := near
		for q, c := range counts {
			these &= c ^ (uint64((full-most+d)>>q&1) - 1)
		}
		s.at[d] |= these
	}
}
