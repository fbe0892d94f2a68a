//go:build race

package bench

// raceDetector slows some rows down far more than others, so ratios mean
// nothing under it.
const raceDetector = true
