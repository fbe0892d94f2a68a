package bench

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
)

const casesFile = "../testdata/cases/open.jsonl"

// TestScoreboard gives the cases to fwgo and to its peers: go test -v -run
// Scoreboard prints the table and what each one lacks.
func TestScoreboard(t *testing.T) {
	cases, err := ReadCases(casesFile)
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) != 120 {
		t.Errorf("%d cases arrive as arguments, not 120", len(cases))
	}
	for i := range cases {
		if cases[i].Title() == "" {
			t.Errorf("%s has no title to call its command by", cases[i].ID)
		}
	}
	var scores []Score
	for _, p := range Contestants() {
		s := p.Run(cases)
		scores = append(scores, s)
		t.Logf("%s lacks:\n%s", s.Name, strings.Join(s.Lacking, "\n"))
	}
	var table strings.Builder
	WriteScores(&table, scores)
	t.Log("\n" + table.String())

	fwgo := scores[len(scores)-1]
	if fwgo.Count[Right] < 116 {
		t.Errorf("fwgo answers %d of %d rightly; at least 116 are promised", fwgo.Count[Right], len(cases))
	}
	expected := expectedDifferences(t)
	for _, id := range fwgo.Silent {
		if !expected[id] {
			t.Errorf("fwgo answers %s silently wrong", id)
		}
	}

	published, err := os.ReadFile("../docs/peers.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(published), table.String()) {
		t.Error("docs/peers.md shows another table; make -C bench peers writes it anew")
	}
}

// expectedDifferences reads the cases that cli's test lists as answered
// otherwise than recorded, with the decision that makes it so. The list has one
// place; this is how another module reads it.
func expectedDifferences(t *testing.T) map[string]bool {
	t.Helper()
	const path, name = "../cli/cases_test.go", "openDifferences"
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	listed, found := map[string]bool{}, false
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || spec.Names[0].Name != name || len(spec.Values) != 1 {
			return true
		}
		list, ok := spec.Values[0].(*ast.CompositeLit)
		if !ok {
			return true
		}
		found = true
		for _, e := range list.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				if key, ok := pair.Key.(*ast.BasicLit); ok {
					id, _ := strconv.Unquote(key.Value)
					listed[id] = true
				}
			}
		}
		return false
	})
	if !found {
		t.Fatalf("%s has no list %s any more", path, name)
	}
	return listed
}

// TestJudging holds the judge to the words of docs/peers.md.
func TestJudging(t *testing.T) {
	run := Case{Expect: Expectation{Outcome: "run", Arguments: []byte(`{"n":9007199254740993,"x":1.50}`)}}
	message := Case{Expect: Expectation{Outcome: "message", Mention: []string{"size", "whole|integer"}, NotMention: []string{"main."}, MaxChars: 60,
		AlsoOK: []Expectation{{Outcome: "run", Arguments: []byte(`{"size":5}`)}}}}
	for _, c := range []struct {
		name  string
		of    *Case
		reply Reply
		want  Verdict
	}{
		{"numbers are equal however written", &run, Reply{Ran: true, Arguments: []byte(`{"x":1.5,"n":9007199254740993.0}`)}, Right},
		{"one digit is another number", &run, Reply{Ran: true, Arguments: []byte(`{"x":1.5,"n":9007199254740992}`)}, SilentlyWrong},
		{"a member too many is another call", &run, Reply{Ran: true, Arguments: []byte(`{"x":1.5,"n":9007199254740993,"m":null}`)}, SilentlyWrong},
		{"a plain call refused", &run, Reply{Message: "n: no"}, Refused},
		{"a message that names all", &message, Reply{Message: "size: send a WHOLE number"}, Right},
		{"a message that leaves one out", &message, Reply{Message: "size is wrong"}, NoUse},
		{"a message with what it must not have", &message, Reply{Message: "size: want integer in main.In"}, NoUse},
		{"a message too long", &message, Reply{Message: "size: integer" + strings.Repeat("!", 60)}, NoUse},
		{"another outcome that is right too", &message, Reply{Ran: true, Arguments: []byte(`{"size":5}`)}, Right},
		{"a run where a message is due", &message, Reply{Ran: true, Arguments: []byte(`{"size":"5"}`)}, SilentlyWrong},
	} {
		if got, why := c.of.Judge(c.reply); got != c.want {
			t.Errorf("%s: %v (%s), not %v", c.name, got, why, c.want)
		}
	}
}
