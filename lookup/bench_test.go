package lookup

import (
	"fmt"
	"math"
	"testing"
	"unicode/utf8"

	"github.com/lithammer/fuzzysearch/fuzzy"
)

// benchKeys are names of about seventeen letters, as a table of customers has.
func benchKeys(n int) []string {
	first := []string{"Aaron", "Beatrice", "Carlos", "Dana", "Emeka", "Fatima", "Gustav", "Hanna", "Ines", "Jurgen"}
	middle := []string{"Lou", "Mae", "Van", "De", "Al", "San", "Mc", "Ber", "Tor", "Ul"}
	last := []string{"garrison", "jones", "okafor", "lindqvist", "moreau", "nakamura", "osei", "petrov", "quispe", "rahman"}
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("%s %s%s_%c%c%c", first[i%10], middle[i/10%10], last[i/100%10],
			'a'+rune(i/1000%26), 'a'+rune(i/26000%26), 'a'+rune(i%26))
	}
	return keys
}

func BenchmarkMatch(b *testing.B) {
	for _, size := range []int{1000, 100_000} {
		keys := benchKeys(size)
		prepared := NewKeys(keys)
		key := keys[size/2]
		for _, c := range []struct{ name, value string }{
			{"exact", key},
			{"folded", "@" + key},
			{"slip", key[:8] + key[9:]},
			{"rejected", "Hannah Lindkvist"},
			{"unlike", "zzzzzzzzzzzz"},
		} {
			b.Run(fmt.Sprintf("%s/%d/prepared", c.name, size), func(b *testing.B) {
				perKey(b, size, func() { prepared.Match(c.value, Options{}) })
			})
			b.Run(fmt.Sprintf("%s/%d/slice", c.name, size), func(b *testing.B) {
				perKey(b, size, func() { Match(c.value, keys, Options{}) })
			})
		}
		b.Run(fmt.Sprintf("rejected/%d/python", size), func(b *testing.B) {
			perKey(b, size, func() { prepared.Match("Hannah Lindkvist", Options{Python: true}) })
		})
	}
}

// BenchmarkNaive is what the rest is to be compared with: fold every key, and
// measure its leading window.
func BenchmarkNaive(b *testing.B) {
	keys := benchKeys(1000)
	perKey(b, len(keys), func() {
		value, best := fold("Hannah Lindkvist"), math.MaxInt
		for _, key := range keys {
			key = fold(key)
			if n := utf8.RuneCountInString(value); len(key) > n {
				key = key[:n]
			}
			best = min(best, fuzzy.LevenshteinDistance(value, key))
		}
	})
}

func BenchmarkNewKeys(b *testing.B) {
	keys := benchKeys(10_000)
	perKey(b, len(keys), func() { NewKeys(keys) })
}

// BenchmarkSet changes one key of many.
func BenchmarkSet(b *testing.B) {
	set := Static("s", benchKeys(100_000)...)
	b.ReportAllocs()
	for b.Loop() {
		set.Add("Nobody Else")
		set.Remove("Nobody Else")
	}
}

func perKey(b *testing.B, keys int, call func()) {
	b.ReportAllocs()
	for b.Loop() {
		call()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(keys), "ns/key")
}

// BenchmarkFew looks up in as few keys as a vocabulary or a small table has.
func BenchmarkFew(b *testing.B) {
	var orders []string
	for i := range 20 {
		orders = append(orders, fmt.Sprintf("ORD-%06d", 123456+1111*i))
	}
	for _, c := range []struct {
		name, value string
		keys        []string
	}{
		{"near miss", "ORD-123457", orders},
		{"slip", "pendng", []string{"pending", "shipped", "cancelled"}},
		{"nothing near", "zzzz", orders},
	} {
		k := NewKeys(c.keys)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				k.Match(c.value, Options{})
			}
		})
	}
}
