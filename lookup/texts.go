package lookup

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"slices"
	"sort"
	"unicode/utf8"
)

// texts is a sorted table of folded texts, or of words. The texts of one length
// stand together and in order, each rune in one byte, so that neighbours share
// their beginnings and what is measured of one holds for the next. It never changes.
type texts struct {
	classes []class
	text    []byte // and a few bytes more, so that eight can be read anywhere
	codes   map[rune]byte
	runes   []rune // of the codes from utf8.RuneSelf

	seed  maphash.Seed
	slots []uint32 // by hash, the position plus 1 of the first of equal texts

	columns *columns // nil if the texts are only walked
	planes  *planes  // too
}

// A class is the texts of one length.
type class struct {
	length     int
	first, end int // positions
	at         int // of the first in texts.text
}

// longestText is the number of runes that a text may have to stand in the table.
const longestText = 255

// noCode stands for a rune that no text has. Codes below utf8.RuneSelf are the rune
// itself; the others go to runes as they come.
const noCode = 0xff

// newTexts makes a table of n texts. order gives the item at each position, rest
// the items that cannot stand in it: those that are too long, are no UTF-8, or have
// runes beyond the number of codes.
func newTexts(n int, item func(i int) string, filtered bool) (t *texts, order, rest []uint32) {
	t = &texts{seed: maphash.MakeSeed()}
	type entry struct {
		lead uint64 // the first eight bytes
		at   uint32
		item uint32
	}
	var count [longestText + 1]int
	entries := make([]entry, 0, n)
	lengths := make([]uint8, 0, n)
	drawn := make([]byte, 0, 16*n)
	for i := range n {
		at := len(drawn)
		var ok bool
		if drawn, ok = t.appendCodes(drawn, item(i), true); !ok {
			drawn = drawn[:at]
			rest = append(rest, uint32(i))
			continue
		}
		length := len(drawn) - at
		count[length]++
		lengths = append(lengths, uint8(length))
		entries = append(entries, entry{at: uint32(at), item: uint32(i)})
	}
	var next [longestText + 1]int
	position, at := 0, 0
	for length, of := range count {
		if of > 0 {
			t.classes = append(t.classes, class{length, position, position + of, at})
		}
		next[length] = position
		position += of
		at += of * length
	}
	drawn = append(drawn, make([]byte, 8)...)
	sorted := make([]entry, len(entries))
	for i, e := range entries {
		e.lead = binary.BigEndian.Uint64(drawn[e.at:])
		if short := 8 - int(lengths[i]); short > 0 {
			e.lead = e.lead >> (8 * short) << (8 * short)
		}
		sorted[next[lengths[i]]] = e
		next[lengths[i]]++
	}
	t.text = make([]byte, at, at+8)
	order = make([]uint32, len(sorted))
	for _, c := range t.classes {
		slices.SortFunc(sorted[c.first:c.end], func(a, b entry) int {
			switch {
			case a.lead < b.lead:
				return -1
			case a.lead > b.lead:
				return 1
			case c.length > 8:
				x, y := binary.BigEndian.Uint64(drawn[a.at+8:]), binary.BigEndian.Uint64(drawn[b.at+8:])
				if x != y && c.length >= 16 {
					return cmp.Compare(x, y)
				}
				if d := bytes.Compare(drawn[a.at+8:int(a.at)+c.length], drawn[b.at+8:int(b.at)+c.length]); d != 0 {
					return d
				}
			}
			return int(a.item) - int(b.item)
		})
		for i, e := range sorted[c.first:c.end] {
			copy(t.text[c.at+i*c.length:], drawn[e.at:int(e.at)+c.length])
			order[c.first+i] = e.item
		}
	}
	t.text = t.text[:at+8]
	t.hash(position)
	if filtered {
		t.columns, t.planes = newColumns(t, position), newPlanes(t)
	}
	return t, order, rest
}

