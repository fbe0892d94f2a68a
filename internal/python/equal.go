package python

import (
	"encoding/binary"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// dropDuplicates gives a set or dict the members that Python keeps: of equal elements the first, of equal keys the first with
// the last value. It reports false if a member cannot be hashed, where Python raises TypeError.
//
// Python prints a set in the order of its hashes, which for texts changes with every process. Here the order written stays.
func (v *Value) dropDuplicates() bool {
	members := v.Items
	if v.Kind == KindDict {
		members = v.Keys
	}
	if len(members) == 0 {
		return true
	}
	var key []byte
	place := make(map[string]int, len(members))
	kept := 0
	for i, m := range members {
		var ok bool
		if key, ok = appendKey(key[:0], m); !ok {
			return false
		}
		at, seen := place[string(key)]
		if !seen {
			at = kept
			place[string(key)] = at
			members[at] = m
			kept++
		}
		if v.Kind == KindDict {
			v.Items[at] = v.Items[i]
		}
	}
	v.Repeats = kept < len(v.Items)
	v.Items = v.Items[:kept]
	if v.Kind == KindDict {
		v.Keys = v.Keys[:kept]
	}
	return true
}

// appendKey appends to dst a text that is the same for two values exactly if Python holds them equal (so for 1, 1.0 and
// True). It reports false if v, or anything in it, has no hash.
func appendKey(dst []byte, v Value) ([]byte, bool) {
	switch v.Kind {
	case KindBool:
		return appendNumberKey(dst, truth(v), 0), true
	case KindInt:
		if f, ok := exactFloat(v.Text); ok {
			return appendNumberKey(dst, f, 0), true
		}
		return appendTextKey(dst, 'i', v.Text), true
	case KindFloat:
		f, _ := Float(v.Text)
		return appendNumberKey(dst, f, 0), true
	case KindComplex:
		c := complexParts(v.Text)
		return appendNumberKey(dst, real(c), imag(c)), true
	case KindString:
		return appendTextKey(dst, 's', v.Text), true
	case KindBytes:
		return appendTextKey(dst, 'b', v.Text), true
	case KindNone:
		return append(dst, 'N'), true
	case KindEllipsis:
		return append(dst, 'E'), true
	case KindTuple:
		dst = append(dst, '(')
		for _, item := range v.Items {
			var ok bool
			if dst, ok = appendKey(dst, item); !ok {
				return dst, false
			}
		}
		return append(dst, ')'), true
	}
	return dst, false
}

// appendTextKey writes the length first, so that no text can be mistaken for the end of another.
func appendTextKey(dst []byte, tag byte, text string) []byte {
	dst = append(dst, tag)
	dst = binary.AppendUvarint(dst, uint64(len(text)))
	return append(dst, text...)
}

func appendNumberKey(dst []byte, re, im float64) []byte {
	// Adding zero turns -0 into 0, which is equal to it.
	dst = append(dst, 'n')
	dst = binary.BigEndian.AppendUint64(dst, math.Float64bits(re+0))
	return binary.BigEndian.AppendUint64(dst, math.Float64bits(im+0))
}

func truth(v Value) float64 {
	if v.Text == "True" {
		return 1
	}
	return 0
}

// exactFloat returns the float64 that equals the whole number digits, if there is one.
func exactFloat(digits string) (float64, bool) {
	const alwaysExact = 15
	if len(digits) <= alwaysExact {
		f, err := strconv.ParseFloat(digits, 64)
		return f, err == nil
	}
	n, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		return 0, false
	}
	f, accuracy := n.Float64()
	return f, accuracy == big.Exact
}

func complexParts(text string) complex128 {
	c, _ := strconv.ParseComplex(strings.Replace(text, "j", "i", 1), 128)
	return c
}
