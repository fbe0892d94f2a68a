package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/internal/misspelt"
)

// Each unknown member is compared with the known names, which takes time.
func TestNoMoreUnknownMembersAreComparedThanAreWorthIt(t *testing.T) {
	object := func(n int) string {
		var b strings.Builder
		b.WriteString(`{"id":1,"value":"x"`)
		for i := range n {
			fmt.Fprintf(&b, `,"extension%d":0`, i)
		}
		return b.String() + `}`
	}
	for n, says := range map[int]string{misspelt.Most - 1: "", misspelt.Most: `"extension63", which is no name of it`} {
		in, err := readLine(object(n))
		if err != nil {
			t.Fatal(err)
		}
		if err := misspeltIn(in, lookupNames); (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%d unknown members beside the id: %v", n, err)
		}
	}
}
