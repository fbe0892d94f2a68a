package python

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestAMegabyteOfBracketsFailsAtOnce(t *testing.T) {
	in := strings.Repeat("[", 1<<20)
	start := time.Now()
	if _, err := Literal(in); !errors.Is(err, ErrDepth) {
		t.Errorf("Literal = %v, want %v", err, ErrDepth)
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestLiteralBoundsDepth(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	if _, err := Literal(nested(MaxDepth)); err != nil {
		t.Errorf("%d brackets: %v", MaxDepth, err)
	}
	for _, in := range []string{
		nested(MaxDepth + 1),
		strings.Repeat("(", MaxDepth+1) + "1" + strings.Repeat(")", MaxDepth+1),
		strings.Repeat("{1:", MaxDepth+1),
		strings.Repeat("[", MaxDepth) + "set()",
	} {
		if _, err := Literal(in); !errors.Is(err, ErrDepth) {
			t.Errorf("Literal(%.9q...) = %v, want %v", in, err, ErrDepth)
		}
	}
	if _, err := Literal("[" + strings.Repeat("[],", 10*MaxDepth) + "]"); err != nil {
		t.Errorf("brackets beside each other count as nested: %v", err)
	}
}

// A quadratic reader would need minutes for these, a linear one needs milliseconds.
func TestLiteralIsLinear(t *testing.T) {
	const size = 1 << 18
	fill := func(text string) string { return strings.Repeat(text, size/len(text)) }
	for name, in := range map[string]string{
		"brackets that never close":      fill("["),
		"parentheses that never close":   fill("("),
		"braces that never close":        fill("{1:"),
		"signs":                          fill("-"),
		"sums":                           "1" + fill("+1j"),
		"blank lines":                    fill("\n \t# c\n") + "1",
		"joined lines":                   fill("\\\n") + "1",
		"a comment in each element":      "[" + fill("1, # c\n") + "]",
		"elements":                       "[" + fill("1,") + "]",
		"pairs with one key":             "{" + fill("'a':1,") + "}",
		"equal elements":                 "{" + fill("(1,),") + "}",
		"adjacent strings":               fill("'a' "),
		"escapes":                        "'" + fill(`\x41`) + "'",
		"named characters":               "'" + fill(`\N{BULLET}`) + "'",
		"names without end":              "'" + fill(`\N{`) + "'",
		"surrogates":                     "'" + fill(`\ud800`) + "'",
		"backslashes":                    "'" + fill(`\`),
		"quotes that open three at once": fill(`"`),
		"one long string":                "'" + fill("a") + "'",
		"one long number":                fill("9"),
		"one long number in base two":    "0b" + fill("1"),
		"long numbers in base two":       "[" + fill("0b"+strings.Repeat("1", 14_000)+",") + "]",
		"long numbers as keys":           "{" + fill(strings.Repeat("9", 4000)+":1,") + "}",
		"one long fraction":              "0." + fill("9"),
		"underscores":                    fill("1_") + "1.0",
		"carriage returns":               fill("\r") + "1",
	} {
		start := time.Now()
		v, err := Literal(in)
		if err == nil {
			Repr(v)
		}
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}

func TestLiteralSharesTheTextOfItsInput(t *testing.T) {
	in := "['abc', 'def', -12, b'xyz']"
	list, err := Literal(in)
	if err != nil {
		t.Fatal(err)
	}
	// One list grows by doubling: to one, two and four items. Their texts cost nothing.
	if n := testing.AllocsPerRun(100, func() { Literal(in) }); n > 3 {
		t.Errorf("%v allocations for %s", n, Repr(list))
	}
}

// CPython keeps the two halves apart, in a string that it cannot encode.
func TestLiteralJoinsPairsOfSurrogates(t *testing.T) {
	for in, want := range map[string]string{
		`'\ud83d\ude00'`:           "'😀'",
		`'\ud83d' '\ude00'`:        "'😀'",
		`'\ude00\ud83d'`:           `'\ude00\ud83d'`,
		`'\ud83d\ud83d\ude00'`:     `'\ud83d😀'`,
		`'\ud83d\ude00\ude00é'`:    `'😀\ude00é'`,
		`'\ud83d\\ude00'`:          `'\ud83d\\ude00'`,
		`['\udc80\xe9', '\udfff']`: `['\udc80é', '\udfff']`,
	} {
		if v, err := Literal(in); err != nil || Repr(v) != want {
			t.Errorf("Literal(%s) = %s, %v; want %s", in, Repr(v), err, want)
		}
	}
}

func TestLoneSurrogatesAreNotValidText(t *testing.T) {
	v, err := Literal(`'a\ud800'`)
	if err != nil || v.Text != "a\xed\xa0\x80" || utf8.ValidString(v.Text) {
		t.Errorf("%q, %v", v.Text, err)
	}
}

func TestLiteralRefusesTextThatIsNotUTF8(t *testing.T) {
	for _, in := range []string{"'\xff'", "['\xed\xa0\x80']", "[1] # \xc3", "'\x00'"} {
		if v, err := Literal(in); !errors.Is(err, ErrLiteral) {
			t.Errorf("Literal(%q) = %s, %v", in, Repr(v), err)
		}
	}
}

// CPython accepts these two, whose name of set is not a plain one.
func TestTheEmptySetIsWrittenPlainly(t *testing.T) {
	for _, in := range []string{"(set)()", "ｓｅｔ()"} {
		if v, err := Literal(in); !errors.Is(err, ErrLiteral) {
			t.Errorf("Literal(%s) = %s, %v", in, Repr(v), err)
		}
	}
}

// CPython prints sets in the order of their hashes; here what was written first comes first, in every run.
func TestSetsKeepTheOrderWritten(t *testing.T) {
	v, err := Literal("{'b', 3, 'a', 1, 'b', 3.0, True}")
	if err != nil || Repr(v) != "{'b', 3, 'a', 1}" {
		t.Errorf("%s, %v", Repr(v), err)
	}
}

// CPython refuses to print such a number, and accepts it before that; here the refusal comes first.
func TestLiteralBoundsNumbersOfEveryBase(t *testing.T) {
	for in, want := range map[string]bool{
		"0x" + strings.Repeat("f", 3571):       true,
		"0x" + strings.Repeat("f", 3572):       false,
		"0b" + strings.Repeat("1", 14_284):     true,
		"0b" + strings.Repeat("1", 14_285):     false,
		"0b" + strings.Repeat("1", 1_000_000):  false,
		"0o0" + strings.Repeat("0", 1_000_000): true,
	} {
		if _, err := Literal(in); (err == nil) != want {
			t.Errorf("Literal(%.4s..., %d bytes): %v", in, len(in), err)
		}
	}
}

func TestKindsAreNamedAsInPython(t *testing.T) {
	for in, want := range map[string]string{
		"None": "NoneType", "True": "bool", "1": "int", "1.0": "float", "1j": "complex", "''": "str", "b''": "bytes", "...": "ellipsis",
		"[]": "list", "()": "tuple", "{1}": "set", "{}": "dict",
	} {
		if v, err := Literal(in); err != nil || v.Kind.String() != want {
			t.Errorf("Literal(%s) is a %v, %v; want %s", in, v.Kind, err, want)
		}
	}
	if got := Kind(200).String(); got != "unknown" {
		t.Errorf("Kind(200) = %q", got)
	}
}

func TestCharactersAreFoundByName(t *testing.T) {
	for name, want := range map[string]string{"BULLET": "•", "latin small letter e with acute": "é", "GRINNING FACE": "😀"} {
		v, err := Literal(`'\N{` + name + `}'`)
		if err != nil || v.Text != want {
			t.Errorf("%s is %q, %v; want %q", name, v.Text, err, want)
		}
	}
	if _, err := Literal(`'\N{NO SUCH CHARACTER}'`); err == nil {
		t.Error("a name that no character has is accepted")
	}
}
