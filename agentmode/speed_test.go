package agentmode

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// A caller may send a text of any length. Each of these would take minutes if
// some step looked at the rest of the text again and again.
func TestTheTimeGrowsWithTheTextAlone(t *testing.T) {
	const size = 1 << 20
	long := func(parts ...string) string {
		unit := strings.Join(parts, "")
		return strings.Repeat(unit, size/len(unit)+1)
	}
	sig := command(t, "a:str?, b:int?, ids:list?, query:str?@")
	for name, text := range map[string]string{
		"one long value":               "<a>" + long("x") + "</a>",
		"markup in a value":            "<a>" + long("<p>x</p>") + "</a>",
		"open angle brackets":          "<a>" + long("<") + "</a>",
		"a long tag name":              "<a><" + long("x") + "</a>",
		"one item after the other":     long("<ids>x</ids> "),
		"child items":                  "<ids>" + long("<i>x</i>") + "</ids>",
		"open child items":             "<ids>" + long("<i>x") + "</ids>",
		"CDATA sections":               "<a>" + long("<![CDATA[x]]>") + "</a>",
		"open CDATA sections":          "<a>" + long("<![CDATA[") + "</a>",
		"unknown tags":                 long("<c>x</c>"),
		"a value that never closes":    "<a>" + long("<q>"),
		"ends of a value":              "<a>x</a>y" + long("</a>"),
		"starts before an end":         "<a>x</a>y" + long("<ab") + "</a>",
		"parameter tags inside":        "<a>" + long("<parameter x>") + "</a>",
		"attributes":                   "<parameter " + long(`x="y" `) + `name="a">1</parameter>`,
		"attribute without end":        "<parameter name=\"" + long("x"),
		"white space":                  "<a>x</a>" + long(" ") + "<b>1</b>",
		"white space before equals":    long("a "),
		"quoted value":                 `a="` + long(`\"`) + `"`,
		"quote without end":            `a="` + long("x"),
		"quotes in a list":             "ids=[" + long(`"`, ",") + "]",
		"apostrophes in a list":        "ids=[" + long("'x,"),
		"brackets without end":         "ids=" + long("["),
		"items of a run":               "ids=" + long("x,") + "x",
		"items with equals":            "ids=" + long("x,=,"),
		"pairs of a list":              long("ids=x "),
		"pairs in a pair":              "a=x" + long(";"),
		"names in a pair":              "a=x" + long(";b"),
		"lists of a list":              "ids=[x] " + long("ids=x "),
		"commas":                       "a=x" + long(","),
		"words":                        long("word "),
		"words with equals":            long("x:=y "),
		"equals in a word":             "x:" + long("="),
		"white space in a word":        "x:" + long(" ") + "= " + long("= "),
		"option after words":           long("word ") + "--x",
		"apostrophes":                  long("'x "),
		"lines":                        long("x\n"),
		"lines before a tag":           long("x\n") + "<p>",
		"parentheses":                  long("("),
		"arguments in parentheses":     "(" + long("[x],") + ")",
		"closing parentheses":          "(" + long(")"),
		"quotes in parentheses":        "(" + long(`"`, " ") + ")",
		"invalid UTF-8":                long("\xff"),
		"invalid UTF-8 in a value":     "<a>" + long("\xff\xc3") + "</a>",
		"characters beyond ASCII":      long("日"),
		"a quoted text with backslash": `"` + long(`\`, "x") + `"`,
	} {
		for _, start := range []string{"cmd ", "cmd"} {
			begin := time.Now()
			Bind(sig, start+text, "cmd")
			if took := time.Since(begin); took > 30*time.Second {
				t.Errorf("%s: %v for %d bytes", name, took, len(text))
			}
		}
	}
}

const sixFields = "order_id:str, reason:str, amount:int, note:str?, tags:list?, notify:bool?"

const sixTags = "cancel_order <order_id>#W0001</order_id> <reason>no longer needed</reason> <amount>12</amount>\n" +
	"<note>please call before you come</note> <tags>a, b</tags> <notify>true</notify>"

const sixPairs = `cancel_order order_id=#W0001 reason="no longer needed" amount=12 note="please call before you come" tags=a,b notify=true`

func TestABoundCallTakesOnePieceOfMemory(t *testing.T) {
	sig := command(t, sixFields)
	for _, text := range []string{sixTags, sixPairs, "cancel_order <order_id>#W0001</order_id>"} {
		allocs := testing.AllocsPerRun(100, func() {
			if r := Bind(sig, text, "cancel_order", "Orders/cancel_order"); r.Outcome != Bound {
				t.Fatal(show(r))
			}
		})
		if allocs > 1 {
			t.Errorf("%v allocations for %s", allocs, text)
		}
	}
}

func BenchmarkBind(b *testing.B) {
	sig := command(b, sixFields)
	for _, row := range [][2]string{{"tags", sixTags}, {"pairs", sixPairs}} {
		b.Run(row[0], func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(row[1])))
			for b.Loop() {
				if Bind(sig, row[1], "cancel_order", "Orders/cancel_order").Outcome != Bound {
					b.Fatal("not bound")
				}
			}
		})
	}
	arguments := []byte(`{"order_id":"#W0001","reason":"no longer needed","amount":12,"note":"please call before you come","tags":["a","b"],"notify":true}`)
	b.Run("the same as JSON by encoding/json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var v map[string]json.RawMessage
			if json.Unmarshal(arguments, &v) != nil {
				b.Fatal("not read")
			}
		}
	})
	long := "cmd <note>" + strings.Repeat("some <b>bold</b> words, ", 1<<16) + "</note>"
	b.Run("a long value", func(b *testing.B) {
		b.SetBytes(int64(len(long)))
		for b.Loop() {
			if Bind(sig, long, "cmd").Outcome != Bound {
				b.Fatal("not bound")
			}
		}
	})
}
