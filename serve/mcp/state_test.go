package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/store"
)

type payInput struct {
	To     string `json:"to"`
	Amount int64  `json:"amount"`
}

// cashier is a server whose command must not run twice by mistake, with the
// count of what it paid.
func cashier(t *testing.T, st store.Store, o Options) (*Server, *httptest.Server, func() int) {
	t.Helper()
	return cashierIn(t, serve.Options{Store: st}, o)
}

// cashierIn is cashier with a dispatcher's options, and other commands.
func cashierIn(t *testing.T, so serve.Options, o Options, more ...*command.Command) (*Server, *httptest.Server, func() int) {
	t.Helper()
	var mu sync.Mutex
	paid := 0
	logger := slog.New(slog.NewTextHandler(io.Discard, nil))
	pay := func(name string) *command.Command {
		return command.Define(command.Spec[payInput]{Name: name, Run: func(_ context.Context, _ *command.Session, in *payInput) (command.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			paid++
			return command.Say(fmt.Sprintf("paid %d to %s", in.Amount, in.To)), nil
		}})
	}
	w, err := command.New(command.Options{Name: "till", Logger: logger}, append(more, pay("pay"), pay("repay"))...)
	if err != nil {
		t.Fatal(err)
	}
	so.Logger = logger
	s, err := New(serve.New(w, so), o)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	return s, server, func() int {
		mu.Lock()
		defer mu.Unlock()
		return paid
	}
}

