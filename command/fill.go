package command

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fwgo/fwgo/agentmode"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/signature"
	"github.com/fwgo/fwgo/validate"
)

// keptValue is a value of an attempt that failed, kept for the next.
type keptValue struct {
	Field string `json:"field"`
	JSON  string `json:"json"`
	// Text says that it came as text, whose JSON type says nothing.
	Text bool `json:"text,omitempty"`
}

// remember keeps what a person gave, so that the next message completes the
// command (FW-111). A value inside a list or object that is to be corrected is
// asked for by its path, and the rest of it is kept. Agents send a new call
// instead (FW-132).
func (c *call) remember(v *validate.Values) {
	s := c.session
	s.talk = talk{}
	if !c.human || c.outcome.Stage == "" {
		return
	}
	t := talk{Stage: stageParameters, Command: c.entry.name, Message: c.message, Round: c.round + 1}
	t.Fix = c.fixes(v)
	for _, f := range c.entry.sig.Fields() {
		raw, given := v.Given(f.Name)
		if !given || has(t.Fix, f.Name) || len(t.Fix) == 0 {
			continue // no names: the next message is read afresh (FW-91)
		}
		t.Kept = append(t.Kept, keptValue{Field: f.Name, JSON: raw.JSON(), Text: raw.Loose})
	}
	s.talk = t
}

// fixes lists the paths that the problems are about, in their order. A
// parameter that is asked for as a whole is not asked for in parts as well.
func (c *call) fixes(v *validate.Values) []string {
	var fix []string
	for i := range c.outcome.Problems {
		p := &c.outcome.Problems[i]
		paths := p.Fields
		if len(paths) == 0 {
			paths = []string{p.Field}
		}
		for _, path := range paths {
			if path == "" || p.Kind == validate.UnknownName {
				continue
			}
			if path = c.asked(p, path, v); !has(fix, path) {
				fix = append(fix, path)
			}
		}
	}
	return slices.DeleteFunc(fix, func(path string) bool {
		field, rest := c.entry.part(path)
		return rest != "" && has(fix, field)
	})
}

// part parts a path into the parameter it begins with and the rest: size and
// .w. A parameter's own name may have dots and brackets in it.
func (e *entry) part(path string) (field, rest string) {
	for _, f := range e.sig.Fields() {
		after, ok := strings.CutPrefix(path, f.Name)
		if ok && len(f.Name) > len(field) && (after == "" || after[0] == '.' || after[0] == '[') {
			field, rest = f.Name, after
		}
	}
	if field == "" {
		return path, ""
	}
	return field, rest
}

// within returns the place in v that the rest of a path leads to: the object
// it is a member of and its name there, or the item itself. It reports false
// where the path leads nowhere.
func within(v *jsontree.Value, rest string) (at *jsontree.Value, name string, ok bool) {
	for {
		var index string
		switch {
		case strings.HasPrefix(rest, `["`):
			quoted, err := strconv.QuotedPrefix(rest[1:])
			if err != nil {
				return nil, "", false
			}
			name, _ = strconv.Unquote(quoted)
			rest = strings.TrimPrefix(rest[1+len(quoted):], "]")
		case strings.HasPrefix(rest, "["):
			index, rest, _ = strings.Cut(rest[1:], "]")
		default:
			name = strings.TrimPrefix(rest, ".")
			if end := strings.IndexAny(name, ".["); end >= 0 {
				name = name[:end]
			}
			rest = strings.TrimPrefix(rest, ".")[len(name):]
		}
		v.Raw = ""
		if index != "" {
			n, err := strconv.Atoi(index)
			if err != nil || n < 0 || n >= len(v.Items) {
				return nil, "", false
			}
			v, name = &v.Items[n], ""
			if rest == "" {
				return v, "", true
			}
			continue
		}
		if v.Kind != jsontree.Object || name == "" {
			return nil, "", false
		}
		if rest == "" {
			return v, name, true
		}
		if v = v.Get(name); v == nil {
			return nil, "", false
		}
	}
}

