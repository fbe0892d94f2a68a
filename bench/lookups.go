package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/lithammer/fuzzysearch/fuzzy"

	"github.com/fwgo/fwgo/lookup"
)

// The key sets of the lookup rows.
var keySizes = []int{1_000, 100_000}

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
	"zzzzzzzzzzzz",        // near to none
	"Ñandú Ōsei-Kováč",    // not ASCII
	"order the usual for the customer whose name begins with Beatrice", // long
}

// hardest finds the slowest of the hard queries for a key set.
func hardest(k *lookup.Keys) string {
	worst, longest := "", time.Duration(0)
	for _, q := range hardQueries {
		fastest := time.Duration(math.MaxInt64)
		for range 3 {
			began := time.Now()
			k.Match(q, lookup.Options{})
			fastest = min(fastest, time.Since(began))
		}
		if fastest > longest {
			worst, longest = q, fastest
		}
	}
	return worst
}

// slipOf finds a key that is still the only one meant when a letter of it is
// left out; among many keys not every one is.
func slipOf(k *lookup.Keys, keys []string) (key, slip string) {
	for _, key = range keys[len(keys)/2:] {
		slip = key[:10] + key[11:]
		if k.Match(slip, lookup.Options{}).Match == key {
			break
		}
	}
	return key, slip
}

func lookupRows() []Row {
	var rows []Row
	for _, size := range keySizes {
		keys := keysOf(size)
		prepared := lookup.NewKeys(keys)
		key, slip := slipOf(prepared, keys)
		hard := hardest(prepared)
		named := func(what string) string { return thousands(size) + " keys: " + what }
		scan := func(what, value string, prove func(nearest []string) error) (name string) {
			name = named("folding and lithammer's distance for every key, " + what)
			rows = append(rows, Row{
				Group: Lookups,
				Name:  name,
				Call:  func() { naive(value, keys) },
				Prove: func() error { return prove(naive(value, keys)) },
			})
			return name
		}
		match := func(what, beside, value string, o lookup.Options, prove func(lookup.Result) error) {
			rows = append(rows, Row{
				Group: Lookups,
				Name:  named("fwgo, " + what),
				Naive: beside,
				Call:  func() { prepared.Match(value, o) },
				Prove: func() error { return prove(prepared.Match(value, o)) },
			})
		}
		applied := func(r lookup.Result) error {
			if r.Verdict != lookup.Applied || r.Match != key {
				return fmt.Errorf("%+v, not %q", r, key)
			}
			return nil
		}
		rejected := func(r lookup.Result) error {
			if r.Verdict != lookup.Rejected {
				return fmt.Errorf("%+v was not rejected", r)
			}
			return nil
		}
		easy := scan("one typo", slip, func(nearest []string) error {
			if !slices.Contains(nearest, key) {
				return fmt.Errorf("%q is near %q, not %q", slip, nearest, key)
			}
			return nil
		})
		match("exact", easy, key, lookup.Options{}, applied)
		match("other case and blanks", easy, "@"+strings.ToUpper(key), lookup.Options{}, applied)
		match("one typo, applied", easy, slip, lookup.Options{}, applied)
		match("one typo, matched as Python does", easy, slip, lookup.Options{Python: true}, applied)
		worst := scan("the hard value", hard, func([]string) error { return nil })
		match("the hardest of four hard values", worst, hard, lookup.Options{}, rejected)
	}
	return rows
}

// thousands writes 100000 as 100,000.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
