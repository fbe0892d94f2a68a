package validate

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/python"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/signature"
)

// list makes v a list of type t. Text is read as a list where it is one
// beyond doubt; one scalar for a list is a list of one (D-5, section 2.7).
func (c *Values) list(t *signature.Type, v *jsontree.Value) bool {
	switch v.Kind {
	case jsontree.List:
	case jsontree.String:
		if !c.listText(t, v) {
			return c.refuse(WrongType, t, v)
		}
	case jsontree.Number, jsontree.Bool:
		if len(t.Prefix) > 0 || t.Items == nil || t.Items.Kind == signature.List || t.Items.Kind == signature.Object {
			return c.refuse(WrongType, t, v) // these are written as JSON only (FW-57)
		}
		one := c.arena.List(1)
		one.Items[0] = *v
		if !c.items(t, &one) {
			return false
		}
		*v = one
		return true
	default:
		return c.refuse(WrongType, t, v)
	}
	return c.items(t, v)
}

func (c *Values) items(t *signature.Type, v *jsontree.Value) bool {
	if t.Length.Bounded() && !within(t.Length, len(v.Items)) {
		return c.refuse(WrongLength, t, v)
	}
	ok := true
	for i := range v.Items {
		item := t.Items
		if i < len(t.Prefix) {
			item = t.Prefix[i]
		}
		if item == nil {
			continue
		}
		raw := v.Items[i].Raw
		c.pushItem(i)
		ok = c.item(item, &v.Items[i]) && ok
		c.pop()
		if !ok && c.quiet > 0 {
			return false
		}
		if v.Items[i].Raw == "" || v.Items[i].Raw != raw {
			v.Raw = "" // an item changed, so the list's own text is no longer it
		}
		if len(c.found) > 2*mostProblems {
			return false
		}
	}
	if ok && t.Unique {
		return c.unique(t, v)
	}
	return ok
}

// item reads one item. A list inside a list is written as JSON only: a scalar
// or plain text there may be a row that came apart (FW-57).
func (c *Values) item(t *signature.Type, v *jsontree.Value) bool {
	if t.Kind == signature.List {
		switch v.Kind {
		case jsontree.Number, jsontree.Bool:
			return c.refuse(WrongType, t, v)
		case jsontree.String:
			if !strings.HasPrefix(python.TrimSpace(v.Text), "[") {
				return c.refuse(WrongType, t, v)
			}
		}
	}
	return c.coerce(t, v)
}

func (c *Values) unique(t *signature.Type, v *jsontree.Value) bool {
	seen := make(map[string]struct{}, len(v.Items))
	for i := range v.Items {
		text := string(appendCanonical(nil, &v.Items[i]))
		if _, twice := seen[text]; twice {
			return c.refuse(NotUnique, t, &v.Items[i])
		}
		seen[text] = struct{}{}
	}
	return true
}

// appendCanonical writes a value so that two are equal as JSON values exactly
// if their texts are: 1 and 1.0, "a" and "\u0061", members in any order.
func appendCanonical(dst []byte, v *jsontree.Value) []byte {
	switch v.Kind {
	case jsontree.Number:
		return append(dst, canonicalNumber(v.Text)...)
	case jsontree.String:
		return jsontree.AppendString(dst, v.Text)
	case jsontree.List:
		dst = append(dst, '[')
		for i := range v.Items {
			dst = append(appendCanonical(dst, &v.Items[i]), ',')
		}
		return append(dst, ']')
	case jsontree.Object:
		members := slices.Clone(v.Members)
		slices.SortFunc(members, func(a, b jsontree.Member) int { return strings.Compare(a.Name, b.Name) })
		dst = append(dst, '{')
		for i := range members {
			dst = append(jsontree.AppendString(dst, members[i].Name), ':')
			dst = append(appendCanonical(dst, &members[i].Value), ',')
		}
		return append(dst, '}')
	}
	return v.Append(dst)
}

