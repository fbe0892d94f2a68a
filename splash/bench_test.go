package splash

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// ordinarySource is step source as people write it, repeated up to a size.
func ordinarySource(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `// Take the open orders of one customer and cancel those that are late.
use mod.tool
let customer_reference_%[1]d = "customer number %[1]d, written out in full so that text is text"
fn is_overdue_for_delivery_%[1]d(order, longest_delay_in_days) {
    if order.status == "pending delivery" && order.days_waiting > longest_delay_in_days {
        return order.total_amount * 1.25 + 17
    } elif order.status == "held at customs until further notice" {
        return 0
    }
    return nil
}
let summary_of_overdue_%[1]d = {reference: customer_reference_%[1]d, overdue: [], comment: "nothing yet"}
for position, order in [{status: "pending delivery", days_waiting: 12, total_amount: 99.5}] {
    let overdue_amount = is_overdue_for_delivery_%[1]d(order, 7)
    summary_of_overdue_%[1]d.overdue[position] = (try overdue_amount + 1 catch nil)
}
`, i)
	}
	return b.String()
}

func BenchmarkParse256K(b *testing.B) {
	src := ordinarySource(256 << 10)
	limits := Limits{SourceBytes: 1 << 20, Tokens: 1 << 20}
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(src, limits); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheck1M(b *testing.B) {
	src := ordinarySource(1 << 20)
	limits := Limits{SourceBytes: 1 << 21, Tokens: 1 << 20}
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if r, err := Check(src, limits); err != nil || !r.Valid() {
			b.Fatal(err, r.Diagnostics)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(src)), "ns/byte")
}

func benchEval(b *testing.B, src string, cfg Config) {
	p, err := Parse(src, Limits{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Eval(context.Background(), cfg); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoop10000(b *testing.B) {
	benchEval(b, "let n = 0\nwhile n < 10000 {\n    n += 1\n}\nn", Config{})
}

func BenchmarkForLoop10000(b *testing.B) {
	benchEval(b, "let s = 0\nfor i in 10000 {\n    if i % 3 == 0 { s += i * 2; }\n}\ns", Config{})
}

func BenchmarkCalls10000(b *testing.B) {
	benchEval(b, "fn add(a, b) { return a + b; }\nlet s = 0\nfor i in 10000 {\n    s = add(s, i)\n}\ns", Config{})
}

func BenchmarkToolCalls1000(b *testing.B) {
	echo := Tools(func(_ context.Context, c Call) (string, error) { return c.Input, nil })
	benchEval(b, `use mod.tool
let total = 0
for i in 1000 {
    total += tool.call_json("orders.echo", {number: i, text: "some text"}).parse_json().number
}
total`, Config{Host: echo})
}
