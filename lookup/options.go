package lookup

import (
	"fmt"
	"math"
)

// Options say how a value is matched. The zero Options are the default of D-7.
type Options struct {
	// Open is for a key set that is known to be partial: a value with nothing
	// near it is declined instead of rejected (FW-75). A value with something
	// near it is still rejected, with that as the suggestion; for a set that is
	// mostly unknown, a SuggestThreshold of 0.4 or so lets more values pass.
	Open bool `json:"open,omitempty"`

	// Python matches as fastWorkflow 3.1.2 does, exactly (FW-76 to FW-84). It
	// corrects more, and more often wrongly: "x" of Max and Bob is Max. Open
	// has no effect then. A value of any length is compared; the time that takes
	// is bounded by the keys.
	Python bool `json:"python,omitempty"`

	// The thresholds are fractions of the length compared; nil is the default,
	// and a pointer to 0 is 0: Options{AutoApplyThreshold: new(0.0)}.

	// Threshold is the least difflib ratio of a suggestion when nothing is near
	// by edit distance (FW-83). Default 0.6.
	Threshold *float64 `json:"threshold,omitempty"`

	// SuggestThreshold is the greatest edit distance of a suggestion from its
	// best window (FW-80, FW-81). Default 0.7. Below 0, only keys that contain
	// the value are near.
	SuggestThreshold *float64 `json:"suggest_threshold,omitempty"`

	// AutoApplyThreshold is the greatest edit distance of a key that is applied
	// (FW-82): of the whole key, or of its best window if Python is set. Default
	// 0.2. At 0, only keys that have the value's words in them are applied; below
	// 0, only equal ones.
	AutoApplyThreshold *float64 `json:"auto_apply_threshold,omitempty"`
}

// Validate says what is wrong with the options, for whoever reads them from a
// file or a request. [From] panics with the same text. Match and Keys.Match take
// any options; a threshold that is not a number is one that nothing reaches.
func (o Options) Validate() error {
	for _, t := range []struct {
		name  string
		value *float64
		least float64
		says  string
	}{
		{"Threshold", o.Threshold, 0, "from 0 to 1"},
		{"SuggestThreshold", o.SuggestThreshold, math.Inf(-1), "at most 1"},
		{"AutoApplyThreshold", o.AutoApplyThreshold, math.Inf(-1), "at most 1"},
	} {
		if t.value != nil && !(*t.value >= t.least && *t.value <= 1) {
			return fmt.Errorf("lookup: Options.%s is %v; it must be %s", t.name, *t.value, t.says)
		}
	}
	return nil
}

func or(set *float64, unset float64) float64 {
	if set != nil {
		return *set
	}
	return unset
}

func (o Options) threshold() float64 { return or(o.Threshold, 0.6) }
func (o Options) suggest() float64   { return or(o.SuggestThreshold, 0.7) }
func (o Options) autoApply() float64 { return or(o.AutoApplyThreshold, 0.2) }

// fixed is o with its own copies of the thresholds.
func (o Options) fixed() Options {
	o.Threshold, o.SuggestThreshold, o.AutoApplyThreshold = new(o.threshold()), new(o.suggest()), new(o.autoApply())
	return o
}

// mostEdits is the largest number of edits that is within limit of a length, or
// -1. It is decided by the division of FW-80 itself, so that a limit met exactly
// is met.
func mostEdits(length int, limit float64) int {
	if length == 0 || limit != limit || limit < 0 {
		return -1
	}
	if limit >= 1 {
		return length
	}
	n := int(limit * float64(length))
	for n < length && float64(n+1)/float64(length) <= limit {
		n++
	}
	for n >= 0 && float64(n)/float64(length) > limit {
		n--
	}
	return n
}

// limits remembers mostEdits for the lengths of one set of keys.
type limits struct {
	limit float64
	known [64]int8 // mostEdits plus 2, 0 for not known; longer keys are few
}

// set begins anew if the limit is another one.
func (l *limits) set(limit float64) {
	if limit != l.limit {
		*l = limits{limit: limit}
	}
}

func (l *limits) of(length int) int {
	if length >= len(l.known) {
		return mostEdits(length, l.limit)
	}
	if l.known[length] == 0 {
		l.known[length] = int8(mostEdits(length, l.limit) + 2)
	}
	return int(l.known[length]) - 2
}
