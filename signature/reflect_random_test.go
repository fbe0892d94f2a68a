package signature

import (
	"encoding/json"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"
)

// Tags put together at random: whatever an author writes is answered with
// author errors or with a schema that compiles, binds and has every profile.
func TestTagsWrittenAtRandom(t *testing.T) {
	types := []reflect.Type{stringType, intType, floatType, boolType, timeType, textsType, reflect.TypeFor[*string](), reflect.TypeFor[*int](),
		reflect.TypeFor[[]int](), reflect.TypeFor[[][]string](), reflect.TypeFor[map[string]int](), reflect.TypeFor[any](), reflect.TypeFor[[]any](),
		reflect.TypeFor[Color](), reflect.TypeFor[*Color](), reflect.TypeFor[Pt](), reflect.TypeFor[[]*Pt](), reflect.TypeFor[uint8](), reflect.TypeFor[[2]int](),
		reflect.TypeFor[netip.Addr](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[map[string][]*time.Time](), reflect.TypeFor[level3]()}
	values := []string{"", "a", "1", "2", "0", "-1", "1.5", "true", "null", "NOT_FOUND", "red", "email", "date-time", "^a$", "(", "[1]", `["a"]`, `{"x":1}`, "1e3",
		"2026-01-31T10:20:30Z", "integer;string", "10.0.0.1", "low", `\`, `\,`, "é", "F", "F 1", "9999999999999999999999", "=", "Ａ"}
	schemaKeys := append(append([]string{"patern", " title", "nullable", ""}, schemaWords...), "oneof_required")
	extraKeys := append([]string{"x-a", "hint", "title", "positonal"}, extraWords...)
	rules := append(append(append([]string{"dive", "keys", "endkeys", "-", "nosuch", "omitempty", "required"}, lengthRules...), fieldRules...), knownRules...)
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	words := func(keys []string, most int) string {
		var list []string
		for range r.IntN(most + 1) {
			word := pick(keys)
			if r.IntN(5) > 0 {
				word += "=" + pick(values)
			}
			list = append(list, word)
		}
		return strings.Join(list, ",")
	}
	accepted := 0
	n := 300
	if testing.Short() {
		n = 100
	}
	for range n {
		tag := tagged("json", "f"+pick([]string{"", ",omitempty"}), "jsonschema", words(schemaKeys, 2), "jsonschema_extras", words(extraKeys, 1), "validate", words(rules, 2))
		typ := oneField(types[r.IntN(len(types))], tag)
		s, err := FromType(typ, TypeOptions{})
		if err != nil {
			authorErrors(t, err)
			continue
		}
		accepted++
		compiled(t, s.Schema())
		for _, profile := range Profiles() {
			out, err := s.Profile(profile)
			if err != nil {
				t.Errorf("%s: profile %s: %v", tag, profile, err)
				continue
			}
			compiled(t, out)
		}
		in := s.New()
		s.Violations(&in, func(string) bool { return true })
	}
	if accepted < n/50 {
		t.Errorf("only %d of %d were accepted", accepted, n)
	}
	t.Logf("%d of %d were accepted", accepted, n)
}
