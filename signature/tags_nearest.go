package signature

import (
	"strings"

	"github.com/lithammer/fuzzysearch/fuzzy"
)

// nearest returns the known word that an author most likely meant, "" if none
// is near or two are equally near. Up to a third of the letters may differ,
// and two in a short word, since two letters that changed places count as
// two. Case, hyphens and underscores do not count.
func nearest(word string, known []string) string {
	return nearestWithin(word, known, max(len(word)/3, min(2, len(word)/2)))
}

// nearestWithin is nearest with a bound on how many letters may differ.
func nearestWithin(word string, known []string, most int) string {
	word = foldTagWord(word)
	best, bestDistance, tied := "", most+1, false
	for _, candidate := range known {
		d := fuzzy.LevenshteinDistance(word, foldTagWord(candidate))
		switch {
		case d < bestDistance:
			best, bestDistance, tied = candidate, d, false
		case d == bestDistance && best != "":
			tied = true
		}
	}
	if tied {
		return ""
	}
	return best
}

func foldTagWord(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// meant is the end of an error text that offers the nearest known word.
func meant(word string, known []string) string {
	if near := nearest(word, known); near != "" && near != word {
		return "; did you mean " + near + "?"
	}
	return ""
}
