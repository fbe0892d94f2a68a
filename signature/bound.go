package signature

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// longestExponent bounds how far a number's exponent may reach before exact
// comparison gives up: 1e999999999 is nine bytes and would be a gigabyte.
const longestExponent = 400

func newBound(text string, exclusive bool) (*Bound, error) {
	r, ok := exactNumber(text)
	if !ok {
		return nil, fmt.Errorf("bound %s is not a usable number", text)
	}
	b := &Bound{Text: text, Exclusive: exclusive, exact: r}
	b.float, _ = r.Float64()
	if r.IsInt() && r.Num().IsInt64() {
		b.integer, b.small = r.Num().Int64(), true
	}
	return b, nil
}

// exactNumber reads a JSON number exactly.
func exactNumber(text string) (*big.Rat, bool) {
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		e, err := strconv.Atoi(strings.TrimPrefix(text[i+1:], "+"))
		if err != nil || e > longestExponent || e < -longestExponent {
			return nil, false
		}
	}
	return new(big.Rat).SetString(text)
}

// CompareInt compares a whole number with the bound: -1, 0 or 1.
func (b *Bound) CompareInt(n int64) int {
	if b.small {
		switch {
		case n < b.integer:
			return -1
		case n > b.integer:
			return 1
		}
		return 0
	}
	return new(big.Rat).SetInt64(n).Cmp(b.exact)
}

// Compare compares a JSON number with the bound: -1, 0 or 1. A number whose
// exponent is beyond every float64 compares by its sign.
func (b *Bound) Compare(number string) int {
	if n, ok := shortInt(number); ok {
		return b.CompareInt(n)
	}
	// Rounding keeps order, so two numbers that round apart are apart.
	f, short := shortFloat(number)
	if !short {
		var err error
		f, err = strconv.ParseFloat(number, 64)
		short = err == nil
	}
	if short && f != b.float {
		if f < b.float {
			return -1
		}
		return 1
	}
	r, ok := exactNumber(number)
	if !ok {
		switch {
		case strings.Contains(number, "e-") || strings.Contains(number, "E-"):
			r = new(big.Rat)
		case strings.HasPrefix(number, "-"):
			return -1
		default:
			return 1
		}
	}
	return r.Cmp(b.exact)
}

// shortInt reads a whole number of at most 18 digits without a detour.
func shortInt(text string) (int64, bool) {
	negative := text != "" && text[0] == '-'
	if negative {
		text = text[1:]
	}
	if text == "" || len(text) > 18 {
		return 0, false
	}
	n := int64(0)
	for i := 0; i < len(text); i++ {
		c := text[i] - '0'
		if c > 9 {
			return 0, false
		}
		n = n*10 + int64(c)
	}
	if negative {
		n = -n
	}
	return n, true
}

// shortFloat reads a decimal of at most 15 digits without an exponent. Its
// digits and the power of ten that parts them are float64s exactly, so one
// division rounds as strconv.ParseFloat does.
func shortFloat(text string) (float64, bool) {
	digits, point := int64(0), -1
	i := 0
	if text != "" && text[0] == '-' {
		i = 1
	}
	if len(text)-i > 16 || i == len(text) {
		return 0, false
	}
	for start := i; i < len(text); i++ {
		c := text[i] - '0'
		switch {
		case c <= 9:
			digits = digits*10 + int64(c)
		case text[i] == '.' && point < 0 && i > start && i+1 < len(text):
			point = i
		default:
			return 0, false
		}
	}
	f := float64(digits)
	switch {
	case digits > 999_999_999_999_999:
		return 0, false
	case point >= 0:
		f /= powersOfTen[len(text)-1-point]
	}
	if text[0] == '-' {
		f = -f
	}
	return f, true
}

var powersOfTen = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// Divides reports whether the JSON number is a whole multiple of the bound.
func (b *Bound) Divides(number string) bool {
	r, ok := exactNumber(number)
	if !ok || b.exact.Sign() == 0 {
		return false
	}
	return r.Quo(r, b.exact).IsInt()
}
