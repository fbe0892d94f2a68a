package agentmode

import (
	"strings"

	"github.com/fwgo/fwgo/internal/python"
)

// finish decides what the one tag of a list field holds: nothing, one equal
// child tag for each item, or the text of the list. Markup that is neither must
// not become an item.
func (t *tagReader) finish() *Doubt {
	for i, f := range t.fields {
		text, one := t.single(i)
		if list, found := t.listAmong(i); found {
			return t.doubt(UnclearItems, i, excerpt(list))
		}
		if !one || !takesList(f.Type) || takesText(f.Type) {
			continue
		}
		text = python.TrimSpace(text)
		switch {
		case text == "":
			t.drop(i)
		case text[0] == '<' && !t.isExact(i):
			items, ok := childTexts(text)
			if !ok {
				return t.doubt(UnclearItems, i, excerpt(text))
			}
			v := &t.values[*t.place(i)-1]
			v.Texts, v.Repeated = items, true
		}
	}
	return nil
}

// listAmong returns an item of field i, given several times, that is a list of
// its own: one tag for each item, or one list, but not both at once.
func (g *gathering) listAmong(i int) (text string, found bool) {
	at := *g.place(i)
	if at <= 0 || !g.values[at-1].Repeated {
		return "", false
	}
	if items := g.fields[i].Type.Items; items != nil && !takesText(items) {
		return "", false // the items may be lists
	}
	for _, text := range g.values[at-1].Texts {
		if looksLikeList(python.TrimSpace(text)) {
			return text, true
		}
	}
	return "", false
}

func (t *tagReader) isExact(field int) bool {
	for _, i := range t.exact {
		if i == field {
			return true
		}
	}
	return false
}

// childTexts reads content that is nothing but equal child tags.
func childTexts(text string) (items []string, ok bool) {
	m := markAt(text, 0)
	if m.closing || m.name == "" || m.end == len(text) || text[m.end] != '>' || !isNameByte(m.name[0]) {
		return nil, false
	}
	open, ending := text[:m.end+1], "</"+m.name+">"
	for at := 0; at < len(text); {
		if !strings.HasPrefix(text[at:], open) {
			return nil, false
		}
		from := at + len(open)
		n := strings.Index(text[from:], ending)
		if n < 0 || strings.Contains(text[from:from+n], open[:len(open)-1]) {
			return nil, false
		}
		item, ok := childText(text[from : from+n])
		if !ok {
			return nil, false
		}
		items = append(items, item)
		at = skipSpace(text, from+n+len(ending))
	}
	return items, true
}

func childText(content string) (string, bool) {
	value, end, found, closed := cdata(content, 0)
	if !found {
		return inner(content), true
	}
	return value, closed && end == len(content)
}
