package lookup

import (
	"strings"
	"unicode/utf8"
)

// blocks is a pattern of more than 64 runes.
type blocks struct {
	n     int
	text  string
	ascii [utf8.RuneSelf]int32 // rune -> id, 0 for runes that no key had yet
	other map[rune]int32
	mask  [][]uint64 // by id, where the rune stands

	up, down       []uint64 // a column
	fixUp, fixDown []uint64 // another, for the windows that the first one finds
}

// nowhere is the id of runes that the pattern has not.
const nowhere = 1

func newBlocks(text string, n int) *blocks {
	b := &blocks{n: n, text: text, other: make(map[rune]int32)}
	b.up, b.down, b.fixUp, b.fixDown = b.column(), b.column(), b.column(), b.column()
	b.mask = [][]uint64{nowhere: b.column()}
	return b
}

func (b *blocks) column() []uint64 { return make([]uint64, (b.n+wordBits-1)/wordBits) }

func (b *blocks) id(r rune) int32 {
	if uint32(r) < utf8.RuneSelf {
		if b.ascii[r] == 0 {
			b.ascii[r] = b.find(r)
		}
		return b.ascii[r]
	}
	id, ok := b.other[r]
	if !ok {
		id = b.find(r)
		b.other[r] = id
	}
	return id
}

// find makes the mask of a rune that a key has. Those of all that the pattern has would
// take memory with the square of a caller's text.
func (b *blocks) find(r rune) int32 {
	if !strings.ContainsRune(b.text, r) {
		return nowhere
	}
	mask, i := b.column(), 0
	for _, have := range b.text {
		if have == r {
			mask[i/wordBits] |= 1 << (i % wordBits)
		}
		i++
	}
	b.mask = append(b.mask, mask)
	return int32(len(b.mask)) - 1
}

func start(up, down []uint64) {
	for i := range up {
		up[i], down[i] = ^uint64(0), 0
	}
}

// next is step for a column of many words. It gives the change of the last entry.
func (b *blocks) next(r rune, up, down []uint64, anchored uint64) int {
	mask := b.mask[b.id(r)]
	above, below := anchored, uint64(0) // what the word before hands on
	change := 0
	for i, eq := range mask {
		x := eq | down[i]
		eq |= below
		diagonal := (((eq & up[i]) + up[i]) ^ up[i]) | eq
		right := down[i] | ^(diagonal | up[i])
		left := up[i] & diagonal
		if i == len(mask)-1 {
			last := uint(b.n-1) % wordBits
			change = int(right>>last&1) - int(left>>last&1)
		}
		shifted := right<<1 | above
		above = right >> (wordBits - 1)
		up[i] = left<<1 | below | ^(x | shifted)
		below = left >> (wordBits - 1)
		down[i] = shifted & x
	}
	return change
}

// whole is pattern.whole.
func (b *blocks) whole(key string, k, most int) int {
	start(b.up, b.down)
	score := b.n
	for _, r := range key {
		score += b.next(r, b.up, b.down, 1)
		if k--; score-k > most {
			return most + 1
		}
	}
	return score
}

// window is pattern.window for a key longer than the pattern.
func (b *blocks) window(key []rune, most int) int {
	best, score := most+1, b.n
	start(b.up, b.down)
	for end, r := range key {
		score += b.next(r, b.up, b.down, 0)
		if score < best && end >= b.n-1 {
			if best = min(best, b.fixed(key[end+1-b.n:end+1], best-1)); best == 0 {
				break
			}
		}
	}
	return best
}

// fixed is whole for one window.
func (b *blocks) fixed(window []rune, most int) int {
	start(b.fixUp, b.fixDown)
	score, k := b.n, len(window)
	for _, r := range window {
		score += b.next(r, b.fixUp, b.fixDown, 1)
		if k--; score-k > most {
			return most + 1
		}
	}
	return score
}
