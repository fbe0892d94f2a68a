package lookup

import "math/bits"

// planes are the texts of a table the other way round: of 64 texts and one place in
// them, a bit of what stands there is a machine word. What is measured with them is
// measured of 64 texts at once (see sliced).
type planes struct {
	bits   int        // of a number
	number [256]uint8 // of each code from 1, 0 for those that no text has
	start  []int      // by class, in words
	words  []uint64   // by class, 64 positions, place in the text, and bit
}

// lowBits of a number are looked at apart from the others (see sliced.load).
const lowBits = 5

func newPlanes(t *texts) *planes {
	p := &planes{start: make([]int, len(t.classes))}
	for _, code := range t.text[:len(t.text)-8] {
		p.number[code] = 1
	}
	count := 0
	for code := range p.number {
		if p.number[code] != 0 {
			count++
			p.number[code] = uint8(count)
		}
	}
	p.bits = max(lowBits, bits.Len(uint(count)))
	size := 0
	for i, c := range t.classes {
		p.start[i] = size
		size += wordsOver(c) * c.length * p.bits
	}
	p.words = make([]uint64, size)
	for n, c := range t.classes {
		for i := c.first; i < c.end; i++ {
			of := p.of(n, c, i/64)
			for j, code := range t.of(c, i) {
				number := uint64(p.number[code])
				for q := range p.bits {
					of[j*p.bits+q] |= number >> q & 1 << (i % 64)
				}
			}
		}
	}
	return p
}

// wordsOver is how many words of 64 positions a class has some of.
func wordsOver(c class) int {
	if c.first == c.end {
		return 0
	}
	return (c.end-1)/64 - c.first/64 + 1
}

// of is what stands in the texts at 64 positions that are of a class, the n-th.
func (p *planes) of(n int, c class, word int) []uint64 {
	size := c.length * p.bits
	at := p.start[n] + (word-c.first/64)*size
	return p.words[at : at+size]
}

func (p *planes) bytes() int { return 8*cap(p.words) + 8*cap(p.start) }
