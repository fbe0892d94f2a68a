package lookup

import (
	"math/bits"
	"unicode/utf8"

	"github.com/lithammer/fuzzysearch/fuzzy"
)

// A pattern measures the edit distance (Levenshtein, on runes) of many texts to
// one folded value. Up to 64 runes it keeps a column of the table in two machine
// words (Myers 1999); beyond, fuzzy.LevenshteinDistance does the work.
type pattern struct {
	text  string
	n     int
	ascii [utf8.RuneSelf]uint64 // where each rune stands, a bit a position
	other map[rune]uint64
	runes []rune // of the text, only if it is long
	buf   []rune // of a key
	col   []int
}

const wordBits = 64

func newPattern(text string) *pattern {
	p := &pattern{text: text, n: utf8.RuneCountInString(text)}
	if p.n > wordBits {
		p.runes = []rune(text)
		return p
	}
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
	return p
}

// column is one column of the distance table: where it steps up and down, and its
// last entry.
type column struct {
	up, down uint64
	score    int
}

func (p *pattern) first() column { return column{up: ^uint64(0), score: p.n} }

// next takes one rune more. anchored is 1 if the text must be used from its
// start, 0 if it may begin anywhere.
func (p *pattern) next(c column, r rune, anchored uint64) column {
	var eq uint64
	if uint32(r) < utf8.RuneSelf {
		eq = p.ascii[r]
	} else {
		eq = p.other[r]
	}
	last := uint(p.n-1) & 63
	x := eq | c.down
	d0 := (((eq & c.up) + c.up) ^ c.up) | eq
	right, left := c.down|^(d0|c.up), c.up&d0
	score := c.score + int(right>>last&1) - int(left>>last&1)
	right, left = right<<1|anchored, left<<1
	return column{left | ^(x | right), right & x, score}
}

// whole is the distance to the whole of key, which has k runes, or most+1 if it
// is more than most.
func (p *pattern) whole(key string, k, most int) int {
	if p.n-k > most || k-p.n > most {
		return most + 1
	}
	if p.n == 0 {
		return k
	}
	if p.n > wordBits {
		return min(fuzzy.LevenshteinDistance(p.text, key), most+1)
	}
	c := p.first()
	for _, r := range key {
		c = p.next(c, r, 1)
		k--
		if c.score-k > most {
			return most + 1
		}
	}
	return c.score
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
	p.buf = p.buf[:0]
	for _, r := range key {
		p.buf = append(p.buf, r)
	}
	if p.n > wordBits {
		return p.longWindow(most)
	}
	// The distance to the best stretch that ends here, of whatever length, is
	// a lower bound for the window that ends here.
	best, c := most+1, p.first()
	for end, r := range p.buf {
		c = p.next(c, r, 0)
		if c.score >= best || end < p.n-1 {
			continue
		}
		w := p.first()
		for i := end + 1 - p.n; i <= end; i++ {
			w = p.next(w, p.buf[i], 1)
			if w.score-(end-i) >= best {
				w.score = best
				break
			}
		}
		if best = min(best, w.score); best == 0 {
			break
		}
	}
	return best
}

func (p *pattern) longWindow(most int) int {
	p.col = p.col[:0]
	for i := range p.n + 1 {
		p.col = append(p.col, i)
	}
	best := most + 1
	for end, r := range p.buf {
		diagonal := 0
		for i, q := range p.runes {
			d := diagonal
			if q != r {
				d++
			}
			diagonal = p.col[i+1]
			p.col[i+1] = min(d, diagonal+1, p.col[i]+1)
		}
		if end >= p.n-1 && p.col[p.n] < best {
			w := string(p.buf[end+1-p.n : end+1])
			if best = min(best, fuzzy.LevenshteinDistance(p.text, w)); best == 0 {
				break
			}
		}
	}
	return best
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
