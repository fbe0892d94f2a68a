package lookup_test

import (
	"bufio"
	"encoding/json"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fwgo/fwgo/lookup"
)

// testdata/fw_fuzzy.jsonl was recorded from fastWorkflow 3.1.2 on CPython 3.11.
// There are no expected differences: Options.Python is that matcher.
func TestPythonIsFastWorkflow312(t *testing.T) {
	f, err := os.Open("testdata/fw_fuzzy.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, n := bufio.NewScanner(f), 0
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		n++
		var row struct {
			Value       string
			Keys        []string
			Threshold   float64
			Suggest     float64 `json:"suggest_threshold"`
			AutoApply   float64 `json:"auto_apply_threshold"`
			Matched     bool
			Corrected   *string
			Suggestions []string
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("line %d: %v", n, err)
		}
		want := lookup.Result{Verdict: lookup.Declined}
		switch {
		case row.Matched:
			want = lookup.Result{Verdict: lookup.Applied, Match: *row.Corrected}
		case len(row.Suggestions) > 0:
			want = lookup.Result{Verdict: lookup.Rejected, Suggestions: row.Suggestions}
		}
		o := lookup.Options{Python: true, Threshold: &row.Threshold, SuggestThreshold: &row.Suggest, AutoApplyThreshold: &row.AutoApply}
		if err := o.Validate(); err != nil {
			t.Errorf("line %d: %v", n, err)
		}
		if diff := cmp.Diff(want, lookup.Match(row.Value, row.Keys, o)); diff != "" {
			t.Errorf("line %d: Match(%q, %q) (-Python +ours):\n%s", n, row.Value, row.Keys, diff)
		}
	}
	if err := lines.Err(); err != nil || n == 0 {
		t.Fatalf("%d lines, %v", n, err)
	}
}

// Once every letter of it had a bit for every place, even if no key had the letter.
func TestALongValueTakesMemoryWithItsLength(t *testing.T) {
	var long strings.Builder
	for r := rune(0x4e00); r < 0x4e00+20_000; r++ {
		long.WriteRune(r)
	}
	keys := lookup.NewKeys([]string{"Bob", "東京"})
	for _, o := range []lookup.Options{{Python: true}, {Python: true, SuggestThreshold: new(1.0)}} {
		keys.Match("x", o) // which prepares the keys
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		keys.Match(long.String(), o)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 5<<20 {
			t.Errorf("%d bytes take %d", long.Len(), took)
		}
	}
}
