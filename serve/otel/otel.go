// Package otel shows the calls of a server to OpenTelemetry: a span a call,
// with a span for each stage below it and the record of the attempt (FW-98) in
// its attributes.
//
//	d := serve.New(workflow, serve.Options{Observers: []serve.Observer{otel.New(provider)}})
//
// The context that resolvers, hooks and bodies get belongs to their stage's
// span, so what they call is traced below it.
package otel

import (
	"context"
	"encoding/json"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/validate"
)

// scope names this package as the origin of its spans.
const scope = "github.com/fwgo/fwgo/serve/otel"

// The attributes of a call's span. Diagnostics holds values that a lookup was
// asked for, as the record does; the others hold names, counts and flags.
const (
	AttrRequest     = attribute.Key("fwgo.request")
	AttrCommand     = attribute.Key("fwgo.command")
	AttrWorkflow    = attribute.Key("fwgo.workflow")
	AttrStage       = attribute.Key("fwgo.stage")
	AttrRan         = attribute.Key("fwgo.ran")
	AttrSuccess     = attribute.Key("fwgo.success")
	AttrMissing     = attribute.Key("fwgo.missing_fields")
	AttrInvalid     = attribute.Key("fwgo.invalid_fields")
	AttrRepairs     = attribute.Key("fwgo.repairs")
	AttrDiagnostics = attribute.Key("fwgo.diagnostics")
)

// New returns an Observer that makes spans with a provider.
func New(provider trace.TracerProvider) serve.Observer {
	return &observer{provider.Tracer(scope)}
}

type observer struct{ tracer trace.Tracer }

// Begin starts the span of a call.
func (o *observer) Begin(ctx context.Context, r *serve.Request) (context.Context, serve.Observation) {
	ctx, span := o.tracer.Start(ctx, "fwgo.call", trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(AttrRequest.String(r.ID)))
	return ctx, &observation{o.tracer, span}
}

type observation struct {
	tracer trace.Tracer
	span   trace.Span
}

// Stage starts the span of a stage below that of the call.
func (o *observation) Stage(ctx context.Context, stage validate.Stage) (context.Context, func()) {
	ctx, span := o.tracer.Start(ctx, "fwgo."+string(stage))
	return ctx, func() { span.End() }
}

// Done writes what became of the call and ends its span. A call that the
// pipeline refused is no error of the server: the caller was told what to do.
func (o *observation) Done(outcome *command.Outcome, err error) {
	defer o.span.End()
	if err != nil {
		o.span.RecordError(err)
		o.span.SetStatus(codes.Error, serve.Message(err))
		return
	}
	d := outcome.Diagnostics()
	attrs := []attribute.KeyValue{
		AttrCommand.String(outcome.Output.CommandName),
		AttrWorkflow.String(outcome.Output.WorkflowName),
		AttrStage.String(string(outcome.Stage)),
		AttrRan.Bool(outcome.Ran()),
		AttrSuccess.Bool(outcome.Output.CommandResponse.Success),
	}
	for key, list := range map[attribute.Key][]string{AttrMissing: d.MissingFields, AttrInvalid: d.InvalidFields, AttrRepairs: d.Repairs} {
		if len(list) > 0 {
			attrs = append(attrs, key.StringSlice(list))
		}
	}
	if text, err := json.Marshal(d); err == nil {
		attrs = append(attrs, AttrDiagnostics.String(string(text)))
	}
	o.span.SetAttributes(attrs...)
	if outcome.Stage == validate.StageRun {
		o.span.SetStatus(codes.Error, "the command failed")
	}
}
