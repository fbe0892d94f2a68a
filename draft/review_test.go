package draft

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/splash"
)

var arithmetic = []splash.Module{{Name: "arithmetic", Methods: []splash.Method{{Name: "add", Tool: "math.add"}}}}

func mustDraft(t *testing.T, steps ...Step) *Draft {
	t.Helper()
	d, err := NewDraft(steps...)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func mustReview(t *testing.T, d *Draft, opts ReviewOptions) *Review {
	t.Helper()
	r, err := d.Review(opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAReviewShowsWhereEachStepCallsOut(t *testing.T) {
	d := mustDraft(t,
		Step{"good", "use mod.tool\nlet s = \"é\"; tool.call(\"orders.get\", s)"},
		Step{"bad", "let = 1\ntool.call(\"x\", 1)"},
		Step{"module", "use mod.arithmetic\narithmetic.add({left: 1, right: 2})"})
	r := mustReview(t, d, ReviewOptions{Modules: arithmetic})
	if r.Valid() || !r.Steps[0].Valid() || r.Steps[1].Valid() || !r.Steps[2].Valid() {
		t.Errorf("validity of %s", r.Encode())
	}
	for i := range r.Steps[1].Diagnostics {
		r.Steps[1].Diagnostics[i].Message = "<why>"
	}
	want := `{"draft":{"error":null,"valid":true},"steps":[` +
		`{"diagnostics":[],"diagnostics_truncated":false,"direct_module_calls":[],"direct_module_calls_truncated":false,"id":"good",` +
		`"tool_calls":[{"callee":{"column":14,"end_byte":36,"line":2,"start_byte":27},"kind":"call","name":{"end_byte":49,"kind":"literal","start_byte":37,"value":"orders.get"}}],"tool_calls_truncated":false,"valid":true},` +
		`{"diagnostics":[{"column":5,"line":1,"message":"<why>"}],"diagnostics_truncated":false,"direct_module_calls":[],"direct_module_calls_truncated":false,"id":"bad","tool_calls":[],"tool_calls_truncated":false,"valid":false},` +
		`{"diagnostics":[],"diagnostics_truncated":false,"direct_module_calls":[{"callee":{"column":1,"end_byte":33,"line":2,"start_byte":19},"method":"add","mode":"synchronous","module":"arithmetic","tool":"math.add"}],` +
		`"direct_module_calls_truncated":false,"id":"module","tool_calls":[],"tool_calls_truncated":false,"valid":true}],"valid":false}`
	if got := string(r.Encode()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if r := mustReview(t, d, ReviewOptions{}); r.Steps[2].ModuleCalls != nil {
		t.Error("calls of a module that the host does not have")
	}
}

func TestARefusedDraftHasTheFormOfAReview(t *testing.T) {
	_, err := Decode([]byte(`{"format_version":3,"steps":[]}`))
	var rejected *Rejection
	if !errors.As(err, &rejected) {
		t.Fatal(err)
	}
	r := &Review{Rejection: rejected}
	want := `{"draft":{"error":{"actual":3,"code":"unsupported_format_version","expected":1},"valid":false},"steps":[],"valid":false}`
	if got := string(r.Encode()); got != want || r.Valid() {
		t.Errorf("%s", got)
	}
	if got, err := json.Marshal(map[string]any{"review": r}); err != nil || string(got) != `{"review":`+want+"}" {
		t.Errorf("%s %v", got, err)
	}
}

// calls is a program of n calls of tools and of the module's method, a call a line.
func calls(n int) string {
	return "use mod.arithmetic\n" + strings.Repeat("arithmetic.add({}); tool.call(\"t\", 1)\n", n)
}

func TestCallsAreShownUpToTheirLimitsInStepOrder(t *testing.T) {
	type kept struct {
		n   int
		cut bool
	}
	for _, tt := range []struct {
		name  string
		calls []int
		want  []kept
	}{
		{"one step", []int{1024}, []kept{{1024, false}}},
		{"one step more", []int{1025}, []kept{{1024, true}}},
		{"the whole budget", []int{1024, 1024, 1024, 1024}, []kept{{1024, false}, {1024, false}, {1024, false}, {1024, false}}},
		{"past the budget", []int{1000, 1000, 1000, 1000, 1000, 1000}, []kept{{1000, false}, {1000, false}, {1000, false}, {1000, false}, {96, true}, {0, true}}},
		{"nothing to lose", []int{1025, 1025, 1025, 1025, 0, 1, 0}, []kept{{1024, true}, {1024, true}, {1024, true}, {1024, true}, {0, false}, {0, true}, {0, false}}},
	} {
		var steps []Step
		for i, n := range tt.calls {
			steps = append(steps, Step{fmt.Sprint(i), calls(n)})
		}
		r := mustReview(t, mustDraft(t, steps...), ReviewOptions{Modules: arithmetic})
		for i, want := range tt.want {
			s := &r.Steps[i]
			if got := (kept{len(s.ToolCalls), s.ToolCallsTruncated}); got != want {
				t.Errorf("%s: tools of step %d: %v, want %v", tt.name, i, got, want)
			}
			if got := (kept{len(s.ModuleCalls), s.ModuleCallsTruncated}); got != want {
				t.Errorf("%s: modules of step %d: %v, want %v", tt.name, i, got, want)
			}
		}
	}
}

func TestASourceTooLargeToIndexIsSaidToBeOnlyWhereModulesAre(t *testing.T) {
	d := mustDraft(t, Step{"a", "use mod.arithmetic\narithmetic.add(1)\nlet x = 1\n" + strings.Repeat("x;", 4_096)})
	if s := mustReview(t, d, ReviewOptions{Modules: arithmetic}).Steps[0]; !s.ModuleCallsTruncated || s.ModuleCalls != nil {
		t.Errorf("with modules: %v %v", s.ModuleCalls, s.ModuleCallsTruncated)
	}
	if s := mustReview(t, d, ReviewOptions{}).Steps[0]; s.ModuleCallsTruncated {
		t.Error("without modules there is nothing to lose")
	}
}

func TestAStepThatIsNoProgramCostsNothingOfTheBudget(t *testing.T) {
	steps := []Step{{"bad", calls(1000) + "let ="}}
	for i := range 4 {
		steps = append(steps, Step{fmt.Sprint(i), calls(1000)})
	}
	r := mustReview(t, mustDraft(t, steps...), ReviewOptions{Modules: arithmetic})
	if bad, last := &r.Steps[0], &r.Steps[4]; bad.ToolCalls != nil || bad.ToolCallsTruncated || len(last.ToolCalls) != 1000 || len(last.ModuleCalls) != 1000 {
		t.Errorf("%d and %d calls", len(bad.ToolCalls), len(last.ToolCalls))
	}
}

func TestDiagnosticsAreKeptUpToTheirLimit(t *testing.T) {
	for n, cut := range map[int]bool{32: false, 33: true} {
		s := mustReview(t, mustDraft(t, Step{"a", strings.Repeat("#\n", n)}), ReviewOptions{}).Steps[0]
		if len(s.Diagnostics) != 32 || s.DiagnosticsTruncated != cut {
			t.Errorf("%d: %d kept, truncated %v", n, len(s.Diagnostics), s.DiagnosticsTruncated)
		}
	}
}

func TestALongSourceFailsTheWholeReview(t *testing.T) {
	bound := splash.DefaultLimits().SourceBytes
	for _, tt := range []struct {
		size, limit int
		max         int // 0 for none passed
	}{
		{bound, 0, 0},
		{bound + 1, 0, bound},
		{bound + 1, 10 * bound, bound}, // a host cannot raise it
		{100, 100, 0},
		{101, 100, 100},
	} {
		r, err := mustDraft(t, Step{"first", "1"}, Step{"long", strings.Repeat(" ", tt.size)}).Review(ReviewOptions{Limits: splash.Limits{SourceBytes: tt.limit}})
		var limit *splash.LimitError
		if tt.max == 0 {
			if err != nil || !r.Valid() {
				t.Errorf("%d within %d: %v", tt.size, tt.limit, err)
			}
			continue
		}
		if !errors.As(err, &limit) || r != nil || limit.Bound != splash.BoundSource || limit.Actual != tt.size || limit.Max != tt.max || !strings.Contains(err.Error(), "step long") {
			t.Errorf("%d within %d: %v", tt.size, tt.limit, err)
		}
	}
}

func TestAHostMayLowerTheLanguageAndNeverRaiseIt(t *testing.T) {
	d := mustDraft(t, Step{"a", "[[[1]]]\n2"})
	for _, tt := range []struct {
		limits splash.Limits
		valid  bool
	}{
		{splash.Limits{}, true},
		{splash.Limits{Tokens: 9, Nesting: 4}, true},
		{splash.Limits{Tokens: 5}, false},
		{splash.Limits{Nesting: 2}, false},
	} {
		if r := mustReview(t, d, ReviewOptions{Limits: tt.limits}); r.Valid() != tt.valid {
			t.Errorf("%+v: %s", tt.limits, r.Encode())
		}
	}
	deep := mustDraft(t, Step{"a", strings.Repeat("[", 200) + strings.Repeat("]", 200)})
	if mustReview(t, deep, ReviewOptions{Limits: splash.Limits{Nesting: 1000}}).Valid() {
		t.Error("a host raises the nesting")
	}
	many := mustReview(t, mustDraft(t, Step{"a", strings.Repeat("#\n", 50)}), ReviewOptions{Limits: splash.Limits{Diagnostics: 40}})
	few := mustReview(t, mustDraft(t, Step{"a", "#\n#\n#"}), ReviewOptions{Limits: splash.Limits{Diagnostics: 2}})
	if len(many.Steps[0].Diagnostics) != 32 || len(few.Steps[0].Diagnostics) != 2 || !few.Steps[0].DiagnosticsTruncated {
		t.Errorf("%d and %d diagnostics", len(many.Steps[0].Diagnostics), len(few.Steps[0].Diagnostics))
	}
}

func TestTheSchemaSaysWhatDecodingHoldsTo(t *testing.T) {
	var s struct {
		Required   []string
		Properties struct {
			Steps struct {
				MaxItems int
				Items    struct {
					Properties struct{ ID struct{ MaxLength int } }
				}
			}
		}
		Extension struct {
			Source  int    `json:"maximum_aggregate_source_bytes"`
			Wire    int    `json:"maximum_wire_bytes"`
			Profile string `json:"source_profile"`
		} `json:"x-splash"`
	}
	text := JSONSchema()
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	if s.Properties.Steps.MaxItems != 1024 || s.Properties.Steps.Items.Properties.ID.MaxLength != 128 || s.Extension.Source != 1<<20 || s.Extension.Wire != 2<<20 || s.Extension.Profile != "splash-v0.2" {
		t.Errorf("%s", text)
	}
	if canonicalText(t, string(text)) != string(text) {
		t.Errorf("keys out of order or spaces in %s", text)
	}
}
