// Package difflib answers "how alike are these two texts" and "which of these
// texts are close to that one" with exactly the numbers, and exactly the order,
// of Python's module of the same name. fastWorkflow's last resort when a value
// matches no key is difflib (FW-83), and a port that ranks differently offers
// its callers different corrections.
//
//	difflib.CloseMatches("appel", []string{"ape", "apple", "peach"}, 3, 0.6) // [apple ape]
//
// It compares runes of text, nothing else: no sequences of other things, no
// junk filters, no diffs.
package difflib
