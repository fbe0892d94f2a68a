package signature

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// pythonTitle is the title pydantic gives a field (FW-184): Python's
// str.title of the name, underscores as blanks, ends trimmed.
func pythonTitle(name string) string {
	var b strings.Builder
	afterLetter := false
	for i, r := range name {
		switch {
		case afterLetter && r == 'Σ' && !casedNext(name[i+len("Σ"):]):
			b.WriteRune('ς')
		case afterLetter && r < utf8.RuneSelf:
			b.WriteRune(unicode.ToLower(r))
		case r < utf8.RuneSelf:
			b.WriteRune(unicode.ToUpper(r))
		case afterLetter:
			b.WriteString(cases.Lower(language.Und).String(string(r)))
		default:
			b.WriteString(cases.Title(language.Und).String(string(r)))
		}
		afterLetter = cased(r)
	}
	return strings.TrimFunc(strings.ReplaceAll(b.String(), "_", " "), pythonSpace)
}

// cased is the Unicode property of that name.
func cased(r rune) bool {
	return unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r) || unicode.In(r, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

// casedNext reports whether a letter follows, marks and points aside: a sigma
// before none is a final one.
func casedNext(s string) bool {
	for _, r := range s {
		if cased(r) {
			return true
		}
		if !unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) && !strings.ContainsRune(".':\u00b7\u2019\u2018\u2024\u2027", r) {
			return false
		}
	}
	return false
}

// pythonSpace is Python's str.isspace of one character.
func pythonSpace(r rune) bool { return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f }

// cleanDoc is Python's inspect.cleandoc: tabs expanded, the indentation that
// all lines but the first share removed, blank lines at the ends removed.
func cleanDoc(doc string) string {
	lines := strings.Split(expandTabs(doc), "\n")
	margin := -1
	for _, line := range lines[1:] {
		content := strings.TrimLeftFunc(line, pythonSpace)
		if content == "" {
			continue
		}
		if indent := utf8.RuneCountInString(line) - utf8.RuneCountInString(content); margin < 0 || indent < margin {
			margin = indent
		}
	}
	lines[0] = strings.TrimLeftFunc(lines[0], pythonSpace)
	for i := range lines {
		if i > 0 && margin > 0 {
			lines[i] = dropRunes(lines[i], margin)
		}
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	return strings.Join(lines, "\n")
}

func dropRunes(s string, n int) string {
	for ; n > 0 && s != ""; n-- {
		_, size := utf8.DecodeRuneInString(s)
		s = s[size:]
	}
	return s
}

// expandTabs is Python's str.expandtabs with stops every eight columns.
func expandTabs(s string) string {
	const stop = 8
	var b strings.Builder
	column := 0
	for _, r := range s {
		switch r {
		case '\t':
			n := stop - column%stop
			b.WriteString(strings.Repeat(" ", n))
			column += n
		case '\n', '\r':
			b.WriteRune(r)
			column = 0
		default:
			b.WriteRune(r)
			column++
		}
	}
	return b.String()
}
