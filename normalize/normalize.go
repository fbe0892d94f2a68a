package normalize

import (
	"sync"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// Options says how arguments are normalized. The zero value is the rule as it
// is written, which is what most callers want.
type Options struct {
	// Nested extends repair 1 from the parameters to whatever the schema
	// declares inside them: properties, list items and the values of maps
	// (rule N-7). It also lets nested properties carry a `references` policy
	// of their own (N-15).
	Nested bool
	// KeepNonCharacters leaves references to numbers that name no character
	// (0, surrogates, above 10FFFF) as they were sent instead of turning them
	// into U+FFFD, which loses what was sent (N-12).
	KeepNonCharacters bool
	// MaxDepth is the deepest nesting of lists and objects, counted through
	// decoded text; 0 means 512 (N-17).
	MaxDepth int
	// MaxBytes is the longest document; 0 means no bound but the four million
	// values that any document may hold (N-17).
	MaxBytes int
}

// A Normalizer repairs the arguments of one tool. It does not change after
// [Compile] and may be used by many goroutines at a time.
type Normalizer struct {
	options Options
	root    *place
}

// deepestSchema bounds the nesting of a schema, as encoding/json bounds it.
const deepestSchema = 10_000

// mostValues bounds the memory of one document for who sets no MaxBytes.
const mostValues = 1 << 22

// Compile reads a tool's input schema and plans what it vouches for. It takes
// any JSON schema, looking through `type`, `anyOf`, `oneOf`, a single-element
// `allOf` and local `$ref` (rule N-5); what it does not know says nothing. It
// fails, with an [Error], only for a text that is not one JSON object of
// members with different names, or is out of all proportion (10,000 levels,
// four million values).
func Compile(schema []byte, o Options) (*Normalizer, error) {
	if o.MaxDepth <= 0 {
		o.MaxDepth = jsontree.DefaultDepth
	}
	text := string(schema)
	doc, fault := jsontree.Parse(text, jsontree.Limits{Depth: deepestSchema}, &jsontree.Arena{Most: mostValues})
	if fault != nil {
		return nil, faultError("schema", text, fault)
	}
	if doc.Root.Kind != jsontree.Object {
		return nil, notObject("schema", text)
	}
	return &Normalizer{options: o, root: plan(readSchema(&doc.Root), o.Nested)}, nil
}

// A Result is what became of the arguments.
type Result struct {
	// Arguments is the repaired document. It is the bytes that were given if
	// nothing was repaired; else only repaired values and those around them
	// are written anew (rules N-2, N-8).
	Arguments []byte
	// Repairs says what was repaired, in document order (N-16).
	Repairs []Repair
}

var arenas = sync.Pool{New: func() any { return &jsontree.Arena{Most: mostValues} }}

// Arguments normalizes the arguments of one call, which must be a JSON object
// (rules N-1 to N-17). It never changes raw. The error is an [*Error]: the
// first thing wrong with the document and the place of it.
func (n *Normalizer) Arguments(raw []byte) (Result, error) {
	arena := arenas.Get().(*jsontree.Arena)
	defer func() {
		arena.Reset()
		arenas.Put(arena)
	}()
	text := string(raw)
	doc, fault := jsontree.Parse(text, jsontree.Limits{Bytes: n.options.MaxBytes, Depth: n.options.MaxDepth}, arena)
	if fault != nil {
		return Result{}, faultError("arguments", text, fault)
	}
	if doc.Root.Kind != jsontree.Object {
		return Result{}, notObject("arguments", text)
	}
	repairs := n.Tree(&doc, arena)
	if len(repairs) == 0 {
		return Result{Arguments: raw}, nil
	}
	return Result{Arguments: doc.Root.Append(make([]byte, 0, len(text))), Repairs: repairs}, nil
}
