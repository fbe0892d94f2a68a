package draft

import (
	"cmp"
	"strconv"
	"strings"
)

// hugeExponent stands for every exponent of more than 18 digits. It is beyond all exponents that are kept as they are,
// by more than any document has digits.
const hugeExponent = 2_000_000_000_000_000_000

// decimal is a JSON number as it is: sign, digits without outer zeros, and the power of ten of the last digit (WD-57).
// Zero has no digits.
type decimal struct {
	negative bool
	digits   string
	scale    int64
	// huge is the exponent as written when it has more than 18 digits, which scale stands for only roughly.
	huge string
}

// parseDecimal reads a JSON number.
func parseDecimal(text string) decimal {
	var d decimal
	text, d.negative = strings.CutPrefix(text, "-")
	if e := strings.IndexAny(text, "eE"); e >= 0 {
		d.scale, d.huge = parseExponent(text[e+1:])
		text = text[:e]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	d.digits = whole
	if fraction != "" {
		d.digits = whole + fraction
		d.scale -= int64(len(fraction))
	}
	d.digits = strings.TrimLeft(d.digits, "0")
	n := len(d.digits)
	d.digits = strings.TrimRight(d.digits, "0")
	d.scale += int64(n - len(d.digits))
	if d.digits == "" {
		return decimal{}
	}
	return d
}

func parseExponent(text string) (scale int64, huge string) {
	digits := strings.TrimLeft(text, "+-")
	digits = strings.TrimLeft(digits, "0")
	if len(digits) > 18 {
		scale, huge = hugeExponent, text
	} else {
		for i := range len(digits) {
			scale = scale*10 + int64(digits[i]-'0')
		}
	}
	if text[0] == '-' {
		scale = -scale
	}
	return scale, huge
}

// whole reports whether there is no fractional part: 1.0 and 1e2 are whole.
func (d decimal) whole() bool { return d.digits == "" || d.scale >= 0 }

// compare orders two numbers. It is exact as long as not both have huge exponents.
func (d decimal) compare(e decimal) int {
	if d.sign() != e.sign() {
		return cmp.Compare(d.sign(), e.sign())
	}
	// Without outer zeros, the number whose first digit is worth more is the larger one; then the digits decide.
	c := cmp.Compare(d.scale+int64(len(d.digits)), e.scale+int64(len(e.digits)))
	if c == 0 {
		c = strings.Compare(d.digits, e.digits)
	}
	return c * d.sign()
}

func (d decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// appendKey appends a text that no other number has.
func (d decimal) appendKey(dst []byte) []byte {
	if d.negative {
		dst = append(dst, '-')
	}
	dst = append(dst, d.digits...)
	dst = append(dst, 'e')
	dst = strconv.AppendInt(dst, d.scale, 10)
	return append(dst, d.huge...)
}
