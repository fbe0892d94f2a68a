package agentmode

import "github.com/fwgo/fwgo/signature"

// A pair is the "name =" that a pair begins with.
type pair struct {
	name  string
	field int // -1 if no field has the name
	value int // the position after the "=" and the white space behind it
	apart bool
}

// pairAt reads the beginning of a pair: a name, "=", with white space around it
// if need be (FW-34). The name is a field's, or looks like one's: the "=" of
// https://a.example/?b=c makes no pair.
func pairAt(root *signature.Type, text string, at int) (pair, bool) {
	end := at
	for end < len(text) && text[end] != '=' && text[end] != ',' && !isQuote(text[end]) && spaceAt(text, end) == 0 {
		end++
	}
	equals := skipSpace(text, end)
	if end == at || equals == len(text) || text[equals] != '=' {
		return pair{}, false
	}
	p := pair{name: text[at:end], value: skipSpace(text, equals+1)}
	p.field = root.Field(p.name)
	p.apart = p.value > equals+1
	return p, p.field >= 0 || looksLikeName(p.name)
}

// A pairReader reads a text that is pairs.
type pairReader struct {
	gathering
	root *signature.Type
	text string
}

// bindPairs reads the form name=value (FW-33 to FW-37). text begins with a
// pair.
func bindPairs(sig *signature.Signature, text string, room *Room) ([]Value, *Doubt) {
	r := pairReader{root: sig.Root(), text: text}
	r.begin(sig, room)
	before := -1
	for at := 0; ; {
		p, ok := pairAt(r.root, text, at)
		switch {
		case !ok:
			return nil, r.stray(before, at)
		case p.field < 0:
			return nil, newDoubt(r.root, UnknownName, -1, excerpt(p.name))
		}
		end, doubt := r.value(p, at)
		if doubt != nil {
			return nil, doubt
		}
		before = p.field
		if at, doubt = r.separator(p, end); doubt != nil {
			return nil, doubt
		}
		if at == len(text) {
			return r.finish()
		}
	}
}

// finish decides whether a list that was given several times was given as
// items.
func (r *pairReader) finish() ([]Value, *Doubt) {
	for i := range r.fields {
		if list, found := r.listAmong(i); found {
			return nil, r.doubt(UnclearItems, i, list)
		}
	}
	return r.values, nil
}

// separator reads what stands between the pairs: white space, one comma, or
// both.
func (r *pairReader) separator(p pair, end int) (next int, doubt *Doubt) {
	next = skipSpace(r.text, end)
	if next == len(r.text) || r.text[next] != ',' {
		return next, nil
	}
	after := skipSpace(r.text, next+1)
	if after == len(r.text) || r.text[after] == ',' {
		return 0, r.doubt(CommaInValue, p.field, r.text[p.value:])
	}
	return after, nil
}

func (r *pairReader) doubt(kind DoubtKind, field int, text string) *Doubt {
	return newDoubt(r.root, kind, field, excerpt(text))
}

// value reads the value of a pair that begins at start and adds it.
func (r *pairReader) value(p pair, start int) (end int, doubt *Doubt) {
	if p.value == len(r.text) || r.text[p.value] == ',' || r.text[p.value] == '=' || p.apart && r.isPair(p.value) {
		return 0, r.doubt(EmptyValue, p.field, r.text[start:p.value])
	}
	value, many := "", false
	switch c := r.text[p.value]; {
	case isQuote(c):
		var ok bool
		end, ok = quoted(r.text, p.value)
		if !ok || !r.ends(end) {
			return 0, r.doubt(UnbalancedQuote, p.field, r.text[p.value:])
		}
		value = unescape(r.text[p.value+1 : end-1])
	case c == '[' || c == '{':
		end = closing(r.text, p.value)
		if end < 0 || !r.ends(end) {
			return 0, r.doubt(UnbalancedBracket, p.field, r.text[p.value:])
		}
		value, many = r.text[p.value:end], true
	default:
		if end, many, doubt = r.run(p); doubt != nil {
			return 0, doubt
		}
		if value, doubt = r.word(p.field, r.text[p.value:end]); doubt != nil {
			return 0, doubt
		}
	}
	return end, r.add(p.field, value, many, r.text[start:end])
}

