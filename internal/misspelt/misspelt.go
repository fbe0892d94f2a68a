// Package misspelt tells a misspelt name of a member from one that somebody added
// for himself. Objects from elsewhere may have members that nobody here knows; those
// are let pass, but one that was meant for a known name must not be lost.
package misspelt

import "github.com/fwgo/fwgo/lookup"

// Most is how many unknown members of one object are worth comparing with the known
// names; so many more are nobody's extension.
const Most = 64

// Names are the known names of an object's members.
type Names struct{ known *lookup.Keys }

// Of returns the Names of a list.
func Of(list ...string) Names { return Names{lookup.NewKeys(list)} }

// Near returns the known name that a name is a slip away from or a part of, as
// "timeout" is of "timeout_seconds"; "" if there is none.
func (n Names) Near(name string) string {
	slip := 0.25
	r := n.known.Match(name, lookup.Options{Open: true, SuggestThreshold: &slip})
	if len(r.Suggestions) > 0 {
		return r.Suggestions[0]
	}
	return r.Match
}

// Slip is Near without names that are merely a part, as "id" is of "workflow_id".
func (n Names) Slip(name string) string {
	near := n.Near(name)
	if d := len(near) - len(name); d < -2 || d > 2 {
		return ""
	}
	return near
}
