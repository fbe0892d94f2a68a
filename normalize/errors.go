package normalize

import (
	"strconv"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// ErrorKind says what is wrong with a document.
type ErrorKind string

// The kinds of an [Error], each a different thing to tell the caller (rules
// N-17, D-3).
const (
	Empty     ErrorKind = "empty"             // nothing but white space
	CutOff    ErrorKind = "cut off"           // ends in the middle of a value
	Trailing  ErrorKind = "trailing text"     // goes on after one complete value
	Repeated  ErrorKind = "repeated name"     // a member name occurs twice in one object
	BadUTF8   ErrorKind = "bad UTF-8"         // bytes that are not UTF-8, or half a surrogate pair
	Control   ErrorKind = "control character" // a raw control character where JSON has none
	TooDeep   ErrorKind = "too deep"          // nested deeper than Options.MaxDepth
	TooLong   ErrorKind = "too long"          // longer than Options.MaxBytes
	TooMany   ErrorKind = "too many values"   // more values than a call can mean
	Malformed ErrorKind = "malformed"         // not JSON in some other way
	NotObject ErrorKind = "not an object"     // JSON, but a list, a text, a number ...
)

var kindOf = map[jsontree.FaultKind]ErrorKind{
	jsontree.Empty: Empty, jsontree.Cut: CutOff, jsontree.Trailing: Trailing, jsontree.Repeated: Repeated,
	jsontree.BadUTF8: BadUTF8, jsontree.TooDeep: TooDeep, jsontree.TooLong: TooLong, jsontree.TooMany: TooMany, jsontree.Malformed: Malformed,
}

// An Error is the first thing wrong with the arguments or the schema. It is
// data from which a message for the caller is made; its own text serves logs
// and authors (rules N-17, D-8).
type Error struct {
	// Document is "arguments" or "schema".
	Document string
	Kind     ErrorKind
	// Offset is the byte at which reading stopped.
	Offset int
	// Path is the field in which it stopped, empty at the top.
	Path string
	// Name is the repeated member name.
	Name string
	// Expected says in words what could have stood at Offset, where that is
	// known.
	Expected string
	// Limit is the bound that was passed, for TooDeep, TooLong and TooMany.
	Limit int
}

// Error describes the problem for a log.
func (e *Error) Error() string {
	text := "normalize: the " + e.Document + ": " + string(e.Kind) + " at byte " + strconv.Itoa(e.Offset)
	if e.Path != "" {
		text += ", in " + strconv.Quote(e.Path)
	}
	if e.Name != "" {
		text += ", name " + strconv.Quote(e.Name)
	}
	if e.Expected != "" {
		text += ", expected " + e.Expected
	}
	if e.Limit > 0 {
		text += ", the limit is " + strconv.Itoa(e.Limit)
	}
	return text
}

func faultError(document, text string, fault *jsontree.Fault) *Error {
	kind := kindOf[fault.Kind]
	if kind == Malformed && isControl(text, fault.Offset) {
		kind = Control
	}
	return &Error{Document: document, Kind: kind, Offset: fault.Offset, Path: fault.Path, Name: fault.Name,
		Expected: fault.Expected, Limit: fault.Limit}
}

// isControl reports whether reading stopped at a control character that JSON
// has no place for: any but white space, and inside a string all of them.
// What comes before the offset was read without a fault.
func isControl(text string, offset int) bool {
	if offset >= len(text) || text[offset] >= ' ' {
		return false
	}
	inString := false
	for i := 0; i < offset; i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			inString = !inString
		}
	}
	return inString || !isSpace(text[offset])
}

// isSpace reports whether c is white space between the parts of a JSON text.
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func notObject(document, text string) *Error {
	offset := 0
	for isSpace(text[offset]) {
		offset++
	}
	return &Error{Document: document, Kind: NotObject, Offset: offset, Expected: "an object"}
}