// canonicalNumber writes a number as its digits without zeros at the ends,
// and the power of ten they count.
func canonicalNumber(literal string) string {
	mantissa, power := literal, 0
	if i := strings.IndexAny(literal, "eE"); i >= 0 {
		n, err := strconv.Atoi(literal[i+1:])
		if err != nil {
			return literal
		}
		mantissa, power = literal[:i], n
	}
	sign := ""
	if mantissa[0] == '-' {
		sign, mantissa = "-", mantissa[1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	power -= len(fraction)
	short := strings.TrimRight(digits, "0")
	if short == "" {
		return "0"
	}
	return sign + short + "e" + strconv.Itoa(power+len(digits)-len(short))
}

// listText reads the text of a list: JSON, a Python list, values separated by
// commas, or one value. What looks like JSON or is half a list is never
// wrapped as one item, and no bracket is ever closed for the caller.
func (c *Values) listText(t *signature.Type, v *jsontree.Value) bool {
	text := python.TrimSpace(v.Text)
	if text == "" {
		return false
	}
	if text[0] == '[' || text[0] == '{' {
		return text[0] == '[' && c.bracketed(t, text, v)
	}
	if halfList(text) || bulleted(text) || otherMarkup(text) {
		return false
	}
	if len(t.Prefix) > 0 || t.Items != nil && (t.Items.Kind == signature.Object || t.Items.Kind == signature.List) {
		return false // these are written as JSON only (FW-57)
	}
	if t.Items != nil && t.Items.Kind == signature.String && t.Items.Enum == nil && meansNothing(t, v) {
		return false // "nothing", written as text, is no item
	}
	if !c.arena.Room(strings.Count(text, ",") + 1) {
		return false
	}
	switch {
	case c.wholeKey(text):
		*v = c.textList([]string{text}, v.Loose)
	case strings.IndexByte(text, ',') >= 0:
		if c.commaKeys() != nil {
			return false // which comma parts two keys and which is in one is a guess
		}
		if isNumeric(t.Items) && grouped(text) || cutApart(text) {
			return false
		}
		// A last comma ends the last item, as in every list that is written out.
		parts := strings.Split(strings.TrimSuffix(text, ","), ",")
		for i := range parts {
			part, whole := unquotedPart(python.TrimSpace(parts[i]))
			if !whole && !(parts[i] != "" && strings.Count(text, "'") == 1 && apostrophe(part)) {
				return false // a comma stood between quotes, or a quote was lost
			}
			parts[i] = part
		}
		*v = c.textList(parts, true)
	case splitsAtSpace(t.Items) && strings.IndexFunc(text, python.IsSpace) >= 0 && !isItem(t.Items, text):
		if isNumeric(t.Items) && oneNumber(strings.Join(strings.FieldsFunc(text, python.IsSpace), ",")) {
			return false
		}
		*v = c.textList(strings.FieldsFunc(text, python.IsSpace), true)
	default:
		part, whole := unquotedPart(text)
		if !whole && !apostrophe(text) {
			return false
		}
		*v = c.textList([]string{part}, v.Loose)
	}
	return true
}

// otherMarkup reports whether text is a list in a notation that is not read
// here: fenced, tagged, a tuple, behind an invisible mark, or with a list
// inside it. Taken as it stands it would be one wrong item.
func otherMarkup(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	last := text[len(text)-1]
	switch {
	case first == '\uFEFF', first == '\u2060', '\u200B' <= first && first <= '\u200D',
		strings.HasPrefix(text, "```"),
		first == '<' && last == '>' && strings.Contains(text, "</"):
		return true
	case first == '(' && last == ')':
		return strings.IndexByte(text, ',') >= 0 || len(text) > 2 && (text[1] == '"' || text[1] == '\'')
	}
	return last == ']' && (strings.Contains(text, `["`) || strings.Contains(text, "['"))
}

// grouped reports whether some numbers of a list seem to be written in groups:
// where a blank follows the commas between numbers, one that none follows may
// be inside a number; and no number but the first begins with an idle zero.
func grouped(text string) bool {
	for number := range strings.SplitSeq(text, ", ") {
		if oneNumber(python.TrimSpace(number)) {
			return true
		}
	}
	if oneNumber(text) {
		return true
	}
	first := true
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimLeft(python.TrimSpace(part), "+-")
		zeroLed := len(part) > 1 && part[0] == '0' && isDigit(part[1])
		if zeroLed && !first {
			return true
		}
		if zeroLed {
			return false // 01, 02 is how the caller writes numbers
		}
		first = false
	}
	return false
}

// cutApart reports whether a comma stands inside brackets or quotes that are
// in order in the whole text: f(x, y), z is not three items.
func cutApart(text string) bool {
	for _, pair := range [...][2]string{{"(", ")"}, {"[", "]"}, {"{", "}"}, {"«", "»"}, {"“", "”"}, {"‘", "’"}, {"`", "`"}, {`"`, `"`}} {
		if !strings.Contains(text, pair[0]) || !inOrder(text, pair) {
			continue
		}
		for part := range strings.SplitSeq(text, ",") {
			if !inOrder(part, pair) && !(pair[0] == `"` && inches(text)) {
				return true
			}
		}
	}
	return false
}

func inOrder(text string, pair [2]string) bool {
	if pair[0] == pair[1] {
		return strings.Count(text, pair[0])%2 == 0
	}
	return strings.Count(text, pair[0]) == strings.Count(text, pair[1])
}

// inches reports whether every quote follows a digit, as in 5", 6".
func inches(text string) bool {
	for i := range len(text) {
		if text[i] == '"' && (i == 0 || !isDigit(text[i-1])) {
			return false
		}
	}
	return true
}

// oneNumber reports whether a text is as likely one number as several: 1,000
// and 1,234.50 and 1.234,50 are grouped by thousands, and not two numbers.
// 100,200 may be, and is two where a list is asked for.
func oneNumber(text string) bool {
	text = strings.TrimLeft(text, "+-")
	if whole, cents, one := strings.Cut(text, ","); one && strings.IndexByte(whole, '.') >= 0 && plainDigits(cents) {
		return isGroups(strings.Split(whole, "."))
	}
	text, fraction, _ := strings.Cut(text, ".")
	groups := strings.Split(text, ",")
	zeroLed := slices.ContainsFunc(groups[1:], func(group string) bool { return strings.HasPrefix(group, "0") })
	return isGroups(groups) && (fraction != "" && plainDigits(fraction) || zeroLed)
}

// isGroups reports whether digits are written in groups of three.
func isGroups(groups []string) bool {
	for i, group := range groups {
		if !plainDigits(group) || group == "" || len(group) > 3 || i > 0 && len(group) != 3 {
			return false
		}
	}
	return len(groups) > 1
}

// apostrophe reports whether a text begins with an apostrophe that is no
// quote: 'tis, '90s.
func apostrophe(text string) bool {
	return len(text) > 1 && text[0] == '\'' && strings.IndexByte(text[1:], '\'') < 0 && text[1] != ' ' && text[1] != '"'
}

// halfList reports whether text is the end of a list without its beginning,
// or a list that was written as text once too often.
func halfList(text string) bool {
	if text[len(text)-1] == ']' && strings.IndexByte(text, '[') < 0 {
		return true
	}
	inner := python.TrimSpace(unquoted(text))
	return inner != "" && len(inner) < len(text) && (inner[0] == '[' || inner[0] == '{')
}

func isNumeric(t *signature.Type) bool {
	return t != nil && t.Enum == nil && (t.Kind == signature.Integer || t.Kind == signature.Number)
}

// zeroLed reports whether a number begins with a zero that says nothing, as
// the 000 of [1,000], which Python reads as 0.
func zeroLed(text string) bool {
	for i := 1; i+1 < len(text); i++ {
		if text[i] == '0' && isDigit(text[i+1]) && !isDigit(text[i-1]) && text[i-1] != '.' && text[i-1] != '_' {
			return true
		}
	}
	return false
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// bulleted reports whether text is several lines that each begin with a
// bullet or number: items, but of a list that nobody agreed how to read.
func bulleted(text string) bool {
	lines := 0
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(python.TrimSpace(line), "0123456789")
		if line == "" {
			continue
		}
		bullet, size := utf8.DecodeRuneInString(line)
		if len(line) <= size || !strings.ContainsRune("-*.)+•·–—", bullet) || line[size] != ' ' {
			return false
		}
		lines++
	}
	return lines > 1
}

// wholeKey reports whether the text, commas and all, is one of the field's
// declared keys and so a single item. Which one, the resolver says.
func (c *Values) wholeKey(text string) bool {
	keys := c.commaKeys()
	return keys != nil && strings.IndexByte(text, ',') >= 0 && keys.Match(text, equal).Verdict == lookup.Applied
}

// commaKeys are the declared keys of the field being read if one has a comma.
func (c *Values) commaKeys() *lookup.Keys {
	if f := c.v.field(c.topField()); f != nil {
		return c.v.commaKeys[f.Name]
	}
	return nil
}

// splitsAtSpace reports whether blanks separate items: only where no item can
// hold one (section 2.7).
func splitsAtSpace(item *signature.Type) bool {
	if item == nil {
		return false
	}
	return item.Enum != nil || item.Kind == signature.Integer || item.Kind == signature.Number || item.Kind == signature.Boolean
}

// isItem reports whether the text with its blanks is a member of the items'
// vocabulary, as "sea green" may be.
func isItem(item *signature.Type, text string) bool {
	if item.Enum == nil {
		return false
	}
	word := jsontree.Text(text)
	_, ok := item.Enum.Read(&word)
	return ok
}

func (c *Values) textList(texts []string, loose bool) jsontree.Value {
	list := c.arena.List(len(texts))
	for i, text := range texts {
		list.Items[i] = jsontree.Text(text)
		list.Items[i].Loose = loose
	}
	return list
}

// unquotedPart removes one pair of quotes around a text. It reports false for
// a text that has more than that, or less: "a" "b", and "a.
func unquotedPart(text string) (string, bool) {
	inner := unquoted(text)
	if len(inner) < len(text) {
		return inner, strings.IndexByte(inner, text[0]) < 0
	}
	first, _ := utf8.DecodeRuneInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	if text == "" || first == '“' && last != '”' {
		return text, false // nothing, and half of what was quoted, is no item
	}
	return text, first != '"' && first != '\''
}

// unquoted removes one pair of equal quotes around a text.
func unquoted(text string) string {
	if len(text) >= 2 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] {
		return text[1 : len(text)-1]
	}
	return text
}

