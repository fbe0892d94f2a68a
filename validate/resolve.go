package validate

import (
	"context"
	"errors"
	"log/slog"

	"github.com/fwgo/fwgo/internal/guard"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/signature"
)

// A Resolution records what stage 3 made of one value (FW-98).
type Resolution struct {
	Field       string         `json:"field"`
	Input       string         `json:"input_value"`
	Outcome     lookup.Verdict `json:"outcome"`
	Corrected   *string        `json:"corrected_value"`
	Changed     bool           `json:"corrected"`
	Suggestions []string       `json:"suggestions"`
}

// Resolve is stage 3: the values of fields that declare db_lookup are looked
// up in live data. A list is resolved item by item (FW-72). A resolver that
// fails is a problem of its own, never a pass (FW-74).
func (c *Values) Resolve(ctx context.Context) []Problem {
	for i, r := range c.v.resolvers {
		s := &c.slots[i]
		if r == nil || s.state != isSet || s.failed {
			continue
		}
		if c.overtime != nil {
			break // the context is over, and the resolver that outlived it still runs
		}
		f := c.v.sig.Fields()[i]
		before := len(c.found)
		changed := false
		if s.value.Kind == jsontree.List {
			items := c.copyOf(&s.value)
			for k := range items.Items {
				changed = c.resolve(ctx, r, f, jsontree.ItemPath(f.Name, k), f.Type.Items, &items.Items[k]) || changed
				if len(c.found) > mostProblems || c.overtime != nil {
					break
				}
			}
			if s.raw != nil && s.raw.Kind == jsontree.String && len(c.found) == before && merges(&s.value, &items) {
				// A name was parted at its own comma, and both halves found it.
				c.add(Problem{Kind: WrongType, Field: f.Name, Got: got(s.raw), Accepted: f.Type.Accepted(), AvailableFrom: f.AvailableFrom})
			}
			if changed {
				items.Raw = ""
				s.value = items
				if f.Type.Unique && len(c.found) == before {
					c.push(f.Name) // two spellings may have become one key
					c.unique(f.Type, &s.value)
					c.pop()
				}
			}
		} else {
			changed = c.resolve(ctx, r, f, f.Name, f.Type, &s.value)
		}
		if len(c.found) > before {
			s.failed = true
			continue
		}
		if changed {
			if err := c.input.Set(i, &s.value); err != nil {
				c.unusable(ctx, f, f.Name, s.raw, &s.value)
				s.failed = true
			}
		}
	}
	return c.take()
}

// merges reports whether two different items became one.
func merges(before, after *jsontree.Value) bool {
	from := make(map[string]string, len(after.Items))
	for i := range after.Items {
		given, answer := before.Items[i].Text, after.Items[i].Text
		if have, ok := from[answer]; ok && have != given {
			return true
		}
		from[answer] = given
	}
	return false
}

// resolve looks up one value and reports whether it became another.
func (c *Values) resolve(ctx context.Context, r lookup.Resolver, f *signature.Field, path string, t *signature.Type, v *jsontree.Value) bool {
	text := v.Text
	switch v.Kind {
	case jsontree.String:
	case jsontree.Number:
		text = v.JSON()
	default:
		return false // null, or a shape that no key has
	}
	var result lookup.Result
	var err error
	outcome := guard.Run(ctx, func() { result, err = r.Resolve(ctx, text) })
	var failure error
	if outcome.OK() { // else code that still runs may yet write err and result
		failure = err
		if err == nil && (result.Verdict < lookup.Applied || result.Verdict > lookup.Declined) {
			failure = errNoVerdict
		}
	}
	if !outcome.OK() || failure != nil {
		c.overran(&outcome)
		c.v.logResolver(ctx, f.Name, &outcome, failure)
		c.add(Problem{Kind: LookupUnavailable, Field: path, Got: got(v)})
		return false
	}
	record := Resolution{Field: f.Name, Input: quote.Bare(text, longestShown), Outcome: result.Verdict, Suggestions: shown(result.Suggestions, len(result.Suggestions))}
	switch result.Verdict {
	case lookup.Applied:
		match := result.Match
		record.Corrected, record.Changed = &match, match != text
	case lookup.Rejected:
		c.add(Problem{Kind: NotFound, Field: path, Got: got(v), Accepted: f.Type.Accepted(), Nearest: shown(result.Suggestions, mostNearest), Sample: result.Sample,
			More: result.More + max(0, len(result.Suggestions)-mostNearest), AvailableFrom: f.AvailableFrom})
	}
	c.lookups = append(c.lookups, record)
	if !record.Changed {
		return false
	}
	if v.Kind == jsontree.Number {
		answer := jsontree.Text(result.Match)
		c.push(f.Name)
		ok := t == nil || c.try(t, &answer)
		c.pop()
		if !ok {
			c.unusable(ctx, f, path, v, &answer)
			return false
		}
		*v = answer
		return true
	}
	*v = jsontree.Text(result.Match)
	return true
}

// unusable reports an answer that the field cannot hold: the resolver's fault,
// so the caller is not told to correct anything (FW-74).
func (c *Values) unusable(ctx context.Context, f *signature.Field, path string, v, answer *jsontree.Value) {
	c.v.log().ErrorContext(ctx, "resolver's answer does not fit the field", "field", f.Name, "answer", got(answer))
	c.add(Problem{Kind: LookupUnavailable, Field: path, Got: got(v)})
}

// errNoVerdict is what the log says of a result that nobody filled in.
var errNoVerdict = errors.New("the result is neither applied, rejected nor declined")

// overran remembers code that still runs, so that nobody takes its session
// for free.
func (c *Values) overran(o *guard.Outcome) {
	if o.Overtime && c.overtime == nil {
		c.overtime = o.Finished
	}
}

// shown quotes keys for a message, at most n of them.
func shown(keys []string, n int) []string {
	out := make([]string, 0, min(len(keys), n))
	for _, key := range keys[:min(len(keys), n)] {
		out = append(out, quote.Text(key, longestShown))
	}
	return out
}

func (v *Validator) logResolver(ctx context.Context, field string, o *guard.Outcome, err error) {
	log := v.log()
	switch {
	case o.Panic != "":
		log.Log(ctx, LevelCritical, "resolver panicked", "field", field, "panic", o.Panic, "stack", string(o.Stack))
	case o.Overtime:
		log.ErrorContext(ctx, "resolver did not return in time", "field", field)
	default:
		log.ErrorContext(ctx, "resolver failed", "field", field, "error", err)
	}
}

// LevelCritical is the level of a panic in an author's code (D-9): above
// slog's own errors, which a caller may cause.
const LevelCritical = slog.LevelError + 4
