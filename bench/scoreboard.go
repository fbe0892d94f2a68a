package bench

import (
	"fmt"
	"io"
)

// A Score is one line of the scoreboard.
type Score struct {
	Name string
	// Count is indexed by Verdict.
	Count [4]int
	// Lacking are the cases that were not answered right, with the reason.
	Lacking []string
	// Silent are the cases that were answered silently wrong.
	Silent []string
	// Recorded is the day of a figure that was not measured now.
	Recorded string
}

// Run tries a contestant on every case.
func (p *Contestant) Run(cases []Case) Score {
	s := Score{Name: p.Name}
	if p.Module != "" {
		s.Name += " (" + version(p.Module) + ")"
	}
	for i := range cases {
		c := &cases[i]
		verdict, why := c.Judge(p.Answer(c))
		s.Count[verdict]++
		if verdict != Right {
			s.Lacking = append(s.Lacking, fmt.Sprintf("%s %s: %s", c.ID, verdict, why))
		}
		if verdict == SilentlyWrong {
			s.Silent = append(s.Silent, c.ID)
		}
	}
	return s
}

// recorded are the figures of Python programs, which a Go test cannot run.
// They were taken on the same 120 cases.
var recorded = []Score{
	{Name: "pydantic 2.13.4, model_validate_json", Count: [4]int{59, 23, 25, 13}, Recorded: "2026-11-29"},
	{Name: "Python fastWorkflow 3.1.2, direct action", Count: [4]int{54, 20, 30, 16}, Recorded: "2026-11-29"},
}

// WriteScores writes the scoreboard as a markdown table, the recorded rows
// before the last.
func WriteScores(w io.Writer, scores []Score) {
	fmt.Fprintln(w, "| who | right | silently wrong | refused though plain | message of no use |")
	fmt.Fprintln(w, "|---|---:|---:|---:|---:|")
	last := len(scores) - 1
	for _, s := range append(append(append([]Score(nil), scores[:last]...), recorded...), scores[last]) {
		name := s.Name
		if s.Recorded != "" {
			name += ", recorded " + s.Recorded
		}
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d |\n", name, s.Count[Right], s.Count[SilentlyWrong], s.Count[Refused], s.Count[NoUse])
	}
}
