package agentmode

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/signature"
)

// command makes the signature of a command from a short declaration, one field
// after the other: "order_id:str, limit:int=10, tags:list?, query:str@". The
// types are str, int, float, bool, list, ints, object, any, date, id (text or
// number), and an enum written fast|slow. A "?" makes the field optional, "=10"
// gives it a default, "@" marks it positional, and a further name after "/" is
// an alias.
func command(t testing.TB, declaration string) *signature.Signature {
	t.Helper()
	properties, required := []string{}, []string{}
	for field := range strings.SplitSeq(declaration, ",") {
		if field = strings.TrimSpace(field); field == "" {
			continue
		}
		name, rest, _ := strings.Cut(field, ":")
		name, alias, aliased := strings.Cut(name, "/")
		rest, fallback, hasDefault := strings.Cut(rest, "=")
		kind := strings.TrimRight(rest, "?@")
		schema := kinds[kind]
		if strings.Contains(kind, "|") {
			words, _ := json.Marshal(strings.Split(kind, "|"))
			schema = `"type":"string","enum":` + string(words)
		}
		if strings.Contains(rest, "@") {
			schema += `,"positional":true`
		}
		if aliased {
			schema += `,"aliases":["` + alias + `"]`
		}
		switch {
		case hasDefault:
			schema += `,"default":` + fallback
		case !strings.Contains(rest, "?"):
			required = append(required, name)
		}
		properties = append(properties, quoteJSON(name)+":{"+schema+"}")
	}
	words, _ := json.Marshal(required)
	sig, err := signature.FromSchema([]byte(`{"title":"cmd","type":"object","properties":{` +
		strings.Join(properties, ",") + `},"required":` + string(words) + `}`))
	if err != nil {
		t.Fatal(err)
	}
	return sig
}

var kinds = map[string]string{
	"str":    `"type":"string"`,
	"int":    `"type":"integer"`,
	"float":  `"type":"number"`,
	"bool":   `"type":"boolean"`,
	"list":   `"type":"array","items":{"type":"string"}`,
	"ints":   `"type":"array","items":{"type":"integer"}`,
	"object": `"type":"object"`,
	"any":    `"description":"anything"`,
	"date":   `"type":"string","format":"date"`,
	"id":     `"anyOf":[{"type":"string"},{"type":"integer"}]`,
	"texts":  `"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]`,
}

func quoteJSON(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}
