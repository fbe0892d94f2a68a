package lookup

import (
	"encoding/binary"
	"math/bits"
)

// A walk measures the texts of a table to one value, in their order. It keeps the
// columns of the table of distances for every rune of the text it was at, and goes
// on where the next text begins to differ. A beginning that is too far off settles
// all texts that have it.
type walk struct {
	text  []byte
	n     int // runes of the value, 1 to wordBits
	masks [256]uint64

	at, have int  // the text, and for how much of it there are columns
	dead     bool // no text that begins with as much is near enough

	after [longestText + 1]column
}

// A column is one of the table of distances: where it goes up and down, and its last
// entry.
type column struct {
	up, down uint64
	score    int32
}

func newWalk(t *texts, code []byte) *walk {
	w := &walk{text: t.text, n: len(code)}
	for i, b := range code {
		w.masks[b] |= 1 << i
	}
	w.masks[noCode] = 0
	return w
}

// enter begins with a class; a new bound also takes that.
func (w *walk) enter(length int) {
	w.have = min(w.have, length)
	w.dead = false
	w.after[0] = column{^uint64(0), 0, int32(w.n)}
}

// resume gives how much of the text at a place has its columns already.
func (w *walk) resume(at int) int {
	for d := 0; d < w.have; d += 8 {
		if diff := binary.LittleEndian.Uint64(w.text[w.at+d:]) ^ binary.LittleEndian.Uint64(w.text[at+d:]); diff != 0 {
			return min(d+bits.TrailingZeros64(diff)/8, w.have)
		}
	}
	return w.have
}

// whole is the distance to the text of k runes that begins at a place, or most+1.
func (w *walk) whole(at, k, most int) int {
	d := w.resume(at)
	if d == w.have && w.dead {
		return most + 1
	}
	w.at, w.dead = at, false
	start := &w.after[d]
	up, down, score, last, far := start.up, start.down, start.score, uint(w.n-1)&63, int32(most+k-d)
	var right, left uint64
	for i, b := range w.text[at+d : at+k] {
		up, down, right, left = step(w.masks[b], up, down, 1)
		score += int32(right>>last&1) - int32(left>>last&1)
		to := &w.after[uint8(d+i+1)] // field by field: to copy the column as a whole costs as much as the step
		to.up, to.down, to.score = up, down, score
		if far--; score > far {
			w.have, w.dead = d+i+1, true
			return most + 1
		}
	}
	w.have = k
	return int(score)
}
