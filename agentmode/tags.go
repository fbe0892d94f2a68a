package agentmode

import (
	"strings"

	"github.com/fwgo/fwgo/signature"
)

// A tagReader reads a text that is tags and white space between them.
type tagReader struct {
	gathering
	root  *signature.Type
	text  string
	exact []int // list fields whose text came as CDATA, markup and all
}

// A closedTag is the tag before a position. Its end might be elsewhere.
type closedTag struct {
	field int
	name  string
	end   int // the position of its closing tag; 0 if no tag was closed yet
}

// bindTags reads the form <field>value</field> (FW-26 to FW-32, D-6). text
// begins with "<".
func bindTags(sig *signature.Signature, text string, room *Room) ([]Value, *Doubt) {
	t := tagReader{root: sig.Root(), text: text}
	t.begin(sig, room)
	var last closedTag
	for at := 0; at < len(text); at = skipSpace(text, at) {
		if text[at] != '<' {
			words := text[at:]
			if i := strings.IndexByte(words, '<'); i >= 0 {
				words = words[:i]
			}
			return nil, t.orTwoEnds(last, at, t.outside(last, words))
		}
		o, doubt := openerAt(t.root, text, at)
		switch {
		case doubt == nil:
		case doubt.Kind == MismatchedTag && doubt.Field != "" && *t.place(t.root.Field(doubt.Field)) != 0:
			doubt.Kind = TwoEnds // the end of a value that ended before
			return nil, doubt
		default:
			return nil, t.orTwoEnds(last, at, doubt)
		}
		if o.empty {
			if !t.leave(o.field) {
				return nil, t.doubt(GivenTwice, o.field, tagText(text, at))
			}
			at = o.end
			continue
		}
		value, end, next, doubt := t.content(o)
		if doubt != nil {
			return nil, doubt
		}
		if !t.take(o.field, value) {
			return nil, t.doubt(GivenTwice, o.field, excerpt(text[at:next]))
		}
		last = closedTag{o.field, o.name, end}
		at = next
	}
	if doubt := t.finish(); doubt != nil {
		return nil, doubt
	}
	return t.values, nil
}

// take adds a value. Blank content is a value where the field takes text, and
// nothing given elsewhere (FW-29); of a list, finish decides.
func (t *tagReader) take(field int, value string) bool {
	typ := t.fields[field].Type
	if value == "" && !takesText(typ) && !takesList(typ) {
		return t.leave(field)
	}
	return t.give(field, value)
}

func (t *tagReader) doubt(kind DoubtKind, field int, text string) *Doubt {
	return newDoubt(t.root, kind, field, text)
}

func (t *tagReader) outside(last closedTag, words string) *Doubt {
	field := -1
	if last.end > 0 {
		field = last.field
	}
	return t.doubt(TextOutsideTags, field, excerpt(strings.TrimRight(words, " \t\r\n")))
}

// orTwoEnds returns the doubt at a position after a closed tag, unless the same
// end comes again before the tag is opened again: then the value may reach
// until there, and that is the doubt to report.
func (t *tagReader) orTwoEnds(last closedTag, at int, other *Doubt) *Doubt {
	if last.end == 0 {
		return other
	}
	ending := "</" + last.name + ">"
	again := strings.Index(t.text[at:], ending)
	if again < 0 {
		return other
	}
	again += at
	for from := at; ; {
		i := strings.Index(t.text[from:again], "<"+last.name)
		if i < 0 {
			break
		}
		from += i + 1
		if markAt(t.text, from-1).name == last.name {
			return other
		}
	}
	return t.doubt(TwoEnds, last.field, excerpt(t.text[last.end:again+len(ending)]))
}

// content reads the value of an opened tag: the text without layout, the
// position of the closing tag and the one after it. The end must be beyond
// doubt, so the text may hold no tag that could be part of the call.
func (t *tagReader) content(o opener) (value string, end, next int, doubt *Doubt) {
	if value, at, found, closed := cdata(t.text, o.end); found {
		m := mark{}
		if closed && at < len(t.text) && t.text[at] == '<' {
			m = markAt(t.text, at)
		}
		switch {
		case !closed:
			return "", 0, 0, t.doubt(UnclosedTag, o.field, excerpt(t.text[o.start:]))
		case !m.closes(o.name, t.text):
			return "", 0, 0, t.doubt(BrokenTag, o.field, excerpt(t.text[at:]))
		}
		if strings.HasPrefix(value, "<") && takesList(t.fields[o.field].Type) {
			t.exact = append(t.exact, o.field)
		}
		return value, at, m.end + 1, nil
	}
	for at := o.end; ; {
		i := strings.IndexByte(t.text[at:], '<')
		if i < 0 {
			return "", 0, 0, t.doubt(UnclosedTag, o.field, excerpt(t.text[o.start:]))
		}
		at += i
		m := markAt(t.text, at)
		if m.closes(o.name, t.text) {
			return inner(t.text[o.end:at]), at, m.end + 1, nil
		}
		if kind := t.confuses(m, at, o); kind != "" {
			if !strings.Contains(t.text[at:], "</"+o.name+">") {
				return "", 0, 0, t.doubt(UnclosedTag, o.field, excerpt(t.text[o.start:]))
			}
			return "", 0, 0, t.doubt(kind, o.field, tagText(t.text, at))
		}
		at++
	}
}

// closes reports whether the mark is the closing tag of the name.
func (m mark) closes(name, text string) bool {
	return m.closing && m.name == name && m.end < len(text) && text[m.end] == '>'
}

// confuses says what doubt markup inside a value raises, "" for none: markup
// that names no field of the command is the value's own business.
func (t *tagReader) confuses(m mark, at int, o opener) DoubtKind {
	switch {
	case m.name == "":
		return ""
	case m.closing && strings.HasPrefix(m.name, o.name) && (len(m.name) == len(o.name) || !isNameByte(m.name[len(o.name)])):
		return BrokenTag // </field >, </field|>
	case m.name == o.name:
		return NestedTag
	}
	switch field := tagOf(t.root, t.text, at); {
	case field < 0:
		return ""
	case field == o.field:
		return NestedTag
	case m.closing:
		return MismatchedTag
	}
	return TagInside
}
