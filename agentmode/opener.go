package agentmode

import (
	"strings"

	"github.com/fwgo/fwgo/signature"
)

// parameterTag is the tag that names its field in an attribute.
const parameterTag = "parameter"

// An opener is an opening tag that names a field.
type opener struct {
	field int
	name  string // the tag's own name; its end is </name>
	start int
	end   int  // the position after the tag
	empty bool // it closes itself: nothing is given
}

// A mark is a "<" and the name after it, whatever it turns out to be.
type mark struct {
	name    string
	closing bool // "</"
	end     int  // the position after the name
}

func markAt(text string, at int) mark {
	m := mark{end: at + 1}
	if m.end < len(text) && text[m.end] == '/' {
		m.closing = true
		m.end++
	}
	start := m.end
	for m.end < len(text) && !endsTagName(text[m.end]) {
		m.end++
	}
	m.name = text[start:m.end]
	return m
}

func endsTagName(c byte) bool {
	if c > '>' {
		return false // as all letters are
	}
	switch c {
	case ' ', '\t', '\n', '\r', '>', '/', '=', '<', '"', '\'':
		return true
	}
	return false
}

// tagText returns the tag at a position for a doubt, as far as it is one.
func tagText(text string, at int) string {
	s := excerpt(text[at:])
	if i := strings.IndexAny(s[1:], "<>"); i >= 0 {
		if s[1+i] == '>' {
			i++
		}
		s = s[:1+i]
	}
	return s
}

// openerAt reads the opening tag at the position of a "<", between the values.
func openerAt(root *signature.Type, text string, at int) (opener, *Doubt) {
	m := markAt(text, at)
	field := root.Field(m.name)
	switch {
	case m.closing:
		return opener{}, newDoubt(root, MismatchedTag, field, tagText(text, at))
	case m.name == "" || m.name[0] == '!' || m.name[0] == '?':
		return opener{}, newDoubt(root, TextOutsideTags, -1, tagText(text, at))
	case m.name == parameterTag && m.end < len(text) && text[m.end] != '>' && text[m.end] != '/':
		return parameterAt(root, text, at, m.end)
	case field < 0 && m.name == parameterTag:
		return opener{}, newDoubt(root, BrokenTag, -1, tagText(text, at))
	case field < 0:
		return opener{}, newDoubt(root, UnknownName, -1, excerpt(m.name))
	}
	o := opener{field: field, name: m.name, start: at}
	if m.end < len(text) && text[m.end] == '>' {
		o.end = m.end + 1
		return o, nil
	}
	slash := skipSpace(text, m.end)
	if strings.HasPrefix(text[slash:], "/>") {
		o.empty, o.end = true, slash+2
		return o, nil
	}
	return opener{}, newDoubt(root, BrokenTag, field, tagText(text, at))
}

// parameterAt reads the rest of <parameter=field> or <parameter name="field">.
func parameterAt(root *signature.Type, text string, at, nameEnd int) (opener, *Doubt) {
	o := opener{name: parameterTag, start: at}
	name, ok := "", false
	if text[nameEnd] == '=' {
		name, o.empty, o.end, ok = equalsName(text, nameEnd+1)
	} else {
		name, o.empty, o.end, ok = attributes(text, nameEnd)
	}
	if !ok {
		tag := tagText(text, at)
		return opener{}, newDoubt(root, BrokenTag, fieldIn(root, tag), tag)
	}
	if o.field = root.Field(name); o.field < 0 {
		return opener{}, newDoubt(root, UnknownName, -1, excerpt(name))
	}
	return o, nil
}

// equalsName reads the "field>" of <parameter=field>.
func equalsName(text string, at int) (name string, empty bool, end int, ok bool) {
	end = at
	for end < len(text) && text[end] != '>' && text[end] != '<' && spaceAt(text, end) == 0 {
		end++
	}
	name, empty = strings.CutSuffix(text[at:end], "/")
	end = skipSpace(text, end)
	if !empty && strings.HasPrefix(text[end:], "/>") {
		empty = true
		end++
	}
	if end == len(text) || text[end] != '>' || name == "" {
		return "", false, 0, false
	}
	return name, empty, end + 1, true
}

// attributes reads the attributes of a parameter tag, of which name counts and
// others say how the value is typed. A value among the attributes would be
// lost, and so would what a tag says that closes itself: such tags are not ok.
func attributes(text string, at int) (name string, empty bool, end int, ok bool) {
	named, others := false, false
	for {
		i := skipSpace(text, at)
		switch {
		case i == len(text):
			return "", false, 0, false
		case text[i] == '>':
			return name, false, i + 1, named
		case strings.HasPrefix(text[i:], "/>"):
			return name, true, i + 2, named && !others
		case i == at:
			return "", false, 0, false
		}
		key, value, next, ok := attribute(text, i)
		switch {
		case !ok || key == "value" || key == "name" && named:
			return "", false, 0, false
		case key == "name":
			name, named = value, true
		default:
			others = true
		}
		at = next
	}
}

// attribute reads key="value", key='value' or key=value.
func attribute(text string, at int) (key, value string, end int, ok bool) {
	end = at
	for end < len(text) && !endsTagName(text[end]) {
		end++
	}
	key = text[at:end]
	end = skipSpace(text, end)
	if key == "" || end == len(text) || text[end] != '=' {
		return "", "", 0, false
	}
	end = skipSpace(text, end+1)
	if end == len(text) {
		return "", "", 0, false
	}
	quote := text[end]
	if !isQuote(quote) {
		at = end
		for end < len(text) && !endsTagName(text[end]) {
			end++
		}
		return key, text[at:end], end, end > at
	}
	end++
	for at = end; end < len(text); end++ {
		switch text[end] {
		case quote:
			return key, text[at:end], end + 1, true
		case '<', '>', '\n':
			return "", "", 0, false
		}
	}
	return "", "", 0, false
}

// fieldIn guesses which field a broken tag is about, for the doubt alone: the
// first word in it that is a field's name and not the name of an attribute.
func fieldIn(root *signature.Type, tag string) int {
	for at := 1; at < len(tag); {
		end := at
		for end < len(tag) && !endsTagName(tag[end]) {
			end++
		}
		if field := root.Field(tag[at:end]); field >= 0 && (end == len(tag) || tag[end] != '=') {
			return field
		}
		at = end + 1
	}
	return -1
}

// tagOf returns the field that a tag names which begins, or may begin, with the
// "<" at a position; -1 if it names none.
func tagOf(root *signature.Type, text string, at int) int {
	m := markAt(text, at)
	field := root.Field(m.name)
	if field < 0 && m.name == parameterTag && !m.closing {
		field = fieldIn(root, tagText(text, at))
	}
	return field
}

// newDoubt makes a doubt about a field, or about none if the field is -1.
func newDoubt(root *signature.Type, kind DoubtKind, field int, text string) *Doubt {
	d := &Doubt{Kind: kind, Text: text}
	if field >= 0 {
		d.Field = root.Fields[field].Name
	}
	return d
}
