package validate

import "context"

// A StageFunc is told that a call enters a stage. The context it returns is
// the stage's, and the function is called as the stage ends.
type StageFunc func(ctx context.Context, stage Stage) (context.Context, func())

type stagesKey struct{}

// WithStages returns a context whose call tells f of its stages: of binding,
// of stages 1 to 4, and of the body. It is for traces.
func WithStages(ctx context.Context, f StageFunc) context.Context {
	return context.WithValue(ctx, stagesKey{}, f)
}

// StagesOf returns what a call with this context tells of its stages, nil for
// nobody.
func StagesOf(ctx context.Context) StageFunc {
	f, _ := ctx.Value(stagesKey{}).(StageFunc)
	return f
}

// stage runs one of stages 1 to 4, and tells whoever watches. The direct way
// has stages 1 and 2 behind it.
func (c *Values) stage(ctx context.Context, stage Stage) []Problem {
	if c.watch != nil {
		inner, end := c.watch(ctx, stage)
		defer end()
		ctx = inner
	}
	switch {
	case stage == StageCoerce && !c.direct.done:
		return c.Coerce()
	case stage == StageRequire && !c.direct.done:
		return c.Require()
	case stage == StageLookup && (!c.direct.done || c.v.looksUpDirect):
		return c.Resolve(ctx)
	case stage == StageHook:
		return c.Hook(ctx)
	}
	return nil
}
