package bench

import (
	"fmt"
	"io"
	"math"
	"slices"
	"testing"
)

// A Measurement is what rounds of benchmarks say of one row: medians, and
// ratios to rows of the same round.
type Measurement struct {
	*Row
	Nanoseconds   float64
	Bytes, Allocs int64
	// OfUnmarshal and OfFloor are how many times the row takes as long; 0 for
	// rows that do other work.
	OfUnmarshal, OfFloor float64
	// FasterThanNaive is how many times the row is faster than the one that
	// its Naive names, SlowerPerByte how many times as long it takes for a byte
	// as the one that its Smaller names; 0 for rows that name none.
	FasterThanNaive, SlowerPerByte float64

	taken []float64 // nanoseconds, by round
}

// Measure runs testing.Benchmark on every row by turns, for some rounds.
// How long one benchmark runs is the flag test.benchtime. progress is told of
// every round.
func Measure(rows []Row, rounds int, progress func(round int)) []Measurement {
	taken := make([][]float64, len(rows))
	last := make([]testing.BenchmarkResult, len(rows))
	for round := range rounds {
		progress(round)
		for i := range rows {
			last[i] = testing.Benchmark(rows[i].Benchmark)
			taken[i] = append(taken[i], float64(last[i].T.Nanoseconds())/float64(last[i].N))
		}
	}
	at := func(group Group, name string) []float64 {
		return taken[slices.IndexFunc(rows, func(r Row) bool { return r.Group == group && r.Name == name })]
	}
	floors, unmarshals := at(Arguments, FloorRow), at(Arguments, UnmarshalRow)
	measured := make([]Measurement, len(rows))
	for i := range rows {
		m := Measurement{Row: &rows[i], Bytes: last[i].AllocedBytesPerOp(), Allocs: last[i].AllocsPerOp(), taken: taken[i]}
		if m.Group != Lookups && m.Group != Repairs && m.Group != Steps {
			m.OfFloor, m.OfUnmarshal = ratio(taken[i], floors), ratio(taken[i], unmarshals)
		}
		if m.Naive != "" {
			m.FasterThanNaive = ratio(at(m.Group, m.Naive), taken[i])
		}
		if m.Smaller != "" {
			smaller := Find(rows, m.Group, m.Smaller)
			m.SlowerPerByte = ratio(taken[i], at(m.Group, m.Smaller)) * float64(smaller.Bytes) / float64(m.Row.Bytes)
		}
		m.Nanoseconds = median(append([]float64(nil), taken[i]...))
		measured[i] = m
	}
	return measured
}

// ratio is the median of the ratios round by round.
func ratio(of, to []float64) float64 {
	ratios := make([]float64, len(of))
	for i := range of {
		ratios[i] = of[i] / to[i]
	}
	return median(ratios)
}

// WriteTable writes the measurements as one markdown table.
func WriteTable(w io.Writer, measured []Measurement) {
	fmt.Fprintln(w, "| what | ns | B/op | allocs | x json.Unmarshal | x floor | beside |")
	fmt.Fprintln(w, "|---|---:|---:|---:|---:|---:|---|")
	for _, group := range Groups() {
		fmt.Fprintf(w, "| **%s** | | | | | | |\n", group)
		for _, m := range measured {
			if m.Group == group {
				fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s |\n", m.Name, thousands(int(math.Round(m.Nanoseconds))),
					thousands(int(m.Bytes)), thousands(int(m.Allocs)), times(m.OfUnmarshal), times(m.OfFloor), m.beside())
			}
		}
	}
}

// beside says what the ratios to the floor cannot.
func (m *Measurement) beside() string {
	perByte := fmt.Sprintf("%.1f ns a byte", m.Nanoseconds/float64(m.Row.Bytes))
	switch {
	case m.FasterThanNaive >= 1:
		return times(m.FasterThanNaive) + " times faster than the scan"
	case m.FasterThanNaive > 0:
		return times(1/m.FasterThanNaive) + " times slower than the scan"
	case m.SlowerPerByte > 0:
		return perByte + ", " + times(m.SlowerPerByte) + " times that of the smaller text"
	case m.Row.Bytes > 0:
		return perByte
	}
	return ""
}

// times writes a ratio with as many digits as it deserves.
func times(ratio float64) string {
	switch {
	case ratio == 0:
		return ""
	case ratio < 9.95:
		return fmt.Sprintf("%.1f", ratio)
	default:
		return thousands(int(math.Round(ratio)))
	}
}
