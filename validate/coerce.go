package validate

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/python"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/signature"
)

// Coerce is stage 1: every value becomes one of its field's type, or a
// problem. What is already of the type is never changed; what is not is
// changed only where it can mean one thing (D-3, D-5).
func (c *Values) Coerce() []Problem {
	fields := c.v.sig.Fields()
	for i, f := range fields {
		s := &c.slots[i]
		if s.failed {
			continue
		}
		c.coerceField(f, s)
		if s.failed || s.state == notSet {
			continue
		}
		err := c.input.Set(i, &s.value)
		if trimmed := python.TrimSpace(s.value.Text); err != nil && s.value.Kind == jsontree.String && trimmed != s.value.Text {
			s.value = jsontree.Text(trimmed) // as text does: see there
			err = c.input.Set(i, &s.value)
		}
		if err != nil {
			s.failed = true
			if s.value.Kind == jsontree.Number {
				c.problem(OutOfRange, f, s.raw, "a number of at most 3.4e38 (32 bits)") // all other Go numbers have bounds of their own
			} else {
				c.problem(WrongFormat, f, s.raw, ownForm(f.Type))
			}
		}
	}
	for i := range c.extras {
		c.input.SetExtra(c.extras[i].Name, &c.extras[i].Value)
	}
	if len(c.found) == 0 && c.v.sig.HasRules() {
		c.rules()
	}
	if len(c.found)+len(c.pending) == 0 && c.v.sig.ChecksWhole() {
		c.whole()
	}
	return c.take()
}

// ownForm says what a field accepts whose Go type refused the text.
func ownForm(t *signature.Type) string {
	if t.Kind == signature.String && t.Enum == nil && t.Format == nil && t.Pattern == nil {
		return "text in the form that the parameter's description gives" // "text" is what arrived
	}
	return t.Accepted()
}

func (c *Values) coerceField(f *signature.Field, s *slot) {
	t := f.Type
	if s.raw == nil || isSentinel(t, s.raw) {
		c.unset(f, s)
		return
	}
	if s.raw.Kind == jsontree.Null {
		if admitsNull(t) {
			s.state, s.value = isNull, *s.raw
		} else {
			c.unset(f, s) // null for "not given"; stage 2 says if that is missing
		}
		return
	}
	one := s.raw
	if one.Kind == jsontree.List && len(one.Items) == 1 && t.Kind != signature.List {
		one = &one.Items[0]
	}
	if one.Kind == jsontree.String && c.swallowed(f, one) {
		s.failed = true
		return
	}
	if f.Optional && t.Kind == signature.List && meansNothing(t, s.raw) {
		c.unset(f, s) // else the word would be an item
		return
	}
	before, waiting := len(c.found), len(c.pending)
	s.value = *s.raw
	c.push(f.Name)
	ok := c.coerce(t, &s.value)
	c.pop()
	if ok {
		s.state = isSet
		if s.raw.Kind == jsontree.List && s.value.Kind != jsontree.List && isSentinel(t, &s.value) {
			c.unset(f, s) // the one element of a list says so too
		}
		return
	}
	if f.Optional && meansNothing(t, s.raw) {
		c.found, c.pending = c.found[:before], c.pending[:waiting]
		c.unset(f, s)
		return
	}
	s.failed = true
}

// unset leaves a field without a value of the caller's: its default, null
// where the schema wants the name, or nothing.
func (c *Values) unset(f *signature.Field, s *slot) {
	fallback := f.DefaultValue()
	switch {
	case f.HasDefault() && !isSentinel(f.Type, &fallback):
		s.state, s.value = isSet, fallback
	case f.Required && f.Type.Nullable:
		// FW-183: published as required, yet never missing (FW-69).
		s.state, s.value = isNull, jsontree.Value{Kind: jsontree.Null}
	default:
		s.state = notSet
	}
}

// The values that say "nothing was found" (FW-55).
const (
	sentinelText  = "NOT_FOUND"
	sentinelInt   = "-9223372036854775807"
	sentinelFloat = -1.7976931348623157e308
)

// isSentinel goes by the value alone, whatever the field's type, except that
// the two numbers are not sentinels for lists (FW-68).
func isSentinel(t *signature.Type, v *jsontree.Value) bool {
	switch v.Kind {
	case jsontree.String:
		return v.Text == sentinelText
	case jsontree.Number:
		switch {
		case t.Kind == signature.List || v.Text[0] != '-':
			return false
		case v.Text == sentinelInt:
			return true
		case len(v.Text) > 300 || strings.HasPrefix(v.Text, "-1.797"):
			n, err := strconv.ParseFloat(v.Text, 64)
			return err == nil && n == sentinelFloat
		}
	}
	return false
}

