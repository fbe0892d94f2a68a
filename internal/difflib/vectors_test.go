package difflib

import (
	"bufio"
	"encoding/json"
	"os"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The files in testdata were recorded from CPython 3.11.

func eachLine[T any](t *testing.T, file string, check func(line int, row T)) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	n := 0
	for lines.Scan() {
		n++
		var row T
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%s:%d: %v", file, n, err)
		}
		check(n, row)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if n == 0 {
		t.Fatalf("%s is empty", file)
	}
}

func TestRatioIsPythons(t *testing.T) {
	type row struct{ A, B, Ratio string }
	eachLine(t, "testdata/python_ratio.jsonl", func(line int, r row) {
		want, err := strconv.ParseFloat(r.Ratio, 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := Ratio(r.A, r.B); got != want {
			t.Errorf("line %d: Ratio(%q, %q) = %v, Python says %v", line, r.A, r.B, got, want)
		}
	})
}

func TestCloseMatchesArePythons(t *testing.T) {
	type row struct {
		Word          string
		Possibilities []string
		N             int
		Cutoff        float64
		Want          []string
	}
	eachLine(t, "testdata/python_close_matches.jsonl", func(line int, r row) {
		got := CloseMatches(r.Word, r.Possibilities, r.N, r.Cutoff)
		if len(got) == 0 && len(r.Want) == 0 {
			return
		}
		if diff := cmp.Diff(r.Want, got); diff != "" {
			t.Errorf("line %d: CloseMatches(%q, n=%d, cutoff=%v) (-Python +ours):\n%s", line, r.Word, r.N, r.Cutoff, diff)
		}
	})
}
