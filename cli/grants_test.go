package cli

import (
	"slices"
	"testing"
)

func TestGrantsAreCounted(t *testing.T) {
	most := slices.Repeat([]string{"a:b:1"}, mostGrants)
	if grants, err := parseGrants(most); err != nil || len(grants) != 4096 {
		t.Error(len(grants), err)
	}
	if _, err := parseGrants(append(most, "a:b:1")); err == nil {
		t.Error("one more is taken")
	}
}
