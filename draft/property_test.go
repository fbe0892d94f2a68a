package draft

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestWhateverIsTriedStaysWithinTheGrants draws drafts that call tools in every way there is, under random grants, and
// holds what a lease promises: of each tool no step makes more calls than it was granted, all steps together no more
// than the tool allows, and every attempt is in the audit.
func TestWhateverIsTriedStaysWithinTheGrants(t *testing.T) {
	names := []string{"json.a", "json.b", "json.c"}
	const allowed = 4
	forms := []string{
		`try tool.call_json(%q, {}) catch nil`,
		`try tool.call(%q, "{}") catch nil`,
		`try tool.start_json(%q, {}) catch nil`,
		`try tool.start(%q, "{}").await() catch nil`,
		`f = tool.call_json; try f(%q, {}) catch nil`,
		`try go(%q) catch nil`,
	}
	rapid.Check(t, func(t *rapid.T) {
		made := map[string]int{}
		catalog, err := NewCatalog()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if err := catalog.Add(Tool{Name: name, Format: JSON, MaxCalls: allowed, Run: func(_ context.Context, c Call) (string, error) {
				made[c.StepID+" "+c.Tool]++
				return "{}", nil
			}}); err != nil {
				t.Fatal(err)
			}
		}
		e, err := NewEngine(catalog, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var list []Step
		var policies []StepPolicy
		granted, attempts := map[string]int{}, 0
		for i := range rapid.IntRange(1, 4).Draw(t, "steps") {
			id := fmt.Sprint("s", i)
			source := []string{"use mod.tool", "let f = nil", "fn go(n) { return tool.start_json(n, {}).await(); }"}
			for range rapid.IntRange(0, 10).Draw(t, "calls") {
				name := rapid.SampledFrom(append(names, "json.none", "Not A Name")).Draw(t, "tool")
				source = append(source, fmt.Sprintf(rapid.SampledFrom(forms).Draw(t, "form"), name))
				attempts++
			}
			if rapid.Bool().Draw(t, "fails") && i > 0 {
				source = append(source, "nope")
			}
			policy := StepPolicy{StepID: id}
			for _, name := range names {
				if n := rapid.IntRange(0, allowed).Draw(t, "granted"); n > 0 {
					policy.Grants = append(policy.Grants, Grant{name, n})
					granted[id+" "+name] = n
				}
			}
			list, policies = append(list, Step{id, strings.Join(source, "\n")}), append(policies, policy)
			if strings.HasSuffix(list[i].Source, "nope") {
				break
			}
		}
		d, err := NewDraft(list...)
		if err != nil {
			t.Fatal(err)
		}
		p, err := e.Plan(d)
		if err != nil {
			t.Fatal(err)
		}
		a, err := e.Approve(p, PerStep(policies...), ApproveOptions{})
		if err != nil {
			t.Fatal(err)
		}
		r, _ := e.Run(context.Background(), p, a, RunOptions{})
		if r == nil {
			t.Fatal("it did not start")
		}
		total, byTool := 0, map[string]int{}
		for call, n := range made {
			if n > granted[call] {
				t.Errorf("%s: %d calls of %d granted", call, n, granted[call])
			}
			_, tool, _ := strings.Cut(call, " ")
			byTool[tool] += n
			total += n
		}
		for tool, n := range byTool {
			if n > allowed {
				t.Errorf("%s: %d calls of %d allowed", tool, n, allowed)
			}
		}
		outcomes := map[AuditOutcome]int{}
		for _, entry := range r.Audit {
			outcomes[entry.Outcome]++
		}
		if outcomes[AuditAllowed] != total || outcomes[AuditDenied] != attempts-total || len(r.Audit) != attempts {
			t.Errorf("%d attempts, %d made, audit %v", attempts, total, outcomes)
		}
	})
}
