package signature

import (
	"strconv"
	"strings"

	"github.com/fwgo/fwgo/internal/quote"
)

const (
	longestQuoted  = 60 // characters of one word in a description (D-8)
	longestPattern = 200
)

// mostWords is how many members of a vocabulary a description lists before
// it counts the rest (D-8).
const mostWords = 20

// Accepted says in words what the type takes, for messages and displays.
func (t *Type) Accepted() string {
	if t.words != "" {
		return t.words
	}
	return t.accepted(false)
}

// AcceptedRange is Accepted with the range that the Go type or format implies
// as well, for who was beyond it.
func (t *Type) AcceptedRange() string {
	if t.wordsOfRange != "" {
		return t.wordsOfRange
	}
	return t.accepted(true)
}

// describe writes down what a type and its parts accept, which calls only read.
func (t *Type) describe(done map[*Type]bool) {
	if t == nil || done[t] {
		return
	}
	done[t] = true
	t.Items.describe(done)
	t.Rest.describe(done)
	for _, part := range t.Prefix {
		part.describe(done)
	}
	for _, member := range t.Members {
		member.describe(done)
	}
	for _, f := range t.Fields {
		f.Type.describe(done)
	}
	t.words, t.wordsOfRange = t.accepted(false), t.accepted(true) // the parts' words are in it
}

func (t *Type) accepted(implied bool) string {
	text := acceptedShape(t)
	if t.Enum != nil {
		return text
	}
	limits := limitsText(t, implied)
	switch items := longItems(t); {
	case limits == "":
		return text
	case items != "":
		return "a list " + limits + ": " + items
	}
	return text + " " + limits
}

// longItems describes the items of a list if that takes so many words that the
// list's own limits, after them, would read as the items'.
func longItems(t *Type) string {
	if t.Kind != List || t.Items == nil || len(t.Prefix) > 0 {
		return ""
	}
	if t.Items.Enum != nil {
		return "each " + oneOf(t.Items.Enum.Words)
	}
	text := plural(t.Items)
	if strings.Contains(text, ", each ") || limitsText(t.Items, false) != "" {
		return text
	}
	return ""
}

func acceptedShape(t *Type) string {
	if t.Enum != nil {
		return oneOf(t.Enum.Words)
	}
	switch t.Kind {
	case String:
		if t.Format != nil {
			return t.Format.Words
		}
		return "text"
	case Integer:
		return "a whole number (integer)"
	case Number:
		return "a number"
	case Boolean:
		return "true or false"
	case List:
		return acceptedList(t)
	case Object:
		return acceptedObject(t)
	case Union:
		parts := make([]string, len(t.Members))
		for i, m := range t.Members {
			parts[i] = m.Accepted()
		}
		return strings.Join(parts, ", or ")
	}
	return "any JSON value"
}

func oneOf(words []string) string {
	quoted := make([]string, 0, mostWords)
	for i, word := range words {
		if i == mostWords {
			break
		}
		quoted = append(quoted, quote.Text(word, longestQuoted))
	}
	text := strings.Join(quoted, ", ")
	if rest := len(words) - len(quoted); rest > 0 {
		text += " and " + strconv.Itoa(rest) + " more"
	}
	if len(words) == 1 {
		return text
	}
	return "one of " + text
}

func acceptedList(t *Type) string {
	switch {
	case len(t.Prefix) > 0:
		parts := make([]string, len(t.Prefix))
		for i, m := range t.Prefix {
			parts[i] = m.Accepted()
		}
		return "a JSON list of exactly these: " + strings.Join(parts, "; ")
	case t.Items == nil || t.Items.Kind == Any && t.Items.Enum == nil:
		return "a JSON list"
	case t.Items.Enum != nil:
		return "a list whose items are " + oneOf(t.Items.Enum.Words)
	}
	return "a list of " + plural(t.Items)
}

// plural names the items of a list.
func plural(t *Type) string {
	text := ""
	switch t.Kind {
	case String:
		text = "texts"
		if t.Format != nil {
			return "texts, each " + t.Format.Words
		}
	case Integer:
		text = "whole numbers (integers)"
	case Number:
		text = "numbers"
	case Boolean:
		text = "true or false values"
	case List:
		text = "lists"
		if t.Items != nil && t.Items.Kind != Any {
			text += " of " + plural(t.Items)
		}
	case Object:
		return "objects, each " + acceptedObject(t)
	default:
		return "items, each " + t.Accepted()
	}
	if limits := limitsText(t, false); limits != "" {
		text += " " + limits
	}
	return text
}

// mostProperties is how many properties of an object a description lists.
const mostProperties = 12

func acceptedObject(t *Type) string {
	if len(t.Fields) == 0 {
		if t.Rest != nil && t.Rest.Kind != Any {
			return "a JSON object (map) whose values are " + plural(t.Rest)
		}
		return "a JSON object (map)"
	}
	names := make([]string, 0, mostProperties)
	for i, f := range t.Fields {
		if i == mostProperties {
			names = append(names, strconv.Itoa(len(t.Fields)-i)+" more")
			break
		}
		name := f.Name
		if f.Optional {
			name += " (optional)"
		}
		names = append(names, name)
	}
	return "a JSON object (map) with " + strings.Join(names, ", ")
}

func limitsText(t *Type, implied bool) string {
	var parts []string
	if t.Pattern != nil {
		parts = append(parts, "that matches "+quote.Bare(t.Pattern.Source, longestPattern))
	}
	if t.Length.Bounded() {
		parts = append(parts, lengthText(t))
	}
	if text := rangeText(t, implied); text != "" {
		parts = append(parts, text)
	}
	if t.MultipleOf != nil {
		parts = append(parts, "that is a multiple of "+t.MultipleOf.Text)
	}
	if t.Unique {
		parts = append(parts, "without repetition")
	}
	return strings.Join(parts, ", ")
}

// rangeText says in what range a number must be.
func rangeText(t *Type, implied bool) string {
	low, high := t.Minimum, t.Maximum
	if low != nil && low.implied && !implied {
		low = nil
	}
	if high != nil && high.implied && !implied {
		high = nil
	}
	switch {
	case low != nil && high != nil && !low.Exclusive && !high.Exclusive:
		return "from " + low.Text + " to " + high.Text
	case low != nil && high != nil:
		return endText(low, "of at least ", "above ") + " and " + endText(high, "at most ", "below ")
	case low != nil:
		return endText(low, "of at least ", "above ")
	case high != nil:
		return endText(high, "of at most ", "below ")
	}
	return ""
}

func endText(b *Bound, inclusive, exclusive string) string {
	if b.Exclusive {
		return exclusive + b.Text
	}
	return inclusive + b.Text
}

func lengthText(t *Type) string {
	unit := "character"
	switch t.Kind {
	case List:
		unit = "item"
	case Object:
		unit = "member"
	}
	low, high := t.Length.Min, t.Length.Max
	switch {
	case low == high:
		return "of exactly " + counted(low, unit)
	case high < 0:
		return "of at least " + counted(low, unit)
	case low <= 0:
		return "of at most " + counted(high, unit)
	}
	return "of " + strconv.Itoa(low) + " to " + counted(high, unit)
}

func counted(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return strconv.Itoa(n) + " " + unit + "s"
}
