package lookup

import (
	"cmp"
	"math/bits"
	"slices"
)

// columns say of all texts at once what they are made of: a column is a bit a text.
// A letter has a column for its first occurrence in a text, another for its second;
// neighbouring letters share pairColumns by their hash. An edit takes away one
// letter of a value and two pairs at most, so a text that lacks more of them is
// farther away, and a few machine words settle that for 64 texts.
type columns struct {
	words [letterColumns + pairColumns][]uint64
	count [letterColumns + pairColumns]uint32 // bits set
}

const (
	pairColumns = 128

	// The letters a to z have three columns each, digits two; the rest shares
	// sixteen groups of two.
	smallGroups, digitGroups, otherGroups = 26, 10, 16

	groups        = smallGroups + digitGroups + otherGroups
	letterColumns = 3*smallGroups + 2*digitGroups + 2*otherGroups
)

// groupOf is the group of each code, groupAt the group's columns: from the first
// to the next group's.
var groupOf, groupAt = func() (of [256]uint8, at [groups + 1]uint8) {
	for code := range 256 {
		switch {
		case 'a' <= code && code <= 'z':
			of[code] = uint8(code - 'a')
		case '0' <= code && code <= '9':
			of[code] = uint8(smallGroups + code - '0')
		default:
			of[code] = uint8(smallGroups + digitGroups + code%otherGroups)
		}
	}
	for g := range groups {
		at[g+1] = at[g] + 2
		if g < smallGroups {
			at[g+1]++
		}
	}
	return of, at
}()

func pairOf(a, b byte) int {
	return letterColumns + int((uint32(a)<<8|uint32(b))*0x9e3779b1>>25)
}

func newColumns(t *texts, n int) *columns {
	c, size := new(columns), (n+63)/64
	all := make([]uint64, len(c.words)*size)
	for i := range c.words {
		c.words[i] = all[i*size : (i+1)*size : (i+1)*size]
	}
	var seen [groups]uint8
	for _, of := range t.classes {
		for i := of.first; i < of.end; i++ {
			text, word, bit := t.of(of, i), i/64, uint64(1)<<(i%64)
			clear(seen[:])
			for j, code := range text {
				g := groupOf[code]
				if column := groupAt[g] + seen[g]; column < groupAt[g+1] {
					c.words[column][word] |= bit
					seen[g]++
				}
				if j > 0 {
					c.words[pairOf(text[j-1], code)][word] |= bit
				}
			}
		}
	}
	for i, column := range c.words {
		for _, word := range column {
			c.count[i] += uint32(bits.OnesCount64(word))
		}
	}
	return c
}

func (c *columns) bytes() int { return len(c.words) * (24 + 4 + 8*len(c.words[0])) }

// A sieve is what a value is made of, as columns, the rarest first. A column
// occurs more than once if a text that has it may have more than it says.
type sieve struct {
	letters, pairs [][]uint64
	rarest         [4][]uint64 // of both; the same again if there are fewer
}

// longestSieved is the number of runes of a value beyond which there is no use in a
// sieve: no text is long enough to be near.
const longestSieved = 4 * longestText

func (c *columns) sieve(code []byte, withPairs bool) sieve {
	var s sieve
	if len(code) > longestSieved {
		return s
	}
	var seen [groups]uint8
	letters, pairs := make([]int, 0, 64), make([]int, 0, 64)
	for j, b := range code {
		g := groupOf[b]
		column := min(groupAt[g]+seen[g], groupAt[g+1]-1)
		letters = append(letters, int(column))
		if column < groupAt[g+1]-1 {
			seen[g]++
		}
		if withPairs && j > 0 {
			pairs = append(pairs, pairOf(code[j-1], b))
		}
	}
	rarest := func(a, b int) int { return cmp.Compare(c.count[a], c.count[b]) }
	slices.SortFunc(letters, rarest)
	slices.SortFunc(pairs, rarest)
	all := make([][]uint64, 0, len(letters)+len(pairs))
	for _, column := range append(letters, pairs...) {
		all = append(all, c.words[column])
	}
	s.letters, s.pairs = all[:len(letters)], all[len(letters):]
	for i := range s.rarest {
		switch {
		case i < len(pairs):
			s.rarest[i] = s.pairs[i]
		case len(letters) > 0:
			s.rarest[i] = s.letters[0]
		}
	}
	return s
}

