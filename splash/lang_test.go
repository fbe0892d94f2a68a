package splash

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// run evaluates a source with a small host and names how it ends: the JSON of its value, or the kind of its error, or
// "syntax". A function has no JSON and ends as "<function>".
func run(src string) string {
	v, err := Eval(context.Background(), src, Config{
		Host: hostileHost,
		Modules: []Module{{Name: "orders", Methods: []Method{
			{Name: "list", Tool: "orders.list"},
			{Name: "later", Tool: "orders.list", Deferred: true},
			{Name: "refused", Tool: "refused"},
		}}},
		Globals: map[string]json.RawMessage{"workflow": json.RawMessage(`{"input":{"n":-5,"list":[1,-2.5e-3]},"outputs":{"a.b":1}}`)},
	})
	if err == nil {
		return v.String()
	}
	return outcome(v, err, Limits{})
}

// TestLanguage states the language, rule by rule.
func TestLanguage(t *testing.T) {
	tests := []struct{ rule, source, want string }{
		// Text and tokens.
		{"SL-2 form feeds and tabs are blanks", "\t1\f+\t2 ", "3"},
		{"SL-2 CR LF ends a line", "let a = 4\r\na", "4"},
		{"SL-2 a lone CR does not", "let a = 4\ra", "syntax"},
		{"SL-3 comments", "// one\n/* two\nthree */ 7 // four", "7"},
		{"SL-3 a line break in a comment ends a statement", "let a = 3 /* \n */ a", "3"},
		{"SL-3 a star swallows the next character", "/* ** */ 1 /* **/ */ 2", "syntax"},
		{"SL-4 names that look special", "let not = 1\nlet as = 2\nlet std = 3\nlet await = 4\nlet catch = 5\n[not, as, std, await, catch]", "[1,2,3,4,5]"},
		{"SL-4 case counts", "let Aa = 1\naA", "NotFound"},
		{"SL-4 reserved words are no fields", "{}.loop", "syntax"},
		{"SL-5 leading zeros are decimal", "010 + 1.50", "11.5"},
		{"SL-5 exponents", "[2e2, 2E-1, 25e+1]", "[200,0.2,250]"},
		{"SL-5 a number and a field", "let r = {k: 1}\n[r].k", "NotFound"},
		{"SL-5 a digit group", "1_0", "syntax"},
		{"SL-6 escapes", `"\u{61}\u0062\"\\\t"`, `"ab\"\\\t"`},
		{"SL-6 the highest character", `"\u{10FFFF}" == "\u{10ffff}"`, "true"},
		{"SL-6 no surrogate pairs", `"\uD83D\uDE00"`, "syntax"},
		{"SL-6 single quotes", `'a'`, "syntax"},
		{"SL-7 operators that run together", "1 --1", "syntax"},
		{"SL-7 with blanks", "1 - -1", "2"},

		// Grammar.
		{"SL-9 no trailing comma", "[1, 2, ]", "syntax"},
		{"SL-9 a call stays on its line", "fn f(a) { return a; }\nf(1\n)", "syntax"},
		{"SL-9 members on lines of their own", "{\n  a: 1\n\n  b: 2,\n  c: 3\n}", `{"a":1,"b":2,"c":3}`},
		{"SL-9 a terminator before the brace", "if true { 1 }", "syntax"},
		{"SL-10 a block is no record", "(|| ({a: 1}))()", `{"a":1}`},
		{"SL-10 repeated keys: last wins, first place", "{a: 1, b: 2, a: 3}", `{"a":3,"b":2}`},
		{"SL-10 repeated parameters: first argument", "(|p, p, q| [p, q])(1, 2, 3)", "[1,3]"},
		{"SL-10 a lambda as a condition", "if |x| x {}", "syntax"},
		{"SL-10 an assignment ends a try block", "let a = 0\ntry { a = 1; } catch { a = 2; }\na", "1"},
		{"SL-10 a loop does not", "try { for i in 3 {}; } catch { 1; }", "syntax"},

		// Outcome.
		{"SL-13 the last expression", "1\n2", "2"},
		{"SL-13 let gives nil", "let a = 1", "null"},
		{"SL-13 an empty program", " // nothing", "null"},
		{"SL-13 fn gives the function", "fn f() {}", "<function>"},
		{"SL-13 return ends the program", "if true { return [1]; }\nnope", "[1]"},
		{"SL-13 a bare return", "return\n1", "null"},
		{"SL-13 Q1 the first error ends the program", "nope\n1", "NotFound"},
		{"SL-14 Q18 an assignment gives nil", "let a = [1]\nlet b = (a[0] = 2)\n[a, b]", "[[2],null]"},
		{"SL-14 in a chain", "let a = 1\nlet b = 1\na = b = 2\n[a, b]", "[null,2]"},
		{"SL-14 in a compound chain", "let a = 1\nlet b = 1\na += b += 2\n[a, b]", "[1,3]"},

		// Values and operators.
		{"SL-15 doubles", "[9007199254740993, 0.1 + 0.2]", "[9007199254740992,0.30000000000000004]"},
		{"SL-15 fields keep their order", "let r = {z: 1, a: 2}\nr.m = 3\nr.z = 4\nr", `{"z":4,"a":2,"m":3}`},
		{"SL-16 references", "let a = [1]\nlet r = {a: a}\nr.a[0] = 2\na", "[2]"},
		{"SL-17 truth", "[!nil, !0, !(-0), !\"\", !(0/0), ![], !{}, !\"0\", !false]", "[true,true,true,true,false,false,false,false,true]"},
		{"SL-18 no coercion", `["1" == 1, true == 1, nil == false, nil == 0, 1 == 1.0]`, "[false,false,false,false,true]"},
		{"SL-18 records by keys and values", "{a: [1, {b: nil}], c: 2} == {c: 2, a: [1, {b: nil}]}", "true"},
		{"SL-18 a missing key is not nil", "{a: nil} == {b: nil}", "false"},
		{"SL-18 bytes", `["ab".to_bytes() == "ab".to_bytes(), "ab".to_bytes() == [97, 98]]`, "[true,false]"},
		{"SL-18 Q20 NaN and functions", "let n = 0/0\nlet f = || 1\n[n == n, n != n, f == f, (|| 1) == (|| 1), [n] == [n]]", "[false,true,true,false,false]"},
		{"SL-18 Q26 cycles", "let a = {n: 1}\na.a = a\nlet b = {n: 1, a: {n: 1}}\nb.a.a = b\nlet c = {n: 1, a: {n: 2}}\nc.a.a = c\n[a == b, a == c]", "[true,false]"},
		{"SL-19 order", "[nil < 1, true >= 1, 0/0 < 1, 0/0 >= 1, 2 > 1.5]", "[true,true,false,false,true]"},
		{"SL-19 Q12 no order of strings", `"a" < "b"`, "TypeMismatch"},
		{"SL-20 doubles and nil", "[7 % -4, -7 % 4, 7 % 0.75, nil + 2, true * 3, -true, 1 / 4]", "[3,-3,0.25,2,3,-1,0.25]"},
		{"SL-20 remainders that are zero", "[1 / (-6 % 3) < 0, 6 % 3]", "[true,0]"},
		{"SL-20 Q6 Q8 unary", `[!(1 + 1), +"a", ~[1]]`, `[false,"a",[1]]`},
		{"SL-20 Q12", "[1] - 1", "TypeMismatch"},
		{"SL-20 negation of text", `-"1"`, "TypeMismatch"},
		{"SL-21 text", `["a" + 1.50, nil + "a" + nil, true + "a", "a" + 1e-7, "a" + -0.0, "a" + 1e21, "a" + 0/0, "a" + -1/0]`,
			`["a1.5","a","truea","a0.0000001","a-0","a1000000000000000000000","aNaN","a-inf"]`},
		{"SL-21 from the left", `1 + 2 + "a" + 1 + 2`, `"3a12"`},
		{"SL-21 no arrays", `"a" + [1]`, "TypeMismatch"},
		{"SL-22 the deciding operand", `[0 || "", 1 && "x", nil && nope, "y" || nope]`, `["","x",null,"y"]`},
		{"SL-23 Q5 precedence", "[true || true && false, 2 == 2 < 2, 1 + 2 * 3 - 4 / 2, 10 - 3 - 2]", "[true,false,5,5]"},

		// Names.
		{"SL-60 if opens no scope", "if true { let a = 1; } else { let b = 2; }\na", "1"},
		{"SL-60 a branch not taken", "if false { let a = 1; }\na", "NotFound"},
		{"SL-60 a branch not taken leaves the outer name", "let a = 1\nfn f(c) { if c { let a = 2; }\nreturn a\n}\n[f(true), f(false)]", "[2,1]"},
		{"SL-60 writes follow the same way", "let a = 1\nfn f(c) { if c { let a = 2; }\na += 10\n}\nf(true)\nf(false)\na", "11"},
		{"SL-60 a name before its let is the outer one", "let a = 1\nfn f() { let b = a\nlet a = 2\nreturn [b, a]\n}\nf()", "[1,2]"},
		{"SL-60 an abandoned let", "let a = 1\nfn f() { try { nope; let a = 2; a; } catch { 0; }\nreturn a\n}\nf()", "1"},
		{"SL-60 loops open scopes", "for i in 2 { let a = i; }\na", "NotFound"},
		{"SL-60 while covers its condition", "let n = 0\nwhile (if true { let m = n\nm < 3\n}) { n = m + 1; }\nn", "3"},
		{"SL-61 old bindings live on in closures", "let a = 1\nlet f = || a\nlet a = a + 1\n[f(), a]", "[1,2]"},
		{"SL-61 bindings are shared", "let a = 1\nlet get = || a\nlet set = |v| { a = v; }\nset(5)\n[a, get()]", "[5,5]"},
		{"SL-61 each round its own", "let f = []\nfor i in 3 { let j = i * 2\nf[i] = || i + j\n}\n[f[0](), f[1](), f[2]()]", "[0,3,6]"},
		{"SL-61 in loop and while too", "let f = []\nlet n = 0\nwhile n < 2 { let k = n\nf[n] = || k\nn += 1\n}\n[f[0](), f[1]()]", "[0,1]"},
		{"SL-61 three functions deep", "fn a(x) { return || { return || { x += 1\nreturn x\n}\n}\n}\nlet f = a(1)()\nf()\nf()", "3"},
		{"SL-62 not hoisted", "f()\nfn f() {}", "NotFound"},
		{"SL-62 each other", "fn even(n) { if n == 0 { return true; }\nreturn odd(n - 1)\n}\nfn odd(n) { if n == 0 { return false; }\nreturn even(n - 1)\n}\neven(10)", "true"},
		{"SL-62 a let that comes later", "fn f() { return later; }\nlet a = 1\nlet a = 2\nlet later = a\nf()", "2"},
		{"SL-63 undeclared", "a = 1", "NotFound"},
		{"SL-63 a parameter", "let a = 1\nfn f(b) { b = 2; }\nf(a)\na", "1"},
		{"SL-63 no place", "1 + 1 = 2", "Immutable"},
		{"SL-63 in parentheses", "let a = 1\n(a) = 2\na", "2"},
		{"SL-63 a missing field", "let r = {}\nr.n += 1", "NotFound"},
		{"SL-63 a missing key reads nil", "let r = {}\nr[\"n\"] += 1\nr", `{"n":1}`},
		{"SL-64 Q2 in order", "let a = 1\nfn f() { a = 10\nreturn 1\n}\n[a + f(), a]", "[2,10]"},

		// Statements.
		{"SL-24 Q3 if as a value", "[if 1 { 2; }, if 0 1, if 0 1 elif 1 { let a = 1; } else 3, if nil 1 else 4]", "[2,null,null,4]"},
		{"SL-24 the first that holds", "if 0 { nope; } elif 1 2 elif nope 3", "2"},
		{"SL-25 loops give nil", "[loop { break; }, for i in 1 {}, while 0 {}]", "[null,null,null]"},
		{"SL-25 break out of an expression", "let n = 0\nloop { n += 1\nlet a = [n, if n > 2 { break; } else 1]\n}\nn", "3"},
		{"SL-25 continue out of tries", "let n = 0\nfor i in 4 { try { try { if i % 2 { continue; }\n1\n} catch 2; } catch 3\nn += 1\n}\nn", "2"},
		{"SL-25 break stays in its function", "for i in 2 { (|| { break; })(); }", "NotAllowed"},
		{"SL-25 Q22 and no try helps", "try { continue; 1; } catch 2", "NotAllowed"},
		{"SL-25 return out of loops and tries", "fn f() { for i in 3 { try { if i { return i; }\n1\n} catch 2; }\n}\nf()", "1"},
		{"SL-26 arrays", "let n = 0\nfor v in [5, 6] { n = n * 10 + v; }\nn", "56"},
		{"SL-26 names", "let o = []\nfor i, v in [5, 6] { o[i] = [i, v]; }\no", "[[0,5],[1,6]]"},
		{"SL-26 Q21 three names over an array", "let o = []\nfor i, k, v in [5, 6] { o[i] = [k, v]; }\no", "[[0,5],[1,6]]"},
		{"SL-26 Q13 records", "let o = []\nfor i, k, v in {a: 1, b: 2} { o[i] = k + v; }\nfor k, v in {c: 3} { o[2] = k + v; }\nfor v in {d: 4} { o[3] = v; }\no", `["a1","b2","c3",4]`},
		{"SL-26 numbers", "let o = []\nfor i, v in 2.5 { o[i] = v; }\nfor i, k, v in 1 { o[3] = [i, k, v]; }\nfor v in -1 { nope; }\no", "[0,1,2,[0,0,0]]"},
		{"SL-26 bytes", `let n = 0` + "\n" + `for i, b in "az".to_bytes() { n += i * b; }` + "\nn", "122"},
		{"SL-26 others give no rounds", `for v in "abc" { nope; }` + "\nfor v in nil { nope; }\nfor v in true { nope; }\nfor v in (|| 1) { nope; }\n1", "1"},
		{"SL-26 items added on the way", "let a = [1]\nfor v in a { if v < 4 { a[v] = v + 1; }; }\na", "[1,2,3,4]"},
		{"SL-26 the loop variable is its own", "let a = [1, 2]\nfor v in a { v += 1; }\na", "[1,2]"},
		{"SL-27 arguments", "fn f(a, b) { return [a, b]; }\n[f(1), f(1, 2, 3)]", "[[1,null],[1,2]]"},
		{"SL-27 surplus ones are evaluated", "fn f() {}\nf(nope)", "NotFound"},
		{"SL-27 block bodies", "[(|| { 1; })(), (|| 1)()]", "[null,1]"},
		{"SL-27 no function", "let a = 1\na()", "TypeMismatch"},
		{"SL-27 self", "let r = {n: 1, f: |a| [self.n, a], g: |a, self, b| [a, self.n, b]}\n[r.f(2), r.g(3, 4), r.g()]", "[[1,2],[3,1,4],[null,1,null]]"},
		{"SL-27 no self otherwise", `let r = {n: 1, f: || self}` + "\n" + `try r["f"]() catch "none"`, `"none"`},
		{"SL-27 self declared, called plainly", "(|self, a| [self, a])(1)", "[null,1]"},
		{"SL-27 self inside closures", "let r = {n: 1, f: || (|| self.n)()}\nr.f()", "1"},
		{"SL-27 the nearer self", "let self = 0\nlet r = {f: || self == r}\n[r.f(), (|| self)()]", "[true,0]"},

		// Access.
		{"SL-28 fields", "{a: 1}.b", "NotFound"},
		{"SL-28 keys", `let r = {a: 1}` + "\n" + `[r["a"], r["b"]]`, "[1,null]"},
		{"SL-28 Q13 one key space", `let r = {}` + "\n" + `r["a"] = 1` + "\nr.a += 1\nr", `{"a":2}`},
		{"SL-28 no properties", `"abc".len`, "NotFound"},
		{"SL-28 Q25 keys are strings", "let r = {}\nr[0]", "TypeMismatch"},
		{"SL-28 Q25 on write", "let r = {}\nr[true] = 1", "TypeMismatch"},
		{"SL-29 Q14 indexes", "[1, 2][2]", "OutOfBounds"},
		{"SL-29 negative", "[1, 2][-1]", "OutOfBounds"},
		{"SL-29 fraction", "[1, 2][0.5]", "OutOfBounds"},
		{"SL-29 kinds", "[1, 2][nil]", "TypeMismatch"},
		{"SL-29 no array", `"ab"[0]`, "WrongValue"},
		{"SL-30 gaps", "let a = [1]\na[2] = 3\na", "[1,null,3]"},
		{"SL-30 Q15 places", "let r = {a: 1, b: 2}\nr.a = 3\nr[\"b\"] = 4\nr", `{"a":3,"b":4}`},
		{"SL-30 Q19 bytes", `let b = "".to_bytes()` + "\nb[0] = 65.9\nb[2] = 300\nb[3] = -1\nb", "[65,0,255,0]"},
		{"SL-30 no place to write", "let a = nil\na.b = 1", "WrongValue"},
		{"SL-30 text is not written", `let a = "x"` + "\na[0] = 1", "WrongValue"},
		{"SL-30 Q10 modules", "mod.extra = 1", "Immutable"},
		{"SL-30 mod itself", "mod = 1", "Immutable"},
		{"SL-30 by key", "use mod.std\nstd[\"math\"] = 1", "Immutable"},

		// Errors.
		{"SL-31 try", "[try nope catch 1, try 2 catch nope, try (try nope catch nope) catch 3]", "[1,2,3]"},
		{"SL-31 effects stay", "let a = 0\ntry { a = 1; nope; } catch a", "1"},
		{"SL-31 from called functions", "fn f(n) { if n == 0 { nope; }\nreturn f(n - 1)\n}\nlet a = [1, try f(50) catch 2]\na", "[1,2]"},
		{"SL-31 the fallback's error goes on", "try nope catch [][0]", "OutOfBounds"},
		{"SL-31 NaN is no error", "let n = try 0/0 catch 1\nn == n", "false"},
		{"SL-33 limits are not caught", "try { loop {}; 1; } catch 2", "steps"},

		// Text and JSON.
		{"SL-34 methods", `[5 .to_json(), nil.to_json(), "[1]".parse_json(), "[2]".to_bytes().parse_json(), "é".to_bytes()]`, `["5","null",[1],[2],[195,169]]`},
		{"SL-34 a field comes first", "{to_json: || 1}.to_json()", "1"},
		{"SL-34 no others", "[1].len()", "NotFound"},
		{"SL-34 not for all", "[1].parse_json()", "NotFound"},
		{"SL-35 writing", `{b: "\"\u0001\n/é", a: [nil, true, -0.0]}.to_json()`, `"{\"b\":\"\\\"\\u0001\\n/é\",\"a\":[null,true,-0]}"`},
		{"SL-35 reading", `"{\"b\":[-1.5e-2,\"\\ud83d\\ude00\\b\"],\"a\":1,\"b\":-0}".parse_json()`, `{"b":0,"a":1}`},
		{"SL-35 escapes", `"\"\\u00e9\\\"\\/\"".parse_json()`, `"é\"/"`},
		{"SL-35 scalars", `["-5".parse_json(), " true ".parse_json(), "null".parse_json(), "1e400".parse_json() == 1/0]`, "[-5,true,null,true]"},
		{"SL-35 errors can be caught", `try "[1,]".parse_json() catch "bad"`, `"bad"`},
		{"SL-36 numbers", "[1e21, 1e-5, 9.99e-6, 1e-7, 123.456, -0.0]", "[1000000000000000000000,0.00001,9.99e-6,1e-7,123.456,0]"},
		{"SL-36 no infinity", "[1/0].to_json()", "Unexpected"},

		// Modules.
		{"SL-37 use", "use mod.std.text.upper\nlet t = mod.std.text\n[upper(\"a\"), t.lower(\"B\"), mod.std[\"text\"][\"len\"](\"é\")]", `["A","b",1]`},
		{"SL-37 a module is no data", "use mod.std.math\nmath.to_json()", "Unexpected"},
		{"SL-37 missing", "use mod.std.nothing", "NotFound"},
		{"SL-37 through a value", "use mod.std.math.pi.more", "NotFound"},
		{"SL-37 local", "fn f() { use mod.std.text\nreturn text.len(\"a\")\n}\nf()\ntext", "NotFound"},
		{"SL-37 the tree, not the name", "let mod = {}\nuse mod.std.text\ntext.len(\"ab\")", "2"},
		{"SL-38 assert", "use mod.std.assert\nassert(true, 1)", "null"},
		{"SL-38 only true", "use mod.std.assert\nassert(1)", "AssertFailure"},
		{"SL-44 names may be computed", `mod.tool.call("ec" + "ho", "x")`, `"x"`},
		{"SL-44 strings", `mod.tool.call("echo", 5)`, "NotAllowed"},
		{"SL-44 the name too", `mod.tool.start(5, "x")`, "NotAllowed"},
		{"SL-44 refused", `mod.tool.call("refused", "x")`, "NotAllowed"},
		{"SL-44 caught", `try mod.tool.call("refused", "x") catch 1`, "1"},
		{"SL-44 JSON", `use mod.tool` + "\n" + `[tool.call_json("echo", {b: "\\", a: 1}), tool.start_json("echo", [1]).await()]`, `["{\"b\":\"\\\\\",\"a\":1}","[1]"]`},
		{"SL-44 Q16 functions are not written", `mod.tool.call_json("echo", {f: || 1})`, "Unexpected"},
		{"SL-44 awaited twice", "use mod.tool\nlet p = tool.start(\"echo\", \"x\")\n[p.await(), p.await()]", `["x","x"]`},
		{"SL-44 a deferred one fails at await", "use mod.tool\nlet p = tool.start(\"refused\", \"x\")\n[try p.await() catch 1, try p.await() catch 2]", "[1,2]"},
		{"SL-45 any order", "use mod.tool\nlet p = tool.start(\"echo\", \"1\")\nlet q = tool.start(\"echo\", \"2\")\n[q.await(), p.await()]", `["2","1"]`},
		{"SL-46 modules give values", "use mod.orders\n[orders.list({a: 1})[0].id, orders.later({}).await()]", `[1,[{"id":1}]]`},
		{"SL-46 refused", "mod.orders.refused({})", "NotAllowed"},
		{"WD-68 the context", `[workflow.input.n, workflow.input.list, workflow.outputs["a.b"], workflow["x"]]`, "[-5,[1,-0.0025],1,null]"},
		{"WD-68 may be changed", "workflow.input = 1\nlet w = workflow\nworkflow = 2\n[w.input, workflow]", "[1,2]"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if got := run(tt.source); got != tt.want {
				t.Errorf("%s\n got %s\nwant %s", tt.source, got, tt.want)
			}
		})
	}
}

