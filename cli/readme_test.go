package cli_test

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/cli"
	"github.com/fwgo/fwgo/examples/retail/desk"
)

// quoted takes the arguments of a command line apart: words, and text in
// single quotes.
var quoted = regexp.MustCompile(`'([^']*)'|(\S+)`)

// shows reports whether a transcript goes on with the next line; a blank line
// is its own if what follows is.
func shows(next []string) bool {
	if next[0] == "" && len(next) > 1 {
		next = next[1:]
	}
	return strings.HasPrefix(next[0], "    ") && !strings.HasPrefix(next[0], "    $ ")
}

// TestReadmeTranscripts runs every "$ fwgo ..." of the README and compares
// what it shows with what comes out, so that the page cannot drift.
func TestReadmeTranscripts(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	found := 0
	for i := 0; i < len(lines); i++ {
		line, ok := strings.CutPrefix(lines[i], "    $ fwgo ")
		if !ok {
			continue
		}
		found++
		var args []string
		for _, m := range quoted.FindAllStringSubmatch(line, -1) {
			args = append(args, m[1]+m[2])
		}
		var shown, typed []string
		for i+1 < len(lines) && shows(lines[i+1:]) {
			i++
			if lines[i] == "" {
				shown = append(shown, "")
				continue
			}
			if message, ok := strings.CutPrefix(lines[i][4:], "> "); ok {
				typed = append(typed, message+"\n")
				continue
			}
			shown = append(shown, lines[i][4:])
		}
		var out, errOut bytes.Buffer
		cli.Run(context.Background(), desk.Workflow(), args, strings.NewReader(strings.Join(typed, "")), &out, &errOut)
		if got := strings.TrimRight(out.String()+errOut.String(), "\n"); got != strings.Join(shown, "\n") {
			t.Errorf("$ fwgo %s\nprints\n%s\nbut the README shows\n%s", line, got, strings.Join(shown, "\n"))
		}
	}
	if found < 2 {
		t.Errorf("the README shows %d transcripts", found)
	}
	first := regexp.MustCompile(`(?m)^    go run \./cmd/fwgo (.*)$`).FindStringSubmatch(string(text))
	if first == nil {
		t.Fatal("the README's first command is gone")
	}
	var args []string
	for _, m := range quoted.FindAllStringSubmatch(first[1], -1) {
		args = append(args, m[1]+m[2])
	}
	var out bytes.Buffer
	if code := cli.Run(context.Background(), desk.Workflow(), args, strings.NewReader(""), &out, &out); code != 0 || !strings.Contains(string(text), "    "+strings.TrimSpace(out.String())) {
		t.Errorf("the README's first command ends with %d and prints %s", code, out.String())
	}
}
