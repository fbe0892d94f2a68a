package metrics_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/metrics"
)

type parcel struct {
	To     string `json:"to" jsonschema_extras:"db_lookup=true"`
	Weight int64  `json:"weight" jsonschema:"minimum=1"`
}

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

func measured(t testing.TB) (*serve.Dispatcher, *metrics.Metrics) {
	t.Helper()
	w, err := command.New(command.Options{Name: "depot", Logger: quiet}, command.Define(command.Spec[parcel]{
		Name:      "ship",
		Resolvers: map[string]lookup.Resolver{"to": lookup.From(lookup.Static("list_cities", "A & B", "Oslo"), lookup.Options{})},
		Run: func(_ context.Context, _ *command.Session, in *parcel) (command.Response, error) {
			if in.Weight > 100 {
				return command.Fail("too heavy"), nil
			}
			return command.Say("shipped"), nil
		},
	}))
	if err != nil {
		t.Fatal(err)
	}
	m := metrics.New()
	return serve.New(w, serve.Options{Logger: quiet, Observers: []serve.Observer{m}}), m
}

func scrape(m *metrics.Metrics) string {
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	return w.Body.String()
}

func TestCallsAreCountedByHowTheyEnded(t *testing.T) {
	d, m := measured(t)
	for _, r := range []serve.Request{
		{Command: "ship", Arguments: json.RawMessage(`{"to":"Oslo","weight":1}`)},
		{Command: "ship", Arguments: json.RawMessage(`{"to":"oslo","weight":1}`)},
		{Command: "ship", Arguments: json.RawMessage(`{"to":"A &amp; B","weight":1}`)},
		{Command: "ship", Arguments: json.RawMessage(`{"to":"Oslo","weight":101}`)},
		{Command: "ship", Arguments: json.RawMessage(`{"to":"Oslo","weight":0}`)},
		{Command: "ship", Arguments: json.RawMessage(`{"to":"Osaka","weight":1}`)},
		{Command: "what a caller sent is no label"},
		{Text: "what can i do"},
	} {
		if _, err := d.Do(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, _ = d.Do(t.Context(), serve.Request{Command: "ship"})
	text := scrape(m)
	for _, line := range []string{
		`fwgo_calls_total{command="ship",result="ran",stage=""} 3`,
		`fwgo_calls_total{command="ship",result="failed",stage=""} 1`,
		`fwgo_calls_total{command="ship",result="refused",stage="coerce"} 1`,
		`fwgo_calls_total{command="ship",result="refused",stage="lookup"} 1`,
		`fwgo_calls_total{command="",result="refused",stage="bind"} 1`,
		`fwgo_calls_total{command="IntentDetection/what_can_i_do",result="handled",stage=""} 1`,
		`fwgo_call_duration_seconds_count{command="ship"} 6`,
		`fwgo_calls_running 0`,
		`fwgo_repairs_total{command="ship"} 1`,
		`fwgo_lookup_corrections_total{command="ship"} 1`,
		`fwgo_calls_refused_total{reason="draining"} 1`,
	} {
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("there is no line %s", line)
		}
	}
	if strings.Contains(text, "caller sent") {
		t.Error("what a caller sent is among the labels")
	}
	if t.Failed() {
		t.Log(text)
	}
}

func ExampleNew() {
	w := command.MustNew(command.Options{Name: "hello"}, command.Define(command.Spec[struct{}]{Name: "hello",
		Run: func(context.Context, *command.Session, *struct{}) (command.Response, error) {
			return command.Say("hello"), nil
		}}))
	m := metrics.New()
	d := serve.New(w, serve.Options{Logger: quiet, Observers: []serve.Observer{m}})
	if _, err := d.Do(context.Background(), serve.Request{Command: "hello"}); err != nil {
		panic(err)
	}
	for line := range strings.Lines(scrape(m)) {
		if strings.HasPrefix(line, "fwgo_calls_total") {
			fmt.Print(line)
		}
	}
	// Output: fwgo_calls_total{command="hello",result="ran",stage=""} 1
}
