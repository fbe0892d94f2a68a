package command

import (
	"strings"

	"github.com/fwgo/fwgo/agentmode"
	"github.com/fwgo/fwgo/internal/jsontree"
)

// isNameLike reports whether a token could be a command's name at all.
func isNameLike(token string) bool {
	c := token[0]
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80
}

func firstWords(text string) string { return text[:min(len(text), 200)] }

// tree makes the object that a text call's values are. Every value is text
// that says nothing of its type (jsontree.Value.Loose).
func tree(arena *jsontree.Arena, values []agentmode.Value) *jsontree.Doc {
	doc := &jsontree.Doc{Root: arena.Object(len(values))}
	for i, v := range values {
		m := &doc.Root.Members[i]
		m.Name = v.Field
		for _, text := range v.Texts {
			doc.Ampersand = doc.Ampersand || strings.IndexByte(text, '&') >= 0
		}
		if !v.Repeated {
			m.Value = jsontree.Value{Kind: jsontree.String, Text: v.Texts[0], Loose: true}
			continue
		}
		m.Value = arena.List(len(v.Texts))
		for k, text := range v.Texts {
			m.Value.Items[k] = jsontree.Value{Kind: jsontree.String, Text: text, Loose: true}
		}
	}
	return doc
}
