package splash

import (
	"math"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// TestStd states the functions of std, table by table.
func TestStd(t *testing.T) {
	tests := []struct{ source, want string }{
		// SL-39
		{"[math.abs(-3), math.ceil(1.2), math.floor(-1.2), math.round(-1.5), math.round(1.4)]", "[3,2,-2,-2,1]"},
		{"[math.sqrt(16), math.sin(0), math.cos(0), math.tan(0), math.exp(0), math.ln(1), math.log10(100)]", "[4,0,1,0,1,0,2]"},
		{"[math.pow(2, 8), math.min(2, 1), math.max(2, 1, 9), math.atan2(0, 1), math.clamp(9, 1, 5), math.clamp(-9, 1, 5)]", "[256,1,2,0,5,1]"},
		{"[math.min(0/0, 3), math.max(3, 0/0), math.pi > 3.14, math.e < 2.72]", "[3,3,true,true]"},
		{"let n = math.sqrt(-1)\n[n == n, math.ln(0) == -1/0]", "[false,true]"},
		{"math.clamp(1, 5, 2)", "InvalidArgs"},
		{"math.clamp(1, 2, 0/0)", "InvalidArgs"},
		{`math.abs("1")`, "TypeMismatch"},
		{"math.pow(2)", "TypeMismatch"},
		{"math.floor(true)", "TypeMismatch"},
		{"math.pi = 3", "Immutable"},

		// SL-40
		{`[text.trim("\u00a0 a b\n"), text.lower("ÄİẞΑΣ"), text.upper("ßŉﬁΐ"), text.len("aé😀")]`, "[\"a b\",\"äi\u0307ßασ\",\"SSʼNFI\u0399\u0308\u0301\",3]"},
		{`[text.slice("aé😀z", 1, 3), text.slice("abc", 0, 0), text.slice("abc", 3, 3)]`, `["é😀","",""]`},
		{`text.slice("é", 0, 2)`, "InvalidArgs"},
		{`text.slice("abc", 2, 1)`, "InvalidArgs"},
		{`text.slice("abc", 0.5, 1)`, "InvalidArgs"},
		{`[text.index_of("éab", "b"), text.last_index_of("bébé", "é"), text.index_of("a", "z"), text.index_of("ab", ""), text.last_index_of("éb", "")]`, "[2,3,-1,0,2]"},
		{`[text.contains("abc", "bc"), text.contains("", ""), text.starts_with("abc", "b"), text.ends_with("abc", "bc")]`, "[true,true,false,true]"},
		{`[text.replace_all("banana", "ana", "-"), text.replace_all("é😀", "", "."), text.replace_all("a", "b", "c")]`, `["b-na",".é.😀.","a"]`},
		{`[text.split("a--b-", "-"), text.split("", "-"), text.join(["a", "b"], ", "), text.join([], "x")]`, `[["a","","b",""],[""],"a, b",""]`},
		{`text.split("abc", "")`, "InvalidArgs"},
		{`text.join(["a", 1], "")`, "TypeMismatch"},
		{`text.join("ab".to_bytes(), "")`, "TypeMismatch"},
		{`text.trim()`, "TypeMismatch"},
		{`[text.trim("a", 1, 2)]`, `["a"]`},

		// SL-41
		{`[array.len([1]), array.len("ab".to_bytes()), array.has_index([1], 0), array.has_index([1], 1.0), array.get([nil], 0, 1), array.get([], 0, 1), array.get([], 0)]`, "[1,2,true,false,null,1,null]"},
		{`let a = [1]` + "\n" + `[array.contains([a, 2], a), array.contains([[1]], [1]), array.index_of(["x", 2.0], 2), array.index_of([0/0], 0/0)]`, "[true,false,1,-1]"},
		{`array.has_index([1], -1)`, "InvalidArgs"},
		{`array.get([1], "0")`, "InvalidArgs"},
		{`[array.slice([1, 2, 3], 1, 3), array.range(2, 5), array.concat([1], "a".to_bytes()), array.reverse([1, 2]), array.compact([nil, 0, "", false])]`, `[[2,3],[2,3,4],[1,97],[2,1],[0,"",false]]`},
		{`array.range(3, 2)`, "InvalidArgs"},
		{`array.range(0, 5000)`, "LimitExceeded"},
		{`array.slice([1], 0, 2)`, "InvalidArgs"},
		{`let a = [1]` + "\n" + `[array.unique([1, "1", a, [1], a, 0, -0, nil, nil, true]), array.flatten([[1], [], [[2]]])]`, `[[1,"1",[1],[1],0,null,true],[1,[2]]]`},
		{`array.flatten([1])`, "TypeMismatch"},
		{`let a = [1]` + "\n" + `let b = array.concat(a, [])` + "\n" + `[array.push(a, 2), a, b]`, "[null,[1,2],[1]]"},
		{`let b = "a".to_bytes()` + "\n" + `array.push(b, 999)` + "\nb", "[97,255]"},
		{`array.push("a".to_bytes(), "b")`, "TypeMismatch"},
		{`array.len({})`, "TypeMismatch"},
		{"let a = []\na[4096] = 1\n[array.len(a), try array.reverse(a) catch \"capped\"]", `[4097,"capped"]`},

		// SL-42
		{`[object.len({a: 1}), object.has({a: nil}, "a"), object.get({a: nil}, "a", 1), object.get({}, "a", 1), object.get({}, "a")]`, "[1,true,null,1,null]"},
		{`[object.pick({a: 1, b: 2, c: 3}, ["c", "a", "x", "c"]), object.omit({c: 1, a: 2, b: 3}, ["a", "x"])]`, `[{"c":3,"a":1},{"c":1,"b":3}]`},
		{`[object.from_entries([["b", 1], ["a", 2], ["b", 3]]), object.with({b: 1, a: 2}, "b", 3), object.with({}, "x")]`, `[{"b":3,"a":2},{"b":3,"a":2},{"x":null}]`},
		{`[object.keys({b: 1, a: 2}), object.values({b: 1, a: 2}), object.entries({b: 1}), object.merge({b: 1, a: 2}, {c: 3, b: 4})]`, `[["b","a"],[1,2],[["b",1]],{"b":4,"a":2,"c":3}]`},
		{`let r = {a: 1}` + "\n" + `let e = object.entries(r)` + "\n" + `e[0][1] = 2` + "\n" + `[r, object.merge(r, {}) == r]`, `[{"a":1},true]`},
		{`object.len(object)`, "TypeMismatch"},
		{`object.keys([1])`, "TypeMismatch"},
		{`object.has({}, 1)`, "TypeMismatch"},
		{`object.pick({}, [1])`, "TypeMismatch"},
		{`object.from_entries([["a", 1, 2]])`, "TypeMismatch"},
		{`object.from_entries([[1, 1]])`, "TypeMismatch"},
		{`object.merge({}, nil)`, "TypeMismatch"},

		// SL-43
		{`[json.parse("[1]"), json.parse("{}".to_bytes()), json.stringify(), json.stringify({a: "é"})]`, `[[1],{},"null","{\"a\":\"é\"}"]`},
		{`json.parse(5)`, "TypeMismatch"},
		{`json.parse("")`, "Unexpected"},
	}
	for _, tt := range tests {
		if got := run(useStd + tt.source); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.source, got, tt.want)
		}
	}
}

