package recorded_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/extract"
	"github.com/fwgo/fwgo/extract/recorded"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/validate"
)

func TestAttemptsTakeRepliesInTurn(t *testing.T) {
	x, err := recorded.New(recorded.Exchange{Command: "c", Statement: " s ", Replies: []recorded.Reply{recorded.Values(`{"n":1}`), recorded.Text(`{"n":`)}})
	if err != nil {
		t.Fatal(err)
	}
	for attempt, want := range []string{`{"n":1}`, `{"n":1}`, `{"n":`, `{"n":`} {
		got, err := x.Extract(t.Context(), &command.Extraction{Command: "c", Statement: "s\n", Attempt: attempt})
		if err != nil || string(got) != want {
			t.Errorf("attempt %d is answered %s, %v", attempt, got, err)
		}
	}
	asked := x.Asked()
	if len(asked) != 4 || asked[3].Attempt != 3 || asked[3].Statement != "s\n" {
		t.Errorf("asked was %v", asked)
	}
	for _, r := range []*command.Extraction{{Command: "c", Statement: "t"}, {Command: "d", Statement: "s"}} {
		if values, err := x.Extract(t.Context(), r); err == nil || !strings.Contains(err.Error(), "nothing is recorded for command") {
			t.Errorf("an unknown question is answered %s, %v", values, err)
		}
	}
}

func TestFailures(t *testing.T) {
	x, err := recorded.New(
		recorded.Exchange{Command: "c", Statement: "limited", Replies: []recorded.Reply{recorded.Fail(extract.RateLimited, "status 429")}},
		recorded.Exchange{Command: "c", Statement: "*", Replies: []recorded.Reply{recorded.Hang()}},
	)
	if err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, row := range []struct {
		ctx       context.Context
		statement string
		kind      extract.ErrorKind
		cause     error
	}{
		{t.Context(), "limited", extract.RateLimited, nil},
		{short, "slow", extract.Timeout, context.DeadlineExceeded},
		{gone, "slow", extract.Cancelled, context.Canceled},
	} {
		_, err := x.Extract(row.ctx, &command.Extraction{Command: "c", Statement: row.statement, Attempt: 1})
		failure, ok := errors.AsType[*extract.Error](err)
		if !ok || failure.Kind != row.kind || row.cause != nil && !errors.Is(err, row.cause) {
			t.Errorf("%s: got %v, want %s", row.statement, err, row.kind)
		}
	}
	if _, err := x.Extract(context.Background(), &command.Extraction{Command: "c"}); err == nil || !strings.Contains(err.Error(), "never does") {
		t.Errorf("a reply that would hang for ever is %v", err)
	}
}

func TestMistakes(t *testing.T) {
	x, err := recorded.Read(strings.NewReader(`{"command":"c","statement":"s","replies":[{"values":{}}]}
{"command":"c","statement":"s ","replies":[{"hang":true}]}

{"command":"c","statement":"none","replies":[]}
{"command":"c","statement":"both","replies":[{"hang":true,"text":"x"}]}
{"command":"c","statement":"list","replies":[{"text":"x"},{"values":[1]}]}
{"command":"c","statement":"kind","replies":[{"fail":"ratelimited"}]}
{"command":"c","statement":"detail","replies":[{"text":"x","detail":"y"}]}
{"statement":"s","replies":[{"hang":true}]}
{"command":"c","statment":"s"}
{"command":"c","statement":"two","replies":[{"hang":true}]} {}
{"command":`))
	if x != nil || err == nil {
		t.Fatal("a recording full of mistakes is taken")
	}
	for _, want := range []string{
		`line 2: command "c", statement "s": is recorded twice`,
		`line 4: command "c", statement "none": has no replies`,
		`line 5: command "c", statement "both": reply 1: has 2 of values, text, fail and hang, and must have one`,
		`line 6: command "c", statement "list": reply 2: the values are not a JSON object`,
		`line 7: command "c", statement "kind": reply 1: no kind of failure is named "ratelimited"; the kinds are [timeout cancelled`,
		`line 8: command "c", statement "detail": reply 1: has a detail but no fail`,
		`line 9: has no command`,
		`line 10: json: unknown field "statment"`,
		`line 11: goes on after one JSON object`,
		`line 12: unexpected EOF`,
	} {
		if !strings.Contains(err.Error(), "recorded: "+want) {
			t.Errorf("%s\nis not said in\n%v", want, err)
		}
	}
	if _, err := recorded.New(recorded.Exchange{Command: "c"}); err == nil || !strings.Contains(err.Error(), "exchange 1: ") {
		t.Errorf("a mistake in Go is %v", err)
	}
	if _, err := recorded.Read(iotest.ErrReader(errors.New("disk"))); err == nil || !strings.Contains(err.Error(), "disk") {
		t.Errorf("a broken file is %v", err)
	}
}

