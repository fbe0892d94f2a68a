package lookup

import (
	"hash/maphash"
	"math/bits"
	"slices"
)

// A vocabulary is the words of the keys of a table, and which keys have each.
type vocabulary struct {
	texts                   // the distinct words
	rest  map[string]uint32 // those that no table holds, numbered after the others
	start []uint32          // by word, where its keys begin in keys
	keys  []uint32          // positions in the table, each word's in order

	count []uint8  // by key, its words: no more than longestText
	again []uint64 // the keys that have a word twice
	odd   []uint32 // the keys that may stand in a value whatever words they share with it
	least []uint8  // by word, the fewest words of the other keys that have it
}

// wordsRead are the words of some keys before they are sorted.
type wordsRead struct {
	found  wordList
	occurs []uint32 // the words of all keys, each key's distinct
	ends   []uint32 // by key, in occurs
	count  []uint8  // by key, its words; 0 if they are more than longestText
	again  []bool

	texts        *texts
	sorted, rest []uint32 // see newTexts
}

func readWords(keys []string) *wordsRead {
	r := &wordsRead{
		found:  wordList{seed: maphash.MakeSeed()},
		occurs: make([]uint32, 0, 2*len(keys)), ends: make([]uint32, len(keys)),
		count: make([]uint8, len(keys)), again: make([]bool, len(keys)),
	}
	var spaced []byte
	for i, key := range keys {
		var count int
		spaced, count = appendWords(spaced[:0], key)
		if count > longestText {
			spaced, count = spaced[:0], 0 // it has as many letters, so it stands in no table
		}
		r.count[i] = uint8(count)
		begin := len(r.occurs)
		for at := 1; at < len(spaced); {
			end := at
			for spaced[end] != ' ' {
				end++
			}
			if id := r.found.id(spaced[at:end]); slices.Contains(r.occurs[begin:], id) {
				r.again[i] = true
			} else {
				r.occurs = append(r.occurs, id)
			}
			at = end + 1
		}
		r.ends[i] = uint32(len(r.occurs))
	}
	r.texts, r.sorted, r.rest = newTexts(len(r.found.ends), r.found.word, false)
	return r
}

// words gives the words of a key.
func (r *wordsRead) words(key uint32) []uint32 {
	if key == 0 {
		return r.occurs[:r.ends[0]]
	}
	return r.occurs[r.ends[key-1]:r.ends[key]]
}

// vocabulary is that of the keys in an order, of which some may be left out.
func (r *wordsRead) vocabulary(order []uint32) *vocabulary {
	n := len(order)
	v := &vocabulary{texts: *r.texts, count: make([]uint8, n), again: make([]uint64, (n+63)/64)}
	number := make([]uint32, len(r.found.ends))
	for position, id := range r.sorted {
		number[id] = uint32(position)
	}
	for i, id := range r.rest {
		if v.rest == nil {
			v.rest = make(map[string]uint32)
		}
		number[id] = uint32(len(r.sorted) + i)
		v.rest[r.found.word(int(id))] = number[id]
	}
	v.start = make([]uint32, len(number)+1)
	for i, key := range order {
		v.count[i] = r.count[key]
		if r.again[key] {
			v.again[i/64] |= 1 << (i % 64)
		}
		for _, id := range r.words(key) {
			v.start[number[id]+1]++
		}
	}
	for i := range number {
		v.start[i+1] += v.start[i]
	}
	v.keys = make([]uint32, v.start[len(number)])
	v.least = slices.Repeat([]uint8{longestText}, len(number))
	next := slices.Clone(v.start)
	for i, key := range order {
		count := v.count[i]
		if v.mayStandIn(i, 0) {
			v.odd, count = append(v.odd, uint32(i)), longestText
		}
		for _, id := range r.words(key) {
			w := number[id]
			v.least[w] = min(v.least[w], count)
			v.keys[next[w]] = uint32(i)
			next[w]++
		}
	}
	return v
}

