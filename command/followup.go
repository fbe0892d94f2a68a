package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/fwgo/fwgo/agentmode"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/signature"
	"github.com/fwgo/fwgo/validate"
)

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
	own := t.entry != nil && t.entry == here.entry
	switch {
	case here.entry == nil,
		t.entry != nil && rest == "",
		t.entry != nil && !own && (len(pending.Fix) == 0 || strings.ContainsAny(token, "_/") || namesParameters(t.entry.binder.Bind(text))):
		s.talk = talk{}
		c.fresh(ctx, text)
		return
	case own:
		text = rest
	}
	c.entry, c.message, s.object, c.round = here.entry, pending.Message, here.object, pending.Round
	c.outcome.method = "stored_merge"
	v := c.entry.validator.Begin()
	defer c.release(v)
	bound := c.entry.binder.BindRemainder(text)
	given, problem := c.answers(v.Arena(), text, bound, &pending)
	if problem != nil {
		c.stop(validate.StageBind, *problem)
		return // nothing is stored: the question stands
	}
	if own && namesParameters(bound) && c.complete(given, pending.Fix) {
		pending.Kept, pending.Fix = nil, nil // it is a whole call of its own
	}
	doc, open := c.merged(v, &pending, given)
	if len(open) > 0 {
		c.askOn(v, doc, &pending, open)
		return
	}
	c.load(v, doc)
	c.stages(ctx, v)
}

// namesParameters reports whether a text bound by naming its parameters.
func namesParameters(r agentmode.Result) bool {
	return r.Outcome == agentmode.Bound && (r.Form == agentmode.FormTags || r.Form == agentmode.FormPairs || r.Form == agentmode.FormJSON)
}

// complete reports whether all that a call must have was given, and all that
// was asked for.
func (c *call) complete(given []jsontree.Member, fix []string) bool {
	return !slices.ContainsFunc(c.entry.sig.Fields(), func(f *signature.Field) bool {
		asked := slices.ContainsFunc(fix, func(path string) bool {
			field, _ := c.entry.part(path)
			return field == f.Name
		})
		return (!f.Optional || asked) && !slices.ContainsFunc(given, func(m jsontree.Member) bool { return m.Name == f.Name && !c.saysNothing(&m) })
	})
}

// answers reads a follow-up message as values by path.
func (c *call) answers(arena *jsontree.Arena, text string, bound agentmode.Result, pending *talk) ([]jsontree.Member, *validate.Problem) {
	fix := pending.Fix
	switch {
	case bound.Form == agentmode.FormJSON:
		return c.jsonAnswers(bound.JSON, fix)
	case namesParameters(bound):
		return tree(arena, bound.Values).Root.Members, nil
	case bound.Doubt != nil && (bound.Form == agentmode.FormTags || len(fix) == 0 || c.startsPair(text)):
		p := c.doubt(bound.Doubt)
		return nil, &p
	case len(fix) == 0:
		return tree(arena, bound.Values).Root.Members, nil
	case len(fix) == 1:
		// One question has one answer, commas and all; a list reads its own.
		return c.oneAnswer(text, fix[0], bound.Doubt)
	}
	parts, closed := splitAnswers(text)
	switch {
	case !closed:
		return nil, &validate.Problem{Kind: validate.UnclearCall, Text: "a quote or bracket is not closed"}
	case len(parts) != 1 && len(parts) != len(fix):
		return nil, &validate.Problem{Kind: validate.WrongCount, Fields: fix, Got: fmt.Sprint(len(parts)), Accepted: fmt.Sprint(len(fix))}
	}
	parts, paths, clear := named(parts, fix)
	if !clear {
		return nil, &validate.Problem{Kind: validate.UnclearCall, Text: "some of the values have names in front and some have none, or one name stands twice; name each parameter with a tag or as name=value"}
	}
	fix = paths
	given := make([]jsontree.Member, len(parts))
	for i, part := range parts {
		if part == "" {
			return nil, &validate.Problem{Kind: validate.UnclearCall, Text: "there is no value between two commas; name each parameter with a tag or as name=value"}
		}
		if c.isKind(fix[i], signature.List) {
			given[i] = answer(fix[i], part)
		} else {
			given[i] = answer(fix[i], withoutQuotes(part))
		}
		if c.isKind(fix[i], signature.List) && !strings.ContainsAny(part[:1], `["'`) {
			// Which commas are the list's is a guess.
			return nil, &validate.Problem{Kind: validate.UnclearCall, Text: "one of the values is a list; name each parameter with a tag or as name=value"}
		}
	}
	return given, nil
}

