package normalize

import "github.com/fwgo/fwgo/internal/jsontree"

// types is a set of the JSON types that decide on repair 1. The others,
// null among them, are in no set: they neither ask for it nor forbid it.
type types uint8

const (
	array types = 1 << iota
	object
	text
	// spelled is set where the word string stands in the schema, even if some
	// other part of it rules strings out: such a parameter is never decoded
	// (rule N-4).
	spelled

	anything = array | object | text
)

// typesOf reads the keyword `type`. A word that JSON Schema does not have may
// mean anything, so it says nothing.
func typesOf(v *jsontree.Value) types {
	if v == nil {
		return anything
	}
	if v.Kind == jsontree.String {
		return typeWord(v.Text)
	}
	if v.Kind != jsontree.List || len(v.Items) == 0 {
		return anything
	}
	set := types(0)
	for i := range v.Items {
		if v.Items[i].Kind != jsontree.String {
			set |= anything
			continue
		}
		set |= typeWord(v.Items[i].Text)
	}
	return set
}

func typeWord(word string) types {
	switch word {
	case "array":
		return array
	case "object":
		return object
	case "string":
		return text | spelled
	case "number", "integer", "boolean", "null":
		return 0
	}
	return anything
}

// and returns what two schemas admit that must both hold.
func (t types) and(u types) types { return t&u&anything | (t|u)&spelled }

// shapes returns the types that a string may be decoded to.
func (t types) shapes() types {
	if t&(text|spelled) != 0 {
		return 0
	}
	return t & (array | object)
}
