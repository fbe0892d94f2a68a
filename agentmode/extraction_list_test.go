package agentmode

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/python"
)

// This file is fastWorkflow's extraction-time list parser (FW-45), together
// with its conversion of the items (FW-46), which drops what does not convert.
// It is the yardstick of the recorded outcomes, not what the port does: there
// stage 1 reads lists.

func extractionList(v Value, element string) any {
	out := []any{}
	for _, item := range extractionItems(v) {
		if converted, ok := convertItem(item, element); ok {
			out = append(out, converted)
		}
	}
	return out
}

func extractionItems(v Value) []python.Value {
	if v.Repeated {
		return texts(v.Texts)
	}
	text := v.Texts[0]
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
		// Python's json reads NaN; ours must not.
		doc, fault := jsontree.Parse(strings.ReplaceAll(text, "NaN", `"\u0000"`), jsontree.Limits{}, nil)
		if fault == nil {
			return fromJSON(&doc.Root).Items
		}
	}
	if literal, err := python.Literal(text); err == nil && literal.Kind == python.KindList {
		return literal.Items
	}
	switch {
	case strings.Contains(text, ","):
		parts := strings.Split(text, ",")
		for i, part := range parts {
			parts[i] = strings.Trim(strings.Trim(python.TrimSpace(part), `"`), "'")
		}
		return texts(parts)
	case strings.Contains(text, " ") && !strings.ContainsAny(text, `[]{}"'`):
		return texts(strings.FieldsFunc(text, python.IsSpace))
	}
	if text = strings.Trim(strings.Trim(text, `"`), "'"); text == "" {
		return nil
	}
	return texts([]string{text})
}

func texts(words []string) []python.Value {
	var items []python.Value
	for _, word := range words {
		items = append(items, python.Value{Kind: python.KindString, Text: word})
	}
	return items
}

func fromJSON(v *jsontree.Value) python.Value {
	switch v.Kind {
	case jsontree.Bool:
		return python.BoolValue(v.True)
	case jsontree.Number:
		if digits, ok := python.Int(v.Text); ok {
			return python.Value{Kind: python.KindInt, Text: digits}
		}
		f, _ := strconv.ParseFloat(v.Text, 64)
		return python.Value{Kind: python.KindFloat, Text: python.FloatRepr(f)}
	case jsontree.String:
		if v.Text == "\x00" {
			return python.Value{Kind: python.KindFloat, Text: "nan"}
		}
		return python.Value{Kind: python.KindString, Text: v.Text}
	case jsontree.List:
		out := python.Value{Kind: python.KindList}
		for i := range v.Items {
			out.Items = append(out.Items, fromJSON(&v.Items[i]))
		}
		return out
	case jsontree.Object:
		out := python.Value{Kind: python.KindDict}
		for i := range v.Members {
			out.Keys = append(out.Keys, python.Value{Kind: python.KindString, Text: v.Members[i].Name})
			out.Items = append(out.Items, fromJSON(&v.Members[i].Value))
		}
		return out
	}
	return python.Value{}
}

func convertItem(item python.Value, element string) (converted any, ok bool) {
	switch element {
	case "str", "List":
		return python.Str(item), true
	case "int":
		digits, ok := asInt(item)
		return json.Number(digits), ok
	case "float":
		f, ok := python.Float(item.Text)
		if item.Kind == python.KindBool {
			f, ok = 0, true
			if item.Text == "True" {
				f = 1
			}
		}
		return tagged(python.FloatRepr(f)), ok && item.Kind != python.KindNone && item.Items == nil
	case "model":
		return asModel(item)
	}
	return asTagged(item), true
}

func asInt(item python.Value) (string, bool) {
	switch item.Kind {
	case python.KindBool:
		if item.Text == "True" {
			return "1", true
		}
		return "0", true
	case python.KindFloat:
		f, _ := python.Float(item.Text)
		return strconv.FormatFloat(math.Trunc(f), 'f', 0, 64), !math.IsNaN(f)
	case python.KindInt, python.KindString:
		return python.Int(item.Text)
	}
	return "", false
}

// asModel reads the one model of the recorded rows: street, a required text,
// and zip, a number that defaults to 5.
func asModel(item python.Value) (any, bool) {
	if item.Kind != python.KindDict {
		return asTagged(item), true
	}
	model := map[string]any{"zip": json.Number("5")}
	for i, key := range item.Keys {
		model[key.Text] = asTagged(item.Items[i])
	}
	return map[string]any{"$model": model}, model["street"] != nil
}

// asTagged writes a value as the recorded rows do.
func asTagged(v python.Value) any {
	switch v.Kind {
	case python.KindNone:
		return nil
	case python.KindBool:
		return v.Text == "True"
	case python.KindInt:
		return json.Number(v.Text)
	case python.KindFloat:
		return tagged(v.Text)
	case python.KindList:
		list := []any{}
		for _, item := range v.Items {
			list = append(list, asTagged(item))
		}
		return list
	case python.KindDict:
		object := map[string]any{}
		for i, key := range v.Keys {
			object[key.Text] = asTagged(v.Items[i])
		}
		return object
	}
	return v.Text
}

func tagged(float string) any { return map[string]any{"$float": float} }

func decodeNumbersAsText(text []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}
