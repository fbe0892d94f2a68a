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
	planes *planes
	codes  []slicedCode // of the value, each once
	value  []uint8      // by place, which of them stands there

	// The texts that have, at a place, another code than the value at a place: by place
	// in the text, then in the value. See beside.
	other  []uint64
	loaded []uint64 // planes that other was made of

	rows [wordBits]slicedRow

	at [wordBits + 1]uint64 // by distance, the texts that measure found
}

// A slicedCode is the bits of the number of a code, as words.
type slicedCode [8]uint64

// beside is how many words there are before and after those of a place in the text, of
// rows beside the table: no text has there what the value has.
const beside = 4

func newSliced(p *planes, code []byte) *sliced {
	s := &sliced{planes: p, value: make([]uint8, len(code)), codes: make([]slicedCode, len(code))}
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
			s.other[i] = ^uint64(0)
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
	s.loaded = planes
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

// measure tells of the texts that were loaded those of which the best window as long
// as the value, or the whole text if that is not longer, is within most edits: s.at has
// those of each distance. among are the texts that matter.
func (s *sliced) measure(length, most int, among uint64) {
	clear(s.at[:most+1])
	n := len(s.value)
	switch {
	case length < n:
		s.window(0, length, most, among)
	case most <= fewEdits:
		for from := range length - n + 1 {
			s.fewEdits(from, most, among)
		}
	case most <= someEdits:
		for from := range length - n + 1 {
			s.someEdits(from, most, among)
		}
	case most <= manyEdits:
		for from := range length - n + 1 {
			s.manyEdits(from, most, among)
		}
	case most <= veryManyEdits:
		for from := range length - n + 1 {
			s.veryManyEdits(from, most, among)
		}
	default:
		for from := range length - n + 1 {
			s.window(from, n, most, among)
		}
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
type slicedCount struct{ one, two, four, eight uint64 }

const mostCounted = 15

func countTo(most int) slicedCount {
	begin := uint64(mostCounted - most)
	return slicedCount{-(begin & 1), -(begin >> 1 & 1), -(begin >> 2 & 1), -(begin >> 3 & 1)}
}

func (c slicedCount) add(edit uint64) (sum slicedCount, over uint64) {
	two := c.one & edit
	four := c.two & two
	eight := c.four & four
	return slicedCount{c.one ^ edit, c.two ^ two, c.four ^ four, c.eight ^ eight}, c.eight & eight
}

// found adds to s.at the texts that are near, with their distance.
func (s *sliced) found(c slicedCount, most int, near uint64) {
	for d := range most + 1 {
		is := countTo(most - d)
		s.at[d] |= near &^ ((c.one ^ is.one) | (c.two ^ is.two) | (c.four ^ is.four) | (c.eight ^ is.eight))
	}
}

// These are as many edits as are measured with one to four rows on either side of the
// diagonal.
const (
	fewEdits      = 3
	someEdits     = 5
	manyEdits     = 7
	veryManyEdits = 9
)

// fewEdits adds to s.at the texts whose window from a place on is within as few edits.
func (s *sliced) fewEdits(from, most int, among uint64) {
	r0, r1 := flat(), edge()
	var up, down, costs, more, over uint64
	count := countTo(most)
	for at, last := s.diagonal(from, 1); at <= last; at += s.stride() + 1 {
		o := (*[3]uint64)(s.other[at:])
		_, up, down, _ = r0.next(o[0], aboveUp, aboveDown)
		r0, up, down, costs = r1.next(o[1], up, down)
		r1, _, _, _ = edge().next(o[2], up, down)
		count, more = count.add(costs)
		if over |= more; over&among == among {
			return
		}
	}
	s.found(count, most, among&^over)
}

// someEdits is fewEdits for some more.
func (s *sliced) someEdits(from, most int, among uint64) {
	r0, r1, r2, r3 := flat(), flat(), edge(), edge()
	var up, down, costs, more, over uint64
	count := countTo(most)
	for at, last := s.diagonal(from, 2); at <= last; at += s.stride() + 1 {
		o := (*[5]uint64)(s.other[at:])
		_, up, down, _ = r0.next(o[0], aboveUp, aboveDown)
		r0, up, down, _ = r1.next(o[1], up, down)
		r1, up, down, costs = r2.next(o[2], up, down)
		r2, up, down, _ = r3.next(o[3], up, down)
		r3, _, _, _ = edge().next(o[4], up, down)
		count, more = count.add(costs)
		if over |= more; over&among == among {
			return
		}
	}
	s.found(count, most, among&^over)
}

// manyEdits is fewEdits for many.
func (s *sliced) manyEdits(from, most int, among uint64) {
	r0, r1, r2, r3, r4, r5 := flat(), flat(), flat(), edge(), edge(), edge()
	var up, down, costs, more, over uint64
	count := countTo(most)
	for at, last := s.diagonal(from, 3); at <= last; at += s.stride() + 1 {
		o := (*[7]uint64)(s.other[at:])
		_, up, down, _ = r0.next(o[0], aboveUp, aboveDown)
		r0, up, down, _ = r1.next(o[1], up, down)
		r1, up, down, _ = r2.next(o[2], up, down)
		r2, up, down, costs = r3.next(o[3], up, down)
		r3, up, down, _ = r4.next(o[4], up, down)
		r4, up, down, _ = r5.next(o[5], up, down)
		r5, _, _, _ = edge().next(o[6], up, down)
		count, more = count.add(costs)
		if over |= more; over&among == among {
			return
		}
	}
	s.found(count, most, among&^over)
}

// veryManyEdits is fewEdits for a few more than many.
func (s *sliced) veryManyEdits(from, most int, among uint64) {
	r0, r1, r2, r3, r4, r5, r6, r7 := flat(), flat(), flat(), flat(), edge(), edge(), edge(), edge()
	var up, down, costs, more, over uint64
	count := countTo(most)
	for at, last := s.diagonal(from, 4); at <= last; at += s.stride() + 1 {
		o := (*[9]uint64)(s.other[at:])
		_, up, down, _ = r0.next(o[0], aboveUp, aboveDown)
		r0, up, down, _ = r1.next(o[1], up, down)
		r1, up, down, _ = r2.next(o[2], up, down)
		r2, up, down, _ = r3.next(o[3], up, down)
		r3, up, down, costs = r4.next(o[4], up, down)
		r4, up, down, _ = r5.next(o[5], up, down)
		r5, up, down, _ = r6.next(o[6], up, down)
		r6, up, down, _ = r7.next(o[7], up, down)
		r7, _, _, _ = edge().next(o[8], up, down)
		count, more = count.add(costs)
		if over |= more; over&among == among {
			return
		}
	}
	s.found(count, most, among&^over)
}

// diagonal gives where other has so many rows above the diagonal of the first column of
// the window from a place on, and of the last.
func (s *sliced) diagonal(from, above int) (first, last int) {
	first = from*s.stride() + beside - above
	return first, first + (len(s.value)-1)*(s.stride()+1)
}

// window is fewEdits for any number, and for windows of m letters, at most as many as
// the value has.
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
