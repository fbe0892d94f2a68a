package otel_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	api "go.opentelemetry.io/otel/trace"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/otel"
)

type parcel struct {
	To     string `json:"to" jsonschema_extras:"db_lookup=true"`
	Weight int64  `json:"weight"`
}

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// traced is a dispatcher whose spans are kept.
func traced(t *testing.T, body func(ctx context.Context) error) (*serve.Dispatcher, *tracetest.InMemoryExporter) {
	t.Helper()
	kept := tracetest.NewInMemoryExporter()
	provider := trace.NewTracerProvider(trace.WithSyncer(kept))
	w, err := command.New(command.Options{Name: "depot", Logger: quiet}, command.Define(command.Spec[parcel]{
		Name:                        "ship",
		Resolvers:                   map[string]lookup.Resolver{"to": lookup.From(lookup.Static("list_cities", "Oslo", "Lisbon"), lookup.Options{})},
		ValidateExtractedParameters: func(context.Context, *command.Session, string, *parcel) (bool, string) { return true, "" },
		Run: func(ctx context.Context, _ *command.Session, _ *parcel) (command.Response, error) {
			return command.Say("shipped"), body(ctx)
		},
	}))
	if err != nil {
		t.Fatal(err)
	}
	return serve.New(w, serve.Options{Logger: quiet, Observers: []serve.Observer{otel.New(provider)}}), kept
}

func TestEveryStageOfACallHasASpanBelowTheCalls(t *testing.T) {
	var inBody api.SpanContext
	d, kept := traced(t, func(ctx context.Context) error {
		inBody = api.SpanContextFromContext(ctx)
		return nil
	})
	if _, err := d.Do(t.Context(), serve.Request{ID: "r1", Command: "ship", Arguments: json.RawMessage(`{"to":"oslo","weight":"7"}`)}); err != nil {
		t.Fatal(err)
	}
	spans := kept.GetSpans()
	var names []string
	for _, s := range spans {
		names = append(names, s.Name)
	}
	if got := strings.Join(names, " "); got != "fwgo.bind fwgo.coerce fwgo.require fwgo.lookup fwgo.hook fwgo.run fwgo.call" {
		t.Fatalf("spans: %s", got)
	}
	call := spans[len(spans)-1]
	for _, s := range spans[:len(spans)-1] {
		if s.Parent.SpanID() != call.SpanContext.SpanID() {
			t.Errorf("%s is not below the call", s.Name)
		}
		if s.Name == "fwgo.run" && s.SpanContext.SpanID() != inBody.SpanID() {
			t.Error("what the body calls is not traced below its span")
		}
	}
	attrs := map[string]string{}
	for _, a := range call.Attributes {
		attrs[string(a.Key)] = a.Value.Emit()
	}
	if attrs["fwgo.command"] != "ship" || attrs["fwgo.request"] != "r1" || attrs["fwgo.ran"] != "true" {
		t.Errorf("attributes: %v", attrs)
	}
	var record struct {
		DBLookup []struct {
			Field     string
			Corrected string `json:"corrected_value"`
		} `json:"db_lookup"`
	}
	if err := json.Unmarshal([]byte(attrs["fwgo.diagnostics"]), &record); err != nil || len(record.DBLookup) != 1 || record.DBLookup[0].Corrected != "Oslo" {
		t.Errorf("the record of FW-98: %v %s", err, attrs["fwgo.diagnostics"])
	}
}

func TestARefusedCallIsNoErrorAndABrokenOneIs(t *testing.T) {
	d, kept := traced(t, func(context.Context) error { return errors.New("broken") })
	for arguments, want := range map[string]codes.Code{`{"to":"Oslo"}`: codes.Unset, `{"to":"Oslo","weight":1}`: codes.Error} {
		kept.Reset()
		if _, err := d.Do(t.Context(), serve.Request{Command: "ship", Arguments: json.RawMessage(arguments)}); err != nil {
			t.Fatal(err)
		}
		spans := kept.GetSpans()
		if got := spans[len(spans)-1].Status.Code; got != want {
			t.Errorf("%s: status %v, want %v", arguments, got, want)
		}
	}
	if err := d.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	kept.Reset()
	_, _ = d.Do(t.Context(), serve.Request{Command: "ship"})
	if spans := kept.GetSpans(); len(spans) != 1 || spans[0].Status.Code != codes.Error {
		t.Errorf("a call that was not taken: %+v", spans)
	}
}