// bracketed reads text that begins with '[' as a JSON array or else a Python
// list literal.
func (c *Values) bracketed(t *signature.Type, text string, v *jsontree.Value) bool {
	doc, fault := jsontree.Parse(text, jsontree.Limits{}, &c.arena)
	if fault == nil {
		*v = doc.Root
		return true
	}
	if !maybePython(text, fault) {
		return false
	}
	literal, err := python.Literal(text)
	if err != nil || literal.Kind != python.KindList || isNumeric(t.Items) && zeroLed(text) {
		return false
	}
	return c.fromPython(&literal, v)
}

// maybePython reports whether text that is not JSON may be a Python literal
// instead. A JSON fault that Python would read over, dropping a member or
// keeping a wrong escape as it stands, is a doubt and not a dialect.
func maybePython(text string, f *jsontree.Fault) bool {
	return len(text) <= longestLiteral && f.Kind == jsontree.Malformed && f.Expected != jsontree.ExpectedEscape
}

// longestLiteral bounds the Python literals read: no tree of theirs is
// counted, and what is longer comes from a program, which writes JSON.
const longestLiteral = 1 << 20

// objectText reads the text of one object, JSON or a Python dict.
func (c *Values) objectText(v *jsontree.Value) bool {
	text := python.TrimSpace(v.Text)
	if text == "" || text[0] != '{' {
		return false
	}
	doc, fault := jsontree.Parse(text, jsontree.Limits{}, &c.arena)
	if fault == nil {
		*v = doc.Root
		return v.Kind == jsontree.Object
	}
	if !maybePython(text, fault) {
		return false
	}
	literal, err := python.Literal(text)
	if err != nil || literal.Kind != python.KindDict {
		return false
	}
	return c.fromPython(&literal, v)
}

