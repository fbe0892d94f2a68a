package signature

import (
	"fmt"
	"regexp"
)

// A Pattern is a regular expression that the whole text of a value must
// match, as in Python's fullmatch (FW-60). It is RE2: linear in the text.
type Pattern struct {
	// Source is the expression as the author wrote it.
	Source string

	whole *regexp.Regexp
}

func newPattern(source string) (*Pattern, error) {
	if _, err := regexp.Compile(source); err != nil {
		return nil, fmt.Errorf("pattern %s: %w (patterns are RE2: no lookaround, no backreferences; FW-62)", source, err)
	}
	whole, err := regexp.Compile(`^(?:` + source + `)$`)
	if err != nil {
		return nil, fmt.Errorf("pattern %s: %w", source, err)
	}
	return &Pattern{Source: source, whole: whole}, nil
}

// Match reports whether the whole text matches.
func (p *Pattern) Match(text string) bool { return p.whole.MatchString(text) }
