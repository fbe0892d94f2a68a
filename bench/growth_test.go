package bench

import "testing"

// steepest is the exponent that is still linear on a busy machine: caches, maps
// and garbage collection cost large calls a little more for each part.
const steepest = 1.3

func TestNothingGrowsFasterThanItsCall(t *testing.T) {
	if raceDetector {
		t.Skip("ratios mean nothing under the race detector")
	}
	for _, g := range Growths() {
		best := GrowthMeasurement{Growth: g}
		for try := range 4 { // a spell of noise may hit one size alone
			m, err := MeasureGrowth(g, 20)
			if err != nil {
				t.Fatal(err)
			}
			for i, ns := range m.Nanoseconds {
				if try == 0 || ns < best.Nanoseconds[i] {
					best.Nanoseconds[i] = ns
				}
			}
			if best.fit(); best.LastExponent <= steepest {
				break
			}
		}
		t.Logf("%-40s %10.0f %10.0f %10.0f %10.0f ns: exponent %.2f, in the last decade %.2f", g.Name,
			best.Nanoseconds[0], best.Nanoseconds[1], best.Nanoseconds[2], best.Nanoseconds[3], best.Exponent, best.LastExponent)
		if best.LastExponent > steepest {
			t.Errorf("%s: the cost grows with the power of %.2f; the bound is %.2f", g.Name, best.LastExponent, steepest)
		}
	}
}
