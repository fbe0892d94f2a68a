package lookup

import "math/bits"

// sliced measures the windows of 64 texts at a time to one value: a bit of every word
// is a text's. Only what can be of use is measured: where a distance is within some
// edits, no way to it leaves the diagonal of the table of distances by more than half
// of them.
type sliced struct {
	planes *planes
	value  []slicedCode

	// The texts that have, at a place, what the value has at a place: by place in the
	// text, then in the value. See spare.
	same []uint64
	rows [wordBits]slicedRow

	at [wordBits + 1]uint64 // by distance, the texts that measure found
}

// A slicedCode is the number of a code in two parts.
type slicedCode struct{ low, high uint8 }

// A slicedRow is where a column of the table goes up and down at a row.
type slicedRow struct{ up, down uint64 }

func newSliced(p *planes, code []byte) *sliced {
	s := &sliced{planes: p, value: make([]slicedCode, len(code))}
	for i, b := range code {
		s.value[i] = slicedCode{p.number[b] % (1 << lowBits), p.number[b] >> lowBits}
	}
	return s
}

// load finds where the 64 texts of a class, the n-th, at some positions have what the
// value has.
func (s *sliced) load(n int, c class, word int) {
	rows := len(s.value)
	size := c.length*rows + 2*spare
	if cap(s.same) < size {
		s.same = make([]uint64, 2*size)
	}
	s.same = s.same[:size]
	planes, width := s.planes.of(n, c, word), s.planes.bits
	var low [1 << lowBits]uint64
	var high [1 << (8 - lowBits)]uint64
	for j := range c.length {
		of := planes[j*width:][:width]
		a, b, c := of[0], of[1], of[2]
		neither, first, second, both := ^(a | b), a&^b, b&^a, a&b
		low = [...]uint64{neither &^ c, first &^ c, second &^ c, both &^ c, neither & c, first & c, second & c, both & c}
		high[0] = ^uint64(0)
		for q, plane := range of[lowBits:] {
			lower, upper := high[:1<<q&31], high[1<<q&31:]
			for k, texts := range lower {
				lower[k], upper[k] = texts&^plane, texts&plane
			}
		}
		same := s.same[j*rows+spare:][:rows]
		for i, code := range s.value {
			same[i] = low[code.low%(1<<lowBits)] & high[code.high%(1<<(8-lowBits))]
		}
	}
}

