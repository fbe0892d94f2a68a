package agentmode

import (
	"testing"

	"github.com/fwgo/fwgo/signature"
)

func TestExamplesAreValuesUnlessAskedOtherwise(t *testing.T) {
	sig, err := signature.FromSchema([]byte(`{"type":"object","required":["f"],"properties":{
		"f":    {"type":"string","examples":["ex","a b",5]},
		"tags": {"type":"array","items":{"type":"string"},"examples":["x"]},
		"mode": {"type":"string","enum":["fast","slow"],"examples":["fast"]},
		"modes":{"type":"array","items":{"type":"string","enum":["fast","slow"]},"examples":["fast"]},
		"on":   {"type":"boolean","examples":["true"]},
		"who":  {"type":"string","db_lookup":true,"x-keys":["Bob"],"examples":["Bob"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ text, want, refusing string }{
		{"cmd <f>ex</f>", "f=ex", "declined: parroted_example (f)"},
		{"cmd <f> ex </f>", "f=ex", "declined: parroted_example (f)"},
		{`cmd f="a b"`, "f=a b", "declined: parroted_example (f)"},
		{"cmd <f>y</f><tags>y</tags><tags>x</tags>", "f=y; tags=[y|x]", "declined: parroted_example (tags)"},
		{"cmd <f>EX</f>", "f=EX", "f=EX"},
		{"cmd <f>5</f>", "f=5", "f=5"},
		{"cmd mode=fast modes=fast on=true who=Bob", "mode=fast; modes=fast; on=true; who=Bob", "mode=fast; modes=fast; on=true; who=Bob"},
	} {
		if got := show(New(sig, Options{}, "cmd").Bind(row.text)); got != row.want {
			t.Errorf("%s becomes %s, want %s", row.text, got, row.want)
		}
		if got := show(New(sig, Options{RefuseExamples: true}, "cmd").Bind(row.text)); got != row.refusing {
			t.Errorf("%s, refusing examples, becomes %s, want %s", row.text, got, row.refusing)
		}
	}
}

func TestABareValueThatIsAnExample(t *testing.T) {
	sig, err := signature.FromSchema([]byte(`{"type":"object","properties":{"f":{"type":"string","examples":["ex"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := show(New(sig, Options{RefuseExamples: true}, "cmd").Bind("cmd ex")); got != "declined: parroted_example (f)" {
		t.Error(got)
	}
}
