package lookup

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// A walk measures the texts of a table to one value, in their order. It keeps the
// columns of the table of distances for every rune of the text it was at, and goes
// on where the next text begins to differ. A beginning that is too far off settles
// all texts that have it.
type walk struct {
	text     []byte
	n        int // runes of the value, 1 to wordBits
	masks    [256]uint64
	anchored uint64 // see step

	at, have int  // the text, and for how much of it there are columns
	dead     bool // no text that begins with as much is near enough

	up, down [longestText + 1]uint64
	score    [longestText + 1]int16 // the last entry of a column
	least    [longestText + 1]int16 // the least score of a column that may end a window
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
func (w *walk) enter(anchored uint64, length int) {
	if w.anchored != anchored {
		w.anchored, w.have = anchored, 0
	}
	w.have = min(w.have, length)
	w.dead = false
	w.up[0], w.down[0], w.score[0], w.least[0] = ^uint64(0), 0, int16(w.n), math.MaxInt16
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
	up, down, score, last := w.up[d], w.down[d], int(w.score[d]), uint(w.n-1)&63
	var right, left uint64
	for ; d < k; d++ {
		up, down, right, left = step(w.masks[w.text[at+d]], up, down, 1)
		score += int(right>>last&1) - int(left>>last&1)
		w.up[d+1], w.down[d+1], w.score[d+1] = up, down, int16(score)
		if score-(k-d-1) > most {
			w.have, w.dead = d+1, true
			return most + 1
		}
	}
	w.have = k
	return score
}

// window is the least distance to any window of the text, which has more runes
// than the value, or most+1. If that is more than exact, any window's will do.
func (w *walk) window(at, k, most, exact int) int {
	d := w.resume(at)
	if d == w.have && w.dead {
		return most + 1
	}
	w.at, w.dead = at, false
	up, down, score, least, last := w.up[d], w.down[d], int(w.score[d]), int(w.least[d]), uint(w.n-1)&63
	var right, left uint64
	for ; d < k; d++ {
		up, down, right, left = step(w.masks[w.text[at+d]], up, down, 0)
		score += int(right>>last&1) - int(left>>last&1)
		if d+1 >= w.n && score < least {
			least = score
		}
		w.up[d+1], w.down[d+1], w.score[d+1], w.least[d+1] = up, down, int16(score), int16(least)
		if least > most && score-(k-d-1) > most {
			w.have, w.dead = d+1, true
			return most + 1
		}
	}
	w.have = k
	found, below := most+1, most+1
	for end := w.n; end <= k && least < below; end++ {
		if int(w.score[end]) >= below {
			continue
		}
		if e := w.fixed(w.text[at+end-w.n:at+end], below-1); e < below {
			found, below = e, min(e, exact+1)
		}
	}
	return found
}

// fixed is the distance to one window, or most+1.
func (w *walk) fixed(window []byte, most int) int {
	up, down, score, last := ^uint64(0), uint64(0), w.n, uint(w.n-1)&63
	var right, left uint64
	k := len(window)
	for _, b := range window {
		up, down, right, left = step(w.masks[b], up, down, 1)
		score += int(right>>last&1) - int(left>>last&1)
		if k--; score-k > most {
			return most + 1
		}
	}
	return score
}
