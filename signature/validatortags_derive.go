package signature

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// A deriver turns one rule into a constraint of the schema.
type deriver struct {
	r           *tagReader
	at          *level
	word        string
	name, param string
	hasParam    bool
}

// derive reports whether the schema says all that the rule says.
func (d *deriver) derive() bool {
	switch d.name {
	case "oneof":
		return d.oneOf()
	case "unique":
		if d.at.shape != shapeList || d.hasParam {
			return false
		}
		d.put("uniqueItems", jsontree.Value{Kind: jsontree.Bool, True: true})
		return true
	case "datetime":
		return d.layout()
	case "min", "gte", "max", "lte", "gt", "lt", "len", "eq":
		return d.size()
	}
	if format, ok := ruleFormats[d.name]; ok && slices.Contains(stringKinds, d.at.shape) {
		d.put("format", jsontree.Text(format.word))
		return format.whole
	}
	return false
}

// ruleFormats are the rules that a format says, in whole or in part.
var ruleFormats = map[string]struct {
	word  string
	whole bool
}{
	"email": {"email", true}, "uri": {"uri", true}, "url": {"uri", false}, "http_url": {"uri", false}, "https_url": {"uri", false},
	"uuid": {"uuid", true}, "uuid_rfc4122": {"uuid", true}, "uuid3": {"uuid", false}, "uuid4": {"uuid", false}, "uuid5": {"uuid", false},
	"uuid7": {"uuid", false}, "uuid3_rfc4122": {"uuid", false}, "uuid4_rfc4122": {"uuid", false}, "uuid5_rfc4122": {"uuid", false},
	"ipv4": {"ipv4", true}, "ipv6": {"ipv6", true}, "hostname_rfc1123": {"hostname", true}, "hostname": {"hostname", false}, "fqdn": {"hostname", false},
}

// layout reads datetime=LAYOUT, which is a format for the layouts of ISO 8601.
func (d *deriver) layout() bool {
	switch d.param {
	case "2006-01-02":
		d.put("format", jsontree.Text("date"))
		return true
	case "2006-01-02T15:04:05Z07:00":
		d.put("format", jsontree.Text("date-time"))
		return true
	case "15:04:05":
		d.put("format", jsontree.Text("time"))
	}
	return false
}

// splitParam splits a parameter as the validator does: at blanks, single
// quotes keep them.
func splitParam(param string) []string {
	var words []string
	for rest := strings.TrimLeft(param, " "); rest != ""; rest = strings.TrimLeft(rest, " ") {
		end := strings.IndexByte(rest, ' ')
		if rest[0] == '\'' {
			if closing := strings.IndexByte(rest[1:], '\''); closing >= 0 {
				words = append(words, rest[1:closing+1])
				rest = rest[closing+2:]
				continue
			}
		}
		if end < 0 {
			end = len(rest)
		}
		words = append(words, strings.ReplaceAll(rest[:end], "'", ""))
		rest = rest[end:]
	}
	return words
}

func (d *deriver) oneOf() bool {
	if d.at.shape == shapeAny {
		return false
	}
	var values []jsontree.Value
	for _, text := range splitParam(d.param) {
		v, problem := fromText(d.at.typ, text, nil)
		if problem != "" {
			d.r.fail("validate oneof", "%s", problem)
			return true
		}
		if contains(values, &v) {
			d.r.fail("validate oneof", "%s is given twice", v.JSON())
			return true
		}
		values = append(values, v)
	}
	if len(values) == 0 {
		d.r.fail("validate oneof", "needs at least one value")
		return true
	}
	d.enum(values)
	return true
}

// enum makes the values the closed vocabulary of the level, unless another
// tag or the type has one: then the two must agree.
func (d *deriver) enum(values []jsontree.Value) {
	have, by := d.at.enum, d.at.enumBy
	if d.at.shape == shapeEnum {
		have, _ = enumValues(d.at.typ)
		by = "EnumValues"
	}
	if by == "" {
		d.at.enum, d.at.enumBy = values, "validate "+d.word
		return
	}
	equal := len(have) == len(values)
	for i := range values {
		equal = equal && contains(have, &values[i])
	}
	if !equal {
		d.r.fail("validate "+d.name, "%s (%s) and validate %s disagree", by, listed(have), d.word)
	}
}

func (d *deriver) put(word string, v jsontree.Value) {
	by := "validate " + d.word
	if have, ok := d.at.limits[word]; ok && !same(&have.value, &v) {
		d.r.fail("validate "+d.name, "%s and %s disagree; keep one, the other follows from it", have.by, by)
		return
	}
	if _, ok := d.at.limits[word]; !ok {
		d.at.limits[word] = limit{v, by}
	}
}

// The keyword of a rule about size, for texts, lists, maps and numbers.
var sizeWords = map[shape]struct{ low, high string }{
	shapeString: {"minLength", "maxLength"}, shapeText: {"minLength", "maxLength"},
	shapeList: {"minItems", "maxItems"}, shapeMap: {"minProperties", "maxProperties"},
}

func (d *deriver) size() bool {
	switch {
	case d.at.shape == shapeBoolean, d.name == "eq" && slices.Contains(stringKinds, d.at.shape):
		v, problem := fromText(d.at.typ, d.param, nil)
		if problem != "" {
			d.r.fail("validate "+d.name, "%s", problem)
			return true
		}
		d.enum([]jsontree.Value{v})
		return true
	case d.at.shape == shapeInteger || d.at.shape == shapeNumber:
		d.bound()
		return true
	}
	words, ok := sizeWords[d.at.shape]
	if !ok {
		return false // a time against now, any value
	}
	n, err := strconv.Atoi(d.param)
	if err != nil || !wholeLiteral(d.param) || n < 0 || n == 0 && d.name == "lt" {
		d.r.fail("validate "+d.name, "must be a whole number that a length can meet, not %q", d.param)
		return true
	}
	low, high := n, n
	if d.name == "gt" {
		low++
	}
	if d.name == "lt" {
		high--
	}
	switch d.name {
	case "min", "gte", "gt":
		d.put(words.low, jsontree.Digits(strconv.Itoa(low)))
	case "max", "lte", "lt":
		d.put(words.high, jsontree.Digits(strconv.Itoa(high)))
	default:
		d.put(words.low, jsontree.Digits(d.param))
		d.put(words.high, jsontree.Digits(d.param))
	}
	return true
}

var boundWords = map[string]string{"min": "minimum", "gte": "minimum", "max": "maximum", "lte": "maximum", "gt": "exclusiveMinimum", "lt": "exclusiveMaximum"}

func (d *deriver) bound() {
	word, isBound := boundWords[d.name]
	v, problem := boundValue(word, d.param, d.at)
	if problem != "" {
		d.r.fail("validate "+d.name, "%s", problem)
		return
	}
	if !isBound { // len and eq of a number: the number itself
		d.enum([]jsontree.Value{v})
		return
	}
	d.put(word, v)
}
