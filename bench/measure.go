package bench

import (
	"math"
	"slices"
	"time"
)

// Fastest times the rows by turns and returns the nanoseconds of the fastest
// batch of each. Noise only ever adds time, so the fastest of many short
// batches is what a busy machine distorts least; taking turns makes a slow
// spell hit every row alike.
func Fastest(rows []*Row, rounds int, batch time.Duration) []float64 {
	calls := make([]int, len(rows))
	for i, r := range rows {
		calls[i] = callsIn(r, batch)
	}
	fastest := make([]float64, len(rows))
	for i := range fastest {
		fastest[i] = math.Inf(1)
	}
	for range rounds {
		for i, r := range rows {
			fastest[i] = min(fastest[i], timed(r, calls[i])/float64(calls[i]))
		}
	}
	return fastest
}

// callsIn finds how many calls fill a batch, warming the row up on the way.
func callsIn(r *Row, batch time.Duration) int {
	for n := 1; ; n *= 2 {
		if took := timed(r, n); took >= float64(batch) {
			return n
		}
	}
}

func timed(r *Row, calls int) float64 {
	began := time.Now()
	for range calls {
		r.Call()
	}
	return float64(time.Since(began))
}

// median returns the middle of some figures, which it sorts.
func median(figures []float64) float64 {
	slices.Sort(figures)
	n := len(figures)
	if n == 0 {
		return math.NaN()
	}
	return (figures[(n-1)/2] + figures[n/2]) / 2
}
