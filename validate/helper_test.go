package validate_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"log/slog"
	"maps"
	"math/big"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/signature"
	"github.com/fwgo/fwgo/validate"
)

// silent swallows the log, for tests in which authors' code fails on purpose.
var silent = slog.New(slog.DiscardHandler)

// An oracle judges arguments by a published schema, independently of the
// package under test.
type oracle struct{ schema *jsonschema.Schema }

func newOracle(schema []byte) (oracle, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return oracle{}, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseRegexpEngine(func(source string) (jsonschema.Regexp, error) {
		return regexp.Compile(ecmaEscape.ReplaceAllString(source, `\x{$1}`)) // RE2 writes ECMAScript's escapes so
	})
	if err := c.AddResource("schema.json", doc); err != nil {
		return oracle{}, err
	}
	s, err := c.Compile("schema.json")
	return oracle{s}, err
}

var ecmaEscape = regexp.MustCompile(`\\u([0-9A-Fa-f]{4})`)

// hugeExponent finds numbers that the oracle would write out in full.
var hugeExponent = regexp.MustCompile(`[0-9][eE][+-]?[0-9]{5}`)

// accepts returns nil if the schema accepts the arguments. Numbers are judged
// exactly, and not at all where that would take all the memory there is.
func (o oracle) accepts(arguments []byte) error {
	if hugeExponent.Match(arguments) {
		return nil
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(arguments))
	if err != nil {
		return err
	}
	return o.schema.Validate(doc)
}

// command is a validator together with the oracle of its schema.
type command struct {
	*validate.Validator
	oracle oracle
}

// try makes a command of a schema; the error is the author's.
func try(schema string, o validate.Options) (*command, error) {
	sig, err := signature.FromSchema([]byte(schema))
	if err != nil {
		return nil, err
	}
	if o.Logger == nil {
		o.Logger = silent
	}
	v, err := validate.New(sig, o)
	if err != nil {
		return nil, err
	}
	judge, err := newOracle([]byte(schema))
	if err != nil {
		return nil, errors.Join(errors.New("the oracle cannot read the schema"), err)
	}
	return &command{v, judge}, nil
}

func make1(t testing.TB, schema string, o validate.Options) *command {
	t.Helper()
	c, err := try(schema, o)
	if err != nil {
		t.Fatalf("schema %s: %v", schema, err)
	}
	return c
}

// withField is the schema of a command with one required parameter f.
func withField(f string) string {
	return `{"type":"object","properties":{"f":` + f + `},"required":["f"]}`
}

// withOptional is the schema of a command with one optional parameter f.
func withOptional(f string) string {
	return `{"type":"object","properties":{"f":` + f + `}}`
}

// An answer is what became of one call.
type answer struct {
	validate.Report
	values string // what a body would see, as JSON; "" if the call may not run
	input  any
	trace  validate.Diagnostics
}

// tree reads arguments, which must be JSON; text-bound ones if loose.
func tree(t testing.TB, arguments string, loose bool) *jsontree.Value {
	t.Helper()
	doc, fault := jsontree.Parse(arguments, jsontree.Limits{KeepRepeated: true}, nil)
	if fault != nil {
		t.Fatalf("arguments %.200q: %v", arguments, fault)
	}
	if loose {
		loosen(&doc.Root)
	}
	return &doc.Root
}

// loosen marks every text as bound from a text call.
func loosen(v *jsontree.Value) {
	v.Loose = v.Kind == jsontree.String
	for i := range v.Items {
		loosen(&v.Items[i])
	}
	for i := range v.Members {
		loosen(&v.Members[i].Value)
	}
}

// call runs JSON arguments through the stages and holds every accepted call
// to the published schema.
func (c *command) call(t testing.TB, arguments string) answer {
	t.Helper()
	return c.run(t, context.Background(), tree(t, arguments, false))
}

// text is call for arguments bound from a text call.
func (c *command) text(t testing.TB, arguments string) answer {
	t.Helper()
	return c.run(t, context.Background(), tree(t, arguments, true))
}

