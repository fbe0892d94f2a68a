package bench

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/lithammer/fuzzysearch/fuzzy"

	"github.com/fwgo/fwgo/lookup"
)

// The key sets of the lookup rows.
var keySizes = []int{1_000, 100_000, 1_000_000}

// keysOf makes distinct names of about seventeen letters with blanks, _ and @
// in them, as a table of customers has. The same n gives the same names.
func keysOf(n int) []string {
	first := []string{"Aaron", "Beatrice", "Carlos", "Dana", "Emeka", "Fatima", "Gustav", "Hanna", "Ines", "Jurgen",
		"Kofi", "Lourdes", "Mircea", "Noor", "Oksana", "Priya", "Quentin", "Rosalind", "Sven", "Tomoko"}
	syllables := []string{"ga", "rri", "son", "oka", "for", "lind", "qvist", "mo", "reau", "naka", "mura", "osei", "pet",
		"rov", "quis", "pe", "rah", "man", "dell", "ber", "tor", "ul", "zyk", "shaw", "wick", "yama", "hol", "cra", "ven", "doux"}
	joint := []string{" ", "_", "@"}
	random := rand.New(rand.NewPCG(1, 2))
	keys := make([]string, 0, n)
	seen := make(map[string]bool, n)
	for len(keys) < n {
		key := first[random.IntN(len(first))] + joint[random.IntN(len(joint))]
		last := ""
		for range 4 {
			last += syllables[random.IntN(len(syllables))]
		}
		if key += strings.ToUpper(last[:1]) + last[1:]; !seen[key] {
			seen[key] = true
			keys = append(keys, key)
		}
	}
	return keys
}

// naive is what a lookup costs without preparation: fastWorkflow's matching
// with the library's own distance. Every key is folded for every call and cut
// to the value's length, and the nearest by distance per length are kept.
func naive(value string, keys []string) []string {
	value = naiveFold(value)
	n := utf8.RuneCountInString(value)
	best, nearest := math.Inf(1), []string(nil)
	for _, key := range keys {
		folded := naiveFold(key)
		if utf8.RuneCountInString(folded) > n {
			folded = string([]rune(folded)[:n])
		}
		longer := max(n, utf8.RuneCountInString(folded))
		if longer == 0 {
			continue
		}
		distance := float64(fuzzy.LevenshteinDistance(value, folded)) / float64(longer)
		switch {
		case distance < best:
			best, nearest = distance, append(nearest[:0], key)
		case distance == best:
			nearest = append(nearest, key)
		}
	}
	return nearest
}

