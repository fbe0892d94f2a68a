package splash

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"
)

// hostile is a program that means harm, and how it ends: a Bound, an ErrorKind, "syntax", "json" or "ok".
type hostile struct {
	name   string
	source string
	want   string
	limits Limits
}

func rep(n int, s string) string { return strings.Repeat(s, n) }

func nested(n int, open, middle, shut string) string { return rep(n, open) + middle + rep(n, shut) }

// list writes n items made by f, with commas between.
func listOf(n int, f func(i int) string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = f(i)
	}
	return strings.Join(items, ", ")
}

const useStd = "use mod.std.text\nuse mod.std.array\nuse mod.std.object\nuse mod.std.json\nuse mod.std.math\nuse mod.tool\n"

var hostilePrograms = []hostile{
	// Loops without end.
	{name: "loop", source: "loop {}", want: "steps"},
	{name: "while true", source: "while true {}", want: "steps"},
	{name: "loop continue", source: "loop { continue; }", want: "steps"},
	{name: "nested loops", source: "loop { loop { break; }; }", want: "steps"},
	{name: "for to infinity", source: "for i in 1/0 {}", want: "steps"},
	{name: "for over a growing array", source: "let a = [1]\nlet n = 0\nfor x in a { n += 1\na[n] = x\n}", want: "steps"},
	{name: "two indexes over a growing array", source: "let a = [1]\nfor i, x in a { a[i + 1] = x; }", want: "steps"},
	{name: "loop inside an argument", source: "[1, [2, if true { loop {}; }]]", want: "steps"},
	{name: "loop inside try", source: "try { loop {}; 1; } catch { 2; }", want: "steps"},
	{name: "loop inside catch", source: "try nope catch { loop {}; 2; }", want: "steps"},
	{name: "loop of errors", source: "loop { try nope catch nil\n}", want: "steps"},
	{name: "loop of returns", source: "loop { (|| { return 1; })(); }", want: "steps"},
	{name: "loop of breaks out of tries", source: "loop { loop { try { break; 1; } catch { 2; }; }; }", want: "steps"},
	{name: "loop of scopes", source: "loop { let x = 1\nlet f = || x\n}", want: "steps"},
	{name: "loop of records", source: "loop { let x = {a: [1, 2, {b: 3}]}\n}", want: "steps"},
	{name: "loop of text", source: "let n = 0\nloop { n += 1\nlet s = \"number \" + n\n}", want: "steps"},
	{name: "loop of large text", source: "let s = \"" + rep(100_000, "x") + "\"\nloop { let t = s + 1\n}", want: "steps"},
	{name: "loop of equal text", source: "let s = \"" + rep(100_000, "x") + "\"\nlet t = s + 1\nlet u = s + 1\nloop { t == u; }", want: "steps"},
	{name: "loop of fmod", source: "loop { 1e308 % 3e-308; }", want: "steps"},
	{name: "loop of uses", source: "loop { use mod.std.text\n}", want: "steps"},

	// Calls without end.
	{name: "recursion", source: "fn f() { return f(); }\nf()", want: "call depth"},
	{name: "recursion in try", source: "fn f() { return try f() catch 1; }\nf()", want: "call depth"},
	{name: "try around recursion", source: "fn f() { return f(); }\ntry f() catch 1", want: "call depth"},
	{name: "mutual recursion", source: "fn a() { return b(); }\nfn b() { return a(); }\na()", want: "call depth"},
	{name: "recursion of a lambda by itself", source: "let f = |g| g(g)\nf(f)", want: "call depth"},
	{name: "recursion of methods", source: "let r = {f: || self.f()}\nr.f()", want: "call depth"},
	{name: "recursion through an array", source: "let a = []\na[0] = || a[0]()\na[0]()", want: "call depth"},
	{name: "two calls each", source: "fn f(n) { if n == 0 { return 0; }\nf(n - 1)\nreturn f(n - 1)\n}\nf(60)", want: "steps"},
	{name: "recursion with many locals", source: "fn f() { " + rep(60, "let x = 1; ") + listLets(60) + " return f(); }\nf()", want: "operand stack"},
	{name: "recursion with many operands", source: "fn f() { return [" + listOf(100, func(int) string { return "1" }) + ", f()]; }\nf()", want: "operand stack"},
	{name: "recursion with many arguments", source: "fn f() { return f(" + listOf(100, func(int) string { return "1" }) + "); }\nf()", want: "call depth"},
	{name: "recursion that keeps text", source: "let s = \"" + rep(1000, "x") + "\"\nfn f(t) { return f(t + s) + t; }\nf(s)", want: "live bytes"},
	{name: "recursion that keeps arrays", source: "fn f(n) { let a = []\na[2000] = 1\nreturn f(n + 1)\n}\nf(0)", want: "live bytes"},

	// Text that grows.
	{name: "doubled text", source: "let s = \"x\"\nloop { s += s; }", want: "string bytes"},
	{name: "doubled text in try", source: "let s = \"x\"\ntry { loop { s += s; }; 1; } catch { 2; }", want: "string bytes"},
	{name: "text by replace_all", source: useStd + "let s = \"xx\"\nloop { s = text.replace_all(s, \"x\", \"xxxx\"); }", want: "string bytes"},
	{name: "text by replacing nothing", source: useStd + "let s = \"" + rep(1000, "x") + "\"\nloop { s = text.replace_all(s, \"\", s); }", want: "string bytes"},
	{name: "text by join", source: useStd + "let s = \"xx\"\nloop { s = text.join([s, s, s, s], s); }", want: "string bytes"},
	{name: "text by upper", source: useStd + "let s = \"" + rep(60_000, "ΐ") + "\"\nloop { s = text.upper(s) + s; }", want: "string bytes"},
	{name: "text by to_json", source: "let s = \"\\\\\"\nloop { s = s.to_json(); }", want: "Unexpected"},
	{name: "text by tools", source: useStd + "loop { tool.call(\"large\", \"x\"); }", want: "string bytes"},
	{name: "a literal over a lowered bound", source: "if false { \"" + rep(2_000, "x") + "\"; }", want: "string bytes", limits: Limits{StringBytes: 1_000}},
	{name: "text kept in an array", source: "let s = \"" + rep(50_000, "x") + "\"\nlet a = []\nlet n = 0\nloop { a[n] = s + n\nn += 1\n}", want: "live bytes"},
	{name: "text kept as keys", source: "let s = \"" + rep(50_000, "x") + "\"\nlet r = {}\nlet n = 0\nloop { r[s + n] = n\nn += 1\n}", want: "live bytes"},
	{name: "text kept by closures", source: "let s = \"" + rep(50_000, "x") + "\"\nlet a = []\nlet n = 0\nloop { let t = s + n\na[n] = || t\nn += 1\n}", want: "live bytes"},
	{name: "small pieces of large texts", source: useStd + "let s = \"" + rep(100_000, "x") + "\"\nlet a = []\nlet n = 0\nloop { a[n] = text.slice(s + n, 0, 1)\nn += 1\n}", want: "steps"},
	{name: "trimmed pieces of large texts", source: useStd + "let s = \"" + rep(100_000, " ") + "\"\nlet a = []\nlet n = 0\nloop { a[n] = text.trim(s + \"x\")\nn += 1\n}", want: "steps"},
	{name: "split text kept", source: useStd + "let s = \"" + rep(4000, "x,") + "\"\nlet a = []\nlet n = 0\nloop { a[n] = text.split(s, \",\")\nn += 1\n}", want: "live bytes"},
	{name: "numbers of 300 digits", source: "let s = \"\"\nloop { s = \"\" + 1e300 + -1e300 + 5e-324; }", want: "steps"},

	// Arrays, records and byte arrays that grow.
	{name: "far index", source: "let a = []\na[2000000] = 1", want: "live values"},
	{name: "far index in try", source: "let a = []\ntry { a[2000000] = 1; } catch { 2; }", want: "live values"},
	{name: "farther index", source: "let a = []\na[9007199254740992] = 1", want: "live values"},
	{name: "index beyond counting", source: "let a = []\na[1e300] = 1", want: "OutOfBounds"},
	{name: "infinite index", source: "let a = []\na[1/0] = 1", want: "OutOfBounds"},
	{name: "arrays of 100,000", source: "let k = []\nlet n = 0\nloop { let a = []\na[100000] = 1\nk[n] = a\nn += 1\n}", want: "live bytes"},
	{name: "arrays of 100,000 dropped", source: "loop { let a = []\na[100000] = 1\n}", want: "steps"},
	{name: "array by appending", source: "let a = []\nlet n = 0\nloop { a[n] = n\nn += 1\n}", want: "steps"},
	{name: "array by appending, with steps", source: "let a = []\nlet n = 0\nloop { a[n] = n\nn += 1\n}", want: "live bytes", limits: Limits{Steps: 20_000_000}},
	{name: "arrays in arrays", source: "let a = []\nloop { a = [a, a, a, a]; }", want: "live bytes", limits: Limits{Steps: 20_000_000}},
	{name: "live values", source: "let a = []\nloop { a = [a, 1]; }", want: "live values", limits: Limits{Values: 10_000}},
	{name: "array by concat", source: useStd + "let a = [1, 2]\nloop { a = array.concat(a, a); }", want: "LimitExceeded"},
	{name: "array by push", source: useStd + "let a = []\nloop { array.push(a, a); }", want: "LimitExceeded"},
	{name: "array by flatten", source: useStd + "let a = [1, 2]\nloop { a = array.flatten([a, a, a]); }", want: "LimitExceeded"},
	{name: "ranges kept", source: useStd + "let a = []\nlet n = 0\nloop { a[n] = array.range(0, 4096)\nn += 1\n}", want: "live bytes"},
	{name: "slices kept", source: useStd + "let r = array.range(0, 4096)\nlet a = []\nlet n = 0\nloop { a[n] = array.slice(r, 0, 4096)\nn += 1\n}", want: "live bytes"},
	{name: "record by keys", source: "let r = {}\nlet n = 0\nloop { r[\"k\" + n] = n\nn += 1\n}", want: "steps"},
	{name: "record by keys, with steps", source: "let r = {}\nlet n = 0\nloop { r[\"k\" + n] = n\nn += 1\n}", want: "live bytes", limits: Limits{Steps: 20_000_000}},
	{name: "records by with", source: useStd + "let r = {}\nlet n = 0\nloop { r = object.with(r, \"k\" + n, r)\nn += 1\n}", want: "live bytes"},
	{name: "records by merge", source: useStd + "let r = object.from_entries([" + listOf(500, func(i int) string { return fmt.Sprintf("[\"k%d\", 1]", i) }) + "])\nlet a = []\nlet n = 0\nloop { a[n] = object.merge(r, {x: 1})\nn += 1\n}", want: "live bytes"},
	{name: "entries kept", source: useStd + "let r = {" + listOf(500, func(i int) string { return fmt.Sprintf("k%d: 1", i) }) + "}\nlet a = []\nlet n = 0\nloop { a[n] = object.entries(r)\nn += 1\n}", want: "live bytes"},
	{name: "far byte", source: "let b = \"\".to_bytes()\nb[1e9] = 1", want: "live bytes"},
	{name: "bytes kept", source: "let s = \"" + rep(100_000, "x") + "\"\nlet a = []\nlet n = 0\nloop { a[n] = s.to_bytes()\nn += 1\n}", want: "live bytes"},
	{name: "closures kept", source: "let a = []\nlet n = 0\nloop { let x = n\na[n] = || x\nn += 1\n}", want: "live bytes", limits: Limits{Steps: 20_000_000}},
	{name: "just under the limit, over and over", source: "let k = []\nk[220000] = 1\nloop { let a = []\na[2000] = 1\n}", want: "steps"},

	// Values that contain themselves, are deep, or are wide when written out.
	{name: "cycle to JSON", source: "let a = [1]\na[0] = a\na.to_json()", want: "Unexpected"},
	{name: "cycle out of the program", source: "let a = {}\na.a = a\na", want: "json"},
	{name: "cycle to a tool", source: useStd + "let a = [1]\na[0] = {a: a}\ntool.call_json(\"echo\", a)", want: "Unexpected"},
	{name: "cycles compared", source: "let a = [1, 2]\nlet b = [1, 2]\na[1] = b\nb[1] = a\nlet c = [1, [1, a]]\n[a == b, a == c]", want: "ok"},
	{name: "cycles of different length compared", source: "fn ring(n) { let first = {}\nlet r = first\nfor i in n { let x = {}\nr.next = x\nr = x\n}\nr.next = first\nreturn first\n}\nring(996) == ring(1008)", want: "ok"},
	{name: "shared value compared", source: "let a = [1]\nlet b = [1]\nfor i in 60 { a = [a, a]\nb = [b, b]\n}\na == b", want: "ok"},
	{name: "shared value to JSON", source: "let a = [1]\nfor i in 60 { a = [a, a]; }\na.to_json()", want: "Unexpected"},
	{name: "shared value out of the program", source: "let a = [1]\nfor i in 60 { a = [a, a]; }\na", want: "json"},
	{name: "long chain compared", source: "let a = nil\nlet b = nil\nfor i in 8000 { a = [a]\nb = [b]\n}\na == b", want: "ok"},
	{name: "long chain to JSON", source: "let a = nil\nfor i in 10000 { a = [a]; }\na.to_json()", want: "Unexpected"},
	{name: "long chain out of the program", source: "let a = nil\nfor i in 10000 { a = [a]; }\na", want: "json"},
	{name: "long chain of closures", source: "let f = || 1\nfor i in 5000 { let g = f\nf = || g()\n}\nf()", want: "call depth"},
	{name: "long texts compared many times", source: "let s = \"" + rep(200_000, "x") + "\"\nlet a = []\na[50000] = 1\nlet b = []\nb[50000] = 1\nlet t = s + \"y\"\nlet u = s + \"y\"\nfor i in 2000 { a[i] = t\nb[i] = u\n}\na == b", want: "steps"},
	{name: "long keys", source: "let s = \"" + rep(200_000, "x") + "\"\nlet r = {}\nfor i in 9 { r[s + i] = i; }\nlet k = s + 8\nloop { r[k]; }", want: "steps"},
	{name: "records with long keys", source: useStd + "let s = \"" + rep(200_000, "x") + "\"\nlet r = {}\nfor i in 12 { r[s + i] = i; }\nloop { object.with(r, \"a\", 1); }", want: "steps"},
	{name: "records with long keys compared", source: "let s = \"" + rep(200_000, "x") + "\"\nlet r = {}\nlet q = {}\nfor i in 12 { let k = s + i\nr[k] = i\nq[k] = i\n}\nloop { r == q; }", want: "steps"},
	{name: "frames with many names", source: "fn f() { return 1; " + listLets(5_000) + " }\nloop { f(); }", want: "steps"},
	{name: "errors in a long source", source: "loop { try nope catch 1\ntry [][0] catch 1\n} // " + rep(100_000, "é"), want: "steps"},
	{name: "errors about a long name", source: "loop { try " + rep(200_000, "a") + " catch 1\n}", want: "steps"},
	{name: "compared over and over", source: "let a = []\na[4000] = 1\nlet b = []\nb[4000] = 1\nloop { a == b; }", want: "steps"},

	// Functions of std that do much at once.
	{name: "unique", source: useStd + "let a = array.range(0, 4096)\nloop { array.unique(a); }", want: "steps"},
	{name: "contains", source: useStd + "let a = array.range(0, 4096)\nloop { array.contains(a, -1); }", want: "steps"},
	{name: "contains long text", source: useStd + "let s = \"" + rep(60_000, "x") + "\"\nlet a = []\nfor i in 60 { a[i] = s + i; }\nloop { array.contains(a, s + \"ab\"); }", want: "steps"},
	{name: "search in a bad pattern", source: useStd + "let s = \"" + rep(100_000, "a") + "\"\nlet t = text.slice(s, 0, 50000) + \"b\"\nloop { text.index_of(s, t); }", want: "steps"},
	{name: "case of large text", source: useStd + "let s = \"" + rep(60_000, "é") + "\"\nloop { text.upper(s); }", want: "steps"},
	{name: "length of large text", source: useStd + "let s = \"" + rep(100_000, "é") + "\"\nloop { text.len(s); }", want: "steps"},
	{name: "split into too many", source: useStd + "text.split(\"" + rep(5000, "x,") + "\", \",\")", want: "LimitExceeded"},
	{name: "pick", source: useStd + "let r = object.from_entries([" + listOf(500, func(i int) string { return fmt.Sprintf("[\"k%d\", 1]", i) }) + "])\nlet k = object.keys(r)\nloop { object.pick(r, k); }", want: "steps"},
	{name: "clamp to NaN", source: useStd + "math.clamp(1, 0/0, 2)", want: "InvalidArgs"},

	// JSON.
	{name: "JSON nested deeper", source: "\"" + nested(65, "[", "", "]") + "\".parse_json()", want: "Unexpected"},
	{name: "JSON nested beyond reason", source: "\"" + rep(60_000, "[") + "\".parse_json()", want: "Unexpected"},
	{name: "JSON too long", source: "\"[" + rep(40_000, "1,") + "1]\".parse_json()", want: "Unexpected"},
	{name: "JSON of many arrays", source: "let a = []\nlet n = 0\nloop { a[n] = \"[" + rep(20_000, "[],") + "[]]\".parse_json()\nn += 1\n}", want: "live bytes"},
	{name: "JSON of many records", source: "let a = []\nlet n = 0\nloop { a[n] = \"[" + rep(8_000, `{\"a\":1},`) + "{}]\".parse_json()\nn += 1\n}", want: "live bytes"},
	{name: "JSON of many keys", source: "let a = []\nlet n = 0\nloop { a[n] = \"{" + jsonKeys(4000) + "}\".parse_json()\nn += 1\n}", want: "live bytes"},
	{name: "JSON over and over", source: "loop { \"[" + rep(20_000, "[],") + "[]]\".parse_json(); }", want: "steps"},
	{name: "JSON number of many digits", source: "\"" + rep(60_000, "9") + "\".parse_json() == 1/0", want: "ok"},

	// Tools and promises.
	{name: "promise flood", source: useStd + "loop { tool.start(\"echo\", \"x\"); }", want: "NotAllowed"},
	{name: "promise flood in try", source: useStd + "loop { try tool.start(\"echo\", \"x\") catch nil\n}", want: "steps"},
	{name: "promises awaited without end", source: useStd + "loop { tool.start(\"echo\", \"x\").await(); }", want: "steps"},
	{name: "promises kept", source: useStd + "let a = []\nlet n = 0\nlet s = \"" + rep(50_000, "x") + "\"\nloop { let p = tool.start(\"echo\", s)\np.await()\na[n] = p\nn += 1\n}", want: "live bytes",
		limits: Limits{Steps: 2_000_000}}, // the inputs are paid for too
	{name: "refused without end", source: useStd + "loop { try tool.call(\"refused\", \"x\") catch nil\n}", want: "steps"},
	{name: "promise as a value", source: useStd + "tool.start(\"echo\", \"x\")", want: "json"},
	{name: "module without end", source: "loop { mod.orders.list({a: 1}); }", want: "steps"},

	// Literals and source that is large or deep.
	{name: "nested parentheses", source: nested(3000, "(", "1", ")"), want: "syntax"},
	{name: "nested arrays", source: nested(3000, "[", "1", "]"), want: "syntax"},
	{name: "nested records", source: nested(3000, "{a: ", "1", "}"), want: "syntax"},
	{name: "nested blocks", source: nested(3000, "if a { ", "1;", " };"), want: "syntax"},
	{name: "nested lambdas", source: rep(10_000, "|x| ") + "x", want: "syntax"},
	{name: "nested tries", source: rep(10_000, "try ") + "1", want: "syntax"},
	{name: "nested ifs", source: rep(10_000, "if a ") + "1", want: "syntax"},
	{name: "open parentheses", source: rep(30_000, "("), want: "syntax"},
	{name: "open braces", source: rep(30_000, "{"), want: "syntax"},
	{name: "closed braces", source: rep(30_000, "}"), want: "syntax"},
	{name: "nothing but errors", source: rep(60_000, "# "), want: "syntax"},
	{name: "as deep as allowed", source: nested(126, "[", "1", "]"), want: "json"},
	{name: "functions as deep as allowed", source: nested(60, "(|x| ", "x", ")(1)"), want: "ok"},
	{name: "a long sum", source: "1" + rep(16_000, " + 1"), want: "ok"},
	{name: "a long or", source: "0" + rep(16_000, " || 0"), want: "ok"},
	{name: "a long chain of assignments", source: "let a = 1\n" + rep(16_000, "a = ") + "1", want: "ok"},
	{name: "a long chain of field assignments", source: "let a = {}\n" + rep(8_000, "a.b = ") + "1", want: "ok"},
	{name: "a longer chain of field assignments", source: "let a = {}\n" + rep(40_000, "a.b = ") + "1", want: "operand stack", limits: Limits{Tokens: 1 << 20, SourceBytes: 1 << 20, Stack: 32_768, Steps: 1 << 20}},
	{name: "a long chain of calls", source: "let f = || f\nf" + rep(10_000, "()"), want: "json"},
	{name: "a long chain of fields", source: "let a = {}\na.a = a\na" + rep(15_000, ".a"), want: "json"},
	{name: "a long chain of indexes", source: "let a = []\na[0] = a\na" + rep(10_000, "[0]"), want: "json"},
	{name: "a long chain of elifs", source: "if 0 1" + rep(10_000, " elif 0 1"), want: "ok"},
	{name: "many lets", source: listLets(5_000) + "1", want: "ok"},
	{name: "many functions", source: manyFns(2_500), want: "ok"},
	{name: "many names from outside", source: listLets(3_000) + "let f = || [" + listOf(3_000, func(i int) string { return fmt.Sprintf("v%d", i) }) + "]\nlet n = 0\nloop { f()\nn += 1\n}", want: "steps"},
	{name: "many parameters", source: "fn f(" + listOf(10_000, func(i int) string { return fmt.Sprintf("p%d", i) }) + ") {}\nf()", want: "ok"},
	{name: "many arguments", source: "fn f() {}\nf(" + listOf(14_000, func(int) string { return "1" }) + ")", want: "ok"},
	{name: "many elements", source: "[" + listOf(16_000, func(int) string { return "1" }) + "]", want: "ok"},
	{name: "many fields", source: "{" + listOf(8_000, func(i int) string { return fmt.Sprintf("f%d: 1", i) }) + "}", want: "json", limits: Limits{JSONBytes: 1000}},
	{name: "a long name", source: "let " + rep(200_000, "a") + " = 1", want: "ok"},
	{name: "an unknown long name", source: rep(200_000, "a"), want: "NotFound"},
	{name: "a long number", source: rep(200_000, "9") + " == 1/0", want: "ok"},
	{name: "a long fraction", source: "0." + rep(200_000, "1"), want: "ok"},
	{name: "a long text", source: "\"" + rep(200_000, "x") + "\"", want: "json"},
	{name: "a long path", source: "use mod" + rep(15_000, ".std"), want: "NotFound"},
	{name: "a long comment", source: "/*" + rep(100_000, "* ") + "*/1", want: "ok"},
	{name: "an open comment", source: "/*" + rep(100_000, "* "), want: "syntax"},
	{name: "newlines", source: rep(32_769, "\n"), want: "syntax"},
	{name: "a source too long", source: rep(262_145, " "), want: "source bytes"},

	// Ways to get around a try that limits must not pass through.
	{name: "try in a loop around recursion", source: "fn f() { return f(); }\nloop { try f() catch 1\n}", want: "call depth"},
	{name: "tries as deep as allowed around a loop", source: nested(60, "try { ", "loop {}; 1;", " } catch { 2; };"), want: "steps"},
	{name: "catch of a catch", source: "try { try { loop {}; 1; } catch { loop {}; 1; }; } catch { loop {}; 1; }", want: "steps"},
	{name: "break out of try without a loop", source: "try { break; 1; } catch { 2; }", want: "NotAllowed"},
	{name: "tries left behind by break", source: "let n = 0\nloop { n += 1\ntry { if n > 5000 { break; }\ncontinue\n1\n} catch { 1; }\n}\nnope", want: "NotFound"},
	{name: "tries left behind by return", source: "fn f() { try { return 1\n1\n} catch { 2; }\n}\nfor i in 5000 { f(); }\nnope", want: "NotFound"},
}

