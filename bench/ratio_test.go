package bench

import (
	"math"
	"testing"
	"time"
)

// slack is how far a bound may be missed before the test fails: a machine that
// is busy with other things must not break a build.
const slack = 1.75

// mostAllocs is how many allocations a call that runs may take. Noise adds none,
// so there is no slack.
const mostAllocs = 8

// TestRatios holds the pipeline to its price. Bounds are ratios of rows that
// took turns in this process, never times.
func TestRatios(t *testing.T) {
	if raceDetector {
		t.Skip("ratios mean nothing under the race detector")
	}
	rows := CallRows()
	floor := Find(rows, Arguments, FloorRow)
	do := Find(rows, Arguments, DoRow)
	if got := testing.AllocsPerRun(1000, do.Call); got > mostAllocs {
		t.Errorf("a call that runs takes %g allocations; the bound is %d", got, mostAllocs)
	}
	for _, c := range []struct {
		what    string
		of, to  *Row
		bound   float64 // of what the first may take of the second
		perByte bool
		rounds  int
	}{
		{"a call that runs, of the hand-written floor", do, floor, 4, false, 200},
		{"the same call as text with tags, of the call as JSON", Find(rows, Texts, TextRow), do, 2, false, 200},
		{"a call that fails with suggestions, of one that runs", Find(rows, Failures, FailRow), do, 10, false, 200},
		{"a call that runs, of go-sdk's typed path", do, Find(rows, Arguments, SDKRow), 1. / 8, false, 200},
		{"the way from the bytes to a checked Input, of json.Unmarshal + validator", Find(rows, Arguments, InputRow), Find(rows, Arguments, ValidatorRow), 1. / 3, false, 200},
		{"a byte of 1 MiB of nested references, of one of 64 KiB", Find(rows, Repairs, LargeTextRow), Find(rows, Repairs, SmallTextRow), 3, true, 15},
	} {
		pair := []*Row{c.of, c.to}
		for _, r := range pair {
			if err := r.Prove(); err != nil {
				t.Fatalf("%s: %v", r.Name, err)
			}
		}
		got, best := 0.0, []float64{math.Inf(1), math.Inf(1)}
		// A spell of noise as long as one measurement still hides the best of a
		// row, so what seems too slow is measured again before it is.
		for range 4 {
			for i, ns := range Fastest(pair, c.rounds, 500*time.Microsecond) {
				best[i] = min(best[i], ns)
			}
			got = best[0] / best[1]
			if c.perByte {
				got *= float64(c.to.Bytes) / float64(c.of.Bytes)
			}
			if got <= c.bound {
				break
			}
		}
		switch {
		case got > c.bound*slack:
			t.Errorf("%.3g times %s; the bound is %.3g, and the test allows %.3g", got, c.what, c.bound, c.bound*slack)
		case got > c.bound:
			t.Logf("%.3g times %s; MISSES the bound of %.3g", got, c.what, c.bound)
		default:
			t.Logf("%.3g times %s; the bound is %.3g", got, c.what, c.bound)
		}
	}
	// How the peers stand is for the reader of the log, not a condition.
	peers := []*Row{do, Find(rows, Arguments, UnmarshalRow), Find(rows, Arguments, ValidatorRow), Find(rows, Arguments, SDKRow)}
	best := Fastest(peers, 200, 500*time.Microsecond)
	for i, r := range peers[1:] {
		t.Logf("%.2f times a call that runs: %s", best[i+1]/best[0], r.Name)
	}
}
