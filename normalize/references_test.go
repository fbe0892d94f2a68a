package normalize

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

func TestReferencesAreDecodedUntilNothingChanges(t *testing.T) {
	tests := []struct {
		in, want string
		passes   int
	}{
		{"Salt &amp; Pepper", "Salt & Pepper", 1},
		{"Salt &amp;amp; Pepper", "Salt & Pepper", 2},
		{"&amp;amp;amp;amp;amp;amp;amp;amp;lt;", "<", 9},
		{"&#38;#38;lt;", "<", 3},
		{"&#x26;#x26;#x3C;", "<", 3},
		{"&a&#109;p;", "&", 2},           // a letter completes a name
		{"&#&#51;8;", "&", 2},            // a digit completes a number
		{"&amp&semi;lt&#59;", "<", 3},    // semicolons that are decoded complete one
		{"&lt&amp;semi;", "<", 3},        // and wait for the pass that makes them
		{"&f&fjlig;lig;", "&ffjlig;", 1}, // two letters from one reference
		{"&&&amp;;", "&&&;", 1},          // & before & begins nothing
		{"&lt;&amp;lt;&amp;amp;lt;", "<<<", 3},
		{"&amp;bogus;amp;", "&bogus;amp;", 1}, // an unknown name settles what is before it
		{"&NewLine;&Tab;", "\n\t", 1},
		{"&nGt;&acE;", "≫⃒∾̳", 1}, // longer than what they replace
	}
	for _, tt := range tests {
		if got, passes := References(tt.in); got != tt.want || passes != tt.passes {
			t.Errorf("%q: %q in %d passes, want %q in %d", tt.in, got, passes, tt.want, tt.passes)
		}
	}
}

// What is nearly a reference is text (rule N-12). Most of these are decoded by
// html.UnescapeString.
func TestTextThatIsNoReferenceStays(t *testing.T) {
	for _, s := range []string{
		"", "&", ";", "&;", "a && b; c", "AT&T R&D;", "?a=1&copy=2&reg=3&para=4", "?test=true&region=eu&notify=2;",
		"&lt", "&notit;", "&notsemi;", "&ampx;", "&AMp;", "&Lt ;", "& lt;", "&lt\n;", "&c;", "&bogus;", "&é;",
		"&#;", "&#x;", "&#X;", "&#x&;", "&#1a;", "&#xg;", "&#-1;", "&#+38;", "&# 38;", "&#x 26;", "&#0x26;", "&#38", "&#٣٨;", "＆lt;", "&lt；",
		"&CounterClockwiseContourIntegralX;", "\xff&\xfe;", "doux “l’été” 🚀",
	} {
		got, passes := References(s)
		if got != s || passes != 0 {
			t.Errorf("%q became %q in %d passes", s, got, passes)
		}
		if s != "" && unsafe.StringData(got) != unsafe.StringData(s) {
			t.Errorf("%q was copied", s)
		}
	}
}

func TestNumbersAreTheirCodePoint(t *testing.T) {
	tests := []struct{ in, want string }{
		{"&#x1;", "\x01"}, {"&#13;", "\r"}, {"&#127;", "\x7f"}, {"&#xA0;", "\u00a0"}, {"&#xFFFE;", "\ufffe"},
		{"&#X41;", "A"}, {"&#x0041;", "A"}, {"&#" + strings.Repeat("0", 1000) + "65;", "A"}, {"&#x10FFFF;", "\U0010ffff"},
		{"&#x80;", "€"}, {"&#x81;", "\u0081"}, {"&#x8D;", "\u008d"}, {"&#x99;", "™"}, {"&#159;", "Ÿ"}, {"&#xFFFD;", "\ufffd"},
		{"&#0;", "\ufffd"}, {"&#x0;", "\ufffd"}, {"&#xD800;", "\ufffd"}, {"&#57343;", "\ufffd"}, {"&#x110000;", "\ufffd"},
		// 2^32+38 and 2^64+38 are no ampersands.
		{"&#4294967334;", "\ufffd"}, {"&#18446744073709551654;", "\ufffd"}, {"&#x" + strings.Repeat("F", 1000) + ";", "\ufffd"},
	}
	for _, tt := range tests {
		if got, _ := References(tt.in); got != tt.want {
			t.Errorf("%.40q is %q, want %q", tt.in, got, tt.want)
		}
		kept := tt.want
		if kept == "\ufffd" && tt.in != "&#xFFFD;" {
			kept = tt.in
		}
		if got, _ := references(tt.in, decodeAll, true); got != kept {
			t.Errorf("%.40q with KeepNonCharacters is %.40q, want %.40q", tt.in, got, kept)
		}
	}
}

