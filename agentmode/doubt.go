package agentmode

import "unicode/utf8"

// DoubtKind says why a text was not bound.
type DoubtKind string

// Doubts about the call as a whole.
const (
	NotACall     DoubtKind = "not_a_call"    // the text does not begin with the command's name
	FunctionCall DoubtKind = "function_call" // arguments in parentheses, or parentheses that do not close
)

// Doubts about which field is meant.
const (
	UnknownName DoubtKind = "unknown_name" // a tag or a pair with a name that no field has (D-4); Text is the name
	GivenTwice  DoubtKind = "given_twice"  // a second value for a field that takes one
	BareName    DoubtKind = "bare_name"    // a field's name without a value
)

// Doubts about tags.
const (
	UnclosedTag     DoubtKind = "unclosed_tag"      // the field's tag has no end
	BrokenTag       DoubtKind = "broken_tag"        // an opening or closing tag that is not well formed
	MismatchedTag   DoubtKind = "mismatched_tag"    // an end that does not belong to the tag that is open
	NestedTag       DoubtKind = "nested_tag"        // a field's tag inside itself
	TagInside       DoubtKind = "tag_inside"        // another field's tag inside a value
	TwoEnds         DoubtKind = "two_ends"          // the value could end in two places
	TextOutsideTags DoubtKind = "text_outside_tags" // words before, between or after the tags
	UnclearItems    DoubtKind = "unclear_items"     // a list's markup is not one equal tag for each item
)

// Doubts about pairs.
const (
	UnbalancedQuote   DoubtKind = "unbalanced_quote"
	UnbalancedBracket DoubtKind = "unbalanced_bracket"
	EmptyValue        DoubtKind = "empty_value"    // nothing stands after the =
	CommaInValue      DoubtKind = "comma_in_value" // a comma that is neither the value's nor a separator
	NullWord          DoubtKind = "null_word"      // None, null or undefined for a text field: the word, or nothing
	PairInside        DoubtKind = "pair_inside"    // another field's pair inside an unquoted value: a=1;b=2
	StrayWords        DoubtKind = "stray_words"    // words between or after the pairs; Field is the pair before
)

// Doubts about a bare value.
const (
	UnnamedValue    DoubtKind = "unnamed_value"     // it belongs to no field (FW-43)
	SeveralWords    DoubtKind = "several_words"     // only a field marked positional takes several
	SeveralLines    DoubtKind = "several_lines"     // it holds a line break
	Markup          DoubtKind = "markup"            // it holds < or >
	LooksLikeOption DoubtKind = "looks_like_option" // -x, --dry_run; Field is the parameter of that name
	LooksLikeList   DoubtKind = "looks_like_list"   // a JSON or Python list for a text field
	OthersMissing   DoubtKind = "others_missing"    // it would leave Field, which is required, without a value
	QuotedPair      DoubtKind = "quoted_pair"       // a pair in quotes: one word, or shell quoting
	Placeholder     DoubtKind = "placeholder"       // the word NOT_FOUND (FW-55)
)

// ParrotedExample is the doubt of [Options].RefuseExamples: the value is an
// example of the field's own documentation (FW-31).
const ParrotedExample DoubtKind = "parroted_example"

// A Doubt is why a text was not bound: data for a message, never the message.
type Doubt struct {
	Kind DoubtKind
	// Field is the field in question, "" if it is none in particular.
	Field string
	// Text is the part of the call in question as it was written, at most 240
	// bytes of it. It is not escaped.
	Text string
}

// longestExcerpt bounds the Text of a Doubt, in bytes. A message shows 60
// characters (D-8).
const longestExcerpt = 240

// excerpt cuts s, between characters if it is UTF-8.
func excerpt(s string) string {
	if len(s) <= longestExcerpt {
		return s
	}
	end := longestExcerpt
	for end > longestExcerpt-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}
