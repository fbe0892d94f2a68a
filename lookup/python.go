package lookup

import (
	"strings"
	"unicode/utf8"
)

// appendPythonNorm appends what fastWorkflow compares instead of a key that is in lower
// case.
func appendPythonNorm(dst []byte, low string) []byte {
	if ascii(low) {
		return appendFold(dst, low)
	}
	return append(dst, pythonNorm(low)...)
}

// pythonNorm is FW-78 after lower-casing.
func pythonNorm(s string) string {
	return strings.Map(func(r rune) rune {
		if separates(r) && r != zeroWidthSpace {
			return -1
		}
		return r
	}, s)
}

// matchPython is FW-76 to FW-83 as fastWorkflow 3.1.2 does it.
func (k *Keys) matchPython(value string, o Options) Result {
	if value == "" || value == notFound || k.count == 0 {
		return Result{Verdict: Declined}
	}
	low := lower(value)
	if same := k.lowerCase(low); len(same) > 0 {
		return applied(same[0].key)
	}
	set, distance := k.pythonSet(pythonNorm(low), o.suggest())
	if len(set) == 1 && distance <= o.autoApply() && wellFormed(value, set[0]) {
		return applied(set[0])
	}
	if len(set) == 0 {
		// Keys of one lower case take several of the places, as in Python.
		for _, f := range k.similar(value, o.threshold(), false) {
			set = append(set, f.key)
		}
	}
	if len(set) == 0 {
		return Result{Verdict: Declined}
	}
	return Result{Verdict: Rejected, Suggestions: set}
}

// pythonSet is the match set of FW-79 to FW-81, in the order of the keys. All
// distances of one value have the value's length below the line, so equal means
// equally many edits.
func (k *Keys) pythonSet(norm string, limit float64) (keys []string, distance float64) {
	p, marks, v := newPattern(norm), letters(norm), k.python()
	var set keySet
	probes := make([]*probe, len(v.tables))
	for i := range v.tables {
		probes[i] = newProbe(&v.tables[i], norm, p)
	}
	if utf8.ValidString(norm) { // half a rune is contained in nothing
		for _, s := range v.scans {
			for i, f := range s.python() {
				if lacking(f.letters, marks) == 0 && strings.Contains(f.fold, norm) {
					set.addRef(s.ref(i))
				}
			}
		}
		for in, b := range probes {
			b.containing(func(word int, keys uint64) { set.addAll(in, word, keys) })
		}
	}
	if set.empty() {
		w := windowSearch{
			pattern: p, letters: marks, scans: v.scans, forms: (*scan).pythonForms, probes: probes,
			most: mostEdits(p.n, limit),
		}
		w.search()
		w.addTo(&set)
		distance = float64(w.least) / float64(p.n)
	}
	return set.keys(&v), distance
}
