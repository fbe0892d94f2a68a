package lookup

import (
	"math/rand/v2"
	"testing"
)

// A letter less takes two pairs away at most. What may lack more is not skipped, and what
// lacks too many of the rarest twelve is.
func TestASieveSkipsWhereEveryTextLacksTooManyPairs(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const words = 4000
	s := sieve{pairs: make([][]uint64, 14)}
	for i := range s.pairs {
		s.pairs[i] = make([]uint64, words)
	}
	for word := range words {
		for range random.IntN(3) {
			text, has := random.IntN(64), random.IntN(1<<12)|random.IntN(1<<12)
			for i := range 12 {
				s.pairs[i][word] |= uint64(has>>i&1) << text
			}
		}
	}
	for _, lacking := range []int{1, 2} {
		skipped := 0
		for word := 0; word < words; word++ {
			want := words
			for at := word; at < words && want == words; at++ {
				for text := range 64 {
					has := uint64(0)
					for _, pair := range s.pairs[:12] {
						has += pair[at] >> text & 1
					}
					if 12-int(has) <= 2*lacking {
						want = at
					}
				}
			}
			got := s.skip(word, words-1, lacking)
			if got != want {
				t.Fatalf("lacking %d from word %d: %d, not %d", lacking, word, got, want)
			}
			skipped += got - word
			word = got
		}
		if skipped < words/100 || skipped > words*99/100 {
			t.Errorf("lacking %d: %d of %d words are skipped", lacking, skipped, words)
		}
	}
}
