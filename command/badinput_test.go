package command_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/signature"
	"github.com/fwgo/fwgo/validate"
)

// everyShape is a schema with a field of each kind that bad input aims at.
const everyShape = `{"title": "shape", "type": "object", "properties": {
	"id": {"type": "string", "pattern": "^W\\d+$", "examples": ["W2468"], "available_from": ["list_orders"]},
	"name": {"type": "string", "db_lookup": true, "x-keys": ["Ada Lindqvist", "Ida Lindqvist"]},
	"n": {"type": "integer", "format": "int64"},
	"rate": {"type": "number"},
	"tags": {"type": "array", "items": {"type": "string"}},
	"size": {"type": "object", "properties": {"w": {"type": "integer"}}, "additionalProperties": false},
	"any": {}
}}`

func shape(t *testing.T) *command.Session {
	t.Helper()
	w, err := command.New(command.Options{Name: "shapes"}, command.Define(command.Spec[signature.Record]{
		Name: "shape", Schema: []byte(everyShape),
		Run: func(context.Context, *command.Session, *signature.Record) (command.Response, error) {
			return command.Say("ran"), nil
		},
	}))
	if err != nil {
		t.Fatal(err)
	}
	return w.NewSession()
}

// TestEveryBadInputHasItsOwnMessage is the table of what a hostile or broken
// caller sends. Each gets a message of its own kind that says what is wrong,
// shows nothing raw or long, and leaves the process alive.
func TestEveryBadInputHasItsOwnMessage(t *testing.T) {
	mega := strings.Repeat("x", 1<<20)
	var manyNames strings.Builder
	manyNames.WriteByte('{')
	for i := range 10_000 {
		fmt.Fprintf(&manyNames, `"name%d":%d,`, i, i)
	}
	manyNames.WriteString(`"n":1}`)
	tests := []struct {
		what string
		raw  string
		kind validate.Kind
		says []string
	}{
		{"a list", `[{"n":1}]`, validate.NotAnObject, []string{"object", "list", "id, name"}},
		{"text that is no object", `"cd app"`, validate.NotAnObject, []string{"object", `"cd app"`}},
		{"a number", `5`, validate.NotAnObject, []string{"object"}},
		{"cut off in a string", `{"id":"W12`, validate.CutOff, []string{"cut off", "id"}},
		{"cut off after a member", `{"n":1`, validate.CutOff, []string{"cut off"}},
		{"a name twice", `{"n":1,"n":2}`, validate.RepeatedName, []string{`"n"`, "more than once"}},
		{"a name twice inside", `{"size":{"w":1,"w":2}}`, validate.RepeatedName, []string{`"w"`, "size"}},
		{"trailing text", `{"n":1} and more`, validate.TrailingText, []string{"and more", "single"}},
		{"two objects", `{"n":1}{"n":2}`, validate.TrailingText, []string{"single"}},
		{"invalid UTF-8", "{\"id\":\"W\xff\"}", validate.BadEncoding, []string{"UTF-8", "id"}},
		{"half a surrogate pair", `{"id":"\ud83d"}`, validate.BadEncoding, []string{"UTF-8", "id"}},
		{"100 MB", `{"any":"` + strings.Repeat("x", 100<<20) + `"}`, validate.TooLong, []string{"too long", "16,777,216"}},
		{"100,000 levels", `{"any":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`, validate.TooDeep, []string{"too deep", "512"}},
		{"100,000 levels in a string", `{"tags":"` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `"}`, validate.WrongType, []string{"tags"}},
		{"1 MB against a pattern", `{"id":"` + mega + `"}`, validate.NoMatch, []string{"id", "xxx…", `^W\d+$`, "W2468", "list_orders"}},
		{"10,000 unknown names", manyNames.String(), validate.UnknownName, []string{"name0", "more names"}},
		{"a look-up value of 1 MB", `{"name":"` + mega + `"}`, validate.NotFound, []string{"name", "xxx…"}},
		{"control characters", `{"id":"W1\u0007\u001b[31m"}`, validate.NoMatch, []string{`\u0007\u001b[31m`}},
		{"a bidi override", `{"id":"\u202egnp"}`, validate.NoMatch, []string{`\u202e`}},
		{"a zero-width space", `{"id":"W\u200b1"}`, validate.NoMatch, []string{`\u200b`}},
		{"an int overflow", `{"n":9223372036854775808}`, validate.OutOfRange, []string{"n", "9223372036854775808", "9223372036854775807"}},
		{"an int overflow as text", `{"n":"99999999999999999999"}`, validate.OutOfRange, []string{"99999999999999999999"}},
		{"a fraction for an int", `{"n":0.5}`, validate.WrongType, []string{"n", "0.5", "whole"}},
		{"NaN", `{"rate":NaN}`, validate.NotJSON, []string{"JSON", "rate"}},
		{"nan as text", `{"rate":"nan"}`, validate.WrongType, []string{"rate", "number"}},
		{"infinity as text", `{"rate":"-Infinity"}`, validate.WrongType, []string{"rate", "number"}},
		{"a number beyond every float", `{"rate":1e400}`, validate.OutOfRange, []string{"rate", "1e400"}},
		{"an exponent beyond every memory", `{"n":1e999999999}`, validate.WrongType, []string{"n", "1e999999999"}},
		{"an object for a list", `{"tags":{"0":"a"}}`, validate.WrongType, []string{"tags", "object", "list"}},
		{"half a list", `{"tags":"[\"a\", \"b"}`, validate.WrongType, []string{"tags", "list"}},
		{"a nested name that is unknown", `{"size":{"w":1,"h":2}}`, validate.UnknownName, []string{"size.h", "w"}},
		{"a prototype key", `{"__proto__":{"admin":true}}`, validate.UnknownName, []string{"__proto__"}},
		{"raw control characters in JSON", "{\"id\":\"W\x001\"}", validate.NotJSON, []string{"control character"}},
		{"a name of 1 MB", `{"` + mega + `":1}`, validate.UnknownName, []string{"xxx…"}},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			outcome := shape(t).Do(context.Background(), command.Action{CommandName: "shape", Parameters: json.RawMessage(tt.raw)})
			if outcome.Ran() {
				t.Fatal("it ran")
			}
			if got := outcome.Problems[0].Kind; got != tt.kind {
				t.Errorf("the problem is %s, want %s: %s", got, tt.kind, outcome.Text())
			}
			for _, says := range tt.says {
				if !strings.Contains(outcome.Text(), says) {
					t.Errorf("the message does not say %q: %s", says, outcome.Text())
				}
			}
			wellMannered(t, outcome.Text())
		})
	}
}

