package normalize

import "github.com/fwgo/fwgo/internal/jsontree"

// Tree repairs arguments that were read into a tree, as the pipeline does
// (rule N-1). Values it changes, and those around them, lose their Raw text,
// so that writing the tree writes just them anew; all others keep it (N-2,
// N-8). Strings bound from a text call are strings like any other and stay
// marked as such. What a string holds is read into the arena; nil means a
// private one. Tree allocates nothing when there is nothing to repair (unless
// it has to look deeper than 16 levels).
//
// A root that is no object holds no arguments and is left alone. Text nested
// so deep that the whole would pass Options.MaxDepth, or of more values than
// the arena has room for, is not decoded (N-17).
func (n *Normalizer) Tree(doc *jsontree.Doc, arena *jsontree.Arena) []Repair {
	if doc.Root.Kind != jsontree.Object {
		return nil
	}
	w := walk{n: n, arena: arena}
	var few [16]step
	w.below(&doc.Root, n.root, decodeAll, few[:0], 1, doc.Ampersand)
	return w.repairs
}

// A walk is one pass over one tree.
type walk struct {
	n       *Normalizer
	arena   *jsontree.Arena
	repairs []Repair
	paths   int // bytes of paths reported so far
}

// value repairs one value and what it holds, and reports whether it changed.
// Depth counts the lists and objects around it; ampersand says that some
// string in it may hold one.
func (w *walk) value(v *jsontree.Value, at *place, p policy, t trail, depth int, ampersand bool) bool {
	if at != nil && at.policy != inherit {
		p = at.policy
	}
	switch v.Kind {
	case jsontree.String:
		if v.Settled {
			return false
		}
		if at != nil && at.shapes != 0 {
			if doc, ok := w.decoded(v.Text, at.shapes, depth); ok {
				*v = doc.Root
				v.Raw = ""
				w.report(t, RepairJSON, 0)
				// Repair 2 comes after: it sees what the text held (N-14).
				w.below(v, at, p, t, depth+1, doc.Ampersand)
				return true
			}
		}
		if !ampersand {
			return false
		}
		s, passes := references(v.Text, p, w.n.options.KeepNonCharacters)
		if passes == 0 {
			return false
		}
		v.Text, v.Raw = s, ""
		w.report(t, RepairReferences, passes)
		return true
	case jsontree.List, jsontree.Object:
		return w.below(v, at, p, t, depth+1, ampersand)
	}
	return false
}

// below repairs what a list or an object holds.
func (w *walk) below(v *jsontree.Value, at *place, p policy, t trail, depth int, ampersand bool) bool {
	if (at == nil || !at.deep) && (!ampersand || p == decodeNever) {
		return false
	}
	changed := false
	for i := range v.Items {
		if w.value(&v.Items[i], at.item(i), p, append(t, step{index: i, item: true}), depth, ampersand) {
			changed = true
		}
	}
	for i := range v.Members {
		m := &v.Members[i]
		if !ampersand && settled(&m.Value) {
			continue // spares looking the name up
		}
		if w.value(&m.Value, at.member(m.Name), p, append(t, step{name: m.Name}), depth, ampersand) {
			changed = true
		}
	}
	if changed {
		v.Raw = ""
	}
	return changed
}

// decoded reads the list or map that a string holds, if that is what it holds
// and all it holds (rules N-3, N-6, N-9). Decoding is strict: whatever is wrong
// with the text, it is the caller's to see as it was sent.
func (w *walk) decoded(s string, shapes types, depth int) (jsontree.Doc, bool) {
	if !mayHold(s, shapes) || depth >= w.n.options.MaxDepth {
		return jsontree.Doc{}, false
	}
	doc, fault := jsontree.Parse(s, jsontree.Limits{Bytes: w.n.options.MaxBytes, Depth: w.n.options.MaxDepth - depth}, w.arena)
	return doc, fault == nil
}

// mayHold looks at both ends of a text, which spares reading most of those
// that hold no list or map of the right shape.
// settled reports whether nothing can be repaired in a value, whatever is
// declared for it, where no text holds a reference: a scalar, or a text that
// begins like neither list nor map.
func settled(v *jsontree.Value) bool {
	switch v.Kind {
	case jsontree.String:
		return v.Text == "" || v.Text[0] != '[' && v.Text[0] != '{' && !isSpace(v.Text[0])
	case jsontree.List, jsontree.Object:
		return false
	}
	return true
}

func mayHold(s string, shapes types) bool {
	first, last := 0, len(s)-1
	for first <= last && isSpace(s[first]) {
		first++
	}
	for first < last && isSpace(s[last]) {
		last--
	}
	return first < last && (shapes&array != 0 && s[first] == '[' && s[last] == ']' ||
		shapes&object != 0 && s[first] == '{' && s[last] == '}')
}

func (w *walk) report(t trail, kind RepairKind, passes int) {
	if w.paths >= longestPaths {
		t = t[:1]
		// Of each kind one is enough, and it is among the last two.
		for i := max(len(w.repairs)-2, 0); i < len(w.repairs); i++ {
			if r := &w.repairs[i]; r.Kind == kind && r.Path == t.path() {
				r.Passes = max(r.Passes, passes)
				return
			}
		}
	}
	w.repairs = append(w.repairs, Repair{Path: t.path(), Kind: kind, Passes: passes})
	w.paths += len(t.path())
}
