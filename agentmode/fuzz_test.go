package agentmode

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzBind: whatever the text, the answer keeps its promises.
func FuzzBind(f *testing.F) {
	file, err := os.Open("testdata/fw_xml.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for rows := bufio.NewScanner(file); rows.Scan(); {
		var r recorded
		if json.Unmarshal(rows.Bytes(), &r) == nil {
			f.Add("cmd " + r.Text)
		}
	}
	file.Close()
	for _, text := range hostileTexts {
		f.Add("cmd " + text)
	}
	sig := command(f, "a:str, b/f:int?, ids:list?, query:str?@, flag:bool?, obj:object?")
	unmarked := command(f, "a:str, b:int?, ids:list?")
	none := command(f, "")
	f.Fuzz(func(t *testing.T, text string) {
		keepsItsPromises(t, text, Bind(sig, text, "cmd"))
		keepsItsPromises(t, text, Bind(unmarked, text, "cmd"))
		keepsItsPromises(t, text, New(unmarked, Options{RefuseExamples: true}).BindRemainder(text))
		if r := Bind(none, text, "cmd"); len(r.Values) > 0 {
			t.Errorf("%q: a command without fields is given %v", text, r.Values)
		}
	})
}

var hostileTexts = []string{
	"", "a", "a b", "-x", "--flag", `"a b"`, "'it's", "<", "</", "<a", "<a>", "</a>", "<a/>", "<a></a", "<parameter", "<parameter=", "<parameter=a>",
	`<parameter name="a">`, `<parameter name="a`, "<a><![CDATA[", "<a><![CDATA[x]]></a>", "<ids><i>a</i><i>b</i></ids>", "a=", "a=1", "a=1,", "a=1,b=2",
	`a="\"`, "ids=a,b", "ids=[a,[b]]", "obj={", "(a=1)", "((", "()", "[[", "a==b", "\xff=\xfe", "a=None", "b=null", "NOT_FOUND", "{", "{}", "=", ",", "\u3000", "a:", "a :", "\r\n\r",
}

func keepsItsPromises(t *testing.T, text string, r Result) {
	t.Helper()
	switch {
	case (r.Outcome == Bound) == (r.Doubt != nil):
		t.Fatalf("%q: outcome %s with doubt %v", text, r.Outcome, r.Doubt)
	case r.Form == "":
		t.Fatalf("%q: no form", text)
	case r.JSON != "" && (r.Form != FormJSON || r.JSON[0] != '{' || !strings.Contains(text, r.JSON)):
		t.Fatalf("%q: JSON %q", text, r.JSON)
	}
	if d := r.Doubt; d != nil {
		if d.Kind == "" || len(d.Text) > longestExcerpt || !strings.Contains(strings.ReplaceAll(text, `\`, ""), strings.ReplaceAll(d.Text, `\`, "")) {
			t.Fatalf("%q: doubt %+v", text, d)
		}
		if r.Values != nil {
			t.Fatalf("%q: in doubt, and yet %v", text, r.Values)
		}
	}
	seen := map[string]bool{}
	for _, v := range r.Values {
		if seen[v.Field] || len(v.Texts) == 0 || !v.Repeated && len(v.Texts) != 1 {
			t.Fatalf("%q: value %+v", text, v)
		}
		seen[v.Field] = true
		for _, got := range v.Texts {
			if !comesFrom(text, got) {
				t.Fatalf("%q: %s is given %q, which is not in the text", text, v.Field, got)
			}
			if utf8.ValidString(text) && !utf8.ValidString(got) {
				t.Fatalf("%q: %s is given %q, a part of a character", text, v.Field, got)
			}
		}
	}
}

// comesFrom reports whether the bytes of a value stand in the text in that
// order; between them only escapes, or the borders of CDATA, are left out.
func comesFrom(text, value string) bool {
	if value == "null" && strings.Contains(text, "None") || strings.Contains(text, value) {
		return true
	}
	for i := 0; i < len(value); i++ {
		at := strings.IndexByte(text, value[i])
		if at < 0 {
			return false
		}
		text = text[at+1:]
	}
	return true
}
