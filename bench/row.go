package bench

import (
	"fmt"
	"slices"
	"testing"
)

// A Group is a part of the table: rows that do the same piece of work.
type Group string

// The groups in the order of the table.
const (
	Arguments Group = "Six parameters as JSON"
	Stages    Group = "The stages of the pipeline one by one, same call"
	Texts     Group = "The same call in other forms"
	Failures  Group = "Calls that cannot run"
	Lookups   Group = "One value against many keys"
	Repairs   Group = "Normalization, time per byte"
)

// Groups lists them.
func Groups() []Group { return []Group{Arguments, Stages, Texts, Failures, Lookups, Repairs, Steps} }

// A Row is one line of the table: something that is done over and over.
type Row struct {
	Group Group
	// Name says what is done, and by whom.
	Name string
	// Call does it once.
	Call func()
	// Prove does it once and reports how the result differs from what it must
	// be. A benchmark that measures a refusal is a defect.
	Prove func() error
	// Bytes is how much text one Call reads, where time per byte is the point.
	Bytes int
	// Naive names the row of the group that does the same work plainly, and
	// Smaller the one that does it on less text; "" for none.
	Naive, Smaller string
}

// Rows makes every row. The largest key sets take a second to prepare.
func Rows() []Row {
	return slices.Concat(CallRows(), lookupRows(), StepRows())
}

// CallRows are the rows without those that need large key sets.
func CallRows() []Row {
	return slices.Concat(argumentRows(), peerRows(), pipelineRows(), formRows(), failureRows(), repairRows())
}

// Benchmark runs the row under testing's clock.
func (r *Row) Benchmark(b *testing.B) {
	if err := r.Prove(); err != nil {
		b.Fatalf("%s: %v", r.Name, err)
	}
	b.ReportAllocs()
	if r.Bytes > 0 {
		b.SetBytes(int64(r.Bytes))
	}
	for b.Loop() {
		r.Call()
	}
}

// Find returns the row of that name in its group.
func Find(rows []Row, group Group, name string) *Row {
	for i := range rows {
		if rows[i].Group == group && rows[i].Name == name {
			return &rows[i]
		}
	}
	panic(fmt.Sprintf("bench: there is no row %q in %q", name, group))
}
