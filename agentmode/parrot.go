package agentmode

import (
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/signature"
)

// exampleTexts returns, by field, the examples that are text; a number never
// equals the raw text of a call (FW-31).
func exampleTexts(sig *signature.Signature) [][]string {
	all := make([][]string, len(sig.Fields()))
	for i, f := range sig.Fields() {
		if f.DBLookup || isClosed(f.Type) {
			continue
		}
		for _, example := range f.Examples {
			doc, fault := jsontree.Parse(example, jsontree.Limits{}, nil)
			if fault == nil && doc.Root.Kind == jsontree.String {
				all[i] = append(all[i], doc.Root.Text)
			}
		}
	}
	return all
}

// parroted finds a value that is one of its field's examples.
func (b *Binder) parroted(values []Value) *Doubt {
	for _, v := range values {
		field := b.sig.Root().Field(v.Field)
		for _, text := range v.Texts {
			for _, example := range b.examples[field] {
				if text == example {
					return newDoubt(b.sig.Root(), ParrotedExample, field, excerpt(text))
				}
			}
		}
	}
	return nil
}
