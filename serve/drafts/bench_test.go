package drafts_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/fwgo/fwgo/serve/drafts"
	"github.com/fwgo/fwgo/store"
	"github.com/fwgo/fwgo/store/bolt"
)

// BenchmarkRun is a draft of 100 steps with a call each, all of it: proposed,
// approved, run. What a call costs here is its pipeline, twice, and what is
// stored before it and after its step.
func BenchmarkRun(b *testing.B) {
	for _, where := range []string{"memory", "file"} {
		b.Run(where, func(b *testing.B) {
			kept := store.Store(store.Memory())
			if where == "file" {
				file, err := bolt.Open(filepath.Join(b.TempDir(), "drafts.db"), bolt.Options{})
				if err != nil {
					b.Fatal(err)
				}
				defer file.Close()
				kept = file
			}
			p := newDepot().process(b, kept, drafts.Options{})
			sources := make([]string, 100)
			for i := range sources {
				sources[i] = fmt.Sprintf("use mod.depot\ndepot.ship({to: \"oslo\", weight: %d}).artifacts.number", i+1)
			}
			for b.Loop() {
				v := &p.propose(sources...).View
				p.approve(v, drafts.Approval{Grants: all(1, 100)})
				if v = p.execute(v.ID); v.Status != drafts.StatusCompleted {
					b.Fatalf("%+v", v)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/100, "µs/call")
		})
	}
}
