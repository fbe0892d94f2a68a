package lookup_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/lookup"
)

func TestVerdictsAreWordsInText(t *testing.T) {
	for v, word := range map[lookup.Verdict]string{
		lookup.Applied: "applied", lookup.Rejected: "rejected", lookup.Declined: "declined",
	} {
		text, err := json.Marshal(v)
		if err != nil || string(text) != `"`+word+`"` || v.String() != word {
			t.Errorf("%v: %s, %v", v, text, err)
		}
		var back lookup.Verdict
		if err := json.Unmarshal(text, &back); err != nil || back != v {
			t.Errorf("%s came back as %v, %v", text, back, err)
		}
	}
}

func TestAResultThatNobodyFilledInIsNoAnswer(t *testing.T) {
	var r lookup.Result
	if r.Verdict == lookup.Applied || r.Verdict == lookup.Rejected || r.Verdict == lookup.Declined {
		t.Errorf("the zero verdict is %v", r.Verdict)
	}
	if _, err := json.Marshal(r); err == nil {
		t.Error("it can be written down")
	}
	if err := json.Unmarshal([]byte(`{"verdict":"maybe"}`), &r); err == nil || !strings.Contains(err.Error(), `"maybe"`) {
		t.Errorf("got %v", err)
	}
	if got := lookup.Verdict(7).String(); got != "Verdict(7)" {
		t.Errorf("got %q", got)
	}
}

func TestOptionsOutOfRangeAreNamed(t *testing.T) {
	for name, o := range map[string]lookup.Options{
		"Threshold is -1":            {Threshold: new(-1.0)},
		"Threshold is 60":            {Threshold: new(60.0)},
		"SuggestThreshold is 70":     {SuggestThreshold: new(70.0)},
		"AutoApplyThreshold is 20":   {AutoApplyThreshold: new(20.0)},
		"AutoApplyThreshold is NaN":  {AutoApplyThreshold: new(math.NaN())},
		"SuggestThreshold is +Inf":   {SuggestThreshold: new(math.Inf(1))},
		"AutoApplyThreshold is +Inf": {AutoApplyThreshold: new(math.Inf(1))},
	} {
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("want an error that says %q, got %v", name, err)
		}
		if r := lookup.Match("abc", []string{"xyz"}, o); r.Verdict == lookup.Applied {
			t.Errorf("%s: abc is %q", name, r.Match)
		}
	}
	for _, o := range []lookup.Options{{}, {Threshold: new(0.0)}, {SuggestThreshold: new(-1.0)}, {AutoApplyThreshold: new(1.0)}} {
		if err := o.Validate(); err != nil {
			t.Error(err)
		}
	}
}