// TestJSONStrict lists texts that are no JSON (SL-35, Q4).
func TestJSONStrict(t *testing.T) {
	for _, doc := range []string{
		"", " ", "[", "[1", "[1,", "[1,]", "[,1]", "{", `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, "{a:1}", "{1:1}",
		"01", "1.", ".5", "-", "+1", "1e", "1e+", "0x1", "NaN", "Infinity", "tru", "nul", "True", `"a`, `"\x"`, `"\u12"`,
		`"\ud800"`, `"\udc00\ud800"`, `"\ud800\u0041"`, "\"\x01\"", "\"a\nb\"", "1 2", "[] []", "\ufeff1", "// c\n1", "\"\xff\"", "]",
	} {
		m := machine{limits: DefaultLimits(), budget: 1 << 30, ctx: t.Context()}
		if v, err := m.parseJSON(doc); err == nil {
			t.Errorf("%q is read as %v", doc, v)
		}
	}
}

// TestNumberText holds that the JSON form of a number reads back as the same number, whatever it is (SL-36).
func TestNumberText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
		if math.IsNaN(f) || math.IsInf(f, 0) {
			t.Skip("JSON has no such number")
		}
		text := string(appendJSONNumber(nil, f))
		if f == math.Trunc(f) && strings.ContainsAny(text, ".eE") {
			t.Fatalf("%g is written %s", f, text)
		}
		m := machine{limits: Limits{JSONBytes: 1000}.filled(), budget: 1 << 30, ctx: t.Context()}
		v, err := m.parseJSON(text)
		if err != nil || v.num != f {
			t.Fatalf("%g is written %s and read as %v, %v", f, text, v, err)
		}
	})
}

// TestTextAgainstRunes compares the functions that count scalars with the same on slices of runes.
func TestTextAgainstRunes(t *testing.T) {
	letters := rapid.StringOfN(rapid.RuneFrom([]rune("abé😀ß")), 0, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		s, sub := letters.Draw(t, "s"), letters.Draw(t, "sub")
		runes := []rune(s)
		from := rapid.IntRange(0, len(runes)).Draw(t, "from")
		to := rapid.IntRange(from, len(runes)).Draw(t, "to")
		start, ok := offsetOf(s, from)
		size, ok2 := offsetOf(s[start:], to-from)
		if !ok || !ok2 || s[start:start+size] != string(runes[from:to]) {
			t.Fatalf("slice %q %d %d", s, from, to)
		}
		want := -1
		for i := 0; i+len([]rune(sub)) <= len(runes); i++ {
			if strings.HasPrefix(string(runes[i:]), sub) {
				want = i
				break
			}
		}
		if got := position(s, strings.Index(s, sub)); got.num != float64(want) {
			t.Fatalf("index of %q in %q is %v", sub, s, got)
		}
	})
}

// TestCaseMapping holds that the table of long upper cases is needed, entry by entry, and that nothing else changes
// what package unicode says.
func TestCaseMapping(t *testing.T) {
	for r, many := range upperMany {
		if len([]rune(many)) < 2 || string(unicode.ToUpper(r)) == many {
			t.Errorf("%c", r)
		}
	}
	for r := rune(0); r < 0x20000; r++ {
		if upperMany[r] != "" || r >= 0xD800 && r < 0xE000 {
			continue
		}
		if got := upper(string(r)); got != string(unicode.ToUpper(r)) {
			t.Fatalf("upper %U is %q", r, got)
		}
	}
}
