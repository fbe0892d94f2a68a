package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAGrantIsReadStrictlyAndBeforeAnyFile holds the grammar of WD-24: no file is there, so what is refused is refused
// before one is read, and what is accepted gets as far as the file.
func TestAGrantIsReadStrictlyAndBeforeAnyFile(t *testing.T) {
	const accepted = "cannot read nothing.json"
	long := strings.Repeat("x", 128)
	for _, row := range []struct{ grant, want string }{
		{"a:b:1", accepted}, {"a:b:+1", accepted}, {"a:b:01", accepted}, {"a:b:2147483647", accepted}, {".:-:1", accepted}, {long + ":" + long + ":1", accepted},
		{"", "a grant is STEP:TOOL:N"}, {"a:b", "a grant is STEP:TOOL:N"}, {"a:b:1:", "a grant is STEP:TOOL:N"}, {"a:b:c:1", "a grant is STEP:TOOL:N"},
		{":b:1", "128 of the characters"}, {"a::1", "128 of the characters"}, {"A:b:1", "128 of the characters"}, {"a:b/c:1", "128 of the characters"},
		{" a:b:1", "128 of the characters"}, {"a:b\n:1", "128 of the characters"}, {"ä:b:1", "128 of the characters"}, {long + "x:b:1", "128 of the characters"},
		{"A:b:x", "128 of the characters"}, // the identifiers come before the count
		{"a:b:0", "at least 1"}, {"a:b:+0", "at least 1"}, {"a:b:-1", "at least 1"}, {"a:b:++1", "at least 1"}, {"a:b:+-1", "at least 1"}, {"a:b: 1", "at least 1"},
		{"a:b:1 ", "at least 1"}, {"a:b:x", "at least 1"}, {"a:b:", "at least 1"}, {"a:b:1.0", "at least 1"}, {"a:b:1_0", "at least 1"}, {"a:b:0x1", "at least 1"},
		{"a:b:2147483648", "at least 1"}, {"a:b:18446744073709551617", "at least 1"},
	} {
		code, out, errOut := runDraft(t.Context(), nil, "run", "nothing.json", "--grant="+row.grant)
		if code != 2 || out != "" || !strings.Contains(errOut, row.want) || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%q ends with %d, %q, %q", row.grant, code, out, errOut)
		}
	}
}

// TestARunIsRefusedByTheFirstThingWrong holds the order of WD-23, and that what is refused prints a result only where the
// rule has one.
func TestARunIsRefusedByTheFirstThingWrong(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := file("good.json", `{"format_version":1,"steps":[{"id":"a","source":"use mod.tool; tool.call(\"text.echo\", \"x\")"}]}`)
	broken := file("broken.json", `{"format_version":1,"steps":[{"id":"a","source":"1 +"}]}`)
	none := file("none.json", `{"format_version":2,"steps":[]}`)
	input, noInput := file("in.json", `{}`), file("bad.json", `{`)
	long := file("long.json", `"`+strings.Repeat("x", 65_536)+`"`)
	latin, more := file("latin.json", `{"format_version":1,"steps":[{"id":"a","source":"`+"\xff"+`"}]}`), file("more.json", `{"checkpoint":{},"data":null,"grants":1}`)
	const unknownStep, unknownTool = "--grant=b:text.echo:1", "--grant=a:nope:1"
	for _, row := range []struct {
		name        string
		args        []string
		out, errOut string // what they hold; "" for an empty output
	}{
		{"a grant before the draft", []string{"absent.json", "--grant=x"}, "", "STEP:TOOL:N"},
		{"the draft before the input", []string{"absent.json", "--input", "absent.in"}, "", "cannot read absent.json"},
		{"the input before what the draft says", []string{none, "--input", noInput}, "", "bad.json"},
		{"an input that is too long", []string{none, "--input", long}, "", "65,536"},
		{"the rejection of a draft before its grants", []string{none, "--input", input, unknownStep}, `"code":"unsupported_format_version"`, "rejected"},
		{"the review before the grants", []string{broken, unknownStep}, `{"review":{"draft":{"error":null,"valid":true},"steps":[{"diagnostics":[{`, "rejected"},
		{"the steps of the grants in order", []string{good, unknownStep, unknownTool}, "", "no step b"},
		{"the step of a grant before its tool", []string{good, "--grant=b:nope:1"}, "", "no step b"},
		{"a tool that is not enabled", []string{good, "--grant=a:math.add:1"}, "", "no tool math.add"},
		{"a grant above the tool's policy", []string{good, "--grant=a:text.echo:2"}, "", "more calls are granted than the tool allows"},
		{"a tool twice in one step", []string{good, "--grant=a:text.echo:1", "--grant=a:text.echo:1"}, "", "twice"},
		{"a draft that is not UTF-8", []string{latin}, "", "cannot read"},
		{"an input beside what is resumed", []string{good, "--input", input, "--resume", more}, "", "leave --input out"},
		{"a file that says more than where a run stands", []string{good, "--resume", more}, "", "no file of --checkpoint"},
		{"a run that fails", []string{good}, `"status":"failed"`, "step a failed"},
		{"an input twice", []string{good, "--input", input, "--input", input}, "", "once"},
	} {
		code, out, errOut := runDraft(t.Context(), nil, append([]string{"run", "--allow-echo"}, row.args...)...)
		if code != 2 || (out == "") != (row.out == "") || !strings.Contains(out, row.out) || errOut == "" || !strings.Contains(errOut, row.errOut) {
			t.Errorf("%s: ends with %d, %q, %q", row.name, code, out, errOut)
		}
	}
	// "-" is a file of that name (WD-21).
	t.Chdir(dir)
	draft := strings.NewReader(`{"format_version":1,"steps":[{"id":"a","source":"1"}]}`)
	if code, out, errOut := runDraft(t.Context(), draft, "review", "-"); code != 2 || out != "" || !strings.Contains(errOut, "cannot read") {
		t.Errorf("- ends with %d, %q, %q", code, out, errOut)
	}
	if code, out, errOut := runDraft(t.Context(), nil, "run", "--allow-echo", "--grant=a:text.echo:1", good); code != 0 || !strings.Contains(out, `"status":"completed"`) || errOut != "" {
		t.Errorf("what is granted ends with %d, %q, %q", code, out, errOut)
	}
}
