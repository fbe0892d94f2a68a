package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/metrics"
	"github.com/fwgo/fwgo/serve/rest"
	"github.com/fwgo/fwgo/serve/token"
	"github.com/fwgo/fwgo/serve/web"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

type note struct {
	Text  string   `json:"text"`
	Tags  []string `json:"tags,omitempty"`
	Count int64    `json:"count,omitempty" jsonschema:"default=1"`
}

func notes(t testing.TB, wait chan struct{}) *command.Workflow {
	t.Helper()
	w, err := command.New(command.Options{Name: "notes", Logger: quiet},
		command.Define(command.Spec[note]{Name: "add", Run: func(_ context.Context, _ *command.Session, in *note) (command.Response, error) {
			return command.Say("added " + in.Text), nil
		}}),
		command.Define(command.Spec[struct{}]{Name: "wait", Run: func(ctx context.Context, _ *command.Session, _ *struct{}) (command.Response, error) {
			select {
			case <-wait:
				return command.Say("waited"), nil
			case <-ctx.Done():
				return command.Response{}, ctx.Err()
			}
		}}))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// running is a Server on loopback.
type running struct {
	t     testing.TB
	addr  string
	stop  context.CancelFunc
	ended chan error
	d     *serve.Dispatcher
}

func start(t testing.TB, w *command.Workflow, so serve.Options, ro rest.Options, o web.Options) *running {
	t.Helper()
	so.Logger = quiet
	figures := metrics.New()
	so.Observers = append(so.Observers, figures)
	d := serve.New(w, so)
	service, err := rest.New(d, ro)
	if err != nil {
		t.Fatal(err)
	}
	o.REST, o.Metrics = service, figures.Handler()
	server, err := web.New(d, o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	r := &running{t: t, addr: l.Addr().String(), stop: stop, ended: make(chan error, 1), d: d}
	go func() { r.ended <- server.Serve(ctx, l) }()
	t.Cleanup(stop)
	return r
}

// post sends a body and returns status and answer; 0 if the connection broke.
func (r *running) post(client *http.Client, path, bearer, contentType, body string) (int, string) {
	req, err := http.NewRequest("POST", "http://"+r.addr+path, strings.NewReader(body))
	if err != nil {
		r.t.Error(err)
		return 0, ""
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	if bearer != "" {
		req.Header.Set("Authorization", "Bearer "+bearer)
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text)
}

func (r *running) open(client *http.Client, channel string) string {
	r.t.Helper()
	status, text := r.post(client, "/initialize", "", "application/json", `{"channel_id":"`+channel+`"}`)
	var got struct {
		Access string `json:"access_token"`
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil || status != 200 {
		r.t.Fatalf("initialize %s: %d %s", channel, status, text)
	}
	return got.Access
}

// raw writes bytes to a connection and returns the status of the answer, 0 if
// the connection was closed without one.
func (r *running) raw(text string, rest ...func(net.Conn)) int {
	r.t.Helper()
	conn, err := net.Dial("tcp", r.addr)
	if err != nil {
		r.t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	_, _ = io.WriteString(conn, text)
	for _, f := range rest {
		f(conn)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	return resp.StatusCode
}

func TestHostileRequestsAreRefusedOrServed(t *testing.T) {
	r := start(t, notes(t, nil), serve.Options{MaxBytes: 1 << 20}, rest.Options{}, web.Options{ReadTimeout: 300 * time.Millisecond})
	client := &http.Client{}
	access := r.open(client, "c")
	action := func(parameters string) string {
		return `{"action":{"command_name":"add","parameters":` + parameters + `}}`
	}
	query := func(text string) string {
		out, _ := json.Marshal(text)
		return `{"user_query":` + string(out) + `}`
	}
	const jsonType = "application/json"
	for _, c := range []struct {
		name, path, contentType, body string
		status                        int
	}{
		{"a huge body", "/perform_action", jsonType, action(`{"text":"` + strings.Repeat("a", 2<<20) + `"}`), 413},
		{"a huge query", "/invoke_agent", jsonType, query(strings.Repeat("a ", 1<<20)), 413},
		{"deep JSON in a body", "/perform_action", jsonType, strings.Repeat("[", 100_000), 422},
		{"deep JSON as an argument", "/perform_action", jsonType, action(strings.Repeat(`{"text":`, 5000) + "1" + strings.Repeat("}", 5000)), 422},
		{"bad UTF-8", "/perform_action", jsonType, action("{\"text\":\"\xff\xfe\"}"), 422},
		{"half a surrogate", "/perform_action", jsonType, action(`{"text":"\ud800"}`), 422},
		{"a name given twice", "/perform_action", jsonType, action(`{"text":"a","text":"b"}`), 422},
		{"a body cut off", "/perform_action", jsonType, `{"action":{"command_na`, 422},
		{"two documents", "/perform_action", jsonType, action(`{"text":"a"}`) + action(`{"text":"a"}`), 422},
		{"no body", "/perform_action", jsonType, ``, 422},
		{"null", "/perform_action", jsonType, `null`, 422},
		{"a list", "/perform_action", jsonType, `[]`, 422},
		{"NaN", "/perform_action", jsonType, `{"action":NaN}`, 422},
		{"a huge number", "/perform_action", jsonType, action(`{"text":"a","count":1e999999}`), 200},
		{"a timeout beyond all bounds", "/perform_action", jsonType, `{"action":{"command_name":"add","parameters":{"text":"a"}},"timeout_seconds":9223372036854775807}`, 200},
		{"a negative timeout", "/perform_action", jsonType, `{"action":{"command_name":"add"},"timeout_seconds":-1}`, 422},
		{"control characters", "/invoke_agent", jsonType, query("add \x00\x01\x1b[31m\u202e"), 200},
		{"markup", "/invoke_agent", jsonType, query(strings.Repeat("<text>", 10_000)), 200},
		{"many commas", "/perform_action", jsonType, action(`{"text":"a","tags":"` + strings.Repeat(",", 200_000) + `"}`), 200},
		{"many values", "/perform_action", jsonType, action(`{"text":"a","tags":[` + strings.Repeat("1,", 300_000) + `1]}`), 422},
		{"a form", "/perform_action", "application/x-www-form-urlencoded", `action=add`, 415},
		{"no content type", "/perform_action", "", action(`{"text":"a"}`), 415},
		{"a content type that is none", "/perform_action", ";;;", action(`{"text":"a"}`), 415},
		{"another charset", "/perform_action", "application/json; charset=utf-8", action(`{"text":"a"}`), 200},
		{"a channel with control characters", "/initialize", jsonType, `{"channel_id":"a\u0000b"}`, 422},
		{"a channel of 10,000 characters", "/initialize", jsonType, `{"channel_id":"` + strings.Repeat("a", 10_000) + `"}`, 422},
		{"a channel that looks like a path", "/initialize", jsonType, `{"channel_id":"../../etc/passwd"}`, 200},
	} {
		status, text := r.post(client, c.path, access, c.contentType, c.body)
		if status != c.status {
			t.Errorf("%s: status %d, want %d: %.300s", c.name, status, c.status, text)
		}
		if !json.Valid([]byte(text)) {
			t.Errorf("%s: the answer is no JSON: %.300s", c.name, text)
		}
		for _, leak := range []string{"goroutine", "json:", "strconv", ".go:", "runtime error"} {
			if strings.Contains(text, leak) {
				t.Errorf("%s: the answer says %q: %.300s", c.name, leak, text)
			}
		}
	}
	head := "POST /perform_action HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer " + access + "\r\n"
	trickle := func(conn net.Conn) {
		for range 100 {
			if _, err := io.WriteString(conn, " "); err != nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	for _, c := range []struct {
		name   string
		status int
		text   string
		more   []func(net.Conn)
	}{
		{"a body that trickles", 408, head + "Content-Length: 1000\r\n\r\n", []func(net.Conn){trickle}},
		{"a body that never comes", 408, head + "Content-Length: 1000\r\n\r\n", nil},
		{"a body that ends too early", 400, head + "Content-Length: 1000\r\n\r\n{}", []func(net.Conn){func(c net.Conn) { _ = c.(*net.TCPConn).CloseWrite() }}},
		{"headers that trickle", 0, "POST / HTTP/1.1\r\nHost: localhost\r\nX: ", []func(net.Conn){trickle}},
		{"headers without end", 431, "GET / HTTP/1.1\r\nHost: localhost\r\n" + strings.Repeat("X-A: "+strings.Repeat("a", 1000)+"\r\n", 200) + "\r\n", nil},
		{"no HTTP", 400, "hello\r\n\r\n", nil},
		{"two lengths", 400, head + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", nil},
		{"a chunk of an absurd size", 400, head + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n", nil},
		{"a page that had its name pointed here", 403, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", nil},
		{"no host", 400, "GET / HTTP/1.1\r\n\r\n", nil},
		{"a request id with a line break", 200, "GET /probes/healthz HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: a\tb\r\n\r\n", nil},
	} {
		if status := r.raw(c.text, c.more...); status != c.status {
			t.Errorf("%s: status %d, want %d", c.name, status, c.status)
		}
	}
	if status, text := r.post(client, "/perform_action", access, jsonType, action(`{"text":"still here"}`)); status != 200 || !strings.Contains(text, "added still here") {
		t.Errorf("afterwards: %d %s", status, text)
	}
}

func TestTokensThatAreNotOursOpenNothing(t *testing.T) {
	issuer, err := token.New(token.Options{Now: func() time.Time { return time.Now().Add(-2 * time.Hour) }})
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, notes(t, nil), serve.Options{}, rest.Options{}, web.Options{})
	client := &http.Client{}
	good := r.open(client, "c")
	old, err := issuer.Issue(token.Subject{Channel: "c"})
	if err != nil {
		t.Fatal(err)
	}
	for name, bearer := range map[string]string{"expired": old.Access, "refresh": old.Refresh, "cut off": good[:len(good)/2], "no token": "hello", "huge": strings.Repeat("a", 20_000)} {
		if status, text := r.post(client, "/perform_action", bearer, "application/json", `{"action":{"command_name":"add"}}`); status != 401 {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
}

func TestTenThousandSessions(t *testing.T) {
	if testing.Short() {
		t.Skip("ten thousand sessions take some seconds")
	}
	r := start(t, notes(t, nil), serve.Options{}, rest.Options{MaxChannels: 1000}, web.Options{})
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
	var next atomic.Int64
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for {
				n := next.Add(1)
				if n > 10_000 {
					return
				}
				access := r.open(client, fmt.Sprint("channel-", n))
				status, text := r.post(client, "/perform_action", access, "application/json", `{"action":{"command_name":"add","parameters":{"text":"x"}}}`)
				if status != 200 || !strings.Contains(text, `"success":true`) {
					t.Errorf("session %d: %d %s", n, status, text)
					return
				}
			}
		})
	}
	all.Wait()
}

func TestAnEndLosesNoAcknowledgedCallAndLeavesNothing(t *testing.T) {
	before := runtime.NumGoroutine()
	wait := make(chan struct{})
	drained := make(chan int, 1)
	var answered atomic.Int64
	r := start(t, notes(t, wait), serve.Options{}, rest.Options{}, web.Options{Grace: 20 * time.Second, Drained: func() { drained <- 1 }})
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	client := &http.Client{Transport: transport}
	const slow, quick = 8, 8
	tokens := make([]string, slow+quick)
	for i := range tokens {
		tokens[i] = r.open(client, fmt.Sprint("c", i))
	}
	var all sync.WaitGroup
	for i := range slow {
		all.Go(func() {
			status, text := r.post(client, "/perform_action", tokens[i], "application/json", `{"action":{"command_name":"wait"}}`)
			if status != 200 || !strings.Contains(text, "waited") {
				t.Errorf("a call that ran at the end: %d %s", status, text)
			}
			answered.Add(1)
		})
	}
	for r.running() < slow {
		time.Sleep(time.Millisecond)
	}
	r.stop()
	for !r.d.Draining() {
		time.Sleep(time.Millisecond)
	}
	for i := range quick {
		status, text := r.post(client, "/perform_action", tokens[slow+i], "application/json", `{"action":{"command_name":"add","parameters":{"text":"x"}}}`)
		if status != 503 {
			t.Errorf("a call after the end was asked for: %d %s", status, text)
		}
	}
	if len(drained) > 0 {
		t.Error("streams were ended while calls ran")
	}
	close(wait)
	all.Wait()
	if err := <-r.ended; err != nil {
		t.Error(err)
	}
	if len(drained) != 1 || answered.Load() != slow {
		t.Errorf("streams were ended %d times, %d of %d calls were answered", len(drained), answered.Load(), slow)
	}
	transport.CloseIdleConnections()
	deadline := time.Now().Add(10 * time.Second)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
	}
	if now := runtime.NumGoroutine(); now > before {
		var stacks bytes.Buffer
		_, _ = stacks.Write(allStacks())
		t.Errorf("%d goroutines before, %d after\n%s", before, now, stacks.String())
	}
}

func allStacks() []byte {
	text := make([]byte, 1<<20)
	return text[:runtime.Stack(text, true)]
}

// running reads how many calls run from the metrics.
func (r *running) running() int {
	resp, err := http.Get("http://" + r.addr + "/metrics")
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	n := -1
	for _, line := range strings.Split(string(text), "\n") {
		if rest, ok := strings.CutPrefix(line, "fwgo_calls_running "); ok {
			_, _ = fmt.Sscan(rest, &n)
		}
	}
	return n
}

func TestAnEndGivesUpOnCallsThatDoNotEnd(t *testing.T) {
	wait := make(chan struct{})
	defer close(wait)
	r := start(t, notes(t, wait), serve.Options{}, rest.Options{}, web.Options{Grace: 50 * time.Millisecond})
	client := &http.Client{}
	access := r.open(client, "c")
	go func() {
		_, _ = r.post(client, "/perform_action", access, "application/json", `{"action":{"command_name":"wait"}}`)
	}()
	for r.running() < 1 {
		time.Sleep(time.Millisecond)
	}
	r.stop()
	if err := <-r.ended; err == nil {
		t.Error("the end is said to be clean, but a call ran")
	}
}

func TestOnlyLoopbackAddressesAreLocal(t *testing.T) {
	for addr, want := range map[string]bool{"127.0.0.1:80": true, "[::1]:80": true, "localhost:80": true, "127.8.9.1:1": true,
		":80": false, "0.0.0.0:80": false, "[::]:80": false, "10.0.0.1:80": false, "example.com:80": false, "localhost.example.com:80": false} {
		if got := web.IsLoopback(addr); got != want {
			t.Errorf("%s: %v, want %v", addr, got, want)
		}
	}
}

func ExampleServer() {
	w, err := command.New(command.Options{Name: "hello"}, command.Define(command.Spec[struct{}]{Name: "hello",
		Run: func(context.Context, *command.Session, *struct{}) (command.Response, error) {
			return command.Say("hello"), nil
		}}))
	if err != nil {
		panic(err)
	}
	d := serve.New(w, serve.Options{Logger: quiet})
	service, err := rest.New(d, rest.Options{})
	if err != nil {
		panic(err)
	}
	server, err := web.New(d, web.Options{REST: service})
	if err != nil {
		panic(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	ctx, stop := context.WithCancel(context.Background()) // signal.NotifyContext in a program
	ended := make(chan error)
	go func() { ended <- server.Serve(ctx, listener) }()
	resp, err := http.Get("http://" + listener.Addr().String() + "/probes/healthz")
	if err != nil {
		panic(err)
	}
	text, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	fmt.Println(string(text))
	stop()
	fmt.Println(<-ended)
	// Output:
	// {"status":"alive"}
	// <nil>
}
