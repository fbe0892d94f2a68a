// Command table measures every row of the bench module and prints one markdown
// table; with -doc FILE it writes docs/performance.md. Run it in the bench
// folder, on a machine that has nothing else to do.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/fwgo/fwgo/bench"
)

func main() {
	testing.Init()
	doc := flag.String("doc", "", "write the whole document to this file rather than print the table")
	rounds := flag.Int("rounds", 9, "how often every row is measured")
	benchtime := flag.String("time", "100ms", "how long one benchmark runs")
	flag.Parse()
	if err := run(*doc, *rounds, *benchtime); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

func run(doc string, rounds int, benchtime string) error {
	if err := flag.Set("test.benchtime", benchtime); err != nil {
		return err
	}
	rows := bench.Rows()
	for i := range rows {
		if err := rows[i].Prove(); err != nil {
			return fmt.Errorf("%s: %w", rows[i].Name, err)
		}
	}
	measured := bench.Measure(rows, rounds, func(round int) {
		fmt.Fprintf(os.Stderr, "round %d of %d, %d rows\n", round+1, rounds, len(rows))
	})
	var growths []bench.GrowthMeasurement
	for _, g := range bench.Growths() {
		m, err := bench.MeasureGrowth(g, 10*rounds)
		if err != nil {
			return err
		}
		growths = append(growths, m)
	}
	if doc == "" {
		bench.WriteTable(os.Stdout, measured)
		fmt.Println()
		bench.WriteGrowth(os.Stdout, growths)
		return nil
	}
	var out bytes.Buffer
	bench.WritePerformance(&out, measured, growths, rounds, benchtime)
	return os.WriteFile(doc, out.Bytes(), 0o644)
}
