package agentmode

import (
	"github.com/fwgo/fwgo/internal/python"
	"github.com/fwgo/fwgo/signature"
)

// Outcome says what may happen with a text next.
type Outcome uint8

const (
	// Bound: the values, or the JSON object, are what the text says.
	Bound Outcome = iota + 1
	// Declined: the text is in doubt; an extractor may try (FW-17).
	Declined
	// Refused: nothing may try. The command never runs on its defaults
	// instead; the caller must say it better (FW-43).
	Refused
)

var outcomeWords = [...]string{"no outcome", "bound", "declined", "refused"}

// String returns the outcome as a word.
func (o Outcome) String() string { return outcomeWords[o] }

// Form is the way a text was written, by the label of the diagnostics record
// (FW-98). Of a text that was not bound it is the form that came nearest.
type Form string

// The forms of a text call.
const (
	FormTags       Form = "xml_regex"
	FormPairs      Form = "name_value"
	FormJSON       Form = "json"
	FormPositional Form = "positional"
	FormNone       Form = "none" // no parameters, or no call
)

// A Value is what a text gives for one field.
type Value struct {
	// Field is the field's declared name, also where the text used an alias.
	Field string
	// Texts are the raw texts in order, parts of the message where nothing
	// had to be unescaped. There is exactly one unless Repeated.
	Texts []string
	// Repeated says that each of the texts is one item of a list, as it is.
	// Otherwise the one text of a list field is still to be read as a list.
	Repeated bool
}

// A Result is what became of a text.
type Result struct {
	Outcome Outcome
	Form    Form
	// Values are the fields that were given, in the order of the text. A
	// field is named once.
	Values []Value
	// JSON is the text after the command's name, for FormJSON: an object, or
	// what was meant for one. Its reader reports what is wrong with it.
	JSON string
	// Doubt says why a text was not bound; nil if it was.
	Doubt *Doubt
}

// Options change what a Binder takes.
type Options struct {
	// RefuseExamples declines a call that gives a text field one of its own
	// documented examples, a sign of a model that parrots its prompt (FW-31).
	// Closed vocabularies and fields with db_lookup are exempt: there an
	// example is a value (FW-205). It suits a workflow with an extractor that
	// reads the text again; without one it refuses a valid call, since an
	// example may be the very value that is meant.
	RefuseExamples bool
}

// A Binder binds the text calls of one command. It never changes and is safe
// for concurrent use.
type Binder struct {
	sig      *signature.Signature
	names    []string
	examples [][]string // by field; nil unless RefuseExamples
}

// New makes the Binder of a command. The names are those a call may begin
// with: the simple and the qualified one.
func New(sig *signature.Signature, o Options, names ...string) *Binder {
	b := &Binder{sig: sig, names: names}
	if o.RefuseExamples {
		b.examples = exampleTexts(sig)
	}
	return b
}

// Bind binds the caller's whole message for the command with the names, by
// default options. A message whose first token is none of the names is no call.
func Bind(sig *signature.Signature, text string, names ...string) Result {
	b := Binder{sig: sig, names: names}
	return b.Bind(text)
}

// Bind binds the caller's whole message. A message that does not begin with one
// of the command's names is no call, whatever it mentions (D-6).
func (b *Binder) Bind(text string) Result { return b.BindIn(nil, text) }

// BindIn is Bind with the Values of the Result in the room, until it is cleared
// or binds another text; nil means memory of their own.
func (b *Binder) BindIn(room *Room, text string) Result {
	rest, parens, ok := remainder(text, b.names)
	switch {
	case !ok:
		return declined(FormNone, &Doubt{Kind: NotACall, Text: excerpt(rest)})
	case parens == unmatched:
		return b.answer(FormNone, nil, b.callDoubt(rest[1:], rest))
	case parens == wrapped && isArguments(rest):
		return b.answer(FormNone, nil, b.callDoubt(rest, rest))
	}
	return b.bindRest(room, rest)
}

// BindRemainder binds what follows a command's name, or a follow-up answer that
// names only parameters (FW-114).
func (b *Binder) BindRemainder(text string) Result {
	return b.bindRest(nil, python.TrimSpace(text))
}

// bindRest tries the forms in their order (D-6).
func (b *Binder) bindRest(room *Room, rest string) Result {
	switch {
	case rest == "":
		return Result{Outcome: Bound, Form: FormNone}
	case rest[0] == '{':
		return Result{Outcome: Bound, Form: FormJSON, JSON: rest}
	case rest[0] == '<':
		values, doubt := bindTags(b.sig, rest, room)
		return b.answer(FormTags, values, doubt)
	}
	if _, isPair := pairAt(b.sig.Root(), rest, 0); isPair {
		values, doubt := bindPairs(b.sig, rest, room)
		return b.answer(FormPairs, values, doubt)
	}
	value, doubt := bindPositional(b.sig, rest)
	if doubt != nil && doubt.Kind == UnnamedValue && doubt.Field == "" {
		return Result{Outcome: Refused, Form: FormPositional, Doubt: doubt}
	}
	return b.answer(FormPositional, value, doubt)
}

// answer makes the result of a form. What a command without fields is given is
// refused, not dropped (D-4): there is nothing an extractor could look for.
func (b *Binder) answer(form Form, values []Value, doubt *Doubt) Result {
	if doubt == nil && b.examples != nil {
		doubt = b.parroted(values)
	}
	switch {
	case doubt == nil:
		return Result{Outcome: Bound, Form: form, Values: values}
	case len(b.sig.Fields()) == 0:
		return Result{Outcome: Refused, Form: form, Doubt: doubt}
	}
	return declined(form, doubt)
}

func declined(form Form, doubt *Doubt) Result {
	return Result{Outcome: Declined, Form: form, Doubt: doubt}
}

// isArguments reports whether what stood in the parentheses of cmd(...) are
// the arguments of a function call, named or several, and not one value. They
// are in nobody's grammar here: which quoting rules hold, what None means and
// in which order bare arguments come would all be guesses.
func isArguments(inner string) bool {
	if inner == "" || inner[0] == '<' || inner[0] == '{' {
		return false
	}
	several := false
	depth := 0
	walkUnquoted(inner, 0, func(at int) bool {
		switch inner[at] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',', '=':
			several = depth <= 0
		}
		return !several
	})
	return several
}

// callDoubt is the doubt of a function call; its field is the one that the
// first argument names.
func (b *Binder) callDoubt(arguments, text string) *Doubt {
	doubt := &Doubt{Kind: FunctionCall, Text: excerpt(text)}
	arguments = arguments[skipSpace(arguments, 0):]
	if pair, ok := pairAt(b.sig.Root(), arguments, 0); ok && pair.field >= 0 {
		doubt.Field = b.sig.Fields()[pair.field].Name
	}
	return doubt
}
