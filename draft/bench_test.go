package draft

import (
	"fmt"
	"strings"
	"testing"
)

func BenchmarkDecode(b *testing.B) {
	text := []byte(wire(numbered(MaxSteps)...))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(text); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReview reviews as much source as a draft can hold, of nothing but calls.
func BenchmarkReview(b *testing.B) {
	var steps []Step
	for i := range 4 {
		steps = append(steps, Step{fmt.Sprint(i), "use mod.arithmetic\n" + strings.Repeat("arithmetic.add({}); tool.call(\"t\", 1)\n", 2_000)})
	}
	d, err := NewDraft(steps...)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Review(ReviewOptions{Modules: arithmetic}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkInsert(b *testing.B) {
	output := []byte(`{"order":{"id":"W7","lines":[1,2,3]},"late":true,"note":"` + strings.Repeat("x", 500) + `"}`)
	d := mustData(b, `{"id":"W7"}`)
	b.ReportAllocs()
	for b.Loop() {
		if err := d.clone().insert("look", output); err != nil {
			b.Fatal(err)
		}
	}
}