// meansNothing reports whether a refused value of an optional field can only
// mean that there is none: blank text or the word null where neither is a
// value of the type (D-5).
func meansNothing(t *signature.Type, v *jsontree.Value) bool {
	if v.Kind != jsontree.String || t.Kind == signature.String && t.Enum == nil && t.Format == nil {
		return false
	}
	if len(v.Text) > 64 || t.Kind == signature.List && t.Items != nil && isItem(t.Items, v.Text) {
		return false
	}
	word := python.TrimSpace(v.Text)
	return word == "" || strings.EqualFold(word, "null") || word == "None"
}

// swallowed finds a text value that holds the end of its own tag and the
// start of another parameter that was not given: a call whose markup broke.
func (c *Values) swallowed(f *signature.Field, v *jsontree.Value) bool {
	if strings.IndexByte(v.Text, '<') < 0 {
		return false
	}
	end := strings.Index(v.Text, "</")
	if end < 0 {
		return false
	}
	rest := v.Text[end:]
	if !strings.HasPrefix(rest, "</"+f.Name+">") && !strings.HasPrefix(rest, "</parameter>") {
		if end = strings.Index(rest, "</"+f.Name+">"); end < 0 {
			return false
		}
		rest = rest[end:]
	}
	for i, other := range c.v.sig.Fields() {
		if other == f || c.slots[i].raw != nil {
			continue
		}
		for _, open := range []string{"<" + other.Name + ">", `<parameter name="` + other.Name + `"`, "<parameter=" + other.Name + ">"} {
			if strings.Contains(rest, open) {
				c.add(Problem{Kind: SwallowedMarkup, Field: f.Name, Got: quote.Bare(other.Name, longestShown), Fields: []string{f.Name, other.Name}})
				return true
			}
		}
	}
	return false
}

// refuse records a problem at the value being read. It returns false, so
// that a refusal reads as one.
func (c *Values) refuse(kind Kind, t *signature.Type, v *jsontree.Value) bool {
	if c.quiet > 0 {
		return false
	}
	accepted := t.Accepted()
	if kind == OutOfRange {
		accepted = t.AcceptedRange()
	}
	c.refuseAs(kind, v, accepted)
	if kind == NotAMember && v.Kind == jsontree.String {
		c.found[len(c.found)-1].Nearest = shown(c.v.nearestWords(v.Text, t.Enum), 2)
	}
	return false
}

func (c *Values) refuseAs(kind Kind, v *jsontree.Value, accepted string) bool {
	if c.quiet == 0 {
		p := Problem{Kind: kind, Field: c.at(), Got: got(v), Accepted: accepted}
		c.describe(&p)
		c.add(p)
	}
	return false
}

// largestNumber is the largest that any reader of JSON can be relied on to
// hold.
const largestNumber = "1.7976931348623157e308"

// describe adds what is known of the field to a problem: an example of the
// value and who supplies it.
func (c *Values) describe(p *Problem) {
	f := c.v.field(c.topField())
	if f == nil {
		return
	}
	p.AvailableFrom = f.AvailableFrom
	if !c.nested() && f.Example() != "" {
		p.Example = quote.Text(f.Example(), longestShown)
	}
}

func (c *Values) problem(kind Kind, f *signature.Field, v *jsontree.Value, accepted string) {
	c.push(f.Name)
	p := Problem{Kind: kind, Field: f.Name, Got: got(v), Accepted: accepted}
	c.describe(&p)
	c.pop()
	c.add(p)
}

// admitsNull reports whether null is a value of t: because t says so, or
// because t says nothing at all.
func admitsNull(t *signature.Type) bool {
	if t.Enum != nil || t.Kind != signature.Any && t.Kind != signature.Union {
		return t.Nullable
	}
	return t.Nullable || t.Kind == signature.Any || slices.ContainsFunc(t.Members, admitsNull)
}

