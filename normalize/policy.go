package normalize

import "github.com/fwgo/fwgo/internal/jsontree"

// policy says what repair 2 does to the strings of a field (rule N-15).
// Larger values change less.
//
// A schema's own word wins, so that a field can override the definition it
// refers to; else the parts it is looked through to speak, and the one that
// changes least is heard.
type policy uint8

const (
	inherit     policy = iota // the field says nothing
	decodeAll                 // until nothing changes
	decodeOnce                // one pass
	decodeNever               // not at all
)

// policyWord reads the extra `references` of a schema. A word that is none of
// the three says nothing: refusing it is for whoever registers the schema.
func policyWord(v *jsontree.Value) policy {
	if v == nil || v.Kind != jsontree.String {
		return inherit
	}
	switch v.Text {
	case "decode":
		return decodeAll
	case "once":
		return decodeOnce
	case "raw":
		return decodeNever
	}
	return inherit
}
