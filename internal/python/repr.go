package python

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxReprDepth bounds the recursion of Repr. Nothing that Literal or a JSON decoder returns is nested that deep.
const maxReprDepth = 10_000

// Str renders v as Python's str() does: a string is its own content, everything else is as from Repr.
func Str(v Value) string {
	if v.Kind == KindString {
		return v.Text
	}
	return Repr(v)
}

// Repr renders v as Python's repr() does. What it writes, Literal reads back as the same value, except where Python cannot
// either: infinities and Ellipsis have no literal of that form, and the zero real part of a complex number can change its sign.
//
// Bytes of a string that are not UTF-8 are written as Python writes them after surrogateescape.
func Repr(v Value) string {
	switch v.Kind {
	case KindNone:
		return "None"
	case KindEllipsis:
		return "Ellipsis"
	case KindBool, KindInt, KindFloat, KindComplex:
		return v.Text
	}
	return string(appendRepr(nil, v, 0))
}

// FloatRepr renders f as Python's repr() does: the shortest digits that read back as f, always with a point or an exponent
// ("1.0", "1e+16"), or the words inf, -inf and nan.
func FloatRepr(f float64) string {
	var room [32]byte
	return string(appendFloat(room[:0], f))
}

func appendRepr(dst []byte, v Value, depth int) []byte {
	if depth > maxReprDepth {
		return append(dst, "..."...)
	}
	switch v.Kind {
	case KindString:
		return appendString(dst, v.Text)
	case KindBytes:
		return appendBytes(dst, v.Text)
	case KindList:
		return append(appendItems(append(dst, '['), v.Items, depth), ']')
	case KindTuple:
		dst = appendItems(append(dst, '('), v.Items, depth)
		if len(v.Items) == 1 {
			dst = append(dst, ',')
		}
		return append(dst, ')')
	case KindSet:
		if len(v.Items) == 0 {
			return append(dst, "set()"...)
		}
		return append(appendItems(append(dst, '{'), v.Items, depth), '}')
	case KindDict:
		dst = append(dst, '{')
		for i := range min(len(v.Keys), len(v.Items)) {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = appendRepr(dst, v.Keys[i], depth+1)
			dst = append(dst, ": "...)
			dst = appendRepr(dst, v.Items[i], depth+1)
		}
		return append(dst, '}')
	}
	return append(dst, Repr(v)...)
}

func appendItems(dst []byte, items []Value, depth int) []byte {
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = appendRepr(dst, item, depth+1)
	}
	return dst
}

// quoteFor returns the quote that Python puts around text: the single one, unless that would need a backslash and the double
// one would not.
func quoteFor(text string) byte {
	if strings.IndexByte(text, '\'') >= 0 && strings.IndexByte(text, '"') < 0 {
		return '"'
	}
	return '\''
}

func appendString(dst []byte, text string) []byte {
	quote := quoteFor(text)
	dst = append(dst, quote)
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			dst = appendASCII(dst, c, quote)
			i++
			continue
		}
		r, size := decodeRune(text[i:])
		switch {
		case unicode.IsPrint(r):
			dst = append(dst, text[i:i+size]...)
		case r <= 0xFF:
			dst = appendHex(append(dst, `\x`...), r, 2)
		case r <= 0xFFFF:
			dst = appendHex(append(dst, `\u`...), r, 4)
		default:
			dst = appendHex(append(dst, `\U`...), r, 8)
		}
		i += size
	}
	return append(dst, quote)
}

func appendBytes(dst []byte, text string) []byte {
	quote := quoteFor(text)
	dst = append(dst, 'b', quote)
	for i := range len(text) {
		if c := text[i]; c < utf8.RuneSelf {
			dst = appendASCII(dst, c, quote)
		} else {
			dst = appendHex(append(dst, `\x`...), rune(c), 2)
		}
	}
	return append(dst, quote)
}

func appendASCII(dst []byte, c, quote byte) []byte {
	switch {
	case c == quote, c == '\\':
		return append(dst, '\\', c)
	case c == '\n':
		return append(dst, `\n`...)
	case c == '\r':
		return append(dst, `\r`...)
	case c == '\t':
		return append(dst, `\t`...)
	case c < ' ', c == 0x7F:
		return appendHex(append(dst, `\x`...), rune(c), 2)
	}
	return append(dst, c)
}

func appendHex(dst []byte, r rune, width int) []byte {
	for shift := 4 * (width - 1); shift >= 0; shift -= 4 {
		dst = append(dst, "0123456789abcdef"[r>>shift&0xF])
	}
	return dst
}

// decodeRune is utf8.DecodeRuneInString, except that it decodes the three-byte form of a surrogate, and answers a byte that
// belongs to no character with the surrogate that stands for it in Python (U+DC80 to U+DCFF).
func decodeRune(text string) (rune, int) {
	r, size := utf8.DecodeRuneInString(text)
	if r != utf8.RuneError || size > 1 {
		return r, size
	}
	if len(text) >= 3 && text[0] == 0xED && text[1]&0xE0 == 0xA0 && text[2]&0xC0 == 0x80 {
		return 0xD000 | rune(text[1]&0x3F)<<6 | rune(text[2]&0x3F), 3
	}
	return 0xDC00 | rune(text[0]), 1
}

// appendRune is utf8.AppendRune, except that it keeps a surrogate.
func appendRune(dst []byte, r rune) []byte {
	if 0xD800 <= r && r <= 0xDFFF {
		return append(dst, 0xED, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(dst, r)
}

func appendFloat(dst []byte, f float64) []byte {
	start := len(dst)
	dst = appendShortFloat(dst, f)
	for _, c := range dst[start:] {
		if c != '-' && !isDigit(c) {
			return dst
		}
	}
	return append(dst, ".0"...)
}

// appendShortFloat writes a whole number without a point, as Python does inside a complex number.
func appendShortFloat(dst []byte, f float64) []byte {
	magnitude := math.Abs(f)
	switch {
	case math.IsNaN(f):
		return append(dst, "nan"...)
	case math.IsInf(f, 1):
		return append(dst, "inf"...)
	case math.IsInf(f, -1):
		return append(dst, "-inf"...)
	case magnitude != 0 && (magnitude < 1e-4 || magnitude >= 1e16):
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}

func complexRepr(re, im float64) string {
	if re == 0 && !math.Signbit(re) {
		return string(append(appendShortFloat(nil, im), 'j'))
	}
	dst := appendShortFloat([]byte{'('}, re)
	if !math.Signbit(im) {
		dst = append(dst, '+')
	}
	return string(append(appendShortFloat(dst, im), "j)"...))
}
