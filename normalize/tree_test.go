package normalize

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fwgo/fwgo/internal/jsontree"
)

func parse(t testing.TB, text string, arena *jsontree.Arena) jsontree.Doc {
	t.Helper()
	doc, fault := jsontree.Parse(text, jsontree.Limits{}, arena)
	if fault != nil {
		t.Fatalf("%s: %v", text, fault)
	}
	return doc
}

const orderSchema = `{"type":"object","properties":{"order_id":{"type":"string"},"note":{"type":"string"},"qty":{"type":"integer"},
	"price":{"type":"number"},"tags":{"type":"array","items":{"type":"string"}},
	"items":{"type":"array","items":{"type":"object","properties":{"sku":{"type":"string"},"options":{"type":"object"}}}}}}`

const order = `{"order_id":"ORD-123456","note":"leave at the door; please","qty":3,"price":19.99,"tags":["gift","fragile"],"items":[{"sku":"a","options":{"x":["y"]}}]}`

func TestNothingToRepairAllocatesNothing(t *testing.T) {
	for _, o := range []Options{{}, {Nested: true}, {Nested: true, KeepNonCharacters: true}} {
		n := compile(t, orderSchema, o)
		for name, text := range map[string]string{
			"no &":                 order,
			"& and no reference":   strings.NewReplacer("; please", " && ring; AT&T &copy=1", "gift", "R&D; x").Replace(order),
			"text where it may be": strings.Replace(order, `"price":19.99`, `"price":"[1]"`, 1),
			"a text that holds no list": strings.Replace(order, `["gift","fragile"]`,
				`"gift, fragile"`, 1),
		} {
			arena := new(jsontree.Arena)
			doc := parse(t, text, arena)
			if allocs := testing.AllocsPerRun(100, func() {
				if repairs := n.Tree(&doc, arena); repairs != nil {
					t.Fatalf("%s: %v", name, repairs)
				}
			}); allocs != 0 {
				t.Errorf("%s (%+v): %v allocations", name, o, allocs)
			}
			if doc.Root.JSON() != text {
				t.Errorf("%s became %s", text, doc.Root.JSON())
			}
		}
	}
}

// Strings bound from a text call are like any other (D-6) and stay marked,
// since coercion reads them in its own way.
func TestStringsFromTextCallsStayLoose(t *testing.T) {
	n := compile(t, `{"properties":{"tags":{"type":"array"}}}`, Options{})
	root := jsontree.Value{Kind: jsontree.Object, Members: []jsontree.Member{
		{Name: "tags", Value: jsontree.Value{Kind: jsontree.String, Text: `["a", "&lt;"]`, Loose: true}},
		{Name: "note", Value: jsontree.Value{Kind: jsontree.String, Text: "&amp;lt;", Loose: true}},
		{Name: "none"},
	}}
	doc := jsontree.Doc{Root: root, Ampersand: true}
	repairs := n.Tree(&doc, nil)
	want := []Repair{{"tags", RepairJSON, 0}, {"tags[1]", RepairReferences, 1}, {"note", RepairReferences, 2}}
	if diff := cmp.Diff(want, repairs); diff != "" {
		t.Errorf("repairs (-want +got)\n%s", diff)
	}
	note, tags := doc.Root.Get("note"), doc.Root.Get("tags")
	if note.Text != "<" || !note.Loose {
		t.Errorf("note is %q, loose %v", note.Text, note.Loose)
	}
	if tags.Kind != jsontree.List || tags.Loose || tags.Items[1].Text != "<" || tags.Items[1].Loose {
		t.Errorf("tags is %+v", tags)
	}
	if doc.Root.Get("none").Kind != jsontree.Absent {
		t.Error("what was not given was changed")
	}
}

func TestARootThatIsNoObjectIsLeftAlone(t *testing.T) {
	n := compile(t, `{"type":"array","items":{"type":"array"},"additionalProperties":{"type":"array"}}`, Options{Nested: true})
	for _, text := range []string{`["[1]","&lt;"]`, `"&lt;"`, `"{\"a\":\"[1]\"}"`, `null`, `1`} {
		doc := parse(t, text, nil)
		if repairs := n.Tree(&doc, nil); repairs != nil || doc.Root.JSON() != text {
			t.Errorf("%s became %s", text, doc.Root.JSON())
		}
	}
}

