package cli

import (
	"errors"
	"strconv"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/misspelt"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/normalize"
)

var (
	normalizeNames = misspelt.Of("schema", "args")
	lookupNames    = misspelt.Of("value", "keys", "options", "open", "python", "threshold", "suggest_threshold", "auto_apply_threshold")
)

type normalizeCmd struct {
	JSONL bool `name:"jsonl" help:"One JSON object a line, answered a line each."`
}

func (c *normalizeCmd) Run(s *streams) error {
	kept := map[string]*normalize.Normalizer{}
	return each(s, c.JSONL, func(in *jsontree.Value) ([]byte, error) {
		if err := misspeltIn(in, normalizeNames); err != nil {
			return nil, err
		}
		schema, args := in.Get("schema"), in.Get("args")
		if schema == nil || args == nil {
			return nil, errors.New("the input needs schema and args")
		}
		n, ok := kept[schema.JSON()]
		if !ok {
			var err error
			if n, err = normalize.Compile([]byte(schema.JSON()), normalize.Options{}); err != nil {
				return nil, err
			}
			if len(kept) >= mostKept {
				clear(kept)
			}
			kept[schema.JSON()] = n
		}
		result, err := n.Arguments([]byte(args.JSON()))
		if err != nil {
			return nil, err
		}
		repairs, err := jsontree.Marshal(append([]normalize.Repair{}, result.Repairs...))
		if err != nil {
			return nil, err
		}
		out := append(begin(in), `"arguments":`...)
		out = append(append(out, result.Arguments...), `,"repairs":`...)
		return append(append(out, repairs...), '}'), nil
	})
}

type lookupCmd struct {
	JSONL bool `name:"jsonl" help:"One JSON object a line, answered a line each."`
}

func (c *lookupCmd) Run(s *streams) error {
	refused := false
	err := each(s, c.JSONL, func(in *jsontree.Value) ([]byte, error) {
		if err := misspeltIn(in, lookupNames); err != nil {
			return nil, err
		}
		value, err := textAt(in, "value")
		if err != nil {
			return nil, err
		}
		keys, err := keysAt(in)
		if err != nil {
			return nil, err
		}
		options, err := lookupOptions(in)
		if err != nil {
			return nil, err
		}
		r := lookup.Match(value, keys, options)
		refused = refused || r.Verdict == lookup.Rejected
		out := append(begin(in), `"verdict":`...)
		out = append(jsontree.AppendString(out, r.Verdict.String()), `,"match":`...)
		if r.Verdict == lookup.Applied {
			out = jsontree.AppendString(out, r.Match)
		} else {
			out = append(out, "null"...)
		}
		out = append(out, `,"suggestions":[`...)
		for i, key := range r.Suggestions {
			if i > 0 {
				out = append(out, ',')
			}
			out = jsontree.AppendString(out, key)
		}
		out = append(out, ']')
		if r.More > 0 {
			out = strconv.AppendInt(append(out, `,"more":`...), int64(r.More), 10)
		}
		return append(out, '}'), nil
	})
	if err == nil && refused && !c.JSONL {
		return exit(exitMessage)
	}
	return err
}

func keysAt(in *jsontree.Value) ([]string, error) {
	v := in.Get("keys")
	if v == nil || v.Kind != jsontree.List {
		return nil, errors.New("keys must be a list of texts")
	}
	keys := make([]string, len(v.Items))
	for i := range v.Items {
		if v.Items[i].Kind != jsontree.String {
			return nil, errors.New("keys must be a list of texts")
		}
		keys[i] = v.Items[i].Text
	}
	return keys, nil
}

// lookupOptions reads the options beside value and keys, or in an object of
// their own.
func lookupOptions(in *jsontree.Value) (lookup.Options, error) {
	var o lookup.Options
	if own := in.Get("options"); own != nil && own.Kind != jsontree.Null {
		if own.Kind != jsontree.Object {
			return o, errors.New("options must be an object")
		}
		if err := misspeltIn(own, lookupNames); err != nil {
			return o, err
		}
		in = own
	}
	for name, into := range map[string]*bool{"open": &o.Open, "python": &o.Python} {
		if v := in.Get(name); v != nil {
			if v.Kind != jsontree.Bool {
				return o, errors.New(name + " must be true or false")
			}
			*into = v.True
		}
	}
	for name, into := range map[string]**float64{"threshold": &o.Threshold, "suggest_threshold": &o.SuggestThreshold, "auto_apply_threshold": &o.AutoApplyThreshold} {
		v := in.Get(name)
		if v == nil || v.Kind == jsontree.Null {
			continue
		}
		n, err := strconv.ParseFloat(v.Text, 64)
		if v.Kind != jsontree.Number || err != nil {
			return o, errors.New(name + " must be a number")
		}
		*into = &n
	}
	return o, o.Validate()
}
