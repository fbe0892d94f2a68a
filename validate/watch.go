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

// nothing ends a stage that nobody watches.
func nothing() {}

// Enter tells whoever watches the call that it enters a stage. The function it
// returns is called as the stage ends; it is never nil.
func Enter(ctx context.Context, stage Stage) (context.Context, func()) {
	f, _ := ctx.Value(stagesKey{}).(StageFunc)
	if f == nil {
		return ctx, nothing
	}
	return f(ctx, stage)
}
