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
		var m GrowthMeasurement
		for range 3 { // a spell of noise may hit one size alone
			var err error
			if m, err = MeasureGrowth(g, 20); err != nil {
				t.Fatal(err)
			}
			if m.LastExponent <= steepest {
				break
			}
		}
		t.Logf("%-40s %10.0f %10.0f %10.0f %10.0f ns: exponent %.2f, in the last decade %.2f", g.Name,
			m.Nanoseconds[0], m.Nanoseconds[1], m.Nanoseconds[2], m.Nanoseconds[3], m.Exponent, m.LastExponent)
		if m.LastExponent > steepest {
			t.Errorf("%s: the cost grows with the power of %.2f; the bound is %.2f", g.Name, m.LastExponent, steepest)
		}
	}
}
