// Command scoreboard gives the open cases to fwgo and to its Go peers and
// prints the table; with -doc FILE it writes docs/peers.md. Run it in the bench
// folder.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"

	"github.com/fwgo/fwgo/bench"
)

func main() {
	file := flag.String("cases", "../testdata/cases/open.jsonl", "the cases")
	doc := flag.String("doc", "", "write the whole document to this file rather than print the table")
	why := flag.Bool("why", false, "print what each contestant lacks")
	flag.Parse()
	if err := run(*file, *doc, *why); err != nil {
		fmt.Fprintln(os.Stderr, "scoreboard:", err)
		os.Exit(1)
	}
}

func run(file, doc string, why bool) error {
	cases, err := bench.ReadCases(file)
	if err != nil {
		return err
	}
	var scores []bench.Score
	for _, p := range bench.Contestants() {
		s := p.Run(cases)
		scores = append(scores, s)
		if why {
			fmt.Printf("%s\n", s.Name)
			for _, lack := range s.Lacking {
				fmt.Printf("  %s\n", lack)
			}
		}
	}
	if doc == "" {
		bench.WriteScores(os.Stdout, scores)
		return nil
	}
	var out bytes.Buffer
	bench.WritePeers(&out, len(cases), scores)
	return os.WriteFile(doc, out.Bytes(), 0o644)
}
