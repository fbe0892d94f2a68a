package command

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/validate"
)

// keptValue is a value of an attempt that failed, kept for the next. It is
// normalized.
type keptValue struct {
	Field string `json:"field"`
	JSON  string `json:"json"`
	// Loose counts out the texts in it that came as text, whose JSON type says
	// nothing.
	Loose []int `json:"loose,omitempty"`
}

func keep(field string, v *jsontree.Value) keptValue {
	kept, n := keptValue{Field: field, JSON: v.JSON()}, 0
	eachText(v, func(text *jsontree.Value) {
		if text.Loose {
			kept.Loose = append(kept.Loose, n)
		}
		n++
	})
	return kept
}

// value returns the value as it was kept; false if a store lost it.
func (k *keptValue) value(arena *jsontree.Arena) (jsontree.Value, bool) {
	doc, fault := jsontree.Parse(k.JSON, jsontree.Limits{}, arena)
	if fault != nil {
		return jsontree.Value{}, false
	}
	n := 0
	eachText(&doc.Root, func(text *jsontree.Value) {
		text.Settled, text.Loose = true, slices.Contains(k.Loose, n)
		n++
	})
	return doc.Root, true
}

// eachText visits the texts in a value, in order.
func eachText(v *jsontree.Value, visit func(*jsontree.Value)) {
	if v.Kind == jsontree.String {
		visit(v)
	}
	for i := range v.Items {
		eachText(&v.Items[i], visit)
	}
	for i := range v.Members {
		eachText(&v.Members[i].Value, visit)
	}
}

// remember keeps what a person gave, so that the next message completes the
// command (FW-111). A value inside a list or object that is to be corrected is
// asked for by its path, and the rest of it is kept. Agents send a new call
// instead (FW-132).
func (c *call) remember(v *validate.Values) {
	s := c.session
	s.talk = talk{}
	if !c.human || c.outcome.Stage == "" {
		return
	}
	t := talk{Stage: stageParameters, Command: c.entry.name, Message: c.message, Round: c.round + 1}
	t.Fix = c.fixes(v)
	if len(t.Fix) == 0 {
		s.talk = t
		return // the next message is read afresh (FW-91)
	}
	t.Problems = c.outcome.Problems
	for _, f := range c.entry.sig.Fields() {
		if raw, given := v.Given(f.Name); given && (t.crosses() || !has(t.Fix, f.Name)) {
			t.Kept = append(t.Kept, keep(f.Name, raw))
		}
	}
	for _, m := range v.Further() {
		t.Kept = append(t.Kept, keep(m.Name, &m.Value))
	}
	s.talk = t
}

// crosses reports whether the problems lie between parameters, so that another
// one than is asked for may solve them as well.
func (t *talk) crosses() bool {
	return len(t.Problems) > 0 && !slices.ContainsFunc(t.Problems, func(p validate.Problem) bool {
		return p.Kind != validate.HookRefused && p.Kind != validate.RuleBroken
	})
}

// fixes lists the paths that the problems are about, in their order; none if
// some name was unknown, as what it was for would be lost. A parameter that is
// asked for as a whole is not asked for in parts as well.
func (c *call) fixes(v *validate.Values) []string {
	var fix []string
	for i := range c.outcome.Problems {
		p := &c.outcome.Problems[i]
		paths := p.Fields
		if len(paths) == 0 {
			paths = []string{p.Field}
		}
		for _, path := range paths {
			field, _ := c.entry.part(path)
			if p.Kind == validate.UnknownName || path != "" && c.entry.sig.Root().Field(field) < 0 {
				return nil
			}
			if path == "" {
				continue
			}
			if path = c.asked(p, path, v); !has(fix, path) {
				fix = append(fix, path)
			}
		}
	}
	return slices.DeleteFunc(fix, func(path string) bool {
		field, rest := c.entry.part(path)
		return rest != "" && has(fix, field)
	})
}

