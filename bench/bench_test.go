package bench

import (
	"testing"
)

// BenchmarkCalls runs every row: go test -bench 'Calls/Six' for one group.
func BenchmarkCalls(b *testing.B) {
	for _, r := range Rows() {
		b.Run(string(r.Group)+"/"+r.Name, r.Benchmark)
	}
}

// TestEveryRowIsRight runs each row once, so that a broken one is found
// without measuring anything.
func TestEveryRowIsRight(t *testing.T) {
	names := map[string]bool{}
	rows := Rows()
	for _, r := range rows {
		if err := r.Prove(); err != nil {
			t.Errorf("%s: %v", r.Name, err)
		}
		key := string(r.Group) + r.Name
		if names[key] {
			t.Errorf("two rows are called %q", r.Name)
		}
		names[key] = true
		for _, other := range []string{r.Naive, r.Smaller} {
			if other != "" {
				Find(rows, r.Group, other)
			}
		}
	}
}
