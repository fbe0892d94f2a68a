package lookup

import (
	"bytes"
	"math"
	"math/bits"
)

// A view is a table as one snapshot has it.
type view struct {
	*table
	begin  uint32   // the place of its first key among all
	hidden []uint64 // the positions that do not count; nil for none
	number uint16   // of the table, from 1
}

func (v *view) hides(i int) bool { return v.hidden != nil && v.hidden[i/64]>>(i%64)&1 != 0 }

// order is the place of the key at a position among all.
func (v *view) order(i int) uint32 { return v.begin + v.items[i] }

func (v *view) ref(i int) ref {
	return ref{key: v.key(i), order: v.order(i), at: uint32(i), table: v.number, once: true}
}

// A probe looks for one folded value in one view.
type probe struct {
	*view
	code    []byte
	sieve   sieve
	walk    *walk     // nil if the value has more runes than bits
	pattern *pattern  // then this
	sliced  []*sliced // for as many goroutines; empty until there are windows to measure
}

func newProbe(v *view, folded string, p *pattern) *probe {
	b := &probe{view: v, pattern: p}
	b.code, _ = v.appendCodes(nil, folded, false)
	b.sieve = v.columns.sieve(b.code, true)
	if 0 < p.n && p.n <= wordBits {
		b.walk = newWalk(&v.texts, b.code)
	}
	return b
}

// each visits the texts of a class that lack at most so many letters of the value.
// visit says how many they may lack from there on, below 0 for no more texts.
func (b *probe) each(c class, lacking int, visit func(i int) (lacking int)) {
	b.words(c, lacking, func(first int, among uint64) int {
		for ; among != 0 && lacking >= 0; among &= among - 1 {
			lacking = visit(first + bits.TrailingZeros64(among))
		}
		return lacking
	})
}

// words is each for 64 positions at a time.
func (b *probe) words(c class, lacking int, visit func(first int, among uint64) (lacking int)) {
	if c.first == c.end {
		return
	}
	first, last := c.first/64, (c.end-1)/64
	for word := first; word <= last && lacking >= 0; word++ {
		if word = b.sieve.skip(word, last, lacking); word > last {
			return
		}
		among := ^uint64(0)
		if word == first {
			among <<= c.first % 64
		}
		if word == last {
			among &= ^uint64(0) >> (63 - (c.end-1)%64)
		}
		if b.hidden != nil {
			among &^= b.hidden[word]
		}
		if among = b.sieve.pass(word, among, lacking); among != 0 {
			lacking = visit(word*64, among)
		}
	}
}

// containing visits the keys that have the value in them, of 64 positions at a time.
func (b *probe) containing(visit func(word int, keys uint64)) {
	for n, c := range b.classes {
		if c.length < len(b.code) {
			continue
		}
		b.words(c, 0, func(first int, among uint64) int {
			if among = b.contains(n, c, first, among); among != 0 {
				visit(first/64, among)
			}
			return 0
		})
	}
}

// fewTexts is how many are sooner compared one by one than 64 at once.
const fewTexts = 8

// contains gives those of some texts from a position on that have the value in them.
func (b *probe) contains(n int, c class, first int, among uint64) (have uint64) {
	if 0 < len(b.code) && len(b.code) <= wordBits && bits.OnesCount64(among) > fewTexts {
		s := b.slicers(1)[0]
		s.load(n, c, first/64)
		return s.contain(c.length, among)
	}
	for ; among != 0; among &= among - 1 {
		if i := bits.TrailingZeros64(among); bytes.Contains(b.of(c, first+i), b.code) {
			have |= 1 << i
		}
	}
	return have
}

// within visits the keys that are within limits, and so many edits, of the value as
// a whole, and reports whether more edits may find more.
func (b *probe) within(limits *limits, edits int, visit func(i, edits, length int)) (more bool) {
	n := len(b.code)
	for _, c := range b.classes {
		most := limits.of(max(n, c.length))
		if n-c.length > most || c.length-n > most {
			continue
		}
		if edits < most {
			most, more = edits, true
		}
		if n-c.length > most || c.length-n > most {
			continue
		}
		if b.walk != nil {
			b.walk.enter(c.length)
		}
		b.each(c, most, func(i int) int {
			if e := b.whole(c, i, most); e <= most {
				visit(i, e, max(n, c.length))
			}
			return most
		})
	}
	return more
}

func (b *probe) whole(c class, i, most int) int {
	if b.walk != nil {
		return b.walk.whole(c.at+(i-c.first)*c.length, c.length, most)
	}
	return b.pattern.whole(b.decode(c, i), c.length, most)
}

// windows visits the keys of which a window (FW-80) is within most edits and which
// lack at most so many letters, those of 64 positions with as many edits of the best
// window at a time. visit gives the most that is of interest from there on. It ends
// after so many times, and reports whether that was all.
func (b *probe) windows(lacking, most, measures int, visit func(word int, keys uint64, edits int) (most int)) (all bool) {
	n := len(b.code)
	if n == 0 || n > wordBits {
		b.longWindows(lacking, most, visit)
		return true
	}
	s, unbounded := b.slicers(1)[0], measures == math.MaxInt
	for i, c := range b.classes {
		if n-c.length > min(lacking, most) || most < 0 || measures < 0 {
			continue
		}
		if workers := b.workers(c); workers > 1 && unbounded {
			most = b.windowsAtOnce(i, c, lacking, most, workers, visit)
			continue
		}
		b.words(c, min(lacking, most), func(first int, among uint64) int {
			if measures--; measures < 0 {
				return -1
			}
			s.nearest(i, c, first, most, among)
			for edits := 0; edits <= most; edits++ {
				if near := s.at[edits]; near != 0 {
					most = visit(first/64, near, edits)
				}
			}
			return min(lacking, most)
		})
	}
	return measures >= 0
}

// longWindows is windows for a value of more runes than bits.
func (b *probe) longWindows(lacking, most int, visit func(word int, keys uint64, edits int) (most int)) {
	for _, c := range b.classes {
		if len(b.code)-c.length > min(lacking, most) || most < 0 {
			continue
		}
		b.each(c, min(lacking, most), func(i int) int {
			if edits := b.pattern.window(b.decode(c, i), c.length, most); edits <= most {
				most = visit(i/64, 1<<(i%64), edits)
			}
			return min(lacking, most)
		})
	}
}
