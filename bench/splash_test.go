package bench

import (
	"math"
	"testing"
	"time"
)

// TestStepsEndAlike holds that the programs of the three languages end with
// the same values, and that what is read is read whole.
func TestStepsEndAlike(t *testing.T) {
	for _, r := range StepRows() {
		if err := r.Prove(); err != nil {
			t.Errorf("%s: %v", r.Name, err)
		}
	}
}

// TestStepsAreNotSlower holds splash to being no slower than starlark where
// both read and loop. The others, and the time for a byte, are for the reader
// of the log.
func TestStepsAreNotSlower(t *testing.T) {
	if raceDetector {
		t.Skip("ratios mean nothing under the race detector")
	}
	rows := StepRows()
	for _, c := range []struct {
		work   string
		held   bool
		rounds int
	}{{ParseWork, true, 15}, {ForWork, true, 100}, {WhileWork, true, 100}, {ToolsWork, false, 30}, {CheckWork, false, 5}} {
		pair := []*Row{Find(rows, Steps, StepRow(Splash, c.work)), Find(rows, Steps, StepRow(Starlark, c.work))}
		best := []float64{math.Inf(1), math.Inf(1)}
		// As in TestRatios: what seems too slow is measured again before it is.
		for range 4 {
			for i, ns := range Fastest(pair, c.rounds, time.Millisecond) {
				best[i] = min(best[i], ns)
			}
			if best[0] <= best[1] {
				break
			}
		}
		got := best[0] / best[1]
		t.Logf("%s: splash takes %.2f times as long as starlark, %.0f ns", c.work, got, best[0])
		if bytes := pair[0].Bytes; bytes > 0 {
			t.Logf("%s: %.1f ns a byte", c.work, best[0]/float64(bytes))
		}
		if c.held && got > slack {
			t.Errorf("%s: splash takes %.2f times as long as starlark; it must not be slower, and the test allows %g", c.work, got, slack)
		}
	}
}

// BenchmarkSteps runs the rows of this group alone.
func BenchmarkSteps(b *testing.B) {
	for _, r := range StepRows() {
		b.Run(r.Name, r.Benchmark)
	}
}