// wordList numbers words as they come.
type wordList struct {
	seed  maphash.Seed
	text  []byte
	ends  []uint32
	slots []uint32 // by hash, the number plus 1
}

func (l *wordList) word(i int) string {
	begin := uint32(0)
	if i > 0 {
		begin = l.ends[i-1]
	}
	return string(l.text[begin:l.ends[i]])
}

func (l *wordList) id(word []byte) uint32 {
	if 4*len(l.ends) >= 3*len(l.slots) {
		l.grow()
	}
	for slot := l.slot(word); ; slot = (slot + 1) % len(l.slots) {
		known := l.slots[slot]
		if known == 0 {
			l.text = append(l.text, word...)
			l.ends = append(l.ends, uint32(len(l.text)))
			l.slots[slot] = uint32(len(l.ends))
			return uint32(len(l.ends)) - 1
		}
		begin := uint32(0)
		if known > 1 {
			begin = l.ends[known-2]
		}
		if string(l.text[begin:l.ends[known-1]]) == string(word) {
			return known - 1
		}
	}
}

func (l *wordList) slot(word []byte) int {
	high, _ := bits.Mul64(maphash.Bytes(l.seed, word), uint64(len(l.slots)))
	return int(high)
}

func (l *wordList) grow() {
	l.slots = make([]uint32, max(64, 2*len(l.slots)))
	begin := uint32(0)
	for i, end := range l.ends {
		slot := l.slot(l.text[begin:end])
		for l.slots[slot] != 0 {
			slot = (slot + 1) % len(l.slots)
		}
		l.slots[slot] = uint32(i) + 1
		begin = end
	}
}

// with gives the positions of the keys that have a word.
func (v *vocabulary) with(word string) []uint32 {
	if i, ok := v.number(word); ok {
		return v.having(i)
	}
	return nil
}

func (v *vocabulary) number(word string) (int, bool) {
	var few [64]byte
	code, _ := v.appendCodes(few[:0], word, false)
	if i, end := v.find(code); i < end {
		return i, true
	}
	i, ok := v.rest[word]
	return int(i), ok
}

func (v *vocabulary) having(word int) []uint32 { return v.keys[v.start[word]:v.start[word+1]] }

// near visits the words, others than word, that may be heard for it.
func (v *vocabulary) near(word string, visit func(keys []uint32) bool) {
	value := []rune(word)
	if !spellsByLetters(value) {
		return
	}
	code, _ := v.appendCodes(nil, word, false)
	n := len(code)
	var w *walk
	if n <= wordBits {
		w = newWalk(&v.texts, code)
	}
	for _, c := range v.classes {
		// A swap of neighbours is two edits.
		most := max(2, mostEdits(max(n, c.length), wordDistance))
		if n-c.length > most || c.length-n > most {
			continue
		}
		c := v.beginning(c, code[0])
		if w != nil {
			w.enter(c.length)
		}
		for i := c.first; i < c.end; i++ {
			if w != nil && w.whole(c.at+(i-c.first)*c.length, c.length, most) > most {
				continue
			}
			if text := v.decode(c, i); text != word && heardFor(value, []rune(text)) && !visit(v.having(i)) {
				return
			}
		}
	}
	for text, i := range v.rest {
		if text != word && heardFor(value, []rune(text)) && !visit(v.having(int(i))) {
			return
		}
	}
}

// bytes is the memory that the vocabulary takes, but for words that no table holds.
func (v *vocabulary) bytes() int {
	return v.texts.bytes() + 4*cap(v.start) + 4*cap(v.keys) + cap(v.count) + 8*cap(v.again) + 4*cap(v.odd) + cap(v.least) + 32*len(v.rest)
}

// mayStandIn reports that a key of which so many distinct words stand in a value
// may stand there whole.
func (v *vocabulary) mayStandIn(key, shared int) bool {
	return int(v.count[key]) <= shared || v.again[key/64]>>(key%64)&1 != 0
}
