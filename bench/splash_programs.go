package bench

import (
	"fmt"
	"strings"
)

// programs are one program in three languages, each as somebody would write it
// who knows the language well. expr-lang has expressions only: where a program
// is not one, it has none.
type programs struct {
	work                   string
	splash, starlark, expr string
	want                   any // what all of them end with, as encoding/json reads it
}

// The loop of starlark stands in a function, where its names are fastest.
var forLoop = programs{
	work: ForWork,
	splash: `let sum = 0
for i in 10000 {
    if i % 3 == 0 {
        sum += i * 2
    }
}
sum
`,
	starlark: `def run():
    sum = 0
    for i in range(10000):
        if i % 3 == 0:
            sum += i * 2
    return sum
result = run()
`,
	expr: `sum(filter(0..9999, # % 3 == 0), # * 2)`,
	want: 33336666.0,
}

var whileLoop = programs{
	work: WhileWork,
	splash: `let n = 0
while n < 10000 {
    n += 1
}
n
`,
	starlark: `def run():
    n = 0
    while n < 10000:
        n += 1
    return n
result = run()
`,
	want: 10000.0,
}

var toolCalls = programs{
	work: ToolsWork,
	splash: `use mod.tool
let total = 0
for i in 1000 {
    total += tool.call_json("orders.echo", {number: i, text: "some text"}).parse_json().number
}
total
`,
	starlark: `def run():
    total = 0
    for i in range(1000):
        total += json.decode(call("orders.echo", json.encode({"number": i, "text": "some text"})))["number"]
    return total
result = run()
`,
	expr: `sum(0..999, fromJSON(call("orders.echo", toJSON({number: #, text: "some text"}))).number)`,
	want: 499500.0,
}

// summaries is ordinary source of steps, over and over until that of splash is
// so many bytes long.
func summaries(bytes int) programs {
	var s, star, ex strings.Builder
	ex.WriteString("[\n")
	n := 0
	for ; s.Len() < bytes; n++ {
		fmt.Fprintf(&s, `// Take the open orders of one customer and sum up those that are late.
let customer_reference_%[1]d = "customer number %[1]d, written out in full so that text is text"
fn overdue_amount_of_order_%[1]d(order, longest_delay_in_days) {
    if order.status == "pending delivery" && order.days_waiting > longest_delay_in_days {
        return order.total_amount * 1.25 + 17
    } elif order.status == "held at customs until further notice" {
        return 0
    }
    return nil
}
let summary_of_overdue_%[1]d = {reference: customer_reference_%[1]d, overdue: [], comment: "nothing yet"}
fn collect_%[1]d(orders) {
    for position, order in orders {
        let overdue_amount = overdue_amount_of_order_%[1]d(order, 7)
        summary_of_overdue_%[1]d.overdue[position] = (if overdue_amount != nil overdue_amount + 1 else nil)
    }
}
collect_%[1]d([{status: "pending delivery", days_waiting: 12, total_amount: 99.5}, {status: "delivered", days_waiting: 1}])
`, n)
		fmt.Fprintf(&star, `# Take the open orders of one customer and sum up those that are late.
customer_reference_%[1]d = "customer number %[1]d, written out in full so that text is text"
def overdue_amount_of_order_%[1]d(order, longest_delay_in_days):
    if order.status == "pending delivery" and order.days_waiting > longest_delay_in_days:
        return order.total_amount * 1.25 + 17
    elif order.status == "held at customs until further notice":
        return 0
    return None

summary_of_overdue_%[1]d = {"reference": customer_reference_%[1]d, "overdue": [], "comment": "nothing yet"}
def collect_%[1]d(orders):
    for position, order in enumerate(orders):
        overdue_amount = overdue_amount_of_order_%[1]d(order, 7)
        summary_of_overdue_%[1]d["overdue"].insert(position, overdue_amount + 1 if overdue_amount != None else None)

collect_%[1]d([struct(status = "pending delivery", days_waiting = 12, total_amount = 99.5), struct(status = "delivered", days_waiting = 1)])
`, n)
		fmt.Fprintf(&ex, `// Take the open orders of one customer and sum up those that are late.
{
    reference: "customer number %[1]d, written out in full so that text is text",
    comment: "nothing yet",
    overdue: map([{status: "pending delivery", days_waiting: 12, total_amount: 99.5}, {status: "delivered", days_waiting: 1}],
        let longest_delay_in_days_%[1]d = 7;
        let overdue_amount_of_order_%[1]d = if #.status == "pending delivery" and #.days_waiting > longest_delay_in_days_%[1]d {
            #.total_amount * 1.25 + 17
        } else if #.status == "held at customs until further notice" {
            0
        } else {
            nil
        };
        overdue_amount_of_order_%[1]d != nil ? overdue_amount_of_order_%[1]d + 1 : nil),
},
`, n)
	}
	ex.WriteString("]\n")
	var names []string
	var want []any
	for i := range n {
		names = append(names, fmt.Sprintf("summary_of_overdue_%d", i))
		want = append(want, map[string]any{
			"reference": fmt.Sprintf("customer number %d, written out in full so that text is text", i),
			"comment":   "nothing yet",
			"overdue":   []any{142.375, nil},
		})
	}
	all := "[" + strings.Join(names, ", ") + "]\n"
	return programs{splash: s.String() + all, starlark: star.String() + "result = " + all, expr: ex.String(), want: want}
}
