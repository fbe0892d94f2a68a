package signature

import (
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strconv"

	"github.com/fwgo/fwgo/internal/jsontree"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// arrayLimits adds the length of arrays, which no tag can change.
func (r *tagReader) arrayLimits() {
	for i := range r.spec.levels {
		at := &r.spec.levels[i]
		if at.shape == shapeList && at.typ.Kind() == reflect.Array {
			n := jsontree.Digits(strconv.Itoa(at.typ.Len()))
			at.limits["minItems"] = limit{n, at.typ.String()}
			at.limits["maxItems"] = limit{n, at.typ.String()}
		}
	}
}

// integerLimits adds what the Go type cannot hold to what the tags say, so
// that a caller reads it in the schema. The ends of int and of the 64 bit
// kinds are left to the setters: no caller means them.
func (r *tagReader) integerLimits() {
	for i := range r.spec.levels {
		if at := &r.spec.levels[i]; at.shape == shapeInteger {
			r.integerLimit(at)
		}
	}
}

func (r *tagReader) integerLimit(at *level) {
	low, high := integerRange(at.typ)
	for _, word := range []string{"minimum", "maximum"} {
		if have, ok := at.limits[word]; ok {
			if problem := fitsInteger(at.typ, wholeText(have.value.Text)); problem != "" {
				r.fail(word, "%s: %s", have.by, problem)
			}
		}
	}
	k := at.typ.Kind()
	small := at.typ.Bits() <= 32 && k != reflect.Int && k != reflect.Uint
	if _, bounded := lowerBound(at); !bounded && (small || low.Sign() == 0) {
		at.limits["minimum"] = limit{jsontree.Digits(low.String()), at.typ.String()}
	}
	if _, bounded := upperBound(at); !bounded && small {
		at.limits["maximum"] = limit{jsontree.Digits(high.String()), at.typ.String()}
	}
}

// wholeText writes a whole number without point or exponent.
func wholeText(literal string) string {
	exact, ok := exactNumber(literal)
	if !ok || !exact.IsInt() {
		return literal
	}
	return exact.Num().String()
}

// A boundWord is one end of a range with the word that sets it.
type boundWord struct {
	word      string
	exact     *big.Rat
	exclusive bool
}

func lowerBound(at *level) (boundWord, bool) { return boundOf(at, "minimum", "exclusiveMinimum") }
func upperBound(at *level) (boundWord, bool) { return boundOf(at, "maximum", "exclusiveMaximum") }

func boundOf(at *level, inclusive, exclusive string) (boundWord, bool) {
	for _, word := range []string{inclusive, exclusive} {
		if have, ok := at.limits[word]; ok {
			exact, usable := exactNumber(have.value.Text)
			return boundWord{word, exact, word == exclusive}, usable
		}
	}
	return boundWord{}, false
}

// agree looks for constraints that contradict each other: no value could meet
// them, so no call could succeed.
func (r *tagReader) agree() {
	for i := range r.spec.levels {
		at := &r.spec.levels[i]
		r.onePerEnd(at, "minimum", "exclusiveMinimum", 1)
		r.onePerEnd(at, "maximum", "exclusiveMaximum", -1)
		r.ordered(at, "minLength", "maxLength")
		r.ordered(at, "minItems", "maxItems")
		r.ordered(at, "minProperties", "maxProperties")
		low, hasLow := lowerBound(at)
		high, hasHigh := upperBound(at)
		if hasLow && hasHigh {
			if c := low.exact.Cmp(high.exact); c > 0 || c == 0 && (low.exclusive || high.exclusive) {
				r.fail(low.word, "no value is within %s and %s", at.limits[low.word].by, at.limits[high.word].by)
			}
		}
		for j := range at.enum {
			for _, word := range sortedKeys(at.limits) {
				if problem := breaksLimit(word, at.limits[word].value, &at.enum[j]); problem != "" {
					r.fail("enum", "%s", problem)
				}
			}
		}
	}
}

// onePerEnd lets one word set each end of a range. Two that mean the same
// whole number are one; step leads from the exclusive to the inclusive word.
func (r *tagReader) onePerEnd(at *level, inclusive, exclusive string, step int64) {
	in, hasIn := at.limits[inclusive]
	ex, hasEx := at.limits[exclusive]
	if !hasIn || !hasEx {
		return
	}
	inExact, ok := exactNumber(in.value.Text)
	exExact, ok2 := exactNumber(ex.value.Text)
	if ok && ok2 && at.shape == shapeInteger && new(big.Rat).Add(exExact, big.NewRat(step, 1)).Cmp(inExact) == 0 {
		delete(at.limits, exclusive)
		return
	}
	r.fail(inclusive, "%s and %s set the same end of the range; keep one", in.by, ex.by)
}

func (r *tagReader) ordered(at *level, low, high string) {
	l, ok := at.limits[low]
	h, ok2 := at.limits[high]
	if !ok || !ok2 {
		return
	}
	lowest, _ := exactNumber(l.value.Text)
	highest, _ := exactNumber(h.value.Text)
	if lowest.Cmp(highest) > 0 {
		r.fail(low, "no value is within %s and %s", l.by, h.by)
	}
}
