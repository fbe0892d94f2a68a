// Package demo has the two tools of the drafts that people try first, and the module over one of them:
//
//	catalog, err := demo.Catalog(true, true) // text.echo; math.add and mod.arithmetic
//	engine, err := draft.NewEngine(catalog, draft.Options{})
//
// They have no effects, and refuse what is not theirs: math.add takes integers of 64 bits and never rounds or wraps.
package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/fwgo/fwgo/draft"
	"github.com/fwgo/fwgo/splash"
)

// Catalog returns a catalog with the tools that are asked for: text.echo, which returns its text, and math.add, which
// adds the integers left and right, with mod.arithmetic.add over it. Each may be called once in all runs of an engine
// (WD-27, WD-67).
func Catalog(echo, jsonAdd bool) (*draft.Catalog, error) {
	c, err := draft.NewCatalog()
	if err != nil {
		return nil, err
	}
	if echo {
		if err := c.Add(draft.Tool{
			Name:        "text.echo",
			Description: "Gives back the text it was given.",
			Run:         func(_ context.Context, call draft.Call) (string, error) { return call.Input, nil },
		}); err != nil {
			return nil, err
		}
	}
	if !jsonAdd {
		return c, nil
	}
	if err := c.Add(draft.Tool{
		Name:         "math.add",
		Description:  "Adds two integers, left and right.",
		Format:       draft.JSON,
		InputSchema:  addends,
		OutputSchema: sum,
		Prepare: func(_ context.Context, call draft.Call) (string, error) {
			_, err := add(call.Input)
			return call.Input, err
		},
		Run: func(_ context.Context, call draft.Call) (string, error) {
			total, err := add(call.Input)
			return fmt.Sprintf(`{"total":%d}`, total), err
		},
	}); err != nil {
		return nil, err
	}
	return c, c.AddModule(draft.Module{
		Name:        "arithmetic",
		Description: "Arithmetic on integers.",
		Methods:     []draft.Method{{Name: "add", Tool: "math.add"}},
	})
}

var (
	addends = json.RawMessage(`{"type":"object","properties":{"left":{"type":"integer"},"right":{"type":"integer"}},` +
		`"required":["left","right"],"additionalProperties":false}`)
	sum = json.RawMessage(`{"type":"object","properties":{"total":{"type":"integer"}},"required":["total"],` +
		`"additionalProperties":false}`)
)

// add adds what the schema let through.
func add(input string) (int64, error) {
	var in struct{ Left, Right json.Number }
	if err := json.Unmarshal([]byte(input), &in); err != nil {
		return 0, refused("left and right must be integers")
	}
	left, okLeft := whole(in.Left.String())
	right, okRight := whole(in.Right.String())
	if !okLeft || !okRight {
		return 0, refused("left and right must be integers of 64 bits")
	}
	if right > 0 && left > math.MaxInt64-right || right < 0 && left < math.MinInt64-right {
		return 0, refused("the total is no integer of 64 bits")
	}
	return left + right, nil
}

func refused(message string) error { return &splash.CallError{Message: message} }

// whole reads an integer of 64 bits, also one that is written with a point or an exponent if it is below 1<<53.
func whole(text string) (int64, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	const exact = 1 << 53 // from here on, a double stands for its neighbours too
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) >= exact {
		return 0, false
	}
	return int64(f), true
}
