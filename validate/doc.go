// Package validate takes the raw values of one call through the stages that
// stand before a command's body:
//
//  1. Coerce: every value becomes one of its field's type, or a problem
//  2. Require: every field that must have a value has one
//  3. Resolve: values that name live data are looked up
//  4. Hook: the rules that only the whole call can tell
//
// A stage runs over all fields and reports all its problems together; the
// first stage with problems ends the call (D-1). Problems are data; Message
// renders them, and every text that a caller can read is in messages.go.
//
//	v, err := validate.New(sig, validate.Options{})
//	...
//	values := v.Begin()
//	defer values.Release()
//	values.Load(arguments)
//	report := values.Run(ctx)
//	if !report.OK() {
//		return validate.Message("cancel_order", report.Problems, validate.Wording{})
//	}
//
// Package command does this for every call; the stages can also be called one
// by one. Values.Direct spares a call that needs nothing the tree and stages 1
// and 2, with the same outcome (D-14). What the package refuses: to change a value that is already of its
// type, to change any other where it could mean two things, and to let a
// resolver's or hook's panic, error or hanging reach a caller.
package validate
