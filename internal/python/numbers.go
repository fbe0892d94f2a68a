package python

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxIntDigits is the longest whole number, in digits, that Int and Literal accept: CPython's own limit
// (sys.int_info.default_max_str_digits), set because the conversion between binary and decimal is not linear.
const MaxIntDigits = 4300

// Int reads text as CPython's int() reads it once trimmed (FW-56, FW-58): blanks at both ends, one sign, underscores between
// digits, leading zeros, the decimal digits of any script. It returns the number in canonical decimal form: "0", or digits
// without leading zeros after an optional "-". A text already in that form is returned as a part of itself.
//
// Fractions and exponents are refused even where the number is whole, and so is any base but ten.
func Int(text string) (canonical string, ok bool) {
	text = TrimSpace(text)
	if !isASCII(text) {
		if text, ok = asciiDigits(text); !ok {
			return "", false
		}
	}
	negative, digits := cutSign(text)
	if digits == "" || scanDigits(digits) != len(digits) {
		return "", false
	}
	plain := stripUnderscores(digits)
	if len(plain) > MaxIntDigits {
		return "", false
	}
	magnitude := trimZeros(plain)
	switch {
	case !negative || magnitude == "0":
		return magnitude, true
	case len(magnitude) == len(digits):
		return text, true
	default:
		return "-" + magnitude, true
	}
}

// Float reads text as CPython's float() reads it: as Int does, and fractions, exponents, and the words inf, infinity and nan
// in any case. A number too large for a float64 is an infinity, as in Python; that no infinity and no NaN may go further is
// for the caller to say (FW-58). Hexadecimal floats, which strconv accepts, are refused.
func Float(text string) (v float64, ok bool) {
	text = TrimSpace(text)
	if !isASCII(text) {
		if text, ok = asciiDigits(text); !ok {
			return 0, false
		}
	}
	negative, unsigned := cutSign(text)
	if n, _ := scanDecimal(unsigned); n > 0 {
		if n != len(unsigned) {
			return 0, false
		}
		v = parseDecimal(stripUnderscores(unsigned))
	} else {
		switch {
		case isWord(unsigned, "inf"), isWord(unsigned, "infinity"):
			v = math.Inf(1)
		case isWord(unsigned, "nan"):
			v = math.NaN()
		default:
			return 0, false
		}
	}
	if negative {
		v = -v
	}
	return v, true
}

// Bool reads the words true, false, 1 and 0 in any case, with blanks at both ends (FW-56).
func Bool(text string) (v, ok bool) {
	switch text = TrimSpace(text); {
	case text == "1", isWord(text, "true"):
		return true, true
	case text == "0", isWord(text, "false"):
		return false, true
	}
	return false, false
}

// isWord reports whether text is word, which is in lower case, whatever the case of its ASCII letters. It is not
// strings.EqualFold, which holds "falſe" to be "false" where Python does not.
func isWord(text, word string) bool {
	if len(text) != len(word) {
		return false
	}
	for i := range len(text) {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

func cutSign(text string) (negative bool, rest string) {
	if text != "" && (text[0] == '-' || text[0] == '+') {
		return text[0] == '-', text[1:]
	}
	return false, text
}

// scanDigits returns the length of the ASCII digits that text begins with, counting underscores that stand singly between
// two digits.
func scanDigits(text string) int {
	i := 0
	for i < len(text) {
		switch {
		case isDigit(text[i]):
			i++
		case text[i] == '_' && i > 0 && i+1 < len(text) && isDigit(text[i+1]):
			i += 2
		default:
			return i
		}
	}
	return i
}

// scanDecimal returns the length of the unsigned decimal number that text begins with, 0 if there is none, and whether it is
// written without point and exponent. Python's float() and its lexer agree on this form.
func scanDecimal(text string) (n int, whole bool) {
	n = scanDigits(text)
	whole = true
	if n < len(text) && text[n] == '.' {
		fraction := scanDigits(text[n+1:])
		if n+fraction == 0 {
			return 0, false
		}
		n += 1 + fraction
		whole = false
	}
	if n > 0 && n < len(text) && text[n]|0x20 == 'e' {
		_, rest := cutSign(text[n+1:])
		if digits := scanDigits(rest); digits > 0 {
			n = len(text) - len(rest) + digits
			whole = false
		}
	}
	return n, whole
}

// parseDecimal returns the float64 nearest to text, which is an unsigned decimal number without underscores.
func parseDecimal(text string) float64 {
	// strconv stops counting an exponent at five digits, so a text with that many zeros could be misread.
	const exact = 9000
	if len(text) > exact {
		text = normalizeExponent(text)
	}
	// The only error left is a number out of range, for which the infinity returned is what Python returns.
	v, _ := strconv.ParseFloat(text, 64)
	return v
}

// normalizeExponent rewrites a decimal number as a fraction below one with an exponent of at most four digits.
func normalizeExponent(text string) string {
	mantissa, exponent := text, ""
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, exponent = text[:i], text[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0"
	}
	scale := saturatedInt(exponent) + len(digits) - len(fraction)
	// Beyond these any float64 is an infinity or zero.
	scale = max(-1000, min(scale, 1000))
	return "0." + digits + "e" + strconv.Itoa(scale)
}

// saturatedInt reads a signed ASCII number, or 0 from an empty text, up to a bound that no text length reaches.
func saturatedInt(text string) int {
	const bound = math.MaxInt / 100
	negative, digits := cutSign(text)
	n := 0
	for i := range len(digits) {
		if n < bound {
			n = n*10 + int(digits[i]-'0')
		}
	}
	if negative {
		return -n
	}
	return n
}

func trimZeros(digits string) string {
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	return digits
}

func stripUnderscores(text string) string {
	if strings.IndexByte(text, '_') < 0 {
		return text
	}
	return strings.ReplaceAll(text, "_", "")
}

// asciiDigits rewrites the decimal digits of every script as ASCII. Any other character outside ASCII ends the attempt:
// no number holds one.
func asciiDigits(text string) (string, bool) {
	out := make([]byte, 0, len(text))
	for _, r := range text {
		if r < utf8.RuneSelf {
			out = append(out, byte(r))
			continue
		}
		d, ok := digitValue(r)
		if !ok {
			return "", false
		}
		out = append(out, '0'+d)
	}
	return string(out), true
}

// digitValue returns the value of a decimal digit (general category Nd). Unicode assigns them in runs of ten that begin with
// zero, so a digit's place in its range tells its value.
func digitValue(r rune) (byte, bool) {
	for _, run := range unicode.Nd.R16 {
		if rune(run.Lo) <= r && r <= rune(run.Hi) {
			return byte((r - rune(run.Lo)) % 10), true
		}
	}
	for _, run := range unicode.Nd.R32 {
		if rune(run.Lo) <= r && r <= rune(run.Hi) {
			return byte((r - rune(run.Lo)) % 10), true
		}
	}
	return 0, false
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