type cancelling struct {
	OrderID string  `json:"order_id" jsonschema_extras:"db_lookup=true"`
	Count   int     `json:"count" jsonschema:"minimum=1"`
	Note    *string `json:"note,omitempty" jsonschema:"example=for Ada"`
}

// A workflow whose only command has an order to look up and a number.
func workflow(x command.Extractor, ran *[]cancelling) *command.Workflow {
	return command.MustNew(command.Options{Name: "orders", Extractor: x, Timeout: time.Second, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))},
		command.Define(command.Spec[cancelling]{
			Name:      "cancel",
			Resolvers: map[string]lookup.Resolver{"order_id": lookup.From(lookup.Static("orders", "#W1001", "#W2002"), lookup.Options{})},
			Run: func(ctx context.Context, s *command.Session, in *cancelling) (command.Response, error) {
				*ran = append(*ran, *in)
				return command.Say("done"), nil
			},
		}))
}

// What is extracted passes every stage: it is coerced, looked up and checked,
// and nothing but good values reaches the body.
func TestThePipelineChecksWhatIsExtracted(t *testing.T) {
	const text = "cancel two of the ones from monday"
	for _, row := range []struct {
		name    string
		replies []recorded.Reply
		asked   int
		ran     string
		kind    validate.Kind
	}{
		{"coerced and looked up", []recorded.Reply{recorded.Values(`{"order_id":"w1001","count":"2","note":null}`)}, 1, "#W1001", ""},
		{"not mentioned", []recorded.Reply{recorded.Values(`{"order_id":"NOT_FOUND","count":2,"note":null}`)}, 1, "", validate.Missing},
		{"null", []recorded.Reply{recorded.Values(`{"order_id":"#W1001","count":null,"note":null}`)}, 1, "", validate.Missing},
		{"parroted, then read", []recorded.Reply{recorded.Values(`{"order_id":"#W1001","count":2,"note":"for Ada"}`), recorded.Values(`{"order_id":"#W2002","count":2}`)}, 2, "#W2002", ""},
		{"a failure", []recorded.Reply{recorded.Fail(extract.Refused, "")}, 1, "", validate.ExtractionFailed},
		{"no answer", []recorded.Reply{recorded.Hang()}, 1, "", validate.ExtractionFailed},
	} {
		t.Run(row.name, func(t *testing.T) {
			x, err := recorded.New(recorded.Exchange{Command: "cancel", Statement: "two of the ones from monday", Replies: row.replies})
			if err != nil {
				t.Fatal(err)
			}
			var ran []cancelling
			o := workflow(x, &ran).NewSession().Call(t.Context(), text)
			if n := len(x.Asked()); n != row.asked {
				t.Errorf("asked %d times: %v", n, x.Asked())
			}
			switch {
			case row.ran != "" && (!o.Ran() || len(ran) != 1 || ran[0].OrderID != row.ran || ran[0].Count != 2 || ran[0].Note != nil):
				t.Errorf("ran with %+v: %s", ran, o.Text())
			case row.ran == "" && (o.Ran() || len(ran) > 0 || len(o.Problems) == 0 || o.Problems[0].Kind != row.kind):
				t.Errorf("ran with %+v: %v, %s", ran, o.Problems, o.Text())
			}
		})
	}
}

func TestOneExtractorForMany(t *testing.T) {
	x, err := recorded.New(recorded.Exchange{Command: "cancel", Statement: "*", Replies: []recorded.Reply{recorded.Values(`{"order_id":"#W1001","count":1}`)}})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			var ran []cancelling
			if o := workflow(x, &ran).NewSession().Call(t.Context(), "cancel the first one please"); !o.Ran() {
				t.Error(o.Text())
			}
		})
	}
	all.Wait()
	if n := len(x.Asked()); n != 8 {
		t.Errorf("asked %d times", n)
	}
}
