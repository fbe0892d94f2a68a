package lookup

import (
	"slices"
	"sync"
	"unicode/utf8"
)

// Keys is a key set prepared for many calls. It never changes, and any number of
// goroutines may use it.
type Keys struct {
	keys []string

	// single says that this is for one call: to build the index would cost more
	// than the scan it saves.
	single bool

	index    func() index
	forms    func() []form
	distinct func() int

	lowered func() lowered
	python  func() []pythonForm
}

// index finds keys by fold: the first with it, then by next the others, then -1.
type index struct {
	first map[string]int32
	next  []int32
}

// form is what default matching compares instead of the key itself.
type form struct {
	fold    string // fold of the key
	words   string // appendWords of the key
	runes   int32  // in fold
	count   int32  // of words
	letters uint64 // in fold; words have no others
}

// NewKeys prepares keys. Their order decides nothing but the order of equally
// good suggestions; a key that occurs twice counts once.
func NewKeys(keys []string) *Keys {
	k := lazily(slices.Clone(keys))
	k.index()
	return k
}

// lazily makes Keys of which each part is prepared when it is first needed.
func lazily(keys []string) *Keys {
	k := &Keys{keys: keys}
	k.forms = sync.OnceValue(func() []form { return formsOf(keys) })
	k.index = sync.OnceValue(func() index { return indexOf(k.forms()) })
	k.lowered = sync.OnceValue(func() lowered { return loweredOf(keys) })
	k.python = sync.OnceValue(func() []pythonForm { return pythonForms(k.lowered().all) })
	k.distinct = sync.OnceValue(func() int {
		seen := make(map[string]struct{}, len(keys))
		for _, key := range keys {
			seen[key] = struct{}{}
		}
		return len(seen)
	})
	return k
}

func indexOf(forms []form) index {
	x := index{make(map[string]int32, len(forms)), make([]int32, len(forms))}
	for i := len(forms) - 1; i >= 0; i-- {
		x.next[i] = -1
		if later, ok := x.first[forms[i].fold]; ok {
			x.next[i] = later
		}
		x.first[forms[i].fold] = int32(i)
	}
	return x
}

// Len is the number of keys it was made of, repetitions included.
func (k *Keys) Len() int { return len(k.keys) }

// has reports that value is a key.
func (k *Keys) has(value string) bool { return slices.Contains(k.keys, value) }

// equal appends the keys whose fold is folded, in their order.
func (k *Keys) equal(out []int, folded []byte) []int {
	if k.single {
		for i, key := range k.keys {
			if foldIs(key, folded) {
				out = append(out, i)
			}
		}
		return out
	}
	x := k.index()
	i, ok := x.first[string(folded)]
	for ; ok && i >= 0; i = x.next[i] {
		out = append(out, int(i))
	}
	return out
}

// formsOf lays the texts of all forms into one string, so that a scan over them
// runs through memory in order.
func formsOf(keys []string) []form {
	size := 0
	for _, key := range keys {
		size += len(key)
	}
	forms := make([]form, len(keys))
	ends := make([][2]int, len(keys))
	all := make([]byte, 0, 2*size+4*len(keys))
	for i, key := range keys {
		var n int
		all = appendFold(all, key)
		ends[i][0] = len(all)
		all, n = appendWords(all, key)
		ends[i][1] = len(all)
		forms[i].count = int32(n)
	}
	text, at := string(all), 0
	for i := range forms {
		f := &forms[i]
		f.fold, f.words = text[at:ends[i][0]], text[ends[i][0]:ends[i][1]]
		f.runes = int32(utf8.RuneCountInString(f.fold))
		f.letters = letters(f.fold)
		at = ends[i][1]
	}
	return forms
}
