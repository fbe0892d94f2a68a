// Load puts servers on loopback under a bounded load, one after the other, and
// prints what they do: a bare go-sdk server, and fwgo with the same call over
// MCP and over REST.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"github.com/fwgo/fwgo/bench"
)

func main() {
	var l bench.Load
	flag.IntVar(&l.Connections, "connections", 200, "how many connections call at once")
	flag.DurationVar(&l.Duration, "time", 30*time.Second, "for how long")
	flag.Parse()
	if l.Connections < 1 || l.Connections > 1000 || l.Duration <= 0 || l.Duration > 5*time.Minute {
		fmt.Fprintln(os.Stderr, "load: 1 to 1000 connections, and at most five minutes")
		os.Exit(2)
	}
	results, err := bench.RunLoad(context.Background(), l)
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "server\tcalls\tfailed\tcalls/s\tx first\tp50\tp99\tx first\tgoroutines\theap KiB")
	bad := false
	for _, r := range results {
		fmt.Fprintf(w, "%s\t%d\t%d\t%.0f\t%.2f\t%s\t%s\t%.2f\t%+d\t%+d\n", r.Name, r.Calls, r.Failed, r.PerSec, r.PerSec/results[0].PerSec,
			r.P50.Round(10*time.Microsecond), r.P99.Round(10*time.Microsecond), float64(r.P99)/float64(results[0].P99), r.Goroutines, r.Heap/1024)
		if r.First != "" {
			fmt.Fprintln(w, "\t"+r.First)
			bad = true
		}
	}
	w.Flush()
	if bad {
		os.Exit(1)
	}
}
