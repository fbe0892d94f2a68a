package splash

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// positions writes the places of diagnostics.
func positions(r Report) string {
	var list []string
	for _, d := range r.Diagnostics {
		list = append(list, fmt.Sprintf("%d:%d", d.Line, d.Column))
	}
	if r.Truncated {
		list = append(list, "...")
	}
	return strings.Join(list, " ")
}

// TestDiagnostics states where errors are reported, and how the parser goes on after them (SL-12). An empty want is a
// valid source.
func TestDiagnostics(t *testing.T) {
	tests := []struct{ source, want string }{
		{"", ""}, {";\n;", ""}, {"f(1);", ""}, {"let a\nlet b = a", ""}, {"use mod.x.y", ""},

		// Tokens: only their errors are given.
		{"a # b\n$", "1:3 2:1"}, {"é = # +", "1:1 1:5"}, {"\"é\" #", "1:5"}, {"a\rb", "1:2"},
		{"x = 1 +- 2", "1:7"}, {"x =- (", "1:3"}, {"a ?b", "1:3"}, {"12x + 0xff", "1:3 1:8"},
		{"4. + 4.e2 + 4..5", "1:2 1:7 1:14 1:14"}, {"7e+ 7e", "1:2 1:6"},
		{"\"open\nx", "1:1"}, {"\"\\w \\z\"", "1:3 1:6"}, {"  \"\\u{}\"", "1:3"}, {"\"\\uDFFF\"", "1:1"}, {"\"\\u12", "1:1 1:1"},
		{"'a' + 'b", "1:1 1:7"}, {"1 /* a\n", "1:3"}, {"/* a **/ 1", "1:1"}, {"a\n  /** b */", ""},
		{"\"\xff\"", "1:2"}, {"// \xff", "1:4"},

		// Statements.
		{"let 1", "1:5 1:5 1:5"}, {"let a 1", "1:7 1:7"}, {"let a = 1 2\nlet b = 3 4", "1:11 2:11"},
		{"use x", "1:5 1:5"}, {"use mod.", "1:9"}, {"use mod.a.for", "1:11 1:11"},
		{"fn", "1:3 1:3 1:3"}, {"fn f {}", "1:6"}, {"fn f(a,) {}", "1:8"}, {"fn f(a\n) {}", "1:7 1:7 2:1 2:3 2:4"},
		{"}", "1:1"}, {"a }\nb", "1:3 1:3 1:4 2:1"}, {"fn f() { a }", "1:12"}, {"fn f() {", "1:9"},
		{"return )", "1:8"}, {"a b c; d e", "1:3 1:10"},

		// Control.
		{"if", "1:3 1:3"}, {"if a", "1:5"}, {"if a {} else", "1:13"}, {"if a {}\nelse {}", "2:1 2:6 2:7"},
		{"if |a| a {}", "1:4 1:4 1:4 1:11"}, {"if a |b| b", "1:6 1:6"}, {"if if a 1 2", "1:4 1:11"},
		{"if a 1 elif", "1:12 1:12"},
		{"while", "1:6 1:6"}, {"while a b", "1:9 1:9"}, {"loop", "1:5"}, {"for", "1:4 1:4"}, {"for a b", "1:7 1:7"},
		{"for a, b, c, d in e {}", "1:14"}, {"for a in", "1:9 1:9"}, {"for a, in b {}", "1:8"},
		{"try", "1:4 1:4"}, {"try a", "1:6"}, {"try {} catch {}", "1:6 1:15"}, {"try { let a = 1\n} catch 1", "2:1"},
		{"try a\ncatch b", "1:6 2:7"}, {"try { 1; } catch { for a in b {}\n}", "2:1"},

		// Expressions.
		{"[1,", "1:4 1:4"}, {"[1 2]", "1:4 1:4"}, {"[\n1]", "1:2 2:1 2:1"}, {"()", "1:2 1:3"}, {"(a", "1:3"},
		{"f(a,)", "1:5"}, {"f(a\n)", "1:4 2:1"}, {"a[]", "1:3"}, {"a[1 2]", "1:5 1:5"}, {"a.1", "1:3 1:3"}, {"a.", "1:3"},
		{"{a}", "1:3 1:3 1:3"}, {"{a: 1,}", "1:7"}, {"{a: 1\n, b: 2}", "2:1 2:1 2:1 2:7"}, {"{\"a\": 1}", "1:2 1:2 1:2 1:8"},
		{"|", "1:2 1:2"}, {"|a", "1:3"}, {"|a,| a", "1:4"}, {"||", "1:3"}, {"|a| {b: 1}", "1:7"},
		{"- -a", "1:3 1:4"}, {"a = if b 1", "1:5 1:8"}, {"1 + loop {}", "1:5 1:10 1:11"}, {"var a", "1:1 1:5"}, {"a\n.b", "2:1 2:2"},
	}
	for _, tt := range tests {
		r, err := Check(tt.source, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got := positions(r); got != tt.want {
			t.Errorf("%q\n got %s %v\nwant %s", tt.source, got, r.Diagnostics, tt.want)
		}
		if _, err := Parse(tt.source, Limits{}); (err == nil) != r.Valid() {
			t.Errorf("%q: Parse says %v", tt.source, err)
		}
	}
}

// TestSyntaxLimits holds the bounds of SL-1, SL-8, SL-11 and SL-12, by default and lowered.
func TestSyntaxLimits(t *testing.T) {
	check := func(src string, limits Limits) string {
		r, err := Check(src, limits)
		if err != nil {
			var l *LimitError
			if !errors.As(err, &l) || l.Bound != BoundSource {
				t.Fatal(err)
			}
			return "too long"
		}
		return positions(r)
	}
	tests := []struct {
		source string
		limits Limits
		want   string
	}{
		{strings.Repeat(" ", 262_144), Limits{}, ""},
		{strings.Repeat(" ", 262_145), Limits{}, "too long"},
		{"abcdef", Limits{SourceBytes: 5}, "too long"},
		{strings.Repeat(";", 32_768), Limits{}, ""},
		{strings.Repeat("\n", 32_769), Limits{}, "32769:1"},
		{"a;b;c", Limits{Tokens: 4}, "1:5"},
		{nested(127, "(", "1", ")"), Limits{}, ""},
		{nested(4, "[", "1", "]"), Limits{Nesting: 4}, "1:5 1:5 1:5 1:5 1:5 1:5"},
		{nested(3, "[", "1", "]"), Limits{Nesting: 4}, ""},
		{"if a { if b { c; }; }", Limits{Nesting: 5}, ""},
		{strings.Repeat("# ", 33), Limits{}, positions32() + " ..."},
		{"# # #", Limits{Diagnostics: 2}, "1:1 1:3 ..."},
	}
	for _, tt := range tests {
		if got := check(tt.source, tt.limits); got != tt.want {
			t.Errorf("%.40q %+v\n got %s\nwant %s", tt.source, tt.limits, got, tt.want)
		}
	}
}

func positions32() string {
	var list []string
	for i := range 32 {
		list = append(list, fmt.Sprintf("1:%d", 2*i+1))
	}
	return strings.Join(list, " ")
}

// TestFormat shows the canonical text.
func TestFormat(t *testing.T) {
	const src = `use mod.tool;let a=[1,{b:2
c:"\u{e9}\"\n"}] // gone
fn f(x,y){return x.b [0](|z|z* -1,|| {x;})
}
if a==1{f()
}elif !a 2 else{}
for i,v in a{while i<3{break;}; loop{continue;};}
a.b[1]+=try(5 .c) catch {nil;}
try a catch - (|q| q)`
	const want = `use mod.tool
let a = [1, {b: 2, c: "é\"\n"}]
fn f(x, y) {
    return x.b[0](|z| z * -1, || {
        x
    })
}
if a == 1 {
    f()
} elif !a 2 else {}
for i, v in a {
    while i < 3 {
        break
    }
    loop {
        continue
    }
}
a.b[1] += (try (5 .c) catch {
    nil
})
try a catch -(|q| q)
`
	p, err := Parse(strings.Replace(strings.Replace(src, "+=try", "+=(try", 1), "{nil;}", "{nil;})", 1), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, p.Format()); diff != "" {
		t.Error(diff)
	}
}

// TestToolCalls states what counts as a call site (WD-16), and its JSON (WD-15).
func TestToolCalls(t *testing.T) {
	const src = `let e = "é"; tool.call("a.\u0062", e)
tool . start_json ( name, {})
x.tool.call("no", 1); tool.cancel("no"); tool.call; "tool.call(1)" // tool.call(
let tool = {}; [tool.start("c" + "d"), tool.call_json()]`
	p, err := Parse(src, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	calls, truncated := p.ToolCalls(MaxCalls)
	want := `[{"callee":{"column":14,"end_byte":23,"line":1,"start_byte":14},"kind":"call","name":{"end_byte":34,"kind":"literal","start_byte":24,"value":"a.b"}},` +
		`{"callee":{"column":1,"end_byte":56,"line":2,"start_byte":39},"kind":"start_json","name":{"kind":"dynamic"}},` +
		`{"callee":{"column":17,"end_byte":176,"line":4,"start_byte":166},"kind":"start","name":{"end_byte":180,"kind":"literal","start_byte":177,"value":"c"}},` +
		`{"callee":{"column":40,"end_byte":203,"line":4,"start_byte":189},"kind":"call_json","name":{"kind":"dynamic"}}]`
	if got := marshal(t, calls); got != want || truncated {
		t.Errorf("got %s %v\nwant %s", got, truncated, want)
	}
	if calls, truncated := p.ToolCalls(3); len(calls) != 3 || !truncated {
		t.Error(len(calls), truncated)
	}
	if calls, truncated := p.ToolCalls(0); len(calls) != 0 || !truncated {
		t.Error(len(calls), truncated)
	}
}

// TestModuleCalls states which calls of modules are certain (WD-18).
func TestModuleCalls(t *testing.T) {
	modules := []Module{{Name: "orders", Methods: []Method{{Name: "list", Tool: "orders.list"}, {Name: "later", Tool: "t", Deferred: true}}}}
	alias := func(n int) string {
		var b strings.Builder
		b.WriteString("use mod.orders\nlet a0 = orders\n")
		for i := range n - 1 {
			fmt.Fprintf(&b, "let a%d = a%d\n", i+1, i)
		}
		fmt.Fprintf(&b, "a%d.list()", n-1)
		return b.String()
	}
	tests := []struct{ source, want string }{
		{"use mod.orders\norders.list(orders.later())", "2:1 2:13"},
		{"orders.list()", ""},
		{"use mod.x.orders\norders.list()", ""},
		{"use mod.orders\norders.drop(); x.orders.list(); orders.list", ""},
		{"use mod.orders\nlet o = orders\nfn f() { o.list()\n}\nfor x in 2 { o.list(); }", "3:10 5:14"},
		{"use mod.orders\nlet o = (orders)\norders.list()", ""},
		{"use mod.orders\nlet o = orders\nf(o)\norders.list()", ""},
		{"use mod.orders\nlet o = orders\no.list = 1\norders.list()", ""},
		{"use mod.orders\norders[\"list\"]()\norders.list()", ""},
		{"use mod.orders\norders.list()\nlet orders = 1\norders.list()", "2:1"},
		{"use mod.orders\nlet o = orders\nlet orders = nil\no.list()", "4:1"},
		{"use mod.orders\n(|orders| orders.list())(1)\nfor orders in 2 { orders.list(); }\norders.list()", "4:1"},
		{"fn f() { use mod.orders\norders.list()\n}\norders.list()", "2:1"},
		{"use mod.orders\nif a { let orders = 1; }\norders.list()", ""},
		{alias(16), "18:1"},
		{alias(17), ""},
	}
	for _, tt := range tests {
		p, err := Parse(tt.source, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		calls, truncated := p.ModuleCalls(modules, MaxCalls)
		var got []string
		for _, c := range calls {
			got = append(got, fmt.Sprintf("%d:%d", c.Callee.Line, c.Callee.Column))
		}
		if strings.Join(got, " ") != tt.want || truncated {
			t.Errorf("%s\n got %v %v\nwant %s", tt.source, got, truncated, tt.want)
		}
	}
	p, err := Parse("use mod.orders\norders.later({})", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	calls, _ := p.ModuleCalls(modules, MaxCalls)
	want := `[{"callee":{"column":1,"end_byte":27,"line":2,"start_byte":15},"method":"later","mode":"deferred","module":"orders","tool":"t"}]`
	if got := marshal(t, calls); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	for _, src := range []string{
		"use mod.orders\norders.list()" + strings.Repeat("\na.b", 4096),
		strings.Repeat("use mod.orders\n", 1025),
		"use mod.orders" + strings.Repeat("\nlet o = orders", 1025),
	} {
		p, err := Parse(src, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if calls, truncated := p.ModuleCalls(modules, MaxCalls); len(calls) > 0 || !truncated {
			t.Errorf("%.30q: %d calls, %v", src, len(calls), truncated)
		}
	}
}
