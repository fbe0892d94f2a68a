package jsontree

import "strconv"

// FaultKind says what is wrong with a document.
type FaultKind uint8

// The faults of a document. Each has a message of its own at the caller's
// side; none is ever reported as a missing field (rule D-3).
const (
	Empty     FaultKind = iota + 1 // nothing but white space
	Cut                            // ends in the middle of a value
	Trailing                       // more text after one complete value
	Repeated                       // a member name occurs twice in one object
	BadUTF8                        // bytes that are not UTF-8, or half a surrogate pair
	TooDeep                        // nested deeper than the limit
	TooLong                        // longer than the limit
	Malformed                      // not JSON
	TooMany                        // more values than the limit
)

// ExpectedEscape is what a Fault expected after a backslash that begins no
// escape of JSON.
const ExpectedEscape = `an escape such as \n, \" or \u0041`

// A Fault is the first thing wrong with a document. It is data, not a text
// for callers; the error text serves logs and authors.
type Fault struct {
	Kind FaultKind
	// Offset is the byte at which reading stopped.
	Offset int
	// Path is the field in which it stopped, empty at the top.
	Path string
	// Name is the repeated member name.
	Name string
	// Expected says what could have stood at Offset, in words.
	Expected string
	// Limit is the bound that was passed, for TooDeep, TooLong and TooMany.
	Limit int
}

var faultWords = [...]string{"", "is empty", "is cut off", "goes on after one complete value", "repeats a member name",
	"is not UTF-8", "is nested too deep", "is too long", "is not JSON", "holds too many values"}

// Error describes the fault for an author or a log.
func (f *Fault) Error() string {
	text := "the document " + faultWords[f.Kind] + " at byte " + strconv.Itoa(f.Offset)
	if f.Path != "" {
		text += ", in " + f.Path
	}
	if f.Name != "" {
		text += ", name " + strconv.Quote(f.Name)
	}
	if f.Expected != "" {
		text += ", expected " + f.Expected
	}
	return text
}