// fromPython turns a Python literal into JSON where it has a counterpart
// there: nothing is dropped, so a set, bytes, a complex number, a key that is
// no text or one that repeats make the whole literal unreadable.
func (c *Values) fromPython(p *python.Value, out *jsontree.Value) bool {
	switch p.Kind {
	case python.KindNone:
		*out = jsontree.Value{Kind: jsontree.Null}
	case python.KindBool:
		*out = jsontree.Value{Kind: jsontree.Bool, True: p.Text == "True"}
	case python.KindInt:
		*out = jsontree.Digits(p.Text)
	case python.KindFloat:
		n, ok := python.Float(p.Text)
		if !ok || n-n != 0 {
			return false
		}
		*out = jsontree.Digits(numberLiteral(p.Text, n))
	case python.KindString:
		if p.Joined || !utf8.ValidString(p.Text) {
			return false // "a" "b" is one string to Python; a comma was meant as well
		}
		*out = jsontree.Text(p.Text)
	case python.KindList, python.KindTuple:
		list := c.arena.List(len(p.Items))
		for i := range p.Items {
			if !c.fromPython(&p.Items[i], &list.Items[i]) {
				return false
			}
		}
		*out = list
	case python.KindDict:
		if p.Repeats {
			return false // a silent winner is a guess (N-9)
		}
		object := c.arena.Object(len(p.Items))
		for i := range p.Items {
			name := p.Keys[i].Text
			if p.Keys[i].Kind != python.KindString || !utf8.ValidString(name) {
				return false
			}
			object.Members[i].Name = name
			if !c.fromPython(&p.Items[i], &object.Members[i].Value) {
				return false
			}
		}
		*out = object
	default:
		return false
	}
	return true
}