// wellMannered checks what holds for every message: short, nothing hidden in
// it, and no word of the machinery.
func wellMannered(t *testing.T, message string) {
	t.Helper()
	if len(message) > 4000 {
		t.Errorf("the message has %d bytes: %.300s...", len(message), message)
	}
	for _, r := range message {
		if unicode.Is(unicode.C, r) && r != '\n' {
			t.Errorf("the message holds %U: %q", r, message)
		}
	}
	for _, word := range []string{"json:", "strconv", "reflect", "interface {}", "goroutine", ".go:", "map[", "nil pointer", "%!"} {
		if strings.Contains(message, word) {
			t.Errorf("the message speaks of %q: %s", word, message)
		}
	}
}

type lookedUp struct {
	Who string `json:"who" jsonschema_extras:"db_lookup=true"`
}

// forever blocks whoever receives from it.
var forever = make(chan struct{})

// authorFaults are what the code of an author can do wrong at run time.
var authorFaults = map[string]func(ctx context.Context){
	"panics":        func(context.Context) { panic("boom at /secret/path.go:12") },
	"run-time":      func(context.Context) { var m map[string]int; m["x"] = 1 },
	"hangs":         func(ctx context.Context) { <-forever },
	"waits for ctx": func(ctx context.Context) { <-ctx.Done(); <-forever },
}

