package command

import (
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/python"
)

// laxBool reads true and false in every form that fastWorkflow's wire accepts:
// the number 0 or 1, and ten words in any case.
func laxBool(v *jsontree.Value) (value, ok bool) {
	switch v.Kind {
	case jsontree.Bool:
		return v.True, true
	case jsontree.Number:
		digits, _ := wholeOf(v.Text)
		return digits == "1", digits == "1" || digits == "0"
	case jsontree.String:
		if len(v.Text) > len("false") {
			return false, false
		}
		switch strings.ToLower(v.Text) {
		case "1", "t", "true", "y", "yes", "on":
			return true, true
		case "0", "f", "false", "n", "no", "off":
			return false, true
		}
	}
	return false, false
}

// laxWhole reads a whole number in every form that fastWorkflow's wire
// accepts: a number without a fraction, true and false as 1 and 0, and a text
// such as " 7 ", "1_000" or "7.0". It returns the canonical digits, all of
// them: unlike Python, a number with an exponent or a point is exact at any
// size.
func laxWhole(v *jsontree.Value) (digits string, ok bool) {
	switch v.Kind {
	case jsontree.Bool:
		if v.True {
			return "1", true
		}
		return "0", true
	case jsontree.Number:
		return wholeOf(v.Text)
	case jsontree.String:
		text := strings.TrimSpace(v.Text)
		if whole, fraction, point := strings.Cut(text, "."); point {
			if fraction == "" || strings.Trim(fraction, "0") != "" {
				return "", false
			}
			text = whole
		}
		// Python's int() takes more than pydantic does: other scripts'
		// digits, and blanks that were between the number and its point.
		if text == "" || strings.TrimLeft(text, "+-_0123456789") != "" {
			return "", false
		}
		return python.Int(text)
	}
	return "", false
}

// wholeOf returns the canonical digits of a JSON number that is whole.
func wholeOf(literal string) (digits string, ok bool) {
	d := decimalOf(literal)
	zeros := d.point - len(d.digits)
	switch {
	case d.digits == "":
		return "0", true
	case zeros < 0 || d.point > python.MaxIntDigits:
		return "", false
	case d.negative:
		return "-" + d.digits + strings.Repeat("0", zeros), true
	}
	return d.digits + strings.Repeat("0", zeros), true
}

// decimal is the exact value 0.digits * 10^point, with no zero at either end
// of the digits. Zero has no digits.
type decimal struct {
	negative bool
	digits   string
	point    int
}

// decimalOf takes a JSON number apart. A sign +, leading zeros, and nothing on
// one side of the point do no harm.
func decimalOf(literal string) decimal {
	var d decimal
	literal = strings.TrimPrefix(literal, "+")
	literal, d.negative = strings.CutPrefix(literal, "-")
	mantissa, exponent := literal, ""
	if i := strings.IndexAny(literal, "eE"); i >= 0 {
		mantissa, exponent = literal[:i], literal[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	d.point = len(whole) + boundedInt(exponent)
	d.digits = strings.TrimLeft(whole+fraction, "0")
	d.point -= len(whole) + len(fraction) - len(d.digits)
	d.digits = strings.TrimRight(d.digits, "0")
	return d
}

// boundedInt reads a signed number up to a bound beyond the longest text that
// is read.
func boundedInt(text string) int {
	const bound = 1 << 27
	n := 0
	for i := range len(text) {
		if c := text[i]; '0' <= c && c <= '9' && n < bound {
			n = n*10 + int(c-'0')
		}
	}
	if strings.HasPrefix(text, "-") {
		return -n
	}
	return n
}
