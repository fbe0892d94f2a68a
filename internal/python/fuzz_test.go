package python

import (
	"math"
	"math/big"
	"strings"
	"testing"
)

func FuzzInt(f *testing.F) {
	for _, seed := range []string{"0", "-12", " +1_000 ", "١٢", "1__0", "0x10", "\x1f5"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		digits, ok := Int(text)
		if !ok {
			return
		}
		if n, valid := new(big.Int).SetString(digits, 10); !valid || n.String() != digits {
			t.Errorf("Int(%q) = %q, which is not canonical", text, digits)
		}
		if again, ok := Int(digits); !ok || again != digits {
			t.Errorf("Int(%q) = %q, %v", digits, again, ok)
		}
		if _, ok := Float(text); !ok {
			t.Errorf("Int accepts %q, Float does not", text)
		}
	})
}

func FuzzFloat(f *testing.F) {
	for _, seed := range []string{"0", "-1.5e3", ".5", "1_0.5", "inf", "-NaN", "0x1p-2", "1e400", "０．５", "1e-400"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, ok := Float(text)
		if !ok {
			return
		}
		again, ok := Float(FloatRepr(v))
		if !ok || math.Float64bits(again) != math.Float64bits(v) && !math.IsNaN(v) {
			t.Errorf("Float(%q) = %v, written %s, read %v", text, v, FloatRepr(v), again)
		}
	})
}

func FuzzLiteral(f *testing.F) {
	for _, seed := range []string{
		"['a', \"it's\", 1_0, -2.5, 1+2j, None, True]", "[{'k': (1,)}, {1, 2}, set(), b'\\xff']", `['\ud800\N{BULLET}\777' r'\n']`,
		"[[[]]] # c\n", "['''a\nb''',\\\n]", "[1e400]", "[...]", "[-1j, 0-1j, -0.0-1j]", "['a'", "[f'{x}']", "{[1]}", "a, b", "[0xFF, 0b1]",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := Literal(text)
		if err != nil {
			return
		}
		written := Repr(v)
		if v.Kind != KindList || !hasLiteral(v) {
			return
		}
		again, err := Literal(written)
		if err != nil || !same(v, again) || Repr(again) != written {
			t.Errorf("Literal(%q) is written %s, read %s, %v", text, written, Repr(again), err)
		}
	})
}

// hasLiteral reports whether Python could read back its own repr of v.
func hasLiteral(v Value) bool {
	switch v.Kind {
	case KindEllipsis:
		return false
	case KindFloat:
		return !strings.Contains(v.Text, "inf")
	case KindComplex:
		// The minus of "-2j" would make the real part a negative zero, and no plain sum makes one.
		negativeZero := strings.HasPrefix(v.Text, "-") || strings.HasPrefix(v.Text, "(-0-") || strings.HasPrefix(v.Text, "(-0+")
		return !negativeZero && !strings.Contains(v.Text, "inf")
	}
	for _, part := range [][]Value{v.Items, v.Keys} {
		for _, item := range part {
			if !hasLiteral(item) {
				return false
			}
		}
	}
	return true
}