// appendCodes appends the code of each rune of s. A table under construction
// assigns codes, and refuses what it cannot hold; a finished one gives noCode.
func (t *texts) appendCodes(dst []byte, s string, assign bool) ([]byte, bool) {
	start := len(dst)
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			dst = append(dst, s[i])
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		code, ok := t.codes[r]
		switch {
		case r == utf8.RuneError && size == 1:
			if assign {
				return dst, false
			}
			code = noCode
			if known, ok := t.codes[r]; ok {
				code = known // the distance takes one for the other
			}
		case ok:
		case !assign:
			code = noCode
		case len(t.codes) == noCode-utf8.RuneSelf:
			return dst, false
		default:
			if t.codes == nil {
				t.codes = make(map[rune]byte)
			}
			code = byte(utf8.RuneSelf + len(t.codes))
			t.codes[r] = code
			t.runes = append(t.runes, r)
		}
		dst = append(dst, code)
	}
	return dst, !assign || len(dst)-start <= longestText
}

// verbatim reports that a text is its own code.
func (t *texts) verbatim(text []byte) bool {
	for _, b := range text {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// hash fills slots so that a quarter of them stay free.
func (t *texts) hash(n int) {
	t.slots = make([]uint32, n+n/3+1)
	for _, c := range t.classes {
		for i := c.first; i < c.end; i++ {
			if i > c.first && bytes.Equal(t.of(c, i), t.of(c, i-1)) {
				continue
			}
			slot := t.slot(t.of(c, i))
			for t.slots[slot] != 0 {
				if slot++; slot == len(t.slots) {
					slot = 0
				}
			}
			t.slots[slot] = uint32(i) + 1
		}
	}
}

func (t *texts) slot(text []byte) int {
	high, _ := bits.Mul64(maphash.Bytes(t.seed, text), uint64(len(t.slots)))
	return int(high)
}

// of is the text at a position of a class.
func (t *texts) of(c class, i int) []byte {
	at := c.at + (i-c.first)*c.length
	return t.text[at : at+c.length]
}

// class is the class of a length.
func (t *texts) class(length int) (class, bool) {
	i, ok := slices.BinarySearchFunc(t.classes, length, func(c class, length int) int { return c.length - length })
	if !ok {
		return class{}, false
	}
	return t.classes[i], true
}

// find gives the positions of the texts equal to code.
func (t *texts) find(code []byte) (first, end int) {
	c, ok := t.class(len(code))
	if !ok {
		return 0, 0
	}
	for slot := t.slot(code); t.slots[slot] != 0; {
		if i := int(t.slots[slot]) - 1; c.first <= i && i < c.end && bytes.Equal(t.of(c, i), code) {
			for end = i + 1; end < c.end && bytes.Equal(t.of(c, end), code); {
				end++
			}
			return i, end
		}
		if slot++; slot == len(t.slots) {
			slot = 0
		}
	}
	return 0, 0
}

// beginning narrows a class to the texts that begin with a code.
func (t *texts) beginning(c class, code byte) class {
	lead := func(i int) byte { return t.text[c.at+i*c.length] }
	n := c.end - c.first
	if c.length == 0 {
		return class{}
	}
	from := sort.Search(n, func(i int) bool { return lead(i) >= code })
	to := sort.Search(n, func(i int) bool { return lead(i) > code })
	return class{c.length, c.first + from, c.first + to, c.at + from*c.length}
}

// decode is the text at a position as it was.
func (t *texts) decode(c class, i int) string {
	text := t.of(c, i)
	if len(t.codes) == 0 {
		return string(text)
	}
	out := make([]rune, len(text))
	for i, code := range text {
		if out[i] = rune(code); code >= utf8.RuneSelf {
			out[i] = t.runes[code-utf8.RuneSelf]
		}
	}
	return string(out)
}

// bytes is the memory that the table takes.
func (t *texts) bytes() int {
	n := cap(t.text) + 4*cap(t.slots) + 32*cap(t.classes) + 16*len(t.codes)
	if t.columns != nil {
		n += t.columns.bytes() + t.planes.bytes()
	}
	return n
}