// part parts a path into the parameter it begins with and the rest: size and
// .w. A parameter's own name may have dots and brackets in it.
func (e *entry) part(path string) (field, rest string) {
	for _, f := range e.sig.Fields() {
		after, ok := strings.CutPrefix(path, f.Name)
		if ok && len(f.Name) > len(field) && (after == "" || after[0] == '.' || after[0] == '[') {
			field, rest = f.Name, after
		}
	}
	if field == "" {
		return path, ""
	}
	return field, rest
}

// within returns the place in v that the rest of a path leads to: the object
// it is a member of and its name there, or the item itself. It reports false
// where the path leads nowhere.
func within(v *jsontree.Value, rest string) (at *jsontree.Value, name string, ok bool) {
	for {
		var index string
		switch {
		case strings.HasPrefix(rest, `["`):
			quoted, err := strconv.QuotedPrefix(rest[1:])
			if err != nil {
				return nil, "", false
			}
			name, _ = strconv.Unquote(quoted)
			rest = strings.TrimPrefix(rest[1+len(quoted):], "]")
		case strings.HasPrefix(rest, "["):
			index, rest, _ = strings.Cut(rest[1:], "]")
		default:
			name = strings.TrimPrefix(rest, ".")
			if end := strings.IndexAny(name, ".["); end >= 0 {
				name = name[:end]
			}
			rest = strings.TrimPrefix(rest, ".")[len(name):]
		}
		v.Raw = ""
		if index != "" {
			n, err := strconv.Atoi(index)
			if err != nil || n < 0 || n >= len(v.Items) {
				return nil, "", false
			}
			v, name = &v.Items[n], ""
			if rest == "" {
				return v, "", true
			}
			continue
		}
		if v.Kind != jsontree.Object || name == "" {
			return nil, "", false
		}
		if rest == "" {
			return v, name, true
		}
		if v = v.Get(name); v == nil {
			return nil, "", false
		}
	}
}

// patch sets the value that the rest of a path leads to.
func patch(v *jsontree.Value, rest string, value jsontree.Value) {
	at, name, ok := within(v, rest)
	switch {
	case !ok:
	case name == "":
		*at = value
	case at.Get(name) != nil:
		*at.Get(name) = value
	default:
		at.Members = append(at.Members[:len(at.Members):len(at.Members)], jsontree.Member{Name: name, Value: value})
	}
}

// asked returns what to ask for where a problem is: the value itself if what
// was given can be kept around it, else the whole parameter.
func (c *call) asked(p *validate.Problem, path string, v *validate.Values) string {
	field, rest := c.entry.part(path)
	if rest == "" {
		return path
	}
	raw, given := v.Given(field)
	if !given {
		return field
	}
	at, name, ok := within(raw, rest)
	if !ok || p.Kind == validate.GivenTwice || name != "" && at.Get(name) == nil && p.Kind != validate.Missing {
		return field // it came under another name, or inside a text
	}
	return path
}

func has(list []string, word string) bool {
	for _, have := range list {
		if have == word {
			return true
		}
	}
	return false
}

// soFar lists what is understood already, for a person (FW-103, FW-104).
func (c *call) soFar() []string {
	var lines []string
	for _, kept := range c.session.talk.Kept {
		value, ok := kept.value(nil)
		if !ok || value.Kind == jsontree.Null || has(c.session.talk.Fix, kept.Field) {
			continue
		}
		text := value.Text
		if value.Kind != jsontree.String {
			text = kept.JSON
		}
		lines = append(lines, displayName(kept.Field)+": "+quote.Bare(text, 60))
	}
	return lines
}

// displayName is a field's name as a person reads it: first_num is First Num.
func displayName(field string) string {
	words := strings.Split(field, "_")
	for i, word := range words {
		if word != "" {
			_, first := utf8.DecodeRuneInString(word)
			words[i] = strings.ToUpper(word[:first]) + strings.ToLower(word[first:])
		}
	}
	return strings.Join(words, " ")
}
