package lookup

import (
	"math/bits"
	"unicode/utf8"
)

// A pattern measures the edit distance (Levenshtein, on runes) of many texts to
// one folded value. It keeps a column of the table in two machine words (Myers
// 1999), or in as many pairs of words as a longer value takes.
type pattern struct {
	n     int
	text  string
	ascii [utf8.RuneSelf]uint64 // where each rune stands, a bit a position
	other map[rune]uint64
	long  *blocks // instead, if there are more runes than bits

	key []rune // working memory
}

const wordBits = 64

func newPattern(text string) *pattern {
	p := new(pattern)
	p.set(text)
	return p
}

// set makes it the pattern of a text, which is all that is left of the one before.
func (p *pattern) set(text string) {
	p.text, p.n, p.long, p.other = text, utf8.RuneCountInString(text), nil, nil
	if p.n > wordBits {
		p.long = newBlocks(text, p.n)
		return
	}
	clear(p.ascii[:])
	bit := uint64(1)
	for _, r := range text {
		if r < utf8.RuneSelf {
			p.ascii[r] |= bit
		} else {
			if p.other == nil {
				p.other = make(map[rune]uint64)
			}
			p.other[r] |= bit
		}
		bit <<= 1
	}
}

// at is where r stands in the pattern.
func (p *pattern) at(r rune) uint64 {
	if uint32(r) < utf8.RuneSelf {
		return p.ascii[r]
	}
	return p.other[r]
}

// step takes the table one column to the right. A column is where it goes up and
// down; right and left are where the new one is above and below the old one.
// anchored is 1 if the text must be used from its start, 0 if the pattern may
// begin anywhere in it.
func step(eq, up, down, anchored uint64) (newUp, newDown, right, left uint64) {
	x := eq | down
	diagonal := (((eq & up) + up) ^ up) | eq
	right = down | ^(diagonal | up)
	left = up & diagonal
	r := right<<1 | anchored
	return left<<1 | ^(x | r), r & x, right, left
}

// whole is the distance to the whole of key, which has k runes, or most+1 if it
// is more than most.
func (p *pattern) whole(key string, k, most int) int {
	if p.n-k > most || k-p.n > most {
		return most + 1
	}
	if p.n == 0 {
		return k // which is at most most
	}
	if p.long != nil {
		return p.long.whole(key, k, most)
	}
	// As far as both begin alike, the column is known: it goes down to the diagonal.
	alike := 0
	for alike < len(key) && alike < len(p.text) && key[alike] == p.text[alike] && key[alike] < utf8.RuneSelf {
		alike++
	}
	up, down, score, last := ^uint64(0)<<alike, uint64(1)<<alike-1, p.n-alike, uint(p.n-1)&63
	k -= alike
	var right, left uint64
	for _, r := range key[alike:] {
		up, down, right, left = step(p.at(r), up, down, 1)
		score += int(right>>last&1) - int(left>>last&1)
		if k--; score-k > most {
			return most + 1
		}
	}
	return score
}

// window is the least distance to any window of key as long as the pattern, a
// shorter key being one window (FW-80), or most+1 if that is more than most.
func (p *pattern) window(key string, k, most int) int {
	if k <= p.n {
		return p.whole(key, k, most)
	}
	if p.n == 0 || most < 0 {
		return min(0, most+1)
	}
	p.key = p.key[:0]
	for _, r := range key {
		p.key = append(p.key, r)
	}
	if p.long != nil {
		return p.long.window(p.key, most)
	}
	// The distance to the best stretch that ends here, of whatever length, is
	// a lower bound for the window that ends here.
	best := most + 1
	up, down, score, last := ^uint64(0), uint64(0), p.n, uint(p.n-1)&63
	var right, left uint64
	for end, r := range p.key {
		up, down, right, left = step(p.at(r), up, down, 0)
		score += int(right>>last&1) - int(left>>last&1)
		if score < best && end >= p.n-1 {
			if best = min(best, p.fixed(p.key[end+1-p.n:end+1], best-1)); best == 0 {
				break
			}
		}
	}
	return best
}

// fixed is whole for one window.
func (p *pattern) fixed(window []rune, most int) int {
	up, down, score, last := ^uint64(0), uint64(0), p.n, uint(p.n-1)&63
	var right, left uint64
	k := len(window)
	for _, r := range window {
		up, down, right, left = step(p.at(r), up, down, 1)
		score += int(right>>last&1) - int(left>>last&1)
		if k--; score-k > most {
			return most + 1
		}
	}
	return score
}

// letters marks which runes occur in a text. Each mark that one text has and
// another lacks costs an edit at least.
func letters(s string) uint64 {
	var m uint64
	for _, r := range s {
		switch {
		case 'a' <= r && r <= 'z':
			m |= 1 << (r - 'a')
		case '0' <= r && r <= '9':
			m |= 1 << (26 + r - '0')
		case r != ' ':
			m |= 1 << (36 + r%28)
		}
	}
	return m
}

func lacking(have, want uint64) int { return bits.OnesCount64(want &^ have) }