// named takes the names from the front of answers, "to: Oslo, weight: 7". It
// returns the answers and the paths that they are for: those asked for, in
// order, if no answer has a name. It is not clear if only some have, or two the
// same.
func named(parts, fix []string) (values, paths []string, clear bool) {
	for _, part := range parts {
		for _, path := range fix {
			value, ok := afterName(part, path)
			if !ok {
				continue
			}
			if slices.Contains(paths, path) {
				return nil, nil, false
			}
			values, paths = append(values, value), append(paths, path)
			break
		}
	}
	switch len(paths) {
	case 0:
		return parts, fix, true
	case len(parts):
		return values, paths, true
	default:
		return nil, nil, false
	}
}

func answer(path, text string) jsontree.Member {
	return jsontree.Member{Name: path, Value: jsontree.Value{Kind: jsontree.String, Text: text, Loose: true}}
}

// startsPair reports whether a text begins with a parameter's name and a "=".
func (c *call) startsPair(text string) bool {
	name, _, found := strings.Cut(text, "=")
	return found && c.entry.sig.Root().Field(strings.TrimSpace(name)) >= 0
}

// isKind reports whether a path leads to a value of the kind.
func (c *call) isKind(path string, kind signature.Kind) bool {
	t := c.typeAt(path)
	return t != nil && t.Kind == kind
}

// oneAnswer reads the answer to the only question.
func (c *call) oneAnswer(text, path string, doubt *agentmode.Doubt) ([]jsontree.Member, *validate.Problem) {
	if value, named := afterName(text, path); named {
		text = value
	} else if doubt != nil && isNoAnswer(doubt.Kind, text) && !isQuoted(text) {
		p := c.doubt(doubt)
		return nil, &p
	}
	field, _ := c.entry.part(path)
	if strings.EqualFold(text, "null") || text == "None" || text == "undefined" {
		p := c.entry.validator.BindingProblem("null_word", field, text)
		return nil, &p
	}
	if c.isKind(path, signature.List) {
		return []jsontree.Member{answer(path, text)}, nil // a list reads its own quotes
	}
	if doc, fault := jsontree.Parse(text, jsontree.Limits{}, nil); fault == nil {
		switch {
		case doc.Root.Kind == jsontree.String:
			return []jsontree.Member{answer(path, doc.Root.Text)}, nil
		case doc.Root.Kind == jsontree.List && c.isKind(path, signature.String):
			p := c.entry.validator.BindingProblem("looks_like_list", field, text)
			return nil, &p
		}
	}
	return []jsontree.Member{answer(path, withoutQuotes(text))}, nil
}

// isQuoted reports whether a text is one JSON string: meant as it stands.
func isQuoted(text string) bool {
	doc, fault := jsontree.Parse(text, jsontree.Limits{}, nil)
	return fault == nil && doc.Root.Kind == jsontree.String
}

// isNoAnswer reports whether a doubt says that the text is a call of another
// form rather than a value.
func isNoAnswer(kind agentmode.DoubtKind, text string) bool {
	word, _, _ := strings.Cut(text, " ")
	switch kind {
	case agentmode.UnknownName, agentmode.LooksLikeOption, agentmode.QuotedPair:
		return true
	case agentmode.UnbalancedQuote:
		return text[0] == '"'
	case agentmode.BareName:
		return strings.ContainsAny(word, ":：＝")
	}
	return false
}

// afterName removes the path that was asked for, or its last name, from the
// front of an answer: "name: value" and "lines[0].name = value".
func afterName(text, path string) (value string, named bool) {
	last := path[strings.LastIndexByte(path, '.')+1:]
	for _, name := range []string{path, last, displayName(path)} {
		if len(text) <= len(name) || !strings.EqualFold(text[:len(name)], name) {
			continue
		}
		rest := strings.TrimLeft(text[len(name):], " ")
		for _, sign := range []string{"=", ":", "：", "＝"} {
			if value, ok := strings.CutPrefix(rest, sign); ok && strings.TrimSpace(value) != "" {
				return strings.TrimSpace(value), true
			}
		}
	}
	return "", false
}

