package python

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestIntReturnsCanonicalDigits(t *testing.T) {
	for in, want := range map[string]string{
		"5":            "5",
		" +5 ":         "5",
		"-0":           "0",
		"+000":         "0",
		"-007":         "-7",
		"1_000":        "1000",
		"-1_0":         "-10",
		"١٢":           "12",
		"-１２":          "-12",
		"\u2003\u0663": "3",
		"170141183460469231731687303715884105728": "170141183460469231731687303715884105728",
	} {
		if got, ok := Int(in); !ok || got != want {
			t.Errorf("Int(%q) = %q, %v; want %q", in, got, ok, want)
		}
	}
}

func TestIntRefusesWhatOnlyLooksWhole(t *testing.T) {
	for _, in := range []string{"", " ", "-", "5.0", "1e3", "0x10", "1,000", "1 000", "- 1", "--1", "1__0", "_1", "1_", "²", "½", "五", "\ufeff5", "5\u200b", "\xff5", "5\x00"} {
		if got, ok := Int(in); ok {
			t.Errorf("Int(%q) = %q, want a refusal", in, got)
		}
	}
}

func TestIntIsExactUpToTheLimitOfCPython(t *testing.T) {
	longest := "-" + strings.Repeat("9", MaxIntDigits)
	if got, ok := Int(longest); !ok || got != longest {
		t.Errorf("a number of %d digits is refused or changed", MaxIntDigits)
	}
	for _, in := range []string{longest + "9", strings.Repeat("0", MaxIntDigits+1)} {
		if _, ok := Int(in); ok {
			t.Errorf("a number of more than %d digits is accepted", MaxIntDigits)
		}
	}
}

func TestIntAgreesWithBigInt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.StringMatching(`[+-]?[0-9]{1,60}`).Draw(t, "in")
		want, _ := new(big.Int).SetString(in, 10)
		if got, ok := Int(in); !ok || got != want.String() {
			t.Errorf("Int(%q) = %q, %v; want %v", in, got, ok, want)
		}
	})
}

func TestIntReadsDigitsOfEveryScriptAndUnderscoresAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.SliceOfN(rapid.IntRange(0, 9), 1, 40).Draw(t, "digits")
		zero := rapid.SampledFrom([]rune{'0', '٠', '०', '０', '𝟘'}).Draw(t, "zero")
		sign := rapid.SampledFrom([]string{"", "-", "+"}).Draw(t, "sign")
		plain, dressed := sign, " "+sign
		for i, d := range digits {
			if i > 0 && rapid.Bool().Draw(t, "underscore") {
				dressed += "_"
			}
			plain += strconv.Itoa(d)
			dressed += string(zero + rune(d))
		}
		want, _ := Int(plain)
		if got, ok := Int(dressed + "\u00a0"); !ok || got != want {
			t.Errorf("Int(%q) = %q, %v; want %q", dressed, got, ok, want)
		}
	})
}

func TestFloatAgreesWithStrconvOnPlainFloats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Draw(t, "f")
		format := rapid.SampledFrom([]byte("efgEG")).Draw(t, "format")
		precision := rapid.IntRange(-1, 30).Draw(t, "precision")
		in := strconv.FormatFloat(f, format, precision, 64)
		want, _ := strconv.ParseFloat(in, 64)
		if got, ok := Float(in); !ok || math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("Float(%q) = %v, %v; want %v", in, got, ok, want)
		}
	})
}

func TestFloatLeavesNonNumbersToItsCaller(t *testing.T) {
	for in, want := range map[string]float64{"inf": math.Inf(1), "-Infinity": math.Inf(-1), " +INF ": math.Inf(1), "1e400": math.Inf(1), "-1e400": math.Inf(-1)} {
		if got, ok := Float(in); !ok || got != want {
			t.Errorf("Float(%q) = %v, %v; want %v", in, got, ok, want)
		}
	}
	for _, in := range []string{"nan", "-NaN"} {
		if got, ok := Float(in); !ok || !math.IsNaN(got) {
			t.Errorf("Float(%q) = %v, %v; want NaN", in, got, ok)
		}
	}
}

// strconv reads the first four of these.
func TestFloatRefusesWhatStrconvAddsToPython(t *testing.T) {
	for _, in := range []string{"0x1p-2", "0X.8P1", "0x_1p1", "-0x1p0", "1_.5", "1._5", "1e_5", "1p3", "infinit", "1,5", "", "."} {
		if got, ok := Float(in); ok {
			t.Errorf("Float(%q) = %v, want a refusal", in, got)
		}
	}
}

// strconv.ParseFloat stops counting an exponent at five digits: it reads the first three of these as 0.
func TestFloatCountsExponentsBeyondFiveDigits(t *testing.T) {
	zeros := strings.Repeat("0", 200_000)
	for in, want := range map[string]float64{
		"0." + zeros + "15e200001":                  1.5,
		"-25" + zeros + ".0e-200000":                -25,
		"0." + zeros + "1e200310":                   math.Inf(1),
		"1" + zeros + "e-200400":                    0,
		"0." + zeros + "e99999999999999999999999":   0,
		"1." + zeros + "e99999999999999999999999":   math.Inf(1),
		"1." + zeros + "e-9999999999999999999999_9": 0,
	} {
		if got, ok := Float(in); !ok || got != want {
			t.Errorf("Float(%.5q...%s) = %v, %v; want %v", in, in[len(in)-10:], got, ok, want)
		}
	}
}

func TestBoolReadsFourWordsOnly(t *testing.T) {
	for in, want := range map[string]bool{"true": true, " TRUE\n": true, "1": true, "False": false, "0": false, "\u00a0fAlSe": false} {
		if got, ok := Bool(in); !ok || got != want {
			t.Errorf("Bool(%q) = %v, %v; want %v", in, got, ok, want)
		}
	}
	for _, in := range []string{"", "yes", "on", "t", "2", "-1", "00", "1.0", "fal\u017fe", "truee"} {
		if got, ok := Bool(in); ok {
			t.Errorf("Bool(%q) = %v, want a refusal", in, got)
		}
	}
}

// digitValue computes with places in unicode.Nd; a table that merges runs otherwise would break it.
func TestDecimalDigitsComeInRunsOfTen(t *testing.T) {
	for _, run := range unicode.Nd.R16 {
		if run.Stride != 1 || (run.Hi-run.Lo+1)%10 != 0 {
			t.Errorf("unicode.Nd has the run %U to %U, stride %d", run.Lo, run.Hi, run.Stride)
		}
	}
	for _, run := range unicode.Nd.R32 {
		if run.Stride != 1 || (run.Hi-run.Lo+1)%10 != 0 {
			t.Errorf("unicode.Nd has the run %U to %U, stride %d", run.Lo, run.Hi, run.Stride)
		}
	}
}

func TestPlainTextsCostNoAllocation(t *testing.T) {
	for name, read := range map[string]func(){
		"Int":                               func() { Int("-1234567890123456789012345") },
		"Int, padded":                       func() { Int(" +0042 ") },
		"Float":                             func() { Float(" -12.5e3 ") },
		"Float, word":                       func() { Float("-Infinity") },
		"Bool":                              func() { Bool(" True ") },
		"TrimSpace":                         func() { TrimSpace("\u3000 a b \x1f") },
		"refusals":                          func() { Int("five"); Float("five"); Bool("five") },
		"Literal, a string without escapes": func() { Literal("'abc'") },
		"Literal, a whole number":           func() { Literal("-123") },
		"Literal, a float":                  func() { Literal("1.5") },
		"Literal, refused":                  func() { Literal("abc, def") },
	} {
		if n := testing.AllocsPerRun(100, read); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