// TestErrorPositions holds that an uncaught error names the place, in scalars, and the kind (SL-13, SL-32).
func TestErrorPositions(t *testing.T) {
	tests := []struct {
		source       string
		line, column int
		message      string
	}{
		{"let é = 1", 1, 5, ""}, // not a name: a diagnostic
		{"let a = \"é😀\" + nope", 1, 16, `nothing is called "nope" here`},
		{"let r = {}\n\n  r.field", 3, 5, `a record has no field "field"`},
		{"fn f() {\n    return 1 + [2]\n}\nf()", 2, 14, "`+` does not take a number and an array"},
		{"let a = 5\na(1)", 2, 1, "a number cannot be called"},
		{"\"x\".trim()", 1, 5, `a string has no method "trim"`},
		{"[1][9]", 1, 4, "index 9 is outside of the 1 items"},
		{"use mod.std.maths", 1, 13, "there is no module mod.std.maths"},
		{"use mod.retial", 1, 9, "there is no module mod.retial; there are std, tool"},
		{"use mod.tool\ntool.cal(\"x\", {})", 2, 6, `a module has no method "cal"; it has call, call_json, start, start_json, last_error`},
		{"use mod.std.text\ntext.slice(\"abc\", 2, 1)", 2, 6, "text.slice: the range does not fit"},
		{"use mod.std.text\ntext.upper(nil)", 2, 6, "text.upper: argument 1 must be a string, not nil"},
	}
	for _, tt := range tests {
		_, err := Eval(context.Background(), tt.source, Config{})
		var e *Error
		var s *SyntaxError
		switch {
		case errors.As(err, &e):
			if e.Line != tt.line || e.Column != tt.column || e.Message != tt.message {
				t.Errorf("%q: %d:%d %s", tt.source, e.Line, e.Column, e.Message)
			}
		case errors.As(err, &s):
			if d := s.Report.Diagnostics[0]; d.Line != tt.line || d.Column != tt.column {
				t.Errorf("%q: %v", tt.source, err)
			}
		default:
			t.Errorf("%q: %v", tt.source, err)
		}
	}
}

// TestLimitsPosition holds that a limit names the place too.
func TestLimitsPosition(t *testing.T) {
	_, err := Eval(context.Background(), "let n = 0\nloop {\n    n += 1\n}", Config{Limits: Limits{Steps: 100}})
	var l *LimitError
	if !errors.As(err, &l) || l.Bound != BoundSteps || l.Max != 100 || l.Line < 2 {
		t.Fatal(err)
	}
	if !strings.Contains(err.Error(), "100 steps") {
		t.Error(err)
	}
}
