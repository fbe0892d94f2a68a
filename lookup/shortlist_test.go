package lookup

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// Few positions are looked through, many are marked: each is counted once either way.
func TestAShortlistCountsAPositionOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var l shortlist
	for _, words := range []int{3, 20, 200, 20, 2000} {
		type position struct {
			table uint16
			at    int
		}
		seen := map[position]bool{}
		for range 3 * words {
			table, word, keys := uint16(random.IntN(4)), random.IntN(words), random.Uint64()&random.Uint64()
			want := uint64(0)
			for left := keys; left != 0; left &= left - 1 {
				bit := bits.TrailingZeros64(left)
				if p := (position{table, word*64 + bit}); !seen[p] {
					seen[p] = true
					want |= 1 << bit
				}
			}
			if got := l.marks(table, word, keys); got != want {
				t.Fatalf("of %x in word %d of table %d, %x are new, not %x", keys, word, table, want, got)
			}
		}
		l.forget()
	}
}