// jsonAnswers reads a follow-up that is one JSON object: of parameters, or the
// one value that is asked for if that is an object.
func (c *call) jsonAnswers(text string, fix []string) ([]jsontree.Member, *validate.Problem) {
	doc, fault := jsontree.Parse(text, jsontree.Limits{}, nil)
	if fault != nil || doc.Root.Kind != jsontree.Object {
		p := validate.Problem{Kind: validate.UnclearCall, Text: "the JSON object cannot be read"}
		if fault != nil {
			p = c.entry.validator.DocumentProblem(fault, text)
		}
		return nil, &p
	}
	root := c.entry.sig.Root()
	if len(fix) == 1 && len(doc.Root.Members) > 0 {
		declared := slices.ContainsFunc(doc.Root.Members, func(m jsontree.Member) bool { return root.Field(m.Name) >= 0 })
		asked := c.typeAt(fix[0])
		last := fix[0][strings.LastIndexByte(fix[0], '.')+1:]
		value, inside := doc.Root, false
		switch {
		case asked != nil && asked.Kind == signature.Object && len(asked.Fields) > 0:
			inside = !slices.ContainsFunc(value.Members, func(m jsontree.Member) bool { return asked.Field(m.Name) < 0 })
		case len(value.Members) == 1 && last != fix[0]:
			inside = value.Members[0].Name == last
			value = value.Members[0].Value
		}
		switch {
		case inside && declared:
			return nil, &validate.Problem{Kind: validate.UnclearCall, Text: "the names are those of parameters and of what is asked for; send the whole parameter"}
		case inside, !declared && asked != nil && asked.Kind == signature.Object:
			return []jsontree.Member{{Name: fix[0], Value: value}}, nil
		}
	}
	var given []jsontree.Member
	for _, m := range doc.Root.Members {
		switch at := root.Field(m.Name); {
		case at >= 0:
			m.Name = root.Fields[at].Name
		case !root.Open:
			p := c.entry.validator.BindingProblem("unknown_name", "", m.Name)
			return nil, &p
		}
		if slices.ContainsFunc(given, func(g jsontree.Member) bool { return g.Name == m.Name }) {
			p := c.entry.validator.BindingProblem("given_twice", m.Name, m.Name)
			return nil, &p
		}
		if m.Value.Kind != jsontree.Null { // null gives nothing
			given = append(given, m)
		}
	}
	return given, nil
}

