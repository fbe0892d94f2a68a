package lookup

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// pythonForm is what fastWorkflow compares instead of the key itself.
type pythonForm struct {
	norm    string // FW-78
	runes   int    // in norm
	letters uint64 // in norm
}

func pythonForms(lowered []string) []pythonForm {
	forms := make([]pythonForm, len(lowered))
	for i, low := range lowered {
		norm := pythonNorm(low)
		forms[i] = pythonForm{norm, utf8.RuneCountInString(norm), letters(norm)}
	}
	return forms
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
	if value == "" || value == notFound || len(k.keys) == 0 {
		return Result{Verdict: Declined}
	}
	low := lower(value)
	if i := slices.Index(k.lowered().all, low); i >= 0 {
		return applied(k.keys[i])
	}
	set, distance := pythonSet(k.python(), pythonNorm(low), o.suggest())
	if len(set) == 1 && distance <= o.autoApply() && wellFormed(value, k.keys[set[0]]) {
		return applied(k.keys[set[0]])
	}
	if len(set) == 0 {
		// Keys of one lower case take several of the places, as in Python.
		set = k.similar(value, k.lowered().all, o.threshold())
	}
	if len(set) == 0 {
		return Result{Verdict: Declined}
	}
	r := Result{Verdict: Rejected}
	for _, i := range set {
		r.Suggestions = append(r.Suggestions, k.keys[i])
	}
	return r
}

// pythonSet is the match set of FW-79 to FW-81. All distances of one value have
// the value's length below the line, so equal means equally many edits.
func pythonSet(forms []pythonForm, norm string, limit float64) (set []int, distance float64) {
	p, marks := newPattern(norm), letters(norm)
	whole := utf8.ValidString(norm) // half a rune is contained in nothing
	for i := range forms {
		if whole && lacking(forms[i].letters, marks) == 0 && strings.Contains(forms[i].norm, norm) {
			set = append(set, i)
		}
	}
	if len(set) > 0 {
		return set, 0
	}
	best := mostEdits(p.n, limit)
	for i := range forms {
		f := &forms[i]
		if p.n-f.runes > best || lacking(f.letters, marks) > best {
			continue
		}
		switch e := p.window(f.norm, f.runes, best); {
		case e < best:
			best = e
			set = append(set[:0], i)
		case e == best:
			set = append(set, i)
		}
	}
	return set, float64(best) / float64(p.n)
}
