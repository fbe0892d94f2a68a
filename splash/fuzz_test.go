package splash

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// seeds are programs that between them use the whole language.
var seeds = []string{
	"",
	"let x = 1\nx += 2 * -3 % 4\n[x, !x, ~x, +x, x == 1 || x < 2 && true]",
	"fn f(a, self, b) { return {a: a, b: b, s: self}; }\nlet r = {f: f}\nr.f(1, 2).b",
	"let f = |x, y| { let z = x; return || z + y; }\nf(1, 2)()",
	"for i, k, v in {a: 1, b: [2, 3]} { if i { continue } elif k == \"a\" { break } else { v }\n}",
	"loop { while true { for x in 3 { break; }; break; }; break; }",
	"use mod.std.text\nuse mod.std.array\nlet s = try text.upper(\"stra\\u00dfe\") catch \"no\"\narray.unique(text.split(s, \"S\"))",
	"use mod.tool\nlet p = tool.start(\"echo\", \"x\")\nlet q = tool.start_json(\"echo\", {a: [nil, true, 1.5e-7]})\n[p.await(), q.await().parse_json().a]",
	"try { nope; } catch { try { mod.std.assert(false); 1; } catch { 2; }; }",
	"let a = []\na[3] = a\na == [nil, nil, nil, a]\n\"\\u{1F600}\\n\".to_bytes()[0]",
	"let o = {n: {m: [1]}}\no.n.m[0] *= o.n.m[0] - 1\no[\"k\"] = o.n\no.to_json()",
	"return if 1 { 2; } else ({a: 5 .x, b: (|q| q)(1)})",
	"let x = 1; let g = || x; let x = 2; g() + x // comment\n/* block * x */",
	"mod.orders.list({}).id; mod.orders.later(1).await()",
	"a = b = c += 1\n(a) = 2\nf()[0].x = if a b else c",
	"workflow.input.n + workflow[\"outputs\"].zzz",
}

// FuzzParse holds that no text makes the parser panic or misplace a diagnostic, and that a program which parses is
// printed as a text that parses to the same tree.
func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	for _, h := range hostilePrograms {
		if len(h.source) < 2000 {
			f.Add(h.source)
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		report, err := Check(src, Limits{})
		if err != nil {
			if len(src) <= DefaultLimits().SourceBytes {
				t.Fatal(err)
			}
			return
		}
		lines := strings.Count(src, "\n") + 1
		for _, d := range report.Diagnostics {
			if d.Line < 1 || d.Line > lines || d.Column < 1 || d.Column > utf8.RuneCountInString(src)+1 || d.Message == "" {
				t.Fatalf("diagnostic %v", d)
			}
		}
		p, err := Parse(src, Limits{})
		if (err == nil) != report.Valid() {
			t.Fatalf("Parse says %v, Check %v", err, report)
		}
		if err != nil {
			return
		}
		out := p.Format()
		if len(out) > DefaultLimits().SourceBytes {
			return
		}
		q, err := Parse(out, Limits{Tokens: 1 << 20})
		if err != nil {
			t.Fatalf("%v in the printed\n%s", err, out)
		}
		if !reflect.DeepEqual(stripped(p.body), stripped(q.body)) {
			t.Fatalf("another tree is printed as\n%s", out)
		}
		if again := q.Format(); again != out {
			t.Fatalf("printed again as\n%s\nnot\n%s", again, out)
		}
		p.ToolCalls(MaxCalls)
		p.ModuleCalls([]Module{{Name: "orders", Methods: []Method{{Name: "list", Tool: "orders.list"}}}}, MaxCalls)
	})
}

// FuzzEval holds that no program makes an evaluation panic, pass a bound, or end in two ways.
func FuzzEval(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	for _, h := range hostilePrograms {
		if len(h.source) < 2000 {
			f.Add(h.source)
		}
	}
	limits := Limits{Steps: 20_000, Bytes: 200_000, Values: 10_000, Stack: 2_000, CallDepth: 100, StringBytes: 20_000, JSONBytes: 5_000, Pending: 4}.filled()
	f.Fuzz(func(t *testing.T, src string) {
		p, err := Parse(src, limits)
		if err != nil {
			return
		}
		first, steps := fuzzRun(t, p, limits)
		second, again := fuzzRun(t, p, limits)
		if first != second || steps != again {
			t.Fatalf("ends with %s after %d steps, and with %s after %d", first, steps, second, again)
		}
	})
}

func fuzzRun(t *testing.T, p *Program, limits Limits) (string, int) {
	e, err := p.Begin(Config{
		Limits:  limits,
		Host:    hostileHost,
		Modules: []Module{{Name: "orders", Methods: []Method{{Name: "list", Tool: "orders.list"}, {Name: "later", Tool: "orders.list", Deferred: true}}}},
		Globals: map[string]json.RawMessage{"workflow": json.RawMessage(`{"input":{"n":5},"outputs":{}}`)},
	})
	if err != nil {
		var limit *LimitError
		if !errors.As(err, &limit) {
			t.Fatal(err)
		}
		return err.Error(), 0
	}
	e.m.peakTest = true
	for {
		done, err := e.Resume(context.Background())
		if done || err != nil {
			checkBounds(t, e, limits)
			if err != nil {
				return err.Error(), e.Steps()
			}
			return e.Value().String(), e.Steps()
		}
		if !e.RunNext(context.Background()) {
			t.Fatal("waits for nothing")
		}
	}
}

// stripped writes a tree without its positions.
func stripped(n node) string {
	var b strings.Builder
	strip(&b, reflect.ValueOf(n))
	return b.String()
}

func strip(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			b.WriteString("-")
			return
		}
		strip(b, v.Elem())
	case reflect.Struct:
		b.WriteString(v.Type().Name() + "{")
		for i := range v.NumField() {
			switch f := v.Type().Field(i); {
			case f.Type == reflect.TypeFor[at]() || f.Name == "end":
			case f.Type == reflect.TypeFor[*scope]() || f.Type == reflect.TypeFor[*function]() || f.Type == reflect.TypeFor[*variable]() || f.Name == "uses":
			default:
				strip(b, v.Field(i))
				b.WriteString(" ")
			}
		}
		b.WriteString("}")
	case reflect.Slice:
		b.WriteString("[")
		for i := range v.Len() {
			strip(b, v.Index(i))
			b.WriteString(" ")
		}
		b.WriteString("]")
	case reflect.String:
		b.WriteString(strings.ToValidUTF8(v.String(), "?"))
	case reflect.Uint8:
		b.WriteString(kind(v.Uint()).spelling() + string(rune('0'+v.Uint())))
	case reflect.Float64:
	default:
		b.WriteString(v.String())
	}
}