// The bound counts through decoded text, wherever the text stands (N-17).
func TestDepthCountsThroughDecodedText(t *testing.T) {
	const schema = `{"properties":{"p":{"type":"array","items":{"type":"array","items":{"type":"array"}}},"m":{"type":"object","additionalProperties":{"type":"object"}}}}`
	tests := []struct {
		depth    int
		in, want string
	}{
		{1, `{"p":"[]"}`, `{"p":"[]"}`},
		{2, `{"p":"[]"}`, `{"p":[]}`},
		{2, `{"p":"[[]]"}`, `{"p":"[[]]"}`},
		{3, `{"p":"[[]]"}`, `{"p":[[]]}`},
		{3, `{"p":["[[]]"]}`, `{"p":["[[]]"]}`},
		{4, `{"p":["[[]]"]}`, `{"p":[[[]]]}`},
		{4, `{"p":"[\"[[]]\"]"}`, `{"p":[[[]]]}`},
		{3, `{"p":"[\"[[]]\"]"}`, `{"p":["[[]]"]}`},
		{3, `{"m":{"a":"{}"}}`, `{"m":{"a":{}}}`},
		{2, `{"m":{"a":"{}"}}`, `{"m":{"a":"{}"}}`},
	}
	for _, tt := range tests {
		n := compile(t, schema, Options{Nested: true, MaxDepth: tt.depth})
		if got := run(t, n, tt.in).Arguments; string(got) != tt.want {
			t.Errorf("depth %d: %s becomes %s, want %s", tt.depth, tt.in, got, tt.want)
		}
	}
	n := compile(t, schema, Options{})
	deep := strings.Repeat("[", 511) + strings.Repeat("]", 511)
	if got := run(t, n, `{"p":"`+deep+`"}`).Arguments; string(got) != `{"p":`+deep+`}` {
		t.Errorf("511 levels become %.40s", got)
	}
	for _, levels := range []int{512, 100_000} {
		deep := `{"p":"` + strings.Repeat("[", levels) + strings.Repeat("]", levels) + `"}`
		if got := run(t, n, deep).Arguments; string(got) != deep {
			t.Errorf("%d levels become %.40s", levels, got)
		}
	}
}

func TestOneNormalizerServesManyCalls(t *testing.T) {
	n := compile(t, orderSchema, Options{Nested: true})
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 200 {
				result, err := n.Arguments([]byte(`{"tags":"[\"&lt;\"]","items":[{"options":"{}"}],"note":"&nGt;&eacute;"}`))
				if want := `{"tags":["<"],"items":[{"options":{}}],"note":"≫⃒é"}`; err != nil || string(result.Arguments) != want {
					t.Errorf("%s %v", result.Arguments, err)
				}
				if _, err := Compile([]byte(orderSchema), Options{Nested: true}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

func BenchmarkTree(b *testing.B) {
	for name, text := range map[string]string{
		"nothing to repair": order,
		"both repairs":      strings.NewReplacer(`["gift","fragile"]`, `"[\"gift\",\"fragile\"]"`, "door;", "door &amp;").Replace(order),
	} {
		b.Run(name, func(b *testing.B) {
			n := compile(b, orderSchema, Options{Nested: true})
			arena := new(jsontree.Arena)
			b.ReportAllocs()
			for b.Loop() {
				arena.Reset()
				doc, _ := jsontree.Parse(text, jsontree.Limits{}, arena)
				n.Tree(&doc, arena)
			}
		})
	}
	b.Run("reading alone", func(b *testing.B) {
		arena := new(jsontree.Arena)
		for b.Loop() {
			arena.Reset()
			jsontree.Parse(order, jsontree.Limits{}, arena)
		}
	})
}

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		if _, err := Compile([]byte(orderSchema), Options{Nested: true}); err != nil {
			b.Fatal(err)
		}
	}
}