// splitAnswers splits at commas outside quotes and brackets that begin a part.
// It reports false if one of them has no end.
func splitAnswers(text string) (parts []string, closed bool) {
	start, depth := 0, 0
	var open byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		first := strings.TrimSpace(text[start:i]) == ""
		switch {
		case open != 0:
			if c == open {
				open = 0
			}
		case (c == '"' || c == '\'') && (first || depth > 0):
			open = c // a quote inside a word is an apostrophe
		case (c == '[' || c == '{') && (first || depth > 0):
			depth++
		case (c == ']' || c == '}') && depth > 0:
			depth--
		case c == ',' && depth == 0:
			parts = append(parts, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	return append(parts, strings.TrimSpace(text[start:])), open == 0 && depth == 0
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
// What was asked for and is still not given stays open, so that no default
// ever takes the place of a value that was wrong.
func (c *call) merged(v *validate.Values, pending *talk, given []jsontree.Member) (doc *jsontree.Doc, open []string) {
	doc = &jsontree.Doc{Root: v.Arena().Object(0)}
	var members []jsontree.Member
	for i := range pending.Kept {
		kept := &pending.Kept[i]
		if value, ok := kept.value(v.Arena()); ok { // a store that lost it asks again
			members = append(members, jsontree.Member{Name: kept.Field, Value: value})
		}
	}
	answered := map[string]bool{}
	for _, g := range given {
		if c.saysNothing(&g) {
			continue
		}
		doc.Ampersand = doc.Ampersand || strings.IndexByte(g.Value.JSON(), '&') >= 0
		field, rest := c.entry.part(g.Name)
		at := slices.IndexFunc(members, func(m jsontree.Member) bool { return m.Name == field })
		inner := false // parts of it were asked for, and the rest of it is kept
		for _, path := range pending.Fix {
			of, below := c.entry.part(path)
			inner = inner || rest == "" && at >= 0 && of == field && below != ""
		}
		switch {
		case inner:
			with := treeIn(&g.Value)
			if !merge(&members[at].Value, with) {
				continue // what becomes of the rest is a guess: the question stands
			}
			for _, path := range pending.Fix {
				if of, below := c.entry.part(path); of == field && leads(with, below) {
					answered[path] = true
				}
			}
			continue
		case at < 0:
			members = append(members, jsontree.Member{Name: field, Value: g.Value})
		case rest == "":
			members[at].Value = g.Value
		default:
			patch(&members[at].Value, rest, g.Value)
		}
		for _, path := range pending.Fix {
			if path == g.Name || path == field {
				answered[path] = true
			}
		}
	}
	doc.Root.Members = members
	for _, path := range pending.Fix {
		if !answered[path] && !(len(given) > 0 && pending.crosses()) {
			open = append(open, path)
		}
	}
	return doc, open
}

// saysNothing reports whether an answer is blank where blank is no value.
func (c *call) saysNothing(g *jsontree.Member) bool {
	t := c.typeAt(g.Name)
	return g.Value.Kind == jsontree.String && strings.TrimSpace(g.Value.Text) == "" &&
		t != nil && (t.Kind != signature.String || t.Enum != nil || t.Format != nil)
}

// merge puts what an object or a list of as many items gives into what was
// kept. It reports false for any other shape.
func merge(kept, given *jsontree.Value) bool {
	if kept.Kind != given.Kind || kept.Kind == jsontree.List && len(kept.Items) != len(given.Items) {
		return false
	}
	kept.Raw = ""
	switch kept.Kind {
	case jsontree.Object:
		for _, m := range given.Members {
			have := kept.Get(m.Name)
			switch {
			case have == nil:
				kept.Members = append(kept.Members[:len(kept.Members):len(kept.Members)], m)
			case !merge(have, &m.Value):
				*have = m.Value
			}
		}
	case jsontree.List:
		for i := range given.Items {
			if !merge(&kept.Items[i], &given.Items[i]) {
				kept.Items[i] = given.Items[i]
			}
		}
	default:
		*kept = *given
	}
	return true
}

// treeIn returns the object or list that a value is, or is the JSON text of.
func treeIn(v *jsontree.Value) *jsontree.Value {
	if v.Kind == jsontree.String {
		if doc, fault := jsontree.Parse(v.Text, jsontree.Limits{}, nil); fault == nil {
			return &doc.Root
		}
	}
	return v
}

// typeAt returns the type of what a path leads to, nil if it is not known.
func (c *call) typeAt(path string) *signature.Type {
	field, rest := c.entry.part(path)
	t := c.entry.sig.Root()
	for name := field; ; {
		at := t.Field(name)
		if at < 0 {
			return nil
		}
		t = t.Fields[at].Type
		for strings.HasPrefix(rest, "[") && !strings.HasPrefix(rest, `["`) && t.Items != nil {
			_, rest, _ = strings.Cut(rest, "]")
			t = t.Items
		}
		if rest == "" {
			return t
		}
		if !strings.HasPrefix(rest, ".") {
			return nil
		}
		name = rest[1:]
		if end := strings.IndexAny(name, ".["); end >= 0 {
			name = name[:end]
		}
		rest = rest[1+len(name):]
	}
}

// leads reports whether the rest of a path leads to a value in v.
func leads(v *jsontree.Value, rest string) bool {
	at, name, ok := within(v, rest)
	return ok && (name == "" || at.Get(name) != nil)
}

// askOn keeps what was given and asks for the rest, in the words in which it
// was asked for.
func (c *call) askOn(v *validate.Values, doc *jsontree.Doc, pending *talk, open []string) {
	t := *pending
	t.Fix, t.Kept, t.Problems, t.Round = open, nil, nil, pending.Round+1
	c.normalize(v, doc)
	for i := range doc.Root.Members {
		t.Kept = append(t.Kept, keep(doc.Root.Members[i].Name, &doc.Root.Members[i].Value))
	}
	for _, p := range pending.Problems {
		field, _ := c.entry.part(p.Field)
		if has(open, p.Field) || has(open, field) || slices.ContainsFunc(p.Fields, func(name string) bool { return has(open, name) }) {
			t.Problems = append(t.Problems, p)
		}
	}
	if len(t.Problems) == 0 {
		for _, path := range open {
			field, _ := c.entry.part(path)
			t.Problems = append(t.Problems, c.entry.validator.BindingProblem("empty_value", field, ""))
		}
	}
	c.session.talk = t
	c.stop(validate.StageRequire, t.Problems...)
}