func (c *command) run(t testing.TB, ctx context.Context, arguments *jsontree.Value) answer {
	t.Helper()
	v := c.Begin()
	defer v.Release()
	v.Load(arguments)
	a := answer{Report: v.Run(ctx), input: v.Input()}
	a.trace = v.Diagnose("json", &a.Report)
	if !a.OK() {
		if len(a.Problems) == 0 {
			t.Errorf("stage %s ended the call without a problem", a.Stage)
		}
		return a
	}
	if len(a.Problems) > 0 {
		t.Errorf("an accepted call has problems: %+v", a.Problems)
	}
	a.values = string(v.AppendJSON(nil))
	if err := c.oracle.accepts([]byte(a.values)); err != nil {
		t.Errorf("the call runs with %.500s, which the published schema refuses: %v", a.values, err)
	}
	return a
}

// kinds lists "kind field" of an answer's problems.
func (a answer) kinds() string {
	var out []string
	for _, p := range a.Problems {
		out = append(out, strings.TrimSpace(string(p.Kind)+" "+p.Field))
	}
	return strings.Join(out, ", ")
}

// message renders an answer for an agent.
func (a answer) message() string { return validate.Message("cmd", a.Problems, validate.Wording{}) }

// sameJSON reports whether two documents are equal as JSON values: numbers by
// exact value, members in any order.
func sameJSON(t testing.TB, a, b string) bool {
	t.Helper()
	return sameValue(tree(t, a, false), tree(t, b, false))
}

func sameValue(a, b *jsontree.Value) bool {
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case jsontree.Bool:
		return a.True == b.True
	case jsontree.Number:
		return sameNumber(a.Text, b.Text)
	case jsontree.String:
		return a.Text == b.Text
	case jsontree.List:
		return slices.EqualFunc(a.Items, b.Items, func(x, y jsontree.Value) bool { return sameValue(&x, &y) })
	case jsontree.Object:
		if len(a.Members) != len(b.Members) {
			return false
		}
		for i := range a.Members {
			other := b.Get(a.Members[i].Name)
			if other == nil || !sameValue(&a.Members[i].Value, other) {
				return false
			}
		}
	}
	return true
}

// sameNumber compares two JSON numbers exactly. Numbers whose exponents no
// test means to compute with are compared as they are written.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	if len(exponent(a)) > 4 || len(exponent(b)) > 4 {
		return false
	}
	x, okX := new(big.Rat).SetString(a)
	y, okY := new(big.Rat).SetString(b)
	return okX && okY && x.Cmp(y) == 0
}

func exponent(number string) string {
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		return number[i+1:]
	}
	return ""
}

// rows reads a file of one JSON object a line.
func rows[T any](t testing.TB, path string) []T {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatalf("the recorded outcomes are needed for this test: %v", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	var out []T
	for lines.Scan() {
		var row T
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%s line %d: %v", path, len(out)+1, err)
		}
		out = append(out, row)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// An expected difference is a class of rows whose outcome here is not the
// recorded one, with the rule that says so.
type expected struct {
	class, rule string
	used        int
}

// differences is the reviewed list of expected differences of one file.
type differences struct {
	path    string
	classes []*expected
}

// readDifferences reads a list: one class a line, as "class | rule: reason".
func readDifferences(t testing.TB, path string) *differences {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := &differences{path: path}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		class, rule, found := strings.Cut(line, "|")
		if !found || strings.TrimSpace(rule) == "" {
			t.Errorf("%s: %q gives no reason", path, line)
		}
		d.classes = append(d.classes, &expected{class: strings.TrimSpace(class), rule: strings.TrimSpace(rule)})
	}
	return d
}

// cover returns the class that covers a difference: the first line for which
// it holds, "" if there is none.
func (d *differences) cover(holds func(class string) bool) string {
	for _, e := range d.classes {
		if holds(e.class) {
			e.used++
			return e.class
		}
	}
	return ""
}

// done fails the test for every line that covers nothing, and logs the
// figures.
func (d *differences) done(t testing.TB) {
	t.Helper()
	for _, e := range d.classes {
		if e.used == 0 {
			t.Errorf("%s: %q covers no difference; take the line out", d.path, e.class)
		}
		t.Logf("%5d  %s", e.used, e.class)
	}
}

// sorted ranges over a map in the order of its keys.
func sorted[K cmp.Ordered, V any](m map[K]V) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}
