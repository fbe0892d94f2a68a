package agentmode

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/fwgo/fwgo/internal/python"
)

// The fields of the properties: every text a caller could mean can be given.
const propertyFields = "path:str?, content:str?, tags:list?, limit:int?"

var propertyNames = []string{"path", "content", "tags"}

// anyText makes texts that are made to be confused with the call's own syntax.
func anyText() *rapid.Generator[string] {
	hostile := rapid.SampledFrom([]string{"<p>", "</p>", "<", ">", "</", "<contents>", "<parameter name=\"x\">", "<![CDATA[", "=",
		"path=", "\"", "'", "\\", "\\\"", "\n", "\r\n", "  ", "\t", ",", "[", "]", "{", "}", "&lt;", "None", "\u3000", "é", "😀", "\xff", "a"})
	return rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOfN(rapid.OneOf(hostile, rapid.String()), 0, 6).Draw(t, "parts")
		return strings.Join(parts, "")
	})
}

// namesAField reports whether the text holds what could be a tag of the call.
func namesAField(text string) bool {
	for _, name := range append([]string{"limit", "parameter"}, propertyNames...) {
		if strings.Contains(text, "<"+name) || strings.Contains(text, "</"+name) {
			return true
		}
	}
	return false
}

// asTag writes a value as a tag, in a layout that keeps it exactly.
func asTag(t *rapid.T, name, value string) string {
	open, closing := "<"+name+">", "</"+name+">"
	if rapid.Bool().Draw(t, "by parameter") {
		open = rapid.SampledFrom([]string{"<parameter=" + name + ">", `<parameter name="` + name + `">`, `<parameter string="true" name='` + name + `' >`}).Draw(t, "tag")
		closing = "</parameter>"
	}
	lines := strings.ContainsAny(value, "\n\r")
	plain := !namesAField(value) && !strings.HasPrefix(python.TrimSpace(value), cdataOpen)
	var ways []string
	if plain && !lines && value == python.TrimSpace(value) {
		ways = append(ways, open+value+closing, open+" "+value+"\t"+closing)
	}
	if plain && python.TrimSpace(value) != "" && !strings.HasSuffix(value, "\r") {
		ways = append(ways, open+"\n"+value+"\n"+closing)
		if !strings.HasPrefix(value, "\n") {
			ways = append(ways, open+"\r\n"+value+"\r\n"+closing)
		}
	}
	ways = append(ways, open+cdataOpen+strings.ReplaceAll(value, cdataClose, "]]"+cdataClose+cdataOpen+">")+cdataClose+closing)
	return rapid.SampledFrom(ways).Draw(t, "layout")
}

func asPair(t *rapid.T, name, value string) string {
	quote := rapid.SampledFrom([]string{`"`, "'"}).Draw(t, "quote")
	escaped := strings.NewReplacer(`\`, `\\`, quote, `\`+quote).Replace(value)
	return name + rapid.SampledFrom([]string{"=", " = ", "= "}).Draw(t, "equals") + quote + escaped + quote
}

func TestWhatIsWrittenInTagsOrQuotedPairsIsReadBackExactly(t *testing.T) {
	sig := command(t, propertyFields)
	forms := []struct {
		form      Form
		write     func(*rapid.T, string, string) string
		separator []string
	}{
		{FormTags, asTag, []string{"", " ", "\n", "\r\n\t"}},
		{FormPairs, asPair, []string{" ", ", ", "\n", ","}},
	}
	rapid.Check(t, func(t *rapid.T) {
		form := forms[rapid.IntRange(0, 1).Draw(t, "form")]
		separator := rapid.SampledFrom(form.separator).Draw(t, "separator")
		var written []string
		want := map[string][]string{}
		for _, name := range rapid.Permutation(propertyNames).Draw(t, "order") {
			values := rapid.SliceOfN(anyText(), 0, 1).Draw(t, name)
			if name == "tags" {
				// Two or more: a single text of a list is still to be read as one.
				values = rapid.SliceOfN(anyText(), 2, 4).Draw(t, name)
			}
			for _, value := range values {
				written = append(written, form.write(t, name, value))
				want[name] = append(want[name], value)
			}
		}
		text := "cmd " + strings.Join(written, separator)
		r := Bind(sig, text, "cmd")
		if r.Outcome != Bound || r.Form != form.form {
			t.Fatalf("%q: %s, %s", text, show(r), r.Form)
		}
		got := map[string][]string{}
		for _, v := range r.Values {
			got[v.Field] = v.Texts
			if v.Repeated != (v.Field == "tags") {
				t.Fatalf("%q: %s repeated is %v", text, v.Field, v.Repeated)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q is read back differently:\n%s", text, diff)
		}
	})
}

func TestTheOrderOfTagsAndPairsDoesNotMatter(t *testing.T) {
	sig := command(t, propertyFields)
	rapid.Check(t, func(t *rapid.T) {
		one := asTag(t, "path", anyText().Draw(t, "path"))
		two := asTag(t, "content", anyText().Draw(t, "content"))
		a, b := Bind(sig, "cmd "+one+two, "cmd"), Bind(sig, "cmd "+two+" "+one, "cmd")
		slices.Reverse(b.Values)
		if diff := cmp.Diff(a, b); diff != "" {
			t.Fatalf("%q and %q:\n%s", one, two, diff)
		}
	})
}
