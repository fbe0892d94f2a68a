package rest_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/rest"
	"github.com/fwgo/fwgo/store"
)

const shipping = `{"action":{"command_name":"ship","parameters":{"to":"Oslo","weight":1}}}`

const number = "command_outputs.0.command_response.artifacts.number"

// The answer of the first may have been lost.
func TestARequestWithAKeyRunsOnceAndIsAnsweredAsOftenAsItComes(t *testing.T) {
	c := start(t, newGate(), rest.Options{}, serve.Options{}).open("c1")
	first := c.keyed("k1").post("/perform_action", shipping)
	first.wants("first", 200, want{number: 1})
	c.post("/perform_action", shipping).wants("without a key", 200, want{number: 2})
	c.keyed("k2").post("/perform_action", shipping).wants("with another", 200, want{number: 3})
	for range 3 {
		c.keyed("k1").post("/perform_action", shipping).wants("again", 200, want{number: 1, "turn_key": first.at("turn_key")})
	}
	c.keyed("k1").post("/perform_action", strings.Replace(shipping, "Oslo", "Rome", 1)).wants("with another body", 422, want{"detail": "The Idempotency-Key k1 came with another request before...."})
	c.keyed("k1").post("/invoke_agent", `{"user_query":"ship <to>Oslo</to><weight>1</weight>"}`).wants("at another endpoint", 422, nil)
	c.open("c2").keyed("k1").post("/perform_action", shipping).wants("on another channel", 200, want{number: 1})
	text := `{"user_query":"ship <to>Oslo</to><weight>1</weight>"}`
	streamed := c.keyed("k3").send("POST", "/invoke_agent_stream", c.access, text)
	if again := c.keyed("k3").send("POST", "/invoke_agent_stream", c.access, text); again.text != streamed.text || !strings.Contains(streamed.text, `"number":4`) {
		t.Errorf("streamed, then again:\n%s\n%s", streamed.text, again.text)
	}
}

func TestARequestWithAKeyJoinsItsOwnTurnOnly(t *testing.T) {
	g := newGate()
	c := start(t, g, rest.Options{}, serve.Options{}).open("c1")
	const body = `{"action":{"command_name":"hold","parameters":{"note":"a"}},"timeout_seconds":0}`
	running := c.keyed("k1").post("/perform_action", body)
	running.wants("first", 202, nil)
	g.wait(t)
	c.keyed("k1").post("/perform_action", body).wants("again", 202, want{"turn_key": running.at("turn_key")})
	c.keyed("k2").post("/perform_action", body).wants("with another key", 409, nil)
	c.post("/perform_action", body).wants("without", 409, nil)
	g.let(t)
	c.ended()
	c.post("/perform_action", body).wants("without a key it is another", 202, nil)
	g.wait(t)
	for range 2 {
		c.keyed("k1").post("/perform_action", body).wants("when it has ended, while another runs", 200, want{"answer": "1 a"})
	}
	g.let(t)
	c.ended()
	close(g.leave)
	c.keyed("k3").post("/perform_action", strings.Replace(body, ":0}", ":60}", 1)).wants("and its answer is not that of a key", 200, want{"answer": "3 a"})
	c.post("/perform_action", body).wants("but its own", 200, want{"answer": "2 a"})
}

func TestWhatCannotBeAKeyIsRefusedAndNothingRuns(t *testing.T) {
	c := start(t, newGate(), rest.Options{}, serve.Options{}).open("c1")
	for _, keys := range [][]string{{""}, {"a b"}, {"caf\u00e9"}, {"a\tb"}, {strings.Repeat("k", 256)}, {"a", "b"}} {
		c.keyed(keys...).post("/perform_action", shipping).wants(strings.Join(keys, "|"), 422, want{"detail": "Idempotency-Key ..."})
	}
	c.keyed(strings.Repeat("k", 255)).post("/perform_action", shipping).wants("the longest", 200, want{number: 1})
}

func TestAKeyWhoseCallDidNotRunMayBeSentAgain(t *testing.T) {
	g := newGate()
	s := start(t, g, rest.Options{}, serve.Options{MaxConcurrent: 1, MaxWait: time.Millisecond})
	busy, c := s.open("busy"), s.open("c1")
	busy.post("/perform_action", `{"action":{"command_name":"wait"},"timeout_seconds":0}`).wants("the only place", 202, nil)
	g.wait(t)
	c.keyed("k1").post("/perform_action", shipping).wants("no place", 503, nil)
	g.let(t)
	busy.ended()
	c.keyed("k1").post("/perform_action", shipping).wants("again", 200, want{number: 1})
}

func TestAKeyWhoseCallRanButWasNotStoredDoesNotRunItAgain(t *testing.T) {
	g := newGate()
	kept := &faulty{Store: store.Memory(), kind: "session"}
	c := start(t, g, rest.Options{}, serve.Options{Store: kept}).open("c1")
	kept.fault = func() error { return errors.New("disk full") }
	close(g.leave)
	const body = `{"action":{"command_name":"hold","parameters":{"note":"a"}}}`
	c.keyed("k1").post("/perform_action", body).wants("first", 500, nil)
	g.wait(t)
	kept.fault = nil
	c.keyed("k1").post("/perform_action", body).wants("again", 500, nil)
	select {
	case <-g.entered:
		t.Error("it ran twice")
	default:
	}
}
