package draft

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/internal/vectors"
)

func answer(context.Context, Call) (string, error) { return "{}", nil }

// TestACatalogRefusesWhatCannotWork holds that mistakes of an author are found when a tool is registered (WD-39, WD-43).
func TestACatalogRefusesWhatCannotWork(t *testing.T) {
	for _, row := range []struct {
		name string
		tool Tool
		want CatalogCode
	}{
		{"no name", Tool{Run: answer}, CatalogInvalidTool},
		{"a name that breaks the rule", Tool{Name: "Orders", Run: answer}, CatalogInvalidTool},
		{"a name that is too long", Tool{Name: strings.Repeat("x", 129), Run: answer}, CatalogInvalidTool},
		{"a negative bound", Tool{Name: "a", Run: answer, MaxCalls: -1}, CatalogInvalidTool},
		{"no such format", Tool{Name: "a", Run: answer, Format: "xml"}, CatalogInvalidTool},
		{"no such dispatch", Tool{Name: "a", Run: answer, Dispatch: "worker"}, CatalogInvalidTool},
		{"nothing to run", Tool{Name: "a"}, CatalogInvalidTool},
		{"an external tool with Run", Tool{Name: "a", Dispatch: External, Run: answer}, CatalogInvalidTool},
		{"an external tool to approve", Tool{Name: "a", Dispatch: External, Approve: true}, CatalogInvalidTool},
		{"an input that nobody checks", Tool{Name: "a", Dispatch: External, Format: JSON, ChecksInput: true, InputSchema: json.RawMessage(`{}`)}, CatalogInvalidTool},
		{"a long description", Tool{Name: "a", Run: answer, Description: strings.Repeat("x", 4097)}, CatalogInvalidTool},
		{"a text tool with a schema", Tool{Name: "a", Run: answer, InputSchema: json.RawMessage(`{}`)}, CatalogInvalidSchema},
		{"a schema outside of the subset", Tool{Name: "a", Format: JSON, Run: answer, InputSchema: json.RawMessage(`{"$ref":"#"}`)}, CatalogInvalidSchema},
		{"an output schema outside of the subset", Tool{Name: "a", Format: JSON, Run: answer, OutputSchema: json.RawMessage(`{"type":[]}`)}, CatalogInvalidSchema},
		{"a schema for readers that is no JSON", Tool{Name: "a", Format: JSON, Run: answer, ChecksInput: true, InputSchema: json.RawMessage(`{`)}, CatalogInvalidSchema},
		{"a schema for readers that is no object", Tool{Name: "a", Format: JSON, Run: answer, ChecksInput: true, InputSchema: json.RawMessage(`true`)}, CatalogInvalidSchema},
		{"a schema for readers that is too long", Tool{Name: "a", Format: JSON, Run: answer, ChecksInput: true,
			InputSchema: json.RawMessage(`{"x":"` + strings.Repeat("x", MaxSchemaBytes) + `"}`)}, CatalogInvalidSchema},
		{"a name that is there", Tool{Name: "there", Run: answer}, CatalogDuplicateTool},
	} {
		c, err := NewCatalog(Tool{Name: "there", Run: answer})
		if err != nil {
			t.Fatal(err)
		}
		before := c.Fingerprint()
		err = c.Add(row.tool)
		var wrong *CatalogError
		if !errors.As(err, &wrong) || wrong.Code != row.want || c.Fingerprint() != before {
			t.Errorf("%s: %v, want %s", row.name, err, row.want)
		}
		if _, err := NewCatalog(Tool{Name: "there", Run: answer}, row.tool); err == nil {
			t.Errorf("%s: NewCatalog took it", row.name)
		}
	}
	c, err := NewCatalog()
	if err != nil {
		t.Fatal(err)
	}
	for i := range MaxTools {
		if err := c.Add(Tool{Name: fmt.Sprint(i), Run: answer, Description: strings.Repeat("x", 3000)}); err != nil {
			t.Fatal(i, err)
		}
	}
	var wrong *CatalogError
	if err := c.Add(Tool{Name: "more", Run: answer}); !errors.As(err, &wrong) || wrong.Code != CatalogTooManyTools {
		t.Error(err)
	}
	if err := c.Remove("nope"); !errors.As(err, &wrong) || wrong.Code != CatalogUnknownTool {
		t.Error(err)
	}
	for i := range MaxTools {
		if err := c.Remove(fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range MaxTools {
		err = c.Add(Tool{Name: fmt.Sprint(i), Run: answer, Description: strings.Repeat("\x01", 4000)})
		if err != nil {
			break
		}
	}
	if !errors.As(err, &wrong) || wrong.Code != CatalogTooLarge {
		t.Error(err)
	}
}

func TestAModuleRefusesWhatCannotWork(t *testing.T) {
	schema := json.RawMessage(`{"type":"object"}`)
	c, err := NewCatalog(
		Tool{Name: "json.ok", Format: JSON, Run: answer, InputSchema: schema},
		Tool{Name: "json.free", Format: JSON, Run: answer},
		Tool{Name: "text.ok", Run: answer},
		Tool{Name: "ext.ok", Format: JSON, Dispatch: External, InputSchema: schema})
	if err != nil {
		t.Fatal(err)
	}
	ok := []Method{{Name: "m", Tool: "json.ok"}}
	if err := c.AddModule(Module{Name: "there", Methods: ok}); err != nil {
		t.Fatal(err)
	}
	many := make([]Method, MaxModuleMethods+1)
	for i := range many {
		many[i] = Method{Name: fmt.Sprintf("m%d", i), Tool: "json.ok"}
	}
	for _, row := range []struct {
		name   string
		module Module
		want   CatalogCode
	}{
		{"no name", Module{Methods: ok}, CatalogInvalidModule},
		{"a name that is none", Module{Name: "a.b", Methods: ok}, CatalogInvalidModule},
		{"a reserved word", Module{Name: "loop", Methods: ok}, CatalogInvalidModule},
		{"the name of a module of the language", Module{Name: "tool", Methods: ok}, CatalogInvalidModule},
		{"a name that is too long", Module{Name: strings.Repeat("x", 65), Methods: ok}, CatalogInvalidModule},
		{"a name that is there", Module{Name: "there", Methods: ok}, CatalogInvalidModule},
		{"no methods", Module{Name: "a"}, CatalogInvalidModule},
		{"too many methods", Module{Name: "a", Methods: many}, CatalogInvalidModule},
		{"a long description", Module{Name: "a", Methods: ok, Description: strings.Repeat("x", 4097)}, CatalogInvalidModule},
		{"two methods of a name", Module{Name: "a", Methods: append(ok, ok...)}, CatalogInvalidModule},
		{"a method name that is none", Module{Name: "a", Methods: []Method{{Name: "m-n", Tool: "json.ok"}}}, CatalogInvalidModule},
		{"a tool that is not there", Module{Name: "a", Methods: []Method{{Name: "m", Tool: "nope"}}}, CatalogUnknownTool},
		{"a text tool", Module{Name: "a", Methods: []Method{{Name: "m", Tool: "text.ok"}}}, CatalogInvalidModule},
		{"a tool without a contract", Module{Name: "a", Methods: []Method{{Name: "m", Tool: "json.free"}}}, CatalogInvalidModule},
		{"an external tool at once", Module{Name: "a", Methods: []Method{{Name: "m", Tool: "ext.ok"}}}, CatalogInvalidModule},
	} {
		before := c.Fingerprint()
		err := c.AddModule(row.module)
		var wrong *CatalogError
		if !errors.As(err, &wrong) || wrong.Code != row.want || c.Fingerprint() != before {
			t.Errorf("%s: %v, want %s", row.name, err, row.want)
		}
	}
	if err := c.AddModule(Module{Name: "later", Methods: []Method{{Name: "m", Tool: "ext.ok", Deferred: true}}}); err != nil {
		t.Error(err)
	}
	var wrong *CatalogError
	if err := c.Remove("json.ok"); !errors.As(err, &wrong) || wrong.Code != CatalogToolInUse {
		t.Error(err)
	}
}

// TestACatalogShowsASchemaThatItDoesNotEnforce holds that a tool which checks its own input may publish any schema.
func TestACatalogShowsASchemaThatItDoesNotEnforce(t *testing.T) {
	c, err := NewCatalog(Tool{Name: "a", Format: JSON, Run: answer, ChecksInput: true,
		InputSchema: json.RawMessage(`{ "type": "object", "$defs": {"x": {"pattern": "^W"}}, "properties": {"b": {"anyOf": []}, "a": {"type": "string"}}}`)})
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"name":"a","format":"json","dispatch":"host_pump","contract_enforced":true,"max_calls":1,"max_attempts":1,` +
		`"max_input_bytes":16384,"max_output_bytes":65536,"description":"","input_schema":{"$defs":{"x":{"pattern":"^W"}},` +
		`"properties":{"a":{"type":"string"},"b":{"anyOf":[]}},"type":"object"}}]`
	if got := string(c.ToolsJSON()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if err := c.AddModule(Module{Name: "m", Methods: []Method{{Name: "go", Tool: "a"}}}); err != nil {
		t.Fatal(err)
	}
	want = `[{"description":"","methods":[{"call_shape":"single_json","description":"","inputFields":[{"name":"a","required":false,"type":"string"},` +
		`{"name":"b","required":false,"type":"any"}],"mode":"synchronous","name":"go","tool":"a"}],"name":"m"}]`
	if got := string(c.ModulesJSON()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestEveryChangeOfACatalogChangesItsFingerprint holds that no two catalogs that differ for a reader have one digest.
func TestEveryChangeOfACatalogChangesItsFingerprint(t *testing.T) {
	seen := map[string]string{}
	for _, tools := range [][]Tool{
		nil,
		{{Name: "a", Run: answer}},
		{{Name: "b", Run: answer}},
		{{Name: "a", Run: answer}, {Name: "b", Run: answer}},
		{{Name: "a", Run: answer, MaxCalls: 2}},
		{{Name: "a", Run: answer, MaxAttempts: 2}},
		{{Name: "a", Run: answer, MaxInputBytes: 2}},
		{{Name: "a", Run: answer, MaxOutputBytes: 2}},
		{{Name: "a", Run: answer, Format: JSON}},
		{{Name: "a", Dispatch: External}},
		{{Name: "a", Run: answer, Description: "x"}},
		{{Name: "a", Run: answer, Format: JSON, InputSchema: json.RawMessage(`{}`)}},
		{{Name: "a", Run: answer, Format: JSON, OutputSchema: json.RawMessage(`{}`)}},
	} {
		c, err := NewCatalog(tools...)
		if err != nil {
			t.Fatal(err)
		}
		doc := string(c.ToolsJSON())
		if other, twice := seen[c.Fingerprint()]; twice {
			t.Errorf("%s and %s", doc, other)
		}
		seen[c.Fingerprint()] = doc
	}
}

func TestVectorsCatalog(t *testing.T) {
	type row struct {
		Name    string `json:"name"`
		Kind    string `json:"kind"`
		Catalog string `json:"catalog_json"`
		Modules string `json:"modules_json"`
		Print   string `json:"fp"`
	}
	rows := 0
	for _, r := range vectors.Rows[row](t, "splash_data.jsonl") {
		if r.Kind != "catalog" {
			continue
		}
		rows++
		var tools []struct {
			Name, Format, Dispatch, Description string
			Calls                               int             `json:"max_calls"`
			Attempts                            int             `json:"max_attempts"`
			In                                  int             `json:"max_input_bytes"`
			Out                                 int             `json:"max_output_bytes"`
			Input                               json.RawMessage `json:"input_schema"`
			Output                              json.RawMessage `json:"output_schema"`
		}
		var modules map[string]struct {
			Name, Description string
			Methods           []struct{ Name, Tool, Mode string }
		}
		for text, into := range map[string]any{r.Catalog: &tools, r.Modules: &modules} {
			if err := json.Unmarshal([]byte(text), into); err != nil {
				t.Fatal(err)
			}
		}
		c, err := NewCatalog()
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range tools {
			tool := Tool{Name: x.Name, Format: Format(x.Format), Dispatch: Dispatch(x.Dispatch), Description: x.Description, MaxCalls: x.Calls,
				MaxAttempts: x.Attempts, MaxInputBytes: x.In, MaxOutputBytes: x.Out, InputSchema: x.Input, OutputSchema: x.Output}
			if tool.Dispatch == Local {
				tool.Run = answer
			}
			if err := c.Add(tool); err != nil {
				t.Fatal(err)
			}
		}
		for _, x := range modules {
			m := Module{Name: x.Name, Description: x.Description}
			for _, method := range x.Methods {
				m.Methods = append(m.Methods, Method{Name: method.Name, Tool: method.Tool, Deferred: method.Mode == "deferred"})
			}
			if err := c.AddModule(m); err != nil {
				t.Fatal(err)
			}
		}
		if got := string(c.ToolsJSON()); got != r.Catalog {
			t.Errorf("%s: tools\n got %s\nwant %s", r.Name, got, r.Catalog)
		}
		if got := string(c.state.Load().modulesJSON(false)); got != r.Modules {
			t.Errorf("%s: modules\n got %s\nwant %s", r.Name, got, r.Modules)
		}
		if got := c.Fingerprint(); got != r.Print {
			t.Errorf("%s: fingerprint %s, want %s", r.Name, got, r.Print)
		}
	}
	if rows == 0 {
		t.Error("no rows")
	}
}

// TestVectorsEvents runs the recorded plans with one tool, text.echo, granted to each step.
func TestVectorsEvents(t *testing.T) {
	type row struct {
		Name   string            `json:"name"`
		Kind   string            `json:"kind"`
		Steps  [][2]string       `json:"steps"`
		Input  json.RawMessage   `json:"input"`
		Events []json.RawMessage `json:"events"`
	}
	rows := 0
	for _, r := range vectors.Rows[row](t, "splash_data.jsonl") {
		if r.Kind != "events" {
			continue
		}
		rows++
		b := newBench(t, Options{})
		d, grants := &Draft{}, []string{}
		for _, s := range r.Steps {
			d.steps = append(d.steps, Step{s[0], s[1]})
			grants = append(grants, s[0]+":text.echo:1")
		}
		var data *Data
		if len(r.Input) > 0 && string(r.Input) != "null" {
			data = mustData(t, string(r.Input))
		}
		_, _ = b.run(d, data, grants...)
		batch, err := b.EventsSince(1)
		if err != nil || len(batch.Events) != len(r.Events) {
			t.Fatalf("%s: %+v %v", r.Name, batch, err)
		}
		for i, e := range batch.Events {
			got, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			want := canonicalText(t, string(r.Events[i]))
			if string(got) != want {
				t.Errorf("%s: %s, want %s", r.Name, got, want)
			}
		}
	}
	if rows == 0 {
		t.Error("no rows")
	}
}

// TestACatalogHoldsSoManyModulesAndMethods holds the bounds of WD-43 over all modules.
func TestACatalogHoldsSoManyModulesAndMethods(t *testing.T) {
	for _, row := range []struct{ modules, methods int }{{MaxModules, 1}, {MaxMethods / MaxModuleMethods, MaxModuleMethods}} {
		c, err := NewCatalog(Tool{Name: "json.ok", Format: JSON, Run: answer, InputSchema: json.RawMessage(`{"type":"object"}`)})
		if err != nil {
			t.Fatal(err)
		}
		module := func(name string, methods int) Module {
			m := Module{Name: name}
			for i := range methods {
				m.Methods = append(m.Methods, Method{Name: fmt.Sprintf("m%d", i), Tool: "json.ok"})
			}
			return m
		}
		for i := range row.modules {
			if err := c.AddModule(module(fmt.Sprintf("a%d", i), row.methods)); err != nil {
				t.Fatal(i, err)
			}
		}
		var wrong *CatalogError
		if err := c.AddModule(module("more", 1)); !errors.As(err, &wrong) || wrong.Code != CatalogInvalidModule || len(c.Modules()) != row.modules {
			t.Errorf("%d modules of %d methods: %v", row.modules, row.methods, err)
		}
	}
}

// TestTheListingOfModulesIsBounded holds that methods which all show one long description cannot make it any longer.
func TestTheListingOfModulesIsBounded(t *testing.T) {
	c, err := NewCatalog(Tool{Name: "json.ok", Format: JSON, Run: answer, InputSchema: json.RawMessage(`{"type":"object"}`),
		Description: strings.Repeat("x", MaxDescriptionBytes)})
	if err != nil {
		t.Fatal(err)
	}
	for i := range MaxModules {
		if err = c.AddModule(Module{Name: fmt.Sprintf("a%d", i), Methods: []Method{{Name: "m", Tool: "json.ok"}, {Name: "n", Tool: "json.ok"}}}); err != nil {
			break
		}
	}
	var wrong *CatalogError
	if !errors.As(err, &wrong) || wrong.Code != CatalogTooLarge || len(c.ModulesJSON()) > MaxModuleCatalogBytes {
		t.Error(err)
	}
}

// TestACatalogSharesNothingWithItsHost holds that what was given to a catalog, or came from it, can be edited without
// changing it.
func TestACatalogSharesNothingWithItsHost(t *testing.T) {
	schema := json.RawMessage(`{"type":"object"}`)
	tool := Tool{Name: "json.ok", Format: JSON, Run: answer, InputSchema: schema}
	c, err := NewCatalog(tool, Tool{Name: "json.other", Format: JSON, Run: answer, InputSchema: schema})
	if err != nil {
		t.Fatal(err)
	}
	methods := []Method{{Name: "z", Tool: "json.ok"}, {Name: "a", Tool: "json.ok"}}
	if err := c.AddModule(Module{Name: "m", Methods: methods}); err != nil {
		t.Fatal(err)
	}
	if methods[0].Name != "z" {
		t.Error("the host's own list was sorted")
	}
	tools, modules, print := string(c.ToolsJSON()), string(c.ModulesJSON()), c.Fingerprint()
	copy(schema, `{"type":"array" }`)
	methods[0].Tool, methods[1].Tool = "json.other", "json.other"
	c.ToolsJSON()[0], c.ModulesJSON()[0] = 'x', 'x'
	c.Modules()[0].Methods[0].Tool = "json.other"
	if string(c.ToolsJSON()) != tools || string(c.ModulesJSON()) != modules || c.Fingerprint() != print || c.Modules()[0].Methods[0].Tool != "json.ok" {
		t.Errorf("%s %s", c.ToolsJSON(), c.ModulesJSON())
	}
}
