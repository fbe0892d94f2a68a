package cli_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/fwgo/fwgo/cli"
	"github.com/fwgo/fwgo/examples/retail/desk"
)

func runDraft(ctx context.Context, in io.Reader, args ...string) (code int, out, errOut string) {
	var o, e bytes.Buffer
	code = cli.Run(ctx, desk.Workflow(), append([]string{"draft"}, args...), in, &o, &e)
	return code, o.String(), e.String()
}

// TestNothingHiddenIsShown holds that a source cannot reach the terminal: what
// it could colour, turn around or hide is shown as a code point, and the caret
// still stands right.
func TestNothingHiddenIsShown(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"\"\u202eab\" #", `    "\u202eab" #` + "\n               ^\n"},
		{"\"\x1b[31m\" #", `    "\u001b[31m" #` + "\n                 ^\n"},
		{"\u200b", `    \u200b` + "\n    ^\n"},
		{"\"a\xffb\"", `    "a\xffb"` + "\n      ^\n"},
		{"a\rb", `    a\rb` + "\n     ^\n"},
		{"\"\u1112\u1161\u11ab\u0301\" #", "    \"\u1112\u1161\u11ab\u0301\" #\n         ^\n"},
	} {
		code, out, _ := runDraft(t.Context(), strings.NewReader(c.source), "check", "-")
		if _, shown, _ := strings.Cut(out, "\n"); code != 1 || shown != c.want {
			t.Errorf("%q ends with %d and is shown as\n%s\nnot as\n%s", c.source, code, out, c.want)
		}
	}
	name := "no\x1b[2J\u202efile"
	if _, _, errOut := runDraft(t.Context(), nil, "check", name); !strings.Contains(errOut, `no\u001b[2J\u202efile`) || strings.Contains(errOut, "\x1b") {
		t.Errorf("the name of a file is shown as %q", errOut)
	}
	if _, _, errOut := runDraft(t.Context(), strings.NewReader("nope"+strings.Repeat("\u3164", 1)), "eval", "-"); strings.Contains(errOut, "\u3164") {
		t.Errorf("a filler is shown as %q", errOut)
	}
}

// TestSourcesAreBounded holds that no more of a file is read than a step may
// have.
func TestSourcesAreBounded(t *testing.T) {
	endless := &blanks{}
	code, out, errOut := runDraft(t.Context(), endless, "check", "-")
	if code != 2 || out != "" || !strings.Contains(errOut, "longer than 262,144 bytes") {
		t.Errorf("an endless source ends with %d, %q, %q", code, out, errOut)
	}
	if endless.read > 1<<19 {
		t.Errorf("%d bytes of it were read", endless.read)
	}
	code, out, errOut = runDraft(t.Context(), io.LimitReader(&blanks{}, 262_144), "check", "-")
	if code != 0 || out+errOut != "" {
		t.Errorf("a source as long as allowed ends with %d, %q, %q", code, out, errOut)
	}
}

// blanks is a source that never ends.
type blanks struct{ read int }

func (b *blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	b.read += len(p)
	return len(p), nil
}

// TestAnInterruptEndsAStep holds that it does while the step runs, whatever it
// may still take, and while its source does not come.
func TestAnInterruptEndsAStep(t *testing.T) {
	for _, c := range []struct {
		what string
		in   io.Reader
		args []string
	}{
		{"a loop without end", strings.NewReader("try { loop {}; 1; } catch 2"), []string{"eval", "--steps", "2000000000", "-"}},
		{"a source that does not come", silence{}, []string{"eval", "-"}},
		{"a check of a source that does not come", silence{}, []string{"check", "-"}},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		if code, out, errOut := runDraft(ctx, c.in, c.args...); code != 2 || out != "" || errOut != "retail: interrupted\n" {
			t.Errorf("%s ends with %d, %q, %q", c.what, code, out, errOut)
		}
	}
}

// silence is a terminal at which nobody types.
type silence struct{}

func (silence) Read([]byte) (int, error) { select {} }

// TestTheLanguageShowsWhatTheCommandPrints runs every transcript of
// docs/language.md.
func TestTheLanguageShowsWhatTheCommandPrints(t *testing.T) {
	text, err := os.ReadFile("../docs/language.md")
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile(`^    \$ echo '([^']*)' \| fwgo draft (.*)$`)
	lines := strings.Split(string(text), "\n")
	found := 0
	for i := 0; i < len(lines); i++ {
		if !strings.HasPrefix(lines[i], "    $ ") {
			continue
		}
		found++
		m := command.FindStringSubmatch(lines[i])
		if m == nil {
			t.Errorf("%q is not run", lines[i])
			continue
		}
		var shown strings.Builder
		for i+1 < len(lines) && strings.HasPrefix(lines[i+1], "    ") && !strings.HasPrefix(lines[i+1], "    $ ") {
			i++
			shown.WriteString(lines[i][4:] + "\n")
		}
		_, out, errOut := runDraft(t.Context(), strings.NewReader(m[1]+"\n"), strings.Fields(m[2])...)
		if got := out + errOut; got != shown.String() {
			t.Errorf("fwgo draft %s of %s prints\n%s\nbut the document shows\n%s", m[2], m[1], got, shown.String())
		}
	}
	if found < 2 {
		t.Errorf("the document shows %d transcripts", found)
	}
}