// measure tells of the texts that were loaded those of which the best window as long
// as the value, or the whole text if that is not longer, is within most edits: s.at has
// those of each distance. among are the texts that matter.
func (s *sliced) measure(length, most int, among uint64) {
	clear(s.at[:max(most, someEdits)+1])
	n := len(s.value)
	switch {
	case length < n:
		s.window(0, length, most, among)
	case most <= fewEdits:
		for from := range length - n + 1 {
			s.fewEdits(from, among)
		}
	case most <= someEdits:
		for from := range length - n + 1 {
			s.someEdits(from, among)
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

// spare is how many words there are before and after those of sliced.same, for ways
// that begin or end beside the table.
const spare = 2

// fewEdits and someEdits are edits so few that all ways to them are kept in variables:
// of each distance, and of each place beside the diagonal from which a way can still
// come back to it, the texts that have come so far. b1 are those a row above the
// diagonal with one edit, b3 those a row below it.
const (
	fewEdits  = 3
	someEdits = 5
)

// fewEdits adds to s.at the texts whose window from a place on is within as few edits,
// with all that are nearer at every distance.
func (s *sliced) fewEdits(from int, among uint64) {
	n := len(s.value)
	all := ^uint64(0)
	a2 := all
	b1, b2, b3 := uint64(0), all, all
	c1, c2, c3 := uint64(0), all, all
	d2 := all
	for at, last := from*n+spare-1, from*n+spare-1+(n-1)*(n+1); at <= last; at += n + 1 {
		// At both ends one of these is of another place in the text, where no way
		// that is kept can come from it or goes on.
		eq := (*[3]uint64)(s.same[at:])
		a := a2 & eq[1]
		nb1, nb2, nb3 := b1&eq[0]|a2, b2&eq[1]|a2, b3&eq[2]|a
		nc1, nc2, nc3 := c1&eq[0]|b1|b2, c2&eq[1]|b2|b3|nb1, c3&eq[2]|b3|nb2
		if d2 = d2&eq[1] | c2 | c3 | nc1; d2&among == 0 {
			return
		}
		a2, b1, b2, b3, c1, c2, c3 = a, nb1, nb2, nb3, nc1, nc2, nc3
	}
	s.at[0] |= a2
	s.at[1] |= b2
	s.at[2] |= c2
	s.at[3] |= d2
}

// someEdits is fewEdits for some more.
func (s *sliced) someEdits(from int, among uint64) {
	n := len(s.value)
	all := ^uint64(0)
	a2 := all
	b1, b2, b3 := uint64(0), all, all
	c0, c1, c2, c3, c4 := uint64(0), uint64(0), all, all, all
	d0, d1, d2, d3, d4 := uint64(0), uint64(0), all, all, all
	e1, e2, e3 := uint64(0), all, all
	f2 := all
	for at, last := from*n, from*n+(n-1)*(n+1); at <= last; at += n + 1 {
		eq := (*[5]uint64)(s.same[at:])
		q0, q1, q2, q3, q4 := eq[0], eq[1], eq[2], eq[3], eq[4]
		a := a2 & q2
		nb1, nb2, nb3 := b1&q1|a2, b2&q2|a2, b3&q3|a
		nc0, nc1, nc2, nc3, nc4 := c0&q0|b1, c1&q1|b1|b2, c2&q2|b2|b3|nb1, c3&q3|b3|nb2, c4&q4|nb3
		nd0, nd1, nd2, nd3, nd4 := d0&q0|c0|c1, d1&q1|c1|c2|nc0, d2&q2|c2|c3|nc1, d3&q3|c3|c4|nc2, d4&q4|c4|nc3
		ne1, ne2, ne3 := e1&q1|d1|d2|nd0, e2&q2|d2|d3|nd1, e3&q3|d3|d4|nd2
		if f2 = f2&q2 | e2 | e3 | ne1; f2&among == 0 {
			return
		}
		a2, b1, b2, b3 = a, nb1, nb2, nb3
		c0, c1, c2, c3, c4 = nc0, nc1, nc2, nc3, nc4
		d0, d1, d2, d3, d4 = nd0, nd1, nd2, nd3, nd4
		e1, e2, e3 = ne1, ne2, ne3
	}
	s.at[0] |= a2
	s.at[1] |= b2
	s.at[2] |= c2
	s.at[3] |= d2
	s.at[4] |= e2
	s.at[5] |= f2
}

// window adds to s.at the texts whose window of m letters from a place on, at most as
// many as the value has, is near. It keeps the table as where its rows and columns go
// up and down (see step).
func (s *sliced) window(from, m, most int, among uint64) {
	n := len(s.value)
	shorter := n - m // a way goes down that often more than to the right
	if shorter > most {
		return
	}
	aside := (most - shorter) / 2
	for i := range s.rows[:n] {
		s.rows[i] = slicedRow{^uint64(0), 0}
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
		same := s.same[(from+j)*n+first+spare:][:len(rows)]
		diagonal := j + shorter - first
		// Beyond the rows that are of use every step costs an edit, as it does at
		// the edge of the table.
		right, left, free := ^uint64(0), uint64(0), uint64(0)
		for i := range rows {
			r, eq := &rows[i], same[i]
			up, down := r.up, r.down
			x, y := eq|down, eq|left
			if i == diagonal {
				free = x | left // those that come to it without an edit
			}
			r.up, r.down = left|^(x|right), right&x
			right, left = down|^(y|up), up&y
		}
		carry := ^free
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