// coerce makes v a value of t, in place, or refuses it.
func (c *Values) coerce(t *signature.Type, v *jsontree.Value) bool {
	if v.Kind == jsontree.Null {
		return admitsNull(t) || c.refuse(WrongType, t, v)
	}
	if t.Enum != nil && t.Kind != signature.List {
		return c.vocabulary(t, v)
	}
	switch t.Kind {
	case signature.String:
		return c.text(t, v)
	case signature.Integer:
		return c.integer(t, v)
	case signature.Number:
		return c.number(t, v)
	case signature.Boolean:
		return c.boolean(t, v)
	case signature.List:
		return c.list(t, v)
	case signature.Object:
		return c.object(t, v)
	case signature.Union:
		return c.union(t, v)
	}
	v.Loose = false
	return true
}

// alone makes a list of one the element it holds, where one is asked for.
func alone(v *jsontree.Value) bool {
	if v.Kind == jsontree.List && len(v.Items) == 1 && v.Items[0].Kind >= jsontree.Bool && v.Items[0].Kind <= jsontree.String {
		*v = v.Items[0]
		return true
	}
	return false
}

// vocabulary finds the member of a closed vocabulary that v is.
func (c *Values) vocabulary(t *signature.Type, v *jsontree.Value) bool {
	if m, ok := t.Enum.Read(v); ok {
		*v = m
		return true
	}
	if alone(v) {
		return c.vocabulary(t, v)
	}
	return c.refuse(NotAMember, t, v)
}

func (c *Values) text(t *signature.Type, v *jsontree.Value) bool {
	switch v.Kind {
	case jsontree.String:
	case jsontree.Number, jsontree.Bool:
		*v = jsontree.Text(v.JSON()) // the digits as they were sent
	default:
		if !alone(v) {
			return c.refuse(WrongType, t, v)
		}
		return c.text(t, v)
	}
	kind := textFault(t, v.Text)
	if kind == "" {
		v.Loose = false
		return true
	}
	// Blanks around a value are dropped only where that turns the refusal
	// into the one possible reading.
	if trimmed := python.TrimSpace(v.Text); trimmed != v.Text && textFault(t, trimmed) == "" {
		*v = jsontree.Text(trimmed)
		return true
	}
	return c.refuse(kind, t, v)
}

func textFault(t *signature.Type, text string) Kind {
	if t.Length.Bounded() && !within(t.Length, utf8.RuneCountInString(text)) {
		return WrongLength
	}
	if t.Pattern != nil && !t.Pattern.Match(text) {
		return NoMatch
	}
	if t.Format != nil && !t.Format.Match(text) {
		return WrongFormat
	}
	return ""
}

func within(c signature.Count, n int) bool { return n >= c.Min && (c.Max < 0 || n <= c.Max) }

