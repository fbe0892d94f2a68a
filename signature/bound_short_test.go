package signature

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func TestShortDecimalsAreReadAsStrconvReadsThem(t *testing.T) {
	read := 0
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`-?[0-9]{0,16}(\.[0-9]{0,16})?[e.-]?`).Draw(t, "text")
		have, ok := shortFloat(text)
		if !ok {
			return
		}
		read++
		want, err := strconv.ParseFloat(text, 64)
		if err != nil || want != have || (want == 0 && 1/want != 1/have) {
			t.Fatalf("%q is %v, not %v (%v)", text, want, have, err)
		}
	})
	if read == 0 {
		t.Error("nothing was read")
	}
	for _, text := range []string{"19.99", "-0", "0.1", "999999999999999", "-123456.789012345"} {
		if _, ok := shortFloat(text); !ok {
			t.Errorf("%q is not read", text)
		}
	}
}
