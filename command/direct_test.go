package command

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

type parcel struct {
	ID     string   `json:"id" jsonschema:"pattern=^P-[0-9]{3}$"`
	Note   string   `json:"note" jsonschema:"maxLength=12,default=none"`
	Weight float64  `json:"weight" jsonschema:"exclusiveMinimum=0,maximum=31.5"`
	Count  int8     `json:"count" jsonschema:"minimum=1"`
	Gift   *bool    `json:"gift,omitempty"`
	Size   string   `json:"size" jsonschema:"enum=small,enum=very large"`
	Tags   []string `json:"tags" jsonschema:"maxItems=3"`
	Floors []int    `json:"floors,omitempty"`
}

var parcelTexts = map[string][]string{
	"id":     {"P-123", "P-12", " P-123", "P-123\n", "p-123", "P-1&#50;3"},
	"note":   {"", "none", "a & b", "a &amp; b", "<b>x</b>", "long beyond all bounds", "[x]", "{}", "line\nbreak", "NOT_FOUND", "null", "é", "\xff", `say "x"`, `back\slash`},
	"weight": {"1", "31.5", "31.51", "0", "-1", "1e1", "1.50", "+2", "1,5", "one", "-0", "0.0001", "NaN"},
	"count":  {"1", "127", "128", "0", "-3", "07", "5.0", "five", "1_0", " 2 ", "99999999999999999999"},
	"gift":   {"true", "false", "True", "yes", "1", "null", "", "maybe"},
	"size":   {"small", "very large", "Very_Large", "smal", "", "null"},
	"tags":   {`["a"]`, `["a", "b","c"]`, `["a","b","c","d"]`, "a, b", "a", `[]`, `["a",1]`, `['a']`, `["a"`, `["[b]"]`, `["a&amp;b"]`, `[ "a" ] `, `["é"]`, "", "null"},
	"floors": {`[1,2]`, `[1, 2.0]`, "1,2", "1 2", "3", `[]`, `[1,]`, `["1"]`, `[01]`, "null"},
}

var parcelOrder = []string{"id", "note", "weight", "count", "gift", "size", "tags", "floors"}

// parcels makes a session for a person whose command has a hook that has nothing against any
// call, or none. What a person gave is kept for a hook, so only without one
// can a call go the direct way.
func parcels(t interface{ Fatal(...any) }, hook bool) *Session {
	spec := Spec[parcel]{
		Name: "send",
		Run: func(_ context.Context, _ *Session, in *parcel) (Response, error) {
			text, err := json.Marshal(in)
			return Say(string(text)), err
		},
	}
	if hook {
		spec.ValidateExtractedParameters = func(context.Context, *Session, string, *parcel) (bool, string) { return true, "" }
	}
	w, err := New(Options{Name: "post"}, Define(spec))
	if err != nil {
		t.Fatal(err)
	}
	return w.NewSession(SessionOptions{Human: true})
}

// told is what of an outcome must not depend on the way it came about.
func told(o *Outcome) string {
	d := o.Diagnostics()
	d.ValidationHook = nil
	return fmt.Sprintf("%s\n%s\nproblems %+v\nrepairs %+v\nrecord %+v", o.Text(), o.Stage, o.Problems, o.Repairs, d)
}

func TestAHookThatAgreesChangesNothing(t *testing.T) {
	ctx := context.Background()
	ran, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var tags, pairs strings.Builder
		arguments := map[string]any{}
		for _, name := range parcelOrder {
			if (name == "gift" || name == "floors" || name == "note") && rapid.Bool().Draw(t, "left out") {
				continue
			}
			text := parcelTexts[name][0]
			if rapid.IntRange(0, 4).Draw(t, "odd") == 0 {
				text = rapid.SampledFrom(parcelTexts[name]).Draw(t, name)
			}
			fmt.Fprintf(&tags, "<%s>%s</%s>", name, text, name)
			if rapid.IntRange(0, 30).Draw(t, "again") == 0 {
				fmt.Fprintf(&tags, "<%s>%s</%s>", name, text, name)
			}
			fmt.Fprintf(&pairs, " %s=%s", name, text)
			arguments[name] = text
			if json.Valid([]byte(text)) && rapid.IntRange(0, 4).Draw(t, "as text") > 0 {
				arguments[name] = json.RawMessage(text)
			}
		}
		object, err := json.Marshal(arguments)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range []func(*Session) *Outcome{
			func(s *Session) *Outcome { return s.Call(ctx, "send "+tags.String()) },
			func(s *Session) *Outcome { return s.Call(ctx, "send"+pairs.String()) },
			func(s *Session) *Outcome { return s.Call(ctx, "send "+string(object)) },
			func(s *Session) *Outcome { return s.Do(ctx, Action{CommandName: "send", Parameters: object}) },
		} {
			have, want := call(parcels(t, false)), call(parcels(t, true))
			if told(have) != told(want) || !reflect.DeepEqual(have.Input, want.Input) {
				t.Fatalf("tags %s\narguments %s\n have %s %+v\n want %s %+v", tags.String(), object, told(have), have.Input, told(want), want.Input)
			}
			if have.Ran() {
				ran++
			} else {
				refused++
			}
		}
	})
	if ran == 0 || refused == 0 {
		t.Errorf("%d calls ran and %d did not", ran, refused)
	}
}
