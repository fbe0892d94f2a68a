package splash

import (
	"math"
	"strconv"
)

// appendJSONNumber writes a finite number by SL-36: whole values as digits, others as the shortest text that reads
// back, with an exponent below 1e-5.
func appendJSONNumber(dst []byte, f float64) []byte {
	if f != math.Trunc(f) && math.Abs(f) < 1e-5 {
		start := len(dst)
		dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
		// AppendFloat pads exponents to two digits: 1e-07.
		if n := len(dst); n-start >= 4 && dst[n-2] == '0' && dst[n-3] == '-' {
			dst[n-2] = dst[n-1]
			dst = dst[:n-1]
		}
		return dst
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}

// numberText is how a number joins a string (SL-21): never with an exponent.
func numberText(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// joinText gives the text of an operand of `+` beside a string (SL-21).
func joinText(v Value) (string, bool) {
	switch r := v.ref.(type) {
	case nil:
		return "", true
	case *text:
		return r.s, true
	case numberTag:
		return numberText(v.num), true
	case boolTag:
		if v.num != 0 {
			return "true", true
		}
		return "false", true
	}
	return "", false
}
