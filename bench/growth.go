package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/signature"
	"github.com/fwgo/fwgo/validate"
)

// A Growth is a call of which one thing grows over three decades.
type Growth struct {
	// Name says what grows and how the call is read.
	Name string
	// Sizes are how large it is, each ten times the one before.
	Sizes [4]int
	// Call makes the call of one size; it reports whether the call went as it
	// should.
	Call func(size int) func() bool
}

// Growths lists what is grown. "Directly" is the way of a call that needs
// nothing, "by the stages" that of all others: one escape is enough for it.
func Growths() []Growth {
	from := func(least int) [4]int { return [4]int{least, 10 * least, 100 * least, 1000 * least} }
	return []Growth{
		{"fields, directly", from(4), func(n int) func() bool { return manyFields(n, `"f0"`) }},
		{"fields, by the stages", from(4), func(n int) func() bool { return manyFields(n, `"\u00660"`) }},
		{"fields of a command made from a schema", from(4), manyProperties},
		{"fields, as text with tags", from(4), manyTags},
		{"names that no field has", from(4), manyStrangers},
		{"bytes of one text, directly", from(100), func(n int) func() bool { return doing(true, `"note":"`+strings.Repeat("a", n)+`"`) }},
		{"bytes of one text, by the stages", from(100), func(n int) func() bool { return doing(true, `"note":"\u0061`+strings.Repeat("a", n)+`"`) }},
		{"bytes of one text with references", from(100), func(n int) func() bool { return doing(true, `"note":"`+strings.Repeat("a &lt; b ", n/9)+`"`) }},
		{"items of one list, directly", from(10), func(n int) func() bool { return doing(true, `"tags":[`+repeated(`"gift"`, n)+`]`) }},
		{"items of one list, by the stages", from(10), func(n int) func() bool { return doing(true, `"tags":["\u0067",`+repeated(`"gift"`, n)+`]`) }},
		{"items of one list, as the text of it", from(10), func(n int) func() bool { return doing(true, `"tags":"`+repeated(`gift`, n)+`"`) }},
		{"items of one list that may not repeat", from(10), func(n int) func() bool { return doing(true, `"labels":[`+numbered(n)+`]`) }},
		{"items of one list, all wrong", from(10), func(n int) func() bool { return doing(false, `"counts":[`+repeated(`"x"`, n)+`]`) }},
	}
}

// grown is the Input of most of them.
type grown struct {
	Note   string   `json:"note,omitempty"`
	Tags   []string `json:"tags,omitempty"`
	Labels []string `json:"labels,omitempty" jsonschema:"uniqueItems=true"`
	Counts []int    `json:"counts,omitempty"`
}

