package draft

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// readDepth is the deepest document that is read at all; a deeper one counts as no JSON (WD-47).
const readDepth = 127

// settle turns a value that was read into the one its canonical text stands for (WD-49): members sorted by the bytes of
// their names, the last of a repeated name kept, numbers in canonical spelling. It returns how many arrays and objects
// are inside one another, 0 for a scalar.
func settle(v *jsontree.Value) int {
	deepest := 0
	switch v.Kind {
	case jsontree.Number:
		v.Text = canonicalNumber(v.Text)
		return 0
	case jsontree.List:
		for i := range v.Items {
			deepest = max(deepest, settle(&v.Items[i]))
		}
	case jsontree.Object:
		// The sort keeps the order of equal names, so the last one of a run is the last one of the text.
		slices.SortStableFunc(v.Members, func(a, b jsontree.Member) int { return strings.Compare(a.Name, b.Name) })
		kept := v.Members[:0]
		for i := range v.Members {
			if i+1 < len(v.Members) && v.Members[i+1].Name == v.Members[i].Name {
				continue
			}
			kept = append(kept, v.Members[i])
		}
		v.Members = kept
		for i := range v.Members {
			deepest = max(deepest, settle(&v.Members[i].Value))
		}
	default:
		return 0
	}
	return deepest + 1
}

// member returns a member of a settled object, or nil.
func member(v *jsontree.Value, name string) *jsontree.Value {
	i, found := slices.BinarySearchFunc(v.Members, name, func(m jsontree.Member, name string) int {
		return strings.Compare(m.Name, name)
	})
	if !found {
		return nil
	}
	return &v.Members[i].Value
}

// canonicalNumber keeps the digits of a number and settles the rest (WD-49): a small e, a sign before every exponent,
// and no negative zero among integers.
func canonicalNumber(text string) string {
	if text == "-0" {
		return "0"
	}
	e := strings.IndexAny(text, "eE")
	if e < 0 {
		return text
	}
	exponent := text[e+1:]
	if exponent[0] != '+' && exponent[0] != '-' {
		return text[:e] + "e+" + exponent
	}
	if text[e] == 'e' {
		return text
	}
	return text[:e] + "e" + exponent
}

// appendCanonical appends the canonical text of a settled value.
func appendCanonical(dst []byte, v *jsontree.Value) []byte { return appendValue(dst, v, appendDigits) }

func appendDigits(dst []byte, number string) []byte { return append(dst, number...) }

// valueKey is the same text for settled values that are equal for an enum: numbers count as exact decimals, so 1, 1.0
// and 10e-1 are one. Exponents of more than 18 digits are equal only as they are written.
func valueKey(v *jsontree.Value) string {
	return string(appendValue(nil, v, func(dst []byte, number string) []byte { return parseDecimal(number).appendKey(dst) }))
}

func appendValue(dst []byte, v *jsontree.Value, number func(dst []byte, text string) []byte) []byte {
	switch v.Kind {
	case jsontree.Bool:
		return strconv.AppendBool(dst, v.True)
	case jsontree.Number:
		return number(dst, v.Text)
	case jsontree.String:
		return jsontree.AppendString(dst, v.Text)
	case jsontree.List:
		dst = append(dst, '[')
		for i := range v.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendValue(dst, &v.Items[i], number)
		}
		return append(dst, ']')
	case jsontree.Object:
		dst = append(dst, '{')
		for i := range v.Members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = jsontree.AppendString(dst, v.Members[i].Name)
			dst = append(dst, ':')
			dst = appendValue(dst, &v.Members[i].Value, number)
		}
		return append(dst, '}')
	default:
		return append(dst, "null"...)
	}
}

// versionOf reads a format version: an integer literal of 0 to 255 (WD-2).
func versionOf(text string) (version int, ok bool) {
	if len(text) == 0 || len(text) > 3 {
		return 0, false
	}
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
		version = version*10 + int(text[i]-'0')
	}
	return version, version <= 255
}
