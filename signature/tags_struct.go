package signature

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// tagKeys are the struct tags that declare an Input.
var tagKeys = []string{"json", "jsonschema", "jsonschema_description", "jsonschema_extras", "validate"}

// readTags is reflect.StructTag.Lookup for every key at once, and says what
// Lookup keeps to itself: a tag that is no list of key:"value" ends without a
// word, and a value that is no Go string makes its key vanish.
func (m *mistakes) readTags(tag reflect.StructTag, at place) map[string]string {
	values := map[string]string{}
	rest := string(tag)
	for {
		rest = strings.TrimLeft(rest, " ")
		if rest == "" {
			return values
		}
		i := 0
		for i < len(rest) && rest[i] > ' ' && rest[i] != ':' && rest[i] != '"' && rest[i] != 0x7f {
			i++
		}
		if i == 0 || i+1 >= len(rest) || rest[i] != ':' || rest[i+1] != '"' {
			if mentionsOurs(rest) {
				m.add(at, "struct tag", `cannot be read from %s on; write key:"value" pairs with one space between them`, strconv.Quote(rest))
			}
			return values
		}
		key := rest[:i]
		rest = rest[i+1:]
		i = 1
		for i < len(rest) && rest[i] != '"' {
			if rest[i] == '\\' {
				i++
			}
			i++
		}
		if i >= len(rest) {
			m.add(at, key, "the tag's closing quote is missing")
			return values
		}
		quoted := rest[:i+1]
		rest = rest[i+1:]
		m.readTag(values, key, quoted, at)
	}
}

func (m *mistakes) readTag(values map[string]string, key, quoted string, at place) {
	if !slices.Contains(tagKeys, key) {
		// Only words that nothing else uses: bson is a good tag of another library.
		if near := nearest(key, tagKeys[1:]); near != "" {
			m.add(at, key, "is no tag that is read; did you mean %s?", near)
		}
		return
	}
	value, err := strconv.Unquote(quoted)
	if err != nil {
		m.add(at, key, `%s is not a Go string, so the whole tag would be lost; inside a tag every backslash is doubled: \\d, and \\, for a comma`, quoted)
		return
	}
	if !validText(quoted) || !validText(value) {
		m.add(at, key, "holds bytes that are not UTF-8")
		return
	}
	if _, twice := values[key]; twice {
		m.add(at, key, "is given twice; the second would be lost")
		return
	}
	values[key] = value
}

// mentionsOurs reports whether unreadable tag text was meant for this package.
func mentionsOurs(text string) bool {
	for _, key := range tagKeys {
		if strings.Contains(text, key+":") {
			return true
		}
	}
	return false
}
