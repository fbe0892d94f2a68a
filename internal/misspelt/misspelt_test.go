package misspelt_test

import (
	"strings"
	"testing"

	"github.com/fwgo/fwgo/internal/misspelt"
)

func TestASlipIsToldFromAPartAndBothFromAnotherName(t *testing.T) {
	names := misspelt.Of("command_name", "parameters", "timeout_seconds")
	for name, want := range map[string]struct{ near, slip string }{
		"parameters":             {"parameters", "parameters"},
		"Parameter":              {"parameters", "parameters"},
		"parmeters":              {"parameters", "parameters"},
		"commandname":            {"command_name", "command_name"},
		"timeout":                {"timeout_seconds", ""},
		"name":                   {"command_name", ""},
		"trace":                  {},
		"":                       {},
		"\xff":                   {},
		strings.Repeat("x", 1e6): {},
	} {
		if near, slip := names.Near(name), names.Slip(name); near != want.near || slip != want.slip {
			t.Errorf("%.20q is near %q and a slip for %q, want %+v", name, near, slip, want)
		}
	}
}
