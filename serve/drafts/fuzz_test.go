package drafts_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/fwgo/fwgo/serve/drafts"
	"github.com/fwgo/fwgo/store"
)

// FuzzPropose holds that whatever is proposed is kept as it was sent, or
// refused with a reason, and that nothing of it runs.
func FuzzPropose(f *testing.F) {
	f.Add(`{"format_version":1,"steps":[{"id":"a","source":"use mod.tool\ntool.call_json(\"ship\", {})"}]}`, `{"n":1}`)
	f.Add(`"{\"format_version\":1,\"steps\":[{\"id\":\"a\",\"source\":\"1\"}]}"`, `null`)
	f.Add(`{"format_version":1,"steps":[{"id":"a","source":"let x = \"\u0000\""}]}`, ``)
	f.Add(`[`, `[`)
	f.Add("\xff", "\xff")
	d := newDepot()
	p := d.process(f, store.Memory(), drafts.Options{})
	f.Fuzz(func(t *testing.T, text, input string) {
		proposal, err := p.Propose(t.Context(), owner, []byte(text), json.RawMessage(input))
		if len(d.did()) > 0 {
			t.Fatal("a proposal ran")
		}
		if err != nil {
			if c := code(err); c != drafts.Rejected && c != drafts.InvalidInput || !utf8.ValidString(err.Error()) || len(err.Error()) > 20_000 {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		defer func() {
			if err := p.Forget(t.Context(), owner.Channel); err != nil {
				t.Fatal(err)
			}
		}()
		back, err := p.Review(t.Context(), owner, proposal.ID)
		if err != nil || back.Plan.Fingerprint != proposal.Plan.Fingerprint || !back.Review.Valid() {
			t.Fatalf("%q: %+v, %v", text, back, err)
		}
	})
}
