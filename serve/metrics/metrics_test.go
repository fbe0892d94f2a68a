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
	Weight int    `json:"weight"`
}

func TestEveryCallIsCountedByHowItEnded(t *testing.T) {
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	w, err := command.New(command.Options{Name: "depot", Logger: quiet},
		command.Define(command.Spec[parcel]{Name: "ship",
			Resolvers: map[string]lookup.Resolver{"to": lookup.ResolverFunc(func(_ context.Context, value string) (lookup.Result, error) {
				return lookup.Match(value, []string{"Oslo"}, lookup.Options{}), nil
			})},
			Run: func(_ context.Context, _ *command.Session, in *parcel) (command.Response, error) {
				switch {
				case in.Weight > 1000:
					panic("broken")
				case in.Weight > 100:
					return command.Fail("too heavy"), nil
				}
				return command.Say("shipped"), nil
			}}))
	if err != nil {
		t.Fatal(err)
	}
	m := metrics.New()
	d := serve.New(w, serve.Options{Logger: quiet, MaxBytes: 1000, Observers: []serve.Observer{m}})
	for _, r := range []serve.Request{
		{Command: "ship", Arguments: json.RawMessage(`{"to":"Oslo","weight":1}`)},
		{Command: "ship", Arguments: json.RawMessage(`{"to":"oslo","weight":2}`)},
		{Command: "ship", Arguments: json.RawMessage(`{"to":"Oslo","weight":101}`)},
		{Command: "ship", Arguments: json.RawMessage(`{"to":"Oslo","weight":1001}`)},
		{Command: "ship", Arguments: json.RawMessage(`{"to":"Oslo"}`)},
		{Command: "ship", Arguments: json.RawMessage(`{"to":"oslo","weight":1}`), Gate: func(any) bool { return false }},
		{Command: "a name that callers make up"},
		{Text: "what_can_i_do"},
		{Text: strings.Repeat("a", 1001)},
	} {
		_, _ = d.Do(t.Context(), r)
	}
	page := httptest.NewRecorder()
	m.Handler().ServeHTTP(page, httptest.NewRequest("GET", "/metrics", nil))
	for _, line := range []string{
		`fwgo_calls_total{command="ship",result="ran",stage=""} 2`,
		`fwgo_calls_total{command="ship",result="failed",stage=""} 1`,
		`fwgo_calls_total{command="ship",result="failed",stage="run"} 1`,
		`fwgo_calls_total{command="ship",result="refused",stage="require"} 1`,
		`fwgo_calls_total{command="ship",result="held",stage=""} 1`,
		`fwgo_calls_total{command="",result="refused",stage="bind"} 1`,
		`result="handled",stage=""} 1`,
		`fwgo_lookup_corrections_total{command="ship"} 1`,
		`fwgo_calls_refused_total{reason="too_long"} 1`,
		`fwgo_calls_running 0`,
		`fwgo_call_duration_seconds_count{command="ship"} 6`,
	} {
		if !strings.Contains(page.Body.String(), line+"\n") {
			t.Errorf("there is no %s", line)
		}
	}
	if strings.Contains(page.Body.String(), "make up") {
		t.Error("a label holds what a caller sent")
	}
}

func ExampleNew() {
	w := command.MustNew(command.Options{Name: "hello"}, command.Define(command.Spec[struct{}]{Name: "hello",
		Run: func(context.Context, *command.Session, *struct{}) (command.Response, error) {
			return command.Say("hello"), nil
		}}))
	m := metrics.New()
	d := serve.New(w, serve.Options{Logger: slog.New(slog.DiscardHandler), Observers: []serve.Observer{m}})
	if _, err := d.Do(context.Background(), serve.Request{Command: "hello"}); err != nil {
		panic(err)
	}
	page := httptest.NewRecorder()
	m.Handler().ServeHTTP(page, httptest.NewRequest("GET", "/metrics", nil))
	for line := range strings.Lines(page.Body.String()) {
		if strings.HasPrefix(line, "fwgo_calls_total") {
			fmt.Print(line)
		}
	}
	// Output: fwgo_calls_total{command="hello",result="ran",stage=""} 1
}
