package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/fwgo/fwgo/agentmode"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/validate"
)

// keptValue is a value of an attempt that failed, kept for the next.
type keptValue struct {
	Field string `json:"field"`
	JSON  string `json:"json"`
	// Text says that it came as text, whose JSON type says nothing.
	Text bool `json:"text,omitempty"`
}

// remember keeps what a person gave, without the values that are to be
// corrected, so that the next message completes the command (FW-111). Agents
// send a new call instead (FW-132).
func (c *call) remember(v *validate.Values) {
	s := c.session
	s.talk = talk{}
	if !c.human || c.outcome.Stage == "" {
		return
	}
	fix := fixes(c.outcome.Problems)
	t := talk{Stage: stageParameters, Command: c.entry.name, Message: c.message, Fix: fix, Round: c.round + 1}
	for _, f := range c.entry.sig.Fields() {
		raw, given := v.Given(f.Name)
		if !given || has(fix, f.Name) || len(fix) == 0 {
			continue // no names: the next message is read afresh (FW-91)
		}
		t.Kept = append(t.Kept, keptValue{Field: f.Name, JSON: raw.JSON(), Text: raw.Loose})
	}
	s.talk = t
}

// fixes lists the parameters that the problems are about, in their order.
func fixes(problems []validate.Problem) []string {
	var fix []string
	add := func(name string) {
		name, _, _ = strings.Cut(name, ".")
		name, _, _ = strings.Cut(name, "[")
		if name != "" && !has(fix, name) {
			fix = append(fix, name)
		}
	}
	for i := range problems {
		p := &problems[i]
		if p.Kind == validate.UnknownName {
			continue
		}
		for _, name := range p.Fields {
			add(name)
		}
		if len(p.Fields) == 0 {
			add(p.Field)
		}
	}
	return fix
}

func has(list []string, word string) bool {
	for _, have := range list {
		if have == word {
			return true
		}
	}
	return false
}

// followUp takes a message as values for the command in hand: by tag, pair or
// JSON for named parameters, else by the order of those to be given. A new
// command, an abort and "you misunderstood" are recognised by their whole
// names (FW-114, FW-195, FW-197).
func (c *call) followUp(ctx context.Context, text string) {
	s := c.session
	pending := s.talk
	if abort.says(text) {
		c.builtin(abort)
		return
	}
	if misunderstood.says(text) {
		c.builtin(misunderstood)
		return
	}
	here := s.find(pending.Command)
	token, rest := agentmode.Split(text)
	t := s.find(strings.TrimSuffix(token, ":"))
	if here.entry == nil || t.entry != nil && t.entry != here.entry {
		s.talk = talk{}
		c.fresh(ctx, text)
		return
	}
	if t.entry == here.entry {
		text = strings.TrimSpace(rest)
	}
	c.entry, c.message, s.object, c.round = here.entry, pending.Message, here.object, pending.Round
	c.outcome.method = "stored_merge"
	given, problem := c.answers(text, &pending)
	if problem != nil {
		c.stop(validate.StageBind, *problem)
		return // nothing is stored: the question stands
	}
	v := c.entry.validator.Begin()
	defer c.release(v)
	c.load(v, c.merged(v, &pending, given))
	c.stages(ctx, v)
}

// answers reads a follow-up message.
func (c *call) answers(text string, pending *talk) ([]agentmode.Value, *validate.Problem) {
	bound := c.entry.binder.BindRemainder(text)
	named := bound.Outcome == agentmode.Bound && (bound.Form == agentmode.FormTags || bound.Form == agentmode.FormPairs)
	if named || len(pending.Fix) == 0 && bound.Outcome == agentmode.Bound && bound.Form != agentmode.FormJSON {
		return bound.Values, nil
	}
	if len(pending.Fix) == 0 {
		p := validate.Problem{Kind: validate.UnclearCall, Text: "name each parameter with a tag or as name=value"}
		if bound.Doubt != nil {
			p = c.doubt(bound.Doubt)
		}
		return nil, &p
	}
	if len(pending.Fix) == 1 {
		// One question has one answer, commas and all; a list reads its own.
		return []agentmode.Value{{Field: pending.Fix[0], Texts: []string{withoutQuotes(text)}}}, nil
	}
	parts, closed := splitAnswers(text)
	if !closed {
		return nil, &validate.Problem{Kind: validate.UnclearCall, Text: "a quote is not closed"}
	}
	if len(parts) == 1 {
		return []agentmode.Value{{Field: pending.Fix[0], Texts: parts}}, nil
	}
	if len(parts) != len(pending.Fix) {
		return nil, &validate.Problem{Kind: validate.WrongCount, Fields: pending.Fix, Got: fmt.Sprint(len(parts)), Accepted: fmt.Sprint(len(pending.Fix))}
	}
	values := make([]agentmode.Value, len(parts))
	for i, part := range parts {
		values[i] = agentmode.Value{Field: pending.Fix[i], Texts: []string{part}}
	}
	return values, nil
}

// splitAnswers splits at commas outside quotes and removes a pair of quotes
// around a part. It reports false if a quote has no end.
func splitAnswers(text string) (parts []string, closed bool) {
	start := 0
	var open byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case open != 0:
			if c == open {
				open = 0
			}
		case (c == '"' || c == '\'') && strings.TrimSpace(text[start:i]) == "":
			open = c // a quote inside a word is an apostrophe
		case c == ',':
			parts = append(parts, withoutQuotes(text[start:i]))
			start = i + 1
		}
	}
	return append(parts, withoutQuotes(text[start:])), open == 0
}

func withoutQuotes(text string) string {
	text = strings.TrimSpace(text)
	if len(text) >= 2 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] {
		return text[1 : len(text)-1]
	}
	return text
}

// merged makes the arguments of a further attempt: the values kept and those
// given now, which win.
func (c *call) merged(v *validate.Values, pending *talk, given []agentmode.Value) *jsontree.Doc {
	doc := tree(v.Arena(), given)
	members := doc.Root.Members
	for _, kept := range pending.Kept {
		if doc.Root.Get(kept.Field) != nil {
			continue
		}
		value, fault := jsontree.Parse(kept.JSON, jsontree.Limits{}, v.Arena())
		if fault != nil {
			continue // it was written by this program; a store that lost it asks again
		}
		if kept.Text {
			markLoose(&value.Root)
		}
		doc.Ampersand = doc.Ampersand || value.Ampersand
		members = append(members, jsontree.Member{Name: kept.Field, Value: value.Root})
	}
	doc.Root.Members = members
	return doc
}

func markLoose(v *jsontree.Value) {
	v.Loose = v.Kind == jsontree.String
	for i := range v.Items {
		markLoose(&v.Items[i])
	}
}

// soFar lists what is understood already, for a person (FW-103, FW-104).
func (c *call) soFar() []string {
	var lines []string
	for _, kept := range c.session.talk.Kept {
		value, fault := jsontree.Parse(kept.JSON, jsontree.Limits{}, nil)
		if fault != nil || value.Root.Kind == jsontree.Null {
			continue
		}
		text := value.Root.Text
		if value.Root.Kind != jsontree.String {
			text = kept.JSON
		}
		lines = append(lines, displayName(kept.Field)+": "+quote.Bare(text, 60))
	}
	return lines
}

// displayName is a field's name as a person reads it: first_num is First Num.
func displayName(field string) string {
	words := strings.Split(field, "_")
	for i, word := range words {
		if word != "" {
			words[i] = strings.ToUpper(word[:1]) + strings.ToLower(word[1:])
		}
	}
	return strings.Join(words, " ")
}