func TestEveryNameOfTheStandardIsDecoded(t *testing.T) {
	longest := 0
	for name, want := range characterNames() {
		longest = max(longest, len(name))
		if got, passes := References("a&" + name + ";b"); got != "a"+want+"b" || passes != 1 {
			t.Errorf("&%s; is %q in %d passes, want %q", name, got, passes, want)
		}
		for _, near := range []string{"&" + name, "&" + name + " ;", "&" + name + "QZ;"} {
			if got, _ := References(near); got != near {
				t.Errorf("%s became %q", near, got)
			}
		}
	}
	if longest != longestName {
		t.Errorf("the longest name has %d letters, not %d", longest, longestName)
	}
}

func TestOnceIsOnePassAndRawIsNone(t *testing.T) {
	const text = "&amp;lt; &amp;amp;lt; &am&#112;; &bogus; &l&#116;;"
	if got, passes := references(text, decodeOnce, false); got != "&lt; &amp;lt; &amp; &bogus; &lt;" || passes != 1 {
		t.Errorf("once gives %q in %d passes", got, passes)
	}
	if got, passes := references(text, decodeNever, false); got != text || passes != 0 {
		t.Errorf("raw gives %q in %d passes", got, passes)
	}
}

// adversarial draws texts from the parts of references, so that references
// begin, nest and complete one another in every way.
func adversarial() *rapid.Generator[string] {
	part := rapid.SampledFrom([]string{
		"&", "&", "&", "#", "x", "X", "a", "m", "p", ";", ";", ";", "l", "t", "g", "3", "8", "1", "5", "9", "0", "2", "6", "f", "j", "i", "s", "e", "n", "o", "u", "q",
		"amp;", "&amp;", "&#38;", "&#59;", "&semi;", "&num;", "#38;", "#x26;", "lt;", "&fjlig;", "&lt", "&copy", "&#112;", "&#x80;", "&#0;", "&#xD800;",
		"&nGt;", "not", "it;", " ", "é", "99999999999", "\x00",
	})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(part, 0, 24).Draw(t, "parts"), "")
	})
}

func checkReferences(t interface{ Errorf(string, ...any) }, s string) {
	for _, keep := range []bool{false, true} {
		want, passes := naiveReferences(s, keep)
		r := rewriting{keep: keep}
		got := r.fixpoint(s)
		if got != want || r.passes != passes {
			t.Errorf("%q (keep %v): %q in %d passes, want %q in %d", s, keep, got, r.passes, want, passes)
		}
		if r.looked > stepsPerByte*len(s) {
			t.Errorf("%q: looked at %d bytes", s, r.looked)
		}
		if again, passes := references(got, decodeAll, keep); again != got || passes != 0 {
			t.Errorf("%q: decoding is not done after %q, which becomes %q", s, got, again)
		}
		if got, _ := references(s, decodeOnce, keep); got != naivePass(s, keep) {
			t.Errorf("%q: one pass gives %q, want %q", s, got, naivePass(s, keep))
		}
	}
}

func TestReferencesAgreeWithPassesOverTheWholeText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkReferences(t, adversarial().Draw(t, "text")) })
}

// Every text of up to six of these parts: nothing is left to luck.
func TestReferencesAgreeOnAllShortTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("300,000 texts are not for -short")
	}
	parts := []string{"&", "amp", "#38", ";", "&#59;", "&#112;", "&am", "x"}
	var all func(s string, left int)
	all = func(s string, left int) {
		if left == 0 {
			want, passes := naiveReferences(s, false)
			if got, n := References(s); got != want || n != passes {
				t.Errorf("%q: %q in %d passes, want %q in %d", s, got, n, want, passes)
			}
			return
		}
		for _, p := range parts {
			all(s+p, left-1)
		}
	}
	for n := range 6 {
		all("", n)
	}
}