// equal finds a key by its words and nothing less.
var equal = lookup.Options{AutoApplyThreshold: new(-1.0)}

// near is how close a declared word must be to be offered for another: words
// and names are few, so a far one would only mislead.
var near = lookup.Options{Open: true, SuggestThreshold: new(0.4)}

// nearestWords offers the members of a vocabulary nearest to a word.
func (v *Validator) nearestWords(word string, e *signature.Enum) []string {
	keys := v.vocabularies[e]
	if keys == nil {
		keys = lookup.NewKeys(e.Words)
	}
	return nearestOf(word, keys)
}

// nearestOf offers the keys nearest to a word that is none of them.
func nearestOf(word string, keys *lookup.Keys) []string {
	result := keys.Match(word, near)
	list := result.Suggestions
	if result.Verdict == lookup.Applied {
		list = []string{result.Match}
	}
	return list[:min(len(list), 2)]
}

// prepare indexes the vocabularies of a type, so that a refusal does not.
func (v *Validator) prepare(t *signature.Type) {
	if t == nil {
		return
	}
	if t.Enum != nil {
		v.vocabularies[t.Enum] = lookup.NewKeys(t.Enum.Words)
	}
	v.prepare(t.Items)
	v.prepare(t.Rest)
	for _, m := range t.Prefix {
		v.prepare(m)
	}
	for _, m := range t.Members {
		v.prepare(m)
	}
	for _, f := range t.Fields {
		v.prepare(f.Type)
	}
}
