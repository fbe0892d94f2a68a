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
type laneColumn struct{ up, down, score, least uint64 }

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
	l.after[0] = laneColumn{l.full, 0, l.ones * uint64(l.n), l.ones * (1<<(l.width-1) - 1)}
	l.best.position = -1
	return l
}

// step is step for all lanes.
func (l *lanes) step(eq, up, down, anchored uint64) (newUp, newDown, right, left uint64) {
	x := eq | down
	diagonal := (((eq & up) + up) ^ up) | eq
	right = (down | ^(diagonal | up)) & l.full
	left = up & diagonal
	r := right<<1 | anchored
	return (left<<1 | ^(x | r)) & l.full, r & x, right, left
}

// least gives the smaller of two numbers, lane by lane.
func (l *lanes) least(a, b uint64) uint64 {
	t := ((a | l.high) - b) & l.high // where b is not greater
	t |= t - t>>(l.width-1)
	return b&t | a&^t
}

func (l *lanes) lane(all uint64, i int) int { return int(all >> (i * l.width) & (1<<l.width - 1)) }

// group measures the texts of a class from a position on, one a lane, and lets
// those of their windows wait that may be within most edits. wanted are the lanes
// that matter.
func (l *lanes) group(c class, first int, wanted uint64, most int) {
	k := c.length
	var at [4]int
	for i := range l.count {
		at[i] = c.at + (min(max(first+i, c.first), c.end-1)-c.first)*k
	}
	last := l.count - 1
	d := l.resume(at[last])
	l.at, l.have = at[last], k
	s := l.after[d]
	if shift := last * l.width; d > 0 {
		s.up, s.down = s.up>>shift*l.ones, s.down>>shift*l.ones
		s.score, s.least = s.score>>shift*l.ones, s.least>>shift*l.ones
	}
	known := d
	low := l.n - 1
	var right, left uint64
	a, b := l.text[at[0]:at[0]+k], l.text[at[1]:at[1]+k]
	y, z := a, b
	if l.count == 4 {
		y, z = l.text[at[2]:at[2]+k], l.text[at[3]:at[3]+k]
	}
	for ; d < k; d++ {
		var eq uint64
		if l.count == 4 {
			eq = l.masks[a[d]] | l.masks[b[d]]<<16 | l.masks[y[d]]<<32 | l.masks[z[d]]<<48
		} else {
			eq = l.masks[a[d]] | l.masks[b[d]]<<32
		}
		s.up, s.down, right, left = l.step(eq, s.up, s.down, 0)
		s.score += right>>low&l.ones - left>>low&l.ones
		if d >= low {
			s.least = l.least(s.least, s.score)
		}
		l.after[uint8(d+1)] = s
	}
	for ; wanted != 0; wanted &= wanted - 1 {
		i := bits.TrailingZeros64(wanted)
		if l.lane(s.least, i) > most {
			continue
		}
		for end := l.n; end <= k; end++ {
			from := i
			if end <= known {
				from = last
			}
			if l.lane(l.after[end].score, from) <= most {
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
	up, down, score, low := l.full, uint64(0), l.ones*uint64(l.n), l.n-1
	var right, left uint64
	a, b, y, z := of[0], of[1], of[2], of[3]
	for d := range l.n {
		var eq uint64
		if l.count == 4 {
			eq = l.masks[a[d]] | l.masks[b[d]]<<16 | l.masks[y[d]]<<32 | l.masks[z[d]]<<48
		} else {
			eq = l.masks[a[d]] | l.masks[b[d]]<<32
		}
		up, down, right, left = l.step(eq, up, down, l.ones)
		score += right>>low&l.ones - left>>low&l.ones
	}
	return score
}
