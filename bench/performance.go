package bench

import (
	"fmt"
	"io"
	"slices"
)

// A promise is a ratio of two rows, or a count, that the project holds to.
type promise struct {
	what  string
	value float64
	bound float64
	least bool // the bound is the least, not the most
}

func (p *promise) kept() string {
	if p.least && p.value >= p.bound || !p.least && p.value <= p.bound {
		return "yes"
	}
	return "no"
}

func promises(measured []Measurement) []promise {
	at := func(group Group, name string) *Measurement {
		return &measured[slices.IndexFunc(measured, func(m Measurement) bool { return m.Group == group && m.Name == name })]
	}
	do := at(Arguments, DoRow)
	over := func(a, b *Measurement) float64 { return ratio(a.taken, b.taken) }
	return []promise{
		{"a call that runs, of the floor", do.OfFloor, 4, false},
		{"allocations of a call that runs", float64(do.Allocs), 8, false},
		{"the call as text with tags, of the call as JSON", over(at(Texts, TextRow), do), 2, false},
		{"a call that fails with suggestions, of one that runs", over(at(Failures, FailRow), do), 10, false},
		{"json.Unmarshal + validator, of the way from the bytes to a checked Input", over(at(Arguments, ValidatorRow), at(Arguments, InputRow)), 3, true},
		{"go-sdk's typed path, of a call that runs", over(at(Arguments, SDKRow), do), 8, true},
		{"a byte of 1 MiB of nested references, of one of 64 KiB", at(Repairs, LargeTextRow).SlowerPerByte, 3, false},
		{"a step parsed by splash, of starlark", over(at(Steps, StepRow(Splash, ParseWork)), at(Steps, StepRow(Starlark, ParseWork))), 1, false},
		{"a for loop of splash, of starlark", over(at(Steps, StepRow(Splash, ForWork)), at(Steps, StepRow(Starlark, ForWork))), 1, false},
		{"a while loop of splash, of starlark", over(at(Steps, StepRow(Splash, WhileWork)), at(Steps, StepRow(Starlark, WhileWork))), 1, false},
	}
}

// WritePerformance writes docs/performance.md.
func WritePerformance(w io.Writer, measured []Measurement, growths []GrowthMeasurement, rounds int, benchtime string) {
	fmt.Fprint(w, `# Performance

Written by `+"`make -C bench bench`"+`. Times hold for one machine and one day; what holds
elsewhere are the ratios, since all rows took turns in one process.

`)
	writeMachine(w)
	fmt.Fprintf(w, `- median of %d rounds of %s a row; ratios are medians of the ratios round by round

## What is promised

| what | measured | at most | at least | kept |
|---|---:|---:|---:|---|
`, rounds, benchtime)
	for _, p := range promises(measured) {
		most, least := fmt.Sprint(p.bound), ""
		if p.least {
			most, least = least, most
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", p.what, times(p.value), most, least, p.kept())
	}
	fmt.Fprint(w, `
CI checks the gates as ratios of the fastest of many short batches, which noise
distorts least, and fails at 1.75 times the bound: `+"`go -C bench test -run Ratios -v .`"+`
Since the fastest batches are those without a garbage collection, its ratios are
lower than these.

## The table

`)
	WriteTable(w, measured)
	fmt.Fprint(w, `
## How the cost grows

Nanoseconds of one call of which one thing grows over three decades; the exponent is
that of the power of its size which fits them best, and beside it that of the last
decade alone, in which what a call costs whatever its size hardly counts. 1 is linear.

`)
	WriteGrowth(w, growths)
	fmt.Fprint(w, `
Problems are listed up to twenty, and then counted, so what is wrong many times costs
less each time. A call of more than some twenty thousand values takes its memory anew,
since one huge call must not hold it for ever: there each value costs several times as
much, most of it for the garbage collector, and beyond that the cost is linear again.
CI fails if the exponent of a last decade is above 1.3.

## What the rows are

**The call** has six parameters in 141 bytes: a text that must match a pattern, a
text of bounded length, a whole number and a number within bounds, one of three
words, and a list of three texts. Every row that ends with a filled struct is
checked to have filled it rightly before it is measured.

**The floor** is what somebody would write by hand for these six parameters and no
others: one pass, the same six checks, unknown and missing names found. It reads
only as much of JSON as this call needs and says no more than yes or no, so no
general program can reach it.

**fwgo** rows are the whole way of a call, from its text to a body that does
nothing: read, normalize, coerce, require, look up, hook, answer. What they do
beyond the rows without checks is in docs/peers.md. A call that needs no repair, no
coercion and no look-up is read straight from its bytes into the Input; at the first
doubt it is read again by the stages, which take about as long as the row with an
escape shows. Both ways end the same, for which there is a test on random commands
and calls. The row without session and body does what json.Unmarshal and a validator
do together, and is what the promise about them is measured on.

**go-sdk** and **mcp-go** rows are a call as the server dispatches it, without a
transport; over one, the message around the call costs many times more than any
row here, so in an MCP server the difference between the rows hardly shows. It
shows in direct actions, in batches and in agents within the process.

**Calls that cannot run** take turns between two calls, since one that fails the
same way twice is answered with a firmer text. More than half of the time of the
one with a near miss goes into finding what to offer.

**Lookups** are over names of about seventeen letters. The scan that they are
compared with looks for the same value, or for one typo where there is nothing to
look for; it folds every key and measures it with lithammer's distance, as
fastWorkflow's matching does; "matched as Python does" is that matching in fwgo, the
other rows are fwgo's own. Keys are prepared before.

**Normalization** is linear in the text however deeply references are nested
(N-13): a megabyte costs about as much a byte as 64 KiB.

**Programs of steps** are one program in three languages, each as somebody would
write it who knows the language, and all ending with the same value. Reading ends
with a syntax tree, before names are resolved; the source is ordinary, not crafted.
Loops and tool calls are of programs that were compiled before, counted and bounded
in splash and starlark as a host would have it. expr-lang has expressions only: its
loop is a sum over a filter, its source one large expression.
`)
}