func listLets(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "let v%d = %d;", i, i)
	}
	return b.String()
}

func manyFns(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "fn f%d() { return f%d; };", i, (i+1)%n)
	}
	return b.String() + "1"
}

func jsonKeys(n int) string {
	return listOf(n, func(i int) string { return fmt.Sprintf(`\"k%d\":1`, i) })
}

var hostileHost = Tools(func(_ context.Context, c Call) (string, error) {
	switch c.Tool {
	case "echo":
		return c.Input, nil
	case "large":
		return rep(1_000_000, "x"), nil
	case "orders.list":
		return `[{"id": 1}]`, nil
	}
	return "", errors.New("refused")
})

// outcome names how an evaluation ended.
func outcome(v Value, err error, limits Limits) string {
	var syntax *SyntaxError
	var limit *LimitError
	var e *Error
	switch {
	case errors.As(err, &syntax):
		return "syntax"
	case errors.As(err, &limit):
		return string(limit.Bound)
	case errors.As(err, &e):
		return string(e.Kind)
	case err != nil:
		return err.Error()
	}
	if _, err := v.JSON(limits); err != nil {
		return "json"
	}
	return "ok"
}

// TestHostilePrograms holds that every program of the table ends as it should, within its steps and its account of
// memory, and that what the process holds at its worst stays under four times the byte budget.
func TestHostilePrograms(t *testing.T) {
	if len(hostilePrograms) < 60 {
		t.Fatalf("only %d programs", len(hostilePrograms))
	}
	// An eager collector, so that what is seen is the program's memory and not the collector's habit.
	defer debug.SetGCPercent(debug.SetGCPercent(25))
	var worst uint64
	var worstName string
	var slowest time.Duration
	var slowestName string
	for _, h := range hostilePrograms {
		t.Run(h.name, func(t *testing.T) {
			limits := h.limits.filled()
			budget := uint64(limits.Bytes)
			var peak uint64
			var took time.Duration
			for try := 1; ; try++ {
				watch := startWatch()
				start := time.Now()
				got := runHostile(t, h, limits)
				took = time.Since(start)
				peak = watch.stop()
				if got != h.want {
					t.Errorf("ends with %s, want %s", got, h.want)
				}
				if peak <= 4*budget {
					break
				}
				// Garbage counts too, and a busy machine can starve the collector: only what repeats is the program's.
				if try == 3 {
					t.Errorf("holds %d bytes at its worst, over four times the budget of %d", peak, budget)
					break
				}
			}
			if peak > worst {
				worst, worstName = peak, h.name
			}
			if took > slowest {
				slowest, slowestName = took, h.name
			}
			if took > 30*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
	t.Logf("%d programs; most memory %.1f MB (%s); most time %v (%s)", len(hostilePrograms), float64(worst)/1e6, worstName, slowest, slowestName)
}

func runHostile(t *testing.T, h hostile, limits Limits) string {
	p, err := Parse(h.source, limits)
	if err != nil {
		return outcome(Value{}, err, limits)
	}
	e, err := p.Begin(Config{
		Limits:  limits,
		Host:    hostileHost,
		Modules: []Module{{Name: "orders", Methods: []Method{{Name: "list", Tool: "orders.list"}}}},
		Globals: map[string]json.RawMessage{"workflow": json.RawMessage(`{"input":{},"outputs":{}}`)},
	})
	if err != nil {
		return outcome(Value{}, err, limits)
	}
	e.m.peakTest = true
	for {
		done, err := e.Resume(context.Background())
		if done || err != nil {
			checkBounds(t, e, limits)
			return outcome(e.Value(), err, limits)
		}
		if !e.RunNext(context.Background()) {
			t.Fatal("nothing to run")
		}
	}
}

// checkBounds holds that an evaluation never passed a bound.
func checkBounds(t *testing.T, e *Evaluation, limits Limits) {
	t.Helper()
	m := &e.m
	switch {
	case e.Steps() > limits.Steps:
		t.Errorf("%d steps", e.Steps())
	case m.maxBytes > limits.Bytes:
		t.Errorf("%d live bytes", m.maxBytes)
	case m.maxValues > limits.Values:
		t.Errorf("%d live values", m.maxValues)
	case len(m.frames) > limits.CallDepth:
		t.Errorf("%d frames", len(m.frames))
	case len(m.stack) > limits.Stack:
		t.Errorf("%d operands", len(m.stack))
	case len(m.pending) > limits.Pending:
		t.Errorf("%d promises", len(m.pending))
	}
}

// watch samples the heap of the process while a program runs.
type watch struct {
	quit chan struct{}
	done sync.WaitGroup
	base uint64
	peak uint64
}

func heapObjects(s []metrics.Sample) uint64 {
	metrics.Read(s)
	return s[0].Value.Uint64()
}

func startWatch() *watch {
	w := &watch{quit: make(chan struct{})}
	runtime.GC()
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	w.base = heapObjects(s)
	w.done.Go(func() {
		for {
			w.peak = max(w.peak, heapObjects(s))
			select {
			case <-w.quit:
				w.peak = max(w.peak, heapObjects(s))
				return
			case <-time.After(200 * time.Microsecond):
			}
		}
	})
	return w
}

func (w *watch) stop() uint64 {
	close(w.quit)
	w.done.Wait()
	return w.peak - min(w.base, w.peak)
}

// TestAHostReadsNoMoreThanStepsPayFor holds that a program cannot make its host read for ever by calls that are denied:
// names and inputs are paid for by the byte.
func TestAHostReadsNoMoreThanStepsPayFor(t *testing.T) {
	long := `let s = "` + rep(1_000, "x") + `"; let i = 0; while i < 6 { s += s; i += 1; };`
	for _, call := range []string{`tool.call("t", s)`, `tool.call(s, "")`, `tool.start("t", s)`, `tool.start(s, "")`} {
		limits := Limits{Steps: 100_000}
		read := 0
		deny := Tools(func(_ context.Context, c Call) (string, error) {
			read += len(c.Tool) + len(c.Input)
			return "", errors.New("denied")
		})
		_, err := Eval(t.Context(), "use mod.tool; "+long+" loop { try "+call+" catch nil; }", Config{Limits: limits, Host: denying{deny}})
		var limit *LimitError
		if !errors.As(err, &limit) || limit.Bound != BoundSteps || read == 0 || read > 8*limits.Steps {
			t.Errorf("%s: %d bytes, %v", call, read, err)
		}
	}
}

// denying denies deferred calls when they are started.
type denying struct{ Tools }

func (d denying) Start(ctx context.Context, c Call) (Work, error) {
	_, err := d.Call(ctx, c)
	return nil, err
}

// TestAnswersCountBeforeTheyAreAwaited holds that what tools answered is in the account of memory as soon as it is there:
// a program that keeps promises and never looks at most of them is stopped like one that keeps the texts.
func TestAnswersCountBeforeTheyAreAwaited(t *testing.T) {
	held := 0
	host := Tools(func(context.Context, Call) (string, error) {
		held += 100_000
		return rep(100_000, "x"), nil
	})
	_, err := Eval(t.Context(), `use mod.tool
let kept = []
let n = 0
loop {
	let last = nil
	let i = 0
	while i < 50 { last = tool.start("t", ""); kept[n] = last; n += 1; i += 1; }
	last.await()
}`, Config{Host: host})
	limits := DefaultLimits()
	var limit *LimitError
	if !errors.As(err, &limit) || limit.Bound != BoundBytes || held > limits.Bytes+limits.Pending*100_000 {
		t.Errorf("%d bytes held, %v", held, err)
	}
}