// add gives the field a value. Where many says that the value is a list
// itself, it must be the only one: a second leaves open what the items are
// (FW-35).
func (r *pairReader) add(field int, value string, many bool, text string) *Doubt {
	again := *r.place(field) != 0
	if many && again || !r.give(field, value) {
		return r.doubt(GivenTwice, field, text)
	}
	if many {
		r.seal(field)
	}
	return nil
}

// namesAField reports whether a field's name and a "=" stand at the position.
func (r *pairReader) namesAField(at int) bool {
	end := at
	for end < len(r.text) && isNameByte(r.text[end]) {
		end++
	}
	return end < len(r.text) && r.text[end] == '=' && r.root.Field(r.text[at:end]) >= 0
}

func (r *pairReader) isPair(at int) bool {
	_, ok := pairAt(r.root, r.text, at)
	return ok
}

// ends reports whether a value may end at the position.
func (r *pairReader) ends(at int) bool {
	return at == len(r.text) || r.text[at] == ',' || spaceAt(r.text, at) > 0
}

// run finds the end of an unquoted value: white space, or a comma before the
// next pair. Any other comma belongs to the value of a list and is a doubt
// elsewhere: amount=1,000. commas says that the value holds some.
func (r *pairReader) run(p pair) (end int, commas bool, doubt *Doubt) {
	list := takesList(r.fields[p.field].Type)
	quotes := 0
	for end = p.value; end < len(r.text); end++ {
		c := r.text[end]
		switch {
		case c == ',':
			next := skipSpace(r.text, end+1)
			if r.isPair(next) {
				return r.runEnd(p, end, commas, quotes)
			}
			if !list || next == len(r.text) || next > end+1 || r.text[next] == ',' {
				return 0, false, r.doubt(CommaInValue, p.field, r.text[p.value:])
			}
			commas = true
		case c == '"':
			quotes++
		case (c == ';' || c == '&' || c == '|') && r.namesAField(end+1):
			return 0, false, r.doubt(PairInside, p.field, r.text[p.value:])
		case c == '<' && tagOf(r.root, r.text, end) >= 0:
			return 0, false, newDoubt(r.root, TextOutsideTags, p.field, tagText(r.text, end))
		case spaceAt(r.text, end) > 0:
			return r.runEnd(p, end, commas, quotes)
		}
	}
	return r.runEnd(p, end, commas, quotes)
}

func (r *pairReader) runEnd(p pair, end int, commas bool, quotes int) (int, bool, *Doubt) {
	if quotes%2 != 0 {
		return 0, false, r.doubt(UnbalancedQuote, p.field, r.text[p.value:])
	}
	return end, commas, nil
}

// word reads the words that may mean nothing. For a text field they may as well
// be the text; elsewhere they are null (D-5).
func (r *pairReader) word(field int, value string) (string, *Doubt) {
	if value != "None" && value != "null" {
		return value, nil
	}
	f := r.fields[field]
	switch {
	case hasWord(f.Type, value):
		return value, nil
	case takesText(f.Type):
		return "", r.doubt(NullWord, field, value)
	case f.Optional:
		return "null", nil
	}
	return value, nil
}

// stray says what the words are that stand where a pair should begin.
func (r *pairReader) stray(before, at int) *Doubt {
	word := r.text[at:wordEnd(r.text, at)]
	option, isOption := optionName(word)
	switch {
	case isOption:
		return newDoubt(r.root, LooksLikeOption, r.root.Field(option), excerpt(word))
	case r.root.Field(word) >= 0:
		return newDoubt(r.root, BareName, r.root.Field(word), excerpt(word))
	case word[0] == '<' && tagOf(r.root, r.text, at) >= 0:
		return newDoubt(r.root, TextOutsideTags, before, excerpt(r.text[:at]))
	}
	return r.doubt(StrayWords, before, r.text[at:])
}
