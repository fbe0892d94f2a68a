package signature

import (
	"fmt"
	"regexp"
	"strings"
)

// A Pattern is a regular expression that the whole text of a value must
// match, as in Python's fullmatch (FW-60). It is RE2: linear in the text.
type Pattern struct {
	// Source is the expression as the author wrote it.
	Source string

	whole *regexp.Regexp
	row   matcher // the same in short, nil if it has no such form
}

func newPattern(source string) (*Pattern, error) {
	p, err := compilePattern(translated(source))
	if p != nil {
		p.Source = source
	}
	return p, err
}

// unicodeEscapes are the \uXXXX of ECMAScript, which RE2 writes \x{XXXX}.
var unicodeEscapes = regexp.MustCompile(`((?:^|[^\\])(?:\\\\)*)\\u([0-9A-Fa-f]{4})`)

func translated(source string) string {
	if !strings.Contains(source, `\u`) {
		return source
	}
	return unicodeEscapes.ReplaceAllString(source, `$1\x{$2}`)
}

func compilePattern(source string) (*Pattern, error) {
	if _, err := regexp.Compile(source); err != nil {
		return nil, fmt.Errorf("pattern %s: %w (patterns are RE2: no lookaround, no backreferences; FW-62)", source, err)
	}
	anchored := `^(?:` + source + `)$`
	whole, err := regexp.Compile(anchored)
	if err != nil {
		return nil, fmt.Errorf("pattern %s: %w", source, err)
	}
	return &Pattern{Source: source, whole: whole, row: newMatcher(anchored)}, nil
}

// Match reports whether the whole text matches.
func (p *Pattern) Match(text string) bool {
	if p.row != nil {
		return p.row.match(text)
	}
	return p.whole.MatchString(text)
}