// wholeNumber reads a JSON number that has no fraction, however written, as
// its digits: 5, 5.0, 5e2. Nothing is rounded.
func wholeNumber(literal string) (string, bool) {
	if plainDigits(literal) {
		return plainZero(literal), len(literal) <= longestInteger
	}
	mantissa, exponent := literal, 0
	if i := strings.IndexAny(literal, "eE"); i >= 0 {
		e, err := strconv.Atoi(literal[i+1:])
		if err != nil || e > mostZeros || e < -longestInteger {
			return "", false
		}
		mantissa, exponent = literal[:i], e
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if fraction == "" && exponent == 0 {
		return plainZero(whole), len(whole) <= longestInteger
	}
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	digits, point := whole+fraction, len(whole)+exponent
	if point > longestInteger || len(digits) > longestInteger {
		return "", false
	}
	if missing := point - len(digits); missing > 0 {
		digits += strings.Repeat("0", missing)
	}
	point = max(point, 0)
	if strings.Trim(digits[point:], "0") != "" {
		return "", false
	}
	digits = strings.TrimLeft(digits[:point], "0")
	if digits == "" {
		return "0", true
	}
	return sign + digits, true
}

// plainDigits reports whether a JSON number is written as digits alone.
func plainDigits(literal string) bool {
	for i := 0; i < len(literal); i++ {
		if c := literal[i]; (c < '0' || c > '9') && (c != '-' || i > 0) {
			return false
		}
	}
	return true
}

const (
	// longestInteger is CPython's own bound on the digits of an int.
	longestInteger = 4300
	// mostZeros bounds what an exponent may add to a whole number, so that a
	// short call cannot stand for a long one.
	mostZeros = 400
)

func plainZero(digits string) string {
	if digits == "-0" {
		return "0"
	}
	return digits
}

func (c *Values) integer(t *signature.Type, v *jsontree.Value) bool {
	var digits string
	ok := false
	switch v.Kind {
	case jsontree.Number:
		digits, ok = wholeNumber(v.Text)
	case jsontree.String:
		digits, ok = integerText(v.Text)
	case jsontree.List:
		if alone(v) {
			return c.integer(t, v)
		}
	}
	if !ok {
		return c.refuse(WrongType, t, v)
	}
	if !inRange(t, digits) {
		return c.refuse(OutOfRange, t, v)
	}
	if v.Kind != jsontree.Number || v.Text != digits {
		*v = jsontree.Digits(digits)
	}
	return true
}

// integerText reads the text of a whole number as Python's int() does, and
// also one with a fraction of zeros, which can mean nothing else.
func integerText(text string) (string, bool) {
	if digits, ok := python.Int(text); ok {
		return digits, true
	}
	text = python.TrimSpace(text)
	whole, fraction, found := strings.Cut(text, ".")
	if !found || fraction == "" || strings.Trim(fraction, "0") != "" || len(fraction) == 3 && len(whole) <= 4 {
		return "", false // 1.000 is a thousand to half the world
	}
	return python.Int(whole)
}

func inRange(t *signature.Type, number string) bool {
	if b := t.Minimum; b != nil {
		if n := b.Compare(number); n < 0 || n == 0 && b.Exclusive {
			return false
		}
	}
	if b := t.Maximum; b != nil {
		if n := b.Compare(number); n > 0 || n == 0 && b.Exclusive {
			return false
		}
	}
	return t.MultipleOf == nil || t.MultipleOf.Divides(number)
}

func (c *Values) number(t *signature.Type, v *jsontree.Value) bool {
	literal := v.Text
	if len(literal) > longestInteger && (v.Kind == jsontree.Number || v.Kind == jsontree.String) {
		return c.refuseAs(OutOfRange, v, "a number of at most "+quote.Count(longestInteger)+" digits")
	}
	switch v.Kind {
	case jsontree.Number:
		if len(literal) > 15 || strings.IndexByte(literal, 'e') >= 0 || strings.IndexByte(literal, 'E') >= 0 {
			if n, err := strconv.ParseFloat(literal, 64); err != nil || math.IsInf(n, 0) {
				return c.refuseAs(OutOfRange, v, "a number of at most "+largestNumber)
			}
		}
	case jsontree.String:
		n, ok := python.Float(literal)
		if !ok || math.IsInf(n, 0) || math.IsNaN(n) { // FW-58: they cannot be written as JSON
			return c.refuse(WrongType, t, v)
		}
		literal = numberLiteral(python.TrimSpace(literal), n)
	case jsontree.List:
		if alone(v) {
			return c.number(t, v)
		}
		return c.refuse(WrongType, t, v)
	default:
		return c.refuse(WrongType, t, v)
	}
	if !inRange(t, literal) {
		return c.refuse(OutOfRange, t, v)
	}
	if v.Kind != jsontree.Number {
		*v = jsontree.Digits(literal)
	}
	return true
}

// numberLiteral writes a number that came as text: as it was written where
// that is JSON, so that no digit is lost, else as the shortest equal one.
func numberLiteral(text string, n float64) string {
	if doc, fault := jsontree.Parse(text, jsontree.Limits{}, nil); fault == nil && doc.Root.Kind == jsontree.Number {
		return text
	}
	if digits, ok := python.Int(text); ok {
		return digits
	}
	return strconv.FormatFloat(n, 'g', -1, 64)
}

func (c *Values) boolean(t *signature.Type, v *jsontree.Value) bool {
	value, ok := v.True, v.Kind == jsontree.Bool
	switch v.Kind {
	case jsontree.String:
		value, ok = boolWord(v.Text)
	case jsontree.Number:
		value, ok = v.Text == "1", v.Text == "0" || v.Text == "1"
	case jsontree.List:
		if alone(v) {
			return c.boolean(t, v)
		}
	}
	if !ok {
		return c.refuse(WrongType, t, v)
	}
	if v.Kind != jsontree.Bool {
		*v = jsontree.Value{Kind: jsontree.Bool, True: value}
	}
	return true
}

func boolWord(text string) (value, ok bool) {
	if len(text) > 64 {
		return false, false
	}
	if value, ok = python.Bool(text); ok {
		return value, true
	}
	switch strings.ToLower(python.TrimSpace(text)) {
	case "yes", "on":
		return true, true
	case "no", "off":
		return false, true
	}
	return false, false
}

// object makes v an object of type t: JSON or Python text of one is read,
// names are checked, members coerced, defaults set.
func (c *Values) object(t *signature.Type, v *jsontree.Value) bool {
	if v.Kind == jsontree.String {
		if !c.objectText(v) {
			return c.refuse(WrongType, t, v)
		}
	}
	if v.Kind != jsontree.Object {
		return c.refuse(WrongType, t, v)
	}
	if t.Length.Bounded() && !within(t.Length, len(v.Members)) {
		return c.refuse(WrongLength, t, v)
	}
	if len(t.Fields) == 0 && t.Rest == nil && t.Open {
		return true
	}
	return c.members(t, v)
}

func (c *Values) members(t *signature.Type, v *jsontree.Value) bool {
	ok := true
	out := c.arena.Object(len(v.Members) + len(t.Fields))
	kept := out.Members[:0]
	given := make([]bool, len(t.Fields))
	for i := range v.Members {
		if !ok && c.quiet > 0 {
			return false
		}
		m := v.Members[i]
		at := t.Field(m.Name)
		if at < 0 {
			switch {
			case t.Rest != nil:
				ok = c.further(t.Rest, &m.Value, m.Name) && ok
				kept = append(kept, m)
			case t.Open:
				kept = append(kept, m)
			default:
				ok = c.strangerIn(t, m.Name)
			}
			continue
		}
		f := t.Fields[at]
		if given[at] {
			ok = c.refuseAt(f.Name, GivenTwice, f.Type, &m.Value)
			continue
		}
		if m.Value.Kind == jsontree.Null && !f.Type.Nullable {
			continue // null for "not given", one level down
		}
		if f.Optional && f.Type.Kind == signature.List && meansNothing(f.Type, &m.Value) {
			continue // else the word would be an item
		}
		given[at] = true
		m.Name = f.Name
		raw := m.Value
		before := len(c.found)
		if !c.member(f.Type, &m.Value, f.Name) {
			if !f.Optional || !meansNothing(f.Type, &raw) {
				ok = false
				continue
			}
			c.found = c.found[:min(before, len(c.found))]
			given[at] = false
			continue
		}
		kept = append(kept, m)
	}
	for i, f := range t.Fields {
		if given[i] {
			continue
		}
		switch {
		case f.HasDefault():
			kept = append(kept, jsontree.Member{Name: f.Name, Value: f.DefaultValue()})
		case f.Required && f.Type.Nullable:
			kept = append(kept, jsontree.Member{Name: f.Name, Value: jsontree.Value{Kind: jsontree.Null}})
		case !f.Optional:
			ok = c.lacking(f) && ok
		}
	}
	if !ok {
		return false
	}
	out.Members = kept
	*v = out
	return true
}

// lacking records a nested member that is missing. That is a problem of
// stage 2, so it does not make stage 1 fail, except in a trial.
func (c *Values) lacking(f *signature.Field) bool {
	if c.quiet > 0 {
		return false
	}
	c.push(f.Name)
	p := Problem{Kind: Missing, Field: c.at(), Accepted: f.Type.Accepted(), AvailableFrom: f.AvailableFrom}
	if f.Example() != "" {
		p.Example = quote.Text(f.Example(), longestShown)
	}
	c.pending = append(c.pending, p)
	c.pop()
	return true
}

func (c *Values) member(t *signature.Type, v *jsontree.Value, name string) bool {
	c.push(name)
	ok := c.coerce(t, v)
	c.pop()
	return ok
}

// further is member for a name that the caller chose.
func (c *Values) further(t *signature.Type, v *jsontree.Value, name string) bool {
	c.pushKey(name)
	ok := c.coerce(t, v)
	c.pop()
	return ok
}

func (c *Values) refuseAt(name string, kind Kind, t *signature.Type, v *jsontree.Value) bool {
	c.push(name)
	c.refuse(kind, t, v)
	c.pop()
	return false
}

// strangerIn refuses a name that an object's type does not declare.
func (c *Values) strangerIn(t *signature.Type, name string) bool {
	if c.quiet > 0 {
		return false
	}
	if len(c.found) >= mostProblems {
		return false
	}
	declared := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		declared[i] = f.Name
	}
	c.pushKey(name)
	c.add(Problem{Kind: UnknownName, Field: c.at(), Nearest: nearestOf(name, lookup.NewKeys(declared)), Accepted: names(declared)})
	c.pop()
	return false
}
