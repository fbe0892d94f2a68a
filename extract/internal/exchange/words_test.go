package exchange

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/extract"
)

func TestObject(t *testing.T) {
	for _, row := range []struct {
		text, want string
		kind       extract.ErrorKind
	}{
		{` {"n": 9007199254740993, "s": "NOT_FOUND", "z": null} ` + "\n", `{"n": 9007199254740993, "s": "NOT_FOUND", "z": null}`, ""},
		{"```json\n{\"n\": 1.50}\n```", `{"n": 1.50}`, ""},
		{"```\n{}\n```", `{}`, ""},
		{"Here it is: ```json\n{}\n```", "", extract.Malformed},
		{"```json\n{}", "", extract.Malformed},
		{"{}\n{}", "", extract.Malformed},
		{`{"n": 1, "n": 2}`, "", extract.Malformed},
		{`{"n": "cut o`, "", extract.Malformed},
		{"{\"n\": \"\xff\"}", "", extract.Malformed},
		{`[{"n": 1}]`, "", extract.Malformed},
		{`"{}"`, "", extract.Malformed},
		{"null", "", extract.Malformed},
		{" \n", "", extract.Empty},
		{"``````", "", extract.Empty},
		{strings.Repeat(`{"a":`, 100_000), "", extract.Malformed},
	} {
		got, err := Object(row.text)
		failure, _ := errors.AsType[*extract.Error](err)
		if row.kind == "" && (err != nil || string(got) != row.want) {
			t.Errorf("%s is read as %s, %v", row.text, got, err)
		}
		if row.kind != "" && (got != nil || failure == nil || failure.Kind != row.kind || len(failure.Error()) > 400) {
			t.Errorf("%.60s is read as %s, %v, want %s", row.text, got, err, row.kind)
		}
	}
}

func TestName(t *testing.T) {
	for command, want := range map[string]string{
		"cancel_order":           "cancel_order",
		"Order/cancel":           "Order__cancel",
		"v1.2-list":              "v1_2-list",
		"größe":                  "gr__e",
		"":                       "parameters",
		strings.Repeat("a", 100): strings.Repeat("a", 64),
	} {
		if got := Name(command); got != want {
			t.Errorf("%s is called %s, want %s", command, got, want)
		}
	}
}

// A model that is asked the same again answers the same again.
func TestSystemSaysWhyItAsksAgain(t *testing.T) {
	r := &command.Extraction{Instructions: "Read.", Attempt: 1}
	if got := System(r); got != "Read." {
		t.Error(got)
	}
	r.Attempt = 2
	if got := System(r); !strings.HasPrefix(got, "Read.\n\nAn earlier answer only repeated the examples") {
		t.Error(got)
	}
}

func TestSchemaIsNeeded(t *testing.T) {
	for _, schema := range []string{"", `{"type":`} {
		if _, err := Schema(&command.Extraction{Schema: []byte(schema)}); err == nil || !strings.Contains(err.Error(), "no JSON schema") {
			t.Errorf("the schema %q is %v", schema, err)
		}
	}
}

func TestCheck(t *testing.T) {
	good := Settings{APIKey: "sk-1", Model: "m"}
	if err := good.Check(); err != nil || good.Timeout != time.Minute || good.MaxRetries != 2 {
		t.Errorf("%+v, %v", good, err)
	}
	never := Settings{BaseURL: "http://127.0.0.1:1/v1", Model: "m", MaxRetries: -1, Timeout: time.Second}
	if err := never.Check(); err != nil || never.MaxRetries != 0 || never.Timeout != time.Second {
		t.Errorf("%+v, %v", never, err)
	}
	const secret = "hunter2"
	for want, s := range map[string]Settings{
		"APIKey is empty; only an endpoint of your own": {Model: "m"},
		"was it read from a file with its line end?":    {APIKey: secret + "\n", Model: "m"},
		"Model is empty":                      {APIKey: "k", Model: " "},
		"MaxTokens is negative":               {APIKey: "k", Model: "m", MaxTokens: -1},
		"Timeout is negative":                 {APIKey: "k", Model: "m", Timeout: -1},
		"not an absolute http or https URL":   {BaseURL: "127.0.0.1:11434/v1", Model: "m"},
		"not an absolute http":                {BaseURL: "ftp://" + secret + ".example", Model: "m"},
		"BaseURL holds a user or password":    {BaseURL: "https://u:" + secret + "@example.com", Model: "m"},
		"BaseURL holds a query or fragment":   {BaseURL: "https://example.com/v1?key=" + secret, Model: "m"},
		"BaseURL holds a query or fragment, ": {BaseURL: "https://example.com/v1#" + secret, Model: "m"},
	} {
		err := s.Check()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v is answered %v, want %s", s, err, want)
		}
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%v tells the secret", err)
		}
	}
	all := Settings{MaxTokens: -1, Timeout: -1}
	if err := all.Check(); strings.Count(err.Error(), "\n") != 3 {
		t.Errorf("not every mistake is named: %v", err)
	}
}

func TestRetryAfter(t *testing.T) {
	for _, row := range []struct {
		name, value string
		least, most time.Duration
		ok          bool
	}{
		{"Retry-After", "2", 2 * time.Second, 2 * time.Second, true},
		{"Retry-After", "0.5", 500 * time.Millisecond, 500 * time.Millisecond, true},
		{"Retry-After", "-3", 0, 0, true},
		{"Retry-After", "1e300", 300 * 24 * time.Hour, 366 * 24 * time.Hour, true},
		{"Retry-After", "NaN", 0, 0, false},
		{"Retry-After", "soon", 0, 0, false},
		{"Retry-After", time.Now().Add(time.Minute).UTC().Format(http.TimeFormat), 50 * time.Second, time.Minute, true},
		{"Retry-After", "Mon, 01 Jan 2001 00:00:00 GMT", 0, 0, true},
		{"Retry-After-Ms", "15", 15 * time.Millisecond, 15 * time.Millisecond, true},
		{"Server", "15", 0, 0, false},
	} {
		h := http.Header{}
		h.Set(row.name, row.value)
		if got, ok := retryAfter(h); ok != row.ok || got < row.least || got > row.most {
			t.Errorf("%s: %s is %v, %v", row.name, row.value, got, ok)
		}
	}
}
