package python

// Kind is the Python type of a Value.
type Kind uint8

// The types that a literal can have.
const (
	KindNone Kind = iota
	KindBool
	KindInt
	KindFloat
	KindComplex
	KindString
	KindBytes
	KindEllipsis
	KindList
	KindTuple
	KindSet
	KindDict
)

var kindNames = [...]string{
	KindNone:     "NoneType",
	KindBool:     "bool",
	KindInt:      "int",
	KindFloat:    "float",
	KindComplex:  "complex",
	KindString:   "str",
	KindBytes:    "bytes",
	KindEllipsis: "ellipsis",
	KindList:     "list",
	KindTuple:    "tuple",
	KindSet:      "set",
	KindDict:     "dict",
}

// String returns the name that Python gives the type.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Value is one Python value. The zero Value is None.
type Value struct {
	// Kind says which of the fields below count.
	Kind Kind

	// Text is the content of a string, the raw bytes of a bytes, the canonical digits of an int (as from Int), and the repr
	// of a float (as from FloatRepr), a complex or a bool ("True", "False"). Nothing is lost in it: Float of a float's Text is
	// exactly the float that was read.
	//
	// A Python string can hold lone surrogates, which no valid UTF-8 can. They are kept in the three-byte form that Python
	// calls surrogatepass, so a reader that must have valid text asks utf8.ValidString. A pair of surrogates is the character
	// that it encodes.
	Text string

	// Items are the elements of a list, tuple or set in the order written, or the values of a dict.
	Items []Value

	// Keys are the keys of a dict, one for each of Items.
	Keys []Value

	// Repeats says that the text had further members of a set or dict that are equal to these and were dropped, as Python
	// does. Who must lose nothing refuses such a value.
	Repeats bool
	// Joined says that the text was written as several literals side by side.
	Joined bool
}

// BoolValue returns Python's True or False.
func BoolValue(b bool) Value {
	if b {
		return Value{Kind: KindBool, Text: "True"}
	}
	return Value{Kind: KindBool, Text: "False"}
}
