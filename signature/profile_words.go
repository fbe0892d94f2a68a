package signature

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// pipelineExtra reports whether a keyword is one of the pipeline's own, which
// no vendor reads.
func pipelineExtra(key string) bool {
	return key != "enum" && slices.Contains(extraWords, key) || key == "aliases" || key == "x-enum-varnames"
}

// schemaKeyword reports whether a keyword is JSON Schema's.
func schemaKeyword(key string) bool {
	return strings.HasPrefix(key, "$") || slices.Contains(schemaWords, key) && key != "example" && key != "anyof_type" ||
		slices.Contains(structureWords, key) || slices.Contains(otherKeywords, key)
}

var otherKeywords = []string{"contains", "minContains", "maxContains", "dependentRequired", "dependentSchemas", "dependencies", "definitions",
	"unevaluatedItems", "unevaluatedProperties", "additionalItems", "contentEncoding", "contentMediaType", "contentSchema", "readOnly", "writeOnly"}

// describe adds sentences to a schema's description.
func describe(v jsontree.Value, words []string) jsontree.Value {
	if len(words) == 0 {
		return v
	}
	text := strings.TrimRight(wordAt(&v, "description"), " \n")
	if text != "" && !strings.ContainsAny(text[len(text)-1:], ".!?:") {
		text += "."
	}
	text = strings.TrimLeft(text+" "+strings.Join(words, " "), " ")
	return with(v, "description", jsontree.Text(text))
}

// mostShown is how many values a sentence lists before it counts the rest.
const mostShown = 10

func shown(v *jsontree.Value) string {
	items := v.Items
	if v.Kind != jsontree.List {
		items = []jsontree.Value{*v}
	}
	var words []string
	for i := range items {
		if i == mostShown {
			words = append(words, strconv.Itoa(len(items)-i)+" more")
			break
		}
		words = append(words, items[i].JSON())
	}
	return strings.Join(words, ", ")
}

// sentence says in words what a keyword says, nothing where a model has no
// use for it.
func sentence(key string, v *jsontree.Value) []string {
	one := func(s string) []string { return []string{s + "."} }
	switch key {
	case "available_from":
		return one("Get it from " + names(v))
	case "x-keys":
		return one("Known values: " + shown(v))
	case "default":
		if v.Kind == jsontree.Null {
			return nil
		}
		return one("Default: " + v.JSON())
	case "examples":
		if len(v.Items) == 0 {
			return nil
		}
		return one("Examples: " + shown(v))
	case "deprecated":
		if !v.True {
			return nil
		}
		return one("Deprecated")
	case "pattern":
		return one("The whole text must match " + v.Text)
	case "format":
		return one("Format: " + v.Text)
	case "minLength", "minItems", "minProperties":
		return one("At least " + v.Text + " " + unit(key, v.Text))
	case "maxLength", "maxItems", "maxProperties":
		return one("At most " + v.Text + " " + unit(key, v.Text))
	case "minimum":
		return one("At least " + v.Text)
	case "maximum":
		return one("At most " + v.Text)
	case "exclusiveMinimum":
		return one("Above " + v.Text)
	case "exclusiveMaximum":
		return one("Below " + v.Text)
	case "multipleOf":
		return one("A multiple of " + v.Text)
	case "uniqueItems":
		if !v.True {
			return nil
		}
		return one("No item twice")
	case "prefixItems":
		return one("Exactly these items, in this order: " + typeWords(v))
	case "enum":
		return one("One of: " + shown(v))
	}
	if pipelineExtra(key) || strings.HasPrefix(key, "$") || key == "readOnly" || key == "writeOnly" {
		return nil
	}
	return one("JSON Schema " + key + ": " + v.JSON())
}

func names(v *jsontree.Value) string {
	words := []string{v.Text}
	if v.Kind == jsontree.List {
		words = words[:0]
		for i := range v.Items {
			words = append(words, v.Items[i].Text)
		}
	}
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

func unit(key, n string) string {
	word := "character"
	switch {
	case strings.HasSuffix(key, "Items"):
		word = "item"
	case strings.HasSuffix(key, "Properties"):
		word = "member"
	}
	if n != "1" {
		word += "s"
	}
	return word
}

func typeWords(v *jsontree.Value) string {
	var words []string
	for i := range v.Items {
		word := wordAt(&v.Items[i], "type")
		if word == "" {
			word = "a value"
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}
