package command

import (
	"context"
	"strings"

	"github.com/fwgo/fwgo/agentmode"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/validate"
)

// text binds a text call and runs it.
func (c *call) text(ctx context.Context, text string) {
	text = strings.TrimPrefix(strings.TrimSpace(text), "/") // FW-135: the slash of assistant mode
	token, _ := agentmode.Split(text)
	if token == "" || !isNameLike(token) {
		c.stop(validate.StageBind, validate.Problem{Kind: validate.NotACall, Got: quote.Text(firstWords(text), 40), Accepted: validate.Names(c.session.workflow.names)})
		return
	}
	if c.entry = c.session.workflow.find(strings.TrimSuffix(token, ":")); c.entry == nil {
		c.unknown(token)
		return
	}
	bound := c.entry.binder.Bind(text)
	c.outcome.method = string(bound.Form)
	if bound.Outcome != agentmode.Bound {
		c.stop(validate.StageBind, c.doubt(bound.Doubt))
		return
	}
	v := c.entry.validator.Begin()
	defer c.release(v)
	if bound.Form == agentmode.FormJSON {
		if c.arguments(v, bound.JSON) {
			c.stages(ctx, v)
		}
		return
	}
	c.load(v, tree(v.Arena(), bound.Values))
	c.stages(ctx, v)
}

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