// stepsPerByte bounds the bytes looked at for one byte of text, whatever the
// text (rule N-13).
const stepsPerByte = 8

func TestTheWorkIsLinear(t *testing.T) {
	shapes := map[string]func(n int) string{
		"levels of amp;":       func(n int) string { return "&" + strings.Repeat("amp;", n) },
		"levels of #38;":       func(n int) string { return "&" + strings.Repeat("#38;", n) },
		"levels of semi;":      func(n int) string { return strings.Repeat("&amp", n) + strings.Repeat("&semi;", n) },
		"nothing but &":        func(n int) string { return strings.Repeat("&", n) },
		"nothing but ;":        func(n int) string { return strings.Repeat(";", n) },
		"& then ;":             func(n int) string { return strings.Repeat("&", n) + strings.Repeat(";", n) },
		"no & before the ;":    func(n int) string { return "&amp;" + strings.Repeat("x", n) + strings.Repeat(";", n) },
		"one & far back":       func(n int) string { return "&lt;&" + strings.Repeat("0", n) + strings.Repeat("1;", n) },
		"digits without end":   func(n int) string { return "&lt;&#" + strings.Repeat("0", n) + strings.Repeat("&#48;", n) + "38;" },
		"numbers in numbers":   func(n int) string { return strings.Repeat("&#", n) + strings.Repeat("48;", n) },
		"decoded letters":      func(n int) string { return "&" + strings.Repeat("&#97;", n) + ";" },
		"decoded & and no end": func(n int) string { return strings.Repeat("&amp;", n) },
		"decoded semicolons":   func(n int) string { return "&lt;&x" + strings.Repeat("&semi;", n) },
	}
	for name, make := range shapes {
		for _, n := range []int{1 << 10, 1 << 16} {
			s := make(n)
			r := rewriting{}
			r.fixpoint(s)
			if r.looked > stepsPerByte*len(s) {
				t.Errorf("%s, %d bytes: looked at %d bytes, %.1f for each", name, len(s), r.looked, float64(r.looked)/float64(len(s)))
			}
			if len(r.marks) > len(s)/4 {
				t.Errorf("%s, %d bytes: %d marks", name, len(s), len(r.marks))
			}
		}
	}
}

func TestAMillionLevelsAreCounted(t *testing.T) {
	const levels = 1_000_000
	if got, passes := References("&" + strings.Repeat("amp;", levels)); got != "&" || passes != levels {
		t.Errorf("%q in %d passes", got, passes)
	}
}

func TestAllocationsDoNotGrowWithTheReferences(t *testing.T) {
	text := strings.Repeat("if a &lt; b &amp;&amp; c &gt; d &#123; &quot;x&quot; ", 20)
	allocs := testing.AllocsPerRun(100, func() { References(text) })
	if allocs > 4 { // the buffer, its marks twice, the result
		t.Errorf("%v allocations", allocs)
	}
	if allocs := testing.AllocsPerRun(100, func() { References("?a=1&copy=2; a && b;") }); allocs != 0 {
		t.Errorf("text without a reference: %v allocations", allocs)
	}
}

func BenchmarkReferencesLinear(b *testing.B) {
	for _, size := range []int{64 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			text := "&" + strings.Repeat("amp;", size/4)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				References(text)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(text)), "ns/byte")
		})
	}
}

func BenchmarkReferencesText(b *testing.B) {
	for name, text := range map[string]string{
		"without": strings.Repeat("the quick brown fox & the lazy dog; ", 30),
		"common":  strings.Repeat("a &lt; b &amp;&amp; c ", 50),
		"rare":    strings.Repeat("caf&eacute; ", 80),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				References(text)
			}
		})
	}
}

func FuzzReferences(f *testing.F) {
	for _, seed := range []string{"&amp;amp;lt;", "&a&#109;p;", "&amp&semi;lt&#59;", "&notit;", "&#x;", "&#4294967334;", "?a=1&copy=2", "&nGt;", "\xff&amp;\xfe;"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 4096 {
			t.Skip("too long for the naive reading, which is quadratic")
		}
		checkReferences(t, s)
	})
}
