package lookup

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// tablesOf makes tables of that few keys for the length of a test.
func tablesOf(t *testing.T, keys int) {
	before := fewKeys
	fewKeys = keys
	t.Cleanup(func() { fewKeys = before })
}

// Whatever is added, removed and replaced, a Set answers like the scan of the list of
// its keys, and like the reference.
func TestASetAnswersAlikeHoweverItCameAbout(t *testing.T) {
	tablesOf(t, 3)
	queries := 0
	rapid.Check(t, func(t *rapid.T) {
		set, keys := Static("s"), []string(nil)
		text := textGen()
		if rapid.Bool().Draw(t, "any runes") {
			text = rapid.StringN(0, 12, -1)
		}
		for range rapid.IntRange(2, 9).Draw(t, "changes") {
			some := rapid.SliceOfN(text, 0, 9).Draw(t, "keys")
			before, had := set.Keys(), keys
			switch rapid.IntRange(0, 6).Draw(t, "change") {
			case 0:
				set.Replace(some...)
				keys = some
			case 6:
				at := rapid.IntRange(0, len(keys)).Draw(t, "at")
				some = slices.Concat(keys[at/2:at], keys[at:], some)
				set.Replace(some...)
				keys = some
			case 1, 2:
				if len(keys) > 0 {
					some = append(some, rapid.SliceOfN(rapid.SampledFrom(keys), 0, 5).Draw(t, "gone")...)
				}
				set.Remove(some...)
				keys = slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return slices.Contains(some, k) })
			default:
				set.Add(some...)
				keys = dedupeAfter(keys, some)
			}
			if diff := cmp.Diff(keys, set.Keys().all(), cmpEmpty); diff != "" {
				t.Fatalf("keys (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(had, before.all(), cmpEmpty); diff != "" {
				t.Fatalf("keys as they were before (-want +got):\n%s", diff)
			}
			if got := set.Keys().Stats().Keys; got != len(keys) || set.Keys().Len() != got {
				t.Fatalf("%d keys, Stats says %d", len(keys), got)
			}
			for range 30 {
				value := text.Draw(t, "value")
				if len(keys) > 0 && rapid.Bool().Draw(t, "near") {
					value = slipGen(t, rapid.SampledFrom(keys).Draw(t, "key"))
				}
				o := Options{Python: rapid.Bool().Draw(t, "python"), Open: rapid.Bool().Draw(t, "open")}
				if rapid.Bool().Draw(t, "0.2") {
					o.Threshold = new(0.2)
				}
				got := set.Keys().Match(value, o)
				if diff := cmp.Diff(Match(value, keys, o), got); diff != "" {
					t.Fatalf("%q among %q, %+v (-scan +got):\n%s", value, keys, o, diff)
				}
				if queries++; queries%10 == 0 {
					if diff := cmp.Diff(referenceMatch(value, keys, o), got); diff != "" {
						t.Fatalf("%q among %q, %+v (-reference +got):\n%s", value, keys, o, diff)
					}
				}
			}
		}
	})
	if t.Logf("%d queries", queries); queries < 10_000 {
		t.Errorf("only %d queries were compared", queries)
	}
}

var cmpEmpty = cmp.Transformer("empty", func(list []string) []string { return append([]string{}, list...) })