// raw makes a call of version 2026-07-28 with the members given.
func raw(t *testing.T, server *httptest.Server, token, name string, members string) (answer struct {
	Result struct {
		ResultType   string
		RequestState string
		IsError      bool
		Content      []struct{ Text string }
	}
	Error *struct {
		Code    int
		Message string
	}
}) {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `",` + members +
		`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}`
	r, err := http.NewRequest("POST", server.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for key, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": name, "Authorization": "Bearer " + token} {
		r.Header.Set(key, value)
	}
	response, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	out := string(text)
	if _, data, ok := strings.Cut(out, "data: "); ok {
		out, _, _ = strings.Cut(data, "\n")
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return answer
}

func byName(token string) (serve.Caller, error) { return serve.Caller{Channel: token}, nil }

const ten = `"inputResponses":{"amount":{"action":"accept","content":{"amount":10}}}`

func suspended(t *testing.T, server *httptest.Server, token string) string {
	t.Helper()
	first := raw(t, server, token, "pay", `"arguments":{"to":"ada"}`)
	if first.Result.ResultType != "input_required" || first.Result.RequestState == "" {
		t.Fatalf("%+v", first)
	}
	return first.Result.RequestState
}

func TestAStateGoesOnWithItsOwnCallAndNoOther(t *testing.T) {
	_, server, paid := cashier(t, store.Memory(), Options{Verify: byName})
	state := suspended(t, server, "ada")
	quoted, _ := json.Marshal(state)
	flipped := []byte(state)
	flipped[len(flipped)/3] ^= 1
	for name, c := range map[string]struct{ token, tool, members string }{
		"altered":            {"ada", "pay", `"arguments":{"to":"ada"},` + ten + `,"requestState":"` + state + `x"`},
		"a bit flipped":      {"ada", "pay", `"arguments":{"to":"ada"},` + ten + `,"requestState":"` + string(flipped) + `"`},
		"without its mac":    {"ada", "pay", `"arguments":{"to":"ada"},` + ten + `,"requestState":"` + state[:strings.IndexByte(state, '.')] + `"`},
		"not one of ours":    {"ada", "pay", `"arguments":{"to":"ada"},` + ten + `,"requestState":"e30.e30"`},
		"another's":          {"bob", "pay", `"arguments":{"to":"ada"},` + ten + `,"requestState":` + string(quoted)},
		"for another tool":   {"ada", "repay", `"arguments":{"to":"ada"},` + ten + `,"requestState":` + string(quoted)},
		"with other values":  {"ada", "pay", `"arguments":{"to":"eve"},` + ten + `,"requestState":` + string(quoted)},
		"with further bytes": {"ada", "pay", `"arguments":{"to":"ada" },` + ten + `,"requestState":` + string(quoted)},
	} {
		if got := raw(t, server, c.token, c.tool, c.members); got.Error == nil || got.Error.Code != -32602 || got.Error.Message != alteredText {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if paid() != 0 {
		t.Fatalf("paid %d times", paid())
	}
	good := `"arguments":{"to":"ada"},` + ten + `,"requestState":` + string(quoted)
	if got := raw(t, server, "ada", "pay", good); got.Result.IsError || got.Result.Content[0].Text != "paid 10 to ada" {
		t.Errorf("%+v", got)
	}
	if got := raw(t, server, "ada", "pay", good); !got.Result.IsError || got.Result.Content[0].Text != usedText {
		t.Errorf("used again: %+v", got)
	}
	if paid() != 1 {
		t.Errorf("paid %d times", paid())
	}
}

// What is signed has its parts apart: x and repay are not xre and pay.
func TestAStateFitsNoCallWhosePartsReadTheSameTogether(t *testing.T) {
	_, server, paid := cashier(t, store.Memory(), Options{Verify: byName})
	first := raw(t, server, "x", "repay", `"arguments":{"to":"ada"}`)
	quoted, _ := json.Marshal(first.Result.RequestState)
	if got := raw(t, server, "xre", "pay", `"arguments":{"to":"ada"},`+ten+`,"requestState":`+string(quoted)); got.Error == nil || got.Error.Message != alteredText {
		t.Errorf("%+v", got)
	}
	if paid() != 0 {
		t.Errorf("paid %d times", paid())
	}
}

func TestAStateRunsOnceHoweverManyUseItAtOnce(t *testing.T) {
	_, server, paid := cashier(t, store.Memory(), Options{})
	good := `"arguments":{"to":"ada"},` + ten + `,"requestState":"` + suspended(t, server, "") + `"`
	var callers sync.WaitGroup
	for range 16 {
		callers.Go(func() { raw(t, server, "", "pay", good) })
	}
	callers.Wait()
	if paid() != 1 {
		t.Errorf("paid %d times", paid())
	}
}

// The message of a busy server says to send the call again.
func TestAStateWhoseCallDidNotRunMayBeSentAgain(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	_, server, paid := cashierIn(t, serve.Options{MaxConcurrent: 1, MaxWait: time.Millisecond}, Options{},
		command.Define(command.Spec[struct{}]{Name: "hold", Run: func(context.Context, *command.Session, *struct{}) (command.Response, error) {
			close(entered)
			<-leave
			return command.Say("left"), nil
		}}))
	good := `"arguments":{"to":"ada"},` + ten + `,"requestState":"` + suspended(t, server, "") + `"`
	var held sync.WaitGroup
	held.Go(func() { raw(t, server, "", "hold", `"arguments":{}`) })
	<-entered
	for range 2 {
		if got := raw(t, server, "", "pay", good); !got.Result.IsError || got.Result.Content[0].Text != serve.Message(serve.ErrBusy) {
			t.Errorf("%+v", got)
		}
	}
	close(leave)
	held.Wait()
	if got := raw(t, server, "", "pay", good); got.Result.IsError || got.Result.Content[0].Text != "paid 10 to ada" {
		t.Errorf("%+v", got)
	}
	if got := raw(t, server, "", "pay", good); !got.Result.IsError || got.Result.Content[0].Text != usedText {
		t.Errorf("%+v", got)
	}
	if paid() != 1 {
		t.Errorf("paid %d times", paid())
	}
}

func TestAStateThatIsTooOldIsRefused(t *testing.T) {
	s, server, paid := cashier(t, store.Memory(), Options{})
	state := suspended(t, server, "")
	s.states.now = func() time.Time { return time.Now().Add(answerTime + time.Second) }
	if got := raw(t, server, "", "pay", `"arguments":{"to":"ada"},`+ten+`,"requestState":"`+state+`"`); !got.Result.IsError || got.Result.Content[0].Text != expiredText {
		t.Errorf("%+v", got)
	}
	if paid() != 0 {
		t.Errorf("paid %d times", paid())
	}
}

func TestServersThatShareSecretAndStoreTakeEachOthersStatesOnce(t *testing.T) {
	st, o := store.Memory(), Options{Secret: []byte(strings.Repeat("s", 32))}
	_, one, paidOne := cashier(t, st, o)
	_, two, paidTwo := cashier(t, st, o)
	_, stranger, _ := cashier(t, st, Options{})
	good := `"arguments":{"to":"ada"},` + ten + `,"requestState":"` + suspended(t, one, "") + `"`
	if got := raw(t, stranger, "", "pay", good); got.Error == nil {
		t.Errorf("a server with another secret: %+v", got)
	}
	if got := raw(t, two, "", "pay", good); got.Result.IsError || got.Result.Content[0].Text != "paid 10 to ada" {
		t.Errorf("%+v", got)
	}
	if got := raw(t, one, "", "pay", good); !got.Result.IsError {
		t.Errorf("used again at the other: %+v", got)
	}
	if paidOne()+paidTwo() != 1 {
		t.Errorf("paid %d times", paidOne()+paidTwo())
	}
}

func TestMarksOfStatesThatAreTooOldAreRemoved(t *testing.T) {
	st := store.Memory()
	s, server, _ := cashier(t, st, Options{})
	marks := func() int {
		list, err := st.List(t.Context(), store.Query{Kind: stateKind})
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	for range 3 {
		raw(t, server, "", "pay", `"arguments":{"to":"ada"},`+ten+`,"requestState":"`+suspended(t, server, "")+`"`)
	}
	if marks() != 3 {
		t.Fatalf("%d marks", marks())
	}
	s.states.now = func() time.Time { return time.Now().Add(answerTime + time.Minute) }
	raw(t, server, "", "pay", `"arguments":{"to":"ada"},`+ten+`,"requestState":"`+suspended(t, server, "")+`"`)
	if marks() != 1 {
		t.Errorf("%d marks are left, want that of the last state", marks())
	}
}

func TestAnswersToOtherQuestionsAreAskedForAgain(t *testing.T) {
	_, server, paid := cashier(t, store.Memory(), Options{})
	other := `"inputResponses":{"other":{"action":"accept","content":{"amount":10}}}`
	for _, members := range []string{`"arguments":{"to":"ada"},` + other, `"arguments":{"to":"ada"},` + ten,
		`"arguments":{"to":"ada"},` + other + `,"requestState":"` + suspended(t, server, "") + `"`} {
		if got := raw(t, server, "", "pay", members); got.Result.ResultType != "input_required" {
			t.Errorf("%s: %+v", members, got)
		}
	}
	if paid() != 0 {
		t.Errorf("paid %d times", paid())
	}
}

func TestAStateTooLongToBeTakenIsNotGiven(t *testing.T) {
	_, server, paid := cashier(t, store.Memory(), Options{})
	first := raw(t, server, "", "pay", `"arguments":{}`)
	state, _ := json.Marshal(first.Result.RequestState)
	long := strings.Repeat("a", longestState)
	next := raw(t, server, "", "pay", `"arguments":{},"inputResponses":{"to":{"action":"accept","content":{"to":"`+long+`"}}},"requestState":`+string(state))
	if next.Result.RequestState != "" || !next.Result.IsError || !strings.Contains(next.Result.Content[0].Text, "amount: missing") {
		t.Errorf("%.300s", fmt.Sprintf("%+v", next))
	}
	if paid() != 0 {
		t.Errorf("paid %d times", paid())
	}
}
