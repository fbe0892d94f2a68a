package demo

import (
	"errors"
	"testing"

	"github.com/fwgo/fwgo/draft"
)

// TestAddIsExact holds that math.add gives the exact total or refuses, and that a refusal uses no call up.
func TestAddIsExact(t *testing.T) {
	for _, row := range []struct{ source, want string }{ // want "" for a call that is denied
		{`tool.call_json("math.add", {left: 20, right: 22})`, `{"total":42}`},
		{`tool.call_json("math.add", {left: -5, right: 5})`, `{"total":0}`},
		{`tool.call("math.add", "{\"left\":9223372036854775806,\"right\":1}")`, `{"total":9223372036854775807}`},
		{`tool.call("math.add", "{\"left\":-9223372036854775807,\"right\":-1}")`, `{"total":-9223372036854775808}`},
		{`tool.call("math.add", "{\"left\":1e2,\"right\":1.0}")`, `{"total":101}`},
		{`tool.call("math.add", "{\"left\":9223372036854775807,\"right\":1}")`, ""},
		{`tool.call("math.add", "{\"left\":-9223372036854775808,\"right\":-1}")`, ""},
		{`tool.call("math.add", "{\"left\":9223372036854775808,\"right\":0}")`, ""},
		{`tool.call("math.add", "{\"left\":9007199254740991.0,\"right\":0}")`, `{"total":9007199254740991}`},
		{`tool.call("math.add", "{\"left\":9007199254740993.0,\"right\":0}")`, ""},
		{`tool.call("math.add", "{\"left\":1e300,\"right\":0}")`, ""},
		{`tool.call("math.add", "{\"left\":1e999999999,\"right\":0}")`, ""},
		{`tool.call_json("math.add", {left: 1.5, right: 1})`, ""},
		{`tool.call_json("math.add", {left: 1})`, ""},
		{`tool.call_json("math.add", {left: 1, right: 1, more: 1})`, ""},
		{`tool.call_json("math.add", {left: "1", right: 1})`, ""},
		{`tool.call("math.add", "{\"left\":1,\"left\":2,\"right\":0}")`, ""},
	} {
		c, err := Catalog(false, true)
		if err != nil {
			t.Fatal(err)
		}
		e, err := draft.NewEngine(c, draft.Options{})
		if err != nil {
			t.Fatal(err)
		}
		d, err := draft.NewDraft(draft.Step{ID: "s", Source: "use mod.tool\n" + row.source})
		if err != nil {
			t.Fatal(err)
		}
		data, err := draft.NewData([]byte(`null`))
		if err != nil {
			t.Fatal(err)
		}
		p, err := e.Plan(d)
		if err != nil {
			t.Fatal(err)
		}
		a, err := e.Approve(p, draft.PerStep(draft.StepPolicy{StepID: "s", Grants: []draft.Grant{{Tool: "math.add", Calls: 1}}}), draft.ApproveOptions{Data: data})
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Run(t.Context(), p, a, draft.RunOptions{})
		var denied *draft.DeniedError
		outcome := draft.AuditAllowed
		if row.want == "" {
			outcome = draft.AuditDenied
			if !errors.As(err, &denied) {
				t.Errorf("%s: %v", row.source, err)
			}
		} else if err != nil || string(r.Dataflow.Outputs["s"]) != quoted(row.want) {
			t.Errorf("%s: %v %v", row.source, r.Dataflow.Outputs, err)
		}
		if len(r.Audit) != 1 || r.Audit[0].Outcome != outcome {
			t.Errorf("%s: %+v", row.source, r.Audit)
		}
	}
}

// quoted is the JSON string of a JSON text without escapes.
func quoted(doc string) string {
	out := `"`
	for _, c := range doc {
		if c == '"' {
			out += `\`
		}
		out += string(c)
	}
	return out + `"`
}

func TestACatalogHasWhatIsAskedFor(t *testing.T) {
	for _, on := range []struct{ echo, add bool }{{false, false}, {true, false}, {false, true}, {true, true}} {
		c, err := Catalog(on.echo, on.add)
		if err != nil {
			t.Fatal(err)
		}
		if c.Has("text.echo") != on.echo || c.Has("math.add") != on.add || (len(c.Modules()) == 1) != on.add {
			t.Error(on, string(c.ToolsJSON()))
		}
	}
}