func repeated(item string, n int) string { return strings.Repeat(item+",", n-1) + item }

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"label %d",`, i)
	}
	return strings.TrimSuffix(b.String(), ",")
}

// doing calls a command with the members as its arguments.
func doing(runs bool, members string) func() bool {
	session := command.MustNew(command.Options{Name: "bench"}, command.Define(command.Spec[grown]{
		Name: "grow",
		Run:  func(context.Context, *command.Session, *grown) (command.Response, error) { return command.Say(""), nil },
	})).NewSession()
	action := command.Action{CommandName: "grow", Parameters: json.RawMessage("{" + members + "}")}
	return func() bool { return session.Do(context.Background(), action).Ran() == runs }
}

// manyFields checks arguments for a struct of n fields; first is how the first
// is written.
func manyFields(n int, first string) func() bool {
	fields, members := make([]reflect.StructField, n), make([]string, n)
	for i := range fields {
		fields[i] = reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[int](), Tag: reflect.StructTag(fmt.Sprintf(`json:"f%d"`, i))}
		members[i] = fmt.Sprintf(`"f%d":%d`, i, i)
	}
	members[0] = first + ":0"
	sig, err := signature.FromType(reflect.StructOf(fields), signature.TypeOptions{})
	if err != nil {
		panic(err)
	}
	stages, err := validate.New(sig, validate.Options{Command: "grow"})
	if err != nil {
		panic(err)
	}
	text := "{" + strings.Join(members, ",") + "}"
	return func() bool {
		v := stages.Begin()
		defer v.Release()
		if !v.Direct(text, jsontree.Limits{}) {
			doc, fault := jsontree.Parse(text, jsontree.Limits{}, v.Arena())
			if fault != nil {
				return false
			}
			v.Load(&doc.Root)
		}
		report := v.Run(context.Background())
		return report.OK()
	}
}

// fromProperties makes the command of a schema of n texts.
func fromProperties(n int) (session *command.Session, arguments, tags string) {
	properties, members, written := make([]string, n), make([]string, n), make([]string, n)
	for i := range properties {
		properties[i] = fmt.Sprintf(`"f%d":{"type":"string"}`, i)
		members[i] = fmt.Sprintf(`"f%d":"value"`, i)
		written[i] = fmt.Sprintf("<f%d>value</f%d>", i, i)
	}
	schema := `{"title":"grow","type":"object","properties":{` + strings.Join(properties, ",") + `},"additionalProperties":false}`
	session = command.MustNew(command.Options{Name: "bench"}, command.Define(command.Spec[signature.Record]{
		Name: "grow", Schema: []byte(schema),
		Run: func(context.Context, *command.Session, *signature.Record) (command.Response, error) {
			return command.Say(""), nil
		},
	})).NewSession()
	return session, "{" + strings.Join(members, ",") + "}", "grow " + strings.Join(written, "\n")
}

func manyProperties(n int) func() bool {
	session, arguments, _ := fromProperties(n)
	action := command.Action{CommandName: "grow", Parameters: json.RawMessage(arguments)}
	return func() bool { return session.Do(context.Background(), action).Ran() }
}

func manyTags(n int) func() bool {
	session, _, tags := fromProperties(n)
	return func() bool { return session.Call(context.Background(), tags).Ran() }
}

func manyStrangers(n int) func() bool {
	session, _, _ := fromProperties(4)
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf(`"g%d":1`, i)
	}
	action := command.Action{CommandName: "grow", Parameters: json.RawMessage("{" + strings.Join(members, ",") + "}")}
	return func() bool { return !session.Do(context.Background(), action).Ran() }
}

// A GrowthMeasurement is what the sizes of a Growth cost.
type GrowthMeasurement struct {
	Growth
	Nanoseconds [4]float64
	// Exponent is that of the power of the size which fits the costs best, and
	// LastExponent that of the last decade alone, in which what a call costs
	// whatever its size hardly counts.
	Exponent, LastExponent float64
}

// MeasureGrowth takes the fastest of some short batches of each size.
func MeasureGrowth(g Growth, rounds int) (GrowthMeasurement, error) {
	m := GrowthMeasurement{Growth: g}
	rows := make([]*Row, len(g.Sizes))
	for i, size := range g.Sizes {
		call := g.Call(size)
		if !call() {
			return m, fmt.Errorf("%s, size %d: the call did not go as it should", g.Name, size)
		}
		rows[i] = &Row{Call: func() { call() }}
	}
	copy(m.Nanoseconds[:], Fastest(rows, rounds, 500*time.Microsecond))
	m.fit()
	return m, nil
}

// fit finds the exponents: by least squares over the logarithms, where the
// sizes are at 0, 1, 2 and 3 decades.
func (m *GrowthMeasurement) fit() {
	m.Exponent = 0
	for i, ns := range m.Nanoseconds {
		m.Exponent += (float64(i) - 1.5) * math.Log10(ns) / 5
	}
	m.LastExponent = math.Log10(m.Nanoseconds[3] / m.Nanoseconds[2])
}

// WriteGrowth writes the measurements as one markdown table.
func WriteGrowth(w io.Writer, growths []GrowthMeasurement) {
	fmt.Fprintln(w, "| what grows | sizes | smallest | x 10 | x 100 | x 1,000 | exponent | last decade |")
	fmt.Fprintln(w, "|---|---:|---:|---:|---:|---:|---:|---:|")
	for _, m := range growths {
		fmt.Fprintf(w, "| %s | %s to %s", m.Name, thousands(m.Sizes[0]), thousands(m.Sizes[3]))
		for _, ns := range m.Nanoseconds {
			fmt.Fprintf(w, " | %s", thousands(int(math.Round(ns))))
		}
		fmt.Fprintf(w, " | %.2f | %.2f |\n", m.Exponent, m.LastExponent)
	}
}
