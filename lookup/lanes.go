package lookup

import (
	"encoding/binary"
	"math/bits"
)

// lanes measure the windows of several texts at a time, each in a part of a machine
// word: four texts if the value has at most 15 runes, two if it has at most 31. The
// spare bit of a lane keeps what is carried out of it from the next.
type lanes struct {
	text  []byte
	n     int
	count int    // of lanes
	width int    // in bits
	ones  uint64 // the lowest bit of each lane
	full  uint64 // the n lowest bits of each lane
	high  uint64 // the highest bit of each lane

	masks [256]uint64 // in the lowest lane

	at, have int // as in walk, of the last lane's text
	after    [longestText + 1]laneColumn

	// Windows whose distance is not known yet.
	waiting []waiting
	best    waiting // of the text that is being visited
}

// A laneColumn is a column for every lane. Up to where a text begins like the last
// one of the group before, the last lane holds for all.
type laneColumn struct {
	up, down, score uint64
	near, any       uint64 // the highest bits of the lanes in which a window may end here, or up to here
}

// waiting is a window of the text at a position, which begins at a place.
type waiting struct{ position, at, edits int }

const mostInLanes = 31

func newLanes(t *texts, code []byte) *lanes {
	l := &lanes{text: t.text, n: len(code), count: 2}
	if l.n <= 15 {
		l.count = 4
	}
	l.width = wordBits / l.count
	for i := range l.count {
		l.ones |= 1 << (i * l.width)
	}
	l.full, l.high = l.ones*(1<<l.n-1), l.ones<<(l.width-1)
	for i, b := range code {
		l.masks[b] |= 1 << i
	}
	l.masks[noCode] = 0
	l.after[0] = laneColumn{up: l.full, score: l.ones * uint64(l.n)}
	l.best.position = -1
	return l
}

// laneStep is step for all lanes, of which full are the bits in use.
func laneStep(eq, up, down, anchored, full uint64) (newUp, newDown, right, left uint64) {
	x := eq | down
	diagonal := (((eq & up) + up) ^ up) | eq
	right = (down | ^(diagonal | up)) & full
	left = up & diagonal
	r := right<<1 | anchored
	return (left<<1 | ^(x | r)) & full, r & x, right, left
}

func (l *lanes) lane(all uint64, i int) int { return int(all >> (i * l.width) & (1<<l.width - 1)) }

// group measures the texts of a class from a position on, one a lane, and lets
// those of their windows wait that may be within most edits. wanted are the lanes
// that matter.
func (l *lanes) group(c class, first int, wanted uint64, most int) {
	k := c.length
	var at [4]int
	if whole := first >= c.first && first+l.count <= c.end; whole {
		at[0] = c.at + (first-c.first)*k
		at[1], at[2], at[3] = at[0]+k, at[0]+2*k, at[0]+3*k
	} else {
		for i := range l.count {
			at[i] = c.at + (min(max(first+i, c.first), c.end-1)-c.first)*k
		}
	}
	last := l.count - 1
	d := l.resume(at[last])
	start := &l.after[d]
	up, down, score, any := start.up, start.down, start.score, start.any
	shift := last * l.width
	if any>>(wordBits-1) == 0 && int(score>>(shift&63))-(k-d) > most {
		return // all that begin like this are too far
	}
	l.at, l.have = at[last], k
	low, high, ones, full, width := l.n-1, l.high, l.ones, l.full, l.width
	if d > 0 {
		up, down, score = up>>(shift&63)*ones, down>>(shift&63)*ones, score>>(shift&63)*ones
		any = any >> (wordBits - 1) * high
	}
	known := d
	var right, left, near uint64
	enough := ones*uint64(most) | high
	// Field by field: to copy the column as a whole costs as much as the step.
	if l.count == 4 {
		t0, t1, t2, t3 := l.text[at[0]:][:k], l.text[at[1]:][:k], l.text[at[2]:][:k], l.text[at[3]:][:k]
		for ; d < len(t0) && d < len(t1) && d < len(t2) && d < len(t3); d++ {
			eq := l.masks[t0[d]] | l.masks[t1[d]]<<16 | l.masks[t2[d]]<<32 | l.masks[t3[d]]<<48
			up, down, right, left = laneStep(eq, up, down, 0, full)
			score += right>>(low&63)&ones - left>>(low&63)&ones
			if d >= low {
				near = (enough - score) & high
				any |= near
			}
			to := &l.after[uint8(d+1)]
			to.up, to.down, to.score, to.near, to.any = up, down, score, near, any
		}
	} else {
		t0, t1 := l.text[at[0]:][:k], l.text[at[1]:][:k]
		for ; d < len(t0) && d < len(t1); d++ {
			eq := l.masks[t0[d]] | l.masks[t1[d]]<<32
			up, down, right, left = laneStep(eq, up, down, 0, full)
			score += right>>(low&63)&ones - left>>(low&63)&ones
			if d >= low {
				near = (enough - score) & high
				any |= near
			}
			to := &l.after[uint8(d+1)]
			to.up, to.down, to.score, to.near, to.any = up, down, score, near, any
		}
	}
	for ; any != 0; any &= any - 1 {
		i := bits.TrailingZeros64(any) / width
		if wanted>>i&1 == 0 {
			continue
		}
		for end := l.n; end <= k; end++ {
			bit := i*width + width - 1
			if end <= known {
				bit = wordBits - 1
			}
			if l.after[uint8(end)].near>>(bit&63)&1 != 0 {
				l.waiting = append(l.waiting, waiting{position: first + i, at: at[i] + end - l.n})
			}
		}
	}
}