// dedupeAfter is keys and those of some that are not there yet.
func dedupeAfter(keys, some []string) []string {
	out := slices.Clone(keys)
	for _, key := range some {
		if !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	return out
}

// nameLike writes names of a few syllables, so that many are near each other.
func nameLike(i int) string {
	syllables := strings.Fields("ga rri son oka for lind qvist mo reau naka mura osei pet rov mül ße 東 Ж")
	name := ""
	for range 4 {
		name += syllables[i%len(syllables)]
		i /= len(syllables)
	}
	return []string{"Dana ", "Ines_", "Zoë ", "Max@"}[i%4] + strings.ToUpper(name[:1]) + name[1:]
}

// In tables of thousands, long and short values, and values near to nothing, are
// answered as the scan does.
func TestTablesAnswerLikeTheScan(t *testing.T) { tablesAnswerLikeTheScan(t) }

// Also where several goroutines measure.
func TestTablesMeasuredAtOnceAnswerLikeTheScan(t *testing.T) {
	batch, chunk, least, few, processors := batchWords, chunkWords, leastWords, fewWords, runtime.GOMAXPROCS(3)
	defer func() {
		batchWords, chunkWords, leastWords, fewWords = batch, chunk, least, few
		runtime.GOMAXPROCS(processors)
	}()
	chunkWords, leastWords, fewWords = 1, 0, 0
	for _, batchWords = range []int{1, 2, 7} {
		tablesAnswerLikeTheScan(t)
	}
}

// Answers are in the order of the keys, whatever came and went before and however many
// read them.
func TestALongAnswerIsInTheOrderOfTheKeys(t *testing.T) {
	many, processors := manyKeys, runtime.GOMAXPROCS(3)
	defer func() {
		manyKeys = many
		runtime.GOMAXPROCS(processors)
	}()
	var names []string
	for i := range 5000 {
		names = append(names, nameLike(i*7919%400_000))
		if i%97 == 0 {
			names[i] += strings.Repeat("e\u0301", 150) // which is too long for Python's table only
		}
	}
	names[1600], names[2100], names[4200] = "zz rubyberyl", "aa rubyberyl", "quickjaguar" // for answers of two and one
	set := Static("s")
	for _, come := range [][]string{names[:2800], names[2800:4100], names[4100:4650], names[4650:4900], names[4900:4960], names[4960:]} {
		set.Add(come...)
		set.Remove(come[3], come[30], names[1000], names[7])
		set.Add(come[30])
	}
	if tables := len(set.Keys().plain.tables); tables < 3 || len(set.Keys().plain.scans) == 0 {
		t.Fatalf("%d tables", tables)
	}
	for i, value := range []string{"Dana", "x", "Zoë", "aer", "rubyberyl", "quickjgauar"} {
		want := Match(value, set.Keys().all(), Options{Python: true})
		for _, manyKeys = range []int{2, many} {
			got := set.Keys().Match(value, Options{Python: true})
			if few := len(got.Suggestions) < 10; few != (i >= 4) {
				t.Errorf("%q: an answer of %d", value, len(got.Suggestions))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%q, several reading %d (-scan +got):\n%s", value, manyKeys, diff)
			}
		}
	}
}

// Words that all keys have are not looked up where they make no key worth offering. One
// of such words alone, some of them twice, is one to offer where the value has it whole.
func TestAKeyOfCommonWordsIsOfferedWhereItStandsInTheValue(t *testing.T) {
	var keys []string
	for i := range 300 {
		keys = append(keys, fmt.Sprintf("order the %c%c", 'a'+i%26, 'a'+i/26))
	}
	keys = append(keys, "order the order")
	value := "order the order pizza today now"
	want := Result{Verdict: Rejected, Suggestions: []string{"order the order"}}
	for name, k := range map[string]*Keys{"a scan": once(keys), "a table": NewKeys(keys)} {
		if diff := cmp.Diff(want, k.Match(value, Options{SuggestThreshold: new(0.1), Threshold: new(1.0)})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestRemovedKeysAreForgottenOnceTheyAreHalf(t *testing.T) {
	keys := benchKeys(2000)
	set := Static("s", keys...)
	before := set.Keys().Stats().Bytes
	for i := range 1100 {
		set.Remove(keys[i])
	}
	if now := set.Keys().Stats(); now.Keys != 900 || now.Bytes > before*2/3 {
		t.Errorf("2000 keys took %d bytes, %d take %d", before, now.Keys, now.Bytes)
	}
}

func TestAPanicWhileMeasuringIsTheCallers(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("it did not come through")
		}
	}()
	before := fewWords
	defer func() { fewWords = before }()
	fewWords = 0
	b := batch{words: []batchWord{{first: 1 << 30, among: all}}, near: make([]uint64, 8)}
	b.measure([]*sliced{{planes: &planes{}, value: make([]uint8, 3)}}, 0, class{length: 3, end: 64}, 4)
}

func tablesAnswerLikeTheScan(t *testing.T) {
	t.Helper()
	var keys []string
	for i := range 3000 {
		keys = append(keys, nameLike(i*7919%400_000))
	}
	var words []string // of keys of many, up to more than stand in a table
	for i := range 300 {
		if words = append(words, string('a'+rune(i%26))+strings.Repeat("q", i/26%3)); i%15 == 14 {
			keys = append(keys, strings.Join(words, " "))
		}
	}
	prepared, scanned := NewKeys(keys), assemble([]segment{{scan: newScan(keys, nil)}})
	if len(prepared.plain.tables) == 0 {
		t.Fatal("no table")
	}
	values := strings.Split(strings.Repeat("z", 12)+"|x|9|aeiouaeiou|Wolfgang Amadeus|Ñandú Ōsei-Kováč|Dana|"+
		"order the usual for the customer whose name begins with Dana and then some more|東|ß|"+strings.Repeat("ga", 127)+"|"+strings.Repeat("mura ", 150)+"|"+strings.Repeat("rov", 600), "|")
	slices.Reverse(words)
	for _, n := range []int{12, 25, 55} {
		values = append(values, strings.Join(words[len(words)-n:], " "))
	}
	for i := range 12 {
		r := []rune(keys[i*250])
		at := i % (len(r) - 1)
		values = append(values, string(r[:at])+string(r[at+1:]), string(r[:at+1]), string(r[at:]),
			string(r[:at])+"xq"+string(r[at:]), string(r)+" "+string(r[:at]))
	}
	for _, value := range values {
		for _, o := range []Options{{}, {Python: true}, {Threshold: new(0.2), SuggestThreshold: new(0.1)}, {Python: true, Threshold: new(0.2), SuggestThreshold: new(0.1)}, {AutoApplyThreshold: new(0.5)}, {Python: true, SuggestThreshold: new(1.0)}} {
			if diff := cmp.Diff(scanned.Match(value, o), prepared.Match(value, o)); diff != "" {
				t.Fatalf("%q, %+v (-scan +table):\n%s", value, o.fixed(), diff)
			}
		}
	}
}

func TestReadersSeeWholeSetsWhileAWriterChangesThem(t *testing.T) {
	tablesOf(t, 8)
	const stay = 200
	var keys []string
	for i := range stay {
		keys = append(keys, nameLike(i*7919))
	}
	set := Static("s", keys...)
	readers := [2]Resolver{From(set, Options{}), From(set, Options{Python: true})}
	var done atomic.Bool
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			for at := i; !done.Load(); at++ {
				now := set.Keys()
				value := []rune(keys[at%stay])
				value = slices.Delete(value, 6, 7)
				o := Options{Python: at%2 == 0}
				if diff := cmp.Diff(Match(string(value), now.all(), o), now.Match(string(value), o)); diff != "" {
					t.Errorf("%q (-scan +got):\n%s", string(value), diff)
					return
				}
				if got, err := readers[at%2].Resolve(t.Context(), keys[at%stay]); err != nil || got.Match != keys[at%stay] {
					t.Errorf("%q: %+v, %v", keys[at%stay], got, err)
					return
				}
			}
		})
	}
	for i := range 60 {
		come := []string{fmt.Sprintf("new %d", i), nameLike(i*31 + 5_000_000), nameLike(i*37 + 6_000_000)}
		set.Add(come...)
		if i%3 > 0 {
			set.Remove(come[1:]...)
		}
		if i%20 == 19 {
			set.Replace(keys...)
		}
	}
	done.Store(true)
	group.Wait()
}

// 120 bytes is the bound of the design.
func TestMemoryOfAKey(t *testing.T) {
	keys := benchKeys(100_000)
	heap := func() float64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	before := heap()
	prepared := NewKeys(keys)
	took := (heap() - before) / float64(len(keys))
	if took > 120 {
		t.Errorf("a key takes %.0f bytes", took)
	}
	if says := float64(prepared.Stats().Bytes) / float64(len(keys)); says < took*0.9 || says > took*1.1 {
		t.Errorf("a key takes %.0f bytes, Stats says %.0f", took, says)
	}
	runtime.KeepAlive(keys)
	t.Logf("%.1f bytes", took)
}
