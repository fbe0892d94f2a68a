package agentmode

import (
	"strings"

	"github.com/fwgo/fwgo/signature"
)

// notFound is the word by which fastWorkflow says that nothing was found
// (FW-55); as a bare value it is no value.
const notFound = "NOT_FOUND"

// bindPositional reads the form "command value" (FW-38 to FW-44). text is not
// empty and is no tag, pair or object. A doubt of UnnamedValue without a field
// is FW-43's refusal.
func bindPositional(sig *signature.Signature, text string) ([]Value, *Doubt) {
	root := sig.Root()
	if doubt := markupDoubt(root, text); doubt != nil {
		return nil, doubt
	}
	value, isQuoted, doubt := unwrapQuotes(text)
	if doubt == nil {
		doubt = doubtOf(root, value, isQuoted)
	}
	if doubt != nil {
		return nil, doubt
	}
	single := isQuoted || wordEnd(text, 0) == len(text)
	target := sig.Positional()
	marked := target >= 0
	if !marked {
		target = onlyText(root.Fields)
	}
	switch {
	case target < 0 && (single || len(root.Fields) == 0):
		return nil, newDoubt(root, UnnamedValue, -1, excerpt(value))
	case !marked && !single:
		return nil, newDoubt(root, SeveralWords, target, excerpt(text))
	}
	if !isQuoted && saysNothing(value) {
		return nil, newDoubt(root, NullWord, target, value)
	}
	if doubt := doubtFor(root, target, value); doubt != nil {
		return nil, doubt
	}
	return []Value{{Field: root.Fields[target].Name, Texts: []string{value}}}, nil
}

// onlyText returns the command's only plain text field, -1 if there is none or
// several.
func onlyText(fields []*signature.Field) int {
	only := -1
	for i, f := range fields {
		if !isPlainText(f.Type) {
			continue
		}
		if only >= 0 {
			return -1
		}
		only = i
	}
	return only
}

// unwrapQuotes removes one pair of quotes around the whole text, which makes it
// one word (FW-40).
func unwrapQuotes(text string) (value string, isQuoted bool, doubt *Doubt) {
	if isQuote(text[0]) {
		end, ok := quoted(text, 0)
		switch {
		case ok && end == len(text):
			return unescape(text[1 : end-1]), true, nil
		case ok && text[len(text)-1] == text[0] && isWordByte(text[end]):
			// 'it's here': the quotes are meant to wrap, and one inside was
			// not escaped.
			return "", false, &Doubt{Kind: UnbalancedQuote, Text: excerpt(text)}
		}
	}
	if unbalanced(text) {
		return "", false, &Doubt{Kind: UnbalancedQuote, Text: excerpt(text)}
	}
	return text, false, nil
}

// doubtOf returns what makes a bare text doubtful for any field (FW-40): it
// may be another form gone wrong. In quotes, a name among other words is text,
// and so is what base64 ends with.
func doubtOf(root *signature.Type, text string, isQuoted bool) *Doubt {
	if !isQuoted && text[0] == '(' {
		// The call's own parentheses, or the value's; (1+2)*3 is a value.
		if end := closing(text, 0); end < 0 || end == len(text) {
			return newDoubt(root, FunctionCall, -1, excerpt(text))
		}
	}
	first := true
	for at := 0; at < len(text); first = false {
		end := wordEnd(text, at)
		word := text[at:end]
		option, isOption := optionName(word)
		switch {
		case isOption && (!isQuoted || first && end == len(text)):
			return newDoubt(root, LooksLikeOption, root.Field(option), excerpt(word))
		case first && !isQuoted && bareName(root, word) >= 0:
			return newDoubt(root, BareName, bareName(root, word), excerpt(text))
		}
		if p, ok := pairAt(root, text, at); ok && p.field < 0 && at+len(p.name) < end {
			only := first && end == len(text) && strings.Contains(strings.TrimRight(word, "="), "=")
			if !isQuoted || only {
				return newDoubt(root, UnknownName, -1, excerpt(p.name))
			}
		}
		at = skipSpace(text, end)
	}
	return pairDoubt(root, text)
}

// pairDoubt is the doubt of a field's name with a "=" after it, anywhere in a
// bare text (FW-40). What stands before it would have to be the value of some
// field, which is not named.
func pairDoubt(root *signature.Type, text string) *Doubt {
	for after := 0; ; {
		i := strings.IndexByte(text[after:], '=')
		if i < 0 {
			return nil
		}
		equals := after + i
		end := after + len(strings.TrimRight(text[after:equals], " \t"))
		at := end
		for at > after && isNameByte(text[at-1]) {
			at--
		}
		field := root.Field(text[at:end])
		switch {
		case field < 0:
		case at == 0:
			return newDoubt(root, QuotedPair, field, excerpt(text)) // only in quotes is it no pair
		default:
			return newDoubt(root, UnnamedValue, field, excerpt(strings.TrimRight(text[:at], " \t")))
		}
		after = equals + 1
	}
}

// markupDoubt is the doubt of what may be tags or of several lines.
func markupDoubt(root *signature.Type, text string) *Doubt {
	line := false
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '<':
			if field := tagOf(root, text, i); field >= 0 {
				return newDoubt(root, TextOutsideTags, field, excerpt(strings.TrimRight(text[:i], " \t\r\n")))
			}
			return newDoubt(root, Markup, -1, excerpt(text))
		case '>':
			return newDoubt(root, Markup, -1, excerpt(text))
		case '\n', '\r':
			line = true
		}
	}
	if line {
		return newDoubt(root, SeveralLines, -1, excerpt(text))
	}
	return nil
}

// bareName returns the field that a first word names without a value: order_id
// or order_id:W1001, also with the wide signs of East Asian keyboards.
func bareName(root *signature.Type, word string) int {
	if i := strings.IndexAny(word, ":：＝"); i > 0 {
		word = word[:i]
	}
	return root.Field(word)
}

// saysNothing reports whether a bare word is how a program writes that there is
// no value.
func saysNothing(value string) bool {
	return strings.EqualFold(value, "null") || value == "None" || value == "undefined"
}

// doubtFor returns what makes a bare value doubtful for its field.
func doubtFor(root *signature.Type, target int, value string) *Doubt {
	f := root.Fields[target]
	switch {
	case value == notFound:
		return newDoubt(root, Placeholder, target, value)
	case takesText(f.Type) && looksLikeList(value):
		return newDoubt(root, LooksLikeList, target, excerpt(value))
	}
	for i, other := range root.Fields {
		if i != target && mustBeGiven(other) {
			return newDoubt(root, OthersMissing, i, excerpt(value))
		}
	}
	return nil
}

// looksLikeList reports whether a text is written as an empty list, or one
// of quoted or nested values; [draft] is a word.
func looksLikeList(s string) bool {
	if s == "" || s[0] != '[' || s[len(s)-1] != ']' {
		return false
	}
	c := s[skipSpace(s, 1)]
	return isQuote(c) || c == '[' || c == '{' || c == ']'
}