// pass gives those of the 64 texts of a word that lack at most so many letters,
// and twice as many pairs.
func (s *sieve) pass(word int, among uint64, lacking int) uint64 {
	if 2*lacking < 8 && 2*lacking < len(s.pairs) {
		if among &^= lackMore(s.pairs, word, 2*lacking, among); among == 0 {
			return 0
		}
		return among &^ lackMore(s.letters, word, lacking, among)
	}
	if lacking < len(s.letters) {
		among &^= lackMore(s.letters, word, lacking, among)
	}
	if among != 0 && 2*lacking < len(s.pairs) {
		among &^= lackMore(s.pairs, word, 2*lacking, among)
	}
	return among
}

// skip gives the first word, up to last, of which a text may lack at most so many
// letters. It looks at the rarest columns only, and at all of them at once.
func (s *sieve) skip(word, last, lacking int) int {
	switch {
	case lacking == 0 && s.rarest[0] != nil:
		a := s.rarest[0][word : last+1]
		b, c, d := s.rarest[1][word:][:len(a)], s.rarest[2][word:][:len(a)], s.rarest[3][word:][:len(a)]
		for i := range a {
			if a[i]&b[i]&c[i]&d[i] != 0 {
				return word + i
			}
		}
		return last + 1
	case (lacking == 1 || lacking == 2) && len(s.pairs) >= 12:
		a := s.pairs[0][word : last+1]
		n := len(a)
		b, c, d, e, f := s.pairs[1][word:][:n], s.pairs[2][word:][:n], s.pairs[3][word:][:n], s.pairs[4][word:][:n], s.pairs[5][word:][:n]
		g, h, i, j, k, l := s.pairs[6][word:][:n], s.pairs[7][word:][:n], s.pairs[8][word:][:n], s.pairs[9][word:][:n], s.pairs[10][word:][:n], s.pairs[11][word:][:n]
		eightDo := uint64(0) // a letter less takes two pairs away: ten must be there, or eight
		if lacking == 2 {
			eightDo = all
		}
		for at := range a {
			// How many each text has: in ones, twos, fours and eights.
			one1, two1 := add(a[at], b[at], c[at])
			one2, two2 := add(d[at], e[at], f[at])
			one3, two3 := add(g[at], h[at], i[at])
			one4, two4 := add(j[at], k[at], l[at])
			one1, two5 := add(one1, one2, one3)
			two6 := one1 & one4
			two1, four1 := add(two1, two2, two3)
			two2, four2 := add(two4, two5, two6)
			two, four3 := two1^two2, two1&two2
			four, eight := add(four1, four2, four3)
			if eight&(two|four|eightDo) != 0 {
				return word + at
			}
		}
		return last + 1
	}
	return word
}

// add adds three numbers of one bit for each text.
func add(a, b, c uint64) (one, two uint64) {
	either := a ^ b
	return either ^ c, a&b | either&c
}

// lackMore gives the texts that lack more than most of the columns. The counter of
// every text begins so that it overflows when it has lacked one too many.
func lackMore(of [][]uint64, word, most int, among uint64) (over uint64) {
	start := func(plane, planes int) uint64 { // a bit of 2^planes - 1 - most
		return -uint64((1<<planes - 1 - most) >> plane & 1)
	}
	switch {
	case most == 0:
		for _, column := range of {
			if over |= ^column[word]; over&among == among {
				break
			}
		}
	case most < 4:
		a, b := start(0, 2), start(1, 2)
		for _, column := range of {
			carry := ^column[word]
			a, carry = a^carry, a&carry
			b, carry = b^carry, b&carry
			if over |= carry; over&among == among {
				break
			}
		}
	case most < 8:
		a, b, c := start(0, 3), start(1, 3), start(2, 3)
		for _, column := range of {
			carry := ^column[word]
			a, carry = a^carry, a&carry
			b, carry = b^carry, b&carry
			c, carry = c^carry, c&carry
			if over |= carry; over&among == among {
				break
			}
		}
	case most < 16:
		a, b, c, d := start(0, 4), start(1, 4), start(2, 4), start(3, 4)
		for _, column := range of {
			carry := ^column[word]
			a, carry = a^carry, a&carry
			b, carry = b^carry, b&carry
			c, carry = c^carry, c&carry
			d, carry = d^carry, d&carry
			if over |= carry; over&among == among {
				break
			}
		}
	default:
		var planes [10]uint64 // for up to longestSieved
		n := bits.Len(uint(most))
		for i := range n {
			planes[i] = start(i, n)
		}
		for _, column := range of {
			carry := ^column[word]
			for i := range n {
				planes[i], carry = planes[i]^carry, planes[i]&carry
			}
			if over |= carry; over&among == among {
				break
			}
		}
	}
	return over
}