func naiveFold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '@' || r == '_' {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// hardQueries are no keys and no slips, so that every stage of matching is
// gone through.
var hardQueries = []string{
	"Hannah Lindkvist zz", // near to many keys
	"Wolfgang Amadeus",    // as far from all as from most
	"Ñandú Ōsei-Kováč",    // not ASCII
	"order the usual for the customer whose name begins with Beatrice", // long
}

// nothingNear has so little in common with any key that only difflib is left.
const nothingNear = "zzzzzzzzzzzz"

// hardest finds the hard query that takes the longest for a key set.
func hardest(k *lookup.Keys, o lookup.Options) string {
	worst, longest := "", time.Duration(0)
	for _, q := range hardQueries {
		if took := fastest(3, func() { k.Match(q, o) }); took > longest {
			worst, longest = q, took
		}
	}
	return worst
}

// fastest is the least time that a call takes of some.
func fastest(calls int, call func()) time.Duration {
	least := time.Duration(math.MaxInt64)
	for range calls {
		began := time.Now()
		call()
		least = min(least, time.Since(began))
	}
	return least
}

// values are what is looked up in a key set.
type values struct {
	keys     []string
	prepared *lookup.Keys

	key      string // one of the keys
	prefix   string // how some begin
	slip     string // key without one letter
	twoSlips string // key without two
	far      string // the hardest of hardQueries
}

// valuesIn picks a key that is still the only one meant when a letter of it is left
// out; among many keys not every one is.
func valuesIn(keys []string, prepared *lookup.Keys) *values {
	v := &values{keys: keys, prepared: prepared}
	for _, v.key = range keys[len(keys)/2:] {
		v.slip = v.key[:10] + v.key[11:]
		if v.prepared.Match(v.slip, lookup.Options{}).Match == v.key && v.prepared.Match(v.slip, lookup.Options{Python: true}).Match == v.key {
			break
		}
	}
	v.prefix = v.key[:10]
	v.twoSlips = v.key[:2] + v.key[3:10] + v.key[11:]
	v.far = hardest(v.prepared, lookup.Options{})
	return v
}

// What is looked up, in the names of rows.
const (
	exactValue  = "exact"
	foldedValue = "other case and blanks"
	prefixValue = "a beginning"
	slipValue   = "one typo"
	twoValue    = "two typos"
	farValue    = "the hardest of four far-off values"
	noneValue   = "nothing near"
)

func lookupRows() []Row {
	var rows []Row
	for _, size := range keySizes {
		keys := keysOf(size)
		v := valuesIn(keys, lookup.NewKeys(keys))
		named := func(how, what string) string { return thousands(size) + " keys: " + how + ", " + what }
		scan := func(what, value string) string {
			name := named("folding and lithammer's distance for every key", what)
			rows = append(rows, Row{
				Group: Lookups,
				Name:  name,
				Call:  func() { naive(value, v.keys) },
				Prove: func() error { return nil }, // it answers another question; the cost is the point
			})
			return name
		}
		match := func(how, what, beside string, call func() lookup.Result, proves func(lookup.Result) error) {
			rows = append(rows, Row{
				Group: Lookups,
				Name:  named(how, what),
				Naive: beside,
				Call:  func() { call() },
				Prove: func() error { return proves(call()) },
			})
		}
		applied := func(r lookup.Result) error {
			if r.Verdict != lookup.Applied || r.Match != v.key {
				return fmt.Errorf("%+v, not %q", r, v.key)
			}
			return nil
		}
		rejected := func(r lookup.Result) error {
			if r.Verdict != lookup.Rejected {
				return fmt.Errorf("%+v was not rejected", r)
			}
			return nil
		}
		answered := func(r lookup.Result) error {
			if r.Verdict < lookup.Applied || r.Verdict > lookup.Declined {
				return fmt.Errorf("%+v is no answer", r)
			}
			return nil
		}
		python := lookup.Options{Python: true}
		beside := ""
		for _, c := range []struct {
			what, value string
			scanned     bool // else beside the scan for the typo
			python      bool
			proves      func(lookup.Result) error
		}{
			{slipValue, v.slip, true, true, applied},
			{exactValue, v.key, false, false, applied},
			{foldedValue, "@" + strings.ToUpper(v.key), false, false, applied},
			{prefixValue, v.prefix, false, true, answered},
			{twoValue, v.twoSlips, true, true, answered},
			{farValue, v.far, true, true, rejected},
			{noneValue, nothingNear, true, true, answered},
		} {
			if c.scanned {
				beside = scan(c.what, c.value)
				match("fwgo's Match on a slice", c.what, beside, func() lookup.Result { return lookup.Match(c.value, v.keys, lookup.Options{}) }, c.proves)
			}
			match("fwgo", c.what, beside, func() lookup.Result { return v.prepared.Match(c.value, lookup.Options{}) }, c.proves)
			if c.python {
				match("fwgo as Python", c.what, beside, func() lookup.Result { return v.prepared.Match(c.value, python) }, answered)
			}
		}
	}
	return rows
}

// lookupPromises are those of D-14 for a million keys.
func lookupPromises(measured []Measurement) []promise {
	var all []promise
	for _, c := range []struct {
		how, what string
		bound     float64
	}{
		{"fwgo", exactValue, 8000}, {"fwgo", prefixValue, 4000}, {"fwgo", slipValue, 800}, {"fwgo", farValue, 20}, {"fwgo", noneValue, 20},
		{"fwgo as Python", slipValue, 800}, {"fwgo as Python", farValue, 20}, {"fwgo as Python", noneValue, 20},
	} {
		name := thousands(keySizes[len(keySizes)-1]) + " keys: " + c.how + ", " + c.what
		for _, m := range measured {
			if m.Group == Lookups && m.Name == name {
				all = append(all, promise{name + ": times faster than the scan", m.FasterThanNaive, c.bound, true})
			}
		}
	}
	return all
}

// writeLookupGrowth writes how the time of a lookup grows with the keys: as the keys to
// the power of the exponent that fits best.
func writeLookupGrowth(w io.Writer, measured []Measurement) {
	fmt.Fprint(w, `
## How lookups grow with the keys

The exponent is that of the power of the keys that fits best: 1 is linear.

| what |`)
	for _, size := range keySizes {
		fmt.Fprintf(w, " %s keys |", thousands(size))
	}
	fmt.Fprintf(w, " exponent |\n|---|%s---:|\n", strings.Repeat("---:|", len(keySizes)))
	for _, how := range []string{"fwgo", "fwgo as Python"} {
		for _, what := range []string{exactValue, foldedValue, prefixValue, slipValue, twoValue, farValue, noneValue} {
			var took []float64
			for _, size := range keySizes {
				name := thousands(size) + " keys: " + how + ", " + what
				for _, m := range measured {
					if m.Group == Lookups && m.Name == name {
						took = append(took, m.Nanoseconds)
					}
				}
			}
			if len(took) < len(keySizes) {
				continue
			}
			fmt.Fprintf(w, "| %s, %s |", how, what)
			for _, ns := range took {
				fmt.Fprintf(w, " %s |", time.Duration(ns).Round(10*time.Nanosecond))
			}
			fmt.Fprintf(w, " %.2f |\n", exponent(keySizes, took))
		}
	}
}

// thousands writes 100000 as 100,000.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
