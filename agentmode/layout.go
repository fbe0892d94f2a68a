package agentmode

import (
	"strings"

	"github.com/fwgo/fwgo/internal/python"
)

const (
	cdataOpen  = "<![CDATA["
	cdataClose = "]]>"
)

// inner returns a tag's content without its layout. A value on one line is
// trimmed (FW-27). Of a value of several lines the line break after the opening
// tag goes, and the one before the closing tag with that tag's indentation;
// everything else is the value's, so that indented text arrives indented (D-6).
// Blank content is the empty text (FW-29).
func inner(content string) string {
	trimmed := python.TrimSpace(content)
	if trimmed == "" || strings.IndexByte(content, '\n') < 0 && strings.IndexByte(content, '\r') < 0 {
		return trimmed
	}
	start := 0
	for content[start] == ' ' || content[start] == '\t' {
		start++
	}
	if n := lineBreak(content[start:]); n > 0 {
		content = content[start+n:]
	}
	end := len(content)
	for content[end-1] == ' ' || content[end-1] == '\t' {
		end--
	}
	switch {
	case strings.HasSuffix(content[:end], "\r\n"):
		content = content[:end-2]
	case content[end-1] == '\n' || content[end-1] == '\r':
		content = content[:end-1]
	}
	return content
}

// lineBreak returns the size of the line break that s begins with, 0 if none.
func lineBreak(s string) int {
	switch {
	case strings.HasPrefix(s, "\r\n"):
		return 2
	case s != "" && (s[0] == '\n' || s[0] == '\r'):
		return 1
	}
	return 0
}

// cdata reads content that consists of CDATA sections and white space around
// them, from start on: their text, exact, and the position after them. found
// says that the content begins with a section at all, closed that every section
// ends. Several sections are one text, which is how "]]>" is written.
func cdata(text string, start int) (value string, end int, found, closed bool) {
	var joined []byte
	at := skipSpace(text, start)
	for strings.HasPrefix(text[at:], cdataOpen) {
		from := at + len(cdataOpen)
		n := strings.Index(text[from:], cdataClose)
		if n < 0 {
			return "", start, true, false
		}
		section := text[from : from+n]
		switch {
		case !found:
			value, found = section, true
		case joined == nil:
			joined = append([]byte(value), section...)
		default:
			joined = append(joined, section...)
		}
		at = skipSpace(text, from+n+len(cdataClose))
	}
	if joined != nil {
		value = string(joined)
	}
	return value, at, found, true
}