// patch sets the value that the rest of a path leads to.
func patch(v *jsontree.Value, rest string, value jsontree.Value) {
	at, name, ok := within(v, rest)
	switch {
	case !ok:
	case name == "":
		*at = value
	case at.Get(name) != nil:
		*at.Get(name) = value
	default:
		at.Members = append(at.Members[:len(at.Members):len(at.Members)], jsontree.Member{Name: name, Value: value})
	}
}

// asked returns what to ask for where a problem is: the value itself if what
// was given can be kept around it, else the whole parameter.
func (c *call) asked(p *validate.Problem, path string, v *validate.Values) string {
	field, rest := c.entry.part(path)
	if rest == "" {
		return path
	}
	raw, given := v.Given(field)
	if !given {
		return field
	}
	at, name, ok := within(raw, rest)
	if !ok || name != "" && at.Get(name) == nil && p.Kind != validate.Missing {
		return field // it came under another name, or inside a text
	}
	return path
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
// JSON for named parameters, else by the order of those to be given. Another
// command is recognised by its name alone, by a name that is no word of prose,
// or with named parameters; an abort and "you misunderstood" by the whole
// message (FW-114, FW-195, FW-197).
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
	rest = strings.TrimSpace(rest)
	t := s.find(strings.TrimSuffix(token, ":"))
	switch {
	case here.entry == nil,
		t.entry != nil && rest == "",
		t.entry != nil && t.entry != here.entry && (len(pending.Fix) == 0 || strings.ContainsAny(token, "_/") || namesParameters(t.entry.binder.Bind(text))):
		s.talk = talk{}
		c.fresh(ctx, text)
		return
	case t.entry == here.entry:
		text = rest
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
	doc := c.merged(v, &pending, given)
	if open := c.unanswered(pending.Fix, given); len(open) > 0 {
		c.askOn(doc, &pending, open)
		return
	}
	c.load(v, doc)
	c.stages(ctx, v)
}

// namesParameters reports whether a text bound by naming its parameters.
func namesParameters(r agentmode.Result) bool {
	return r.Outcome == agentmode.Bound && (r.Form == agentmode.FormTags || r.Form == agentmode.FormPairs || r.Form == agentmode.FormJSON)
}

// unanswered lists what was asked for and not given: it stays asked, so that
// no default ever takes the place of a value that was wrong.
func (c *call) unanswered(asked []string, given []agentmode.Value) []string {
	var open []string
	for _, path := range asked {
		answered := false
		field, _ := c.entry.part(path)
		for _, g := range given {
			answered = answered || g.Field == path || g.Field == field
		}
		if !answered {
			open = append(open, path)
		}
	}
	return open
}

// askOn keeps what was given and asks for the rest.
func (c *call) askOn(doc *jsontree.Doc, pending *talk, open []string) {
	t := *pending
	t.Fix, t.Kept, t.Round = open, nil, pending.Round+1
	for i := range doc.Root.Members {
		m := &doc.Root.Members[i]
		t.Kept = append(t.Kept, keptValue{Field: m.Name, JSON: m.Value.JSON(), Text: m.Value.Loose})
	}
	c.session.talk = t
	var problems []validate.Problem
	for _, path := range open {
		field, _ := c.entry.part(path)
		p := c.entry.validator.BindingProblem("empty_value", field, "")
		p.Field = path
		problems = append(problems, p)
	}
	c.stop(validate.StageRequire, problems...)
}

// answers reads a follow-up message.
func (c *call) answers(text string, pending *talk) ([]agentmode.Value, *validate.Problem) {
	bound := c.entry.binder.BindRemainder(text)
	switch {
	case namesParameters(bound) && bound.Form != agentmode.FormJSON:
		return bound.Values, nil
	case bound.Form == agentmode.FormJSON && len(pending.Fix) == 1 && c.isObject(pending.Fix[0], bound.JSON):
		return []agentmode.Value{{Field: pending.Fix[0], Texts: []string{bound.JSON}}}, nil
	case bound.Form == agentmode.FormJSON:
		return c.jsonAnswers(bound.JSON)
	case bound.Form == agentmode.FormTags && bound.Doubt != nil, len(pending.Fix) == 0 && bound.Doubt != nil:
		p := c.doubt(bound.Doubt)
		return nil, &p
	case len(pending.Fix) == 0:
		return bound.Values, nil
	case len(pending.Fix) == 1:
		// One question has one answer, commas and all; a list reads its own.
		return []agentmode.Value{{Field: pending.Fix[0], Texts: []string{withoutQuotes(text)}}}, nil
	}
	parts, closed := splitAnswers(text)
	if !closed {
		return nil, &validate.Problem{Kind: validate.UnclearCall, Text: "a quote is not closed"}
	}
	if len(parts) != 1 && len(parts) != len(pending.Fix) {
		return nil, &validate.Problem{Kind: validate.WrongCount, Fields: pending.Fix, Got: fmt.Sprint(len(parts)), Accepted: fmt.Sprint(len(pending.Fix))}
	}
	values := make([]agentmode.Value, len(parts))
	for i, part := range parts {
		values[i] = agentmode.Value{Field: pending.Fix[i], Texts: []string{part}}
	}
	return values, nil
}

// isObject reports whether a JSON object is the value that is asked for, which
// is an object: it names members of that and no parameter.
func (c *call) isObject(path, text string) bool {
	root := c.entry.sig.Root()
	at := root.Field(path)
	doc, fault := jsontree.Parse(text, jsontree.Limits{}, nil)
	if at < 0 || root.Fields[at].Type.Kind != signature.Object || fault != nil {
		return false
	}
	return !slices.ContainsFunc(doc.Root.Members, func(m jsontree.Member) bool { return root.Field(m.Name) >= 0 })
}

// jsonAnswers reads a follow-up that is one JSON object. Its values are taken
// as text that is JSON, so that they keep their types.
func (c *call) jsonAnswers(text string) ([]agentmode.Value, *validate.Problem) {
	doc, fault := jsontree.Parse(text, jsontree.Limits{}, nil)
	if fault != nil || doc.Root.Kind != jsontree.Object {
		p := validate.Problem{Kind: validate.UnclearCall, Text: "the JSON object cannot be read"}
		if fault != nil {
			p = c.entry.validator.DocumentProblem(fault, text)
		}
		return nil, &p
	}
	var values []agentmode.Value
	for i := range doc.Root.Members {
		m := &doc.Root.Members[i]
		if c.entry.sig.Root().Field(m.Name) < 0 {
			p := c.entry.validator.BindingProblem("unknown_name", "", m.Name)
			return nil, &p
		}
		answer := m.Value.Text
		if m.Value.Kind != jsontree.String {
			answer = m.Value.JSON()
		}
		values = append(values, agentmode.Value{Field: m.Name, Texts: []string{answer}})
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
	if len(text) >= 2 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] && strings.IndexByte(text[1:len(text)-1], text[0]) < 0 {
		return text[1 : len(text)-1]
	}
	return text
}

// merged makes the arguments of a further attempt: the values kept and those
// given now, which win; what is given for a path goes into the value it is in.
func (c *call) merged(v *validate.Values, pending *talk, given []agentmode.Value) *jsontree.Doc {
	var whole, parts []agentmode.Value
	for _, g := range given {
		if _, rest := c.entry.part(g.Field); rest == "" {
			whole = append(whole, g)
		} else {
			parts = append(parts, g)
		}
	}
	doc := tree(v.Arena(), whole)
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
		for _, p := range parts {
			if field, rest := c.entry.part(p.Field); field == kept.Field {
				patch(&value.Root, rest, jsontree.Value{Kind: jsontree.String, Text: p.Texts[0], Loose: true})
				doc.Ampersand = doc.Ampersand || strings.IndexByte(p.Texts[0], '&') >= 0
			}
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
