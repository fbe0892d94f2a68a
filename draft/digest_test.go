package draft

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/zeebo/blake3"
)

// hashed is the digest of parts as the rules write them: a number stands for its eight bytes, big end first.
func hashed(parts ...any) string {
	var text []byte
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			b, _ := hex.DecodeString(fmt.Sprintf("%016x", p))
			text = append(text, b...)
		case string:
			text = append(text, p...)
		}
	}
	sum := blake3.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func TestDigestsAreOfTheLengthsAndTextsThatTheRulesName(t *testing.T) {
	data := mustData(t, ` {"z": 1E2, "a": "é"} `)
	if err := data.insert("s.1", []byte(" [ ] ")); err != nil {
		t.Fatal(err)
	}
	contract, err := NewContract([]byte(`{"type": "object"}`), OutputSchema{"s.1", []byte(`{ "type" : "array", "maxItems" : 3 }`)})
	if err != nil {
		t.Fatal(err)
	}
	context := `{"input":{"a":"é","z":1e+2},"outputs":{"s.1":[]}}`
	output := `{"maxItems":3,"type":"array"}`
	for _, tt := range []struct{ name, got, want string }{
		{"plan (WD-29)", planFingerprint([]Step{{"a", "é"}, {"b.c", ""}}),
			hashed("splash-workflow-plan-v1", 2, 1, "a", 2, "é", 3, "b.c", 0)},
		{"data (WD-50)", data.Fingerprint(), hashed("splash-workflow-data-v1", len(context), context)},
		{"contract (WD-51)", contract.Fingerprint(),
			hashed("splash-workflow-data-contract-v1", 1, 17, `{"type":"object"}`, 3, "s.1", len(output), output)},
		// A figure of WD-50, which the hash above has no part in.
		{"published", mustData(t, "1").Fingerprint(), "698ed1335275cd23e5a46e7705e2c36614400795c899a865743c7e61b3f6e6b3"},
	} {
		if tt.got != tt.want || !validFingerprint(tt.got) {
			t.Errorf("%s: %s, want %s", tt.name, tt.got, tt.want)
		}
	}
	if planFingerprint([]Step{{"a", "b"}}) == planFingerprint([]Step{{"ab", ""}}) {
		t.Error("parts can be moved into one another")
	}
	for _, bad := range []string{"", strings.Repeat("a", 63), strings.Repeat("a", 65), strings.Repeat("A", 64), strings.Repeat("g", 64)} {
		if validFingerprint(bad) {
			t.Errorf("%q is a fingerprint", bad)
		}
	}
}