func (l *lanes) resume(at int) int {
	for d := 0; d < l.have; d += 8 {
		if diff := binary.LittleEndian.Uint64(l.text[l.at+d:]) ^ binary.LittleEndian.Uint64(l.text[at+d:]); diff != 0 {
			return min(d+bits.TrailingZeros64(diff)/8, l.have)
		}
	}
	return l.have
}

// flush measures the windows that wait, as many as fill the lanes, or all. visit is
// told of every text of which they were the last windows.
func (l *lanes) flush(all bool, visit func(position, edits int)) {
	done := 0
	for len(l.waiting)-done >= l.count || all && done < len(l.waiting) {
		batch := l.waiting[done:min(done+l.count, len(l.waiting))]
		done += len(batch)
		score := l.fixed(batch)
		for i, w := range batch {
			w.edits = l.lane(score, i)
			switch {
			case w.position == l.best.position:
				l.best.edits = min(l.best.edits, w.edits)
			default:
				l.visitBest(visit)
				l.best = w
			}
		}
	}
	l.waiting = append(l.waiting[:0], l.waiting[done:]...)
	if all {
		l.visitBest(visit)
	}
}

func (l *lanes) visitBest(visit func(position, edits int)) {
	if l.best.position >= 0 {
		visit(l.best.position, l.best.edits)
	}
	l.best.position = -1
}

// fixed gives the distances to some windows.
func (l *lanes) fixed(batch []waiting) (score uint64) {
	var of [4][]byte
	for i := range of {
		w := batch[min(i, len(batch)-1)]
		of[i] = l.text[w.at : w.at+l.n]
	}
	low, ones, full := l.n-1, l.ones, l.full
	up, down, score := full, uint64(0), ones*uint64(l.n)
	var right, left uint64
	t0, t1, t2, t3 := of[0], of[1], of[2], of[3]
	if l.count == 4 {
		for d := 0; d < len(t0) && d < len(t1) && d < len(t2) && d < len(t3); d++ {
			eq := l.masks[t0[d]] | l.masks[t1[d]]<<16 | l.masks[t2[d]]<<32 | l.masks[t3[d]]<<48
			up, down, right, left = laneStep(eq, up, down, ones, full)
			score += right>>(low&63)&ones - left>>(low&63)&ones
		}
		return score
	}
	for d := 0; d < len(t0) && d < len(t1); d++ {
		eq := l.masks[t0[d]] | l.masks[t1[d]]<<32
		up, down, right, left = laneStep(eq, up, down, ones, full)
		score += right>>(low&63)&ones - left>>(low&63)&ones
	}
	return score
}
