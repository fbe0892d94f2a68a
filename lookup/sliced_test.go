package lookup

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A table measures 64 keys at once, in one of several ways by how far they may be.
func TestSlicedFindsTheBestWindowOfEveryText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]string{"ab", "abcde", "abcdefghijklmnopqrstuvwxyz0123456789", "aéß東Ж", "abé" + manyRunes}).Draw(t, "letters")
		runes := rapid.SampledFrom([]rune(letters))
		text := rapid.StringOfN(runes, 1, 40, -1)
		keys := rapid.SliceOfN(text, 1, 40).Draw(t, "keys")
		if alike := rapid.IntRange(0, 12).Draw(t, "alike"); alike > 1 {
			// Several words of texts of one length, which begin and end alike.
			like := []rune(rapid.StringOfN(runes, alike, alike, -1).Draw(t, "like"))
			random, all := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)), []rune(letters)
			for range 300 {
				r := slices.Concat(like, like[:2], like[:2], like[:alike/4])
				for range 4 {
					r[alike+random.IntN(4)] = all[random.IntN(len(all))]
				}
				if random.IntN(100) == 0 {
					r[random.IntN(alike)] = all[random.IntN(len(all))]
				}
				keys = append(keys, string(r))
			}
		}
		value := rapid.StringOfN(rapid.SampledFrom([]rune(letters+"x")), 1, wordBits, -1).Draw(t, "value")
		if rapid.Bool().Draw(t, "like a key") {
			value = string(append([]rune(keys[0]), []rune(value)[:1]...))
		}
		table, order, _ := newTexts(len(keys), func(i int) string { return keys[i] }, true)
		code, _ := table.appendCodes(nil, value, false)
		s := newSliced(table, code)
		most := rapid.IntRange(0, len(code)).Draw(t, "most")
		for n, c := range table.classes {
			for word := c.first / 64; word <= (c.end-1)/64; word++ {
				among := rapid.Uint64().Draw(t, "among") | rapid.SampledFrom([]uint64{0, math.MaxUint64}).Draw(t, "or all")
				if rapid.Bool().Draw(t, "few") {
					among &= 1<<rapid.IntRange(0, 63).Draw(t, "one") | 1<<rapid.IntRange(0, 63).Draw(t, "other")
				}
				for i := range 64 {
					if at := word*64 + i; at < c.first || at >= c.end {
						among &^= 1 << i
					}
				}
				if rapid.IntRange(0, 9).Draw(t, "another most") == 0 {
					most = rapid.IntRange(0, len(code)).Draw(t, "most")
				}
				s.nearest(n, c, word*64, most, among)
				for i := max(c.first, word*64); i < min(c.end, word*64+64); i++ {
					want := most + 1
					if among>>(i%64)&1 != 0 {
						want = min(want, int(math.Round(windowDistance(value, keys[order[i]])*float64(len(code)))))
					}
					got := most + 1
					for d := range most + 1 {
						if s.at[d]>>(i%64)&1 != 0 {
							got = d
							break
						}
					}
					if got != want {
						t.Fatalf("%q is %d edits from %q, not %d (%d is beyond)", value, want, keys[order[i]], got, most+1)
					}
				}
			}
		}
	})
}

// What one word of texts shares with the next at a place is loaded once: all bits of it
// must be the same.
func TestTextsThatDifferInOneBitAtOnePlaceAreToldApart(t *testing.T) {
	runes := []rune(manyRunes) // the n-th is number n+1 in a table that has them all
	for bit := range 7 {
		number := 4
		if bit == 2 {
			number = 8
		}
		for place := range 6 {
			one := slices.Repeat([]rune{runes[number-1]}, 6)
			other := slices.Clone(one)
			other[place] = runes[number+1<<bit-1]
			texts := slices.Concat([]string{manyRunes}, slices.Repeat([]string{string(one)}, 64), slices.Repeat([]string{string(other)}, 64))
			table, _, _ := newTexts(len(texts), func(i int) string { return texts[i] }, true)
			code, _ := table.appendCodes(nil, string(one), false)
			s := newSliced(table, code)
			for word, edits := range []int{0, 1} {
				s.load(0, table.classes[0], word)
				if s.measure(len(one), 1, all); s.at[edits] != all {
					t.Errorf("bit %d at place %d: %x are 0 edits away, %x are 1", bit, place, s.at[0], s.at[1])
				}
			}
		}
	}
}

// manyRunes are more than six bits can number.
var manyRunes = func() string {
	var b strings.Builder
	for r := rune(0x4e00); r < 0x4e00+90; r++ {
		b.WriteRune(r)
	}
	return b.String()
}()
