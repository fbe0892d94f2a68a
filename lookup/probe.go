package lookup

import (
	"bytes"
	"math/bits"
)

// A view is a table as one snapshot has it.
type view struct {
	*table
	hidden []uint64 // the positions that do not count; nil for none
}

func (v *view) hides(i int) bool { return v.hidden != nil && v.hidden[i/64]>>(i%64)&1 != 0 }

func (v *view) ref(i int) ref { return ref{key: v.keys[i], order: v.order[i], once: true} }

// A probe looks for one folded value in one view.
type probe struct {
	*view
	code    []byte
	sieve   sieve
	walk    *walk    // nil if the value has more runes than bits
	lanes   *lanes   // nil if it has more than mostInLanes
	pattern *pattern // then this
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
		if lacking == 0 {
			if word = b.sieve.skip(word, last); word > last {
				return
			}
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

// containing visits the keys that have the value in them.
func (b *probe) containing(visit func(i int)) {
	for _, c := range b.classes {
		if c.length >= len(b.code) {
			b.each(c, 0, func(i int) int {
				if bytes.Contains(b.of(c, i), b.code) {
					visit(i)
				}
				return 0
			})
		}
	}
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
			b.walk.enter(1, c.length)
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
// lack at most so many letters, with the edits of the best window. visit gives the
// most that is of interest from there on.
func (b *probe) windows(lacking, most int, visit func(i, edits int) (most int)) {
	n := len(b.code)
	near := func(i, edits int) {
		if edits <= most {
			most = visit(i, edits)
		}
	}
	for _, c := range b.classes {
		if n-c.length > min(lacking, most) || most < 0 {
			continue
		}
		if c.length > n && n <= mostInLanes {
			b.windowsInLanes(c, lacking, &most, near)
			continue
		}
		longer := c.length > n
		if b.walk != nil {
			anchored := uint64(1)
			if longer {
				anchored = 0
			}
			b.walk.enter(anchored, c.length)
		}
		b.each(c, min(lacking, most), func(i int) int {
			// A beginning that was too far before is too far for less, too.
			switch {
			case !longer:
				near(i, b.whole(c, i, most))
			case b.walk != nil:
				near(i, b.walk.window(c.at+(i-c.first)*c.length, c.length, most))
			default:
				near(i, b.pattern.window(b.decode(c, i), c.length, most))
			}
			return min(lacking, most)
		})
	}
}

// windowsInLanes is windows for a class of longer texts.
func (b *probe) windowsInLanes(c class, lacking int, most *int, near func(i, edits int)) {
	if b.lanes == nil {
		b.lanes = newLanes(&b.texts, b.code)
	}
	l := b.lanes
	l.have = 0 // what follows must come in order
	b.words(c, min(lacking, *most), func(first int, among uint64) int {
		for among != 0 {
			at := bits.TrailingZeros64(among) / l.count * l.count
			wanted := among >> at & (1<<l.count - 1)
			among &^= wanted << at
			l.group(c, first+at, wanted, *most)
			if len(l.waiting) >= l.count {
				l.flush(false, near)
			}
		}
		return min(lacking, *most)
	})
	l.flush(true, near)
}