// TestAuthorsFaultsNeverReachACaller: a resolver, hook or body that panics or
// hangs past its context becomes one message that names the command and says
// that the fault is not the caller's; the log learns the rest.
func TestAuthorsFaultsNeverReachACaller(t *testing.T) {
	for name, fault := range authorFaults {
		for _, place := range []string{"resolver", "hook", "body"} {
			t.Run(place+" "+name, func(t *testing.T) {
				var log safeBuffer
				at := func(here string, ctx context.Context) {
					if here == place {
						fault(ctx)
					}
				}
				w, err := command.New(
					command.Options{Name: "faulty", Timeout: 20 * time.Millisecond, Logger: slog.New(slog.NewTextHandler(&log, nil))},
					command.Define(command.Spec[lookedUp]{
						Name: "greet",
						Resolvers: map[string]lookup.Resolver{"who": lookup.ResolverFunc(func(ctx context.Context, value string) (lookup.Result, error) {
							at("resolver", ctx)
							return lookup.Result{Verdict: lookup.Applied, Match: value}, nil
						})},
						ValidateExtractedParameters: func(ctx context.Context, _ *command.Session, _ string, _ *lookedUp) (bool, string) {
							at("hook", ctx)
							return true, ""
						},
						Run: func(ctx context.Context, _ *command.Session, in *lookedUp) (command.Response, error) {
							at("body", ctx)
							return command.Say("hello"), nil
						},
					}))
				if err != nil {
					t.Fatal(err)
				}
				outcome := w.NewSession().Call(context.Background(), "greet who=Ada")
				if outcome.Ran() {
					t.Fatal("it counts as run")
				}
				if text := outcome.Text(); !strings.Contains(text, "greet") || strings.Contains(text, "boom") || !strings.Contains(text, "The fault is not in the parameters") {
					t.Errorf("the message is %s", text)
				}
				wellMannered(t, outcome.Text())
				if log.String() == "" {
					t.Error("the log says nothing")
				}
			})
		}
	}
}

// safeBuffer is a log that code left behind may still write to.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func TestNonsenseFromAnAuthorIsAMessage(t *testing.T) {
	session := func(resolve lookup.ResolverFunc, hook func() (bool, string), body func() (command.Response, error)) *command.Session {
		spec := command.Spec[lookedUp]{
			Name:      "greet",
			Resolvers: map[string]lookup.Resolver{"who": resolve},
			Run: func(context.Context, *command.Session, *lookedUp) (command.Response, error) {
				return body()
			},
		}
		spec.ValidateExtractedParameters = func(context.Context, *command.Session, string, *lookedUp) (bool, string) { return hook() }
		return command.MustNew(command.Options{Name: "nonsense", Logger: slog.New(slog.DiscardHandler)}, command.Define(spec)).NewSession()
	}
	fine := lookup.ResolverFunc(func(_ context.Context, v string) (lookup.Result, error) {
		return lookup.Result{Verdict: lookup.Declined}, nil
	})
	accept := func() (bool, string) { return true, "" }
	hello := func() (command.Response, error) { return command.Say("hello"), nil }

	unset := lookup.ResolverFunc(func(context.Context, string) (lookup.Result, error) { return lookup.Result{}, nil })
	failing := lookup.ResolverFunc(func(context.Context, string) (lookup.Result, error) {
		return lookup.Result{}, errors.New("pq: connection refused")
	})
	flood := lookup.ResolverFunc(func(context.Context, string) (lookup.Result, error) {
		return lookup.Result{Verdict: lookup.Rejected, Suggestions: strings.Fields(strings.Repeat("\x1b[31mkey ", 500))}, nil
	})
	for name, tt := range map[string]struct {
		session *command.Session
		kind    validate.Kind
	}{
		"a resolver without a verdict":       {session(unset, accept, hello), validate.LookupUnavailable},
		"a resolver with an error":           {session(failing, accept, hello), validate.LookupUnavailable},
		"a resolver that floods":             {session(flood, accept, hello), validate.NotFound},
		"a hook without a reason":            {session(fine, func() (bool, string) { return false, "" }, hello), validate.HookRefused},
		"a hook with control characters":     {session(fine, func() (bool, string) { return false, "who: \x1b[2J\xff" }, hello), validate.HookRefused},
		"a hook with a novel":                {session(fine, func() (bool, string) { return false, strings.Repeat("no\n", 10_000) }, hello), validate.HookRefused},
		"a body with an error for the log":   {session(fine, accept, func() (command.Response, error) { return command.Response{}, errors.New("strconv.Atoi: boom") }), validate.BodyFailed},
		"a body with a success and an error": {session(fine, accept, func() (command.Response, error) { return command.Say("hello"), errors.New("boom") }), validate.BodyFailed},
	} {
		t.Run(name, func(t *testing.T) {
			outcome := tt.session.Call(context.Background(), "greet who=Ada")
			if outcome.Ran() || outcome.Problems[0].Kind != tt.kind {
				t.Fatalf("it ends as %+v: %s", outcome.Problems, outcome.Text())
			}
			wellMannered(t, outcome.Text())
		})
	}
}
