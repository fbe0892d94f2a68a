package lookup

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/lithammer/fuzzysearch/fuzzy"
	"pgregory.net/rapid"

	"github.com/fwgo/fwgo/internal/difflib"
)

// referenceMatch says what Match must answer, in the words of the rules and with
// nothing saved: every key is folded and measured on every call. Whatever makes
// Keys fast must agree with it. It shares with the product only what is said of
// one value and one key: fold, the words, and whether a difference is a slip.
func referenceMatch(value string, keys []string, o Options) Result {
	if o.Python {
		return referencePython(value, keys, o)
	}
	return referenceDefault(value, dedupe(keys), o)
}

func dedupe(keys []string) []string {
	var out []string
	for _, k := range keys {
		if !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

func filter(keys []string, keep func(key string) bool) []string {
	var out []string
	for _, k := range keys {
		if keep(k) {
			out = append(out, k)
		}
	}
	return out
}

func firstFive(keys []string) Result {
	n := min(5, len(keys))
	return Result{Verdict: Rejected, Suggestions: keys[:n:n], More: len(keys) - n}
}

func runeLength(s string) int { return utf8.RuneCountInString(s) }

func wordsOf(s string) string {
	w, _ := appendWords(nil, s)
	return string(w)
}

// wholeDistance is the edit distance over the longer length.
func wholeDistance(a, b string) float64 {
	n := max(runeLength(a), runeLength(b))
	if n == 0 {
		return 0
	}
	return float64(fuzzy.LevenshteinDistance(a, b)) / float64(n)
}

// windowDistance is FW-80.
func windowDistance(value, key string) float64 {
	n, k := runeLength(value), []rune(key)
	if len(k) <= n {
		return wholeDistance(value, key)
	}
	least := math.Inf(1)
	for i := 0; i+n <= len(k); i++ {
		least = min(least, wholeDistance(value, string(k[i:i+n])))
	}
	return least
}

func referenceDefault(value string, keys []string, o Options) Result {
	if slices.Contains(keys, value) {
		return applied(value)
	}
	none := firstFive(keys)
	none.Sample = len(keys) > 0
	if o.Open {
		none = Result{Verdict: Declined}
	}
	v, words := fold(value), wordsOf(value)
	if runeLength(value) > 256 || v == "" || value == "NOT_FOUND" {
		return none
	}

	equal := filter(keys, func(k string) bool { return fold(k) == v })
	if same := filter(equal, func(k string) bool { return strings.EqualFold(k, value) }); len(same) > 0 {
		equal = same // nothing but case differs
	}
	if len(equal) == 1 && wellFormed(value, equal[0]) {
		return applied(equal[0])
	}
	if len(equal) > 0 {
		return firstFive(equal)
	}

	containing := filter(keys, func(k string) bool { return utf8.ValidString(v) && strings.Contains(fold(k), v) })
	whole := filter(keys, func(k string) bool { return words != "" && strings.Contains(wordsOf(k), words) })
	heard := filter(keys, func(k string) bool { return heardAs(strings.Fields(words), wordsOf(k)) })
	near := filter(keys, func(k string) bool { return wholeDistance(v, fold(k)) <= o.autoApply() })
	other := func(list []string, key string) bool {
		return slices.ContainsFunc(list, func(k string) bool { return k != key })
	}

	enough := runeLength(strings.ReplaceAll(words, " ", "")) >= 3
	if o.autoApply() >= 0 && enough {
		if same := filter(whole, func(k string) bool { return wordsOf(k) == words }); len(same) > 0 {
			same = filter(same, func(k string) bool { return wellFormed(value, k) && sameMarks(value, k) })
			if len(same) == 1 {
				return applied(same[0])
			}
		} else if len(whole) == 1 {
			key := whole[0]
			rivals := filter(near, func(k string) bool { return fuzzy.LevenshteinDistance(v, fold(k)) <= 1 && rival(value, k) })
			if mayNameWhole(words) && wellFormed(value, key) && containedPlainly(value, key) &&
				!other(containing, key) && !other(rivals, key) && !other(heard, key) {
				return applied(key)
			}
		}
	}

	if len(near) > 0 && enough {
		best := slices.MinFunc(near, func(a, b string) int {
			switch x, y := wholeDistance(v, fold(a)), wholeDistance(v, fold(b)); {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return 0
		})
		odd, slipped := oddWord(value, best)
		known := odd != "" && slices.ContainsFunc(keys, func(k string) bool {
			return k != best && slices.Contains(strings.Fields(wordsOf(k)), odd)
		})
		doubt := slices.ContainsFunc(near, func(k string) bool {
			farther := fuzzy.LevenshteinDistance(v, fold(k)) - fuzzy.LevenshteinDistance(v, fold(best))
			return k != best && (wholeDistance(v, fold(k)) == wholeDistance(v, fold(best)) || farther <= 1 && rival(value, k))
		})
		if slipped && !known && !doubt && !other(containing, best) && wellFormed(value, best) && sameMarks(value, best) {
			return applied(best)
		}
	}
	return referenceSuggest(value, keys, o, none, containing, whole, heard, near)
}

func referenceSuggest(value string, keys []string, o Options, none Result, containing, whole, heard, near []string) Result {
	v, words := fold(value), wordsOf(value)
	n := float64(runeLength(v))
	far := map[string]float64{} // key -> distance
	add := func(k string, d float64) {
		if old, ok := far[k]; !ok || d < old {
			far[k] = d
		}
	}
	for _, k := range slices.Concat(containing, whole) {
		add(k, 0)
	}
	if len(whole) > 0 {
		for _, k := range heard {
			add(k, 1/n)
		}
	}
	if len(containing)+len(whole) == 0 {
		edits := func(k string) int { return int(math.Round(windowDistance(v, fold(k)) * n)) }
		within := filter(keys, func(k string) bool { return windowDistance(v, fold(k)) <= o.suggest() })
		least := math.MaxInt
		for _, k := range within {
			least = min(least, edits(k))
		}
		for _, k := range within {
			if edits(k) <= least+int(n)/5 {
				add(k, windowDistance(v, fold(k)))
			}
		}
	}
	for _, k := range near {
		add(k, float64(fuzzy.LevenshteinDistance(v, fold(k)))/n)
	}
	mine := dedupe(strings.Fields(words))
	share := func(mine []string, inside bool) {
		for _, k := range keys {
			theirs := strings.Fields(wordsOf(k))
			if len(mine) == 0 || len(theirs) == 0 {
				continue
			}
			shared := 0
			for _, w := range mine {
				if slices.Contains(theirs, w) {
					shared++
				}
			}
			if inside && strings.Contains(words, wordsOf(k)) && wordsOf(k) != words && runeLength(strings.Join(theirs, "")) >= 3 {
				shared = len(theirs)
			} else if 4*shared <= len(mine)+len(theirs) {
				continue
			}
			add(k, max(0, 1-2*float64(shared)/float64(len(mine)+len(theirs))))
		}
	}
	share(mine, true)
	share(filter(mine, func(w string) bool { return !pointing[w] }), false)
	order := filter(keys, func(k string) bool { _, ok := far[k]; return ok })
	slices.SortStableFunc(order, func(a, b string) int {
		switch {
		case far[a] < far[b]:
			return -1
		case far[a] > far[b]:
			return 1
		}
		return 0
	})
	if len(order) == 0 {
		order = referenceClose(value, keys, o.threshold(), dedupe)
	}
	if len(order) == 0 {
		return none
	}
	return firstFive(order)
}

// referenceClose is FW-83, on the lower cases that remain of all.
func referenceClose(value string, keys []string, cutoff float64, remain func([]string) []string) []string {
	var lowered, out []string
	for _, k := range keys {
		lowered = append(lowered, lower(k))
	}
	for _, text := range difflib.CloseMatches(lower(value), remain(lowered), 3, cutoff) {
		out = append(out, filter(keys, func(k string) bool { return lower(k) == text })...)
	}
	return out
}

func referencePython(value string, keys []string, o Options) Result {
	if value == "" || value == "NOT_FOUND" || len(keys) == 0 {
		return Result{Verdict: Declined}
	}
	for _, k := range keys {
		if lower(k) == lower(value) {
			return applied(k)
		}
	}
	normed := func(s string) string { return pythonNorm(lower(s)) }
	v := normed(value)
	distance := 0.0
	set := filter(keys, func(k string) bool { return utf8.ValidString(v) && strings.Contains(normed(k), v) })
	if len(set) == 0 {
		distance = math.Inf(1)
		for _, k := range keys {
			distance = min(distance, windowDistance(v, normed(k)))
		}
		if distance <= o.suggest() {
			set = filter(keys, func(k string) bool { return windowDistance(v, normed(k))-distance <= 1e-12 })
		}
	}
	if len(set) == 1 && distance <= o.autoApply() && wellFormed(value, set[0]) {
		return applied(set[0])
	}
	if len(set) == 0 {
		set = referenceClose(value, keys, o.threshold(), slices.Clone)
	}
	if len(set) == 0 {
		return Result{Verdict: Declined}
	}
	return Result{Verdict: Rejected, Suggestions: set}
}

// The generators write texts that are nearly alike, of few letters and few words,
// so that every rule has something to decide.

func wordGen() *rapid.Generator[string] {
	fixed := rapid.SampledFrom(strings.Fields("web prod report reports render preview Smith Smyth Jensen Jenson Kim Kimson " +
		"never all the 1 12 123 W1234567 #W1234568 C++ $5 Zoë zoe Straße lock unlock 東京 김지연 ŉ İ Σας क्षि e\u0301 \xff a\xfe " +
		"employer employee authentication x.y O'Brien SectionA ✅ bob@x.com \U000e0067 ≠ - ."))
	letters := rapid.StringOfN(rapid.SampledFrom([]rune("aabbcdé1_ ")), 1, 7, -1)
	return rapid.OneOf(fixed, fixed, fixed, letters)
}

func textGen() *rapid.Generator[string] {
	phrase := rapid.Custom(func(t *rapid.T) string {
		sep := rapid.SampledFrom([]string{" ", " ", "_", "-", "", ", ", "\u00a0", "\u200b", "@"})
		s := wordGen().Draw(t, "word")
		for range rapid.IntRange(0, 3).Draw(t, "more") {
			s += sep.Draw(t, "sep") + wordGen().Draw(t, "word")
		}
		return s
	})
	long := rapid.Custom(func(t *rapid.T) string {
		return strings.Repeat(phrase.Draw(t, "part"), rapid.IntRange(1, 12).Draw(t, "times"))
	})
	return rapid.OneOf(phrase, phrase, phrase, phrase, long, rapid.String())
}

// slipGen makes of a text what a hand or a model makes of it.
func slipGen(t *rapid.T, s string) string {
	r := []rune(s)
	for range rapid.IntRange(1, 2).Draw(t, "slips") {
		if len(r) < 2 {
			break
		}
		i := rapid.IntRange(0, len(r)-2).Draw(t, "at")
		switch rapid.IntRange(0, 5).Draw(t, "slip") {
		case 0:
			r = slices.Delete(r, i, i+1)
		case 1:
			r = slices.Insert(r, i, 'e')
		case 2:
			r[i] = 'a'
		case 3:
			r[i], r[i+1] = r[i+1], r[i]
		case 4:
			r = r[:i+1]
		case 5:
			r = []rune(strings.ToUpper(string(r)))
		}
	}
	return string(r)
}

func caseGen(t *rapid.T) (value string, keys []string, o Options) {
	keys = rapid.SliceOfN(textGen(), 0, 8).Draw(t, "keys")
	value = textGen().Draw(t, "value")
	if len(keys) > 0 && rapid.IntRange(0, 3).Draw(t, "kind") > 0 {
		value = slipGen(t, rapid.SampledFrom(keys).Draw(t, "key"))
	}
	if len(keys) > 1 && rapid.Bool().Draw(t, "sibling") {
		keys[0] = slipGen(t, keys[1])
	}
	o.Python = rapid.IntRange(0, 3).Draw(t, "python") == 0
	o.Open = rapid.Bool().Draw(t, "open")
	threshold := func(name string, of ...float64) *float64 {
		if rapid.Bool().Draw(t, name+" unset") {
			return nil
		}
		return new(rapid.SampledFrom(of).Draw(t, name))
	}
	o.Threshold = threshold("threshold", 0, 0.3, 0.6, 1)
	o.SuggestThreshold = threshold("suggest", -1, 0, 0.2, 1.0/3, 0.5, 0.7, 1, math.NaN())
	o.AutoApplyThreshold = threshold("auto apply", -0.1, 0, 0.1, 0.2, 0.3, 1, math.NaN())
	return value, keys, o
}

func checkAgainstReference(t interface{ Fatalf(string, ...any) }, value string, keys []string, o Options) {
	want := referenceMatch(value, keys, o)
	got := map[string]Result{
		"Match":      Match(value, keys, o),
		"Keys.Match": NewKeys(keys).Match(value, o),
		"a table":    tabled(keys).Match(value, o),
	}
	if !o.Python || len(dedupe(keys)) == len(keys) {
		got["two tables"] = tabled(keys[:len(keys)/2], keys[len(keys)/2:]).Match(value, o)
	}
	for name, got := range got {
		if diff := cmp.Diff(want, got); diff != "" {
			o := o.fixed()
			t.Fatalf("%s(%q, %q, open=%v python=%v %v %v %v) (-reference +got):\n%s", name, value, keys,
				o.Open, o.Python, *o.Threshold, *o.SuggestThreshold, *o.AutoApplyThreshold, diff)
		}
	}
}

// tabled puts even a few keys in tables. Of keys that occur in several parts, all but
// the first are left out: that is what Add sees to.
func tabled(parts ...[]string) *Keys {
	var segments []segment
	seen := map[string]bool{}
	for _, part := range parts {
		var keys []string
		for _, key := range part {
			if !seen[key] {
				keys = append(keys, key)
			}
		}
		for _, key := range part {
			seen[key] = true
		}
		segments = append(segments, newTableSegment(keys))
	}
	return assemble(segments)
}

func TestMatchEqualsTheReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value, keys, o := caseGen(t)
		checkAgainstReference(t, value, keys, o)
	})
}

func FuzzMatch(f *testing.F) {
	f.Add("render_previw", "render_preview\nlist_fonts", byte(0))
	f.Add("zoe", "Mc Zoe\nZoë", byte(1))
	f.Add("#W123456", "#W1234567\n#W1234568", byte(2))
	f.Add("\xffa", "\xfea\n\xff", byte(3))
	f.Add("\xe8", "衡", byte(0)) // a byte is no part of a rune
	f.Add("task_4", "task_41\ntask_17", byte(4))
	f.Fuzz(func(t *testing.T, value, lines string, kind byte) {
		if len(value) > 100 && len(lines) > 100 || len(value)+len(lines) > 500 {
			return // the reference takes time
		}
		o := Options{Open: kind&1 != 0, Python: kind&2 != 0}
		if kind&4 != 0 {
			o.SuggestThreshold, o.AutoApplyThreshold = new(0.4), new(1.0)
		}
		checkAgainstReference(t, value, strings.Split(lines, "\n"), o)
	})
}
